// Functions: their variables are slots, their statements code with jumps.

#include <algorithm>
#include <limits>

#include "compiler/expression/print.hpp"
#include "compiler/expression/statement_walk.hpp"
#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

using runtime::none;

void Lowering::functions() {
  // Constants and the variables of each function in a row: elements of arrays follow each other.
  local_.assign(model_.locals.size(), none);
  for (std::size_t l = 0; l < model_.locals.size(); ++l)
    if (model_.locals[l].owner == FunctionId::none) {
      const Expr e = model_.locals[l].value;
      local_[l] = new_slot(x_.op(e) == Op::string ? string_number(x_.string_value(e)) : x_.is_number(e) ? x_.number(e) : double(x_.payload(e)));
    }
  const std::size_t n = model_.functions.size();
  std::vector<std::vector<std::uint32_t>> calls(n), own(n);
  for (std::uint32_t l = 0; l < model_.locals.size(); ++l)
    if (model_.locals[l].owner != FunctionId::none) own[index(model_.locals[l].owner)].push_back(l);
  for (std::size_t f = 0; f < n; ++f) calls[f] = functions_called(model_, static_cast<FunctionId>(f));
  const auto reaches_itself = [&](std::uint32_t f) {
    std::vector<bool> seen(n);
    std::vector<std::uint32_t> stack = calls[f];
    while (!stack.empty()) {
      const std::uint32_t g = stack.back();
      stack.pop_back();
      if (g == f) return true;
      if (seen[g]) continue;
      seen[g] = true;
      stack.insert(stack.end(), calls[g].begin(), calls[g].end());
    }
    return false;
  };
  p_.functions.resize(n);
  array_.assign(model_.locals.size(), none);
  input_arrays_.resize(n);
  for (std::uint32_t f = 0; f < n; ++f) {
    const flat::Function& function = model_.functions[f];
    runtime::Function& code = p_.functions[f];
    code.name = function.name;
    code.recursive = function.complete && reaches_itself(f);
    if (!function.complete) continue;
    if (code.recursive) {
      for (std::size_t k = 0; k < function.inputs.size(); ++k) code.inputs.push_back(new_slot());
      for (std::size_t k = 0; k < function.outputs.size(); ++k) code.results.push_back(new_slot());
      for (const LocalId l : function.inputs) input_arrays_[f].push_back(is_array(l) ? p_.arrays++ : none);
      for (const LocalId l : function.outputs) code.result_arrays.push_back(is_array(l) ? p_.arrays++ : none);
    }
  }
  own_temporaries_ = true;
  for (std::uint32_t f = 0; f < n; ++f) {
    runtime::Function& code = p_.functions[f];
    code.first = static_cast<Slot>(p_.memory.size());
    code.first_array = p_.arrays;
    for (const std::uint32_t l : own[f]) {
      local_[l] = new_slot();
      if (model_.locals[l].rank > 0) array_[l] = p_.arrays++;
    }
    code.last_array = p_.arrays;
    const flat::Function& function = model_.functions[f];
    for (const LocalId l : function.outputs) code.result_names.push_back(model_.locals[index(l)].name);
    if (code.recursive || !function.complete) continue;
    for (const LocalId l : function.inputs) code.inputs.push_back(local_[index(l)]);
    for (const LocalId l : function.outputs) code.results.push_back(local_[index(l)]);
    for (const LocalId l : function.inputs) input_arrays_[f].push_back(array_[index(l)]);
    for (const LocalId l : function.outputs) code.result_arrays.push_back(array_[index(l)]);
  }
  own_temporaries_ = false;
  for (std::uint32_t f = 0; f < n; ++f)
    if (model_.functions[f].complete) function_code(static_cast<FunctionId>(f));
}

