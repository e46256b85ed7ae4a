// The errors' whole text. What a person reads first when something is wrong is worth a test of every word.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using mosim::parser::test::messages;

BOOST_AUTO_TEST_SUITE(syntax_errors)

BOOST_AUTO_TEST_CASE(semicolons) {
  BOOST_TEST(messages("model A\n  Real x\n  Real y;\nend A;\n") ==
             "test.mo:2:9: error: expected ';' after the declaration, found 'Real'\n"
             "      Real x\n"
             "            ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  x = 1\n  x = 2;\nend A;\n") ==
             "test.mo:4:8: error: expected ';' after the equation, found 'x'\n"
             "      x = 1\n"
             "           ^\n");
  BOOST_TEST(messages("model A\n  extends B\n  Real x;\nend A;\n") ==
             "test.mo:2:12: error: expected ';' after the declaration, found 'Real'\n"
             "      extends B\n"
             "               ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nend A\n") ==
             "test.mo:3:6: error: expected ';' after the class, found the end of the file\n"
             "    end A\n"
             "         ^\n");
  BOOST_TEST(messages("within A.B") ==
             "test.mo:1:11: error: expected ';' after the within clause, found the end of the file\n"
             "    within A.B\n"
             "              ^\n");
  BOOST_TEST(messages("model A\n  annotation(x=1)\nend A;\n") ==
             "test.mo:2:18: error: expected ';' after the annotation, found 'end A'\n"
             "      annotation(x=1)\n"
             "                     ^\n");
  BOOST_TEST(messages("model A\n  Real x\nend A;\n") ==
             "test.mo:2:9: error: expected ';' after the declaration, found 'end A'\n"
             "      Real x\n"
             "            ^\n");
}

BOOST_AUTO_TEST_CASE(equals_and_assigns) {
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  x := 1;\nend A;\n") ==
             "test.mo:4:5: error: ':=' assigns, and an equation does not\n"
             "      x := 1;\n"
             "        ^~\n"
             "  remedy: write '='\n");
  BOOST_TEST(messages("model A\n  Real x := 3;\nend A;\n") ==
             "test.mo:2:10: warning: ':=' gives a value here as old libraries did; it is no longer part of Modelica\n"
             "      Real x := 3;\n"
             "             ^~\n"
             "  remedy: write '='\n");
  BOOST_TEST(messages("model A\n  Real x == 3;\nend A;\n") ==
             "test.mo:2:10: error: '==' compares; it does not give a value\n"
             "      Real x == 3;\n"
             "             ^~\n"
             "  remedy: write '='\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  x == 1;\nend A;\n") ==
             "test.mo:4:5: error: '==' compares; it does not make an equation\n"
             "      x == 1;\n"
             "        ^~\n"
             "  remedy: write '='\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  x = 1;\nend A;\n") ==
             "test.mo:4:5: error: '=' makes an equation; a statement assigns with ':='\n"
             "      x = 1;\n"
             "        ^\n"
             "  remedy: write ':='\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  x == 1;\nend A;\n") ==
             "test.mo:4:5: error: '==' compares; a statement assigns with ':='\n"
             "      x == 1;\n"
             "        ^~\n"
             "  remedy: write ':='\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  (x, y) = f(1);\nend A;\n") ==
             "test.mo:4:10: error: '=' makes an equation; a statement assigns with ':='\n"
             "      (x, y) = f(1);\n"
             "             ^\n"
             "  remedy: write ':='\n");
  BOOST_TEST(messages("model A\n  Real x;\n  x = 3;\nend A;\n") ==
             "test.mo:3:5: error: expected a name after 'x', found '='\n"
             "      x = 3;\n"
             "        ^\n"
             "  remedy: if this is an equation, it belongs behind the keyword 'equation'\n");
}

