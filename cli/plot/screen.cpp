// A plot on a terminal. gnuplot draws it twice with its `dumb` terminal, which makes a picture of characters: axes and labels at
// the terminal's own size, and the curves at the size of the dots of Braille characters (2 by 4 each), which are then laid over
// the inside of the axes. (From gnuplot 6 on there is a terminal `block braille`; Debian 12 has 5.4.)

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cli/output.hpp"
#include "cli/plot/axis.hpp"
#include "cli/plot/gnuplot.hpp"
#include "cli/plot/plot.hpp"

namespace mosim::cli {

using namespace report;

namespace {

constexpr const char* separator = "@@@ next @@@";
// The characters that `dumb` draws line types 1, 2, ... with.
constexpr std::string_view symbols = "*#$%@&=";
constexpr int sgr_colours[] = {34, 31, 32, 33, 35, 36};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') lines.emplace_back();
    else if (c != '\f') lines.back() += c;
  }
  return lines;
}

std::string coloured(const Screen& screen, std::size_t curve, const std::string& text) {
  if (!screen.colour) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", sgr_colours[curve % std::size(sgr_colours)], text);
}

std::string utf8(unsigned c) {
  std::string s;
  s += char(0xe0 | (c >> 12));
  s += char(0x80 | ((c >> 6) & 0x3f));
  s += char(0x80 | (c & 0x3f));
  return s;
}

// U+2500 and so on, or ASCII.
std::string frame(const Screen& screen, char c) {
  if (!screen.braille) return std::string(1, c);
  return c == '|' ? "\u2502" : c == '-' ? "\u2500" : c == '^' ? "\u2534" : "\u2514";
}

// Many panels, or one with many captions, make the drawing taller than the screen rather than unreadable.
struct Grid {
  int left;             // column of the value axis
  int width, height;    // of the inside, in characters
  int dots_x, dots_y;   // in a character
};

// Where a column begins: characters may have more than one byte.
std::size_t byte_of_column(const std::string& line, int column) {
  std::size_t k = 0;
  for (; k < line.size() && (column > 0 || (static_cast<unsigned char>(line[k]) & 0xc0) == 0x80); ++k)
    if ((static_cast<unsigned char>(line[k]) & 0xc0) != 0x80) --column;
  return k;
}

struct Drawing {
  std::vector<std::string> times;   // labels of the time axis; of the last panel only
  std::vector<std::string> dots;
};

