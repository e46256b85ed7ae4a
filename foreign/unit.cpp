#include "foreign/unit.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "foreign/c_compiler.hpp"
#include "foreign/utilities.hpp"

namespace mosim::foreign {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr const char* platform = "linux64";
#elif defined(__i386__)
constexpr const char* platform = "linux32";
#else
constexpr const char* platform = "";
#endif

/// What was loaded for a unit.
struct Libraries {
  std::vector<void*> shared;
  std::vector<std::string> archives;   // files, for the C compiler to link
  std::string problem;
};

/// Libraries that are loaded call the utility functions (MLS 12.9.6). A program exports its own; where this is inside of a shared library
/// that keeps its names to itself, a library that is made for it leads there.
void offer_utilities(const std::string& utilities_folder) {
  const auto all = utilities();
  if (::dlsym(RTLD_DEFAULT, all[0].name)) return;
#if defined(__x86_64__)
  const std::string file = utilities_folder + "/utilities.so";
  std::string text = "void *mosim_utilities[" + std::to_string(all.size()) + "];\n__asm__(\"";
  for (std::size_t k = 0; k < all.size(); ++k)
    text += ".globl " + std::string(all[k].name) + "\\n" + all[k].name + ": jmp *mosim_utilities+" + std::to_string(k * sizeof(void*)) + "(%rip)\\n";
  if (!write_shared_library(text + "\");\n", file)) return;
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  auto* const table = library ? static_cast<const void**>(::dlsym(library, "mosim_utilities")) : nullptr;
  for (std::size_t k = 0; table && k < all.size(); ++k) table[k] = all[k].address;
#endif
}

void add_file(const std::string& path, Libraries& libraries) {
  if (path.ends_with(".a")) {
    libraries.archives.push_back(path);
  } else if (void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    libraries.shared.push_back(handle);
  } else {
    const char* const why = ::dlerror();
    libraries.problem = "the library cannot be loaded: " + std::string(why ? why : path);
  }
}

/// A library of the system, of whatever version of its interface: without a developer's package it has no plain name.
bool add_system_library(const std::string& name, Libraries& libraries) {
  constexpr int most_versions = 10;
  for (int k = -1; k < most_versions; ++k)
    if (void* const handle = ::dlopen(("lib" + name + ".so" + (k < 0 ? "" : "." + std::to_string(k))).c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      libraries.shared.push_back(handle);
      return true;
    }
  return false;
}

void add_library(const std::string& name, const Code& code, Libraries& libraries) {
  std::string searched;
  for (const std::string& folder : code.library_folders) {
    for (const fs::path& place : {fs::path(folder) / platform, fs::path(folder)})
      for (const std::string& file : {"lib" + name + ".so", name + ".so", "lib" + name + ".a", name + ".a", name}) {
        std::error_code error;
        if (fs::is_regular_file(place / file, error)) return add_file((place / file).string(), libraries);
      }
    searched += (searched.empty() ? "" : ", ") + folder;
  }
  if (add_system_library(name, libraries)) return;
  libraries.problem = "there is no library lib" + name + ".so or lib" + name + ".a" + (searched.empty() ? "" : " in " + searched) + ", nor among those of the system";
}

std::string without_code(const std::string& name) { return "neither an Include nor a Library annotation says where " + name + " is, and the C library does not have it"; }

/// In C text, the function's address under a name that can be asked for even if the function is static.
std::string address_name(const Wanted& f) { return "mosim_address_of_" + std::to_string(f.text) + "_" + f.name; }

void find_in_libraries(Unit& unit, const Libraries& libraries) {
  for (auto& [f, found] : unit.functions) {
    for (void* const library : libraries.shared)
      if (!found.address) found.address = ::dlsym(library, f.name.c_str());
    if (found.address) continue;
    if (unit.code.libraries.empty()) {
      found.problem = without_code(f.name);
      continue;
    }
    std::string list;
    for (const std::string& library : unit.code.libraries) list += (list.empty() ? "" : ", ") + library;
    found.problem = (unit.code.libraries.size() == 1 ? "the library " + list + " has" : "the libraries " + list + " have") + " no function " + f.name;
  }
}

/// The translation units of the code, with the addresses of the functions behind them, or without.
std::vector<std::string> translation_units(const Unit& unit, bool addresses) {
  std::vector<std::string> texts{unit.code.include};
  texts.insert(texts.end(), unit.code.companions.begin(), unit.code.companions.end());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    // size_t has to be there (MLS 12.9.4). The text's lines count from its own first one.
    std::string whole = "#include <stddef.h>\n";
    if (!texts[k].empty()) whole += "#line 1 \"Include\"\n" + texts[k] + "\n";
    for (const auto& [f, found] : unit.functions)
      if (f.text == k && texts[k].empty()) whole += "void " + f.name + "(void);\n";
    whole += "#line 1 \"call\"\n";
    for (const auto& [f, found] : unit.functions)
      if (f.text == k && addresses) whole += "void *const " + address_name(f) + " = (void *)&" + f.name + ";\n";
    texts[k] = std::move(whole);
  }
  return texts;
}

void compile_unit(Unit& unit, const Libraries& libraries, const std::string& utilities_folder) {
  CCompiler whole(unit.code.include_folders, libraries.archives, utilities_folder);
  if (whole.compile(translation_units(unit, true))) {
    for (auto& [f, found] : unit.functions) found.address = *static_cast<void**>(whole.symbol(address_name(f)));
    return whole.keep();
  }
  if (unit.code.include.empty() && unit.code.companions.empty()) {
    find_in_libraries(unit, libraries);
    return;
  }
  // One that the text does not declare may still be in a library.
  CCompiler plain(unit.code.include_folders, libraries.archives, utilities_folder);
  if (!plain.compile(translation_units(unit, false))) {
    std::string said = plain.said();
    if (said.find("include file") != std::string::npos)
      for (const std::string& folder : unit.code.include_folders) said += (&folder == &unit.code.include_folders.front() ? ", looked for in " : ", ") + folder;
    for (auto& [f, found] : unit.functions) found.problem = "its C code cannot be used: " + said;
    return;
  }
  for (auto& [f, found] : unit.functions) {
    found.address = plain.symbol(f.name);
    for (void* const library : libraries.shared)
      if (!found.address) found.address = ::dlsym(library, f.name.c_str());
    if (!found.address) found.problem = "its C code has no function " + f.name;
  }
  plain.keep();
}

}  // namespace

