#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/account.hpp"
#include "engine/convert.hpp"
#include "engine/linearize.hpp"
#include "engine/model.hpp"
#include "engine/result_file.hpp"
#include "engine/saved.hpp"
#include "report/names.hpp"
#include "runtime/changeable.hpp"
#include "runtime/simulation.hpp"

namespace mosim {

namespace {

/// Rows go to each who wants them.
class Rows : public runtime::Sink {
public:
  /// What is replayed was handed on before: `is_replay` tells.
  Rows(const bool& is_replay, ResultFile::Impl* file, runtime::Sink* observer) : is_replay_(is_replay), file_(file), observer_(observer) {}
  /// positions: of the values of a row that it takes; empty: all, as they are.
  void add(const std::function<bool(std::span<const double>)>& take, std::vector<std::size_t> positions) {
    take_ = &take;
    positions_ = std::move(positions);
    row_.resize(positions_.size());
  }
  void begin(const std::vector<double>& parameters) override {
    if (file_) file_->file->begin(parameters);
    if (observer_) observer_->begin(parameters);
  }
  bool take(std::span<const double> row, std::uint64_t jumps) override {
    if (is_replay_) return true;
    bool wanted = !file_ || file_->take(row, jumps);
    if (observer_ && !observer_->take(row, jumps)) wanted = false;
    if (!take_) return wanted;
    for (std::size_t k = 0; k < positions_.size(); ++k) row_[k] = row[positions_[k]];
    return (*take_)(positions_.empty() ? row : row_) && wanted;
  }

private:
  const bool& is_replay_;
  ResultFile::Impl* file_;
  runtime::Sink* observer_;
  const std::function<bool(std::span<const double>)>* take_ = nullptr;
  std::vector<std::size_t> positions_;
  std::vector<double> row_;
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

struct Run::Impl {
  Impl(std::shared_ptr<const Model> of, const Model::Impl& m, Options given, bool is_replayed, Observer observer = {}) : model(std::move(of)), whole(m), program(m.program), options(std::move(given)), replays(is_replayed) {
    runtime::Options o = engine::options_of(options, program);
    for (const auto& [name, value] : options.set) {
      if (const std::string why = model->refusal(name, value); !why.empty()) throw std::invalid_argument(why);
      o.values.emplace_back(*m.changeable(number_of(name)), value);
    }
    add_signals(o);
    o.resource = m.resource;
    add_rows(o, observer);
    if (observer.keep_event) o.keep_event = std::move(observer.keep_event);
    else if (options.events && options.on_event) o.keep_event = [this](runtime::EventRecord&& record) { if (!replays) options.on_event(engine::event_of(program, record)); };
    if (options.on_message) o.tell = [this](const runtime::Message& message) { if (!replays) options.on_message(engine::diagnostic_of(message, program)); };
    if (options.on_print) o.print = [this](std::string_view text) { if (!replays) options.on_print(text); };
    if (options.on_progress) o.progress = [this](double time) { if (!replays) options.on_progress(time); };
    if (options.verify) {
      if (!whole.equations) throw std::invalid_argument(fmt::format("{} was loaded, or compiled in a session without SessionOptions::verifiable, and has no equations to be verified: compile it in one with it", model->name()));
      witness.emplace(*whole.equations, whole.sources);
      o.witness = [this](const runtime::Machine& machine, verify::Moment moment) { witness->look(machine, moment); };
    }
    simulation.emplace(program, std::move(o));
  }

  /// Without anybody who takes rows the result gets them: its columns alone, in their order.
  void add_rows(runtime::Options& o, const Observer& observer) {
    columns = recorded_of(program, options);
    file = options.file ? options.file->impl_.get() : nullptr;
    std::vector<runtime::Index> recorded = columns;
    if (file || observer.sink) {
      if (file) recorded.insert(recorded.end(), file->contents.recorded.begin(), file->contents.recorded.end());
      recorded.insert(recorded.end(), observer.recorded.begin(), observer.recorded.end());
      std::sort(recorded.begin(), recorded.end());
      recorded.erase(std::unique(recorded.begin(), recorded.end()), recorded.end());
    }
    if (file) file->attach(*model, recorded);
    if (file || observer.sink || options.on_row) {
      rows.emplace(replays, file, observer.sink ? observer.sink(recorded) : nullptr);
      o.sink = &*rows;
    }
    if (options.on_row) {
      std::vector<std::size_t> positions;
      if (recorded != columns) {
        positions.push_back(0);   // time
        for (const runtime::Index k : columns) positions.push_back(std::size_t(std::lower_bound(recorded.begin(), recorded.end(), k) - recorded.begin()) + 1);
      }
      rows->add(options.on_row, std::move(positions));
    }
    o.recorded = std::move(recorded);
  }

