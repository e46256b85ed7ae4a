// A run beside a reference.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <span>
#include <stdexcept>

#include "engine/account.hpp"
#include "mosim/lesson.hpp"
#include "report/names.hpp"

namespace mosim {

namespace {

struct Trajectory {
  std::span<const double> times;
  std::vector<double> values;
  bool continuous = false;   // straight lines lead from row to row
};

/// The value at a time between rows; at two rows alike, the first or the last of them.
double value_at(const Trajectory& c, double t) {
  const auto it = std::upper_bound(c.times.begin(), c.times.end(), t);
  if (it == c.times.begin()) return c.values.front();
  const auto k = std::size_t(it - c.times.begin()) - 1;
  if (!c.continuous || it == c.times.end() || c.times[k] == t) return c.values[k];
  const double part = (t - c.times[k]) / (c.times[k + 1] - c.times[k]);
  return c.values[k] + part * (c.values[k + 1] - c.values[k]);
}

/// What a trajectory has within a window that moves on.
class Window {
 public:
  explicit Window(const Trajectory& of) : of_(of) {}

  struct Values {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    bool has_gap = false;               // a row without a value
  };
  Values between(double from, double to) {
    for (; next_ < of_.times.size() && of_.times[next_] <= to; ++next_) {
      const double x = of_.values[next_];
      if (std::isnan(x)) {
        last_gap_ = of_.times[next_];
        continue;
      }
      while (!low_.empty() && of_.values[low_.back()] >= x) low_.pop_back();
      while (!high_.empty() && of_.values[high_.back()] <= x) high_.pop_back();
      low_.push_back(next_);
      high_.push_back(next_);
    }
    for (auto* queue : {&low_, &high_})
      while (!queue->empty() && of_.times[queue->front()] < from) queue->pop_front();
    Values v;
    v.has_gap = last_gap_ >= from;
    for (const double x : {value_at(of_, from), value_at(of_, to)})
      if (std::isnan(x)) v.has_gap = true;
      else v.low = std::min(v.low, x), v.high = std::max(v.high, x);
    if (!low_.empty()) v.low = std::min(v.low, of_.values[low_.front()]);
    if (!high_.empty()) v.high = std::max(v.high, of_.values[high_.front()]);
    return v;
  }

 private:
  const Trajectory& of_;
  std::size_t next_ = 0;
  double last_gap_ = -std::numeric_limits<double>::infinity();
  std::deque<std::size_t> low_, high_;
};

/// The largest distance of one's values from what the other has around that time.
void look(const Trajectory& one, const Trajectory& other, double width, double end, bool one_is_reference, Compared& worst) {
  Window window(other);
  for (std::size_t r = 0; r < one.values.size(); ++r) {
    const double t = one.times[r], x = one.values[r];
    if (t > end + width) break;
    const Window::Values around = window.between(t - width, t + width);
    double distance = std::max({0.0, around.low - x, x - around.high});
    if (std::isnan(x)) distance = around.has_gap ? 0 : std::numeric_limits<double>::infinity();
    if (!(distance > worst.difference)) continue;
    const double there = value_at(other, t);
    worst.difference = distance;
    worst.time = t;
    worst.reference = one_is_reference ? x : there;
    worst.found = one_is_reference ? there : x;
  }
}

bool is_compared(const Variable& v) {
  return (v.kind == Kind::state || v.kind == Kind::algebraic || v.kind == Kind::discrete) && v.type != Type::string && !v.is_protected;
}

}  // namespace

Comparison compare(const Result& reference, const Result& result, const ComparisonOptions& options) {
  if (!reference.account || !result.account) throw std::invalid_argument("a comparison is of results of runs");
  if (reference.rows.empty() || result.rows.empty()) throw std::invalid_argument("a result without rows cannot be compared");
  Comparison c;
  c.reference_end = reference.time;
  c.end = result.time;
  const std::vector<double> reference_times = reference.column("time"), times = result.column("time");
  const double length = std::max(reference.time - reference_times.front(), std::numeric_limits<double>::min());
  const double width = options.tolerance * length, end = std::min(reference.time, result.time);
  c.same_end = reference.ending == result.ending && std::fabs(reference.time - result.time) <= width;
  const Model &of = *reference.account->model, &other = *result.account->model;

  std::vector<std::string> names;
  std::vector<bool> used(options.variables.size());
  for (const std::string& name : reference.names) {
    const auto k = of.find(name);
    if (!k) continue;
    if (options.variables.empty() && is_compared(of.variables()[*k])) names.push_back(name);
    bool wanted = false;
    for (std::size_t i = 0; i < options.variables.size(); ++i)
      if (report::matches(options.variables[i], name, report::has_wildcards(options.variables[i]))) wanted = used[i] = true;
    if (wanted && of.variables()[*k].type != Type::string) names.push_back(name);
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) throw std::invalid_argument(fmt::format("the reference has no variable {}", options.variables[i]));

  c.agrees = c.same_end;
  for (const std::string& name : names) {
    Compared& v = c.variables.emplace_back();
    v.variable = name;
    const Variable& variable = of.variables()[*of.find(name)];
    const auto k = other.find(name);
    v.is_there = k && (other.variables()[*k].type == Type::real) == (variable.type == Type::real) && other.variables()[*k].type != Type::string &&
                 std::find(result.names.begin(), result.names.end(), name) != result.names.end();
    if (!v.is_there) {
      c.agrees = false;
      continue;
    }
    const bool continuous = variable.type == Type::real && variable.kind != Kind::discrete;
    const Trajectory one{reference_times, reference.column(name), continuous};
    const Trajectory two{times, result.column(name), other.variables()[*k].type == Type::real && other.variables()[*k].kind != Kind::discrete};
    if (variable.type == Type::real) {
      double low = std::numeric_limits<double>::infinity(), high = -low, size = 0;
      for (const double x : one.values)
        if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x), size = std::max(size, std::fabs(x));
      // A range that is all rounding says nothing.
      const double range = high - low > 1e-6 * size ? high - low : size;
      v.allowed = options.tolerance * (range > 0 ? range : 1);
    }
    look(two, one, width, end, false, v);
    look(one, two, width, end, true, v);
    v.agrees = v.difference <= v.allowed;
    c.agrees = c.agrees && v.agrees;
  }
  return c;
}

}  // namespace mosim
