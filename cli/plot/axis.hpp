#pragma once
// The labels of a value axis: distinct, and as short as that allows.

#include <string>
#include <vector>

#include "report/picture.hpp"

namespace mosim::cli {

struct Axis {
  double base = 0;            // not 0: the labels are differences from it
  std::vector<report::Tick> ticks;
};

/// At multiples of `step` within the panel, with labels of at most `columns` characters (at least 5).
Axis label_axis(const report::Panel& panel, double step, int columns);

/// 1, 2 or 5 times a power of ten, so that the panel has at most so many steps.
double tick_step(const report::Panel& panel, int most);

}  // namespace mosim::cli
