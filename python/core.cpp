// The library as a Python module. What a user of Python expects beyond it is in mosim/__init__.py.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <type_traits>

#include "guard.hpp"
#include "mosim/session.hpp"
#include "options.hpp"
#include "study.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace mosim;

const char* name_of(Severity s) { return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "note"; }

const char* name_of(Type t) {
  switch (t) {
    case Type::real: return "Real";
    case Type::integer: return "Integer";
    case Type::boolean: return "Boolean";
    case Type::string: return "String";
    case Type::enumeration: return "enumeration";
  }
  return "";
}

const char* name_of(Kind k) {
  switch (k) {
    case Kind::state: return "state";
    case Kind::derivative: return "derivative";
    case Kind::algebraic: return "algebraic";
    case Kind::discrete: return "discrete";
    case Kind::parameter: return "parameter";
    case Kind::constant: return "constant";
  }
  return "";
}

const char* name_of(EventKind k) {
  switch (k) {
    case EventKind::initial: return "initial";
    case EventKind::time: return "time";
    case EventKind::state: return "state";
    case EventKind::clock: return "clock";
    case EventKind::terminal: return "terminal";
    case EventKind::set: return "set";
  }
  return "";
}

const char* name_of(Cause::What w) {
  switch (w) {
    case Cause::What::relation: return "relation";
    case Cause::What::rounding: return "rounding";
    case Cause::What::sample: return "sample";
    case Cause::What::clock: return "clock";
    case Cause::What::delay: return "delay";
  }
  return "";
}

const char* name_of(Ending e) {
  switch (e) {
    case Ending::stop_time: return "stop_time";
    case Ending::terminated: return "terminated";
    case Ending::maximum_events: return "maximum_events";
    case Ending::failed: return "failed";
    case Ending::interrupted: return "interrupted";
  }
  return "";
}

/// A run with what its callbacks need.
class PythonRun {
public:
  /// saved: where it goes on; empty: at its beginning.
  PythonRun(const Model& model, Options options, const std::string& saved, std::function<void(double)> progress, std::function<void(std::string)> print)
      : ending_(std::make_unique<python::Ending>()) {
    python::Ending& ending = *ending_;
    options.cancel = ending.cancel();
    for (Input& input : options.inputs)
      if (input.function)
        input.function = [&ending, given = std::move(input.function)](double time) {
          double value = std::numeric_limits<double>::quiet_NaN();
          ending.call([&] { value = given(time); });
          return value;
        };
    options.on_progress = [&ending, progress = std::move(progress), next = std::chrono::steady_clock::time_point()](double time) mutable {
      ending.look();
      if (!progress) return;
      const auto now = std::chrono::steady_clock::now();
      if (now < next) return;
      next = now + between_calls;
      ending.call([&] { progress(time); });
    };
    if (print) options.on_print = [&ending, print = std::move(print)](std::string_view text) { ending.call([&] { print(std::string(text)); }); };
    stretch([&] { run_.emplace(saved.empty() ? model.start(std::move(options)) : model.restore(saved, std::move(options))); });
  }
  double time() { return run().time(); }
  bool goes_on() const { return run_ && run_->goes_on(); }
  bool step(double until) { return stretch([&] { return run().step(until); }); }
  bool advance_to(double until) { return stretch([&] { return run().advance_to(until); }); }
  double get(std::string_view name) { return run().get(name); }
  bool set(const std::vector<std::pair<std::string, double>>& values) { return stretch([&] { return run().set(values); }); }
  nb::bytes save() {
    const std::string bytes = run().save();
    return nb::bytes(bytes.data(), bytes.size());
  }
  Linearization linearize() { return stretch([&] { return run().linearize(); }); }
  Result finish() {
    Result result = stretch([&] { return run().finish(); });
    run_.reset();
    return result;
  }

private:
  static constexpr std::chrono::milliseconds between_calls{50};

