#include "compiler/instantiate/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <new>

namespace mosim::compiler {

namespace fs = std::filesystem;
using parser::Diagnostic;
using parser::Severity;

Library::Library(parser::Workspace& w, parser::Diagnostics& d) : workspace(w), diagnostics(d) {}

StoredClass* Library::child(StoredClass* parent, Name name) {
  StoredClass* p = parent ? parent : &top_;
  std::unique_ptr<StoredClass>& slot = p->children[name];
  if (!slot) {
    slot = std::make_unique<StoredClass>();
    slot->name = name;
    slot->parent = parent;
  }
  return slot.get();
}

/// A package that a within clause names and nobody has read: an empty one stands in for it.
StoredClass* Library::shell(StoredClass* parent, Name name, parser::Place place) {
  if (StoredClass* known = find(parent, name)) return known;
  StoredClass* c = child(parent, name);
  if (c->definition) return c;
  auto* definition = new (workspace.arena.allocate(sizeof(parser::ClassDefinition), alignof(parser::ClassDefinition)))
      parser::ClassDefinition{};
  definition->place = definition->whole = place;
  definition->kind = parser::ClassKind::package;
  definition->name = name;
  c->definition = definition;
  c->shell = true;
  return c;
}

/// The text's classes, as far as they could be read.
std::optional<parser::StoredDefinition> Library::parse(const parser::Source& source) {
  if (reading_library_) library_sources_.insert(&source);
  parser::Remains remains;
  const std::size_t before = diagnostics.size();
  if (auto whole = parser::parse(source, workspace, diagnostics, &remains)) return whole;
  for (std::size_t k = before; k < diagnostics.size(); ++k)
    if (diagnostics[k].severity == Severity::error) damage_.errors.push_back(diagnostics[k].place);
  damage_.blind = damage_.blind || remains.blind;
  damage_.sources.insert(&source);
  damage_.unread.insert(remains.unread.begin(), remains.unread.end());
  return remains.definition;
}

std::vector<StoredClass*> Library::take(const parser::StoredDefinition& stored, StoredClass* parent,
                                        bool parent_known) {
  // A file found in a package's folder belongs to that package; its within clause may only repeat that.
  if (!parent_known)
    for (Name part : stored.within.parts) parent = shell(parent, part, stored.within.place);
  std::vector<StoredClass*> result;
  for (const parser::ClassDefinition* definition : stored.classes) {
    StoredClass* c = child(parent, definition->name);
    if (c->definition && !c->shell) {
      if (damage_.blind) continue;
      diagnostics.push_back({Severity::error, definition->place,
                             fmt::format("class {} is defined twice", workspace.names.text(definition->name)),
                             "remove or rename one of them",
                             {{c->definition->place, "the other definition"}}});
      continue;
    }
    c->definition = definition;
    c->shell = false;
    result.push_back(c);
  }
  return result;
}

std::vector<StoredClass*> Library::read_text(std::string path, std::string text) {
  const parser::Source& source = workspace.sources.add(std::move(path), std::move(text));
  const auto stored = parse(source);
  if (!stored) return {};
  return take(*stored, nullptr, false);
}

namespace {

/// The same for all paths to one file. Of a pipe, /dev/stdin for one, there is only the path that was given.
fs::path identity(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(path, error);
  return error ? path : result;
}

}  // namespace

std::vector<StoredClass*> Library::read_file(const fs::path& path, StoredClass* parent, const fs::path& folder) {
  const fs::path key = identity(path);
  if (const auto it = files_.find(key); it != files_.end()) return it->second;
  std::ifstream in(path, std::ios::binary);
  std::string text;
  while (in) {
    const std::size_t size = text.size();
    text.resize(size + std::max<std::size_t>(size, 4096));
    in.read(text.data() + size, static_cast<std::streamsize>(text.size() - size));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof() || in.bad()) {
    diagnostics.push_back({Severity::error, {}, fmt::format("cannot read the file {}", path.string()), {}, {}});
    return {};
  }
  const parser::Source& source = workspace.sources.add(path.string(), std::move(text));
  const auto stored = parse(source);
  std::vector<StoredClass*> result;
  if (stored) result = take(*stored, parent, parent != nullptr);
  if (!folder.empty())
    for (StoredClass* c : result) c->folder = folder;
  files_[key] = result;
  return result;
}

std::vector<StoredClass*> Library::read_found(Found found, StoredClass* parent) {
  if (!found.text) return read_file(found.path, parent, found.folder);
  const parser::Source& source = workspace.sources.add(found.path.string(), std::move(*found.text));
  const auto stored = parse(source);
  if (!stored) return {};
  return take(*stored, parent, parent != nullptr);
}

/// The package that a folder with a package.mo stores, with the packages around it; null if it has none.
StoredClass* Library::package_around(const fs::path& folder) {
  const fs::path package = folder / "package.mo";
  std::error_code error;
  if (folder.empty() || !fs::exists(package, error)) return nullptr;
  StoredClass* parent = package_around(folder.parent_path());
  // A top-level package: its neighbours are found too, after everything asked for.
  if (!parent) {
    file_system_.add_neighbours(folder.parent_path(), reading_library_);
    top_.looked_up.clear();
  }
  const auto classes = read_file(package, parent, folder);
  return classes.empty() ? nullptr : classes.front();
}

std::vector<StoredClass*> Library::read(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    if (StoredClass* package = package_around(identity(path))) return {package};
    diagnostics.push_back({Severity::error, {}, fmt::format("{} is a folder without a package.mo", path.string()),
                           "name a .mo file, or give a folder of packages with -L", {}});
    return {};
  }
  if (!fs::exists(path, error)) {
    diagnostics.push_back({Severity::error, {}, fmt::format("there is no file {}", path.string()), {}, {}});
    return {};
  }
  const fs::path folder = identity(path).parent_path();
  if (path.filename() == "package.mo") {
    StoredClass* package = package_around(folder);
    if (!package) return {};
    return {package};
  }
  StoredClass* parent = package_around(folder);
  return read_file(path, parent, {});
}

