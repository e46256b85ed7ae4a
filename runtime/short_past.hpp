#pragma once
// Delays, and flows through a spatialDistribution, that are shorter than a step can be: what they give within a step is not
// known before its end. It is extrapolated, in steps whose error is measured afterwards (MLS 3.7.4.1: a tradeoff between step
// size and correctness).

#include <functional>
#include <vector>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// The largest step that what is read of the past allows, at most `bound`, in a run of `span` seconds.
double past_bound(const Machine& machine, double span, double bound);

/// Does a step of this length read what is not known before its end?
bool outruns_past(const Machine& machine, double step);

enum class Foretold {
  well,
  poorly,   // shorter steps are to be taken instead
  never     // shorter ones would not do either
};

/// After a step from `from` to where the machine now is, with consistent variables, before its past is extended. `read`
/// leaves the machine at an instant of the step; false: it could not.
Foretold judge_step(Machine& machine, double from, double span, double tolerance, const std::function<bool(double)>& read);

/// After `never`.
Message too_short(const Machine& machine, double span);
/// At the end of a run.
std::vector<Message> tell_of_short(const Machine& machine, double span);

}  // namespace mosim::runtime
