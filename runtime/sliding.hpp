#pragma once
// Sliding (SEMANTICS E11): where the motion on either side of a surface leads straight back to it, the solution follows
// the surface itself. Its derivatives are the mean of those on both sides, weighted such that the relation's difference
// stays 0 (A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988). It is what chattering tends
// to as the hysteresis gets smaller, without its events.

#include <vector>

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
    std::vector<double> differences, arguments;   // of Machine::relation_differences, event_function_arguments
    std::vector<double> rates;               // of the differences of `relations`, per second
    double rate = 0;                         // of the first of them
  };
  Side sides[2];                             // 0: below the surface, left - right < 0; 1: above
  std::vector<Index> relations;              // of the surface; they have no crossing functions meanwhile
  std::vector<Slot> mixed;                   // slots of continuous Reals, which are weighted means
  double probe = 0;                          // seconds: for the rates, by central differences
  double pull = 0;                           // per second: back to the surface, against rounding
  double since = 0;
  double weight = 0.5;                       // of side 1
  int leaves = -1;                           // the side on which the motion no longer leads back
  std::vector<double> states;
};

/// For the time and the states in the machine's memory: puts the derivatives into it, with `outputs` all continuous
/// variables, and the differences of relations as Mode::measure does. Discrete variables are those of the side with the
/// greater weight.
Outcome slide(Machine& machine, bool outputs);

/// Does the motion lead back to the surface from both sides? After `slide`.
bool is_attractive(const Sliding& sliding);

/// What a spell of chattering does on its surface, event by event: two states of all discrete variables in turn?
struct SlidingWatch {
  std::vector<Index> relations;              // that flip together
  Sliding::Side sides[2];
  unsigned seen[2] = {0, 0};                 // so many times in a row as before
  unsigned failures = 0, wait = 0;
};

/// After an event of a spell, in which these relations flipped and nothing else happened but for discrete variables that
/// follow. True: both sides are known.
bool note_side(SlidingWatch& watch, const Machine& machine, std::vector<Index> flipped);

/// Puts the machine on the surface. False, and nothing is changed: it cannot be followed.
bool begin_sliding(Machine& machine, SlidingWatch& watch, double output_interval);

/// Puts the machine on one side of the surface again; what is continuous is to be evaluated next.
void end_sliding(Machine& machine);

}  // namespace mosim::runtime
