// Plots: which variables are drawn, and what the pictures show. The pages are tested in a browser by page.py, the pixels of PNG and
// the text of PDF files by pictures.py.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "report/choice.hpp"
#include "report/names.hpp"
#include "report/page.hpp"
#include "report/picture.hpp"
#include "tests/cli/folder.hpp"

namespace {

using namespace mosim;
using namespace mosim::tests;

constexpr double g = 9.81;
const double impact = std::sqrt(2 / g);  // of a ball that falls from 1 m

struct Point {
  double x, y;
};

/// The numbers in a text, whatever stands between them.
std::vector<double> numbers(std::string text) {
  for (char& c : text)
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = ' ';
  std::istringstream in(text);
  return {std::istream_iterator<double>(in), {}};
}

/// An SVG file that gnuplot wrote: what it shows, in the units of its axes.
struct Svg {
  pugi::xml_document document;
  std::vector<std::string> texts;
  struct Axis {
    std::vector<std::pair<double, std::string>> ticks;   // pixel, label
    double value(double pixel) const {
      const auto &[p, a] = ticks.front();
      const auto &[q, b] = ticks.back();
      return std::stod(a) + (pixel - p) / (q - p) * (std::stod(b) - std::stod(a));
    }
  };
  Axis time;
  std::vector<Axis> values;                              // of the panels, from the top

  explicit Svg(const std::string& contents) {
    BOOST_TEST_REQUIRE(bool(document.load_string(contents.c_str(), pugi::parse_default | pugi::parse_ws_pcdata)));
    for (const auto& found : document.select_nodes("//text")) texts.emplace_back(found.node().text().get());
    // A tick is a short line that is followed by its label.
    for (const auto& found : document.select_nodes("//path[following-sibling::*[1]/text]")) {
      const auto line = numbers(found.node().attribute("d").value());
      if (line.size() != 4) continue;
      const std::string label = found.node().select_node("following-sibling::*[1]/text").node().text().get();
      if (line[1] == line[3] && line[0] > line[2] && line[0] - line[2] < 8) {
        // From the bottom to the top within a panel.
        if (values.empty() || line[1] > values.back().ticks.back().first) values.emplace_back();
        values.back().ticks.emplace_back(line[1], label);
      }
      if (line[0] == line[2] && line[3] > line[1] && line[3] - line[1] < 8 && !label.empty())
        time.ticks.emplace_back(line[0], label);
    }
  }

  bool shows(const std::string& label) const { return std::find(texts.begin(), texts.end(), label) != texts.end(); }

  /// The strokes in a colour, in pixels.
  std::vector<std::vector<Point>> strokes(const std::string& colour) const {
    std::vector<std::vector<Point>> result;
    for (const auto& found : document.select_nodes(("//path[@stroke='rgb(" + colour + ")']").c_str())) {
      std::istringstream moves(found.node().attribute("d").value());
      for (std::string move; std::getline(moves, move, 'M');) {
        const auto pixels = numbers(move);
        if (pixels.empty()) continue;
        result.emplace_back();
        for (std::size_t k = 0; k + 1 < pixels.size(); k += 2) result.back().push_back({pixels[k], pixels[k + 1]});
      }
    }
    return result;
  }

  /// A curve in a panel, without its sample in the legend.
  std::vector<Point> curve(const std::string& colour, std::size_t panel) const {
    std::vector<Point> result;
    for (const auto& stroke : strokes(colour))
      for (const Point& p : stroke)
        if (stroke.size() > 2) result.push_back({time.value(p.x), values[panel].value(p.y)});
    return result;
  }
};

double at(const std::vector<Point>& curve, double x) {
  for (std::size_t k = 1; k < curve.size(); ++k)
    if (curve[k - 1].x <= x && x < curve[k].x)
      return curve[k - 1].y + (x - curve[k - 1].x) / (curve[k].x - curve[k - 1].x) * (curve[k].y - curve[k - 1].y);
  return NAN;
}

const std::string blue = " 31, 111, 180", red = "209,  73,  91", green = " 46, 139,  87";
const std::string ball = MODELS "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo";

/// How many events the ball's report tells of.
int event_count(const Folder& f) {
  const std::string report = f.run(ball + " -o report.csv").out, label = "\n  events ";
  const std::size_t at = report.find(label);
  return at == std::string::npos ? -1 : std::stoi(report.substr(at + label.size()));
}

Svg drawn(const Folder& f, const std::string& arguments) {
  const Ran r = f.run(arguments + " --quiet -o r.csv --plot-to p.svg");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.err == "");
  return Svg(read(f.path / "p.svg"));
}

