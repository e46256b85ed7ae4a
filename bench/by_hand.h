/* What the hand-written programs share: the names that SUNDIALS changed between its versions, and the look at a vector. */
#ifndef MOSIM_BENCH_BY_HAND_H
#define MOSIM_BENCH_BY_HAND_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>

#if SUNDIALS_VERSION_MAJOR < 7
typedef realtype real;
#define COMMUNICATOR NULL
#else
typedef sunrealtype real;
#define COMMUNICATOR SUN_COMM_NULL
#endif
#define DATA(v) N_VGetArrayPointer(v)

#endif
