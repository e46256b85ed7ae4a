#include "engine/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engine/account.hpp"
#include "engine/convert.hpp"
#include "engine/linearize.hpp"
#include "report/names.hpp"
#include "runtime/simulation.hpp"

namespace mosim {

namespace {

/// Rows go to the caller's function.
class Rows : public runtime::Sink {
public:
  explicit Rows(std::function<bool(std::span<const double>)> take) : take_(std::move(take)) {}
  bool take(std::span<const double> row, std::uint64_t) override {
    ++count;
    return take_(row);
  }
  std::uint64_t count = 0;

private:
  std::function<bool(std::span<const double>)> take_;
};

/// Columns of the rows, as indices.
std::vector<runtime::Index> recorded_of(const runtime::Program& program, const Options& options) {
  std::vector<runtime::Index> recorded;
  if (!options.results) {
    for (const runtime::Index k : runtime::recorded_variables(program))
      if (!program.variables[k].hidden) recorded.push_back(k);
    return recorded;
  }
  for (const std::string& name : *options.results) {
    const std::vector<runtime::Index> found = report::find_variables(program, name);
    if (found.empty()) throw std::invalid_argument(report::unknown_name(program, name, "record", "recorded"));
    for (const runtime::Index k : found)
      if (std::find(recorded.begin(), recorded.end(), k) == recorded.end()) recorded.push_back(k);
  }
  return recorded;
}

}  // namespace

// ---- results -----------------------------------------------------------------------------------------------------------

std::vector<double> Result::column(std::string_view name) const {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] != name) continue;
    std::vector<double> values;
    values.reserve(rows.size() / names.size());
    for (std::size_t at = k; at < rows.size(); at += names.size()) values.push_back(rows[at]);
    return values;
  }
  throw std::invalid_argument(fmt::format("the result has no column {}", name));
}

// ---- models ------------------------------------------------------------------------------------------------------------

Model::Impl::Impl(runtime::Program compiled) : program(std::move(compiled)) {
  variables.reserve(program.variables.size());
  for (const runtime::Variable& v : program.variables) variables.push_back(engine::variable_of(program, v));
  for (std::uint32_t k = 0; k < variables.size(); ++k) numbers.emplace(variables[k].name, k);
  experiment = {program.experiment.start, program.experiment.stop, program.experiment.tolerance, program.experiment.interval};
}

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

const std::string& Model::name() const { return impl_->program.model; }
const std::string& Model::description() const { return impl_->program.description; }
const Experiment& Model::experiment() const { return impl_->experiment; }
const std::vector<Variable>& Model::variables() const { return impl_->variables; }
const Diagnostics& Model::diagnostics() const { return impl_->said; }

std::optional<std::uint32_t> Model::find(std::string_view variable) const {
  const auto it = impl_->numbers.find(variable);
  if (it == impl_->numbers.end()) return {};
  return it->second;
}

// ---- runs --------------------------------------------------------------------------------------------------------------

struct Run::Impl {
  Impl(std::shared_ptr<const Model> of, const runtime::Program& p, Options given) : model(std::move(of)), program(p), options(std::move(given)) {
    runtime::Options o = engine::options_of(options, program);
    columns = recorded_of(program, options);
    o.recorded = columns;
    if (options.on_row) {
      rows.emplace(options.on_row);
      o.sink = &*rows;
    }
    if (options.events && options.on_event) o.keep_event = [this](runtime::EventRecord&& record) { options.on_event(engine::event_of(program, record)); };
    if (options.on_message) o.tell = [this](const runtime::Message& message) { options.on_message(engine::diagnostic_of(message, program)); };
    if (options.on_print) o.print = options.on_print;
    if (options.on_progress) o.progress = options.on_progress;
    simulation.emplace(program, std::move(o));
  }

  std::uint32_t number_of(std::string_view variable) const {
    const auto k = model->find(variable);
    if (!k) throw std::invalid_argument(fmt::format("{} has no variable {}", model->name(), variable));
    return *k;
  }

  std::shared_ptr<const Model> model;
  const runtime::Program& program;
  Options options;
  std::vector<runtime::Index> columns;
  std::optional<Rows> rows;
  std::optional<runtime::Simulation> simulation;
};

Run::Run(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

double Run::time() const { return impl_->simulation->time(); }
bool Run::goes_on() const { return impl_->simulation->goes_on(); }
bool Run::step(double until) { return impl_->simulation->step(until); }
bool Run::advance_to(double until) { return impl_->simulation->advance(until); }

double Run::get(std::uint32_t variable) {
  if (variable >= impl_->program.variables.size()) throw std::invalid_argument(fmt::format("{} has no variable number {}", impl_->model->name(), variable));
  return impl_->simulation->value(variable);
}
double Run::get(std::string_view variable) { return impl_->simulation->value(impl_->number_of(variable)); }

bool Run::set(std::span<const std::pair<std::string, double>> values) {
  std::vector<std::pair<runtime::Index, double>> settings;
  for (const auto& [name, value] : values) {
    const std::uint32_t k = impl_->number_of(name);
    if (!impl_->simulation->can_set(k)) throw std::invalid_argument(fmt::format("{} is no input and no state: its value follows from the model", name));
    settings.emplace_back(k, value);
  }
  return impl_->simulation->set(settings);
}
bool Run::set(const std::string& variable, double value) {
  const std::pair<std::string, double> one{variable, value};
  return set({&one, 1});
}

Linearization Run::linearize() {
  if (impl_->simulation->has_failed()) throw std::invalid_argument("the run has not come that far: there is no point to linearize at");
  return engine::linearize(impl_->simulation->machine(), impl_->model->variables());
}

Result Run::finish() {
  runtime::Result found = impl_->simulation->finish();
  Result result;
  switch (found.ending) {
    case runtime::Ending::stop_time: result.ending = Ending::stop_time; break;
    case runtime::Ending::terminated: result.ending = Ending::terminated; break;
    case runtime::Ending::maximum_events: result.ending = Ending::maximum_events; break;
    case runtime::Ending::failed: result.ending = Ending::failed; break;
    case runtime::Ending::interrupted: result.ending = Ending::interrupted; break;
  }
  result.time = found.time;
  result.names = {"time"};
  for (const runtime::Index k : impl_->columns) result.names.push_back(impl_->program.variables[k].name);
  result.rows = std::move(found.trajectory.values);
  result.row_count = found.rows;
  for (const runtime::EventRecord& record : found.events) result.events.push_back(engine::event_of(impl_->program, record));
  for (const runtime::Message& message : found.messages) result.diagnostics.push_back(engine::diagnostic_of(message, impl_->program));
  result.statistics = engine::statistics_of(found.statistics);
  result.strings = found.strings;
  runtime::Options options = engine::options_of(impl_->options, impl_->program);
  options.recorded = impl_->columns;
  options.interrupt = nullptr;
  result.account = std::shared_ptr<const Account>(new Account{impl_->model, impl_->program, std::move(options), std::move(found)});
  return result;
}

Run Model::start(Options options) const { return Run(std::make_unique<Run::Impl>(shared_from_this(), impl_->program, std::move(options))); }

Result Model::simulate(Options options) const {
  Run run = start(std::move(options));
  while (run.goes_on()) (void)run.advance_to(std::numeric_limits<double>::infinity());
  return run.finish();
}

}  // namespace mosim
