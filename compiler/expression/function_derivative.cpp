#include "compiler/expression/function_derivative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "compiler/expression/differentiate.hpp"
#include "compiler/expression/walk.hpp"

namespace mosim::compiler {

namespace {

class FunctionDerivative {
public:
  FunctionDerivative(flat::Model& model, FunctionId of, FunctionId made, parser::Diagnostics& diagnostics)
      : model_(model), x_(model.expressions), made_(made), diagnostics_(diagnostics),
        renamed_(x_, [this](Expr e) { return renamed(e); }) {
    // Elements of arrays follow each other in the copies too.
    const auto n = static_cast<std::uint32_t>(model.locals.size());
    for (const bool dots : {false, true})
      for (std::uint32_t l = 0; l < n; ++l) {
        if (model.locals[l].owner != of || (dots && model.locals[l].type != BaseType::real)) continue;
        flat::Local copy = model.locals[l];
        copy.owner = made;
        if (dots) copy.name = "der " + copy.name;
        (dots ? dots_ : copies_)[l] = static_cast<LocalId>(model.locals.size());
        if (!dots) originals_[static_cast<std::uint32_t>(model.locals.size())] = l;
        model.locals.push_back(std::move(copy));
      }
  }

  bool run(FunctionId of) {
    const flat::Function f = model_.functions[index(of)];
    flat::Function result;
    result.name = "der " + f.name;
    result.place = f.place;
    result.derivative = model_.functions[index(made_)].derivative;
    for (LocalId l : f.inputs) result.inputs.push_back(copies_.at(index(l)));
    for (LocalId l : f.inputs)
      if (const auto it = dots_.find(index(l)); it != dots_.end()) result.inputs.push_back(it->second);
    flat::LocalAssignment start;
    for (LocalId l : f.outputs) {
      const auto it = dots_.find(index(l));
      if (it != dots_.end()) {
        result.outputs.push_back(it->second);
        continue;
      }
      flat::Local zero;
      zero.name = "0";
      zero.owner = made_;
      model_.locals.push_back(zero);
      result.outputs.push_back(static_cast<LocalId>(model_.locals.size() - 1));
      start.all.push_back({result.outputs.back(), x_.real(0)});
    }
    if (!start.all.empty()) result.body.push_back({f.place, std::move(start)});
    statements(f.body, result.body);
    result.complete = good_;
    model_.functions[index(made_)] = std::move(result);
    return good_;
  }

private:
  Expr renamed(Expr e) {
    if (x_.op(e) == Op::local) {
      const auto it = copies_.find(index(x_.local(e)));
      return it == copies_.end() ? Expr::none : x_.local(it->second, x_.type(e), x_.place(e));
    }
    if (x_.op(e) == Op::element) {
      const auto it = copies_.find(index(x_.local(e)));
      if (it == copies_.end()) return Expr::none;
      // The index is a tree of its own: rewritten by a rewriter of its own.
      Rewriter inner(x_, [this](Expr n) { return renamed(n); });
      return x_.element(it->second, inner(x_.child(e, 0)), x_.integer_value(x_.child(e, 1)), x_.type(e), x_.place(e));
    }
    if (x_.op(e) == Op::item || x_.op(e) == Op::extent) {
      const LocalId copy = copies_.at(index(x_.local(e)));
      if (x_.op(e) == Op::extent) return x_.extent(copy, x_.integer_value(x_.child(e, 0)), x_.place(e));
      return x_.item(copy, renamed_each(x_.children(e)), x_.type(e), x_.place(e));
    }
    return Expr::none;
  }

  std::vector<Expr> renamed_each(std::span<const Expr> list) {
    const std::vector<Expr> before(list.begin(), list.end());
    std::vector<Expr> after;
    Rewriter inner(x_, [this](Expr n) { return renamed(n); });
    for (const Expr e : before) after.push_back(inner(e));
    return after;
  }

  /// The derivative's local of a copy; none: it has none.
  LocalId dot(LocalId copy) const {
    const auto original = originals_.find(index(copy));
    if (original == originals_.end()) return LocalId::none;
    const auto it = dots_.find(original->second);
    return it == dots_.end() ? LocalId::none : it->second;
  }

