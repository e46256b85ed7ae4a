#include "compiler/elaborate/loop_template.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/elaborate/builtins.hpp"
#include "compiler/elaborate/elaborate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

namespace {

/// Elements that are variables of the model wherever they stand.
bool is_plain(const Component* c) {
  const Member& m = *c->member;
  if (m.is_class() || m.condition || m.outer || m.broken || m.presence != Member::Presence::declared || c->removed || c->absent) return false;
  for (const Type& t : c->dim_types)
    if (t.base != BaseType::integer) return false;
  return !c->basic || (c->in_model && is_numeric(*c->basic));
}

}  // namespace

class LoopTemplate::Maker {
public:
  Maker(LoopTemplate& t, Instances& in, const Iteration& iteration) : t_(t), in_(in), env_(iteration.environment()), indices_(iteration.numbers().size()) {}

  std::optional<Number> expression(const parser::Expression& e) {
    if (++depth_ > deepest) return {};
    const auto result = std::visit([&](const auto& node) { return of(e, node); }, e.node);
    --depth_;
    return result;
  }

private:
  static constexpr int deepest = 100;

  Number add(Node node) {
    const auto its = [&](Number n) { return t_.nodes_[n].numeric; };
    if (node.kind == Kind::constant && in_.model.expressions.is_number(node.value)) node.number = in_.model.expressions.number(node.value);
    const bool folds = node.op == Op::add || node.op == Op::subtract || node.op == Op::multiply || node.op == Op::divide;   // see fold_numbers()
    node.numeric = node.kind == Kind::index || (node.kind == Kind::negate && its(node.left)) || (node.kind == Kind::arithmetic && folds && its(node.left) && its(node.right)) || !std::isnan(node.number);
    node.literal = node.kind == Kind::index || (node.kind == Kind::constant && node.numeric) || (node.kind == Kind::negate && t_.nodes_[node.left].literal);
    t_.works_out_ = t_.works_out_ || node.operates();
    t_.nodes_.push_back(node);
    return static_cast<Number>(t_.nodes_.size() - 1);
  }
  Number add(Subscript s) {
    t_.subscripts_.push_back(s);
    return static_cast<Number>(t_.subscripts_.size() - 1);
  }

  /// What a name that an iterator has stands for: of this loop's which one, or of those outside the value, which is one for all iterations.
  struct Iterator {
    const Value* value;
    std::optional<Number> index;
  };
  std::optional<Iterator> iterator(Name name) const {
    std::size_t inside = indices_;
    for (const Locals* l = env_.locals; l; l = l->outer, inside -= inside > 0)
      if (l->name == name) return Iterator{&l->value(), inside > 0 ? std::optional(static_cast<Number>(inside - 1)) : std::nullopt};
    return {};
  }

  template <class Other>
  std::optional<Number> of(const parser::Expression&, const Other&) { return {}; }

  std::optional<Number> of(const parser::Expression& e, const parser::RealLiteral& l) { return add(Node{Kind::constant, real_type, e.place, Op::add, in_.model.expressions.real(l.value, e.place)}); }
  std::optional<Number> of(const parser::Expression& e, const parser::IntegerLiteral& l) {
    return add(Node{Kind::constant, integer_type, e.place, Op::add, in_.model.expressions.integer(l.value, e.place)});
  }

  std::optional<Number> of(const parser::Expression&, const parser::Reference& reference) {
    const parser::ComponentReference& r = reference.name;
    const parser::ReferencePart& first = r.parts.front();
    if (r.global) return {};
    if (const auto local = iterator(first.name)) {
      const Value& v = *local->value;
      if (r.parts.size() > 1 || !first.subscripts.empty() || !v.scalar() || !is_numeric(v.type) || !in_.model.expressions.is_number(v.only())) return {};
      Node node{local->index ? Kind::index : Kind::constant, v.type, r.place};
      if (local->index) node.left = *local->index;
      else node.value = v.only();
      return add(node);
    }
    if (in_.text(first.name) == "time" && r.parts.size() == 1 && first.subscripts.empty())
      return add(Node{Kind::constant, real_type, r.place, Op::add, in_.model.expressions.make(Op::time, BaseType::real, {}, r.place)});
    return element(r);
  }

