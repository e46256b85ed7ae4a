// Stream variables: what inStream, actualStream and the outside connectors of a set mean (MLS 15).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/flatten/connect.hpp"

namespace mosim::compiler {

namespace {

/// Below this flow, relative to the nominal one, a mixture goes over to the mean of what is mixed (MLS 15.2).
constexpr double relative_small_flow = 1e-6;

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

/// The mixture of what all others of a set bring to `self`, as recommended in MLS 15.2: exact where the flows are not
/// small, the mean value at no flow, and continuous and differentiable between.
Expr Connections::mixture(const std::vector<Terminal>& set, Terminal self, Place place) {
  auto& ex = in_.model.expressions;
  const auto make = [&](Op op, std::initializer_list<Expr> c) { return ex.make(op, BaseType::real, c, place); };
  std::vector<Terminal> others;
  std::copy_if(set.begin(), set.end(), std::back_inserter(others), [&](const Terminal& t) { return !(t == self); });
  if (others.empty()) return ex.variable(self.variable, BaseType::real, place);
  if (others.size() > 1) {
    for (const Terminal& t : others)
      if (infos_[index(t.variable)].flow == VariableId::none) {
        in_.error(place, fmt::format("{} is a stream variable, but its connector has no flow variable", in_.model.variable(t.variable).name),
                  "a stream connector has exactly one flow variable", {{in_.model.variable(t.variable).place, "declared here"}});
        return Expr::none;
      }
    std::erase_if(others, [&](const Terminal& t) { return !may_flow_in(t); });
    if (others.empty()) return self.inside ? ex.variable(self.variable, BaseType::real, place) : ex.real(0, place);
  }
  if (others.size() == 1) return carried(others.front(), place);

  double nominal = 0;
  std::vector<Expr> values, flows;   // flows into the point, never negative
  const Expr zero = ex.real(0, place), one = ex.real(1, place);
  for (const Terminal& t : others) {
    values.push_back(carried(t, place));
    if (values.back() == Expr::none) return Expr::none;
    const VariableId flow = infos_[index(t.variable)].flow;
    const Expr m = ex.variable(flow, BaseType::real, place);
    flows.push_back(make(Op::max, {t.inside ? make(Op::negate, {m}) : m, zero}));
    const double n = std::abs(attribute_number(in_.model.variable(flow).nominal, 1));
    if (n > 0 && (nominal == 0 || n < nominal)) nominal = n;
  }
  if (nominal == 0) nominal = 1;
  const auto sum = [&](const std::vector<Expr>& terms) {
    Expr total = terms.front();
    for (std::size_t k = 1; k < terms.size(); ++k) total = make(Op::add, {total, terms[k]});
    return total;
  };
  const Expr small = ex.real(relative_small_flow * nominal, place), total = sum(flows);
  const Expr ratio = make(Op::divide, {total, small});
  const Expr curve = make(Op::multiply, {make(Op::multiply, {ratio, ratio}),
                                         make(Op::subtract, {ex.real(3, place), make(Op::multiply, {ex.real(2, place), ratio})})});
  const Expr exact = make(Op::if_, {ex.make(Op::greater, BaseType::boolean, {total, small}, place, true), one, curve});
  const Expr rest = make(Op::multiply, {make(Op::subtract, {one, exact}), small});
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
  if (infos_[index(v)].role != Role::stream) {
    in_.error(place, fmt::format("inStream needs a stream variable, and {} is {}", in_.model.variable(v).name, role_name(infos_[index(v)].role)), {},
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
  const Expr value = mixture(members({v, true}), {v, true}, place);
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
