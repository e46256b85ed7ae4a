// What becomes kernels is right: the equations as written hold in each row, whatever reads whatever.

#include <boost/test/unit_test.hpp>
#include <limits>
#include <map>
#include <set>

#include "runtime/kernel.hpp"
#include "tests/same_run.hpp"
#include "tests/verify/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// With n elements.
std::string with(const std::string& text, int n) {
  std::string result = text;
  for (std::size_t at; (at = result.find('@')) != std::string::npos;) result.replace(at, 1, std::to_string(n));
  return result;
}

const std::vector<std::string> models{
    // Alone, and beside another loop at the same level.
    "model M Real x[@](each start = 1, each fixed = true); equation for i in 1:@ loop der(x[i]) = -i/@*x[i]; end for; end M;",
    "model M Real x[@](each start = 1, each fixed = true), y[@]; equation for i in 1:@ loop der(x[i]) = y[i]; end for; for i in 1:@ loop y[i] = sin(i*time) - x[i]*x[i]; end for; end M;",
    // Two equations in one body, and what they share.
    "model M Real x[@](each start = 1, each fixed = true), y[@]; equation for i in 1:@ loop y[i] = x[i]^2 + time; der(x[i]) = y[i]/(1 + x[i]^2); end for; end M;",
    // Neighbours: differences that two lanes read.
    "model M Real u[@], d = 0.1; initial equation u = {i/@ for i in 1:@}; equation der(u[1]) = (u[2] - u[1])/d; for i in 2:@ - 1 loop der(u[i]) = (u[i + 1] - u[i])/d - (u[i] - u[i - 1])/d; end for; der(u[@]) = -(u[@] - u[@ - 1])/d; end M;",
    // Chains, which are not lanes of each other: forwards, backwards, and by two.
    "model M Real x(start = 1, fixed = true), y[@]; equation der(x) = -y[@]; y[1] = x; for i in 2:@ loop y[i] = 0.5*y[i - 1] + x*i; end for; end M;",
    "model M Real x(start = 1, fixed = true), y[@]; equation der(x) = -y[1]; y[@] = x; for i in 1:@ - 1 loop y[i] = 0.5*y[i + 1] + x*i; end for; end M;",
    "model M Real x(start = 1, fixed = true), y[@]; equation der(x) = -y[@]; y[1] = x; y[2] = 2*x; for i in 3:@ loop y[i] = 0.5*y[i - 2] + x/i; end for; end M;",
    // Far reads: the same elements in another order.
    "model M Real x[@](each start = 1, each fixed = true), y[@]; equation for i in 1:@ loop der(x[i]) = -y[@ + 1 - i]; y[i] = x[mod(7*i, @) + 1] + i; end for; end M;",
    // A sum over all, sines of one time, ifs that stay in their places, a call in between.
    "model M Real x[@](each start = 1, each fixed = true), s = sum(x); equation for i in 1:@ loop der(x[i]) = s/@ - x[i] + sin(time); end for; end M;",
    "model M Real x[@](each start = 1, each fixed = true), y[@]; equation for i in 1:@ loop der(x[i]) = y[i]*x[i]; y[i] = if noEvent(x[i] > 0.5*i/@) then -1 - i/@ else -sqrt(1 + x[i]^2); end for; end M;",
    "function f input Real u; output Real y; algorithm y := u; for k in 1:3 loop y := y/2 + u; end for; annotation(Inline = false); end f; "
    "model M Real x[@](each start = 1, each fixed = true), z = f(time), y[@]; equation for i in 1:@ loop der(x[i]) = z - y[i]; y[i] = x[i]*i/@ + z; end for; end M;",
    // The right side of a condition that is not looked at.
    "model M Real x[@](each start = 0.5, each fixed = true), y[@], z[@]; equation for i in 1:@ loop der(x[i]) = -x[i]; y[i] = if noEvent(x[i] < 1 or log(x[i]) > 3) then 1 else 0; "
    "z[i] = if noEvent(x[i] > 0.2 + 0.1*i/@ and 1/x[i] < 2.5) then 1 else 0; end for; end M;",
    // Relations, and what events do.
    "model M Real x[@](each start = 1, each fixed = true); Integer n[@](each start = 0, each fixed = true); Boolean b[@]; equation for i in 1:@ loop der(x[i]) = if b[i] then -1 - i/@ else -0.1; b[i] = x[i] > 0.3 + 0.1*i/@; "
    "when not b[i] then n[i] = pre(n[i]) + i; end when; end for; end M;",
    // Systems of equations, linear and not.
    "model M Real x[@](each start = 1, each fixed = true), z[@]; equation for i in 1:@ loop der(x[i]) = -z[i]; z[i]*@ + sum(z) = x[i] + i; end for; end M;",
    "model M Real x(start = 1, fixed = true), z[@](each start = 1); equation der(x) = -z[1]; for i in 1:@ loop z[i] + 0.1*z[i]^3/@ + 0.001*z[mod(i, @) + 1] = x + i/@; end for; end M;",
};


