// The parser: the grammar, its actions and its errors put together. The only translation unit that includes them.

#include "parser/parse.hpp"

#include "parser/actions.hpp"
#include "parser/class_actions.hpp"
#include "parser/equation_actions.hpp"
#include "parser/expectations.hpp"
#include "parser/modification_actions.hpp"

namespace mosim::parser {
namespace {

template <class Rule>
struct control : tao::pegtl::normal<Rule> {
  [[noreturn]] static void raise(const Input& in, const Builder& b) {
    throw explain(situation(in, b), expectation(static_cast<const Rule*>(nullptr)));
  }
};

}  // namespace

std::optional<StoredDefinition> parse(const Source& source, Workspace& workspace, Diagnostics& diagnostics,
                                      Remains* remains) {
  if (source.begin == 0) {
    diagnostics.push_back({Severity::error, {}, source.path + ": the texts read so far are larger than 4 GiB", {}, {}});
    if (remains) remains->blind = true;
    return std::nullopt;
  }
  Builder builder(source, workspace);
  Input in(source);
  try {
    in.skip_byte_order_mark();
    in.skip_space();
    (void)tao::pegtl::parse<grammar::stored_definition, action, control>(in, builder);
  } catch (SyntaxError& error) {
    builder.blind = true;
    builder.errors.add(std::move(error));
  }
  const bool whole = !builder.errors.any();
  for (Diagnostic& d : builder.errors.take(source)) diagnostics.push_back(std::move(d));
  if (whole) return builder.stored;
  if (remains) *remains = {builder.stored, std::move(builder.unread), builder.blind};
  return std::nullopt;
}

}  // namespace mosim::parser
