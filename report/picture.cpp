#include "report/picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::report {

namespace {

using runtime::Index;
using runtime::Type;
using runtime::Variable;

constexpr double lane_height = 1.5;
constexpr double most_unit_ticks = 8;

/// A column of pixels shows a stretch of a curve by its first, last, lowest and highest point.
void thin(std::vector<double>& times, std::vector<double>& values, double start, double stop, std::size_t columns) {
  const std::size_t n = times.size();
  if (n <= 4 * columns) return;
  const auto column = [&](double t) { return std::floor((t - start) / (stop - start) * double(columns)); };
  std::size_t to = 0;
  for (std::size_t from = 0; from < n;) {
    std::size_t low = from, high = from, last = from;
    while (last + 1 < n && column(times[last + 1]) == column(times[from])) {
      ++last;
      if (values[last] < values[low]) low = last;
      if (values[last] > values[high]) high = last;
    }
    std::size_t keep[] = {from, std::min(low, high), std::max(low, high), last};
    const auto end = std::unique(std::begin(keep), std::end(keep));
    for (auto k = std::begin(keep); k != end; ++k, ++to) {
      times[to] = times[*k];
      values[to] = values[*k];
    }
    from = last + 1;
  }
  times.resize(to);
  values.resize(to);
}

/// Of a run of equal values, the first point and the last.
void drop_repeated(Curve& c) {
  std::size_t to = 0;
  const auto same = [&](std::size_t a, std::size_t b) { return c.values[a] == c.values[b]; };
  for (std::size_t k = 0; k < c.times.size(); ++k) {
    if (to > 0 && k + 1 < c.times.size() && same(to - 1, k) && same(k, k + 1)) continue;
    c.times[to] = c.times[k];
    c.values[to++] = c.values[k];
  }
  c.times.resize(to);
  c.values.resize(to);
}

Curve make_curve(const Recording& run, Index index, const Picture& p, std::size_t points) {
  Curve curve;
  if (index == time_itself) {
    curve.name = "time";
    curve.unit = "s";
    curve.times = curve.values = run.rows.times;
  } else {
    const Variable& v = run.program.variables[index];
    curve.name = v.name;
    curve.unit = v.unit;
    curve.description = v.described();
    curve.steps = is_stepped(v);
    if (const Kept::Column* const column = run.rows.column_of(index)) {
      curve.times = run.rows.times;
      if (column->values != Kept::none) curve.values = run.rows.values[column->values];
      else curve.values.assign(curve.times.size(), column->first);
    } else {  // a parameter or constant
      const double x = v.slot < run.result.parameters.size() ? run.result.parameters[v.slot] : run.program.memory[v.slot];
      curve.times = {p.start, p.stop};
      curve.values.assign(2, !v.negated ? x : v.type == Type::boolean ? 1 - x : -x);
    }
  }
  for (double& x : curve.values)
    if (!std::isfinite(x)) x = std::numeric_limits<double>::quiet_NaN();
  if (curve.steps) drop_repeated(curve);
  thin(curve.times, curve.values, p.start, p.stop, points);
  return curve;
}

bool share_axis(const Variable* a, const Variable* b) {
  const Type s = a ? a->type : Type::real, t = b ? b->type : Type::real;
  if (s != t) return false;
  if (s == Type::boolean) return true;
  if (s == Type::enumeration) return a->literals == b->literals;
  return (a ? a->unit : "s") == (b ? b->unit : "s");
}

void set_axis(Panel& panel, const Variable* v) {
  if (v && v->type == Type::boolean) {
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      // The first one on top, as in the legend.
      const double lane = lane_height * double(panel.curves.size() - 1 - k);
      panel.curves[k].lane = lane;
      panel.ticks.push_back({lane, "false"});
      panel.ticks.push_back({lane + 1, "true"});
    }
    panel.low = -0.25;
    panel.high = lane_height * double(panel.curves.size() - 1) + 1.25;
    return;
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& c : panel.curves)
    for (const double x : c.values)
      if (!std::isnan(x)) {
        low = std::min(low, x);
        high = std::max(high, x);
      }
  if (!(low <= high)) low = 0, high = 1;
  if (v && v->type == Type::enumeration) {
    for (std::size_t k = 0; k < v->literals.size(); ++k)
      if (double(k + 1) >= low && double(k + 1) <= high) panel.ticks.push_back({double(k + 1), v->literals[k]});
  }
  double margin = 0.06 * (high - low);
  if (!(margin > 1e-12 * std::max(std::abs(low), std::abs(high)))) margin = low == 0 ? 1 : 0.1 * std::abs(low);
  if (v && v->type != Type::real) margin = std::max(margin, 0.25);
  panel.unit_ticks = v && v->type == Type::integer && high - low <= most_unit_ticks;
  const double most = std::numeric_limits<double>::max() / 8;
  panel.low = std::max(low - margin, -most);
  panel.high = std::min(high + margin, most);
}

