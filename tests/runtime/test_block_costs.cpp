// What systems of equations cost: a matrix is evaluated and factorised when it has changed, and nothing is solved twice.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "add_block.hpp"
#include "builder.hpp"
#include "runtime/dense.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/residuals.hpp"
#include "runtime/sparse.hpp"

using namespace mosim::test;

namespace {

// A chain -z[k-1] + d z[k] - g z[k+1] = u; dense or, beyond the dense bound, sparse.
struct Chain {
  Builder b;
  std::vector<Slot> z;
  Slot d = b.number(3), g = b.number(1), u = b.number(1);
  Index block = 0;
  Entry entry = 0;

  explicit Chain(std::size_t n, const std::function<Slot(Builder&, Slot)>& last = {}) {
    for (std::size_t k = 0; k < n; ++k) z.push_back(b.slot());
    block = add_block(b, true, z, [&] {
      std::vector<Slot> residuals;
      for (std::size_t i = 0; i < n; ++i) {
        Slot sum = b.emit(Opcode::subtract, b.emit(Opcode::multiply, d, z[i]), u);
        if (i > 0) sum = b.emit(Opcode::subtract, sum, z[i - 1]);
        if (i + 1 < n) sum = b.emit(Opcode::subtract, sum, b.emit(Opcode::multiply, z[i + 1], g));
        residuals.push_back(last && i + 1 == n ? last(b, sum) : sum);
      }
      return residuals;
    });
    entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, block); });
  }

  double misfit(const Machine& m) const {
    double worst = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      double sum = m.memory[d] * m.memory[z[i]] - m.memory[u];
      if (i > 0) sum -= m.memory[z[i - 1]];
      if (i + 1 < z.size()) sum -= m.memory[g] * m.memory[z[i + 1]];
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(block_costs)

BOOST_AUTO_TEST_CASE(a_matrix_that_stays_is_factorised_once) {
  for (const std::size_t n : {3, 100}) {
    Chain chain(n);
    Machine m = make_machine(chain.b.p);
    for (int k = 0; k < 50; ++k) {
      m.memory[chain.u] = 1 + k;
      BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
      BOOST_TEST(chain.misfit(m) < 1e-12 * (1 + k));
    }
    BOOST_TEST(m.block_costs.jacobians == 1u);
    BOOST_TEST(m.block_costs.factorisations == 1u);
    // Two solutions are judged by what their residuals are sums of; the others have residuals below all that these can be. Not so where only these are large.
    BOOST_TEST(m.block_costs.sums == 2u);
    m.memory[chain.u] = 1e20;
    BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
    BOOST_TEST(chain.misfit(m) > 1e-10);
    BOOST_TEST(m.block_costs.sums == 3u);
    BOOST_TEST(m.block_costs.misfits == 0u);
    m.memory[chain.u] = 50;
    BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
    // Not so what was large when they were found: these hold for small solutions too.
    Chain large(n);
    Machine other = make_machine(large.b.p);
    other.memory[large.u] = 1e10;
    for (int k = 0; k < 2; ++k, other.memory[large.u] *= 2) BOOST_CHECK(run(other, large.entry, Mode::frozen).ok());
    BOOST_REQUIRE(other.blocks[large.block].least_sizes.size() == n);
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(other.blocks[large.block].least_sizes[i] == 3. + (i > 0) + (i + 1 < n));
    // Its tangents need no other one.
    std::vector<double> tangent(m.memory.size() * 4);
    tangent[chain.u * 4] = 1;
    BOOST_CHECK(run_dual(m, chain.entry, 4, tangent.data()).ok());
    BOOST_TEST(tangent[chain.z[0] * 4] == m.memory[chain.z[0]] / 50, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(m.block_costs.factorisations == 1u);
  }
}

// What is small beside what residuals are sums of is small beside the sizes of their terms; one that is a product says nothing by itself.
BOOST_AUTO_TEST_CASE(what_fits_plainly_fits) {
  for (const std::size_t n : {3, 30, 100})
    for (const double u : {1.0, 1e-9, 1e20})
      for (const bool ends_in_product : {false, true}) {
        Chain chain(n, [&](Builder& b, Slot sum) { return ends_in_product ? b.emit(Opcode::multiply, sum, b.number(2)) : b.emit(Opcode::negate, sum); });
        Machine m = make_machine(chain.b.p);
        m.memory[chain.u] = u;
        BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
        const std::vector<double> solution = m.memory;
        for (const double off : {0.0, 1e-14, 1e-12, 1e-9, 1e-6, 1.0}) {
          m.memory = solution;
          m.memory[chain.z[n - 1]] *= 1 + off;
          BOOST_CHECK(run(m, chain.b.p.blocks[chain.block].code, Mode::frozen).ok());
          m.blocks[chain.block].plain_pause = 0;
          const bool fits = fits_plainly(m, chain.block, chain.block, 1e-10);
          if (off > 0 || !ends_in_product) BOOST_TEST(fits == (off < 1e-10 && !ends_in_product), n << ", " << u << ", " << off);
          if (fits) BOOST_TEST(find_misfit(m, chain.block).part <= 1e-10);
        }
      }
}

// Which equation is whose is arbitrary: a matrix has the entries that the equations have, and a chain is factorised without filling it.
BOOST_AUTO_TEST_CASE(rows_in_another_order) {
  double before = 0;
  for (const std::size_t n : {200, 400, 800}) {
    Chain chain(n);
    std::vector<Slot>& rows = chain.b.p.blocks[chain.block].residuals;
    std::mt19937 random(1);
    for (std::size_t k = n; k-- > 1;) std::swap(rows[k], rows[random() % (k + 1)]);
    Machine m = make_machine(chain.b.p);
    BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
    BOOST_TEST(chain.misfit(m) < 1e-12);
    SparseSystem& sparse = *m.blocks[chain.block].sparse;
    BOOST_TEST(sparse.pattern.rows.size() == 3 * n - 2);
    const double operations = factorisation_cost(sparse);
    BOOST_TEST(operations < 20 * double(n));
    if (before > 0) BOOST_TEST(operations < 2.1 * before);
    before = operations;
  }
}

// Many unknowns in every equation: sizes beside those of a panel, of a strip, and not divisible by four.
BOOST_AUTO_TEST_CASE(full_matrices) {
  for (const std::size_t n : {2, 47, 48, 49, 99, 303, 407}) {
    std::mt19937 random(static_cast<unsigned>(n));
    DenseMatrix matrix = make_dense(n);
    std::vector<double> solution(n), right(n, 0.0);
    for (double& x : solution) x = double(random() % 2001) / 1000 - 1;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        // The rows differ in size by 10^12: that is no reason for a pivot.
        const double value = (double(random() % 2001) / 1000 - 1) * (i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 1 : 1e6);
        matrix.at(i, j) = value;
        right[i] += value * solution[j];
      }
    BOOST_TEST(factorise(matrix) == n);
    solve(matrix, right.data());
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(right[i] - solution[i]));
    BOOST_TEST(worst < 1e-8);
    // Two equal columns: the second of them has no pivot.
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) matrix.at(i, j) = i == j ? 2 : j == 0 ? double(i % 7) : 0;
    for (std::size_t i = 0; i < n; ++i) matrix.at(i, n - 1) = matrix.at(i, 0);
    BOOST_TEST(factorise(matrix) == n - 1);
  }
}

