// Elements by enumeration or Boolean are named by their literals, in the results, in plots, and where they are set.

#include <boost/test/unit_test.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* colours = R"(model Paint
  type Color = enumeration(red, green);
  model Pot
    parameter Real m = 1;
    Real v = m*time;
  end Pot;
  parameter Real p[Color] = {10, 20};
  Real n[Color] = {p[Color.red], p[Color.green]};
  Boolean b[Boolean] = {false, true};
  Real k[2, Color] = {{1, 2}, {3, 4}};
  Pot pot[Color];
  Real plain[2] = {5, 6};
end Paint;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(elements_by_enumeration)

BOOST_AUTO_TEST_CASE(they_are_named_by_their_literals) {
  Folder f;
  f.write("Paint.mo", colours);
  const Ran r = f.run("Paint.mo -o - --intervals 1 --results 'n,b,k,pot.v,plain'");
  BOOST_TEST(r.out.substr(0, r.out.find('\n')) ==
             "time,n[Color.red],n[Color.green],b[false],b[true],\"k[1,Color.red]\",\"k[1,Color.green]\",\"k[2,Color.red]\","
             "\"k[2,Color.green]\",pot[Color.red].v,pot[Color.green].v,plain[1],plain[2]");
  BOOST_TEST(rows(r.out).back() == (std::vector<double>{1, 10, 20, 0, 1, 1, 2, 3, 4, 1, 1, 5, 6}), boost::test_tools::per_element());
  BOOST_TEST(rows(f.run("Paint.mo -o - --intervals 1 --results 'k[2,Color.red]'").out).back() == (std::vector<double>{1, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(they_are_set_by_literal_or_number) {
  Folder f;
  f.write("Paint.mo", colours);
  const auto last = [&](const std::string& setting) {
    const Ran r = f.run("Paint.mo -o - --intervals 1 --results 'n,pot.v' --set '" + setting + "'");
    BOOST_TEST(r.status == 0, r.err);
    return rows(r.out).back();
  };
  using Row = std::vector<double>;
  BOOST_TEST(last("p[Color.green]=7") == (Row{1, 10, 7, 1, 1}), boost::test_tools::per_element());
  BOOST_TEST(last("p[Paint.Color.green]=7") == (Row{1, 10, 7, 1, 1}), boost::test_tools::per_element());
  BOOST_TEST(last("p[2]=7") == (Row{1, 10, 7, 1, 1}), boost::test_tools::per_element());
  BOOST_TEST(last("pot[Color.red].m=4") == (Row{1, 10, 20, 4, 1}), boost::test_tools::per_element());
  BOOST_TEST(last("pot[1].m=4") == (Row{1, 10, 20, 4, 1}), boost::test_tools::per_element());
  for (const char* wrong : {"p[Color.blue]=7", "p[3]=7", "pot[Color.blue].m=1", "p[x]=1"})
    BOOST_TEST(f.run(std::string("Paint.mo --set '") + wrong + "'").status != 0, wrong);
}

BOOST_AUTO_TEST_CASE(the_flat_print_reads_back) {
  Folder f;
  f.write("Paint.mo", colours);
  f.write("Flat.mo", f.run("Paint.mo --emit flat").out);
  const Ran r = f.run("Flat.mo -o - --intervals 1");
  BOOST_TEST(r.status == 0, r.err);
  BOOST_TEST(rows(r.out).back() == rows(f.run("Paint.mo -o - --intervals 1").out).back(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
