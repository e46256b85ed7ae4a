// Functions as code: their statements.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/function_body.hpp"
#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"

namespace mosim::compiler {

bool FunctionCode::begins(const parser::Statement& s) {
  at_ = s.place;
  return in_.has_room(s.place, 1);
}

Flow FunctionCode::assign(std::vector<NewValue> all, Place place) {
  flat::LocalAssignment together;
  for (NewValue& one : all)
    if (assign_all(together.all, *one.target, std::move(one.value), place) == Flow::failed) return Flow::failed;
  if (!together.all.empty()) emit(place, std::move(together));
  return Flow::next;
}

/// The statements after it are made into code, too.
Flow FunctionCode::leave(Flow how, Place place) {
  if (on_the_way_ > 0) (how == Flow::broken ? may_have_broken_ : may_have_returned_) = true;
  if (how == Flow::broken) emit(place, flat::BreakStatement{});
  else emit(place, flat::ReturnStatement{});
  return Flow::next;
}

/// A whole variable, where its size or that of the value is of the run.
Flow FunctionCode::assign_array(const Variable& v, Value& own, const Value& value, Place place) {
  if (own.record) {
    if (!v.dims.empty()) throw SizeOfRun();
    for (std::size_t k = 0; k < own.members.size(); ++k) {
      const Value& member = value.members[k];
      if (own.members[k].record) throw SizeOfRun();
      if (own.members[k].run) {
        emit(place, flat::ArrayAssignment{own.members[k].run->whole, in_memory(in_, member, place)});
        continue;
      }
      const auto fixed = of_known_size(in_, member, own.members[k].dims, place, in_.text(v.name));
      if (!fixed) return Flow::failed;
      flat::LocalAssignment all;
      for (std::size_t j = 0; j < fixed->elements.size(); ++j) all.all.push_back({ex().local(own.members[k].elements[j]), fixed->elements[j]});
      emit(place, std::move(all));
    }
    return Flow::next;
  }
  if (own.run) {
    emit(place, flat::ArrayAssignment{own.run->whole, in_memory(in_, value, place)});
    return Flow::next;
  }
  const auto fixed = of_known_size(in_, value, own.dims, place, in_.text(v.name));
  if (!fixed) return Flow::failed;
  flat::LocalAssignment all;
  for (std::size_t j = 0; j < fixed->elements.size(); ++j) all.all.push_back({ex().local(own.elements[j]), fixed->elements[j]});
  if (!all.all.empty()) emit(place, std::move(all));
  return Flow::next;
}

/// Is the part of an array, or the value, of a size that the run alone knows? Then so are the subscripts found for it.
bool FunctionCode::needs_loops(const parser::ComponentReference& target, const Value& value) {
  if (is_of_run(value) || is_of_run(frame_.at(target.parts.front().name))) return true;
  for (const parser::ReferencePart& p : target.parts)
    for (const parser::Subscript& s : p.subscripts) {
      if (!s.expression || std::holds_alternative<parser::IntegerLiteral>(s.expression->node)) continue;
      if (std::holds_alternative<parser::Range>(s.expression->node) || std::holds_alternative<parser::ArrayConstructor>(s.expression->node)) return true;
      const auto* r = std::get_if<parser::Reference>(&s.expression->node);
      if (r && r->name.parts.size() == 1)
        if (const auto it = frame_.find(r->name.parts.front().name); it != frame_.end() && !it->second.dims.empty()) return true;
    }
  return false;
}

Flow FunctionCode::assign_part(const parser::ComponentReference& target, const Value& given, Place place) {
  // Down to the array whose elements are assigned.
  const Value* whole = &frame_.at(target.parts.front().name);
  std::size_t part = 0;
  for (; target.parts[part].subscripts.empty() && part + 1 < target.parts.size(); ++part) {
    const auto i = whole->record ? record_position(in_, whole->record, target.parts[part + 1].name) : std::nullopt;
    if (!i) {
      in_.error(target.parts[part + 1].place, fmt::format("{} has no element {}", spelled(in_, target, part), in_.text(target.parts[part + 1].name)));
      return Flow::failed;
    }
    whole = &whole->members[*i];
  }
  if (part + 1 < target.parts.size() || whole->record || given.record) throw SizeOfRun();
  const auto subscripts = target.parts[part].subscripts;
  const std::string name = spelled(in_, target, part);
  if (subscripts.size() > whole->dims.size()) {
    in_.error(place, fmt::format("{} has {} dimensions, not {}", name, whole->dims.size(), subscripts.size()));
    return Flow::failed;
  }
  const auto extents = extents_of(in_, *whole);
  std::vector<Expr> left, fixed(extents.size(), Expr::none);
  std::vector<ElementAt> chosen(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (d >= subscripts.size() || !subscripts[d].expression) {
      left.push_back(extents[d]);
      continue;
    }
    Environment inner = environment();
    inner.end_dims = &whole->dims;
    inner.end_types = nullptr;
    inner.end_extents = &extents;
    inner.end_position = d;
    auto i = elaborate(in_, *subscripts[d].expression, inner);
    if (!i) return Flow::failed;
    if (i->type != integer_type || i->dims.size() > 1) {
      in_.error(subscripts[d].place, "a subscript must be an Integer or a vector of Integers");
      return Flow::failed;
    }
    if (i->scalar()) {
      fixed[d] = found_once(in_, i->only(), subscripts[d].place);
    } else {
      left.push_back(extents_of(in_, *i).front());
      chosen[d] = elements_of(in_, *i, subscripts[d].place);
    }
  }
  Value value = given;
  if (!convert(in_, value, whole->type, place, name)) return Flow::failed;
  if (value.dims.size() != left.size()) {
    in_.error(place, fmt::format("a part of {} with {} dimensions cannot have a value with {}", name, left.size(), value.dims.size()));
    return Flow::failed;
  }
  const auto of_value = extents_of(in_, value);
  for (std::size_t d = 0; d < left.size(); ++d)
    if (!check_extent(in_, of_value[d], left[d], place, fmt::format("a part of {} and its value", name))) return Flow::failed;
  // Before any element changes.
  if (!left.empty()) value = whole_array(in_, in_memory(in_, value, place, true), value.type, value.dims);
  const auto element = elements_of(in_, value, place);
  const auto put = [&](Subscript at) {
    std::vector<Expr> to;
    std::size_t k = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (fixed[d] != Expr::none) to.push_back(fixed[d]);
      else if (chosen[d]) to.push_back(chosen[d](at.subspan(k++, 1)));
      else to.push_back(at[k++]);
    }
    if (whole->run) {
      emit(place, flat::ItemAssignment{whole->run->whole, to, element(at)});
      return true;
    }
    Expr position = ex().integer(0);
    for (std::size_t d = 0; d < to.size(); ++d) {
      const Expr size = extents[d];
      const Expr inside = to.size() == 1 ? to[d] : ex().make(Op::within, BaseType::integer, {to[d], size}, place);
      const Expr before = ex().simplified(Op::multiply, BaseType::integer, {position, size}, place);
      position = ex().simplified(Op::add, BaseType::integer, {before, ex().simplified(Op::subtract, BaseType::integer, {inside, ex().integer(1)}, place)}, place);
    }
    emit(place, flat::ElementAssignment{ex().local(whole->elements.front()), std::int64_t(whole->elements.size()),
                                        ex().simplified(Op::add, BaseType::integer, {position, ex().integer(1)}, place), element(at)});
    return true;
  };
  if (!whole->run && whole->elements.empty()) return Flow::next;
  loops(in_, left, put, place);
  return Flow::next;
}

