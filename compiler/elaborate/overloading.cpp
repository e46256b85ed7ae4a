// Operators that operator records define themselves (MLS 14).

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

/// The functions of an operator of a record: of `operator '+'`, or the one of `operator function '+'`.
/// MLS 14.3: one output, of the class.
void check_constructor(Instances& in, const Class* record, Class* f) {
  if (!f->definition || !expand(in, f) || !in.checked.insert(&f->definition->whole).second) return;
  const auto outputs = std::count_if(f->members.begin(), f->members.end(), [](const Member* m) { return !m->is_class() && m->prefix.causality == parser::Causality::output; });
  if (outputs == 1) return;
  in.error(f->definition->place, fmt::format("the constructor {} of {} has {} outputs, and a constructor has one, the record", f->path, record->path, outputs),
           "declare the record as its only output");
}

std::vector<Class*> operator_functions(Instances& in, Class* record, std::string_view op) {
  std::vector<Class*> functions;
  if (!record || record->kind() != parser::ClassKind::operator_record) return functions;
  Member* m = find_member(in, record, in.name(fmt::format("'{}'", op)));
  if (!m || !m->is_class()) return functions;
  Class* c = instantiate_class(in, m, nullptr, m->place);
  if (!c || !expand(in, c)) return functions;
  if (c->kind() != parser::ClassKind::operator_) {
    functions.push_back(c);
    return functions;
  }
  for (Member* f : c->members)
    if (f->is_class())
      if (Class* k = instantiate_class(in, f, nullptr, f->place)) functions.push_back(k);
  if (op == "constructor")
    for (Class* f : functions) check_constructor(in, record, f);
  return functions;
}

std::vector<Member*> inputs_of(Instances& in, Class* f) {
  expand(in, f);
  std::vector<Member*> inputs;
  for (Member* m : f->members)
    if (!m->is_class() && m->prefix.causality == parser::Causality::input) inputs.push_back(m);
  return inputs;
}

bool has_default(const Member* m) { return m->modifier && m->modifier->binding; }

/// May the value stand for the input? `exact`: without making an Integer a Real.
bool fits(Instances& in, const Value& v, Member* input, bool exact) {
  std::vector<std::int64_t> dims;
  Class* type = type_of(in, input, &dims);
  if (!type) return false;
  if (v.dims.size() != dims.size() + input->sized_declaration->subscripts.size() + input->sized_clause->subscripts.size()) return false;
  if (type->basic) {
    if (v.record || v.function) return false;
    return same_type(in, v.type, *type->basic) || (!exact && v.type.base == BaseType::integer && type->basic->base == BaseType::real);
  }
  return v.record && v.record->definition == type->definition;
}

/// MLS 14.1: every input gets a value, from the arguments or its default, and every argument fits.
bool matches(Instances& in, Class* f, const Arguments& arguments, bool exact) {
  const auto inputs = inputs_of(in, f);
  if (arguments.positional.size() > inputs.size()) return false;
  std::vector<bool> given(inputs.size(), false);
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    if (!fits(in, arguments.positional[i].value, inputs[i], exact)) return false;
    given[i] = true;
  }
  for (const Argument& a : arguments.named) {
    const auto at = std::find_if(inputs.begin(), inputs.end(), [&](const Member* m) { return m->name == a.name; });
    if (at == inputs.end()) return false;
    const auto i = static_cast<std::size_t>(at - inputs.begin());
    if (given[i] || !fits(in, a.value, inputs[i], exact)) return false;
    given[i] = true;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!given[i] && !has_default(inputs[i])) return false;
  return true;
}

/// The functions that match; exact matches go before those that make an Integer a Real.
std::vector<Class*> matching(Instances& in, const std::vector<Class*>& functions, const Arguments& arguments) {
  for (const bool exact : {true, false}) {
    std::vector<Class*> found;
    for (Class* f : functions)
      if (matches(in, f, arguments, exact)) found.push_back(f);
    if (!found.empty()) return found;
  }
  return {};
}

void ambiguous(Instances& in, std::string_view op, const std::vector<Class*>& functions, Place place) {
  std::vector<parser::Note> notes;
  for (const Class* f : functions) notes.push_back({f->definition->place, "this function matches"});
  in.error(place, fmt::format("more than one function of the operator '{}' matches here", op), "call the one that is meant by its name",
           std::move(notes));
}

std::optional<Value> first_result(std::optional<std::vector<Value>> results) {
  if (!results || results->empty()) return {};
  return std::move(results->front());
}

Arguments positional(std::vector<Value> values, Place place) {
  Arguments a;
  for (Value& v : values) a.positional.push_back({std::move(v), place, Name::none, {}});
  return a;
}

