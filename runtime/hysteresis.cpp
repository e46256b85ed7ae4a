#include "runtime/hysteresis.hpp"

namespace mosim::runtime {

namespace {
// Root finding multiplies two crossing functions to see whether their signs differ: this must not underflow.
constexpr double smallest_crossing = 1e-100;
}  // namespace

bool as_written(Comparison comparison, double difference) {
  switch (comparison) {
    case Comparison::less: return difference < 0;
    case Comparison::less_equal: return difference <= 0;
    case Comparison::greater: return difference > 0;
    case Comparison::greater_equal: return difference >= 0;
  }
  return false;
}

double signed_difference(Comparison comparison, bool value, double difference) {
  const bool greater = comparison == Comparison::greater || comparison == Comparison::greater_equal;
  return greater == value ? difference : -difference;
}

double crossing(Comparison comparison, const RelationState& state, double difference) {
  if (std::isnan(difference)) return difference;
  if (state.armed) {
    const double size = std::max(std::abs(difference), smallest_crossing);
    return as_written(comparison, difference) == state.value ? size : -size;
  }
  const double inside = state.epsilon - std::abs(difference);
  return inside == 0 ? smallest_crossing : inside;
}

bool arms(Comparison comparison, const RelationState& state, double difference) {
  // Iterated values come out a little inside of the band now and then: the side says it, not the distance.
  return !state.armed && signed_difference(comparison, state.value, difference) > 0;
}

bool has_moved(const RelationState& state, double left, double right) {
  if (std::isnan(state.left) || std::isnan(state.right) || std::isnan(left - right)) return false;
  if (state.iterated) return std::abs((left - right) - (state.left - state.right)) > state.epsilon;
  return left != state.left || right != state.right;
}

bool has_moved(const EventFunctionState& state, double argument) {
  if (std::isnan(state.argument) || std::isnan(argument)) return false;
  return state.iterated ? std::abs(argument - state.argument) > state.epsilon : argument != state.argument;
}

bool set_literal(Comparison comparison, RelationState& state, double difference) {
  const bool before = state.value;
  state.value = as_written(comparison, difference);
  state.armed = signed_difference(comparison, state.value, difference) > state.epsilon;
  state.forced = false;
  return state.value != before;
}

bool set_live(Comparison comparison, RelationState& state, double difference, bool& hysteresis) {
  const double size = signed_difference(comparison, state.value, difference);
  const bool forced = state.forced;
  state.forced = false;
  if (std::isnan(size)) return false;
  const bool flips = forced ? size <= state.epsilon
                            : state.armed ? as_written(comparison, difference) != state.value : size < -state.epsilon;
  if (!flips) {
    state.armed = state.armed || size > state.epsilon;
    return false;
  }
  hysteresis = !state.armed;
  state.value = !state.value;
  state.armed = -size > state.epsilon;
  return true;
}

Thresholds thresholds(Rounding rounding, double value) {
  constexpr Thresholds none_yet{Comparison::greater_equal, Comparison::less, 0, 0};
  Thresholds result = none_yet;
  const bool downwards = rounding == Rounding::floor || (rounding == Rounding::truncate && value > 0);
  if (rounding == Rounding::truncate && value == 0) {
    result = {Comparison::greater, Comparison::less, -1, 1};
  } else if (downwards) {
    result = {Comparison::greater_equal, Comparison::less, value, value + 1};
  } else {
    result = {Comparison::greater, Comparison::less_equal, value - 1, value};
  }
  return result;
}

double rounded(Rounding rounding, double argument) {
  switch (rounding) {
    case Rounding::floor: return std::floor(argument) + 0.0;
    case Rounding::ceil: return std::ceil(argument) + 0.0;
    case Rounding::truncate: return std::trunc(argument) + 0.0;
  }
  return argument;
}

namespace {
void arm(Rounding rounding, EventFunctionState& state, double argument) {
  const Thresholds limits = thresholds(rounding, state.value);
  state.low_armed = argument - limits.low > state.epsilon;
  state.high_armed = limits.high - argument > state.epsilon;
}
}  // namespace

bool set_literal(Rounding rounding, EventFunctionState& state, double argument) {
  const double before = state.value;
  state.value = rounded(rounding, argument);
  state.forced = false;
  arm(rounding, state, argument);
  return state.value != before;
}

bool set_live(Rounding rounding, EventFunctionState& state, double argument) {
  if (std::isnan(argument)) return false;
  const Thresholds limits = thresholds(rounding, state.value);
  RelationState low = low_relation(state), high = high_relation(state);
  // What location saw is the threshold that is near.
  low.forced = state.forced && std::abs(argument - limits.low) <= state.epsilon;
  high.forced = state.forced && !low.forced && std::abs(argument - limits.high) <= state.epsilon;
  state.forced = false;
  bool hysteresis = false;
  const bool falls = set_live(limits.low_comparison, low, argument - limits.low, hysteresis);
  const bool rises = set_live(limits.high_comparison, high, argument - limits.high, hysteresis);
  state.low_armed = low.armed;
  state.high_armed = high.armed;
  if (!falls && !rises) return false;
  const double exact = rounded(rounding, argument);
  state.value = falls ? std::min(exact, state.value - 1) : std::max(exact, state.value + 1);
  arm(rounding, state, argument);
  return true;
}

RelationState low_relation(const EventFunctionState& state) { return {true, state.low_armed, false, true, false, state.epsilon}; }
RelationState high_relation(const EventFunctionState& state) { return {true, state.high_armed, false, true, false, state.epsilon}; }

}  // namespace mosim::runtime
