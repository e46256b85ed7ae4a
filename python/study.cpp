// Studies for Python: mosim/_study.py makes of them what a user sees.

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <system_error>

#include "guard.hpp"
#include "mosim/study.hpp"
#include "options.hpp"
#include "study.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace mosim::python {

namespace {

Sampling sampling_of(const std::string& name) {
  if (name == "monte-carlo") return Sampling::monte_carlo;
  if (name == "latin-hypercube") return Sampling::latin_hypercube;
  throw std::invalid_argument("the sampling is \"monte-carlo\" or \"latin-hypercube\", not \"" + name + "\"");
}

/// False: Ctrl-C ended it.
bool run_study(std::shared_ptr<Model> model, const Plan& plan, const Measures& measures, const Options& options, const std::vector<std::uint64_t>& runs, unsigned workers,
               std::optional<double> run_limit, const std::function<void(std::uint64_t, std::vector<double>, std::string)>& on_outcome, nb::object compile) {
  Ending ending;
  StudyOptions o;
  o.run = options;
  o.workers = workers;
  o.run_limit = run_limit;
  o.cancel = ending.cancel();
  if (!compile.is_none())
    o.compile = [&](const std::vector<std::string>& settings, std::string& problem) -> std::shared_ptr<const Model> {
      nb::gil_scoped_acquire lock;
      try {
        return nb::cast<std::shared_ptr<Model>>(compile(settings));
      } catch (nb::python_error& error) {
        problem = nb::cast<std::string>(nb::str(error.value()));
        return nullptr;
      }
    };
  bool whole = false;
  {
    const Stretch stretch(ending);
    whole = study(model, plan, measures, o, [&](const Outcome& outcome) { ending.call([&] { on_outcome(outcome.run, outcome.measures, outcome.problem); }); }, runs);
  }
  ending.rethrow();
  return whole;
}

}  // namespace

void bind_studies(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const std::system_error& e) {
      errno = e.code().value();
      PyErr_SetFromErrno(PyExc_OSError);
    }
  });
  nb::class_<Plan>(m, "Plan", "Which values each run of a study has.")
      .def("__init__",
           [](Plan* at, const Model& model, const std::vector<std::string>& factors, std::optional<std::uint64_t> runs, const std::string& sampling, std::uint64_t seed) {
             new (at) Plan(model, factors, {runs, sampling_of(sampling), seed});
           },
           "model"_a, "factors"_a, "runs"_a = nb::none(), "sampling"_a = "monte-carlo", "seed"_a = 1)
      .def_static("columns", &Plan::columns, "model"_a, "variables"_a, "values"_a)
      .def_prop_ro("variables", &Plan::variables).def_prop_ro("runs", &Plan::runs).def("values", &Plan::values, "run"_a);
  nb::class_<Measures>(m, "Measures", "Numbers that are taken from the rows of a run.")
      .def(nb::init<const Model&, std::string_view>(), "model"_a, "list"_a)
      .def_prop_ro("names", &Measures::names).def_prop_ro("variables", &Measures::variables);
  m.def("measure", [](const Result& result, std::string_view list) {
    nb::dict values;
    for (const auto& [name, value] : measure(result, list)) values[nb::cast(name)] = value;
    return values;
  }, "result"_a, "list"_a);
  nb::class_<Options>(m, "RunOptions", "Of each run of a study.")
      .def("__init__",
           [](Options* at, std::optional<double> start, std::optional<double> stop, std::optional<double> tolerance, std::optional<std::uint32_t> intervals, std::optional<double> interval,
              const std::string& solver, std::optional<double> hysteresis, std::optional<std::uint64_t> maximum_events, std::vector<std::pair<std::string, double>> set) {
             new (at) Options(options_of(start, stop, tolerance, intervals, interval, solver, hysteresis, maximum_events, std::move(set)));
           },
           nb::kw_only(), "start"_a = nb::none(), "stop"_a = nb::none(), "tolerance"_a = nb::none(), "intervals"_a = nb::none(), "interval"_a = nb::none(), "solver"_a = "auto",
           "hysteresis"_a = nb::none(), "maximum_events"_a = nb::none(), "set"_a = std::vector<std::pair<std::string, double>>());
  nb::class_<Journal>(m, "Journal", "A study on disk, or in memory alone.")
      .def(nb::init<std::string, const Model&, const Plan&, const Measures&, const Options&, std::pair<std::uint64_t, std::uint64_t>>(), "path"_a, "model"_a, "plan"_a, "measures"_a,
           "options"_a, "part"_a = std::pair<std::uint64_t, std::uint64_t>(1, 1))
      .def("missing", &Journal::missing)
      .def("add", [](Journal& j, std::uint64_t run, std::vector<double> values, std::string problem) { j.add({run, std::move(values), std::move(problem)}); }, "run"_a, "measures"_a, "problem"_a)
      .def("table", &Journal::table).def_prop_ro("failed", &Journal::failed)
      .def_static("merge", &Journal::merge, "paths"_a);
  m.def("study", &run_study, "model"_a, "plan"_a, "measures"_a, "options"_a, "runs"_a, "workers"_a, "run_limit"_a.none(), "on_outcome"_a, "compile"_a.none());
}

}  // namespace mosim::python
