// Diagnostics, variables and events, as C sees them.

#include "engine/c/handles.hpp"

using namespace mosim;
using namespace mosim::c;

namespace {

template <class Enumeration>
constexpr bool is(Enumeration value, int constant) { return static_cast<int>(value) == constant; }

// The constants of mosim.h stay. Where these come to differ, translate.
static_assert(is(Severity::error, MOSIM_ERROR) && is(Severity::warning, MOSIM_WARNING) && is(Severity::note, MOSIM_NOTE));
static_assert(is(Type::real, MOSIM_REAL) && is(Type::integer, MOSIM_INTEGER) && is(Type::boolean, MOSIM_BOOLEAN) && is(Type::string, MOSIM_STRING) &&
              is(Type::enumeration, MOSIM_ENUMERATION));
static_assert(is(Kind::state, MOSIM_STATE) && is(Kind::derivative, MOSIM_DERIVATIVE) && is(Kind::algebraic, MOSIM_ALGEBRAIC) &&
              is(Kind::discrete, MOSIM_DISCRETE) && is(Kind::parameter, MOSIM_PARAMETER) && is(Kind::constant, MOSIM_CONSTANT));
static_assert(is(EventKind::initial, MOSIM_EVENT_INITIAL) && is(EventKind::time, MOSIM_EVENT_TIME) && is(EventKind::state, MOSIM_EVENT_STATE) &&
              is(EventKind::clock, MOSIM_EVENT_CLOCK) && is(EventKind::terminal, MOSIM_EVENT_TERMINAL) && is(EventKind::set, MOSIM_EVENT_SET));
static_assert(is(Cause::What::relation, MOSIM_CAUSE_RELATION) && is(Cause::What::rounding, MOSIM_CAUSE_ROUNDING) && is(Cause::What::sample, MOSIM_CAUSE_SAMPLE) &&
              is(Cause::What::clock, MOSIM_CAUSE_CLOCK) && is(Cause::What::delay, MOSIM_CAUSE_DELAY));

/// A member of what a view stands for; for NULL, what there is instead.
template <class View, class Member, class Otherwise>
auto get(const View* viewed, Member&& member, Otherwise otherwise) -> Otherwise {
  const auto* const object = seen(viewed);
  return object ? static_cast<Otherwise>(member(*object)) : otherwise;
}

template <class View, class Member>
const char* text(const View* viewed, Member&& member) {
  const auto* const object = seen(viewed);
  return object ? member(*object).c_str() : nullptr;
}

mosim_status put(const Place& from, mosim_place* place) {
  *place = {from.file.c_str(), from.line, from.column, from.end_column, from.source_line.c_str()};
  return MOSIM_OK;
}

template <class View>
mosim_status put_place(const View* viewed, mosim_place* place) {
  if (!viewed || !place) return MOSIM_INVALID_ARGUMENT;
  return put(seen(viewed)->place, place);
}

const std::uint32_t* numbers(const std::vector<std::uint32_t>* list, std::size_t* count) {
  if (count) *count = list ? list->size() : 0;
  return list && !list->empty() ? list->data() : nullptr;
}

}  // namespace