void Lowering::function_code(FunctionId id) {
  const flat::Function& f = model_.functions[index(id)];
  function_ = &f;
  // Frames of functions that call themselves are one stretch: their variables move here, where their temporaries will be.
  if (p_.functions[index(id)].recursive) {
    p_.functions[index(id)].first = static_cast<Slot>(p_.memory.size());
    p_.functions[index(id)].first_array = p_.arrays;
    for (std::uint32_t l = 0; l < model_.locals.size(); ++l)
      if (model_.locals[l].owner == id) {
        local_[l] = new_slot();
        if (model_.locals[l].rank > 0) array_[l] = p_.arrays++;
      }
  }
  const Entry entry = begin_section();
  own_temporaries_ = true;
  p_.functions[index(id)].entry = entry;
  const Slot undefined = constant(std::numeric_limits<double>::quiet_NaN());
  std::vector<bool> given(model_.locals.size());
  for (const LocalId l : f.inputs) given[index(l)] = true;
  for (std::uint32_t l = 0; l < model_.locals.size(); ++l)
    if (model_.locals[l].owner == id && !given[l] && model_.locals[l].rank == 0) instruction(Opcode::move, local_[l], model_.locals[l].value == Expr::none ? undefined : emit(model_.locals[l].value));
  if (p_.functions[index(id)].recursive)
    for (std::size_t k = 0; k < f.inputs.size(); ++k) {
      if (is_array(f.inputs[k])) instruction(Opcode::assign_array, array_[index(f.inputs[k])], 0, 1, input_arrays_[index(id)][k]);
      else instruction(Opcode::move, local_[index(f.inputs[k])], p_.functions[index(id)].inputs[k]);
    }
  breaks_.assign(1, {});   // a return leaves the whole
  (void)statements(f.body);
  for (const Entry jump : breaks_.front().jumps) land(jump);
  if (p_.functions[index(id)].recursive)
    for (std::size_t k = 0; k < f.outputs.size(); ++k) {
      if (is_array(f.outputs[k])) instruction(Opcode::assign_array, p_.functions[index(id)].result_arrays[k], 0, 1, array_[index(f.outputs[k])]);
      else instruction(Opcode::move, p_.functions[index(id)].results[k], local_[index(f.outputs[k])]);
    }
  instruction(Opcode::return_);
  p_.functions[index(id)].last = static_cast<Slot>(p_.memory.size());
  if (p_.functions[index(id)].recursive) p_.functions[index(id)].last_array = p_.arrays;
  own_temporaries_ = false;
  function_ = nullptr;
  known_.clear();
  known_order_.clear();
  scopes_.clear();
  emit_deferred();
}

bool Lowering::statements(const flat::Statements& list) {
  for (const flat::Statement& s : list) {
    // What was computed before may have changed.
    known_.clear();
    known_order_.clear();
    scopes_.clear();
    if (std::holds_alternative<flat::BreakStatement>(s.node)) {
      breaks_.back().jumps.push_back(jump(Opcode::jump));
      return false;
    }
    if (std::holds_alternative<flat::ReturnStatement>(s.node)) {
      breaks_.front().jumps.push_back(jump(Opcode::jump));
      return false;
    }
    if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) statement(*a);
    else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) statement(*e);
    else if (const auto* creation = std::get_if<flat::ArrayCreation>(&s.node)) statement(*creation, s.place);
    else if (const auto* item = std::get_if<flat::ItemAssignment>(&s.node)) statement(*item, s.place);
    else if (const auto* array = std::get_if<flat::ArrayAssignment>(&s.node)) statement(*array);
    else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) statement(*i);
    else if (const auto* l = std::get_if<flat::Loop>(&s.node)) statement(*l, s.place);
    else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) statement(*w, s.place);
    else if (const auto* c = std::get_if<flat::Assertion>(&s.node)) emit_check(*c);
    else if (const auto* t = std::get_if<flat::Termination>(&s.node)) emit_terminate(*t);
    else if (const auto* external = std::get_if<flat::ExternalCall>(&s.node)) statement(*external, s.place);
  }
  return true;
}

