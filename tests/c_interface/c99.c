/* The header is C99: constants and structures as C sees them, for the tests. */
#include "mosim/mosim.h"

#include "tests/c_interface/c99.h"

double c99_last_value(mosim_model* model, const char* name, double stop) {
  mosim_options options;
  mosim_result* result = 0;
  size_t column = 0;
  double value = -1;
  mosim_options_init(&options, sizeof options);
  options.stop = stop;
  if (mosim_model_simulate(model, &options, &result) == MOSIM_OK && mosim_result_find(result, name, &column) == MOSIM_OK)
    value = mosim_result_rows(result)[mosim_result_row_count(result) * mosim_result_column_count(result) - mosim_result_column_count(result) + column];
  mosim_result_free(result);
  return value;
}
