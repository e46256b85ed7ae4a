// Which values each run has.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>

#include "engine/convert.hpp"
#include "mosim/study.hpp"
#include "study/expression.hpp"
#include "study/table.hpp"

namespace mosim {

namespace {

constexpr std::uint64_t most_runs = 100'000'000;

/// The inverse of a distribution function, on (0, 1).
using Quantile = std::function<double(double)>;

struct Distribution {
  const char* parameters;
  std::size_t count;
  /// Throws std::domain_error for parameters that it cannot have.
  Quantile (*quantile)(const std::vector<double>& p);
};

[[noreturn]] void outside(const char* why) { throw std::domain_error(why); }

double normal_quantile(double u) {
  static const boost::math::normal standard;
  return boost::math::quantile(standard, u);
}

const std::map<std::string_view, Distribution, std::less<>> distributions{
    {"uniform", {"a, b", 2, [](const std::vector<double>& p) -> Quantile {
       if (!(p[0] < p[1])) outside("a must be below b");
       return [a = p[0], b = p[1]](double u) { return a + u * (b - a); };
     }}},
    {"loguniform", {"a, b", 2, [](const std::vector<double>& p) -> Quantile {
       if (!(p[0] > 0 && p[0] < p[1])) outside("a must be positive and below b");
       return [a = std::log(p[0]), b = std::log(p[1])](double u) { return std::exp(a + u * (b - a)); };
     }}},
    {"triangular", {"a, mode, b", 3, [](const std::vector<double>& p) -> Quantile {
       if (!(p[0] < p[2] && p[0] <= p[1] && p[1] <= p[2])) outside("a must be below b, and the mode between them");
       return [d = boost::math::triangular(p[0], p[1], p[2])](double u) { return boost::math::quantile(d, u); };
     }}},
    {"normal", {"mean, deviation", 2, [](const std::vector<double>& p) -> Quantile {
       if (!(p[1] > 0)) outside("the deviation must be positive");
       return [m = p[0], s = p[1]](double u) { return m + s * normal_quantile(u); };
     }}},
    {"lognormal", {"mean, deviation", 2, [](const std::vector<double>& p) -> Quantile {
       if (!(p[1] > 0)) outside("the deviation must be positive");
       return [m = p[0], s = p[1]](double u) { return std::exp(m + s * normal_quantile(u)); };
     }}},
    {"exponential", {"mean", 1, [](const std::vector<double>& p) -> Quantile {
       if (!(p[0] > 0)) outside("the mean must be positive");
       return [m = p[0]](double u) { return -m * std::log1p(-u); };
     }}},
    {"weibull", {"shape, scale", 2, [](const std::vector<double>& p) -> Quantile {
       if (!(p[0] > 0 && p[1] > 0)) outside("shape and scale must be positive");
       return [d = boost::math::weibull(p[0], p[1])](double u) { return boost::math::quantile(d, u); };
     }}},
    {"beta", {"alpha, beta", 2, [](const std::vector<double>& p) -> Quantile {
       if (!(p[0] > 0 && p[1] > 0)) outside("alpha and beta must be positive");
       return [d = boost::math::beta_distribution<>(p[0], p[1])](double u) { return boost::math::quantile(d, u); };
     }}}};

/// One factor as it is written.
struct Factor {
  std::string variable;
  std::vector<double> values;   // of the grid
  Quantile quantile{};          // or a distribution
};

const Variable& variable_of(const Model& model, const std::string& name) {
  if (const auto k = model.find(name)) return model.variables()[*k];
  throw std::invalid_argument(engine::unknown_variable(model, name));
}

std::optional<double> literal_of(const Variable& v, std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const auto it = std::find(v.literals.begin(), v.literals.end(), dot == std::string_view::npos ? name : name.substr(dot + 1));
  if (it == v.literals.end()) return {};
  return double(it - v.literals.begin() + 1);
}

/// A value that a variable of this type can have.
double checked(const Variable& v, double value, const std::string& text) {
  const auto refuse = [&](std::string_view why) { throw std::invalid_argument(fmt::format("`{}`: {} {}", text, v.name, why)); };
  if (v.type == Type::string) refuse("is a String, and what varies are numbers");
  if (!std::isfinite(value)) refuse("is to have a finite value");
  if (v.type == Type::boolean && value != 0 && value != 1) refuse("is a Boolean: its values are false and true");
  if (v.type == Type::integer && value != std::round(value)) refuse(fmt::format("is an Integer, and {} is no whole number", value));
  if (v.type == Type::enumeration && !(value >= 1 && value <= double(v.literals.size()) && value == std::round(value)))
    refuse(fmt::format("has the values {}", fmt::join(v.literals, ", ")));
  return value;
}

/// One value as it is written.
double value_of(const Variable& v, const studies::Text& text, const parser::Expression& e) {
  if (const auto* b = std::get_if<parser::BooleanLiteral>(&e.node)) {
    if (v.type != Type::boolean) text.refuse(fmt::format("{} is no Boolean", v.name));
    return b->value;
  }
  if (v.type == Type::boolean) text.refuse(fmt::format("{} is a Boolean: its values are false and true", v.name));
  if (v.type == Type::enumeration) {
    if (std::holds_alternative<parser::Reference>(e.node))
      if (const auto literal = literal_of(v, text.name(e.place))) return *literal;
    text.refuse(fmt::format("the values of {} are {}", v.name, fmt::join(v.literals, ", ")));
  }
  return checked(v, studies::constant(text, e), std::string(text.whole()));
}

/// 3*0.1 as 0.3: the number of 15 digits, where rounding alone keeps it from being that.
double decimal(double value) {
  const double plain = std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr);
  return std::fabs(value - plain) <= 3e-16 * std::fabs(value) ? plain : value;
}

/// start:step:stop, MLS 10.4.3. The last value is the end where the steps meet it but for rounding.
void add_range(std::vector<double>& values, const Variable& v, const studies::Text& text, const parser::Range& r) {
  if (v.type == Type::boolean || v.type == Type::enumeration) text.refuse(fmt::format("list the values of {}, separated by commas", v.name));
  const double start = studies::constant(text, *r.start), stop = studies::constant(text, *r.stop), step = r.step ? studies::constant(text, *r.step) : 1;
  if (step == 0) text.refuse("a step of 0 does not come to an end");
  const double steps = (stop - start) / step;
  const double n = std::floor(steps + 1e-9 * std::max(1.0, std::fabs(steps)));
  if (!(n < double(most_runs))) text.refuse(fmt::format("these are {:.3g} values, and there is room for {}", n + 1, most_runs));
  if (n < 0) text.refuse("this range has no values");
  for (double k = 0; k <= n; ++k) {
    const double value = start + k * step;
    values.push_back(checked(v, std::fabs(value - stop) <= 1e-9 * std::fabs(step) ? stop : decimal(value), std::string(text.whole())));
  }
}

Factor read_factor(const Model& model, const std::string& written) {
  const studies::Named named = studies::separate_name(written);
  if (named.name.empty())
    throw std::invalid_argument(fmt::format("`{}`: write NAME=VALUES, for example e=0.1:0.1:0.9, e=0.3,0.5 or e=normal(0.5, 0.1)", written));
  const Variable& v = variable_of(model, named.name);
  Factor factor{v.name, {}};
  for (const std::string& part : studies::split(named.rest)) {
    const studies::Text text(part);
    const parser::Expression& e = text.expression();
    if (const auto* c = std::get_if<parser::Call>(&e.node)) {
      const std::string name = text.name(c->callee.place);
      const auto it = distributions.find(name);
      if (it != distributions.end()) {
        const Distribution& d = it->second;
        if (!factor.values.empty() || part != named.rest) text.refuse("a distribution stands alone, without other values");
        if (v.type != Type::real) text.refuse(fmt::format("{} is no Real: give the values that it has", v.name));
        if (c->arguments.positional.size() != d.count || !c->arguments.named.empty()) text.refuse(fmt::format("write {}({})", name, d.parameters));
        std::vector<double> parameters;
        for (const parser::Expression* p : c->arguments.positional) {
          parameters.push_back(studies::constant(text, *p));
          if (!std::isfinite(parameters.back())) text.refuse("its parameters must be finite");
        }
        try {
          factor.quantile = d.quantile(parameters);
        } catch (const std::domain_error& error) {
          text.refuse(fmt::format("of {}({}), {}", name, d.parameters, error.what()));
        }
        return factor;
      }
    }
    if (const auto* r = std::get_if<parser::Range>(&e.node)) {
      add_range(factor.values, v, text, *r);
    } else if (const auto* a = std::get_if<parser::ArrayConstructor>(&e.node)) {
      for (const parser::Expression* element : a->elements) factor.values.push_back(value_of(v, text, *element));
    } else {
      factor.values.push_back(value_of(v, text, e));
    }
  }
  return factor;
}

/// Numbers in (0, 1) for one factor, which another factor and another seed do not share.
std::vector<double> draw(std::uint64_t seed, std::size_t factor, std::uint64_t runs, Sampling sampling) {
  std::seed_seq sequence{std::uint32_t(seed), std::uint32_t(seed >> 32), std::uint32_t(factor)};
  std::mt19937_64 generator(sequence);
  // 53 bits, from the middle of each of as many intervals. std::uniform_real_distribution is another one in each library.
  const auto next = [&] { return (double(generator() >> 11) + 0.5) * 0x1p-53; };
  std::vector<double> u(runs);
  if (sampling == Sampling::monte_carlo) {
    for (double& x : u) x = next();
    return u;
  }
  for (std::uint64_t k = 0; k < runs; ++k) u[k] = (double(k) + next()) / double(runs);
  for (std::uint64_t k = runs; k > 1; --k) std::swap(u[k - 1], u[std::uint64_t(next() * double(k))]);   // Fisher and Yates
  return u;
}

}  // namespace

