#include "compiler/instantiate/class_source.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace mosim::compiler {

namespace fs = std::filesystem;

namespace {

// No library has these names: those of predefined types are reserved (MLS 4.9), and a keyword is none (MLS 2.3.3). A class in a package may have
// one by mistake, and is to be told.
constexpr std::array<std::string_view, 5> no_library = {"Real", "Integer", "Boolean", "String", "der"};

std::optional<Found> find_in(const fs::path& folder, const std::string& name, const std::string& stem, std::optional<bool> in_library) {
  std::error_code error;
  const fs::path inner = folder / stem / "package.mo";
  if (fs::exists(inner, error)) return Found{inner, {}, folder / stem, in_library};
  const fs::path file = folder / (name + ".mo");
  if (stem == name && fs::exists(file, error)) return Found{file, {}, {}, in_library};
  return {};
}

}  // namespace

void FileSystem::add_neighbours(const fs::path& folder, bool of_library) {
  const auto known = std::find_if(neighbours_.begin(), neighbours_.end(), [&](const Folder& f) { return f.path == folder; });
  if (known == neighbours_.end()) neighbours_.push_back({folder, of_library});
  else known->in_library = known->in_library && of_library;
}

std::optional<Found> FileSystem::find(const Missing& missing) {
  const std::string& name = missing.name;
  if (!missing.is_top) {
    if (missing.folder.empty()) return {};
    return find_in(missing.folder, name, name, {});
  }
  if (std::find(no_library.begin(), no_library.end(), name) != no_library.end()) return {};
  const auto found_at = [&](const fs::path& folder, bool in_library) -> std::optional<Found> {
    if (auto found = find_in(folder, name, name, in_library)) return found;
    // "Modelica 4.1.0": a version behind the name (MLS 13.4.3); the highest one in the order of its text
    std::vector<std::string> versions;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string file = entry.path().filename().string();
      if (file.size() > name.size() && file.compare(0, name.size(), name) == 0 && file[name.size()] == ' ') versions.push_back(file);
    }
    std::sort(versions.begin(), versions.end());
    if (versions.empty()) return {};
    return find_in(folder, name, versions.back(), in_library);
  };
  for (const fs::path& folder : libraries)
    if (auto found = found_at(folder, true)) return found;
  for (const Folder& folder : neighbours_)
    if (auto found = found_at(folder.path, folder.in_library)) return found;
  return {};
}

std::vector<std::string> FileSystem::names(const fs::path& folder) const {
  std::vector<std::string> result;
  std::error_code error;
  for (const fs::path& path : folder.empty() ? libraries : std::vector<fs::path>{folder})
    for (const auto& entry : fs::directory_iterator(path, error)) {
      const fs::path& f = entry.path();
      if (f.extension() == ".mo" && f.stem() != "package")
        result.push_back(f.stem().string());
      else if (fs::exists(f / "package.mo", error))
        result.push_back(f.filename().string().substr(0, f.filename().string().find(' ')));
    }
  return result;
}

std::optional<Found> Host::find(const Missing& missing) {
  if ((!missing.is_top && !missing.is_in_package) || !asked_.insert(missing.qualified).second) return {};
  auto text = ask_(missing.qualified);
  if (!text) return {};
  return Found{std::move(text->file), std::move(text->text), {}, missing.is_top ? std::optional(false) : std::nullopt};
}

}  // namespace mosim::compiler
