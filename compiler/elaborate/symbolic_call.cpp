#include "compiler/elaborate/symbolic_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

constexpr std::size_t maximum_loop = 100000;
constexpr std::size_t maximum_open_size = 100000;   // what rounds make whose end is known in the run alone

}  // namespace

Expr SymbolicCall::path() {
  const Expr outer = caller_.path, own = execution_.path();
  if (outer == Expr::none || own == Expr::none) return outer == Expr::none ? own : outer;
  return both(outer, own, call_);
}

Environment SymbolicCall::environment() {
  Environment env = Activation::environment();
  env.literal = !events_;
  env.path = path();
  return env;
}

/// Outputs and protected variables start with their declared values; an open size is 0 until something is assigned.
bool SymbolicCall::defaults() {
  const auto order = initialisation_order();
  if (!order) return false;
  for (const std::size_t i : *order) {
    Variable& v = variables_[i];
    if (!size(v)) return false;
    const Modifier* m = v.member->modifier;
    if (m && m->binding && m->binding->expression) {
      std::optional<Value> value;
      in_.elaboration.without_value = false;
      {
        const Quietly quietly(in_);
        value = elaborate(in_, *m->binding->expression, binding_environment(*m->binding));
      }
      const bool useless = !value && in_.elaboration.without_value && !is_open(v);
      if (!value && !useless) value = elaborate(in_, *m->binding->expression, binding_environment(*m->binding));   // to say why
      if (!useless && (!value || !set(v, std::move(*value), m->binding->place))) return false;
      if (!useless) continue;
      // Nothing is wrong as long as nobody asks for it.
      if (!in_.quiet)
        in_.diagnostics.push_back({Severity::warning, m->binding->place, fmt::format("the value of {} is made of a variable that has none yet, so it has none either", in_.text(v.name)), {}, {}});
    }
    std::vector<std::int64_t> dims = v.dims;
    for (std::int64_t& d : dims) d = std::max<std::int64_t>(d, 0);
    if (v.type->basic) {
      frame_[v.name] = Value{*v.type->basic, dims, std::vector<Expr>(count(dims), Expr::none)};
    } else {
      auto value = initial_record(in_, v.type, dims, environment());
      if (!value) return false;
      frame_[v.name] = std::move(*value);
    }
  }
  return true;
}

bool SymbolicCall::begins(const parser::Statement&) {
  if (becomes_too_long(in_)) return false;
  return !in_.elaboration.function_codes || ex().size() <= in_.elaboration.function_codes->most_expressions;   // else it becomes code
}

Flow SymbolicCall::assign(std::vector<NewValue> all, Place place) {
  for (NewValue& one : all)
    if (!assign(*one.target, std::move(one.value), place)) return Flow::failed;
  return Flow::next;
}

bool SymbolicCall::assign(const parser::ComponentReference& name, Value value, Place place) {
  // An array that grows in a loop is copied in each round.
  constexpr std::size_t many = 100;
  if (value.elements.size() > many && !in_.has_room(place, Instances::work_of_an_element * double(value.elements.size()))) return false;
  fold(in_, value);
  Variable* v = target(name, place);
  if (!v) return false;
  if (name.parts.size() == 1 && name.parts.front().subscripts.empty()) return set(*v, std::move(value), place);
  if (const Element open = open_element(name); open.record && !value.run && value.dims != open.value().dims) {
    if (!check_size_of_element(in_, *open.record, open.position, value, environment(), place)) return false;
    open.value() = std::move(value);
    return true;
  }
  Environment env = environment();
  env.shape_only = true;
  std::optional<std::vector<NewElement>> elements;
  if (!known_part(name, value, place, env, elements)) return false;
  if (elements) {
    for (const NewElement& e : *elements) *e.element = e.value;
    return true;
  }
  auto changed = part(name, std::move(value), place, env);
  if (!changed) return false;
  auto& [numbers, values, leaves] = *changed;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (ex().op(numbers[k]) == Op::integer) {
      leaves[static_cast<std::size_t>(ex().integer_value(numbers[k]))] = values[k];
      continue;
    }
    // A subscript known in the run alone: every element that may be meant becomes the value or stays.
    if (numbers.size() != 1) {
      in_.unsupported(place, "a subscript on a left side that is not known before the run, together with a slice");
      return false;
    }
    if (!choose_element(numbers[k], Expr::none, values[k], leaves, place)) return false;
  }
  std::size_t at = 0;
  for_each_leaf(frame_.at(v->name), [&, &leaves = leaves](Value& leaf) {
    for (Expr& e : leaf.elements) e = leaves[at++];
  });
  return true;
}

/// `which` is `if i == 1 then 0 elseif ...`: the numbers of elements under conditions.
bool SymbolicCall::choose_element(Expr which, Expr condition, Expr value, std::vector<Expr>& leaves, Place place) {
  const auto both = [&](Expr a, Expr b) {
    return a == Expr::none ? b : ex().simplified(Op::and_, BaseType::boolean, {a, b}, place);
  };
  if (ex().op(which) == Op::integer) {
    Expr& leaf = leaves[static_cast<std::size_t>(ex().integer_value(which))];
    if (leaf == Expr::none) {
      in_.unsupported(place, "assigning an element at a subscript known in the run alone before all elements have a value");
      return false;
    }
    leaf = condition == Expr::none ? value : ex().make(Op::if_, ex().type(leaf), {condition, value, leaf}, place);
    return true;
  }
  const Expr here = ex().child(which, 0), yes = ex().child(which, 1), no = ex().child(which, 2);
  return choose_element(yes, both(condition, here), value, leaves, place) &&
         choose_element(no, both(condition, ex().simplified(Op::not_, BaseType::boolean, {here}, place)), value, leaves, place);
}

