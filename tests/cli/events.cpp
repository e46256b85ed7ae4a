// The event log, the report's findings, and hybrid time.

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* stable = MODELS "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo";
constexpr const char* falling = MODELS "/DiscreteBehavior/BouncingBall/BouncingBall.mo";
constexpr const char* any_not_or = MODELS "/DiscreteBehavior/BouncingBall/AnyNotOr.mo";

nlohmann::json log_of(const std::string& arguments, int status = 0) {
  Folder f;
  const Ran r = f.run(arguments + " --quiet --events log.json");
  BOOST_TEST(r.status == status, r.err);
  BOOST_TEST(r.out == "");
  return nlohmann::json::parse(read(f.path / "log.json"));
}

std::string line_with(const std::string& text, const std::string& part, std::size_t from = 0) {
  const std::size_t at = text.find(part, from);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

/// What the source says at a place, so that the log's places can be held against it.
std::string source_at(const nlohmann::json& place) {
  const std::string text = read(std::filesystem::path(place.at("file").get<std::string>()));
  std::size_t begin = 0;
  for (int line = 1; line < place.at("line").get<int>(); ++line) begin = text.find('\n', begin) + 1;
  const std::size_t column = place.at("column");
  return text.substr(begin + column - 1, place.at("end_column").get<std::size_t>() - column);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_log_tells_which_surface_was_crossed) {
  const auto log = log_of(std::string(stable) + " --stop 10");
  BOOST_TEST(log["format"] == "mosim-events");
  BOOST_TEST(log["ending"] == "stop time");
  BOOST_REQUIRE(log["relations"].size() == 2u);
  for (const auto& relation : log["relations"]) BOOST_TEST(relation["text"].get<std::string>() == source_at(relation));
  const auto& events = log["events"];
  BOOST_TEST(events[0]["kind"] == "initial");
  double speed = std::sqrt(2 * 9.81), time = std::sqrt(2 / 9.81);
  for (std::size_t k = 1; k <= 10; ++k) {
    const auto& e = events[k];
    BOOST_TEST(e["number"] == k);
    BOOST_TEST(std::abs(e["time"].get<double>() - time) < 1e-6);
    BOOST_TEST(e["crossed"].size() == 1u);
    BOOST_TEST(e["crossed"][0]["relation"] == 1);
    BOOST_TEST(e["crossed"][0]["becomes"] == true);
    BOOST_TEST(e["fired"][0]["size"] == 2);
    BOOST_TEST(e["fired"][0]["elements"].size() == 1u);
    BOOST_TEST(e["fired"][0]["elements"][0]["element"] == 1);
    BOOST_TEST(e["fired"][0]["already_true"].empty());
    BOOST_TEST(e["reinitialized"][0]["state"] == "v");
    BOOST_TEST(std::abs(e["reinitialized"][0]["before"].get<double>() + speed) < 1e-5);
    speed *= 0.8;
    BOOST_TEST(std::abs(e["reinitialized"][0]["after"].get<double>() - speed) < 1e-5);
    time += 2 * speed / 9.81;
  }
  // The last one is the second surface, while the first is crossed already, and it turns gravity off.
  const auto& last = events.back();
  BOOST_TEST(last["crossed"][0]["relation"] == 2);
  BOOST_TEST(last["fired"][0]["elements"][0]["element"] == 2);
  BOOST_TEST(source_at(last["fired"][0]["elements"][0]) == "h < -eps");
  BOOST_TEST(last["fired"][0]["already_true"][0]["element"] == 1);
  const auto changed = [&](const std::string& name) {
    for (const auto& c : last["changed"])
      if (c["name"] == name) return c;
    return nlohmann::json();
  };
  BOOST_TEST(changed("done")["before"] == false);
  BOOST_TEST(changed("done")["after"] == true);
  BOOST_TEST(changed("der(v)")["before"] == -9.81);
  BOOST_TEST(changed("der(v)")["after"] == 0);
  BOOST_TEST(changed("h").is_null());
  // Between two impacts the first surface is armed again.
  BOOST_TEST(log["rearmed"].size() + 2 == events.size() - 1);
  for (const auto& r : log["rearmed"]) BOOST_TEST(r["becomes"] == false);
}

BOOST_AUTO_TEST_CASE(the_log_as_text_can_be_read_from_top_to_bottom) {
  Folder f;
  const Ran r = f.run(std::string(stable) + " --stop 10 --events");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(contains(line_with(r.out, "  1  0.4515236"), "state event"));
  BOOST_TEST(contains(line_with(r.out, "h < 0 becomes true"), "(StableBouncingBall.mo:20:9)"));
  BOOST_TEST(contains(r.out, "when {h < 0, h < -eps} fires by element 1 (h < 0) of 2"));
  BOOST_TEST(contains(r.out, "fires by element 2 (h < -eps) of 2; already true: element 1 (h < 0)"));
  BOOST_TEST(contains(r.out, "-4.42945 -> 3.54356 m/s"));
  BOOST_TEST(contains(r.out, "done: false -> true"));
  BOOST_TEST(contains(r.out, "der(v): -9.81 -> 0"));
  BOOST_TEST(contains(r.out, "initialisation"));
  // Nothing is cut in a file.
  BOOST_TEST(!contains(r.out, "left out"));
  BOOST_TEST(r.out.find("Events of") < r.out.find("simulated"));
}

/// What a terminal of so many columns shows, line by line.
std::vector<std::string> on_terminal(const Folder& f, const std::string& arguments, int columns) {
  const std::string command = fmt::format("cd '{}' && script -qec 'stty cols {}; {} {}' typescript >/dev/null 2>&1", f.path.string(),
                                          columns, MOSIM, arguments);
  BOOST_TEST(std::system(command.c_str()) == 0);
  std::vector<std::string> lines;
  std::istringstream text(read(f.path / "typescript"));
  for (std::string line; std::getline(text, line);) {
    std::erase(line, '\r');
    if (!line.starts_with("Script ")) lines.push_back(line);
  }
  return lines;
}

std::size_t lines_with(const std::vector<std::string>& lines, const std::string& part) {
  return std::size_t(std::count_if(lines.begin(), lines.end(), [&](const auto& line) { return contains(line, part); }));
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_what_differs_the_beginning_and_the_end) {
  Folder f;
  const auto shown = on_terminal(f, std::string(stable) + " --events --quiet", 100);
  BOOST_TEST(shown.size() < 80u);
  BOOST_TEST(lines_with(shown, "are left out here") == 1u);
  BOOST_TEST(lines_with(shown, "  1  0.4515236") == 1u);
  // The first impact is told in full, the next ones by what they change; so is the last one, after which nothing is armed.
  BOOST_TEST(lines_with(shown, "h < 0 becomes true  (StableBouncingBall.mo:20:9)") == 2u);
  BOOST_TEST(lines_with(shown, "    2  1.17396147       h < 0 becomes true, as at 1: v: -3.54356 -> 2.83485 m/s") == 1u);
  BOOST_TEST(lines_with(shown, "h < 0 stays true to the end of the run") == 1u);
  BOOST_TEST(lines_with(shown, "done: false -> true") == 1u);
  // A spell of chattering is one entry.
  const Ran r = f.run(MODELS "/DiscreteBehavior/Hysteresis/ChatteringControl.mo --stop 0.4 --quiet --events");
  BOOST_TEST(contains(r.out, "chattering from 0.2027"));
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_no_line_that_is_too_long) {
  Folder f;
  for (const int columns : {60, 80, 132}) {
    const auto shown = on_terminal(f, std::string(stable) + " --events", columns);
    for (const std::string& line : shown)
      BOOST_TEST((line.size() <= std::size_t(columns) || line.find(' ', line.find_first_not_of(' ')) == std::string::npos), line);
  }
  // Words are neither lost nor split.
  const auto words = [](const std::vector<std::string>& lines) {
    std::vector<std::string> list;
    for (const auto& line : lines) {
      std::istringstream in(line);
      list.insert(list.end(), std::istream_iterator<std::string>(in), {});
    }
    std::erase_if(list, [](const std::string& w) { return w.size() < 5; });
    return list;
  };
  const std::string one = std::string(stable) + " --events --quiet --max-events 1";
  BOOST_TEST(words(on_terminal(f, one, 60)) == words(on_terminal(f, one, 200)), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ticks_that_change_nothing_are_one_line_on_a_terminal) {
  Folder f;
  f.write("Idle.mo", "model Idle\n  Integer n(start=0, fixed=true);\nequation\n  when sample(0.1, 0.1) then\n"
                     "    n = if time > 0.85 then 1 else 0;\n  end when;\nend Idle;\n");
  const auto shown = on_terminal(f, "Idle.mo --events --quiet", 100);
  BOOST_TEST(lines_with(shown, "    2 to 8  0.2 to 0.8       sample(0.1, 0.1) ticks, as at 1, nothing changes") == 1u);
  BOOST_TEST(lines_with(shown, "n: 0 -> 1") == 1u);
  BOOST_TEST(lines_with({f.run("Idle.mo --events --quiet").out}, "to 8") == 0u);
}

BOOST_AUTO_TEST_CASE(what_initialisation_asserts_and_terminate_did_is_in_the_log) {
  Folder f;
  f.write("Says.mo", "model Says\n  Real x(start=1, unit=\"m\");\n  Integer n(start=0, fixed=true);\ninitial equation\n  x = 3;\nequation\n"
                     "  der(x) = 0;\n  when sample(0.25, 0.25) then\n    n = pre(n) + 1;\n"
                     "    assert(n <> 2, \"n is \" + String(n), AssertionLevel.warning);\n  end when;\n"
                     "  when n >= 3 then\n    terminate(\"enough\");\n  end when;\nend Says;\n");
  const Ran r = f.run("Says.mo --events --quiet -o r.csv");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(contains(r.out, "                          x = 3 m (start value 1)\n"));
  BOOST_TEST(contains(line_with(r.out, "assertion fails"), "a warning: n is 2  (Says.mo:10:"));
  BOOST_TEST(contains(line_with(r.out, "terminate:"), "terminate: enough  (Says.mo:13:"));
  f.run("Says.mo --events=e.json --quiet -o r.csv");
  const auto log = nlohmann::json::parse(read(f.path / "e.json"));
  const auto& start = log["events"][0]["initialised"];
  BOOST_REQUIRE(start.size() == 1u);
  BOOST_TEST((start[0]["name"] == "x" && start[0]["start"] == 1.0 && start[0]["value"] == 3.0 && start[0]["unit"] == "m"));
  BOOST_TEST(log["events"][2]["warned"][0]["message"] == "n is 2");
  BOOST_TEST(log["events"][2]["warned"][0]["line"] == 10);
  BOOST_TEST(log["events"][3]["terminated"][0]["message"] == "enough");
}

BOOST_AUTO_TEST_CASE(what_ended_a_run_is_in_the_log) {
  Folder f;
  f.write("Ends.mo", "model Ends\n  Real x(start=0, fixed=true);\nequation\n  der(x) = 1;\n  assert(x < 0.9, \"much too large\");\nend Ends;\n");
  const Ran r = f.run("Ends.mo --events --quiet -o r.csv");
  BOOST_TEST(r.status == 3);
  BOOST_TEST(contains(line_with(r.out, "the run fails: "), "much too large  (Ends.mo:5:"));
  f.run("Ends.mo --events=e.json --quiet -o r.csv");
  const auto log = nlohmann::json::parse(read(f.path / "e.json"));
  BOOST_TEST(log["ending"] == "failed");
  BOOST_TEST(contains(log["error"]["message"], "much too large"));
  BOOST_TEST(log["error"]["line"] == 5);
  BOOST_TEST(std::abs(log["error"]["time"].get<double>() - 0.9) < 1e-6);
}

BOOST_AUTO_TEST_CASE(rounds_without_an_end_are_in_the_log) {
  Folder f;
  f.write("Endless.mo", "model Endless\n  Boolean b(start=false, fixed=true);\nequation\n  b = time > 0.5 and not pre(b);\nend Endless;\n");
  const Ran r = f.run("Endless.mo --events --quiet -o r.csv");
  BOOST_TEST(r.status == 3);
  BOOST_TEST(contains(r.out, "    1  0.5              time event\n"));
  BOOST_TEST(contains(r.out, "time > 0.5 becomes true  (Endless.mo:4:7)"));
  BOOST_TEST(contains(r.out, "the run fails here, in round 102; the first rounds are listed"));
  BOOST_TEST(contains(r.err, "b (between "));
}

BOOST_AUTO_TEST_CASE(a_jump_that_comes_out_of_a_delay_is_an_event) {
  Folder f;
  f.write("Late.mo", "model Late\n  Real y = delay(if time > 0.3 then 1 else 0, 0.25), x(start=0, fixed=true);\nequation\n  der(x) = y;\nend Late;\n");
  const Ran r = f.run("Late.mo --events --quiet -o r.csv");
  BOOST_TEST(contains(r.out, "    2  0.55             time event\n"));
  BOOST_TEST(contains(r.out, "a jump comes out of delay("));
  BOOST_TEST(contains(r.out, "y: 0 -> 1"));
}

BOOST_AUTO_TEST_CASE(a_jump_that_comes_out_of_a_flow_is_told_of) {
  Folder f;
  f.write("Pipe.mo", "model Pipe\n  Real x(start=0, fixed=true), o, y = delay(if time > 0.2 then 1 else 0, 0.1 + 0.5*time, 2);\nequation\n  der(x) = 1;\n"
                     "  (, o) = spatialDistribution(7, 0, x, true, {0, 0.5, 0.5, 1}, {1, 1, 0, 0});\nend Pipe;\n");
  const Ran r = f.run("Pipe.mo --stop 0.9 --events --quiet -o r.csv");
  BOOST_TEST(contains(r.out, "a jump comes out of spatialDistribution  (Pipe.mo:5:"));
  BOOST_TEST(contains(r.out, "o: 0 -> 1"));
  BOOST_TEST(contains(r.out, "a jump comes out of delay("));
  BOOST_TEST(contains(r.out, "y: 0 -> 1"));
}

BOOST_AUTO_TEST_CASE(a_ball_that_falls_without_bouncing_is_explained) {
  Folder f;
  for (const char* settings : {"--set e=0", "--set h0=0"}) {
    const Ran r = f.run(std::string(falling) + " --stop 5 " + settings + " -o r.csv");
    BOOST_TEST_CONTEXT(settings) {
      BOOST_TEST(contains(r.out, "  unarmed     h < 0  ("));
      BOOST_TEST(contains(r.out, "reinit(v, -e*pre(v))"));
      BOOST_TEST(contains(r.out, "From there to the end: h from "));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_not_or_in_the_log) {
  const auto log = log_of(std::string(any_not_or) + " --stop 3");
  std::vector<std::string> fired;
  for (const auto& e : log["events"])
    for (const auto& when : e["fired"])
      for (const auto& element : when["elements"])
        fired.push_back(std::to_string(e["time"].get<double>()).substr(0, 3) + " " + when["text"].get<std::string>() + " by " +
                        std::to_string(element["element"].get<int>()));
  BOOST_TEST(std::count(fired.begin(), fired.end(), "1.0 {time > 1, time > 2} by 1") == 1);
  BOOST_TEST(std::count(fired.begin(), fired.end(), "2.0 {time > 1, time > 2} by 2") == 1);
  BOOST_TEST(std::count_if(fired.begin(), fired.end(), [](const std::string& s) { return contains(s, " or "); }) == 1);
}

BOOST_AUTO_TEST_CASE(events_at_one_instant_are_one_entry) {
  Folder f;
  f.write("Cascade.mo", "model Cascade\n  Boolean a(start=false, fixed=true), b(start=false, fixed=true);\n  Integer n(start=0, fixed=true);\n"
                        "  Real y = if b then 2 else 1;\nequation\n  when time > 0.5 then a = true; end when;\n"
                        "  when a then b = true; end when;\n  when {b, sample(0.5, 1)} then n = pre(n) + 1; end when;\nend Cascade;\n");
  f.run("Cascade.mo --quiet --events=e.json");
  const auto log = nlohmann::json::parse(read(f.path / "e.json"));
  BOOST_REQUIRE(log["events"].size() == 2u);
  const auto& e = log["events"][1];
  BOOST_TEST(e["time"] == 0.5);
  BOOST_TEST(e["kind"] == "time");
  BOOST_TEST(e["sampled"].size() == 1u);
  BOOST_TEST(e["changed"].size() == 4u);
  BOOST_TEST(e["fired"].size() >= 3u);
  const Ran text = f.run("Cascade.mo --quiet --events");
  BOOST_TEST(contains(text.out, "y: 1 -> 2"));
}

BOOST_AUTO_TEST_CASE(initial_fires_in_the_first_entry) {
  Folder f;
  f.write("First.mo", "model First Integer n; equation when {initial(), time > 2} then n = 7; end when; end First;");
  f.run("First.mo --quiet --events e.json");
  const auto first = nlohmann::json::parse(read(f.path / "e.json"))["events"][0];
  BOOST_TEST(first["kind"] == "initial");
  BOOST_TEST(first["fired"][0]["elements"][0]["text"] == "initial()");
}

BOOST_AUTO_TEST_CASE(roundings_and_clocks_are_in_the_log) {
  Folder f;
  f.write("Ticks.mo", "model Ticks Real x(start=0, fixed=true); Integer n = integer(x); Clock c = Clock(0.5); Integer k(start=0);\n"
                      "equation der(x) = 2; when c then k = previous(k) + 1; end when; end Ticks;");
  const Ran r = f.run("Ticks.mo --stop 0.8 --quiet --events e.json");
  BOOST_TEST(r.status == 0, r.err);
  const auto log = nlohmann::json::parse(read(f.path / "e.json"));
  BOOST_TEST(log["relations"][0]["kind"] == "rounding");
  int ticks = 0;
  for (const auto& e : log["events"]) ticks += !e["ticked"].empty();
  BOOST_TEST(ticks == 2);
  const auto crossed = std::find_if(log["events"].begin(), log["events"].end(), [](const auto& e) { return !e["crossed"].empty(); });
  BOOST_REQUIRE((crossed != log["events"].end()));
  BOOST_TEST((*crossed)["crossed"][0]["becomes"] == 1);
}

BOOST_AUTO_TEST_CASE(the_report_explains_what_piled_up) {
  Folder f;
  const Ran r = f.run(std::string(falling) + " --stop 10");
  BOOST_TEST(r.status == 0);
  const std::string zeno = line_with(r.out, "Zeno");
  BOOST_TEST(contains(zeno, "h < 0"));
  BOOST_TEST(contains(zeno, "BouncingBall.mo:18:8"));
  double ratio = 0, accumulation = 0;
  std::sscanf(r.out.c_str() + r.out.find("ratio ") + 6, "%lf", &ratio);
  std::sscanf(r.out.c_str() + r.out.find("before ") + 7, "%lf", &accumulation);
  BOOST_TEST(std::abs(ratio - 0.8) < 0.004);
  BOOST_TEST(std::abs(accumulation - 9 * std::sqrt(2 / 9.81)) < 1e-3);
  // The n-th rebound rises to 0.8^(2n) m; the first that stays below the hysteresis of 1e-10 m arms nothing.
  const int impacts = int(std::ceil(std::log(1e-10) / std::log(0.64)));
  BOOST_TEST(contains(line_with(r.out, "  events "), fmt::format("{0}: {0} state", impacts)));
  BOOST_TEST(contains(r.out, fmt::format(" {} came, the last at ", impacts)));
  BOOST_TEST(contains(r.out, "Remedy: a second surface"));
  const Ran rests = f.run(std::string(stable) + " --stop 10");
  BOOST_TEST(contains(rests.out, "last event is h < -eps"));
  BOOST_TEST(!contains(rests.out, "Remedy"));
  const Ran slides = f.run(MODELS "/DiscreteBehavior/Hysteresis/ChatteringControl.mo --stop 0.6");
  BOOST_TEST(contains(slides.out, "chattering"));
  BOOST_TEST(contains(slides.out, "Remedy: two thresholds"));
}

BOOST_AUTO_TEST_CASE(hybrid_time_counts_events) {
  Folder f;
  const Ran r = f.run(std::string(falling) + " --stop 1.5 --quiet -o - --hybrid-time --intervals 10");
  BOOST_TEST(r.out.substr(0, 7) == "time,j,");
  const auto table = rows(r.out);
  double j = 0, time = 0;
  int jumps = 0;
  for (const auto& row : table) {
    BOOST_TEST((row[1] == j || row[1] == j + 1));
    if (row[1] == j + 1) {
      BOOST_TEST(row[0] == time);   // time stands still where j moves on
      ++jumps;
    }
    time = row[0];
    j = row[1];
  }
  BOOST_TEST(jumps == 2);
  f.write("J.mo", "model J Real j = time; end J;");
  const Ran clash = f.run("J.mo --hybrid-time");
  BOOST_TEST(clash.status == 1);
  BOOST_TEST(contains(clash.err, "column j"));
}

BOOST_AUTO_TEST_CASE(a_run_may_end_after_so_many_events) {
  Folder f;
  const Ran r = f.run(std::string(falling) + " --stop 5 --max-events 3 -o b.csv");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(contains(r.out, "stopped after 3 events"));
  const auto table = rows(read(f.path / "b.csv"));
  const double t1 = std::sqrt(2 / 9.81);
  BOOST_TEST(std::abs(table.back()[0] - (t1 + 2 * t1 * (0.8 + 0.64))) < 1e-6);
  BOOST_TEST(f.run(std::string(falling) + " --max-events -1").status == 1);
  BOOST_TEST(rows(f.run(std::string(falling) + " --max-events 0 --quiet -o -").out).size() == 1u);
  const auto log = log_of(std::string(falling) + " --stop 5 --max-events 3");
  BOOST_TEST(log["ending"] == "maximum events");
  BOOST_TEST(log["events"].size() == 4u);
}

BOOST_AUTO_TEST_CASE(where_the_log_goes) {
  Folder f;
  const std::string model = any_not_or;
  // A model behind --events is no file for the log.
  BOOST_TEST(contains(f.run("--quiet --events " + model).out, "Events of"));
  BOOST_TEST(f.run("--events=log.txt " + model).status == 1);
  BOOST_TEST(f.run(model + " --events /nowhere/log.json").status == 1);
  const Ran results = f.run(model + " -o - --events --quiet");
  BOOST_TEST(results.out.substr(0, 5) == "time,");
  BOOST_TEST(contains(results.err, "Events of"));
}
