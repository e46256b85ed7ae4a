#pragma once
// Typed scalar expressions, hash-consed: the same expression is the same number, so that equality is a comparison
// of numbers and common subexpressions are shared.

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/plain_vector.hpp"
#include "parser/source.hpp"

namespace mosim::compiler {

using parser::Place;

enum class BaseType : std::uint8_t { real, integer, boolean, string, enumeration, clock, object };

inline constexpr double largest_exact = 9007199254740992;   // 2^53: up to here whole numbers are exact as Reals

/// A scalar variable of the flat model: an index into flat::Model::variables.
enum class VariableId : std::uint32_t { none = 0xffffffffu };
/// An enumeration type: an index into flat::Model::enumerations.
enum class EnumerationId : std::uint32_t { none = 0xffffffffu };
/// A class of external objects (MLS 12.9.7): an index into flat::Model::object_classes.
enum class ObjectClassId : std::uint32_t { none = 0xffffffffu };
/// A scalar variable of a function's frame: an index into flat::Model::locals.
enum class LocalId : std::uint32_t { none = 0xffffffffu };
/// A function as code: an index into flat::Model::functions.
enum class FunctionId : std::uint32_t { none = 0xffffffffu };
/// An expression: an index into Expressions.
enum class Expr : std::uint32_t { none = 0xffffffffu };

inline std::uint32_t index(VariableId v) { return static_cast<std::uint32_t>(v); }
inline std::uint32_t index(EnumerationId e) { return static_cast<std::uint32_t>(e); }
inline std::uint32_t index(ObjectClassId o) { return static_cast<std::uint32_t>(o); }
inline std::uint32_t index(LocalId l) { return static_cast<std::uint32_t>(l); }
inline std::uint32_t index(FunctionId f) { return static_cast<std::uint32_t>(f); }
inline std::uint32_t index(Expr e) { return static_cast<std::uint32_t>(e); }

// clang-format off
enum class Op : std::uint8_t {
  // leaves; what `payload` holds is said by the accessor named in brackets
  real,                 // [real_value]
  integer,              // [integer_value]
  boolean,              // [payload: 0 or 1]
  string,               // [string_value]
  enumeration,          // [payload: ordinal, from 1; enumeration]
  variable,             // [variable]
  derivative,           // der(v) [variable]
  pre,                  // pre(v) [variable]
  previous,             // previous(v) [variable]
  time, initial, terminal,
  local,                // of a function's frame [local]
  // operators
  negate, add, subtract, multiply, divide, power,       // add of Strings concatenates
  not_, and_, or_,
  less, less_equal, greater, greater_equal,             // of Reals: event-generating unless literal
  equal, not_equal,                                     // never event-generating (MLS 3.5: not for Reals)
  if_,                                                  // condition, then, else
  // functions of one or two arguments
  abs, sign, sqrt, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, log10, min, max,
  div, mod, rem, ceil, floor, integer_of,               // of Reals: event-generating unless literal
  ordinal,                                              // Integer(e) of an enumeration
  within,                                               // within(i, n): the Integer i, which must lie in 1:n
  // functions as code
  element,                                              // of a run of locals from [local] on: the index, how many they are
  item,                                                 // of an array of the run's size [local]: its subscripts
  extent,                                               // of such an array [local]: which dimension, from 1
  call,                                                 // [function]: the arguments, scalars; perhaps a number that tells
                                                        // calls apart, or true: it comes from differentiation. No value:
  result,                                               // [payload: which, from 0, or no_result]: of a call
  inlined,                                              // [payload: a result]: what that result is, written out. Its
                                                        // derivative is the result's, which an annotation names
  // events and special operators
  edge, change,                                         // [variable]
  sample,                                               // sample(start, interval)
  delay,                                                // delay(expression, delay time, maximum delay)
  spatial_distribution,                                            // spatialDistribution: in0, in1, x, positiveVelocity, which
                                                        // output (0 or 1), n initial points, their n values
  homotopy,                                             // homotopy(actual, simplified)
  semi_linear,                                          // x >= 0, x, k+, k-: up to alias removal (MLS 3.7.4.5)
  smooth,                                               // smooth(order, expression); relations within are literal
  string_of,                                            // String(value): minimum length, left justified (Boolean),
                                                        // significant digits, format (String); four children follow value
  // clocks (MLS 16)
  clock_inferred,                                       // Clock()
  clock_rational,                                       // Clock(counter, resolution)
  clock_real,                                           // Clock(interval)
  clock_event,                                          // Clock(condition, start interval)
  clock_solver,                                         // Clock(clock, method: String)
  sample_clocked,                                       // sample(u) or sample(u, clock)
  hold, no_clock,
  sub_sample, super_sample,                             // u or clock, factor (0: inferred)
  shift_sample, back_sample,                            // u or clock, counter, resolution
  interval, first_tick,                                 // of u, or of nothing
};
// clang-format on

/// Operators that remember what their first operands were: these are not needed at the moment.
inline bool looks_back(Op op) { return op == Op::delay || op == Op::spatial_distribution; }
inline std::size_t past_operands(Op op) { return op == Op::delay ? 1 : op == Op::spatial_distribution ? 2 : 0; }

/// What may stand in an expression: bits. A pass that looks for some of it passes over what holds none.
using Contents = std::uint8_t;
namespace contents {
inline constexpr Contents variable = 1, derivative = 2, time = 4;
inline constexpr Contents past = 8;      // pre, previous, edge, change, and what looks back
inline constexpr Contents choice = 16;   // if, logic, relations, rounding: what may jump
inline constexpr Contents call = 32;     // of functions as code, and their locals
inline constexpr Contents special = 64;  // everything else but numbers, arithmetic and elementary functions
inline constexpr Contents any = 255;
}  // namespace contents

class Expressions {
public:
  static constexpr std::uint32_t no_result = 0xffffffffu;

