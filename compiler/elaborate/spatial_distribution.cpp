// spatialDistribution (MLS 3.7.4.2).

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

std::optional<std::vector<Value>> spatial_distribution(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                       const Environment& env) {
  auto& ex = in.model.expressions;
  static constexpr std::string_view names[] = {"in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"};
  constexpr std::size_t count = std::size(names);
  if (env.function || env.in_when || env.clocked || env.initial) {
    in.error(e.place, "spatialDistribution remembers what goes in: it stands in equations and algorithms that hold at all times");
    return {};
  }
  std::optional<Value> given[count];
  Place places[count];
  const auto take = [&](std::size_t k, const parser::Expression& argument) {
    if (given[k]) {
      in.error(argument.place, fmt::format("the argument {} of spatialDistribution is given twice", names[k]));
      return false;
    }
    given[k] = elaborate(in, argument, env);
    places[k] = argument.place;
    return given[k].has_value();
  };
  if (call.arguments.positional.size() > count || !call.arguments.iterators.empty()) {
    in.error(e.place, "spatialDistribution takes in0, in1, x, positiveVelocity, initialPoints and initialValues");
    return {};
  }
  for (std::size_t k = 0; k < call.arguments.positional.size(); ++k)
    if (!take(k, *call.arguments.positional[k])) return {};
  for (const parser::NamedArgument& a : call.arguments.named) {
    const auto at = std::find(std::begin(names), std::end(names), in.text(a.name));
    if (at == std::end(names)) {
      in.error(a.place, fmt::format("spatialDistribution has no argument named {}", in.text(a.name)));
      return {};
    }
    if (!take(static_cast<std::size_t>(at - std::begin(names)), *a.value)) return {};
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!given[k] && k < 4) {
      in.error(e.place, fmt::format("the argument {} of spatialDistribution is missing", names[k]));
      return {};
    }
    if (!given[k]) given[k] = Value{real_type, {2}, {ex.real(0, e.place), ex.real(k == 4 ? 1 : 0, e.place)}};
    Value& v = *given[k];
    if (k < 2 && !v.scalar()) {
      in.unsupported(places[k], "spatialDistribution of arrays");
      return {};
    }
    if (k < 4 ? !v.scalar() : v.dims.size() != 1) {
      in.error(places[k], fmt::format("{} of spatialDistribution must be a {}", names[k], k < 4 ? "scalar" : "vector"));
      return {};
    }
    if (!convert(in, v, k == 3 ? boolean_type : real_type, places[k], fmt::format("{} of spatialDistribution", names[k]))) return {};
  }
  const Value &points = *given[4], &values = *given[5];
  const Place where = places[4] ? places[4] : e.place;
  if (points.dims != values.dims || points.dims.front() < 2) {
    in.error(where, fmt::format("initialPoints and initialValues of spatialDistribution need one size, of at least 2; they have {} and {}",
                                points.dims.front(), values.dims.front()));
    return {};
  }
  double before = 0;
  for (std::size_t k = 0; k < points.elements.size(); ++k) {
    for (const Expr a : {points.elements[k], values.elements[k]})
      if (variability(in.model, a) > flat::Variability::parameter) {
        in.error(a == points.elements[k] ? where : places[5], "initialPoints and initialValues of spatialDistribution must be parameter expressions",
                 "use only constants and parameters in them");
        return {};
      }
    const Expr known = in.evaluated(points.elements[k]);
    if (known == Expr::none) {
      in.error(where, "initialPoints of spatialDistribution must be known before the run");
      return {};
    }
    const double point = ex.number(known);
    const bool first = k == 0, last = k + 1 == points.elements.size();
    if ((first && point != 0) || (last && point != 1) || point < before) {
      in.error(where, fmt::format("initialPoints of spatialDistribution must rise from 0 to 1, but number {} is {}", k + 1, point));
      return {};
    }
    before = point;
  }
  std::vector<Expr> operands;
  for (std::size_t k = 0; k < 4; ++k) operands.push_back(given[k]->only());
  operands.push_back(Expr::none);
  operands.insert(operands.end(), points.elements.begin(), points.elements.end());
  operands.insert(operands.end(), values.elements.begin(), values.elements.end());
  std::vector<Value> results;
  for (const std::int64_t output : {0, 1}) {
    operands[4] = ex.integer(output);
    results.push_back(scalar(real_type, ex.make(Op::spatial_distribution, BaseType::real, operands, e.place)));
  }
  return results;
}

}  // namespace mosim::compiler