bool Library::add_path(const fs::path& path) {
  reading_library_ = true;
  const bool found = add(path);
  reading_library_ = false;
  return found;
}

bool Library::add(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    if (fs::exists(path / "package.mo", error))
      read(path);
    else
      file_system_.libraries.push_back(path);
    top_.looked_up.clear();
    return true;
  }
  if (!fs::exists(path, error)) return false;
  read(path);
  return true;
}

void Library::add_source(std::unique_ptr<ClassSource> source) {
  others_.push_back(std::move(source));
  top_.looked_up.clear();
}

void Library::add_bundled(std::string name, std::string path, std::string text) {
  bundled_.push_back({std::move(name), std::move(path), std::move(text), false});
  top_.looked_up.clear();
}

StoredClass* Library::find(StoredClass* parent, Name name) {
  StoredClass* p = parent ? parent : &top_;
  if (const auto it = p->children.find(name); it != p->children.end() && it->second->definition && !it->second->shell)
    return it->second.get();
  const auto known = [&]() -> StoredClass* {
    const auto it = p->children.find(name);
    return it == p->children.end() ? nullptr : it->second.get();
  };
  const std::string text(workspace.names.text(name));
  if (text.empty() || text.find('/') != std::string::npos || !p->looked_up.insert(name).second) return known();
  Missing missing{text, text, !parent, parent && parent->definition && parent->definition->kind == parser::ClassKind::package, parent ? parent->folder : fs::path()};
  for (const StoredClass* c = parent; c; c = c->parent) missing.qualified = std::string(workspace.names.text(c->name)) + "." + missing.qualified;
  const bool before = reading_library_, around = parent && parent->definition && in_library(parent->definition->place);
  const auto restore = [&] { reading_library_ = before; };
  const auto ask = [&](ClassSource& source) {
    auto found = source.find(missing);
    if (!found) return false;
    reading_library_ = found->in_library.value_or(around);
    read_found(std::move(*found), parent);
    restore();
    return true;
  };
  if (!ask(file_system_))
    for (const auto& source : others_)
      if (ask(*source)) break;
  if (parent) return known();
  if (StoredClass* found = known(); found && found->definition && !found->shell) return found;
  for (Bundled& b : bundled_) {
    if (b.name != text || b.read) continue;
    b.read = true;
    reading_library_ = true;
    for (StoredClass* c : read_text(b.path, b.text)) c->bundled = true;
    restore();
  }
  return known();
}

std::vector<StoredClass*> Library::known(const StoredClass* parent) const {
  std::vector<StoredClass*> result;
  for (const auto& [name, c] : (parent ? parent : &top_)->children)
    if (c->definition && !c->bundled) result.push_back(c.get());
  return result;
}

std::vector<std::pair<std::string, std::string>> Library::folders() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const StoredClass* c : known(nullptr)) {
    if (c->shell) continue;
    std::error_code error;
    fs::path folder = c->folder.empty() ? fs::path(workspace.sources.source(c->definition->place)->path).parent_path() : c->folder;
    folder = fs::absolute(folder.empty() ? fs::path(".") : folder, error).lexically_normal();
    std::string text = folder.string();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    result.emplace_back(workspace.names.text(c->name), std::move(text));
  }
  return result;
}

std::vector<std::string> Library::names(const StoredClass* parent) const {
  std::vector<std::string> result;
  const StoredClass* p = parent ? parent : &top_;
  for (const auto& [name, c] : p->children) result.emplace_back(workspace.names.text(name));
  const auto add = [&](const ClassSource& source) {
    for (std::string& name : source.names(parent ? parent->folder : fs::path())) result.push_back(std::move(name));
  };
  if (!parent || !parent->folder.empty()) add(file_system_);
  for (const auto& source : others_) add(*source);
  if (!parent)
    for (const Bundled& b : bundled_) result.push_back(b.name);
  return result;
}

}  // namespace mosim::compiler
