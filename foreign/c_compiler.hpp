#pragma once
// C text compiled into memory, by libtcc.

#include <memory>
#include <string>
#include <vector>

namespace mosim::foreign {

class CCompiler {
 public:
  /// archives: static libraries to link.
  CCompiler(const std::vector<std::string>& include_folders, const std::vector<std::string>& archives, const std::string& utilities_folder);
  ~CCompiler();
  CCompiler(const CCompiler&) = delete;

  /// Each text is a translation unit; they are linked with each other.
  bool compile(const std::vector<std::string>& texts);
  /// The address of a function or a variable; null: there is none.
  void* symbol(const std::string& name);
  /// The code stays when this is gone.
  void keep();
  /// What was wrong, without warnings, but for those that are none here.
  std::string said() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Compiles text that needs no header and no library to a shared library of its own, a file. False: it cannot.
bool write_shared_library(const std::string& text, const std::string& file);

}  // namespace mosim::foreign
