#include "compiler/elaborate/function_checks.hpp"

#include <algorithm>
#include <span>

#include "compiler/expression/walk.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler {

namespace {

struct Way {
  std::set<std::uint32_t> locals;
  bool ends = false;              // every way returns
};

void meet(Way& a, const Way& b) {
  if (b.ends) return;
  if (a.ends) {
    a = b;
    return;
  }
  std::erase_if(a.locals, [&](std::uint32_t l) { return !b.locals.contains(l); });
}

/// `returned` gets what is assigned where the function returns.
Way follow(const flat::Statements& list, Way now, Way& returned) {
  for (const flat::Statement& s : list) {
    if (now.ends) break;
    if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
      for (const auto& one : a->all) now.locals.insert(index(one.target));
    } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
      for (std::int64_t k = 0; k < e->count; ++k) now.locals.insert(index(e->first) + static_cast<std::uint32_t>(k));
    } else if (const auto* item = std::get_if<flat::ItemAssignment>(&s.node)) {
      now.locals.insert(index(item->array));
    } else if (const auto* array = std::get_if<flat::ArrayAssignment>(&s.node)) {
      now.locals.insert(index(array->to));
    } else if (const auto* external = std::get_if<flat::ExternalCall>(&s.node)) {
      for (const auto& o : external->operands)
        if (o.array != LocalId::none && o.result) now.locals.insert(index(o.array));
        else
          for (const LocalId l : o.targets) now.locals.insert(index(l));
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      Way all{{}, true};
      bool otherwise = false;
      for (const auto& b : i->branches) {
        meet(all, follow(b.body, now, returned));
        otherwise = otherwise || b.condition == Expr::none;
      }
      if (!otherwise) meet(all, now);
      now = std::move(all);
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      const bool ended = now.ends;
      now = follow(l->body, std::move(now), returned);
      now.ends = ended;
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      const bool ended = now.ends;
      now = follow(w->body, std::move(now), returned);
      now.ends = ended;
    } else if (std::holds_alternative<flat::ReturnStatement>(s.node)) {
      meet(returned, now);
      now.ends = true;
    }
  }
  return now;
}

/// The functions that a call of one calls for certain.
void add_certain_calls(const flat::Model& model, Expr root, std::set<std::uint32_t>& out) {
  const Expressions& x = model.expressions;
  Walker walker(x);
  std::vector<Expr> roots{root};
  while (!roots.empty()) {
    const Expr next = roots.back();
    roots.pop_back();
    walker.more(next, [&](Expr e) {
      if (x.op(e) == Op::call) out.insert(index(x.function(e)));
      if (x.op(e) != Op::if_ && x.op(e) != Op::and_ && x.op(e) != Op::or_) return true;
      roots.push_back(x.child(e, 0));
      return false;
    });
  }
}

bool certain_calls(const flat::Model& model, const flat::Statements& list, std::set<std::uint32_t>& out) {
  for (const flat::Statement& s : list) {
    if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
      for (const auto& one : a->all) add_certain_calls(model, one.value, out);
    } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
      add_certain_calls(model, e->value, out);
    } else if (const auto* creation = std::get_if<flat::ArrayCreation>(&s.node)) {
      for (const Expr e : creation->extents) add_certain_calls(model, e, out);
    } else if (const auto* item = std::get_if<flat::ItemAssignment>(&s.node)) {
      add_certain_calls(model, item->value, out);
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      if (!i->branches.empty() && i->branches.front().condition != Expr::none) add_certain_calls(model, i->branches.front().condition, out);
      std::set<std::uint32_t> some;
      for (const auto& b : i->branches)
        if (!certain_calls(model, b.body, some)) return false;   // it may return
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      std::set<std::uint32_t> some;
      if (!certain_calls(model, l->body, some)) return false;
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      std::set<std::uint32_t> some;
      add_certain_calls(model, w->condition, out);
      if (!certain_calls(model, w->body, some)) return false;
    } else if (std::holds_alternative<flat::ReturnStatement>(s.node) || std::holds_alternative<flat::BreakStatement>(s.node)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Expr only_literal(const flat::Model& model, const flat::Statements& list, LocalId local) {
  Expr literal = Expr::none;
  bool only = true, may_have_returned = false;
  const auto take = [&](Expr value) {
    only = only && model.expressions.is_literal_leaf(value) && (literal == Expr::none || literal == value);
    literal = value;
  };
  for (const flat::Statement& top : list) {
    if (const auto* a = std::get_if<flat::LocalAssignment>(&top.node); a && !may_have_returned) {   // what was before is gone
      for (const auto& one : a->all)
        if (one.target == local) only = true, literal = Expr::none;
    }
    const std::span one_by_one(&top, 1);
    each_statement(one_by_one, [&](const flat::Statement& s, bool) {
      may_have_returned = may_have_returned || std::holds_alternative<flat::ReturnStatement>(s.node);
      if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
        for (const auto& one : a->all)
          if (one.target == local) take(one.value);
      } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
        only = only && (index(local) < index(e->first) || index(local) >= index(e->first) + static_cast<std::uint64_t>(e->count));
      } else if (const auto* external = std::get_if<flat::ExternalCall>(&s.node)) {
        for (const auto& o : external->operands) only = only && std::find(o.targets.begin(), o.targets.end(), local) == o.targets.end();
      }
    });
  }
  return only ? literal : Expr::none;
}

Assigned assigned_by(const flat::Statements& list) {
  Way returned{{}, true};
  const Way at_end = follow(list, {}, returned);
  meet(returned, at_end);
  return {std::move(returned.locals), returned.ends};
}

bool calls_itself_for_certain(const flat::Model& model, FunctionId f) {
  std::set<std::uint32_t> seen, open;
  (void)certain_calls(model, model.functions[index(f)].body, open);
  while (!open.empty()) {
    const std::uint32_t g = *open.begin();
    open.erase(open.begin());
    if (g == index(f)) return true;
    if (seen.insert(g).second) (void)certain_calls(model, model.functions[g].body, open);
  }
  return false;
}

}  // namespace mosim::compiler
