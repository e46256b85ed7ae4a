#include "compiler/expression/expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mosim::compiler {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0xff51afd7ed558ccdull;
  return h ^ h >> 32;
}

Contents own_contents(Op op) {
  switch (op) {
    case Op::variable: return contents::variable;
    case Op::derivative: return contents::derivative;
    case Op::time: return contents::time;
    case Op::pre: case Op::previous: case Op::edge: case Op::change: case Op::delay: case Op::spatial_distribution: return contents::past;
    case Op::if_: case Op::not_: case Op::and_: case Op::or_: case Op::less: case Op::less_equal: case Op::greater: case Op::greater_equal: case Op::equal: case Op::not_equal:
    case Op::abs: case Op::sign: case Op::min: case Op::max: case Op::div: case Op::mod: case Op::rem: case Op::ceil: case Op::floor: case Op::integer_of: return contents::choice;
    case Op::call: case Op::result: case Op::inlined: case Op::element: case Op::item: case Op::extent: case Op::local: return contents::call;
    case Op::real: case Op::integer: case Op::boolean: case Op::string: case Op::enumeration:
    case Op::negate: case Op::add: case Op::subtract: case Op::multiply: case Op::divide: case Op::power:
    case Op::sqrt: case Op::sin: case Op::cos: case Op::tan: case Op::asin: case Op::acos: case Op::atan: case Op::atan2: case Op::sinh: case Op::cosh: case Op::tanh:
    case Op::exp: case Op::log: case Op::log10: return 0;
    default: return contents::special;
  }
}

constexpr std::uint32_t block_size = 64;   // places
constexpr std::uint32_t near = 4096;       // expressions
constexpr std::size_t block_apart = 4096;  // expressions at most: no more than there are by then, as most models are small

}  // namespace

Expressions::Expressions() { places_.push_back({}); }

// The iterations of a loop, and the elements of an array, make the same expressions of operands that lie as far from each other each time, or
// of ones that they have in common. The operand that was made last says where in its block an expression stands; the block follows from what
// else it is.
std::uint32_t Expressions::mark_of(const Node& node, std::span<const Expr> children) {
  std::uint32_t last = node.payload;
  std::uint64_t h = static_cast<std::uint64_t>(node.op) | static_cast<std::uint64_t>(node.type) << 8 | static_cast<std::uint64_t>(node.literal) << 16 |
                    static_cast<std::uint64_t>(children.size()) << 32;
  if (children.empty()) {
    h = mix(h, node.first);
  } else {
    last = 0;
    for (const Expr c : children) last = std::max(last, index(c));
    h = mix(h, node.payload);
    for (const Expr c : children) h = mix(h, last - index(c) < near ? last - index(c) : std::uint64_t(index(c)) << 32);
  }
  const std::uint64_t block = mix(h, last / block_size);
  return static_cast<std::uint32_t>(block >> 32) * block_size + static_cast<std::uint32_t>(last ^ block >> 58) % block_size;
}

/// The places where what has a mark may stand, one after the other.
class Expressions::Search {
public:
  Search(const Expressions& x, std::uint32_t mark) : last_(x.known_.size() - 1), mark_(mark), place_(mark & last_) {}
  std::size_t place() const { return place_; }
  void go_on() {
    constexpr std::size_t even = 38;
    place_ = beside_ ? (place_ + std::size_t(mark_ >> 20) * block_size + even) & last_ : place_ ^ 1;   // every place is come by
    beside_ = !beside_;
  }

private:
  std::size_t last_;
  std::uint32_t mark_;
  bool beside_ = false;
  std::size_t place_;
};

std::uint32_t Expressions::number(Place place) {
  std::uint32_t& recent = recent_places_[(place.begin * 31 + place.end) % recent_places_.size()];
  if (places_[recent] == place) return recent;
  places_.push_back(place);
  return recent = static_cast<std::uint32_t>(places_.size() - 1);
}

Expr Expressions::add(Node node, Place place, std::span<const Expr> children) {
  const std::uint32_t mark = mark_of(node, children);
  if (3 * (known_count_ + 1) > 2 * known_.size()) make_room(std::max<std::size_t>(block_size, 2 * known_.size()));
  Search search(*this, mark);
  for (++looks_; known_[search.place()].e != Expr::none; search.go_on(), ++looks_) {
    const Known& known = known_[search.place()];
    if (known.mark != mark) continue;
    const Node& other = nodes_[index(known.e)];
    if (other.op != node.op || other.type != node.type || other.literal != node.literal || other.payload != node.payload) continue;
    const std::span<const Expr> its = this->children(known.e);
    if (children.empty() ? its.empty() && other.first == node.first : std::equal(children.begin(), children.end(), its.begin(), its.end())) return known.e;
  }
  const Expr e = append(node, place, children);
  known_[search.place()] = {e, mark};
  ++known_count_;
  return e;
}

