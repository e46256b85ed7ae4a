// What a method evaluates: the right side, its Jacobian and the matrix of Newton's method, in the machine.

#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>

#include "runtime/explain.hpp"
#include "runtime/integrator_parts.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/linear_solver.hpp"

namespace mosim::runtime {

void load(Integrator& it, double time, const double* states) {
  set_time(*it.machine, time);
  std::copy_n(states, it.size, it.machine->memory.data() + it.machine->program->first_state);
}

void keep_guesses(Integrator& it, std::vector<double>& guesses) {
  it.probed = it.time;
  guesses.resize(it.iterated.size());
  for (std::size_t k = 0; k < it.iterated.size(); ++k) guesses[k] = it.machine->memory[it.iterated[k]];
}

void recall_guesses(Integrator& it, const std::vector<double>& guesses) {
  if (guesses.size() != it.iterated.size()) return;
  it.machine->evaluated.forget();
  for (std::size_t k = 0; k < it.iterated.size(); ++k) it.machine->memory[it.iterated[k]] = guesses[k];
}

namespace {

constexpr double branch_end = 1e-9;     // of the run: shorter steps may go over to another solution

void note_fault(Integrator& it, const Outcome& outcome) {
  it.fault = explain(*it.machine, outcome);
  it.fault_in_step = true;
}

// A step that went too far may have found another of several solutions; the shorter one after it begins with that of the accepted point.
// Where even the shortest do, that one has come to its end.
void recall_guesses(Integrator& it, double time) {
  const double end = time > it.time ? time : it.probed;   // where the step starts: of that step
  if (time < it.probed && end - it.time > branch_end * it.span) recall_guesses(it, it.guesses);
  it.probed = time;
}

constexpr double outgrown = 4;   // the size that rounding was judged by

bool outgrows(const Integrator& it, const double* states) {
  for (std::size_t k = 0; k < it.size; ++k)
    if (!(std::abs(states[k]) <= outgrown * it.affine_limits.sizes[k])) return true;
  return false;
}

void find_affine(Integrator& it) {
  AffineLimits& limits = it.affine_limits;
  limits = {std::vector<double>(it.size), it.span, it.tolerance};
  for (std::size_t k = 0; k < it.size; ++k) limits.sizes[k] = std::max(std::abs(it.machine->memory[it.machine->program->first_state + k]), it.machine->program->states[k].nominal);
  find(it.affine, *it.machine, it.slopes, limits);
}

}  // namespace

int right_side(Real time, N_Vector y, N_Vector ydot, void* user) {
  Integrator& it = *static_cast<Integrator*>(user);
  ++it.statistics.evaluations;
  recall_guesses(it, time);
  if (it.size == 0) {
    data(ydot)[0] = 0;
    return 0;
  }
  Machine& m = *it.machine;
  load(it, time, data(y));
  // Too long a step leads to states that are no numbers: nothing can be evaluated there.
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(data(y), data(y) + it.size, finite)) {
    note_fault(it, {Fault::derivative_not_finite, none});
    return 1;
  }
  double* const derivatives = m.memory.data() + m.program->first_derivative;
  if (it.affine.stands && outgrows(it, data(y))) it.affine.forget();
  // An explicit method has no Jacobian to find it with: what another found stays out of its costs, as `auto` compares them.
  const bool by_code = !it.affine.stands || it.methods[it.method].name == Solver::erk || is_stopped(m);
  if (!by_code) {
    evaluate(it.affine, it.slopes.pattern, time, data(y), derivatives);
    m.work += work_of(it.affine);
    m.evaluated.forget();
  }
  const double before = m.work;
  const Outcome outcome = !by_code ? Outcome{} : m.sliding ? slide(m, false) : run(m, m.program->derivatives, Mode::frozen);
  if (!outcome.ok()) {
    note_fault(it, outcome);
    return 1;
  }
  if (by_code) it.evaluation_work = std::max(m.work - before, 0.9 * it.evaluation_work);   // some find what they need there already
  std::copy_n(derivatives, it.size, data(ydot));
  if (std::all_of(derivatives, derivatives + it.size, finite)) return 0;
  note_fault(it, {Fault::derivative_not_finite, none});
  return 1;
}

