#pragma once
// One call of a function, carried out over expressions: it becomes its results.

#include <optional>
#include <string>
#include <vector>

#include "compiler/elaborate/activation.hpp"
#include "compiler/statements/execution.hpp"

namespace mosim::compiler {

/// Whether a call whose arguments are known takes so much while compiling that it is to become code (Elaboration::most_known_work); functions.cpp.
bool becomes_too_long(Instances& in);

class SymbolicCall : public Activation {
public:
  using Activation::Activation;

  /// Relations make events where it is carried out.
  void make_events() { events_ = true; }
  /// The values of the outputs; none: an error was said. At most once. An external function is carried out now: none as well, without a word,
  /// if it cannot be.
  std::optional<std::vector<Value>> run(const Arguments& arguments);

private:
  // ---- what carrying out its statements asks for
  friend Execution<SymbolicCall>;
  using Values = Frame;
  Frame& values() { return frame_; }
  std::optional<Frame> joined(Expr condition, Frame yes, const Frame& no, Place place);
  std::optional<bool> known(Expr condition);
  Expr both(Expr a, Expr b, Place place) { return a == Expr::none ? b : ex().simplified(Op::and_, BaseType::boolean, {a, b}, place); }
  Expr either(Expr a, Expr b, Place place) { return ex().simplified(Op::or_, BaseType::boolean, {a, b}, place); }
  Expr negation(Expr a, Place place) { return ex().simplified(Op::not_, BaseType::boolean, {a}, place); }
  bool begins_round(Place place) { return in_.has_room(place, Instances::work_of_a_round) && !becomes_too_long(in_); }

  Environment environment() override;
  /// The condition under which the way at hand is gone, with that of the call itself.
  Expr path();
  bool defaults();
  bool begins(const parser::Statement& s) override;
  Flow assign(std::vector<NewValue> all, Place place) override;
  bool assign(const parser::ComponentReference& name, Value value, Place place);
  bool choose_element(Expr which, Expr condition, Expr value, std::vector<Expr>& leaves, Place place);
  Flow if_statement(const parser::Statement& s, const parser::IfStatement& i) override;
  Flow for_statement(const parser::Statement& s, const parser::ForStatement& f, std::size_t index) override;
  Flow while_statement(const parser::Statement& s, const parser::WhileStatement& w) override;
  Flow leave(Flow how, Place) override { return how; }
  void tell(flat::Assertion a, Place place) override;

  bool events_ = false;                 // its relations make events, as it is inlined (MLS 12.10: GenerateEvents)
  Execution<SymbolicCall> execution_{*this};
};

}  // namespace mosim::compiler
