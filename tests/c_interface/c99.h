#ifndef TESTS_C_INTERFACE_C99_H
#define TESTS_C_INTERFACE_C99_H
/* A function in C. */
#include "mosim/mosim.h"
#ifdef __cplusplus
extern "C" {
#endif
/* The last value of a variable in a run to `stop`; -1 if there is none. */
double c99_last_value(mosim_model* model, const char* name, double stop);
#ifdef __cplusplus
}
#endif
#endif
