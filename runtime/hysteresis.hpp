#pragma once
// Buffered values (SEMANTICS E1, E4): relations and integer-valued functions that change only at events.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::runtime {

/// A relation's value between events. `difference` below is always left - right.
struct RelationState {
  bool value = false;
  bool armed = false;     // the difference has been beyond epsilon on the side that the value says
  bool forced = false;    // event location saw it cross: the next live evaluation follows unless it is clearly wrong
  bool watched = true;    // false: quiet, as written at all times
  bool iterated = false;  // a side comes out of an iteration, which gives other last digits each time
  double epsilon = 1e-10; // same unit as the difference, > 0
  double left = unknown, right = unknown;  // the sides, when last stored or measured

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double size() const { return std::isnan(left) ? 0 : std::max(std::abs(left), std::abs(right)); }
};

/// The value of floor, ceil or truncate between events. Two thresholds enclose its argument.
struct EventFunctionState {
  double value = 0;
  bool low_armed = false, high_armed = false;
  bool forced = false;
  bool iterated = false;
  double epsilon = 1e-10;
  double argument = RelationState::unknown;
};

/// An evaluation changed a relation. hysteresis: beyond epsilon rather than where the relation as written changes.
struct Flip {
  Index relation;
  bool value;
  bool hysteresis;
};

/// The relation as written.
bool as_written(Comparison comparison, double difference);

/// The difference, signed so that it is positive on the side which `value` says.
double signed_difference(Comparison comparison, bool value, double difference);

/// Positive while the relation keeps its state, negative where it flips or arms; never 0. NaN: nothing is known.
double crossing(Comparison comparison, const RelationState& state, double difference);

/// True when `crossing` is negative because the relation arms, not because it flips.
bool arms(Comparison comparison, const RelationState& state, double difference);

/// In an event: whether it has moved a side since the last round (E4), or the left limits in the first one. What comes
/// out of an iteration must have moved by more than epsilon.
bool has_moved(const RelationState& state, double left, double right);
bool has_moved(const EventFunctionState& state, double argument);

/// Sets the value exactly as written (initialisation, after a jump). Returns whether the value changed.
bool set_literal(Comparison comparison, RelationState& state, double difference);

/// Follows the difference with hysteresis (event rounds). Returns whether the value changed; `hysteresis` tells how.
bool set_live(Comparison comparison, RelationState& state, double difference, bool& hysteresis);

/// The thresholds of an integer-valued function as relations that hold while it keeps its value.
struct Thresholds {
  Comparison low_comparison, high_comparison;
  double low, high;
};
Thresholds thresholds(Rounding rounding, double value);

double rounded(Rounding rounding, double argument);
bool set_literal(Rounding rounding, EventFunctionState& state, double argument);
bool set_live(Rounding rounding, EventFunctionState& state, double argument);

/// The two thresholds as relations.
RelationState low_relation(const EventFunctionState& state);
RelationState high_relation(const EventFunctionState& state);

}  // namespace mosim::runtime