Expr Expressions::append(Node node, Place place, std::span<const Expr> children, bool apart) {
  node.contents = own_contents(node.op);
  for (const Expr c : children) node.contents |= this->node(c).contents;
  if (node.op == Op::inlined) node.contents |= this->node(static_cast<Expr>(node.payload)).contents;
  node.place = number(place);
  if (!children.empty()) {
    node.count = static_cast<std::uint8_t>(std::min<std::size_t>(children.size(), many));
    // The children may be a view of children_ itself: what moves them must not come between.
    std::vector<Expr> copy;
    if (children_.capacity() - children_.size() <= children.size()) {
      copy.assign(children.begin(), children.end());
      children = copy;
    }
    if (node.count == many) children_.push_back(static_cast<Expr>(children.size()));
    node.first = static_cast<std::uint32_t>(children_.size());
    children_.append(children);
  }
  ++size_;
  if (!apart) {
    nodes_.push_back(node);
    return static_cast<Expr>(nodes_.size() - 1);
  }
  if (apart_ == apart_end_) {
    apart_ = nodes_.size();
    apart_end_ = apart_ + std::clamp(nodes_.size(), std::size_t(64), block_apart);
    nodes_.resize(apart_end_, node);
  }
  nodes_[apart_] = node;
  return static_cast<Expr>(apart_++);
}

/// Where it stands: a table of twice the size beside the old one would be the largest thing of a large model, and not a page of it used before.
void Expressions::make_room(std::size_t places) {
  const std::size_t before = known_.size();
  known_.resize(places, Known{});
  // Who is at its place in the larger table is marked, and who is not makes way for who is.
  constexpr std::uint32_t there = 1u << 31;
  for (std::size_t k = 0; k < before; ++k) {
    if ((index(known_[k].e) & there) != 0) continue;   // or nobody: Expr::none has that bit
    Known moved = std::exchange(known_[k], {});
    while (moved.e != Expr::none) {
      Search search(*this, moved.mark);
      while (known_[search.place()].e != Expr::none && (index(known_[search.place()].e) & there) != 0) search.go_on();
      std::swap(known_[search.place()], moved);
      known_[search.place()].e = static_cast<Expr>(index(known_[search.place()].e) | there);
    }
  }
  for (Known& k : known_)
    if (k.e != Expr::none) k.e = static_cast<Expr>(index(k.e) & ~there);
}

void Expressions::expect(std::size_t more) {
  std::size_t places = std::max<std::size_t>(block_size, known_.size());
  while (3 * (known_count_ + more) > 2 * places) places *= 2;
  if (places > known_.size()) make_room(places);
}

void Expressions::forget_known() {
  known_.reset();
  known_count_ = 0;
}

// By their bits: 0.0 and -0.0 differ, and NaN equals itself.
Expr Expressions::real(double value, Place place) { return number(Op::real, BaseType::real, std::bit_cast<std::uint64_t>(value), place); }

Expr Expressions::integer(std::int64_t value, Place place) { return number(Op::integer, BaseType::integer, std::bit_cast<std::uint64_t>(value), place); }

Expr Expressions::boolean(bool value, Place place) { return leaf(Op::boolean, BaseType::boolean, value, place); }

Expr Expressions::string(std::string_view value, Place place) {
  auto [it, fresh] = string_numbers_.try_emplace(std::string(value), static_cast<std::uint32_t>(strings_.size()));
  if (fresh) strings_.emplace_back(value);
  return leaf(Op::string, BaseType::string, it->second, place);
}

Expr Expressions::enumeration(EnumerationId type, std::uint32_t ordinal, Place place) { return add(Node(Op::enumeration, BaseType::enumeration, ordinal, false, index(type)), place, {}); }

Expr Expressions::variable(VariableId v, BaseType type, Place place) { return of_variable(Op::variable, v, type, place); }

Expr Expressions::of_variable(Op op, VariableId v, BaseType type, Place place) {
  if ((op != Op::variable && op != Op::derivative) || v == VariableId::none) return leaf(op, type, index(v), place);
  PlainVector<Expr>& own = op == Op::variable ? variables_ : derivatives_;
  if (own.size() <= index(v)) own.resize(std::size_t(index(v)) + 1, Expr::none);
  Expr& e = own[index(v)];
  if (e == Expr::none) return e = append({op, type, index(v)}, place, {}, true);
  return this->type(e) == type ? e : leaf(op, type, index(v), place);
}

Expr Expressions::local(LocalId l, BaseType type, Place place) { return leaf(Op::local, type, index(l), place); }

Expr Expressions::element(LocalId first, Expr at, std::int64_t count, BaseType type, Place place) {
  const Expr children[] = {at, integer(count, place)};
  return add(Node(Op::element, type, index(first)), place, children);
}

Expr Expressions::item(LocalId array, std::span<const Expr> at, BaseType type, Place place) { return add(Node(Op::item, type, index(array)), place, at); }

Expr Expressions::extent(LocalId array, std::int64_t dimension, Place place) {
  const Expr children[] = {integer(dimension, place)};
  return add(Node(Op::extent, BaseType::integer, index(array)), place, children);
}