  Expressions();

  // ---- making ---------------------------------------------------------------------------------------------------
  // `place` is kept from the first making of an expression.
  Expr real(double value, Place place = {});
  Expr integer(std::int64_t value, Place place = {});
  Expr boolean(bool value, Place place = {});
  Expr string(std::string_view value, Place place = {});
  Expr enumeration(EnumerationId type, std::uint32_t ordinal, Place place = {});
  Expr variable(VariableId v, BaseType type, Place place = {});
  /// der, pre, previous, edge or change of a variable.
  Expr of_variable(Op op, VariableId v, BaseType type, Place place = {});
  Expr local(LocalId l, BaseType type, Place place = {});
  /// Element number `at` (Integer, from 1) of `count` locals of one type, the first of them `first`.
  Expr element(LocalId first, Expr at, std::int64_t count, BaseType type, Place place = {});
  /// The element of an array of the run's size (flat::Local::rank) at these subscripts, Integers from 1.
  Expr item(LocalId array, std::span<const Expr> at, BaseType type, Place place = {});
  /// The size of such an array along a dimension, from 1.
  Expr extent(LocalId array, std::int64_t dimension, Place place = {});
  Expr call(FunctionId f, std::span<const Expr> arguments, Place place = {});
  Expr result(Expr call, std::uint32_t which, BaseType type, Place place = {});
  /// true, once the call has come back: for a call whose results nobody takes.
  Expr returned(Expr call, Place place = {}) { return result(call, no_result, BaseType::boolean, place); }
  /// `value`, which is what `result` of a call comes to.
  Expr inlined(Expr value, Expr result);
  /// The node `like` with other children.
  Expr like(Expr like, std::span<const Expr> children);
  /// An operation that stands for itself alone: it is not compared with others, and each making of it is another expression. For what the user
  /// wrote, where the compiler goes on with `value`, which it comes to; or none, if it is a part of such a one.
  Expr written(Op op, BaseType type, std::span<const Expr> children, Place place, Expr value);
  Expr written_number(BaseType type, double value, Place place);   // a Real or an Integer
  /// That value; of any other expression it itself.
  Expr worked_out(Expr e) const {
    const Node& n = node(e);
    return n.as_written && static_cast<Expr>(n.payload) != Expr::none ? static_cast<Expr>(n.payload) : e;
  }
  /// Anything else, as written: nothing is simplified. `literal` is for relations and event-generating functions:
  /// taken as they are at every moment, with no event (E1).
  Expr make(Op op, BaseType type, std::initializer_list<Expr> children, Place place = {}, bool literal = false);
  Expr make(Op op, BaseType type, std::span<const Expr> children, Place place = {}, bool literal = false);

  /// `make` for arithmetic, logic and if, with constants folded and 0, 1, true, false absorbed where that changes no
  /// value (x*0 stays). For code that derives expressions; what the user wrote is made as it is.
  Expr simplified(Op op, BaseType type, std::initializer_list<Expr> children, Place place = {}, bool literal = false);

