// Memory that is exhausted, at whichever allocation: an error of the call, after which the handles can be used on. And how much is asked for:
// as many times as much as there is of a model.

#define BOOST_TEST_MODULE exhaustion
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "mosim/mosim.h"

namespace {

std::atomic<long> made = 0;           // allocations so far
std::atomic<double> bytes_made = 0;   // in all of them
std::atomic<long> first = -1, last = -1;   // those that fail, from ... to; -1: none

bool fails() {
  const long k = made++;
  return first >= 0 && k >= first && k <= last;
}

void* allocate(std::size_t size, std::size_t alignment) {
  bytes_made += double(size);
  if (fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void* or_throw(void* p) {
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t n) { return or_throw(allocate(n, 0)); }
void* operator new[](std::size_t n) { return or_throw(allocate(n, 0)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 0); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return or_throw(allocate(n, std::size_t(a))); }
void* operator new[](std::size_t n, std::align_val_t a) { return or_throw(allocate(n, std::size_t(a))); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace {

// A bit of everything: functions, a loop, events, a clock, a delay, an algorithm, an error.
const char* const text = R"(
function f input Real x[:]; output Real y; algorithm y := 0; for i in 1:size(x, 1) loop y := y + x[i]^2; end for; end f;
record R Real a; Real b; end R;
model M "lively"
  parameter Integer n = 4; parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), x[n](each start = 1, each fixed = true), y(start = 1), past = delay(h, 0.1);
  Integer hits(start = 0, fixed = true), ticks(start = 0, fixed = true); R r(a = h, b = v); String s = if h > 0.5 then "high" else "low";
  Real sampled = sample(h, Clock(0.1)), held = hold(sampled);
equation
  der(h) = v; der(v) = -9.81;
  for i in 1:n loop der(x[i]) = -i*x[i] - 0.1*f(x); end for;
  y^3 + y = 2 + h + sin(time);
  when h < 0 then reinit(v, -e*pre(v)); hits = pre(hits) + 1; end when;
  when sample(0.05, 0.13) then ticks = pre(ticks) + 1; end when;
  assert(h < 5, "it flies: " + String(h));
end M;
model Wrong Real x = y; end Wrong;
)";

struct Outcome {
  mosim_status status = MOSIM_OK;   // the first that is none
  bool failed_run = false;          // the run ended by an error, and says so
  double value = 0;                 // that comes out
};

/// From a text to a number, with a session that lives on.
Outcome once(mosim_session* session) {
  Outcome outcome;
  const auto good = [&](mosim_status status) {
    if (outcome.status == MOSIM_OK) outcome.status = status;
    return status == MOSIM_OK;
  };
  mosim_model* model = nullptr;
  mosim_run* run = nullptr;
  mosim_result* result = nullptr;
  mosim_bytes* bytes = nullptr;
  mosim_options options;
  mosim_options_init(&options, sizeof options);
  options.stop = 1;
  const char* const set = "e";
  const double value = 0.7;
  options.set_names = &set;
  options.set_values = &value;
  options.set_count = 1;
  if (good(mosim_session_compile(session, "M", nullptr, 0, &model)) && good(mosim_model_start(model, &options, &run)) && good(mosim_run_advance_to(run, 0.7)) &&
      good(mosim_run_save(run, &bytes)) && good(mosim_run_advance_to(run, 1)) && good(mosim_run_finish(run, &result))) {
    outcome.failed_run = mosim_result_ending(result) == MOSIM_FAILED;
    mosim_bytes* report = nullptr;
    if (!outcome.failed_run && good(mosim_result_report(result, &report))) {
      size_t column = 0;
      if (good(mosim_result_find(result, "v", &column))) {
        const size_t rows = mosim_result_row_count(result), width = mosim_result_column_count(result);
        outcome.value = mosim_result_rows(result)[(rows - 1)*width + column];
      }
    }
    mosim_bytes_free(report);
  }
  mosim_bytes_free(bytes);
  mosim_result_free(result);
  mosim_run_free(run);
  mosim_model_free(model);
  mosim_model* none = nullptr;
  const mosim_status wrong = mosim_session_compile(session, "Wrong", nullptr, 0, &none);
  if (wrong != MOSIM_INVALID_MODEL) good(wrong);
  BOOST_TEST(none == nullptr);
  return outcome;
}

mosim_session* opened() {
  mosim_session* session = nullptr;
  BOOST_REQUIRE(mosim_session_new(nullptr, &session) == MOSIM_OK);
  BOOST_REQUIRE(mosim_session_read_text(session, "m.mo", text, std::strlen(text)) == MOSIM_OK);
  return session;
}

/// The allocations from `from` on, so many of them, fail in one pass; then it has to work as before.
void fail(mosim_session*& session, long from, long count, const Outcome& expected) {
  made = 0;
  last = from + count - 1;
  first = from;
  const Outcome outcome = once(session);
  first = -1;
  BOOST_TEST_CONTEXT("allocation " << from << ", " << count << " of them") {
    if (outcome.status != MOSIM_OK) BOOST_TEST(outcome.status == MOSIM_OUT_OF_MEMORY);
    if (outcome.status == MOSIM_OK && !outcome.failed_run) BOOST_TEST(outcome.value == expected.value);
    const Outcome again = once(session);
    BOOST_TEST(again.status == MOSIM_OK);
    BOOST_TEST(again.value == expected.value);
  }
}

}  // namespace

/// Bytes that compiling a model takes from the allocator altogether, given back or not.
double bytes_to_compile(const std::string& text) {
  mosim_session* session = nullptr;
  mosim_model* model = nullptr;
  BOOST_REQUIRE(mosim_session_new(nullptr, &session) == MOSIM_OK);
  const double before = bytes_made;
  BOOST_REQUIRE(mosim_session_read_text(session, "m.mo", text.data(), text.size()) == MOSIM_OK);
  const mosim_status status = mosim_session_compile(session, "M", nullptr, 0, &model);
  const double bytes = bytes_made - before;
  BOOST_REQUIRE(status == MOSIM_OK);
  mosim_model_free(model);
  mosim_session_free(session);
  return bytes;
}

BOOST_AUTO_TEST_CASE(at_any_allocation_of_a_compilation_and_a_run) {
  mosim_session* session = opened();
  const Outcome expected = once(session);
  BOOST_REQUIRE(expected.status == MOSIM_OK);
  BOOST_REQUIRE(!expected.failed_run);
  made = 0;
  (void)once(session);
  const long all = made;
  BOOST_TEST(all > 3000);
  constexpr long parts = 150;
  for (long k = 0; k < parts; ++k) {
    const long from = k*all/parts + k % 7;
    fail(session, from, 1, expected);
    fail(session, from, all, expected);   // all that follow
  }
  mosim_session_free(session);
}

BOOST_AUTO_TEST_CASE(at_any_allocation_of_reading) {
  for (long from = 0;; from += 1 + from/20) {
    mosim_session* session = nullptr;
    made = 0;
    last = from;
    first = from;
    mosim_status status = mosim_session_new(nullptr, &session);
    if (status == MOSIM_OK) status = mosim_session_read_text(session, "m.mo", text, std::strlen(text));
    const bool reached = made > from;
    first = -1;
    BOOST_TEST((status == MOSIM_OK || status == MOSIM_OUT_OF_MEMORY));
    if (session) {
      BOOST_TEST(mosim_session_read_text(session, "n.mo", "model N Real x = 1; end N;", 26) == MOSIM_OK);
      mosim_model* model = nullptr;
      BOOST_TEST(mosim_session_compile(session, "N", nullptr, 0, &model) == MOSIM_OK);
      mosim_model_free(model);
    }
    mosim_session_free(session);
    if (!reached) break;
  }
}

BOOST_AUTO_TEST_CASE(what_is_filled_element_by_element_takes_what_it_holds) {
  const std::pair<const char*, std::string> shapes[] = {
      {"records in an array", "record R Real a; Real b[2]; end R; function f input Integer n; output R y[n]; algorithm for i in 1:n loop y[i].a := i; y[i].b := {i, i}; end for; end f; model M parameter R y[#] = f(#); end M;"},
      {"an array in a record", "record R Real a[#]; end R; function f input Integer n; output R y; algorithm y.a[1] := 1; for i in 2:n loop y.a[i] := y.a[i - 1] + i; end for; end f; model M parameter R y = f(#); end M;"},
      {"rows of a matrix", "function f input Integer n; output Real y[n, 3]; algorithm for i in 1:n loop y[i, :] := {i, i, i}; end for; end f; model M parameter Real y[#, 3] = f(#); end M;"},
      {"states in a loop", "model M parameter Integer N = #; Real x[N](each start = 1, each fixed = true); equation for i in 1:N loop der(x[i]) = -i/N*x[i]; end for; end M;"},
      {"an algorithm section", "model M Real y[#]; algorithm for i in 1:# loop y[i] := i*time; end for; end M;"},
      {"a function of the run", "function f input Integer n; input Real u; output Real y[n]; algorithm for i in 1:n loop y[i] := i*u; end for; end f; model M Real y[#] = f(#, time); end M;"},
      {"results of one call", "function f input Real x[:]; output Real y[size(x, 1)]; protected Real s = 0; algorithm for k in 1:1000000 loop s := s + 1; end for; for i in 1:size(x, 1) loop y[i] := s*x[i]; end for; end f; "
                              "model M parameter Real x[#] = {i for i in 1:#}, z[#] = f(x); end M;"},   // too long to be carried out while compiling
  };
  for (const auto& [name, shape] : shapes) {
    const auto bytes = [&, &shape = shape](int n) {
      std::string text = shape;
      for (std::size_t at; (at = text.find('#')) != std::string::npos;) text.replace(at, 1, std::to_string(n));
      return bytes_to_compile(text);
    };
    const double one = bytes(1000), two = bytes(2000), four = bytes(4000);
    BOOST_TEST_MESSAGE(name << ": " << one << ", " << two << " and " << four << " bytes");
    // Twice as much for twice as many more, four times as much if each copies all.
    BOOST_TEST(four - two < 3 * (two - one), name << ": " << one << " bytes for 1000, " << two << " for 2000, " << four << " for 4000");
  }
}
