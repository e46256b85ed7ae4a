// Many runs: on any number of workers, with failures, interrupted and gone on with.

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>
#include <unistd.h>

#include "mosim/study.hpp"
#include "tests/engine/compiled.hpp"
#include "tests/study/refused.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr const char* ball = R"(model Ball
  parameter Real e = 0.7;
  parameter Real h0 = 1;
  Real h(start = h0, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  assert(h < 2, "above the roof");
end Ball;
)";

std::shared_ptr<const Model> model() {
  static const auto m = compiled(ball);
  return m;
}

std::map<std::uint64_t, Outcome> outcomes(const std::shared_ptr<const Model>& m, const Plan& plan, const Measures& measures, const StudyOptions& options = {}) {
  std::map<std::uint64_t, Outcome> all;
  bool once = true;   // Boost.Test is for one thread at a time, and models may be compiled meanwhile
  BOOST_TEST(study(m, plan, measures, options, [&](const Outcome& o) { once = all.emplace(o.run, o).second && once; }));
  BOOST_TEST(once);
  return all;
}

std::string text(const std::map<std::uint64_t, Outcome>& all) {
  std::string text;
  for (const auto& [run, o] : all) {
    text += std::to_string(run);
    for (const double x : o.measures) text += " " + std::to_string(x);
    text += o.problem + "\n";
  }
  return text;
}

class File {
 public:
  explicit File(const std::string& name) : path("/tmp/mosim_study_" + std::to_string(getpid()) + "_" + name) { std::filesystem::remove(path); }
  ~File() { std::filesystem::remove(path); }
  std::string text() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  const std::string path;
};

const Options short_run{.stop = 1, .intervals = 50};

}  // namespace

