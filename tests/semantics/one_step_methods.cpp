// The Runge-Kutta methods beside the others: the same results, and few steps where there are many events.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;
using runtime::Solver;

namespace {

const char* name_of(Solver s) {
  const char* names[]{"bdf", "adams", "esdirk", "erk", "auto"};
  return names[std::size_t(s)];
}

Run run_with(Solver method, const std::string& text, double stop = 1, double tolerance = 1e-6) {
  const Solver before = solver();
  solver() = method;   // without waiting: see Options::short_run
  Run r = run(text, stop, tolerance);
  solver() = before;
  BOOST_TEST(r.ended(), name_of(method) << ": " << r.message() << r.diagnostics);
  return r;
}

constexpr Solver all[]{Solver::bdf, Solver::adams, Solver::esdirk, Solver::erk, Solver::automatic}, one_step[]{Solver::esdirk, Solver::erk};

}  // namespace

BOOST_AUTO_TEST_SUITE(one_step_methods)

// x = exp(-t) cos(20 t), whose rows come from within the steps, too.
BOOST_AUTO_TEST_CASE(every_row_is_near_the_closed_form) {
  for (const Solver method : all)
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Run r = run_with(method, "model M Real x(start=1, fixed=true), y(start=0, fixed=true); equation der(x) = -x - 20*y; der(y) = 20*x - y; end M;", 2, tolerance);
      double worst = 0;
      for (double t = 0; t <= 2; t += 0.004) worst = std::max(worst, std::abs(r.at("x", t + 1e-9) - std::exp(-t)*std::cos(20*t)));
      BOOST_TEST(worst < 10*tolerance, name_of(method) << " at " << tolerance << ": " << worst);
    }
}

// Steps that are longer than the distance of rows: a motion of degree 4, which the explicit method has exactly, and one that ends steeply, x = sqrt(4 - 2*t).
BOOST_AUTO_TEST_CASE(rows_within_long_steps) {
  const Run quartic = run_with(Solver::erk, "model M Real x(start=0.0416015625, fixed=true); equation der(x) = (time - 1)^3/6; end M;", 2, 1e-4);
  for (double t = 0; t <= 2; t += 0.004) BOOST_TEST(std::abs(quartic.at("x", t + 1e-9) - (std::pow(t - 1, 4)/24 - 1.0/24 + 0.0416015625)) < 1e-8, t);
  // Of many, each ends at a time of its own: x[k] = sqrt(4*k - 2*t).
  for (const int n : {1, 60, 400})
    for (const double tolerance : {1e-4, 1e-6, 1e-8})
      for (const Solver method : all) {
        const Run r = run_with(method, "model M constant Integer n = " + std::to_string(n) + "; Real x[n](start={2*sqrt(k) for k in 1:n}, each fixed=true); equation for k in 1:n loop der(x[k]) = -1/x[k]; end for; end M;", 1.99, tolerance);
        for (const int k : {1, n}) {
          const std::string name = "x[" + std::to_string(k) + "]";
          double worst = 0;
          for (double t = 0; t < 1.99; t += 0.00398) worst = std::max(worst, std::abs(r.at(name, t + 1e-9) - std::sqrt(4*k - 2*t)));
          BOOST_TEST(worst < 30*tolerance*std::sqrt(double(n)), name_of(method) << ", " << name << " of " << n << " at " << tolerance << ": " << worst);
        }
      }
}

// A tank that runs empty: h = (1 - t)^2, and beyond h < 0 there is no root. Each step that is tried there is tried again, shorter, and none of the time is lost.
BOOST_AUTO_TEST_CASE(a_stage_without_a_value) {
  for (const Solver method : all)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Run r = run_with(method, "model M Real c(start=0, fixed=true), h(start=1, fixed=true); discrete Real empty(start=0, fixed=true); equation der(c) = 1; "
                                     "der(h) = if h > 1e-8 then -2*sqrt(h) else 0; when h < 1.1e-8 then empty = time; end when; end M;", 2, tolerance);
      BOOST_TEST(std::abs(r.final("c") - 2) < 1e-7, name_of(method) << " at " << tolerance << ": " << r.final("c"));
      BOOST_TEST(std::abs(r.final("empty") - (1 - std::sqrt(1.1e-8))) < 20*tolerance, name_of(method) << " at " << tolerance << ": " << r.final("empty"));
    }
}

