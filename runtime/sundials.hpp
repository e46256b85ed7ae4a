#pragma once
// The differences between versions 6 and 7 of SUNDIALS, and its objects as values.

#include <memory>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_types.h>

namespace mosim::runtime {

using Real = sunrealtype;

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct FreeMatrix {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeSolver>;

/// A context that prints nothing: what goes wrong is ours to say.
inline Context make_context() {
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(SUN_COMM_NULL, &context);
  SUNContext_ClearErrHandlers(context);
#else
  SUNContext_Create(nullptr, &context);
#endif
  return Context(context);
}

// state_vector.cpp; what they hold at first is arbitrary.
Vector make_vector(std::size_t n, const Context& context);
/// Onto n numbers of somebody else's.
Vector make_view(std::size_t n, double* values, const Context& context);

// All are serial ones.
inline double* data(N_Vector vector) { return NV_DATA_S(vector); }
inline double* data(const Vector& vector) { return NV_DATA_S(vector.get()); }
inline std::size_t length(N_Vector vector) { return static_cast<std::size_t>(NV_LENGTH_S(vector)); }

}  // namespace mosim::runtime