BOOST_AUTO_TEST_CASE(ends) {
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  if x > 1 then x = 1;\nend A;\n") ==
             "test.mo:5:1: error: expected 'end if', found 'end A'\n"
             "    end A;\n"
             "    ^~~\n"
             "  remedy: write 'end if'\n"
             "test.mo:4:3: note: the 'if' that is open\n"
             "      if x > 1 then x = 1;\n"
             "      ^~\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  if x > 1 then x = 1; else if x > 3 then x = 4; end if;\nend A;\n") ==
             "test.mo:5:1: error: expected 'end if', found 'end A'\n"
             "    end A;\n"
             "    ^~~\n"
             "  remedy: write 'elseif' in place of 'else if', which begins an 'if' of its own\n"
             "test.mo:4:3: note: the 'if' that is open\n"
             "      if x > 1 then x = 1; else if x > 3 then x = 4; end if;\n"
             "      ^~\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  if x > 1 then x = 1; end for;\nend A;\n") ==
             "test.mo:4:24: error: expected 'end if', found 'end for'\n"
             "      if x > 1 then x = 1; end for;\n"
             "                           ^~~\n"
             "  remedy: write 'end if'\n"
             "test.mo:4:3: note: the 'if' that is open\n"
             "      if x > 1 then x = 1; end for;\n"
             "      ^~\n");
  BOOST_TEST(messages("model A\n  Real x;\nend;\n") ==
             "test.mo:3:1: error: expected the name of the class after 'end'\n"
             "    end;\n"
             "    ^~~\n"
             "  remedy: write 'end A'\n"
             "test.mo:1:7: note: 'A' begins here\n"
             "    model A\n"
             "          ^\n");
  // Half a file.
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  der(x) = -sqrt(x") ==
             "test.mo:4:19: error: expected ')' after 'x', found the end of the file\n"
             "      der(x) = -sqrt(x\n"
             "                      ^\n"
             "  remedy: the text ends in the middle: write the rest, or look for the whole file\n"
             "test.mo:4:17: note: the '(' that is open\n"
             "      der(x) = -sqrt(x\n"
             "                    ^\n");
  BOOST_TEST(messages("model A\n  Real x;\n") ==
             "test.mo:2:10: error: expected 'end A', found the end of the file\n"
             "      Real x;\n"
             "             ^\n"
             "  remedy: write 'end A' and ';'\n"
             "test.mo:1:7: note: 'A' begins here\n"
             "    model A\n"
             "          ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nend if;\nend A;\n") ==
             "test.mo:3:1: error: 'end if' ends nothing: no 'if' is open\n"
             "    end if;\n"
             "    ^~~~~~\n"
             "test.mo:1:7: note: 'A' begins here\n"
             "    model A\n"
             "          ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nend A;\nend A;\n") ==
             "test.mo:4:1: error: 'end A' ends nothing: no class is open\n"
             "    end A;\n"
             "    ^~~~~\n"
             "  remedy: there may be one 'end' too many before it\n");
}

BOOST_AUTO_TEST_CASE(branches) {
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  if x > 1 then x = 1; elsewhen x > 3 then x = 4; end if;\nend A;\n") ==
             "test.mo:4:24: error: 'elsewhen' belongs to a 'when'; an 'if' goes on with 'elseif'\n"
             "      if x > 1 then x = 1; elsewhen x > 3 then x = 4; end if;\n"
             "                           ^~~~~~~~\n"
             "  remedy: write 'elseif'\n"
             "test.mo:4:3: note: the 'if' that is open\n"
             "      if x > 1 then x = 1; elsewhen x > 3 then x = 4; end if;\n"
             "      ^~\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  when x > 1 then x = 1; elseif x > 3 then x = 4; end when;\nend A;\n") ==
             "test.mo:4:26: error: 'elseif' belongs to an 'if'; a 'when' goes on with 'elsewhen'\n"
             "      when x > 1 then x = 1; elseif x > 3 then x = 4; end when;\n"
             "                             ^~~~~~\n"
             "  remedy: write 'elsewhen'\n"
             "test.mo:4:3: note: the 'when' that is open\n"
             "      when x > 1 then x = 1; elseif x > 3 then x = 4; end when;\n"
             "      ^~~~\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  when x > 1 then x = 1; else x = 4; end when;\nend A;\n") ==
             "test.mo:4:26: error: a 'when' has no 'else'\n"
             "      when x > 1 then x = 1; else x = 4; end when;\n"
             "                             ^~~~\n"
             "  remedy: write 'elsewhen' and a condition\n"
             "test.mo:4:3: note: the 'when' that is open\n"
             "      when x > 1 then x = 1; else x = 4; end when;\n"
             "      ^~~~\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  x = 1;\n  elseif;\nend A;\n") ==
             "test.mo:5:3: error: 'elseif' continues nothing: no 'if' is open\n"
             "      elseif;\n"
             "      ^~~~~~\n");
}

