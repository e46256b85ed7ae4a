#include "compiler/elaborate/activation.hpp"
#include "compiler/elaborate/function_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/restrictions.hpp"
#include "compiler/statements/breaks.hpp"
#include "parser/references.hpp"

namespace mosim::compiler {

namespace {

constexpr std::size_t maximum_loop = 100000;
constexpr std::size_t maximum_open_size = 100000;   // what rounds make whose end is known in the run alone

}  // namespace

Environment Activation::environment() {
  chain_.clear();
  const Locals* last = nullptr;
  for (const auto& [name, value] : frame_) last = &chain_.emplace_back(Locals{name, value, last});
  for (const Locals& l : iterators_) last = &chain_.emplace_back(Locals{l.name, l.value, last});
  Environment env;
  env.scope = function_;
  env.locals = last;
  env.literal = !events_;
  env.in_function = true;
  env.call_depth = caller_.call_depth + 1;
  env.in_when = caller_.in_when;
  env.path = reached(execution_.path());
  return env;
}

/// The variables of the function, in order of declaration.
bool Activation::declare() {
  for (Member* m : function_->members) {
    if (m->is_class() || m->broken) continue;
    if (m->prefix.variability == parser::Variability::constant) continue;   // found by lookup
    Member* type_member = lookup_class(in_, m->scope, m->clause->type, "type");
    TypeExtras extras;
    Class* type = type_member ? instantiate_type(in_, type_member, m->modifier, m->place, extras) : nullptr;
    if (!type || !expand(in_, type)) return false;
    check_component(in_, m, type);
    const parser::Causality causality = m->prefix.causality != parser::Causality::none ? m->prefix.causality : extras.causality;
    const bool function = type->kind() == parser::ClassKind::function && !type->basic;
    if (!type->basic && !is_record_class(type) && !(function && causality == parser::Causality::input)) {
      in_.unsupported(m->clause->type.place, fmt::format("the type {} for a variable of a function", type->path));
      return false;
    }
    if (causality == parser::Causality::input) inputs_.push_back(variables_.size());
    if (causality == parser::Causality::output) outputs_.push_back(variables_.size());
    const std::size_t ndims = extras.dims.size() + m->sized_declaration->subscripts.size() + m->sized_clause->subscripts.size();
    variables_.push_back({m, m->name, type, std::move(extras.dims), ndims});
  }
  return true;
}

bool Activation::size(Variable& v) {
  const auto own = dimensions(in_, v.member->sized_declaration->subscripts, environment());
  const auto of_clause = dimensions(in_, v.member->sized_clause->subscripts, environment());
  if (!own || !of_clause) return false;
  v.dims.insert(v.dims.begin(), of_clause->begin(), of_clause->end());
  v.dims.insert(v.dims.begin(), own->begin(), own->end());
  double elements = 1;
  for (const std::int64_t d : v.dims) elements *= double(std::max<std::int64_t>(d, 0));
  return in_.has_room(v.member->place, elements);
}

bool Activation::conform(const Variable& v, Value& value, Place place) {
  const std::string name(in_.text(v.name));
  if (value.function) {
    if (v.type->basic || v.type->kind() != parser::ClassKind::function) {
      in_.error(place, fmt::format("{} is no function, and cannot have one as its value", name));
      return false;
    }
    return true;
  }
  if (v.type->basic ? !convert(in_, value, *v.type->basic, place, name) : !convert_record(in_, value, v.type, place, name))
    return false;
  bool fits = value.dims.size() == v.dims.size();
  for (std::size_t d = 0; fits && d < v.dims.size(); ++d)
    if (v.dims[d] >= 0 && v.dims[d] != value.dims[d]) fits = false;
  if (!fits) {
    in_.error(place, fmt::format("{}{} cannot have a value of size {}", name, shape_text(v.dims),
                                 value.dims.empty() ? "1 (a scalar)" : shape_text(value.dims)), {}, {{v.member->place, "declared here"}});
    return false;
  }
  return true;
}

bool Activation::set(Variable& v, Value value, Place place) {
  if (!conform(v, value, place)) return false;
  frame_[v.name] = std::move(value);
  return true;
}

namespace {

/// Does it consist of so few numbers that it may as well be one?
bool is_small_constant(const Expressions& x, Expr e, int& budget) {
  if (--budget < 0) return false;
  if (x.children(e).empty()) return x.is_literal_leaf(e);
  for (Expr c : x.children(e))
    if (!is_small_constant(x, c, budget)) return false;
  return true;
}

constexpr int small = 32;   // nodes

/// Values that are known become numbers at once: a counter would grow with every round of its loop.
void fold(Instances& in, Value& value) {
  for_each_leaf(value, [&](Value& leaf) {
    for (Expr& e : leaf.elements) {
      int budget = small;
      if (e == Expr::none || in.model.expressions.children(e).empty() || !is_small_constant(in.model.expressions, e, budget)) continue;
      if (const Expr number = in.evaluated(e); number != Expr::none) e = number;
    }
  });
}

}  // namespace

bool Activation::bind_arguments(const Arguments& arguments) {
  if (arguments.positional.size() > inputs_.size()) {
    in_.error(call_, fmt::format("{} takes {} argument{}, not {}", function_->path, inputs_.size(),
                                 inputs_.size() == 1 ? "" : "s", arguments.positional.size()));
    return false;
  }
  std::vector<const Argument*> given(inputs_.size(), nullptr);
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) given[i] = &arguments.positional[i];
  for (const Argument& a : arguments.named) {
    std::size_t i = 0;
    while (i < inputs_.size() && variables_[inputs_[i]].name != a.name) ++i;
    if (i == inputs_.size()) {
      in_.error(a.name_place, fmt::format("{} has no input named {}", function_->path, in_.text(a.name)));
      return false;
    }
    if (given[i]) {
      in_.error(a.name_place, fmt::format("the input {} is given twice", in_.text(a.name)));
      return false;
    }
    given[i] = &a;
  }
  // In order of declaration: sizes and defaults may use the inputs before them, and an input's size its own value's.
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Variable& v = variables_[inputs_[i]];
    if (given[i]) {
      Value value = given[i]->value;
      fold(in_, value);
      frame_[v.name] = value;
      if (!size(v) || !set(v, std::move(value), given[i]->place)) return false;
      continue;
    }
    if (!size(v)) return false;
    const Modifier* m = v.member->modifier;
    if (!m || !m->binding || !m->binding->expression) {
      in_.error(call_, fmt::format("the input {} of {} is not given and has no default", in_.text(v.name), function_->path),
                {}, {{v.member->place, "declared here"}});
      return false;
    }
    auto value = elaborate(in_, *m->binding->expression, binding_environment(*m->binding));
    if (!value || !set(v, std::move(*value), m->binding->place)) return false;
  }
  return true;
}

