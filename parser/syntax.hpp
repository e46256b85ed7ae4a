#pragma once
// The syntax tree: one type per production of the appendix "Modelica Concrete Syntax" (MLS 3.7, appendix A),
// under its name. Nodes live in the arena of a Workspace and are never changed after parsing; a pointer that may
// be null says so. Every node knows its place.

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "parser/names.hpp"
#include "parser/source.hpp"

namespace mosim::parser {

template <class T>
using List = std::span<const T>;

struct Expression;
struct ClassDefinition;
struct Modification;
struct Equation;
struct Statement;
struct Element;

// ---- names ----------------------------------------------------------------------------------------------------

/// name, type-specifier: [ "." ] IDENT { "." IDENT }
struct QualifiedName {
  Place place;
  bool global = false;  // starts with a dot
  List<Name> parts;
};

/// One subscript of array-subscripts: an expression, or ":" (null).
struct Subscript {
  Place place;
  const Expression* expression = nullptr;
};

/// component-reference: [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] }
struct ReferencePart {
  Name name = Name::none;
  Place place;
  List<Subscript> subscripts;
};
struct ComponentReference {
  Place place;
  bool global = false;
  List<ReferencePart> parts;
};

// ---- comments -------------------------------------------------------------------------------------------------

/// description: description-string [ annotation-clause ]. The string has its escapes replaced and its
/// concatenations done.
struct Description {
  std::string_view text;
  const Modification* annotation = nullptr;  // may be null
};

// ---- expressions ----------------------------------------------------------------------------------------------

struct RealLiteral {
  double value;
};
/// UNSIGNED-INTEGER. One that does not fit 64 bits is a syntax error.
struct IntegerLiteral {
  std::int64_t value;
};
struct StringLiteral {
  std::string_view value;  // escapes replaced
};
struct BooleanLiteral {
  bool value;
};
/// "end" inside subscripts.
struct EndExpression {};
/// ":" as an expression (only as an enumeration's or a subscript's stand-in); see Subscript.

struct Reference {
  ComponentReference name;
};

/// for-index: IDENT [ in expression ]
struct ForIndex {
  Name name = Name::none;
  Place place;
  const Expression* range = nullptr;  // null: deduced from the subscripts it stands in
};
struct NamedArgument {
  Name name = Name::none;
  Place place;
  const Expression* value = nullptr;
};
/// function-call-args. With iterators it is a comprehension: `sum(x*x for x in 1:3)`; then positional has one member.
struct FunctionArguments {
  List<const Expression*> positional;
  List<NamedArgument> named;
  List<ForIndex> iterators;
};
/// A call; der, initial and pure are callees like any other name.
struct Call {
  ComponentReference callee;
  FunctionArguments arguments;
};
/// function-partial-application: `function f(a = 1)`, only as an argument.
struct PartialApplication {
  QualifiedName function;
  List<NamedArgument> arguments;
};

enum class UnaryOperator : std::uint8_t { plus, minus, elementwise_plus, elementwise_minus, not_ };
struct Unary {
  UnaryOperator op;
  const Expression* operand;
};
enum class BinaryOperator : std::uint8_t {
  add, subtract, multiply, divide, power,
  elementwise_add, elementwise_subtract, elementwise_multiply, elementwise_divide, elementwise_power,
  less, less_equal, greater, greater_equal, equal, not_equal,
  and_, or_
};
struct Binary {
  BinaryOperator op;
  Place op_place;
  const Expression* left;
  const Expression* right;
};
struct IfBranch {
  const Expression* condition;
  const Expression* value;
};
struct IfExpression {
  List<IfBranch> branches;  // if, then every elseif
  const Expression* otherwise;
};
/// simple-expression: start [ ":" step ] ":" stop
struct Range {
  const Expression* start;
  const Expression* step;  // null: 1
  const Expression* stop;
};
/// "{" e, ... "}"
struct ArrayConstructor {
  List<const Expression*> elements;
};
/// "{" e for i in r, ... "}"
struct ArrayComprehension {
  const Expression* element;
  List<ForIndex> iterators;
};
/// "[" e, ... ; ... "]"
struct MatrixConstructor {
  List<List<const Expression*>> rows;
};
/// output-expression-list with none, or with more than one member; a member left out is null. "(e)" alone is e.
struct Tuple {
  List<const Expression*> members;
};
/// "(" e ")" array-subscripts
struct Subscripted {
  const Expression* base;
  List<Subscript> subscripts;
};
/// "(" e ")" "." IDENT
struct MemberAccess {
  const Expression* base;
  Name member;
};

struct Expression {
  Place place;
  std::variant<RealLiteral, IntegerLiteral, StringLiteral, BooleanLiteral, EndExpression, Reference, Call,
               PartialApplication, Unary, Binary, IfExpression, Range, ArrayConstructor, ArrayComprehension,
               MatrixConstructor, Tuple, Subscripted, MemberAccess>
      node;
};

// ---- modifications ---------------------------------------------------------------------------------------------

enum class Variability : std::uint8_t { none, discrete, parameter, constant };
enum class Causality : std::uint8_t { none, input, output };
enum class ConnectorPrefix : std::uint8_t { none, flow, stream };

struct TypePrefix {
  ConnectorPrefix connector = ConnectorPrefix::none;
  Variability variability = Variability::none;
  Causality causality = Causality::none;
};

struct ConstrainingClause {
  Place place;
  QualifiedName type;
  const Modification* modification = nullptr;  // may be null
  Description description;
};

/// declaration, with what component-declaration adds.
struct Declaration {
  Place place;  // of the identifier
  Name name = Name::none;
  List<Subscript> subscripts;
  const Modification* modification = nullptr;  // may be null
  const Expression* condition = nullptr;       // condition-attribute; may be null
  Description description;
};
struct ComponentClause {
  TypePrefix prefix;
  QualifiedName type;
  List<Subscript> subscripts;
  List<Declaration> declarations;
};

/// element-modification: name [ modification ] description-string. The name is dotted: `a.b.c = 1`.
struct ElementModification {
  QualifiedName name;
  const Modification* modification = nullptr;  // may be null
  std::string_view description;
};
/// element-redeclaration and element-replaceable: a short class definition or one declaration (component-clause1).
struct ElementRedeclaration {
  bool redeclare = false;
  bool replaceable = false;
  std::variant<const ClassDefinition*, const ComponentClause*> element;
  const ConstrainingClause* constraint = nullptr;  // may be null
};
/// inheritance-modification: `break connect(a, b)` or `break x`.
struct InheritanceBreak {
  std::variant<Name, const Equation*> target;
};
struct Argument {
  Place place;
  bool each = false;
  bool final_ = false;
  std::variant<ElementModification, ElementRedeclaration, InheritanceBreak> node;
};

/// modification: class-modification and/or "=" modification-expression. Also the content of an annotation.
struct Modification {
  Place place;
  bool has_arguments = false;            // even if the parentheses are empty
  List<Argument> arguments;
  Place binding_place;                   // of "=" and what follows
  const Expression* binding = nullptr;   // may be null
  bool binding_break = false;            // `= break`
};

// ---- classes --------------------------------------------------------------------------------------------------

enum class ClassKind : std::uint8_t {
  class_, model, record, operator_record, block, connector, expandable_connector, type, package, function,
  operator_function, operator_
};
enum class Purity : std::uint8_t { unspecified, pure, impure };

enum class ImportKind : std::uint8_t { qualified, renamed, unqualified, list };
struct ImportClause {
  ImportKind kind;
  Name alias = Name::none;  // renamed: the new name
  QualifiedName name;
  List<Name> members;       // list: those between the braces
  Description description;
};
struct ExtendsClause {
  QualifiedName type;
  const Modification* modification = nullptr;  // may be null
  const Modification* annotation = nullptr;    // may be null
};

struct Element {
  Place place;
  bool is_protected = false;
  bool redeclare = false;
  bool final_ = false;
  bool inner = false;
  bool outer = false;
  bool replaceable = false;
  std::variant<ImportClause, ExtendsClause, const ClassDefinition*, ComponentClause> node;
  const ConstrainingClause* constraint = nullptr;  // may be null
};

struct EquationSection {
  bool initial = false;
  List<Equation> equations;
};
struct AlgorithmSection {
  bool initial = false;
  Place place;
  List<Statement> statements;
};
/// external [ language ] [ [ result "=" ] name "(" arguments ")" ]
struct ExternalClause {
  Place place;
  std::string_view language;  // empty: "C"
  bool has_call = false;
  bool has_result = false;
  ComponentReference result;
  Name function = Name::none;
  List<const Expression*> arguments;
  const Modification* annotation = nullptr;  // may be null
};

struct Composition {
  List<Element> elements;
  // Sections in the order of the text.
  List<std::variant<EquationSection, AlgorithmSection>> sections;
  const ExternalClause* external = nullptr;  // may be null
};

struct LongClassSpecifier {
  bool extends = false;                        // `model extends A (...)`: class extends
  const Modification* modification = nullptr;  // of a class extends; may be null
  Composition composition;
};
struct ShortClassSpecifier {
  Causality causality = Causality::none;
  QualifiedName type;
  List<Subscript> subscripts;
  const Modification* modification = nullptr;  // may be null
};
struct EnumerationLiteral {
  Name name = Name::none;
  Place place;
  Description description;
};
struct EnumerationSpecifier {
  bool open = false;  // enumeration(:)
  List<EnumerationLiteral> literals;
};
struct DerClassSpecifier {
  QualifiedName function;
  List<Name> variables;
};

struct ClassDefinition {
  Place place;  // of the identifier
  Place whole;  // from the first prefix to the end
  bool encapsulated = false;
  bool partial = false;
  bool final_ = false;  // of a stored definition
  Purity purity = Purity::unspecified;
  ClassKind kind = ClassKind::class_;
  Name name = Name::none;
  Description description;
  std::variant<LongClassSpecifier, ShortClassSpecifier, EnumerationSpecifier, DerClassSpecifier> specifier;
};

struct StoredDefinition {
  bool has_within = false;
  QualifiedName within;  // no parts: `within;`
  List<const ClassDefinition*> classes;
};

// ---- equations ------------------------------------------------------------------------------------------------

struct SimpleEquation {
  const Expression* left;
  const Expression* right;
};
/// An expression alone: assert(...), reinit(...), terminate(...) or a function without result.
struct CallEquation {
  const Expression* call;
};
template <class Body>
struct Branch {
  Place place;                  // of the keyword if, elseif, else, when or elsewhen
  const Expression* condition;  // null: else
  List<Body> body;
};
struct IfEquation {
  List<Branch<Equation>> branches;
};
struct WhenEquation {
  List<Branch<Equation>> branches;
};
struct ForEquation {
  List<ForIndex> indices;
  List<Equation> body;
};
struct ConnectEquation {
  ComponentReference left;
  ComponentReference right;
};
struct Equation {
  Place place;
  std::variant<SimpleEquation, CallEquation, IfEquation, WhenEquation, ForEquation, ConnectEquation> node;
  Description description;
};

// ---- statements -----------------------------------------------------------------------------------------------

struct Assignment {
  ComponentReference target;
  const Expression* value;
  bool derivative = false;  // der(target) := value
};
/// ( a, , b ) := f(x)
struct MultipleAssignment {
  List<const Expression*> targets;  // each a Reference, or null where one is left out
  const Expression* call;
};
struct CallStatement {
  const Expression* call;
};
struct BreakStatement {};
struct ReturnStatement {};
struct IfStatement {
  List<Branch<Statement>> branches;
};
struct WhenStatement {
  List<Branch<Statement>> branches;
};
struct ForStatement {
  List<ForIndex> indices;
  List<Statement> body;
};
struct WhileStatement {
  const Expression* condition;
  List<Statement> body;
};
struct Statement {
  Place place;
  std::variant<Assignment, MultipleAssignment, CallStatement, BreakStatement, ReturnStatement, IfStatement,
               WhenStatement, ForStatement, WhileStatement>
      node;
  Description description;
};

}  // namespace mosim::parser