// Heat that leaves a row of n cells through both ends, from the slowest mode: every cell goes with exp(-lambda*t). The larger ones have a sparse matrix.
BOOST_AUTO_TEST_CASE(sizes_and_tolerances) {
  const double pi = std::acos(-1.0);
  for (const int n : {4, 60, 400})
    for (const double tolerance : {1e-4, 1e-6, 1e-9})
      for (const Solver method : all) {
        const double lambda = 2*(1 - std::cos(pi/(n + 1)));
        const Run r = run_with(method, "model M constant Integer n = " + std::to_string(n) + "; Real x[n](start = {sin(acos(-1)*k/(n + 1)) for k in 1:n}, each fixed = true); equation for k in 1:n loop der(x[k]) = (if k > 1 then x[k - 1] else 0) - 2*x[k] + "
                                       "(if k < n then x[k + 1] else 0); end for; end M;", 10, tolerance);
        for (const int k : {1, n/2, n}) {
          const std::string name = "x[" + std::to_string(k) + "]";
          const double error = std::abs(r.final(name) - r.initial(name)*std::exp(-10*lambda));
          BOOST_TEST(error < 10*tolerance, name_of(method) << ", " << name << " of " << n << " at " << tolerance << ": " << error);
        }
      }
}

// e = 1/2: the ball of height 1 lies at sqrt(2/g)(1 + 2(1/2 + 1/4 + ...)) = 3 sqrt(2/g); the k-th bounce comes at (3 - 4/2^k) sqrt(2/g).
BOOST_AUTO_TEST_CASE(the_instants_of_events) {
  const double fall = std::sqrt(2/9.81);
  for (const Solver method : all) {
    const Run r = run_with(method, "model M Real h(start=1, fixed=true), v(start=0, fixed=true); Integer n(start=0, fixed=true); equation der(h) = v; der(v) = -9.81; "
                                   "when h < 0 then reinit(v, -0.5*pre(v)); n = pre(n) + 1; end when; end M;", 1.32);
    const std::vector<double> times = r.event_times();
    BOOST_TEST_REQUIRE(times.size() >= 5);
    for (std::size_t k = 0; k < 5; ++k) BOOST_TEST(std::abs(times[k] - (3 - 4*std::pow(0.5, k + 1))*fall) < 2e-6, name_of(method) << " " << k << " " << times[k]);
  }
}

// Two crossings of a function lie nearer to each other than the resolution of the run, and than steps that nothing bounds: each of them is seen.
BOOST_AUTO_TEST_CASE(events_in_quick_succession) {
  const double pi = std::acos(-1.0);
  // The duty cycle of each period of a triangle is that of a slow sine: both flanks, and where the triangle turns back.
  const char* const text = "model M Real x(start=0, fixed=true), y(start=0, fixed=true), triangle; equation triangle = abs(mod(1000*time, 2) - 1); "
                           "der(x) = 100*((if 0.5 + 0.45*sin(6*time) > triangle then 1 else 0) - x); der(y) = x - y; end M;";
  const Run reference = run_with(Solver::bdf, text, 2, 1e-8);
  for (const Solver method : all)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      for (const double rate : {30.0, 300.0, 3000.0}) {
        std::ostringstream model;
        model << "model M Real x(start=0, fixed=true), y(start=0, fixed=true); equation der(x) = (if sin(" << rate << "*time) > 0 then 1 else -1) - x; der(y) = x - y; end M;";
        const double stop = 2000/rate;
        const std::vector<double> times = run_with(method, model.str(), stop, tolerance).event_times();
        BOOST_TEST(times.size() == std::size_t(rate*stop/pi) + 1, name_of(method) << " at " << tolerance << ", " << rate << "/s: " << times.size());   // and at the start
        for (std::size_t k = 1; k < times.size(); ++k)
          if (std::abs(times[k] - double(k)*pi/rate) > 1e-9*stop) BOOST_TEST(times[k] == double(k)*pi/rate, name_of(method) << " at " << tolerance << ", " << rate << "/s, event " << k);
      }
      const Run pulses = run_with(method, text, 2, tolerance);
      BOOST_TEST(pulses.event_times().size() == reference.event_times().size(), name_of(method) << " at " << tolerance);
      BOOST_TEST(std::abs(pulses.final("y") - reference.final("y")) < 10*tolerance, name_of(method) << " at " << tolerance << ": " << pulses.final("y") << ", " << reference.final("y"));
    }
}

