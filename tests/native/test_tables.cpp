// Tables against closed forms: the documented examples, functions that a method reproduces exactly, the published formulas.
// Derivatives against finite differences of the values.

#include <cmath>
#include <limits>

#include "calls.hpp"

using namespace calls;

namespace {

constexpr int Linear = 1, Akima = 2, Constant = 3, FritschButland = 4, Steffen = 5, ModifiedAkima = 6;
constexpr int Hold = 1, LastTwo = 2, Periodic = 3, None = 4;
constexpr int Always = 1, AtDiscontinuities = 2, NoEvents = 3;

using Table = std::unique_ptr<native::Object>;

Table table_1d(const std::vector<double>& table, int columns, int smoothness, int extrapolation) {
  const double rows = static_cast<double>(table.size()) / columns;
  std::vector<double> of;
  for (int c = 2; c <= columns; ++c) of.push_back(c);
  return object("ModelicaStandardTables_CombiTable1D_init3",
                {"NoName", "NoName", table, rows, columns, of, columns - 1, smoothness, extrapolation, 0, ",", 0});
}

double value(const Table& table, double u, int column = 1) { return number("ModelicaStandardTables_CombiTable1D_getValue", {table, column, u}); }

double slope(const Table& table, double u, int column = 1) {
  return number("ModelicaStandardTables_CombiTable1D_getDerValue", {table, column, u, 1});
}

double bend(const Table& table, double u, int column = 1) {
  return number("ModelicaStandardTables_CombiTable1D_getDer2Value", {table, column, u, 1, 0});
}

Table table_2d(const std::vector<double>& table, int columns, int smoothness, int extrapolation) {
  const double rows = static_cast<double>(table.size()) / columns;
  return object("ModelicaStandardTables_CombiTable2D_init3", {"NoName", "NoName", table, rows, columns, smoothness, extrapolation, 0, ",", 0});
}

double value(const Table& table, std::pair<double, double> u) {
  return number("ModelicaStandardTables_CombiTable2D_getValue", {table, u.first, u.second});
}

Table table_time(const std::vector<double>& table, int smoothness, int extrapolation, double start, double shift, int events) {
  const double rows = static_cast<double>(table.size()) / 2;
  return object("ModelicaStandardTables_CombiTimeTable_init3",
                {"NoName", "NoName", table, rows, 2, start, std::vector<double>{2}, 1, smoothness, extrapolation, shift, events, 0, ",", 0});
}

/// At t, when the event at `next` is still to come (next > t) or is just there and has not happened yet (next = t).
double at(const Table& table, double t, double next) {
  return number("ModelicaStandardTables_CombiTimeTable_getValue", {table, 1, t, next, next});
}

double next_event(const Table& table, double t) { return number("ModelicaStandardTables_CombiTimeTable_nextTimeEvent", {table, t}); }

std::vector<double> events_until(const Table& table, double from, double end) {
  std::vector<double> result;
  for (double t = from; result.size() < 100;) {
    t = next_event(table, t);
    if (t > end) break;
    result.push_back(t);
  }
  return result;
}

// Points with the secants 2, -2/3, 10/3, 1/2, -15/4 over the distances 1, 3/2, 3/2, 1, 2.
const std::vector<double> points{0, 1, 1, 3, 2.5, 2, 4, 7, 5, 7.5, 7, 0};

double close(double a, double b) { return std::abs(a - b) / std::fmax(1, std::abs(b)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(tables)

BOOST_AUTO_TEST_CASE(the_documented_example_in_one_dimension) {
  const std::vector<double> example{0, 0, 1, 1, 2, 4, 4, 16};
  const Table table = table_1d(example, 2, Linear, LastTwo);
  BOOST_TEST(value(table, 1) == 1);
  BOOST_TEST(value(table, 1.5) == 2.5);
  BOOST_TEST(value(table, 2) == 4);
  BOOST_TEST(value(table, -1) == -1);
  BOOST_TEST(value(table, 5) == 22);
  BOOST_TEST(number("ModelicaStandardTables_CombiTable1D_minimumAbscissa", {table}) == 0);
  BOOST_TEST(number("ModelicaStandardTables_CombiTable1D_maximumAbscissa", {table}) == 4);
}

BOOST_AUTO_TEST_CASE(every_column_has_its_own_curve) {
  const Table table = table_1d({0, 0, 5, 1, 10, 7}, 3, Linear, LastTwo);
  BOOST_TEST(value(table, 0.5, 1) == 5);
  BOOST_TEST(value(table, 0.5, 2) == 6);
}

BOOST_AUTO_TEST_CASE(one_row_is_a_constant) {
  for (int smoothness = 1; smoothness <= 6; ++smoothness)
    for (int extrapolation = 1; extrapolation <= 4; ++extrapolation) {
      const Table table = table_1d({3, 7}, 2, smoothness, extrapolation);
      BOOST_TEST(value(table, -10) == 7);
      BOOST_TEST(slope(table, 4) == 0);
    }
}

BOOST_AUTO_TEST_CASE(two_rows_are_a_line_unless_constant) {
  for (const int smoothness : {Linear, Akima, FritschButland, Steffen, ModifiedAkima}) {
    const Table table = table_1d({0, 1, 2, 5}, 2, smoothness, LastTwo);
    for (const double u : {-3.0, 0.0, 0.5, 2.0, 9.0}) BOOST_TEST(value(table, u) == 1 + 2 * u);
  }
}

BOOST_AUTO_TEST_CASE(every_spline_goes_through_its_points_and_keeps_lines) {
  for (const int smoothness : {Linear, Akima, FritschButland, Steffen, ModifiedAkima}) {
    const Table table = table_1d(points, 2, smoothness, LastTwo);
    for (std::size_t i = 0; i < points.size(); i += 2) BOOST_TEST(close(value(table, points[i]), points[i + 1]) < 1e-14);
    const Table line = table_1d({-1, 5, 0, 3, 0.5, 2, 4, -5}, 2, smoothness, LastTwo);
    for (const double u : {-7.0, -0.3, 0.2, 3.0, 11.0}) BOOST_TEST(close(value(line, u), 3 - 2 * u) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(slopes_are_those_of_the_published_formulas) {
  // At 4 the secants are -2/3, 10/3 | 1/2, -15/4, the distances 3/2 | 1.
  const double a = -2.0 / 3, b = 10.0 / 3, c = 0.5, d = -3.75;
  const auto akima = [](double l2, double l1, double r1, double r2) {
    const double w1 = std::abs(r2 - r1), w2 = std::abs(l1 - l2);
    return (w1 * l1 + w2 * r1) / (w1 + w2);
  };
  const auto modified = [](double l2, double l1, double r1, double r2) {
    const double w1 = std::abs(r2 - r1) + std::abs(r2 + r1) / 2, w2 = std::abs(l1 - l2) + std::abs(l1 + l2) / 2;
    return (w1 * l1 + w2 * r1) / (w1 + w2);
  };
  BOOST_TEST(close(slope(table_1d(points, 2, Akima, LastTwo), 4), akima(a, b, c, d)) < 1e-14);
  BOOST_TEST(close(slope(table_1d(points, 2, ModifiedAkima, LastTwo), 4), modified(a, b, c, d)) < 1e-14);
  // (1 + alpha) / (b alpha' + ...): the weighted harmonic mean with weights (h1 + 2 h2)/3(h1 + h2), (2 h1 + h2)/3(h1 + h2)
  BOOST_TEST(close(slope(table_1d(points, 2, FritschButland, LastTwo), 4), 7.5 / (3.5 / b + 4 / c)) < 1e-14);
  // min(2 |b|, 2 |c|, |parabola|), the parabola's slope being (b 1 + c 3/2) / (5/2)
  BOOST_TEST(close(slope(table_1d(points, 2, Steffen, LastTwo), 4), std::min({2 * b, 2 * c, (b + 1.5 * c) / 2.5})) < 1e-14);
  // At the first point: Akima continues the secants linearly, 2, -2/3 by 14/3, 22/3; the monotone ones take the secant.
  BOOST_TEST(close(slope(table_1d(points, 2, Akima, LastTwo), 0), akima(22.0 / 3, 14.0 / 3, 2, a)) < 1e-14);
  BOOST_TEST(close(slope(table_1d(points, 2, ModifiedAkima, LastTwo), 0), modified(22.0 / 3, 14.0 / 3, 2, a)) < 1e-14);
  BOOST_TEST(slope(table_1d(points, 2, FritschButland, LastTwo), 0) == 2);
  BOOST_TEST(slope(table_1d(points, 2, Steffen, LastTwo), 0) == 2);
  // At an extremum the monotone ones are level.
  BOOST_TEST(slope(table_1d(points, 2, FritschButland, LastTwo), 1) == 0);
  BOOST_TEST(slope(table_1d(points, 2, Steffen, LastTwo), 1) == 0);
  // Between equal secants on either side Akima takes the mean; beside a level stretch the modified one does not overshoot.
  const std::vector<double> corner{0, 0, 1, 1, 2, 2, 3, 2, 4, 2};
  BOOST_TEST(slope(table_1d(corner, 2, Akima, LastTwo), 2) == 0.5);
  BOOST_TEST(slope(table_1d(corner, 2, ModifiedAkima, LastTwo), 2) == 0);
}

BOOST_AUTO_TEST_CASE(monotone_splines_do_not_leave_the_range_of_their_points) {
  for (const int smoothness : {FritschButland, Steffen}) {
    const Table table = table_1d(points, 2, smoothness, Hold);
    for (std::size_t i = 0; i + 2 < points.size(); i += 2) {
      const double low = std::min(points[i + 1], points[i + 3]), high = std::max(points[i + 1], points[i + 3]);
      for (int k = 0; k <= 50; ++k) {
        const double y = value(table, points[i] + (points[i + 2] - points[i]) * k / 50);
        BOOST_TEST((y >= low - 1e-12 && y <= high + 1e-12));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(derivatives_are_those_of_the_values) {
  for (const int smoothness : {Linear, Akima, FritschButland, Steffen, ModifiedAkima})
    for (const int extrapolation : {Hold, LastTwo, Periodic}) {
      const Table table = table_1d(points, 2, smoothness, extrapolation);
      for (const double u : {-9.3, -0.4, 0.3, 1.7, 3.2, 4.6, 6.6, 8.4, 30.1}) {
        const double h = 1e-4;
        BOOST_TEST(close(slope(table, u), (value(table, u + h) - value(table, u - h)) / (2 * h)) < 1e-6);
        BOOST_TEST(close(bend(table, u), (slope(table, u + h) - slope(table, u - h)) / (2 * h)) < 1e-6);
        BOOST_TEST(close(number("ModelicaStandardTables_CombiTable1D_getDerValue", {table, 1, u, -3}), -3 * slope(table, u)) < 1e-14);
        BOOST_TEST(close(number("ModelicaStandardTables_CombiTable1D_getDer2Value", {table, 1, u, -3, 5}), 9 * bend(table, u) + 5 * slope(table, u)) < 1e-13);
      }
    }
}

BOOST_AUTO_TEST_CASE(constant_segments_take_the_value_of_the_point_before) {
  const Table table = table_1d(points, 2, Constant, Hold);
  BOOST_TEST(value(table, 0) == 1);
  BOOST_TEST(value(table, std::nextafter(1.0, 0.0)) == 1);
  BOOST_TEST(value(table, 1) == 3);
  BOOST_TEST(value(table, 7) == 0);
  BOOST_TEST(value(table, 9) == 0);
  BOOST_TEST(slope(table, 3) == 0);
  // Outside, the line through the last two points.
  BOOST_TEST(value(table_1d(points, 2, Constant, LastTwo), 9) == -7.5);
}

BOOST_AUTO_TEST_CASE(a_periodic_table_repeats) {
  for (int smoothness = 1; smoothness <= 6; ++smoothness) {
    const Table table = table_1d(points, 2, smoothness, Periodic);
    for (const double u : {0.25, 3.5, 6.75})
      for (const int k : {-3, -1, 1, 4}) BOOST_TEST(value(table, u + 7 * k) == value(table, u));
  }
}

BOOST_AUTO_TEST_CASE(without_extrapolation_outside_is_an_error) {
  const Table table = table_1d(points, 2, Linear, None);
  BOOST_TEST(value(table, 7) == 0);
  BOOST_TEST(error([&] { value(table, 7.5); }) ==
             "the table is looked up at 7.5, which is outside of its abscissas from 0 to 7, and extrapolation = NoExtrapolation");
}

BOOST_AUTO_TEST_CASE(a_look_up_of_nothing_is_nothing) {
  for (int smoothness = 1; smoothness <= 6; ++smoothness)
    for (int extrapolation = 1; extrapolation <= 4; ++extrapolation)
      BOOST_TEST(std::isnan(value(table_1d(points, 2, smoothness, extrapolation), std::numeric_limits<double>::quiet_NaN())));
  BOOST_TEST(std::isnan(value(table_1d(points, 2, Akima, Periodic), std::numeric_limits<double>::infinity())));
  const Table steps = table_2d({0, 1, 2, 1, 3, 4, 2, 5, 6}, 3, Constant, Periodic);
  BOOST_TEST(std::isnan(value(steps, {1, std::numeric_limits<double>::infinity()})));
  BOOST_TEST(std::isnan(value(steps, {std::numeric_limits<double>::quiet_NaN(), 1})));
  const Table wave = table_time({0, 1, 1, 2}, Constant, Periodic, 0, 0, Always);
  BOOST_TEST(std::isnan(at(wave, std::numeric_limits<double>::quiet_NaN(), 1)));
}

BOOST_AUTO_TEST_CASE(the_interval_of_the_last_look_up_changes_nothing) {
  // A million rows of 3 x - 1 at the squares of whole numbers, asked for from far apart.
  std::vector<double> rows;
  for (int i = 0; i < 1000000; ++i) rows.insert(rows.end(), {static_cast<double>(i) * i, 3.0 * i * i - 1});
  const Table table = table_1d(rows, 2, Linear, LastTwo);
  std::uint64_t state = 1;
  for (int k = 0; k < 2000; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double u = std::ldexp(static_cast<double>(state >> 11), -53) * 1e12;
    BOOST_TEST(close(value(table, u), 3 * u - 1) < 1e-14);
    BOOST_TEST(close(value(table, u + 1), 3 * u + 2) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(a_table_that_is_none_is_refused) {
  BOOST_TEST(error([] { table_1d({0, 1, 0, 2}, 2, Linear, Hold); }) ==
             "the table: the abscissas in the first column have to increase, but row 1 has 0 and row 2 has 0");
  BOOST_TEST(error([] { table_1d({}, 2, Linear, Hold); }) == "the table is empty: 0 x 2");
  BOOST_TEST(error([] { table_1d({0, 1, 1, 2}, 2, 7, Hold); }) == "smoothness = 7 is no value of Modelica.Blocks.Types.Smoothness, which has 6");
  BOOST_TEST(error([] { table_1d({0, 1, 1, 2}, 2, Linear, 0); }) == "extrapolation = 0 is no value of Modelica.Blocks.Types.Extrapolation, which has 4");
  BOOST_TEST(error([] {
               object("ModelicaStandardTables_CombiTable1D_init3",
                      {"NoName", "NoName", std::vector<double>{0, 1}, 1, 2, std::vector<double>{3}, 1, 1, 1, 0, ",", 0});
             }) == "column 3 of the table is to be interpolated, which has the columns 1 to 2");
  const Table table = table_1d({0, 1, 1, 2}, 2, Linear, Hold);
  BOOST_TEST(error([&] { value(table, 0, 2); }) == "output 2 of the table is asked for, which has 1");
  BOOST_TEST(error([&] { at(table, 0, 0); }) == "the object that is handed over is no table over time (ExternalCombiTimeTable)");
  BOOST_TEST(error([&] { value(Table(), 0); }) ==
             "the table in one dimension (ExternalCombiTable1D) is a null object: its constructor has not been called");
  BOOST_TEST(error([] {
               object("ModelicaStandardTables_CombiTable1D_init3",
                      {"NoName", "tab", std::vector<double>{}, 0, 2, std::vector<double>{2}, 1, 1, 1, 0, ",", 0});
             }) == "table \"tab\" is given without a file; tables of a C function usertab are not supported: name the file that holds it");
}

BOOST_AUTO_TEST_CASE(older_constructors_make_the_same) {
  const std::vector<double> two{2};
  const Table first = object("ModelicaStandardTables_CombiTable1D_init", {"NoName", "NoName", points, 6, 2, two, 1, Akima});
  const Table second = object("ModelicaStandardTables_CombiTable1D_init2", {"NoName", "NoName", points, 6, 2, two, 1, Akima, LastTwo, 0});
  const Table third = table_1d(points, 2, Akima, LastTwo);
  for (const double u : {-1.0, 3.3, 9.0}) {
    BOOST_TEST(value(first, u) == value(third, u));
    BOOST_TEST(value(second, u) == value(third, u));
  }
}

BOOST_AUTO_TEST_CASE(the_documented_example_in_two_dimensions) {
  const Table table = table_2d({0, 1, 2, 3, 1, 1, 3, 5, 2, 2, 4, 6}, 4, Linear, LastTwo);
  BOOST_TEST(value(table, {1, 1}) == 1);
  BOOST_TEST(value(table, {2, 1.5}) == 3);
  BOOST_TEST((numbers("ModelicaStandardTables_CombiTable2D_minimumAbscissa", {table}, 2) == std::vector<double>{1, 1}));
  BOOST_TEST((numbers("ModelicaStandardTables_CombiTable2D_maximumAbscissa", {table}, 2) == std::vector<double>{2, 3}));
}

BOOST_AUTO_TEST_CASE(surfaces_reproduce_what_is_bilinear_everywhere) {
  const auto f = [](double x, double y) { return 2 + 3 * x - y + x * y; };
  const std::vector<double> xs{-1, 0, 0.5, 2, 5}, ys{1, 1.5, 4, 6};
  std::vector<double> table{0};
  table.insert(table.end(), ys.begin(), ys.end());
  for (const double x : xs) {
    table.push_back(x);
    for (const double y : ys) table.push_back(f(x, y));
  }
  for (const int smoothness : {Linear, Akima}) {
    const Table surface = table_2d(table, 5, smoothness, LastTwo);
    for (const double x : {-4.0, -1.0, 0.2, 3.0, 5.0, 8.0})
      for (const double y : {-2.0, 1.0, 2.2, 6.0, 7.5}) {
        BOOST_TEST(close(value(surface, {x, y}), f(x, y)) < 1e-13);
        BOOST_TEST(close(number("ModelicaStandardTables_CombiTable2D_getDerValue", {surface, x, y, 2, -1}), 2 * (3 + y) - (x - 1)) < 1e-13);
        BOOST_TEST(std::abs(number("ModelicaStandardTables_CombiTable2D_getDer2Value", {surface, x, y, 2, -1, 0.5, 7}) -
                            (-4 + 0.5 * (3 + y) + 7 * (x - 1))) < 1e-11);
      }
  }
  // Held, the surface is level in the direction that is outside, and in no other.
  for (const int smoothness : {Linear, Akima}) {
    const Table surface = table_2d(table, 5, smoothness, Hold);
    BOOST_TEST(close(value(surface, {9, 2}), f(5, 2)) < 1e-14);
    BOOST_TEST(close(number("ModelicaStandardTables_CombiTable2D_getDerValue", {surface, 9, 2, 1, 0}), 0) < 1e-14);
    BOOST_TEST(close(number("ModelicaStandardTables_CombiTable2D_getDerValue", {surface, 9, 2, 0, 1}), 4) < 1e-14);
    BOOST_TEST(close(number("ModelicaStandardTables_CombiTable2D_getDerValue", {surface, 9, 9, 1, 1}), 0) < 1e-14);
  }
  const Table steps = table_2d(table, 5, Constant, Hold);
  BOOST_TEST(value(steps, {1.9, 3.9}) == f(0.5, 1.5));
  BOOST_TEST(value(steps, {5, 9}) == f(5, 6));
  const Table strict = table_2d(table, 5, Linear, None);
  BOOST_TEST(error([&] { value(strict, {0, 0.5}); }) ==
             "the table is looked up at 0.5, which is outside of its second abscissas from 1 to 6, and extrapolation = NoExtrapolation");
}

BOOST_AUTO_TEST_CASE(a_smooth_surface_has_the_derivatives_of_its_values) {
  std::vector<double> table{0, 0, 1, 1.5, 3, 4};
  for (const double x : {-2.0, -1.0, 0.5, 1.0, 3.0}) {
    table.push_back(x);
    for (const double y : {0.0, 1.0, 1.5, 3.0, 4.0}) table.push_back(std::sin(x) * y * y + std::cos(3 * x * y));
  }
  for (const int extrapolation : {Hold, LastTwo, Periodic}) {
    const Table surface = table_2d(table, 6, Akima, extrapolation);
    for (const double x : {-3.3, -1.4, 0.7, 2.2, 4.1})
      for (const double y : {-0.7, 0.4, 1.2, 3.6, 4.4}) {
        const double h = 1e-4, a = 0.7, b = -0.4;
        const auto along = [&](double s) { return value(surface, {x + s * a, y + s * b}); };
        BOOST_TEST(close(number("ModelicaStandardTables_CombiTable2D_getDerValue", {surface, x, y, a, b}), (along(h) - along(-h)) / (2 * h)) < 1e-5);
        BOOST_TEST(close(number("ModelicaStandardTables_CombiTable2D_getDer2Value", {surface, x, y, a, b, 0, 0}),
                         (along(h) - 2 * along(0) + along(-h)) / (h * h)) < 1e-4);
      }
  }
}

BOOST_AUTO_TEST_CASE(surfaces_of_one_row_or_column_are_curves) {
  const Table along_y = table_2d({0, 1, 2, 4, 9, 3, 5, -1}, 4, Linear, LastTwo);
  BOOST_TEST(value(along_y, {-100, 1.5}) == 4);
  const Table along_x = table_2d({0, 1, 2, 3, 4, 7}, 2, Akima, LastTwo);
  BOOST_TEST(value(along_x, {3, 55}) == 5);
  const Table point = table_2d({0, 1, 2, 3}, 2, Akima, None);
  BOOST_TEST(value(point, {77, 55}) == 3);
  BOOST_TEST(error([] { table_2d({0, 1, 2}, 3, Linear, Hold); }) ==
             "the table is 1 x 3: for a look-up in two dimensions it needs a column and a row of abscissas and at least one value");
  BOOST_TEST(error([] { table_2d({0, 1, 2, 3}, 2, Steffen, Hold); }) ==
             "the table: a look-up in two dimensions knows the smoothness LinearSegments, ContinuousDerivative and ConstantSegments only");
  BOOST_TEST(error([] { table_2d({0, 2, 2, 1, 5, 6, 2, 7, 8}, 3, Linear, Hold); }) ==
             "the table: the abscissas in the first row have to increase, but column 2 has 2 and column 3 has 2");
}

BOOST_AUTO_TEST_CASE(the_documented_example_over_time) {
  const std::vector<double> example{0, 0, 1, 0, 1, 1, 2, 4, 3, 9, 4, 16};
  const Table table = table_time(example, Linear, LastTwo, 0, 0, AtDiscontinuities);
  BOOST_TEST((events_until(table, 0, 10) == std::vector<double>{1, 4}));
  BOOST_TEST(at(table, 1, 1) == 0);  // before the event
  BOOST_TEST(at(table, 1, 4) == 1);  // after it
  BOOST_TEST(std::abs(at(table, std::nextafter(1.0, 0.0), 1)) < 1e-15);
  BOOST_TEST(at(table, std::nextafter(1.0, 0.0), 4) == 1);  // a time that was scaled
  BOOST_TEST(at(table, 1.5, 4) == 2.5);
  BOOST_TEST(at(table, 2, 4) == 4);
  BOOST_TEST(at(table, 5, 1e300) == 23);
  BOOST_TEST(number("ModelicaStandardTables_CombiTimeTable_minimumTime", {table}) == 0);
  BOOST_TEST(number("ModelicaStandardTables_CombiTimeTable_maximumTime", {table}) == 4);
  BOOST_TEST((events_until(table_time(example, Linear, LastTwo, 0, 0, Always), 0, 10) == std::vector<double>{1, 2, 3, 4}));
  BOOST_TEST((events_until(table_time(example, Linear, LastTwo, 0, 0, NoEvents), 0, 10) == std::vector<double>{4}));
  BOOST_TEST((events_until(table_time(example, Constant, LastTwo, 0, 0, NoEvents), 0, 10) == std::vector<double>{1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(an_interval_goes_on_until_its_event_has_happened) {
  const Table table = table_time({0, 0, 1, 2, 2, 10}, Linear, Hold, 0, 0, Always);
  // An integrator that steps over the event sees no corner.
  BOOST_TEST(at(table, 1.25, 1) == 2.5);
  BOOST_TEST(at(table, 1.25, 2) == 4);
  BOOST_TEST(at(table, 2.5, 2) == 14);
  BOOST_TEST(at(table, 2.5, 1e300) == 10);
}

BOOST_AUTO_TEST_CASE(nothing_is_there_before_the_start) {
  for (int smoothness = 1; smoothness <= 6; ++smoothness) {
    const Table table = table_time({0, 5, 1, 5, 2, 5, 3, 5}, smoothness, Hold, 2, 1, Always);
    BOOST_TEST(next_event(table, 0) == 2);
    BOOST_TEST(at(table, 1.9, 2) == 0);
    BOOST_TEST(at(table, 2, 2) == 0);
    BOOST_TEST(at(table, 2, 3) == 5);
    BOOST_TEST(at(table, 30, 1e300) == 5);
  }
  // Between start and shift the table is continued.
  const Table table = table_time({0, 0, 1, 2}, Linear, LastTwo, 1, 3, Always);
  BOOST_TEST(at(table, 1.5, 3) == -3);
  BOOST_TEST((events_until(table, 0, 10) == std::vector<double>{1, 3, 4}));
}

BOOST_AUTO_TEST_CASE(a_periodic_table_over_time_jumps_back_at_its_events) {
  const Table saw = table_time({0, 0, 1, 10}, Linear, Periodic, -1e3, 0.25, Always);
  BOOST_TEST((events_until(saw, 0, 4) == std::vector<double>{0.25, 1.25, 2.25, 3.25}));
  BOOST_TEST(at(saw, 0.125, 0.25) == 8.75);
  BOOST_TEST(at(saw, 2.25, 2.25) == 10);
  BOOST_TEST(at(saw, 2.25, 3.25) == 0);
  BOOST_TEST(at(saw, 2.75, 3.25) == 5);
}

BOOST_AUTO_TEST_CASE(roundings_do_not_lose_or_double_an_event) {
  // A period of 0.1 and a shift of 0.3, neither of which is a binary number: 10,000 periods with two events in each.
  const Table wave = table_time({0, 1, 0.07, 2, 0.1, 1}, Constant, Periodic, 0, 0.3, Always);
  double t = 0.3;
  for (int k = 0; k < 20000; ++k) {
    const double next = next_event(wave, t);
    const double expected = 0.3 + 0.1 * (k / 2) + (k % 2 == 0 ? 0.07 : 0.1);
    BOOST_TEST(std::abs(next - expected) < 1e-9);
    BOOST_TEST(at(wave, next, next) == (k % 2 == 0 ? 1 : 2));
    // A time that was scaled and scaled back may be a rounding off.
    for (const double about : {next, std::nextafter(next, 0.0), std::nextafter(next, 1e9)}) {
      const double after = next_event(wave, about);
      BOOST_TEST(after - next > 0.02);
      BOOST_TEST(at(wave, about, after) == (k % 2 == 0 ? 2 : 1));
    }
    t = next;
  }
}

BOOST_AUTO_TEST_CASE(an_event_is_always_later) {
  const Table wave = table_time({0, 1, 0.5, 2, 1, 1}, Linear, Periodic, 0, 0, Always);
  for (double t = 1; t < 1e300; t *= 7) BOOST_TEST(next_event(wave, t) > t);
}

BOOST_AUTO_TEST_CASE(splines_over_time_allow_no_jump) {
  BOOST_TEST(error([] { table_time({0, 0, 1, 0, 1, 1, 2, 4}, Akima, Hold, 0, 0, NoEvents); }) ==
             "the table: the abscissas in the first column have to increase, but row 2 has 1 and row 3 has 1");
  BOOST_TEST(error([] { table_time({0, 0, 1, 0, 0.5, 1}, Linear, Hold, 0, 0, Always); }) ==
             "the table: the abscissas in the first column have to increase or stay, but row 2 has 1 and row 3 has 0.5");
  const Table none = table_time({0, 0, 1, 0}, Linear, None, 0, 2, Always);
  BOOST_TEST(error([&] { at(none, 1, 2); }) == "the table is looked up at time 1, which is outside of its times from 2 to 3, and extrapolation = NoExtrapolation");
}

BOOST_AUTO_TEST_CASE(derivatives_over_time) {
  const Table table = table_time({0, 0, 1, 1, 2, 8, 3, 27, 4, 64}, Akima, LastTwo, -10, 0, NoEvents);
  const double h = 1e-4, t = 2.3, never = 1e300;
  const double first = (at(table, t + h, never) - at(table, t - h, never)) / (2 * h);
  const double second = (at(table, t + h, never) - 2 * at(table, t, never) + at(table, t - h, never)) / (h * h);
  BOOST_TEST(close(number("ModelicaStandardTables_CombiTimeTable_getDerValue", {table, 1, t, never, never, 2}), 2 * first) < 1e-6);
  BOOST_TEST(close(number("ModelicaStandardTables_CombiTimeTable_getDer2Value", {table, 1, t, never, never, 2, 3}), 4 * second + 3 * first) < 1e-5);
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_not_known) {
  BOOST_TEST(!native::find("ModelicaStandardTables_CombiTable3D_init"));
  BOOST_TEST(!native::find(""));
  BOOST_CHECK(native::find("ModelicaStandardTables_CombiTable1D_getValue")->effect == native::Effect::none);
}

BOOST_AUTO_TEST_SUITE_END()
