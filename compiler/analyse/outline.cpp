#include "compiler/analyse/outline.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "compiler/expression/statement_walk.hpp"
#include "compiler/expression/walk.hpp"

namespace mosim::compiler::dae {

namespace {

bool any_of(const flat::Statements& list, const auto& test) {
  return std::any_of(list.begin(), list.end(), [&](const flat::Statement& s) { return test(s); });
}

/// Whether `test` holds for a statement or one inside of it; those of when-statements aside.
template <class Test>
bool any_inside(const flat::Statement& s, const Test& test) {
  if (test(s)) return true;
  const auto inner = [&](const flat::Statement& x) { return any_inside(x, test); };
  if (const auto* i = std::get_if<flat::IfStatement>(&s.node))
    return std::any_of(i->branches.begin(), i->branches.end(), [&](const auto& b) { return any_of(b.body, inner); });
  if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node))
    return std::any_of(f->iterations.begin(), f->iterations.end(), [&](const auto& body) { return any_of(body, inner); });
  if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) return any_of(w->body, inner);
  if (const auto* l = std::get_if<flat::Loop>(&s.node)) return any_of(l->body, inner);
  return false;
}

bool calls_what_counts(const flat::Model& model, const flat::Statement& s) {
  const auto has = [&](Expr e) { return e != Expr::none && has_counting_call(model, e); };
  if (const auto* a = std::get_if<flat::Assignment>(&s.node)) return has(a->value);
  if (const auto* c = std::get_if<flat::Assertion>(&s.node)) return has(c->condition) || has(c->message);
  if (const auto* i = std::get_if<flat::IfStatement>(&s.node))
    return std::any_of(i->branches.begin(), i->branches.end(), [&](const auto& b) { return has(b.condition); });
  if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) return has(w->condition);
  if (const auto* l = std::get_if<flat::Loop>(&s.node)) return has(l->first) || has(l->last);
  return false;
}

class Outliner {
public:
  Outliner(flat::Model& model, Place place)
      : model_(model), x_(model.expressions), walker_(x_), inside_(x_, [this](Expr e) { return inside(e); }) {
    result_.function = static_cast<FunctionId>(model.functions.size());
    function_.name = "algorithm";
    function_.place = place;
    model.functions.emplace_back();
  }

  Outlined run(std::span<const flat::Statement> list) {
    for (const flat::Statement& s : list) find_targets(s);
    for (const VariableId v : result_.targets) {
      const Expr e = x_.variable(v, model_.variable(v).type);
      targets_[index(v)] = input(e, e);
    }
    flat::Statements body;
    statements(list, body);
    for (const VariableId v : result_.targets) function_.outputs.push_back(x_.local(targets_.at(index(v))));
    function_.body = std::move(body);
    function_.complete = true;
    function_.impure = result_.counts;
    model_.functions[index(result_.function)] = std::move(function_);
    return std::move(result_);
  }

private:
  void find_targets(const flat::Statement& s) {
    (void)any_inside(s, [this](const flat::Statement& inner) {
      if (const auto* a = std::get_if<flat::Assignment>(&inner.node))
        if (std::find(result_.targets.begin(), result_.targets.end(), a->target) == result_.targets.end()) result_.targets.push_back(a->target);
      result_.counts = result_.counts || calls_what_counts(model_, inner);
      return false;
    });
  }

  LocalId local(std::string name, BaseType type, EnumerationId enumeration = EnumerationId::none, ObjectClassId object = ObjectClassId::none) {
    // In names of locals brackets are subscripts of their own arrays.
    for (char& c : name) c = c == '[' ? '(' : c == ']' ? ')' : c;
    model_.locals.push_back({std::move(name), type, enumeration, result_.function, Expr::none, object});
    return static_cast<LocalId>(model_.locals.size() - 1);
  }

  /// What stands for an expression of the model; its value is handed over.
  Expr input(Expr e, Expr argument) {
    const auto [it, fresh] = inputs_.try_emplace(index(e), Expr::none);
    if (!fresh) return it->second;
    const bool variable = x_.op(e) == Op::variable;
    const flat::Variable* v = variable ? &model_.variable(x_.variable(e)) : nullptr;
    const LocalId l = local(v ? v->name : print(model_, e), x_.type(e), v ? v->enumeration : x_.enumeration(e), v ? v->object : ObjectClassId::none);
    function_.inputs.push_back(l);
    result_.arguments.push_back(argument);
    return it->second = x_.local(l, x_.type(e), x_.place(e));
  }

