/* mosim in C: a session reads texts and compiles models, a model starts runs. C99; usable from C++ and from whatever calls C.
 *
 *   mosim_session* session;
 *   mosim_model* model;
 *   mosim_result* result;
 *   if (mosim_session_new(NULL, &session) != MOSIM_OK) ...
 *   mosim_session_read(session, "BouncingBall.mo");
 *   if (mosim_session_compile(session, "BouncingBall", NULL, 0, &model) == MOSIM_OK) {
 *     mosim_options options;
 *     mosim_options_init(&options, sizeof options);
 *     options.stop = 3;
 *     if (mosim_model_simulate(model, &options, &result) == MOSIM_OK) ...
 *   }
 *
 * Errors. A function that can fail returns a mosim_status. A sentence about the last failure of a handle's functions is kept in the handle:
 * mosim_session_error() and its like; nothing is kept elsewhere. Functions that give a value itself give NULL or 0 where there is none: for a
 * handle of NULL, for an index that is too large. Where a function fails, what its out-parameters point to is left as it was, but for handles,
 * which become NULL. What is wrong with a text or a model is MOSIM_INVALID_MODEL, and data (mosim_diagnostic); how a run ended is data of its
 * result. Memory that is exhausted is MOSIM_OUT_OF_MEMORY; the handle can be used on. No exception leaves a function, and none may leave a
 * callback. Nothing here prints or ends the process; the locale does not matter.
 *
 * Ownership. Who is given a session, a model, a run, a result, a cancellation, bytes or a linearization by a function frees it, by the function named so; free functions
 * take NULL, too. They can be freed in any order. All other pointers that functions give are views: they belong to the handle that they come
 * from, and say how long they stay. Arguments are copied where they are kept. Texts are UTF-8 and end with a zero byte.
 *
 * Threads. A handle is used by one thread at a time. A model does not change: mosim_model_share() gives another thread a handle of its own, so
 * that many runs of one model go on at once. A cancellation alone may be set from any thread at any time.
 *
 * What may change. The shared library has the number of this interface in its name (libmosim.so.0), and exports mosim_* alone. As long as that
 * number stays, functions, the values of constants and the members of structures stay, and programs that were built with an older header run on.
 * Added may be: functions; constants, so that an unknown kind of something is to be expected; members at the end of the structures whose first
 * member is their size. Of those the caller says by it which members it knows of. What an older caller does not know of has its default; what an
 * older library does not know of is accepted where its bytes are zero, which is the default of each member that will be added, and else refused
 * as MOSIM_INVALID_ARGUMENT; where the library fills a structure, such bytes become zero. Structures without a size never change. Handles and
 * views are opaque: their contents change freely. So do texts meant for people. */
#ifndef MOSIM_H
#define MOSIM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MOSIM_API __attribute__((visibility("default")))
#else
#define MOSIM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors -------------------------------------------------------------------------------------------------------- */

typedef int mosim_status;
enum {
  MOSIM_OK = 0,
  MOSIM_INVALID_ARGUMENT = 1, /* of the call: a handle of NULL, an index, an option */
  MOSIM_NOT_FOUND = 2,        /* nothing has this name */
  MOSIM_INVALID_MODEL = 3,    /* a text cannot be read, a class cannot be compiled: see the session's diagnostics */
  MOSIM_FINISHED = 4,         /* the run has been finished, and does no more */
  MOSIM_OUT_OF_MEMORY = 5,
  MOSIM_INTERNAL_ERROR = 6    /* a fault of the library's */
};

/* What a status means, in a few words. Never NULL. Stays for ever. */
MOSIM_API const char* mosim_status_text(mosim_status status);
/* "0.1.0". Stays for ever. */
MOSIM_API const char* mosim_version(void);

/* ---- handles and views --------------------------------------------------------------------------------------------- */

typedef struct mosim_session mosim_session;
typedef struct mosim_model mosim_model;
typedef struct mosim_run mosim_run;
typedef struct mosim_result mosim_result;
typedef struct mosim_cancellation mosim_cancellation;
typedef struct mosim_bytes mosim_bytes;
typedef struct mosim_linearization mosim_linearization;