void Plan::add_variable(const Model& model, const std::string& name) {
  const Variable& v = variable_of(model, name);
  if (v.kind == Kind::constant) throw std::invalid_argument(fmt::format("{} is a constant, and cannot vary", name));
  if (std::find(variables_.begin(), variables_.end(), v.name) != variables_.end()) throw std::invalid_argument(fmt::format("{} varies twice", name));
  variables_.push_back(v.name);
}

Plan::Plan(const Model& model, const std::vector<std::string>& factors, PlanOptions options) {
  std::vector<Factor> list;
  std::uint64_t points = 1;
  bool draws = false;
  for (const std::string& written : factors) {
    list.push_back(read_factor(model, written));
    add_variable(model, list.back().variable);
    draws = draws || list.back().quantile;
    if (list.back().quantile) continue;
    if (points > most_runs / list.back().values.size()) throw std::invalid_argument(fmt::format("the grid has more than {} points", most_runs));
    points *= list.back().values.size();
  }
  if (list.empty()) throw std::invalid_argument("nothing varies; name something, as in e=0.1:0.1:0.9");
  if (draws && !options.runs) throw std::invalid_argument("say how many values are to be drawn from the distributions: give a number of runs");
  if (!draws && options.runs && *options.runs != points)
    throw std::invalid_argument(fmt::format("the grid has {} points, which makes as many runs, not {}; a number of runs is for distributions", points, *options.runs));
  runs_ = options.runs.value_or(points);
  if (runs_ == 0) throw std::invalid_argument("a study has at least one run");
  if (runs_ > most_runs) throw std::invalid_argument(fmt::format("{} runs are more than there is room for, {}", runs_, most_runs));
  if (runs_ < points) throw std::invalid_argument(fmt::format("the grid has {} points, which {} runs do not come to", points, runs_));

  std::uint64_t repeat = points;
  for (std::size_t f = 0; f < list.size(); ++f) {
    if (!list[f].quantile) {
      repeat /= list[f].values.size();
      columns_.push_back({std::move(list[f].values), repeat});
      continue;
    }
    std::vector<double> values = draw(options.seed, f, runs_, options.sampling);
    for (double& x : values) x = list[f].quantile(x);
    columns_.push_back({std::move(values), 1});
  }
}

