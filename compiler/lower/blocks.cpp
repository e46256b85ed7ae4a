// The code of blocks of equations, of those that are solved together, and of relations that are tried with them (E15).

#include "compiler/expression/print.hpp"
#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

using runtime::none;

bool Lowering::is_buffered(const dae::Equation& e) { return e.why == dae::Why::relation || e.why == dae::Why::event_function; }

void Lowering::emit_relation(const dae::Equation& equation, Slot target) {
  const Index number = equation.number;
  if (equation.why == dae::Why::relation) {
    if (s_.relations[number].time_event) {
      const Slot instant = emit(s_.relations[number].instant, p_.relations[number].instant);
      instruction(Opcode::time_relation, target, instant, 0, number, p_.relations[number].origin);
      return;
    }
    emit_guarded(equation.guard, [&] {
      const Slot left = emit_side(x_.child(equation.right, 0)), right = emit_side(x_.child(equation.right, 1));
      instruction(Opcode::relation, target, left, right, number, p_.relations[number].origin);
    });
  } else {
    emit_guarded(equation.guard, [&] {
      const Slot argument = emit(equation.right);
      instruction(Opcode::event_function, target, argument, 0, number, p_.event_functions[number].origin);
    });
  }
}

void Lowering::emit_assignment(const dae::Schedule& schedule, const dae::Solved& solved) {
  const dae::Equation& equation = schedule.equations[solved.equation];
  current_equation_ = &equation;
  const Slot target = slot_of(solved.unknown);
  StartSlot* const start = equation.why == dae::Why::start && start_slot_[index(dae::variable(equation.target))].slot != none ? &start_slot_[index(dae::variable(equation.target))] : nullptr;
  if (is_buffered(equation)) {
    emit_relation(equation, target);
  } else if (start && solved.unknown == equation.target && solved.value == equation.right) {
    instruction(Opcode::move, target, start->slot);
    start->counts = true;
  } else {
    if (start) model_.reliance.values.insert(dae::variable(equation.target));
    emit(solved.value, target);
  }
  current_equation_ = nullptr;
}

void Lowering::emit_block(const dae::Schedule& schedule, const dae::Block& block) {
  if (block.unknowns().empty()) {
    for (const dae::Solved& solved : block.assignments()) emit_assignment(schedule, solved);
    return;
  }
  emit_guesses(block);
  const Index number = block_number(schedule, block);
  instruction(Opcode::solve, 0, 0, 0, number, p_.blocks[number].origin);
}

/// Later passes go on from the solution of the one before.
void Lowering::emit_guesses(const dae::Block& block) {
  if (block.guesses().empty()) return;
  if (guessed_ == none) guessed_ = new_slot();
  const Entry skip = jump(Opcode::jump_if_nonzero, guessed_);
  open_scope();
  for (const dae::Solved& guess : block.guesses()) emit(guess.value, slot_of(guess.unknown));
  close_scope();
  land(skip);
}

runtime::Index Lowering::block_number(const dae::Schedule& schedule, const dae::Block& block) {
  // The same block stands in several sections; with homotopy the initial one is different.
  std::vector<std::uint32_t> key{s_.uses_homotopy && in_initial_};
  for (dae::Quantity q : block.unknowns()) key.push_back(dae::index(q));
  for (const auto& a : block.assignments()) key.insert(key.end(), {dae::index(a.unknown), index(a.value)});
  for (const auto& r : block.residuals()) key.insert(key.end(), {index(r.left), index(r.right)});
  const auto [it, fresh] = known_blocks_.emplace(std::move(key), static_cast<Index>(p_.blocks.size()));
  if (!fresh) return it->second;
  runtime::Block result;
  result.linear = block.linear();
  for (dae::Quantity q : block.unknowns()) add_unknown(result, q);
  for (const dae::Residual& r : block.residuals()) {
    result.residuals.push_back(new_slot());
    result.residual_origins.push_back(origin(schedule.equations[r.equation]));
  }
  const std::uint32_t first = block.residuals().empty() ? block.assignments().front().equation : block.residuals().front().equation;
  result.origin = origin(schedule.equations[first]);
  const Index number = it->second;
  p_.blocks.push_back(std::move(result));
  deferred_.push_back({&schedule, &block, number, in_initial_, false});
  if (!block.assignments().empty()) add_untorn(schedule, block, number);
  return number;
}

/// The same equations for all their unknowns at once.
void Lowering::add_untorn(const dae::Schedule& schedule, const dae::Block& block, Index torn) {
  runtime::Block whole = p_.blocks[torn];
  for (const dae::Solved& solved : block.assignments()) {
    add_unknown(whole, solved.unknown);
    whole.residuals.push_back(new_slot());
    whole.residual_origins.push_back(origin(schedule.equations[solved.equation]));
  }
  const auto number = static_cast<Index>(p_.blocks.size());
  p_.blocks[torn].untorn = number;
  p_.blocks.push_back(std::move(whole));
  deferred_.push_back({&schedule, &block, number, in_initial_, true});
}

void Lowering::add_unknown(runtime::Block& block, dae::Quantity q) {
  block.unknowns.push_back(slot_of(q));
  block.nominal.push_back(nominal(dae::variable(q)));
  const std::string name = said_name(model_, dae::variable(q));
  block.names.push_back(dae::part(q) == dae::Part::derivative ? "der(" + name + ")"
                        : dae::part(q) == dae::Part::pre      ? "pre(" + name + ")"
                                                              : name);
}

