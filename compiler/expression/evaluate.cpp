#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/ordered_table.hpp"
#include "runtime/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace mosim::compiler {

namespace {

using flat::Variability;

Variability own_variability(const flat::Model& model, Expr e) {
  const Expressions& ex = model.expressions;
  switch (ex.op(e)) {
    case Op::variable: return model.variable(ex.variable(e)).variability;
    case Op::derivative:
    case Op::time:
    case Op::spatial_distribution: return Variability::continuous;
    case Op::delay: return ex.literal(e) ? Variability::continuous : Variability::constant;
    default: return Variability::constant;
  }
}

/// What an operation makes of its operands' variability (MLS 3.8.4).
Variability result_variability(const Expressions& ex, Expr e, Variability of_children) {
  switch (ex.op(e)) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::div:
    case Op::mod:
    case Op::rem:
    case Op::ceil:
    case Op::floor:
    case Op::integer_of:
      return ex.literal(e) ? of_children : std::min(of_children, Variability::discrete);
    case Op::pre:
    case Op::previous:
    case Op::edge:
    case Op::change:
    case Op::sample:
    case Op::initial:
    case Op::terminal:
    case Op::sample_clocked:
    case Op::hold:
    case Op::sub_sample:
    case Op::super_sample:
    case Op::shift_sample:
    case Op::back_sample:
    case Op::no_clock:
    case Op::interval:
    case Op::first_tick: return Variability::discrete;
    default: return of_children;
  }
}

/// Visits expressions children first, without recursion: a chain of operators may be thousands deep.
template <class Done, class Visit>
void post_order(const Expressions& ex, Expr root, const Done& done, const Visit& visit) {
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    if (done(e)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (Expr c : ex.children(e))
      if (!done(c)) {
        if (ready) ready = false;
        stack.push_back(c);
      }
    if (!ready) continue;
    visit(e);
    stack.pop_back();
  }
}

}  // namespace

flat::Variability variability(const flat::Model& model, Expr root) {
  std::unordered_map<Expr, Variability> known;
  return variability(model, root, known);
}

flat::Variability variability(const flat::Model& model, Expr root, std::unordered_map<Expr, Variability>& known) {
  const Expressions& ex = model.expressions;
  if (ex.children(root).empty()) return result_variability(ex, root, own_variability(model, root));
  post_order(
      ex, root, [&](Expr e) { return known.contains(e); },
      [&](Expr e) {
        Variability v = own_variability(model, e);
        for (Expr c : ex.children(e)) v = std::max(v, known.at(c));
        // Whatever the delay time: what changes at events alone comes out at events alone.
        if (ex.op(e) == Op::delay && !ex.literal(e) && known.at(ex.child(e, 0)) <= Variability::discrete) v = std::min(v, Variability::discrete);
        known[e] = result_variability(ex, e, v);
      });
  return known.at(root);
}

double fold_numbers(Op op, BaseType type, std::span<const double> a) {
  const double v = op == Op::negate     ? -a[0]
                   : op == Op::add      ? a[0] + a[1]
                   : op == Op::subtract ? a[0] - a[1]
                   : op == Op::multiply ? a[0] * a[1]
                                        : a[0] / a[1];
  if (!std::isfinite(v) || (type == BaseType::integer && std::abs(v) > largest_exact)) return std::numeric_limits<double>::quiet_NaN();
  return type == BaseType::integer ? v + 0.0 : v;   // an Integer's zero has no sign
}

