// ModelicaStandardTables_CombiTimeTable_*: a look-up over time, with events where the curve has a corner or a jump.

#include <algorithm>
#include <cmath>
#include <limits>

#include "native/arguments.hpp"
#include "native/curves.hpp"
#include "native/entries.hpp"
#include "native/say.hpp"
#include "native/table_source.hpp"

namespace mosim::native {
namespace {

constexpr std::string_view kind = "table over time (ExternalCombiTimeTable)";
constexpr double never = std::numeric_limits<double>::max();

/// Modelica.Blocks.Types.TimeEvents, in its order.
enum class TimeEvents { Always = 1, AtDiscontinuities, NoTimeEvents };

TimeEvents time_events(long long value) {
  if (value < 1 || value > 3) throw Error("timeEvents = " + std::to_string(value) + " is no value of Modelica.Blocks.Types.TimeEvents, which has 3");
  return static_cast<TimeEvents>(value);
}

/// A time t is the abscissa t - shift; before `start` there is nothing, and the value is 0. Nothing is remembered that would change a
/// value: which side of an event a time is on follows from the next event. As that is a sum of rounded numbers, and so is a time that
/// was scaled, a time that differs from an event's by a few roundings is taken to be the event's.
class TimeTable : public Object {
 public:
  TimeTable(Curves curves, Extrapolation extrapolation, double start, double shift, TimeEvents events)
      : curves_(std::move(curves)), extrapolation_(extrapolation), start_(start), shift_(shift) {
    const Abscissas x = curves_.abscissas();
    if (x.count > 1 && x.front() == x.back() && extrapolation_ == Extrapolation::Periodic) extrapolation_ = Extrapolation::HoldLastPoint;
    for (std::size_t i = 0; x.count > 1 && i < x.count; ++i) {
      const bool is_end = i == 0 || i + 1 == x.count, is_jump = i > 0 && x[i - 1] == x[i];
      const bool is_event = is_end || events == TimeEvents::Always || (is_jump && events == TimeEvents::AtDiscontinuities);
      if (is_event && (breaks_.empty() || breaks_.back() < x[i])) breaks_.push_back(x[i]);
    }
  }

  const Curves& curves() const { return curves_; }

  /// The first event after t. Events are at `start`, at both ends of the table (each period's, if it is periodic),
  /// and at the abscissas where they are wanted.
  double next_event(double t) const {
    const double rounding = rounding_at(t);
    if (t < start_ - rounding) return start_;
    if (breaks_.size() < 2 && (breaks_.empty() || extrapolation_ == Extrapolation::Periodic)) return never;
    double offset = shift_;
    if (is_periodic()) {
      const double periods = std::floor((t + rounding - shift_ - breaks_.front()) / period());
      offset += periods * period();
    }
    const auto later = std::upper_bound(breaks_.begin(), breaks_.end(), t + rounding, [&](double time, double b) { return time < b + offset; });
    const double next = later != breaks_.end() ? *later + offset : is_periodic() ? breaks_[1] + offset + period() : never;
    return next > t ? next : never;  // where a time is so late that a period is lost in its rounding
  }

  /// At t, where the next event, if it has not happened yet, is at `next`: from there on its left side goes on.
  Jet at(std::size_t curve, double t, double next) const {
    if (std::isnan(t)) return {t, t, t};
    const double rounding = rounding_at(t);
    if (next <= start_ + rounding || t < start_ - rounding) return {};
    if (curves_.rows() == 1) return {curves_.ordinate(curve, 0), 0, 0};
    const Abscissas x = curves_.abscissas();
    double u = t - shift_;
    if (t >= next - rounding) {  // the event has not happened yet
      double event = next - shift_;
      if (is_periodic()) {  // into (first, last]
        const double periods = std::ceil((event - rounding - x.back()) / period());
        event -= periods * period();
        u -= periods * period();
      }
      if (event <= x.front() + rounding) return before(curve, t, u);
      if (event > x.back() + rounding) return after(curve, t, u);
      return curves_.inside(curve, interval_to(x, event - rounding), u);
    }
    if (is_periodic()) u -= std::floor((u + rounding - x.front()) / period()) * period();  // into [first, last)
    if (u < x.front() - rounding) return before(curve, t, u);
    if (u >= x.back() - rounding) return after(curve, t, u);
    const std::size_t i = interval_from(x, u + rounding, last_);
    return curves_.inside(curve, i, std::max(u, x[i]));
  }