BOOST_AUTO_TEST_CASE(then_and_loop) {
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  if x > 1 x = 1; end if;\nend A;\n") ==
             "test.mo:4:11: error: expected 'then' after the condition, found 'x'\n"
             "      if x > 1 x = 1; end if;\n"
             "              ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  if x = 1 then x = 1; end if;\nend A;\n") ==
             "test.mo:4:8: error: '=' does not compare\n"
             "      if x = 1 then x = 1; end if;\n"
             "           ^\n"
             "  remedy: write '=='\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  for i = 1:3 loop x := 1; end for;\nend A;\n") ==
             "test.mo:4:9: error: expected 'in' after 'i', found '='\n"
             "      for i = 1:3 loop x := 1; end for;\n"
             "            ^\n"
             "  remedy: write 'for i in 1:n loop'\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  for i in 1:3 x := 1; end for;\nend A;\n") ==
             "test.mo:4:15: error: expected 'loop' after the index, found 'x'\n"
             "      for i in 1:3 x := 1; end for;\n"
             "                  ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  while x > 1 then x := 1; end while;\nend A;\n") ==
             "test.mo:4:15: error: expected 'loop' after '1', found 'then'\n"
             "      while x > 1 then x := 1; end while;\n"
             "                  ^~~~\n"
             "  remedy: write 'loop'\n");
}

BOOST_AUTO_TEST_CASE(strings_and_comments) {
  BOOST_TEST(messages("model A\n  String s = \"abc;\n  Real x;\nend A;\n") ==
             "test.mo:2:14: error: the string that begins here does not end\n"
             "      String s = \"abc;\n"
             "                 ^\n"
             "  remedy: close it with '\"'\n");
  BOOST_TEST(messages("model A\n  Real x \"abc;\n  Real y \"def\";\nend A;\n") ==
             "test.mo:3:11: error: expected ';' after the declaration, found 'def'\n"
             "      Real y \"def\";\n"
             "              ^\n"
             "test.mo:2:10: note: the string before it begins here: is its closing quote missing?\n"
             "      Real x \"abc;\n"
             "             ^\n");
  BOOST_TEST(messages("model A\n  /* Real x \nend A;\n") ==
             "test.mo:2:3: error: the comment that begins here does not end\n"
             "      /* Real x \n"
             "      ^~\n"
             "  remedy: close it with '*/'\n");
  BOOST_TEST(messages("model A\n  String x = \"a\\qb\";\nend A;\n") ==
             "test.mo:2:16: error: '\\q' is no escape\n"
             "      String x = \"a\\qb\";\n"
             "                   ^~\n"
             "  remedy: write '\\\\' for a backslash; the escapes are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v\n");
  BOOST_TEST(messages("model A\n  Real 'x y;\nend A;\n") ==
             "test.mo:2:8: error: the quoted name that begins here does not end on its line\n"
             "      Real 'x y;\n"
             "           ^\n"
             "  remedy: close it with \"'\"; a string stands in double quotes\n");
}

