// Runs and results, as C sees them.

#include <cmath>
#include <limits>

#include "engine/c/handles.hpp"
#include "engine/convert.hpp"

using namespace mosim;
using namespace mosim::c;

namespace {

static_assert(static_cast<int>(Ending::stop_time) == MOSIM_STOP_TIME && static_cast<int>(Ending::terminated) == MOSIM_TERMINATED &&
              static_cast<int>(Ending::maximum_events) == MOSIM_MAXIMUM_EVENTS && static_cast<int>(Ending::failed) == MOSIM_FAILED &&
              static_cast<int>(Ending::interrupted) == MOSIM_INTERRUPTED);

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

mosim_options defaults() {
  mosim_options o{};
  o.size = sizeof o;
  o.start = o.stop = o.tolerance = o.interval = o.hysteresis = not_given;
  o.solver = MOSIM_BDF;
  o.maximum_events = MOSIM_NO_LIMIT;
  return o;
}

std::optional<double> optional(double value) { return std::isnan(value) ? std::nullopt : std::optional(value); }

std::uint32_t find(const Model& model, const char* name) {
  const auto found = model.find(given(name, "a name"));
  if (!found) throw Failure{MOSIM_NOT_FOUND, engine::unknown_variable(model, name)};
  return *found;
}

Input input_of(const mosim_input& i, const Model& model) {
  (void)find(model, i.variable);
  Input input;
  input.variable = i.variable;
  input.holds = i.holds != 0;
  if (i.function) input.function = [context = i.context, f = i.function](double time) { return f(context, time); };
  if (i.count == 0) return input;
  input.times.assign(given(i.times, "the list of times of an input"), i.times + i.count);
  input.values.assign(given(i.values, "the list of values of an input"), i.values + i.count);
  return input;
}

Options options_of(const mosim_options& o, const Model& model, const std::atomic<bool>* cancel) {
  Options r;
  r.start = optional(o.start);
  r.stop = optional(o.stop);
  r.tolerance = optional(o.tolerance);
  r.interval = optional(o.interval);
  if (r.interval && !(*r.interval > 0 && std::isfinite(*r.interval))) throw Failure{MOSIM_INVALID_ARGUMENT, "the output interval is not greater than 0"};
  if (o.intervals > 0) r.intervals = o.intervals;
  if (o.solver < 0 || std::size_t(o.solver) >= solver_names.size()) throw Failure{MOSIM_INVALID_ARGUMENT, "there is no solver " + std::to_string(o.solver)};
  r.solver = static_cast<Solver>(o.solver);
  r.hysteresis = optional(o.hysteresis);
  if (r.hysteresis && !(*r.hysteresis >= 0 && std::isfinite(*r.hysteresis))) throw Failure{MOSIM_INVALID_ARGUMENT, "the hysteresis is less than 0"};
  if (o.maximum_events != MOSIM_NO_LIMIT) r.maximum_events = o.maximum_events;
  if (o.results) {
    r.results = texts_of(o.results, o.result_count, "a name among the results");
    for (const std::string& name : *r.results) (void)find(model, name.c_str());
  }
  r.events = !o.without_events;
  void* const context = o.context;
  if (o.on_row) r.on_row = [context, f = o.on_row](std::span<const double> row) { return f(context, row.data(), row.size()) == 0; };
  if (o.on_event) r.on_event = [context, f = o.on_event](Event&& event) { f(context, view(&event)); };
  if (o.on_message) r.on_message = [context, f = o.on_message](const Diagnostic& message) { f(context, view(&message)); };
  if (o.on_print) r.on_print = [context, f = o.on_print](std::string_view text) { f(context, text.data(), text.size()); };
  if (o.on_progress) r.on_progress = [context, f = o.on_progress](double time) { f(context, time); };
  if (o.set_count > 0) given(o.set_values, "the list of values to set");
  for (const std::string& name : texts_of(o.set_names, o.set_count, "a name of what is set")) {
    (void)find(model, name.c_str());
    r.set.emplace_back(name, o.set_values[r.set.size()]);
  }
  if (o.input_count > 0) given(o.inputs, "the list of inputs");
  for (size_t k = 0; k < o.input_count; ++k) r.inputs.push_back(input_of(o.inputs[k], model));
  r.cancel = cancel;
  return r;
}

/// A run that `begin` makes of the options.
template <class Begin>
std::unique_ptr<mosim_run> begun(const mosim_model& model, const mosim_options* options, Begin begin) {
  const mosim_options o = options ? known(*options, defaults(), "the options") : defaults();
  auto run = std::make_unique<mosim_run>();
  run->model = model.model;
  if (o.cancellation) run->cancel = o.cancellation->flag;
  run->run.emplace(begin(options_of(o, *model.model, run->cancel.get())));
  return run;
}

std::unique_ptr<mosim_run> start(const mosim_model& model, const mosim_options* options) {
  return begun(model, options, [&](Options o) { return model.model->start(std::move(o)); });
}

Run& going(mosim_run* run) {
  if (!run->run) throw Failure{MOSIM_FINISHED, mosim_status_text(MOSIM_FINISHED)};
  return *run->run;
}

double instant(double until) {
  if (std::isnan(until)) throw Failure{MOSIM_INVALID_ARGUMENT, "the instant is not a number"};
  return until;
}

std::vector<std::uint32_t> numbers_of(const Model& model, const size_t* variables, size_t count) {
  std::vector<std::uint32_t> numbers;
  if (count > 0) given(variables, "the list of variables");
  for (size_t k = 0; k < count; ++k) {
    if (variables[k] >= model.variables().size()) throw Failure{MOSIM_INVALID_ARGUMENT, model.name() + " has no variable number " + std::to_string(variables[k])};
    numbers.push_back(static_cast<std::uint32_t>(variables[k]));
  }
  return numbers;
}

std::vector<std::uint32_t> numbers_of(const Model& model, const char* const* names, size_t count) {
  std::vector<std::uint32_t> numbers;
  if (count > 0) given(names, "the list of names");
  for (size_t k = 0; k < count; ++k) numbers.push_back(find(model, names[k]));
  return numbers;
}

/// Variables by index or by name.
template <class Which>
mosim_status get(mosim_run* run, const Which* which, size_t count, double* values) {
  return guarded(run, [&] {
    Run& r = going(run);
    const auto numbers = numbers_of(*run->model, which, count);
    if (count > 0) given(values, "the array of values");
    for (size_t k = 0; k < count; ++k) values[k] = r.get(numbers[k]);
  });
}

template <class Which>
mosim_status set(mosim_run* run, const Which* which, size_t count, const double* values) {
  return guarded(run, [&] {
    Run& r = going(run);
    if (count > 0) given(values, "the array of values");
    std::vector<std::pair<std::string, double>> settings;
    for (const std::uint32_t k : numbers_of(*run->model, which, count)) settings.emplace_back(run->model->variables()[k].name, values[settings.size()]);
    for (const auto& [name, value] : settings)
      if (!std::isfinite(value)) throw Failure{MOSIM_INVALID_ARGUMENT, "the value for " + name + " is not finite"};
    if (!settings.empty()) (void)r.set(settings);
  });
}

const std::vector<std::string>* names_of(const Linearization& l, int which) {
  return which == MOSIM_STATES ? &l.states : which == MOSIM_INPUTS ? &l.inputs : which == MOSIM_OUTPUTS ? &l.outputs : nullptr;
}

/// Ends a run.
std::unique_ptr<mosim_result> finish(mosim_run* run) {
  auto result = std::make_unique<mosim_result>();
  run->time = going(run).time();
  Run ended = std::move(*run->run);
  run->run.reset();
  result->result = ended.finish();
  return result;
}

}  // namespace