// A fast lag behind a square wave, 1,000 jumps in a second: methods of order 1 after each of them take many small steps.
BOOST_AUTO_TEST_CASE(steps_of_a_run_with_many_events) {
  const char* const text = "model M Real x(start=0, fixed=true); discrete Real u(start=1, fixed=true); equation der(x) = 1e4*(u - x); when sample(0.001, 0.001) then u = -pre(u); end when; end M;";
  const Run bdf = run_with(Solver::bdf, text, 1.0005);
  for (const Solver method : one_step) {
    const Run r = run_with(method, text, 1.0005);
    BOOST_TEST(r.result.statistics.steps < 0.6*bdf.result.statistics.steps, name_of(method) << " " << r.result.statistics.steps << ", bdf " << bdf.result.statistics.steps);
    // At each jump |x| is tanh(5), which is where going from -u*a to u*(1 - (1 + a)*exp(-10)) settles.
    BOOST_TEST(std::abs(std::abs(r.final("x")) - (1 - (1 + std::tanh(5.0))*std::exp(-5.0))) < 1e-5, name_of(method) << " " << r.final("x"));
  }
}

// What is cheapest from event to event is chosen.
BOOST_AUTO_TEST_CASE(the_choice_by_itself) {
  // A lag behind a square wave as above: the explicit method's, whose steps ask for no matrix.
  const char* const square = "model M Real x(start=0, fixed=true); discrete Real u(start=1, fixed=true); equation der(x) = 1e4*(u - x); when sample(0.001, 0.001) then u = -pre(u); end when; end M;";
  const auto evaluations = [](const Run& r) { return double(r.result.statistics.evaluations); };
  const double alone = evaluations(run_with(Solver::erk, square, 2.0005));
  const Run r = run_with(Solver::automatic, square, 2.0005);
  BOOST_TEST(evaluations(r) < 1.6*alone, evaluations(r) << ", alone " << alone);   // its steps are finer than alone
  const auto& s = r.result.statistics;
  BOOST_TEST(s.steps_by[std::size_t(Solver::erk)] > 0.85*double(s.steps));
  BOOST_TEST(s.steps_by[0] + s.steps_by[1] + s.steps_by[2] + s.steps_by[3] == s.steps);
  // Stiff, with an event now and then, each of which starts a transient: what is tried in vain costs little and spoils nothing.
  const char* const stiff = "model M Real x(start=1, fixed=true), s(start=0, fixed=true); discrete Integer n(start=0, fixed=true); equation der(x) = -1e5*(x - cos(time)) - sin(time); der(s) = x; "
                            "when sample(0.05, 0.05) then n = pre(n) + 1; reinit(s, sin(time)); end when; end M;";
  const Run bdf = run_with(Solver::bdf, stiff, 4.02);
  const Run chosen = run_with(Solver::automatic, stiff, 4.02);
  BOOST_TEST(chosen.final("n") == 80);
  double worst = 0;
  for (double t = 0; t < 4.02; t += 0.00804) worst = std::max({worst, std::abs(chosen.at("x", t + 1e-9) - std::cos(t)), std::abs(chosen.at("s", t + 1e-9) - std::sin(t))});
  BOOST_TEST(worst < 1e-5, worst);
  BOOST_TEST(chosen.result.statistics.method_changes > 0u);
  BOOST_TEST(evaluations(chosen) < 1.4*evaluations(bdf), evaluations(chosen) << ", bdf " << evaluations(bdf));
}