/// Torn: what is assigned, then the residuals; else the residuals of all.
std::vector<Lowering::BlockRow> Lowering::block_rows(const Deferred& d) {
  std::vector<BlockRow> rows;
  const runtime::Block& block = p_.blocks[d.number];
  const auto equation = [&](std::uint32_t number) { return &d.schedule->equations[number]; };
  const auto residual = [&](std::uint32_t number, Expr left, Expr right, std::size_t row) {
    rows.push_back({equation(number), x_.simplified(Op::subtract, BaseType::real, {left, right}), block.residuals[row], false});
  };
  if (!d.untorn)
    for (const dae::Solved& solved : d.block->assignments())
      rows.push_back({equation(solved.equation), solved.value, slot_of(solved.unknown), is_buffered(*equation(solved.equation))});
  std::size_t row = 0;
  for (const dae::Residual& r : d.block->residuals()) residual(r.equation, r.left, r.right, row++);
  if (d.untorn)
    for (const dae::Solved& solved : d.block->assignments())
      residual(solved.equation, equation(solved.equation)->left, equation(solved.equation)->right, row++);
  return rows;
}

/// The code of mixed systems and of blocks stands after the section that uses them first.
void Lowering::emit_deferred() {
  const bool was_initial = in_initial_;
  const std::vector<DeferredMixed> mixed = std::move(deferred_mixed_);
  deferred_mixed_.clear();
  for (const DeferredMixed& d : mixed) {
    begin_section();
    own_temporaries_ = true;
    in_initial_ = d.initial;
    p_.mixed[d.number].code = here();
    for (std::uint32_t i = d.iteration->first; i < d.iteration->last; ++i) emit_block(*d.schedule, d.schedule->blocks[i]);
    instruction(Opcode::end);
    own_temporaries_ = false;
  }
  const std::vector<Deferred> list = std::move(deferred_);
  deferred_.clear();
  for (const Deferred& d : list) {
    begin_section();
    own_temporaries_ = in_derivatives_ = true;
    in_initial_ = d.initial;
    const auto first_own = static_cast<Slot>(p_.memory.size());
    const std::size_t calls_once = p_.calls_once.size();
    p_.blocks[d.number].code = here();
    const std::vector<BlockRow> rows = block_rows(d);
    emit_invariants(*d.block, rows);
    make_kernels(p_.blocks[d.number].code, false);
    if (here() != p_.blocks[d.number].code) instruction(Opcode::body);
    p_.blocks[d.number].body = here();
    for (const BlockRow& row : rows) {
      current_equation_ = row.equation;
      if (row.buffered) emit_relation(*row.equation, row.target);
      else emit(row.value, row.target);
    }
    current_equation_ = nullptr;
    make_kernels(p_.blocks[d.number].body, false);
    instruction(Opcode::end);
    // What a call that is made once has found is for all.
    if (p_.calls_once.size() == calls_once) p_.blocks[d.number].first_own = first_own, p_.blocks[d.number].last_own = static_cast<Slot>(p_.memory.size());
    own_temporaries_ = in_derivatives_ = false;
  }
  in_initial_ = was_initial;
}

void Lowering::emit_blocks(const dae::Schedule& schedule) {
  std::uint32_t clock = dae::none;
  Entry skip = 0;
  const auto leave = [&] {
    if (clock == dae::none) return;
    close_scope();
    land(skip);
    clock = dae::none;
  };
  std::size_t next_iteration = 0;
  for (std::size_t i = 0; i < schedule.blocks.size(); ++i) {
    const dae::Block& block = schedule.blocks[i];
    if (next_iteration < schedule.iterations.size() && schedule.iterations[next_iteration].first == i) {
      leave();
      emit_iteration(schedule, schedule.iterations[next_iteration]);
      i = schedule.iterations[next_iteration].last - 1;
      ++next_iteration;
      continue;
    }
    if (block.clock != clock) {
      leave();
      if (block.clock != dae::none) {
        clock = block.clock;
        skip = jump(Opcode::jump_if_zero, slot_of(s_.sub_clocks[clock].tick));
        open_scope();
      }
    }
    const bool more = next_iteration < schedule.iterations.size();
    const std::size_t end = end_of_choices(schedule, i, more ? schedule.iterations[next_iteration].first : schedule.blocks.size());
    if (end == i + 1) {
      emit_block(schedule, block);
      continue;
    }
    std::vector<Choice> choices;
    for (; i < end; ++i) {
      const dae::Solved& solved = schedule.blocks[i].assignments().front();
      if (x_.op(solved.value) != Op::if_) emit_assignment(schedule, solved);
      else choices.push_back({solved.value, slot_of(solved.unknown), &schedule.equations[solved.equation]});
    }
    --i;
    emit_choices(choices, 0);
  }
  leave();
}

/// The code of the blocks stands behind the section; the runtime tries values for the relations in it (E15).
void Lowering::emit_iteration(const dae::Schedule& schedule, const dae::Iteration& iteration) {
  runtime::Mixed mixed;
  for (const auto& frozen : iteration.frozen) {
    const dae::Equation* equation = nullptr;
    for (std::uint32_t i = iteration.first; i < iteration.last && !equation; ++i)
      for (const auto& solved : schedule.blocks[i].assignments())
        if (solved.unknown == dae::quantity(frozen.relation)) equation = &schedule.equations[solved.equation];
    mixed.held.push_back({equation->why == dae::Why::relation, equation->number, slot_of(frozen.relation), slot_of(frozen.held)});
    if (mixed.origin == none) mixed.origin = origin(*equation);
  }
  const auto number = static_cast<Index>(p_.mixed.size());
  instruction(Opcode::settle, 0, 0, 0, number, mixed.origin);
  p_.mixed.push_back(std::move(mixed));
  deferred_mixed_.push_back({&schedule, &iteration, number, in_initial_});
}

}  // namespace mosim::compiler
