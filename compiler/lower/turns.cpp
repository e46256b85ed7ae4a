// What a reinit is there to turn back: relations in the condition of its when-clause that its state leads across.

#include <algorithm>

#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

namespace {
constexpr int visit_bound = 5000;   // for a message: what depends on more is not looked through
}

// Expressions of the event section that the roots need, from one to the next, as far as `visit` says true.
template <class Visit>
void Lowering::each_needed(std::vector<Expr> roots, Visit visit) {
  const auto& blocks = s_.event.blocks;
  if (block_of_.empty()) {
    block_of_.assign(model_.variables.size() * 4, runtime::none);
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      for (const dae::Solved& solved : blocks[b].assignments()) block_of_[dae::index(solved.unknown)] = b;
      for (dae::Quantity q : blocks[b].unknowns()) block_of_[dae::index(q)] = b;
    }
  }
  int visits = visit_bound;
  walker_.restart();
  while (!roots.empty()) {
    const Expr root = roots.back();
    roots.pop_back();
    walker_.more(root, [&](Expr e) {
      if (--visits < 0) return false;
      const dae::Quantity q = dae::quantity_of(x_, e);
      if (q == dae::Quantity::none) return !looks_back(x_.op(e));
      if (!visit(q) || block_of_[dae::index(q)] == runtime::none) return true;
      const dae::Block& block = blocks[block_of_[dae::index(q)]];
      for (const dae::Solved& solved : block.assignments()) roots.push_back(solved.value);
      for (const dae::Residual& r : block.residuals()) roots.push_back(r.left), roots.push_back(r.right);
      return true;
    });
  }
}

std::vector<runtime::Index> Lowering::turns(std::uint32_t branch, VariableId state) {
  std::vector<Index> result;
  if (branch == dae::none) return result;
  std::vector<Expr> conditions;
  for (const dae::Condition& c : s_.branches[branch].conditions)
    if (!c.initial && !c.pulse) conditions.push_back(x_.variable(c.variable, BaseType::boolean));
  if (relation_of_.empty())
    for (std::uint32_t k = 0; k < s_.relations.size(); ++k) relation_of_.emplace(s_.relations[k].variable, k);
  std::vector<Index> relations;
  each_needed(conditions, [&](dae::Quantity q) {
    const bool relation = s_.fact(dae::variable(q)).is_relation;
    if (relation && dae::part(q) == dae::Part::value) relations.push_back(relation_of_.at(dae::variable(q)));
    return !relation;
  });
  std::sort(relations.begin(), relations.end());
  relations.erase(std::unique(relations.begin(), relations.end()), relations.end());
  for (const Index k : relations) {
    const dae::Relation& relation = s_.relations[k];
    if (relation.time_event) continue;
    std::vector<Expr> derivatives;
    bool depends = false;
    const auto states = [&](bool collect) {
      return [&, collect](dae::Quantity q) {
        const dae::VariableFacts& fact = s_.fact(dae::variable(q));
        if (fact.is_relation) return false;
        if (fact.kind != dae::VariableKind::state || dae::part(q) != dae::Part::value) return true;
        depends = depends || dae::variable(q) == state;
        if (collect) derivatives.push_back(x_.of_variable(Op::derivative, dae::variable(q), BaseType::real));
        return false;
      };
    };
    each_needed({relation.relation}, states(true));
    if (!depends) each_needed(derivatives, states(false));
    if (depends) result.push_back(k);
  }
  return result;
}

}  // namespace mosim::compiler
