// Built-in functions and operators with function syntax (MLS 3.7), and the table of all of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/builtins.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

bool builtins::scalar_argument(Call& c, std::size_t i, Type type) {
  Value& v = c.arguments[i];
  if (!v.scalar()) {
    c.in.error(c.argument_place(i), fmt::format("argument {} of {} must be a scalar, not an array {}", i + 1, c.name,
                                                shape_text(v.dims)));
    return false;
  }
  return convert(c.in, v, type, c.argument_place(i), fmt::format("argument {} of {}", i + 1, c.name));
}

std::optional<Value> builtins::pairwise(Call& c, Op op, Type result, bool literal) {
  Value &a = c.arguments[0], &b = c.arguments[1];
  if (!a.scalar() && !b.scalar() && a.dims != b.dims)
    return c.fail(fmt::format("the arguments of {} have different sizes, {} and {}", c.name, shape_text(a.dims),
                              shape_text(b.dims)));
  Value v{result, a.scalar() ? b.dims : a.dims, {}};
  const std::size_t n = count(v.dims);
  for (std::size_t k = 0; k < n; ++k)
    v.elements.push_back(c.ex().make(op, result.base, {a.scalar() ? a.only() : a.elements[k],
                                                       b.scalar() ? b.only() : b.elements[k]},
                                     c.place(), literal));
  return v;
}