namespace {

// Error weights as usual, but for the part of the tolerance in use, which CVODE cannot change on the way.
void weigh(const Integrator& it, const double* states, double* target) {
  const double* const absolute = data(it.tolerances);
  const std::size_t n = std::max<std::size_t>(it.size, 1);
  for (std::size_t k = 0; k < n; ++k)
    target[k] = 1 / (it.accuracy * (it.tolerance * std::abs(states[k]) + absolute[k]));
}
int error_weights(N_Vector y, N_Vector weights, void* user) {
  weigh(*static_cast<Integrator*>(user), data(y), data(weights));
  return 0;
}

int find_jacobian(Integrator& it, Real time, N_Vector y, std::vector<double>& jacobian) {
  jacobian.resize(it.slopes.pattern.rows.size());
  if (!it.affine.stands) {
    load(it, time, data(y));
    ++it.statistics.jacobians;
    if (it.affine.is_possible && !it.affine.was_tried) find_affine(it);
  }
  if (it.affine.stands) return jacobian = it.affine.a, 0;
  const Outcome outcome = differentiate_derivatives(*it.machine, it.slopes, [&](std::size_t k, std::size_t, std::size_t, double value) {
    jacobian[k] = std::isfinite(value) ? value : 0;
  });
  if (outcome.ok()) return 0;
  note_fault(it, outcome);
  return 1;
}

// A Jacobian that costs what hundreds of evaluations do serves for so many steps that it is a third of a run at most, while the corrector converges
// with it: for half as many after each time that it did not, and for twice as many after each time that it did.
void note_jacobian(Integrator& it, double work) {
  constexpr double usual_steps = 51, most_steps = 1000, least_trust = 1.0 / 64;   // usual: as in CVODE
  Method& m = it.methods[it.method];
  const long now = it.stepper->counts().steps;
  if (now > m.jacobian_from) m.jacobian_trust = now < m.jacobian_from + m.jacobian_for ? std::max(least_trust, 0.5 * m.jacobian_trust) : std::min(1.0, 2 * m.jacobian_trust);
  m.jacobian_from = now;
  m.jacobian_for = long(std::clamp(2 * m.jacobian_trust * work / std::max(it.evaluation_work, 1.0), usual_steps, most_steps));
  it.stepper->jacobian_serves(m.jacobian_for);
}

int newton_matrix(Real time, N_Vector y, Real gamma, bool anew, SUNMatrix matrix, void* user) {
  Integrator& it = *static_cast<Integrator*>(user);
  std::vector<double>& jacobian = it.methods[it.method].jacobian;
  if (anew) {
    const double before = it.machine->work;
    if (find_jacobian(it, time, y, jacobian) != 0) return 1;
    note_jacobian(it, it.machine->work - before);
  }
  const Pattern& pattern = it.slopes.pattern;
  if (it.sparse) {
    std::copy(pattern.starts.begin(), pattern.starts.end(), SUNSparseMatrix_IndexPointers(matrix));
    std::copy(pattern.rows.begin(), pattern.rows.end(), SUNSparseMatrix_IndexValues(matrix));
  } else {
    std::fill_n(SUNDenseMatrix_Data(matrix), SUNDenseMatrix_LData(matrix), 0.0);
    for (sunindextype k = 0; k < SUNDenseMatrix_Columns(matrix); ++k) SUNDenseMatrix_Column(matrix, k)[k] = 1;
  }
  for (std::size_t column = 0; column < pattern.n; ++column) {
    double* const values = it.sparse ? SUNSparseMatrix_Data(matrix) : SUNDenseMatrix_Column(matrix, sunindextype(column));
    for (auto k = std::size_t(pattern.starts[column]); k < std::size_t(pattern.starts[column + 1]); ++k) {
      const auto row = std::size_t(pattern.rows[k]);
      if (it.sparse) values[k] = (row == column) - gamma * jacobian[k];
      else values[row] -= gamma * jacobian[k];
    }
  }
  return 0;
}

}  // namespace

void make(Integrator& it, Method& method) {
  const auto n = sunindextype(std::max<std::size_t>(it.size, 1));
  if (it.sparse) {
    method.matrix.reset(SUNSparseMatrix(n, n, sunindextype(it.slopes.pattern.rows.size()), CSC_MAT, it.context.get()));
    method.solver = make_sparse_solver(it.slopes.pattern, it.context, [&it](double* weights) { weigh(it, it.machine->memory.data() + it.machine->program->first_state, weights); });
  } else {
    method.matrix.reset(SUNDenseMatrix(n, n, it.context.get()));
    method.solver = make_dense_solver(std::size_t(n), it.context);
  }
  const Motion motion{right_side, error_weights, newton_matrix, &it, it.states.get(), method.solver.get(), method.matrix.get(), it.context.get(),
                      it.machine->memory[slot_time]};
  const bool stiff = method.name == Solver::bdf || method.name == Solver::esdirk;
  method.stepper = method.name == Solver::bdf || method.name == Solver::adams ? make_cvode(motion, stiff) : make_arkode(motion, stiff ? RungeKutta::implicit : method.wide ? RungeKutta::wide : RungeKutta::usual);
}

}  // namespace mosim::runtime
