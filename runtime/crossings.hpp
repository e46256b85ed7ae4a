#pragma once
// The crossing functions (SEMANTICS E2 to E4): one for each relation that is no time event, two for each
// integer-valued function, for jumps in a delay that varies, and for those in a spatialDistribution.

#include <optional>
#include <span>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Whether memory holds what section `derivatives` would compute: it was carried out for this very point, and nothing else since.
bool derivatives_stand(const Machine& machine);
/// Brings them about, as the motion needs them, where they do not stand.
Outcome evaluate_derivatives(Machine& machine);
/// They were evaluated at this point, and nothing has changed them since: whoever asks for them next need not compute them again.
void note_derivatives(Machine& machine);

/// Differences of relations and arguments of event functions at the machine's time and states. False: there are none.
bool measure(Machine& machine);

std::size_t crossing_count(const Machine& machine);

/// Evaluates all at the machine's time and states: positive while a buffered value stands, negative where it changes
/// or arms, never 0; NaN where nothing can be said (outside the domain of an expression).
void evaluate_crossings(Machine& machine, std::span<double> values);

/// After evaluate_crossings: arms the relations that arm, and marks those that flip, so that the next event round
/// follows. Returns whether any flips.
bool take_crossings(Machine& machine, std::span<const double> values);

/// After evaluate_crossings: whether a buffered value has just changed and is not armed again, so that it holds though its sides may say otherwise (E4).
bool is_within_hysteresis(const Machine& machine);

/// A relation that is not as its sides are at the machine's time and states, by more than rounding, though no event was found there: it changes
/// faster than it is looked at. None: there is no such relation, or the motion follows a surface.
std::optional<Index> find_contradiction(Machine& machine, std::span<double> values);

/// For the start of a step: a relation that is on the wrong side by no more than epsilon (rounding, the tolerance
/// of an iteration) is disarmed instead of flipped. Returns whether any flips all the same.
bool settle_crossings(Machine& machine, std::span<double> values);

}  // namespace mosim::runtime