Expr Expressions::call(FunctionId f, std::span<const Expr> arguments, Place place) {
  const Expr nothing[] = {integer(0, place)};   // a node without children is a leaf
  return add(Node(Op::call, BaseType::real, index(f)), place, arguments.empty() ? std::span<const Expr>(nothing) : arguments);
}

Expr Expressions::result(Expr call, std::uint32_t which, BaseType type, Place place) {
  const Expr children[] = {call};
  return add(Node(Op::result, type, which), place, children);
}

Expr Expressions::inlined(Expr value, Expr result) {
  const Expr children[] = {value};
  return add(Node(Op::inlined, type(value), index(result)), place(value), children);
}

Expr Expressions::like(Expr like, std::span<const Expr> children) {
  const Node n = node(like);
  return add(Node(n.op, n.type, n.as_written ? 0 : n.payload, n.literal, children.empty() ? n.first : 0), place(like), children);
}

Expr Expressions::written(Op op, BaseType type, std::span<const Expr> children, Place place, Expr value) {
  Node node(op, type, index(value));
  node.as_written = true;
  return append(node, place, children, true);
}

Expr Expressions::written_number(BaseType type, double value, Place place) {
  const bool real = type == BaseType::real;
  const std::uint64_t bits = real ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return append(number_node(real ? Op::real : Op::integer, type, bits), place, {}, true);
}

Expr Expressions::make(Op op, BaseType type, std::initializer_list<Expr> children, Place place, bool literal) {
  return make(op, type, std::span<const Expr>(children.begin(), children.size()), place, literal);
}

Expr Expressions::make(Op op, BaseType type, std::span<const Expr> children, Place place, bool literal) {
  return add(Node(op, type, 0, literal), place, children);
}

Expr Expressions::simplified(Op op, BaseType type, std::initializer_list<Expr> args, Place place, bool literal) {
  const Expr* a = args.begin();
  const auto is = [&](Expr e, double v) { return is_number(e) && number(e) == v; };
  const auto truth = [&](Expr e, bool v) { return this->op(e) == Op::boolean && payload(e) == std::uint32_t(v); };
  const auto make_number = [&](double v) {
    return type == BaseType::integer && std::abs(v) <= largest_exact && v == std::floor(v) ? integer(static_cast<std::int64_t>(v), place) : real(v, place);
  };
  const bool numbers = [&] {
    for (Expr e : args)
      if (!is_number(e)) return false;
    return true;
  }();
  switch (op) {
    case Op::negate:
      if (numbers) return make_number(-number(a[0]));
      if (this->op(a[0]) == Op::negate) return child(a[0], 0);
      break;
    case Op::add:
      if (type == BaseType::string) break;
      if (numbers) return make_number(number(a[0]) + number(a[1]));
      if (is(a[0], 0)) return a[1];
      if (is(a[1], 0)) return a[0];
      if (this->op(a[1]) == Op::negate) return simplified(Op::subtract, type, {a[0], child(a[1], 0)}, place);
      break;
    case Op::subtract:
      if (numbers) return make_number(number(a[0]) - number(a[1]));
      if (is(a[1], 0)) return a[0];
      if (is(a[0], 0)) return simplified(Op::negate, type, {a[1]}, place);
      if (this->op(a[1]) == Op::negate) return simplified(Op::add, type, {a[0], child(a[1], 0)}, place);
      break;
    case Op::multiply:
      if (numbers) return make_number(number(a[0]) * number(a[1]));
      if (is(a[0], 1)) return a[1];
      if (is(a[1], 1)) return a[0];
      if (is(a[0], -1)) return simplified(Op::negate, type, {a[1]}, place);
      if (is(a[1], -1)) return simplified(Op::negate, type, {a[0]}, place);
      break;
    case Op::divide:
      if (numbers && number(a[1]) != 0) return make_number(number(a[0]) / number(a[1]));
      if (is(a[1], 1)) return a[0];
      break;
    case Op::power:
      if (is(a[1], 1)) return a[0];
      break;
    case Op::not_:
      if (truth(a[0], true)) return boolean(false, place);
      if (truth(a[0], false)) return boolean(true, place);
      if (this->op(a[0]) == Op::not_) return child(a[0], 0);
      break;
    case Op::and_:
      if (truth(a[0], true)) return a[1];
      if (truth(a[1], true)) return a[0];
      if (truth(a[0], false)) return a[0];
      if (truth(a[1], false)) return a[1];
      break;
    case Op::or_:
      if (truth(a[0], false)) return a[1];
      if (truth(a[1], false)) return a[0];
      if (truth(a[0], true)) return a[0];
      if (truth(a[1], true)) return a[1];
      break;
    case Op::if_:
      if (truth(a[0], true)) return a[1];
      if (truth(a[0], false)) return a[2];
      if (a[1] == a[2]) return a[1];
      break;
    default:
      break;
  }
  return make(op, type, args, place, literal);
}

}  // namespace mosim::compiler
