// The script for a picture in a file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "cli/plot/axis.hpp"
#include "cli/plot/gnuplot.hpp"
#include "report/wording.hpp"

namespace mosim::cli {

using namespace report;

namespace {

using runtime::EventKind;

/// Lengths in pixels, from the top; all that has to do with letters grows with the font.
struct Layout {
  double font = 13, scale = 1;          // of 13 pixels
  double width = 960, height = 0;
  double left = 92, right = 24, top = 58, bottom = 74, gap = 20, legend_line = 19;
  double numbers = 0;                   // room for the numbers of events above the first panel
  std::vector<double> panels;           // heights

  std::size_t letters(double size) const { return std::size_t(std::max(8.0, (width - left - right)/(0.55*size))); }
};

constexpr const char* colours[] = {"#1f6fb4", "#d1495b", "#2e8b57", "#c98a00", "#7d5ba6", "#0f8b8d", "#8c564b", "#5f6b7a"};

struct KindStyle {
  EventKind kind;
  const char* name;
  const char* colour;
  const char* dashes;
};
// Distinct in grey, too.
constexpr KindStyle kinds[] = {{EventKind::state, "state event", "#80804030", "dt 1"},
                               {EventKind::time, "time event", "#80305080", "dt (8,5)"},
                               {EventKind::clock, "clock tick", "#80406020", "dt (2,4)"}};

double height_of(const Panel& p, double scale) {
  if (p.ticks.empty()) return 190;
  const double per_tick = p.curves.size() > 1 || p.ticks.size() <= 2 ? 27 : 24;
  return std::max(60.0, per_tick * double(p.ticks.size())) * scale;
}

/// Or what is wrong.
std::optional<std::string> lay_out(const Picture& p, const PictureStyle& style, Layout& l) {
  l.font = style.font_size;
  l.scale = l.font/13;
  for (double* length : {&l.left, &l.right, &l.top, &l.bottom, &l.gap, &l.legend_line}) *length *= l.scale;
  if (!p.marks.empty()) l.numbers = 12*l.scale;
  double others = l.top + l.bottom + l.numbers, all = 0;
  for (const Panel& panel : p.panels) {
    others += l.gap + l.legend_line*double(panel.curves.size());
    l.panels.push_back(height_of(panel, l.scale));
    all += l.panels.back();
  }
  l.height = others + all;
  if (!style.size) return {};
  l.width = style.size->width;
  l.height = style.size->height;
  const double least_height = others + 36*l.scale*double(p.panels.size()), least_width = l.left + l.right + 200*l.scale;
  if (l.height < least_height || l.width < least_width)
    return fmt::format("a picture of {}x{} has no room for {} with letters of {:.3g} pixels: it takes {:.0f}x{:.0f} at least, or a smaller --plot-font", style.size->width, style.size->height,
                       report::plural(p.panels.size(), "panel"), l.font, std::ceil(least_width), std::ceil(least_height));
  for (double& height : l.panels) height *= (l.height - others)/all;
  return {};
}

/// The numbers of events above the first panel; one that would stand in another's place is left out.
std::string number_labels(const Picture& p, const Layout& l, const std::string& font) {
  std::string text;
  double last = -INFINITY;
  int tag = 10;
  for (const Mark& m : p.marks) {
    const std::string number = m.events > 1 ? fmt::format("{}\u2013{}", m.number, m.number + m.events - 1) : std::to_string(m.number);
    const double x = (m.time - p.start)/(p.stop - p.start)*(l.width - l.left - l.right), half = 0.5*0.5*l.font*double(m.events > 1 ? number.size() - 2 : number.size());
    if (x - half < last + 0.3*l.font) continue;
    last = x + half;
    text += fmt::format("set label {} {} at first {:.17g}, graph 1 center offset 0,character 0.45 font '{}' noenhanced textcolor rgb '#606060'\n", tag++, gnuplot_string(number), m.time, font);
  }
  return text;
}

// Cut where the line is full, between two characters of UTF-8.
std::string fitted(std::string text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xc0) == 0x80) continue;
    if (++characters > most) {
      text.resize(k);
      return text + "\u2026";
    }
  }
  return text;
}

// One vertical line for an event: across the panel ($lines_...), or a stub at its foot where events are crowded ($stubs_...).
std::string event_blocks(const Picture& p) {
  std::string text;
  for (const KindStyle& k : kinds)
    for (const bool apart : {true, false}) {
      text += fmt::format("${}_{} << end_of_data\n", apart ? "lines" : "stubs", int(k.kind));
      double last = -INFINITY;
      for (const Mark& m : p.marks) {
        if (m.kind != k.kind || m.apart != apart || m.time - last < 8e-4 * (p.stop - p.start)) continue;  // on the same pixel
        last = m.time;
        text += fmt::format("{:.17g}\n", m.time);
      }
      text += "end_of_data\n";
    }
  return text;
}