BOOST_AUTO_TEST_CASE(one_that_changes_keeps_its_pivots) {
  Chain chain(100);
  Machine m = make_machine(chain.b.p);
  for (int k = 0; k < 20; ++k) {
    m.memory[chain.d] = 3 + 0.1 * k;
    BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
    BOOST_TEST(chain.misfit(m) < 1e-13);
  }
  BOOST_TEST(m.block_costs.factorisations == 20u);
  BOOST_TEST(m.block_costs.pivotings == 1u);
}

// With 1e-9 on the diagonal its pivots would lose nine digits.
BOOST_AUTO_TEST_CASE(pivots_that_have_become_bad_are_chosen_anew) {
  Chain chain(100);
  Machine m = make_machine(chain.b.p);
  for (const double d : {3.0, 1e-9, 3.0}) {
    m.memory[chain.d] = d;
    BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
    double size = 1;
    for (const Slot slot : chain.z) size = std::max(size, std::abs(m.memory[slot]));
    BOOST_TEST(chain.misfit(m) < 1e-12 * size);
  }
  BOOST_TEST(m.block_costs.pivotings >= 2u);
}

BOOST_AUTO_TEST_CASE(a_condition_changes_the_matrix) {
  Slot condition = 0;
  // if w[condition] then sum else 2 sum
  Chain chain(5, [&](Builder& b, Slot sum) {
    condition = b.number(1);
    const Slot result = b.slot();
    b.emit_to(result, Opcode::add, sum, sum);
    b.when(condition, [&] { b.emit_to(result, Opcode::move, sum); });
    return result;
  });
  Machine m = make_machine(chain.b.p);
  for (int k = 0; k < 6; ++k) {
    m.memory[chain.u] = 1 + k;
    m.memory[condition] = k >= 3;
    BOOST_CHECK(run(m, chain.entry, Mode::frozen).ok());
    BOOST_TEST(chain.misfit(m) < 1e-12);
  }
  BOOST_TEST(m.block_costs.factorisations == 2u);
}

