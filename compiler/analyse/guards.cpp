// A relation behind a condition, like sqrt(x) > 1 in `if x > 0 then sqrt(x) > 1 else false`, must not be evaluated where
// the condition does not hold.

#include <cmath>
#include <set>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

class Guards {
public:
  explicit Guards(Analysis& a) : a_(a), x_(a.x()) {}

  void run() {
    for (const Equation& e : a_.equations)
      if ((e.why == Why::relation || e.why == Why::event_function) && may_fault(e.right)) guards_[index(variable(e.target))] = Expr::none;
    if (guards_.empty()) return;
    const Expr always = x_.boolean(true);
    for (const Equation& e : a_.equations) {
      if (e.target == Quantity::none) follow(e.left, always);
      follow(e.right, always);
    }
    for (const flat::Assertion& c : a_.system.assertions) follow(c.condition, always);
    for (const WhenEffect& effect : a_.system.effects) {
      if (effect.guard != Expr::none) follow(effect.guard, always);
      if (const auto* r = std::get_if<flat::Reinit>(&effect.node)) follow(r->value, always);
      if (const auto* c = std::get_if<flat::Assertion>(&effect.node)) follow(c->condition, always);
    }
    for (Equation& e : a_.equations) {
      if (e.target == Quantity::none) continue;
      const auto it = guards_.find(index(variable(e.target)));
      if (it != guards_.end() && it->second != always) e.guard = it->second;
    }
  }

private:
  bool may_fault(Expr root) {
    bool result = false;
    a_.walker.each(root, [&](Expr e) {
      switch (x_.op(e)) {
        case Op::sqrt: case Op::log: case Op::log10: case Op::asin: case Op::acos: result = true; break;
        case Op::divide: case Op::div: case Op::mod: case Op::rem: case Op::power:
          result = result || !x_.is_number(x_.child(e, 1)) || x_.number(x_.child(e, 1)) <= 0 ||
                   (x_.op(e) == Op::power && x_.number(x_.child(e, 1)) != std::floor(x_.number(x_.child(e, 1))));
          break;
        default: break;
      }
      return !result;
    });
    return result;
  }

  /// Notes under which conditions the variables in question are read.
  void follow(Expr root, Expr condition) {
    std::vector<std::pair<Expr, Expr>> stack{{root, condition}};
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    while (!stack.empty()) {
      const auto [e, when] = stack.back();
      stack.pop_back();
      if (!seen.insert({index(e), index(when)}).second) continue;
      switch (x_.op(e)) {
        case Op::variable: {
          const auto it = guards_.find(index(x_.variable(e)));
          if (it == guards_.end()) break;
          it->second = it->second == Expr::none ? when : a_.logical(Op::or_, it->second, when);
          break;
        }
        case Op::if_: {
          const Expr c = x_.child(e, 0);
          stack.push_back({c, when});
          stack.push_back({x_.child(e, 1), a_.logical(Op::and_, when, c)});
          stack.push_back({x_.child(e, 2), a_.logical(Op::and_, when, a_.negation(c))});
          break;
        }
        case Op::and_:
        case Op::or_: {
          const Expr c = x_.child(e, 0);
          stack.push_back({c, when});
          stack.push_back({x_.child(e, 1), a_.logical(Op::and_, when, x_.op(e) == Op::and_ ? c : a_.negation(c))});
          break;
        }
        default:
          for (Expr c : x_.children(e)) stack.push_back({c, when});
          break;
      }
    }
  }

  Analysis& a_;
  Expressions& x_;
  std::unordered_map<std::uint32_t, Expr> guards_;   // by variable
};

}  // namespace

void guard_relations(Analysis& a) { Guards(a).run(); }

}  // namespace mosim::compiler::dae
