/* cascade_c N TOLERANCE: the cascade of N first-order lags (ScalableTestSuite, CascadedFirstOrder, T = 1, u = 1) written by hand
   against CVODE, with KLU for its matrix of two diagonals, to time 1. It writes x(1), a value per line: bench/scalable.py compares
   them with the closed form. */

#include <cvode/cvode.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "by_hand.h"

static int derivatives(real t, N_Vector y, N_Vector ydot, void* data) {
  const long n = *(const long*)data;
  const double rate = (double)n;
  const double* x = DATA(y);
  double* d = DATA(ydot);
  (void)t;
  d[0] = rate * (1 - x[0]);
  for (long i = 1; i < n; ++i) d[i] = rate * (x[i - 1] - x[i]);
  return 0;
}

static int jacobian(real t, N_Vector y, N_Vector fy, SUNMatrix J, void* data, N_Vector a, N_Vector b, N_Vector c) {
  const long n = *(const long*)data;
  const double rate = (double)n;
  long at = 0;
  (void)t, (void)y, (void)fy, (void)a, (void)b, (void)c;
  SUNMatZero(J);
  for (long i = 0; i < n; ++i) {
    SM_INDEXPTRS_S(J)[i] = at;
    SM_INDEXVALS_S(J)[at] = i;
    SM_DATA_S(J)[at++] = -rate;
    if (i + 1 == n) break;
    SM_INDEXVALS_S(J)[at] = i + 1;
    SM_DATA_S(J)[at++] = rate;
  }
  SM_INDEXPTRS_S(J)[n] = at;
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  long n = atol(argv[1]);
  const double tolerance = atof(argv[2]);
  SUNContext context;
  SUNContext_Create(COMMUNICATOR, &context);
  N_Vector y = N_VNew_Serial(n, context);
  for (long i = 0; i < n; ++i) DATA(y)[i] = 0;
  void* cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNSparseMatrix(n, n, 2 * n - 1, CSC_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(y, matrix, context);
  CVodeInit(cvode, derivatives, 0, y);
  CVodeSStolerances(cvode, tolerance, tolerance);
  CVodeSetUserData(cvode, &n);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetJacFn(cvode, jacobian);
  CVodeSetMaxNumSteps(cvode, -1);
  double t = 0;
  if (CVode(cvode, 1, y, &t, CV_NORMAL) < 0) return 1;
  for (long i = 0; i < n; ++i) printf("%.17g\n", DATA(y)[i]);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return 0;
}
