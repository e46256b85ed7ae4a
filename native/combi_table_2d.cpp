// ModelicaStandardTables_CombiTable2D_*: a look-up in two dimensions.

#include <cmath>
#include <limits>

#include "native/arguments.hpp"
#include "native/entries.hpp"
#include "native/say.hpp"
#include "native/surface.hpp"
#include "native/table_source.hpp"

namespace mosim::native {
namespace {

constexpr std::string_view kind = "table in two dimensions (ExternalCombiTable2D)";

class Table2D : public Object {
 public:
  Table2D(Surface surface, Extrapolation extrapolation) : surface_(std::move(surface)), extrapolation_(extrapolation) {}

  const Surface& surface() const { return surface_; }

  /// du1, du2: how the two move. On a line between two intervals the derivatives of the one that they move into count.
  Jet2 at(double u1, double u2, double du1 = 0, double du2 = 0) const {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Jet2 nothing{nan, nan, nan, nan, nan, nan};
    if (std::isnan(u1) || std::isnan(u2)) return nothing;
    const Place x = place(surface_.x(), u1, du1, "first", last_x_), y = place(surface_.y(), u2, du2, "second", last_y_);
    return std::isnan(x.at) || std::isnan(y.at) ? nothing : surface_.at(x, y);
  }

 private:
  Place place(const Abscissas& x, double u, double du, const char* which, const Remembered& last) const {
    Place result;
    result.at = u;
    if (x.count == 1) {
      result.at = x.front();
      result.is_last = true;
      return result;
    }
    const bool leaves = extrapolation_ == Extrapolation::HoldLastPoint || extrapolation_ == Extrapolation::LastTwoPoints;
    const bool low = u < x.front() || (leaves && u == x.front() && du < 0), high = u > x.back() || (leaves && u == x.back() && du > 0);
    if (low || high) {
      const double end = low ? x.front() : x.back();
      switch (extrapolation_) {
        case Extrapolation::HoldLastPoint:
          result.at = end;
          result.held = true;
          break;
        case Extrapolation::LastTwoPoints:
          result.at = end;
          result.beyond = u - end;
          result.outside = true;
          break;
        case Extrapolation::Periodic: result.at = to_period(u, x.front(), x.back()); break;
        case Extrapolation::NoExtrapolation:
          throw Error(surface_.name() + " is looked up at " + say(u) + ", which is outside of its " + which + " abscissas from " + say(x.front()) +
                      " to " + say(x.back()) + ", and extrapolation = NoExtrapolation");
      }
    }
    result.interval = interval_from(x, result.at, last);
    if (du < 0 && result.interval > 0 && result.at == x[result.interval]) --result.interval;
    result.is_last = result.at == x.back();
    return result;
  }

  Surface surface_;
  Extrapolation extrapolation_;
  Remembered last_x_, last_y_;
};

void make_table(std::span<const In> in, std::span<Out> out, Environment& environment, const TableArguments& at, std::size_t extrapolation_at) {
  Source source = read_source(in, at, environment);
  const Extrapolation beyond = extrapolation_at ? extrapolation(integer(in, extrapolation_at)) : Extrapolation::LastTwoPoints;
  make(out, 0, std::make_unique<Table2D>(Surface(std::move(source.table), smoothness(integer(in, at.table + 3)), std::move(source.name)), beyond));
}

void init(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 0, .file = 1, .table = 2}, 0);
}

void init2(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 1, .file = 0, .table = 2, .verbose = 7}, 6);
}

void init3(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 1, .file = 0, .table = 2, .verbose = 7, .delimiter = 8, .header_lines = 9}, 6);
}

void get_value(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, object<Table2D>(in, 0, kind).at(real(in, 1), real(in, 2)).value);
}

Jet2 look_up(std::span<const In> in) { return object<Table2D>(in, 0, kind).at(real(in, 1), real(in, 2), real(in, 3), real(in, 4)); }

void get_derivative(std::span<const In> in, std::span<Out> out, Environment&) {
  const Jet2 z = look_up(in);
  set(out, 0, z.x * real(in, 3) + z.y * real(in, 4));
}

void get_second_derivative(std::span<const In> in, std::span<Out> out, Environment&) {
  const Jet2 z = look_up(in);
  const double du1 = real(in, 3), du2 = real(in, 4);
  set(out, 0, z.xx * du1 * du1 + 2 * z.xy * du1 * du2 + z.yy * du2 * du2 + z.x * real(in, 5) + z.y * real(in, 6));
}

void minimum(std::span<const In> in, std::span<Out> out, Environment&) {
  const Surface& surface = object<Table2D>(in, 0, kind).surface();
  const std::span<double> result = places(out, 0, 2);
  result[0] = surface.x().front();
  result[1] = surface.y().front();
}

void maximum(std::span<const In> in, std::span<Out> out, Environment&) {
  const Surface& surface = object<Table2D>(in, 0, kind).surface();
  const std::span<double> result = places(out, 0, 2);
  result[0] = surface.x().back();
  result[1] = surface.y().back();
}

constexpr Entry entries[] = {
    {"ModelicaStandardTables_CombiTable2D_init", init, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_init2", init2, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_init3", init3, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_close", close_object, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_read", already_read, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_getValue", get_value, Effect::none, "ModelicaStandardTables_CombiTable2D_getDerValue"},
    {"ModelicaStandardTables_CombiTable2D_getDerValue", get_derivative, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_getDer2Value", get_second_derivative, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_minimumAbscissa", minimum, Effect::none},
    {"ModelicaStandardTables_CombiTable2D_maximumAbscissa", maximum, Effect::none},
};

}  // namespace

std::span<const Entry> combi_table_2d() { return entries; }

}  // namespace mosim::native