  std::optional<Number> element(const parser::ComponentReference& r) {
    Class* scope = env_.scope;
    Member* member = scope ? find_member(in_, scope, r.parts.front().name) : nullptr;
    if (!member || member->is_class()) return {};
    Component* c = instantiate_component(in_, member);
    Element element{c, {}};
    for (std::size_t p = 0;; ++p) {
      if (!c || !is_plain(c)) return {};
      const parser::ReferencePart& part = r.parts[p];
      if (part.subscripts.size() != c->dims.size()) return {};
      Part& made = element.parts.emplace_back(Part{part.name, {}});
      for (std::size_t d = 0; d < part.subscripts.size(); ++d) {
        const auto subscript = part.subscripts[d].expression ? this->subscript(*part.subscripts[d].expression, c->dims[d]) : std::nullopt;
        if (!subscript) return {};
        made.subscripts.push_back(*subscript);
      }
      if (p + 1 == r.parts.size()) break;
      if (c->basic || c->elements.empty() || !c->elements.front()) return {};
      member = find_member(in_, c->elements.front(), r.parts[p + 1].name);
      if (!member || member->is_class() || member->is_protected) return {};
      c = instantiate_component(in_, member);
    }
    if (!c->basic) return {};
    t_.elements_.push_back(std::move(element));
    Node node{Kind::element, *c->basic, r.place};
    node.left = static_cast<Number>(t_.elements_.size() - 1);
    if (c->variability <= flat::Variability::parameter && is_one(t_.elements_.back())) node.number = relied_on(node);
    return add(node);
  }

  /// The same one in each iteration.
  static bool is_one(const Element& e) {
    return std::all_of(e.parts.begin(), e.parts.end(), [](const Part& p) { return p.subscripts.empty(); });
  }
  /// The number that a constant or parameter is in every run.
  double relied_on(const Node& node) {
    Expressions& ex = in_.model.expressions;
    const Expr e = t_.element(in_, {}, t_.elements_[node.left], node.place);
    if (e == Expr::none || (in_.model.variable(ex.variable(e)).variability != flat::Variability::constant && !in_.model.reliance.values.contains(ex.variable(e)))) return no_number;
    const Expr value = in_.evaluated(e, Reliance::nothing);
    return value != Expr::none && ex.is_number(value) ? ex.number(value) : no_number;
  }

  /// An Integer of indices, parameters with values and numbers.
  std::optional<Number> subscript(const parser::Expression& e, std::int64_t end) {
    if (const auto* l = std::get_if<parser::IntegerLiteral>(&e.node)) return add(Subscript{Subscript::Kind::constant, l->value});
    if (std::holds_alternative<parser::EndExpression>(e.node)) return add(Subscript{Subscript::Kind::constant, end});
    if (const auto* r = std::get_if<parser::Reference>(&e.node)) {
      const parser::ReferencePart& first = r->name.parts.front();
      if (r->name.parts.size() > 1 || r->name.global || !first.subscripts.empty()) return {};
      if (const auto local = iterator(first.name); local && local->index)
        return local->value->scalar() && local->value->type == integer_type ? std::optional(add(Subscript{Subscript::Kind::index, 0, *local->index})) : std::nullopt;
      const auto v = elaborate(in_, e, env_);
      if (!v || !v->scalar() || v->type != integer_type) return {};
      const Expr known = in_.evaluated(v->only());
      if (known == Expr::none || in_.model.expressions.op(known) != Op::integer) return {};
      return add(Subscript{Subscript::Kind::constant, in_.model.expressions.integer_value(known)});
    }
    if (const auto* u = std::get_if<parser::Unary>(&e.node)) {
      if (u->op != parser::UnaryOperator::minus) return {};
      const auto operand = subscript(*u->operand, end);
      return operand ? std::optional(add(Subscript{Subscript::Kind::negate, 0, *operand})) : std::nullopt;
    }
    const auto* b = std::get_if<parser::Binary>(&e.node);
    if (!b || ++depth_ > deepest) return {};
    const auto left = subscript(*b->left, end), right = subscript(*b->right, end);
    --depth_;
    if (!left || !right) return {};
    switch (b->op) {
      case parser::BinaryOperator::add: return add(Subscript{Subscript::Kind::add, 0, *left, *right});
      case parser::BinaryOperator::subtract: return add(Subscript{Subscript::Kind::subtract, 0, *left, *right});
      case parser::BinaryOperator::multiply: return add(Subscript{Subscript::Kind::multiply, 0, *left, *right});
      default: return {};
    }
  }

