// Strings by the documentation of Modelica.Utilities.Strings: its examples, its grammar, its rules for indices.

#include "calls.hpp"

using namespace calls;

namespace {

struct Scanned {
  double next = 0, number = 0;
  std::string text;
  bool operator==(const Scanned&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Scanned& s) { return out << "{" << s.next << ", " << s.number << ", " << s.text << "}"; }

Scanned scan_number(std::string_view kind, const char* string, int start = 1, bool is_unsigned = false) {
  Scanned result;
  native::Out out[] = {{{&result.next, 1}, nullptr, nullptr}, {{&result.number, 1}, nullptr, nullptr}};
  call("ModelicaStrings_scan" + std::string(kind), {string, start, is_unsigned ? 1 : 0}, out);
  return result;
}

Scanned scan_text(std::string_view kind, const char* string, int start = 1) {
  Scanned result;
  std::vector<std::string> texts{"before"};
  native::Out out[] = {{{&result.next, 1}, nullptr, nullptr}, {{}, &texts, nullptr}};
  call("ModelicaStrings_scan" + std::string(kind), {string, start}, out);
  result.text = texts[0];
  return result;
}

std::string substring(const char* string, int first, int last) { return text("ModelicaStrings_substring", {string, first, last}); }

double compare(const char* a, const char* b, int sensitive = 1) { return number("ModelicaStrings_compare", {a, b, sensitive}); }

}  // namespace

BOOST_AUTO_TEST_SUITE(strings)

BOOST_AUTO_TEST_CASE(parts_of_strings) {
  BOOST_TEST(number("ModelicaStrings_length", {"hello"}) == 5);
  BOOST_TEST(number("ModelicaStrings_length", {""}) == 0);
  BOOST_TEST(substring("This is line 111", 9, 12) == "line");
  BOOST_TEST(substring("This is line 111", 9, 0) == "");
  BOOST_TEST(substring("hello", 0, 2) == "he");
  BOOST_TEST(substring("hello", 2, -1) == "e");
  BOOST_TEST(substring("hello", 9, 12) == "");
  BOOST_TEST(substring("hello", 4, 99) == "lo");
  BOOST_TEST(substring("hello", 3, 2) == "");
  Said said;
  std::vector<std::string> result(1);
  native::Out out{{}, &result, nullptr};
  call("ModelicaStrings_substring", {"hello", -3, -1}, {&out, 1}, &said);
  BOOST_TEST(result[0] == "h");
  BOOST_TEST(said.warned == "substring: the start index -3 is taken as 1substring: the end index -1 is taken as the start index 1");
}

BOOST_AUTO_TEST_CASE(comparison) {
  BOOST_TEST(compare("a", "b") == 1);
  BOOST_TEST(compare("b", "a") == 3);
  BOOST_TEST(compare("A", "a") == 1);
  BOOST_TEST(compare("A", "a", 0) == 2);
  BOOST_TEST(compare("", "a") == 1);
  BOOST_TEST(compare("ab", "a") == 3);
  BOOST_TEST(compare("_", "A", 0) == 1);  // upper case counts as lower case
}

BOOST_AUTO_TEST_CASE(hashes_are_the_documented_ones) {
  BOOST_TEST(number("ModelicaStrings_hashString", {"this is a test"}) == 1827717433);
  BOOST_TEST(number("ModelicaStrings_hashString", {"Controller.noise1"}) == -1025762750);
}

BOOST_AUTO_TEST_CASE(reals) {
  const auto real = [](const char* s, int start = 1, bool is_unsigned = false) { return scan_number("Real", s, start, is_unsigned); };
  const Scanned none{1, 0, ""};
  BOOST_TEST(real("12") == (Scanned{3, 12, ""}));
  BOOST_TEST(real("\t 12.5e3x") == (Scanned{9, 12500, ""}));
  BOOST_TEST(real("1.") == (Scanned{3, 1, ""}));
  BOOST_TEST(real("1.2.3") == (Scanned{4, 1.2, ""}));
  BOOST_TEST(real("+1.5e-3") == (Scanned{8, 0.0015, ""}));
  BOOST_TEST(real("-3") == (Scanned{3, -3, ""}));
  BOOST_TEST(real("x=-3", 3) == (Scanned{5, -3, ""}));
  BOOST_TEST(real("1e-400") == (Scanned{7, 0, ""}));
  for (const char* s : {"", "  ", "x", "- 3", "1e", "1e+", "inf", "nan", ".", "e5", "1e400"}) BOOST_TEST(real(s) == none);
  BOOST_TEST(real("-3", 1, true) == none);
  BOOST_TEST(real("3", 1, true) == (Scanned{2, 3, ""}));
  BOOST_TEST(real("12", 9) == (Scanned{9, 0, ""}));
  BOOST_TEST(real("12", 0) == (Scanned{0, 0, ""}));
  BOOST_TEST(real("12", -5) == (Scanned{-5, 0, ""}));
}

BOOST_AUTO_TEST_CASE(integers) {
  const auto integer = [](const char* s, int start = 1, bool is_unsigned = false) { return scan_number("Integer", s, start, is_unsigned); };
  const Scanned none{1, 0, ""};
  BOOST_TEST(integer(" 12 ") == (Scanned{4, 12, ""}));
  BOOST_TEST(integer("+12)") == (Scanned{4, 12, ""}));
  BOOST_TEST(integer("-2147483648") == (Scanned{12, -2147483648.0, ""}));
  for (const char* s : {"", "123.4", "12.", "1e5", "1E", "x", "+", "2147483648"}) BOOST_TEST(integer(s) == none);
  BOOST_TEST(integer("-1", 1, true) == none);
}

BOOST_AUTO_TEST_CASE(quoted_strings_and_identifiers) {
  BOOST_TEST(scan_text("String", "  \"abc\" x") == (Scanned{8, 0, "abc"}));
  BOOST_TEST(scan_text("String", "\"a\\\"b\"") == (Scanned{7, 0, "a\\\"b"}));
  BOOST_TEST(scan_text("String", "\"\"") == (Scanned{3, 0, ""}));
  for (const char* s : {"", "abc", "\"abc", "\"abc\\\"", "\""}) BOOST_TEST(scan_text("String", s) == (Scanned{1, 0, ""}));
  BOOST_TEST(scan_text("Identifier", " abc_1.x") == (Scanned{7, 0, "abc_1"}));
  BOOST_TEST(scan_text("Identifier", "a.b", 3) == (Scanned{4, 0, "b"}));
  for (const char* s : {"", "_a", "1a", "'a'", "\xE4"}) BOOST_TEST(scan_text("Identifier", s) == (Scanned{1, 0, ""}));
}

BOOST_AUTO_TEST_CASE(white_space) {
  const auto skip = [](const char* s, int start) { return number("ModelicaStrings_skipWhiteSpace", {s, start}); };
  BOOST_TEST(skip(" \t\r\n x", 1) == 6);
  BOOST_TEST(skip("x", 1) == 1);
  BOOST_TEST(skip("x  ", 2) == 4);
  BOOST_TEST(skip("", 1) == 1);
  BOOST_TEST(skip("abc", 9) == 9);
}

BOOST_AUTO_TEST_SUITE_END()