/// A direct match, or one by a constructor of the other operand's type. Empty without an error: there is none.
std::optional<Value> scalar_binary(Instances& in, std::string_view op, const Value& a, const Value& b, Place place,
                                   const Environment& env, bool& found) {
  found = true;
  std::vector<Class*> functions = operator_functions(in, a.record, op);
  for (Class* f : operator_functions(in, b.record, op))
    if (std::none_of(functions.begin(), functions.end(), [&](const Class* g) { return g->definition == f->definition; }))
      functions.push_back(f);
  const Arguments direct = positional({a, b}, place);
  const auto direct_matches = matching(in, functions, direct);
  if (direct_matches.size() > 1) {
    ambiguous(in, op, direct_matches, place);
    return {};
  }
  if (direct_matches.size() == 1) return first_result(apply_function(in, direct_matches.front(), direct, place, env));
  // One operand converted: f(a, C(b)) or f(D(a), b).
  struct Conversion {
    Class* function;
    Class* constructor;
    bool second;
  };
  std::vector<Conversion> conversions;
  const auto consider = [&](Class* of, const Value& keep, const Value& change, bool second) {
    for (Class* f : operator_functions(in, of, op)) {
      const auto inputs = inputs_of(in, f);
      if (inputs.size() < 2 || !fits(in, keep, inputs[second ? 0 : 1], false)) continue;
      const Member* input = inputs[second ? 1 : 0];
      std::vector<std::int64_t> dims;
      Class* target = type_of(in, inputs[second ? 1 : 0], &dims);
      // What a constructor makes is one record: no vector's place is for it.
      if (!dims.empty() || input->sized_declaration->subscripts.size() + input->sized_clause->subscripts.size() > 0) continue;
      if (!target || target->basic || (change.record && change.record->definition == target->definition)) continue;
      for (Class* g : matching(in, operator_functions(in, target, "constructor"), positional({change}, place)))
        conversions.push_back({f, g, second});
    }
  };
  consider(a.record, a, b, true);
  consider(b.record, b, a, false);
  if (conversions.size() > 1) {
    std::vector<Class*> all;
    for (const Conversion& c : conversions) all.push_back(c.function);
    ambiguous(in, op, all, place);
    return {};
  }
  if (conversions.empty()) {
    found = false;
    return {};
  }
  const Conversion& c = conversions.front();
  auto converted = first_result(apply_function(in, c.constructor, positional({c.second ? b : a}, place), place, env));
  if (!converted) return {};
  return first_result(apply_function(in, c.function, positional(c.second ? std::vector<Value>{a, *converted} : std::vector<Value>{*converted, b}, place), place, env));
}

/// matrix*vector or matrix*matrix, from products and sums of elements (MLS 14.4). Empty without an error, and `found` false: an operator is missing.
std::optional<Value> matrix_product(Instances& in, const Value& a, const Value& b, Place place, const Environment& env, bool& found) {
  const auto rows = static_cast<std::size_t>(a.dims[0]), inner = static_cast<std::size_t>(a.dims[1]);
  const std::size_t columns = b.dims.size() > 1 ? static_cast<std::size_t>(b.dims[1]) : 1;
  Class* const record = a.record ? a.record : b.record;
  std::vector<Value> parts;
  found = true;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      std::optional<Value> sum;
      if (inner == 0) {
        const auto zero = operator_functions(in, record, "0");
        found = !zero.empty();
        if (found) sum = first_result(apply_function(in, zero.front(), {}, place, env));
      }
      for (std::size_t k = 0; k < inner && found; ++k) {
        auto term = scalar_binary(in, "*", gather(a, {i * inner + k}, {}), gather(b, {k * columns + j}, {}), place, env, found);
        if (!term) return {};
        if (k > 0) term = scalar_binary(in, "+", *sum, *term, place, env, found);
        if (!term) return {};
        sum = std::move(term);
      }
      if (!sum) return {};
      parts.push_back(std::move(*sum));
    }
  std::vector<std::int64_t> dims{a.dims[0]};
  if (b.dims.size() > 1) dims.push_back(b.dims[1]);
  if (!parts.empty()) return stack(parts, dims);
  return gather(a.record ? a : b, {}, dims);
}

}  // namespace