/// Names and texts that mean something to shells, gnuplot, XML and HTML.
constexpr const char* nasty = R"(model Nasty "A <b>title</b> & `touch gone` \"quotes\" {x_y} 100% </script> $1 \\ é"
  type Mode = enumeration('100%' "a", 'it\'s' "b");
  Real 'a<b & "c" %d _{x} $'(unit="m/s2", start=1, fixed=true) "First </script> <!-- 'quoted' \"x\" %s {_} `touch gone`";
  Mode mode(start=Mode.'100%', fixed=true) "Which";
  Real a[2,2](each unit="K") = {{1,2},{3,4}}*time;
equation
  der('a<b & "c" %d _{x} $') = -1;
  when time > 0.5 then
    mode = Mode.'it\'s';
  end when;
end Nasty;
)";

runtime::Variable variable(const std::string& name, runtime::Kind kind, runtime::Slot slot) {
  runtime::Variable v;
  v.name = name;
  v.kind = kind;
  v.slot = slot;
  return v;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_list_of_variables_is_split_at_the_outer_commas) {
  using Names = std::vector<std::string>;
  BOOST_TEST((report::split_names("a, b.c ,d") == Names{"a", "b.c", "d"}));
  BOOST_TEST((report::split_names("a[1, 2],der(x[2,3]),y") == Names{"a[1,2]", "der(x[2,3])", "y"}));
  BOOST_TEST((report::split_names("'a, \\'b',c") == Names{"'a, \\'b'", "c"}));
  BOOST_TEST((report::split_names(",a,,") == Names{"a"}));
  BOOST_TEST(report::split_names("").empty());
}

BOOST_AUTO_TEST_CASE(what_is_drawn_by_default_changes_and_is_public_first) {
  using runtime::Kind;
  runtime::Program p;
  p.variables = {variable("hidden", Kind::state, 10), variable("x", Kind::state, 11), variable("alias", Kind::state, 11),
                 variable("still", Kind::discrete, 12), variable("d", Kind::discrete, 13), variable("y", Kind::algebraic, 14)};
  p.variables[0].is_protected = true;
  runtime::Result r;
  r.trajectory.columns = {0, 1, 2, 3, 4, 5};
  r.trajectory.values = {0, 1, 2, 2, 5, 0, 7, 1, 2, 3, 3, 5, 1, 8};
  BOOST_TEST((report::default_choice(p, report::keep_all(p, r.trajectory), 8) == report::Choice{1, 0, 4}));
  BOOST_TEST((report::default_choice(p, report::keep_all(p, r.trajectory), 2) == report::Choice{1, 0}));
  // Without states and discrete variables that change, whatever changes.
  r.trajectory.columns = {3, 5};
  r.trajectory.values = {0, 5, 7, 1, 5, 8};
  BOOST_TEST((report::default_choice(p, report::keep_all(p, r.trajectory), 8) == report::Choice{5}));
}