Plan Plan::columns(const Model& model, std::vector<std::string> variables, std::vector<std::vector<double>> values) {
  Plan plan;
  if (variables.size() != values.size() || variables.empty()) throw std::invalid_argument("a plan has as many columns as variables, at least one");
  plan.runs_ = values.front().size();
  for (std::size_t f = 0; f < variables.size(); ++f) {
    plan.add_variable(model, variables[f]);
    if (values[f].size() != plan.runs_) throw std::invalid_argument(fmt::format("{} has {} values, and {} has {}", variables[f], values[f].size(), variables.front(), plan.runs_));
    const Variable& v = variable_of(model, variables[f]);
    for (const double value : values[f]) (void)checked(v, value, fmt::format("{}={}", v.name, value));
    plan.columns_.push_back({std::move(values[f]), 1});
  }
  if (plan.runs_ == 0) throw std::invalid_argument("a study has at least one run");
  return plan;
}

Plan Plan::table(const Model& model, std::string_view csv) {
  const std::vector<std::vector<std::string>> lines = studies::read_csv(csv);
  if (lines.empty()) throw std::invalid_argument("the table is empty; its first line has the variables' names");
  std::vector<std::vector<double>> values(lines.front().size());
  for (std::size_t line = 1; line < lines.size(); ++line) {
    if (lines[line].size() != values.size())
      throw std::invalid_argument(fmt::format("line {} of the table has {} values, and its first line {} names", line + 1, lines[line].size(), values.size()));
    for (std::size_t f = 0; f < values.size(); ++f) {
      const Variable& v = variable_of(model, lines.front()[f]);
      try {
        double plain = 0;
        const std::string& cell = lines[line][f];
        const auto end = std::from_chars(cell.data(), cell.data() + cell.size(), plain).ptr;
        if (!cell.empty() && end == cell.data() + cell.size()) {   // a Boolean, too, as results of mosim have it
          values[f].push_back(checked(v, plain, cell));
          continue;
        }
        const studies::Text text(cell);
        values[f].push_back(value_of(v, text, text.expression()));
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("line {} of the table, column {}: {}", line + 1, lines.front()[f], error.what()));
      }
    }
  }
  return columns(model, lines.front(), std::move(values));
}

std::vector<double> Plan::values(std::uint64_t run) const {
  if (run == 0 || run > runs_) throw std::invalid_argument(fmt::format("there is no run {} among {}", run, runs_));
  std::vector<double> result;
  for (const Column& c : columns_) result.push_back(c.values[(run - 1) / c.repeat % c.values.size()]);
  return result;
}

}  // namespace mosim
