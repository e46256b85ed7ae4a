// What functions of a model print goes to standard error, beside results on standard output, and steers no terminal.

#include <boost/test/unit_test.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_CASE(functions_print_to_standard_error) {
  Folder f;
  f.write("Half.mo",
          "model Half\n"
          "  impure function message input String s; external \"C\" ModelicaMessage(s); end message;\n"
          "  impure function warning input String s; external \"C\" ModelicaWarning(s); end warning;\n"
          "  Real y = time;\n"
          "equation\n"
          "  when time > 0.5 then\n"
          "    message(\"half\\a of it\");\n"
          "    warning(\"less than half\");\n"
          "  end when;\n"
          "end Half;\n");
  const Ran ran = f.run("Half.mo --output - --quiet --intervals 1");
  BOOST_TEST(ran.status == 0);
  BOOST_TEST(ran.out == "time,y\n0,0\n0.5,0.5\n0.5,0.5\n1,1\n");
  BOOST_TEST(contains(ran.err, "half? of it\n"));
  BOOST_TEST(contains(ran.err, "warning: at time 0.5: less than half"));
}
