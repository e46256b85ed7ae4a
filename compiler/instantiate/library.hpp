#pragma once
// The classes that can be found: files named by the user, sources that are asked for a class (MLS 13.4), and the bundled library.
// A folder's files are read when a name in them is first looked up.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "compiler/instantiate/class_source.hpp"
#include "parser/parse.hpp"

namespace mosim::compiler {

using parser::Name;

/// A class that is stored in a file of its own, or a package that holds such classes.
struct StoredClass {
  Name name = Name::none;
  StoredClass* parent = nullptr;                         // null: top level
  const parser::ClassDefinition* definition = nullptr;
  bool bundled = false;                                  // part of mosim
  bool shell = false;                                    // an empty package, known only from a `within`
  std::filesystem::path folder;                          // where more of its classes lie; empty: nowhere
  std::map<Name, std::unique_ptr<StoredClass>> children;
  std::unordered_set<Name> looked_up;                    // names that were looked for in files, once is enough
};

class Library {
public:
  Library(parser::Workspace& workspace, parser::Diagnostics& diagnostics);

  /// Reads a .mo file (its classes go where its `within` says), or a package folder. If the file lies in a package
  /// folder, that package becomes known as well. Returns the classes read; empty after an error.
  std::vector<StoredClass*> read(const std::filesystem::path& path);
  /// Reads a text under a made-up path.
  std::vector<StoredClass*> read_text(std::string path, std::string text);
  /// A package folder, a .mo file, or a folder of packages, to find top-level classes in. False if there is none.
  bool add_path(const std::filesystem::path& path);
  /// Is asked for classes that are in none of these.
  void add_source(std::unique_ptr<ClassSource> source);
  /// Texts that are read when a top-level name is found nowhere else: (name, path, text).
  void add_bundled(std::string name, std::string path, std::string text);

  /// The stored class of that name in `parent` (null: top level), read from its file if need be; null if none.
  StoredClass* find(StoredClass* parent, Name name);
  /// The classes read so far in `parent` (null: top level), in the order they were met, with the packages that a
  /// `within` names; without the bundled ones.
  std::vector<StoredClass*> known(const StoredClass* parent) const;
  /// Names of the classes in a stored class's own files, for suggestions.
  std::vector<std::string> names(const StoredClass* parent) const;

  /// Of the top-level classes read so far, by name: the folder of the package, or of the file (MLS 13.5), as an absolute path.
  std::vector<std::pair<std::string, std::string>> folders() const;

  /// Where a resource is (`modelica://...`), as a path; asked before folders(). Empty: nobody knows better.
  std::function<std::optional<std::string>(std::string_view)> resource;

  /// What syntax errors have kept from being read, in all texts so far.
  struct Damage {
    std::vector<parser::Place> errors;
    bool blind = false;                 // later stages would not know what they miss
    std::unordered_set<Name> unread;
    std::unordered_set<const parser::Source*> sources;
  };
  const Damage& damage() const { return damage_; }
  /// Whether a place is in a library, that is, not in a file that the user named or a package that holds it.
  bool in_library(parser::Place place) const { return library_sources_.contains(workspace.sources.source(place)); }

  parser::Workspace& workspace;
  parser::Diagnostics& diagnostics;

private:
  struct Bundled {
    std::string name, path, text;
    bool read = false;
  };
  bool add(const std::filesystem::path& path);
  std::vector<StoredClass*> read_file(const std::filesystem::path& path, StoredClass* parent,
                                      const std::filesystem::path& folder);
  std::vector<StoredClass*> read_found(Found found, StoredClass* parent);
  std::optional<parser::StoredDefinition> parse(const parser::Source& source);
  std::vector<StoredClass*> take(const parser::StoredDefinition& stored, StoredClass* parent, bool parent_known);
  StoredClass* child(StoredClass* parent, Name name);
  StoredClass* shell(StoredClass* parent, Name name, parser::Place place);
  StoredClass* package_around(const std::filesystem::path& folder);

  StoredClass top_;
  FileSystem file_system_;
  std::vector<std::unique_ptr<ClassSource>> others_;   // asked after it
  std::map<std::filesystem::path, std::vector<StoredClass*>> files_;  // read already
  std::vector<Bundled> bundled_;
  Damage damage_;
  bool reading_library_ = false;
  std::unordered_set<const parser::Source*> library_sources_;
};

}  // namespace mosim::compiler
