#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::parser;
using test::body;
using test::Parsed;
using test::printed;

BOOST_AUTO_TEST_SUITE(classes)

BOOST_AUTO_TEST_CASE(stored_definitions) {
  BOOST_TEST(printed("within;") == "stored-definition\n  within\n");
  BOOST_TEST(printed("within A.B; final type C = D; type E = F;") ==
             "stored-definition\n  within A.B\n"
             "  class-definition final type C\n    short-class-specifier D\n"
             "  class-definition type E\n    short-class-specifier F\n");
}

BOOST_AUTO_TEST_CASE(class_prefixes) {
  for (const std::string prefixes :
       {"class", "model", "record", "operator record", "block", "connector", "expandable connector", "type", "package",
        "function", "operator function", "operator", "pure function", "impure function", "pure operator function",
        "partial model", "encapsulated model", "encapsulated partial impure operator function"}) {
    BOOST_TEST(printed(prefixes + " A end A;") ==
               "stored-definition\n  class-definition " + prefixes + " A\n    long-class-specifier\n");
  }
}

BOOST_AUTO_TEST_CASE(short_classes) {
  BOOST_TEST(printed("connector C = input .A.Real[2, :](min = 0) \"d\" annotation(e = 1);") ==
             "stored-definition\n  class-definition connector C\n    description \"d\"\n"
             "    annotation\n      class-modification\n        element-modification e\n          modification\n"
             "            =\n              integer 1\n"
             "    short-class-specifier input .A.Real\n      array-subscripts\n        integer 2\n        :\n"
             "      modification\n        class-modification\n          element-modification min\n"
             "            modification\n              =\n                integer 0\n");
  BOOST_TEST(printed("connector C = output Real;") ==
             "stored-definition\n  class-definition connector C\n    short-class-specifier output Real\n");
}

BOOST_AUTO_TEST_CASE(enumerations) {
  BOOST_TEST(printed("type E = enumeration(a \"A\", b annotation(c)) \"d\";") ==
             "stored-definition\n  class-definition type E\n    description \"d\"\n    enumeration\n"
             "      enumeration-literal a\n        description \"A\"\n"
             "      enumeration-literal b\n        annotation\n          class-modification\n"
             "            element-modification c\n");
  BOOST_TEST(printed("type E = enumeration(:);") ==
             "stored-definition\n  class-definition type E\n    enumeration :\n");
  BOOST_TEST(printed("type E = enumeration();") == "stored-definition\n  class-definition type E\n    enumeration\n");
}

BOOST_AUTO_TEST_CASE(partial_derivatives) {
  BOOST_TEST(printed("function g = der(A.f, x, y) \"d\";") ==
             "stored-definition\n  class-definition function g\n    description \"d\"\n"
             "    der-class-specifier A.f, x, y\n");
}

BOOST_AUTO_TEST_CASE(class_extends) {
  BOOST_TEST(printed("model extends M(a = 1) \"d\" Real x; end M;") ==
             "stored-definition\n  class-definition model M\n    description \"d\"\n    long-class-specifier extends\n"
             "      modification\n        class-modification\n          element-modification a\n"
             "            modification\n              =\n                integer 1\n"
             "      element\n        component-clause Real\n          declaration x\n");
}

BOOST_AUTO_TEST_CASE(sections_and_annotation) {
  BOOST_TEST(body("Real a; protected Real b; public Real c; protected model N end N;") ==
             "element\n  component-clause Real\n    declaration a\n"
             "element protected\n  component-clause Real\n    declaration b\n"
             "element\n  component-clause Real\n    declaration c\n"
             "element protected\n  class-definition model N\n    long-class-specifier\n");
  BOOST_TEST(body("initial equation equation initial algorithm algorithm") ==
             "initial equation-section\nequation-section\ninitial algorithm-section\nalgorithm-section\n");
  // A class within a protected section has elements of its own.
  BOOST_TEST(body("protected model N Real x; end N;").find("element\n        component-clause Real") !=
             std::string::npos);
  BOOST_TEST(printed("model M \"d\" annotation(a); end M;") ==
             "stored-definition\n  class-definition model M\n    description \"d\"\n    annotation\n"
             "      class-modification\n        element-modification a\n    long-class-specifier\n");
}

