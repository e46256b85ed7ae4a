// The library for JavaScript: sessions, models and runs as objects, what is known of them as plain data. What a call must not do is an exception in
// JavaScript; what is wrong with a text, a model or a run is data. Whoever makes an object frees it with delete().

#include <emscripten.h>
#include <emscripten/bind.h>

#include "mosim/lesson.hpp"
#include "mosim/session.hpp"
#include "mosim/study.hpp"

using emscripten::val;
using namespace mosim;

namespace {

/// C++ exceptions would arrive as numbers.
template <class F>
auto guarded(F&& f) -> decltype(f()) {
  std::string what;
  try {
    return f();
  } catch (const std::bad_alloc&) {
    what = "memory is exhausted";
  } catch (const std::exception& e) {
    what = e.what();
  }
  val::global("Error").new_(what).throw_();
  __builtin_unreachable();
}

val place_of(const Place& p) {
  val o = val::object();
  o.set("file", p.file);
  o.set("line", p.line);
  o.set("column", p.column);
  o.set("endColumn", p.end_column);
  o.set("sourceLine", p.source_line);
  return o;
}

val list_of(const Diagnostics& diagnostics) {
  const char* const severities[] = {"error", "warning", "note"};
  val list = val::array();
  for (const Diagnostic& d : diagnostics) {
    val o = place_of(d.place), notes = val::array();
    o.set("severity", severities[std::size_t(d.severity)]);
    o.set("time", d.time);
    o.set("cause", d.cause);
    o.set("remedy", d.remedy);
    o.set("text", d.text);
    for (const Note& n : d.notes) {
      val note = place_of(n.place);
      note.set("text", n.text);
      notes.call<void>("push", note);
    }
    o.set("notes", notes);
    list.call<void>("push", o);
  }
  return list;
}

std::vector<std::string> texts_of(const val& list) { return list.isUndefined() || list.isNull() ? std::vector<std::string>() : emscripten::vecFromJSArray<std::string>(list); }

val list_of(const std::vector<std::string>& texts) {
  val list = val::array();
  for (const std::string& text : texts) list.call<void>("push", text);
  return list;
}

template <class T>
std::optional<T> optional(const val& o, const char* key) {
  const val v = o[key];
  return v.isUndefined() || v.isNull() ? std::nullopt : std::optional(v.as<T>());
}

val number_or_null(const std::optional<double>& x) { return x ? val(*x) : val::null(); }

/// A copy: the module's memory may move.
val numbers(const std::vector<double>& values) { return val(emscripten::typed_memory_view(values.size(), values.data())).call<val>("slice"); }

class WebResult {
 public:
  explicit WebResult(Result&& result) : result_(std::move(result)) {}

  val data() const {
    const char* const endings[] = {"stop time", "terminated", "maximum events", "failed", "interrupted"};
    val o = val::object(), s = val::object();
    o.set("ending", endings[std::size_t(result_.ending)]);
    o.set("time", result_.time);
    o.set("names", list_of(result_.names));
    o.set("rowCount", double(result_.row_count));
    o.set("events", result_.events.size());
    o.set("diagnostics", list_of(result_.diagnostics));
    s.set("steps", double(result_.statistics.steps));
    s.set("evaluations", double(result_.statistics.evaluations));
    s.set("jacobians", double(result_.statistics.jacobians));
    o.set("statistics", s);
    return o;
  }
  val rows() const { return numbers(result_.rows); }
  val column(const std::string& name) const {
    return guarded([&] { return numbers(result_.column(name)); });
  }
  std::string report() const { return result_.report(); }
  std::string log() const { return result_.event_log(); }
  std::string page(const val& variables) const {
    return guarded([&] { return result_.page(texts_of(variables)); });
  }
  val page_content(const val& variables, double most) const {
    return guarded([&] {
      const PageContent content = result_.page_content(texts_of(variables), std::size_t(most));
      val o = val::object();
      val columns = val::array();
      for (const std::vector<double>& column : content.columns) columns.call<void>("push", numbers(column));
      o.set("run", content.run);
      o.set("data", columns);
      return o;
    });
  }
  /// checks: [{ condition, words }].
  val check(const val& checks) const {
    return guarded([&] {
      std::vector<Check> list;
      for (unsigned k = 0, n = checks["length"].as<unsigned>(); k < n; ++k) list.push_back({checks[k]["condition"].as<std::string>(), checks[k]["words"].as<std::string>(), {}});
      val answers = val::array();
      for (const Answer& a : mosim::check(result_, list)) {
        val o = val::object();
        o.set("condition", a.check.condition);
        o.set("words", a.check.words);
        o.set("holds", a.holds);
        o.set("found", a.found);
        o.set("problem", a.problem);
        answers.call<void>("push", o);
      }
      return answers;
    });
  }
  val measure(const std::string& list) const {
    return guarded([&] {
      val o = val::object();
      for (const auto& [name, value] : mosim::measure(result_, list)) o.set(name, value);
      return o;
    });
  }