/// May it become as large as the value that is assigned to it? If that depends on the way that is gone, the run has to know its size.
bool FunctionCode::takes_size(const Variable& v, const Value& own, const Value& value) {
  const std::function<bool(const Value&, const Value&)> empty = [&](const Value& a, const Value& b) {
    if (a.dims.size() != b.dims.size() || a.members.size() != b.members.size()) return false;
    return a.dims != b.dims ? count(a.dims) == 0 : std::equal(a.members.begin(), a.members.end(), b.members.begin(), empty);
  };
  const bool output = std::any_of(outputs_.begin(), outputs_.end(), [&](std::size_t o) { return variables_[o].name == v.name; });
  const bool surely = on_the_way_ == 0 && !may_have_broken_ && !(output && may_have_returned_);
  if (!run_sizes_ && surely && (v.type->basic ? is_open(v) : true) && empty(own, value)) return true;
  needs_run_sizes_ = true;
  return false;
}

/// What a record leaves open, in the run's memory.
Flow FunctionCode::assign_open_element(const Variable& v, const Element& open, const std::string& name, Value value, Place place) {
  Value& element = open.value();
  if (!run_sizes_) {
    needs_run_sizes_ = true;
    return Flow::failed;
  }
  if (!convert(in_, value, element.type, place, name)) return Flow::failed;
  if (value.dims.size() != element.dims.size()) {
    in_.error(place, fmt::format("{} has {} dimensions, not {}", name, element.dims.size(), value.dims.size()));
    return Flow::failed;
  }
  const auto sizes = sizes_of_element(in_, *open.record, open.position, value, environment());
  if (!sizes) return Flow::failed;
  const auto extents = extents_of(in_, value);
  for (std::size_t d = 0; d < sizes->size() && d < extents.size(); ++d)
    if ((*sizes)[d] != Expr::none && !check_extent(in_, extents[d], (*sizes)[d], place, fmt::format("the size of {}", name))) return Flow::failed;
  if (!element.run) {   // a value of known size stood there
    if (on_the_way_ > 0) throw SizeOfRun();
    element = whole_array(in_, local(std::string(in_.text(v.name)), element.type, Expr::none, int(element.dims.size())), element.type, std::vector<std::int64_t>(element.dims.size(), -1));
  }
  emit(place, flat::ArrayAssignment{element.run->whole, in_memory(in_, value, place, true)});
  return Flow::next;
}