BOOST_AUTO_TEST_CASE(each_run_is_the_run_with_these_values) {
  const Plan plan(*model(), {"e=0.2,0.5,0.9", "h0=0.5,1.5"});
  const Measures measures(*model(), "max(h), last(v), count(h < 0)");
  const auto all = outcomes(model(), plan, measures, {.run = short_run});
  BOOST_TEST(all.size() == 6);
  for (const auto& [run, o] : all) {
    Options options = short_run;
    options.set = {{"e", plan.values(run)[0]}, {"h0", plan.values(run)[1]}};
    BOOST_TEST((o.measures == measures.of(model()->simulate(options))));
    BOOST_TEST(o.measures[0] == plan.values(run)[1]);
    BOOST_TEST(o.problem == "");
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_workers_does_not_matter) {
  const Plan plan(*model(), {"e=uniform(0.1, 0.9)", "h0=lognormal(0, 0.2)"}, {.runs = 200});
  const Measures measures(*model(), "max(h), last(v), reached(h < 0.1), rms(v)");
  const std::string one = text(outcomes(model(), plan, measures, {.run = short_run, .workers = 1}));
  BOOST_TEST((text(outcomes(model(), plan, measures, {.run = short_run, .workers = 2})) == one));
  BOOST_TEST((text(outcomes(model(), plan, measures, {.run = short_run, .workers = 7})) == one));
}

BOOST_AUTO_TEST_CASE(runs_that_fail_are_told_with_their_reason) {
  const Plan plan(*model(), {"h0=1,2.5"});
  const auto all = outcomes(model(), plan, Measures(*model(), "max(h)"), {.run = short_run});
  BOOST_TEST(all.at(1).problem == "");
  BOOST_TEST(all.at(2).problem == "at 0 s: assertion failed: above the roof");
  BOOST_TEST(std::isnan(all.at(2).measures[0]));
  Options few = short_run;
  few.maximum_events = 1;
  BOOST_TEST(outcomes(model(), plan, Measures(*model(), "max(h)"), {.run = few}).at(1).problem.starts_with("it came to the largest number of events at "));
}

// A value that the variable must not have.
BOOST_AUTO_TEST_CASE(values_out_of_bounds) {
  const auto m = compiled("model M parameter Real a(min = 0) = 1; Real x = a*time; end M;");
  const auto all = outcomes(m, Plan(*m, {"a=-1,1"}), Measures(*m, "last(x)"));
  BOOST_TEST(all.at(1).problem != "");
  BOOST_TEST(all.at(2).measures[0] == 1);
}

// Sizes are compiled in: the model of each is compiled once.
BOOST_AUTO_TEST_CASE(what_is_compiled_in_can_vary) {
  const std::string sizes = "model M parameter Integer n = 2; parameter Real a = 1; Real x[n] = a*(1:n); Real s = sum(x); end M;";
  const auto m = compiled(sizes);
  const Plan plan(*m, {"a=1,10", "n=1:4"});
  const Measures measures(*m, "last(s)");
  BOOST_TEST(refused([&] { study(m, plan, measures, {}, [](const Outcome&) {}); }).starts_with("n cannot vary from run to run: "));
  std::atomic<int> compilations = 0;
  const StudyOptions options{.workers = 3, .compile = [&](const std::vector<std::string>& settings, std::string& problem) -> std::shared_ptr<const Model> {
                               ++compilations;
                               BOOST_TEST(settings.size() == 1);
                               if (settings.front() == "n = 3") {
                                 problem = "not this one";
                                 return nullptr;
                               }
                               return compiled(sizes, settings);
                             }};
  const auto all = outcomes(m, plan, measures, options);
  BOOST_TEST(compilations == 4);
  BOOST_TEST(all.at(2).measures[0] == 3);
  BOOST_TEST(all.at(8).measures[0] == 100);
  BOOST_TEST(all.at(3).problem == "not this one");
}

BOOST_AUTO_TEST_CASE(a_run_that_takes_too_long_has_failed) {
  const auto m = compiled("model M parameter Real T = 1; Real x(start = 0, fixed = true); discrete Real next(start = 0, fixed = true); equation der(x) = 1; when x > pre(next) then next = pre(next) + T; end when; end M;");
  const Plan plan(*m, {"T=1,1e-9"});
  const auto all = outcomes(m, plan, Measures(*m, "last(x)"), {.run = {.stop = 1}, .run_limit = 0.3});
  BOOST_TEST(all.at(1).problem == "");
  BOOST_TEST(all.at(2).problem.starts_with("it took more than 0.3 s, and had come to "));
}

BOOST_AUTO_TEST_CASE(cancelled_from_another_thread) {
  const Plan plan(*model(), {"e=uniform(0.1, 0.9)"}, {.runs = 100000});
  std::atomic<bool> cancel = false;
  std::atomic<int> done = 0;
  const bool whole = study(model(), plan, Measures(*model(), "max(h)"), {.run = short_run, .workers = 2, .cancel = &cancel}, [&](const Outcome& o) {
    BOOST_TEST(o.problem == "");   // what was under way is no failure
    if (++done == 5) cancel = true;
  });
  BOOST_TEST(!whole);
  BOOST_TEST(done < 100);
}

// What the caller's function throws ends the study, and comes out of it.
BOOST_AUTO_TEST_CASE(an_exception_of_the_callers) {
  const Plan plan(*model(), {"e=uniform(0.1, 0.9)"}, {.runs = 1000});
  for (int k = 0; k < 50; ++k) {   // another worker may be about to call, too
    int calls = 0;
    BOOST_CHECK_THROW(study(model(), plan, Measures(*model(), "max(h)"), {.run = short_run, .workers = 4}, [&](const Outcome&) {
      if (++calls == 3) throw std::runtime_error("enough");
    }), std::runtime_error);
    BOOST_TEST(calls == 3);
  }
}

// ---- journals ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_study_that_was_interrupted_goes_on) {
  const File file("journal");
  const Plan plan(*model(), {"e=uniform(0.1, 0.9)", "h0=1,3"}, {.runs = 40});
  const Measures measures(*model(), "top = max(h), reached(h < 0)");
  const StudyOptions options{.run = short_run};
  std::string whole;
  {
    Journal journal("", *model(), plan, measures, short_run);
    study(model(), plan, measures, options, [&](const Outcome& o) { journal.add(o); });
    whole = journal.table();
    BOOST_TEST(journal.failed() == 20);
  }
  BOOST_TEST(whole.starts_with("run,e,h0,top,reached(h < 0),problem\n1,"));
  BOOST_TEST(whole.find(",3,,,at 0 s: assertion failed: above the roof\n3,") != std::string::npos);
  {
    Journal journal(file.path, *model(), plan, measures, short_run);
    BOOST_TEST(journal.missing().size() == 40);
    study(model(), plan, measures, options, [&](const Outcome& o) { journal.add(o); }, std::vector<std::uint64_t>{7, 30, 2});
    BOOST_TEST(refused([&] { Journal(file.path, *model(), plan, measures, short_run); }) == "another process is at work on " + file.path);
  }
  // The process ended in the middle of a line.
  const std::string three = file.text();
  file.write(three + "5,0.3");
  {
    Journal journal(file.path, *model(), plan, measures, short_run);
    const auto missing = journal.missing();
    BOOST_TEST(missing.size() == 37);
    BOOST_TEST(journal.failed() == 2);
    study(model(), plan, measures, options, [&](const Outcome& o) { journal.add(o); }, missing);
    BOOST_TEST((journal.table() == whole));
  }
  Journal again(file.path, *model(), plan, measures, short_run);
  BOOST_TEST(again.missing().empty());
  BOOST_TEST((again.table() == whole));
}

