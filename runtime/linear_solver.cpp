#include "runtime/linear_solver.hpp"

#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <memory>
#include <new>

#include "runtime/dense.hpp"

namespace mosim::runtime {

namespace {

// The types of what these return have changed between the versions of SUNDIALS.
using Status = decltype(SUNLinSolFree(nullptr));
constexpr int singular = 1;   // another step may do
constexpr double any_pivot = 0;   // long steps of stiff motions make all but singular matrices, in which what is conserved is far smaller than the rest

bool set_up(DenseMatrix& m, SUNMatrix matrix) {
  std::copy_n(SUNDenseMatrix_Data(matrix), m.n * m.n, m.values.begin());
  return factorise(m, any_pivot) == m.n;
}

bool set_up(SparseSystem& system, SUNMatrix matrix) {
  std::copy_n(SUNSparseMatrix_Data(matrix), system.values.size(), system.values.begin());
  return factorise(system, any_pivot) != Factorised::singular;
}

std::size_t size(const DenseMatrix& m) { return m.n; }
std::size_t size(const SparseSystem& system) { return system.pattern.n; }

template <class System>
System& content(SUNLinearSolver solver) { return *static_cast<System*>(solver->content); }

template <class System>
LinearSolver make_solver(std::unique_ptr<System> system, const Context& context) {
  LinearSolver result(SUNLinSolNewEmpty(context.get()));
  if (!result) throw std::bad_alloc();
  result->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  result->ops->setup = [](SUNLinearSolver solver, SUNMatrix matrix) { return set_up(content<System>(solver), matrix) ? 0 : singular; };
  result->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector right_side, Real) {
    System& system = content<System>(solver);
    if (x != right_side) std::copy_n(data(right_side), size(system), data(x));
    solve(system, data(x));
    return 0;
  };
  result->ops->free = [](SUNLinearSolver solver) {
    delete static_cast<System*>(solver->content);
    solver->content = nullptr;
    SUNLinSolFreeEmpty(solver);
    return Status(0);
  };
  result->content = system.release();
  return result;
}

}  // namespace

LinearSolver make_dense_solver(std::size_t n, const Context& context) { return make_solver(std::make_unique<DenseMatrix>(make_dense(n)), context); }

LinearSolver make_sparse_solver(const Pattern& pattern, const Context& context) { return make_solver(std::make_unique<SparseSystem>(pattern), context); }

}  // namespace mosim::runtime