typedef struct mosim_diagnostic mosim_diagnostic;
typedef struct mosim_variable mosim_variable;
typedef struct mosim_event mosim_event;
typedef struct mosim_cause mosim_cause;
typedef struct mosim_fired mosim_fired;

/* A place in a text. Its texts are views of what it was asked of. Never changes. */
typedef struct mosim_place {
  const char* file;        /* as it was named when it was read; never NULL */
  uint32_t line;           /* from 1; 0: no place is known */
  uint32_t column;         /* from 1, in characters (Unicode) */
  uint32_t end_column;     /* behind the last character, if that is on the same line; else 0 */
  const char* source_line; /* the whole line; never NULL */
} mosim_place;

/* ---- diagnostics --------------------------------------------------------------------------------------------------- */

enum { MOSIM_ERROR = 0, MOSIM_WARNING = 1, MOSIM_NOTE = 2 };

/* One thing that is said of a text, a model or a run. For NULL: MOSIM_ERROR, 0, NULL, MOSIM_INVALID_ARGUMENT. */
MOSIM_API int mosim_diagnostic_severity(const mosim_diagnostic* diagnostic);
MOSIM_API mosim_status mosim_diagnostic_place(const mosim_diagnostic* diagnostic, mosim_place* place);
/* s; of a run alone. */
MOSIM_API double mosim_diagnostic_time(const mosim_diagnostic* diagnostic);
/* One sentence: why. */
MOSIM_API const char* mosim_diagnostic_cause(const mosim_diagnostic* diagnostic);
/* What to do about it; may be empty. */
MOSIM_API const char* mosim_diagnostic_remedy(const mosim_diagnostic* diagnostic);
/* All of it as the command prints it: lines, the last with its end. */
MOSIM_API const char* mosim_diagnostic_text(const mosim_diagnostic* diagnostic);
/* Other places that have to do with the matter. */
MOSIM_API size_t mosim_diagnostic_note_count(const mosim_diagnostic* diagnostic);
MOSIM_API const char* mosim_diagnostic_note_text(const mosim_diagnostic* diagnostic, size_t note);
MOSIM_API mosim_status mosim_diagnostic_note_place(const mosim_diagnostic* diagnostic, size_t note, mosim_place* place);

/* ---- bytes ---------------------------------------------------------------------------------------------------------- */

/* A text, or what is kept in a file: so many bytes, and a zero byte behind them. They stay until they are freed, and never change. */
MOSIM_API const char* mosim_bytes_data(const mosim_bytes* bytes);
MOSIM_API size_t mosim_bytes_size(const mosim_bytes* bytes);
MOSIM_API void mosim_bytes_free(mosim_bytes* bytes);

/* ---- sessions: texts and the classes in them ----------------------------------------------------------------------- */

/* A text, and what its file is called; NULL: as the class that was asked for. */
typedef struct mosim_source_text {
  const char* file;
  const char* text;           /* of the length in bytes; NULL: there is no such class */
  size_t length;
} mosim_source_text;

typedef struct mosim_session_options {
  size_t size;                /* of this structure, as the caller knows it */
  int without_bundled_library; /* other than 0: nothing of the standard library that is in mosim */
  int native_code;            /* other than 0: C functions that models bring along may be called, with the rights of the process */
  void* context;              /* first argument of both */
  /* Asked for a class that no text read so far has, and no library, once for each name: "Pack.Inner.Model", after its packages. What it gives, in
   * a structure of zeros, stays until it is asked again, or the call that it is asked in returns. */
  void (*source)(void* context, const char* name, mosim_source_text* text);
  /* Asked for the path of a file that "modelica://Package/..." names, in sessions and by runs, from whichever thread these are in: a text that stays
   * until it is asked again in this thread. NULL: it lies in the folder of the package. The context has to live as long as models of the session. */
  const char* (*resource)(void* context, const char* uri);
} mosim_session_options;

