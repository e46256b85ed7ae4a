// Calls of functions that a model defines (MLS 12): their arguments, element by element, partial derivatives. The algorithm is
// carried out at compile time, so that a call becomes its result (symbolic_call.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/function_rules.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/symbolic_call.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/differentiate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/restrictions.hpp"

namespace mosim::compiler {

namespace {

constexpr int maximum_call_depth = 4000;

/// A call of a function, while it is carried out.
class Counted {
public:
  Counted(Instances& in, const Class* function) : count_(in.elaboration.calls[function->definition]) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;

private:
  std::size_t& count_;
};

/// The value of an argument; a function's name stands for the function (MLS 12.4.2).
std::optional<Value> argument_value(Instances& in, const parser::Expression& e, const Environment& env) {
  if (std::holds_alternative<parser::PartialApplication>(e.node)) return function_value(in, e, env);
  if (const auto* r = std::get_if<parser::Reference>(&e.node)) {
    bool local = false;
    for (const Locals* l = env.locals; l && !r->name.global; l = l->outer)
      if (l->name == r->name.parts.front().name) {
        if (l->value().function) return l->value();
        local = true;
        break;
      }
    if (!local)
      if (Class* f = function_named(in, r->name, env)) return Value{real_type, {}, {}, nullptr, {}, f, {}};
  }
  return elaborate(in, e, env);
}

}  // namespace

bool becomes_too_long(Instances& in) {
  if (!(in.work > in.elaboration.most_known_work)) return false;
  in.elaboration.asked_unknown = true;   // the run finds it out
  return true;
}

Class* function_named(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  const Quietly quietly(in);
  Member* m = r.global ? find_member(in, &in.top, r.parts.front().name) : lookup(in, env.scope, r.parts.front().name);
  for (std::size_t i = 1; m && i < r.parts.size(); ++i) m = m->is_class() ? find_inside(in, m, r.parts[i].name, r.place, "function") : nullptr;
  if (!m || !m->is_class()) return nullptr;
  Class* c = instantiate_class(in, m, nullptr, r.place);
  return c && !c->basic && c->kind() == parser::ClassKind::function ? c : nullptr;
}

std::optional<Value> function_value(Instances& in, const parser::Expression& e, const Environment& env) {
  const auto& p = std::get<parser::PartialApplication>(e.node);
  Value v{real_type, {}, {}, nullptr, {}, nullptr, {}};
  for (const Locals* l = env.locals; l && p.function.parts.size() == 1; l = l->outer)
    if (l->name == p.function.parts.front() && l->value().function) {
      v = l->value();
      break;
    }
  if (!v.function) {
    Member* m = lookup_class(in, env.scope, p.function, "function");
    v.function = m ? instantiate_class(in, m, nullptr, e.place) : nullptr;
    if (!v.function) return {};
    if (v.function->basic || v.function->kind() != parser::ClassKind::function) {
      in.error(p.function.place, fmt::format("{} is not a function", v.function->path));
      return {};
    }
  }
  for (const parser::NamedArgument& a : p.arguments) {
    auto value = argument_value(in, *a.value, env);
    if (!value) return {};
    v.bound.push_back(a.name);
    v.members.push_back(std::move(*value));
  }
  return v;
}

std::optional<Arguments> elaborate_arguments(Instances& in, const parser::Call& call, const Environment& env) {
  Arguments arguments;
  for (const parser::Expression* e : call.arguments.positional) {
    auto v = argument_value(in, *e, env);
    if (!v) return {};
    arguments.positional.push_back({std::move(*v), e->place, Name::none, {}});
  }
  for (const parser::NamedArgument& a : call.arguments.named) {
    auto v = argument_value(in, *a.value, env);
    if (!v) return {};
    arguments.named.push_back({std::move(*v), a.value->place, a.name, a.place});
  }
  return arguments;
}

namespace {

/// `function f = der(g, u)` (MLS 12.7.2): g is carried out over placeholders for its Real arguments, its results are
/// differentiated by that of u, and the arguments put in again.
std::optional<std::vector<Value>> partial_derivative(Instances& in, Class* function, const Arguments& arguments, Place place,
                                                     const Environment& env) {
  const auto& specifier = std::get<parser::DerClassSpecifier>(function->definition->specifier);
  Member* m = lookup_class(in, function->enclosing, specifier.function, "function");
  Class* base = m ? instantiate_class(in, m, nullptr, specifier.function.place) : nullptr;
  if (!base || !expand(in, base)) return {};
  if (base->basic || base->kind() != parser::ClassKind::function) {
    in.error(specifier.function.place, fmt::format("{} is not a function", base->path));
    return {};
  }
  SymbolicCall shape(in, base, env, place);
  const auto over = shape.prepare() ? shape.vectorized(arguments) : std::nullopt;
  if (!over) return {};
  if (!over->empty()) {   // element by element (MLS 12.4.6)
    std::vector<Value> parts;
    for (std::size_t k = 0; k < count(*over); ++k) {
      auto one = partial_derivative(in, function, shape.element(arguments, *over, k), place, env);
      if (!one || one->empty()) return {};
      parts.push_back(std::move(one->front()));
    }
    if (parts.empty()) return std::vector<Value>{Value{real_type, *over, {}}};
    return std::vector<Value>{stack(parts, *over)};
  }
  Arguments inner = arguments;
  std::vector<std::pair<Name, Argument*>> by_name;
  std::size_t position = 0;
  for (Member* input : base->members) {
    if (input->is_class() || input->prefix.causality != parser::Causality::input) continue;
    Argument* given = position < inner.positional.size() ? &inner.positional[position] : nullptr;
    ++position;
    for (Argument& a : inner.named)
      if (a.name == input->name) given = &a;
    by_name.emplace_back(input->name, given);
  }
  const auto argument = [&](Name name) -> Argument* {
    for (auto& [input, given] : by_name)
      if (input == name) return given;
    return nullptr;
  };
  auto& ex = in.model.expressions;
  for (Name name : specifier.variables) {
    Argument* a = argument(name);
    if (!a || !a->value.scalar() || !is_numeric(a->value.type)) {
      in.error(a ? a->place : specifier.function.place,
               a ? fmt::format("{} must be a scalar Real for the derivative by it", in.text(name))
                 : fmt::format("{}, by which {} differentiates, is no input of {} that is given here", in.text(name), function->path, base->path));
      return {};
    }
    if (!convert(in, a->value, real_type, a->place, in.text(name))) return {};
  }
  Component placeholder;
  placeholder.name = "an argument";
  const std::size_t first = in.model.variables.size();
  std::vector<Expr> meant;
  const auto hold = [&](Expr& e) {
    flat::Variable v;
    v.name = fmt::format("argument {} of {}", meant.size() + 1, base->path);
    v.place = place;
    const auto id = static_cast<VariableId>(in.model.variables.size());
    in.model.variables.push_back(std::move(v));
    in.variable_elements.push_back({&placeholder, 0});
    meant.push_back(e);
    e = ex.variable(id, BaseType::real, place);
  };
  std::vector<Expr> by;
  for (Name name : specifier.variables) {
    Expr& e = argument(name)->value.elements.front();
    if (ex.op(e) != Op::variable || index(ex.variable(e)) < first) hold(e);
    by.push_back(e);
  }
  const auto hold_others = [&](Argument& a) {
    for_each_leaf(a.value, [&](Value& leaf) {
      for (Expr& e : leaf.elements)
        if (leaf.type.base == BaseType::real && in.evaluated(e) == Expr::none && !(ex.op(e) == Op::variable && index(ex.variable(e)) >= first)) hold(e);
    });
  };
  for (Argument& a : inner.positional) hold_others(a);
  for (Argument& a : inner.named) hold_others(a);
  auto results = apply_function(in, base, inner, place, env);
  bool good = results.has_value();
  if (good) {
    Rewriter arguments_again(ex, [&](Expr e) {
      return ex.op(e) == Op::variable && index(ex.variable(e)) >= first ? meant[index(ex.variable(e)) - first] : Expr::none;
    });
    for (Value& v : *results)
      for_each_leaf(v, [&](Value& leaf) {
        for (Expr& e : leaf.elements) {
          if (!good || leaf.type.base != BaseType::real) continue;
          for (Expr u : by) {
            const LeafDerivative one = [&](Expr n) { return ex.real(n == u ? 1 : 0, place); };
            e = differentiate(in.model, e, place, in.diagnostics, one);
            if (e == Expr::none) break;
          }
          good = e != Expr::none;
          if (good) e = arguments_again(e);
        }
      });
  }
  in.model.variables.resize(first);
  in.variable_elements.resize(first);
  if (!good) return {};
  return results;
}

}  // namespace

namespace {

constexpr std::size_t most_inlined = 1000;   // expressions that a call may become
constexpr double most_inlined_together = 1e5;   // expressions that a call element by element may become
constexpr double least_called = 20, least_called_work = 5 * Instances::work_of_a_call;   // of one of them: shorter ones are inlined, however many they are
constexpr double known_part = 0.5;           // of the room that is left: what a call with known arguments may take
constexpr double known_part_of_one_in_code = 0.01, known_part_in_code = 0.2;   // the same of a call in a function that is code itself, and of all these
constexpr double work_of_a_trial = 0.05;     // of all the room: what one that took more counts for

bool all_known(Instances& in, const Arguments& arguments) {
  const auto known = [&](const Argument& a) {
    if (a.value.function) return false;
    std::vector<Expr> leaves;
    append_leaves(a.value, leaves);
    return std::all_of(leaves.begin(), leaves.end(), [&](Expr e) { return e != Expr::none && in.evaluated(e) != Expr::none; });
  };
  return std::all_of(arguments.positional.begin(), arguments.positional.end(), known) && std::all_of(arguments.named.begin(), arguments.named.end(), known);
}

/// Within its life a call is carried out symbolically.
class Inlining {
public:
  explicit Inlining(FunctionCodes& codes, std::size_t most_open_rounds) : codes_(codes), before_(codes.inlining), most_before_(codes.most_open_rounds) {
    codes.inlining = true;
    codes.most_open_rounds = std::min(codes.most_open_rounds, most_open_rounds);
  }
  ~Inlining() {
    codes_.inlining = before_;
    codes_.most_open_rounds = most_before_;
  }
  Inlining(const Inlining&) = delete;

private:
  FunctionCodes& codes_;
  bool before_;
  std::size_t most_before_;
};

constexpr std::size_t few_open_rounds = 16;   // where code will do

/// Within its life a call with known arguments is carried out, for a part of the room that a model has: what takes more is to be code. Of calls in
/// such a call the outermost one counts; those that it calls need not be long.
class Trial {
public:
  Trial(Instances& in, FunctionCodes& codes, const Class* function)
      : in_(in), codes_(codes), function_(function), outermost_(std::isinf(in.elaboration.most_known_work)), work_before_(in.work) {
    if (outermost_) in.elaboration.most_known_work = in.work + (codes.current ? known_part_of_one_in_code : known_part) * (Instances::most_work - in.work);
  }
  ~Trial() {
    if (!outermost_) return;
    const bool was_too_long = in_.work > in_.elaboration.most_known_work;
    in_.elaboration.most_known_work = std::numeric_limits<double>::infinity();
    if (codes_.current) codes_.known_work += in_.work - work_before_;
    if (!has_results_ && was_too_long) (codes_.current ? codes_.too_long_in_code : codes_.too_long).insert(function_);
    if (has_results_ ? !used_ : was_too_long) in_.work = std::min(in_.work, work_before_ + work_of_a_trial * Instances::most_work);   // it was for nothing
  }
  Trial(const Trial&) = delete;

