#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "parser/diagnostic.hpp"
#include "parser/names.hpp"

using namespace mosim::parser;

namespace {

Place place(const Source& source, std::uint32_t begin, std::uint32_t end) {
  return {source.begin + begin, source.begin + end};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(names_and_sources)

BOOST_AUTO_TEST_CASE(names) {
  Names names;
  const Name x = names.intern("x");
  BOOST_TEST((x != Name::none));
  BOOST_TEST((names.intern(std::string("x")) == x));
  BOOST_TEST((names.intern("'x'") != x));
  BOOST_TEST((names.find("x") == x));
  BOOST_TEST((names.find("y") == Name::none));
  BOOST_TEST(names.text(x) == "x");
  const std::string_view text = names.text(x);
  for (int i = 0; i < 10000; ++i) names.intern("n" + std::to_string(i));
  BOOST_TEST(text == "x");
}

BOOST_AUTO_TEST_CASE(places_in_several_sources) {
  Sources sources;
  const Source& a = sources.add("a", "one\ntwo");
  const Source& empty = sources.add("e", "");
  const Source& b = sources.add("b", "three");
  BOOST_TEST(sources.source({}) == nullptr);
  BOOST_TEST(sources.source(place(a, 0, 1)) == &a);
  BOOST_TEST(sources.source(place(a, 7, 7)) == &a);  // its end
  BOOST_TEST(sources.source(place(empty, 0, 0)) == &empty);
  BOOST_TEST(sources.source(place(b, 0, 5)) == &b);
  BOOST_TEST(sources.source({place(b, 6, 6)}) == nullptr);
  BOOST_TEST(sources.text(place(a, 4, 7)) == "two");
  BOOST_TEST(sources.text(place(b, 0, 5)) == "three");
}

BOOST_AUTO_TEST_CASE(locations) {
  Sources sources;
  const Source& s = sources.add("s.mo", "\xEF\xBB\xBF" "a\r\n\t\u00fcb = c\n\nlast");
  const auto check = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t line, std::uint32_t column,
                         std::uint32_t end_column, std::string_view text) {
    const Location l = sources.locate(place(s, begin, end));
    BOOST_TEST(l.line == line);
    BOOST_TEST(l.column == column);
    BOOST_TEST(l.end_column == end_column);
    BOOST_TEST(l.text == text);
  };
  check(3, 4, 1, 1, 2, "a");
  check(0, 3, 1, 1, 1, "a");
  check(7, 9, 2, 2, 3, "\t\u00fcb = c");    // a tab and a letter of two bytes: a column each
  check(9, 10, 2, 3, 4, "\t\u00fcb = c");
  check(13, 16, 2, 7, 8, "\t\u00fcb = c");  // cut at the end of its line
  check(15, 15, 3, 1, 1, "");
  check(20, 20, 4, 5, 5, "last");           // the end of the text
}

// With letters of one to four bytes, whichever of their bytes a counted part ends with, and with each kind of line end or one alone.
BOOST_AUTO_TEST_CASE(locations_in_a_long_text) {
  for (const std::string& ends : {std::string("\n"), std::string("\n\r")}) {
    const std::vector<std::string> letters{"a", "\u00fc", "\u20ac", "\U0001f600"};
    Sources sources;
    std::string text;
    struct Expected {
      std::uint32_t offset, line, column;
    };
    std::vector<Expected> expected;
    std::uint32_t line = 1, column = 1;
    for (std::uint32_t k = 0; k < 4000; ++k) {
      expected.push_back({std::uint32_t(text.size()), line, column});
      if (k % 907 != 906) {
        text += letters[(k * k + k / 7) % letters.size()];
        ++column;
        continue;
      }
      text += ends[k / 907 % ends.size()];
      ++line;
      column = 1;
    }
    const Source& s = sources.add("long.mo", text);
    for (const Expected& e : expected) {
      const Location l = sources.locate(place(s, e.offset, e.offset));
      BOOST_TEST_REQUIRE(l.line == e.line);
      BOOST_TEST_REQUIRE(l.column == e.column);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(diagnostics)

BOOST_AUTO_TEST_CASE(rendering) {
  Sources sources;
  const Source& s = sources.add("dir/a.mo", "model A\n\tReal \u00fc = 1;\nend A;\n");
  Diagnostic d{Severity::error, place(s, 14, 16), "the cause", "the remedy", {{place(s, 6, 7), "the other place"}}};
  BOOST_TEST(render(d, sources) ==
             "dir/a.mo:2:7: error: the cause\n"
             "     Real \u00fc = 1;\n"
             "          ^\n"
             "  remedy: the remedy\n"
             "dir/a.mo:1:7: note: the other place\n"
             "    model A\n"
             "          ^\n");
  d = {Severity::warning, place(s, 9, 13), "careful", {}, {}};
  BOOST_TEST(render(d, sources) ==
             "dir/a.mo:2:2: warning: careful\n"
             "     Real \u00fc = 1;\n"
             "     ^~~~\n");
  d = {Severity::note, {}, "nowhere", {}, {}};
  BOOST_TEST(render(d, sources) == "note: nowhere\n");
  d = {Severity::error, place(s, 0, 20), "long", {}, {}};  // over a line's end
  BOOST_TEST(render(d, sources) ==
             "dir/a.mo:1:1: error: long\n"
             "    model A\n"
             "    ^~~~~~~\n");
}

BOOST_AUTO_TEST_CASE(long_lines_are_cut) {
  Sources sources;
  const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
  const Source& s = sources.add("s", line);
  BOOST_TEST(render({Severity::error, place(s, 500, 501), "c", {}, {}}, sources) ==
             "s:1:501: error: c\n    ..." + std::string(80, 'a') + "X" + std::string(39, 'b') + "...\n    " +
                 std::string(83, ' ') + "^\n");
  BOOST_TEST(render({Severity::error, place(s, 0, 1001), "c", {}, {}}, sources) ==
             "s:1:1: error: c\n    " + line.substr(0, 120) + "...\n    ^" + std::string(119, '~') + "\n");
  BOOST_TEST(render({Severity::error, place(s, 1001, 1001), "c", {}, {}}, sources) ==
             "s:1:1002: error: c\n    ..." + line.substr(1001 - 120) + "\n    " + std::string(123, ' ') + "^\n");
}

BOOST_AUTO_TEST_CASE(errors_among_diagnostics) {
  BOOST_TEST(!has_errors({}));
  BOOST_TEST(!has_errors({{Severity::warning, {}, "w", {}, {}}, {Severity::note, {}, "n", {}, {}}}));
  BOOST_TEST(has_errors({{Severity::warning, {}, "w", {}, {}}, {Severity::error, {}, "e", {}, {}}}));
}

BOOST_AUTO_TEST_CASE(nearest_names) {
  const std::vector<std::string_view> names = {"capacitor", "resistor", "ground", "x", "R"};
  BOOST_TEST(nearest("resitor", names) == "resistor");
  BOOST_TEST(nearest("Resistor", names) == "resistor");
  BOOST_TEST(nearest("gruond", names) == "ground");
  BOOST_TEST(nearest("r", names) == "R");
  BOOST_TEST(nearest("inductor", names) == "");
  BOOST_TEST(nearest("y", names) == "");
  BOOST_TEST(nearest("", names) == "");
  BOOST_TEST(nearest("ground", {}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