std::size_t count(const Picture& p, EventKind kind, bool apart) {
  std::size_t n = 0;
  for (const Mark& m : p.marks)
    if (m.kind == kind && m.apart == apart) n += m.events;
  return n;
}

/// `name,size` for gnuplot; a file of each kind counts in units of its own. Without a name: of another size alone.
std::string font_for(Format format, const PictureStyle& style, double size, bool with_name) {
  const double points = 72.0/96;
  const double own = format == Format::svg ? size : format == Format::pdf ? size*points*0.985 : size*points*(style.size ? 1 : 2)*0.975;
  const std::string name = !with_name ? "" : !style.font.empty() ? style.font : format == Format::svg ? "sans-serif" : "Sans";
  return fmt::format("{},{:.4g}", name, own);
}

std::string terminal(Format format, const Layout& l, const PictureStyle& style) {
  const std::string font = font_for(format, style, l.font, true);
  switch (format) {
    case Format::svg: return fmt::format("set terminal svg noenhanced rounded size {},{} font '{}' background '#ffffff'\n", l.width, l.height, font);
    case Format::png: {
      const int fine = style.size ? 1 : 2;
      return fmt::format("set terminal pngcairo noenhanced rounded size {},{} font '{}' fontscale 1 linewidth {} background '#ffffff'\n", fine*l.width, fine*l.height, font, fine*std::max(1.0, 0.8*l.scale));
    }
    case Format::pdf:
      return fmt::format("set terminal pdfcairo noenhanced rounded size {:.4f}in,{:.4f}in font '{}' linewidth {:.3g} background '#ffffff'\n", l.width / 96, l.height / 96, font, 1.3*std::max(1.0, 0.8*l.scale));
  }
  return "";
}

}  // namespace

