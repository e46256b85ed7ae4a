// What a method evaluates: the right side and its Jacobian, in the machine.

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>

#include "runtime/explain.hpp"
#include "runtime/integrator_parts.hpp"
#include "runtime/interpreter.hpp"

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
  const Outcome outcome = m.sliding ? slide(m, false) : run(m, m.program->derivatives, Mode::frozen);
  if (!outcome.ok()) {
    note_fault(it, outcome);
    return 1;
  }
  const double* const derivatives = m.memory.data() + m.program->first_derivative;
  std::copy_n(derivatives, it.size, data(ydot));
  if (std::all_of(derivatives, derivatives + it.size, finite)) return 0;
  note_fault(it, {Fault::derivative_not_finite, none});
  return 1;
}

namespace {

// Error weights as usual, but for the part of the tolerance in use, which CVODE cannot change on the way.
int error_weights(N_Vector y, N_Vector weights, void* user) {
  const Integrator& it = *static_cast<Integrator*>(user);
  const double *const states = data(y), *const absolute = data(it.tolerances);
  double* const target = data(weights);
  const std::size_t n = std::max<std::size_t>(it.size, 1);
  for (std::size_t k = 0; k < n; ++k)
    target[k] = 1 / (it.accuracy * (it.tolerance * std::abs(states[k]) + absolute[k]));
  return 0;
}

// Differentiates section `derivatives` by the states, one pass for each group of colours. write(entry, value).
template <class Write>
int differentiate(Integrator& it, Real time, N_Vector y, Write write) {
  Machine& m = *it.machine;
  ++it.statistics.jacobians;
  load(it, time, data(y));
  for (std::uint32_t first = 0; first < it.colouring.colours; first += it.width) {
    for (std::size_t k = 0; k < it.size; ++k) {
      double* const seed = it.tangent.data() + (m.program->first_state + k) * it.width;
      std::fill_n(seed, it.width, 0.0);
      const std::uint32_t colour = it.colouring.colour[k];
      if (colour >= first && colour < first + it.width) seed[colour - first] = 1;
    }
    const Outcome outcome = run_dual(m, m.program->derivatives, it.width, it.tangent.data());
    if (!outcome.ok()) {
      note_fault(it, outcome);
      return 1;
    }
    for (std::size_t column = 0; column < it.size; ++column) {
      const std::uint32_t colour = it.colouring.colour[column];
      if (colour < first || colour >= first + it.width) continue;
      for (auto k = it.pattern.starts[column]; k < it.pattern.starts[column + 1]; ++k) {
        const std::size_t row = std::size_t(it.pattern.rows[std::size_t(k)]);
        const double value = it.tangent[(m.program->first_derivative + row) * it.width + colour - first];
        write(std::size_t(k), row, column, std::isfinite(value) ? value : 0);
      }
    }
  }
  return 0;
}

int dense_jacobian(Real time, N_Vector y, N_Vector, SUNMatrix matrix, void* user, N_Vector, N_Vector, N_Vector) {
  // CVODE hands over a matrix of zeros.
  Integrator& it = *static_cast<Integrator*>(user);
  return differentiate(it, time, y, [&](std::size_t, std::size_t row, std::size_t column, double value) {
    SUNDenseMatrix_Column(matrix, sunindextype(column))[row] = value;
  });
}

int sparse_jacobian(Real time, N_Vector y, N_Vector, SUNMatrix matrix, void* user, N_Vector, N_Vector, N_Vector) {
  Integrator& it = *static_cast<Integrator*>(user);
  std::copy(it.pattern.starts.begin(), it.pattern.starts.end(), SUNSparseMatrix_IndexPointers(matrix));
  std::copy(it.pattern.rows.begin(), it.pattern.rows.end(), SUNSparseMatrix_IndexValues(matrix));
  double* const values = SUNSparseMatrix_Data(matrix);
  return differentiate(it, time, y, [&](std::size_t k, std::size_t, std::size_t, double value) { values[k] = value; });
}

}  // namespace

void find_pattern(Integrator& it) {
  it.pattern = make_pattern(it.size, it.machine->program->jacobian, it.size > largest_dense);
  it.colouring = colour(it.pattern);
  it.width = it.colouring.colours <= 1 ? 1 : it.colouring.colours <= 4 ? 4 : max_width;
  it.tangent.assign(it.machine->memory.size() * it.width, 0.0);
}

void make(Integrator& it, Method& method) {
  const auto n = sunindextype(std::max<std::size_t>(it.size, 1));
  const bool sparse = it.size > largest_dense;
  if (sparse) {
    method.matrix.reset(SUNSparseMatrix(n, n, sunindextype(it.pattern.rows.size()), CSC_MAT, it.context.get()));
    method.solver.reset(SUNLinSol_KLU(it.states.get(), method.matrix.get(), it.context.get()));
  } else {
    method.matrix.reset(SUNDenseMatrix(n, n, it.context.get()));
    method.solver.reset(SUNLinSol_Dense(it.states.get(), method.matrix.get(), it.context.get()));
  }
  const Motion motion{right_side, error_weights, sparse ? sparse_jacobian : dense_jacobian, &it, it.states.get(), method.solver.get(), method.matrix.get(), it.context.get(),
                      it.machine->memory[slot_time]};
  const bool stiff = method.name == Solver::bdf || method.name == Solver::esdirk;
  method.stepper = method.name == Solver::bdf || method.name == Solver::adams ? make_cvode(motion, stiff) : make_arkode(motion, stiff);
}

}  // namespace mosim::runtime
