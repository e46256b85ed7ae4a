// Expressions as Modelica text.

#include <fmt/format.h>

#include <cctype>
#include <iterator>

#include <boost/container/small_vector.hpp>

#include "compiler/expression/statement_walk.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/print.hpp"

namespace mosim::compiler {

namespace {

// Binding strength, weakest first (MLS 3.2).
enum Level { conditional, or_level, and_level, not_level, relational, additive, multiplicative, power_level, primary };

struct BinarySymbol {
  const char* text;
  Level level;
};

std::optional<BinarySymbol> binary(Op op) {
  switch (op) {
    case Op::or_: return BinarySymbol{" or ", or_level};
    case Op::and_: return BinarySymbol{" and ", and_level};
    case Op::add: return BinarySymbol{" + ", additive};
    case Op::subtract: return BinarySymbol{" - ", additive};
    case Op::multiply: return BinarySymbol{"*", multiplicative};
    case Op::divide: return BinarySymbol{"/", multiplicative};
    default: return {};
  }
}

const char* relation(Op op) {
  switch (op) {
    case Op::less: return " < ";
    case Op::less_equal: return " <= ";
    case Op::greater: return " > ";
    case Op::greater_equal: return " >= ";
    case Op::equal: return " == ";
    case Op::not_equal: return " <> ";
    default: return nullptr;
  }
}

const char* function_name(Op op) {
  switch (op) {
    case Op::abs: return "abs";
    case Op::sign: return "sign";
    case Op::sqrt: return "sqrt";
    case Op::sin: return "sin";
    case Op::cos: return "cos";
    case Op::tan: return "tan";
    case Op::asin: return "asin";
    case Op::acos: return "acos";
    case Op::atan: return "atan";
    case Op::atan2: return "atan2";
    case Op::sinh: return "sinh";
    case Op::cosh: return "cosh";
    case Op::tanh: return "tanh";
    case Op::exp: return "exp";
    case Op::log: return "log";
    case Op::log10: return "log10";
    case Op::min: return "min";
    case Op::max: return "max";
    case Op::div: return "div";
    case Op::mod: return "mod";
    case Op::rem: return "rem";
    case Op::ceil: return "ceil";
    case Op::floor: return "floor";
    case Op::integer_of: return "integer";
    case Op::ordinal: return "Integer";
    case Op::sample:
    case Op::sample_clocked: return "sample";
    case Op::delay: return "delay";
    case Op::homotopy: return "homotopy";
    case Op::semi_linear: return "semiLinear";
    case Op::smooth: return "smooth";
    case Op::clock_inferred:
    case Op::clock_rational:
    case Op::clock_real:
    case Op::clock_event:
    case Op::clock_solver: return "Clock";
    case Op::hold: return "hold";
    case Op::no_clock: return "noClock";
    case Op::sub_sample: return "subSample";
    case Op::super_sample: return "superSample";
    case Op::shift_sample: return "shiftSample";
    case Op::back_sample: return "backSample";
    case Op::interval: return "interval";
    case Op::first_tick: return "firstTick";
    case Op::initial: return "initial";
    case Op::terminal: return "terminal";
    case Op::pre: return "pre";
    case Op::previous: return "previous";
    case Op::edge: return "edge";
    case Op::change: return "change";
    default: return nullptr;
  }
}

class Printer {
public:
  Printer(const flat::Model& model, NameStyle names, bool mark_literal, std::optional<std::size_t> limit = {})
      : model_(model), ex_(model.expressions), names_(names), mark_literal_(mark_literal), said_(limit), limit_(limit.value_or(longest_expression)), room_(said_ ? 2 * limit_ : 1) {}

  void write(Expr e, Level at_least) {
    if (out.size() > limit_) {
      if (!said_) throw TextTooLong();
      return;
    }
    e = meant(e);
    while (ex_.op(e) == Op::inlined) e = meant(ex_.child(e, 0));
    // What most of a text is made of.
    switch (ex_.op(e)) {
      case Op::variable: return name(e);
      case Op::derivative:
        out += "der(";
        name(e);
        out += ")";
        return;
      case Op::integer:
        if (ex_.integer_value(e) < 0) break;
        return whole(ex_.integer_value(e));
      default: break;
    }
    const Level level = level_of(e);
    const bool parentheses = level < at_least;
    if (parentheses) out += "(";
    body(e);
    if (parentheses) out += ")";
  }

