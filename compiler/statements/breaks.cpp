#include "compiler/statements/breaks.hpp"

#include <algorithm>

#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

bool check_breaks(Instances& in, parser::List<parser::Statement> statements) {
  return std::all_of(statements.begin(), statements.end(), [&](const parser::Statement& s) {
    const auto good = [&](const auto& branch) { return check_breaks(in, branch.body); };
    if (const auto* i = std::get_if<parser::IfStatement>(&s.node)) return std::all_of(i->branches.begin(), i->branches.end(), good);
    if (const auto* w = std::get_if<parser::WhenStatement>(&s.node)) return std::all_of(w->branches.begin(), w->branches.end(), good);
    if (!std::holds_alternative<parser::BreakStatement>(s.node)) return true;
    in.error(s.place, "break stands outside a loop", "break leaves the innermost for or while loop around it (MLS 11.2.4); return leaves a function");
    return false;
  });
}

}  // namespace mosim::compiler
