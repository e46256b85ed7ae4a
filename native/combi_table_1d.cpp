// ModelicaStandardTables_CombiTable1D_*: a look-up in one dimension.

#include <cmath>
#include <limits>

#include "native/arguments.hpp"
#include "native/curves.hpp"
#include "native/entries.hpp"
#include "native/say.hpp"
#include "native/table_source.hpp"

namespace mosim::native {
namespace {

constexpr std::string_view kind = "table in one dimension (ExternalCombiTable1D)";

class Table1D : public Object {
 public:
  Table1D(Curves curves, Extrapolation extrapolation) : curves_(std::move(curves)), extrapolation_(extrapolation) {}

  const Curves& curves() const { return curves_; }

  Jet at(std::size_t curve, double u) const {
    if (std::isnan(u)) return {u, u, u};
    if (curves_.rows() == 1) return {curves_.ordinate(curve, 0), 0, 0};
    const Abscissas x = curves_.abscissas();
    if (u < x.front() || u > x.back()) {
      const bool last = u > x.back();
      switch (extrapolation_) {
        case Extrapolation::HoldLastPoint: return {curves_.ordinate(curve, last ? x.count - 1 : 0), 0, 0};
        case Extrapolation::LastTwoPoints: return curves_.beyond(curve, last, u);
        case Extrapolation::Periodic: u = to_period(u, x.front(), x.back()); break;
        case Extrapolation::NoExtrapolation:
          throw Error(curves_.name() + " is looked up at " + say(u) + ", which is outside of its abscissas from " + say(x.front()) + " to " +
                      say(x.back()) + ", and extrapolation = NoExtrapolation");
      }
      if (std::isnan(u)) return {u, u, u};
    }
    if (curves_.smoothness() == Smoothness::ConstantSegments && u == x.back()) return {curves_.ordinate(curve, x.count - 1), 0, 0};
    return curves_.inside(curve, interval_from(x, u, last_), u);
  }

 private:
  Curves curves_;
  Extrapolation extrapolation_;
  Remembered last_;
};

void make_table(std::span<const In> in, std::span<Out> out, Environment& environment, const TableArguments& at, std::size_t extrapolation_at) {
  Source source = read_source(in, at, environment);
  const std::size_t columns = at.table + 3;
  const Extrapolation beyond = extrapolation_at ? extrapolation(integer(in, extrapolation_at)) : Extrapolation::LastTwoPoints;
  Curves curves(std::move(source.table), numbers(in, columns, size(in, columns + 1)), smoothness(integer(in, columns + 2)), false,
                std::move(source.name));
  make(out, 0, std::make_unique<Table1D>(std::move(curves), beyond));
}

void init(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 0, .file = 1, .table = 2}, 0);
}

void init2(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 1, .file = 0, .table = 2, .verbose = 9}, 8);
}

void init3(std::span<const In> in, std::span<Out> out, Environment& environment) {
  make_table(in, out, environment, {.name = 1, .file = 0, .table = 2, .verbose = 9, .delimiter = 10, .header_lines = 11}, 8);
}

Jet look_up(std::span<const In> in) {
  const Table1D& table = object<Table1D>(in, 0, kind);
  return table.at(table.curves().curve(integer(in, 1)), real(in, 2));
}

void get_value(std::span<const In> in, std::span<Out> out, Environment&) { set(out, 0, look_up(in).value); }

void get_derivative(std::span<const In> in, std::span<Out> out, Environment&) { set(out, 0, look_up(in).first * real(in, 3)); }

void get_second_derivative(std::span<const In> in, std::span<Out> out, Environment&) {
  const Jet y = look_up(in);
  set(out, 0, y.second * real(in, 3) * real(in, 3) + y.first * real(in, 4));
}

void minimum(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, object<Table1D>(in, 0, kind).curves().abscissas().front());
}

void maximum(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, object<Table1D>(in, 0, kind).curves().abscissas().back());
}

constexpr Entry entries[] = {
    {"ModelicaStandardTables_CombiTable1D_init", init, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_init2", init2, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_init3", init3, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_close", close_object, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_read", already_read, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_getValue", get_value, Effect::none, "ModelicaStandardTables_CombiTable1D_getDerValue"},
    {"ModelicaStandardTables_CombiTable1D_getDerValue", get_derivative, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_getDer2Value", get_second_derivative, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_minimumAbscissa", minimum, Effect::none},
    {"ModelicaStandardTables_CombiTable1D_maximumAbscissa", maximum, Effect::none},
};

}  // namespace

std::span<const Entry> combi_table_1d() { return entries; }

}  // namespace mosim::native
