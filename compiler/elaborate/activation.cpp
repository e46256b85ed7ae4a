#include "compiler/elaborate/activation.hpp"
#include "compiler/elaborate/function_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "compiler/elaborate/declaration_order.hpp"
#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/subscripts.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/restrictions.hpp"
#include "compiler/statements/breaks.hpp"

namespace mosim::compiler {

Environment Activation::environment() {
  const Locals* last = nullptr;
  std::size_t used = 0;
  const auto add = [&](Name name, const Value& value) {
    Locals& l = used < chain_.size() ? chain_[used] : chain_.emplace_back();
    ++used;
    l.name = name;
    l.elsewhere = &value;
    l.outer = std::exchange(last, &l);
  };
  for (const auto& [name, value] : frame_) add(name, value);
  for (const Locals& l : iterators_) add(l.name, l.own);
  Environment env;
  env.scope = scope_;
  env.locals = last;
  env.literal = true;
  env.function = function_;
  env.call_depth = caller_.call_depth + 1;
  env.in_when = caller_.in_when;
  env.path = caller_.path;
  env.called_on_the_way = caller_.called_on_the_way;
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
  Environment env = environment();
  env.scope = v.member->sized_scope;
  const auto own = dimensions(in_, v.member->sized_declaration->subscripts, env);
  const auto of_clause = dimensions(in_, v.member->sized_clause->subscripts, env);
  if (!own || !of_clause) return false;
  v.dims.insert(v.dims.begin(), of_clause->begin(), of_clause->end());
  v.dims.insert(v.dims.begin(), own->begin(), own->end());
  return in_.has_room(v.member->place, room_for(v.dims));
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

constexpr int small = 512;   // nodes; larger ones grow from round to round of a loop

}  // namespace

void fold(Instances& in, Value& value) {
  for_each_leaf(value, [&](Value& leaf) {
    for (Expr& e : leaf.elements) {
      int budget = small;
      if (e == Expr::none || in.model.expressions.children(e).empty() || !is_small_constant(in.model.expressions, e, budget)) continue;
      if (const Expr number = in.evaluated(e); number != Expr::none) e = number;
    }
  });
}

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
  // Sizes may use whatever is given, before or behind them.
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (given[i]) {
      Value value = given[i]->value;
      fold(in_, value);
      frame_[variables_[inputs_[i]].name] = std::move(value);
    }
  // In order of declaration: defaults use the inputs before them, and an input's size its own value's.
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Variable& v = variables_[inputs_[i]];
    if (given[i]) {
      Value value = frame_.at(v.name);
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
  std::vector<Name> names;
  for (const Variable& v : variables_) names.push_back(v.name);
  const auto is_input = [&](std::size_t i) { return std::find(inputs_.begin(), inputs_.end(), i) != inputs_.end(); };
  DeclarationOrder found = declaration_order(names, [&](std::size_t i, const VisitReference& visit) {
    if (is_input(i)) return;   // it has its value
    each_reference_in_sizes(*variables_[i].member, visit);
    each_reference_in_value(*variables_[i].member, visit);
  });
  if (found.circular) {
    const Member* m = variables_[*found.circular].member;
    in_.error(m->place, fmt::format("the declared value of {} depends on itself", in_.text(m->name)), "break the cycle of declarations");
    return {};
  }
  std::erase_if(found.order, is_input);
  return std::move(found.order);
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

Activation::Variable* Activation::target(const parser::ComponentReference& name, Place place) {
  const Name first = name.parts.front().name;
  Variable* v = !name.global ? variable(first) : nullptr;
  if (!v) {
    in_.error(place, fmt::format("{} is no variable of this function", in_.text(first)));
    return nullptr;
  }
  if (std::find(inputs_.begin(), inputs_.end(), static_cast<std::size_t>(v - variables_.data())) != inputs_.end()) {
    in_.error(place, fmt::format("{} is an input and cannot be assigned", in_.text(first)), "assign a protected variable instead", {{v->member->place, "declared here"}});
    return nullptr;
  }
  return v;
}

std::optional<Activation::Part> Activation::part(const parser::ComponentReference& target, Value value, Place place, const Environment& env) {
  const Name first = target.parts.front().name;
  const Value whole = frame_.at(first);
  Value places = whole;
  std::int64_t next = 0;
  number_leaves(in_, places, next);
  // What else is of interest is the type of the part: taken from the value itself.
  auto old = select_parts(in_, whole, target, 0, env);
  const auto taken = old ? select_parts(in_, places, target, 0, env) : std::nullopt;
  if (!taken) return {};
  if (taken->dims != value.dims) {
    in_.error(place, fmt::format("a part of size {} cannot have a value of size {}", taken->dims.empty() ? "1 (a scalar)" : shape_text(taken->dims),
                                 value.dims.empty() ? "1 (a scalar)" : shape_text(value.dims)));
    return {};
  }
  const std::string name(in_.text(first));
  if (old->record ? !convert_record(in_, value, old->record, place, name) : !convert(in_, value, old->type, place, name)) return {};
  Part part;
  append_leaves(*taken, part.numbers);
  append_leaves(value, part.values);
  append_leaves(whole, part.leaves);
  if (part.numbers.size() != part.values.size()) {
    in_.error(place, fmt::format("the elements of {} and of its new value have different sizes", name));
    return {};
  }
  return part;
}

namespace {

void append(Subscripts& all, Subscripts&& more) {
  for (std::size_t d = 0; d < more.taken.size(); ++d) {
    all.taken.push_back(std::move(more.taken[d]));
    all.keeps.push_back(more.keeps[d]);
  }
}

}  // namespace

bool Activation::known_part(const parser::ComponentReference& target, const Value& given, Place place, const Environment& env,
                            std::optional<std::vector<NewElement>>& found) {
  Value* whole = &frame_.at(target.parts.front().name);
  std::vector<std::int64_t> dims;   // of the arrays on the way
  Subscripts all;
  for (std::size_t part = 0;; ++part) {
    const parser::ReferencePart& p = target.parts[part];
    const std::vector<std::int64_t> own(whole->dims.begin() + std::ptrdiff_t(dims.size()), whole->dims.end());
    if (whole->run || whole->function || p.subscripts.size() > own.size() || run_code(in_)) return true;
    bool dynamic = false;
    auto s = fixed_subscripts(in_, own, p.subscripts, p.place, spelled(in_, target, part), env, dynamic);
    if (!s) return false;
    if (dynamic || s->outside) return true;
    append(all, std::move(*s));
    dims = whole->dims;
    if (part + 1 == target.parts.size()) break;
    const auto i = whole->record ? record_position(in_, whole->record, target.parts[part + 1].name) : std::nullopt;
    if (!i) return true;
    whole = &whole->members[*i];
  }
  std::vector<std::int64_t> left;
  const auto taken = positions(dims, all, left);
  if (left != given.dims || is_of_run(*whole)) return true;
  Value value = given;
  const std::string name(in_.text(target.parts.front().name));
  if (whole->record ? !convert_record(in_, value, whole->record, place, name) : !convert(in_, value, whole->type, place, name)) return false;
  std::vector<NewElement> elements;
  const std::function<bool(Value&, const Value&)> collect = [&](Value& of, const Value& to) {
    for (std::size_t m = 0; m < of.members.size(); ++m)
      if (!collect(of.members[m], to.members[m])) return false;
    if (of.record) return true;
    std::size_t inner = 1;   // elements of one that is taken
    for (std::size_t d = dims.size(); d < of.dims.size(); ++d) inner *= std::size_t(of.dims[d]);
    if (to.elements.size() != taken.size() * inner) return false;
    for (std::size_t k = 0; k < to.elements.size(); ++k) elements.push_back({&of.elements[taken[k / inner] * inner + k % inner], to.elements[k]});
    return true;
  };
  if (collect(*whole, value)) found = std::move(elements);
  return true;
}

Activation::Element Activation::open_element(const parser::ComponentReference& target) {
  Value* record = &frame_.at(target.parts.front().name);
  for (std::size_t part = 0; part + 1 < target.parts.size(); ++part) {
    if (!target.parts[part].subscripts.empty() || !record->record || !record->dims.empty()) return {};
    const auto i = record_position(in_, record->record, target.parts[part + 1].name);
    if (!i) return {};
    Value& element = record->members[*i];
    const bool last = part + 2 == target.parts.size() && target.parts.back().subscripts.empty();
    if (last && !element.record && is_open_element(record_elements(in_, record->record)[*i])) return {record, *i};
    record = &element;
  }
  return {};
}

std::optional<Expr> Activation::condition(const parser::Expression& e, const Environment& env) {
  auto value = elaborate(in_, e, env);
  if (!value || !value->scalar() || !convert(in_, *value, boolean_type, e.place, "a condition")) return {};
  return value->only();
}

Flow Activation::call_statement(const parser::CallStatement& c, Place place) {
  const auto* call = std::get_if<parser::Call>(&c.call->node);
  if (!call) {
    in_.error(c.call->place, "this is an expression, not a statement");
    return Flow::failed;
  }
  if (simple_callee(in_, *c.call) == "assert") {
    auto a = elaborate_assert(in_, *c.call, *call, environment());
    if (!a) return Flow::failed;
    tell(std::move(*a), place);
    return Flow::next;
  }
  auto calls = call_for_effect(in_, *c.call, environment());
  if (!calls) return Flow::failed;
  for (flat::Assertion& a : *calls) tell(std::move(a), place);
  return Flow::next;
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
  if (!begins(s)) return Flow::failed;
  if (const auto* a = std::get_if<parser::Assignment>(&s.node)) {
    auto value = elaborate(in_, *a->value, environment());
    if (!value) return Flow::failed;
    std::vector<NewValue> one;
    one.push_back({&a->target, std::move(*value)});
    return assign(std::move(one), s.place);
  }
  if (const auto* m = std::get_if<parser::MultipleAssignment>(&s.node)) {
    auto values = results_of(*m, s.place);
    if (!values) return Flow::failed;
    std::vector<NewValue> all;
    for (std::size_t k = 0; k < m->targets.size(); ++k)
      if (m->targets[k]) all.push_back({&std::get<parser::Reference>(m->targets[k]->node).name, std::move((*values)[k])});
    return assign(std::move(all), s.place);
  }
  if (const auto* i = std::get_if<parser::IfStatement>(&s.node)) return if_statement(s, *i);
  if (const auto* f = std::get_if<parser::ForStatement>(&s.node)) return for_statement(s, *f, 0);
  if (const auto* w = std::get_if<parser::WhileStatement>(&s.node)) return while_statement(s, *w);
  if (const auto* c = std::get_if<parser::CallStatement>(&s.node)) return call_statement(*c, s.place);
  if (std::holds_alternative<parser::BreakStatement>(s.node)) return leave(Flow::broken, s.place);
  if (std::holds_alternative<parser::ReturnStatement>(s.node)) return leave(Flow::returned, s.place);
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

/// An inherited one sees what the class imports that it stands in (MLS 5.3.1, 13.2).
Flow Activation::algorithm() {
  Class* const around = scope_;
  scope_ = written_in_;
  Flow flow = Flow::next;
  for (const parser::AlgorithmSection* a : algorithm_) flow = statements(a->statements);
  scope_ = around;
  return flow;
}

/// The algorithm of a function, perhaps inherited.
void Activation::find_sections(Class* c) {
  for (const Class::Base& b : c->bases) find_sections(b.base);
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier) return;
  if (specifier->composition.external) external_ = specifier->composition.external;
  for (const auto& s : specifier->composition.sections) {
    const auto* a = std::get_if<parser::AlgorithmSection>(&s);   // others were refused already
    if (!a) continue;
    algorithm_.push_back(a);
    written_in_ = c;
  }
}

bool Activation::prepare() {
  if (!expand(in_, function_) || parser::has_errors(in_.diagnostics)) return false;
  find_sections(function_);
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

}  // namespace mosim::compiler