BOOST_AUTO_TEST_CASE(thinning_keeps_extremes_jumps_and_ends) {
  std::vector<double> times, values;
  constexpr std::size_t n = 100'000;
  for (std::size_t k = 0; k < n; ++k) {
    times.push_back(double(k));
    values.push_back(std::sin(0.01 * double(k)) + (k == 54'321 ? 1000 : 0));
    if (k == 70'000) {
      times.push_back(double(k));
      values.push_back(5);
    }
  }
  const auto rows = report::kept_rows(times, {&values}, 1000);
  BOOST_TEST(rows.size() <= 1100u);
  BOOST_TEST(rows.size() >= 400u);
  BOOST_TEST(rows.front() == 0u);
  BOOST_TEST(rows.back() == times.size() - 1);
  const auto has = [&](std::size_t r) { return std::binary_search(rows.begin(), rows.end(), r); };
  BOOST_TEST(has(54'321));
  BOOST_TEST((has(70'000) && has(70'001)));
  BOOST_TEST(report::kept_rows(times, {&values}, 200'000).size() == times.size());
}

BOOST_AUTO_TEST_CASE(a_page_stays_within_its_limits_and_says_so) {
  using runtime::Kind;
  runtime::Program p;
  p.model = "M";
  p.variables = {variable("a", Kind::state, 10), variable("b", Kind::state, 11), variable("c", Kind::state, 12)};
  p.memory.assign(20, 0);
  runtime::Result r;
  r.time = 1;
  r.ending = runtime::Ending::stop_time;
  r.trajectory.columns = {0, 1, 2};
  for (int k = 0; k < 5000; ++k) r.trajectory.values.insert(r.trajectory.values.end(), {k / 4999.0, double(k), -double(k), 7});
  for (std::uint64_t k = 0; k < 100; ++k) {
    runtime::EventRecord e;
    e.number = k;
    e.time = 0.01 * double(k);
    r.events.push_back(e);
  }
  const runtime::Options options;
  const report::Kept rows = report::keep_all(p, r.trajectory);
  const report::Events events = report::events_in(r);
  const report::Recording run{p, options, r, rows, events};
  const std::string whole = report::page("a", report::page_content(run, {}, {0}));
  BOOST_TEST(contains(whole, "\"notes\":[]"));
  const std::string small = report::page("a", report::page_content(run, {}, {2}, {100, 200, 1, 2000}));
  BOOST_TEST(contains(small, "of 5000 rows are on this page"));
  BOOST_TEST(contains(small, "of 100 events are listed"));
  BOOST_TEST(contains(small, "3 of 4 variables are on this page"));
  // What is to be shown is there in any case.
  BOOST_TEST(contains(small, R"("name":"c")"));
  BOOST_TEST(small.size() + 50'000 < whole.size());
}

BOOST_AUTO_TEST_CASE(a_picture_shows_the_trajectory) {
  Folder f;
  const Svg svg = drawn(f, ball);
  BOOST_TEST(svg.shows("DiscreteBehavior.BouncingBall.StableBouncingBall"));
  BOOST_TEST(svg.shows("h [m] – Above the floor"));
  BOOST_TEST(svg.shows("v [m/s] – Upwards"));
  BOOST_TEST(svg.shows("time [s]"));
  BOOST_TEST(svg.shows("v [m/s]"));
  BOOST_REQUIRE(svg.values.size() == 3u);
  BOOST_TEST(svg.time.ticks.back().second == "10");

  // A pixel is 0.006 m and 0.012 s.
  const auto h = svg.curve(blue, 0);
  BOOST_TEST(h.size() > 200u);
  for (const double t : {0.1, 0.2, 0.3, 0.4}) BOOST_TEST(std::abs(at(h, t) - (1 - g / 2 * t * t)) < 0.01);
  const double v0 = 0.8 * g * impact;
  for (const double s : {0.1, 0.25, 0.36, 0.5, 0.65}) BOOST_TEST(std::abs(at(h, impact + s) - (v0 * s - g / 2 * s * s)) < 0.015);
  BOOST_TEST(std::abs(at(h, 8)) < 0.005);

  // The impact is a jump: up at one instant, from -g*t to 0.8 of it.
  const auto v = svg.curve(red, 1);
  bool jump = false;
  for (std::size_t k = 1; k < v.size(); ++k)
    jump = jump || (std::abs(v[k].x - impact) < 0.01 && std::abs(v[k].x - v[k - 1].x) < 1e-3 &&
                    std::abs(v[k - 1].y + g * impact) < 0.05 && std::abs(v[k].y - v0) < 0.05);
  BOOST_TEST(jump);
}

BOOST_AUTO_TEST_CASE(booleans_and_integers_are_steps) {
  Folder f;
  const Svg svg = drawn(f, ball + " --plot done,h");
  BOOST_TEST(svg.shows("true"));
  BOOST_TEST(svg.shows("false"));
  // `done` is the first panel; its ticks have no numbers.
  const auto& ticks = svg.values.at(0).ticks;
  BOOST_REQUIRE(ticks.size() == 2u);
  BOOST_TEST(ticks[0].second == "false");
  std::vector<Point> done;
  for (const auto& stroke : svg.strokes(blue))
    for (const Point& p : stroke)
      if (p.y >= ticks[1].first - 1 && p.y <= ticks[0].first + 1) done.push_back(p);
  BOOST_REQUIRE(done.size() >= 4u);
  std::set<int> levels;
  for (std::size_t k = 1; k < done.size(); ++k) {
    BOOST_TEST((done[k].x == done[k - 1].x || done[k].y == done[k - 1].y));
    levels.insert(int(std::lround(done[k].y)));
  }
  BOOST_TEST(levels.size() == 2u);
  // It becomes true once the ball has sunk to -eps: after the impacts have piled up at 9*impact.
  const double rise = svg.time.value(std::adjacent_find(done.begin(), done.end(), [](Point a, Point b) { return a.y != b.y; })->x);
  BOOST_TEST((rise > 9 * impact - 0.02 && rise < 9 * impact + 0.05));

  const Svg beats = drawn(f, MODELS "/DiscreteBehavior/SynchronousSystems/SubsamplingWithIntegers.mo --plot tick");
  const auto tick = beats.curve(blue, 0);
  for (int k = 0; k < 10; ++k) BOOST_TEST(std::abs(at(tick, 0.1 * k + 0.05) - (k + 1)) < 0.03);
}

BOOST_AUTO_TEST_CASE(events_are_marked) {
  Folder f;
  // Eleven ticks at k*0.1, each a line across both panels, dashed as time events are.
  const Svg svg = drawn(f, MODELS "/DiscreteBehavior/SynchronousSystems/SubsamplingWithIntegers.mo --plot tick,x");
  std::vector<double> lines;
  for (const auto& stroke : svg.strokes(" 48,  80, 128"))
    if (stroke.size() == 2 && stroke[0].x == stroke[1].x && std::abs(stroke[0].y - stroke[1].y) > 100)
      lines.push_back(svg.time.value(stroke[0].x));
  BOOST_REQUIRE(lines.size() == 22u);
  for (std::size_t k = 0; k < 22; ++k) BOOST_TEST(std::abs(lines[k] - 0.1 * double(k % 11)) < 1e-3);
  BOOST_TEST(!svg.document.select_node("//*[@stroke-dasharray]").node().empty());
  BOOST_TEST(svg.shows("11 time events"));
  // A crowd does not swamp the picture: its events are stubs.
  const Svg crowd = drawn(f, ball + " --plot h");
  BOOST_TEST(crowd.shows(fmt::format("{} state events", event_count(f))));
  std::size_t across = 0, stubs = 0;
  for (const auto& stroke : crowd.strokes("128,  64,  48"))
    if (stroke.size() == 2 && stroke[0].x == stroke[1].x) ++(std::abs(stroke[0].y - stroke[1].y) > 100 ? across : stubs);
  BOOST_TEST((across >= 5 && across < 20));
  BOOST_TEST(stubs > 5);
}

BOOST_AUTO_TEST_CASE(any_name_and_text_can_be_drawn) {
  Folder f;
  f.write("Nasty.mo", nasty);
  const Svg svg = drawn(f, "Nasty.mo");
  BOOST_TEST(svg.shows("'a<b & \"c\" %d _{x} $' [m/s2] – First </script> <!-- 'quoted' \"x\" %s {_} `touch gone`"));
  BOOST_TEST(svg.shows("A <b>title</b> & `touch gone` \"quotes\" {x_y} 100% </script> $1 \\ é"));
  BOOST_TEST(svg.shows("'100%'"));
  BOOST_TEST(svg.shows("'it\\'s'"));
  BOOST_TEST(!fs::exists(f.path / "gone"));
  const Ran r = f.run("Nasty.mo --quiet -o r.csv --plot mode,a", "LC_ALL=C.UTF-8");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(contains(r.out, "'100%' "));
  BOOST_TEST(contains(r.out, "a[2,1] [K]"));
  BOOST_TEST(!fs::exists(f.path / "gone"));
}

BOOST_AUTO_TEST_CASE(parameters_derivatives_and_time_can_be_drawn) {
  Folder f;
  const Svg svg = drawn(f, MODELS "/DiscreteBehavior/Hysteresis/HysteresisControl.mo --plot 'T,Tbar,der(T),time'");
  BOOST_REQUIRE(svg.values.size() == 3u);
  // T and Tbar are in K and share a panel: 295 K is a line there. der(T) starts at -h*(T - Tamb)/C.
  const auto bar = svg.strokes(red);
  BOOST_REQUIRE(!bar.empty());
  BOOST_TEST(std::abs(svg.values[0].value(bar.back()[0].y) - 295) < 0.1);
  BOOST_TEST(std::abs(at(svg.curve(green, 1), 0.001) + 30) < 0.5);
  BOOST_TEST(svg.shows("der(T) [K/s]"));
  BOOST_TEST(svg.shows("time [s]"));
}

BOOST_AUTO_TEST_CASE(the_terminal_shows_axes_and_curve) {
  Folder f;
  for (const bool braille : {true, false}) {
    const Ran r = f.run(ball + " --quiet -o r.csv --plot h", std::string("COLUMNS=100 LINES=30 LC_ALL=") + (braille ? "C.UTF-8" : "C"));
    BOOST_TEST(r.status == 0);
    BOOST_TEST(r.err == "");
    std::vector<std::u32string> lines(1);
    for (std::size_t k = 0; k < r.out.size();) {
      const auto c = static_cast<unsigned char>(r.out[k]);
      const std::size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : 3;
      char32_t u = n == 1 ? c : n == 2 ? c & 0x1f : c & 0x0f;
      for (std::size_t i = 1; i < n; ++i) u = (u << 6) | (static_cast<unsigned char>(r.out[k + i]) & 0x3f);
      k += n;
      if (u == '\n') lines.emplace_back();
      else lines.back() += u;
    }
    BOOST_TEST(contains(r.out, "h [m]"));
    BOOST_TEST(contains(r.out, "Above the floor"));
    BOOST_TEST(contains(r.out, fmt::format("{} events", event_count(f))));
    const char32_t wall = braille ? U'\u2502' : U'|', corner = braille ? U'\u2514' : U'+';
    std::vector<std::u32string> inside;
    std::size_t left = 0;
    std::vector<std::pair<double, std::size_t>> labels;   // value, row
    for (const auto& line : lines) {
      BOOST_TEST(line.size() <= 100u);
      if (const std::size_t at = line.find(wall); at == 10) {
        left = at + 1;
        const std::u32string label = line.substr(0, at);
        if (label.find_first_not_of(U' ') != label.npos)
          labels.emplace_back(std::stod(std::string(label.begin(), label.end())), inside.size());
        inside.push_back(line.substr(left));
      }
      if (line.size() > 10 && line[10] == corner) BOOST_TEST((line.substr(0, 10) == std::u32string(10, U' ')));
    }
    BOOST_TEST(labels.size() >= 5u);
    BOOST_TEST((labels.front().first == 1 && labels.back().first == 0));
    BOOST_TEST(inside.size() >= 15u);
    // The ball starts on top, in the first column; it lies on the floor in the last one.
    const auto drawn_at = [&](std::size_t row, std::size_t column) { return column < inside[row].size() && inside[row][column] != U' '; };
    BOOST_TEST(drawn_at(labels.front().second, 0));
    const std::size_t width = 100 - 10 - 4;
    const auto lowest = [&](std::size_t column) {
      std::size_t row = 0;
      for (std::size_t k = 0; k < inside.size(); ++k)
        if (drawn_at(k, column)) row = k;
      return row;
    };
    BOOST_TEST(lowest(width - 2) == labels.back().second);
    for (std::size_t k = 0; k < labels.back().second; ++k) BOOST_TEST(!drawn_at(k, width - 2));
    // Labels stand where equal steps of the axis put them.
    const double rows_per_unit = double(labels.back().second - labels.front().second);
    for (const auto& [value, row] : labels)
      BOOST_TEST(std::abs(double(row) - (double(labels.front().second) + (1 - value) * rows_per_unit)) <= 1);
    // At the top of its first rebound, 1.8 impact times after the start, it is at 0.64 m.
    const std::size_t column = std::size_t(1.8 * impact / 10 * double(width)), expected = std::size_t((1.06 - 0.64) / 1.12 * double(inside.size()));
    BOOST_TEST((drawn_at(expected, column) || drawn_at(expected - 1, column) || drawn_at(expected + 1, column)));
  }
  // No escape sequences where nobody looks at a screen; results on standard output send the plot elsewhere.
  const Ran r = f.run(ball + " --quiet -o - --plot h,v");
  BOOST_TEST(contains(r.err, "Above the floor"));
  BOOST_TEST(!contains(r.err, "\x1b"));
  BOOST_TEST(r.out.substr(0, 10) == "time,done,");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_is_said_before_the_run) {
  Folder f;
  const auto refused = [&](const std::string& arguments, const std::string& why, const std::string& environment = "") {
    const Ran r = f.run(ball + " -o r.csv " + arguments, environment);
    BOOST_TEST(r.status == 1, arguments);
    BOOST_TEST(contains(r.err, why), r.err);
    BOOST_TEST(r.out == "", arguments);
    BOOST_TEST(!fs::exists(f.path / "r.csv"), arguments);
  };
  refused("--plot h,don", "has no variable don to draw; did you mean done?");
  refused("--plot ,", "names no variable");
  refused("--plot ''", "names no variable");
  refused("--plot-to p.gif", ".svg, .png, .pdf or .html, not as p.gif");
  refused("--plot-to picture", "not as picture");
  refused("--plot-to p.html --plot 'der(hh)'", "did you mean der(h)?");
  refused("--plot h", "apt-get install gnuplot-nox", "PATH=/nonexistent");
  refused("--plot-to p.svg", "apt-get install gnuplot-nox", "PATH=/nonexistent");
  // The page needs no gnuplot.
  BOOST_TEST(f.run(ball + " --quiet -o r.csv --plot-to p.html", "PATH=/nonexistent").status == 0);
  BOOST_TEST(f.run(ball + " --quiet -o r.csv --plot-to no/such/folder/p.svg").status == 1);
}

BOOST_AUTO_TEST_CASE(a_component_is_not_drawn_but_what_is_in_it) {
  Folder f;
  f.write("Two.mo", "model Part\n  parameter Real k = 1;\n  Real x(start=k, fixed=true), y[2] = {x, 2*x};\nequation\n"
                    "  der(x) = -x;\nend Part;\nmodel Two\n  Part a, b[2];\nend Two;\n");
  BOOST_TEST(contains(f.run("Two.mo --plot a").err, "a is a component; name what is to be drawn in it: a.x, a.y[1], a.y[2]"));
  BOOST_TEST(contains(f.run("Two.mo --plot b").err, "b is a component"));
  BOOST_TEST(f.run("Two.mo --quiet --plot a.y").status == 0);
}

BOOST_AUTO_TEST_CASE(integers_have_whole_ticks_and_curves_that_coincide_both_show) {
  Folder f;
  f.write("N.mo", "model N\n  Integer n(start=0, fixed=true);\n  Real x(start=1, fixed=true), y = x, z = x + 1;\nequation\n"
                  "  der(x) = 1;\n  when time > 0.5 then\n    n = 1;\n  end when;\nend N;\n");
  const Svg n = drawn(f, "N.mo --plot n");
  BOOST_REQUIRE(n.values.size() == 1u);
  std::vector<std::string> labels;
  for (const auto& [pixel, label] : n.values[0].ticks) labels.push_back(label);
  BOOST_TEST(labels == (std::vector<std::string>{"0", "1"}), boost::test_tools::per_element());
  const auto dashed = [](const Svg& svg, const std::string& colour) {
    return !svg.document.select_node(("//*[@stroke-dasharray]/descendant-or-self::path[@stroke='rgb(" + colour + ")']").c_str()).node().empty();
  };
  const Svg both = drawn(f, "N.mo --plot x,y,z");
  BOOST_TEST((!dashed(both, blue) && dashed(both, red) && !dashed(both, green)));
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_is_drawn_as_far_as_it_came) {
  Folder f;
  const Ran r = f.run(MODELS "/DiscreteBehavior/Decay/Decay1.mo --quiet -o r.csv --plot-to p.svg");
  BOOST_TEST(r.status == 3);
  const Svg svg(read(f.path / "p.svg"));
  BOOST_TEST(svg.curve(blue, 0).size() > 50u);
}

BOOST_AUTO_TEST_CASE(the_same_run_gives_the_same_picture) {
  Folder f;
  for (const char* ending : {"svg", "html"}) {
    const std::string file = std::string("p.") + ending;
    f.run(ball + " --quiet -o r.csv --plot-to " + file);
    const std::string first = read(f.path / file);
    f.run(ball + " --quiet -o r.csv --plot-to " + file);
    BOOST_TEST(first.size() > 10'000u);
    BOOST_TEST((first == read(f.path / file)));
  }
}