// What was chosen for one motion is left where another begins, and where it cannot go on, within an interval between events.
BOOST_AUTO_TEST_CASE(a_choice_is_left_in_another_motion) {
  const Run stiff = run_with(Solver::automatic, "model M Real x(start=1, fixed=true), y(start=0, fixed=true), k; discrete Real u(start=1, fixed=true); equation k = if time < 10 then 1 else 1e7; "
                             "der(x) = -k*(x - cos(time)); der(y) = x - y + u; when sample(0, 0.1) and time < 10 then u = -pre(u); end when; end M;", 20);
  BOOST_TEST(stiff.result.statistics.steps_by[std::size_t(Solver::erk)] < 2000u);
  BOOST_TEST(std::abs(stiff.final("x") - std::cos(20)) < 1e-5);
  // An explicit method's steps would be too short for the digits of time, which is a failure of its, and not of the run.
  for (const double k : {1e12, 1e13, 1e14}) {
    std::ostringstream text;
    text << "model M Real x(start=0, fixed=true), y(start=0, fixed=true); discrete Real u(start=1, fixed=true); equation der(x) = -" << k
         << "*(x - sin(0.01*time)); der(y) = u + x; when sample(0, 10) then u = -pre(u); end when; end M;";
    const Run fast = run_with(Solver::automatic, text.str(), 2000);
    BOOST_TEST(std::abs(fast.final("x") - std::sin(20)) < 1e-5, k);
    BOOST_TEST(std::abs(fast.final("y") - (100*(1 - std::cos(20)))) < 1e-2, k);   // u adds up to nothing
  }
}

// Long motions without an event: a ring of masses that rings on, which methods that are not for stiff ones go through cheaply, and one that is stiff.
BOOST_AUTO_TEST_CASE(the_choice_within_a_long_motion) {
  const auto work = [](const Run& r) { return double(r.result.statistics.evaluations); };
  const double pi = std::acos(-1.0);
  for (const int n : {5, 20, 60})
    for (const double tolerance : {1e-5, 1e-7, 1e-8}) {
      const std::string ring = "model M constant Integer n = " + std::to_string(n) + "; constant Real pi = 2*acos(0); Real x[n](start={sin(2*pi*k/n) for k in 1:n}, each fixed=true), v[n](each start=0, each fixed=true); "
                               "equation der(x) = v; for k in 1:n loop der(v[k]) = x[if k == 1 then n else k - 1] - 2*x[k] + x[if k == n then 1 else k + 1]; end for; end M;";
      const double omega = 2*std::sin(pi/n), stop = 1600/omega;   // as many turns for each
      const Run r = run_with(Solver::automatic, ring, stop, tolerance), bdf = run_with(Solver::bdf, ring, stop, tolerance);
      const auto error = [&](const Run& run) {
        double worst = 0;
        for (double t = 0; t < stop; t += stop/500) worst = std::max(worst, std::abs(run.at("x[2]", t + 1e-12*stop) - std::sin(4*pi/n)*std::cos(omega*t)));
        return worst;
      };
      // Its phase drifts as long as it rings, with one step methods many times more if nothing made their steps finer.
      BOOST_TEST(error(r) < std::max(1.3*error(bdf), 8*tolerance), n << " at " << tolerance << ": " << error(r) << ", bdf " << error(bdf));
      BOOST_TEST(bdf.result.statistics.steps > 16000u);
      const auto& steps = r.result.statistics.steps_by;
      BOOST_TEST(double(steps[0]) < 0.7*double(r.result.statistics.steps), n << " at " << tolerance);
      BOOST_TEST(steps[0] < 0.8*double(bdf.result.statistics.steps), n << " at " << tolerance << ": " << steps[0] << ", bdf " << bdf.result.statistics.steps);
    }
  // A trial looks back over steps within which a variable has jumped that the motion does not depend on.
  const char* const stiff = "model M Real x(start=1, fixed=true), y(start=0, fixed=true); discrete Integer n(start=0, fixed=true); equation der(x) = -1e6*(x - cos(time)) - sin(time); der(y) = 50*cos(50*time) + x - cos(time); "
                            "when sample(0.1, 0.1) then n = pre(n) + 1; end when; end M;";
  const Run a = run_with(Solver::automatic, stiff, 40, 1e-8), b = run_with(Solver::bdf, stiff, 40, 1e-8);
  BOOST_TEST(a.final("n") == b.final("n"));
  BOOST_TEST(work(a) < 1.2*work(b), work(a) << ", bdf " << work(b));
  BOOST_TEST(std::abs(a.final("x") - std::cos(40)) < 1e-7);
  BOOST_TEST(std::abs(a.final("y") - std::sin(50*40)) < 1e-5, a.final("y") - std::sin(50*40));
}