namespace {

using builtins::Call;
using builtins::pairwise;
using builtins::product_of;
using builtins::scalar_argument;

using Handler = std::optional<Value> (*)(Call&);

// ---- elementary functions: element by element -----------------------------------------------------------------------

std::optional<Value> real_function(Call& c, Op op) {
  if (!convert(c.in, c.arguments[0], real_type, c.argument_place(0), fmt::format("the argument of {}", c.name))) return {};
  return map(c.in, op, real_type, c.arguments[0], c.place());
}

template <Op op>
std::optional<Value> real_function(Call& c) {
  return real_function(c, op);
}

std::optional<Value> atan2(Call& c) {
  for (std::size_t i : {0, 1})
    if (!convert(c.in, c.arguments[i], real_type, c.argument_place(i), "an argument of atan2")) return {};
  return pairwise(c, Op::atan2, real_type, false);
}

std::optional<Value> abs_or_sign(Call& c, Op op) {
  Value& v = c.arguments[0];
  if (!is_numeric(v.type)) return c.fail(fmt::format("{} needs a number, not {}", c.name, type_name(c.in, v.type)));
  return map(c.in, op, op == Op::sign ? integer_type : v.type, v, c.place());
}
std::optional<Value> abs(Call& c) { return abs_or_sign(c, Op::abs); }
std::optional<Value> sign(Call& c) { return abs_or_sign(c, Op::sign); }

std::optional<Value> rounding(Call& c, Op op, Type result) {
  if (!convert(c.in, c.arguments[0], real_type, c.argument_place(0), fmt::format("the argument of {}", c.name))) return {};
  return map(c.in, op, result, c.arguments[0], c.place(), c.env.literal);
}
std::optional<Value> ceil(Call& c) { return rounding(c, Op::ceil, real_type); }
std::optional<Value> floor(Call& c) { return rounding(c, Op::floor, real_type); }
std::optional<Value> integer(Call& c) { return rounding(c, Op::integer_of, integer_type); }

std::optional<Value> division(Call& c, Op op) {
  Value &a = c.arguments[0], &b = c.arguments[1];
  if (!is_numeric(a.type) || !is_numeric(b.type))
    return c.fail(fmt::format("{} needs numbers, not {} and {}", c.name, type_name(c.in, a.type), type_name(c.in, b.type)));
  if (!unify(c.in, a, b, c.place(), c.name)) return {};
  const auto vary = [&](const Value& v) {
    return std::any_of(v.elements.begin(), v.elements.end(), [&](Expr e) { return varies_by_operation(c.in.model, e); });
  };
  return pairwise(c, op, a.type, c.env.literal || (a.type.base == BaseType::integer && !vary(a) && !vary(b)));
}
std::optional<Value> div(Call& c) { return division(c, Op::div); }
std::optional<Value> mod(Call& c) { return division(c, Op::mod); }
std::optional<Value> rem(Call& c) { return division(c, Op::rem); }

/// The greatest or least value of a type: min and max of nothing (MLS 10.3.4.1).
Expr extreme(Call& c, Type type, bool greatest) {
  constexpr auto last_exact = static_cast<std::int64_t>(largest_exact);
  switch (type.base) {
    case BaseType::integer: return c.ex().integer(greatest ? last_exact : -last_exact, c.place());
    case BaseType::boolean: return c.ex().boolean(greatest, c.place());
    case BaseType::enumeration: {
      const std::size_t literals = c.in.model.enumerations[index(type.enumeration)].literals.size();
      return c.ex().enumeration(type.enumeration, greatest ? static_cast<std::uint32_t>(literals) : 1, c.place());
    }
    default: {
      constexpr double largest = std::numeric_limits<double>::max();
      return c.ex().real(greatest ? largest : -largest, c.place());
    }
  }
}

std::optional<Value> min_or_max(Call& c, Op op) {
  if (c.arguments.size() == 2) {
    Value &a = c.arguments[0], &b = c.arguments[1];
    if (!a.scalar() || !b.scalar())
      return c.fail(fmt::format("{} takes two scalars or one array", c.name));
    if (!unify(c.in, a, b, c.place(), c.name)) return {};
    if (a.type.base == BaseType::string || a.type.base == BaseType::clock)
      return c.fail(fmt::format("{} has no meaning for {}", c.name, type_name(c.in, a.type)));
    return scalar(a.type, c.ex().make(op, a.type.base, {a.only(), b.only()}, c.place()));
  }
  if (c.arguments.size() != 1) return c.fail(fmt::format("{} takes two scalars or one array", c.name));
  const Value& v = c.arguments[0];
  if (v.type.base == BaseType::string || v.type.base == BaseType::clock)
    return c.fail(fmt::format("{} has no meaning for {}", c.name, type_name(c.in, v.type)));
  if (v.elements.empty()) return scalar(v.type, extreme(c, v.type, op == Op::min));
  return scalar(v.type, fold(c.in, op, v, c.place()));
}
std::optional<Value> min(Call& c) { return min_or_max(c, Op::min); }
std::optional<Value> max(Call& c) { return min_or_max(c, Op::max); }

std::optional<Value> nth_root(Call& c) {
  if (!scalar_argument(c, 0, real_type)) return {};
  const auto n = known_integer(c.in, c.arguments[1], c.argument_place(1), "the degree of a root");
  if (!n) return {};
  if (*n < 1) return c.fail("the degree of a root must be positive");
  auto& ex = c.ex();
  const Expr v = c.arguments[0].only(), degree = ex.real(1.0 / double(*n), c.place());
  if (*n % 2 == 0) return scalar(real_type, ex.make(Op::power, BaseType::real, {v, degree}, c.place()));
  const Expr magnitude = ex.make(Op::power, BaseType::real, {ex.make(Op::abs, BaseType::real, {v}, c.place()), degree}, c.place());
  return scalar(real_type, ex.make(Op::multiply, BaseType::real,
                                   {ex.make(Op::sign, BaseType::integer, {v}, c.place()), magnitude}, c.place()));
}

// ---- conversions ------------------------------------------------------------------------------------------------------

std::optional<Value> integer_of_enumeration(Call& c) {
  const Value& v = c.arguments[0];
  if (v.type.base != BaseType::enumeration)
    return c.fail(fmt::format("Integer(...) gives the number of an enumeration literal, not of {}", with_article(type_name(c.in, v.type))),
                  v.type.base == BaseType::real ? "write integer(...), with a small i, to round a Real" : "");
  return map(c.in, Op::ordinal, integer_type, v, c.place());
}

const parser::Expression* named(const Call& c, std::string_view name) {
  for (const parser::NamedArgument& a : c.syntax.arguments.named)
    if (c.in.text(a.name) == name) return a.value;
  return nullptr;
}

/// One conversion of C's printf without `%`, `*` and a length modifier (MLS 3.7.1), that fits the type of the value.
bool is_format(std::string_view text, BaseType type) {
  const std::size_t flags = std::min(text.find_first_not_of("-+ #0"), text.size());
  text.remove_prefix(flags);
  const auto number = [&] {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    return digits <= 3;   // nobody reads more than 999 characters
  };
  if (!number()) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!number()) return false;
  }
  static constexpr std::string_view of_reals = "feEgG", of_integers = "dioxXuc";
  return text.size() == 1 && (of_reals.find(text[0]) != text.npos || (of_integers.find(text[0]) != text.npos && (type == BaseType::integer || text[0] != 'c')));
}

