#include "tests/golden/golden_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace mosim::golden {
namespace {

constexpr int instants = 20;
constexpr int most_lines = 8;   // of differences

bool near(double a, double b, double tolerance) {
  return std::isnan(a) ? std::isnan(b) : std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

std::string shortened(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i) text += lines[i] + "\n";
  if (lines.size() > most_lines) text += fmt::format("and {} more\n", lines.size() - most_lines);
  return text;
}

void compare_events(const std::vector<double>& expected, const std::vector<double>& found, double tolerance,
                    std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i)
    if (!(std::fabs(expected[i] - found[i]) <= tolerance))
      lines.push_back(fmt::format("event {} at {}, expected at {}", i + 1, found[i], expected[i]));
  if (expected.size() != found.size())
    lines.push_back(fmt::format("{} events, expected {}", found.size(), expected.size()));
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  if (!line.empty() && line.back() == ',') fields.emplace_back();
  return fields;
}

double number(const std::string& field, const std::string& line) {
  if (field.empty()) return not_told;
  std::size_t used = 0;
  try {
    const double value = std::stod(field, &used);
    if (used == field.size()) return value;
  } catch (const std::exception&) {
  }
  throw std::runtime_error("not a number: " + field + " in: " + line);
}

}  // namespace

Golden make_golden(const Case& c, const Run& run) {
  Golden g;
  g.witness = c.witness.by;
  g.tolerance = c.witness.tolerance;
  g.event_tolerance = c.witness.event_tolerance;
  g.columns = c.witness.variables;
  g.columns.insert(g.columns.begin(), "time");
  // Rows of the output grid, a little before the middle between two twentieths: events tend to lie elsewhere.
  const double span = c.settings.stop - c.settings.start;
  std::vector<double> times;
  for (int k = 0; k < instants; ++k) times.push_back(c.settings.start + (k + 0.47) * span / instants);
  times.push_back(c.settings.stop);
  for (const double t : times) {
    const std::vector<double> told = c.witness.at(t);
    std::vector<double> row{t};
    for (std::size_t i = 0; i < c.witness.variables.size(); ++i)
      row.push_back(std::isnan(told[i]) ? not_told : run.value(c.witness.variables[i], t + 1e-9 * span));
    g.rows.push_back(std::move(row));
  }
  g.has_events = c.witness.events.has_value();
  if (g.has_events) g.events = run.event_times();
  return g;
}

std::string to_text(const std::string& name, const Golden& g) {
  std::string text = fmt::format("# {}\n# witness: {}\n# tolerance: {}\n# event tolerance: {}\n", name, g.witness,
                                 g.tolerance, g.event_tolerance);
  text += fmt::format("{}\n", fmt::join(g.columns, ","));
  for (const auto& row : g.rows) {
    std::vector<std::string> fields;
    for (const double v : row) fields.push_back(std::isnan(v) ? "" : fmt::format("{:.12g}", v));
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  if (g.has_events) {
    text += "events\n";
    for (const double t : g.events) text += fmt::format("{}\n", t);
  }
  return text;
}

Golden from_text(const std::string& text) {
  Golden g;
  std::istringstream in(text);
  const auto after = [](const std::string& line, const std::string& key) {
    return line.rfind(key, 0) == 0 ? std::optional(line.substr(key.size())) : std::nullopt;
  };
  for (std::string line; std::getline(in, line);) {
    if (const auto by = after(line, "# witness: ")) {
      g.witness = *by;
    } else if (const auto t = after(line, "# tolerance: ")) {
      g.tolerance = number(*t, line);
    } else if (const auto e = after(line, "# event tolerance: ")) {
      g.event_tolerance = number(*e, line);
    } else if (line.rfind("#", 0) == 0) {
    } else if (line == "events") {
      g.has_events = true;
    } else if (g.columns.empty()) {
      g.columns = split(line);
    } else if (g.has_events) {
      g.events.push_back(number(line, line));
    } else {
      std::vector<double> row;
      for (const std::string& field : split(line)) row.push_back(number(field, line));
      if (row.size() != g.columns.size()) throw std::runtime_error("too many or too few numbers in: " + line);
      g.rows.push_back(std::move(row));
    }
  }
  return g;
}

std::string differences(const Golden& stored, const Golden& found) {
  std::vector<std::string> lines;
  if (stored.columns != found.columns) return "other variables than those stored\n";
  if (stored.rows.size() != found.rows.size()) return "another number of rows than is stored\n";
  for (std::size_t r = 0; r < stored.rows.size(); ++r)
    for (std::size_t i = 0; i < stored.columns.size(); ++i) {
      const double a = found.rows[r][i], b = stored.rows[r][i];
      // The stored digits are rounded to twelve.
      if (!near(a, b, std::max(stored.tolerance, 1e-11)))
        lines.push_back(fmt::format("{} is {} at {}, stored is {}", stored.columns[i], a, stored.rows[r][0], b));
    }
  if (stored.has_events != found.has_events) return "events are stored or found, but not both\n";
  compare_events(stored.events, found.events, stored.event_tolerance, lines);
  return shortened(lines);
}

std::string differences(const Case& c, const Run& run) {
  std::vector<std::string> lines;
  const Witness& w = c.witness;
  std::vector<std::size_t> columns;
  for (const std::string& name : w.variables) columns.push_back(run.column(name));
  const double span = c.settings.stop - c.settings.start;
  const double apart = w.event_tolerance + 1e-9 * span;
  for (std::size_t r = 0; r < run.rows(); ++r) {
    const double t = run.time(r);
    // Rows at an event: which of the two sides they belong to is for the test of E13 to say.
    if (w.events && !w.events->empty()) {
      const auto next = std::lower_bound(w.events->begin(), w.events->end(), t - apart);
      if (next != w.events->end() && *next <= t + apart) continue;
    }
    const std::vector<double> told = w.at(t);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = run.at(r, columns[i]);
      if (!std::isnan(told[i]) && !near(value, told[i], w.tolerance))
        lines.push_back(fmt::format("{} is {} at {}, the witness says {}", w.variables[i], value, t, told[i]));
    }
  }
  if (w.events) compare_events(*w.events, run.event_times(), w.event_tolerance, lines);
  return shortened(lines);
}

}  // namespace mosim::golden
