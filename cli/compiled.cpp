#include "cli/compiled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "cli/mistaken.hpp"

namespace mosim::cli {

namespace {

/// Options that need the model's text, and what to do instead.
std::optional<std::string> misplaced_option(const Arguments& a, const std::string& file) {
  const auto needs_text = [&](const char* option, const char* remedy) {
    return fmt::format("{} needs the model's text, and {} is a compiled model: {}", option, file, remedy);
  };
  if (a.files.size() > 1) return fmt::format("{} is a compiled model, which is run alone: name no other file beside it", file);
  if (!a.model.empty()) return needs_text("--model", "compile that class: mosim compile MODEL.mo --model NAME -o FILE.mosim");
  if (!a.libraries.empty()) return needs_text("--library", "what it uses of a library is in it already");
  if (!a.settings.empty()) return needs_text("--set", "give the setting to mosim compile, or run the .mo file");
  if (a.verify) return needs_text("--verify", "run the .mo file");
  if (!a.emit.empty()) return needs_text("--emit", "give it the .mo file");
  if (a.check) return needs_text("--check", "give it the .mo file");
  return {};
}

std::optional<std::string> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  try {
    return std::string{std::istreambuf_iterator<char>(in), {}};
  } catch (const std::ios_base::failure&) {   // a folder, a disk that cannot be read
    return {};
  }
}

}  // namespace

bool runs_compiled(const Arguments& arguments) {
  return std::any_of(arguments.files.begin(), arguments.files.end(), [](const std::string& f) { return f.ends_with(compiled_ending); });
}

std::variant<std::shared_ptr<const Model>, std::string> load(const Arguments& arguments, Session& session) {
  const std::string& path = *std::find_if(arguments.files.begin(), arguments.files.end(), [](const std::string& f) { return f.ends_with(compiled_ending); });
  if (auto misplaced = misplaced_option(arguments, path)) return std::move(*misplaced);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return missing_file(path);
  const auto bytes = bytes_of(path);
  if (!bytes) return fmt::format("cannot read the file {}", path);
  if (auto model = session.load(path, *bytes)) return model;
  const Diagnostic& problem = session.diagnostics().front();
  return fmt::format("{} cannot be run: {}; {}", path, problem.cause, problem.remedy);
}

}  // namespace mosim::cli
