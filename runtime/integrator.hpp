#pragma once
// Between events: CVODE over the continuous states, with dense output and root finding.

#include <memory>
#include <optional>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"
#include "runtime/variation.hpp"

namespace mosim::runtime {

struct Integrator;
struct FreeIntegrator {
  void operator()(Integrator* integrator) const;
};
using IntegratorHandle = std::unique_ptr<Integrator, FreeIntegrator>;

/// The machine must outlive it; its memory holds the states at the start.
IntegratorHandle make_integrator(Machine& machine, const Variation& variation, const Options& options);

/// Starts anew from the machine's time and states. `scale` is how long things between events take about now: the
/// first steps, which are of order 1, stay well below it. `shrinking`: that time shrinks from event to event, and what
/// happens between them must be followed though it may be smaller than the tolerance. True: a relation is on the wrong
/// side right there (and marked), so that another event must come first.
bool restart(Integrator& integrator, double scale, bool shrinking);

/// Integration goes on as it was, perhaps with other crossing functions. True as for `restart`.
bool resume(Integrator& integrator);

/// Whether the event just handled changed anything that the derivatives depend on, or lies inside a step already done: if not,
/// `resume` will do.
bool is_disturbed(const Integrator& integrator);

enum class Advance {
  stepped,   // an accepted point; nothing happens there
  reached,   // the limit, exactly
  crossed,   // a buffered value changes here (and is marked): just right of the crossing
  lost,      // stepped, and what a buffered value is made of has no value any more from here on, perhaps because nothing needs it
  watches,   // stepped, and relations without events are watched from here on (watched_now): `restart` comes next
  failed,    // failure(integrator) says why
};
/// One step, at most to `limit`. The machine then holds time and states of the point reached (nothing else follows
/// from them yet).
Advance advance(Integrator& integrator, double limit);

/// Those relations, after Advance::watches.
const std::vector<Index>& watched_now(const Integrator& integrator);

/// Puts time and states at an instant between the last two points reached into the machine.
void interpolate(Integrator& integrator, double time);

/// Puts time and states of the last point reached into the machine again.
void reload(Integrator& integrator);

/// Whether the machine may follow a surface: `restart` takes note of that. (The Jacobian is then that of differences,
/// which there are for dense systems only.)
bool can_slide(const Integrator& integrator);

/// Why `advance` failed.
Message failure(Integrator& integrator);

/// A warning, if thousands of steps lay closer than a picture of the run would show: those of order 1 where the derivatives jump and no event
/// is, nor any relation, and those of an explicit method in a stiff motion.
std::optional<Message> why_slow(const Integrator& integrator);

/// Adds what the integrator has counted.
void add_statistics(Integrator& integrator, Statistics& statistics);

}  // namespace mosim::runtime
