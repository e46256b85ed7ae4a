// Stream variables: what inStream, actualStream and the outside connectors of a set mean (MLS 15).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/flatten/connect.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

/// Below this flow, relative to the nominal one, a mixture goes over to the mean of what is mixed (MLS 15.2).
constexpr double relative_small_flow = 1e-6;
/// More than these share their sums: n mixtures of n - 1 values each would make the model grow with the square of n.
constexpr std::size_t many = 8;

}  // namespace

/// A number that an attribute has before the run, or `otherwise`.
double Connections::attribute_number(Expr attribute, double otherwise) {
  if (attribute == Expr::none) return otherwise;
  const Expr known = in_.evaluated(attribute);
  return known != Expr::none && in_.model.expressions.is_number(known) ? in_.model.expressions.number(known) : otherwise;
}

/// Can something flow through t into the point where the set is connected? Not if min or max forbid it.
bool Connections::may_flow_in(Terminal t) {
  const flat::Variable& flow = in_.model.variable(infos_[index(t.variable)].flow);
  return t.inside ? !(attribute_number(flow.min, -1) >= 0) : !(attribute_number(flow.max, 1) <= 0);
}

/// What flows through t into the point where the set is connected carries this value.
Expr Connections::carried(Terminal t, Place place) {
  return t.inside ? in_.model.expressions.variable(t.variable, BaseType::real, place) : in_stream(t.variable, place);
}

/// What flows through t into the point, never negative.
Expr Connections::inflow(Terminal t, Place place) {
  auto& ex = in_.model.expressions;
  const Expr m = ex.variable(infos_[index(t.variable)].flow, BaseType::real, place);
  return ex.make(Op::max, BaseType::real, {t.inside ? ex.make(Op::negate, BaseType::real, {m}, place) : m, ex.real(0, place)}, place);
}

namespace {

/// 1 where the flow is not small, 0 at no flow, and a smooth curve between.
Expr exactness(Expressions& ex, Expr flow, Expr small, Place place) {
  const auto make = [&](Op op, std::initializer_list<Expr> c) { return ex.make(op, BaseType::real, c, place); };
  const Expr ratio = make(Op::divide, {flow, small});
  const Expr curve = make(Op::multiply, {make(Op::multiply, {ratio, ratio}),
                                         make(Op::subtract, {ex.real(3, place), make(Op::multiply, {ex.real(2, place), ratio})})});
  return make(Op::if_, {ex.make(Op::greater, BaseType::boolean, {flow, small}, place, true), ex.real(1, place), curve});
}

}  // namespace

/// A running sum, as a variable of the model.
Expr Connections::sum_variable(Expr value, Terminal t, Place place) {
  auto& ex = in_.model.expressions;
  const auto v = static_cast<VariableId>(in_.model.variables.size());
  flat::Variable variable;
  variable.name = fmt::format("$mixed{}", index(v));
  variable.meaning_text = fmt::format("a sum for inStream({})", in_.model.variable(t.variable).name);
  variable.place = place;
  variable.is_protected = true;
  in_.model.variables.push_back(std::move(variable));
  // No element of that component: it has none of its values.
  in_.variable_elements.push_back({in_.variable_elements[index(t.variable)].component, static_cast<std::size_t>(-1)});
  infos_.resize(in_.model.variables.size());
  const Expr result = ex.variable(v, BaseType::real, place);
  in_.model.equations.push_back({result, value, place, {}, VariableId::none});
  return result;
}

