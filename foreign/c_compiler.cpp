#include "foreign/c_compiler.hpp"

#include <libtcc.h>

#include <algorithm>

#include "foreign/utilities.hpp"

#ifdef MOSIM_TCC_COPY
#include <unistd.h>

#include <cstdio>

// What the copy of libtcc reaches in place of the C library's (CMakeLists.txt).
extern "C" {
#define MOSIM_OWN __attribute__((visibility("hidden")))
MOSIM_OWN FILE* tcc_own_stdin = stdin;
MOSIM_OWN FILE* tcc_own_stdout = stdout;
MOSIM_OWN FILE* tcc_own_stderr = stderr;
MOSIM_OWN char** tcc_own_environ = environ;
}
#endif

namespace mosim::foreign {

namespace {

constexpr std::size_t most_lines = 4;   // of what the C compiler says
constexpr std::string_view undeclared = "implicit declaration of function ";

/// The place and the sentence, without the way of inclusions that leads there.
std::string without_words(std::string line) {
  if (const auto end = line.rfind('\n'); end != std::string::npos) line.erase(0, end + 1);
  for (const std::string_view words : {"tcc: ", "error: "})
    if (const auto at = line.find(words); at != std::string::npos) line.erase(at, words.size());
  return line;
}

}  // namespace

struct CCompiler::Impl {
  TCCState* state = nullptr;
  const std::vector<std::string>& archives;
  std::vector<std::string> said;
};

CCompiler::CCompiler(const std::vector<std::string>& include_folders, const std::vector<std::string>& archives, const std::string& utilities_folder)
    : impl_(new Impl{tcc_new(), archives, {}}) {
  TCCState* const state = impl_->state;
  tcc_set_error_func(state, impl_.get(), [](void* self, const char* text) { static_cast<Impl*>(self)->said.emplace_back(text); });
  tcc_set_output_type(state, TCC_OUTPUT_MEMORY);
  for (const std::string& folder : include_folders) tcc_add_include_path(state, folder.c_str());
  tcc_add_include_path(state, utilities_folder.c_str());
  for (const Symbol& symbol : utilities()) tcc_add_symbol(state, symbol.name, symbol.address);
}

CCompiler::~CCompiler() {
  if (impl_->state) tcc_delete(impl_->state);
}

bool CCompiler::compile(const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (tcc_compile_string(impl_->state, text.c_str()) != 0) return false;
  // A function that gives a double would be wrong without a word.
  if (std::ranges::any_of(impl_->said, [](const std::string& line) { return line.find(undeclared) != std::string::npos; })) return false;
  for (const std::string& file : impl_->archives)
    if (tcc_add_file(impl_->state, file.c_str()) != 0) return false;
  return tcc_relocate(impl_->state, TCC_RELOCATE_AUTO) == 0;
}

void* CCompiler::symbol(const std::string& name) { return tcc_get_symbol(impl_->state, name.c_str()); }

void CCompiler::keep() { impl_->state = nullptr; }

bool write_shared_library(const std::string& text, const std::string& file) {
  TCCState* const state = tcc_new();
  tcc_set_error_func(state, nullptr, [](void*, const char*) {});
  tcc_set_options(state, "-nostdlib");
  tcc_set_output_type(state, TCC_OUTPUT_DLL);
  const bool written = tcc_compile_string(state, text.c_str()) == 0 && tcc_output_file(state, file.c_str()) == 0;
  tcc_delete(state);
  return written;
}

std::string CCompiler::said() const {
  std::string text;
  std::size_t lines = 0;
  for (const std::string& line : impl_->said) {
    const std::size_t warning = line.find("warning: "), at = line.find(undeclared);
    if (lines == most_lines || (warning != std::string::npos && at == std::string::npos)) continue;
    text += lines++ ? "; " : "";
    text += at == std::string::npos ? without_words(line) : line.substr(0, warning) + "the function " + line.substr(at + undeclared.size()) + " is not declared, so that C takes it to give an int";
  }
  return text.empty() ? "no reason is given" : text;
}

}  // namespace mosim::foreign
