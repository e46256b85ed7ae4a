#pragma once
// One call of a function that a model defines (MLS 12): its algorithm, carried out over expressions.

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

/// One call, carried out over expressions.
class Activation {
public:
  Activation(Instances& in, Class* function, const Environment& caller, Place call)
      : in_(in), function_(function), caller_(caller), call_(call) {}

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
  /// Relations make events where it is carried out.
  void make_events() { events_ = true; }
  /// The values of the outputs; none: an error was said. At most once. An external function is carried out now: none as well, without a word,
  /// if it cannot be.
  std::optional<std::vector<Value>> run(const Arguments& arguments);

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
  /// The condition under which a way through the algorithm is gone, with that of the call itself.
  Expr reached(Expr path) {
    if (caller_.path == Expr::none || path == Expr::none) return caller_.path == Expr::none ? path : caller_.path;
    return ex().simplified(Op::and_, BaseType::boolean, {caller_.path, path}, call_);
  }
  static bool is_open(const Variable& v) { return std::any_of(v.dims.begin(), v.dims.end(), [](std::int64_t d) { return d < 0; }); }
  Environment environment();
  bool declare();
  virtual bool size(Variable& v);
  bool bind_arguments(const Arguments& arguments);
  Environment binding_environment(const Binding& b);
  bool choose_element(Expr which, Expr condition, Expr value, std::vector<Expr>& leaves, Place place);
  bool set(Variable& v, Value value, Place place);
  /// Brings a value to a variable's type, and looks whether it has its size.
  virtual bool conform(const Variable& v, Value& value, Place place);
  bool defaults();
  /// Positions in variables_ of outputs and protected variables: each after those that its size and its declared value use (MLS 12.4.4), else
  /// in order of declaration. Those that go round in a circle are an error; empty then.
  std::optional<std::vector<std::size_t>> initialisation_order();
  Flow statements(parser::List<parser::Statement> list);
  virtual Flow statement(const parser::Statement& s);
  /// The results of (a, b) := f(...), as many as have a target at least; nothing after an error.
  std::optional<std::vector<Value>> results_of(const parser::MultipleAssignment& m, Place place);
  Flow assign(const parser::ComponentReference& target, Value value, Place place);
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
  bool carry_out();
  std::optional<Expr> condition(const parser::Expression& e, const Environment& env);
  Flow if_statement(const parser::Statement& s, const parser::IfStatement& i);
  Flow for_statement(const parser::ForStatement& f, std::size_t index);
  Flow while_statement(const parser::Statement& s, const parser::WhileStatement& w);
  Flow call_statement(const parser::CallStatement& c);
  void tell(flat::Assertion a);
  void never(std::string message, Place place);

  // ---- what carrying out its statements asks for
  friend Execution<Activation>;
  using Values = Frame;
  Frame& values() { return frame_; }
  std::optional<Frame> joined(Expr condition, Frame yes, const Frame& no, Place place);
  std::optional<bool> known(Expr condition);
  Expr both(Expr a, Expr b, Place place) { return a == Expr::none ? b : ex().simplified(Op::and_, BaseType::boolean, {a, b}, place); }
  Expr either(Expr a, Expr b, Place place) { return ex().simplified(Op::or_, BaseType::boolean, {a, b}, place); }
  Expr negation(Expr a, Place place) { return ex().simplified(Op::not_, BaseType::boolean, {a}, place); }
  bool begins_round(Place place) { return in_.has_room(place, 1); }

  Variable* variable(Name name) {
    for (Variable& v : variables_)
      if (v.name == name) return &v;
    return nullptr;
  }

  bool events_ = false;                 // its relations make events, as it is inlined (MLS 12.10: GenerateEvents)
  Instances& in_;
  Class* function_;
  const Environment& caller_;
  Place call_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> inputs_, outputs_;
  std::vector<const parser::AlgorithmSection*> algorithm_;
  const parser::ExternalClause* external_ = nullptr;
  const native::Entry* entry_ = nullptr;   // of the external function, if it is C
  std::optional<foreign::Function> foreign_;   // it, if it is the model's own; its parameters are those of the last operands()
  Frame frame_;
  std::vector<Locals> iterators_;       // of the for loops around, outermost first
  std::deque<Locals> chain_;            // what environment() hands out
  Execution<Activation> execution_{*this};
};

}  // namespace mosim::compiler