  std::optional<Number> of(const parser::Expression& e, const parser::Unary& u) {
    if (u.op != parser::UnaryOperator::minus && u.op != parser::UnaryOperator::plus) return {};
    const auto operand = expression(*u.operand);
    if (!operand || u.op == parser::UnaryOperator::plus) return operand;
    Node node{Kind::negate, t_.nodes_[*operand].type, e.place};
    node.left = *operand;
    return add(node);
  }

  std::optional<Number> of(const parser::Expression& e, const parser::Binary& b) {
    const auto left = expression(*b.left), right = left ? expression(*b.right) : std::nullopt;
    if (!right) return {};
    const bool real = t_.nodes_[*left].type == real_type || t_.nodes_[*right].type == real_type;
    Node node{Kind::arithmetic, real ? real_type : integer_type, e.place};
    node.left = *left, node.right = *right;
    switch (b.op) {
      case parser::BinaryOperator::add: node.op = Op::add; break;
      case parser::BinaryOperator::subtract: node.op = Op::subtract; break;
      case parser::BinaryOperator::multiply: node.op = Op::multiply; break;
      case parser::BinaryOperator::divide: node.op = Op::divide, node.type = real_type; break;
      case parser::BinaryOperator::power: node.op = Op::power, node.type = real_type; break;
      default: return {};
    }
    return add(node);
  }

  std::optional<Number> of(const parser::Expression& e, const parser::Call& c) {
    const parser::ComponentReference& callee = c.callee;
    if (callee.parts.size() != 1 || !callee.parts.front().subscripts.empty() || callee.global) return {};
    if (c.arguments.positional.size() != 1 || !c.arguments.named.empty() || !c.arguments.iterators.empty()) return {};
    const std::string_view name = in_.text(callee.parts.front().name);
    const auto op = builtins::elementary_function(name);
    if (!op && name != "der") return {};
    const auto argument = expression(*c.arguments.positional.front());
    if (!argument || (!op && t_.nodes_[*argument].kind != Kind::element)) return {};
    Node node{op ? Kind::function : Kind::derivative, real_type, e.place, op.value_or(Op::derivative)};
    node.left = *argument;
    return add(node);
  }

  LoopTemplate& t_;
  Instances& in_;
  const Environment& env_;
  std::size_t indices_;   // of the loop: what the innermost locals are
  int depth_ = 0;
};

bool LoopTemplate::make(Instances& in, const Iteration& iteration) {
  const Environment& env = iteration.environment();
  if (env.function || env.shape_only || env.type_only || env.untaken || env.open_way || env.in_when || env.end_dims || env.path != Expr::none) return false;
  Maker maker(*this, in, iteration);
  for (const parser::Equation& e : body_) {
    const auto* simple = std::get_if<parser::SimpleEquation>(&e.node);
    if (!simple) return false;
    const auto left = maker.expression(*simple->left), right = left ? maker.expression(*simple->right) : std::nullopt;
    if (!right || nodes_[*left].kind == Kind::index) return false;
    equations_.emplace_back(*left, *right);
  }
  return true;
}

