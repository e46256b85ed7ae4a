// Built-in operators that are no functions: of derivatives, of connections, for events (MLS 3.7.4, 3.7.5, 15.2, 15.3).

#include <fmt/format.h>

#include "compiler/elaborate/builtins.hpp"
#include "compiler/elaborate/connections.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/differentiate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/expression/statement_walk.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler::builtins {

namespace {

constexpr const char* instead_of_der = "what it changes by at an event is its value less pre of it, in a when-clause; for a quotient of differences divide that by the interval";

bool parameter_argument(Call& c, std::size_t i) {
  for (Expr e : c.arguments[i].elements)
    if (variability(c.in.model, e) > flat::Variability::parameter) {
      c.in.error(c.argument_place(i), fmt::format("argument {} of {} must be a parameter expression", i + 1, c.name),
                 "use only constants and parameters in it");
      return false;
    }
  return true;
}

/// pre, edge, change: of variables, element by element.
std::optional<Value> of_variables(Call& c, Op op, Type result) {
  Value v = c.arguments[0];
  if (v.type.base == BaseType::clock) return c.fail(fmt::format("{} has no meaning for {}", c.name, type_name(c.in, v.type)));
  for (Expr& e : v.elements) {
    if (c.ex().op(e) != Op::variable) {
      if (op == Op::pre && variability(c.in.model, e) <= flat::Variability::parameter) continue;   // it never changes
      c.in.error(c.place(), fmt::format("{} needs a variable, not an expression", c.name),
                 "give the expression a variable of its own");
      return {};
    }
    const VariableId id = c.ex().variable(e);
    if (c.in.model.variable(id).variability <= flat::Variability::parameter) {
      if (op == Op::pre) continue;
      e = c.ex().boolean(false, c.place());
      continue;
    }
    if (c.in.model.variable(id).type == BaseType::real && !c.env.in_when && !c.env.initial && !c.env.untaken)
      c.in.model.left_limits.push_back({id, op == Op::change, c.place()});
    e = c.ex().of_variable(op, id, result.base, c.place());
  }
  v.type = result;
  return v;
}

/// inStream and actualStream (MLS 15): of stream variables, element by element.
std::optional<Value> stream_operator(Call& c, bool actual) {
  Value v = c.arguments[0];
  if (c.env.function) return c.fail(fmt::format("{} cannot stand in a function: it has no connections", c.name), "hand the value in as an argument");
  bool good = true;
  for_each_leaf(v, [&](Value& leaf) {
    for (Expr& e : leaf.elements) {
      if (!good) return;
      if (c.ex().op(e) != Op::variable) {
        c.fail(fmt::format("{} needs a stream variable, not an expression", c.name));
        good = false;
        return;
      }
      const VariableId id = c.ex().variable(e);
      if (!c.in.elaboration.connections) {   // of the right type and size; asked again once all connections are known
        c.in.elaboration.streams_unknown = true;
        continue;
      }
      e = actual ? c.in.elaboration.connections->actual_stream(id, c.place(), c.env.literal) : c.in.elaboration.connections->in_stream(id, c.place());
      good = e != Expr::none;
    }
  });
  if (!good) return {};
  return v;
}

/// Of MyLib.Vehicle: Vehicle, as the example of MLS 3.7.4 has it.
std::string last_identifier(const std::string& path) {
  std::size_t first = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\') ++i;
    else if (path[i] == '\'') quoted = !quoted;
    else if (path[i] == '.' && !quoted) first = i + 1;
  }
  return path.substr(first);
}

}  // namespace

// ---- events -------------------------------------------------------------------------------------------------------------

std::optional<Value> pre(Call& c) { return of_variables(c, Op::pre, c.arguments[0].type); }
std::optional<Value> edge(Call& c) {
  if (!convert(c.in, c.arguments[0], boolean_type, c.argument_place(0), "the argument of edge")) return {};
  return of_variables(c, Op::edge, boolean_type);
}
std::optional<Value> change(Call& c) { return of_variables(c, Op::change, boolean_type); }

std::optional<Value> initial(Call& c) { return scalar(boolean_type, c.ex().make(Op::initial, BaseType::boolean, {}, c.place())); }
std::optional<Value> terminal(Call& c) { return scalar(boolean_type, c.ex().make(Op::terminal, BaseType::boolean, {}, c.place())); }

std::optional<Value> no_event(Call& c) { return c.arguments[0]; }   // its argument was made without events