 private:
  bool is_periodic() const { return extrapolation_ == Extrapolation::Periodic; }
  double period() const { return curves_.abscissas().back() - curves_.abscissas().front(); }
  double rounding_at(double t) const {
    return 4 * std::numeric_limits<double>::epsilon() * (std::abs(t) + std::abs(shift_) + (is_periodic() ? std::abs(curves_.abscissas().front()) : 0));
  }

  Jet before(std::size_t curve, double t, double u) const {
    if (extrapolation_ == Extrapolation::LastTwoPoints) return curves_.beyond(curve, false, u);
    if (extrapolation_ == Extrapolation::NoExtrapolation) refuse(t);
    return {curves_.ordinate(curve, 0), 0, 0};
  }

  Jet after(std::size_t curve, double t, double u) const {
    if (extrapolation_ == Extrapolation::LastTwoPoints) return curves_.beyond(curve, true, u);
    if (extrapolation_ == Extrapolation::NoExtrapolation && u > curves_.abscissas().back() + rounding_at(t)) refuse(t);
    return {curves_.ordinate(curve, curves_.rows() - 1), 0, 0};
  }

  [[noreturn]] void refuse(double t) const {
    const Abscissas x = curves_.abscissas();
    throw Error(curves_.name() + " is looked up at time " + say(t) + ", which is outside of its times from " + say(x.front() + shift_) + " to " +
                say(x.back() + shift_) + ", and extrapolation = NoExtrapolation");
  }

  Curves curves_;
  Extrapolation extrapolation_;
  double start_, shift_;
  std::vector<double> breaks_;  // the abscissas that are events; increasing
  Remembered last_;
};

/// The arguments from the matrix on are the same in all versions; `shift_at`: of the shift and the events that follow it, or 0.
void make_table(std::span<const In> in, std::span<Out> out, Environment& environment, const TableArguments& at, std::size_t shift_at) {
  Source source = read_source(in, at, environment);
  const double start = real(in, at.table + 3);
  const std::size_t columns = at.table + 4;
  const Smoothness smooth = smoothness(integer(in, columns + 2));
  const Extrapolation beyond = extrapolation(integer(in, columns + 3));
  const double shift = shift_at ? real(in, shift_at) : start;
  TimeEvents events = shift_at ? time_events(integer(in, shift_at + 1)) : TimeEvents::Always;
  if (smooth == Smoothness::ConstantSegments) events = TimeEvents::Always;
  else if (is_spline(smooth)) events = TimeEvents::NoTimeEvents;
  Curves curves(std::move(source.table), numbers(in, columns, size(in, columns + 1)), smooth, true, std::move(source.name));
  make(out, 0, std::make_unique<TimeTable>(std::move(curves), beyond, start, shift, events));
}

void init(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 0, .file = 1, .table = 2}, 0);
}

void init2(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 1, .file = 0, .table = 2, .verbose = 12}, 10);
}

void init3(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 1, .file = 0, .table = 2, .verbose = 12, .delimiter = 13, .header_lines = 14}, 10);
}

Jet look_up(std::span<const In> in) {
  const TimeTable& table = object<TimeTable>(in, 0, kind);
  return table.at(table.curves().curve(integer(in, 1)), real(in, 2), real(in, 3));
}

void get_value(std::span<const In> in, std::span<Out> out, Environment&) { set(out, 0, look_up(in).value); }

void get_derivative(std::span<const In> in, std::span<Out> out, Environment&) { set(out, 0, look_up(in).first * real(in, 5)); }

void get_second_derivative(std::span<const In> in, std::span<Out> out, Environment&) {
  const Jet y = look_up(in);
  set(out, 0, y.second * real(in, 5) * real(in, 5) + y.first * real(in, 6));
}

void minimum(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, object<TimeTable>(in, 0, kind).curves().abscissas().front());
}

void maximum(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, object<TimeTable>(in, 0, kind).curves().abscissas().back());
}

void next_time_event(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, object<TimeTable>(in, 0, kind).next_event(real(in, 1)));
}

constexpr Entry entries[] = {
    {"ModelicaStandardTables_CombiTimeTable_init", init, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_init2", init2, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_init3", init3, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_close", close_object, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_read", already_read, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_getValue", get_value, Effect::none, "ModelicaStandardTables_CombiTimeTable_getDerValue"},
    {"ModelicaStandardTables_CombiTimeTable_getDerValue", get_derivative, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_getDer2Value", get_second_derivative, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_minimumTime", minimum, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_maximumTime", maximum, Effect::none},
    {"ModelicaStandardTables_CombiTimeTable_nextTimeEvent", next_time_event, Effect::none},
};

}  // namespace

std::span<const Entry> combi_time_table() { return entries; }

}  // namespace mosim::native
