// The explicit methods on their own: what the longer region of stability is worth, and how near they are.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "runtime/stepper.hpp"

using namespace mosim::runtime;

namespace {

/// Oscillators side by side: x[k]'' = -rate[k]^2 x[k], from x = 1 at rest; states x[k], x[k]'/rate[k].
struct Oscillators {
  std::vector<double> rates;
  double tolerance;
  Context context = make_context();
  Vector states = make_vector(2 * rates.size(), context);

  static int right_side(Real, N_Vector y, N_Vector derivatives, void* user) {
    const auto& rates = static_cast<Oscillators*>(user)->rates;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      data(derivatives)[2 * k] = rates[k] * data(y)[2 * k + 1];
      data(derivatives)[2 * k + 1] = -rates[k] * data(y)[2 * k];
    }
    return 0;
  }
  static int weights(N_Vector y, N_Vector weights, void* user) {
    for (std::size_t k = 0; k < length(y); ++k) data(weights)[k] = 1 / static_cast<Oscillators*>(user)->tolerance;
    return 0;
  }
  std::unique_ptr<Stepper> start(RungeKutta kind) {
    for (std::size_t k = 0; k < rates.size(); ++k) {
      data(states)[2 * k] = 1;
      data(states)[2 * k + 1] = 0;
    }
    return make_arkode({right_side, weights, nullptr, this, states.get(), nullptr, nullptr, context.get(), 0}, kind);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(stepper)

// Each step is off by some tolerances at most: all in one direction, they come to no more than this.
BOOST_AUTO_TEST_CASE(explicit_methods_follow_a_closed_form) {
  for (const RungeKutta kind : {RungeKutta::usual, RungeKutta::wide})
    for (const std::size_t n : {1, 10, 100})
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        Oscillators o{std::vector<double>(n), tolerance};
        for (std::size_t k = 0; k < n; ++k) o.rates[k] = 1 + double(k) / double(n);
        const auto method = o.start(kind);
        method->start(0, 0);
        double time = 0;
        while (time < 20) BOOST_REQUIRE(!Stepper::failed(method->step(20, time)));
        double worst = 0;
        for (std::size_t k = 0; k < n; ++k) worst = std::max({worst, std::abs(data(o.states)[2 * k] - std::cos(20 * o.rates[k])), std::abs(data(o.states)[2 * k + 1] + std::sin(20 * o.rates[k]))});
        BOOST_TEST(worst < 5 * tolerance * double(method->counts().steps), int(kind) << ", " << n << " at " << tolerance << ": " << worst << " in " << method->counts().steps);
      }
}

// With no error to mind, steps are as long as they may be: of 4.5 in units of 1/rate one method's solution dies away, and the other's leaves every bound.
BOOST_AUTO_TEST_CASE(the_wide_one_is_stable_four_times_as_far_along_the_imaginary_axis) {
  const auto size_after = [](RungeKutta kind, double step) {
    Oscillators o{{1}, 1e100};
    const auto method = o.start(kind);
    method->bound(step);
    method->start(0, step);
    double time = 0;
    for (int k = 0; k < 40; ++k) BOOST_REQUIRE(!Stepper::failed(method->step(1e9, time)));
    BOOST_TEST(method->last_step() == step, boost::test_tools::tolerance(1e-12));
    return std::hypot(data(o.states)[0], data(o.states)[1]);
  };
  for (const double step : {1.0, 2.0, 3.0, 4.5}) BOOST_TEST(size_after(RungeKutta::wide, step) < 1.0001, step);
  BOOST_TEST(size_after(RungeKutta::wide, 5) > 2);
  BOOST_TEST(size_after(RungeKutta::usual, 0.9) < 1.0001);
  for (const double step : {2.0, 3.0, 4.5}) BOOST_TEST(size_after(RungeKutta::usual, step) > 1.01, step);
}

BOOST_AUTO_TEST_SUITE_END()