std::string missing_code(const Function& function) {
  if (!function.code.include.empty() || !function.code.libraries.empty()) return "";
  Libraries libraries;   // which this process has in any case
  for (const char* const library : {"m", "c"}) (void)add_system_library(library, libraries);
  for (void* const library : libraries.shared)
    if (::dlsym(library, function.name.c_str())) return "";
  return without_code(function.name);
}

Unit make_unit(const Code& code, const std::vector<Wanted>& all, const std::string& utilities_folder) {
  Unit unit{code, {}};
  for (const Wanted& f : all) unit.functions[f];
  Libraries libraries;
  if (!code.libraries.empty()) offer_utilities(utilities_folder);
  for (const std::string& name : code.libraries)
    if (libraries.problem.empty()) add_library(name, code, libraries);
  if (!libraries.problem.empty()) {
    for (auto& [f, found] : unit.functions) found.problem = libraries.problem;
    return unit;
  }
  if (code.libraries.empty() && code.include.empty())
    for (const char* const library : {"m", "c"}) (void)add_system_library(library, libraries);
  if (code.include.empty() && code.companions.empty() && libraries.archives.empty()) find_in_libraries(unit, libraries);
  else compile_unit(unit, libraries, utilities_folder);
  return unit;
}

}  // namespace mosim::foreign