BOOST_AUTO_TEST_CASE(operators_of_other_languages) {
  BOOST_TEST(messages("model A\n  Boolean b = 1 != 2;\nend A;\n") ==
             "test.mo:2:17: error: '!=' is no operator of Modelica\n"
             "      Boolean b = 1 != 2;\n"
             "                    ^~\n"
             "  remedy: write '<>' for 'not equal'\n");
  BOOST_TEST(messages("model A\n  Boolean b = a && c;\nend A;\n") ==
             "test.mo:2:17: error: '&&' is no operator of Modelica\n"
             "      Boolean b = a && c;\n"
             "                    ^~\n"
             "  remedy: write 'and'\n");
  BOOST_TEST(messages("model A\n  Boolean b = a || c;\nend A;\n") ==
             "test.mo:2:17: error: '||' is no operator of Modelica\n"
             "      Boolean b = a || c;\n"
             "                    ^~\n"
             "  remedy: write 'or'\n");
  BOOST_TEST(messages("model A\n  Boolean b = !a;\nend A;\n") ==
             "test.mo:2:15: error: '!' is no operator of Modelica\n"
             "      Boolean b = !a;\n"
             "                  ^\n"
             "  remedy: write 'not'\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  x += 1;\nend A;\n") ==
             "test.mo:4:5: error: '+=' is no operator of Modelica\n"
             "      x += 1;\n"
             "        ^~\n"
             "  remedy: write 'x := x + 1'\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  x++;\nend A;\n") ==
             "test.mo:4:4: error: '++' is no operator of Modelica\n"
             "      x++;\n"
             "       ^~\n"
             "  remedy: write 'x := x + 1'\n");
  BOOST_TEST(messages("model M\nequation\n  x = y--;\nend M;\n") ==
             "test.mo:3:8: error: '--' is no operator of Modelica\n"
             "      x = y--;\n"
             "           ^~\n"
             "  remedy: write 'y - 1'\n");
  BOOST_TEST(messages("model M\nequation\n  x = --y;\nend M;\n") ==
             "test.mo:3:7: error: '--' is no operator of Modelica\n"
             "      x = --y;\n"
             "          ^~\n"
             "  remedy: write one sign, or parentheses around the second and what belongs to it, as in -(-b)\n");
  BOOST_TEST(messages("model A\n  Real x = 7 % 2;\nend A;\n") ==
             "test.mo:2:14: error: '%' is no operator of Modelica\n"
             "      Real x = 7 % 2;\n"
             "                 ^\n"
             "  remedy: write mod(a, b)\n");
  BOOST_TEST(messages("model A\n  Real x = 7 ** 2;\nend A;\n") ==
             "test.mo:2:14: error: '**' is no operator of Modelica\n"
             "      Real x = 7 ** 2;\n"
             "                 ^~\n"
             "  remedy: write '^'\n");
  BOOST_TEST(messages("model A\n  Real x = a ? 1 : 2;\nend A;\n") ==
             "test.mo:2:14: error: '?' is no operator of Modelica\n"
             "      Real x = a ? 1 : 2;\n"
             "                 ^\n"
             "  remedy: write 'if c then a else b'\n");
  BOOST_TEST(messages("model A\n  Real x = 1 => 2;\nend A;\n") ==
             "test.mo:2:14: error: '=>' is no operator of Modelica\n"
             "      Real x = 1 => 2;\n"
             "                 ^~\n"
             "  remedy: write '>='\n");
}

BOOST_AUTO_TEST_CASE(keywords_as_names) {
  BOOST_TEST(messages("model A\n  Real input;\nend A;\n") ==
             "test.mo:2:8: error: 'input' is a keyword and cannot be a name\n"
             "      Real input;\n"
             "           ^~~~~\n"
             "  remedy: choose another name\n");
  BOOST_TEST(messages("model A\n  Real x = input;\nend A;\n") ==
             "test.mo:2:12: error: 'input' is a keyword and cannot be a name\n"
             "      Real x = input;\n"
             "               ^~~~~\n"
             "  remedy: choose another name\n");
  BOOST_TEST(messages("model A\n  input parameter Real x;\nend A;\n") ==
             "test.mo:2:9: error: 'parameter' cannot stand after 'input'\n"
             "      input parameter Real x;\n"
             "            ^~~~~~~~~\n"
             "  remedy: the order is: redeclare, final, inner, outer, replaceable; flow or stream; discrete, parameter or constant; input or output\n");
  BOOST_TEST(messages("model A\n  B b(break x);\nend A;\n") ==
             "test.mo:2:7: error: 'break' can only stand in the modification of an extends clause\n"
             "      B b(break x);\n"
             "          ^~~~~\n"
             "test.mo:2:6: note: the '(' that is open\n"
             "      B b(break x);\n"
             "         ^\n");
}

