#pragma once
// What a run of a program works on: its memory and the states of everything that keeps a value between events.

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/coefficients.hpp"
#include "runtime/delays.hpp"
#include "runtime/dense.hpp"
#include "runtime/external.hpp"
#include "runtime/hysteresis.hpp"
#include "runtime/program.hpp"
#include "runtime/signals.hpp"
#include "runtime/sliding.hpp"
#include "runtime/sparse.hpp"
#include "runtime/spatial_distribution.hpp"

namespace mosim::runtime {

/// How buffered values (E1) are evaluated.
enum class Mode : std::uint8_t {
  literal,  // initialisation: exactly as written; stored
  live,     // event rounds: with hysteresis (E4); stored
  frozen,   // between events and inside iterations: the stored value
  measure,  // frozen, and the differences are noted; domain errors give NaN instead of a fault
};

/// What stopped a section.
enum class Fault : std::uint8_t {
  none,
  root_of_negative,
  no_slope,   // the derivative has no limit here; where Machine::needs_slopes
  log_of_nonpositive,
  division_by_zero,
  zero_to_negative,
  negative_to_fraction,
  arc_domain,
  not_finite,
  divisor_not_finite,
  beyond_integers,     // |result| of a rounding > 2^53
  inexact_integer,     // |result| of Integer arithmetic > 2^53
  too_much_text,       // Machine::strings would take more than most_text
  outside,             // a subscript outside of its array
  impossible_size,     // of an array: negative, not whole, or more than there is room for
  delay_outside,       // a delay time that is negative or more than its maximum
  assertion,           // Machine::failed_assertion
  block_singular,      // the block faults fill Machine::failed_block and block_detail
  block_diverged,
  no_agreement,        // Machine::failed_mixed
  block_unsatisfied,
  derivative_not_finite,
  without_result,      // Machine::failed_function does not assign the result Machine::failed_result
  external,            // Externals::failure
  too_deep,            // calls of functions nest too deeply
  endless,             // a loop goes round too often
  endless_calls,       // functions call themselves too often
  stopped,             // Machine::stop: nothing was evaluated
};

struct Outcome {
  Fault fault = Fault::none;
  Entry at = none;     // the instruction
  std::uint32_t part = 0;   // of a kernel: lane*rows + row
  bool ok() const { return fault == Fault::none; }
};

/// What a block's solution depends on, what it consists of, and both as they were when it was found: see solution_key.hpp.
struct SolutionKey {
  bool is_made = false, is_known = false;
  bool stands = false;
  std::vector<Slot> slots;
  std::vector<Index> relations, event_functions, quiet;
  std::vector<double> values, differences;   // those of quiet relations, which their code leaves in the machine
};

/// Directions in which the code of a block is differentiated at once, to find entries of its sparse matrix. Places are those of tangents.
struct Sweep {
  std::vector<std::size_t> seeds;                              // that are 1
  std::vector<std::size_t> results, entries;                   // what becomes which entry
};

/// Working memory of a block of n equations.
struct BlockState {
  bool is_made = false;                                        // by blocks.cpp, before the first use
  bool prefers_untorn = false;                                 // the torn equations have failed here, or cost more
  bool has_preference = false;                                 // that was looked at
  bool has_invariants = false;                                 // what stands before Block::body was computed for the values around the block
  bool has_factors = false;                                    // the matrix was factorised as it is
  std::optional<Coefficients> coefficients;                    // of linear equations
  std::vector<double> factorised_for;                          // theirs; only if has_factors
  bool has_slopes = false;                                     // has_factors, and they are those of the solution
  unsigned checked = 0;                                        // solutions of linear equations by these factors, as attempt() in blocks.cpp judges them
  std::vector<double> least_sizes;                             // n, for all solutions by these factors: see least_sizes(); may be empty
  SolutionKey solved;
  std::optional<std::vector<std::vector<Slot>>> summands;      // of the residuals: see fits_plainly()
  int plain_pause = 0;                                         // so many times before these are asked again
  int iterations = 0;                                          // of Newton's method, the last time
  std::vector<Slot> inputs;                                    // slots that its code reads first, its unknowns among them
  std::vector<double> unknowns, step, residual, trial, scale, guess;   // n each
  DenseMatrix jacobian;                                        // n x n; empty when sparse
  std::unique_ptr<SparseSystem> sparse;                        // where is_sparse()
  std::vector<Sweep> sweeps;                                   // and of its columns
  std::vector<Slot> written;                                   // slots that its code writes and other code may read, and its unknowns
  Entry end = none;
};

/// What the blocks of equations have cost so far.
struct BlockCosts {
  std::uint64_t jacobians = 0, factorisations = 0;
  std::uint64_t pivotings = 0;   // factorisations of sparse matrices that looked for their pivots
  std::uint64_t sums = 0;        // solutions whose residuals were compared with what they are sums of
  std::uint64_t misfits = 0;     // and with the sizes of all terms
};

class MachineCode;

struct Machine {
  const Program* program = nullptr;
  const std::atomic<bool>* stop = nullptr;   // when it is true, every section faults: Options::interrupt
  std::uint64_t maximum_rounds = 100'000'000;   // Options::maximum_rounds
  std::vector<double> memory;
  /// What was evaluated at a point, with memory as it left it.
  struct Evaluated {
    bool derivatives = false;   // section `derivatives`
    bool crossings = false;     // see measure()
    double time = 0;
    std::vector<double> states;
    void forget() { derivatives = crossings = false; }
  } evaluated;
  std::vector<std::pair<Slot, double>> settings;   // slots that get these values at the event at hand, from outside
  std::vector<SignalState> signals;                // of inputs
  bool operands_alone = false;     // run_sizes() leaves out how large a result is: see least_sizes()
  bool refines_tangents = false;   // as A x + b is found: those of linear blocks are corrected once more, as their values are
  bool invariants_alone = false;   // code of a block ends where its body begins
  double farthest_time = 0;   // s: the end of the step that the states come from; what is inside of it is known to its rounding

