#include <boost/test/unit_test.hpp>

#include "parser/keywords.hpp"
#include "support.hpp"

using namespace mosim::parser;
using test::body;
using test::expression;
using test::messages;
using test::printed;

BOOST_AUTO_TEST_SUITE(lexical)

BOOST_AUTO_TEST_CASE(files_without_a_class) {
  for (const std::string text : {"", " \t\r\n", "// a comment", "/* a */ // b\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF// c"}) {
    BOOST_TEST(printed(text) == "stored-definition\n");
  }
}

BOOST_AUTO_TEST_CASE(byte_order_mark) {
  BOOST_TEST(printed("\xEF\xBB\xBFtype A = B;") ==
             "stored-definition\n  class-definition type A\n    short-class-specifier B\n");
}

BOOST_AUTO_TEST_CASE(white_space_and_comments_anywhere) {
  const std::string plain = printed("model M Real x[2](start = {1, 2}) \"d\"; equation x = -a.b[1]; end M;");
  const std::string spaced = printed(
      "/* \u00e4 */model// m\r\nM/**/Real\tx\r[ /* * / */2 ]( start/***/=\n{1,2//\n} )\"d\"  ;equation x\n=\n-\na "
      "/*a*/. /*b*/b\n["
      "1] /* /* */ ; end// e\nM\n;//");
  BOOST_TEST(plain == spaced);
  BOOST_TEST(plain.find("declaration x") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_keyword_is_found_and_is_no_identifier) {
  for (std::size_t k = 1; k < keyword_texts.size(); ++k) {
    const std::string word(keyword_texts[k]);
    BOOST_TEST((find_keyword(word) == static_cast<Keyword>(k)));
    BOOST_TEST((find_keyword(word + "x") == Keyword::none));
    BOOST_TEST((find_keyword("x" + word) == Keyword::none));
    BOOST_TEST(!test::Parsed("model M Real " + word + "; end M;").tree.has_value());
    BOOST_TEST(test::Parsed("model M Real " + word + "_; Real '" + word + "'; end M;").tree.has_value());
  }
  BOOST_TEST((find_keyword("Model") == Keyword::none));
}

BOOST_AUTO_TEST_CASE(quoted_identifiers) {
  BOOST_TEST(expression("'a b+\"*/c'") == "component-reference 'a b+\"*/c'\n");
  BOOST_TEST(expression(R"('it\'s')") == "component-reference 'it\\'s'\n");
  test::Parsed p(R"(model M Real 'x'; Real x; Real 'a\?\"b'; Real 'a?"b'; end M;)");
  BOOST_REQUIRE(p.tree.has_value());
  const auto& elements = std::get<LongClassSpecifier>(p.tree->classes[0]->specifier).composition.elements;
  const auto name = [&](std::size_t i) { return std::get<ComponentClause>(elements[i].node).declarations[0].name; };
  BOOST_TEST((name(0) != name(1)));
  BOOST_TEST((name(2) == name(3)));  // the redundant escapes
}

BOOST_AUTO_TEST_CASE(strings) {
  BOOST_TEST(expression(R"("\'\"\?\\\a\b\f\n\r\t\v")") == "string \"'\\\"?\\\\\\a\\b\\f\\n\\r\\t\\v\"\n");
  BOOST_TEST(expression("\"two\nlines /* no comment */ // none\"") ==
             "string \"two\\nlines /* no comment */ // none\"\n");
  BOOST_TEST(expression("\"\u00fc \u2192 \U0001F600\"") == "string \"\u00fc \u2192 \U0001F600\"\n");
  BOOST_TEST(expression("\"\"") == "string \"\"\n");
}

BOOST_AUTO_TEST_CASE(description_strings_are_concatenated) {
  BOOST_TEST(body("Real x \"a\\n\" + \"b\" + \"\";") ==
             "element\n  component-clause Real\n    declaration x\n      description \"a\\nb\"\n");
}

BOOST_AUTO_TEST_CASE(null_characters) {
  const std::string null(1, '\0');
  BOOST_TEST(test::Parsed("model M // a" + null + "b\n Real x \"c" + null + "d\"; end M;").tree.has_value());
  BOOST_TEST(messages("model M " + null + " end M;").find("the byte 0x00 has no meaning in Modelica") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