std::optional<std::int64_t> LoopTemplate::number(Numbers numbers, Number subscript) const {
  const Subscript& s = subscripts_[subscript];
  if (s.kind == Subscript::Kind::constant) return s.value;
  if (s.kind == Subscript::Kind::index) return std::isnan(numbers[s.left]) ? std::nullopt : std::optional(static_cast<std::int64_t>(numbers[s.left]));
  const auto left = number(numbers, s.left);
  if (!left) return {};
  constexpr std::int64_t far = std::int64_t(1) << 31;   // beyond every array: nothing overflows on the way
  const auto near = [](std::int64_t n) { return -far < n && n < far ? std::optional(n) : std::nullopt; };
  if (s.kind == Subscript::Kind::negate) return near(-*left);
  const auto right = number(numbers, s.right);
  if (!right || !near(*left) || !near(*right)) return {};
  return near(s.kind == Subscript::Kind::add ? *left + *right : s.kind == Subscript::Kind::subtract ? *left - *right : *left * *right);
}

Expr LoopTemplate::element(Instances& in, Numbers numbers, const Element& e, Place place) const {
  Component* c = e.first;
  for (std::size_t p = 0;; ++p) {
    const Part& part = e.parts[p];
    if (!c || !is_plain(c) || part.subscripts.size() != c->dims.size()) return Expr::none;
    std::size_t position = 0;
    for (std::size_t d = 0; d < part.subscripts.size(); ++d) {
      const auto at = number(numbers, part.subscripts[d]);
      if (!at || *at < 1 || *at > c->dims[d]) return Expr::none;
      position = position * static_cast<std::size_t>(c->dims[d]) + static_cast<std::size_t>(*at - 1);
    }
    if (p + 1 == e.parts.size()) return c->basic ? in.model.expressions.variable(static_cast<VariableId>(index(c->first) + position), c->basic->base, place) : Expr::none;
    if (c->basic || position >= c->elements.size() || !c->elements[position]) return Expr::none;
    Member* const next = find_member(in, c->elements[position], e.parts[p + 1].name);
    if (!next || next->is_class() || next->is_protected) return Expr::none;
    c = instantiate_component(in, next);
  }
}

/// NaN: it has no value, or an operand is an Integer that a Real may not hold.
double LoopTemplate::numeric(Numbers numbers, Number number) const {
  const Node& node = nodes_[number];
  if (node.kind == Kind::index) return numbers[node.left];
  if (node.kind != Kind::negate && node.kind != Kind::arithmetic) return node.number;
  const double left = numeric(numbers, node.left);
  if (node.literal) return node.type == integer_type ? 0.0 - left : -left;   // an Integer's zero has no sign
  const auto is_held = [&](Number n, double v) { return nodes_[n].type != integer_type || std::abs(v) < largest_exact; };
  if (std::isnan(left) || !is_held(node.left, left)) return no_number;
  if (node.kind == Kind::negate) return fold_numbers(Op::negate, node.type.base, std::array{left});
  const double right = numeric(numbers, node.right);
  return std::isnan(right) || !is_held(node.right, right) ? no_number : fold_numbers(node.op, node.type.base, std::array{left, right});
}

Expr LoopTemplate::numeric_as_written(Instances& in, Numbers numbers, Number number) const {
  Expressions& ex = in.model.expressions;
  const Node& node = nodes_[number];
  const auto side = [&](Number n, bool real) {
    const Node& its = nodes_[n];
    if (!its.literal) return numeric_as_written(in, numbers, n);
    return ex.written_number(real ? BaseType::real : its.type.base, numeric(numbers, n), its.place);   // see convert()
  };
  if (node.kind == Kind::element) return element(in, numbers, elements_[node.left], node.place);
  const bool real = node.type == real_type;
  if (node.kind == Kind::negate) return ex.written(Op::negate, node.type.base, std::array{side(node.left, false)}, node.place, Expr::none);
  const Expr left = side(node.left, real), right = side(node.right, real);
  return ex.written(node.op, node.type.base, std::array{left, right}, node.place, Expr::none);
}