BOOST_AUTO_TEST_CASE(brackets) {
  BOOST_TEST(messages("model A\n  Real x = sin(1;\nend A;\n") ==
             "test.mo:2:17: error: expected ')' after '1', found ';'\n"
             "      Real x = sin(1;\n"
             "                    ^\n"
             "test.mo:2:15: note: the '(' that is open\n"
             "      Real x = sin(1;\n"
             "                  ^\n");
  BOOST_TEST(messages("model A\n  Real x = {1, 2;\nend A;\n") ==
             "test.mo:2:17: error: expected '}' after '2', found ';'\n"
             "      Real x = {1, 2;\n"
             "                    ^\n"
             "test.mo:2:12: note: the '{' that is open\n"
             "      Real x = {1, 2;\n"
             "               ^\n");
  BOOST_TEST(messages("model A\n  Real x(start = 1;\nend A;\n") ==
             "test.mo:2:19: error: expected ')' after '1', found ';'\n"
             "      Real x(start = 1;\n"
             "                      ^\n"
             "test.mo:2:9: note: the '(' that is open\n"
             "      Real x(start = 1;\n"
             "            ^\n");
  BOOST_TEST(messages("model A\n  Real x(start = 1 fixed = true);\nend A;\n") ==
             "test.mo:2:19: error: expected ',' or ')' after '1', found 'fixed'\n"
             "      Real x(start = 1 fixed = true);\n"
             "                      ^\n"
             "test.mo:2:9: note: the '(' that is open\n"
             "      Real x(start = 1 fixed = true);\n"
             "            ^\n");
  BOOST_TEST(messages("model A\n  Real x[3;\nend A;\n") ==
             "test.mo:2:11: error: expected ']' after '3', found ';'\n"
             "      Real x[3;\n"
             "              ^\n"
             "test.mo:2:9: note: the '[' that is open\n"
             "      Real x[3;\n"
             "            ^\n");
  BOOST_TEST(messages("type E = enumeration(a, b c);\n") ==
             "test.mo:1:26: error: expected ',' or ')' after 'b', found 'c'\n"
             "    type E = enumeration(a, b c);\n"
             "                             ^\n"
             "test.mo:1:21: note: the '(' that is open\n"
             "    type E = enumeration(a, b c);\n"
             "                        ^\n");
  BOOST_TEST(messages("type E = enumeration a;\n") ==
             "test.mo:1:21: error: expected '(' after 'enumeration', found 'a'\n"
             "    type E = enumeration a;\n"
             "                        ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  (x = 1;\nend A;\n") ==
             "test.mo:4:5: error: expected ',' or ')' after 'x', found '='\n"
             "      (x = 1;\n"
             "        ^\n"
             "test.mo:4:3: note: the '(' that is open\n"
             "      (x = 1;\n"
             "      ^\n");
  BOOST_TEST(messages("function f\n external \"C\" y = f(x;\nend f;\n") ==
             "test.mo:2:22: error: expected ')' after 'x', found ';'\n"
             "     external \"C\" y = f(x;\n"
             "                         ^\n"
             "test.mo:2:20: note: the '(' that is open\n"
             "     external \"C\" y = f(x;\n"
             "                       ^\n");
  BOOST_TEST(messages("model A\n  Real x = y)\nend A;\n") ==
             "test.mo:2:13: error: ')' closes nothing that is open\n"
             "      Real x = y)\n"
             "                ^\n");
}