/// No lane reads what another one writes, and what is handed on within a kernel was written there before.
void check_lanes(const runtime::Program& p) {
  for (const runtime::Kernel& kernel : p.kernels) {
    std::map<runtime::Slot, std::uint32_t> writer;
    for (std::uint32_t lane = 0; lane < kernel.count; ++lane)
      for (const runtime::Kernel::Row& row : kernel.rows)
        if (row.a.how != runtime::Lanes::How::passing) BOOST_REQUIRE(writer.emplace(runtime::number_of(p, row.a, lane), lane).second);
    for (std::uint32_t lane = 0; lane < kernel.count; ++lane) {
      std::set<runtime::Slot> passed;
      for (const runtime::Kernel::Row& row : kernel.rows) {
        for (const runtime::Lanes* operand : {&row.b, &row.c}) {
          if (operand == &row.c && runtime::facts(row.op).reads < 2) continue;
          const runtime::Slot slot = runtime::number_of(p, *operand, lane);
          if (operand->how == runtime::Lanes::How::passing) BOOST_REQUIRE(passed.contains(slot));
          if (const auto it = writer.find(slot); it != writer.end()) BOOST_REQUIRE(it->second == lane);
        }
        if (row.a.how == runtime::Lanes::How::passing) passed.insert(runtime::number_of(p, row.a, lane));
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(equations_hold_in_each_row) {
  std::size_t kernels = 0, listed = 0, passing = 0, rows = 0;
  for (const int n : {70, 131})
    for (const std::string& model : models) {
      std::size_t found = 0;
      const verify::Report r = run(with(model, n), [&](const runtime::Program& p) {
        check_lanes(p);
        found = p.kernels.size();
        for (const runtime::Kernel& k : p.kernels)
          for (const runtime::Kernel::Row& row : k.rows) {
            ++rows;
            passing += row.a.how == runtime::Lanes::How::passing;
            for (const runtime::Lanes& l : {row.a, row.b, row.c}) listed += l.how == runtime::Lanes::How::listed;
          }
      }, 1, 0);
      BOOST_TEST(r.violated.empty(), with(model, n) << "\n" << texts(r));
      BOOST_TEST(r.equations >= std::size_t(n));
      kernels += found;
    }
  BOOST_TEST(kernels > 2*models.size());
  BOOST_TEST(rows > kernels);
  BOOST_TEST(listed > 0u);
  BOOST_TEST(passing > 0u);
}

// The second method: the same model without kernels, at three sizes and three tolerances. What was interpreted is the same bit by bit.
BOOST_AUTO_TEST_CASE(runs_are_those_without_kernels) {
  std::size_t kernels = 0;
  for (const std::string& model : models)
    for (const int n : {64, 100, 257}) {
      const bool dense = model.find("sum(z)") != std::string::npos || model.find("when") != std::string::npos;
      if (dense && n > 100) continue;   // long, and no other
      const runtime::Program with_kernels = program_of(with(model, n), 0), without = program_of(with(model, n), none);
      BOOST_TEST(without.kernels.empty());
      kernels += with_kernels.kernels.size();
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        runtime::Options options;
        options.stop = 0.5;
        options.tolerance = tolerance;
        options.intervals = 10;
        BOOST_TEST(same_run(runtime::simulate(with_kernels, options), runtime::simulate(without, options)), with(model, n) << " at " << tolerance);
      }
    }
  BOOST_TEST(kernels > 3*models.size());
}

BOOST_AUTO_TEST_CASE(a_wrong_lane_is_seen) {
  const std::string model = with(models[1], 100);
  // Each row that counts, wrong from a lane on.
  std::size_t tried = 0, seen = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    bool there = false;
    const verify::Report r = run(model, [&](runtime::Program& p) {
      std::size_t at = k;
      for (runtime::Entry e = p.derivatives; p.code[e].op != runtime::Opcode::end; ++e) {
        if (p.code[e].op != runtime::Opcode::kernel) continue;
        for (runtime::Kernel::Row& row : p.kernels[p.code[e].d].rows)
          if (at-- == 0) {
            row.op = row.op == runtime::Opcode::add ? runtime::Opcode::subtract : runtime::Opcode::add;
            there = true;
          }
      }
    }, 0.01, 0);
    tried += there;
    seen += there && !r.violated.empty();
  }
  BOOST_TEST(tried >= 4u);
  BOOST_TEST(seen == tried);
}

BOOST_AUTO_TEST_CASE(code_does_not_grow_with_a_loop) {
  for (const std::string& model : {models[0], models[1], models[2], models[3]}) {
    std::vector<std::size_t> sizes;
    for (const int n : {100, 200, 400}) (void)run(with(model, n), [&](const runtime::Program& p) { sizes.push_back(p.code.size()); }, 0.01, 0);
    BOOST_TEST(sizes[1] == sizes[0], model);
    BOOST_TEST(sizes[2] == sizes[0], model);
    BOOST_TEST(sizes[0] < 100u, model << sizes[0]);
  }
}

// What is short becomes machine code.
BOOST_AUTO_TEST_CASE(long_sections_alone_have_kernels) {
  for (const auto& [n, there] : {std::pair{1000, false}, std::pair{9000, true}})
    (void)run(with(models[0], n), [&](const runtime::Program& p) { BOOST_TEST(!p.kernels.empty() == there); }, 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