/// Where the names of a declared value are looked up: the call's own variables are among them.
Environment Activation::binding_environment(const Binding& b) {
  Environment env = environment();
  env.scope = b.scope;
  return env;
}

std::optional<std::vector<std::size_t>> Activation::initialisation_order() {
  enum class State : std::uint8_t { open, begun, done };
  std::vector<State> states(variables_.size(), State::open);
  for (const std::size_t i : inputs_) states[i] = State::done;
  std::vector<std::size_t> order;
  std::function<bool(std::size_t)> add = [&](std::size_t i) {
    if (states[i] == State::done) return true;
    const Member* m = variables_[i].member;
    if (states[i] == State::begun) {
      in_.error(m->place, fmt::format("the declared value of {} depends on itself", in_.text(m->name)), "break the cycle of declarations");
      return false;
    }
    states[i] = State::begun;
    bool good = true;
    const auto after = [&](const parser::ComponentReference& r) {
      if (r.global || !good) return;
      for (std::size_t k = 0; k < variables_.size(); ++k)
        if (k != i && variables_[k].name == r.parts.front().name) good = good && add(k);
    };
    for (const auto& subscripts : {m->sized_declaration->subscripts, m->sized_clause->subscripts})
      for (const parser::Subscript& s : subscripts)
        if (s.expression) parser::each_reference(*s.expression, after);
    if (m->modifier && m->modifier->binding && m->modifier->binding->expression) parser::each_reference(*m->modifier->binding->expression, after);
    states[i] = State::done;
    order.push_back(i);
    return good;
  };
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (!add(i)) return {};
  return order;
}