  std::vector<RelationState> relations;
  std::vector<EventFunctionState> event_functions;
  std::vector<DelayLine> delays;
  std::vector<DistributionLine> spatial_distributions;                  // of distributions; empty before initialisation
  bool watches_quiet = false;           // any quiet relation (E11)
  std::size_t first_quiet = 0;          // relations from here on are quiet
  std::vector<double> relation_differences;       // Mode::measure: left - right, NaN: no information
  std::vector<double> event_function_arguments;   // Mode::measure

  std::uint64_t changes = 0;            // of buffered values, ever
  std::vector<Flip> flips;              // of relations since last cleared
  std::vector<Index> event_function_changes;

  std::unique_ptr<Sliding> sliding;     // while the motion follows a surface

  std::vector<double> solved_sizes;     // by Program::pre: the nominal value of what a system of equations determines; 0: none does
  std::vector<double> left_limits;      // memory at the event's beginning: see copy_lasting()
  std::vector<double> kept;             // memory before what is only tried, likewise
  std::vector<double> reinit_values;    // per reinit
  std::vector<double> reinit_times;     // per reinit: when it was done last; NaN: never
  std::vector<double> turn_times;       // the same, where it did not leave the state with the sign that it had
  std::vector<TrueFromStart> true_from_start;   // conditions that have not become true so far (E6)
  std::vector<Index> pending_reinits;   // active in this round
  Index termination = none;             // terminate() was reached
  bool needs_slopes = false;            // derivatives that are infinite are a fault; else they are large
  bool checks_warn = false;             // note warnings (at points that count, not at those only probed)
  bool solutions_jump = false;          // those of iterations may, as an event is handled
  std::vector<Index> warned;            // assertions of level warning that failed since last cleared
  Index failed_assertion = none;
  Index failed_block = none;
  Index failed_mixed = none;
  std::string block_detail;
  /// Linear systems that were singular without a contradiction, once each: an unknown that nothing determines has kept its value,
  /// or has its start value.
  struct Undetermined { Index block; std::size_t unknown; double time; bool initial; };
  /// Nonlinear systems between events whose solution came to an end, so that one far away was found: an unknown, before and after.
  struct LostBranch { Index block; std::size_t unknown; double time, from, to; };
  std::vector<LostBranch> lost_branches;
  /// Mixed systems without a choice that agrees, in a round whose pre() another round replaces; each once, at the first such event. And
  /// the one of this round, with what is to be said if no other round comes.
  struct Postponed { Index mixed; double time; };
  std::vector<Postponed> postponed;
  Index unsettled = none;
  std::string unsettled_detail;
  std::vector<Undetermined> undetermined;
  /// At initialisation: by slot, whether an unknown that nothing determines may have its start value; empty: none may. And whether one wanted to.
  std::vector<char> may_keep_start;
  bool wants_start = false;

  /// Program::strings, and those made in the run. What nothing refers to any more is forgotten now and then, if nothing
  /// outside of the machine does (keeps_strings).
  std::vector<std::string> strings;
  std::unordered_map<std::string, double> string_numbers;
  std::vector<std::size_t> free_strings;
  std::size_t text_size = 0, next_collection = 0;            // characters in them
  std::size_t kept_strings = 0;                              // so many are never forgotten
  bool keeps_strings = true;

  std::vector<BlockState> blocks;
  BlockCosts block_costs;
  std::vector<Instruction> lane_code;                        // what lanes of a kernel stand for, while they are carried out
  double work = 0;                                           // done by its code and its factorisations so far, in instructions
  std::uint64_t left_open = 0;                               // so many solutions of systems left an unknown open
  double work_bound = std::numeric_limits<double>::infinity();   // beyond it no other guess and no other choice is tried
  bool leaves_open = false;                                  // the block solved last: perhaps an unknown that nothing determines
  std::vector<double> sizes;                                 // of values in residuals: see residuals.hpp
  std::vector<std::array<std::vector<double>, 3>> inner_tangents;  // of nested differentiations, by width (1, 4, 8): 0 when not in use,
                                                                   // but for the variables of functions
  unsigned depth = 0;

  std::vector<Entry> calls;                         // of functions under way: the instructions
  std::vector<double> frames, frame_tangents;       // of functions that are called from themselves, kept aside
  std::vector<Array> arrays, frame_arrays;          // of functions, whose sizes the run alone knows; those kept aside
  std::unique_ptr<Externals> externals;             // null: there are none
  std::shared_ptr<MachineCode> code;                // null: all is interpreted
  Slot first_frame = 0, last_frame = 0;             // where the frames of functions are: beside them only numbers that never change
  Index failed_function = none;
  std::size_t failed_result = 0;
};

/// From outside. However long something goes on, it runs sections: here is where a run that is asked to end takes notice.
inline bool is_stopped(const Machine& machine) { return machine.stop && machine.stop->load(std::memory_order_relaxed); }

Machine make_machine(const Program& program);

/// From one memory to another, what outlasts a call of a function: all slots but those of the functions' frames, which may be most of it.
void copy_lasting(const Machine& machine, const std::vector<double>& from, std::vector<double>& to);

}  // namespace mosim::runtime
