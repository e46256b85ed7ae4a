#include "cli/course.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

#include "cli/mistaken.hpp"
#include "cli/simulation.hpp"
#include "cli/subcommand.hpp"
#include "mosim/lesson.hpp"
#include "report/wording.hpp"

namespace mosim::cli {

namespace {

struct CourseRequest {
  std::string file, output, playground;
  std::vector<std::string> libraries;
  bool check = false;
};

/// Where the page of the playground takes a course in.
constexpr std::string_view place_for_course = "<script type=\"application/json\" id=\"course\">null</script>";

/// Beside the command where it was built, or where it is installed.
std::string find_playground() {
  char path[4096];
  const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
  if (n <= 0) return {};
  const std::filesystem::path folder = std::filesystem::path(std::string(path, std::size_t(n))).parent_path();
  for (const auto& candidate : {folder / "web/site/mosim.html", folder / "../share/mosim/mosim.html"}) {
    std::error_code error;
    if (std::filesystem::exists(candidate, error)) return candidate.string();
  }
  return {};
}

/// Runs a step's text. None, with what is wrong said, if it cannot be run.
std::optional<Result> run_text(const CourseRequest& r, const CourseStep& step, const std::string& name, const std::string& text, bool quiet, Streams& streams) {
  Session session({.verifiable = false});
  add_libraries(session, r.libraries);
  const std::vector<std::string> classes = session.read_text(name, text);
  if (!quiet) say(session.diagnostics(), streams);
  if (has_errors(session.diagnostics()) || classes.empty()) return {};
  const auto model = session.compile(classes.back());
  if (!quiet) say(session.diagnostics(), streams);
  if (!model) return {};
  Options o;
  o.stop = step.stop;
  o.tolerance = step.tolerance;
  o.hysteresis = step.hysteresis;
  o.on_print = [](std::string_view) {};
  return model->simulate(std::move(o));
}

bool holds(const std::vector<Answer>& answers) {
  return std::all_of(answers.begin(), answers.end(), [](const Answer& a) { return a.holds; });
}

/// Whether the questions can be answered, and are not answered from the start. Returns how many mistakes there are.
std::size_t try_out(const CourseRequest& r, const Course& course, Streams& streams) {
  std::size_t mistakes = 0;
  std::string model;
  const auto mistake = [&](const CourseStep& step, const std::string& text) {
    ++mistakes;
    streams.err.say(fmt::format("{}:{}: error: step \"{}\" {}\n", r.file, step.place.line, step.title, text));
  };
  for (const CourseStep& step : course.steps) {
    if (!step.model.empty()) model = step.model;
    if (step.checks.empty()) continue;
    // What the editor holds may be wrong on purpose.
    if (const auto begin = run_text(r, step, step.title, model, true, streams)) {
      const std::vector<Answer> answers = check(*begin, step.checks);
      if (holds(answers)) mistake(step, "is answered by the model that it begins with");
      for (const Answer& a : answers)
        if (!a.problem.empty() && step.solution.empty()) mistake(step, fmt::format("asks what its model cannot say: {}: {}", a.check.condition, a.problem));
    }
    if (step.solution.empty()) continue;
    const auto end = run_text(r, step, fmt::format("solution of \"{}\"", step.title), step.solution, false, streams);
    if (!end) {
      mistake(step, "has a solution that cannot be run");
      continue;
    }
    for (const Answer& a : check(*end, step.checks))
      if (!a.holds) mistake(step, fmt::format("has a solution that does not fulfil {}: {}", a.check.condition, !a.problem.empty() ? a.problem : a.found));
    model = step.solution;
  }
  return mistakes;
}

int run(const CourseRequest& r, Streams& streams) {
  std::error_code error;
  if (!std::filesystem::exists(r.file, error)) throw Refusal{unusable, missing_file(r.file)};
  const std::string text = contents_of(r.file);
  const Course course = read_course(r.file, text);
  say(course.diagnostics, streams);
  if (has_errors(course.diagnostics)) return invalid;
  if (try_out(r, course, streams) > 0) return invalid;
  std::size_t asked = 0;
  for (const CourseStep& s : course.steps) asked += !s.checks.empty();
  const std::string what = fmt::format("{}, {}", report::plural(course.steps.size(), "step"), report::plural(asked, "question"));
  if (r.check) {
    streams.out.say(fmt::format("{} is a course: {}.\n", r.file, what));
    return done;
  }
  const std::string playground = !r.playground.empty() ? r.playground : find_playground();
  if (playground.empty()) throw Refusal{unusable, "the playground is not there, which a course is a page of; make it with web/build.sh, or name its file mosim.html with --playground"};
  std::string page = contents_of(playground);
  const std::size_t at = page.find(place_for_course);
  if (at == std::string::npos) throw Refusal{unusable, fmt::format("{} is no playground that takes a course in; web/build.sh makes one", playground)};
  std::string json = nlohmann::json{{"file", std::filesystem::path(r.file).filename().string()}, {"text", text}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t k = 0; (k = json.find('<', k)) != std::string::npos; k += 6) json.replace(k, 1, "\\u003c");   // no end of a script
  page.replace(at, place_for_course.size(), "<script type=\"application/json\" id=\"course\">" + json + "</script>");
  const std::string output = !r.output.empty() ? r.output : std::filesystem::path(r.file).replace_extension(".html").string();
  if (const auto problem = unwritable(output)) throw Refusal{unusable, *problem};
  write_output(page, output);
  streams.out.say(fmt::format("{}: {}\n", output, what));
  return done;
}

}  // namespace

int course_command(std::vector<std::string> words, Streams& streams) {
  CourseRequest r;
  CLI::App app{"Makes a page of a course: steps with texts, a model to change in an editor, and questions that its runs answer.", "mosim course"};
  app.add_option("FILE", r.file, "the course as Markdown; docs/playground.md says how it is written")->option_text("LESSON.md");
  app.add_option("-o,--output", r.output, "the page (LESSON.html)")->option_text("FILE.html");
  app.add_flag("--check", r.check, "only look whether the course is right: its solutions fulfil its conditions, and its first models do not");
  app.add_option("--playground", r.playground, "the playground in one file (that beside this command)")->option_text("FILE.html");
  app.add_option("-L,--library", r.libraries, "for solutions that use it; repeatable")->option_text("PATH")->allow_extra_args(false);
  const auto check = [&] {
    if (r.file.empty()) throw CLI::ValidationError("mosim course", "name the course: mosim course lesson.md -o lesson.html");
    if (!r.output.empty() && !r.output.ends_with(".html")) throw CLI::ValidationError("--output", "the page is written as .html, not as '" + r.output + "'");
  };
  return carry_out(app, std::move(words), streams, check, [&] { return run(r, streams); });
}

}  // namespace mosim::cli