BOOST_AUTO_TEST_CASE(characters) {
  BOOST_TEST(messages("model A\n  Real x = $;\nend A;\n") ==
             "test.mo:2:12: error: '$' has no meaning in Modelica\n"
             "      Real x = $;\n"
             "               ^\n");
  BOOST_TEST(messages("model A\n  Real größe;\nend A;\n") ==
             "test.mo:2:10: error: 'ö' (U+00F6) cannot stand in a name\n"
             "      Real größe;\n"
             "             ^\n"
             "  remedy: a name is made of the letters a-z and A-Z, digits and underscores\n");
  BOOST_TEST(messages("model A\n  Real über;\nend A;\n") ==
             "test.mo:2:8: error: 'ü' (U+00FC) cannot stand in a name\n"
             "      Real über;\n"
             "           ^\n"
             "  remedy: a name is made of the letters a-z and A-Z, digits and underscores\n");
  BOOST_TEST(messages("model A\n  String s = “abc”;\nend A;\n") ==
             "test.mo:2:14: error: '“' (U+201C) has no meaning in Modelica\n"
             "      String s = “abc”;\n"
             "                 ^\n"
             "  remedy: write '\"'\n");
  BOOST_TEST(messages("model A\n  Real x = 3 − 2;\nend A;\n") ==
             "test.mo:2:14: error: '−' (U+2212) has no meaning in Modelica\n"
             "      Real x = 3 − 2;\n"
             "                 ^\n"
             "  remedy: write '-'\n");
}

BOOST_AUTO_TEST_CASE(expressions) {
  BOOST_TEST(messages("model A\n  Real x = a^b^c;\nend A;\n") ==
             "test.mo:2:15: error: '^' does not chain: neither of two powers in a row comes first\n"
             "      Real x = a^b^c;\n"
             "                  ^\n"
             "  remedy: put one of them in parentheses: (a ^ b) ^ c or a ^ (b ^ c)\n");
  BOOST_TEST(messages("model A\n  Boolean x = 1 < y < 3;\nend A;\n") ==
             "test.mo:2:21: error: '<' does not chain: a relation cannot be compared again\n"
             "      Boolean x = 1 < y < 3;\n"
             "                        ^\n"
             "  remedy: write 'a < b and b < c'\n"
             "test.mo:2:17: note: the relation before it\n"
             "      Boolean x = 1 < y < 3;\n"
             "                    ^\n");
  BOOST_TEST(messages("model A\n  Real x = a * -b;\nend A;\n") ==
             "test.mo:2:16: error: a sign cannot follow an operator: expected an operand after '*', found '-'\n"
             "      Real x = a * -b;\n"
             "                   ^\n"
             "  remedy: put the sign and its operand in parentheses: a * (-b)\n");
  BOOST_TEST(messages("model A\n  Real x = not not b;\nend A;\n") ==
             "test.mo:2:16: error: expected an operand after 'not', found 'not'\n"
             "      Real x = not not b;\n"
             "                   ^~~\n"
             "  remedy: put the 'not' and what belongs to it in parentheses\n");
  BOOST_TEST(messages("model A\n  Real x = 2x;\nend A;\n") ==
             "test.mo:2:13: error: expected an operator between '2' and 'x'\n"
             "      Real x = 2x;\n"
             "                ^\n"
             "  remedy: write '2*x'\n");
  BOOST_TEST(messages("model A\n  Real x = 1 + if b then 2 else 3;\nend A;\n") ==
             "test.mo:2:16: error: expected an operand after '+', found 'if'\n"
             "      Real x = 1 + if b then 2 else 3;\n"
             "                   ^~\n"
             "  remedy: put the 'if' and what belongs to it in parentheses\n");
  BOOST_TEST(messages("model A\n  Real x = if b then 2;\nend A;\n") ==
             "test.mo:2:23: error: expected 'else' after '2', found ';': an if-expression needs a value for every case\n"
             "      Real x = if b then 2;\n"
             "                          ^\n"
             "  remedy: write 'if c then a else b'\n");
  BOOST_TEST(messages("model A\n  Real x = {};\nend A;\n") ==
             "test.mo:2:13: error: expected an expression between '{' and '}'\n"
             "      Real x = {};\n"
             "                ^\n"
             "  remedy: write fill(x, 0), with an x of the elements' type, for an array without elements\n");
  BOOST_TEST(messages("model A\n  Real x = a[];\nend A;\n") ==
             "test.mo:2:14: error: expected an expression between '[' and ']'\n"
             "      Real x = a[];\n"
             "                 ^\n"
             "  remedy: write '[:]' for a whole dimension\n");
  BOOST_TEST(messages("model A\n  Real x = end + 1;\nend A;\n") ==
             "test.mo:2:12: error: 'end' is an index, and stands inside subscripts only\n"
             "      Real x = end + 1;\n"
             "               ^~~\n");
  BOOST_TEST(messages("model A\n  Real x = a.;\nend A;\n") ==
             "test.mo:2:14: error: expected a name after '.', found ';'\n"
             "      Real x = a.;\n"
             "                 ^\n");
  BOOST_TEST(messages("model A\n  Real x = f(1,);\nend A;\n") ==
             "test.mo:2:16: error: expected an expression after ',', found ')'\n"
             "      Real x = f(1,);\n"
             "                   ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  x = \nend A;\n") ==
             "test.mo:5:1: error: expected an expression after '=', found 'end A'\n"
             "    end A;\n"
             "    ^~~\n");
}