  /// Functions of the caller's: what they throw, or give beside numbers, ends the run, and is said.
  void add_signals(runtime::Options& o) {
    for (const Input& input : options.inputs) {
      const std::uint32_t k = number_of(input.variable);
      const runtime::Variable& v = program.variables[k];
      const auto refuse = [&](std::string_view why) { throw std::invalid_argument(fmt::format("the input {}: {}", input.variable, why)); };
      if (!v.input) refuse("it is no input of the model");
      for (const runtime::Signal& other : o.signals)
        if (other.variable == k) refuse("it is given twice");
      if (v.type == runtime::Type::string) refuse("a String cannot be given so");
      const bool is_real = v.type == runtime::Type::real;
      if (v.steady && !input.holds) refuse("equations of the model need its derivative, which neither a function nor a table gives; let a table hold its values, or add a filter to the model");
      runtime::Signal signal{k, {}, input.times, input.values, input.holds};
      if (input.function) {
        if (!input.times.empty() || !input.values.empty()) refuse("either a function or a table gives it");
        if (!is_real) refuse("a function gives Reals; a table that holds its values gives others");
        signal.function = [this, &input](double time) { return called(input, time); };
      } else {
        if (input.times.empty() || input.times.size() != input.values.size()) refuse("a table has as many times as values, at least one");
        if (!is_real && !input.holds) refuse("only a Real follows straight lines between values; let the table hold them");
        for (std::size_t i = 0; i < input.times.size(); ++i) {
          if (!std::isfinite(input.times[i]) || (i > 0 && input.times[i] < input.times[i - 1])) refuse("its times must be finite, and must not fall");
          if (const std::string why = runtime::mismatch(v, input.values[i]); !why.empty()) refuse(why);
        }
      }
      o.signals.push_back(std::move(signal));
    }
  }
  double called(const Input& input, double time) {
    try {
      const double value = input.function(time);
      if (std::isfinite(value)) return value;
      if (input_failure.empty()) input_failure = fmt::format("the function of the input {} gives {} at time = {:.9g}", input.variable, value, time);
    } catch (const std::exception& e) {
      if (input_failure.empty()) input_failure = fmt::format("the function of the input {} fails at time = {:.9g}: {}", input.variable, time, e.what());
    } catch (...) {
      if (input_failure.empty()) input_failure = fmt::format("the function of the input {} fails at time = {:.9g}", input.variable, time);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::uint32_t number_of(std::string_view variable) const {
    const auto k = model->find(variable);
    if (!k) throw std::invalid_argument(engine::unknown_variable(*model, variable));
    return *k;
  }

  void replay(const engine::Saved& saved) {
    for (const engine::Piece& p : saved.pieces) {
      switch (p.what) {
        case engine::Piece::What::step: (void)simulation->step(p.until); break;
        case engine::Piece::What::advance: (void)simulation->advance(p.until); break;
        case engine::Piece::What::look: (void)simulation->value(0); break;
        case engine::Piece::What::set:
          for (const auto& [variable, value] : p.values)
            if (variable >= program.variables.size() || !simulation->can_set(variable)) throw std::invalid_argument("these bytes are no saved run of this model");
          (void)simulation->set(p.values);
          break;
      }
    }
    if (simulation->time() != saved.time && simulation->goes_on())
      throw std::invalid_argument(fmt::format("the run does not come to {:.17g} s again, but to {:.17g}: a function that it was given differs, or one of the model depends on more than its arguments", saved.time, simulation->time()));
    pieces = saved.pieces;
    replays = false;
  }

  std::shared_ptr<const Model> model;
  const Model::Impl& whole;
  const runtime::Program& program;
  Options options;
  std::vector<engine::Piece> pieces{};   // what was done with it
  bool replays;                          // what was done before it was saved
  std::vector<runtime::Index> columns;
  ResultFile::Impl* file = nullptr;
  std::optional<Rows> rows;
  std::string input_failure;
  std::optional<engine::Witness> witness;
  std::optional<runtime::Simulation> simulation;
};

Run::Run(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

double Run::time() const { return impl_->simulation->time(); }
bool Run::goes_on() const { return impl_->simulation->goes_on(); }
bool Run::step(double until) {
  impl_->pieces.push_back({engine::Piece::What::step, until});
  return impl_->simulation->step(until);
}
bool Run::advance_to(double until) {
  impl_->pieces.push_back({engine::Piece::What::advance, until});
  return impl_->simulation->advance(until);
}

double Run::get(std::uint32_t variable) {
  if (variable >= impl_->program.variables.size()) throw std::invalid_argument(fmt::format("{} has no variable number {}", impl_->model->name(), variable));
  // Twice at one point gives the same.
  if (impl_->pieces.empty() || impl_->pieces.back().what != engine::Piece::What::look) impl_->pieces.push_back({engine::Piece::What::look});
  return impl_->simulation->value(variable);
}
double Run::get(std::string_view variable) { return get(impl_->number_of(variable)); }

bool Run::set(std::span<const std::pair<std::string, double>> values) {
  std::vector<std::pair<runtime::Index, double>> settings;
  for (const auto& [name, value] : values) {
    const std::uint32_t k = impl_->number_of(name);
    if (!impl_->simulation->can_set(k)) throw std::invalid_argument(fmt::format("{} is no input and no state: its value follows from the model", name));
    settings.emplace_back(k, value);
  }
  impl_->pieces.push_back({engine::Piece::What::set, 0, {settings.begin(), settings.end()}});
  return impl_->simulation->set(settings);
}

std::string Run::save() const { return engine::write({impl_->options, impl_->pieces, time(), impl_->whole.checksum()}); }
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
  if (impl_->file) impl_->file->finish(found.time);
  for (const runtime::EventRecord& record : found.events) result.events.push_back(engine::event_of(impl_->program, record));
  for (const runtime::Message& message : found.messages) result.diagnostics.push_back(engine::diagnostic_of(message, impl_->program));
  if (!impl_->input_failure.empty() && result.ending == Ending::failed && !result.diagnostics.empty()) {
    Diagnostic& last = result.diagnostics.back();
    last.cause += "; " + impl_->input_failure;
    last.text += "  note: " + impl_->input_failure + "\n";
  }
  result.statistics = engine::statistics_of(found.statistics);
  result.strings = found.strings;
  if (impl_->witness) result.verification = impl_->witness->report();
  runtime::Options options = engine::options_of(impl_->options, impl_->program);
  options.recorded = found.trajectory.columns;
  options.interrupt = nullptr;
  result.account = std::shared_ptr<const Account>(new Account{impl_->model, impl_->program, std::move(options), std::move(found)});
  return result;
}

void Model::check(const Options& options) const {
  (void)engine::options_of(options, impl_->program);
  (void)recorded_of(impl_->program, options);
}

Run Model::start(Options options) const { return Run(std::make_unique<Run::Impl>(shared_from_this(), *impl_, std::move(options), false)); }

Run Account::start(const Model& model, Options options, Observer observer) {
  return Run(std::make_unique<Run::Impl>(model.shared_from_this(), *model.impl_, std::move(options), false, std::move(observer)));
}

Run Model::restore(std::string_view saved, Options given) const {
  engine::Saved found = engine::read_saved(saved);
  if (found.program != impl_->checksum()) throw std::invalid_argument(fmt::format("this run was saved by another model than {}, or the model was compiled otherwise", name()));
  Options& options = found.options;
  for (Input& input : options.inputs) {
    if (!input.times.empty()) continue;
    for (Input& other : given.inputs)
      if (other.variable == input.variable) input.function = std::move(other.function);
    if (!input.function) throw std::invalid_argument(fmt::format("the input {} was given by a function, which has to be given again", input.variable));
  }
  options.on_row = std::move(given.on_row);
  options.on_event = std::move(given.on_event);
  options.on_message = std::move(given.on_message);
  options.on_print = std::move(given.on_print);
  options.on_progress = std::move(given.on_progress);
  options.cancel = given.cancel;
  options.verify = given.verify;
  options.file = given.file;
  auto impl = std::make_unique<Run::Impl>(shared_from_this(), *impl_, options, true);
  impl->replay(found);
  return Run(std::move(impl));
}

Result Model::simulate(Options options) const {
  Run run = start(std::move(options));
  while (run.goes_on()) (void)run.advance_to(std::numeric_limits<double>::infinity());
  return run.finish();
}

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

}  // namespace mosim