  Expr derivative(Expr e, Place place) {
    const LeafDerivative leaf = [this](Expr n) {
      const LocalId d = x_.op(n) == Op::local || x_.op(n) == Op::element || x_.op(n) == Op::item ? dot(x_.local(n)) : LocalId::none;
      if (d == LocalId::none) return x_.real(0);
      if (x_.op(n) == Op::item) {
        const std::vector<Expr> at(x_.children(n).begin(), x_.children(n).end());
        return x_.item(d, at, BaseType::real, x_.place(n));
      }
      return x_.op(n) == Op::local ? x_.local(d, BaseType::real)
                                   : x_.element(d, x_.child(n, 0), x_.integer_value(x_.child(n, 1)), BaseType::real, x_.place(n));
    };
    const Expr result = differentiate(model_, e, place, diagnostics_, leaf);
    good_ = good_ && result != Expr::none;
    return result == Expr::none ? x_.real(0) : result;
  }

  /// The derivative of an array that does not change: as large, of zeros.
  void add_zeros(LocalId array, LocalId dot, Place place, flat::Statements& to) {
    flat::ArrayCreation creation{dot, {}};
    std::vector<LocalId> iterators;
    flat::ItemAssignment zero{dot, {}, x_.real(0)};
    for (int d = 1; d <= model_.locals[index(array)].rank; ++d) {
      flat::Local iterator;
      iterator.name = "i" + std::to_string(d);
      iterator.type = BaseType::integer;
      iterator.owner = made_;
      iterators.push_back(static_cast<LocalId>(model_.locals.size()));
      model_.locals.push_back(std::move(iterator));
      creation.extents.push_back(x_.extent(array, d, place));
      zero.at.push_back(x_.local(iterators.back(), BaseType::integer));
    }
    flat::Statements body{{place, std::move(zero)}};
    for (std::size_t d = iterators.size(); d-- > 0;) {
      flat::Loop loop{iterators[d], x_.integer(1), creation.extents[d], std::move(body)};
      body.clear();
      body.push_back({place, std::move(loop)});
    }
    to.push_back({place, std::move(creation)});
    std::move(body.begin(), body.end(), std::back_inserter(to));
  }