std::optional<Activation::Frame> SymbolicCall::joined(Expr condition, Frame yes, const Frame& no, Place place) {
  for (auto& [name, value] : yes) {
    const auto other = no.find(name);
    if (other == no.end() || value.function) continue;
    if (!same_sizes(value, other->second)) {
      in_.unsupported(place, "an if that gives an array one size or another");
      return {};
    }
    value = choose(in_, condition, value, other->second, place);
  }
  return yes;
}

std::optional<bool> SymbolicCall::known(Expr condition) {
  const Expr value = in_.evaluated(condition);
  if (value == Expr::none) return {};
  return ex().payload(value) != 0;
}

Flow SymbolicCall::if_statement(const parser::Statement& s, const parser::IfStatement& i) {
  return execution_.branches(
      i.branches.size(), s.place,
      [&](std::size_t k) { return i.branches[k].condition ? condition(*i.branches[k].condition, environment()) : std::optional(Expr::none); },
      [&](std::size_t k) { return statements(i.branches[k].body); });
}

/// Several iterators are loops within each other (MLS 11.2.2.3): a break leaves the innermost one.
Flow SymbolicCall::for_statement(const parser::Statement& s, const parser::ForStatement& f, std::size_t index) {
  const parser::ForIndex& i = f.indices[index];
  const auto range = iteration_range(in_, i, environment(), f.body);
  if (!range) return Flow::failed;
  const std::size_t n = range->dims.empty() ? 1 : static_cast<std::size_t>(range->dims.front());
  return execution_.for_loop(n, i.place, [&](std::size_t k) {
    iterators_.push_back({i.name, nth(*range, k), nullptr});
    const Flow flow = index + 1 < f.indices.size() ? for_statement(s, f, index + 1) : statements(f.body);
    iterators_.pop_back();
    return flow;
  });
}

Flow SymbolicCall::while_statement(const parser::Statement& s, const parser::WhileStatement& w) {
  const std::size_t size_before = ex().size();
  const Place place = w.condition->place;
  using Rounds = Execution<SymbolicCall>::Rounds;
  const auto holds = [&](const Rounds& rounds) -> std::optional<Expr> {
    Environment here = environment();
    here.open_way = rounds.open > 0;
    in_.elaboration.passed_over = false;
    const auto result = condition(*w.condition, here);
    if (result || rounds.open == 0 || !in_.elaboration.passed_over) return result;
    never(in_, fmt::format("a subscript in {} lies outside of its array", in_.workspace.sources.text(place)), place, environment());   // the loop has run out of the array
    return ex().boolean(false, place);
  };
  const auto instead = [&](const Rounds& rounds) -> std::optional<Flow> {
    if (rounds.known && rounds.all < maximum_loop) return {};
    if (!rounds.known && rounds.open <= function_codes(in_).most_open_rounds && ex().size() - size_before <= maximum_open_size) return {};
    in_.elaboration.asked_unknown = true;
    if (rounds.known)
      in_.error(s.place, fmt::format("this loop has not ended after {} rounds", maximum_loop));
    else
      in_.error(place, fmt::format("the end of this while loop is not known before the run, and it may take more than {} rounds", rounds.open - 1),
                "bound it by something that is known, as in: while i < 100 and ...");
    return Flow::failed;
  };
  return execution_.while_loop(s.place, holds, instead, [&] { return statements(w.body); });
}

/// What is asserted, or called, where the way at hand is gone.
void SymbolicCall::tell(flat::Assertion a, Place) {
  a.condition = asserted_on_way(ex(), path(), a.condition, a.place);
  const Expr known = in_.evaluated(a.condition);
  if (known != Expr::none && ex().payload(known)) return;
  asserted_by_calls(in_).push_back(std::move(a));
}

namespace {

/// Elements without a value become 0, false, empty.
void fill(Expressions& x, Value& v) {
  for_each_leaf(v, [&](Value& leaf) {
    for (Expr& e : leaf.elements)
      if (e == Expr::none) e = zero(x, leaf.type);
  });
}

}  // namespace

std::optional<std::vector<Value>> SymbolicCall::run(const Arguments& arguments) {
  if (!bind_arguments(arguments) || !defaults()) return {};
  if (external_ && !carry_out()) return {};
  if (algorithm() == Flow::failed || !execution_.finish()) return {};
  std::vector<Value> results;
  for (std::size_t o : outputs_) {
    const Variable& v = variables_[o];
    const auto it = frame_.find(v.name);
    // As in functions that are code: a library leaves elements of a record without a value that nobody asks for on that way.
    if (it != frame_.end() && it->second.record && in_.library.in_library(v.member->place)) fill(in_.model.expressions, it->second);
    if (it == frame_.end() || !is_assigned(it->second)) {
      in_.elaboration.asked_unknown = in_.elaboration.asked_unknown || in_.library.in_library(v.member->place);   // the run looks
      if (in_.library.in_library(v.member->place))
        in_.unsupported(call_, fmt::format("a result that is not assigned on every way through a function ({} of {})", in_.text(v.name), function_->path));
      else
        in_.error(call_, fmt::format("the result {} of {} is not always assigned", in_.text(v.name), function_->path), {},
                  {{v.member->place, "declared here"}});
      return {};
    }
    results.push_back(it->second);
  }
  function_codes(in_).without_results = Expr::none;   // nothing is left to be called
  return results;
}

}  // namespace mosim::compiler
