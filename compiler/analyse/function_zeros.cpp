#include "compiler/analyse/function_zeros.hpp"

#include "compiler/statements/walk.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr int deepest = 12;                        // of calls within calls
constexpr std::size_t most_statements = 1000000;   // in all; after that nothing is known of calls

/// Everything that statements may set gets no value.
void forget(const flat::Statements& statements, std::unordered_map<std::uint32_t, Expr>& state) {
  each_statement(statements, [&](const flat::Statement& s, bool) {
    if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
      for (const auto& one : a->all) state[index(one.target)] = Expr::none;
    } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
      for (std::int64_t k = 0; k < e->count; ++k) state[index(e->first) + std::uint32_t(k)] = Expr::none;
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      state[index(l->iterator)] = Expr::none;
    }
  });
}

/// Whether a loop holds a return: then what comes after it may not be reached.
bool may_return(const flat::Statements& statements) {
  bool found = false;
  each_statement(statements, [&](const flat::Statement& s, bool) { found = found || std::holds_alternative<flat::ReturnStatement>(s.node); });
  return found;
}

}  // namespace

std::vector<Expr> FunctionZeros::results(FunctionId f, const std::vector<Expr>& arguments) {
  const flat::Function& function = a_.model().functions[index(f)];
  std::vector<Expr> found(function.outputs.size(), Expr::none);
  if (!function.complete || depth_ >= deepest || arguments.size() != function.inputs.size()) return found;
  const std::pair key{f, arguments};
  if (const auto it = found_.find(key); it != found_.end()) return it->second;
  ++depth_;
  State state;
  for (std::size_t k = 0; k < arguments.size(); ++k) state[index(function.inputs[k])] = arguments[k];
  if (run(function.body, state) == Way::on)
    for (std::size_t k = 0; k < found.size(); ++k) found[k] = local(function.outputs[k], state);
  --depth_;
  return found_[key] = found;
}

FunctionZeros::Way FunctionZeros::run(const flat::Statements& statements, State& state) {
  for (const flat::Statement& s : statements) {
    if (++statements_ > most_statements) return Way::given_up;
    if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
      std::vector<Expr> values;
      for (const auto& one : a->all) values.push_back(value(one.value, state));
      for (std::size_t k = 0; k < values.size(); ++k) state[index(a->all[k].target)] = values[k];
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      if (run(*i, state) == Way::given_up) return Way::given_up;
    } else if (std::holds_alternative<flat::ReturnStatement>(s.node) || std::holds_alternative<flat::BreakStatement>(s.node)) {
      return Way::given_up;
    } else {
      bool returns = false;
      if (const auto* l = std::get_if<flat::Loop>(&s.node)) returns = may_return(l->body);
      if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) returns = may_return(w->body);
      if (returns) return Way::given_up;
      forget({s}, state);
    }
  }
  return Way::on;
}

/// Of the branches that may be taken, what all agree on.
FunctionZeros::Way FunctionZeros::run(const flat::IfStatement& s, State& state) {
  const State before = state;
  std::vector<State> ends;
  bool falls_through = true;
  for (const auto& branch : s.branches) {
    const Expr condition = branch.condition == Expr::none ? x_.boolean(true) : value(branch.condition, before);
    if (condition != Expr::none && x_.payload(condition) == 0) continue;
    State end = before;
    if (run(branch.body, end) == Way::given_up) return Way::given_up;
    ends.push_back(std::move(end));
    falls_through = condition == Expr::none;
    if (!falls_through) break;
  }
  if (falls_through) ends.push_back(before);
  state = std::move(ends.front());
  for (std::size_t k = 1; k < ends.size(); ++k) {
    for (auto& [l, e] : state)
      if (local(static_cast<LocalId>(l), ends[k]) != e) e = Expr::none;
    for (const auto& [l, e] : ends[k])
      if (!state.contains(l)) state[l] = local(static_cast<LocalId>(l), before) == e ? e : Expr::none;
  }
  return Way::on;
}

Expr FunctionZeros::local(LocalId l, const State& state) const {
  const auto it = state.find(index(l));
  return it != state.end() ? it->second : a_.system.model.locals[index(l)].value;
}

Expr FunctionZeros::value(Expr root, const State& state) {
  std::unordered_map<std::uint32_t, Expr> known;
  children_first(x_, root, [&](Expr e) { return known.contains(index(e)); }, [&](Expr e) {
    const auto child = [&](std::size_t i) { return known.at(index(x_.child(e, i))); };
    Expr result = Expr::none;
    switch (x_.op(e)) {
      case Op::local: result = local(x_.local(e), state); break;
      case Op::element:
        if (child(0) != Expr::none && x_.op(child(0)) == Op::integer && child(1) != Expr::none) {
          const std::int64_t at = x_.integer_value(child(0));
          if (at >= 1 && at <= x_.integer_value(child(1))) result = local(static_cast<LocalId>(index(x_.local(e)) + std::uint32_t(at - 1)), state);
        }
        break;
      case Op::call: break;
      case Op::result: {
        const Expr call = x_.child(e, 0);
        std::vector<Expr> arguments;
        for (std::size_t k = 0; k < x_.children(call).size(); ++k) arguments.push_back(known.at(index(x_.child(call, k))));
        const auto all = results(x_.function(call), arguments);
        if (x_.payload(e) < all.size()) result = all[x_.payload(e)];
        break;
      }
      case Op::if_:
        if (child(0) != Expr::none) result = child(x_.payload(child(0)) != 0 ? 1 : 2);
        else if (child(1) == child(2)) result = child(1);
        break;
      case Op::and_: case Op::or_:
        for (const std::size_t k : {0u, 1u})
          if (child(k) != Expr::none && (x_.payload(child(k)) != 0) == (x_.op(e) == Op::or_)) result = child(k);
        if (result == Expr::none && child(0) != Expr::none) result = child(1);
        break;
      case Op::smooth: result = child(1); break;
      case Op::inlined: result = child(0); break;
      case Op::multiply:
        result = is_zero(child(0)) || is_zero(child(1)) ? x_.real(0) : folded(e, known);
        break;
      case Op::divide:
        result = is_zero(child(0)) ? x_.real(0) : folded(e, known);
        break;
      default: result = x_.is_literal_leaf(e) ? e : folded(e, known);
    }
    known[index(e)] = result;
  });
  return known.at(index(root));
}

Expr FunctionZeros::folded(Expr e, const State& known) {
  std::vector<Expr> children;
  for (std::size_t k = 0; k < x_.children(e).size(); ++k) {
    children.push_back(known.at(index(x_.child(e, k))));
    if (children.back() == Expr::none) return Expr::none;
  }
  return children.empty() ? Expr::none : a_.literal(x_.like(e, children));
}

}  // namespace mosim::compiler::dae
