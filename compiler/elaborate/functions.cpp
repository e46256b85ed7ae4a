// Calls of functions that a model defines (MLS 12): the algorithm is carried out at compile time over expressions, so
// that a call becomes its result. What cannot be carried out that way (a loop whose end depends on a variable, external
// code, records) is refused.

#include <fmt/format.h>

#include <deque>
#include <map>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/flatten.hpp"

namespace mosim::compiler {

namespace {

constexpr int maximum_call_depth = 100;
constexpr std::size_t maximum_loop = 100000;

/// The variables of one call by name. A member without a value yet has no elements.
using Frame = std::map<Name, Value>;

struct Variable {
  Member* member;
  Name name;
  Type type;
  std::vector<std::int64_t> dims;   // -1: open
  bool assigned = false;
};

enum class Flow { next, broken, returned, failed };

class Activation {
public:
  Activation(Instances& in, Class* function, const Environment& caller, Place call)
      : in_(in), function_(function), caller_(caller), call_(call) {}

  std::optional<std::vector<Value>> run(const parser::Call& call);

private:
  Expressions& ex() { return in_.model.expressions; }
  Environment environment();
  bool declare();
  bool bind_arguments(const parser::Call& call);
  bool set(Variable& v, Value value, Place place);
  bool defaults();
  Flow statements(parser::List<parser::Statement> list);
  Flow statement(const parser::Statement& s);
  Flow assign(const parser::ComponentReference& target, Value value, Place place);
  Flow if_statement(const parser::Statement& s, const parser::IfStatement& i, std::size_t branch);
  Flow for_statement(const parser::ForStatement& f, std::size_t index);
  Flow while_statement(const parser::Statement& s, const parser::WhileStatement& w);
  Flow call_statement(const parser::CallStatement& c);
  bool merge_frames(Expr condition, const Frame& before, Frame yes, Frame no, Place place);
  Variable* variable(Name name) {
    for (Variable& v : variables_)
      if (v.name == name) return &v;
    return nullptr;
  }