 private:
  Result result_;
};

class WebRun {
 public:
  WebRun(const Model& model, const val& o) : stop_(o["stop"].isUndefined() || o["stop"].isNull() ? std::optional<double>() : o["stop"].as<double>()), run_([&] {
    Options options;
    options.solver = Solver::bdf;   // those that a choice would be between are not here
    options.start = optional<double>(o, "start");
    options.stop = stop_;
    options.tolerance = optional<double>(o, "tolerance");
    options.intervals = optional<std::uint32_t>(o, "intervals");
    options.interval = optional<double>(o, "interval");
    options.hysteresis = optional<double>(o, "hysteresis");
    if (const auto most = optional<double>(o, "maximumEvents")) options.maximum_events = std::uint64_t(*most);
    if (const auto solver = optional<std::string>(o, "solver")) {
      if (*solver != "bdf" && *solver != "adams") throw std::invalid_argument("mosim for browsers has the solvers bdf and adams, not " + *solver);
      options.solver = *solver_of(*solver);
    }
    if (const val set = o["set"]; !set.isUndefined())
      for (const std::string& name : texts_of(val::global("Object").call<val>("keys", set))) options.set.emplace_back(name, set[name].as<double>());
    options.cancel = cancel_.get();
    if (const val print = o["print"]; !print.isUndefined()) options.on_print = [print](std::string_view text) { print(std::string(text)); };
    // As the run will have it.
    const double start = options.start.value_or(model.experiment().start.value_or(0));
    if (!stop_) stop_ = model.experiment().stop.value_or(start + 1);
    if (options.start && !o["stop"].isUndefined() && o["stop"].isNull()) stop_ = std::max(*stop_, start);
    return model.start(std::move(options));
  }()) {}

  /// Goes on for so many milliseconds, or to the end. Returns whether there is more to come.
  bool go_on(double milliseconds) {
    return guarded([&] {
      const double end = emscripten_get_now() + milliseconds;
      while (run_.goes_on() && emscripten_get_now() < end) (void)run_.step(*stop_);
      return run_.goes_on();
    });
  }
  double time() const { return run_.time(); }
  double stop() const { return *stop_; }
  double get(const std::string& variable) {
    return guarded([&] { return run_.get(variable); });
  }
  bool set(const std::string& variable, double value) {
    return guarded([&] { return run_.set(variable, value); });
  }
  bool advance_to(double until) {
    return guarded([&] { return run_.advance_to(until); });
  }
  /// What goes on is interrupted here.
  WebResult* finish() {
    return guarded([&] {
      if (run_.goes_on()) {
        *cancel_ = true;
        (void)run_.step(*stop_);
      }
      return new WebResult(run_.finish());
    });
  }

 private:
  std::optional<double> stop_;
  std::unique_ptr<std::atomic<bool>> cancel_ = std::make_unique<std::atomic<bool>>(false);
  Run run_;
};

class WebModel {
 public:
  explicit WebModel(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  val data() const {
    const char* const types[] = {"Real", "Integer", "Boolean", "String", "enumeration"};
    const char* const kinds[] = {"state", "derivative", "algebraic", "discrete", "parameter", "constant"};
    val o = val::object(), experiment = val::object(), variables = val::array();
    o.set("name", model_->name());
    o.set("description", model_->description());
    const Experiment& e = model_->experiment();
    experiment.set("start", number_or_null(e.start));
    experiment.set("stop", number_or_null(e.stop));
    experiment.set("tolerance", number_or_null(e.tolerance));
    experiment.set("interval", number_or_null(e.interval));
    o.set("experiment", experiment);
    for (const Variable& v : model_->variables()) {
      val x = val::object();
      x.set("name", v.name);
      x.set("description", v.description);
      x.set("unit", v.unit);
      x.set("type", types[std::size_t(v.type)]);
      x.set("kind", kinds[std::size_t(v.kind)]);
      x.set("changeable", v.is_changeable);
      x.set("protected", v.is_protected);
      x.set("literals", list_of(v.literals));
      x.set("place", place_of(v.place));
      variables.call<void>("push", x);
    }
    o.set("variables", variables);
    o.set("diagnostics", list_of(model_->diagnostics()));
    return o;
  }
  std::string refusal(const std::string& variable, double value) const {
    return guarded([&] { return model_->refusal(variable, value); });
  }
  WebRun* start(const val& options) const {
    return guarded([&] { return new WebRun(*model_, options); });
  }

 private:
  std::shared_ptr<const Model> model_;
};

class WebSession {
 public:
  /// source, resource: functions, or null; see SessionOptions. A source gives a text, or null.
  WebSession(const val& source, const val& resource) : session_([&] {
    SessionOptions o{.verifiable = false};
    if (!source.isNull() && !source.isUndefined())
      o.source = [source](const std::string& name) -> std::optional<SourceText> {
        const val found = source(name);
        if (found.isNull() || found.isUndefined()) return {};
        return SourceText{found["file"].as<std::string>(), found["text"].as<std::string>()};
      };
    if (!resource.isNull() && !resource.isUndefined())
      o.resource = [resource](std::string_view uri) -> std::optional<std::string> {
        const val found = resource(std::string(uri));
        return found.isNull() || found.isUndefined() ? std::nullopt : std::optional(found.as<std::string>());
      };
    return Session(std::move(o));
  }()) {}

