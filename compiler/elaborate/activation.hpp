#pragma once
// One call of a function that a model defines (MLS 12): its variables, its arguments, and the way over its statements.

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/statements/execution.hpp"
#include "foreign/function.hpp"
#include "native/call.hpp"
#include "native/lapack.hpp"

namespace mosim::compiler {

/// One call. What its statements mean is told by those who carry it out over expressions (SymbolicCall) or make code of it
/// (FunctionCode).
class Activation {
public:
  Activation(Instances& in, Class* function, const Environment& caller, Place call)
      : in_(in), function_(function), scope_(function), caller_(caller), call_(call) {}

  /// Looks at the function's declaration. False: it cannot be called, and that was said.
  bool prepare();
  /// Which array dimensions the arguments have beyond those of the inputs (MLS 12.4.6): empty for a plain call.
  std::optional<std::vector<std::int64_t>> vectorized(const Arguments& arguments);
  bool has_one_scalar_result() const { return outputs_.size() == 1 && variables_[outputs_.front()].ndims == 0; }
  /// Values of the types of the outputs, if these are scalars of predefined types.
  std::optional<std::vector<Value>> placeholders() const;
  /// The arguments of call number k of a vectorised one.
  Arguments element(const Arguments& arguments, const std::vector<std::int64_t>& over, std::size_t k);
  /// The same with subscripts for these dimensions.
  Arguments element_at(const Arguments& arguments, std::span<const Expr> at, Place place);
  /// The argument with these dimensions.
  const Value& vectorized_argument(const Arguments& arguments) const;
  bool is_external() const { return external_ != nullptr; }
  /// What the external function does beside giving its results.
  native::Effect external_effect() const { return entry_ ? entry_->effect : foreign_ && foreign_->acts ? native::Effect::acts : native::Effect::none; }
  virtual ~Activation() = default;

protected:
  /// The variables of one call by name. Elements without a value yet are Expr::none.
  using Frame = std::map<Name, Value>;
  struct Variable {
    Member* member;
    Name name;
    Class* type;                      // of a predefined type, a record, or a function
    std::vector<std::int64_t> dims;   // -1: open
    std::size_t ndims = 0;            // with those of the declaration, before these are known
  };
  Expressions& ex() { return in_.model.expressions; }
  static bool is_open(const Variable& v) { return std::any_of(v.dims.begin(), v.dims.end(), [](std::int64_t d) { return d < 0; }); }
  virtual Environment environment();
  bool declare();
  virtual bool size(Variable& v);
  bool bind_arguments(const Arguments& arguments);
  Environment binding_environment(const Binding& b);
  bool set(Variable& v, Value value, Place place);
  /// Brings a value to a variable's type, and looks whether it has its size.
  virtual bool conform(const Variable& v, Value& value, Place place);
  /// Positions in variables_ of outputs and protected variables: each after those that its size and its declared value use (MLS 12.4.4), else
  /// in order of declaration. Those that go round in a circle are an error; empty then.
  std::optional<std::vector<std::size_t>> initialisation_order();

  // ---- statements
  Flow statements(parser::List<parser::Statement> list);
  Flow algorithm();
  Flow statement(const parser::Statement& s);
  /// The results of (a, b) := f(...), as many as have a target at least; nothing after an error.
  std::optional<std::vector<Value>> results_of(const parser::MultipleAssignment& m, Place place);
  Flow call_statement(const parser::CallStatement& c, Place place);
  /// A scalar Boolean; nothing after an error.
  std::optional<Expr> condition(const parser::Expression& e, const Environment& env);
  /// The variable that is assigned, or a part of it; null after an error.
  Variable* target(const parser::ComponentReference& name, Place place);
  /// A part of an array or record, and its value brought to its type: found by taking the same part of 0, 1, 2, ...
  struct Part {
    std::vector<Expr> numbers;   // which of all elements: Integers from 0, with subscripts of the run in them
    std::vector<Expr> values;    // for these
    std::vector<Expr> leaves;    // all elements
  };
  std::optional<Part> part(const parser::ComponentReference& target, Value value, Place place, const Environment& env);
  /// An element of a variable, where it stands, and what it becomes.
  struct NewElement {
    Expr* element;
    Expr value;
  };
  /// The same where all subscripts are known, at the cost of what is assigned instead of that of the variable. Nothing in `found`: it is
  /// for part(), mistakes too. False: an error was said.
  bool known_part(const parser::ComponentReference& target, const Value& given, Place place, const Environment& env, std::optional<std::vector<NewElement>>& found);
  /// The element of a record that an assignment to it as a whole may give another size (MLS 12.4.5); without a record: it is no such element.
  struct Element {
    Value* record = nullptr;
    std::size_t position = 0;
    Value& value() const { return record->members[position]; }
  };
  Element open_element(const parser::ComponentReference& target);
  struct NewValue {
    const parser::ComponentReference* target;
    Value value;
  };
  /// Before each statement. False: this call is given up, or an error was said.
  virtual bool begins(const parser::Statement& s) = 0;
  /// All values are found before any is assigned.
  virtual Flow assign(std::vector<NewValue> all, Place place) = 0;
  virtual Flow if_statement(const parser::Statement& s, const parser::IfStatement& i) = 0;
  /// Over iterator number `index` and those after it: loops within each other (MLS 11.2.2.3).
  virtual Flow for_statement(const parser::Statement& s, const parser::ForStatement& f, std::size_t index) = 0;
  virtual Flow while_statement(const parser::Statement& s, const parser::WhileStatement& w) = 0;
  virtual Flow leave(Flow how, Place place) = 0;
  /// What is asserted, or called.
  virtual void tell(flat::Assertion a, Place place) = 0;

  /// An operand of an external function, in the order of the call (MLS 12.9.1).
  struct Operand {
    Value value;                      // of one that is written: what stands there, with elements that may have no value
    Name target = Name::none;         // of one that is written: the variable
    bool part = false;                // a part of it
    std::vector<std::size_t> members = {};   // of a record that was taken apart: where the scalar is in it
    bool size = false;                // size(a, i)
  };
  bool is_returned() const;
  std::optional<std::vector<Operand>> operands();
  bool take_apart(std::vector<Operand>& all);
  bool carry_out(std::vector<native::In>& in, std::vector<native::Out>& out, std::vector<native::FortranOperand>& fortran);
  bool check_external();
  void find_sections(Class* c);
  bool carry_out();
  Variable* variable(Name name) {
    for (Variable& v : variables_)
      if (v.name == name) return &v;
    return nullptr;
  }

  Instances& in_;
  Class* function_;
  Class* scope_;                  // in which names are looked up
  const Environment& caller_;
  Place call_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> inputs_, outputs_;
  std::vector<const parser::AlgorithmSection*> algorithm_;
  Class* written_in_ = nullptr;   // the class that its algorithm stands in: it, or one that it extends
  const parser::ExternalClause* external_ = nullptr;
  const native::Entry* entry_ = nullptr;   // of the external function, if it is C
  std::optional<foreign::Function> foreign_;   // it, if it is the model's own; its parameters are those of the last operands()
  Frame frame_;
  std::deque<Locals> iterators_;        // of the for loops around, outermost first
  std::deque<Locals> chain_;            // what environment() hands out
};

/// Values that are known become numbers at once: a counter would grow with every round of its loop.
void fold(Instances& in, Value& value);

}  // namespace mosim::compiler