  Instances& in_;
  Class* function_;
  const Environment& caller_;
  Place call_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> inputs_, outputs_;
  Frame frame_;
  std::vector<Locals> iterators_;       // of the for loops around, outermost first
  std::deque<Locals> chain_;            // what environment() hands out
  Expr path_ = Expr::none;              // the condition under which the statement at hand is reached
};

Environment Activation::environment() {
  chain_.clear();
  const Locals* last = nullptr;
  for (const auto& [name, value] : frame_) last = &chain_.emplace_back(Locals{name, value, last});
  for (const Locals& l : iterators_) last = &chain_.emplace_back(Locals{l.name, l.value, last});
  Environment env;
  env.scope = function_;
  env.locals = last;
  env.literal = true;
  env.in_function = true;
  env.call_depth = caller_.call_depth + 1;
  env.in_when = caller_.in_when;
  return env;
}

/// The variables of the function, in order of declaration.
bool Activation::declare() {
  for (Member* m : function_->members) {
    if (m->is_class()) continue;
    const parser::TypePrefix& prefix = m->prefix;
    if (prefix.variability == parser::Variability::constant) continue;   // found by lookup
    Member* type_member = lookup_class(in_, m->scope, m->clause->type, "type");
    std::vector<std::int64_t> type_dims;
    Class* type = type_member ? instantiate_class(in_, type_member, m->modifier, m->place, &type_dims) : nullptr;
    if (!type || !expand(in_, type)) return false;
    if (!type->basic) {
      in_.unsupported(m->clause->type.place, fmt::format("the type {} for a variable of a function", type->path));
      return false;
    }
    if (prefix.causality == parser::Causality::input) inputs_.push_back(variables_.size());
    if (prefix.causality == parser::Causality::output) outputs_.push_back(variables_.size());
    variables_.push_back({m, m->name, *type->basic, std::move(type_dims), false});
  }
  return true;
}

bool Activation::set(Variable& v, Value value, Place place) {
  if (!convert(in_, value, v.type, place, fmt::format("{}", in_.text(v.name)))) return false;
  bool fits = value.dims.size() == v.dims.size();
  for (std::size_t d = 0; fits && d < v.dims.size(); ++d)
    if (v.dims[d] >= 0 && v.dims[d] != value.dims[d]) fits = false;
  if (!fits) {
    in_.error(place, fmt::format("{}{} cannot have a value of size {}", in_.text(v.name), shape_text(v.dims),
                                 value.dims.empty() ? "1 (a scalar)" : shape_text(value.dims)));
    return false;
  }
  v.assigned = true;
  frame_[v.name] = std::move(value);
  return true;
}

bool Activation::bind_arguments(const parser::Call& call) {
  const auto& positional = call.arguments.positional;
  if (positional.size() > inputs_.size()) {
    in_.error(call_, fmt::format("{} takes {} argument{}, not {}", function_->path, inputs_.size(),
                                 inputs_.size() == 1 ? "" : "s", positional.size()));
    return false;
  }
  std::vector<std::pair<Value, Place>> given(inputs_.size());
  std::vector<bool> has(inputs_.size(), false);
  for (std::size_t i = 0; i < positional.size(); ++i) {
    auto v = elaborate(in_, *positional[i], caller_);
    if (!v) return false;
    given[i] = {std::move(*v), positional[i]->place};
    has[i] = true;
  }
  for (const parser::NamedArgument& a : call.arguments.named) {
    std::size_t i = 0;
    while (i < inputs_.size() && variables_[inputs_[i]].name != a.name) ++i;
    if (i == inputs_.size()) {
      in_.error(a.place, fmt::format("{} has no input named {}", function_->path, in_.text(a.name)));
      return false;
    }
    if (has[i]) {
      in_.error(a.place, fmt::format("the input {} is given twice", in_.text(a.name)));
      return false;
    }
    auto v = elaborate(in_, *a.value, caller_);
    if (!v) return false;
    given[i] = {std::move(*v), a.value->place};
    has[i] = true;
  }
  // In order of declaration: sizes and defaults may use the inputs before them.
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Variable& v = variables_[inputs_[i]];
    const auto own = dimensions(in_, v.member->sized_declaration->subscripts, environment());
    const auto of_clause = dimensions(in_, v.member->sized_clause->subscripts, environment());
    if (!own || !of_clause) return false;
    v.dims.insert(v.dims.begin(), of_clause->begin(), of_clause->end());
    v.dims.insert(v.dims.begin(), own->begin(), own->end());
    if (has[i]) {
      if (!set(v, std::move(given[i].first), given[i].second)) return false;
      continue;
    }
    const Modifier* m = v.member->modifier;
    if (!m || !m->binding || !m->binding->expression) {
      in_.error(call_, fmt::format("the input {} of {} is not given and has no default", in_.text(v.name), function_->path),
                {}, {{v.member->place, "declared here"}});
      return false;
    }
    auto value = elaborate(in_, *m->binding->expression, environment());
    if (!value || !set(v, std::move(*value), m->binding->place)) return false;
  }
  return true;
}

/// Outputs and protected variables start with their declared values.
bool Activation::defaults() {
  for (Variable& v : variables_) {
    if (v.member->prefix.causality == parser::Causality::input) continue;
    const auto own = dimensions(in_, v.member->sized_declaration->subscripts, environment());
    const auto of_clause = dimensions(in_, v.member->sized_clause->subscripts, environment());
    if (!own || !of_clause) return false;
    v.dims.insert(v.dims.begin(), of_clause->begin(), of_clause->end());
    v.dims.insert(v.dims.begin(), own->begin(), own->end());
    const Modifier* m = v.member->modifier;
    if (m && m->binding && m->binding->expression) {
      auto value = elaborate(in_, *m->binding->expression, environment());
      if (!value || !set(v, std::move(*value), m->binding->place)) return false;
    }
  }
  return true;
}

Flow Activation::assign(const parser::ComponentReference& target, Value value, Place place) {
  const parser::ReferencePart& part = target.parts.front();
  Variable* v = target.parts.size() == 1 && !target.global ? variable(part.name) : nullptr;
  if (!v) {
    in_.error(place, fmt::format("{} is no variable of this function", in_.text(part.name)));
    return Flow::failed;
  }
  if (v->member->prefix.causality == parser::Causality::input) {
    in_.error(place, fmt::format("{} is an input and cannot be assigned", in_.text(part.name)), {},
              {{v->member->place, "declared here"}});
    return Flow::failed;
  }
  if (part.subscripts.empty()) return set(*v, std::move(value), place) ? Flow::next : Flow::failed;
  // An element or a slice of an array: positions are found by taking the same part of 0, 1, 2, ...
  for (std::int64_t d : v->dims)
    if (d < 0) {
      in_.unsupported(place, "assigning an element of an array whose size is open");
      return Flow::failed;
    }
  const auto known = frame_.find(part.name);
  Value whole;
  if (known != frame_.end()) {
    whole = known->second;
  } else {
    whole.type = v->type;
    whole.dims = v->dims;
    whole.elements.assign(count(v->dims), Expr::none);
  }
  Value places{integer_type, v->dims, {}};
  for (std::size_t k = 0; k < count(v->dims); ++k) places.elements.push_back(ex().integer(static_cast<std::int64_t>(k)));
  const auto taken = subscript(in_, places, part.subscripts, place, environment());
  if (!taken) return Flow::failed;
  if (taken->dims != value.dims) {
    in_.error(place, fmt::format("a part of size {} cannot have a value of size {}", shape_text(taken->dims), shape_text(value.dims)));
    return Flow::failed;
  }
  if (!convert(in_, value, v->type, place, fmt::format("{}", in_.text(v->name)))) return Flow::failed;
  for (std::size_t k = 0; k < taken->elements.size(); ++k) {
    if (ex().op(taken->elements[k]) != Op::integer) {
      in_.unsupported(place, "a subscript on a left side that is not known before the run");
      return Flow::failed;
    }
    whole.elements[static_cast<std::size_t>(ex().integer_value(taken->elements[k]))] = value.elements[k];
  }
  frame_[part.name] = std::move(whole);
  v->assigned = true;
  return Flow::next;
}

/// After an if that could go both ways: each variable is one or the other.
bool Activation::merge_frames(Expr condition, const Frame& before, Frame yes, Frame no, Place place) {
  Frame merged;
  for (auto& [name, value] : yes) {
    const auto other = no.find(name);
    if (other == no.end()) {
      if (!before.contains(name)) continue;   // assigned in one branch alone: not defined after it
    } else if (other->second.dims != value.dims) {
      in_.unsupported(place, "an if that gives an array one size or another");
      return false;
    } else {
      for (std::size_t k = 0; k < value.elements.size(); ++k) {
        const Expr a = value.elements[k], b = other->second.elements[k];
        value.elements[k] = a == b ? a
                            : a == Expr::none || b == Expr::none
                                ? Expr::none
                                : ex().make(Op::if_, value.type.base, {condition, a, b}, place);
      }
    }
    merged[name] = std::move(value);
  }
  frame_ = std::move(merged);
  return true;
}

Flow Activation::if_statement(const parser::Statement& s, const parser::IfStatement& i, std::size_t branch) {
  if (branch == i.branches.size()) return Flow::next;
  const auto& b = i.branches[branch];
  if (!b.condition) return statements(b.body);
  auto condition = elaborate(in_, *b.condition, environment());
  if (!condition || !condition->scalar() || !convert(in_, *condition, boolean_type, b.condition->place, "a condition"))
    return Flow::failed;
  const Expr known = in_.evaluated(condition->only());
  if (known != Expr::none) return ex().payload(known) ? statements(b.body) : if_statement(s, i, branch + 1);
  const Frame before = frame_;
  const Expr outer = path_;
  const auto both = [&](Expr c) {
    return outer == Expr::none ? c : ex().simplified(Op::and_, BaseType::boolean, {outer, c}, s.place);
  };
  path_ = both(condition->only());
  const Flow yes_flow = statements(b.body);
  Frame yes = std::move(frame_);
  frame_ = before;
  path_ = both(ex().simplified(Op::not_, BaseType::boolean, {condition->only()}, s.place));
  const Flow no_flow = yes_flow == Flow::failed ? Flow::failed : if_statement(s, i, branch + 1);
  path_ = outer;
  if (yes_flow == Flow::failed || no_flow == Flow::failed) return Flow::failed;
  if (yes_flow != no_flow) {
    in_.unsupported(s.place, "break or return under a condition that is not known before the run");
    return Flow::failed;
  }
  if (!merge_frames(condition->only(), before, std::move(yes), std::move(frame_), s.place)) return Flow::failed;
  return yes_flow;
}

Flow Activation::for_statement(const parser::ForStatement& f, std::size_t index) {
  const parser::ForIndex& i = f.indices[index];
  const auto range = iteration_range(in_, i, environment());
  if (!range) return Flow::failed;
  for (Expr e : range->elements) {
    iterators_.push_back({i.name, scalar(range->type, e), nullptr});
    const Flow flow = index + 1 < f.indices.size() ? for_statement(f, index + 1) : statements(f.body);
    iterators_.pop_back();
    if (flow == Flow::broken) break;
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

Flow Activation::while_statement(const parser::Statement& s, const parser::WhileStatement& w) {
  for (std::size_t n = 0; n < maximum_loop; ++n) {
    auto condition = elaborate(in_, *w.condition, environment());
    if (!condition || !condition->scalar() || !convert(in_, *condition, boolean_type, w.condition->place, "a condition"))
      return Flow::failed;
    const Expr known = in_.evaluated(condition->only());
    if (known == Expr::none) {
      in_.unsupported(s.place, "a while loop whose condition is not known before the run");
      return Flow::failed;
    }
    if (!ex().payload(known)) return Flow::next;
    const Flow flow = statements(w.body);
    if (flow == Flow::broken) return Flow::next;
    if (flow != Flow::next) return flow;
  }
  in_.error(s.place, fmt::format("this loop has not ended after {} rounds", maximum_loop));
  return Flow::failed;
}

Flow Activation::call_statement(const parser::CallStatement& c) {
  const std::string_view name = simple_callee(in_, *c.call);
  const auto* call = std::get_if<parser::Call>(&c.call->node);
  if (name != "assert") {
    in_.unsupported(c.call->place, "calling a function without using its result");
    return Flow::failed;
  }
  auto a = flatten_assert(in_, *c.call, *call, environment());
  if (!a) return Flow::failed;
  if (path_ != Expr::none)
    a->condition = ex().simplified(Op::or_, BaseType::boolean,
                                   {ex().simplified(Op::not_, BaseType::boolean, {path_}, a->place), a->condition}, a->place);
  const Expr known = in_.evaluated(a->condition);
  if (known != Expr::none && ex().payload(known)) return Flow::next;
  if (caller_.in_when || caller_.call_depth > 0) {
    in_.unsupported(c.call->place, "an assertion in a function called from a when-clause or another function");
    return Flow::failed;
  }
  in_.model.assertions.push_back(std::move(*a));
  return Flow::next;
}

Flow Activation::statement(const parser::Statement& s) {
  if (const auto* a = std::get_if<parser::Assignment>(&s.node)) {
    auto value = elaborate(in_, *a->value, environment());
    return value ? assign(a->target, std::move(*value), s.place) : Flow::failed;
  }
  if (const auto* m = std::get_if<parser::MultipleAssignment>(&s.node)) {
    const auto* call = std::get_if<parser::Call>(&m->call->node);
    auto values = call ? elaborate_results(in_, *m->call, *call, environment()) : std::nullopt;
    if (!values) return Flow::failed;
    if (values->size() < m->targets.size()) {
      in_.error(s.place, fmt::format("this function has {} results, not {}", values->size(), m->targets.size()));
      return Flow::failed;
    }
    for (std::size_t k = 0; k < m->targets.size(); ++k) {
      if (!m->targets[k]) continue;
      const Flow flow = assign(std::get<parser::Reference>(m->targets[k]->node).name, std::move((*values)[k]), s.place);
      if (flow != Flow::next) return flow;
    }
    return Flow::next;
  }
  if (const auto* i = std::get_if<parser::IfStatement>(&s.node)) return if_statement(s, *i, 0);
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

/// The algorithm sections of a function, its base classes' first.
bool sections(Instances& in, Class* c, std::vector<const parser::AlgorithmSection*>& out) {
  for (const Class::Base& b : c->bases)
    if (!sections(in, b.base, out)) return false;
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier) return true;
  if (specifier->composition.external) {
    in.unsupported(specifier->composition.external->place, fmt::format("the external function {}", c->path));
    return false;
  }
  for (const auto& s : specifier->composition.sections) {
    const auto* a = std::get_if<parser::AlgorithmSection>(&s);
    if (!a || a->initial) {
      in.error(c->definition->place, fmt::format("the function {} has an equation section", c->path),
               "a function has an algorithm");
      return false;
    }
    out.push_back(a);
  }
  return true;
}

std::optional<std::vector<Value>> Activation::run(const parser::Call& call) {
  std::vector<const parser::AlgorithmSection*> algorithm;
  if (!expand(in_, function_) || !sections(in_, function_, algorithm) || !declare()) return {};
  if (outputs_.empty()) {
    in_.error(call_, fmt::format("{} has no result", function_->path));
    return {};
  }
  if (!bind_arguments(call) || !defaults()) return {};
  for (const parser::AlgorithmSection* a : algorithm) {
    const Flow flow = statements(a->statements);
    if (flow == Flow::failed) return {};
    if (flow == Flow::returned) break;
  }
  std::vector<Value> results;
  for (std::size_t o : outputs_) {
    const Variable& v = variables_[o];
    const auto it = frame_.find(v.name);
    bool whole = it != frame_.end();
    if (whole)
      for (Expr e : it->second.elements) whole &= e != Expr::none;
    if (!whole) {
      in_.error(call_, fmt::format("the result {} of {} is not always assigned", in_.text(v.name), function_->path), {},
                {{v.member->place, "declared here"}});
      return {};
    }
    results.push_back(it->second);
  }
  return results;
}

}  // namespace

std::optional<std::vector<Value>> call_function(Instances& in, Class* function, const parser::Expression& e,
                                                const parser::Call& call, const Environment& env) {
  if (env.call_depth > maximum_call_depth) {
    in.error(e.place, fmt::format("{} calls itself, without end", function->path));
    return {};
  }
  if (function->definition->partial) {
    in.error(e.place, fmt::format("{} is partial and cannot be called", function->path), {},
             {{function->definition->place, "declared partial here"}});
    return {};
  }
  if (!call.arguments.iterators.empty()) {
    in.error(e.place, "a function that a model defines cannot be applied to an iteration");
    return {};
  }
  return Activation(in, function, env, e.place).run(call);
}

}  // namespace mosim::compiler