std::optional<Value> overloaded_binary(Instances& in, std::string_view op, const Value& a, const Value& b, bool elementwise,
                                       Place place, const Environment& env) {
  const auto none = [&]() -> std::optional<Value> {
    in.error(place, fmt::format("the operator {} is not defined for {}{} and {}{}", op, type_name(in, a), shape_text(a.dims),
                                type_name(in, b), shape_text(b.dims)),
             a.record && a.record->kind() == parser::ClassKind::record ? "records have no operators: declare an operator record, or name elements" : "");
    return {};
  };
  bool found = false;
  if (!elementwise) {
    auto v = scalar_binary(in, op, a, b, place, env, found);
    if (found) return v;
  }
  if (a.dims.empty() && b.dims.empty()) {
    if (!elementwise) return none();
    auto v = scalar_binary(in, op, a, b, place, env, found);
    return found ? v : none();
  }
  if (!elementwise && op == "*" && a.dims.size() == 2 && (b.dims.size() == 1 || b.dims.size() == 2)) {
    if (a.dims[1] != b.dims[0]) {
      in.error(place, fmt::format("* needs as many columns on its left side as there are rows on the right: {} and {}", shape_text(a.dims), shape_text(b.dims)));
      return {};
    }
    auto v = matrix_product(in, a, b, place, env, found);
    return found ? v : none();
  }
  const bool same = a.dims == b.dims;
  const bool both = !a.dims.empty() && !b.dims.empty();
  if (both && !same) {
    in.error(place, fmt::format("{} needs operands of one size, not {} and {}", op, shape_text(a.dims), shape_text(b.dims)));
    return {};
  }
  if (!elementwise && (both ? op != "+" && op != "-" : op == "+" || op == "-" || (op == "/" && !b.dims.empty()))) {
    if (op == "*") {   // as its meaning for complex numbers is not the sum of products
      in.error(place, fmt::format("the product of {}{} and {}{} is not defined by that of their elements (MLS 14.4)", type_name(in, a), shape_text(a.dims), type_name(in, b), shape_text(b.dims)),
               "define a function of the operator '*' that takes both arrays, or write sum(a .* b)");
      return {};
    }
    return none();
  }
  const std::vector<std::int64_t>& dims = a.dims.empty() ? b.dims : a.dims;
  const std::size_t n = count(dims);
  std::vector<Value> parts;
  for (std::size_t k = 0; k < n; ++k) {
    const Value x = a.dims.empty() ? a : gather(a, {k}, {}), y = b.dims.empty() ? b : gather(b, {k}, {});
    auto v = scalar_binary(in, op, x, y, place, env, found);
    if (!found) return none();
    if (!v) return {};
    parts.push_back(std::move(*v));
  }
  if (!parts.empty()) return stack(parts, dims);
  if (operator_functions(in, a.record, op).empty() && operator_functions(in, b.record, op).empty()) return none();
  return gather(a.record ? a : b, {}, dims);
}

std::optional<Value> overloaded_unary(Instances& in, std::string_view op, const Value& a, Place place, const Environment& env) {
  const auto functions = operator_functions(in, a.record, op);
  const Arguments arguments = positional({a}, place);
  const auto found = matching(in, functions, arguments);
  if (found.size() > 1) {
    ambiguous(in, op, found, place);
    return {};
  }
  if (found.size() == 1) return first_result(apply_function(in, found.front(), arguments, place, env));
  if (!a.dims.empty() && count(a.dims) > 0) {
    std::vector<Value> parts;
    for (std::size_t k = 0; k < count(a.dims); ++k) {
      auto v = overloaded_unary(in, op, gather(a, {k}, {}), place, env);
      if (!v) return {};
      parts.push_back(std::move(*v));
    }
    return stack(parts, a.dims);
  }
  in.error(place, fmt::format("the operator {} is not defined for {}", op, type_name(in, a)));
  return {};
}

std::optional<Value> overloaded_sum(Instances& in, const Value& v, Place place, const Environment& env) {
  const auto zero = operator_functions(in, v.record, "0");
  if (zero.empty() || operator_functions(in, v.record, "+").empty()) {   // MLS 10.3.4
    in.error(place, fmt::format("sum has no meaning for {}: it needs the operators '0' and '+'", type_name(in, v)));
    return {};
  }
  if (count(v.dims) == 0) return first_result(apply_function(in, zero.front(), {}, place, env));
  std::optional<Value> sum = gather(v, {0}, {});
  for (std::size_t k = 1; sum && k < count(v.dims); ++k) sum = overloaded_binary(in, "+", *sum, gather(v, {k}, {}), false, place, env);
  return sum;
}

std::optional<std::optional<std::vector<Value>>> overloaded_call(Instances& in, Class* record, std::string_view op,
                                                                 const parser::Expression& e, const parser::Call& call,
                                                                 const Environment& env) {
  const auto functions = operator_functions(in, record, op);
  if (functions.empty()) return {};
  const auto arguments = elaborate_arguments(in, call, env);
  if (!arguments) return std::optional<std::vector<Value>>{};
  const auto found = matching(in, functions, *arguments);
  // A constructor that would call itself without end means the record's own one, as in old texts: result = Complex(re = re, im = im).
  if (found.size() == 1 && op == "constructor" && env.scope && env.scope->definition == found.front()->definition &&
      arguments->positional.size() + arguments->named.size() == record_elements(in, record).size())
    return {};
  if (found.size() == 1) return apply_function(in, found.front(), *arguments, e.place, env);
  if (found.size() > 1)
    ambiguous(in, op, found, e.place);
  else
    in.error(e.place, fmt::format("no function of the operator '{}' of {} takes these arguments", op, record->path), {},
             {{functions.front()->definition->place, "this one takes others"}});
  return std::optional<std::vector<Value>>{};
}

}  // namespace mosim::compiler