  static bool is_worth_it(const FunctionCodes& codes, const Class* function) {
    if (codes.too_long.contains(function)) return false;
    return !codes.current || (!codes.too_long_in_code.contains(function) && codes.known_work <= known_part_in_code * Instances::most_work);
  }
  void end(bool has_results, bool used) {
    has_results_ = has_results;
    used_ = used;
  }

private:
  Instances& in_;
  FunctionCodes& codes_;
  const Class* function_;
  bool outermost_, has_results_ = false, used_ = false;
  double work_before_;
};

/// A call becomes its result where that is short, or known; else it calls code.
std::optional<std::vector<Value>> inlined_or_called(Instances& in, Class* function, SymbolicCall& activation, const Arguments& arguments, Place place,
                                                    const Environment& env) {
  FunctionCodes& codes = function_codes(in);
  const bool called = std::exchange(codes.called, false);
  // What has effects is called, each time (MLS 12.3); what an impure function only reads may be read now for a declaration.
  const auto each_argument = [&](const auto& test) {
    return std::any_of(arguments.positional.begin(), arguments.positional.end(), test) || std::any_of(arguments.named.begin(), arguments.named.end(), test);
  };
  if (each_argument([](const Argument& a) { return is_of_run(a.value); })) return call_as_code(in, function, arguments, place, env, true);
  const bool impure = function->definition->purity == parser::Purity::impure;
  const auto is_effective = [&, calls = codes.calls] { return codes.calls != calls; };
  const auto as_code = [&] {
    if (!in.quiet) std::erase_if(codes.known, [](const auto& known) { return known.second.failed; });   // to say why
    return call_as_code(in, function, arguments, place, env, true);
  };
  const bool may_run = !impure || (!codes.current && !env.in_when && !env.initial);
  if (activation.is_external()) {
    if (may_run && all_known(in, arguments)) {
      const Quietly quietly(in);
      if (auto results = activation.run(arguments)) return results;
    }
    return as_code();
  }
  if (may_run && Trial::is_worth_it(codes, function) && all_known(in, arguments)) {
    std::vector<flat::Assertion> asserted;
    std::optional<std::vector<Value>> results;
    const bool asked_before = in.elaboration.asked_unknown;
    in.elaboration.asked_unknown = false;
    const auto said = in.said;
    const auto said_at = in.said_at;
    const std::size_t diagnostics = in.diagnostics.size();
    {
      const AssertionsTo to(in, &asserted);
      const Inlining inlining(codes, few_open_rounds);
      Trial trial(in, codes, function);
      results = activation.run(arguments);
      trial.end(results.has_value(), !is_effective());
    }
    const bool asked_unknown = in.elaboration.asked_unknown;
    in.elaboration.asked_unknown = asked_before || asked_unknown;
    if (!results && asked_unknown && !in.exhausted) {   // what cannot be known now the run finds out
      in.diagnostics.resize(diagnostics);
      in.said = said;
      in.said_at = said_at;
      return as_code();
    }
    if (!is_effective()) {
      auto& all = asserted_by_calls(in);
      std::move(asserted.begin(), asserted.end(), std::back_inserter(all));
      return results;
    }
  }
  if (impure || is_effective()) return as_code();
  if (!env.literal && generates_events(in, function)) {   // it has to be inlined, however long it becomes
    SymbolicCall events(in, function, env, place);
    events.make_events();
    std::vector<flat::Assertion> asserted;
    std::optional<std::vector<Value>> results;
    const std::size_t outer_most = std::exchange(codes.most_expressions, std::size_t(-1));
    {
      const AssertionsTo to(in, &asserted);
      const Quietly quietly(in);
      const Inlining inlining(codes, few_open_rounds);
      if (in.elaboration.calls[function->definition] == 1 && events.prepare()) results = events.run(arguments);
    }
    codes.most_expressions = outer_most;
    if (results && !is_effective()) {
      auto& all = asserted_by_calls(in);
      std::move(asserted.begin(), asserted.end(), std::back_inserter(all));
      return results;
    }
    const std::string said = fmt::format("{} is annotated GenerateEvents and cannot be inlined: its relations make no events", function->path);
    if (in.is_news(function->definition->place, said)) in.diagnostics.push_back({Severity::warning, place, said, {}, {{function->definition->place, "declared here"}}});
  }
  const auto asked = [&] { return codes.needs ? codes.needs->asked : 0; };
  const auto of_time = [&](const Argument& a) { return varies_with_time_alone(in, a.value); };
  const bool is_of_time = std::any_of(arguments.positional.begin(), arguments.positional.end(), of_time) || std::any_of(arguments.named.begin(), arguments.named.end(), of_time);
  const Named named = codes.not_inlined.contains(function) ? Named::nothing : what_it_names(in, function, is_of_time);
  if (named == Named::kept) codes.not_inlined.insert(function);
  if (!called && !codes.not_inlined.contains(function) && !codes.too_long.contains(function)) {
    // Tried without a word: what fails may be possible as code.
    std::vector<flat::Assertion> asserted;
    std::optional<std::vector<Value>> results;
    const auto needs = codes.needs ? *codes.needs : FunctionCodes::Needs();
    const std::size_t outer_most = codes.most_expressions, own_most = in.model.expressions.size() + most_inlined;
    {
      const AssertionsTo to(in, &asserted);
      const Quietly quietly(in);
      codes.most_expressions = std::min(outer_most, own_most);
      const Inlining inlining(codes, few_open_rounds);
      if (in.elaboration.calls[function->definition] == 1) results = activation.run(arguments);   // it does not call itself
      codes.most_expressions = outer_most;
    }
    if (is_effective()) results.reset();
    if (results) {
      auto& all = asserted_by_calls(in);
      all.insert(all.end(), asserted.begin(), asserted.end());
      if (named == Named::derivative_of_inlined || named == Named::kept_unless_of_signals) {
        if (!is_of_time) return results;
        const Quietly quietly(in);
        std::size_t& depth = in.elaboration.calls[function->definition];
        const std::size_t outer = std::exchange(depth, 0);   // that its derivative calls it is no recursion
        const auto code = call_as_code(in, function, arguments, place, env, false);
        depth = outer;
        if (code && !keep_derivatives(in, *results, *code) && named == Named::kept_unless_of_signals) return code;
      }
      return results;
    }
    if (codes.needs) *codes.needs = needs;
    if (in.exhausted || in.model.expressions.size() > outer_most) return {};
    codes.not_inlined.insert(function);
    if (is_effective()) return as_code();
  }
  if (run_code(in)) return as_code();
  const std::size_t asked_before = asked();
  {
    const Quietly quietly(in);
    if (auto results = call_as_code(in, function, arguments, place, env, false)) return results;
  }
  if (asked() != asked_before || in.exhausted) return {};
  {
    const Quietly quietly(in);   // as long as it becomes
    SymbolicCall again(in, function, env, place);
    const Inlining inlining(codes, std::size_t(-1));
    std::vector<flat::Assertion> asserted;
    std::optional<std::vector<Value>> results;
    if (in.elaboration.calls[function->definition] == 1 && again.prepare()) {
      const AssertionsTo to(in, &asserted);
      results = again.run(arguments);
    }
    if (results) {
      auto& all = asserted_by_calls(in);
      std::move(asserted.begin(), asserted.end(), std::back_inserter(all));
      return results;
    }
  }
  std::erase_if(codes.known, [](const auto& known) { return known.second.failed; });   // to say why
  return call_as_code(in, function, arguments, place, env, true);
}

}  // namespace

std::optional<std::vector<Value>> apply_function(Instances& in, Class* function, const Arguments& arguments, Place place,
                                                 const Environment& env) {
  if (env.untaken) {
    if (env.type_only && !function->definition->partial)
      if (SymbolicCall shape(in, function, env, place); shape.prepare())
        if (auto results = shape.placeholders()) return results;
    in.elaboration.passed_over = true;
    return {};
  }
  if (env.call_depth > maximum_call_depth) {
    const bool recursive = in.elaboration.calls[function->definition] > 0;
    in.error(place, recursive ? fmt::format("{} calls itself, without end or more than {} deep", function->path, maximum_call_depth)
                              : fmt::format("calls of functions nest more than {} deep here", maximum_call_depth));
    return {};
  }
  const Counted counted(in, function);
  if (!in.has_room(place, Instances::work_of_a_call) || becomes_too_long(in)) return {};
  if (function->definition->partial) {
    in.error(place, fmt::format("{} is partial and cannot be called", function->path), {},
             {{function->definition->place, "declared partial here"}});
    return {};
  }
  if (std::holds_alternative<parser::DerClassSpecifier>(function->definition->specifier))
    return partial_derivative(in, function, arguments, place, env);
  SymbolicCall first(in, function, env, place);
  if (!first.prepare()) return {};
  const auto over = first.vectorized(arguments);
  if (!over) return {};
  if (over->empty()) return inlined_or_called(in, function, first, arguments, place, env);
  if (!first.has_one_scalar_result()) {   // MLS 12.4.6
    in.error(place, fmt::format("{} cannot be applied to arrays element by element: only a function with one scalar result can", function->path),
             "write a loop of calls", {{function->definition->place, "declared here"}});
    return {};
  }
  if (std::any_of(over->begin(), over->end(), [](std::int64_t d) { return d < 0; })) {
    auto extents = extents_of(in, first.vectorized_argument(arguments));
    extents.resize(over->size());
    auto all = tabulate(in, extents, [&](Subscript at) -> std::optional<Value> {
      auto one = apply_function(in, function, first.element_at(arguments, at, place), place, env);
      if (!one || one->empty()) return {};
      return std::move(one->front());
    }, place);
    if (!all) return {};
    return std::vector<Value>{std::move(*all)};
  }
  // Element by element (MLS 12.4.6): the arguments with these leading dimensions are taken apart.
  const std::size_t n = count(*over);
  if (n == 0) {
    const auto results = first.placeholders();
    if (results) return std::vector<Value>{Value{results->front().type, *over, {}}};
    in.unsupported(place, "a function with a record as its result applied to the elements of an empty array");
    return {};
  }
  std::vector<std::vector<Value>> all;
  const std::size_t size_before = in.model.expressions.size();
  const double work_before = in.work;
  bool called = false;
  for (std::size_t k = 0; k < n; ++k) {
    SymbolicCall call(in, function, env, place);
    if (!call.prepare()) return {};
    // As long as all will be, if the others are like those so far.
    const double part = double(k) / double(n), size = double(in.model.expressions.size() - size_before), work = in.work - work_before;
    const bool is_long = size > least_called * double(k) || work > least_called_work * double(k);
    called = called || (k > 0 && is_long && (size > part * most_inlined_together || work > part * work_of_a_trial * Instances::most_work));
    function_codes(in).called = called;
    auto results = inlined_or_called(in, function, call, first.element(arguments, *over, k), place, env);
    if (!results) return {};
    all.resize(results->size());
    for (std::size_t r = 0; r < results->size(); ++r) all[r].push_back(std::move((*results)[r]));
  }
  std::vector<Value> stacked;
  for (const auto& parts : all)
    for (const Value& part : parts)
      if (!same_sizes(part, parts.front())) {
        in.error(place, fmt::format("{} applied to arrays element by element has results of different sizes", function->path), {}, {{function->definition->place, "declared here"}});
        return {};
      }
  for (const auto& parts : all) stacked.push_back(stack(parts, *over));
  return stacked;
}

namespace {

/// What a function may call (MLS 12.3). The error says so; a function that says nothing of itself is treated as impure, which is deprecated.
bool check_purity(Instances& in, const Class* function, Place place, const Environment& env) {
  if (env.is_pure || !env.function || !env.function->definition || function->definition->purity != parser::Purity::impure) return true;
  const auto own = env.function->definition->purity;
  const parser::Place declared = env.function->definition->place;
  if (own == parser::Purity::impure || env.function->kind() != parser::ClassKind::function) return true;
  if (own == parser::Purity::pure) {
    in.error(place, fmt::format("{} is declared pure and calls {}, which is impure", env.function->path, function->path),
             fmt::format("declare it impure; or, if the same arguments always give the same: pure({}(...))", function->path), {{declared, "declared pure here"}});
    return false;
  }
  std::string said = fmt::format("{} calls {}, which is impure, so that it is impure itself: it should be declared so", env.function->path, function->path);
  if (!in.library.in_library(place) && !in.library.in_library(declared) && in.is_news(declared, said))
    in.diagnostics.push_back({Severity::warning, place, std::move(said), {}, {{declared, "write `impure function` here"}}});
  return true;
}

}  // namespace

std::optional<std::vector<Value>> call_function(Instances& in, Class* function, const parser::Expression& e,
                                                const parser::Call& call, const Environment& env) {
  if (!check_purity(in, function, e.place, env)) return {};
  if (call.arguments.iterators.empty()) {
    Environment inner = env;
    inner.is_pure = false;
    const auto arguments = elaborate_arguments(in, call, inner);
    return arguments ? apply_function(in, function, *arguments, e.place, env) : std::nullopt;
  }
  in.error(e.place, "a function that a model defines cannot be applied to an iteration",
           "write an array of calls: {f(x) for ...}");
  return {};
}

std::optional<std::vector<Value>> call_functional(Instances& in, const Value& function, const parser::Expression& e,
                                                  const parser::Call& call, const Environment& env) {
  auto arguments = elaborate_arguments(in, call, env);
  if (!arguments) return {};
  for (std::size_t k = 0; k < function.bound.size(); ++k)
    arguments->named.push_back({function.members[k], e.place, function.bound[k], e.place});
  // The inputs given beforehand are left out of the order of the others.
  if (!function.bound.empty()) {
    std::vector<Name> open;
    for (Member* m : (expand(in, function.function), function.function->members))
      if (!m->is_class() && m->prefix.causality == parser::Causality::input &&
          std::find(function.bound.begin(), function.bound.end(), m->name) == function.bound.end())
        open.push_back(m->name);
    if (arguments->positional.size() > open.size()) {
      in.error(e.place, fmt::format("{} takes {} more arguments here, not {}", function.function->path, open.size(), arguments->positional.size()));
      return {};
    }
    for (std::size_t k = 0; k < arguments->positional.size(); ++k) {
      Argument a = std::move(arguments->positional[k]);
      a.name = open[k];
      a.name_place = a.place;
      arguments->named.push_back(std::move(a));
    }
    arguments->positional.clear();
  }
  return apply_function(in, function.function, *arguments, e.place, env);
}

}  // namespace mosim::compiler