// A trial goes back over what was, and leaves nothing: h has the value that it had when its equations became 0 = 0, at t1.
BOOST_AUTO_TEST_CASE(a_trial_leaves_nothing) {
  for (const double t1 : {1.26, 1.34, 1.4, 1.5}) {
    std::ostringstream text;
    text << "function positive input Real u; output Real y; algorithm y := (u + sqrt(u*u))/2; end positive; model M Real x(start=1, fixed=true), y(start=0, fixed=true), z(start=0, fixed=true), m, h, k, w; equation der(x) = 50*y; der(y) = -50*x; der(z) = -z + positive(time - " << t1 + 0.5
         << ")*h; m = positive(" << t1 << " - time); m*h + m*k = m*(3 + 100*time); h - k = w; w = x*0 + 1; end M;";
    const Run r = run_with(Solver::automatic, text.str(), 5), bdf = run_with(Solver::bdf, text.str(), 5);
    BOOST_TEST(r.result.statistics.evaluations > bdf.result.statistics.evaluations);   // there were trials
    BOOST_TEST(std::abs(r.final("h") - bdf.final("h")) < 0.5, t1 << ": " << r.final("h") << ", bdf " << bdf.final("h"));
    BOOST_TEST(std::abs(r.final("z") - bdf.final("z")) < 0.01*bdf.final("z"), t1 << ": " << r.final("z") << ", bdf " << bdf.final("z"));
  }
}

// Lags behind a square wave, 1, 60 and 400 of them: whichever methods were tried and chosen, the values are those of the closed form.
BOOST_AUTO_TEST_CASE(the_choice_at_three_sizes_and_tolerances) {
  for (const int n : {1, 60, 400})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Run r = run_with(Solver::automatic, "model M constant Integer n = " + std::to_string(n) + "; Real x[n](each start=0, each fixed=true); discrete Real u(start=1, fixed=true); equation "
                             "for k in 1:n loop der(x[k]) = (2 + 3*k/n)*(u - x[k]); end for; when sample(0.1, 0.1) then u = -pre(u); end when; end M;", 8.05, tolerance);
      BOOST_TEST(r.result.statistics.method_changes >= 2u, n << " at " << tolerance);
      for (const int k : {1, n}) {
        const double rate = 2 + 3.0*k/n, decay = std::exp(-0.1*rate);
        double x = 0;
        for (int i = 0; i < 80; ++i) x = (i % 2 ? -1 : 1)*(1 - decay) + x*decay;
        const double expected = 1 - (1 - x)*std::exp(-0.05*rate);
        const double found = r.final("x[" + std::to_string(k) + "]");
        BOOST_TEST(std::abs(found - expected) < 10*tolerance*std::sqrt(double(n)), k << " of " << n << " at " << tolerance << ": " << found - expected);
      }
    }
}

// Stiff: Robertson's kinetics at 40 s, from Hairer and Wanner. What is explicit would take more than ten times as many steps.
BOOST_AUTO_TEST_CASE(stiff_motions) {
  const Run r = run_with(Solver::esdirk, "model M Real a(start=1, fixed=true), b(start=0, fixed=true, nominal=1e-5), c(start=0, fixed=true); equation der(a) = -0.04*a + 1e4*b*c; "
                                         "der(c) = 3e7*b^2; der(b) = -der(a) - der(c); end M;", 40, 1e-8);
  BOOST_TEST(std::abs(r.final("a") - 0.7158270688) < 1e-7, r.final("a"));
  BOOST_TEST(std::abs(r.final("b") - 9.185534764e-6) < 1e-11, r.final("b"));
  BOOST_TEST(r.result.statistics.steps < 8000u, r.result.statistics.steps);
}

