// Numbers that are taken from the rows of a run.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/account.hpp"
#include "engine/convert.hpp"
#include "study/watch.hpp"

namespace mosim {

namespace {

using studies::Formula;
using studies::Sort;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// ---- reading -----------------------------------------------------------------------------------------------------------

namespace {

/// Makes one measure of its text.
class MeasureReader {
 public:
  MeasureReader(const Model& model, Measures::Impl& to, const studies::Text& text) : model_(model), to_(to), text_(text) {}

  std::uint32_t read() {
    const parser::Expression& e = text_.expression();
    studies::Reader reader = reader_here();
    return reader.read(e);
  }

 private:
  using Over = Measures::Impl::Over;
  struct OverTime {
    std::string_view name;
    Over over;
    Sort operand;
  };
  static constexpr std::array<OverTime, 15> over_time{{{"min", Over::minimum, Sort::number},
                                                       {"max", Over::maximum, Sort::number},
                                                       {"mean", Over::mean, Sort::number},
                                                       {"rms", Over::rms, Sort::number},
                                                       {"integral", Over::integral, Sort::number},
                                                       {"first", Over::first, Sort::number},
                                                       {"last", Over::last, Sort::number},
                                                       {"at", Over::at, Sort::number},
                                                       {"count", Over::count, Sort::condition},
                                                       {"reached", Over::reached, Sort::condition},
                                                       {"duration", Over::duration, Sort::condition},
                                                       {"ever", Over::ever, Sort::condition},
                                                       {"always", Over::always, Sort::condition},
                                                       {"events", Over::events, Sort::number},
                                                       {"steps", Over::steps, Sort::number}}};

  studies::Reader reader_here() {
    return {text_, to_.formula, [this](const std::string& name) { return lookup(name); },
            [this](const std::string& name, const parser::Call& call, parser::Place place) { return callee(name, call, place); },
            [this](const std::string& variable, const std::string& name) { return literal(variable, name); }};
  }

  std::optional<Formula::Node> lookup(const std::string& name) {
    if (name == "time") {
      if (!is_inside_) text_.refuse("time goes on during a run: last(time) is the end, reached(c) when something comes");
      return Formula::Node{.what = Formula::What::time};
    }
    const auto k = model_.find(name);
    if (!k) {
      if (name == "pi") return {};
      text_.refuse_here(engine::unknown_variable(model_, name));
    }
    const Variable& v = model_.variables()[*k];
    if (v.type == Type::string) text_.refuse_here(fmt::format("{} is a String, and measures are numbers", name));
    const Sort sort = v.type == Type::boolean ? Sort::condition : Sort::number;
    if (v.kind == Kind::parameter || v.kind == Kind::constant) return Formula::Node{.what = Formula::What::constant, .sort = sort, .index = place_in(to_.parameters, name)};
    if (!is_inside_)
      text_.refuse_here(v.type == Type::boolean ? fmt::format("{0} changes during a run: say count({0}), duration({0}), reached({0}) or the like", name)
                                           : fmt::format("{0} changes during a run: say last({0}), max({0}), mean({0}) or the like", name));
    const std::uint32_t place = place_in(to_.variables, name);
    if (place == to_.is_real.size()) to_.is_real.push_back(v.type == Type::real && v.kind != Kind::discrete);
    return Formula::Node{.what = Formula::What::row, .sort = sort, .index = place};
  }

  static std::uint32_t place_in(std::vector<std::string>& names, const std::string& name) {
    const auto it = std::find(names.begin(), names.end(), name);
    const auto place = std::uint32_t(it - names.begin());
    if (it == names.end()) names.push_back(name);
    return place;
  }

  std::optional<Formula::Node> callee(const std::string& name, const parser::Call& call, parser::Place place) {
    const auto it = std::find_if(over_time.begin(), over_time.end(), [&](const OverTime& o) { return o.name == name; });
    if (it == over_time.end()) return {};
    const auto& given = call.arguments.positional;
    // min and max of two numbers are the functions of MLS 10.3.4.
    if (given.size() == 2 && (it->over == Over::minimum || it->over == Over::maximum)) return {};
    if (is_inside_) text_.refuse(fmt::format("{} is over the whole run, and stands inside of another such function", name));
    const bool is_counted = it->over == Over::events || it->over == Over::steps;   // by the run itself
    const std::size_t takes = is_counted ? 0 : it->over == Over::at ? 2 : 1;
    if (given.size() != takes) text_.refuse(takes == 0 ? fmt::format("{} is of the whole run, and takes no arguments", name) : takes == 2 ? "write at(x, t): the value of x at the time t" : fmt::format("{} takes one argument, not {}", name, given.size()));
    Measures::Impl::Function function{it->over, 0, 0, std::string(text_.written(place))};
    if (it->over == Over::at) function.at = studies::constant(text_, *given[1]);
    if (!is_counted) {
      is_inside_ = true;
      function.operand = reader_here().read(*given[0], it->operand);
      is_inside_ = false;
    }
    to_.functions.push_back(std::move(function));
    const Sort sort = it->over == Over::ever || it->over == Over::always ? Sort::condition : Sort::number;
    return Formula::Node{.what = Formula::What::inner, .sort = sort, .index = std::uint32_t(to_.functions.size() - 1)};
  }

