#pragma once
// Stage "instantiate": classes with their modifications -> the instance tree (MLS 5.6). A Class is one class in one
// context: the type of one component, a base class of one object, or a package. Its members are found by name; a
// member's own Component or Class is made when it is first asked for.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/library.hpp"
#include "compiler/stack.hpp"

namespace mosim::compiler {

using parser::Diagnostic;
using parser::Diagnostics;
using parser::Severity;

class Connections;
struct Class;
struct Component;
struct Member;
struct Modifier;

/// The type of a scalar.
struct Type {
  BaseType base = BaseType::real;
  EnumerationId enumeration = EnumerationId::none;
  friend bool operator==(Type, Type) = default;
};

/// A typed, shaped value: the elements of an array in row-major order; a scalar has no dimensions and one element.
/// Of a record type: the values of its elements instead, each with the dimensions of the array in front of its own.
struct Value {
  Type type;
  std::vector<std::int64_t> dims;
  std::vector<Expr> elements;
  Class* record = nullptr;               // a record: `members` in the order of record_elements(), and no `elements`
  std::vector<Value> members = {};
  Class* function = nullptr;             // a function as an argument (MLS 12.4.2), with the inputs given by `members`
  std::vector<Name> bound = {};          // under these names
  bool scalar() const { return dims.empty() && !record && !function; }
  Expr only() const { return elements.front(); }
};

/// The names that a for loop or a comprehension binds, innermost first.
struct Locals {
  Name name;
  Value value;
  const Locals* outer = nullptr;
};

// ---- modifiers (MLS 7.2) ------------------------------------------------------------------------------------------

/// `= expression`, with the scope that its names are looked up in.
struct Binding {
  const parser::Expression* expression = nullptr;
  Class* scope = nullptr;
  Place place;
  bool each = false;
  /// Which part of its value is meant, where the modifier has been carried into one element of an array of components
  /// (an index, from 1) or into an element of a record (its name); first step first.
  struct Step {
    Name member = Name::none;
    std::int64_t index = 0;
    std::int64_t size = 0;      // of the dimension that the index belongs to
  };
  std::vector<Step> steps;
  bool is_break = false;
};

/// One redeclaration of an element (MLS 7.3), in a modification or as an element of a derived class.
struct Redeclaration {
  Place place;
  const parser::ElementRedeclaration* argument = nullptr;   // in a modification
  const parser::Element* element = nullptr;                 // `redeclare` of an inherited element
  Class* scope = nullptr;                                   // where its names are looked up
  bool final_ = false;
};

/// Redeclarations of one element, the innermost first: each replaces what is left by those before. Lists share their ends.
struct Redeclarations {
  Redeclaration first;
  const Redeclarations* rest = nullptr;
};

/// What is said of one element from outside: outer modifiers already merged over inner ones.
struct Modifier {
  Place place;
  std::optional<Binding> binding;
  bool final_ = false;
  struct Child {
    Name name;
    Place place;
    const Modifier* modifier;
  };
  std::vector<Child> children;
  const Redeclarations* redeclarations = nullptr;

  const Modifier* child(Name name) const {
    for (const Child& c : children)
      if (c.name == name) return c.modifier;
    return nullptr;
  }
};

// ---- classes --------------------------------------------------------------------------------------------------------

/// A named element of a class: a component, or a class.
struct Member {
  Name name = Name::none;
  Place place;
  Class* owner = nullptr;                          // the class whose text declares it: where its names are looked up
  const parser::Element* element = nullptr;        // null for a stored class
  // One of these:
  const parser::ComponentClause* clause = nullptr;
  const parser::Declaration* declaration = nullptr;
  const parser::ClassDefinition* definition = nullptr;
  StoredClass* stored = nullptr;                   // of a class in a file of its own

  const Modifier* modifier = nullptr;              // outer over inner, the declaration's own included
  Class* scope = nullptr;                          // where its type is looked up: owner, or a redeclaration's scope
  bool is_protected = false, final_ = false, inner = false, outer = false, replaceable = false;
  bool broken = false;                             // removed by `break`

  // Of a component, after redeclaration: what a redeclaration does not give is kept (MLS 7.3).
  parser::TypePrefix prefix;
  const parser::ComponentClause* sized_clause = nullptr;    // where its array dimensions are given
  const parser::Declaration* sized_declaration = nullptr;
  Class* sized_scope = nullptr;
  const parser::Expression* condition = nullptr;   // looked up in owner

  Member* replaced = nullptr;                      // of a class extends: the inherited class that it extends
  bool inner_part = false;                         // of an element that is inner and outer: not found by its name
  bool automatic_inner = false;                    // made for an outer without one (MLS 5.4)