BOOST_AUTO_TEST_CASE(numbers) {
  BOOST_TEST(messages("model 3A\nend A;\n") ==
             "test.mo:1:7: error: expected a name after 'model', found '3'\n"
             "    model 3A\n"
             "          ^\n");
  BOOST_TEST(messages("model A\n  Real x = 99999999999999999999;\nend A;\n") ==
             "test.mo:2:12: error: the number 99999999999999999999 is larger than the largest Integer, 9223372036854775807\n"
             "      Real x = 99999999999999999999;\n"
             "               ^~~~~~~~~~~~~~~~~~~~\n"
             "  remedy: write it as a Real: 99999999999999999999.0\n");
  BOOST_TEST(messages("model A\n  Real x = 1e999;\nend A;\n") ==
             "test.mo:2:12: error: the number 1e999 is larger than the largest Real, 1.7976931348623157e308\n"
             "      Real x = 1e999;\n"
             "               ^~~~~\n");
}

BOOST_AUTO_TEST_CASE(arguments) {
  BOOST_TEST(messages("model A\n  Real x = f(a = 1, 2);\nend A;\n") ==
             "test.mo:2:21: error: a positional argument cannot follow a named one\n"
             "      Real x = f(a = 1, 2);\n"
             "                        ^\n"
             "  remedy: put the positional arguments first, or name this one too\n"
             "test.mo:2:14: note: the named argument before it\n"
             "      Real x = f(a = 1, 2);\n"
             "                 ^\n");
  BOOST_TEST(messages("model A\n  B b(redeclare x = 3);\nend A;\n") ==
             "test.mo:2:19: error: expected a name after 'x', found '='\n"
             "      B b(redeclare x = 3);\n"
             "                      ^\n"
             "  remedy: a redeclaration has a type and a name: redeclare Real x = 1\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  (x, 1) := f(1);\nend A;\n") ==
             "test.mo:4:7: error: the left side of ':=' holds names of variables, and this is none\n"
             "      (x, 1) := f(1);\n"
             "          ^\n");
}

