#include "cli/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mosim::cli {

using namespace report;

namespace {

constexpr int usual_digits = 5, most_digits = 15;

/// So many digits that labels one step apart differ.
int digits_for(double largest, double step) {
  if (!(largest > 0)) return usual_digits;
  return std::clamp(int(std::floor(std::log10(largest)) - std::floor(std::log10(step))) + 1, usual_digits, most_digits);
}

std::vector<Tick> ticks_from(const Panel& panel, double base, double step) {
  const double low = panel.low - base, high = panel.high - base;
  const int digits = digits_for(std::max(std::abs(low), std::abs(high)), step);
  std::vector<Tick> ticks;
  for (double k = std::ceil(low / step); k * step <= high; ++k)
    ticks.push_back({base + k * step, fmt::format("{}{:.{}g}", base != 0 && k > 0 ? "+" : "", k * step + 0.0, digits)});
  return ticks;
}

/// The roundest number in a range that does not hold 0.
double roundest(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  for (double power = std::pow(10, std::floor(std::log10(size))); power > 1e-17 * size; power /= 10) {
    const double multiple = std::round(std::ceil(low / power)) * power;
    if (multiple <= high) return power < 1 ? std::strtod(fmt::format("{:.15g}", multiple).c_str(), nullptr) : multiple;
  }
  return low;
}

}  // namespace

double tick_step(const Panel& panel, int most) {
  const double least = (panel.high - panel.low) / std::max(most, 2);
  const double power = std::pow(10, std::floor(std::log10(least)));
  const double step = least <= power ? power : least <= 2 * power ? 2 * power : least <= 5 * power ? 5 * power : 10 * power;
  return panel.unit_ticks ? std::max(step, 1.0) : step;
}

Axis label_axis(const Panel& panel, double step, int columns) {
  Axis axis{0, ticks_from(panel, 0, step)};
  const auto fits = [&](const Tick& t) { return int(t.label.size()) <= columns; };
  if (panel.low * panel.high <= 0 || std::all_of(axis.ticks.begin(), axis.ticks.end(), fits)) return axis;
  axis.base = roundest(panel.low, panel.high);
  axis.ticks = ticks_from(panel, axis.base, step);
  return axis;
}

}  // namespace mosim::cli