extern "C" {

mosim_status mosim_cancellation_new(mosim_cancellation** cancellation) {
  if (!cancellation) return MOSIM_INVALID_ARGUMENT;
  *cancellation = nullptr;
  return guarded([&] { *cancellation = new mosim_cancellation{std::make_shared<std::atomic<bool>>(false)}; });
}
void mosim_cancellation_free(mosim_cancellation* cancellation) { delete cancellation; }
mosim_status mosim_cancellation_set(mosim_cancellation* cancellation) {
  if (!cancellation) return MOSIM_INVALID_ARGUMENT;
  cancellation->flag->store(true);
  return MOSIM_OK;
}

mosim_status mosim_options_init(mosim_options* options, size_t size) {
  return guarded([&] {
    given(options, "the options");
    check_size(size, "the options");
    std::memset(static_cast<void*>(options), 0, size);
    mosim_options o = defaults();
    o.size = size;
    std::memcpy(static_cast<void*>(options), &o, std::min(size, sizeof o));
  });
}

mosim_status mosim_model_can_set(mosim_model* model, const char* name, double value) {
  return guarded(model, [&] {
    (void)find(*model->model, name);
    if (const std::string why = model->model->refusal(name, value); !why.empty()) throw Failure{MOSIM_INVALID_ARGUMENT, why};
  });
}

mosim_status mosim_model_start(mosim_model* model, const mosim_options* options, mosim_run** run) {
  return giving(model, run, "the place for the run", [&] { return start(*model, options).release(); });
}

mosim_status mosim_model_restore(mosim_model* model, const char* data, size_t size, const mosim_options* options, mosim_run** run) {
  return giving(model, run, "the place for the run", [&] {
    const std::string_view saved(given(data, "the saved run"), size);
    return begun(*model, options, [&](Options o) { return model->model->restore(saved, std::move(o)); }).release();
  });
}

mosim_status mosim_model_simulate(mosim_model* model, const mosim_options* options, mosim_result** result) {
  return giving(model, result, "the place for the result", [&] {
    const auto run = start(*model, options);
    while (run->run->goes_on()) (void)run->run->advance_to(std::numeric_limits<double>::infinity());
    return finish(run.get()).release();
  });
}

// ---- runs

void mosim_run_free(mosim_run* run) { delete run; }
const char* mosim_run_error(const mosim_run* run) { return run ? run->error.said() : nullptr; }
double mosim_run_time(const mosim_run* run) { return !run ? 0 : run->run ? run->run->time() : run->time; }
int mosim_run_goes_on(const mosim_run* run) { return run && run->run && run->run->goes_on(); }

mosim_status mosim_run_step(mosim_run* run, double until) {
  return guarded(run, [&] { (void)going(run).step(instant(until)); });
}
mosim_status mosim_run_advance_to(mosim_run* run, double until) {
  return guarded(run, [&] { (void)going(run).advance_to(instant(until)); });
}

mosim_status mosim_run_get(mosim_run* run, const size_t* variables, size_t count, double* values) { return get(run, variables, count, values); }
mosim_status mosim_run_get_by_name(mosim_run* run, const char* const* names, size_t count, double* values) { return get(run, names, count, values); }
mosim_status mosim_run_set(mosim_run* run, const size_t* variables, size_t count, const double* values) { return set(run, variables, count, values); }
mosim_status mosim_run_set_by_name(mosim_run* run, const char* const* names, size_t count, const double* values) { return set(run, names, count, values); }

mosim_status mosim_run_save(mosim_run* run, mosim_bytes** bytes) {
  return giving(run, bytes, "the place for the bytes", [&] { return new mosim_bytes{going(run).save()}; });
}

mosim_status mosim_run_linearize(mosim_run* run, mosim_linearization** linearization) {
  return giving(run, linearization, "the place for the linearization", [&] {
    auto made = std::make_unique<mosim_linearization>(mosim_linearization{going(run).linearize()});
    for (const Diagnostic& d : made->system.diagnostics)
      if (d.severity == Severity::error) throw Failure{MOSIM_INVALID_ARGUMENT, d.cause};
    return made.release();
  });
}

mosim_status mosim_run_finish(mosim_run* run, mosim_result** result) {
  return giving(run, result, "the place for the result", [&] { return finish(run).release(); });
}

// ---- linearizations

void mosim_linearization_free(mosim_linearization* linearization) { delete linearization; }
size_t mosim_linearization_count(const mosim_linearization* l, int which) {
  const auto* const names = l ? names_of(l->system, which) : nullptr;
  return names ? names->size() : 0;
}
const char* mosim_linearization_name(const mosim_linearization* l, int which, size_t index) {
  const auto* const names = l ? names_of(l->system, which) : nullptr;
  return names ? text_of(element(*names, index)) : nullptr;
}
const double* mosim_linearization_matrix(const mosim_linearization* l, int which) {
  if (!l) return nullptr;
  const std::vector<double>* const matrices[] = {&l->system.a, &l->system.b, &l->system.c, &l->system.d};
  return which >= MOSIM_A && which <= MOSIM_D && !matrices[which]->empty() ? matrices[which]->data() : nullptr;
}

// ---- results

void mosim_result_free(mosim_result* result) { delete result; }
const char* mosim_result_error(const mosim_result* result) { return result ? result->error.said() : nullptr; }
int mosim_result_ending(const mosim_result* result) { return result ? static_cast<int>(result->result.ending) : MOSIM_FAILED + 0; }
double mosim_result_time(const mosim_result* result) { return result ? result->result.time : 0; }

size_t mosim_result_column_count(const mosim_result* result) { return result ? result->result.names.size() : 0; }
const char* mosim_result_column_name(const mosim_result* result, size_t k) { return result ? text_of(element(result->result.names, k)) : nullptr; }

mosim_status mosim_result_find(mosim_result* result, const char* name, size_t* column) {
  return guarded(result, [&] {
    given(name, "the name");
    given(column, "the place for the column");
    const auto& names = result->result.names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Failure{MOSIM_NOT_FOUND, std::string("the result has no column ") + name};
    *column = static_cast<size_t>(found - names.begin());
  });
}

size_t mosim_result_row_count(const mosim_result* result) { return result ? result->result.rows.size() / result->result.names.size() : 0; }
uint64_t mosim_result_rows_made(const mosim_result* result) { return result ? result->result.row_count : 0; }
const double* mosim_result_rows(const mosim_result* result) { return result && !result->result.rows.empty() ? result->result.rows.data() : nullptr; }

mosim_status mosim_result_column(mosim_result* result, size_t column, double* values, size_t capacity) {
  return guarded(result, [&] {
    const std::size_t width = result->result.names.size(), count = mosim_result_row_count(result);
    if (column >= width) throw Failure{MOSIM_INVALID_ARGUMENT, "the result has no column number " + std::to_string(column)};
    if (capacity < count) throw Failure{MOSIM_INVALID_ARGUMENT, "there is room for " + std::to_string(capacity) + " values; the column has " + std::to_string(count)};
    if (count > 0) given(values, "the array of values");
    for (std::size_t k = 0; k < count; ++k) values[k] = result->result.rows[k*width + column];
  });
}

size_t mosim_result_event_count(const mosim_result* result) { return result ? result->result.events.size() : 0; }
const mosim_event* mosim_result_event(const mosim_result* result, size_t k) { return result ? view(element(result->result.events, k)) : nullptr; }
size_t mosim_result_diagnostic_count(const mosim_result* result) { return result ? result->result.diagnostics.size() : 0; }
const mosim_diagnostic* mosim_result_diagnostic(const mosim_result* result, size_t k) { return result ? view(element(result->result.diagnostics, k)) : nullptr; }
size_t mosim_result_string_count(const mosim_result* result) { return result ? result->result.strings.size() : 0; }
const char* mosim_result_string(const mosim_result* result, size_t k) { return result ? text_of(element(result->result.strings, k)) : nullptr; }

mosim_status mosim_result_report(mosim_result* result, mosim_bytes** text) {
  return giving(result, text, "the place for the text", [&] { return new mosim_bytes{result->result.report()}; });
}
mosim_status mosim_result_event_log(mosim_result* result, mosim_bytes** text) {
  return giving(result, text, "the place for the text", [&] { return new mosim_bytes{result->result.event_log()}; });
}
mosim_status mosim_result_page(mosim_result* result, mosim_bytes** text) {
  return giving(result, text, "the place for the text", [&] { return new mosim_bytes{result->result.page()}; });
}

mosim_status mosim_result_statistics(mosim_result* result, mosim_statistics* statistics) {
  return guarded(result, [&] {
    const Statistics& s = result->result.statistics;
    fill(statistics, {0, s.steps, s.evaluations, s.jacobians, s.time_events, s.state_events, s.clock_events}, "the statistics");
  });
}

}  // extern "C"