// Labels of the value axis beside the rows that hold the dots of their values.
std::vector<std::string> value_labels(const Panel& panel, const std::vector<Tick>& ticks, const Grid& l) {
  std::vector<std::string> labels(std::size_t(l.height), std::string(std::size_t(l.left), ' '));
  const int dots = l.height * l.dots_y;
  for (const Tick& t : ticks) {
    const double part = (t.value - panel.low) / (panel.high - panel.low);
    const int row = (dots - 1 - int(std::lround(part * (dots - 1)))) / l.dots_y;
    if (row < 0 || row >= l.height) continue;
    // Columns, not bytes.
    std::string label = t.label.substr(0, byte_of_column(t.label, l.left - 1));
    const std::size_t width = std::size_t(std::count_if(label.begin(), label.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
    labels[std::size_t(row)] = std::string(std::size_t(l.left) - 1 - width, ' ') + label + ' ';
  }
  return labels;
}

std::optional<std::string> draw_with_dumb(const Picture& p, const Panel& panel, const Grid& l, bool last, Drawing& drawing) {
  std::string s = "set encoding utf8\nset print '-'\n";
  for (std::size_t k = 0; k < panel.curves.size(); ++k) s += data_block(fmt::format("curve_{}", k), panel.curves[k]);
  const std::string range = fmt::format("set xrange [{:.17g}:{:.17g}]\n", p.start, p.stop);
  if (last)
    s += range + fmt::format("set terminal dumb noenhanced size {},3\nset lmargin {}\nset rmargin 3\nset tmargin 0\nset bmargin 1\n"
                             "set yrange [0:1]\nset border 1\nset tics nomirror scale 0\nunset ytics\nset format x '%.5g'\nplot NaN notitle\n",
                             l.left + l.width + 4, l.left);
  s += fmt::format("print '{}'\nreset\n{}set yrange [{:.17g}:{:.17g}]\nunset border\nunset tics\n", separator, range, panel.low, panel.high);
  s += fmt::format("set terminal dumb noenhanced size {},{}\nset margins screen 0, screen 1, screen 0, screen 1\n", l.width * l.dots_x,
                   l.height * l.dots_y);
  std::string plot;
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const Curve& c = panel.curves[k];
    const char* with = c.times.size() < 2 || c.times.front() == c.times.back() ? "points pt" : c.steps ? "steps lt" : "lines lt";
    plot += fmt::format("{}$curve_{} using 1:2 with {} {} notitle", plot.empty() ? "" : ", ", k, with, k % symbols.size() + 1);
  }
  s += "plot " + plot + "\n";
  std::string text;
  if (auto problem = run_gnuplot(s, text)) return problem;
  const std::size_t middle = text.find(separator);
  if (middle == std::string::npos) return "gnuplot drew nothing";
  drawing.times = lines_of(text.substr(0, middle));
  drawing.dots = lines_of(text.substr(text.find('\n', middle) + 1));
  return {};
}

// A character of the curves: the dots that are set in it, and the curve that the first one belongs to.
struct Cell {
  std::string text = " ";
  std::size_t curve = 0;
};

Cell cell(const Drawing& d, const Grid& l, const Screen& screen, int column, int row) {
  static constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  unsigned set = 0;
  char symbol = ' ';
  for (int y = 0; y < l.dots_y; ++y)
    for (int x = 0; x < l.dots_x; ++x) {
      const std::size_t line = std::size_t(row * l.dots_y + y), at = std::size_t(column * l.dots_x + x);
      if (line >= d.dots.size() || at >= d.dots[line].size() || d.dots[line][at] == ' ') continue;
      set |= bits[y][x];
      if (symbol == ' ') symbol = d.dots[line][at];
    }
  if (!set) return {};
  const std::size_t curve = symbols.find(symbol);
  return {screen.braille ? utf8(0x2800 + set) : std::string(1, symbol), curve == std::string_view::npos ? 0 : curve};
}

// A row of the inside, with one change of colour for characters that have the same.
std::string row_of_cells(const Drawing& d, const Grid& l, const Screen& screen, std::size_t first_curve, int row) {
  std::vector<Cell> cells;
  for (int column = 0; column < l.width; ++column) cells.push_back(cell(d, l, screen, column, row));
  while (!cells.empty() && cells.back().text == " ") cells.pop_back();
  std::string text;
  for (std::size_t k = 0; k < cells.size();) {
    if (cells[k].text == " ") {
      text += cells[k++].text;
      continue;
    }
    const std::size_t curve = cells[k].curve;
    std::string run;
    for (; k < cells.size() && cells[k].text != " " && cells[k].curve == curve; ++k) run += cells[k].text;
    text += coloured(screen, first_curve + curve, run);
  }
  return text;
}

void compose(std::string& text, const Picture& p, const Panel& panel, const Drawing& d, const Grid& l, const Screen& screen,
             std::size_t first_curve) {
  const Axis axis_of_values = panel.ticks.empty() ? label_axis(panel, tick_step(panel, l.height * 3 / 4), l.left - 1) : Axis{0, panel.ticks};
  const std::vector<std::string> labels = value_labels(panel, axis_of_values.ticks, l);
  if (axis_of_values.base != 0) text += std::string(std::size_t(l.left), ' ') + fmt::format("values: {:.15g} and what the axis adds\n", axis_of_values.base);
  for (int row = 0; row < l.height; ++row)
    text += labels[std::size_t(row)] + frame(screen, '|') + row_of_cells(d, l, screen, first_curve, row) + '\n';
  // The time axis, with a mark where an event is.
  std::vector<char> axis(std::size_t(l.width), '-');
  for (const Mark& m : p.marks) {
    const double at = (m.time - p.start) / (p.stop - p.start) * (l.width - 1);
    if (at >= 0 && at < l.width) axis[std::size_t(std::lround(at))] = '^';
  }
  text += std::string(std::size_t(l.left), ' ') + frame(screen, '+');
  for (const char c : axis) text += frame(screen, c);
  text += '\n';
  for (const std::string& line : d.times) {
    const std::string label = line.substr(0, line.find_last_not_of(' ') + 1);
    if (label.find_first_not_of("+-| ") != std::string::npos) text += label + '\n';
  }
}

std::string plain(std::string text) {
  for (std::size_t at; (at = text.find("\u2013")) != std::string::npos;) text.replace(at, std::strlen("\u2013"), "-");
  return text;
}

// In one line, whatever a description holds.
std::string legend(const Curve& curve, const Screen& screen) {
  std::string text = visible(screen.braille ? caption(curve) : plain(caption(curve)));
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

int number_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  const int n = text ? std::atoi(text) : 0;
  return n > 0 ? n : otherwise;
}

}  // namespace

