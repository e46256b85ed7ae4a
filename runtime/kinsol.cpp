#include "runtime/kinsol.hpp"

#include <kinsol/kinsol.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "runtime/block_system.hpp"
#include "runtime/sundials.hpp"

namespace mosim::runtime {

namespace {

constexpr int evaluation_bound = 2000;   // its line search may not end by itself

struct Task {
  Machine* machine;
  Index block;
  int evaluations = 0;
};

struct FreeKinsol {
  void operator()(void* memory) const { KINFree(&memory); }
};

int residual(N_Vector u, N_Vector f, void* user) {
  Task& task = *static_cast<Task*>(user);
  if (++task.evaluations > evaluation_bound) return -1;
  if (!evaluate_residual(*task.machine, task.block, data(u), data(f)).ok()) return 1;
  const std::size_t n = task.machine->program->blocks[task.block].residuals.size();
  return std::all_of(data(f), data(f) + n, [](double r) { return std::isfinite(r); }) ? 0 : 1;
}

int jacobian(N_Vector u, N_Vector, SUNMatrix matrix, void* user, N_Vector, N_Vector) {
  const Task& task = *static_cast<Task*>(user);
  const Block& block = task.machine->program->blocks[task.block];
  const std::size_t n = block.unknowns.size();
  for (std::size_t k = 0; k < n; ++k) task.machine->memory[block.unknowns[k]] = data(u)[k];
  if (!evaluate_jacobian(*task.machine, task.block).ok()) return 1;
  BlockState& state = task.machine->blocks[task.block];
  for (std::size_t column = 0; column < n; ++column) {
    double* const target = SUNDenseMatrix_Column(matrix, sunindextype(column));
    if (state.sparse) {
      std::fill_n(target, n, 0.0);
      const Pattern& pattern = state.sparse->pattern;
      for (auto k = pattern.starts[column]; k < pattern.starts[column + 1]; ++k)
        target[pattern.rows[std::size_t(k)]] = state.sparse->values[std::size_t(k)];
    } else {
      for (std::size_t row = 0; row < n; ++row) target[row] = state.jacobian.at(row, column);
    }
  }
  return 0;
}

}  // namespace

bool solve_with_kinsol(Machine& machine, Index index, const double* start) {
  const Block& block = machine.program->blocks[index];
  const std::size_t n = block.unknowns.size();
  const Context context = make_context();
  const Vector u = make_vector(n, context), scale = make_vector(n, context), ones = make_vector(n, context);
  const Matrix matrix(SUNDenseMatrix(sunindextype(n), sunindextype(n), context.get()));
  if (!matrix) return false;   // there is no room for it
  const LinearSolver solver(SUNLinSol_Dense(u.get(), matrix.get(), context.get()));
  const std::unique_ptr<void, FreeKinsol> memory(KINCreate(context.get()));
  Task task{&machine, index};
  for (std::size_t k = 0; k < n; ++k) {
    data(u)[k] = start[k];
    data(scale)[k] = 1 / (k < block.nominal.size() ? block.nominal[k] : 1.0);
    data(ones)[k] = 1;
  }
  if (KINInit(memory.get(), residual, u.get()) != KIN_SUCCESS) return false;
#if SUNDIALS_VERSION_MAJOR < 7
  KINSetErrFile(memory.get(), nullptr);
#endif
  KINSetUserData(memory.get(), &task);
  KINSetLinearSolver(memory.get(), solver.get(), matrix.get());
  KINSetJacFn(memory.get(), jacobian);
  KINSetNumMaxIters(memory.get(), 200);
  KINSetFuncNormTol(memory.get(), 1e-10);
  KINSetScaledStepTol(memory.get(), 1e-12);
  const int flag = KINSol(memory.get(), u.get(), KIN_LINESEARCH, scale.get(), ones.get());
  return flag >= 0 && evaluate_residual(machine, index, data(u), data(scale)).ok();
}

}  // namespace mosim::runtime