  // ---- looking --------------------------------------------------------------------------------------------------
  Op op(Expr e) const { return node(e).op; }
  BaseType type(Expr e) const { return node(e).type; }
  bool literal(Expr e) const { return node(e).literal; }
  Place place(Expr e) const { return places_[node(e).place]; }
  std::span<const Expr> children(Expr e) const {
    const Node& n = node(e);
    if (n.count == 0) return {};
    return {children_.data() + n.first, n.count < many ? n.count : index(children_[n.first - 1])};
  }
  Expr child(Expr e, std::size_t i) const { return children_[node(e).first + i]; }
  std::uint32_t payload(Expr e) const { return node(e).payload; }
  VariableId variable(Expr e) const { return static_cast<VariableId>(node(e).payload); }
  LocalId local(Expr e) const { return static_cast<LocalId>(node(e).payload); }
  FunctionId function(Expr e) const { return static_cast<FunctionId>(node(e).payload); }
  Expr result_of_inlined(Expr e) const { return static_cast<Expr>(node(e).payload); }
  double real_value(Expr e) const { return std::bit_cast<double>(node(e).value()); }
  std::int64_t integer_value(Expr e) const { return std::bit_cast<std::int64_t>(node(e).value()); }
  const std::string& string_value(Expr e) const { return strings_[node(e).payload]; }
  EnumerationId enumeration(Expr e) const { return op(e) == Op::enumeration ? static_cast<EnumerationId>(node(e).first) : EnumerationId::none; }
  bool is_number(Expr e) const { return op(e) == Op::real || op(e) == Op::integer; }
  double number(Expr e) const { return op(e) == Op::real ? real_value(e) : double(integer_value(e)); }
  bool is_returned(Expr e) const { return op(e) == Op::result && payload(e) == no_result; }
  bool is_literal_leaf(Expr e) const { return op(e) <= Op::enumeration; }
  std::size_t size() const { return size_; }   // how many there are
  /// So many more are going to be compared with each other: room for them is made at once.
  void expect(std::size_t more);
  std::size_t known() const { return known_count_; }    // how many are compared with what is made
  std::size_t room() const { return known_.size(); }    // places for these
  std::size_t looks() const { return looks_; }          // at these places, by all that was made
  /// From here on what is made is no longer compared with what was made by now: for who makes few more, and has better use for the room.
  void forget_known();
  /// Whether some of it may stand in e, or be e; of what was inlined, in the call as well.
  bool holds(Expr e, Contents some) const { return (node(e).contents & some) != 0 || some == contents::any; }

private:
  /// 16 bytes: a large model has a dozen for each of its equations.
  struct Node {
    Node(Op op_, BaseType type_, std::uint32_t payload_, bool literal_ = false, std::uint32_t first_ = 0) : op(op_), type(type_), literal(literal_), payload(payload_), first(first_) {}
    Op op;
    BaseType type : 6;
    bool as_written : 1 = false;    // see written(): the payload is its value
    bool literal : 1;
    Contents contents = 0;
    std::uint8_t count = 0;         // of children; many: it stands before them
    std::uint32_t payload, first;   // first: of its children; or the type of an enumeration's literal, or the upper half of a number
    std::uint32_t place = 0;        // in places_
    std::uint64_t value() const { return std::uint64_t(first) << 32 | payload; }   // the bits of a number
  };
  static constexpr std::uint8_t many = 255;
  static_assert(sizeof(Node) == 16);
  const Node& node(Expr e) const { return nodes_[index(e)]; }
  Expr leaf(Op op, BaseType type, std::uint32_t payload, Place place) { return add({op, type, payload}, place, {}); }
  static Node number_node(Op op, BaseType type, std::uint64_t value) { return {op, type, static_cast<std::uint32_t>(value), false, static_cast<std::uint32_t>(value >> 32)}; }
  Expr number(Op op, BaseType type, std::uint64_t value, Place place) { return add(number_node(op, type, value), place, {}); }
  Expr add(Node node, Place place, std::span<const Expr> children);
  Expr append(Node node, Place place, std::span<const Expr> children, bool apart = false);
  void make_room(std::size_t places);
  std::uint32_t number(Place place);

  PlainVector<Node> nodes_;
  std::size_t size_ = 0;
  // What stands for itself alone, and variables, which are found by their numbers, have their own blocks: the others, which every pass goes
  // through, lie beside each other.
  std::size_t apart_ = 0, apart_end_ = 0;
  PlainVector<Expr> children_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> string_numbers_;
  // Nodes that are made one after the other come from a few places: most of these stand there once.
  PlainVector<Place> places_;   // the first one is that of nothing
  std::array<std::uint32_t, 64> recent_places_{};
  // What is known, by open addressing: a power of two of places, at most two thirds of them taken. A large model's table is larger than every
  // cache, so what is made one after the other, by one pass after the other, stands side by side (see mark_of()); and where a place is taken,
  // the one beside it comes next, then two that lie far away (double hashing).
  struct Known {
    Expr e = Expr::none;
    std::uint32_t mark = 0;     // most others have another one
  };
  /// In its highest bits the block that an expression stands in, the same for what differs in the lowest alone: its place there.
  static std::uint32_t mark_of(const Node& node, std::span<const Expr> children);
  class Search;
  PlainVector<Known> known_;
  std::size_t known_count_ = 0, looks_ = 0;
  PlainVector<Expr> variables_, derivatives_;   // of each variable; none: not made yet
};

}  // namespace mosim::compiler