std::optional<Value> string_of(Call& c) {
  const Value& v = c.arguments[0];
  if (!v.scalar() || v.type.base == BaseType::string || v.type.base == BaseType::clock)
    return c.fail(fmt::format("String(...) takes a scalar number, Boolean or enumeration value, not {}{}",
                              type_name(c.in, v.type), shape_text(v.dims)));
  auto& ex = c.ex();
  Value minimum = scalar(integer_type, ex.integer(0)), left = scalar(boolean_type, ex.boolean(true)),
        digits = scalar(integer_type, ex.integer(6)), format = scalar(string_type, ex.string(""));
  const struct {
    const char* name;
    Value* value;
    Type type;
  } options[] = {{"minimumLength", &minimum, integer_type},
                 {"leftJustified", &left, boolean_type},
                 {"significantDigits", &digits, integer_type},
                 {"format", &format, string_type}};
  for (const auto& o : options) {
    const parser::Expression* given = named(c, o.name);
    if (!given) continue;
    auto value = elaborate(c.in, *given, c.env);
    if (!value || !convert(c.in, *value, o.type, given->place, fmt::format("the option {}", o.name))) return {};
    const Expr known = value->scalar() ? c.in.evaluated(value->only()) : Expr::none;
    if (known == Expr::none) {
      if (value->scalar() && note_need(c.in, value->only())) return {};
      c.in.error(given->place, fmt::format("the option {} must be known before the run", o.name));
      return {};
    }
    *o.value = scalar(o.type, known);
    if (o.type == integer_type) {
      constexpr std::int64_t longest = 1000;
      const std::int64_t n = ex.integer_value(known), least = o.value == &digits ? 1 : 0;
      if (n < least || n > longest) {
        c.in.error(given->place, fmt::format("{} must lie in {}:{}, and this is {}", o.name, least, longest, n));
        return {};
      }
    } else if (o.value == &format && !is_format(ex.string_value(known), v.type.base)) {
      c.in.error(given->place, fmt::format("\"{}\" is no format of {}", ex.string_value(known), with_article(type_name(c.in, v.type))),
                 "write flags, width, precision and a letter as for C's printf, without %: \"8.3f\", \"-10d\"");
      return {};
    }
  }
  if (named(c, "format") && (named(c, "minimumLength") || named(c, "leftJustified") || named(c, "significantDigits")))
    return c.fail("format cannot be combined with the other options of String");
  if (named(c, "significantDigits") && v.type.base != BaseType::real)
    return c.fail(fmt::format("significantDigits is for Real values, and this is {}", type_name(c.in, v.type)));
  if (named(c, "format") && !is_numeric(v.type)) return c.fail("format is for numbers");
  return scalar(string_type, ex.make(Op::string_of, BaseType::string,
                                     {v.only(), minimum.only(), left.only(), digits.only(), format.only()}, c.place()));
}

std::optional<Value> misplaced(Call& c) {
  if (c.name == "reinit") return c.fail("reinit can only stand as an equation of its own in a when-equation");
  return c.fail(fmt::format("{} is an equation or statement of its own, not a value", c.name));
}

struct Builtin {
  Handler handler;
  int least, most;                           // number of arguments; most < 0: any number
  bool literal = false;                      // its arguments generate no events
  std::vector<std::string_view> names = {};  // of arguments that may be given by name
};

struct Elementary {
  std::string_view name;
  Op op;
  Handler handler;
};
template <Op op>
constexpr Elementary of_real(std::string_view name) { return {name, op, real_function<op>}; }
/// Of one Real (MLS 3.7.3).
constexpr Elementary elementary_functions[] = {
    of_real<Op::sqrt>("sqrt"), of_real<Op::sin>("sin"), of_real<Op::cos>("cos"), of_real<Op::tan>("tan"), of_real<Op::asin>("asin"), of_real<Op::acos>("acos"),
    of_real<Op::atan>("atan"), of_real<Op::sinh>("sinh"), of_real<Op::cosh>("cosh"), of_real<Op::tanh>("tanh"), of_real<Op::exp>("exp"), of_real<Op::log>("log"),
    of_real<Op::log10>("log10")};