/* options: may be NULL. All bytes but those of the size are 0 by default. To be freed by mosim_session_free(). */
MOSIM_API mosim_status mosim_session_new(const mosim_session_options* options, mosim_session** session);
MOSIM_API void mosim_session_free(mosim_session* session);
/* Why the last function that failed for this handle did; empty: none has. Stays until the next call with the handle. For NULL: NULL. */
MOSIM_API const char* mosim_session_error(const mosim_session* session);

/* A folder of packages, a package's folder or a file, in which classes are found when they are asked for. MOSIM_NOT_FOUND: there is none. */
MOSIM_API mosim_status mosim_session_add_library(mosim_session* session, const char* path);
/* Reads a .mo file, or a package's folder. MOSIM_INVALID_MODEL: among the diagnostics is an error. */
MOSIM_API mosim_status mosim_session_read(mosim_session* session, const char* path);
/* Reads a text of so many bytes, which diagnostics call `file`. */
MOSIM_API mosim_status mosim_session_read_text(mosim_session* session, const char* file, const char* text, size_t length);
/* Qualified names of the classes at the top of what was read last. Stay until something is read. */
MOSIM_API size_t mosim_session_class_count(const mosim_session* session);
MOSIM_API const char* mosim_session_class(const mosim_session* session, size_t index);

/* Compiles a class. settings: "name = value" each, for parameters and start values; NULL if there are 0. The model does not need the session
 * any more; it is freed by mosim_model_free(). MOSIM_INVALID_MODEL: see the diagnostics; the session can be used on. */
MOSIM_API mosim_status mosim_session_compile(mosim_session* session, const char* name, const char* const* settings, size_t setting_count, mosim_model** model);

/* A model that was written by mosim_model_write(), of the same version. MOSIM_INVALID_MODEL: the bytes are none, or the model calls foreign code and
 * the session may not: see the diagnostics. Whatever the bytes are, nothing worse happens. */
MOSIM_API mosim_status mosim_session_load(mosim_session* session, const char* data, size_t size, mosim_model** model);

/* All that was said since the last call of add_library, read, read_text, compile or load began. They stay until the next such call. */
MOSIM_API size_t mosim_session_diagnostic_count(const mosim_session* session);
MOSIM_API const mosim_diagnostic* mosim_session_diagnostic(const mosim_session* session, size_t index);

/* ---- models -------------------------------------------------------------------------------------------------------- */

/* Views of a model stay as long as any handle of it, or of a run of it. */
MOSIM_API void mosim_model_free(mosim_model* model);
/* Another handle of the same model, for another thread, say; to be freed by mosim_model_free(). Costs next to nothing. */
MOSIM_API mosim_status mosim_model_share(mosim_model* model, mosim_model** shared);
/* As mosim_session_error(). */
MOSIM_API const char* mosim_model_error(const mosim_model* model);
MOSIM_API const char* mosim_model_name(const mosim_model* model);
MOSIM_API const char* mosim_model_description(const mosim_model* model);
/* What was said while it was compiled: warnings. */
MOSIM_API size_t mosim_model_diagnostic_count(const mosim_model* model);
MOSIM_API const mosim_diagnostic* mosim_model_diagnostic(const mosim_model* model, size_t index);

/* The model as the bytes of a .mosim file, for mosim_session_load() of the same version, in another process too. */
MOSIM_API mosim_status mosim_model_write(mosim_model* model, mosim_bytes** bytes);

/* What the model's experiment annotation says, in seconds; NaN: nothing. */
typedef struct mosim_experiment {
  size_t size;                /* of this structure, to be set by the caller */
  double start, stop, tolerance, interval;
} mosim_experiment;
MOSIM_API mosim_status mosim_model_experiment(mosim_model* model, mosim_experiment* experiment);

enum { MOSIM_REAL = 0, MOSIM_INTEGER = 1, MOSIM_BOOLEAN = 2, MOSIM_STRING = 3, MOSIM_ENUMERATION = 4 };
enum { MOSIM_STATE = 0, MOSIM_DERIVATIVE = 1, MOSIM_ALGEBRAIC = 2, MOSIM_DISCRETE = 3, MOSIM_PARAMETER = 4, MOSIM_CONSTANT = 5 };