void Lowering::statement(const flat::LocalAssignment& s) {
  // A value that nothing else here reads goes to its place at once.
  std::vector<bool> direct(s.all.size());
  const auto reads = [&](Expr root, LocalId l) {
    bool found = false;
    walker_.each(root, [&](Expr e) {
      if (x_.op(e) == Op::local) found = found || x_.local(e) == l;
      if (x_.op(e) == Op::element)
        found = found || (index(l) >= index(x_.local(e)) && index(l) < index(x_.local(e)) + static_cast<std::uint32_t>(x_.integer_value(x_.child(e, 1))));
      return !found;
    });
    return found;
  };
  if (s.all.size() == 1) {
    direct[0] = !reads(s.all[0].value, s.all[0].target);
  } else {
    Scratch<char> seen;
    std::vector<std::uint32_t> read;
    for (const auto& one : s.all)
      walker_.each(one.value, [&](Expr e) {
        if (seen.has(e)) return false;
        seen[e] = 1;
        if (x_.op(e) == Op::local) read.push_back(index(x_.local(e)));
        if (x_.op(e) == Op::element)
          for (std::int64_t k = 0; k < x_.integer_value(x_.child(e, 1)); ++k) read.push_back(index(x_.local(e)) + static_cast<std::uint32_t>(k));
        return true;
      });
    std::sort(read.begin(), read.end());
    for (std::size_t k = 0; k < s.all.size(); ++k) direct[k] = !has_counting_call(model_, s.all[k].value) && !std::binary_search(read.begin(), read.end(), index(s.all[k].target));
  }
  std::vector<std::pair<Slot, Slot>> moves;
  for (std::size_t k = 0; k < s.all.size(); ++k) {
    const Slot to = local_[index(s.all[k].target)];
    if (is_array(s.all[k].target)) {   // a result of a call, which nobody else takes
      emit(s.all[k].value);
      instruction(Opcode::assign_array, array_[index(s.all[k].target)], 0, 1, result_arrays_.at({x_.child(s.all[k].value, 0), x_.payload(s.all[k].value)}));
      continue;
    }
    if (direct[k]) {
      const std::size_t before = known_order_.size();
      emit(s.all[k].value, to);
      forget_place(to, before);
      continue;
    }
    Slot from = emit(s.all[k].value);
    if (x_.children(s.all[k].value).empty() && s.all.size() > 1) {   // a variable that may be assigned before it is read
      const Slot copy = temporary();
      instruction(Opcode::move, copy, from);
      from = copy;
    }
    moves.emplace_back(to, from);
  }
  for (const auto& [to, from] : moves) instruction(Opcode::move, to, from);
}

/// The place is written anew each time: nothing may stand for it. What was computed on the way, the results of calls first of all, stays.
void Lowering::forget_place(Slot place, std::size_t first) {
  for (std::size_t k = first; k < known_order_.size(); ++k)
    if (known_[known_order_[k]] == place + 1) known_[known_order_[k]] = 0;
}

void Lowering::statement(const flat::ElementAssignment& s) {
  const Slot at = emit(s.at), value = emit(s.value);
  instruction(Opcode::store, local_[index(s.first)], at, value, static_cast<std::uint32_t>(s.count), origin(s.at));
}

runtime::Slot Lowering::emit_row(std::span<const Expr> list) {
  if (list.size() == 1) return emit(list.front());
  std::vector<Slot> values;
  for (const Expr e : list) values.push_back(emit(e));
  const Slot row = new_slots(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) instruction(Opcode::move, row + static_cast<Slot>(k), values[k]);
  return row;
}

void Lowering::statement(const flat::ArrayCreation& s, Place place) {
  const bool strings = model_.locals[index(s.array)].type == BaseType::string;
  instruction(Opcode::create, strings, emit_row(s.extents), static_cast<std::uint32_t>(s.extents.size()), array_[index(s.array)],
              origin(place, model_.locals[index(s.array)].name, {}));
}