  Class* type = nullptr;                           // of a component: type_of(), once asked for
  std::vector<std::int64_t> type_dims;
  Component* component = nullptr;
  Class* plain = nullptr;                          // of a class: the instance without further modification
  bool busy = false;                               // being instantiated: a cycle if met again
  bool placed = false;                             // among the members, perhaps where a base class has the same element
  /// Of an element of an expandable connector (MLS 9.1.3): only potentially present until connected, or added by a
  /// connection. Its size may be known from the connections alone.
  enum class Presence : std::uint8_t { declared, connected, added } presence = Presence::declared;
  std::optional<std::vector<std::int64_t>> given_dims;

  bool is_class() const { return definition != nullptr; }
};

struct Class {
  std::string path;                                // qualified name, for messages
  const parser::ClassDefinition* definition = nullptr;   // null: a predefined type
  StoredClass* stored = nullptr;
  Member* member = nullptr;                        // that declares it; null for predefined types
  Class* enclosing = nullptr;                      // null: the top level
  const Modifier* modifier = nullptr;
  std::optional<Type> basic;                       // a predefined type, or one derived from it
  std::vector<std::int64_t> dims;                  // of an array class that it extends
  std::vector<Type> index_types;                   // of these dimensions

  // Of an object: the prefix of its members' names ("a.b[2]."), and whether it is part of the model.
  std::string prefix;
  std::string numbered_prefix;                     // the same with a number for each subscript; empty: no other
  bool in_model = false;
  flat::Variability variability = flat::Variability::continuous;   // of a component declared parameter or constant
  bool is_protected = false;
  bool hidden = false;                             // of a component annotated HideResult, or in one
  Class* parent_object = nullptr;                  // the object that holds this one
  Class* derived = nullptr;                        // of a base class: the class that extends it
  std::size_t inheritance = 0;                     // so many classes derive from it
  Class* far_heir = nullptr;                       // one of these, so that long chains are climbed in few steps: see set_heir()

  enum class State { fresh, expanding, expanded } state = State::fresh;
  std::vector<Member*> members;                    // own and inherited, in the order of the text
  std::unordered_map<Name, Member*> table;
  struct Base {
    Place place;
    Class* base;
  };
  std::vector<Base> bases;
  std::vector<Class*> stored_bases;                // those with classes in files of their own, which nothing inherits
  bool holds_stored() const { return (stored && (!stored->folder.empty() || !stored->children.empty())) || !stored_bases.empty(); }
  std::vector<const parser::ImportClause*> imports;
  std::unordered_map<Name, std::size_t> positions; // of a record's elements, once asked for

  parser::ClassKind kind() const { return definition ? definition->kind : parser::ClassKind::type; }
};

/// What an element may be redeclared to: its constraining type (MLS 7.3.2).
struct Constraint {
  const parser::QualifiedName* type = nullptr;     // of a component, or given by a constrainedby clause; else null
  Class* scope = nullptr;                          // of the name
  Member* declared = nullptr;                      // of a class without clause: the class as it was declared
  const Modifier* modifier = nullptr;
  Place place;
};

/// A declaration or redeclaration whose type must be compatible with a constraining type. Types are not known yet
/// while a class is expanded, so this is seen to once the model is instantiated (restrictions.cpp).
struct RedeclarationCheck {
  Member* member = nullptr;                        // as it is after this redeclaration
  Place place;
  Constraint constraint;
  std::optional<Constraint> new_constraint;        // of the redeclaration itself: must be a subtype as well
  Class* redeclared_in = nullptr;                  // null: the original declaration
};

/// A component of an object.
struct Component {
  Member* member = nullptr;
  std::string name;                                // dotted, from the model down
  std::string numbered;                            // the same with a number for each subscript; empty: no other
  std::vector<std::int64_t> dims;
  std::vector<Type> dim_types;                     // what each dimension is indexed by: Integer, Boolean, enumeration
  Class* type = nullptr;                           // for class types: the type of its (first) element
  std::optional<Type> basic;
  flat::Variability variability = flat::Variability::continuous;
  bool declared_discrete = false;
  parser::Causality causality = parser::Causality::none;
  parser::ConnectorPrefix connector = parser::ConnectorPrefix::none;
  bool is_protected = false;
  bool hidden = false;                             // annotated HideResult, or in such a one
  bool removed = false;                            // its condition is false
  bool is_connector = false;                       // its class is a connector, perhaps of a predefined type
  bool absent = false;                             // in an expandable connector, and not connected: removed as well
  bool in_model = false;
  const Modifier* modifier = nullptr;              // with the attributes from its type merged in, for a basic one
  VariableId first = VariableId::none;             // basic, in the model: its variables, row-major, contiguous
  std::vector<Class*> elements;                    // class types: an object for each element, row-major
  Class* overdetermined = nullptr;                 // its type, if that has an equalityConstraint function (MLS 9.4.1)
  std::optional<Value> binding;                    // of the declaration, once asked for
  bool binding_known = false, busy = false;

