// The runs of a study, on as many threads as there are workers.

#include "mosim/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "study/watch.hpp"

namespace mosim {

namespace {

using Clock = std::chrono::steady_clock;

/// In one line, without what a person at a terminal would see of it.
std::string line_of(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// A value as a setting of the compiler.
std::string setting(const Variable& v, double value) {
  switch (v.type) {
    case Type::boolean: return fmt::format("{} = {}", v.name, value != 0);
    case Type::integer: return fmt::format("{} = {:.0f}", v.name, value);
    case Type::enumeration: return fmt::format("{} = {}", v.name, v.literals[std::size_t(value) - 1]);
    default: return fmt::format("{} = {}", v.name, value);
  }
}

/// Models of the values that are compiled in. Used by all workers.
class Variants {
 public:
  Variants(std::shared_ptr<const Model> base, const StudyOptions& options) : base_(std::move(base)), options_(options) {}

  struct Found {
    std::shared_ptr<const Model> model;   // null: `problem` says why
    std::string problem;
  };
  Found find(const std::vector<std::string>& settings) {
    if (settings.empty()) return {base_, {}};
    const std::lock_guard lock(guard_);
    const auto it = known_.find(settings);
    if (it != known_.end()) return it->second;
    Found found;
    try {
      found.model = options_.compile(settings, found.problem);
    } catch (const std::exception& e) {
      found.problem = e.what();
    }
    if (!found.model && found.problem.empty()) found.problem = "the model cannot be compiled";
    if (known_.size() >= most_known) known_.clear();   // those at work keep theirs
    known_.emplace(settings, found);
    return found;
  }

 private:
  static constexpr std::size_t most_known = 64;
  std::shared_ptr<const Model> base_;
  const StudyOptions& options_;
  std::mutex guard_;
  std::map<std::vector<std::string>, Found> known_;
};

/// Ends runs that take too long. One thread for all workers; none where there is no limit.
class Watchman {
 public:
  Watchman(std::optional<double> limit, std::size_t workers, const std::atomic<bool>* cancel) : limit_(limit), cancel_(cancel), posts_(workers) {
    if (limit_) thread_ = std::thread([this] { watch(); });
  }
  ~Watchman() {
    if (!limit_) return;
    {
      const std::lock_guard lock(guard_);
      is_over_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  /// What the worker's run has to listen to.
  const std::atomic<bool>* begin(std::size_t worker) {
    if (!limit_) return cancel_;
    const std::lock_guard lock(guard_);
    posts_[worker].flag = false;
    posts_[worker].until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit_));
    posts_[worker].is_busy = true;
    return &posts_[worker].flag;
  }
  void end(std::size_t worker) {
    if (!limit_) return;
    const std::lock_guard lock(guard_);
    posts_[worker].is_busy = false;
  }

 private:
  struct Post {
    std::atomic<bool> flag = false;
    Clock::time_point until;
    bool is_busy = false;
  };
  void watch() {
    constexpr std::chrono::milliseconds between{20};
    std::unique_lock lock(guard_);
    while (!is_over_) {
      wake_.wait_for(lock, between);
      for (Post& p : posts_)
        if (p.is_busy && (Clock::now() >= p.until || (cancel_ && *cancel_))) p.flag = true;
    }
  }
  std::optional<double> limit_;
  const std::atomic<bool>* cancel_;
  std::vector<Post> posts_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool is_over_ = false;
  std::thread thread_;
};

class Workers {
 public:
  Workers(std::shared_ptr<const Model> model, const Plan& plan, const Measures& measures, const StudyOptions& options,
          const std::function<void(const Outcome&)>& on_outcome, std::span<const std::uint64_t> runs)
      : model_(std::move(model)), plan_(plan), measures_(measures), options_(options), on_outcome_(on_outcome), runs_(runs), variants_(model_, options) {
    Options all = options.run;
    all.results = measures.variables();
    model_->check(all);
    for (const std::string& name : plan.variables()) {
      const Variable& v = model_->variables()[*model_->find(name)];
      varying_.push_back(&v);
      if (!v.is_changeable && !options.compile)
        throw std::invalid_argument(fmt::format("{} cannot vary from run to run: {}", name, model_->refusal(name, 0)));
    }
  }

  bool work() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t workers = std::max<std::size_t>(1, std::min<std::size_t>(options_.workers == 0 ? cores : options_.workers, runs_.size()));
    Watchman watchman(options_.run_limit, workers, options_.cancel);
    std::vector<std::thread> threads;
    try {
      for (std::size_t k = 1; k < workers; ++k) threads.emplace_back([this, k, &watchman] { work_on(k, watchman); });
    } catch (const std::system_error&) {
      // With fewer of them it takes longer.
    }
    work_on(0, watchman);
    for (std::thread& t : threads) t.join();
    if (failure_) std::rethrow_exception(failure_);
    return !is_cancelled_;
  }

 private:
  void work_on(std::size_t worker, Watchman& watchman) {
    try {
      for (std::size_t k = next_++; k < runs_.size() && !gives_up(); k = next_++) {
        const auto outcome = run(runs_[k], worker, watchman);
        if (!outcome) break;   // given up
        const std::lock_guard lock(guard_);
        if (failure_) break;
        try {
          on_outcome_(*outcome);
        } catch (...) {   // still under the lock: nobody calls it again
          fail();
        }
      }
    } catch (...) {
      const std::lock_guard lock(guard_);
      fail();
    }
  }

  void fail() {
    if (!failure_) failure_ = std::current_exception();
    is_over_ = true;
  }

  bool gives_up() {
    if (options_.cancel && *options_.cancel) is_cancelled_ = true;
    return is_over_ || is_cancelled_;
  }

  /// None: it was cancelled.
  std::optional<Outcome> run(std::uint64_t number, std::size_t worker, Watchman& watchman) {
    Outcome outcome{number, std::vector<double>(measures_.names().size(), std::numeric_limits<double>::quiet_NaN()), {}};
    const std::vector<double> values = plan_.values(number);
    Options o = options_.run;
    std::vector<std::string> settings;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (varying_[k]->is_changeable) o.set.emplace_back(varying_[k]->name, values[k]);
      else settings.push_back(setting(*varying_[k], values[k]));
    }
    const Variants::Found found = variants_.find(settings);
    if (!found.model) {
      outcome.problem = line_of(found.problem);
      return outcome;
    }
    o.results = measures_.variables();
    o.events = false;
    o.file = nullptr;
    o.on_event = {};
    o.on_message = {};
    o.on_print = [](std::string_view) {};
    o.on_progress = {};
    o.cancel = watchman.begin(worker);
    std::optional<Watch> watch;
    // The first rows come while the run is being initialised; parameters have their values before that, and are asked for after it.
    std::vector<std::vector<double>> early;
    o.on_row = [&](std::span<const double> row) {
      if (watch) watch->take(row);
      else early.emplace_back(row.begin(), row.end());
      return true;
    };
    std::optional<Result> result;
    try {
      Run r = found.model->start(std::move(o));
      std::vector<double> constants;
      for (const std::string& name : measures_.parameters()) constants.push_back(r.get(name));
      watch.emplace(measures_, std::move(constants));
      for (const auto& row : early) watch->take(row);
      while (r.goes_on()) (void)r.advance_to(std::numeric_limits<double>::infinity());
      result = r.finish();
    } catch (const std::invalid_argument& e) {   // a value that the variable cannot have
      outcome.problem = line_of(e.what());
    } catch (const std::bad_alloc&) {
      outcome.problem = "there is not enough memory for this run";
    }
    watchman.end(worker);
    if (!result) return outcome;
    switch (result->ending) {
      case Ending::stop_time:
      case Ending::terminated: outcome.measures = watch->measures(result->statistics); break;
      case Ending::maximum_events: outcome.problem = fmt::format("it came to the largest number of events at {:.9g} s", result->time); break;
      case Ending::interrupted:
        if (gives_up()) return {};
        outcome.problem = fmt::format("it took more than {:g} s, and had come to {:.9g} s", *options_.run_limit, result->time);
        break;
      case Ending::failed:
        outcome.problem = result->diagnostics.empty() ? std::string("it failed")
                                                      : fmt::format("at {:.9g} s: {}", result->diagnostics.back().time, line_of(result->diagnostics.back().cause));
        break;
    }
    return outcome;
  }

  std::shared_ptr<const Model> model_;
  const Plan& plan_;
  const Measures& measures_;
  const StudyOptions& options_;
  const std::function<void(const Outcome&)>& on_outcome_;
  std::span<const std::uint64_t> runs_;
  std::vector<const Variable*> varying_;
  Variants variants_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> is_over_ = false, is_cancelled_ = false;
  std::mutex guard_;   // of what follows, and of the caller's function
  std::exception_ptr failure_;
};

}  // namespace

bool study(const std::shared_ptr<const Model>& model, const Plan& plan, const Measures& measures, const StudyOptions& options,
           const std::function<void(const Outcome&)>& on_outcome, std::optional<std::span<const std::uint64_t>> runs) {
  std::vector<std::uint64_t> all;
  if (!runs) {
    all.resize(plan.runs());
    std::iota(all.begin(), all.end(), std::uint64_t(1));
    runs = all;
  }
  return Workers(model, plan, measures, options, on_outcome, *runs).work();
}

}  // namespace mosim
