// Courses in Markdown.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "engine/convert.hpp"
#include "mosim/lesson.hpp"
#include "parser/diagnostic.hpp"
#include "parser/source.hpp"

namespace mosim {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view s) {
  const std::size_t from = s.find_first_not_of(blanks);
  return from == std::string_view::npos ? std::string_view() : s.substr(from, s.find_last_not_of(blanks) - from + 1);
}

std::vector<std::string_view> words_of(std::string_view s) {
  std::vector<std::string_view> words;
  for (std::size_t at = s.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(s.find_first_of(blanks, at), s.size());
    words.push_back(s.substr(at, end - at));
    at = s.find_first_not_of(blanks, end);
  }
  return words;
}

class CourseReader {
 public:
  CourseReader(const std::string& file, std::string_view text) : source_(sources_.add(file, std::string(text))), text_(source_.text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  Course read() {
    while (at_ < text_.size()) {
      const Line line = next();
      if (const std::size_t fence = fence_of(line.text)) block(line, fence);
      else if (line.text.starts_with("## ")) begin_step(line);
      else if (course_.steps.empty() && course_.title.empty() && line.text.starts_with("# ")) course_.title = trimmed(line.text.substr(2));
      else keep(line.text);
    }
    if (course_.steps.empty()) error({}, "a course has steps, and this text has none", "begin each step with a heading: ## The ball that falls through the floor");
    for (std::size_t k = 0; k < course_.steps.size(); ++k) {
      const CourseStep& s = course_.steps[k];
      if (k == 0 && s.model.empty()) error(places_[k], "the first step has no model for the editor", "give it one in a block that begins with ```modelica editor");
      if (!s.solution.empty() && s.checks.empty()) error(places_[k], "this step has a solution, but nothing is asked", "add a block ```check, with a condition in each line: count(h < 0) == 3 // it bounces three times");
    }
    course_.diagnostics = engine::diagnostics_of(found_, sources_);
    return std::move(course_);
  }

 private:
  struct Line {
    std::string_view text;   // without its end
    std::size_t begin;       // in the text
  };

  Line next() {
    const std::size_t begin = at_, end = std::min(text_.find('\n', at_), text_.size());
    at_ = std::min(end + 1, text_.size());
    std::string_view text = text_.substr(begin, end - begin);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return {text, begin};
  }

  /// How many backticks or tildes begin a fenced block (CommonMark 0.30, 4.5); 0: the line begins none.
  static std::size_t fence_of(std::string_view line) {
    if (line.empty() || (line[0] != '`' && line[0] != '~')) return 0;
    const std::size_t n = std::min(line.find_first_not_of(line[0]), line.size());
    return n >= 3 && (line[0] == '~' || line.find('`', n) == std::string_view::npos) ? n : 0;
  }

  parser::Place place(std::string_view part) const {
    const auto begin = source_.begin + std::uint32_t(part.data() - text_.data());
    return {begin, begin + std::uint32_t(std::max<std::size_t>(part.size(), 1))};
  }
  void error(parser::Place where, std::string cause, std::string remedy) {
    found_.push_back({parser::Severity::error, where, std::move(cause), std::move(remedy), {}});
  }
  Place data_of(parser::Place where) const {
    const parser::Location l = sources_.locate(where);
    return {std::string(l.path), l.line, l.offset + 1, 0, std::string(l.text)};
  }

  void keep(std::string_view line) {
    std::string& text = course_.steps.empty() ? course_.text : course_.steps.back().text;
    if (text.empty() && trimmed(line).empty()) return;
    text.append(line).append("\n");
  }

  void begin_step(const Line& line) {
    CourseStep& step = course_.steps.emplace_back();
    step.title = trimmed(line.text.substr(3));
    places_.push_back(place(line.text));
    step.place = data_of(places_.back());
  }

  void block(const Line& opening, std::size_t fence) {
    const char mark = opening.text[0];
    const std::vector<std::string_view> info = words_of(opening.text.substr(fence));
    std::vector<Line> lines;
    bool closed = false;
    while (at_ < text_.size() && !closed) {
      const Line line = next();
      const std::size_t n = std::min(line.text.find_first_not_of(mark), line.text.size());
      closed = n >= fence && trimmed(line.text.substr(n)).empty();
      if (!closed) lines.push_back(line);
    }
    if (!closed) error(place(opening.text), "this block has no end", fmt::format("end it with a line {}", opening.text.substr(0, fence)));
    std::string body;
    for (const Line& l : lines) body.append(l.text).append("\n");

    const std::string_view kind = info.empty() ? std::string_view() : info.front();
    const bool in_editor = kind == "modelica" && info.size() > 1 && info[1] == "editor";
    if (!in_editor && kind != "check" && kind != "hint" && kind != "solution") {
      keep(opening.text);
      for (const Line& l : lines) keep(l.text);
      keep(opening.text.substr(0, fence));
      return;
    }
    if (course_.steps.empty()) {
      error(place(opening.text), fmt::format("a block `{}` belongs to a step", in_editor ? "modelica editor" : kind), "begin the step with a heading above it: ## Its title");
      return;
    }
    CourseStep& step = course_.steps.back();
    if (kind == "hint") step.hints.push_back(body);
    else if (kind == "check") {
      const std::size_t before = step.checks.size();
      checks(step, lines);
      if (step.checks.size() == before) error(place(opening.text), "this block asks nothing", "write a condition in each line: count(h < 0) == 3 // it bounces three times");
    }
    else if (kind == "solution") once(step.solution, body, opening, "a solution");
    else {
      once(step.model, body, opening, "a model for the editor");
      for (std::size_t k = 2; k < info.size(); ++k) setting(step, info[k]);
    }
    for (std::size_t k = in_editor ? info.size() : 1; k < info.size(); ++k)
      error(place(info[k]), fmt::format("`{}` means nothing behind `{}`", info[k], kind), "leave it out");
  }

  void once(std::string& to, const std::string& body, const Line& opening, const char* what) {
    if (!to.empty()) error(place(opening.text), fmt::format("this step has {} already", what), "leave one of them out");
    else if (trimmed(body).empty() || body.find_first_not_of(" \t\n") == std::string::npos) error(place(opening.text), fmt::format("{} is empty", what), "write a model in the block");
    to = body;
  }

  /// `condition // words`; a line that begins with two slashes is for who reads the course's text.
  void checks(CourseStep& step, const std::vector<Line>& lines) {
    for (const Line& l : lines) {
      const std::size_t slashes = l.text.find("//");
      const std::string_view condition = trimmed(l.text.substr(0, slashes));
      if (condition.empty()) continue;
      const std::string_view words = slashes == std::string_view::npos ? std::string_view() : trimmed(l.text.substr(slashes + 2));
      step.checks.push_back({std::string(condition), std::string(words), data_of(place(condition))});
    }
  }

  void setting(CourseStep& step, std::string_view word) {
    const std::size_t equal = word.find('=');
    const std::string_view name = word.substr(0, equal), value = equal == std::string_view::npos ? std::string_view() : word.substr(equal + 1);
    if (name == "plot") {
      for (std::size_t at = 0; at <= value.size();) {
        const std::size_t end = std::min(value.find(',', at), value.size());
        if (end > at) step.shown.emplace_back(value.substr(at, end - at));
        at = end + 1;
      }
      if (step.shown.empty()) error(place(word), "`plot` names no variable", "as in plot=h,v");
      return;
    }
    std::optional<double>* const to = name == "stop" ? &step.stop : name == "tolerance" ? &step.tolerance : name == "hysteresis" ? &step.hysteresis : nullptr;
    double number = 0;
    const auto end = std::from_chars(value.data(), value.data() + value.size(), number);
    if (!to) error(place(word), fmt::format("`{}` means nothing here", word), "the editor's runs have stop=3, tolerance=1e-6, hysteresis=0.01 and plot=h,v");
    else if (end.ec != std::errc() || end.ptr != value.data() + value.size() || !(number >= 0)) error(place(word), fmt::format("`{}` needs a number", name), fmt::format("as in {}=3", name));
    else *to = number;
  }

  parser::Sources sources_;
  const parser::Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  Course course_;
  std::vector<parser::Place> places_;   // of the steps
  parser::Diagnostics found_;
};

}  // namespace

Course read_course(const std::string& file, std::string_view text) { return CourseReader(file, text).read(); }

}  // namespace mosim