BOOST_AUTO_TEST_CASE(external_functions) {
  BOOST_TEST(body("external;") == "external\n");
  BOOST_TEST(printed("function f external \"builtin\" annotation(a); annotation(b); end f;") ==
             "stored-definition\n  class-definition function f\n"
             "    annotation\n      class-modification\n        element-modification b\n"
             "    long-class-specifier\n      external \"builtin\"\n        annotation\n"
             "          class-modification\n            element-modification a\n");
  BOOST_TEST(body("external f();") == "external\n  external-function-call f\n");
  BOOST_TEST(body("external \"C\" r.x = f(a, 1) annotation(b);") ==
             "external \"C\"\n  result r.x\n"
             "  external-function-call f\n    component-reference a\n    integer 1\n"
             "  annotation\n    class-modification\n      element-modification b\n");
}

BOOST_AUTO_TEST_CASE(imports) {
  BOOST_TEST(body("import A;") == "element\n  import-clause A\n");
  BOOST_TEST(body("import A.B \"d\";") == "element\n  import-clause A.B\n    description \"d\"\n");
  BOOST_TEST(body("import C = A.B;") == "element\n  import-clause C = A.B\n");
  for (const std::string all : {"import A.B.*;", "import A.B.* ;", "import A . B . * ;", "import A.B/**/.*;"}) {
    BOOST_TEST(body(all) == "element\n  import-clause A.B.*\n");
  }
  for (const std::string list : {"import A.{b, c};", "import A . { b , c } ;"}) {
    BOOST_TEST(body(list) == "element\n  import-clause A.{b, c}\n");
  }
}

BOOST_AUTO_TEST_CASE(extends_clauses) {
  BOOST_TEST(body("extends .A.B;") == "element\n  extends-clause .A.B\n");
  BOOST_TEST(body("extends A(x = 1, break y, break connect(a.b, c[1])) annotation(d);") ==
             "element\n  extends-clause A\n    modification\n      class-modification\n"
             "        element-modification x\n          modification\n            =\n              integer 1\n"
             "        break\n          y\n"
             "        break\n          connect-equation\n            component-reference a.b\n"
             "            component-reference c[]\n              array-subscripts\n                integer 1\n"
             "    annotation\n      class-modification\n        element-modification d\n");
}

BOOST_AUTO_TEST_CASE(element_prefixes) {
  BOOST_TEST(body("redeclare final inner outer replaceable parameter Real x;") ==
             "element redeclare final inner outer replaceable\n  component-clause parameter Real\n    declaration x\n");
  BOOST_TEST(body("flow Real x; stream Real y; discrete output Real z; constant input Real w;") ==
             "element\n  component-clause flow Real\n    declaration x\n"
             "element\n  component-clause stream Real\n    declaration y\n"
             "element\n  component-clause discrete output Real\n    declaration z\n"
             "element\n  component-clause constant input Real\n    declaration w\n");
  // Prefixes belong to their own element only.
  BOOST_TEST(body("final model A end A; Real x;") ==
             "element final\n  class-definition model A\n    long-class-specifier\n"
             "element\n  component-clause Real\n    declaration x\n");
}

BOOST_AUTO_TEST_CASE(constraining_clauses) {
  BOOST_TEST(body("replaceable model A = B \"a\" constrainedby C(x = 1) \"c\" annotation(d);") ==
             "element replaceable\n  class-definition model A\n    description \"a\"\n    short-class-specifier B\n"
             "  constrainedby C\n    modification\n      class-modification\n        element-modification x\n"
             "          modification\n            =\n              integer 1\n"
             "    description \"c\"\n    annotation\n      class-modification\n        element-modification d\n");
}

