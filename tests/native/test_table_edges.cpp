// Derivatives of a look-up in two dimensions where pieces meet: those of the piece that the argument moves into count.

#include "calls.hpp"

using namespace calls;

namespace {

constexpr int Linear = 1, Akima = 2, Hold = 1, LastTwo = 2, None = 4;
using Table = std::unique_ptr<native::Object>;

Table table_2d(const std::vector<double>& table, int columns, int smoothness, int extrapolation) {
  return object("ModelicaStandardTables_CombiTable2D_init3",
                {"NoName", "NoName", table, double(table.size()) / columns, columns, smoothness, extrapolation, 0, ",", 0});
}
double slope(const Table& table, double u1, double u2, double du1, double du2) {
  return number("ModelicaStandardTables_CombiTable2D_getDerValue", {table, u1, u2, du1, du2});
}
double bend(const Table& table, double u1, double u2, double du1, double du2) {
  return number("ModelicaStandardTables_CombiTable2D_getDer2Value", {table, u1, u2, du1, du2, 0, 0});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(table_edges)

// Through 1, 2, 1 at 0, 0.5, 1 Akima's slopes are 4, 0, -4: 1 + 4*y - 4*y^2, whose second derivative is -8. Beyond its ends it is straight or level.
BOOST_AUTO_TEST_CASE(on_the_edge_on_the_way_out_it_is_what_lies_beyond) {
  const std::vector<double> along_y{0, 0, 0.5, 1, 0.5, 1, 2, 1}, along_x{0, 0.5, 0, 1, 0.5, 2, 1, 1};
  for (const bool x : {true, false}) {
    const Table table = x ? table_2d(along_x, 2, Akima, LastTwo) : table_2d(along_y, 4, Akima, LastTwo);
    const auto slopes = [&](double u, double du) { return x ? slope(table, u, 0, du, 0) : slope(table, 0, u, 0, du); };
    const auto bends = [&](double u, double du) { return x ? bend(table, u, 0, du, 0) : bend(table, 0, u, 0, du); };
    BOOST_TEST(bends(1, 1) == 0);
    BOOST_TEST(bends(1, -1) == -8);
    BOOST_TEST(bends(0, -1) == 0);
    BOOST_TEST(bends(0, 1) == -8);
    BOOST_TEST(slopes(1, 1) == -4);
    BOOST_TEST(slopes(1, -1) == 4);
  }
  const Table held = table_2d(along_y, 4, Akima, Hold);
  BOOST_TEST(slope(held, 0, 1, 0, 1) == 0);
  BOOST_TEST(slope(held, 0, 1, 0, -1) == 4);
  // The edge itself is allowed, whatever comes after it.
  const Table strict = table_2d(along_y, 4, Akima, None);
  BOOST_TEST(slope(strict, 0, 1, 0, 1) == -4);
}

// |y| over -1, 0, 1: at 0 the way down goes along -y.
BOOST_AUTO_TEST_CASE(between_two_pieces_the_one_ahead_counts) {
  const Table table = table_2d({0, -1, 0, 1, 0, 1, 0, 1, 5, 1, 0, 1}, 4, Linear, LastTwo);
  BOOST_TEST(slope(table, 2, 0, 0, 3) == 3);
  BOOST_TEST(slope(table, 2, 0, 0, -3) == 3);
  BOOST_TEST(slope(table, 2, -0.5, 0, 3) == -3);
}

BOOST_AUTO_TEST_SUITE_END()