// The explicit method is as slow as the fastest motion, and says why; one that oscillates fast is no stiff one.
BOOST_AUTO_TEST_CASE(an_explicit_method_in_a_stiff_motion) {
  // Two 500ths of the run are enough to see.
  const std::string soon = " when time > 2.5e-4 then terminate(\"enough\"); end when; end M;";
  const std::string stiff = "model M Real x(start = 0, fixed = true); equation der(x) = 2e8*(cos(1e3*time) - x);" + soon;
  const Run slow = run_with(Solver::erk, stiff, 0.05);
  BOOST_TEST(std::abs(slow.final("x") - std::cos(0.25)) < 1e-5);
  BOOST_TEST(slow.message().find("the motion is stiff") != std::string::npos, slow.message());
  for (const Solver method : {Solver::bdf, Solver::esdirk}) BOOST_TEST(run_with(method, stiff, 0.05).message().find("stiff") == std::string::npos);
  const Run fast = run_with(Solver::erk, "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -2.5e15*x;" + soon, 0.05);
  BOOST_TEST(fast.result.statistics.steps > 10000u);
  BOOST_TEST(fast.message().find("stiff") == std::string::npos, fast.message());
  // Nor one that goes back and forth between states of different sizes: a voltage and a current. Damped, it is.
  for (const char* impedance : {"1e3", "1", "1e-3"}) {
    const auto circuit = [&](const char* damping) {
      return std::string("model M constant Real Z = ") + impedance + ", w = 2e8; Real u(start = 1, fixed = true), i(start = 0, fixed = true); equation der(u) = w*(Z*i - " + damping + "*u); der(i) = -w/Z*u;" + soon;
    };
    const Run rings = run_with(Solver::erk, circuit("0"), 0.05), dies_away = run_with(Solver::erk, circuit("1"), 0.05);
    BOOST_TEST(rings.result.statistics.steps > 10000u);
    BOOST_TEST(rings.message().find("stiff") == std::string::npos, impedance << ": " << rings.message());
    BOOST_TEST(dies_away.message().find("the motion is stiff") != std::string::npos, impedance << ": " << dies_away.message());
  }
}

// What bdf is off by stays within a line of many cells, and a stretch that begins with it speaks against every method with longer steps. Looked at from its
// beginning the motion goes with a fifth of the steps, and nearer.
BOOST_AUTO_TEST_CASE(the_choice_looks_back_on_a_long_motion) {
  constexpr double stop = 8;
  std::vector<std::pair<int, double>> settings;
  for (const int n : {50, 100, 200})
    for (const double tolerance : {1e-5, 1e-6, 1e-7}) settings.push_back({n, tolerance});
#if !defined(__SANITIZE_ADDRESS__)   // which take two minutes for it
  settings.push_back({800, 1e-8});
#endif
  for (const auto& [n, tolerance] : settings) {
    const std::string line = "model M constant Integer n = " + std::to_string(n) + "; constant Real w = 2.5; Real v[n](each start = 0, each fixed = true), i[n](each start = 0, each fixed = true), "
                             "u(start = 0, fixed = true), du(start = 0, fixed = true); discrete Real arrival(start = 0, fixed = true); equation der(u) = du; der(du) = w^2*(1 - u) - 2*w*du; for k in 1:n loop "
                             "der(i[k]) = n*((if k == 1 then u else v[max(k - 1, 1)]) - v[k]) - 0.05*i[k]; der(v[k]) = n*(i[k] - (if k == n then v[n] else i[min(k + 1, n)])); end for; "
                             "when v[n] > 0.5 then arrival = time; end when; end M;";
    const Run r = run_with(Solver::automatic, line, stop, tolerance), bdf = run_with(Solver::bdf, line, stop, tolerance), reference = run_with(Solver::erk, line, stop, 0.01*tolerance);
    BOOST_REQUIRE_MESSAGE(r.ended() && bdf.ended() && reference.ended(), r.message() + bdf.message() + reference.message());
    const auto error = [&](const Run& run) {
      double worst = 0;
      for (const int k : {1, n/4, n/2, n})
        for (const char* const x : {"v", "i"})
          for (double t = 0; t < stop; t += stop/200) {
            const std::string name = x + ("[" + std::to_string(k) + "]");
            worst = std::max(worst, std::abs(run.at(name, t + 1e-12*stop) - reference.at(name, t + 1e-12*stop)));
          }
      return worst;
    };
    const auto& s = r.result.statistics;
    BOOST_TEST(error(r) < std::max(1.3*error(bdf), 8*tolerance), n << " at " << tolerance << ": " << error(r) << ", bdf " << error(bdf));
    BOOST_TEST(r.result.events.size() == reference.result.events.size());
    BOOST_TEST(std::abs(r.final("arrival") - reference.final("arrival")) < 5*tolerance);
    if (n < 800) continue;
    BOOST_TEST(s.steps_by[0] < 3000u, n << ": " << s.steps_by[0]);
    BOOST_TEST(s.steps < 0.5*double(bdf.result.statistics.steps), n << ": " << s.steps << ", bdf " << bdf.result.statistics.steps);
  }
}

BOOST_AUTO_TEST_SUITE_END()
