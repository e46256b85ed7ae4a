// Assignments that are made under the same condition, as those of a when-clause are.

#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

/// Assignments that follow each other and are all made under one condition share its branch, and so what they call there: the results
/// that a when-clause takes of one call. What has a value that is known before (a start value) may stand between them.
std::size_t Lowering::end_of_choices(const dae::Schedule& schedule, std::size_t first, std::size_t last) const {
  const auto is_plain = [&](const dae::Block& block) {
    if (!block.unknowns().empty() || block.assignments().size() != 1) return false;
    const dae::Why why = schedule.equations[block.assignments().front().equation].why;
    return why != dae::Why::relation && why != dae::Why::event_function;
  };
  const auto condition = [&](const dae::Block& block) {
    const Expr value = block.assignments().front().value;
    return x_.op(value) == Op::if_ ? x_.child(value, 0) : Expr::none;
  };
  std::size_t end = first + 1;
  if (!is_plain(schedule.blocks[first]) || condition(schedule.blocks[first]) == Expr::none) return end;
  const Expr shared = condition(schedule.blocks[first]);
  for (std::size_t i = end; i < last && is_plain(schedule.blocks[i]) && schedule.blocks[i].clock == schedule.blocks[first].clock; ++i) {
    if (condition(schedule.blocks[i]) == shared) end = i + 1;
    else if (!is_known_before(schedule.blocks[i].assignments().front().value)) break;
  }
  return end;
}

bool Lowering::is_known_before(Expr value) const {
  if (x_.is_literal_leaf(value)) return true;
  if (x_.op(value) != Op::variable) return false;
  const dae::VariableKind kind = s_.fact(x_.variable(value)).kind;
  return kind == dae::VariableKind::constant || kind == dae::VariableKind::parameter;
}

void Lowering::emit_choices(std::span<const Choice> list, int depth) {
  constexpr int deepest = 64;
  const auto is_choice = [&](const Choice& c) { return x_.op(c.value) == Op::if_ && !(known_.has(c.value) && known_[c.value] != 0); };
  for (std::size_t first = 0, end = 0; first < list.size(); first = end) {
    end = first + 1;
    if (is_choice(list[first]) && depth < deepest)
      while (end < list.size() && is_choice(list[end]) && x_.child(list[end].value, 0) == x_.child(list[first].value, 0)) ++end;
    current_equation_ = list[first].equation;
    if (end == first + 1) {
      emit(list[first].value, list[first].target);
      continue;
    }
    const Entry skip = jump(Opcode::jump_if_zero, emit(x_.child(list[first].value, 0)));
    const auto branch = [&](std::size_t child) {
      std::vector<Choice> values(list.begin() + std::ptrdiff_t(first), list.begin() + std::ptrdiff_t(end));
      for (Choice& c : values) c.value = x_.child(c.value, child);
      open_scope();
      emit_choices(values, depth + 1);
      close_scope();
    };
    branch(1);
    const Entry over = jump(Opcode::jump);
    land(skip);
    branch(2);
    land(over);
    for (std::size_t k = first; k < end; ++k) remember(list[k].value, list[k].target);
  }
  current_equation_ = nullptr;
}

}  // namespace mosim::compiler
