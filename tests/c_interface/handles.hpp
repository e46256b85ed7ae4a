#pragma once
// Handles that are freed, and models from a text.

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "mosim/mosim.h"

namespace mosim::tests {

template <auto release>
struct Free {
  template <class T>
  void operator()(T* handle) const { release(handle); }
};
using Session = std::unique_ptr<mosim_session, Free<mosim_session_free>>;
using Model = std::unique_ptr<mosim_model, Free<mosim_model_free>>;
using Run = std::unique_ptr<mosim_run, Free<mosim_run_free>>;
using Result = std::unique_ptr<mosim_result, Free<mosim_result_free>>;
using Cancellation = std::unique_ptr<mosim_cancellation, Free<mosim_cancellation_free>>;

inline Session new_session() {
  mosim_session* s = nullptr;
  BOOST_REQUIRE(mosim_session_new(nullptr, &s) == MOSIM_OK);
  return Session(s);
}

inline mosim_status read(const Session& s, const std::string& text, const char* file = "m.mo") {
  return mosim_session_read_text(s.get(), file, text.data(), text.size());
}

inline Model compiled(const std::string& text, const char* name = "M") {
  const Session s = new_session();
  BOOST_REQUIRE(read(s, text) == MOSIM_OK);
  mosim_model* m = nullptr;
  const mosim_status status = mosim_session_compile(s.get(), name, nullptr, 0, &m);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_session_error(s.get()));
  return Model(m);
}

inline mosim_options options(double stop) {
  mosim_options o;
  BOOST_REQUIRE(mosim_options_init(&o, sizeof o) == MOSIM_OK);
  o.stop = stop;
  return o;
}

inline Run started(const Model& m, const mosim_options& o) {
  mosim_run* r = nullptr;
  const mosim_status status = mosim_model_start(m.get(), &o, &r);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_model_error(m.get()));
  return Run(r);
}

inline Result simulated(const Model& m, const mosim_options& o) {
  mosim_result* r = nullptr;
  const mosim_status status = mosim_model_simulate(m.get(), &o, &r);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_model_error(m.get()));
  return Result(r);
}

inline Result finished(const Run& run) {
  mosim_result* r = nullptr;
  BOOST_REQUIRE(mosim_run_finish(run.get(), &r) == MOSIM_OK);
  return Result(r);
}

inline std::vector<double> column(const Result& r, const char* name) {
  size_t k = 0;
  const mosim_status status = mosim_result_find(r.get(), name, &k);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_result_error(r.get()));
  std::vector<double> values(mosim_result_row_count(r.get()));
  BOOST_REQUIRE(mosim_result_column(r.get(), k, values.data(), values.size()) == MOSIM_OK);
  return values;
}

inline double value(const Run& run, const char* name) {
  double v = 0;
  const mosim_status status = mosim_run_get_by_name(run.get(), &name, 1, &v);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_run_error(run.get()));
  return v;
}

inline bool says(const char* text, const char* part) { return text && std::strstr(text, part); }

}  // namespace mosim::tests