  void statements(const flat::Statements& from, flat::Statements& to) {
    for (const flat::Statement& s : from) {
      if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
        flat::LocalAssignment both;
        flat::Statements after;
        for (const auto& one : a->all) {
          const Expr value = renamed_(one.value);
          both.all.push_back({copies_.at(index(one.target)), value});
          const auto it = dots_.find(index(one.target));
          if (it == dots_.end()) continue;
          const Expr d = derivative(value, s.place);
          if (model_.locals[index(one.target)].rank > 0 && x_.op(d) != Op::result) add_zeros(copies_.at(index(one.target)), it->second, s.place, after);
          else both.all.push_back({it->second, d});
        }
        to.push_back({s.place, std::move(both)});
        std::move(after.begin(), after.end(), std::back_inserter(to));
      } else if (const auto* c = std::get_if<flat::ArrayCreation>(&s.node)) {
        flat::ArrayCreation creation{copies_.at(index(c->array)), renamed_each(c->extents)};
        const auto it = dots_.find(index(c->array));
        if (it != dots_.end()) to.push_back({s.place, flat::ArrayCreation{it->second, creation.extents}});
        to.push_back({s.place, std::move(creation)});
      } else if (const auto* i = std::get_if<flat::ItemAssignment>(&s.node)) {
        const std::vector<Expr> at = renamed_each(i->at);
        const Expr value = renamed_(i->value);
        if (const auto it = dots_.find(index(i->array)); it != dots_.end()) to.push_back({s.place, flat::ItemAssignment{it->second, at, derivative(value, s.place)}});
        to.push_back({s.place, flat::ItemAssignment{copies_.at(index(i->array)), at, value}});
      } else if (const auto* a = std::get_if<flat::ArrayAssignment>(&s.node)) {
        to.push_back({s.place, flat::ArrayAssignment{copies_.at(index(a->to)), copies_.at(index(a->from)), a->spent}});
        if (const auto it = dots_.find(index(a->to)); it != dots_.end()) {
          const auto from = dots_.find(index(a->from));
          good_ = good_ && from != dots_.end();
          if (from != dots_.end()) to.push_back({s.place, flat::ArrayAssignment{it->second, from->second, a->spent}});
        }
      } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
        const Expr at = renamed_(e->at), value = renamed_(e->value);
        const auto it = dots_.find(index(e->first));
        LocalId held = LocalId::none;
        if (it != dots_.end()) {   // before the assignment changes what it is made of
          model_.locals.push_back({"der", BaseType::real, EnumerationId::none, made_, Expr::none});
          held = static_cast<LocalId>(model_.locals.size() - 1);
          to.push_back({s.place, flat::LocalAssignment{{{held, derivative(value, s.place)}}}});
        }
        to.push_back({s.place, flat::ElementAssignment{copies_.at(index(e->first)), e->count, at, value}});
        if (it != dots_.end()) to.push_back({s.place, flat::ElementAssignment{it->second, e->count, at, x_.local(held, BaseType::real)}});
      } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
        flat::IfStatement result;
        for (const auto& b : i->branches) {
          result.branches.push_back({b.condition == Expr::none ? Expr::none : renamed_(b.condition), {}});
          statements(b.body, result.branches.back().body);
        }
        to.push_back({s.place, std::move(result)});
      } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
        flat::Loop result{copies_.at(index(l->iterator)), renamed_(l->first), renamed_(l->last), {}};
        statements(l->body, result.body);
        to.push_back({s.place, std::move(result)});
      } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
        flat::WhileStatement result{renamed_(w->condition), {}};
        statements(w->body, result.body);
        to.push_back({s.place, std::move(result)});
      } else if (std::holds_alternative<flat::BreakStatement>(s.node) || std::holds_alternative<flat::ReturnStatement>(s.node)) {
        to.push_back(s);
      } else if (const auto* external = std::get_if<flat::ExternalCall>(&s.node)) {
        good_ = false;
        diagnostics_.push_back({parser::Severity::error, s.place, fmt::format("the derivative of the external function {} is needed here, which nothing gives", external->function),
                                "an annotation of its Modelica function can name it: annotation(derivative = ...)", {}});
      }   // assertions are those of the function itself
    }
  }

  flat::Model& model_;
  Expressions& x_;
  FunctionId made_;
  parser::Diagnostics& diagnostics_;
  Rewriter renamed_;
  std::unordered_map<std::uint32_t, LocalId> copies_, dots_;
  std::unordered_map<std::uint32_t, std::uint32_t> originals_;
  bool good_ = true;
};

}  // namespace

Expr inlined_call(flat::Model& model, FunctionId of, const std::vector<Expr>& arguments, std::size_t which) {
  const flat::Function f = model.functions[index(of)];
  Expressions& x = model.expressions;
  if (!f.complete || f.body.size() != 1) return Expr::none;
  const auto* all = std::get_if<flat::LocalAssignment>(&f.body.front().node);
  if (!all) return Expr::none;
  const auto one = std::find_if(all->all.begin(), all->all.end(), [&](const auto& a) { return a.target == f.outputs[which]; });
  if (one == all->all.end()) return Expr::none;
  bool good = true;
  Rewriter given(x, [&](Expr e) {
    if (x.op(e) == Op::element || x.op(e) == Op::item || x.op(e) == Op::extent) good = good && model.locals[index(x.local(e))].owner == FunctionId::none;
    if (x.op(e) != Op::local || model.locals[index(x.local(e))].owner == FunctionId::none) return Expr::none;
    for (std::size_t k = 0; k < f.inputs.size(); ++k)
      if (f.inputs[k] == x.local(e)) return arguments[k];
    good = false;
    return e;
  });
  const Expr result = given(one->value);
  return good ? result : Expr::none;
}

FunctionId derivative_function(flat::Model& model, FunctionId of, parser::Diagnostics& diagnostics) {
  if (model.functions[index(of)].derivative != FunctionId::none) return model.functions[index(of)].derivative;
  const auto made = static_cast<FunctionId>(model.functions.size());
  model.functions.emplace_back();
  model.functions[index(of)].derivative = made;   // it may call itself
  FunctionDerivative derivative(model, of, made, diagnostics);
  return derivative.run(of) ? made : FunctionId::none;
}

}  // namespace mosim::compiler
