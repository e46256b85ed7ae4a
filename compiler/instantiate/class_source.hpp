#pragma once
// Where the texts of classes come from that are looked for by name (MLS 13.4): folders of the file system, or whoever is asked.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace mosim::compiler {

/// A class that no text read so far has.
struct Missing {
  std::string name;               // its own
  std::string qualified;
  bool is_top = true;             // it is in no other class
  bool is_in_package = false;     // it is in a package that has been read
  std::filesystem::path folder;   // of the package that it is in; empty: it has none
};

/// The text that has it; more of its classes may be found later.
struct Found {
  std::filesystem::path path;        // what its file is called
  std::optional<std::string> text;   // none: it is in that file
  std::filesystem::path folder;      // in which the classes of a package lie; empty: in none
  std::optional<bool> in_library;    // none: as the class around it
};

class ClassSource {
 public:
  virtual ~ClassSource() = default;
  virtual std::optional<Found> find(const Missing& missing) = 0;
  /// Names of classes that there are in a folder, or at the top (empty): for suggestions.
  virtual std::vector<std::string> names(const std::filesystem::path& folder) const = 0;
};

class FileSystem : public ClassSource {
 public:
  std::optional<Found> find(const Missing& missing) override;
  std::vector<std::string> names(const std::filesystem::path& folder) const override;

  /// The folder that a top-level package lies in: others are found there, after those of libraries. Of a library's they are libraries, too,
  /// unless the reader's own lie there.
  void add_neighbours(const std::filesystem::path& folder, bool of_library);

  std::vector<std::filesystem::path> libraries;    // folders of packages

 private:
  struct Folder {
    std::filesystem::path path;
    bool in_library;
  };
  std::vector<Folder> neighbours_;
};

/// A host that has the texts. It is asked for each class once; for one in another class only if that is a package.
class Host : public ClassSource {
 public:
  struct Text {
    std::string file, text;
  };
  using Ask = std::function<std::optional<Text>(const std::string& qualified)>;
  explicit Host(Ask ask) : ask_(std::move(ask)) {}
  std::optional<Found> find(const Missing& missing) override;
  std::vector<std::string> names(const std::filesystem::path&) const override { return {}; }

 private:
  Ask ask_;
  std::unordered_set<std::string> asked_;
};

}  // namespace mosim::compiler