std::optional<std::string> draw(const Picture& p, Format format, const PictureStyle& style, std::string& output) {
  Layout layout;
  if (const auto problem = lay_out(p, style, layout)) return problem;
  const double width = layout.width, height = layout.height, left = layout.left, right = layout.right, scale = layout.scale;

  std::string s = "set encoding utf8\n" + terminal(format, layout, style);
  auto to = std::back_inserter(s);
  std::size_t number = 0;
  for (const Panel& panel : p.panels)
    for (const Curve& c : panel.curves) s += data_block(fmt::format("curve_{}", number++), c);
  s += event_blocks(p);
  fmt::format_to(to, "set multiplot\nset lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", left / width, 1 - right / width);
  fmt::format_to(to, "set xrange [{:.17g}:{:.17g}]\nset xtics nomirror out scale 0.6\nset ytics nomirror out scale 0.6\n", p.start, p.stop);
  s += "set border 3 lc rgb '#808080'\nset grid lt 1 lc rgb '#e6e6e6' lw 0.8\nset tics textcolor rgb '#303030'\n";
  fmt::format_to(to, "set label 1 {} at screen {:.6f}, screen {:.6f} left font '{}' noenhanced\n", gnuplot_string(fitted(style.title.empty() ? p.title : style.title, layout.letters(1.23*layout.font))),
                 left / width, 1 - 22*scale / height, font_for(format, style, 1.23*layout.font, false));
  fmt::format_to(to, "set label 2 {} at screen {:.6f}, screen {:.6f} left noenhanced textcolor rgb '#606060'\n",
                 gnuplot_string(fitted(p.description, layout.letters(layout.font))),
                 left / width, 1 - 43*scale / height);

  if (!p.note.empty())
    fmt::format_to(to, "set label 4 {} at screen {:.6f}, screen {:.6f} right noenhanced textcolor rgb '#606060'\n", gnuplot_string(p.note),
                   1 - right / width, 14*scale / height);

  double y = layout.top;
  std::size_t curve = 0;
  for (std::size_t k = 0; k < p.panels.size(); ++k) {
    const Panel& panel = p.panels[k];
    const double legend = layout.legend_line * double(panel.curves.size()), panel_height = layout.panels[k];
    fmt::format_to(to, "set key at screen {:.6f}, screen {:.6f} left top vertical maxcols 1 Left reverse samplen 2 spacing {} width 0 noenhanced noopaque\n",
                   left / width - 0.004, 1 - (y + 3) / height, format == Format::pdf ? 1.6 : 1.2);
    y += legend + layout.gap * 0.5 + (k == 0 ? layout.numbers : 0);
    fmt::format_to(to, "set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n", 1 - y / height, 1 - (y + panel_height) / height);
    y += panel_height + layout.gap * 0.5;
    fmt::format_to(to, "set yrange [{:.17g}:{:.17g}]\n", panel.low, panel.high);
    // Nearly constant: gnuplot would write the same number at every tick.
    const Axis axis = panel.ticks.empty() && panel.high - panel.low < 1e-4 * std::max(std::abs(panel.low), std::abs(panel.high))
                          ? label_axis(panel, tick_step(panel, 6), 9) : Axis{0, panel.ticks};
    // gnuplot's own choice takes no account of how low a panel is.
    const bool low = panel_height < 140*scale;
    const std::string step = low ? fmt::format("{:.15g}", std::max(tick_step(panel, std::max(1, int(panel_height/(2.2*layout.font)))), panel.unit_ticks ? 1.0 : 0.0)) : panel.unit_ticks ? "1" : "autofreq";
    s += axis.ticks.empty() ? fmt::format("set ytics {}\nset format y '%.6g'\n", step) : named_ticks(axis.ticks);
    if (axis.base != 0)
      fmt::format_to(to, "set label 5 {} at graph 0.004, graph 0.96 left noenhanced textcolor rgb '#606060'\n", gnuplot_string(fmt::format("{:.15g} +", axis.base)));
    const std::string unit = panel.unit.empty() ? "" : "[" + panel.unit + "]";
    const std::string label = panel.curves.size() == 1 && panel.curves[0].name.size() < 16
                                  ? panel.curves[0].name + (unit.empty() ? "" : " " + unit) : unit;
    fmt::format_to(to, "set label 3 {} at screen {:.6f}, graph 0.5 center rotate by 90 noenhanced\n", gnuplot_string(fitted(label, 24)), 22*scale / width);
    if (k + 1 == p.panels.size())
      s += "set format x '%.6g'\nset xlabel 'time [s]'\n";
    else
      s += "set format x ''\nunset xlabel\n";
    if (k == 0) s += number_labels(p, layout, font_for(format, style, 0.8*layout.font, false));
    std::string plot;
    for (const KindStyle& e : kinds)
      for (const bool apart : {true, false})
        if (count(p, e.kind, apart))
          plot += fmt::format("${}_{} using 1:({:.15g}):(0):({:.15g}) with vectors nohead lw 0.8 lc rgb '{}' {} notitle, ",
                              apart ? "lines" : "stubs", int(e.kind), panel.low,
                              apart ? panel.high - panel.low : std::min(10 / panel_height, 0.1) * (panel.high - panel.low),
                              e.colour, apart ? e.dashes : "dt 1");
    for (const Curve& c : panel.curves) {
      // A single point has no line.
      const char* with = c.times.size() < 2 || c.times.front() == c.times.back() ? "points pt 7 ps 0.6" : c.steps ? "steps lw 1.6" : "lines lw 1.6";
      plot += fmt::format("$curve_{} using 1:2 with {} lc rgb '{}'{} title {}, ", curve, with, colours[curve % std::size(colours)],
                          c.hides_another ? " dt (8,8)" : "", gnuplot_string(fitted(caption(c), layout.letters(layout.font) - std::min<std::size_t>(8, layout.letters(layout.font)/2))));
      ++curve;
    }
    s += "plot " + plot.substr(0, plot.size() - 2) + "\nunset label\n";
  }

  // What the vertical lines are.
  std::string legend;
  for (const KindStyle& e : kinds)
    if (const std::size_t n = count(p, e.kind, true) + count(p, e.kind, false))
      legend += fmt::format("{}NaN with lines lw 1.4 lc rgb '{}' {} title {}", legend.empty() ? "" : ", ", e.colour, e.dashes,
                            gnuplot_string(fmt::format("{} {}{}", n, e.name, n == 1 ? "" : "s")));
  if (!legend.empty()) {
    fmt::format_to(to, "unset border\nunset tics\nunset grid\nunset xlabel\nset tmargin at screen {:.6f}\nset bmargin at screen 0\nset yrange [0:1]\n",
                   26*scale / height);
    fmt::format_to(to, "set key at screen {:.6f}, screen {:.6f} left bottom horizontal maxcols auto maxrows 1 width 2 Left reverse samplen 2.5\n", left / width - 0.004, 6*scale / height);
    s += "plot " + legend + "\n";
  }
  s += "unset multiplot\n";
  return run_gnuplot(s, output);
}

}  // namespace mosim::cli