std::optional<Value> smooth(Call& c) {
  const auto p = known_integer(c.in, c.arguments[0], c.argument_place(0), "the order of smooth");
  if (!p) return {};
  if (*p < 0) return c.fail("the order of smooth cannot be negative: smooth(p, e) says that p derivatives of e are continuous");   // MLS 3.7.5
  Value v = c.arguments[1];
  if (v.type.base != BaseType::real && !convert(c.in, v, real_type, c.argument_place(1), "the expression of smooth")) return {};
  for (Expr& e : v.elements) e = c.ex().make(Op::smooth, v.type.base, {c.arguments[0].only(), e}, c.place());
  return v;
}

std::optional<Value> delay(Call& c) {
  if (!scalar_argument(c, 1, real_type) || (c.arguments.size() == 3 && !scalar_argument(c, 2, real_type))) return {};
  if (c.arguments.size() == 3 && !parameter_argument(c, 2)) return {};
  if (c.arguments.size() == 2 && variability(c.in.model, c.arguments[1].only()) > flat::Variability::parameter)
    return c.fail("without a maximum delay, the delay time of delay(...) must be a parameter expression",
                  "give the largest delay as a third argument");
  const Expr time = c.arguments[1].only(), maximum = c.arguments.back().only();
  const Expr t = c.in.evaluated(time), m = c.in.evaluated(maximum);
  if (t != Expr::none && c.ex().number(t) < 0) return c.fail("a delay time cannot be negative");
  if (t != Expr::none && m != Expr::none && c.ex().number(t) > c.ex().number(m))
    return c.fail(fmt::format("the delay time {} is larger than the maximum {}", c.ex().number(t), c.ex().number(m)));
  Value v = c.arguments[0];
  if (v.type.base == BaseType::string || v.type.base == BaseType::clock)
    return c.fail(fmt::format("a {} cannot be delayed", type_name(c.in, v.type)));
  if (c.ex().is_number(time) && c.ex().number(time) == 0) return v;
  for (Expr& e : v.elements)
    if (variability(c.in.model, e) > flat::Variability::parameter) e = c.ex().make(Op::delay, v.type.base, {e, time, maximum}, c.place(), c.env.literal);
  return v;
}

std::optional<Value> homotopy(Call& c) {
  Value &a = c.arguments[0], &s = c.arguments[1];
  if (!convert(c.in, a, real_type, c.argument_place(0), "the actual expression") ||
      !convert(c.in, s, real_type, c.argument_place(1), "the simplified expression"))
    return {};
  if (a.dims != s.dims) return c.fail("the two expressions of homotopy have different sizes");
  return pairwise(c, Op::homotopy, real_type, false);
}

std::optional<Value> semi_linear(Call& c) {
  // if x >= 0 then k1*x else k2*x, but see semi_linear.cpp for x = 0 (MLS 3.7.4.5).
  auto& ex = c.ex();
  // Element by element for arrays (MLS 12.4.6).
  std::vector<std::int64_t> dims;
  for (std::size_t i : {0, 1, 2}) {
    Value& v = c.arguments[i];
    if (!convert(c.in, v, real_type, c.argument_place(i), fmt::format("argument {} of semiLinear", i + 1))) return {};
    if (v.dims.empty()) continue;
    if (!dims.empty() && dims != v.dims) return c.fail("the arrays given to semiLinear have different sizes");
    dims = v.dims;
  }
  if (!dims.empty()) {
    Value all{real_type, dims, {}};
    const std::vector<Value> given = c.arguments;
    for (std::size_t k = 0; k < count(dims); ++k) {
      for (std::size_t i : {0, 1, 2})
        if (!given[i].dims.empty()) c.arguments[i] = gather(given[i], {k}, {});
      const auto one = semi_linear(c);
      if (!one) return {};
      all.elements.push_back(one->only());
    }
    return all;
  }
  const Expr x = c.arguments[0].only();
  const Expr positive = ex.make(Op::greater_equal, BaseType::boolean, {x, ex.real(0, c.place())}, c.place(), c.env.literal);
  const Expr up = c.arguments[1].only(), down = c.arguments[2].only();
  const auto varies = [&](Expr e) { return variability(c.in.model, e) > flat::Variability::parameter; };
  if (varies(x) || varies(up) || varies(down))
    return scalar(real_type, ex.make(Op::semi_linear, BaseType::real, {positive, x, up, down}, c.place(), c.env.literal));
  return scalar(real_type, ex.make(Op::if_, BaseType::real, {positive, product_of(c, up, x), product_of(c, down, x)}, c.place()));
}