/// The same mixture by sums over what stands before `self` and what stands behind it: no difference of large sums is taken.
Expr Connections::mixed_by_sums(const std::vector<Terminal>& set, Terminal self, Place place) {
  auto& ex = in_.model.expressions;
  const auto make = [&](Op op, std::initializer_list<Expr> c) { return ex.make(op, BaseType::real, c, place); };
  Mixer& mixer = mixers_.at(number(set.front()));
  const std::size_t n = mixer.carriers.size();
  if (mixer.before.empty()) {
    std::vector<Mixer::Sums> terms;
    for (const Terminal& t : mixer.carriers) {
      const Expr value = carried(t, place), m = inflow(t, place);
      if (value == Expr::none) return Expr::none;
      mixer.positions[number(t)] = terms.size();
      terms.push_back({m, make(Op::multiply, {m, value}), value});
    }
    const auto add = [&](const Mixer::Sums& total, std::size_t k) {
      const Terminal t = mixer.carriers[k];
      return Mixer::Sums{sum_variable(make(Op::add, {total.flow, terms[k].flow}), t, place),
                         sum_variable(make(Op::add, {total.carried, terms[k].carried}), t, place),
                         sum_variable(make(Op::add, {total.values, terms[k].values}), t, place)};
    };
    const Expr zero = ex.real(0, place);
    mixer.before.assign(n + 1, {zero, zero, zero});
    mixer.from = mixer.before;
    for (std::size_t k = 0; k < n; ++k) mixer.before[k + 1] = add(mixer.before[k], k);
    for (std::size_t k = n; k-- > 0;) mixer.from[k] = add(mixer.from[k + 1], k);
  }
  const auto position = mixer.positions.find(number(self));
  const bool carries = position != mixer.positions.end();
  const Mixer::Sums &before = mixer.before[carries ? position->second : n], &from = mixer.from[carries ? position->second + 1 : n];
  const Expr small = ex.real(relative_small_flow * mixer.nominal, place), flow = make(Op::add, {before.flow, from.flow});
  const Expr exact = exactness(ex, flow, small, place), rest = make(Op::multiply, {make(Op::subtract, {ex.real(1, place), exact}), small});
  const Expr sum = make(Op::add, {make(Op::multiply, {exact, make(Op::add, {before.carried, from.carried})}),
                                  make(Op::multiply, {rest, make(Op::add, {before.values, from.values})})});
  const Expr weight = make(Op::add, {make(Op::multiply, {exact, flow}), make(Op::multiply, {rest, ex.real(double(n - carries), place)})});
  return make(Op::divide, {sum, weight});
}

/// The mixture of what all others of a set bring to `self`, as recommended in MLS 15.2: exact where the flows are not
/// small, the mean value at no flow, and continuous and differentiable between.
Expr Connections::mixture(const std::vector<Terminal>& set, Terminal self, Place place) {
  auto& ex = in_.model.expressions;
  const auto make = [&](Op op, std::initializer_list<Expr> c) { return ex.make(op, BaseType::real, c, place); };
  const auto nominal_with = [&](double nominal, Terminal t) {
    const double n = std::abs(attribute_number(in_.model.variable(infos_[index(t.variable)].flow).nominal, 1));
    return n > 0 && (nominal == 0 || n < nominal) ? n : nominal;
  };
  const bool large = set.size() > many + 1;
  const auto has_flow = [&](const Terminal& t) {
    if (infos_[index(t.variable)].flow != VariableId::none) return true;
    in_.error(place, fmt::format("{} is a stream variable, but its connector has no flow variable", in_.model.variable(t.variable).name),
              "a stream connector has exactly one flow variable", {{in_.model.variable(t.variable).place, "declared here"}});
    return false;
  };
  if (large) {
    Mixer& mixer = mixers_[number(set.front())];
    if (!mixer.known) {
      if (!std::all_of(set.begin(), set.end(), has_flow)) return Expr::none;
      std::copy_if(set.begin(), set.end(), std::back_inserter(mixer.carriers), [&](const Terminal& t) { return may_flow_in(t); });
      double nominal = 0;
      for (const Terminal& t : mixer.carriers) nominal = nominal_with(nominal, t);
      mixer.nominal = nominal == 0 ? 1 : nominal;
      mixer.known = true;
    }
    if (mixer.carriers.size() > many + 1) return mixed_by_sums(set, self, place);
  }
  const std::vector<Terminal>& candidates = large ? mixers_.at(number(set.front())).carriers : set;
  std::vector<Terminal> others;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(others), [&](const Terminal& t) { return !(t == self); });
  if (others.empty() && !large) return ex.variable(self.variable, BaseType::real, place);
  if (others.size() > 1 || large) {
    if (!large && !std::all_of(others.begin(), others.end(), has_flow)) return Expr::none;
    std::erase_if(others, [&](const Terminal& t) { return !may_flow_in(t); });
    if (others.empty()) return self.inside ? ex.variable(self.variable, BaseType::real, place) : ex.real(0, place);
  }
  if (others.size() == 1) return carried(others.front(), place);

  double nominal = 0;
  std::vector<Expr> values, flows;
  for (const Terminal& t : others) {
    values.push_back(carried(t, place));
    if (values.back() == Expr::none) return Expr::none;
    flows.push_back(inflow(t, place));
    nominal = nominal_with(nominal, t);
  }
  const auto sum = [&](const std::vector<Expr>& terms) {
    Expr total = terms.front();
    for (std::size_t k = 1; k < terms.size(); ++k) total = make(Op::add, {total, terms[k]});
    return total;
  };
  const Expr small = ex.real(relative_small_flow * (nominal == 0 ? 1 : nominal), place);
  const Expr exact = exactness(ex, sum(flows), small, place);
  const Expr rest = make(Op::multiply, {make(Op::subtract, {ex.real(1, place), exact}), small});
  std::vector<Expr> weights, products;
  for (std::size_t k = 0; k < flows.size(); ++k) {
    weights.push_back(make(Op::add, {make(Op::multiply, {exact, flows[k]}), rest}));
    products.push_back(make(Op::multiply, {weights[k], values[k]}));
  }
  return make(Op::divide, {sum(products), sum(weights)});
}