  std::string out;

private:
  /// In messages: what a helper stands for.
  Expr meant(Expr e) const {
    while (said_ && ex_.op(e) == Op::variable && model_.variable(ex_.variable(e)).meaning != Expr::none)
      e = model_.variable(ex_.variable(e)).meaning;
    return e;
  }

  void whole(std::int64_t number) {
    const fmt::format_int text(number);
    out.append(text.data(), text.size());
  }

  void name(Expr e) {
    const flat::Variable& v = model_.variable(ex_.variable(e));
    if (said_ && v.meaning != Expr::none) write(v.meaning, conditional);
    else if (said_ && !v.meaning_text.empty()) out += v.meaning_text.text();
    else if (names_ == NameStyle::plain) out += v.name;
    else out += print_name(v.name, names_);
  }

  const std::string& local_name(LocalId l) const { return model_.locals[index(l)].name; }

  /// The arguments, those of arrays put together again.
  void call_body(Expr e) {
    const flat::Function& f = model_.functions[index(ex_.function(e))];
    // A constructor is called by the name of its class (MLS 12.9.7).
    const bool constructs = f.outputs.size() == 1 && model_.locals[index(f.outputs.front())].type == BaseType::object && f.name.ends_with(".constructor");
    const bool pure = f.impure && !constructs && !counts(model_, e);
    if (pure) out += "pure(";
    out += print_name(constructs ? f.name.substr(0, f.name.rfind('.')) : f.name, names_) + "(";
    for (std::size_t k = 0; k < f.inputs.size() && out.size() <= limit_;) {
      if (k > 0) out += ", ";
      const std::string& name = local_name(f.inputs[k]);
      const std::size_t bracket = name.find('[');
      if (bracket == std::string::npos) {
        write(ex_.child(e, k++), conditional);
        continue;
      }
      std::size_t end = k;
      while (end < f.inputs.size() && local_name(f.inputs[end]).compare(0, bracket + 1, name, 0, bracket + 1) == 0) ++end;
      std::vector<std::size_t> sizes;   // of the array's rows, the whole first
      const std::string& last = local_name(f.inputs[end - 1]);
      for (std::size_t at = bracket + 1; at < last.size(); at = last.find_first_of(",]", at) + 1) sizes.push_back(std::stoul(last.substr(at)));
      for (std::size_t d = sizes.size() - 1; d-- > 0;) sizes[d] *= sizes[d + 1];
      for (std::size_t r = 0; k < end && out.size() <= limit_; ++k, ++r) {
        if (r > 0) out += ", ";
        for (const std::size_t size : sizes) out += r % size == 0 ? "{" : "";
        write(ex_.child(e, k), conditional);
        for (const std::size_t size : sizes) out += (r + 1) % size == 0 ? "}" : "";
      }
      k = end;
    }
    out += ")";
  }

  bool marked(Expr e) const {
    if (!mark_literal_ || !ex_.literal(e)) return false;
    for (Expr c : ex_.children(e))
      if (ex_.type(c) == BaseType::real && variability(model_, c) == flat::Variability::continuous) return true;
    return false;
  }

  Level level_of(Expr e) const {
    const Op op = ex_.op(e);
    if (op == Op::real) return ex_.real_value(e) < 0 ? additive : primary;
    if (op == Op::integer) return ex_.integer_value(e) < 0 ? additive : primary;
    if (const auto b = binary(op)) return b->level;
    if (relation(op)) return marked(e) ? primary : relational;
    switch (op) {
      case Op::if_: return elements_of_selection(e) ? primary : conditional;
      case Op::negate: return additive;
      case Op::not_: return not_level;
      case Op::power: return power_level;
      default: return primary;
    }
  }