namespace {

/// A derivative that is differentiated in its turn is a variable of the model: w = der(v).
Expr with_first_derivatives(Call& c, Expr e) {
  auto& ex = c.ex();
  if (ex.op(e) == Op::variable) return e;
  return Rewriter(ex, [&](Expr n) {
    if (ex.op(n) != Op::derivative) return Expr::none;
    flat::Model& model = c.in.model;
    const VariableId v = ex.variable(n);
    const auto [it, fresh] = c.in.elaboration.first_derivatives.try_emplace(index(v), VariableId::none);
    if (fresh) {
      it->second = static_cast<VariableId>(model.variables.size());
      flat::Variable w;
      w.name = fmt::format("$der({})", model.variable(v).name);
      w.meaning_text = fmt::format("der({})", said_name(model, v));
      w.place = c.place();
      w.is_protected = true;
      model.variables.push_back(std::move(w));
      c.in.variable_elements.push_back({c.in.variable_elements[index(v)].component, static_cast<std::size_t>(-1)});
      model.equations.push_back({ex.variable(it->second, BaseType::real, c.place()), n, c.place(), {}, VariableId::none});
    }
    return ex.variable(it->second, BaseType::real, c.place());
  })(e);
}

}  // namespace

std::optional<Value> der(Call& c) {
  Value v = c.arguments[0];
  if (v.type.base != BaseType::real) {
    c.in.error(c.place(), fmt::format("der(...) is the derivative of a Real, not of {}", with_article(type_name(c.in, v.type))), is_numeric(v.type) ? instead_of_der : "");
    return {};
  }
  for (Expr& e : v.elements) {
    if (c.ex().op(e) == Op::variable && c.in.model.variable(c.ex().variable(e)).variability == flat::Variability::discrete) {
      const flat::Variable& variable = c.in.model.variable(c.ex().variable(e));
      c.in.error(c.place(), fmt::format("der of {}, which is discrete, has no meaning: it changes at events alone", variable.name), instead_of_der, {{variable.place, "declared here"}});
      return {};
    }
    if (c.ex().op(e) != Op::variable && variability(c.in.model, e) == flat::Variability::discrete && !c.in.quiet)
      c.in.diagnostics.push_back({Severity::warning, c.place(), "this derivative is 0 between events and leaves out the jumps: the expression changes at events alone", {}, {}});
    if (!c.in.quiet) e = with_first_derivatives(c, e);
    e = c.ex().op(e) == Op::variable && c.in.model.variable(c.ex().variable(e)).variability == flat::Variability::continuous
            ? c.ex().of_variable(Op::derivative, c.ex().variable(e), BaseType::real, c.place())
            : differentiate_time(c.in.model, e, c.place(), c.in.diagnostics);
    if (e == Expr::none) return {};
  }
  return v;
}

std::optional<Value> in_stream(Call& c) { return stream_operator(c, false); }
std::optional<Value> actual_stream(Call& c) { return stream_operator(c, true); }

std::optional<Value> instance_name(Call& c) {
  std::string name = last_identifier(c.in.model.name);
  if (c.env.scope && !c.env.scope->prefix.empty())
    name += "." + c.env.scope->prefix.substr(0, c.env.scope->prefix.size() - 1);
  return scalar(string_type, c.ex().string(name, c.place()));
}

/// pure(f(x)) (MLS 12.3): this call of f may be made at any time, as often as it is asked for.
std::optional<Value> pure(Call& c) {
  if (c.syntax.arguments.positional.size() != 1 || !std::holds_alternative<parser::Call>(c.syntax.arguments.positional.front()->node))
    return c.fail("pure takes a call of a function: pure(f(x))");
  Value v = c.arguments[0];
  for_each_leaf(v, [&](Value& leaf) {
    for (Expr& e : leaf.elements) {
      if (e == Expr::none || c.ex().op(e) != Op::result || !counts(c.in.model, c.ex().child(e, 0))) continue;
      const Expr call = c.ex().child(e, 0);
      const FunctionId f = c.ex().function(call);
      std::vector<Expr> arguments(c.ex().children(call).begin(), c.ex().children(call).begin() + std::ptrdiff_t(c.in.model.functions[index(f)].inputs.size()));
      if (arguments.empty()) arguments.push_back(c.ex().boolean(false));
      e = c.ex().result(c.ex().call(f, arguments, c.ex().place(call)), c.ex().payload(e), c.ex().type(e), c.ex().place(e));
    }
  });
  return v;
}

}  // namespace mosim::compiler::builtins