Expr fold_literals(flat::Model& model, Expr e, std::span<const Expr> a) {
  Expressions& ex = model.expressions;
  const BaseType type = ex.type(e);
  const Place place = ex.place(e);
  const auto number = [&](std::size_t i) { return ex.is_number(a[i]) ? ex.number(a[i]) : double(ex.payload(a[i])); };
  const auto real = [&](double v) { return std::isfinite(v) ? ex.real(v, place) : Expr::none; };
  const auto numeric = [&](double v) {
    if (!std::isfinite(v)) return Expr::none;
    if (type != BaseType::integer) return ex.real(v, place);
    if (std::abs(v) > largest_exact) return Expr::none;
    return ex.integer(static_cast<std::int64_t>(v), place);
  };
  const auto truth = [&](bool b) { return ex.boolean(b, place); };
  const auto text = [&](std::size_t i) -> const std::string& { return ex.string_value(a[i]); };
  const auto compare = [&](auto relation) {
    if (ex.op(a[0]) == Op::string) return truth(relation(text(0).compare(text(1)), 0));
    return truth(relation(number(0), number(1)));
  };
  switch (ex.op(e)) {
    case Op::negate: return numeric(fold_numbers(Op::negate, type, std::array{number(0)}));
    case Op::add:
      if (type == BaseType::string) {
        const std::size_t length = text(0).size() + text(1).size();
        if (length > longest_text || model.text_made + length > most_text) {
          if (!model.overlong) model.overlong = place;
          return Expr::none;
        }
        model.text_made += length;
        return ex.string(text(0) + text(1), place);
      }
      [[fallthrough]];
    case Op::subtract: case Op::multiply: case Op::divide: return numeric(fold_numbers(ex.op(e), type, std::array{number(0), number(1)}));
    case Op::power: return real(std::pow(number(0), number(1)));
    case Op::not_: return truth(!ex.payload(a[0]));
    case Op::and_: return truth(ex.payload(a[0]) && ex.payload(a[1]));
    case Op::or_: return truth(ex.payload(a[0]) || ex.payload(a[1]));
    case Op::less: return compare([](auto x, auto y) { return x < y; });
    case Op::less_equal: return compare([](auto x, auto y) { return x <= y; });
    case Op::greater: return compare([](auto x, auto y) { return x > y; });
    case Op::greater_equal: return compare([](auto x, auto y) { return x >= y; });
    case Op::equal: return compare([](auto x, auto y) { return x == y; });
    case Op::not_equal: return compare([](auto x, auto y) { return x != y; });
    case Op::if_: return ex.payload(a[0]) ? a[1] : a[2];
    case Op::abs: return numeric(std::abs(number(0)));
    case Op::sign: return numeric(number(0) > 0 ? 1 : number(0) < 0 ? -1 : 0);
    case Op::sqrt: return real(std::sqrt(number(0)));
    case Op::sin: return real(std::sin(number(0)));
    case Op::cos: return real(std::cos(number(0)));
    case Op::tan: return real(std::tan(number(0)));
    case Op::asin: return real(std::asin(number(0)));
    case Op::acos: return real(std::acos(number(0)));
    case Op::atan: return real(std::atan(number(0)));
    case Op::atan2: return real(std::atan2(number(0), number(1)));
    case Op::sinh: return real(std::sinh(number(0)));
    case Op::cosh: return real(std::cosh(number(0)));
    case Op::tanh: return real(std::tanh(number(0)));
    case Op::exp: return real(std::exp(number(0)));
    case Op::log: return real(std::log(number(0)));
    case Op::log10: return real(std::log10(number(0)));
    case Op::min: return numeric(std::min(number(0), number(1)));
    case Op::max: return numeric(std::max(number(0), number(1)));
    case Op::div: return number(1) == 0 ? Expr::none : numeric(std::trunc(number(0) / number(1)));
    case Op::mod: return number(1) == 0 ? Expr::none : numeric(number(0) - std::floor(number(0) / number(1)) * number(1));
    case Op::rem: return number(1) == 0 ? Expr::none : numeric(number(0) - std::trunc(number(0) / number(1)) * number(1));
    case Op::ceil: return real(std::ceil(number(0)));
    case Op::floor: return real(std::floor(number(0)));
    case Op::integer_of: return numeric(std::floor(number(0)));
    case Op::string_of: {
      if (ex.op(a[0]) == Op::string) return a[0];
      constexpr double most = 10000;   // longer texts are made in the run, which has its own limit
      for (std::size_t k = 1; k < a.size() && k < 4; k++)
        if (k != 2 && !(std::abs(number(k)) <= most)) return Expr::none;
      runtime::Format format;
      format.minimum_length = a.size() > 1 ? static_cast<std::int32_t>(number(1)) : 0;
      format.left_justified = a.size() <= 2 || ex.payload(a[2]) != 0;
      format.significant_digits = a.size() > 3 ? static_cast<std::int32_t>(number(3)) : 6;
      if (a.size() > 4) format.c_format = text(4);
      const BaseType of = ex.type(a[0]);
      const runtime::Literals literals = of == BaseType::enumeration ? runtime::Literals(model.enumerations[index(ex.enumeration(a[0]))].literals) : runtime::Literals();
      return ex.string(runtime::format_value(number(0), of == BaseType::integer ? runtime::Type::integer : of == BaseType::boolean ? runtime::Type::boolean
                                                        : of == BaseType::enumeration ? runtime::Type::enumeration : runtime::Type::real,
                                             format, literals), place);
    }
    case Op::ordinal: return ex.integer(ex.payload(a[0]), place);
    case Op::within: return number(0) >= 1 && number(0) <= number(1) ? a[0] : Expr::none;
    case Op::element: {   // of a row of constants; other locals have no value here
      const auto at = ex.integer_value(a[0]);
      const std::size_t l = index(ex.local(e)) + std::size_t(at - 1);
      return at >= 1 && at <= ex.integer_value(a[1]) && l < model.locals.size() ? model.locals[l].value : Expr::none;
    }
    case Op::homotopy: return a[0];
    case Op::semi_linear: return numeric(number(ex.payload(a[0]) ? 2 : 3) * number(1));
    case Op::smooth: return a[1];
    case Op::inlined: return a[0];
    default: return Expr::none;
  }
}