BOOST_AUTO_TEST_CASE(a_journal_of_another_study_is_refused) {
  const File file("another");
  const Plan plan(*model(), {"e=0.1,0.2"});
  const Measures measures(*model(), "max(h)");
  { Journal journal(file.path, *model(), plan, measures, short_run); }
  const auto said = [&](const Model& m, const Plan& p, const Measures& r, const Options& o) {
    return refused([&] { Journal(file.path, m, p, r, o); });
  };
  const auto differs = [&](const std::string& what) {
    return file.path + " is of another study: its " + what + " is not the same. Remove the file to begin anew, or give another name for the output";
  };
  BOOST_TEST(said(*model(), Plan(*model(), {"e=0.1,0.3"}), measures, short_run) == differs("plan of what varies"));
  BOOST_TEST(said(*model(), Plan(*model(), {"e=0.1:0.1:0.3"}), measures, short_run) == differs("number of runs"));
  BOOST_TEST(said(*model(), plan, Measures(*model(), "min(h)"), short_run) == differs("list of measures"));
  BOOST_TEST(said(*model(), plan, measures, {.stop = 1, .intervals = 51}) == differs("options of the runs"));
  std::string heavier = ball;
  heavier.replace(heavier.find("9.81"), 4, "9.83");
  BOOST_TEST(said(*compiled(heavier), plan, measures, short_run) == differs("text of the model"));
  file.write("run,e\n1,0.1\n");
  BOOST_TEST(said(*model(), plan, measures, short_run) == file.path + " is no study of this version of mosim");
}

BOOST_AUTO_TEST_CASE(columns_have_different_names) {
  const Plan plan(*model(), {"e=0.1,0.2"});
  BOOST_TEST(refused([&] { Journal("", *model(), plan, Measures(*model(), "max(h), e"), short_run); }) ==
             "the table would have two columns e: give the measure another name, as in other = e");
}

BOOST_AUTO_TEST_CASE(parts_are_put_together) {
  const Plan plan(*model(), {"e=uniform(0.1, 0.9)"}, {.runs = 10});
  const Measures measures(*model(), "max(h), last(h)");
  const File a("a"), b("b"), c("c");
  const File* files[] = {&a, &b, &c};
  Journal whole("", *model(), plan, measures, short_run);
  study(model(), plan, measures, {.run = short_run}, [&](const Outcome& o) { whole.add(o); });
  for (std::uint64_t k = 1; k <= 3; ++k) {
    Journal part(files[k - 1]->path, *model(), plan, measures, short_run, {k, 3});
    if (k == 2) BOOST_TEST((part.missing() == std::vector<std::uint64_t>{2, 5, 8}));
    study(model(), plan, measures, {.run = short_run}, [&](const Outcome& o) { part.add(o); }, part.missing());
  }
  BOOST_TEST((Journal::merge({b.path, c.path, a.path}) == whole.table()));
  BOOST_TEST(refused([&] { Journal::merge({a.path, c.path}); }) == "3 of 10 runs are not there yet, the first of them run 2: do the other parts, or finish them");
  const File other("other");
  { Journal journal(other.path, *model(), plan, measures, {.stop = 2}); }
  BOOST_TEST(refused([&] { Journal::merge({a.path, other.path}); }) == a.path + " and " + other.path + " are of different studies: the options of the runs is not the same");
}