  std::optional<double> literal(const std::string& variable, const std::string& name) const {
    const auto k = model_.find(variable);
    if (!k || model_.find(name)) return {};
    const Variable& v = model_.variables()[*k];
    const std::size_t dot = name.rfind('.');
    const auto it = std::find(v.literals.begin(), v.literals.end(), dot == std::string::npos ? name : name.substr(dot + 1));
    if (it == v.literals.end()) return {};
    return double(it - v.literals.begin() + 1);
  }

  const Model& model_;
  Measures::Impl& to_;
  const studies::Text& text_;
  bool is_inside_ = false;
};

}  // namespace

Measures::Measures(const Model& model, std::string_view list) : impl_(std::make_unique<Impl>()) {
  for (const std::string& part : studies::split(list)) {
    const studies::Named named = studies::separate_name(part);
    const studies::Text text(named.rest);
    impl_->measures.push_back(MeasureReader(model, *impl_, text).read());
    const std::string name = named.name.empty() ? named.rest : named.name;
    if (std::find(impl_->names.begin(), impl_->names.end(), name) != impl_->names.end()) throw std::invalid_argument(fmt::format("{} is there twice", name));
    impl_->names.push_back(name);
  }
}

Measures::Measures(Measures&&) noexcept = default;
Measures& Measures::operator=(Measures&&) noexcept = default;
Measures::~Measures() = default;

const std::vector<std::string>& Measures::names() const { return impl_->names; }
const std::vector<std::string>& Measures::variables() const { return impl_->variables; }
const std::vector<std::string>& Measures::parameters() const { return impl_->parameters; }

std::vector<std::string> Measures::functions() const {
  std::vector<std::string> texts;
  for (const Impl::Function& f : impl_->functions) texts.push_back(f.text);
  return texts;
}

namespace studies {
Watch watched(const Measures& measures, const Result& result) {
  std::vector<std::size_t> columns{0};
  for (const std::string& name : measures.variables()) {
    const auto it = std::find(result.names.begin(), result.names.end(), name);
    if (it == result.names.end()) throw std::invalid_argument(fmt::format("the result has no column {}", name));
    columns.push_back(std::size_t(it - result.names.begin()));
  }
  std::vector<double> constants;
  for (const std::string& name : measures.parameters()) {
    if (!result.account) throw std::invalid_argument("this result is of no run");
    const runtime::Program& program = result.account->program;
    const auto k = result.account->model->find(name);
    if (!k) throw std::invalid_argument("this result is of another model");
    const runtime::Variable& v = program.variables[*k];
    const auto& memory = result.account->result.parameters.empty() ? program.memory : result.account->result.parameters;
    const double value = memory[v.slot];
    constants.push_back(!v.negated ? value : v.type == runtime::Type::boolean ? 1 - value : -value);
  }
  Watch watch(measures, std::move(constants));
  std::vector<double> row(columns.size());
  for (std::size_t at = 0; at < result.rows.size(); at += result.names.size()) {
    for (std::size_t k = 0; k < columns.size(); ++k) row[k] = result.rows[at + columns[k]];
    watch.take(row);
  }
  return watch;
}
}  // namespace studies

std::vector<double> Measures::of(const Result& result) const { return studies::watched(*this, result).measures(result.statistics); }

std::vector<std::pair<std::string, double>> measure(const Result& result, std::string_view list) {
  if (!result.account) throw std::invalid_argument("this result is of no run");
  const Measures measures(*result.account->model, list);
  const std::vector<double> values = measures.of(result);
  std::vector<std::pair<std::string, double>> named;
  for (std::size_t k = 0; k < values.size(); ++k) named.emplace_back(measures.names()[k], values[k]);
  return named;
}

// ---- while a run goes on -----------------------------------------------------------------------------------------------

Watch::Watch(const Measures& measures, std::vector<double> constants)
    : of_(*measures.impl_), constants_(std::move(constants)), states_(of_.functions.size()) {}

double Watch::operand(const Measures::Impl::Function& f, double time, const double* row) const {
  return of_.formula.value(f.operand, {time, row + 1, constants_.data(), nullptr});
}

double Watch::change(const Measures::Impl::Function& f, std::span<const double> row) {
  double low = last_[0], high = row[0];
  const double begin = low, length = high - low;
  const bool before = operand(f, low, last_.data()) != 0;
  between_.assign(last_.begin(), last_.end());
  // Halved until there is no number between.
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return high;
    const double part = (middle - begin) / length;
    between_[0] = middle;
    for (std::size_t k = 0; k < of_.is_real.size(); ++k)
      if (of_.is_real[k]) between_[k + 1] = last_[k + 1] + part * (row[k + 1] - last_[k + 1]);
    ((operand(f, middle, between_.data()) != 0) == before ? low : high) = middle;
  }
}

void Watch::take(std::span<const double> row) {
  const double time = row[0];
  const double length = has_begun_ ? time - last_[0] : 0;
  if (!has_begun_) begin_ = time;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Measures::Impl::Function& f = of_.functions[k];
    if (f.over == Over::events || f.over == Over::steps) continue;
    State& s = states_[k];
    const double x = operand(f, time, row.data());
    const bool is_first = !has_begun_;
    switch (f.over) {
      case Over::minimum: s.value = is_first ? x : std::min(s.value, x); break;
      case Over::maximum: s.value = is_first ? x : std::max(s.value, x); break;
      case Over::mean: case Over::integral: s.value += is_first ? 0 : 0.5 * (s.last + x) * length; break;
      // The square of a straight line, over its length.
      case Over::rms: s.value += is_first ? 0 : (s.last * s.last + s.last * x + x * x) / 3 * length; break;
      case Over::first: if (is_first) s.value = x; break;
      case Over::last: s.value = x; break;
      case Over::at:
        if (is_first) s.value = nothing;
        if (time == f.at) s.value = x;
        else if (!is_first && last_[0] < f.at && f.at < time) {
          const double part = (f.at - last_[0]) / length;
          between_.assign(last_.begin(), last_.end());
          between_[0] = f.at;
          for (std::size_t i = 0; i < of_.is_real.size(); ++i)
            if (of_.is_real[i]) between_[i + 1] = last_[i + 1] + part * (row[i + 1] - last_[i + 1]);
          s.value = operand(f, f.at, between_.data());
        }
        break;
      case Over::count: s.value += x != 0 && (is_first || s.last == 0); break;
      case Over::reached:
        if (is_first) s.value = x != 0 ? time : nothing;
        else if (std::isnan(s.value) && x != 0) s.value = length > 0 ? change(f, row) : time;
        break;
      case Over::duration:
        if (is_first) break;
        if (s.last != 0 && x != 0) s.value += length;
        else if (s.last != x && length > 0) {
          const double at = change(f, row);
          s.value += x != 0 ? time - at : at - last_[0];
        }
        break;
      case Over::ever: s.value = is_first ? double(x != 0) : double(s.value != 0 || x != 0); break;
      case Over::always: s.value = is_first ? double(x != 0) : double(s.value != 0 && x != 0); break;
      case Over::events: case Over::steps: break;
    }
    s.last = x;
  }
  last_.assign(row.begin(), row.end());
  has_begun_ = true;
}

double Watch::result(std::size_t k, const Statistics& statistics) const {
  if (of_.functions[k].over == Over::events) return double(statistics.time_events + statistics.state_events + statistics.clock_events);
  if (of_.functions[k].over == Over::steps) return double(statistics.steps);
  if (!has_begun_) return nothing;
  const State& s = states_[k];
  const double length = last_[0] - begin_;
  switch (of_.functions[k].over) {
    case Over::mean: return length > 0 ? s.value / length : s.last;
    case Over::rms: return length > 0 ? std::sqrt(s.value / length) : std::fabs(s.last);
    default: return s.value;
  }
}

std::vector<double> Watch::functions(const Statistics& statistics) const {
  std::vector<double> values(states_.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = result(k, statistics);
  return values;
}

std::vector<double> Watch::measures(const Statistics& statistics) const {
  const std::vector<double> inner = functions(statistics);
  std::vector<double> values;
  for (const std::uint32_t k : of_.measures) values.push_back(of_.formula.value(k, {0, nullptr, constants_.data(), inner.data()}));
  return values;
}

}  // namespace mosim