void Connections::stream_equations(const std::vector<Terminal>& set, Place place, Collected& out) {
  auto& ex = in_.model.expressions;
  for (const Terminal& q : set) {
    if (q.inside) continue;
    const Expr value = mixture(set, q, place);
    if (value == Expr::none) return;
    out.equations.push_back({ex.variable(q.variable, BaseType::real, place), value, place, {}, VariableId::none});
  }
}

Expr Connections::in_stream(VariableId v, Place place) {
  auto& ex = in_.model.expressions;
  if (infos_[index(v)].kind != ConnectionKind::stream) {
    in_.error(place, fmt::format("inStream needs a stream variable, and {} is {}", in_.model.variable(v).name, connection_kind_name(infos_[index(v)].kind)), {},
              {{in_.model.variable(v).place, "declared here"}});
    return Expr::none;
  }
  // Through outside connectors it asks for the level above: a circle of them would go on for ever.
  const auto [known, fresh] = in_streams_.try_emplace(v, std::nullopt);
  if (!fresh) {
    if (known->second) return *known->second;
    in_.error(place, fmt::format("inStream({}) depends on itself: its connections go round in a circle", in_.model.variable(v).name));
    return Expr::none;
  }
  const std::vector<Terminal>& set = members({v, true});
  const Expr value = set.size() == 1 ? ex.variable(v, BaseType::real, place) : mixture(set, {v, true}, place);
  if (value == Expr::none)
    in_streams_.erase(v);
  else
    in_streams_[v] = value;
  return value;
}

Expr Connections::actual_stream(VariableId v, Place place, bool literal) {
  auto& ex = in_.model.expressions;
  const Expr in = in_stream(v, place);
  if (in == Expr::none) return in;
  const VariableId flow = infos_[index(v)].flow;
  if (flow == VariableId::none) {
    in_.error(place, fmt::format("{} is a stream variable, but its connector has no flow variable", in_.model.variable(v).name),
              "a stream connector has exactly one flow variable", {{in_.model.variable(v).place, "declared here"}});
    return Expr::none;
  }
  const Expr inwards = ex.make(Op::greater, BaseType::boolean, {ex.variable(flow, BaseType::real, place), ex.real(0, place)}, place, literal);
  return ex.make(Op::if_, BaseType::real, {inwards, in, ex.variable(v, BaseType::real, place)}, place);
}

}  // namespace mosim::compiler
