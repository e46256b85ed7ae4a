#pragma once
// Everything that one compilation makes of classes and components.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/library.hpp"
#include "compiler/instantiate/value.hpp"
#include "compiler/labels.hpp"
#include "compiler/stack.hpp"
#include "compiler/store.hpp"
#include "parser/diagnostic.hpp"

namespace mosim::compiler {

using parser::Diagnostic;
using parser::Diagnostics;
using parser::Severity;

struct Elaboration;
struct Modifiers;
struct Override;
struct RedeclarationCheck;

/// Everything one compilation makes. The functions of this stage and the next work on it.
struct Instances {
  Instances(Library& library, Diagnostics& diagnostics, Elaboration& elaboration);
  Instances(const Instances&) = delete;
  ~Instances();

  Library& library;
  parser::Workspace& workspace;
  Diagnostics& diagnostics;
  Elaboration& elaboration;                        // what that stage keeps for itself
  flat::Model model;
  Labels labels;                                   // of the model

  Store<Class> classes;
  Store<Component> components;
  Store<Member> members;
  std::unique_ptr<Modifiers> modifiers;            // modifier.hpp
  Class* root = nullptr;                           // the model
  Class top;                                       // the top level: stored classes and predefined types
  std::unordered_map<const parser::ClassDefinition*, EnumerationId> enumerations;
  std::unordered_map<const parser::ClassDefinition*, ObjectClassId> object_classes;
  Class real, integer, boolean, string, clock, state_select, assertion_level;
  EnumerationId state_select_id, assertion_level_id;
  std::vector<Component*> model_components;        // basic components of the model, in order of declaration
  std::vector<Member*> automatic_inners;           // members of the root, made for outer elements without an inner
  std::vector<RedeclarationCheck> redeclaration_checks;
  std::vector<Override> overrides;
  bool has_expandable = false;                     // connectors of the model
  OrderedTable<const parser::ClassDefinition*, Member*> encapsulated;   // of these, the one that all objects share
  bool quiet = false;                              // see Quietly
  std::unordered_set<const void*> checked;         // syntax nodes whose restrictions have been seen to
  struct Element {
    Component* component;
    std::size_t element;                           // row-major
  };
  std::vector<Element> variable_elements;          // by VariableId

  /// What a constant or parameter of the model is bound to; Expr::none if it has no value of its own, or is no
  /// constant or parameter. Made on demand.
  Expr known(VariableId v);
  Values known_values;                             // what `evaluated` has found
  /// The value of an expression of constants and parameters; Expr::none if it is not known before the run.
  Expr evaluated(Expr e, Reliance reliance = Reliance::value, Parts* parts = nullptr);

  bool circle_found = false;                       // classes that extend each other: said once

  std::string_view text(Name name) const { return workspace.names.text(name); }
  Name name(std::string_view text) { return workspace.names.intern(text); }
  // What one compilation may make, in units of one array element. Beyond it nothing more is made or said.
  static constexpr double most_work = 1e7, work_of_a_variable = 5, work_of_a_class = 25, work_of_a_call = 40, work_of_a_node = 0.5, work_of_an_element = 0.05, work_of_a_round = 10;   // of statements over expressions
  double work = 0;
  bool exhausted = false;
  /// False, with an error said once, if a model of a few lines becomes larger than what a machine holds.
  bool has_room(Place place, double more);

  Stack stack;
  /// False, with an error said once, where what is written leads deeper than the stack allows.
  bool may_nest(Place place) { return (stack.has_room() && !exhausted) || too_deep(place); }
  bool too_deep(Place place);

  std::size_t compared = 0;                        // names, for "did you mean"
  /// Whether a misspelt name may be compared with so many others: after thousands of errors no more are.
  bool may_compare(std::size_t names) { return (compared += names) <= 200'000; }

  std::vector<std::unordered_map<Name, std::uint32_t>> literal_numbers;   // by enumeration, once asked for
  /// The number of a literal, from 1; 0: there is none.
  std::uint32_t literal_number(EnumerationId enumeration, Name literal);

  std::unordered_set<std::size_t> said;            // hashes of place and cause
  std::unordered_map<std::uint32_t, int> said_at;  // so many errors at a place
  /// What an array's elements or a class's instances have in common is said once.
  bool is_news(Place place, const std::string& cause);
  void error(Place place, std::string cause, std::string remedy = {}, std::vector<parser::Note> notes = {});
  /// May a rule be broken there, as what stands there is a library's? Not where the model is a test case of the Modelica Association, which is
  /// there to find out.
  bool is_lenient(Place place) const;
  /// A rule that libraries in wide use break, and that other tools do not check: an error in the user's own files; in a
  /// library a warning, `lenient`, that its classes share. `culprit`: another place that may be in a library.
  void breach(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes, std::string lenient, Place culprit = {});
  void unsupported(Place place, std::string_view what) {
    error(place, std::string(what) + " is not supported yet");
  }
};

/// Within its life, errors are not said: for lookups that ask whether there is something. What is wrong in a class or
/// component that is made on the way is said all the same, as it is made but once.
class Quietly {
public:
  explicit Quietly(Instances& in, bool quiet = true) : in_(in), before_(in.quiet) { in.quiet = quiet; }
  ~Quietly() { in_.quiet = before_; }
  Quietly(const Quietly&) = delete;

private:
  Instances& in_;
  bool before_;
};

}  // namespace mosim::compiler