LoopTemplate::Made LoopTemplate::expression(Instances& in, Numbers numbers, Number number, bool work_out) const {
  Expressions& ex = in.model.expressions;
  const Node& node = nodes_[number];
  const auto leaf = [](Expr e) { return Made{e, e}; };
  if (work_out && node.operates()) {
    // What is 0 is for the terms that vanish to see, as written (analyse/vanishing.cpp).
    const double value = numeric(numbers, number);
    if (std::isnan(value) || value == 0) return {};
    const Expr written = numeric_as_written(in, numbers, number);
    return {written, node.type == integer_type ? ex.integer(static_cast<std::int64_t>(value), node.place) : ex.real(value, node.place)};
  }
  const auto operand = [&](Number n, bool real) {
    if (real && nodes_[n].literal && nodes_[n].type == integer_type)
      if (const double whole = numeric(numbers, n); !std::isnan(whole)) return leaf(ex.real(whole, nodes_[n].place));   // see convert()
    return expression(in, numbers, n, work_out);
  };
  const auto operation = [&](Op op, std::initializer_list<Made> sides) {
    std::array<Expr, 2> written{}, value{};
    std::size_t n = 0;
    for (const Made& side : sides) {
      if (side.written == Expr::none) return Made{};
      written[n] = side.written;
      value[n++] = side.value;
    }
    const std::span<const Expr> as_written(written.data(), n);
    if (written == value) return leaf(ex.make(op, node.type.base, as_written, node.place));
    const Expr rest = n == 1 ? ex.simplified(op, node.type.base, {value[0]}, node.place) : ex.simplified(op, node.type.base, {value[0], value[1]}, node.place);
    return Made{ex.written(op, node.type.base, as_written, node.place, rest), rest};
  };
  switch (node.kind) {
    case Kind::constant: return leaf(node.value);
    case Kind::index: {
      const double value = numbers[node.left];
      return leaf(std::isnan(value) ? Expr::none : node.type == integer_type ? ex.integer(static_cast<std::int64_t>(value), node.place) : ex.real(value, node.place));
    }
    case Kind::element: {
      const Expr e = element(in, numbers, elements_[node.left], node.place);
      return leaf(e != Expr::none && ex.type(e) == node.type.base ? e : Expr::none);
    }
    case Kind::derivative: {
      const Expr e = operand(node.left, false).written;
      if (e == Expr::none || ex.op(e) != Op::variable || ex.type(e) != BaseType::real || in.model.variable(ex.variable(e)).variability != flat::Variability::continuous) return {};
      return leaf(ex.of_variable(Op::derivative, ex.variable(e), BaseType::real, node.place));
    }
    case Kind::negate: {
      const Made side = operand(node.left, false);
      const Expr e = side.written;
      if (e == Expr::none) return {};
      if (ex.op(e) == Op::integer) return leaf(ex.integer(-ex.integer_value(e), node.place));
      if (ex.op(e) == Op::real) return leaf(ex.real(-ex.real_value(e), node.place));
      return operation(Op::negate, {side});
    }
    case Kind::arithmetic: {
      // An Integer exponent stays one (MLS 10.6.7).
      const bool real = node.type == real_type;
      const Made left = operand(node.left, real);
      if (left.written == Expr::none) return {};
      return operation(node.op, {left, operand(node.right, real && (node.op != Op::power || nodes_[node.right].type == real_type))});
    }
    case Kind::function: return operation(node.op, {operand(node.left, true)});
  }
  return {};
}

bool LoopTemplate::instantiate(Instances& in, Numbers numbers, Sides& sides, bool work_out) const {
  sides.clear();
  for (const auto& [left, right] : equations_) {
    const auto side = [&](Number n) {
      Expr e = Expr::none;
      if (work_out && works_out_) e = expression(in, numbers, n, true).written;
      return e != Expr::none ? e : expression(in, numbers, n, false).written;
    };
    const Expr l = side(left), r = l == Expr::none ? l : side(right);
    if (r == Expr::none) return false;
    sides.push_back({{nodes_[left].type, l}, {nodes_[right].type, r}});
  }
  return true;
}

}  // namespace mosim::compiler