BOOST_AUTO_TEST_CASE(things_in_the_wrong_place) {
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  Real y;\nend A;\n") ==
             "test.mo:4:8: error: a declaration cannot stand among equations\n"
             "      Real y;\n"
             "           ^\n"
             "  remedy: put it before 'equation', or begin a section for it with 'public' or 'protected'\n"
             "test.mo:3:1: note: the section begins here\n"
             "    equation\n"
             "    ^~~~~~~~\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  parameter Real y;\nend A;\n") ==
             "test.mo:4:3: error: a declaration cannot stand among equations\n"
             "      parameter Real y;\n"
             "      ^~~~~~~~~\n"
             "  remedy: put it before 'equation', or begin a section for it with 'public' or 'protected'\n"
             "test.mo:3:1: note: the section begins here\n"
             "    equation\n"
             "    ^~~~~~~~\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  Real y;\nend A;\n") ==
             "test.mo:4:8: error: a declaration cannot stand among statements\n"
             "      Real y;\n"
             "           ^\n"
             "  remedy: put it before 'algorithm', or begin a section for it with 'public' or 'protected'\n"
             "test.mo:3:1: note: the section begins here\n"
             "    algorithm\n"
             "    ^~~~~~~~~\n");
  BOOST_TEST(messages("model A\n  Real x;\n  connect(a, b);\nend A;\n") ==
             "test.mo:3:3: error: 'connect' cannot stand among declarations\n"
             "      connect(a, b);\n"
             "      ^~~~~~~\n"
             "  remedy: equations belong behind the keyword 'equation', statements behind 'algorithm'\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  while true loop end while;\nend A;\n") ==
             "test.mo:4:3: error: 'while' is a statement and cannot stand among equations\n"
             "      while true loop end while;\n"
             "      ^~~~~\n"
             "  remedy: statements belong behind the keyword 'algorithm'\n");
  BOOST_TEST(messages("model A\n  Real x;\nalgorithm\n  connect(a, b);\nend A;\n") ==
             "test.mo:4:3: error: 'connect' is an equation and cannot stand among statements\n"
             "      connect(a, b);\n"
             "      ^~~~~~~\n"
             "  remedy: equations belong behind the keyword 'equation'\n");
  BOOST_TEST(messages("x = 3;\n") ==
             "test.mo:1:1: error: expected a class, found 'x'\n"
             "    x = 3;\n"
             "    ^\n");
  BOOST_TEST(messages("model A\n  Real x constrainedby B;\nend A;\n") ==
             "test.mo:2:10: error: 'constrainedby' constrains a replaceable element, and this one is not\n"
             "      Real x constrainedby B;\n"
             "             ^~~~~~~~~~~~~\n"
             "  remedy: write 'replaceable' before the element, or leave the constraint out\n");
  BOOST_TEST(messages("package P\n  model A\n    annotation(x=1);\n  model B\n  end B;\n  end A;\nend P;\n") ==
             "test.mo:4:3: error: expected 'end A' after the annotation of the class, found 'model'\n"
             "      model B\n"
             "      ^~~~~\n"
             "  remedy: the annotation of a class stands last in it\n");
  BOOST_TEST(messages("model A\n  annotation(x=1);\n ) Real y;\nend A;\n").find("expected 'end A' after the annotation of the class, found ')'") !=
             std::string::npos);
  BOOST_TEST(messages("model A\n  Real x;\ninitial x = 1;\nend A;\n") ==
             "test.mo:3:8: error: expected 'equation' or 'algorithm' after 'initial', found 'x'\n"
             "    initial x = 1;\n"
             "           ^\n");
}

BOOST_AUTO_TEST_CASE(no_equations) {
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  x;\nend A;\n") ==
             "test.mo:4:3: error: this is no equation: it has no '='\n"
             "      x;\n"
             "      ^\n");
  BOOST_TEST(messages("model A\n  Real x;\nequation\n  der(x);\nend A;\n") ==
             "test.mo:4:3: error: this is no equation: it has no '='\n"
             "      der(x);\n"
             "      ^~~~~~\n");
}

BOOST_AUTO_TEST_CASE(nothing) {
  BOOST_TEST(messages("model A\n  Real x;;\nend A;\n") ==
             "test.mo:2:10: error: there is nothing before this ';'\n"
             "      Real x;;\n"
             "             ^\n"
             "  remedy: leave it out\n");
  BOOST_TEST(messages("model\nend A;") ==
             "test.mo:2:1: error: expected a name after 'model', found 'end A'\n"
             "    end A;\n"
             "    ^~~\n");
  BOOST_TEST(messages("model A\n  import B.;\nend A;\n") ==
             "test.mo:2:12: error: expected a name after '.', found ';'\n"
             "      import B.;\n"
             "               ^\n");
  BOOST_TEST(messages("model A\n  flow;\nend A;\n") ==
             "test.mo:2:7: error: expected a type after 'flow', found ';'\n"
             "      flow;\n"
             "          ^\n");
  BOOST_TEST(messages("model A\n  Real x,;\nend A;\n") ==
             "test.mo:2:10: error: expected a name after ',', found ';'\n"
             "      Real x,;\n"
             "             ^\n");
}

BOOST_AUTO_TEST_SUITE_END()