Screen screen_of(int descriptor) {
  Screen s;
  winsize size{};
  const bool terminal = isatty(descriptor) == 1;
  if (terminal) (void)ioctl(descriptor, TIOCGWINSZ, &size);
  s.columns = size.ws_col > 0 ? size.ws_col : number_of("COLUMNS", s.columns);
  s.rows = size.ws_row > 0 ? size.ws_row : number_of("LINES", s.rows);
  const auto variable = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string_view(text ? text : "");
  };
  const std::string_view term = variable("TERM");
  s.colour = terminal && term != "dumb" && variable("NO_COLOR").empty();
  std::string_view locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (locale.empty()) locale = variable(name);
  // A locale that is not set says nothing; one that is set and is not of UTF-8 does. The Linux console has no Braille.
  const bool other = !locale.empty() && locale.find("UTF-8") == std::string_view::npos && locale.find("utf8") == std::string_view::npos;
  s.braille = !other && term != "linux" && !(terminal && term == "dumb");
  return s;
}

std::optional<std::string> plot_on_screen(const Recording& run, const std::string& variables, const Screen& screen,
                                          std::string& text) {
  if (run.rows.rows == 0) return "there is nothing to draw: the run has no results";
  auto chosen = choose(run.program, variables);
  if (auto* problem = std::get_if<std::string>(&chosen)) return std::move(*problem);
  // Dots of one colour do not tell curves apart.
  std::vector<Choice> choices{std::get<Choice>(chosen)};
  if (screen.braille && !screen.colour) {
    choices.clear();
    for (const runtime::Index v : std::get<Choice>(chosen)) choices.push_back({v});
  }
  Picture p;
  for (const Choice& c : choices) {
    Picture part = make_picture(run, c, 1000);
    if (p.panels.empty()) p = std::move(part);
    else p.panels.push_back(std::move(part.panels.front()));
  }

  Grid l{};
  l.dots_x = screen.braille ? 2 : 1;
  l.dots_y = screen.braille ? 4 : 1;
  l.left = 10;
  int captions = 0;
  for (const Panel& panel : p.panels) {
    captions += int(panel.curves.size()) + 1;
    for (const Tick& t : panel.ticks) l.left = std::max(l.left, std::min(int(t.label.size()) + 2, screen.columns / 3));
  }
  l.width = std::clamp(screen.columns - l.left - 4, 20, 400);
  const int room = (screen.rows - 4 - captions) / int(p.panels.size());
  std::size_t curve = 0;
  for (std::size_t k = 0; k < p.panels.size(); ++k) {
    const Panel& panel = p.panels[k];
    l.height = panel.ticks.empty() ? std::clamp(room, 7, 30) : std::clamp(room, int(panel.ticks.size()) * 3 / 2, int(panel.ticks.size()) * 2);
    const std::string indent(std::size_t(l.left), ' ');
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      std::string sample = screen.braille ? "\u2500\u2500 " : std::string(2, symbols[c % symbols.size()]) + " ";
      if (panel.curves.size() == 1 && !screen.colour) sample.clear();
      text += indent + coloured(screen, curve + c, sample) + legend(panel.curves[c], screen) + '\n';
    }
    Drawing d;
    if (auto problem = draw_with_dumb(p, panel, l, k + 1 == p.panels.size(), d)) return problem;
    compose(text, p, panel, d, l, screen, curve);
    curve += panel.curves.size();
  }
  const std::size_t n = event_count(p);
  text += std::string(std::size_t(l.left), ' ') + "time [s]" +
          (n == 0 ? "" : fmt::format("   {} {} event{}", frame(screen, '^'), n, n == 1 ? "" : "s")) + '\n';
  return {};
}

}  // namespace mosim::cli
