#pragma once
// The compiler as a whole: texts are read, and one model in them is carried from its name to its program, as far as is asked for.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/analyse/dae.hpp"
#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/library.hpp"
#include "compiler/lower/lower.hpp"
#include "parser/diagnostic.hpp"
#include "parser/parse.hpp"
#include "runtime/program.hpp"

namespace mosim::compiler {

enum class Bundled { without, with };

/// The texts that models are read from, the classes in them, and all that is said of them.
struct Reading {
  /// With the library that is part of mosim (models/Modelica), or without.
  explicit Reading(Bundled bundled = Bundled::with);
  Reading(const Reading&) = delete;

  parser::Workspace workspace;
  parser::Diagnostics diagnostics;
  Library library;

  /// The qualified name of a class.
  std::string name_of(const StoredClass* c) const;
  /// The class of that name in the files read so far; null: there is none that a file has at its top.
  const StoredClass* find(std::string_view name) const;
  /// What is said so far, as the person at the keyboard reads it.
  std::string said() const;
};

struct Request {
  std::string model;                    // qualified class name
  std::vector<std::string> settings;    // "name = value": parameters, or start values of variables
  bool native_code = false;             // C functions of the model's own may be called (foreign/)
  std::size_t kernels_from = usual_kernels_from;   // see lower()
  bool verifiable = true;               // the system keeps the equations of the flat model once program() is made
};

/// One model on its way through the stages. Each is gone through when it is first asked for, after those before it; what is wrong
/// goes to the reading's diagnostics, and from that stage on all is empty.
class Compilation {
public:
  Compilation(Reading& reading, Request request) : reading_(reading), request_(std::move(request)) {}
  Compilation(const Compilation&) = delete;

  /// The instance tree as text, also after an error. To be asked for before flat(), which uses the tree up.
  const std::string& instances();
  /// The flat model, until system() takes it and makes its own of it.
  std::optional<flat::Model>& flat();
  /// Without its order, once program() has it.
  std::optional<dae::System>& system();
  std::optional<runtime::Program>& program();
  /// Where program() holds the quantities of system().
  Layout& layout() { return layout_; }

private:
  void flatten(bool describe);
  Reading& reading_;
  Request request_;
  bool flattened_ = false, analysed_ = false;
  std::string instances_;
  std::optional<flat::Model> flat_;
  std::optional<dae::System> system_;
  std::optional<runtime::Program> program_;
  Layout layout_;
};

/// Adds the library that is part of mosim; one found by path takes its place.
void add_bundled_library(Library& library);

}  // namespace mosim::compiler