  void body(Expr e) {
    const Op op = ex_.op(e);
    if (const auto b = binary(op)) {
      // Down the left spine in a loop: a chain may be thousands long.
      boost::container::small_vector<Expr, 8> spine;
      Expr at = e;
      auto s = b;
      for (; s && s->level == b->level && (spine.empty() || room_ > 0); s = binary(ex_.op(at))) {
        spine.push_back(at);
        at = meant(ex_.child(at, 0));
        if (said_ && room_ > 0) --room_;
      }
      if (room_ == 0 && s && s->level == b->level) out += "...";
      else write(at, b->level);
      while (!spine.empty() && out.size() <= limit_) {
        out += binary(ex_.op(spine.back()))->text;
        write(ex_.child(spine.back(), 1), static_cast<Level>(b->level + 1));
        spine.pop_back();
      }
      return;
    }
    if (const char* r = relation(op)) {
      if (marked(e)) out += "noEvent(";
      write(ex_.child(e, 0), additive);
      out += r;
      write(ex_.child(e, 1), additive);
      if (marked(e)) out += ")";
      return;
    }
    switch (op) {
      // Whole numbers in messages look as people write them.
      case Op::real:
        if (said_) fmt::format_to(std::back_inserter(out), "{}", ex_.real_value(e));
        else out += print_real(ex_.real_value(e));
        return;
      case Op::integer: whole(ex_.integer_value(e)); return;
      case Op::boolean: out += ex_.payload(e) ? "true" : "false"; return;
      case Op::string: out += print_string(ex_.string_value(e)); return;
      case Op::enumeration: {
        const flat::Enumeration& type = model_.enumerations[index(ex_.enumeration(e))];
        out += print_name(type.name, names_) + "." + type.literals[ex_.payload(e) - 1];
        return;
      }
      case Op::local: out += print_name(model_.locals[index(ex_.local(e))].name, names_); return;
      case Op::element: {
        const std::string& first = model_.locals[index(ex_.local(e))].name;
        const std::string& last = model_.locals[index(ex_.local(e)) + std::size_t(ex_.integer_value(ex_.child(e, 1))) - 1].name;
        if (first.find('[') == std::string::npos) {   // scalars that stand in a row
          for (std::int64_t k = 0; k < ex_.integer_value(ex_.child(e, 1)); ++k)
            out += (k == 0 ? "({" : ", ") + print_name(model_.locals[index(ex_.local(e)) + std::size_t(k)].name, names_);
          out += "})[";
          write(ex_.child(e, 0), conditional);
          out += "]";
          return;
        }
        out += print_name(first.substr(0, first.rfind('[')), names_) + "[";
        Printer at(model_, names_, mark_literal_, said_ ? std::optional(limit_) : std::nullopt);
        at.write(ex_.child(e, 0), conditional);
        out += print_subscripts(last, at.out) + "]";
        return;
      }
      case Op::item: {
        out += print_name(local_name(ex_.local(e)), names_) + "[";
        for (std::size_t k = 0; k < ex_.children(e).size(); ++k) {
          if (k > 0) out += ",";
          write(ex_.child(e, k), conditional);
        }
        out += "]";
        return;
      }
      case Op::extent: out += fmt::format("size({}, {})", print_name(local_name(ex_.local(e)), names_), ex_.integer_value(ex_.child(e, 0))); return;
      case Op::call: call_body(e); return;
      case Op::result: {
        if (ex_.is_returned(e)) {
          call_body(ex_.child(e, 0));
          return;
        }
        // An element of an array that is the only result; others stand for themselves.
        const flat::Function& f = model_.functions[index(ex_.function(ex_.child(e, 0)))];
        const std::string name = local_name(f.outputs[ex_.payload(e)]);
        const std::size_t bracket = name.find('[');
        const bool one = bracket != std::string::npos && local_name(f.outputs.front()).compare(0, bracket + 1, name, 0, bracket + 1) == 0 &&
                         local_name(f.outputs.back()).compare(0, bracket + 1, name, 0, bracket + 1) == 0;
        if (one) out += "(";
        write(ex_.child(e, 0), conditional);
        if (one) out += ")" + name.substr(bracket);
        return;
      }
      case Op::time: out += "time"; return;
      case Op::negate:
        out += "-";
        write(ex_.child(e, 0), multiplicative);
        return;
      case Op::not_:
        out += "not ";
        write(ex_.child(e, 0), relational);
        return;
      case Op::power:
        write(ex_.child(e, 0), primary);
        out += "^";
        write(ex_.child(e, 1), primary);
        return;
      case Op::if_:
        if (!selection(e)) conditional_body(e);
        return;
      case Op::spatial_distribution: spatial_distribution_body(e); return;
      case Op::within:
        out += "({";
        for (std::int64_t k = 1; k <= ex_.integer_value(ex_.child(e, 1)) && out.size() <= limit_; ++k)
          out += fmt::format("{}{}", k == 1 ? "" : ", ", k);
        out += "})[";
        write(ex_.child(e, 0), conditional);
        out += "]";
        return;
      case Op::string_of: string_body(e); return;
      case Op::pre:
      case Op::previous:
      case Op::edge:
      case Op::change:
        out += function_name(op);
        out += "(";
        name(e);
        out += ")";
        return;
      default: break;
    }
    const bool literal = marked(e);
    if (literal) out += "noEvent(";
    out += function_name(op);
    out += "(";
    bool first = true;
    for (Expr c : ex_.children(e).subspan(op == Op::semi_linear ? 1 : 0)) {
      if (!first) out += ", ";
      first = false;
      write(c, conditional);
    }
    out += ")";
    if (literal) out += ")";
  }