MOSIM_API size_t mosim_model_variable_count(const mosim_model* model);
MOSIM_API const mosim_variable* mosim_model_variable(const mosim_model* model, size_t index);
/* The index of a variable. MOSIM_NOT_FOUND: there is none of this name. */
MOSIM_API mosim_status mosim_model_find(mosim_model* model, const char* name, size_t* index);

/* "body.h", "x[2]", "der(x)" */
MOSIM_API const char* mosim_variable_name(const mosim_variable* variable);
MOSIM_API const char* mosim_variable_description(const mosim_variable* variable);
MOSIM_API const char* mosim_variable_unit(const mosim_variable* variable);
MOSIM_API const char* mosim_variable_display_unit(const mosim_variable* variable);
MOSIM_API const char* mosim_variable_quantity(const mosim_variable* variable);
MOSIM_API int mosim_variable_type(const mosim_variable* variable); /* MOSIM_REAL ... */
MOSIM_API int mosim_variable_kind(const mosim_variable* variable); /* MOSIM_STATE ... */
/* 1 or 0. */
MOSIM_API int mosim_variable_is_protected(const mosim_variable* variable);
MOSIM_API int mosim_variable_is_hidden(const mosim_variable* variable); /* annotated HideResult */
MOSIM_API int mosim_variable_is_input(const mosim_variable* variable);  /* of the model as a whole */
MOSIM_API int mosim_variable_is_output(const mosim_variable* variable);
/* A run can be started with another value of it, or another start value: see the member set_names of mosim_options. */
MOSIM_API int mosim_variable_is_changeable(const mosim_variable* variable);
/* Of an enumeration, whose values are numbers from 1 on: literal 0 is that of the number 1. */
MOSIM_API size_t mosim_variable_literal_count(const mosim_variable* variable);
MOSIM_API const char* mosim_variable_literal(const mosim_variable* variable, size_t index);
/* Of the declaration. */
MOSIM_API mosim_status mosim_variable_place(const mosim_variable* variable, mosim_place* place);

/* ---- events: all that happens at one instant ------------------------------------------------------------------------ */

enum {
  MOSIM_EVENT_INITIAL = 0,
  MOSIM_EVENT_TIME = 1,
  MOSIM_EVENT_STATE = 2,
  MOSIM_EVENT_CLOCK = 3,
  MOSIM_EVENT_TERMINAL = 4,
  MOSIM_EVENT_SET = 5         /* values came from outside: mosim_run_set() */
};

MOSIM_API uint64_t mosim_event_number(const mosim_event* event); /* from 1; initialisation is 0 */
MOSIM_API double mosim_event_time(const mosim_event* event);     /* s */
MOSIM_API int mosim_event_kind(const mosim_event* event);
MOSIM_API uint32_t mosim_event_rounds(const mosim_event* event); /* of event iteration */
/* 1: no event; relations came back through their hysteresis, and nothing else changed. */
MOSIM_API int mosim_event_is_rearming(const mosim_event* event);

/* Relations, clocks and expressions that have to do with it. */
enum { MOSIM_CAUSE_RELATION = 0, MOSIM_CAUSE_ROUNDING = 1, MOSIM_CAUSE_SAMPLE = 2, MOSIM_CAUSE_CLOCK = 3, MOSIM_CAUSE_DELAY = 4 };
MOSIM_API size_t mosim_event_cause_count(const mosim_event* event);
MOSIM_API const mosim_cause* mosim_event_cause(const mosim_event* event, size_t index);
MOSIM_API int mosim_cause_what(const mosim_cause* cause);
MOSIM_API const char* mosim_cause_text(const mosim_cause* cause); /* as Modelica: "h < 0" */
MOSIM_API double mosim_cause_value(const mosim_cause* cause);     /* what it becomes: 0 or 1, the whole number of a rounding */
MOSIM_API mosim_status mosim_cause_place(const mosim_cause* cause, mosim_place* place);