Flow FunctionCode::assign_all(std::vector<flat::LocalAssignment::One>& all, const parser::ComponentReference& target, Value value, Place place) {
  const Variable* v = Activation::target(target, place);
  if (!v) return Flow::failed;
  const std::string name(in_.text(v->name));
  if (target.parts.size() == 1 && target.parts.front().subscripts.empty()) {
    if (!conform(*v, value, place)) return Flow::failed;
    Value& own = frame_.at(v->name);
    if (is_of_run(own) || is_of_run(value)) return assign_array(*v, own, value, place);
    if (!same_sizes(own, value)) {
      if (!takes_size(*v, own, value)) {
        if (run_sizes_) in_.unsupported(place, fmt::format("{} with another size than before, {} instead of {},", name, shape_text(value.dims), shape_text(own.dims)));
        return Flow::failed;
      }
      own = locals(value, name);
    }
    std::vector<Expr> values, leaves;
    append_leaves(own, leaves);
    append_leaves(value, values);
    for (std::size_t k = 0; k < values.size(); ++k) all.push_back({ex().local(leaves[k]), values[k]});
    return Flow::next;
  }
  if (const Element open = open_element(target); open.record) {
    const std::string spelling = spelled(in_, target, target.parts.size() - 1);
    if (run_sizes_ || value.run) return assign_open_element(*v, open, spelling, std::move(value), place);
    if (value.dims != open.value().dims) {
      if (!check_size_of_element(in_, *open.record, open.position, value, environment(), place) || !takes_size(*v, open.value(), value)) return Flow::failed;
      open.value() = locals(value, spelling);
    }
  }
  if (run_sizes_ && needs_loops(target, value)) return assign_part(target, value, place);
  std::optional<std::vector<NewElement>> elements;
  if (!known_part(target, value, place, environment(), elements)) return Flow::failed;
  if (elements) {
    for (const NewElement& e : *elements) all.push_back({ex().local(*e.element), e.value});
    return Flow::next;
  }
  auto changed = part(target, std::move(value), place, environment());
  if (!changed) return Flow::failed;
  auto& [numbers, values, leaves] = *changed;
  const bool dynamic = std::any_of(numbers.begin(), numbers.end(), [&](Expr n) { return ex().op(n) != Op::integer; });
  if (dynamic && numbers.size() > 1) {   // each value is found before any is assigned
    std::vector<Expr> held;
    for (Expr e : values) {
      const LocalId l = local("copy", {ex().type(e), EnumerationId::none});
      assign(place, l, e);
      held.push_back(ex().local(l, ex().type(e)));
    }
    values = std::move(held);
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (ex().op(numbers[k]) == Op::integer) {
      all.push_back({ex().local(leaves[static_cast<std::size_t>(ex().integer_value(numbers[k]))]), values[k]});
      continue;
    }
    const Expr at = ex().simplified(Op::add, BaseType::integer, {numbers[k], ex().integer(1)}, place);
    emit(place, flat::ElementAssignment{ex().local(leaves.front()), static_cast<std::int64_t>(leaves.size()), at, values[k]});
  }
  return Flow::next;
}

