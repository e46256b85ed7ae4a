#pragma once
// Models of texts, and their results.

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mosim/session.hpp"

namespace mosim::tests {

/// The last model of a text. What is said of one that is not good fails the test.
inline std::shared_ptr<const Model> compiled(const std::string& text, const std::vector<std::string>& settings = {}) {
  Session s;
  const auto names = s.read_text("m.mo", text);
  auto model = names.empty() ? nullptr : s.compile(names.back(), settings);
  std::string said;
  for (const Diagnostic& d : s.diagnostics()) said += d.text;
  BOOST_REQUIRE_MESSAGE(model, said);
  return model;
}

inline double last(const Result& r, std::string_view name) { return r.column(name).back(); }

}  // namespace mosim::tests
