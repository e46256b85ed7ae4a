// What instantiation asks of expressions: the values of bindings and attributes, and sizes (MLS 5.6.1, 7.2, 10.1).

#include "compiler/instantiate/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/settings.hpp"

namespace mosim::compiler {

std::optional<Value> bound_value(Instances& in, const Binding& b, bool whole) {
  if (!b.expression) return {};   // = break
  const ByItself by_itself(in);
  // Asked for anywhere, it holds everywhere.
  const AssertionsTo model(in, nullptr);
  if (b.steps.empty()) return elaborate(in, *b.expression, Environment::of(b.scope));
  // Asked for part by part: elaborated once, and not copied as a whole for each part.
  const auto key = std::make_pair(b.expression, b.scope);
  auto known = in.elaboration.whole_bindings.find(key);
  if (known == in.elaboration.whole_bindings.end()) {
    auto made = elaborate(in, *b.expression, Environment::of(b.scope));
    known = in.elaboration.whole_bindings.insert_or_assign(key, std::move(made)).first;
  }
  if (!known->second || whole) return known->second;
  const Value* v = &*known->second;
  Value part;
  for (const Binding::Step& s : b.steps) {
    if (s.member != Name::none) {
      const auto i = v->record ? record_position(in, v->record, s.member) : std::nullopt;
      if (!i) {
        in.error(b.place, v->record ? fmt::format("this value of type {} has no element {}", v->record->path, in.text(s.member))
                                    : fmt::format("this value must be a record, but is {}", type_name(in, *v)));
        return {};
      }
      if (v == &part) {
        Value member = std::move(part.members[*i]);
        part = std::move(member);
      } else {
        v = &v->members[*i];
      }
      continue;
    }
    if (v->dims.empty()) {
      in.error(b.place, "this modifies every element of an array of components: its value must be an array too",
               "write `each` before the name, or give an array");
      return {};
    }
    if (v->dims.front() != s.size) {
      in.error(b.place, fmt::format("the value has size {}, the array of components {}", v->dims.front(), s.size));
      return {};
    }
    part = nth(*v, static_cast<std::size_t>(s.index - 1));
    v = &part;
  }
  return *v;
}

namespace {

/// Repeats a value over leading dimensions it does not have: an `each`, or a type's own modification.
bool spread(Value& v, const std::vector<std::int64_t>& dims) {
  if (v.dims.size() > dims.size() || !std::equal(v.dims.rbegin(), v.dims.rend(), dims.rbegin())) return false;
  const std::size_t n = count(dims), own = count(v.dims);
  std::vector<std::size_t> positions(n);
  for (std::size_t k = 0; k < n; ++k) positions[k] = own ? k % own : 0;
  v = gather(v, positions, dims);
  return true;
}

bool is_parameter(const Component* c) {
  const auto v = c->member->prefix.variability;
  return v == parser::Variability::parameter || v == parser::Variability::constant || c->member->owner->variability <= flat::Variability::parameter;
}

void say_cycle(Instances& in, const Component* c) {
  in.error(c->member->place, fmt::format("the value of {} depends on itself", c->name), "break the cycle of declarations");
}

/// What else to write where a scalar is given to an array: `each` is syntax of modifiers alone (MLS 7.2.5).
std::string value_of_every_element(Instances& in, const Component& c, const Binding& b) {
  const parser::Modification* own = c.member->declaration ? c.member->declaration->modification : nullptr;
  if (!own || own->binding != b.expression) return "write `each` before it, or fill(value, size)";
  if (std::string product = other_size_instead(in, *b.expression, c.dims, Environment::of(b.scope)); !product.empty()) return product;
  std::string sizes;
  for (const std::int64_t d : c.dims) sizes += fmt::format(", {}", d);
  return fmt::format("for the same value in every element write fill({}{})", in.workspace.sources.text(b.expression->place), sizes);
}

const std::optional<Value>& declared_value(Instances& in, Component* c) {
  if (c->binding_known) return c->binding;
  if (!c->modifier || !c->modifier->binding) {
    c->binding_known = true;
    return c->binding;
  }
  const Binding& b = *c->modifier->binding;
  if (c->busy) {
    say_cycle(in, c);
    c->binding_known = true;
    return c->binding;
  }
  c->busy = true;
  auto v = bound_value(in, b);
  c->busy = false;
  if (c->binding_known) return c->binding;
  // Nothing must go on as if no value had been given.
  if (!v && b.expression && !in.quiet && !parser::has_errors(in.diagnostics))
    in.error(b.place, fmt::format("no value could be found for {}", in.text(c->member->name)));
  const bool open = std::find(c->dims.begin(), c->dims.end(), -1) != c->dims.end();
  if (v && c->basic && convert(in, *v, *c->basic, b.place, fmt::format("the value of {}", in.text(c->member->name)))) {
    if (open) {
      return c->binding = std::move(v);   // sizes come from it; asked for again once they are known
    }
    if (v->dims == c->dims || (b.may_spread() && spread(*v, c->dims)))
      c->binding = std::move(v);
    else
      in.error(b.place,
               fmt::format("{}{} cannot have a value of size {}", in.text(c->member->name),
                           c->dims.empty() ? " is a scalar and" : shape_text(c->dims),
                           v->dims.empty() ? "1 (a scalar)" : shape_text(v->dims)),
               v->dims.empty()   ? value_of_every_element(in, *c, b)
               : c->dims.empty() ? fmt::format("declare it as {}{}", in.text(c->member->name), shape_text(v->dims))
                                 : other_size_instead(in, *b.expression, c->dims, Environment::of(b.scope)));
  }
  c->binding_known = true;
  return c->binding;
}

}  // namespace

const std::optional<Value>& binding_value(Instances& in, Component* c) {
  if (c->binding_known || !is_parameter(c) || !has_override(in, c)) return declared_value(in, c);
  if (c->busy) {
    say_cycle(in, c);
    return c->binding;
  }
  auto value = has_whole_override(in, c) ? std::nullopt : declared_value(in, c);
  c->busy = true;
  apply_overrides(in, c, value);
  c->busy = false;
  c->binding = std::move(value);
  c->binding_known = std::find(c->dims.begin(), c->dims.end(), -1) == c->dims.end();
  return c->binding;
}

std::optional<Value> attribute_value(Instances& in, Component* c, std::string_view attribute, Type type) {
  const Name name = in.workspace.names.find(attribute);
  const Modifier* m = c->modifier && name != Name::none ? c->modifier->child(name) : nullptr;
  if (!m || !m->binding) return {};
  auto v = bound_value(in, *m->binding);
  if (!v) return {};
  if (!convert(in, *v, type, m->binding->place, fmt::format("the attribute {}", attribute))) return {};
  if (v->dims == c->dims || (m->binding->may_spread() && spread(*v, c->dims))) return v;
  const Place place = m->binding->place;
  const bool scalar = v->dims.empty();
  // Version 3.2.3 of the standard library's tests leaves out `each` before fixed; other tools take it.
  std::string cause = fmt::format("the attribute {} of {}{} cannot have a value of size {}", attribute, in.text(c->member->name), shape_text(c->dims), scalar ? "1 (a scalar)" : shape_text(v->dims));
  if (!scalar || !in.is_lenient(place) || !spread(*v, c->dims)) {
    in.error(place, std::move(cause), scalar ? fmt::format("write `each {} = ...`", attribute) : "");
    return {};
  }
  in.breach(place, std::move(cause), {}, {}, fmt::format("this library gives one {} to all elements of an array, without `each`", attribute));
  return v;
}

namespace {

/// Does a size ask for another one of the same declaration: size(name, k)?
bool asks_for_size_of(const Instances& in, const parser::Expression& e, Name name) {
  const auto asks = [&](const parser::Expression* part) { return part && asks_for_size_of(in, *part, name); };
  if (const auto* u = std::get_if<parser::Unary>(&e.node)) return asks(u->operand);
  if (const auto* b = std::get_if<parser::Binary>(&e.node)) return asks(b->left) || asks(b->right);
  const auto* call = std::get_if<parser::Call>(&e.node);
  if (!call) return false;
  const auto& arguments = call->arguments.positional;
  if (!arguments.empty() && call->callee.parts.size() == 1 && in.text(call->callee.parts.front().name) == "size")
    if (const auto* r = std::get_if<parser::Reference>(&arguments.front()->node))
      if (r->name.parts.size() == 1 && r->name.parts.front().name == name) return true;
  return std::any_of(arguments.begin(), arguments.end(), asks);
}

}  // namespace

std::optional<std::vector<std::int64_t>> dimensions(Instances& in, parser::List<parser::Subscript> subscripts,
                                                    const Environment& env, std::vector<Type>* index_types, const OwnSizes* own) {
  std::vector<std::int64_t> dims;
  const auto indexed_by = [&](Type t) {
    if (index_types) index_types->push_back(t);
  };
  for (const parser::Subscript& s : subscripts) {
    if (!s.expression) {
      dims.push_back(-1);
      indexed_by(integer_type);
      continue;
    }
    Locals self{};
    Environment inner = env;
    if (own && asks_for_size_of(in, *s.expression, own->name)) {   // the sizes before it, and of the value those that it gives
      std::vector<std::int64_t> sizes = dims;
      if (const auto of_value = own->of_value(); of_value.size() >= sizes.size())
        for (std::size_t d = 0; d < sizes.size(); ++d)
          if (sizes[d] < 0) sizes[d] = of_value[d];
      if (std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) {
        in.error(s.place, fmt::format("the size of {} is left open with ':' and no value gives it", in.text(own->name)), "give the size, or a value");
        return {};
      }
      if (!in.has_room(s.place, room_for(sizes))) return {};
      self = {own->name, placeholder(in, Value{real_type, {}, {}}, sizes), env.locals};
      inner.locals = &self;
    }
    const auto v = elaborate(in, *s.expression, inner);
    if (!v) return {};
    // An enumeration or Boolean as a dimension: as many elements as it has values.
    if (!v->scalar() && (v->type.base == BaseType::enumeration || v->type.base == BaseType::boolean)) {
      dims.push_back(v->dims.front());
      indexed_by(v->type);
      continue;
    }
    indexed_by(integer_type);
    const auto n = known_integer(in, *v, s.place, "an array's size");
    if (!n) return {};
    if (*n < 0) {
      in.error(s.place, fmt::format("an array's size cannot be {}", *n));
      return {};
    }
    dims.push_back(*n);
  }
  return dims;
}

std::optional<Value> value_in(Instances& in, const parser::Expression& e, Class* scope) {
  return elaborate(in, e, Environment::of(scope));
}

std::optional<std::vector<std::int64_t>> dimensions_in(Instances& in, parser::List<parser::Subscript> subscripts, Class* scope,
                                                       std::vector<Type>* index_types, const OwnSizes* own) {
  const AllRoom room(in);
  return dimensions(in, subscripts, Environment::of(scope), index_types, own);
}

}  // namespace mosim::compiler
