#pragma once
// What the files of the integrator share: its state, what a method evaluates (motion.cpp), the methods (methods.cpp), and what is told of a
// slow run (slowness.cpp).

#include <array>
#include <limits>
#include <vector>

#include "runtime/affine.hpp"
#include "runtime/integrator.hpp"
#include "runtime/method_choice.hpp"
#include "runtime/quiet.hpp"
#include "runtime/search.hpp"
#include "runtime/slopes.hpp"
#include "runtime/stepper.hpp"

namespace mosim::runtime {

// CVODE holds the error of a step to a tolerance; what adds up over a run must come out near it. So a step gets a part
// of it, unless that costs more than these steps in one output interval (a right side that jumps without events).
constexpr double local_part = 0.003;
constexpr double one_step_part = 0.1;

/// A method with what it solves its linear systems with. Made when it is used first.
struct Method {
  explicit Method(Solver name_, bool wide_ = false) : name(name_), wide(wide_) {}
  Solver name;
  bool wide;                               // of erk: its second method, see RungeKutta
  Matrix matrix;
  LinearSolver solver;
  std::unique_ptr<Stepper> stepper;        // gone before the objects it uses
  std::vector<double> jacobian;            // by entry of Slopes::pattern, where it was asked for last
  long jacobian_from = 0, jacobian_for = 0;   // Stepper::Counts::steps then, and for so many more it may serve
  double jacobian_trust = 1;               // part of what its cost would have it serve for: less after it misled the corrector
  double first_step = 0;                   // what worked after the last restarts; 0: unknown
  double refinement = 1;                   // of the part of the tolerance that a step gets: see try_candidate()
};

/// What memory holds at a point of the motion, to go on from there once more.
struct Beginning {
  double time = 0;
  std::vector<double> memory;
};

struct Integrator {
  Machine* machine = nullptr;
  Context context;
  Vector states, tolerances;
  Vector errors, weights;
  Vector view;                             // onto the states in the machine's memory
  std::vector<Method> methods;
  MethodChoice choice{1};
  std::vector<std::size_t> forms;          // by the choice's number: in `methods`, what stands for it
  std::size_t method = 0;                  // in use
  Stepper* stepper = nullptr;              // its own
  double cost_before = 0;                  // cost() at the last restart
  Beginning stretch, motion;               // see begin_stretch()
  std::vector<double> memory_before_trial;
  double functions = 0;                    // elementary ones in an evaluation of the derivatives
  double evaluation_work = 0;              // Machine::work that an evaluation of the derivatives by code takes
  double cost_told = 0;                    // of what add_statistics() has handed over
  double restarted = -std::numeric_limits<double>::infinity();   // time of that
  bool whole_interval = false;             // one method has gone on since
  std::size_t size = 0;                    // of the program; CVODE gets one constant state if there is none

  Slopes slopes;                           // by the states
  AffineMotion affine;                     // found with the first Jacobian after a restart
  AffineLimits affine_limits;              // that it was found with
  bool sparse = false;                     // and so are the matrices of its methods

  double time = 0;                         // of the last point returned
  double largest_step = 0;
  double bound = 0;                        // in use
  double tolerance = 0;                    // of the run
  double part = local_part;                // of it for one step, by the method
  double accuracy = local_part;            // the part in use: see focus()
  double usual_accuracy = local_part;      // away from focus: `part`, or 1 without patience
  double interval = 0, interval_end = 0;   // the resolution, and the end of the present one
  int interval_steps = 0, low_orders = 0;  // since it began; those of order 1 that neither follow an event nor end at a time that was asked for
  int since_restart = 0;                   // so many steps
  std::optional<Message> slow;             // see why_slow()
  double focused_until = 0;
  double span = 1, stop = 1;               // stop - start
  bool slides = false;                     // the machine did at the last restart
  bool fresh = true;                       // restarted, no step since
  Search search;                           // of crossings, up to `time`
  double event = -std::numeric_limits<double>::infinity();   // the last one
  std::array<double, 8> quiet_times{};     // between the last events; 0: none
  std::size_t next_quiet_time = 0;
  std::vector<double> crossings;
  bool crossings_vary = true;              // between events
  bool bends = false;                      // the right side may, without an event
  bool lost = false;                       // see Advance::lost: it was within a hysteresis, and is still to be told
  QuietWatch quiet;
  std::vector<Index> watched_now;
  std::vector<Slot> inputs;                // what the derivatives depend on, and the states
  std::vector<Slot> iterated;              // unknowns of nonlinear systems
  std::vector<double> guesses;             // theirs at `time`
  std::vector<double> end_guesses;         // and at the end of the last step
  bool went_back = false;                  // into that step since
  double probed = 0;                       // the last time that a step was tried to
  int tiny_steps = 0;
  int unseen_steps = 0;                    // since unseen_since
  double unseen_since = 0;
  double rescued = -std::numeric_limits<double>::infinity();  // instant of the last restart after a failure
  Stepper::Flag flag = Stepper::Flag::stepped;   // when it failed

  std::optional<Message> fault;            // the last one met while probing steps
  bool fault_in_step = false;
  Statistics statistics;
};

// ---- motion.cpp ----

void load(Integrator& it, double time, const double* states);
void keep_guesses(Integrator& it, std::vector<double>& guesses);
void recall_guesses(Integrator& it, const std::vector<double>& guesses);
int right_side(Real time, N_Vector y, N_Vector derivatives, void* integrator);
/// Its stepper and linear solver.
void make(Integrator& it, Method& method);

// ---- methods.cpp ----

void use(Integrator& it, std::size_t number);
/// The method that is to go on.
inline std::size_t chosen(const Integrator& it) { return it.forms[it.choice.current()]; }
/// At a restart.
void change_to(Integrator& it, std::size_t number);
/// Adds what the method in use has counted since its last start.
void count(Integrator& it);
/// What the run has cost so far, in instructions.
double cost(const Integrator& it);

// ---- method_trials.cpp ----

/// Keeps the point that the motion is at for try_candidate().
void begin_stretch(Integrator& it);
/// Goes through the stretch up to here once more with the choice's candidate, or through all of the motion, for what that costs, and leaves all as it
/// was. But where all of the motion has shown that the candidate goes on, the states become those of its finest passage.
void try_candidate(Integrator& it);

// ---- slowness.cpp ----

/// The state whose error is largest, measured by what it may be.
std::size_t worst_state(Integrator& it);
/// After so many steps of order 1.
void note_jump(Integrator& it);
/// After so many steps of an explicit method.
void note_stiffness(Integrator& it, double time);
/// Whether a step to that time is about as long as an explicit method is stable for here; of others it never is. Evaluates the right side.
bool is_bound_by_stability(Integrator& it, double time, double step);

}  // namespace mosim::runtime