std::unordered_map<std::string_view, Builtin> make_table() {
  std::unordered_map<std::string_view, Builtin> functions = {
      {"abs", {abs, 1, 1}}, {"sign", {sign, 1, 1}},
      {"atan2", {atan2, 2, 2}}, {"nthRoot", {nth_root, 2, 2}},
      {"ceil", {ceil, 1, 1}}, {"floor", {floor, 1, 1}}, {"integer", {integer, 1, 1}},
      {"div", {div, 2, 2}}, {"mod", {mod, 2, 2}}, {"rem", {rem, 2, 2}},
      {"min", {min, 1, 2}}, {"max", {max, 1, 2}},
      {"Integer", {integer_of_enumeration, 1, 1}}, {"String", {string_of, 1, 1}},
      {"size", {builtins::size, 1, 2}}, {"ndims", {builtins::ndims, 1, 1}}, {"fill", {builtins::fill, 2, -1}}, {"zeros", {builtins::zeros, 1, -1}},
      {"ones", {builtins::ones, 1, -1}}, {"identity", {builtins::identity, 1, 1}}, {"diagonal", {builtins::diagonal, 1, 1}},
      {"linspace", {builtins::linspace, 3, 3}}, {"sum", {builtins::sum, 1, 1}}, {"product", {builtins::product, 1, 1}},
      {"transpose", {builtins::transpose, 1, 1}}, {"symmetric", {builtins::symmetric, 1, 1}}, {"scalar", {builtins::as_scalar, 1, 1}},
      {"vector", {builtins::vector, 1, 1}}, {"matrix", {builtins::matrix, 1, 1}}, {"cat", {builtins::cat, 2, -1}},
      {"outerProduct", {builtins::outer_product, 2, 2}}, {"cross", {builtins::cross, 2, 2}}, {"skew", {builtins::skew, 1, 1}},
      {"pre", {builtins::pre, 1, 1}}, {"edge", {builtins::edge, 1, 1}}, {"change", {builtins::change, 1, 1}},
      {"initial", {builtins::initial, 0, 0}}, {"terminal", {builtins::terminal, 0, 0}},
      {"noEvent", {builtins::no_event, 1, 1, true}}, {"smooth", {builtins::smooth, 2, 2, true}},
      {"delay", {builtins::delay, 2, 3}}, {"homotopy", {builtins::homotopy, 2, 2, false, {"actual", "simplified"}}},
      {"semiLinear", {builtins::semi_linear, 3, 3}}, {"der", {builtins::der, 1, 1}}, {"getInstanceName", {builtins::instance_name, 0, 0}},
      {"inStream", {builtins::in_stream, 1, 1}}, {"actualStream", {builtins::actual_stream, 1, 1}},
      {"pure", {builtins::pure, 1, 1}}, {"assert", {misplaced, 0, -1}}, {"terminate", {misplaced, 0, -1}}, {"reinit", {misplaced, 0, -1}},
  };
  for (const Elementary& f : elementary_functions) functions.emplace(f.name, Builtin{f.handler, 1, 1});
  return functions;
}

const std::unordered_map<std::string_view, Builtin>& table() {
  static const std::unordered_map<std::string_view, Builtin> functions = make_table();
  return functions;
}

constexpr std::string_view clock_operators[] = {"sample", "Clock", "hold", "previous", "subSample", "superSample",
                                                "shiftSample", "backSample", "noClock", "interval", "firstTick"};
constexpr std::string_view of_time[] = {"der", "initial", "terminal", "pre", "edge", "change", "reinit", "delay"};   // MLS 12.2, with those of clocks
constexpr std::string_view machine_operators[] = {"initialState", "transition", "activeState", "ticksInState", "timeInState"};

template <class Range>
bool among(const Range& range, std::string_view name) {
  return std::find(std::begin(range), std::end(range), name) != std::end(range);
}

/// A remedy for sin(0,5): two whole numbers with a comma and no space between them.
std::string decimal_comma(Instances& in, const parser::Call& call) {
  const auto& arguments = call.arguments.positional;
  const auto whole = [](const parser::Expression* e) { return std::holds_alternative<parser::IntegerLiteral>(e->node); };
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (whole(arguments[i - 1]) && whole(arguments[i]) && arguments[i - 1]->place.end + 1 == arguments[i]->place.begin)
      return fmt::format("the decimals of a number stand behind a point: {}.{}", in.workspace.sources.text(arguments[i - 1]->place),
                         in.workspace.sources.text(arguments[i]->place));
  return "";
}

}  // namespace

std::optional<Op> builtins::elementary_function(std::string_view name) {
  for (const Elementary& f : elementary_functions)
    if (f.name == name) return f.op;
  return {};
}

bool is_builtin(std::string_view name) {
  return table().contains(name) || among(clock_operators, name) || among(machine_operators, name) || name == "array" ||
         name == "spatialDistribution";
}

std::optional<Value> reduce(Instances& in, const parser::Expression& e, const parser::Call& call, std::string_view name, Value values,
                            const Environment& env) {
  if (values.record && name == "sum") return overloaded_sum(in, values, e.place, env);
  Call c{in, e, call, name, env, {}};
  if (values.record || values.function) return c.fail(fmt::format("{} has no meaning for {}", name, type_name(in, values)));
  c.arguments = {std::move(values)};
  return table().at(name).handler(c);
}

