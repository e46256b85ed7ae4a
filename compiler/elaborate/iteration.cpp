#include "compiler/elaborate/iteration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

/// Visits every component reference in a text, outermost first.
class References {
public:
  using Visit = std::function<void(const parser::ComponentReference&)>;
  explicit References(Visit visit) : visit_(std::move(visit)) {}

  void in(const parser::Expression* e) {
    if (!e) return;
    std::visit([&](const auto& node) { of(node); }, e->node);
  }
  void in(parser::List<parser::Equation> list) {
    for (const parser::Equation& e : list) std::visit([&](const auto& node) { of(node); }, e.node);
  }
  void in(parser::List<parser::Statement> list) {
    for (const parser::Statement& s : list) std::visit([&](const auto& node) { of(node); }, s.node);
  }

private:
  void in(const parser::ComponentReference& r) {
    visit_(r);
    for (const parser::ReferencePart& p : r.parts) in(p.subscripts);
  }
  void in(parser::List<parser::Subscript> list) {
    for (const parser::Subscript& s : list) in(s.expression);
  }
  void in(parser::List<const parser::Expression*> list) {
    for (const parser::Expression* e : list) in(e);
  }
  void in(parser::List<parser::ForIndex> list) {
    for (const parser::ForIndex& i : list) in(i.range);
  }
  void in(const parser::FunctionArguments& a) {
    in(a.positional);
    for (const parser::NamedArgument& n : a.named) in(n.value);
    in(a.iterators);
  }
  template <class Literal>
  void of(const Literal&) {}   // literals, break, return
  void of(const parser::Reference& r) { in(r.name); }
  void of(const parser::Call& c) { in(c.arguments); }
  void of(const parser::PartialApplication& p) {
    for (const parser::NamedArgument& n : p.arguments) in(n.value);
  }
  void of(const parser::Unary& u) { in(u.operand); }
  void of(const parser::Binary& b) {
    in(b.left);
    in(b.right);
  }
  void of(const parser::IfExpression& i) {
    for (const parser::IfBranch& b : i.branches) {
      in(b.condition);
      in(b.value);
    }
    in(i.otherwise);
  }
  void of(const parser::Range& r) {
    in(r.start);
    in(r.step);
    in(r.stop);
  }
  void of(const parser::ArrayConstructor& a) { in(a.elements); }
  void of(const parser::ArrayComprehension& a) {
    in(a.element);
    in(a.iterators);
  }
  void of(const parser::MatrixConstructor& m) {
    for (const auto& row : m.rows) in(row);
  }
  void of(const parser::Tuple& t) { in(t.members); }
  void of(const parser::Subscripted& s) {
    in(s.base);
    in(s.subscripts);
  }
  void of(const parser::MemberAccess& m) { in(m.base); }

  void of(const parser::SimpleEquation& e) {
    in(e.left);
    in(e.right);
  }
  void of(const parser::CallEquation& e) { in(e.call); }
  template <class Branches>
  void branches(const Branches& list) {
    for (const auto& b : list) {
      in(b.condition);
      in(b.body);
    }
  }
  void of(const parser::IfEquation& e) { branches(e.branches); }
  void of(const parser::WhenEquation& e) { branches(e.branches); }
  void of(const parser::ForEquation& e) {
    in(e.indices);
    in(e.body);
  }
  void of(const parser::ConnectEquation& e) {
    in(e.left);
    in(e.right);
  }
  void of(const parser::Assignment& s) {
    in(s.target);
    in(s.value);
  }
  void of(const parser::MultipleAssignment& s) {
    in(s.targets);
    in(s.call);
  }
  void of(const parser::CallStatement& s) { in(s.call); }
  void of(const parser::IfStatement& s) { branches(s.branches); }
  void of(const parser::WhenStatement& s) { branches(s.branches); }
  void of(const parser::ForStatement& s) {
    in(s.indices);
    in(s.body);
  }
  void of(const parser::WhileStatement& s) {
    in(s.condition);
    in(s.body);
  }

  Visit visit_;
};

/// A reference cut off behind part `part`, without subscripts there.
struct Cut {
  Cut(const parser::ComponentReference& r, std::size_t part) : parts(r.parts.begin(), r.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1), reference(r) {
    for (parser::ReferencePart& p : parts) p.subscripts = {};
    reference.parts = parts;
  }
  std::vector<parser::ReferencePart> parts;
  parser::ComponentReference reference;
};

/// The sizes of all array dimensions of a name, those of the components passed included, and what indexes them.
struct Shape {
  std::vector<std::int64_t> dims;
  std::vector<Type> index_types;
};
std::optional<Shape> shape_of(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  for (const Locals* l = env.locals; l && !r.global; l = l->outer)
    if (l->name == r.parts.front().name) {
      Environment shape = env;
      shape.shape_only = true;
      const auto v = elaborate_name(in, r, shape);
      if (!v) return {};
      return Shape{v->dims, std::vector<Type>(v->dims.size(), integer_type)};
    }
  const auto resolved = resolve(in, r, env);
  if (!resolved || resolved->removed) return {};
  Shape s{resolved->dims, {}};
  for (const Component* c : resolved->path) s.index_types.insert(s.index_types.end(), c->dim_types.begin(), c->dim_types.end());
  return s;
}

std::optional<Value> values_of_dimension(Instances& in, std::int64_t size, Type type, Place place) {
  auto& ex = in.model.expressions;
  Value v{type, {size}, {}};
  for (std::int64_t k = 0; k < size; ++k)
    v.elements.push_back(type.base == BaseType::boolean       ? ex.boolean(k == 1, place)
                         : type.base == BaseType::enumeration ? ex.enumeration(type.enumeration, static_cast<std::uint32_t>(k + 1), place)
                                                              : ex.integer(k + 1, place));
  return v;
}