  Run& run() {
    if (!run_) throw std::invalid_argument("the run has been finished");
    return *run_;
  }
  template <class F> std::invoke_result_t<F> stretch(F function) {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      {
        const python::Stretch stretch(*ending_);
        function();
      }
      ending_->rethrow();
    } else {
      auto result = [&] {
        const python::Stretch stretch(*ending_);
        return function();
      }();
      ending_->rethrow();
      return result;
    }
  }

  std::unique_ptr<python::Ending> ending_;
  std::optional<Run> run_;
};

/// Name, function or none, times, values, whether they hold.
using PythonInput = std::tuple<std::string, std::function<double(double)>, std::vector<double>, std::vector<double>, bool>;

using Array = nb::ndarray<nb::numpy, double>;

/// All rows, without a copy: the result lives as long as the array does.
Array rows_of(nb::handle self) {
  Result& result = nb::cast<Result&>(self);
  const std::size_t width = result.names.size(), rows = width == 0 ? 0 : result.rows.size() / width;
  return Array(result.rows.data(), {rows, width}, self);
}

/// One column, a view of every width-th number.
Array column_of(nb::handle self, const std::string& name) {
  Result& result = nb::cast<Result&>(self);
  const std::size_t width = result.names.size();
  for (std::size_t k = 0; k < width; ++k)
    if (result.names[k] == name) {
      const std::size_t rows = result.rows.size() / width;
      const std::int64_t stride = std::int64_t(width);
      return Array(result.rows.data() + (rows > 0 ? k : 0), {rows}, self, {stride});
    }
  throw nb::key_error(name.c_str());
}

}  // namespace