Expr evaluate(flat::Model& model, Expr root, const Known& known_variable, Values* found, std::size_t* visited, Reliance reliance, Parts* parts) {
  Expressions& ex = model.expressions;
  if (ex.is_literal_leaf(root)) return root;
  const auto relied_on = [&](Expr e) {
    if (ex.op(e) == Op::variable) model.reliance.values.insert(ex.variable(e));
  };
  if (found && ex.op(root) == Op::variable)   // of a large array, each of its elements is asked for often
    if (const auto it = found->find(ex.variable(root)); it != found->end()) {
      if (visited) *visited = 1;
      if (reliance == Reliance::size) model.reliance.sizes.insert(root);
      if (reliance == Reliance::value) relied_on(root);
      return it->second;
    }
  // What was met: under way, then known.
  struct Met {
    Expr value = Expr::none;
    bool known = false;
  };
  OrderedTable<Expr, Met> met;
  met.reserve(8);   // mostly enough
  std::size_t known = 0;
  const auto is_known = [&](Expr e) {
    const auto it = met.find(e);
    return it != met.end() && it->second.known;
  };
  const auto value = [&](Expr e) { return met.at(e).value; };
  const auto know = [&](Expr e, Expr value) {
    met[e] = {value, true};
    ++known;
  };
  Pending<Expr> stack{root};
  const auto push = [&](Expr c) {
    if (is_known(c)) return false;
    stack.push_back(c);
    return true;
  };
  while (!stack.empty()) {
    const Expr e = stack.back();
    if (is_known(e)) {
      stack.pop_back();
      continue;
    }
    if (ex.is_literal_leaf(e)) {
      know(e, e);
      continue;
    }
    if (ex.op(e) == Op::result) {   // of a function that is code: the run alone calls it, whatever its arguments are
      know(e, Expr::none);
      continue;
    }
    if (parts)
      if (const auto it = parts->find(e); it != parts->end()) {
        know(e, it->second);
        continue;
      }
    met.try_emplace(e);   // what is merely waiting on the stack may be met on another's way
    if (ex.op(e) == Op::variable) {
      if (found)
        if (const auto it = found->find(ex.variable(e)); it != found->end()) {
          know(e, it->second);
          continue;
        }
      const Expr bound = known_variable(ex.variable(e));
      // The binding itself is folded in its turn; a variable met again on its own way has no value.
      if (bound == Expr::none || bound == e) {
        know(e, Expr::none);
      } else if (is_known(bound)) {
        know(e, value(bound));
        if (found && value(bound) != Expr::none) found->emplace(ex.variable(e), value(bound));
      } else if (met.contains(bound)) {
        know(e, Expr::none);
      } else {
        stack.push_back(bound);
      }
      continue;
    }
    const boost::container::small_vector<Expr, 8> children(ex.children(e).begin(), ex.children(e).end());   // folding makes expressions
    // Only the branch that is taken needs a value; `and` and `or` stop early.
    if (ex.op(e) == Op::if_ || ex.op(e) == Op::and_ || ex.op(e) == Op::or_) {
      if (push(children[0])) continue;
      const Expr first = value(children[0]);
      if (first == Expr::none) {
        know(e, Expr::none);
        continue;
      }
      const bool yes = ex.payload(first) != 0;
      if (ex.op(e) == Op::if_) {
        const Expr branch = children[yes ? 1 : 2];
        if (push(branch)) continue;
        know(e, value(branch));
      } else if (yes == (ex.op(e) == Op::or_)) {
        know(e, first);
      } else {
        if (push(children[1])) continue;
        know(e, value(children[1]));
      }
      continue;
    }
    bool ready = true;
    for (Expr c : children)
      if (push(c)) ready = false;
    if (!ready) continue;
    boost::container::small_vector<Expr, 8> values;
    bool all = !children.empty();
    for (Expr c : children) {
      values.push_back(value(c));
      if (values.back() == Expr::none) all = false;
    }
    know(e, all ? fold_literals(model, e, {values.data(), values.size()}) : Expr::none);
  }
  if (visited) *visited = known;
  if (parts)
    for (const auto& [e, its] : met) parts->emplace(e, its.value);   // nothing is under way any more
  const Expr result = value(root);
  if (result != Expr::none && reliance == Reliance::size) model.reliance.sizes.insert(root);
  if (result != Expr::none && reliance == Reliance::value)
    for (const auto& [e, its] : met)
      if (its.value != Expr::none) relied_on(e);
  return result;
}

bool is_product(const Expressions& x, Expr e) {
  switch (x.op(e)) {
    case Op::variable: return true;
    case Op::negate: case Op::sqrt: case Op::abs: return is_product(x, x.child(e, 0));
    case Op::multiply: case Op::divide: return is_product(x, x.child(e, 0)) && is_product(x, x.child(e, 1));
    case Op::power: return is_product(x, x.child(e, 0)) && x.is_literal_leaf(x.child(e, 1));
    default: return x.is_number(e);
  }
}

std::string overlong_text() {
  return "this text of constants becomes too long: there is room for " + std::to_string(longest_text) + " characters, and " +
         std::to_string(most_text) + " in all";
}

bool varies_by_operation(const flat::Model& model, Expr e) {
  const Expressions& x = model.expressions;
  if (x.type(e) != BaseType::integer || variability(model, e) != flat::Variability::continuous) return false;
  bool follows = false;
  Walker walker(x);
  walker.each(e, [&](Expr n) {
    follows = follows || (x.op(n) == Op::variable && x.type(n) != BaseType::real && model.variable(x.variable(n)).variability == flat::Variability::continuous);
    return !follows;
  });
  return !follows;
}

}  // namespace mosim::compiler