  /// The number k if `condition` is `within(i, n) == k` for this within(i, n).
  std::int64_t selected(Expr condition, Expr within) const {
    if (ex_.op(condition) != Op::equal || ex_.child(condition, 0) != within || ex_.op(ex_.child(condition, 1)) != Op::integer) return 0;
    return ex_.integer_value(ex_.child(condition, 1));
  }

  /// An element of an array by a subscript that varies is a chain of ifs; it is written as what it was: ({a, b, c})[i].
  std::optional<std::vector<Expr>> elements_of_selection(Expr e) const {
    const Expr condition = ex_.child(e, 0);
    if (ex_.op(condition) != Op::equal || ex_.op(ex_.child(condition, 0)) != Op::within) return {};
    const Expr within = ex_.child(condition, 0);
    std::vector<Expr> elements;
    while (ex_.op(e) == Op::if_ && selected(ex_.child(e, 0), within) == static_cast<std::int64_t>(elements.size()) + 1) {
      elements.push_back(ex_.child(e, 1));
      e = ex_.child(e, 2);
    }
    elements.push_back(e);
    if (static_cast<std::int64_t>(elements.size()) != ex_.integer_value(ex_.child(within, 1))) return {};
    return elements;
  }

  bool selection(Expr e) {
    const auto elements = elements_of_selection(e);
    if (!elements) return false;
    out += "({";
    for (std::size_t k = 0; k < elements->size() && out.size() <= limit_; ++k) {
      if (k > 0) out += ", ";
      write((*elements)[k], conditional);
    }
    out += "})[";
    write(ex_.child(ex_.child(ex_.child(e, 0), 0), 0), conditional);
    out += "]";
    return true;
  }

  void conditional_body(Expr e) {
    const char* keyword = "if ";
    while (ex_.op(e) == Op::if_) {
      out += keyword;
      write(ex_.child(e, 0), or_level);
      out += " then ";
      write(ex_.child(e, 1), or_level);
      e = ex_.child(e, 2);
      keyword = " elseif ";
    }
    out += " else ";
    write(e, or_level);
  }

  void spatial_distribution_body(Expr e) {
    const auto operands = ex_.children(e);
    const std::size_t n = (operands.size() - 5) / 2;
    out += "spatialDistribution(";
    for (std::size_t k = 0; k < 4; ++k) {
      write(operands[k], conditional);
      out += ", ";
    }
    for (std::size_t k = 0; k < 2 * n; ++k) {
      out += k == 0 ? "{" : k == n ? "}, {" : ", ";
      write(operands[5 + k], conditional);
    }
    out += "})";
  }