/* When-clauses that fired. */
MOSIM_API size_t mosim_event_fired_count(const mosim_event* event);
MOSIM_API const mosim_fired* mosim_event_fired(const mosim_event* event, size_t index);
MOSIM_API const char* mosim_fired_text(const mosim_fired* fired); /* of its condition */
MOSIM_API uint32_t mosim_fired_round(const mosim_fired* fired);   /* of event iteration; 0: initialisation */
MOSIM_API mosim_status mosim_fired_place(const mosim_fired* fired, mosim_place* place);
/* Of a vector of conditions: the elements that became true, from 1, and those that were true already. An array of so many; NULL if 0. */
MOSIM_API const uint32_t* mosim_fired_elements(const mosim_fired* fired, size_t* count);
MOSIM_API const uint32_t* mosim_fired_already_true(const mosim_fired* fired, size_t* count);

/* Variables that are others after the event: the left limit, and the value after the last round. Of a String: numbers of texts
 * (mosim_result_string()). Never changes. */
typedef struct mosim_change {
  size_t variable;            /* index in the model */
  double before, after;
} mosim_change;
MOSIM_API size_t mosim_event_change_count(const mosim_event* event);
MOSIM_API mosim_status mosim_event_change(const mosim_event* event, size_t index, mosim_change* change);

/* ---- runs ---------------------------------------------------------------------------------------------------------- */

/* A flag: once it is set, from whichever thread, the runs that were started with it end as soon as they can. It may be freed while they go on,
 * but not while another thread sets it. */
MOSIM_API mosim_status mosim_cancellation_new(mosim_cancellation** cancellation);
MOSIM_API void mosim_cancellation_free(mosim_cancellation* cancellation);
MOSIM_API mosim_status mosim_cancellation_set(mosim_cancellation* cancellation);

enum { MOSIM_BDF = 0, MOSIM_ADAMS = 1, MOSIM_ESDIRK = 2, MOSIM_ERK = 3, MOSIM_AUTO = 4 };
#define MOSIM_NO_LIMIT UINT64_MAX

/* What an input of the model as a whole follows: a function of time, or a table. Never changes. */
typedef struct mosim_input {
  const char* variable;
  /* Of time in s; continuous, finite, and the same whenever it is asked. NULL: a table. For Reals alone. */
  double (*function)(void* context, double time);
  void* context;              /* its first argument */
  const double* times;        /* s, that do not fall; two alike are a jump, which is an event */
  const double* values;
  size_t count;               /* of both */
  int holds;                  /* other than 0: each value up to the next time; else straight lines between them, for Reals alone */
} mosim_input;

/* To be made by mosim_options_init(). */
typedef struct mosim_options {
  size_t size;                /* of this structure, as the caller knows it */
  double start, stop;         /* s; NaN: the experiment's, else 0 and start + 1 */
  double tolerance;           /* relative, of the result; NaN: the experiment's, else 1e-6 */
  double interval;            /* s, between rows; NaN: the experiment's, else a 500th of the run */
  uint32_t intervals;         /* if not 0: so many intervals of one length instead. Events add rows */
  int solver;                 /* MOSIM_BDF */
  double hysteresis;          /* NaN: each relation's own */
  uint64_t maximum_events;    /* MOSIM_NO_LIMIT */
  const char* const* results; /* names of the variables in a row; NULL: all but parameters, constants and what is hidden */
  size_t result_count;
  int without_events;         /* other than 0: none are kept nor given to on_event */
  mosim_cancellation* cancellation; /* may be NULL */

  /* Called by the thread that carries the run on, while it does; each may be NULL. They must not call a function with the run that they are
   * called from, nor leave by longjmp. What they are given is there during the call alone. */
  void* context;              /* first argument of each */
  /* Gets each row once it is final: time, then the results; the result keeps none then. Other than 0: the run may end. */
  int (*on_row)(void* context, const double* row, size_t width);
  /* Gets each event once it is final; the result keeps none then. */
  void (*on_event)(void* context, const mosim_event* event);
  /* Gets warnings while the run goes on, and what functions of the model print, which is not ended by a zero byte. */
  void (*on_message)(void* context, const mosim_diagnostic* message);
  void (*on_print)(void* context, const char* text, size_t length);
  void (*on_progress)(void* context, double time); /* s, that the run has come to */

  /* Values of parameters, and start values of other variables, in place of the model's own; see mosim_variable_is_changeable(). Booleans are 0
   * and 1, values of enumerations count from 1. */
  const char* const* set_names;
  const double* set_values;
  size_t set_count;
  const mosim_input* inputs;  /* the others keep their start values, or what mosim_run_set() gives them */
  size_t input_count;
} mosim_options;

