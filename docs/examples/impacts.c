/* Simulates a ball of one's own, and tells of its impacts: from C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mosim/mosim.h"

static const char ball[] =
    "model Ball \"It loses a part of its speed at every impact\"\n"
    "  parameter Real e = 0.8;\n"
    "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -9.81;\n"
    "  when h < 0 then\n"
    "    reinit(v, -e*pre(v));\n"
    "  end when;\n"
    "end Ball;\n";

static void tell(void* context, const mosim_event* event) {
  (void)context;
  for (size_t k = 0; k < mosim_event_fired_count(event); ++k) {
    const mosim_fired* const fired = mosim_event_fired(event, k);
    mosim_place place;
    if (mosim_fired_place(fired, &place) != MOSIM_OK) continue;
    printf("%.6f s: when %s fires (line %u)\n", mosim_event_time(event), mosim_fired_text(fired), (unsigned)place.line);
  }
}

int main(void) {
  const char* const settings[] = {"e = 0.5"};
  mosim_session* session = NULL;
  mosim_model* model = NULL;
  mosim_result* result = NULL;
  mosim_options options;
  double* h = NULL;
  size_t column, rows;
  int status = 1;

  if (mosim_session_new(NULL, &session) != MOSIM_OK) return 1;
  if (mosim_session_read_text(session, "Ball.mo", ball, strlen(ball)) != MOSIM_OK ||
      mosim_session_compile(session, "Ball", settings, 1, &model) != MOSIM_OK) {
    for (size_t k = 0; k < mosim_session_diagnostic_count(session); ++k)
      fputs(mosim_diagnostic_text(mosim_session_diagnostic(session, k)), stderr);
    goto end;
  }

  mosim_options_init(&options, sizeof options);
  options.stop = 1.2;
  options.on_event = tell;
  if (mosim_model_simulate(model, &options, &result) != MOSIM_OK) {
    fprintf(stderr, "%s\n", mosim_model_error(model));
    goto end;
  }
  rows = mosim_result_row_count(result);
  h = malloc(rows * sizeof *h);
  if (!h || mosim_result_find(result, "h", &column) != MOSIM_OK || mosim_result_column(result, column, h, rows) != MOSIM_OK) goto end;
  printf("%lu values of h, the last is %.6f\n", (unsigned long)rows, h[rows - 1]);
  status = 0;

end:
  free(h);
  mosim_result_free(result);
  mosim_model_free(model);
  mosim_session_free(session);
  return status;
}
