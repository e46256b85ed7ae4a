// A library's function may leave elements of a record without a value that nobody asks for: they are 0, whether the function is carried out while
// compiling or is code. In the user's own text it is an error.

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"
#include "runtime/simulate.hpp"

using namespace rules;

namespace {

const std::string package =
    "package L record R Real a; Integer n; Boolean b; Real v[2]; end R; function f input Real u; input Boolean given; output R r; algorithm r.a := 2*u; if given then r.v[2] := u; end if; end f; "
    "model A parameter Boolean given = false; R r = f(time, given); Real x = r.a, y = r.v[2]; end A; end L;";

}  // namespace

BOOST_AUTO_TEST_SUITE(record_elements)

BOOST_AUTO_TEST_CASE(what_a_library_leaves_open_is_zero) {
  compiler::Reading reading(compiler::Bundled::without);
  reading.library.add_bundled("L", "L.mo", package);
  reading.library.read_text("test.mo", "model M extends L.A; end M;");
  compiler::Compilation compilation(reading, {"M", {}});
  BOOST_REQUIRE_MESSAGE(compilation.program(), reading.said());
  const runtime::Result result = runtime::simulate(*compilation.program(), runtime::Options{});
  const auto& t = result.trajectory;
  BOOST_REQUIRE(t.rows() > 0u);
  for (std::size_t k = 0; k < t.columns.size(); ++k) {
    const std::string& name = compilation.program()->variables[t.columns[k]].name;
    const double last = t.values[(t.rows() - 1) * t.width() + k + 1];
    BOOST_TEST(last == (name == "x" || name == "r.a" ? 2 : 0), name);
  }
}

BOOST_AUTO_TEST_CASE(what_the_user_leaves_open_is_an_error) {
  BOOST_TEST(contains(messages(package + " model M extends L.A; end M;"), "the result r of L.f is not always assigned"));
}

BOOST_AUTO_TEST_SUITE_END()