extern "C" {

// ---- diagnostics

int mosim_diagnostic_severity(const mosim_diagnostic* d) { return get(d, [](auto& x) { return x.severity; }, MOSIM_ERROR + 0); }
mosim_status mosim_diagnostic_place(const mosim_diagnostic* d, mosim_place* place) { return put_place(d, place); }
double mosim_diagnostic_time(const mosim_diagnostic* d) { return get(d, [](auto& x) { return x.time; }, 0.0); }
const char* mosim_diagnostic_cause(const mosim_diagnostic* d) { return text(d, [](auto& x) -> auto& { return x.cause; }); }
const char* mosim_diagnostic_remedy(const mosim_diagnostic* d) { return text(d, [](auto& x) -> auto& { return x.remedy; }); }
const char* mosim_diagnostic_text(const mosim_diagnostic* d) { return text(d, [](auto& x) -> auto& { return x.text; }); }

size_t mosim_diagnostic_note_count(const mosim_diagnostic* d) { return get(d, [](auto& x) { return x.notes.size(); }, size_t{0}); }
const char* mosim_diagnostic_note_text(const mosim_diagnostic* d, size_t k) {
  const Note* const note = d ? element(seen(d)->notes, k) : nullptr;
  return note ? note->text.c_str() : nullptr;
}
mosim_status mosim_diagnostic_note_place(const mosim_diagnostic* d, size_t k, mosim_place* place) {
  const Note* const note = d ? element(seen(d)->notes, k) : nullptr;
  return note && place ? put(note->place, place) : MOSIM_INVALID_ARGUMENT;
}

// ---- variables

const char* mosim_variable_name(const mosim_variable* v) { return text(v, [](auto& x) -> auto& { return x.name; }); }
const char* mosim_variable_description(const mosim_variable* v) { return text(v, [](auto& x) -> auto& { return x.description; }); }
const char* mosim_variable_unit(const mosim_variable* v) { return text(v, [](auto& x) -> auto& { return x.unit; }); }
const char* mosim_variable_display_unit(const mosim_variable* v) { return text(v, [](auto& x) -> auto& { return x.display_unit; }); }
const char* mosim_variable_quantity(const mosim_variable* v) { return text(v, [](auto& x) -> auto& { return x.quantity; }); }
int mosim_variable_type(const mosim_variable* v) { return get(v, [](auto& x) { return x.type; }, 0); }
int mosim_variable_kind(const mosim_variable* v) { return get(v, [](auto& x) { return x.kind; }, 0); }
int mosim_variable_is_protected(const mosim_variable* v) { return get(v, [](auto& x) { return x.is_protected; }, 0); }
int mosim_variable_is_hidden(const mosim_variable* v) { return get(v, [](auto& x) { return x.is_hidden; }, 0); }
int mosim_variable_is_input(const mosim_variable* v) { return get(v, [](auto& x) { return x.is_input; }, 0); }
int mosim_variable_is_changeable(const mosim_variable* v) { return get(v, [](auto& x) { return x.is_changeable; }, 0); }
int mosim_variable_is_output(const mosim_variable* v) { return get(v, [](auto& x) { return x.is_output; }, 0); }
size_t mosim_variable_literal_count(const mosim_variable* v) { return get(v, [](auto& x) { return x.literals.size(); }, size_t{0}); }
const char* mosim_variable_literal(const mosim_variable* v, size_t k) { return v ? text_of(element(seen(v)->literals, k)) : nullptr; }
mosim_status mosim_variable_place(const mosim_variable* v, mosim_place* place) { return put_place(v, place); }

// ---- events

uint64_t mosim_event_number(const mosim_event* e) { return get(e, [](auto& x) { return x.number; }, uint64_t{0}); }
double mosim_event_time(const mosim_event* e) { return get(e, [](auto& x) { return x.time; }, 0.0); }
int mosim_event_kind(const mosim_event* e) { return get(e, [](auto& x) { return x.kind; }, 0); }
uint32_t mosim_event_rounds(const mosim_event* e) { return get(e, [](auto& x) { return x.rounds; }, uint32_t{0}); }
int mosim_event_is_rearming(const mosim_event* e) { return get(e, [](auto& x) { return x.is_rearming; }, 0); }

size_t mosim_event_cause_count(const mosim_event* e) { return get(e, [](auto& x) { return x.causes.size(); }, size_t{0}); }
const mosim_cause* mosim_event_cause(const mosim_event* e, size_t k) { return e ? view(element(seen(e)->causes, k)) : nullptr; }
int mosim_cause_what(const mosim_cause* c) { return get(c, [](auto& x) { return x.what; }, 0); }
const char* mosim_cause_text(const mosim_cause* c) { return text(c, [](auto& x) -> auto& { return x.text; }); }
double mosim_cause_value(const mosim_cause* c) { return get(c, [](auto& x) { return x.value; }, 0.0); }
mosim_status mosim_cause_place(const mosim_cause* c, mosim_place* place) { return put_place(c, place); }

size_t mosim_event_fired_count(const mosim_event* e) { return get(e, [](auto& x) { return x.fired.size(); }, size_t{0}); }
const mosim_fired* mosim_event_fired(const mosim_event* e, size_t k) { return e ? view(element(seen(e)->fired, k)) : nullptr; }
const char* mosim_fired_text(const mosim_fired* f) { return text(f, [](auto& x) -> auto& { return x.text; }); }
uint32_t mosim_fired_round(const mosim_fired* f) { return get(f, [](auto& x) { return x.round; }, uint32_t{0}); }
mosim_status mosim_fired_place(const mosim_fired* f, mosim_place* place) { return put_place(f, place); }
const uint32_t* mosim_fired_elements(const mosim_fired* f, size_t* count) { return numbers(f ? &seen(f)->elements : nullptr, count); }
const uint32_t* mosim_fired_already_true(const mosim_fired* f, size_t* count) { return numbers(f ? &seen(f)->already_true : nullptr, count); }

size_t mosim_event_change_count(const mosim_event* e) { return get(e, [](auto& x) { return x.changes.size(); }, size_t{0}); }
mosim_status mosim_event_change(const mosim_event* e, size_t k, mosim_change* change) {
  const Change* const found = e ? element(seen(e)->changes, k) : nullptr;
  if (!found || !change) return MOSIM_INVALID_ARGUMENT;
  *change = {found->variable, found->before, found->after};
  return MOSIM_OK;
}

}  // extern "C"