NB_MODULE(_core, m) {
  m.def("version", [] { return std::string(version()); });

  nb::class_<Place>(m, "Place", "A place in a text. line = 0: none is known.")
      .def_ro("file", &Place::file).def_ro("line", &Place::line).def_ro("column", &Place::column).def_ro("end_column", &Place::end_column)
      .def_ro("source_line", &Place::source_line)
      .def("__repr__", [](const Place& p) { return p.line == 0 ? std::string("Place()") : p.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column); });
  nb::class_<Note>(m, "Note").def_ro("place", &Note::place).def_ro("text", &Note::text);
  nb::class_<Diagnostic>(m, "Diagnostic", "One thing that is said: where, why, and what to do about it.")
      .def_prop_ro("severity", [](const Diagnostic& d) { return name_of(d.severity); })
      .def_ro("place", &Diagnostic::place).def_ro("time", &Diagnostic::time).def_ro("cause", &Diagnostic::cause).def_ro("remedy", &Diagnostic::remedy)
      .def_ro("notes", &Diagnostic::notes).def_ro("text", &Diagnostic::text)
      .def("__str__", [](const Diagnostic& d) { return d.text; });

  nb::class_<Variable>(m, "Variable")
      .def_ro("name", &Variable::name).def_ro("description", &Variable::description).def_ro("unit", &Variable::unit)
      .def_ro("display_unit", &Variable::display_unit).def_ro("quantity", &Variable::quantity)
      .def_prop_ro("type", [](const Variable& v) { return name_of(v.type); }).def_prop_ro("kind", [](const Variable& v) { return name_of(v.kind); })
      .def_ro("is_protected", &Variable::is_protected).def_ro("is_hidden", &Variable::is_hidden).def_ro("is_input", &Variable::is_input)
      .def_ro("is_output", &Variable::is_output).def_ro("is_changeable", &Variable::is_changeable).def_ro("literals", &Variable::literals).def_ro("place", &Variable::place)
      .def("__repr__", [](const Variable& v) { return "<" + std::string(name_of(v.kind)) + " " + name_of(v.type) + " " + v.name + (v.unit.empty() ? "" : " [" + v.unit + "]") + ">"; });
  nb::class_<Experiment>(m, "Experiment")
      .def_ro("start", &Experiment::start).def_ro("stop", &Experiment::stop).def_ro("tolerance", &Experiment::tolerance).def_ro("interval", &Experiment::interval);

  nb::class_<Cause>(m, "Cause", "What brought an event about.")
      .def_prop_ro("what", [](const Cause& c) { return name_of(c.what); })
      .def_ro("text", &Cause::text).def_ro("place", &Cause::place).def_ro("value", &Cause::value)
      .def("__repr__", [](const Cause& c) {
        return c.what == Cause::What::relation ? c.text + " becomes " + (c.value != 0 ? "true" : "false") : std::string(name_of(c.what)) + " " + c.text;
      });
  nb::class_<Fired>(m, "Fired", "A when-clause that fired.")
      .def_ro("text", &Fired::text).def_ro("place", &Fired::place).def_ro("elements", &Fired::elements).def_ro("already_true", &Fired::already_true)
      .def_ro("round", &Fired::round)
      .def("__repr__", [](const Fired& f) { return "when " + f.text; });
  nb::class_<Change>(m, "Change", "A variable that is another one after an event.")
      .def_ro("variable", &Change::variable).def_ro("before", &Change::before).def_ro("after", &Change::after);
  nb::class_<Event>(m, "Event", "One event instant.")
      .def_ro("number", &Event::number).def_ro("time", &Event::time).def_prop_ro("kind", [](const Event& e) { return name_of(e.kind); })
      .def_ro("rounds", &Event::rounds).def_ro("is_rearming", &Event::is_rearming).def_ro("causes", &Event::causes).def_ro("fired", &Event::fired)
      .def_ro("changes", &Event::changes);

  nb::class_<Statistics>(m, "Statistics")
      .def_ro("steps", &Statistics::steps).def_ro("evaluations", &Statistics::evaluations).def_ro("jacobians", &Statistics::jacobians)
      .def_ro("time_events", &Statistics::time_events).def_ro("state_events", &Statistics::state_events).def_ro("clock_events", &Statistics::clock_events);
  nb::class_<Result>(m, "Result")
      .def_prop_ro("ending", [](const Result& r) { return name_of(r.ending); })
      .def_ro("time_reached", &Result::time).def_ro("names", &Result::names).def_ro("row_count", &Result::row_count).def_ro("events", &Result::events)
      .def_ro("diagnostics", &Result::diagnostics).def_ro("statistics", &Result::statistics).def_ro("strings", &Result::strings)
      .def_prop_ro("rows", &rows_of)
      .def("column", &column_of, "name"_a)
      .def("report", &Result::report, nb::call_guard<nb::gil_scoped_release>()).def("event_log", &Result::event_log, nb::call_guard<nb::gil_scoped_release>())
      .def("page", &Result::page, "variables"_a = std::vector<std::string>(), "most_numbers"_a = 1'500'000, nb::call_guard<nb::gil_scoped_release>());

  nb::class_<Linearization>(m, "Linearization", "A model near a point of its run as a linear system.")
      .def_ro("time", &Linearization::time).def_ro("states", &Linearization::states).def_ro("inputs", &Linearization::inputs)
      .def_ro("outputs", &Linearization::outputs).def_ro("a", &Linearization::a).def_ro("b", &Linearization::b).def_ro("c", &Linearization::c)
      .def_ro("d", &Linearization::d).def_ro("x", &Linearization::x).def_ro("u", &Linearization::u).def_ro("y", &Linearization::y)
      .def_ro("der_x", &Linearization::der_x).def_ro("diagnostics", &Linearization::diagnostics);

  // The interpreter's lock is released in PythonRun.
  nb::class_<PythonRun>(m, "Run")
      .def_prop_ro("time", &PythonRun::time).def_prop_ro("goes_on", &PythonRun::goes_on)
      .def("step", &PythonRun::step, "until"_a = std::numeric_limits<double>::infinity()).def("advance_to", &PythonRun::advance_to, "until"_a)
      .def("get", &PythonRun::get, "name"_a).def("set", &PythonRun::set, "values"_a).def("linearize", &PythonRun::linearize)
      .def("save", &PythonRun::save).def("finish", &PythonRun::finish);

  nb::class_<Model>(m, "Model")
      .def_prop_ro("name", &Model::name).def_prop_ro("description", &Model::description).def_prop_ro("experiment", &Model::experiment)
      .def_prop_ro("variables", &Model::variables).def_prop_ro("diagnostics", &Model::diagnostics)
      .def("refusal", &Model::refusal, "variable"_a, "value"_a)
      .def("write", [](const Model& model) {
        const std::string bytes = model.write();
        return nb::bytes(bytes.data(), bytes.size());
      })
      .def("start",
           [](const Model& model, std::optional<double> start, std::optional<double> stop, std::optional<double> tolerance, std::optional<std::uint32_t> intervals,
              std::optional<double> interval, const std::string& solver, std::optional<double> hysteresis, std::optional<std::uint64_t> maximum_events,
              std::optional<std::vector<std::string>> results, bool events, std::vector<std::pair<std::string, double>> set, std::vector<PythonInput> inputs,
              nb::bytes saved, std::function<void(double)> progress, std::function<void(std::string)> print) {
             Options o = python::options_of(start, stop, tolerance, intervals, interval, solver, hysteresis, maximum_events, std::move(set));
             o.results = std::move(results);
             o.events = events;
             for (auto& [name, function, times, values, holds] : inputs) o.inputs.push_back({std::move(name), std::move(function), std::move(times), std::move(values), holds});
             return std::make_unique<PythonRun>(model, std::move(o), std::string(saved.c_str(), saved.size()), std::move(progress), std::move(print));
           },
           nb::kw_only(), "start"_a = nb::none(), "stop"_a = nb::none(), "tolerance"_a = nb::none(), "intervals"_a = nb::none(), "interval"_a = nb::none(),
           "solver"_a = "auto", "hysteresis"_a = nb::none(), "maximum_events"_a = nb::none(), "results"_a = nb::none(), "events"_a = true,
           "set"_a = std::vector<std::pair<std::string, double>>(), "inputs"_a = std::vector<PythonInput>(), "saved"_a = nb::bytes("", 0), "progress"_a = nb::none(), "print"_a = nb::none());

  nb::class_<Session>(m, "Session")
      .def("__init__", [](Session* at, bool bundled_library, bool native_code, std::optional<std::function<std::optional<std::string>(const std::string&)>> source,
                          std::optional<std::function<std::optional<std::string>(std::string_view)>> resource) {
             SessionOptions o{.bundled_library = bundled_library, .native_code = native_code, .verifiable = false};
             if (source) o.source = [source = std::move(*source)](const std::string& name) -> std::optional<SourceText> {
               auto text = source(name);
               return text ? std::optional(SourceText{"<" + name + ">", std::move(*text)}) : std::nullopt;
             };
             if (resource) o.resource = std::move(*resource);
             new (at) Session(std::move(o));
           },
           nb::kw_only(), "bundled_library"_a = true, "native_code"_a = false, "source"_a = nb::none(), "resource"_a = nb::none())
      .def("add_library", &Session::add_library, "path"_a).def("read", &Session::read, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("read_text", &Session::read_text, "file"_a, "text"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("compile", [](Session& s, const std::string& name, const std::vector<std::string>& settings) { return std::const_pointer_cast<Model>(s.compile(name, settings)); },
           "name"_a, "settings"_a = std::vector<std::string>(), nb::call_guard<nb::gil_scoped_release>())
      .def("load", [](Session& s, const std::string& file, nb::bytes bytes) { return std::const_pointer_cast<Model>(s.load(file, {bytes.c_str(), bytes.size()})); }, "file"_a, "bytes"_a)
      .def_prop_ro("diagnostics", &Session::diagnostics);
  python::bind_studies(m);
}