void find_hidden(Panel& panel) {
  for (std::size_t k = 1; k < panel.curves.size(); ++k) {
    Curve& c = panel.curves[k];
    const double pixel = 2e-3 * (panel.high - panel.low);
    c.hides_another = std::any_of(panel.curves.begin(), panel.curves.begin() + std::ptrdiff_t(k), [&](const Curve& other) {
      return c.times == other.times && c.lane == other.lane &&
             std::equal(c.values.begin(), c.values.end(), other.values.begin(), other.values.end(),
                        [&](double a, double b) { return a == b || std::abs(a - b) <= pixel; });
    });
  }
}

}  // namespace

bool is_stepped(const Variable& v) { return v.type != Type::real || v.kind == runtime::Kind::discrete; }

Picture make_picture(const Recording& run, const Choice& choice, std::size_t points) {
  Picture p;
  p.title = run.program.model;
  p.description = run.program.description;
  p.start = run.options.start;
  p.stop = run.result.time > run.options.start ? run.result.time : run.options.stop;
  if (!(p.stop > p.start)) p.start -= 0.5, p.stop += 0.5;
  std::vector<const Variable*> kinds;
  for (const Index index : choice) {
    const Variable* v = index == time_itself ? nullptr : &run.program.variables[index];
    std::size_t k = 0;
    while (k < kinds.size() && !share_axis(kinds[k], v)) ++k;
    if (k == kinds.size()) {
      kinds.push_back(v);
      p.panels.push_back({v ? v->unit : "s", {}, 0, 1, {}, false});
    }
    p.panels[k].curves.push_back(make_curve(run, index, p, points));
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    set_axis(p.panels[k], kinds[k]);
    find_hidden(p.panels[k]);
  }
  // Those within a pixel of each other are one line.
  const double pixel = 1e-3 * (p.stop - p.start), crowd = 15 * pixel;
  run.events([&](const runtime::EventRecord& e) {
    if (e.rearming || e.kind == runtime::EventKind::initial || e.kind == runtime::EventKind::terminal) return true;
    if (!p.marks.empty() && p.marks.back().kind == e.kind && e.time - p.marks.back().time < 1e-2 * pixel) ++p.marks.back().events;
    else p.marks.push_back({e.time, e.kind, 1, e.number, true});
    return true;
  });
  const auto time = [&](std::size_t k) { return p.marks[k].time; };
  for (std::size_t k = 0, before = 0, after = 0; k < p.marks.size(); ++k) {
    // One past the last that lies more than a pixel before it, and the first that lies more than a pixel after it.
    while (before < k && time(k) - time(before) > pixel) ++before;
    while (after < p.marks.size() && time(after) - time(k) <= pixel) ++after;
    p.marks[k].apart = (before == 0 || time(k) - time(before - 1) >= crowd) &&
                       (after == p.marks.size() || time(after) - time(k) >= crowd);
  }
  return p;
}

std::size_t event_count(const Picture& p) {
  std::size_t n = 0;
  for (const Mark& m : p.marks) n += m.events;
  return n;
}

std::string caption(const Curve& c) {
  std::string text = c.name;
  if (!c.unit.empty()) text += " [" + c.unit + "]";
  if (!c.description.empty()) text += " \u2013 " + c.description;
  return text;
}

}  // namespace mosim::report