  std::size_t size() const {
    std::size_t n = 1;
    for (std::int64_t d : dims) n *= static_cast<std::size_t>(d);
    return n;
  }
};

// ---- the whole ------------------------------------------------------------------------------------------------------

/// A parameter or start value given from outside: `name = value`, a Modelica modification.
struct Setting {
  std::string text;
};

/// `name = value` from outside, of a component of a predefined type: it stands for the value of the declaration and of all
/// modifications, or for the start value of what is no parameter.
struct Override {
  std::string component;                           // as Component::name or Component::numbered
  std::vector<std::string> element;                // its subscripts; empty: the whole component
  const parser::Expression* expression = nullptr;  // looked up in the model
  Place place;
};

/// Everything one compilation makes. The functions of this stage and the next work on it.
struct Instances {
  Instances(Library& library, Diagnostics& diagnostics);
  Instances(const Instances&) = delete;

  Library& library;
  parser::Workspace& workspace;
  Diagnostics& diagnostics;
  flat::Model model;

  std::deque<Class> classes;
  std::deque<Component> components;
  std::deque<Member> members;
  std::deque<Modifier> modifiers;
  std::deque<Redeclarations> redeclarations;
  std::map<std::pair<const parser::Expression*, Class*>, std::optional<Value>> whole_bindings;   // bound_value's memory
  Class* root = nullptr;                           // the model
  Class top;                                       // the top level: stored classes and predefined types
  std::unordered_map<const parser::ClassDefinition*, EnumerationId> enumerations;
  Class real, integer, boolean, string, clock, state_select, assertion_level;
  EnumerationId state_select_id, assertion_level_id;
  std::vector<Component*> model_components;        // basic components of the model, in order of declaration
  std::vector<Member*> automatic_inners;           // members of the root, made for outer elements without an inner
  std::vector<RedeclarationCheck> redeclaration_checks;
  std::vector<Override> overrides;
  std::vector<flat::Assertion>* called_assertions = nullptr;   // where functions leave what they assert; null: the model's
  Connections* connections = nullptr;              // while equations are made: what inStream asks
  bool streams_unknown = false;                    // inStream was asked before, and its argument stood in for the value
  bool has_expandable = false;                     // connectors of the model
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
  Expr evaluated(Expr e);

  bool circle_found = false;                       // classes that extend each other: said once

  std::string_view text(Name name) const { return workspace.names.text(name); }
  Name name(std::string_view text) { return workspace.names.intern(text); }
  // What one compilation may make, in units of one array element. Beyond it nothing more is made or said.
  static constexpr double most_work = 1e7, work_of_a_variable = 5, work_of_a_class = 25, work_of_a_call = 40, work_of_a_node = 0.2;
  double work = 0;
  bool exhausted = false;
  bool passed_over = false;                        // set by what has no value for that reason, see Environment::untaken
  /// False, with an error said once, if a model of a few lines becomes larger than what a machine holds.
  bool has_room(Place place, double more);