BOOST_AUTO_TEST_CASE(declarations) {
  BOOST_TEST(body("A.B[3] x[2, :](y = 1) = z if c \"d\" annotation(e), w;") ==
             "element\n  component-clause A.B\n    array-subscripts\n      integer 3\n"
             "    declaration x\n      array-subscripts\n        integer 2\n        :\n"
             "      modification\n        class-modification\n          element-modification y\n"
             "            modification\n              =\n                integer 1\n"
             "        =\n          component-reference z\n"
             "      condition-attribute\n        component-reference c\n"
             "      description \"d\"\n      annotation\n        class-modification\n          element-modification e\n"
             "    declaration w\n");
  BOOST_TEST(body("A x();") ==
             "element\n  component-clause A\n    declaration x\n      modification\n        class-modification\n");
  BOOST_TEST(body("A x = break;") ==
             "element\n  component-clause A\n    declaration x\n      modification\n        = break\n");
}

BOOST_AUTO_TEST_CASE(modifications) {
  BOOST_TEST(body("A x(each final b.c(d = 1) = 2 \"e\", f);") ==
             "element\n  component-clause A\n    declaration x\n      modification\n        class-modification\n"
             "          each final element-modification b.c\n            modification\n"
             "              class-modification\n                element-modification d\n"
             "                  modification\n                    =\n                      integer 1\n"
             "              =\n                integer 2\n"
             "            description \"e\"\n"
             "          element-modification f\n");
  BOOST_TEST(body("A x(redeclare each final parameter B.C y[2] = 1 \"d\");") ==
             "element\n  component-clause A\n    declaration x\n      modification\n        class-modification\n"
             "          redeclare each final element-redeclaration\n"
             "            component-clause parameter B.C\n              declaration y\n"
             "                array-subscripts\n                  integer 2\n"
             "                modification\n                  =\n                    integer 1\n"
             "                description \"d\"\n");
  BOOST_TEST(body("A x(redeclare package P = Q(n = 1), replaceable model R = S constrainedby T);") ==
             "element\n  component-clause A\n    declaration x\n      modification\n        class-modification\n"
             "          redeclare element-redeclaration\n"
             "            class-definition package P\n              short-class-specifier Q\n"
             "                modification\n                  class-modification\n"
             "                    element-modification n\n                      modification\n"
             "                        =\n                          integer 1\n"
             "          element-replaceable\n            class-definition model R\n"
             "              short-class-specifier S\n            constrainedby T\n");
  BOOST_TEST(body("A x(redeclare replaceable B y constrainedby C(d = 1));") ==
             "element\n  component-clause A\n    declaration x\n      modification\n        class-modification\n"
             "          redeclare element-replaceable\n            component-clause B\n              declaration y\n"
             "            constrainedby C\n              modification\n                class-modification\n"
             "                  element-modification d\n                    modification\n"
             "                      =\n                        integer 1\n");
}

BOOST_AUTO_TEST_CASE(places) {
  const Parsed p("partial model M\n  Real x(start = 1) = 2; // c\nequation\n x = 1 \"d\";\nend M ;");
  BOOST_REQUIRE(p.tree.has_value());
  const ClassDefinition& m = *p.tree->classes[0];
  BOOST_TEST(p.text(m.place) == "M");
  BOOST_TEST(p.text(m.whole).substr(0, 15) == "partial model M");
  BOOST_TEST(p.text(m.whole).substr(p.text(m.whole).size() - 5) == "end M");
  const auto& composition = std::get<LongClassSpecifier>(m.specifier).composition;
  BOOST_TEST(p.text(composition.elements[0].place) == "Real x(start = 1) = 2");
  const auto& clause = std::get<ComponentClause>(composition.elements[0].node);
  BOOST_TEST(p.text(clause.type.place) == "Real");
  BOOST_TEST(p.text(clause.declarations[0].place) == "x");
  const Modification& modification = *clause.declarations[0].modification;
  BOOST_TEST(p.text(modification.place) == "(start = 1) = 2");
  BOOST_TEST(p.text(modification.binding_place) == "= 2");
  BOOST_TEST(p.text(modification.arguments[0].place) == "start = 1");
  BOOST_TEST(p.text(std::get<EquationSection>(composition.sections[0]).equations[0].place) == "x = 1");
}

BOOST_AUTO_TEST_SUITE_END()