/* Fills a structure of `size` bytes with the defaults. */
MOSIM_API mosim_status mosim_options_init(mosim_options* options, size_t size);

/* MOSIM_OK: a run can be started with this value. MOSIM_INVALID_ARGUMENT: it cannot, and mosim_model_error() says why; a model that is compiled
 * with that setting may. */
MOSIM_API mosim_status mosim_model_can_set(mosim_model* model, const char* name, double value);

/* Initialises a run. options: may be NULL. Errors: MOSIM_INVALID_ARGUMENT for options that no run can have, MOSIM_NOT_FOUND for names among its
 * results; see mosim_model_error(). A run whose initialisation fails has come to its end. To be freed by mosim_run_free(); it keeps the model. */
MOSIM_API mosim_status mosim_model_start(mosim_model* model, const mosim_options* options, mosim_run** run);
/* A whole run. The result, to be freed by mosim_result_free(), is there whichever way the run ended. */
MOSIM_API mosim_status mosim_model_simulate(mosim_model* model, const mosim_options* options, mosim_result** result);

MOSIM_API void mosim_run_free(mosim_run* run);
/* As mosim_session_error(). */
MOSIM_API const char* mosim_run_error(const mosim_run* run);
/* s; after mosim_run_finish(), too. For NULL: 0. */
MOSIM_API double mosim_run_time(const mosim_run* run);
/* 1, or 0: it has come to its end, by whatever reason; see mosim_run_finish(). */
MOSIM_API int mosim_run_goes_on(const mosim_run* run);
/* One step of the integrator, not beyond `until`, and the event that it leads to. An end that a run comes to is no failure of the call. */
MOSIM_API mosim_status mosim_run_step(mosim_run* run, double until);
/* Steps to an instant, events at it included. */
MOSIM_API mosim_status mosim_run_advance_to(mosim_run* run, double until);

/* The values of variables now, by their indices in the model or by name; of a String the number of its text. All, or none. */
MOSIM_API mosim_status mosim_run_get(mosim_run* run, const size_t* variables, size_t count, double* values);
MOSIM_API mosim_status mosim_run_get_by_name(mosim_run* run, const char* const* names, size_t count, double* values);
/* Sets inputs and states, all at one instant: an event, at which relations are evaluated anew and when-clauses may fire.
 * MOSIM_INVALID_ARGUMENT for other variables and for values that are not finite: none is set then. */
MOSIM_API mosim_status mosim_run_set(mosim_run* run, const size_t* variables, size_t count, const double* values);
MOSIM_API mosim_status mosim_run_set_by_name(mosim_run* run, const char* const* names, size_t count, const double* values);

/* The run as it is now, for mosim_model_restore(): the same version of mosim and the same model give it back, in another process too. They hold
 * how the run was started and what was done with it since; functions of options stay with the caller. */
MOSIM_API mosim_status mosim_run_save(mosim_run* run, mosim_bytes** bytes);
/* A run that was saved, as it was; gone through anew up to there, which takes as long as it took. Of the options (may be NULL) callbacks, cancellation
 * and functions of inputs count; what was handed to callbacks before is not handed to them again. MOSIM_INVALID_ARGUMENT: the bytes are no
 * saved run of this model. */
MOSIM_API mosim_status mosim_model_restore(mosim_model* model, const char* data, size_t size, const mosim_options* options, mosim_run** run);

/* The model near the present point of a run as a linear system of the differences from it: der(x) = A x + B u, y = C x + D u, of states, inputs and
 * outputs of the model as a whole that are Reals. Derivatives are exact up to rounding; discrete variables and relations count as constant.
 * To be freed by mosim_linearization_free(). MOSIM_INVALID_ARGUMENT: there is no such system here, and mosim_run_error() says why. */