Flow FunctionCode::branch(const parser::Statement& s, const parser::IfStatement& i, std::size_t number) {
  if (number == i.branches.size()) return Flow::next;
  const auto& b = i.branches[number];
  if (!b.condition) return statements(b.body);
  const auto holds = condition(*b.condition, environment());
  if (!holds) return Flow::failed;
  const Expr known = in_.evaluated(*holds);
  if (known != Expr::none) return ex().payload(known) ? statements(b.body) : branch(s, i, number + 1);
  flat::Statements* const outer = out_;
  tell_asserted();
  flat::IfStatement result;
  result.branches.push_back({*holds, {}});
  out_ = &result.branches.back().body;
  ++on_the_way_;
  Flow flow = statements(b.body);
  tell_asserted();
  if (flow != Flow::failed) {
    flat::Statements otherwise;
    out_ = &otherwise;
    flow = branch(s, i, number + 1);
    tell_asserted();
    if (!otherwise.empty()) result.branches.push_back({Expr::none, std::move(otherwise)});
  }
  --on_the_way_;
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

/// The body, or the loop over the next index.
Flow FunctionCode::round(const parser::Statement& s, const parser::ForStatement& f, std::size_t number) {
  return number + 1 < f.indices.size() ? for_statement(s, f, number + 1) : statements(f.body);
}

Flow FunctionCode::for_statement(const parser::Statement& s, const parser::ForStatement& f, std::size_t number) {
  const parser::ForIndex& i = f.indices[number];
  const auto* range = i.range ? std::get_if<parser::Range>(&i.range->node) : nullptr;
  if (!range || range->step) {
    auto values = iteration_range(in_, i, environment(), f.body);
    return values ? loop_over(s, f, number, *values) : Flow::failed;
  }
  auto first = elaborate(in_, *range->start, environment());
  auto last = elaborate(in_, *range->stop, environment());
  if (!first || !last) return Flow::failed;
  const bool integers = first->scalar() && last->scalar() && first->type == integer_type && last->type == integer_type;
  if (!integers || (in_.evaluated(first->only()) != Expr::none && in_.evaluated(last->only()) != Expr::none)) {
    auto values = iteration_range(in_, i, environment(), f.body);
    return values ? loop_over(s, f, number, *values) : Flow::failed;
  }
  const LocalId iterator = local(std::string(in_.text(i.name)), integer_type);
  flat::Loop result{iterator, first->only(), last->only(), {}};
  flat::Statements* const outer = out_;
  tell_asserted();
  out_ = &result.body;
  iterators_.push_back({i.name, scalar(integer_type, ex().local(iterator, BaseType::integer)), nullptr});
  const bool broken_before = may_have_broken_;
  ++on_the_way_;
  const Flow flow = round(s, f, number);
  --on_the_way_;
  may_have_broken_ = broken_before;
  iterators_.pop_back();
  tell_asserted();
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

/// Over as many elements as the run knows.
Flow FunctionCode::loop_over_run(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range) {
  const parser::ForIndex& i = f.indices[number];
  const LocalId array = in_memory(in_, range, i.place, true);   // the body may change what it is made of
  const LocalId position = local("position", integer_type);
  flat::Loop result{position, ex().integer(1), ex().extent(array, 1), {}};
  Flow flow = Flow::next;
  {
    const Into into(*this, result.body);
    const Expr at[] = {ex().local(position, BaseType::integer)};
    iterators_.push_back({i.name, scalar(range.type, ex().item(array, at, range.type.base, i.place)), nullptr});
    flow = round(s, f, number);
    iterators_.pop_back();
  }
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

/// Over values that are known, or as many as are known: as a loop, if the body can be written for all of them at once.
Flow FunctionCode::loop_over(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range) {
  if (range.run) return loop_over_run(s, f, number, range);
  const parser::ForIndex& i = f.indices[number];
  const std::size_t n = range.dims.empty() ? 1 : static_cast<std::size_t>(range.dims.front());
  if (n == 0) return Flow::next;
  if (range.record || range.dims.size() > 1 || n == 1) return unrolled(s, f, number, range);
  bool counts = range.type == integer_type && in_.evaluated(range.elements.front()) != Expr::none;
  for (std::size_t k = 1; counts && k < n; ++k) {
    const Expr a = in_.evaluated(range.elements[k - 1]), b = in_.evaluated(range.elements[k]);
    counts = a != Expr::none && b != Expr::none && ex().integer_value(b) == ex().integer_value(a) + 1;
  }
  flat::Statements* const outer = out_;
  const FunctionCodes::Needs needs_before = needs_;
  const bool run_before = needs_run_sizes_, broken_before = may_have_broken_;
  // What has no size yet may get one in the body, and then not in each round the same.
  std::vector<std::pair<Name, Value>> empty_before;
  for (auto& [name, v] : frame_) {
    bool empty = false;
    for_each_leaf(v, [&](const Value& leaf) { empty = empty || (!leaf.run && !leaf.dims.empty() && count(leaf.dims) == 0); });
    if (empty) empty_before.emplace_back(name, v);
  }
  tell_asserted();
  const LocalId iterator = local(std::string(in_.text(i.name)), integer_type);
  flat::Loop result{iterator, counts ? in_.evaluated(range.elements.front()) : ex().integer(1),
                    counts ? in_.evaluated(range.elements.back()) : ex().integer(static_cast<std::int64_t>(n)), {}};
  out_ = &result.body;
  Value value = scalar(integer_type, ex().local(iterator, BaseType::integer));
  Flow flow = Flow::next;
  {
    const Quietly quietly(in_);
    if (!counts) {
      out_ = outer;
      const auto row = as_row(in_, range);
      out_ = &result.body;
      if (row) value = scalar(range.type, ex().element(ex().local(row->elements.front()), value.only(), static_cast<std::int64_t>(n), range.type.base, i.place));
      else flow = Flow::failed;
    }
    if (flow != Flow::failed) {
      iterators_.push_back({i.name, value, nullptr});
      flow = round(s, f, number);
      iterators_.pop_back();
    }
    tell_asserted();
  }
  out_ = outer;
  may_have_broken_ = broken_before;
  const bool grown = std::any_of(empty_before.begin(), empty_before.end(), [&](const auto& v) { return !same_sizes(v.second, frame_.at(v.first)); });
  if (flow != Flow::failed && !grown) {
    emit(s.place, std::move(result));
    return Flow::next;
  }
  for (const auto& [name, v] : empty_before) frame_[name] = v;
  asserted_.clear();
  needs_ = needs_before;
  needs_run_sizes_ = run_before;
  return flow == Flow::failed ? unrolled(s, f, number, range) : first_and_others(s, f, number, range);
}

/// The first round by itself, where it gives an array its size: others may see it.
Flow FunctionCode::first_and_others(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range) {
  flat::Loop once{local("once", integer_type), ex().integer(1), ex().integer(1), {}};
  const bool broken_before = may_have_broken_;
  Flow flow = Flow::next;
  {
    const Into into(*this, once.body);
    iterators_.push_back({f.indices[number].name, nth(range, 0), nullptr});
    flow = round(s, f, number);
    iterators_.pop_back();
    Value others = range;
    others.elements.erase(others.elements.begin());
    --others.dims.front();
    if (flow != Flow::failed) flow = loop_over(s, f, number, others);
  }
  may_have_broken_ = broken_before;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(once));
  return Flow::next;
}

/// Every round by itself: a break needs a loop to leave, which goes round once.
Flow FunctionCode::unrolled(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range) {
  const parser::ForIndex& i = f.indices[number];
  const std::size_t n = range.dims.empty() ? 1 : static_cast<std::size_t>(range.dims.front());
  flat::Statements* const outer = out_;
  tell_asserted();
  flat::Loop once{local("once", integer_type), ex().integer(1), ex().integer(1), {}};
  const bool broken_before = may_have_broken_;
  out_ = &once.body;
  Flow flow = Flow::next;
  for (std::size_t k = 0; k < n && flow != Flow::failed; ++k) {
    if (!in_.has_room(i.place, 1)) flow = Flow::failed;
    iterators_.push_back({i.name, nth(range, k), nullptr});
    if (flow != Flow::failed) flow = round(s, f, number);
    iterators_.pop_back();
  }
  tell_asserted();
  out_ = outer;
  may_have_broken_ = broken_before;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(once));
  return Flow::next;
}

Flow FunctionCode::while_statement(const parser::Statement& s, const parser::WhileStatement& w) {
  flat::WhileStatement result;
  result.condition = ex().boolean(true);
  flat::Statements* const outer = out_;
  tell_asserted();
  out_ = &result.body;
  const auto holds = condition(*w.condition, environment());
  Flow flow = Flow::failed;
  if (holds) {
    tell_asserted();
    if (result.body.empty()) {
      result.condition = *holds;
    } else {   // what the condition needs is found anew in each round
      flat::IfStatement leave;
      leave.branches.push_back({ex().simplified(Op::not_, BaseType::boolean, {*holds}, w.condition->place), {{w.condition->place, flat::BreakStatement{}}}});
      emit(w.condition->place, std::move(leave));
    }
    const bool broken_before = may_have_broken_;
    ++on_the_way_;
    flow = statements(w.body);
    --on_the_way_;
    may_have_broken_ = broken_before;
    tell_asserted();
  }
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

}  // namespace mosim::compiler