/// Outputs and protected variables start with their declared values; an open size is 0 until something is assigned.
bool Activation::defaults() {
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

namespace {

/// The same structure with a number for every scalar element, to find out which of them a reference means.
void number_leaves(Instances& in, Value& v, std::int64_t& next) {
  for_each_leaf(v, [&](Value& leaf) {
    leaf.type = integer_type;
    for (Expr& e : leaf.elements) e = in.model.expressions.integer(next++);
  });
}

}  // namespace

Flow Activation::assign(const parser::ComponentReference& target, Value value, Place place) {
  fold(in_, value);
  const parser::ReferencePart& part = target.parts.front();
  Variable* v = !target.global ? variable(part.name) : nullptr;
  if (!v) {
    in_.error(place, fmt::format("{} is no variable of this function", in_.text(part.name)));
    return Flow::failed;
  }
  if (std::find(inputs_.begin(), inputs_.end(), static_cast<std::size_t>(v - variables_.data())) != inputs_.end()) {
    in_.error(place, fmt::format("{} is an input and cannot be assigned", in_.text(part.name)),
              "assign a protected variable instead", {{v->member->place, "declared here"}});
    return Flow::failed;
  }
  if (target.parts.size() == 1 && part.subscripts.empty()) return set(*v, std::move(value), place) ? Flow::next : Flow::failed;
  // A part of an array or record: found by taking the same part of 0, 1, 2, ...
  Value whole = frame_.at(part.name), places = whole;
  std::int64_t next = 0;
  number_leaves(in_, places, next);
  // What else is of interest is the type of the part: taken from the value itself.
  Environment env = environment();
  env.shape_only = true;
  auto old = select_parts(in_, whole, target, 0, env);
  const auto taken = select_parts(in_, places, target, 0, env);
  if (!taken || !old) return Flow::failed;
  if (taken->dims != value.dims) {
    in_.error(place, fmt::format("a part of size {} cannot have a value of size {}",
                                 taken->dims.empty() ? "1 (a scalar)" : shape_text(taken->dims),
                                 value.dims.empty() ? "1 (a scalar)" : shape_text(value.dims)));
    return Flow::failed;
  }
  const std::string name(in_.text(part.name));
  if (old->record ? !convert_record(in_, value, old->record, place, name) : !convert(in_, value, old->type, place, name))
    return Flow::failed;
  std::vector<Expr> numbers, values, leaves;
  append_leaves(*taken, numbers);
  append_leaves(value, values);
  append_leaves(whole, leaves);
  if (numbers.size() != values.size()) {
    in_.error(place, fmt::format("the elements of {} and of its new value have different sizes", name));
    return Flow::failed;
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (ex().op(numbers[k]) == Op::integer) {
      leaves[static_cast<std::size_t>(ex().integer_value(numbers[k]))] = values[k];
      continue;
    }
    // A subscript known in the run alone: every element that may be meant becomes the value or stays.
    if (numbers.size() != 1) {
      in_.unsupported(place, "a subscript on a left side that is not known before the run, together with a slice");
      return Flow::failed;
    }
    if (!choose_element(numbers[k], Expr::none, values[k], leaves, place)) return Flow::failed;
  }
  std::size_t at = 0;
  for_each_leaf(whole, [&](Value& leaf) {
    for (Expr& e : leaf.elements) e = leaves[at++];
  });
  frame_[part.name] = std::move(whole);
  return Flow::next;
}

/// `which` is `if i == 1 then 0 elseif ...`: the numbers of elements under conditions.
bool Activation::choose_element(Expr which, Expr condition, Expr value, std::vector<Expr>& leaves, Place place) {
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

std::optional<Activation::Frame> Activation::joined(Expr condition, Frame yes, const Frame& no, Place place) {
  for (auto& [name, value] : yes) {
    const auto other = no.find(name);
    if (other == no.end() || value.function) continue;
    if (other->second.dims != value.dims) {
      // Sizes may differ where one of them was never assigned.
      if (value.elements.empty() && value.members.empty()) {
        value = other->second;
        continue;
      }
      in_.unsupported(place, "an if that gives an array one size or another");
      return {};
    }
    value = choose(in_, condition, value, other->second, place);
  }
  return yes;
}

std::optional<bool> Activation::known(Expr condition) {
  const Expr value = in_.evaluated(condition);
  if (value == Expr::none) return {};
  return ex().payload(value) != 0;
}

std::optional<Expr> Activation::condition(const parser::Expression& e, const Environment& env) {
  auto value = elaborate(in_, e, env);
  if (!value || !value->scalar() || !convert(in_, *value, boolean_type, e.place, "a condition")) return {};
  return value->only();
}

Flow Activation::if_statement(const parser::Statement& s, const parser::IfStatement& i) {
  return execution_.branches(
      i.branches.size(), s.place,
      [&](std::size_t k) { return i.branches[k].condition ? condition(*i.branches[k].condition, environment()) : std::optional(Expr::none); },
      [&](std::size_t k) { return statements(i.branches[k].body); });
}

/// Several iterators are loops within each other (MLS 11.2.2.3): a break leaves the innermost one.
Flow Activation::for_statement(const parser::ForStatement& f, std::size_t index) {
  const parser::ForIndex& i = f.indices[index];
  const auto range = iteration_range(in_, i, environment(), f.body);
  if (!range) return Flow::failed;
  const std::size_t n = range->dims.empty() ? 1 : static_cast<std::size_t>(range->dims.front());
  return execution_.for_loop(n, i.place, [&](std::size_t k) {
    iterators_.push_back({i.name, nth(*range, k), nullptr});
    const Flow flow = index + 1 < f.indices.size() ? for_statement(f, index + 1) : statements(f.body);
    iterators_.pop_back();
    return flow;
  });
}

/// The run must not come where the way at hand has come.
void Activation::never(std::string message, Place place) {
  flat::Assertion a{ex().simplified(Op::not_, BaseType::boolean, {reached(execution_.path())}, place), ex().string(message, place), false, place, true};
  (in_.elaboration.called_assertions ? *in_.elaboration.called_assertions : in_.model.assertions).push_back(std::move(a));
}

Flow Activation::while_statement(const parser::Statement& s, const parser::WhileStatement& w) {
  const std::size_t size_before = ex().size();
  const Place place = w.condition->place;
  using Rounds = Execution<Activation>::Rounds;
  const auto holds = [&](const Rounds& rounds) -> std::optional<Expr> {
    Environment here = environment();
    here.open_way = rounds.open > 0;
    in_.elaboration.passed_over = false;
    const auto result = condition(*w.condition, here);
    if (result || rounds.open == 0 || !in_.elaboration.passed_over) return result;
    never(fmt::format("a subscript in {} lies outside of its array", in_.workspace.sources.text(place)), place);   // the loop has run out of the array
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

Flow Activation::call_statement(const parser::CallStatement& c) {
  const std::string_view name = simple_callee(in_, *c.call);
  const auto* call = std::get_if<parser::Call>(&c.call->node);
  if (name != "assert") {
    if (!call) {
      in_.error(c.call->place, "this is an expression, not a statement");
      return Flow::failed;
    }
    auto calls = call_for_effect(in_, *c.call, environment());
    if (!calls) return Flow::failed;
    for (flat::Assertion& a : *calls) tell(std::move(a));
    return Flow::next;
  }
  auto a = elaborate_assert(in_, *c.call, *call, environment());
  if (!a) return Flow::failed;
  tell(std::move(*a));
  return Flow::next;
}

/// What is asserted, or called, where the way at hand is gone.
void Activation::tell(flat::Assertion a) {
  a.condition = asserted_on_way(ex(), reached(execution_.path()), a.condition, a.place);
  const Expr known = in_.evaluated(a.condition);
  if (known != Expr::none && ex().payload(known)) return;
  (in_.elaboration.called_assertions ? *in_.elaboration.called_assertions : in_.model.assertions).push_back(std::move(a));
}

std::optional<std::vector<Value>> Activation::results_of(const parser::MultipleAssignment& m, Place place) {
  const auto* call = std::get_if<parser::Call>(&m.call->node);
  auto values = call ? elaborate_results(in_, *m.call, *call, environment()) : std::nullopt;
  if (values && values->size() < m.targets.size()) {
    in_.error(place, fmt::format("this function has {} results, not {}", values->size(), m.targets.size()));
    return {};
  }
  return values;
}

Flow Activation::statement(const parser::Statement& s) {
  if (in_.elaboration.function_codes && ex().size() > in_.elaboration.function_codes->most_expressions) return Flow::failed;   // it becomes code
  if (const auto* a = std::get_if<parser::Assignment>(&s.node)) {
    auto value = elaborate(in_, *a->value, environment());
    return value ? assign(a->target, std::move(*value), s.place) : Flow::failed;
  }
  if (const auto* m = std::get_if<parser::MultipleAssignment>(&s.node)) {
    auto values = results_of(*m, s.place);
    if (!values) return Flow::failed;
    for (std::size_t k = 0; k < m->targets.size(); ++k) {
      if (!m->targets[k]) continue;
      const Flow flow = assign(std::get<parser::Reference>(m->targets[k]->node).name, std::move((*values)[k]), s.place);
      if (flow != Flow::next) return flow;
    }
    return Flow::next;
  }
  if (const auto* i = std::get_if<parser::IfStatement>(&s.node)) return if_statement(s, *i);
  if (const auto* f = std::get_if<parser::ForStatement>(&s.node)) return for_statement(*f, 0);
  if (const auto* w = std::get_if<parser::WhileStatement>(&s.node)) return while_statement(s, *w);
  if (const auto* c = std::get_if<parser::CallStatement>(&s.node)) return call_statement(*c);
  if (std::holds_alternative<parser::BreakStatement>(s.node)) return Flow::broken;
  if (std::holds_alternative<parser::ReturnStatement>(s.node)) return Flow::returned;
  in_.error(s.place, "a when-statement cannot stand in a function");
  return Flow::failed;
}

Flow Activation::statements(parser::List<parser::Statement> list) {
  for (const parser::Statement& s : list) {
    const Flow flow = statement(s);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

namespace {

/// The algorithm of a function, perhaps inherited.
void sections(Class* c, std::vector<const parser::AlgorithmSection*>& out, const parser::ExternalClause*& external) {
  for (const Class::Base& b : c->bases) sections(b.base, out, external);
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier) return;
  if (specifier->composition.external) external = specifier->composition.external;
  for (const auto& s : specifier->composition.sections)
    if (const auto* a = std::get_if<parser::AlgorithmSection>(&s)) out.push_back(a);   // others were refused already
}

}  // namespace

bool Activation::prepare() {
  if (!expand(in_, function_) || parser::has_errors(in_.diagnostics)) return false;
  sections(function_, algorithm_, external_);
  if ((external_ && !check_external()) || !declare()) return false;
  if (algorithm_.size() > 1) {
    in_.error(algorithm_[1]->place, fmt::format("the function {} has more than one algorithm section", function_->path),
              "join them into one", {{algorithm_[0]->place, "the first one"}});
    return false;
  }
  return algorithm_.empty() || check_breaks(in_, algorithm_.front()->statements);
}

std::optional<std::vector<std::int64_t>> Activation::vectorized(const Arguments& arguments) {
  std::optional<std::vector<std::int64_t>> found;
  const auto look = [&](const Argument& a, const Variable& v) {
    if (a.value.function || a.value.dims.size() <= v.ndims) return true;
    const std::vector<std::int64_t> extra(a.value.dims.begin(),
                                          a.value.dims.end() - static_cast<std::ptrdiff_t>(v.ndims));
    if (found && *found != extra) {
      in_.error(a.place, fmt::format("the arguments of {} are arrays of different sizes, {} and {}", function_->path,
                                     shape_text(*found), shape_text(extra)));
      return false;
    }
    found = extra;
    return true;
  };
  for (std::size_t i = 0; i < arguments.positional.size() && i < inputs_.size(); ++i)
    if (!look(arguments.positional[i], variables_[inputs_[i]])) return {};
  for (const Argument& a : arguments.named)
    if (const Variable* v = variable(a.name))
      if (!look(a, *v)) return {};
  return found ? found : std::vector<std::int64_t>{};
}

std::optional<std::vector<Value>> Activation::placeholders() const {
  std::vector<Value> results;
  for (std::size_t o : outputs_) {
    if (variables_[o].ndims > 0 || !variables_[o].type->basic) return {};
    results.push_back(placeholder(in_, Value{*variables_[o].type->basic, {}, {}}, {}));
  }
  return results;
}

Arguments Activation::element(const Arguments& arguments, const std::vector<std::int64_t>& over, std::size_t k) {
  Arguments one = arguments;
  const auto take = [&](Argument& a, const Variable& v) {
    if (!a.value.function && a.value.dims.size() > v.ndims) a.value = gather_leading(a.value, over.size(), {k}, {});
  };
  for (std::size_t i = 0; i < one.positional.size() && i < inputs_.size(); ++i) take(one.positional[i], variables_[inputs_[i]]);
  for (Argument& a : one.named)
    if (const Variable* v = variable(a.name)) take(a, *v);
  return one;
}

Arguments Activation::element_at(const Arguments& arguments, std::span<const Expr> at, Place place) {
  Arguments one = arguments;
  const auto take = [&](Argument& a, const Variable& v) {
    if (a.value.function || a.value.dims.size() <= v.ndims) return;
    if (a.value.record) throw SizeOfRun();
    const auto extents = extents_of(in_, a.value);
    a.value = extents.size() == at.size()
                  ? scalar(a.value.type, elements_of(in_, a.value, place)(at))
                  : array_of_run(in_, a.value.type, {extents.begin() + std::ptrdiff_t(at.size()), extents.end()},
                                 [outer = std::vector<Expr>(at.begin(), at.end()), element = elements_of(in_, a.value, place)](Subscript inner) {
                                   std::vector<Expr> all = outer;
                                   all.insert(all.end(), inner.begin(), inner.end());
                                   return element(all);
                                 }, place);
  };
  for (std::size_t i = 0; i < one.positional.size() && i < inputs_.size(); ++i) take(one.positional[i], variables_[inputs_[i]]);
  for (Argument& a : one.named)
    if (const Variable* v = variable(a.name)) take(a, *v);
  return one;
}

const Value& Activation::vectorized_argument(const Arguments& arguments) const {
  for (std::size_t i = 0; i < arguments.positional.size() && i < inputs_.size(); ++i)
    if (arguments.positional[i].value.dims.size() > variables_[inputs_[i]].ndims) return arguments.positional[i].value;
  for (const Argument& a : arguments.named)
    for (const std::size_t i : inputs_)
      if (variables_[i].name == a.name && a.value.dims.size() > variables_[i].ndims) return a.value;
  throw SizeOfRun();
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

std::optional<std::vector<Value>> Activation::run(const Arguments& arguments) {
  if (!bind_arguments(arguments) || !defaults()) return {};
  if (external_ && !carry_out()) return {};
  Flow flow = Flow::next;
  for (const parser::AlgorithmSection* a : algorithm_) flow = statements(a->statements);
  if (flow == Flow::failed || !execution_.finish()) return {};
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
