#include "compiler/elaborate/declaration_order.hpp"

#include <cstdint>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

DeclarationOrder declaration_order(const std::vector<parser::Name>& names, const std::function<void(std::size_t, const VisitReference&)>& uses) {
  enum class State : std::uint8_t { open, begun, done };
  std::vector<State> states(names.size(), State::open);
  DeclarationOrder result;
  const std::function<void(std::size_t)> add = [&](std::size_t i) {
    if (states[i] == State::begun && !result.circular) result.circular = i;
    if (states[i] != State::open) return;
    states[i] = State::begun;
    uses(i, [&](const parser::ComponentReference& r) {
      if (r.global) return;
      for (std::size_t k = 0; k < names.size(); ++k)
        if (k != i && names[k] == r.parts.front().name) add(k);
    });
    states[i] = State::done;
    result.order.push_back(i);
  };
  for (std::size_t i = 0; i < names.size(); ++i) add(i);
  return result;
}

void each_reference_in_sizes(const Member& m, const VisitReference& visit) {
  for (const auto& subscripts : {m.sized_declaration->subscripts, m.sized_clause->subscripts})
    for (const parser::Subscript& s : subscripts)
      if (s.expression) parser::each_reference(*s.expression, visit);
}

void each_reference_in_value(const Member& m, const VisitReference& visit) {
  if (m.modifier && m.modifier->binding && m.modifier->binding->expression) parser::each_reference(*m.modifier->binding->expression, visit);
}

}  // namespace mosim::compiler