  val read_text(const std::string& file, const std::string& text) {
    return guarded([&] { return list_of(session_.read_text(file, text)); });
  }
  /// Null if there is an error.
  WebModel* compile(const std::string& name, const val& settings) {
    return guarded([&] {
      auto model = session_.compile(name, texts_of(settings));
      return model ? new WebModel(std::move(model)) : nullptr;
    });
  }
  bool is_package(const std::string& name) const { return session_.is_package(name); }
  std::string show(const std::string& name, const std::string& stage) {
    return guarded([&] {
      return session_.show(name, stage == "instance" ? Stage::instance : stage == "dae" ? Stage::dae : stage == "program" ? Stage::program : Stage::flat);
    });
  }
  val diagnostics() const { return list_of(session_.diagnostics()); }

 private:
  Session session_;
};

val course_of(const std::string& file, const std::string& text) {
  return guarded([&] {
    const Course course = read_course(file, text);
    val o = val::object(), steps = val::array();
    o.set("title", course.title);
    o.set("text", course.text);
    for (const CourseStep& s : course.steps) {
      val step = val::object(), checks = val::array();
      step.set("title", s.title);
      step.set("text", s.text);
      step.set("model", s.model);
      step.set("stop", number_or_null(s.stop));
      step.set("tolerance", number_or_null(s.tolerance));
      step.set("hysteresis", number_or_null(s.hysteresis));
      step.set("shown", list_of(s.shown));
      for (const Check& c : s.checks) {
        val check = val::object();
        check.set("condition", c.condition);
        check.set("words", c.words);
        checks.call<void>("push", check);
      }
      step.set("checks", checks);
      step.set("hints", list_of(s.hints));
      step.set("solution", s.solution);
      steps.call<void>("push", step);
    }
    o.set("steps", steps);
    o.set("diagnostics", list_of(course.diagnostics));
    return o;
  });
}

std::string version_text() { return std::string(version()); }

}  // namespace

EMSCRIPTEN_BINDINGS(mosim) {
  using namespace emscripten;
  class_<WebSession>("Session")
      .constructor<const val&, const val&>()
      .function("readText", &WebSession::read_text)
      .function("compile", &WebSession::compile, allow_raw_pointers())
      .function("isPackage", &WebSession::is_package)
      .function("show", &WebSession::show)
      .function("diagnostics", &WebSession::diagnostics);
  class_<WebModel>("Model")
      .function("data", &WebModel::data)
      .function("refusal", &WebModel::refusal)
      .function("start", &WebModel::start, allow_raw_pointers());
  class_<WebRun>("Run")
      .function("goOn", &WebRun::go_on)
      .function("advanceTo", &WebRun::advance_to)
      .function("time", &WebRun::time)
      .function("stop", &WebRun::stop)
      .function("get", &WebRun::get)
      .function("set", &WebRun::set)
      .function("finish", &WebRun::finish, allow_raw_pointers());
  class_<WebResult>("Result")
      .function("data", &WebResult::data)
      .function("rows", &WebResult::rows)
      .function("column", &WebResult::column)
      .function("report", &WebResult::report)
      .function("log", &WebResult::log)
      .function("page", &WebResult::page)
      .function("pageContent", &WebResult::page_content)
      .function("check", &WebResult::check)
      .function("measure", &WebResult::measure);
  function("course", &course_of);
  function("version", &version_text);
}