void Lowering::statement(const flat::ItemAssignment& s, Place place) {
  const Slot at = emit_row(s.at), value = emit(s.value);
  instruction(Opcode::put, value, at, static_cast<std::uint32_t>(s.at.size()), array_[index(s.array)], origin(place, model_.locals[index(s.array)].name, {}));
}

void Lowering::statement(const flat::ArrayAssignment& s) {
  instruction(Opcode::assign_array, array_[index(s.to)], 0, s.spent, array_[index(s.from)]);
}

void Lowering::statement(const flat::ExternalCall& s, Place place) {
  using Operand = runtime::External::Operand;
  runtime::External external{s.function, s.language == "FORTRAN 77", {}, s.foreign, s.destructor};
  for (const auto& o : s.operands) {
    const bool text = o.type == BaseType::string, object = o.type == BaseType::object;
    Operand operand{object ? Operand::Kind::object : text ? Operand::Kind::texts : Operand::Kind::numbers, o.result, o.type == BaseType::real, {}};
    if (o.array != LocalId::none) operand.array = array_[index(o.array)];
    for (const LocalId l : o.targets) operand.slots.push_back(local_[index(l)]);
    for (const Expr e : o.values) operand.slots.push_back(emit(e));
    external.operands.push_back(std::move(operand));
  }
  p_.externals.push_back(std::move(external));
  instruction(Opcode::external, 0, 0, 0, static_cast<Index>(p_.externals.size() - 1), origin(place, s.text, {}));
}

void Lowering::statement(const flat::IfStatement& s) {
  std::vector<Entry> to_end;
  for (const auto& b : s.branches) {
    if (b.condition == Expr::none) {
      (void)statements(b.body);
      continue;
    }
    known_.clear();
    known_order_.clear();
    const Entry skip = jump(Opcode::jump_if_zero, emit(b.condition));
    if (statements(b.body)) to_end.push_back(jump(Opcode::jump));
    land(skip);
  }
  for (const Entry j : to_end) land(j);
}

template <class Body>
void Lowering::looped(Entry head, std::vector<Entry> leaves, runtime::Index from, Body&& body) {
  breaks_.push_back({std::move(leaves)});
  body();
  instruction(Opcode::loop, head, 0, 0, 0, from);
  for (const Entry j : breaks_.back().jumps) land(j);
  breaks_.pop_back();
}

void Lowering::statement(const flat::Loop& s, Place place) {
  const Slot iterator = local_[index(s.iterator)], counter = new_slot(), last = new_slot(), more = new_slot();
  instruction(Opcode::move, last, emit(s.last));
  instruction(Opcode::move, counter, emit(s.first));
  const Entry head = here();
  instruction(Opcode::less_equal, more, counter, last);
  const Entry leave = jump(Opcode::jump_if_zero, more);
  looped(head, {leave}, origin(place, "for", {}), [&] {
    instruction(Opcode::move, iterator, counter);
    (void)statements(s.body);
    instruction(Opcode::add, counter, counter, runtime::slot_one);
  });
}

void Lowering::statement(const flat::WhileStatement& s, Place place) {
  const Entry head = here();
  std::vector<Entry> leaves;
  if (!(x_.op(s.condition) == Op::boolean && x_.payload(s.condition))) leaves.push_back(jump(Opcode::jump_if_zero, emit(s.condition)));
  looped(head, std::move(leaves), origin(place, "while " + print_brief(model_, s.condition), {}), [&] { (void)statements(s.body); });
}

