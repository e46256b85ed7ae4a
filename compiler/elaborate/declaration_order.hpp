#pragma once
// In which order the declarations of a function or a record get their values: each behind those that it uses (MLS 12.2, 12.6).

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "parser/references.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Member;

using VisitReference = std::function<void(const parser::ComponentReference&)>;

struct DeclarationOrder {
  std::vector<std::size_t> order;            // positions in `names`
  std::optional<std::size_t> circular;       // the first that uses itself, by way of others; these stand as they are declared
};
/// `uses(k, visit)` visits what declaration k uses.
DeclarationOrder declaration_order(const std::vector<parser::Name>& names, const std::function<void(std::size_t, const VisitReference&)>& uses);

void each_reference_in_sizes(const Member& m, const VisitReference& visit);
void each_reference_in_value(const Member& m, const VisitReference& visit);

}  // namespace mosim::compiler
