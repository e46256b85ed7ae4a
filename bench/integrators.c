/* integrators_c N TOLERANCE: N integrators of different speeds, each with an event when it passes 1 (ScalableTestSuite, ManyEvents,
   M = N), written by hand against CVODE with N root functions, to time 1, starting anew after each as one does. It prints how many it
   found. */

#include <cvode/cvode.h>
#include <cvode/cvode_diag.h>
#include <stdio.h>
#include <stdlib.h>

#include "by_hand.h"

struct integrators {
  long n;
  char* above; /* the relations x[i] > 1 */
};

static int derivatives(real t, N_Vector y, N_Vector ydot, void* data) {
  const struct integrators* s = data;
  (void)t, (void)y;
  for (long i = 0; i < s->n; ++i) DATA(ydot)[i] = (double)s->n / (double)(s->n - i);
  return 0;
}

static int crossings(real t, N_Vector y, real* g, void* data) {
  const struct integrators* s = data;
  (void)t;
  for (long i = 0; i < s->n; ++i) g[i] = DATA(y)[i] - (s->above[i] ? 1 - 1e-10 : 1);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  struct integrators s = {atol(argv[1]), NULL};
  const double tolerance = atof(argv[2]);
  s.above = calloc((size_t)s.n, 1);
  int* found = calloc((size_t)s.n, sizeof *found);
  SUNContext context;
  SUNContext_Create(COMMUNICATOR, &context);
  N_Vector y = N_VNew_Serial(s.n, context);
  for (long i = 0; i < s.n; ++i) DATA(y)[i] = 0;
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, derivatives, 0, y);
  CVodeSStolerances(cvode, tolerance, tolerance);
  CVodeSetUserData(cvode, &s);
  CVDiag(cvode);
  CVodeSetMaxNumSteps(cvode, -1);
  CVodeRootInit(cvode, (int)s.n, crossings);
  CVodeSetNoInactiveRootWarn(cvode);
  double t = 0;
  long events = 0;
  while (t < 1) {
    const int status = CVode(cvode, 1, y, &t, CV_NORMAL);
    if (status < 0) return 1;
    if (status != CV_ROOT_RETURN) break;
    CVodeGetRootInfo(cvode, found);
    for (long i = 0; i < s.n; ++i)
      if (found[i]) s.above[i] = !s.above[i];
    ++events;
    CVodeReInit(cvode, t, y);
  }
  printf("%ld events\n", events);
  CVodeFree(&cvode);
  N_VDestroy(y);
  SUNContext_Free(&context);
  free(found);
  free(s.above);
  return 0;
}
