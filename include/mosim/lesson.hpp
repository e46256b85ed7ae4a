#pragma once
// Exercises: conditions that a run fulfils or not, a run beside another one, and courses made of such exercises.
//
//   for (const mosim::Answer& a : mosim::check(result, {{"count(h < 0) == 3", "it bounces three times"}})) ...
//   mosim::Comparison c = mosim::compare(reference, result, {.tolerance = 1e-3});
//   mosim::Course course = mosim::read_course("lesson.md", text);

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mosim/session.hpp"

namespace mosim {

// ---- conditions --------------------------------------------------------------------------------------------------------

/// What a run is to fulfil: a condition in the terms of Measures (study.hpp), "count(h < 0) == 3 and always(h > -0.01)".
struct Check {
  std::string condition;
  std::string words;           // the same for a reader; may be empty
  Place place{};
};

struct Answer {
  Check check;
  bool holds = false;
  /// What the functions over the run in the condition gave: "count(h < 0) is 6, min(h) is -0.2".
  std::string found;
  std::string problem;         // why it could not be looked at: "M has no variable x"; then it does not hold
  bool is_of_condition = false;   // the problem is one of the condition, whatever the model
};

/// One answer for each condition. A result without a run, or without the rows of a variable, is a problem of the answer.
std::vector<Answer> check(const Result& result, const std::vector<Check>& checks);

// ---- one run beside another --------------------------------------------------------------------------------------------

struct ComparisonOptions {
  /// How far a variable may be off, as a part of its range in the reference; and how far an instant may, as a part of the run's length.
  double tolerance = 1e-3;
  /// Names, and patterns with * and ?; empty: all Reals, Integers, Booleans and enumerations of the reference but parameters, constants, derivatives and
  /// what is protected.
  std::vector<std::string> variables{};
};

struct Compared {
  std::string variable;
  bool is_there = true;        // in the other run, as a number
  bool agrees = false;
  double difference = 0;       // the largest one, in the variable's unit
  double allowed = 0;
  double time = 0;             // of the largest difference, s
  double reference = 0, found = 0;   // at that time
};

struct Comparison {
  bool agrees = false;         // in all variables, and the end
  double reference_end = 0, end = 0;   // s
  bool same_end = false;       // within the tolerance, and for the same reason
  std::vector<Compared> variables;
};

/// Compares what a result has with a reference, each row of either with the other within a time of tolerance*(length of the run) around it, so that a jump may come
/// that much sooner or later: a variable agrees if every value lies between the smallest and the largest one of the other run there,
/// or not farther from them than the tolerance times its range in the reference (a variable that stands still: times its size). Booleans, Integers and enumerations have
/// to be among the values there. Throws std::invalid_argument for a name that the reference does not have.
Comparison compare(const Result& reference, const Result& result, const ComparisonOptions& options = {});

// ---- courses -----------------------------------------------------------------------------------------------------------

/// A step of a course: a text, a model to change, and conditions.
struct CourseStep {
  std::string title;
  std::string text;            // Markdown
  std::string model;           // what stands in the editor at first; empty: what stood there
  std::optional<double> stop{}, tolerance{}, hysteresis{};   // of its runs
  std::vector<std::string> shown;   // variables
  std::vector<Check> checks;   // all of them to hold; none: nothing is asked
  std::vector<std::string> hints;
  std::string solution;        // a model that fulfils them; may be empty
  Place place;
};
struct Course {
  std::string title;
  std::string text;            // Markdown, before the first step
  std::vector<CourseStep> steps;
  Diagnostics diagnostics;     // what is wrong with the text
};

/// A course as Markdown: the heading `# ...` is its title, each `## ...` begins a step. In a step, fenced blocks have a meaning by their first word:
///
///   ```modelica                       a piece of a model, to be read
///   ```modelica editor stop=3 plot=h,v    the model in the editor; stop, tolerance, hysteresis and plot of its runs
///   ```check                          a condition in each line, and after two slashes what it says in words
///   ```hint                           a hint in Markdown, for who asks for it; several are given one by one
///   ```solution                       a model that fulfils the conditions
Course read_course(const std::string& file, std::string_view text);

}  // namespace mosim