  Stack stack;
  std::unordered_map<const parser::ClassDefinition*, std::size_t> calls;   // of functions, being carried out
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
  /// A rule that libraries in wide use break, and that other tools do not check: an error in the user's own files; in a
  /// library a warning, `lenient`, that its classes share. `culprit`: another place that may be in a library.
  void breach(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes, std::string lenient, Place culprit = {});
  void unsupported(Place place, std::string_view what) {
    error(place, std::string(what) + " is not supported yet");
  }
};

/// Within its life, functions leave what they assert there.
class AssertionsTo {
public:
  AssertionsTo(Instances& in, std::vector<flat::Assertion>* to) : in_(in), before_(in.called_assertions) { in.called_assertions = to; }
  ~AssertionsTo() { in_.called_assertions = before_; }
  AssertionsTo(const AssertionsTo&) = delete;

private:
  Instances& in_;
  std::vector<flat::Assertion>* before_;
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

// expand.cpp
/// Notes that `base` is a base class of `heir`.
void set_heir(Class& base, Class* heir);
/// Whether `heir` is `base` or derives from it.
bool is_heir(const Class* heir, const Class* base);
/// Finds extends, imports and members. False if it could not be done (said so already).
bool expand(Instances& in, Class* c);
/// Every name that a modification gives must be an element of the class it modifies; a protected or an outer one
/// cannot be modified from outside (`from_outside`: not by an extends clause).
void check_modified_elements(Instances& in, Class* c, const Modifier* modifier, bool from_outside);

// redeclaration.cpp
/// Gives a member its modifier, and puts the elements that redeclarations bring in the place of the declared one.
void apply_modifier(Instances& in, Member& m, const Modifier* outer);

// instance.cpp
/// A class member as a class: its definition with `modifier` merged over its own. Type prefixes of short classes are
/// followed to the class they mean; their array dimensions are appended to `dims` if given.
Class* instantiate_class(Instances& in, Member* member, const Modifier* modifier, Place use,
                         std::vector<std::int64_t>* dims = nullptr);
/// What short classes on the way to a type add to a component of it.
struct TypeExtras {
  std::vector<std::int64_t> dims;
  std::vector<Type> index_types;
  parser::Causality causality = parser::Causality::none;
  bool connector = false;                          // one of them is declared a connector
  Class* heir = nullptr;                           // asked for as a base class: what derives from it
};
Class* instantiate_type(Instances& in, Member* member, const Modifier* modifier, Place use, TypeExtras& extras);
const char* kind_name(parser::ClassKind kind);
/// "a record", "an Integer"
std::string with_article(std::string_view noun);
/// The class of a component's type, without saying errors; null if there is none.
Class* type_of(Instances& in, Member* component, std::vector<std::int64_t>* dims = nullptr);
/// The input or output that a short class on the way to a component's type gives it: `type In = input Real`.
parser::Causality causality_of_type(Instances& in, Member* component);
/// The inner element that an outer one means (MLS 5.4), or null.
Member* find_inner(Instances& in, Member* outer);

// component.cpp
/// The component of a component member, made on the first call; null after an error.
Component* instantiate_component(Instances& in, Member* member);

// settings.cpp
/// Reads settings: values go to in.overrides, the others are merged into the modifier returned (null if there are none),
/// whose names are looked up in `scope`.
const Modifier* read_settings(Instances& in, Member* model, const std::vector<Setting>& settings, Class* scope);
bool has_override(const Instances& in, const Component* c);
/// Where it was set from outside, the last time.
Place override_place(const Instances& in, const Component* c);
bool has_whole_override(const Instances& in, const Component* c);
/// Puts what is set from outside into a component's value or start value; an element of it not set stays Expr::none
/// where `value` is empty.
void apply_overrides(Instances& in, Component* c, std::optional<Value>& value);
/// Refuses settings that lead nowhere, and those of constants and final elements.
void check_overrides(Instances& in);

// model_name.cpp
/// The class of a dotted name as the user gives it; null with an error that says which models there are.
Member* find_model(Instances& in, const std::string& path);
/// The remedy for a class that is no model: names of models in it, if it is a package, or beside it.
std::string models_instead(Instances& in, const Member* m);

// model.cpp
/// The object tree of a model: every component, depth first.
bool instantiate_model(Instances& in, const std::string& model, const std::vector<Setting>& settings);
/// A component that an object got after the tree was made, with all that is in it.
void instantiate_member(Instances& in, Member* m);
/// `mosim --emit instance`.
std::string print_instances(Instances& in);

// modification.cpp
/// `for_each_element`: a type's own modification, which holds for every element of an array of that type.
const Modifier* build_modifier(Instances& in, const parser::Modification* modification, Class* scope,
                               bool for_each_element = false);
const Modifier* merge(Instances& in, const Modifier* outer, const Modifier* inner);
/// The modifier of one element (row-major index from 0) of an array of components with these dimensions.
const Modifier* element_modifier(Instances& in, const Modifier* modifier, const std::vector<std::int64_t>& dims,
                                 std::size_t element);

/// The modifier of a class: it holds for every element of an array of that class.
const Modifier* class_modifier(Instances& in, const Modifier* modifier);

// lookup.cpp
/// A simple name from inside a class (MLS 5.3.1). Null if there is none. Says nothing.
Member* lookup(Instances& in, Class* scope, Name name);
/// A member by name, inherited ones and stored classes included (MLS 5.3.2).
Member* find_member(Instances& in, Class* c, Name name);
/// A dotted class name; null with an error if there is none. `what` is for the message: "class", "base class", ...
/// `path` gets the members for all parts of the name.
Member* lookup_class(Instances& in, Class* scope, const parser::QualifiedName& name, std::string_view what,
                     std::vector<Member*>* path = nullptr);
/// The element of a class that a composite name asks for: C.name (MLS 5.3.2); null with an error at `place`.
Member* find_inside(Instances& in, Member* class_member, Name name, Place place, std::string_view what);
/// Is it declared as a package, or does it at least satisfy the requirements for one: classes and constants alone?
bool is_package_like(Instances& in, Class* c);
/// What to do about a name that a class does not have: "did you mean ...?", or where more of its library is found.
std::string missing_remedy(Instances& in, const Class* c, std::string_view missing, const std::vector<std::string_view>& names);
/// Does an import clause of the scope or around it bring the name, but lead nowhere? Says so at the clause.
bool import_of_nothing(Instances& in, Class* scope, Name name);
void check_imports_lead_somewhere(Instances& in, Class* c);
/// Names that can be seen from a class, for suggestions.
std::vector<std::string_view> visible_names(Instances& in, Class* scope, bool classes_only = false);
/// "did you mean ...?" as a remedy, or empty.
std::string did_you_mean(Instances& in, Class* scope, std::string_view misspelt, bool classes_only = false);

/// The variables that an algorithm assigns, with all elements of the arrays that it assigns a part of (MLS 11.1.2).
struct AlgorithmVariables {
  struct Owned {
    bool in_when = true;       // in when-statements alone
    Place place;               // of an assignment to its array
  };
  std::map<VariableId, Owned> owned;
  std::set<std::pair<const void*, bool>> seen;   // arrays that are noted, in a when-statement or not
};

// elaborate.cpp
struct Environment {
  Class* scope = nullptr;
  const Locals* locals = nullptr;
  bool literal = false;        // relations are literal: noEvent, smooth, when-bodies
  bool in_when = false;
  bool clocked = false;        // in a clocked when
  const std::vector<std::int64_t>* end_dims = nullptr;   // of the array that `end` stands in
  std::size_t end_position = 0;
  bool in_function = false;
  bool initial = false;        // in an initial equation or algorithm
  bool shape_only = false;     // the value's size alone is asked for: it need not be assigned yet
  bool untaken = false;        // in a branch that is not taken: functions and subscripts outside of arrays are passed over
  bool type_only = false;      // the value is never used, its type and sizes are: parts of empty arrays stand in for values
  Expr path = Expr::none;      // the condition under which the value is asked for: what functions assert holds then alone
  bool conditional = false;    // among statements or equations that may never count
  bool open_way = false;       // the run may never come here: subscripts outside of arrays are passed over
  int call_depth = 0;          // of calls being carried out
  AlgorithmVariables* assigned = nullptr;   // of the algorithm at hand