std::optional<Value> elaborate_builtin(Instances& in, const parser::Expression& e, const parser::Call& syntax,
                                       std::string_view name, const Environment& env) {
  if (env.function && (among(clock_operators, name) || among(of_time, name))) {
    in.error(e.place, fmt::format("{} cannot stand in a function, which knows its arguments and nothing of time (MLS 12.2)", name), "hand its value in as an argument");
    return {};
  }
  if (among(clock_operators, name)) return elaborate_clock_operator(in, e, syntax, name, env);
  if (among(machine_operators, name)) return elaborate_machine_operator(in, e, syntax, name, env);
  Call c{in, e, syntax, name, env, {}};
  if (!syntax.arguments.iterators.empty()) return reduction(in, e, syntax, name, env);
  if (name == "array") {
    std::vector<Value> parts;
    std::vector<Place> places;
    for (const parser::Expression* a : syntax.arguments.positional) {
      auto v = elaborate(in, *a, env);
      if (!v) return {};
      parts.push_back(std::move(*v));
      places.push_back(a->place);
    }
    return array_of(in, std::move(parts), places, e.place);
  }
  const Builtin& f = table().at(name);
  if (f.handler == misplaced) return misplaced(c);
  Environment inner = env;
  if (f.literal) inner.literal = true;
  const bool of_shape = f.handler == builtins::size || f.handler == builtins::ndims;
  for (const parser::Expression* a : syntax.arguments.positional) {
    inner.shape_only = env.shape_only || (of_shape && c.arguments.empty());
    inner.is_pure = f.handler == builtins::pure;
    auto v = elaborate(in, *a, inner);
    if (!v) return {};
    c.arguments.push_back(std::move(*v));
  }
  if (!c.arguments.empty() && c.arguments.front().record && f.handler == string_of)
    if (auto overloaded = overloaded_call(in, c.arguments.front().record, "String", e, syntax, env)) {
      if (!*overloaded || (*overloaded)->empty()) return {};
      return std::move((*overloaded)->front());
    }
  if (c.arguments.size() == 1 && c.arguments.front().record && f.handler == builtins::sum)
    return overloaded_sum(in, c.arguments.front(), e.place, env);
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const bool any_type = f.handler == builtins::size || f.handler == builtins::ndims || f.handler == builtins::in_stream || f.handler == builtins::pure ||
                          (f.handler == builtins::fill && i == 0);
    if (((c.arguments[i].record || c.arguments[i].type.base == BaseType::object) && !any_type) || c.arguments[i].function) {
      in.error(c.argument_place(i), fmt::format("{} has no meaning for {}", name, type_name(in, c.arguments[i])),
               c.arguments[i].record ? "name one of its elements" : "");
      return {};
    }
  }
  if (f.handler != string_of) {
    for (const parser::NamedArgument& a : syntax.arguments.named) {
      const auto position = std::find(f.names.begin(), f.names.end(), in.text(a.name));
      if (position == f.names.end()) {
        in.error(a.place, fmt::format("{} has no argument named {}", name, in.text(a.name)));
        return {};
      }
      const auto at = static_cast<std::size_t>(position - f.names.begin());
      auto v = elaborate(in, *a.value, inner);
      if (!v) return {};
      if (at < syntax.arguments.positional.size()) {
        in.error(a.place, fmt::format("the argument {} of {} is given twice", in.text(a.name), name));
        return {};
      }
      if (c.arguments.size() <= at) c.arguments.resize(at + 1);
      c.arguments[at] = std::move(*v);
    }
    for (const Value& v : c.arguments)
      if (v.elements.empty() && v.dims.empty() && !v.run && !v.record) return c.fail(fmt::format("an argument of {} is missing", name));
  } else {
    for (const parser::NamedArgument& a : syntax.arguments.named)
      if (!among(std::initializer_list<std::string_view>{"minimumLength", "leftJustified", "significantDigits", "format"},
                 in.text(a.name))) {
        in.error(a.place, fmt::format("String has no option {}", in.text(a.name)));
        return {};
      }
  }
  const int n = static_cast<int>(c.arguments.size());
  if (n < f.least || (f.most >= 0 && n > f.most)) {
    const std::string wanted = f.least == f.most ? fmt::format("{}", f.least)
                               : f.most < 0      ? fmt::format("at least {}", f.least)
                                                 : fmt::format("{} to {}", f.least, f.most);
    return c.fail(fmt::format("{} takes {} argument{}, not {}", name, wanted, f.least == 1 && f.most == 1 ? "" : "s", n), decimal_comma(in, syntax));
  }
  if (auto of_run = run_builtin(c, [&](Call& one) { return f.handler(one); })) return *of_run;
  return f.handler(c);
}

}  // namespace mosim::compiler
