#include "compiler/expression/walk.hpp"

#include <algorithm>

#include "compiler/expression/statement_walk.hpp"

namespace mosim::compiler {

Expr with_children(Expressions& x, Expr like, std::span<const Expr> children) {
  const Op op = x.op(like);
  const BaseType type = x.type(like);
  const Place place = x.place(like);
  const bool literal = x.literal(like);
  if (op == Op::call || op == Op::result || op == Op::inlined || op == Op::element || op == Op::item || op == Op::extent) return x.like(like, children);
  switch (children.size()) {
    case 1: return x.simplified(op, type, {children[0]}, place, literal);
    case 2: return x.simplified(op, type, {children[0], children[1]}, place, literal);
    case 3: return x.simplified(op, type, {children[0], children[1], children[2]}, place, literal);
    default: return x.make(op, type, children, place, literal);
  }
}

Expr Rewriter::operator()(Expr root) {
  if (root == Expr::none || !expressions_.holds(root, some_)) return root;
  if (results_.has(root)) return results_[root];
  const auto is_open = [this](Expr e) { return expressions_.holds(e, some_) && !results_.has(e); };
  const auto result_of = [this](Expr e) { return expressions_.holds(e, some_) ? results_[e] : e; };
  Pending<Expr> children;
  struct Step {
    Expr e;
    bool entered;
  };
  Pending<Step> stack{{root, false}};
  while (!stack.empty()) {
    const Step step = stack.back();
    if (!step.entered) {
      if (results_.has(step.e)) {
        stack.pop_back();
        continue;
      }
      if (before_) {
        const Expr replacement = before_(step.e);
        if (replacement != Expr::none) {
          results_[step.e] = replacement;
          stack.pop_back();
          continue;
        }
      }
      stack.back().entered = true;
      const auto old = expressions_.children(step.e);
      for (std::size_t i = old.size(); i-- > 0;)
        if (is_open(old[i])) stack.push_back({old[i], false});
      if (expressions_.op(step.e) == Op::inlined && is_open(expressions_.result_of_inlined(step.e)))
        stack.push_back({expressions_.result_of_inlined(step.e), false});
      continue;
    }
    stack.pop_back();
    bool changed = false;
    children.clear();
    for (std::size_t i = 0; i < expressions_.children(step.e).size(); ++i) {
      const Expr child = expressions_.child(step.e, i);
      children.push_back(result_of(child));
      changed = changed || children.back() != child;
    }
    Expr result = expressions_.op(step.e) == Op::inlined ? expressions_.inlined(children[0], result_of(expressions_.result_of_inlined(step.e)))
                  : changed                              ? with_children(expressions_, step.e, {children.data(), children.size()})
                                                         : step.e;
    if (after_) result = after_(result, step.e);
    results_[step.e] = result;
  }
  return results_[root];
}

bool counts(const flat::Model& model, Expr call) {
  const Expressions& x = model.expressions;
  const flat::Function& f = model.functions[index(x.function(call))];
  const std::size_t n = f.inputs.size();
  return f.impure && x.children(call).size() > n && x.op(x.child(call, n)) == Op::integer;
}

bool has_counting_call(const flat::Model& model, Expr e) {
  bool found = false;
  Walker walker(model.expressions);
  walker.each(e, [&](Expr n) {
    found = found || (model.expressions.op(n) == Op::call && counts(model, n));
    return !found;
  });
  return found;
}

std::vector<std::uint32_t> functions_called(const flat::Model& model, FunctionId f) {
  std::vector<std::uint32_t> called;
  Walker walker(model.expressions);
  each_expression(model.functions[index(f)].body, [&](Expr root) {
    walker.more(root, [&](Expr e) {
      if (model.expressions.op(e) == Op::call) called.push_back(index(model.expressions.function(e)));
      return true;
    });
  });
  return called;
}

}  // namespace mosim::compiler
