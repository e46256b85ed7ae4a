// What the equations of a block hold besides its unknowns: computed once, before its iterations.

#include "compiler/expression/statement_walk.hpp"
#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

/// Emits the largest parts of a block's expressions that do not depend on what the block computes; the rest of its code finds them known. Only
/// what is computed on every way through that code: where a condition excludes it, it may have no value.
void Lowering::emit_invariants(const dae::Block& block, std::span<const BlockRow> rows) {
  std::unordered_set<dae::Quantity> computed(block.unknowns().begin(), block.unknowns().end());
  for (const dae::Solved& solved : block.assignments()) computed.insert(solved.unknown);
  Scratch<char> varies, seen;
  std::vector<Expr> open;
  for (const BlockRow& row : rows) {
    if (row.buffered) continue;
    current_equation_ = row.equation;
    children_first(
        x_, row.value, [&](Expr e) { return varies.has(e); },
        [&](Expr e) {
          bool found = computed.contains(dae::quantity_of(x_, e)) || (x_.op(e) == Op::call && counts(model_, e));
          for (const Expr c : x_.children(e)) found = found || varies[c];
          varies[e] = found;
        });
    open.assign(1, row.value);
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      const std::span<const Expr> children = x_.children(e);
      if (children.empty() || seen.has(e)) continue;
      seen[e] = 1;
      const Op op = x_.op(e);
      if (!varies[e] && op != Op::call) {
        (void)emit(e);
        continue;
      }
      const auto look = [&](std::size_t first, std::size_t last) { open.insert(open.end(), children.rend() - std::ptrdiff_t(last), children.rend() - std::ptrdiff_t(first)); };
      switch (op) {
        case Op::if_: case Op::and_: case Op::or_: case Op::inlined: look(0, 1); break;
        case Op::homotopy: look(0, in_initial_ ? 2 : 1); break;
        case Op::smooth: look(1, 2); break;
        case Op::string_of: case Op::delay: case Op::spatial_distribution: break;
        default: look(0, children.size());
      }
    }
  }
  current_equation_ = nullptr;
}

}  // namespace mosim::compiler