  void string_body(Expr e) {
    out += "String(";
    write(ex_.child(e, 0), conditional);
    const std::string& format = ex_.string_value(ex_.child(e, 4));
    if (!format.empty()) {
      out += ", format = " + print_string(format);
    } else {
      if (ex_.integer_value(ex_.child(e, 1)) != 0)
        out += fmt::format(", minimumLength = {}", ex_.integer_value(ex_.child(e, 1)));
      if (!ex_.payload(ex_.child(e, 2))) out += ", leftJustified = false";
      if (ex_.integer_value(ex_.child(e, 3)) != 6)
        out += fmt::format(", significantDigits = {}", ex_.integer_value(ex_.child(e, 3)));
    }
    out += ")";
  }

  const flat::Model& model_;
  const Expressions& ex_;
  NameStyle names_;
  bool mark_literal_;
  bool said_;           // in a message
  std::size_t limit_;   // nothing is begun behind it
  std::size_t room_;    // so many operands of chains are still gone down: a message shows no more of them, and chains stand in chains
};

bool is_identifier(std::string_view s) {
  if (s.empty() || std::isdigit(static_cast<unsigned char>(s.front()))) return false;
  if (s.front() == '\'') return true;
  for (char c : s)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

}  // namespace

TextTooLong::TextTooLong() : std::length_error("the text of this model is too long to be written: parts of its expressions stand in very many places") {}

std::string print_real(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string print_string(std::string_view value) {
  std::string text = "\"";
  for (char c : value) {
    switch (c) {
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      case '\n': text += "\\n"; break;
      case '\t': text += "\\t"; break;
      default: text += c;
    }
  }
  return text + "\"";
}

std::string print_name(const std::string& name, NameStyle style) {
  if (style == NameStyle::plain || is_identifier(name)) return name;
  // An array of scalars of the model itself is declared as an array.
  const std::size_t bracket = name.find('[');
  if (bracket != std::string::npos && is_identifier(std::string_view(name).substr(0, bracket)) &&
      name.find_first_not_of("0123456789,]", bracket + 1) == std::string::npos)
    return name;
  std::string quoted = "'";
  for (char c : name) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string print_expression(const flat::Model& model, Expr e, NameStyle names, bool mark_literal) {
  Printer p(model, names, mark_literal);
  p.write(e, conditional);
  return std::move(p.out);
}

namespace {
std::string cut_off(Printer& p, Expr e, std::size_t limit) {
  p.write(e, conditional);
  if (p.out.size() <= limit) return std::move(p.out);
  return p.out.substr(0, limit) + " ...";
}
}  // namespace

std::string print_brief(const flat::Model& model, Expr e) {
  std::string text;
  print_brief(model, e, text);
  return text;
}

void print_brief(const flat::Model& model, Expr e, std::string& text) {
  constexpr std::size_t limit = 200;
  Printer p(model, NameStyle::plain, false, limit);
  p.out.swap(text);
  p.out.clear();
  p.out.reserve(60);
  text = cut_off(p, e, limit);
}

std::string said_name(const flat::Model& model, VariableId v) {
  const flat::Variable& variable = model.variable(v);
  if (variable.meaning != Expr::none) return print_brief(model, variable.meaning);
  return variable.meaning_text.empty() ? variable.name : variable.meaning_text.text();
}

std::string print(const flat::Model& model, Expr e) {
  constexpr std::size_t limit = 1000;
  Printer p(model, NameStyle::plain, false, limit);
  return cut_off(p, e, limit);
}

std::string print_subscripts(const std::string& last_name, const std::string& at) {
  std::vector<std::size_t> sizes;
  for (std::size_t from = last_name.rfind('[') + 1; from < last_name.size(); from = last_name.find_first_of(",]", from) + 1)
    sizes.push_back(std::stoul(last_name.substr(from)));
  if (sizes.size() < 2) return at;
  std::string text;
  std::size_t row = 1;
  for (std::size_t d = sizes.size(); d-- > 0; row *= sizes[d]) {
    const std::string rows = row == 1 ? at + " - 1" : fmt::format("div({} - 1, {})", at, row);
    text = (d > 0 ? fmt::format("mod({}, {}) + 1", rows, sizes[d]) : rows + " + 1") + (text.empty() ? "" : ", ") + text;
  }
  return text;
}

}  // namespace mosim::compiler