/// The range of an iterator is that of the dimensions it stands for as a subscript, which all agree.
std::optional<Value> deduced_range(Instances& in, const parser::ForIndex& index, const Environment& env,
                                   const IterationBody& body) {
  std::optional<Value> range;
  Place first;
  bool good = true;
  const auto consider = [&](const parser::ComponentReference& r, std::size_t part, std::size_t dimension, Place place) {
    const Cut cut(r, part);
    const auto shape = shape_of(in, cut.reference, env);
    std::size_t before = 0;
    if (part > 0) {
      const Cut earlier(r, part - 1);
      const auto passed = shape_of(in, earlier.reference, env);
      if (!passed) {
        good = false;
        return;
      }
      before = passed->dims.size();
    }
    if (!shape || before + dimension >= shape->dims.size()) {
      good = false;
      if (shape) in.error(place, fmt::format("{} has not that many dimensions", spelled(in, r, part)));
      return;
    }
    const std::size_t d = before + dimension;
    const Type type = d < shape->index_types.size() ? shape->index_types[d] : integer_type;
    auto here = values_of_dimension(in, shape->dims[d], type, index.place);
    if (!range) {
      range = std::move(here);
      first = place;
    } else if (range->elements != here->elements || range->type != here->type) {
      good = false;
      in.error(place, fmt::format("the range of {} cannot be deduced: here it subscribes a dimension of another size", in.text(index.name)),
               fmt::format("give the range: {} in ...", in.text(index.name)), {{first, "it stands here too"}});
    }
  };
  References references([&](const parser::ComponentReference& r) {
    for (std::size_t p = 0; p < r.parts.size() && good; ++p)
      for (std::size_t d = 0; d < r.parts[p].subscripts.size() && good; ++d) {
        const parser::Expression* s = r.parts[p].subscripts[d].expression;
        const auto* name = s ? std::get_if<parser::Reference>(&s->node) : nullptr;
        if (name && name->name.parts.size() == 1 && !name->name.global && name->name.parts.front().name == index.name &&
            name->name.parts.front().subscripts.empty())
          consider(r, p, d, s->place);
      }
  });
  std::visit([&](const auto& b) { references.in(b); }, body);
  if (!good) return {};
  if (!range)
    in.error(index.place, fmt::format("the range of {} cannot be deduced: it subscribes nothing by itself", in.text(index.name)),
             fmt::format("give the range: {} in 1:n", in.text(index.name)));
  return range;
}

std::optional<RangeValues> values_of(Instances& in, const parser::ForIndex& index, const Environment& env, const IterationBody& body) {
  const auto* const range = index.range ? std::get_if<parser::Range>(&index.range->node) : nullptr;
  if (range) return range_values(in, *index.range, *range, env);
  auto v = index.range ? elaborate(in, *index.range, env) : deduced_range(in, index, env, body);
  if (!v) return {};
  if (v->dims.size() != 1) {
    in.error(index.range->place, "a for loop runs through a vector",
             v->scalar() && v->type.base == BaseType::integer ? "write 1:n" : "");
    return {};
  }
  // In an algorithm and in a comprehension it may run through values that are known in the run alone.
  const bool evaluable = std::holds_alternative<parser::List<parser::Equation>>(body);
  for_each_leaf(*v, [&](Value& leaf) {
    for (Expr& e : leaf.elements) {
      const Expr known = in.evaluated(e);
      if (known != Expr::none) e = known;
    }
  });
  if (evaluable)
    for (Expr e : v->elements)
      if (!in.model.expressions.is_literal_leaf(e)) {
        in.error(index.range->place, "the range of a for loop must be known before the run",
                 "use only constants and parameters with values in it");
        return {};
      }
  return RangeValues(std::move(*v));
}

/// `numbers`: of the iterators outside, and room for more.
bool each_iteration(Instances& in, parser::List<parser::ForIndex> indices, const Environment& env, const IterationBody& body, std::vector<double>& numbers,
                    const std::function<bool(const Iteration&)>& visit) {
  const auto values = values_of(in, indices.front(), env, body);
  if (!values) return false;
  const std::size_t outside = numbers.size();
  numbers.push_back(0);
  for (std::int64_t k = 0; k < values->size(); ++k) {
    if (!in.has_room(indices.front().place, 1)) return false;
    numbers[outside] = values->number(in, k);
    const Iteration iteration(in, env, numbers, indices.front().name, *values, k);
    if (!(indices.size() == 1 ? visit(iteration) : each_iteration(in, indices.subspan(1), iteration.environment(), body, numbers, visit))) return false;
  }
  numbers.pop_back();
  return true;
}

}  // namespace

std::optional<Value> iteration_range(Instances& in, const parser::ForIndex& index, const Environment& env, const IterationBody& body) {
  auto values = values_of(in, index, env, body);
  return values ? std::optional(std::move(*values).all(in)) : std::nullopt;
}

const Environment& Iteration::environment() const {
  if (!inside_) {
    locals_.emplace(Locals{name_, values_.nth(in_, k_), outside_.locals});
    inside_ = outside_;
    inside_->locals = &*locals_;
  }
  return *inside_;
}

bool for_each_iteration(Instances& in, parser::List<parser::ForIndex> indices, const Environment& env, const IterationBody& body, const std::function<bool(const Iteration&)>& visit) {
  std::vector<double> numbers;
  numbers.reserve(indices.size());
  return each_iteration(in, indices, env, body, numbers, visit);
}

}  // namespace mosim::compiler
