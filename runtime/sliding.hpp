#pragma once
// Sliding (SEMANTICS E11): where the motion on either side of a surface leads straight back to it, the solution follows
// the surface itself. Its derivatives are the mean of those on both sides, weighted such that the relation's difference
// stays 0 (A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988). It is what chattering tends
// to as the hysteresis gets smaller, without its events. On several surfaces at once the effects of their sides add up:
// the equivalent control of V. I. Utkin, Sliding Modes in Control and Optimization, 1992. Where a reinit sends the motion
// back each time, only one side is real; the other is the same, but that the reset state moves away from the surface.

#include <vector>

#include "runtime/dense.hpp"
#include "runtime/hysteresis.hpp"
#include "runtime/program.hpp"

namespace mosim::runtime {

struct Machine;
struct Outcome;

struct Sliding {
  struct Side {
    std::vector<double> memory;              // Machine::memory as it is on this side
    std::vector<RelationState> relations;
    std::vector<double> derivatives;
    Index reset = none;                      // not real: this state moves back as well,
    double speed = 0;                        // per second
    std::vector<double> differences, arguments;   // of Machine::relation_differences, event_function_arguments
    std::vector<std::vector<double>> rates;  // of the differences of each surface's relations, per second
  };
  struct Surface {
    std::vector<Index> relations;            // over it; they have no crossing functions meanwhile
    Index reset = none;                      // the state that a reinit sends back; else both sides are real
    bool from_above = false;                 // the first side is above it, left - right > 0, the other one below
    double exact = 0.5, weight = 0.5;        // of the other side: as is, and within 0 ... 1
    int leaves = -1;                         // 0 or 1: the side (first, other) whose motion no longer leads back
  };
  std::vector<Surface> surfaces;
  std::vector<Side> sides;                   // the first of all surfaces; then the other of one of them, in order
  std::vector<Slot> mixed;                   // slots of continuous Reals, which are weighted means
  double probe = 0;                          // seconds: for the rates, by central differences
  double pull = 0;                           // per second: back to the surface, against rounding
  double since = 0;
  std::vector<double> states;
  DenseMatrix effects;                       // of the other sides on the rates
};

/// For the time and the states in the machine's memory: puts the derivatives into it, with `outputs` all continuous
/// variables, and the differences of relations as Mode::measure does. Discrete variables are those of a side with the
/// greater weight.
Outcome slide(Machine& machine, bool outputs);

/// After `slide`: how far the weights are from 0 and from 1, where the motion leaves a surface.
double above_zero(const Sliding& sliding);
double below_one(const Sliding& sliding);

/// Notes which surfaces the motion leaves, and on which side.
void note_leaving(Sliding& sliding);

/// What a spell of chattering does on its surface, event by event: two states of all discrete variables in turn?
struct SlidingWatch {
  std::vector<Index> relations;              // that flip together
  Sliding::Side sides[2];
  unsigned seen[2] = {0, 0};                 // so many times in a row as before
  unsigned failures = 0, wait = 0;
  unsigned several_failures = 0, several_wait = 0;
  std::vector<Index> resets{};               // by spell of chattering: SurfaceOf::reset
};

/// After an event of a spell, in which these relations flipped and nothing else happened but for discrete variables that
/// follow. True: both sides are known.
bool note_side(SlidingWatch& watch, const Machine& machine, std::vector<Index> flipped);

/// Puts the machine on the surface. False, and nothing is changed: it cannot be followed.
bool begin_sliding(Machine& machine, SlidingWatch& watch, double resolution);

/// The relations over a surface, and the state that a reinit sends back to it each time, without other effects.
struct SurfaceOf {
  std::vector<Index> relations;
  Index reset = none;
};

/// The same for several surfaces. Where no reinit sends the motion back their sides differ in these relations and what
/// follows from them without any when-clause.
bool begin_sliding(Machine& machine, SlidingWatch& watch, const std::vector<SurfaceOf>& surfaces, double resolution);

/// Puts the machine on one side of each surface again; what is continuous is to be evaluated next.
void end_sliding(Machine& machine);

}  // namespace mosim::runtime