  static Environment of(Class* scope) {
    Environment e;
    e.scope = scope;
    return e;
  }
};
/// The value of an expression; empty after an error.
std::optional<Value> elaborate(Instances& in, const parser::Expression& e, const Environment& env);
/// All results of a call.
std::optional<std::vector<Value>> elaborate_results(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                    const Environment& env);
/// The variables a component reference means: every element a variable. For left sides, reinit, connect.
std::optional<Value> elaborate_reference(Instances& in, const parser::ComponentReference& r, const Environment& env);
/// Converts to a type (Integer to Real) and checks it; an error at `place` says what was expected of `what`.
bool convert(Instances& in, Value& value, Type type, Place place, std::string_view what);
/// Dimensions from subscripts: each an Integer, an enumeration type or Boolean. ":" gives -1.
std::optional<std::vector<std::int64_t>> dimensions(Instances& in, parser::List<parser::Subscript> subscripts,
                                                    const Environment& env, std::vector<Type>* index_types = nullptr);
/// The value bound to a component (its modifier's binding), with element indices applied; empty if it has none or
/// after an error.
const std::optional<Value>& binding_value(Instances& in, Component* c);
/// An attribute's value (start, fixed, ...) as given by the modifier; empty if not given.
std::optional<Value> attribute_value(Instances& in, Component* c, std::string_view attribute, Type type);
/// The value of a binding as a whole or, with its steps taken, in part; empty after an error.
std::optional<Value> bound_value(Instances& in, const Binding& b, bool whole = false);
std::string type_name(Instances& in, Type type);
std::string type_name(Instances& in, const Value& v);
std::string shape_text(const std::vector<std::int64_t>& dims);

// flatten.cpp
/// Fills in.model from in.root.
bool flatten_model(Instances& in);

}  // namespace mosim::compiler
