// BasicEquations: no events.

#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

constexpr const char* chapter = "BasicEquations/";

using Formula = std::function<std::vector<double>(double)>;

Case smooth(const std::string& path, double stop, std::vector<std::string> variables, std::string by, Formula at,
            double tolerance = 1e-6) {
  Case c;
  c.name = path.substr(path.find('/') + 1);
  c.file = chapter + path + ".mo";
  c.settings.stop = stop;
  c.settings.tolerance = 1e-8;
  c.witness = {std::move(by), std::move(variables), std::move(at), tolerance, {}, 0};
  c.witness.events.emplace();
  return c;
}

void prey_and_predators(double, const State& x, State& dx) {
  dx = {x[0] * (0.1 - 0.02 * x[1]), x[1] * (0.02 * x[0] - 0.4)};
}

// Where ComplexInitialization starts: Newton's method on x/2 + y^2 = 5 and x*(0.1 - 0.02*y) = 2*y after x is put in.
State complex_start() {
  double y = 10;
  for (int i = 0; i < 50; ++i)
    y -= (0.04 * y * y * y - 0.2 * y * y - 2.2 * y + 1) / (0.12 * y * y - 0.4 * y - 2.2);
  return {10 - 2 * y * y, y};
}

}  // namespace

std::vector<Case> basic_cases() {
  std::vector<Case> all;
  const auto rising = [](double t) { return State{1 - std::exp(-t)}; };
  const auto falling = [](double t) { return State{1 + std::exp(-t)}; };
  all.push_back(smooth("SimpleExample/FirstOrder", 8, {"x"}, "closed form", rising));
  all.push_back(smooth("SimpleExample/FirstOrderDocumented", 8, {"x"}, "closed form", rising));
  all.push_back(smooth("SimpleExample/FirstOrderInitial", 8, {"x"}, "closed form", falling));
  all.push_back(smooth("SimpleExample/FirstOrderExperiment", 8, {"x"}, "closed form", falling));
  all.push_back(smooth("SimpleExample/FirstOrderSteady", 8, {"x"}, "closed form: at rest",
                       [](double) { return State{1}; }));

  const auto cooling = [](double zero) {
    return [zero](double t) { return State{zero + 25 + 65 * std::exp(-0.7 / 0.12 * t)}; };
  };
  all.push_back(smooth("CoolingExample/NewtonCooling", 0.5, {"T"}, "closed form", cooling(0)));
  all.back().settings.set = {"T_inf=25", "T0=90", "h=0.7", "A=1.0", "m=0.1", "c_p=1.2"};
  all.push_back(smooth("CoolingExample/NewtonCoolingWithDefaults", 0.5, {"T"}, "closed form", cooling(0)));
  all.push_back(smooth("CoolingExample/NewtonCoolingWithUnits", 0.5, {"T"}, "closed form", cooling(273.15)));
  all.push_back(smooth("CoolingExample/NewtonCoolingWithTypes", 0.5, {"T"}, "closed form", cooling(273.15)));

  const std::vector<std::string> circuit{"V", "i_L", "i_R", "i_C"};
  all.push_back(smooth("RLC/RLC1", 1, circuit, "closed form", rlc));
  all.push_back(smooth("RLC/RLC2", 1, circuit, "closed form", rlc));

  const std::vector<std::string> inertias{"phi1", "phi2", "omega1", "omega2"};
  const std::string independent = "independent integration (Dormand-Prince at 1e-13)";
  all.push_back(smooth("RotationalSMD/SecondOrderSystem", 5, inertias, independent,
                       follow(two_inertias, {0, 1, 0, 0})));
  all.back().settings.tolerance = 1e-10;
  all.push_back(smooth("RotationalSMD/SecondOrderSystemInitParams", 5, inertias, independent,
                       follow(two_inertias, {0, 1, 0, 0})));
  all.back().settings.tolerance = 1e-10;

  const std::string populations = "LotkaVolterra/";
  for (const char* name : {"ClassicModel", "ClassicModelInitialEquations", "ClassicModelFixedStartValues"}) {
    all.push_back(smooth(populations + name, 140, {"x", "y"}, independent, follow(prey_and_predators, {10, 10}), 1e-4));
    all.back().settings.tolerance = 1e-9;
  }
  const auto still = [](double x, double y) { return [=](double) { return State{x, y}; }; };
  const std::string balance = "closed form: at rest, x = gamma/delta and y = alpha/beta";
  all.push_back(smooth(populations + "QuiescentModel", 140, {"x", "y"}, "closed form: at rest, nobody", still(0, 0)));
  all.push_back(smooth(populations + "QuiescentModelUsingStart", 140, {"x", "y"}, balance, still(20, 5)));
  all.push_back(smooth(populations + "QuiescentModelWithInheritance", 140, {"x", "y"}, balance, still(20, 5)));
  all.push_back(smooth(populations + "QuiescentModelWithModifications", 140, {"x", "y"}, balance, still(30, 5)));
  all.push_back(smooth(populations + "ComplexInitialization", 5, {"x", "y"},
                       "root of the cubic, then " + independent, follow(prey_and_predators, complex_start())));
  return all;
}

}  // namespace mosim::golden