  bool changes_inside(Expr root) {
    bool found = false;
    walker_.each(root, [&](Expr e) {
      found = found || (x_.op(e) == Op::variable && targets_.contains(index(x_.variable(e)))) || x_.op(e) == Op::local || x_.op(e) == Op::call;
      return !found;
    });
    return found;
  }

  Expr inside(Expr e) {
    switch (x_.op(e)) {
      case Op::variable: {
        const auto it = targets_.find(index(x_.variable(e)));
        return it == targets_.end() ? input(e, e) : it->second;
      }
      case Op::derivative: case Op::pre: case Op::previous: case Op::time: case Op::initial: case Op::terminal: case Op::edge: case Op::change:
      case Op::sample: case Op::delay: case Op::spatial_distribution: case Op::interval: case Op::first_tick:
        return input(e, e);
      case Op::less: case Op::less_equal: case Op::greater: case Op::greater_equal: case Op::div: case Op::mod: case Op::rem: case Op::ceil:
      case Op::floor: case Op::integer_of:
        return x_.literal(e) || x_.type(x_.child(e, 0)) != BaseType::real || changes_inside(e) ? Expr::none : input(e, e);
      default: return Expr::none;
    }
  }

  std::set<Expr> counting_calls(const flat::Statement& s) {
    std::set<Expr> calls;
    if (const auto* a = std::get_if<flat::Assignment>(&s.node))
      walker_.each(a->value, [&](Expr e) {
        if (x_.op(e) == Op::call && counts(model_, e)) calls.insert(e);
        return true;
      });
    return calls;
  }

  void statements(std::span<const flat::Statement> from, flat::Statements& to) {
    std::set<Expr> before;
    for (const flat::Statement& s : from) {
      // Scalars that are assigned from results of one call come from one statement.
      std::set<Expr> calls = counting_calls(s);
      const bool same = std::any_of(calls.begin(), calls.end(), [&](Expr e) { return before.contains(e); });
      before = std::move(calls);
      if (!same) {
        statement(s, to);
        continue;
      }
      const auto& a = std::get<flat::Assignment>(s.node);
      std::get<flat::LocalAssignment>(to.back().node).all.push_back({x_.local(targets_.at(index(a.target))), inside_(a.value)});
    }
  }

  void statement(const flat::Statement& s, flat::Statements& to) {
    const auto made = [&](decltype(flat::Statement::node) node) { to.push_back({s.place, std::move(node)}); };
    if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
      if (!a->of_array) made(flat::LocalAssignment{{{x_.local(targets_.at(index(a->target))), inside_(a->value)}}});
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      flat::IfStatement result;
      for (const auto& b : i->branches) {
        result.branches.push_back({b.condition == Expr::none ? Expr::none : inside_(b.condition), {}});
        statements(b.body, result.branches.back().body);
      }
      made(std::move(result));
    } else if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {   // a break leaves all of it
      flat::Loop once{local("once", BaseType::integer), x_.integer(1), x_.integer(1), {}};
      for (const auto& body : f->iterations) statements(body, once.body);
      made(std::move(once));
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      flat::WhileStatement result{inside_(w->condition), {}};
      statements(w->body, result.body);
      made(std::move(result));
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      model_.locals[index(l->iterator)].owner = result_.function;
      flat::Loop result{l->iterator, inside_(l->first), inside_(l->last), {}};
      statements(l->body, result.body);
      made(std::move(result));
    } else if (const auto* c = std::get_if<flat::Assertion>(&s.node)) {
      flat::Assertion copy = *c;
      copy.condition = inside_(c->condition);
      copy.message = inside_(c->message);
      copy.place = c->place ? c->place : s.place;
      made(std::move(copy));
    } else if (const auto* t = std::get_if<flat::Termination>(&s.node)) {
      made(flat::Termination{inside_(t->message), t->place ? t->place : s.place});
    } else {
      made(s.node);   // break, return
    }
  }

  flat::Model& model_;
  Expressions& x_;
  Walker walker_;
  Rewriter inside_;
  flat::Function function_;
  Outlined result_;
  std::unordered_map<std::uint32_t, Expr> targets_, inputs_;   // the locals, by variable and by expression
};

}  // namespace

bool needs_code(const flat::Model& model, const flat::Statement& s, bool in_order) {
  if (std::holds_alternative<flat::WhenStatement>(s.node)) return false;
  return any_inside(s, [&](const flat::Statement& inner) {
    return std::holds_alternative<flat::Loop>(inner.node) || (in_order && calls_what_counts(model, inner));
  });
}

Outlined outline(flat::Model& model, std::span<const flat::Statement> list, Place place) { return Outliner(model, place).run(list); }

}  // namespace mosim::compiler::dae
