/* The bouncing ball written by hand against CVODE: what mosim's whole process is measured against (compare_ball.cpp).
   The same tolerance, output grid, rows and rule for an event as `mosim BouncingBall.mo --stop 10`: an impact each time
   h falls below 0 once it has risen above epsilon, and an event when it rises above epsilon. It prints how many it found. */

#include <cvode/cvode.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "by_hand.h"

struct ball {
  double epsilon; /* h < 0 becomes false only above it */
  int below;      /* the relation h < 0 */
};

static int derivatives(real t, N_Vector y, N_Vector ydot, void* data) {
  (void)t;
  (void)data;
  DATA(ydot)[0] = DATA(y)[1];
  DATA(ydot)[1] = -9.81;
  return 0;
}

static int jacobian(real t, N_Vector y, N_Vector fy, SUNMatrix J, void* data, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)y, (void)fy, (void)data, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(J, 0, 0) = 0;
  SM_ELEMENT_D(J, 0, 1) = 1;
  SM_ELEMENT_D(J, 1, 0) = 0;
  SM_ELEMENT_D(J, 1, 1) = 0;
  return 0;
}

static int crossing(real t, N_Vector y, real* g, void* data) {
  const struct ball* ball = data;
  (void)t;
  g[0] = ball->below ? DATA(y)[0] - ball->epsilon : DATA(y)[0];
  return 0;
}

static void row(FILE* out, double t, N_Vector y) {
  fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g\n", t, DATA(y)[0], DATA(y)[1], DATA(y)[1], -9.81);
}

int main(int argc, char** argv) {
  const double stop = 10, tolerance = 1e-6;
  const int intervals = 500;
  struct ball ball = {1e-10, 0};
  FILE* out = fopen(argc > 1 ? argv[1] : "BouncingBall_c.csv", "w");
  if (!out) return 1;
  fputs("time,h,v,der(h),der(v)\n", out);

  SUNContext context;
  SUNContext_Create(COMMUNICATOR, &context);
  N_Vector y = N_VNew_Serial(2, context);
  DATA(y)[0] = 1;
  DATA(y)[1] = 0;
  void* cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  CVodeInit(cvode, derivatives, 0, y);
  CVodeSStolerances(cvode, tolerance, tolerance);
  CVodeSetUserData(cvode, &ball);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetJacFn(cvode, jacobian);
  CVodeSetMaxStep(cvode, stop / intervals);
  CVodeSetMaxNumSteps(cvode, -1);
  CVodeRootInit(cvode, 1, crossing);
  CVodeSetNoInactiveRootWarn(cvode);

  row(out, 0, y);
  int next = 1, events = 0;
  double t = 0;
  while (next <= intervals) {
    const int status = CVode(cvode, next * stop / intervals, y, &t, CV_NORMAL);
    if (status < 0) return 1;
    row(out, t, y);
    if (status == CV_ROOT_RETURN) {
      ball.below = !ball.below;
      if (ball.below) DATA(y)[1] *= -0.8;
      ++events;
      row(out, t, y);
      CVodeReInit(cvode, t, y);
      /* A first step well inside the next flight, or late impacts are stepped over. */
      if (DATA(y)[1] > 0) CVodeSetInitStep(cvode, 0.1 * 2 * DATA(y)[1] / 9.81);
    } else {
      ++next;
    }
  }
  long steps = 0;
  CVodeGetNumSteps(cvode, &steps);
  printf("%d events\n", events);
  fclose(out);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return 0;
}