MOSIM_API mosim_status mosim_run_linearize(mosim_run* run, mosim_linearization** linearization);
MOSIM_API void mosim_linearization_free(mosim_linearization* linearization);
enum { MOSIM_STATES = 0, MOSIM_INPUTS = 1, MOSIM_OUTPUTS = 2 };
/* How many, and their names. Views stay until it is freed. */
MOSIM_API size_t mosim_linearization_count(const mosim_linearization* linearization, int which);
MOSIM_API const char* mosim_linearization_name(const mosim_linearization* linearization, int which, size_t index);
enum { MOSIM_A = 0, MOSIM_B = 1, MOSIM_C = 2, MOSIM_D = 3 };
/* Row by row; NULL where it has no elements. */
MOSIM_API const double* mosim_linearization_matrix(const mosim_linearization* linearization, int which);

/* Ends the run here, and says how it was. The result is to be freed by mosim_result_free(); the run still by mosim_run_free(). */
MOSIM_API mosim_status mosim_run_finish(mosim_run* run, mosim_result** result);

/* ---- results ------------------------------------------------------------------------------------------------------- */

/* Views of a result stay as long as it. */
MOSIM_API void mosim_result_free(mosim_result* result);
/* As mosim_session_error(). */
MOSIM_API const char* mosim_result_error(const mosim_result* result);

enum { MOSIM_STOP_TIME = 0, MOSIM_TERMINATED = 1, MOSIM_MAXIMUM_EVENTS = 2, MOSIM_FAILED = 3, MOSIM_INTERRUPTED = 4 };
/* For NULL: MOSIM_FAILED. */
MOSIM_API int mosim_result_ending(const mosim_result* result);
/* That was reached, s. */
MOSIM_API double mosim_result_time(const mosim_result* result);

/* Columns: "time", then variables. Rows: those that are kept. At an event: the left limits, then the values after it. */
MOSIM_API size_t mosim_result_column_count(const mosim_result* result);
MOSIM_API const char* mosim_result_column_name(const mosim_result* result, size_t column);
MOSIM_API mosim_status mosim_result_find(mosim_result* result, const char* name, size_t* column);
MOSIM_API size_t mosim_result_row_count(const mosim_result* result);
/* All rows that there were, those given to on_row among them. */
MOSIM_API uint64_t mosim_result_rows_made(const mosim_result* result);
/* All kept rows, one after the other: column count numbers each. NULL if there are none. */
MOSIM_API const double* mosim_result_rows(const mosim_result* result);
/* Copies a column's values, row count of them, to an array with room for `capacity`. MOSIM_INVALID_ARGUMENT: that is too little. */
MOSIM_API mosim_status mosim_result_column(mosim_result* result, size_t column, double* values, size_t capacity);

MOSIM_API size_t mosim_result_event_count(const mosim_result* result);
MOSIM_API const mosim_event* mosim_result_event(const mosim_result* result, size_t index);
/* What was said of the run; an error last, if it failed. */
MOSIM_API size_t mosim_result_diagnostic_count(const mosim_result* result);
MOSIM_API const mosim_diagnostic* mosim_result_diagnostic(const mosim_result* result, size_t index);
/* What the values of String variables are numbers of. */
MOSIM_API size_t mosim_result_string_count(const mosim_result* result);
MOSIM_API const char* mosim_result_string(const mosim_result* result, size_t index);

/* In words, as the command tells them after a run; and the event log as text, of the events in this result. */
MOSIM_API mosim_status mosim_result_report(mosim_result* result, mosim_bytes** text);
MOSIM_API mosim_status mosim_result_event_log(mosim_result* result, mosim_bytes** text);
/* One page of HTML that loads nothing: the curves of the rows, the events and the source beside them. */
MOSIM_API mosim_status mosim_result_page(mosim_result* result, mosim_bytes** text);

typedef struct mosim_statistics {
  size_t size;                /* of this structure, to be set by the caller */
  uint64_t steps, evaluations, jacobians;
  uint64_t time_events, state_events, clock_events;
} mosim_statistics;
MOSIM_API mosim_status mosim_result_statistics(mosim_result* result, mosim_statistics* statistics);

#ifdef __cplusplus
}
#endif

#endif /* MOSIM_H */
