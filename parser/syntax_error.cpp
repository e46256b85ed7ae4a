#include "parser/syntax_error.hpp"

#include "parser/explainer.hpp"

namespace mosim::parser {

SyntaxError explain(const Situation& situation, const Expectation& expectation) {
  return Explainer(situation, expectation).explain();
}

}  // namespace mosim::parser
