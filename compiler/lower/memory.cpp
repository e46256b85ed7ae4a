// Where everything lives.

#include <algorithm>
#include <bit>

#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

using runtime::none;

runtime::Slot Lowering::new_slot(double value) {
  p_.memory.push_back(value);
  return static_cast<Slot>(p_.memory.size() - 1);
}

runtime::Slot Lowering::new_slots(std::size_t n) {
  const auto first = static_cast<Slot>(p_.memory.size());
  p_.memory.resize(p_.memory.size() + n, 0);
  return first;
}

runtime::Slot Lowering::constant(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (bits == 0) return runtime::slot_zero;
  if (value == 1) return runtime::slot_one;
  const std::size_t k = constant_places_.find_or_add(bits, constants_.size(), [this](std::size_t n) { return std::bit_cast<std::uint64_t>(p_.memory[constants_[n]]); });
  if (k == constants_.size()) constants_.push_back(new_slot(value));
  return constants_[k];
}

runtime::Slot Lowering::constant(Expr real) {
  const double value = x_.real_value(real);
  if (std::bit_cast<std::uint64_t>(value) == 0) return runtime::slot_zero;
  if (value == 1) return runtime::slot_one;
  Slot& slot = real_slots_[real];
  if (slot == 0) slot = new_slot(value);   // slots from 0 on have other uses
  return slot;
}

double Lowering::string_number(const std::string& text) {
  if (p_.strings.empty()) string_numbers_[p_.strings.emplace_back()] = 0;
  const auto [it, fresh] = string_numbers_.emplace(text, double(p_.strings.size()));
  if (fresh) p_.strings.push_back(text);
  return it->second;
}

runtime::Slot Lowering::temporary() {
  if (own_temporaries_) return new_slot();
  if (run_ < temporaries_.size() && next_temporary_ == temporaries_[run_].count) ++run_, next_temporary_ = 0;
  if (run_ == temporaries_.size()) {
    std::uint32_t count = 4;
    for (const Run& run : temporaries_) count += run.count;
    temporaries_.push_back({new_slots(count), count});
  }
  return temporaries_[run_].first + next_temporary_++;
}

bool Lowering::is_temporary(Slot slot) const {
  return std::any_of(temporaries_.rbegin(), temporaries_.rend(), [&](const Run& run) { return slot >= run.first && slot - run.first < run.count; });
}

void Lowering::lay_out() {
  p_.memory.assign(runtime::first_free_slot, 0);
  p_.memory[runtime::slot_one] = 1;
  p_.memory[runtime::slot_lambda] = 1;
  const std::size_t n = model_.variables.size();
  value_.assign(n, none);
  derivative_.assign(n, none);
  pre_.assign(n, none);
  previous_.assign(n, none);
  variable_number_.assign(n, none);
  start_slot_.assign(n, {});
  p_.first_state = static_cast<Slot>(p_.memory.size());
  for (VariableId v : s_.states) value_[index(v)] = new_slot();
  p_.first_derivative = static_cast<Slot>(p_.memory.size());
  for (VariableId v : s_.states) derivative_[index(v)] = new_slot();
  for (std::size_t i = 0; i < n; ++i) {
    const dae::VariableKind kind = s_.facts[i].kind;
    if (kind == dae::VariableKind::state || kind == dae::VariableKind::alias || kind == dae::VariableKind::gone) continue;
    value_[i] = new_slot();
  }
  for (std::size_t i = 0; i < n; ++i)
    if (s_.facts[i].kind == dae::VariableKind::alias) value_[i] = value_[index(s_.facts[i].alias_of)];
  const auto with_pre = [&](VariableId v) {
    if (pre_[index(v)] == none) pre_[index(v)] = new_slot();
  };
  for (VariableId v : s_.pre) with_pre(v);
  for (VariableId v : s_.pre_of_helpers) with_pre(v);
  // At initialisation further ones are unknowns.
  for (const dae::Block& b : s_.initial.blocks) {
    for (const dae::Solved& solved : b.assignments())
      if (dae::part(solved.unknown) == dae::Part::pre) with_pre(dae::variable(solved.unknown));
    for (dae::Quantity q : b.unknowns())
      if (dae::part(q) == dae::Part::pre) with_pre(dae::variable(q));
  }
  for (VariableId v : s_.previous) previous_[index(v)] = new_slot();
}

runtime::Slot Lowering::slot_of(dae::Quantity q) const {
  const std::uint32_t v = index(dae::variable(q));
  switch (dae::part(q)) {
    case dae::Part::value: return value_[v];
    case dae::Part::derivative: return derivative_[v];
    case dae::Part::pre: return pre_[v];
    case dae::Part::previous: return previous_[v];
  }
  return none;
}

}  // namespace mosim::compiler