runtime::Slot Lowering::emit_result(Expr e, Slot target) {
  const Expr call = x_.child(e, 0);
  const std::uint32_t which = x_.payload(e);
  // All results of a call are taken at once: the first slot stands for the call.
  if (!(known_.has(call) && known_[call] != 0)) {
    const Index number = index(x_.function(call));
    const runtime::Function function = p_.functions[number];
    std::vector<Slot> arguments;
    for (std::size_t k = 0; k < function.inputs.size(); ++k) arguments.push_back(emit(x_.child(call, k)));
    const bool once = calls_once_ && compiler::counts(model_, call);
    const auto made = once ? call_once(call, arguments) : CallOnce{new_slots(function.results.size()), none, none};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (input_arrays_[number][k] == none) instruction(Opcode::move, function.inputs[k], arguments[k]);
      else instruction(Opcode::assign_array, input_arrays_[number][k], 0, 0, array_[index(x_.local(x_.child(call, k)))]);
    }
    instruction(Opcode::call, 0, 0, 0, number, origin(call));
    for (std::size_t k = 0; k < function.results.size(); ++k) {
      if (function.result_arrays[k] == none) {
        instruction(Opcode::move, made.first + static_cast<Slot>(k), function.results[k]);
        continue;
      }
      const auto [it, fresh] = result_arrays_.try_emplace({call, static_cast<std::uint32_t>(k)}, p_.arrays);
      p_.arrays += fresh;
      instruction(Opcode::assign_array, it->second, 0, 1, function.result_arrays[k]);
    }
    if (made.done != none) instruction(Opcode::move, made.done, runtime::slot_one);
    if (made.skip != none) land(made.skip);
    remember(call, made.first);
  }
  if (which == Expressions::no_result) return runtime::slot_one;
  const Slot result = known_[call] - 1 + which;
  if (target == none) return result;
  instruction(Opcode::move, target, result);
  return target;
}

/// Behind this stands the call, which is passed over where it was made already (E14): the initial section is repeated until it is consistent,
/// and blocks and several equations may ask for its results. In the first case it is made again if its arguments have changed.
Lowering::CallOnce Lowering::call_once(Expr call, const std::vector<Slot>& arguments) {
  const std::size_t results = p_.functions[index(x_.function(call))].results.size();
  const auto [it, fresh] = once_.try_emplace(index(call));
  Once& once = it->second;
  if (fresh) {
    once.done = new_slot();
    once.first = new_slots(results);
    for (std::size_t k = 0; k < arguments.size(); ++k) once.arguments.push_back(new_slot());
    p_.calls_once.push_back({once.done, static_cast<Slot>(p_.memory.size())});
  }
  const Entry fresh_call = jump(Opcode::jump_if_zero, once.done);
  const Slot changed = new_slot();
  std::vector<Entry> again;
  for (std::size_t k = 0; k < arguments.size() && in_initial_; ++k) {
    instruction(Opcode::not_equal, changed, arguments[k], once.arguments[k]);
    again.push_back(jump(Opcode::jump_if_nonzero, changed));
  }
  const Entry skip = jump(Opcode::jump);
  land(fresh_call);
  for (const Entry j : again) land(j);
  for (std::size_t k = 0; k < arguments.size(); ++k) instruction(Opcode::move, once.arguments[k], arguments[k]);
  return {once.first, once.done, skip};
}

runtime::Slot Lowering::emit_element(Expr e, Slot target) {
  const Slot at = emit(x_.child(e, 0));
  const Slot result = target != none ? target : temporary();
  instruction(Opcode::load, result, at, static_cast<std::uint32_t>(x_.integer_value(x_.child(e, 1))), local_[index(x_.local(e))], origin(e));
  return result;
}

runtime::Slot Lowering::emit_item(Expr e, Slot target) {
  const Slot at = emit_row(x_.children(e));
  const Slot result = target != none ? target : temporary();
  instruction(Opcode::item, result, at, static_cast<std::uint32_t>(x_.children(e).size()), array_[index(x_.local(e))], origin(e));
  return result;
}

runtime::Slot Lowering::emit_extent(Expr e, Slot target) {
  const Slot result = target != none ? target : temporary();
  instruction(Opcode::extent, result, 0, static_cast<std::uint32_t>(x_.integer_value(x_.child(e, 0)) - 1), array_[index(x_.local(e))]);
  return result;
}

}  // namespace mosim::compiler