// A factor that comes out of the unknowns would make the matrix one of the point: such code is never taken for linear with fixed entries.
BOOST_AUTO_TEST_CASE(what_is_not_known_to_be_linear_is_evaluated) {
  Builder b;
  const Slot z = b.slot(1), u = b.number(2);
  const Index k = add_block(b, true, {z}, [&] { return std::vector<Slot>{b.emit(Opcode::subtract, b.emit(Opcode::abs, z), u)}; });
  BOOST_TEST(!find_coefficients(b.p, b.p.blocks[k]).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_solved_is_not_solved_again) {
  Builder b;
  const Slot r = b.number(3), x = b.slot(1), y = b.slot(1), three = b.number(3);
  const Index k = add_block(b, false, {x, y}, [&] {
    const Slot sum = b.emit(Opcode::add, b.emit(Opcode::multiply, x, x), b.emit(Opcode::multiply, y, y));
    return std::vector<Slot>{b.emit(Opcode::subtract, sum, r), b.emit(Opcode::subtract, x, b.emit(Opcode::power, y, three))};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  const BlockCosts first = m.block_costs;
  const double solution = m.memory[x];
  for (int repetition = 0; repetition < 10; ++repetition) BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.block_costs.jacobians == first.jacobians);
  BOOST_TEST(m.memory[x] == solution);
  // In a Jacobian of many directions it is differentiated once.
  std::vector<double> tangent(m.memory.size());
  tangent[r] = 1;
  for (int group = 0; group < 10; ++group) BOOST_CHECK(run_dual(m, entry, 1, tangent.data()).ok());
  BOOST_TEST(m.block_costs.jacobians == first.jacobians + 1);
  // Another guess, or another input, and it is.
  m.memory[y] = 1.5;
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[x] == solution, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(m.block_costs.jacobians > first.jacobians + 1);
  m.memory[r] = 4;
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(std::abs(m.memory[x] * m.memory[x] + m.memory[y] * m.memory[y] - 4) < 1e-13);
}

// Under noEvent: what such a relation compares is told of a block that stands solved, too, but of one that is not reached.
BOOST_AUTO_TEST_CASE(a_solved_block_with_quiet_relations) {
  Builder b;
  const Slot x = b.slot(2), u = b.number(3), one = b.number(1), two = b.number(2);
  b.p.relations.resize(2);
  for (mosim::runtime::Relation& relation : b.p.relations) relation.comparison = mosim::runtime::Comparison::greater, relation.quiet = true;
  const Index k = add_block(b, false, {x}, [&] {
    const Slot above = b.slot(), cube = b.emit(Opcode::multiply, b.emit(Opcode::multiply, x, x), x), result = b.slot();
    b.emit_to(above, Opcode::quiet_relation, u, one, 0);
    b.emit_to(result, Opcode::subtract, cube, u);
    // if u > 1 then x^3 - u else if x > 2 then ...
    const Slot below = b.emit(Opcode::not_, above);
    b.when(below, [&] { b.emit_to(b.slot(), Opcode::quiet_relation, x, two, 1); });
    return std::vector<Slot>{result};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  for (const double input : {3.0, 0.5, 3.0}) {
    m.memory[u] = input;
    BOOST_CHECK(run(m, entry, Mode::frozen).ok());
    const BlockCosts first = m.block_costs;
    for (int repetition = 0; repetition < 3; ++repetition) {
      m.relation_differences.assign(2, std::numeric_limits<double>::quiet_NaN());
      BOOST_CHECK(run(m, entry, Mode::measure).ok());
      BOOST_TEST(m.relation_differences[0] == input - 1);
      BOOST_TEST(std::isnan(m.relation_differences[1]) == (input > 1));
    }
    BOOST_TEST(m.block_costs.jacobians == first.jacobians);
    BOOST_TEST(m.memory[x] == std::cbrt(input), boost::test_tools::tolerance(1e-12));
  }
  // Watched, it has a value of its own, which is an input as any other.
  const BlockCosts before = m.block_costs;
  m.relations[0].watched = true;
  m.relations[0].value = true;
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.block_costs.jacobians > before.jacobians);
  const BlockCosts watched = m.block_costs;
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.block_costs.jacobians == watched.jacobians);
  m.relations[0].value = false;
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.block_costs.jacobians > watched.jacobians);
}

// 0 and -0 compare equal, and are not the same input.
BOOST_AUTO_TEST_CASE(a_zero_of_the_other_sign) {
  Builder b;
  const Slot z = b.slot(), u = b.number(0), one = b.number(-1);
  const Index k = add_block(b, true, {z}, [&] { return std::vector<Slot>{b.emit(Opcode::subtract, z, b.emit(Opcode::atan2, u, one))}; });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  for (const double zero : {0.0, -0.0, 0.0}) {
    m.memory[u] = zero;
    BOOST_CHECK(run(m, entry, Mode::frozen).ok());
    BOOST_TEST(m.memory[z] == std::atan2(zero, -1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
