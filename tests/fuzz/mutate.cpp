#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <string_view>

namespace mosim::fuzz {

namespace {

constexpr std::size_t longest = 4000;   // tokens of an input

constexpr std::string_view numbers[] = {
    "0", "1", "2", "3", "-1", "0.5", "0.1", "1e-3", "10", "100", "1e3", "1e5", "1e-6", "1e-12", "1e-300", "1e300", "1e308",
    "1.7976931348623157e308", "5e-324", "2147483647", "2147483648", "9007199254740992", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "1e19", "-1e300", "3.14159", "7", "20", "0.0", "1e50", "-2147483648", "1e400"};

constexpr std::string_view signs[] = {"+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^", "<", "<=", ">", ">=", "==", "<>",
                                      "=", ":=", ",", ";", "(", ")", "[", "]", "{", "}", ":", ".", " and ", " or ", " not "};
constexpr std::string_view operators[] = {"+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^"};
constexpr std::string_view relations[] = {"<", "<=", ">", ">=", "==", "<>"};

constexpr std::string_view names[] = {
    "time", "Real", "Integer", "Boolean", "String", "Clock", "x", "y", "z", "n", "i", "M", "start", "fixed", "min", "max", "nominal", "unit",
    "stateSelect", "abs", "sqrt", "sin", "exp", "log", "pre", "edge", "change", "reinit", "sample", "hold", "previous", "noEvent",
    "smooth", "delay", "sum", "product", "fill", "zeros", "ones", "size", "ndims", "cat", "vector", "matrix", "scalar", "transpose",
    "identity", "diagonal", "linspace", "cross", "skew", "symmetric", "outerProduct", "floor", "ceil", "integer", "div", "mod", "rem", "sign",
    "terminal", "terminate", "homotopy", "semiLinear", "inStream", "actualStream", "cardinality", "subSample", "superSample",
    "shiftSample", "backSample", "noClock", "firstTick", "interval", "spatialDistribution", "getInstanceName", "StateSelect.prefer", "ModelicaServices"};

// X, Y: names of the text; N: a number.
constexpr std::string_view expressions[] = {
    "pre(X)", "der(X)", "der(der(X))", "noEvent(X)", "smooth(0, X)", "smooth(1, X)", "delay(X, 0.1)", "delay(X, Y, 1)", "delay(X, N)", "delay(time, 0.5*time, 2)",
    "sample(X, Clock(0.1))", "hold(sample(X, Clock(0.1)))", "sample(X)", "hold(X)", "previous(X)", "(if X > 0 then Y else -X)", "(if X then Y else N)",
    "{X, Y}", "{X, Y, N}", "[X, Y; Y, X]", "X[N]", "X[end]", "X[:]", "X[1:2]", "X[X]", "{Y for i in 1:3}", "sum(X)", "sum(i*X for i in 1:3)", "product({X, Y})", "(X)^2", "X^N", "X^Y", "X/Y",
    "sqrt(X)", "exp(X)", "log(X)", "sin(X)", "tan(X)", "asin(X)", "atan2(X, Y)", "homotopy(X, Y)", "String(X)", "integer(X)", "floor(X)", "div(X, Y)", "mod(X, Y)", "rem(X, N)",
    "edge(X)", "change(X)", "inStream(X)", "actualStream(X)", "semiLinear(X, Y, N)", "min(X, Y)", "max(X, Y)", "min({X, Y})", "cat(1, {X}, {Y})", "size(X, 1)", "size(X)", "ndims(X)", "fill(X, N)",
    "fill(X, 3)", "zeros(N)", "Clock(X)", "Clock(1, 10)", "Clock(X > 0)", "Clock(0.1)", "Clock(X, Y)", "subSample(X, 2)", "superSample(X, 2)", "shiftSample(X, 1, 2)", "backSample(X, 1, 2)", "noClock(X)", "interval(X)", "firstTick()", "initial()", "terminal()",
    "sample(0, 0.1)", "sample(N, N)", "sample(X, Y)", "spatialDistribution(X, Y, time, true, initialPoints = {0, 1}, initialValues = {0, 1})", "spatialDistribution(X, Y, X, X > 0, {0, 0.5, 1}, {0, N, 1})",
    "time", "not X", "(X and Y)", "(X or Y)", "X == Y", "X > Y", "X < N", "abs(X)", "sign(X)", "-X", "X + Y", "X - Y", "X*Y", "X.Y", ".X", "N:N", "1:N", "linspace(X, Y, N)", "transpose([X, Y])", "identity(N)", "cross(X, Y)", "getInstanceName()", "cardinality(X)",
    "\"a\" + String(X)", "X + X", "true", "false", "Integer(X)", "X(Y)", "X(Y = N)", "function X(Y = N)", "end", "0*X", "1e308*X", "X/0"};

constexpr std::string_view equations[] = {
    "X = Y;", "X = N;", "der(X) = Y;", "der(X) = -X;", "der(X) = N;", "der(X) = 1e50*X;", "X := Y;", "X := X + 1;", "0 = X - Y;", "X^2 + Y^2 = 1;", "X*Y = N;",
    "connect(X, Y);", "connect(X.p, Y.n);", "assert(X > 0, \"text \" + String(Y));", "assert(X < N, \"warned\", AssertionLevel.warning);", "terminate(\"done\");",
    "when X > N then reinit(X, -pre(X)); end when;", "when X > Y then Y = pre(Y) + 1; end when;", "when sample(0, 0.1) then X = pre(X) + 1; end when;", "when sample(N, N) then X = pre(X)*2; end when;",
    "when {initial(), X > 0} then Y = 1; elsewhen Y > N then Y = 2; end when;", "when Clock(0.1) then X = previous(X) + 1; end when;", "when Clock(X > 0) then Y = previous(Y) + 1; end when;", "when edge(X) then Y = N; end when;",
    "if X > 0 then Y = 1; else Y = 2; end if;", "if initial() then X = Y; end if;", "for i in 1:N loop X[i] = i*Y; end for;", "for i in 1:3 loop X = Y; end for;", "for i in 1:3, j in 1:i loop assert(X > i, \"n\"); end for;",
    "while X < N loop X := X + 1; end while;", "if X then break; end if;", "return;", "reinit(X, Y);", "(X, Y) = f(N);", "(X, , Y) := f(N);", "Connections.branch(X, Y);", "Connections.root(X);", "Connections.potentialRoot(X);", "initial equation X = N;", "algorithm X := Y;", "equation",
    "transition(X, Y, time > 0.5);", "initialState(X);", "s = pre(s) + pre(s);"};

constexpr std::string_view declarations[] = {
    "Real X;", "Real X(start = N, fixed = true);", "Real X[3](each start = N);", "Real X[N];", "Real X[:] = {1, 2, N};", "parameter Real X = N;", "parameter Integer X = N;", "constant Integer X = N;", "parameter Real X = Y;", "parameter Integer X[Y];", "final parameter Real X(fixed = false);",
    "Integer X(start = 0, fixed = true);", "Boolean X = Y > N;", "discrete Real X;", "String X = \"a\";", "String s(start = \"ab\");", "input Real X;", "output Real X = Y;", "flow Real X;", "stream Real X;", "inner Real X = N;", "outer Real X;", "replaceable Real X;", "Clock X = Clock(N);", "protected Real X;",
    "extends X;", "extends X(Y = N);", "extends X(redeclare Real Y);", "import X.Y;", "import X.*;", "import Y = X;", "model A Real X; equation X = time; end A;", "type A = Real(min = 0, unit = \"m\");", "type E = enumeration(a, b, c);", "E X(start = E.a);", "record R Real a; Integer b; end R;", "R X;", "R X(a = 1, b = N);", "connector C Real p; flow Real f; end C;", "C X;", "C X[N];",
    "function f input Real a; output Real b; algorithm b := a*a; end f;", "function f input Real a; output Real b; output Real c; algorithm b := a; c := N; end f;", "function f input Integer a; output Integer b; algorithm b := if a <= 0 then 0 else f(a - 1); end f;", "A X if Y;", "X Y;", "X Y(Z = N);", "M M;", "redeclare Real X = N;", "redeclare model A = X;", "replaceable model A = X constrainedby Y;", "block B input Real u; output Real y; equation y = u; end B;", "B X(u = Y);", "Real X = f(Y);", "expandable connector EC Real a; end EC;", "annotation (experiment(StopTime = N, Tolerance = N));", "partial model A end A;", "operator record O Real a; encapsulated operator 'constructor' function c input Real a; output O o; algorithm o.a := a; end c; end 'constructor'; end O;", "Real X(stateSelect = StateSelect.always);", "Real X(min = 0, max = N, nominal = N);"};

constexpr std::string_view prefixes[] = {"parameter", "constant", "discrete", "input", "output", "flow", "stream", "inner", "outer", "inner outer", "final", "each", "replaceable", "redeclare", "partial", "encapsulated", "protected", "initial", "pure", "impure", "expandable"};

struct Mutation {
  const std::vector<Seed>& corpus;
  Random& r;
  Tokens tokens;

  std::size_t anywhere() { return r.below(tokens.size()); }

  // A token of one kind; any if there is none near.
  std::size_t some(Kind kind) {
    const std::size_t from = anywhere();
    for (std::size_t k = 0; k < tokens.size(); ++k)
      if (tokens[(from + k) % tokens.size()].kind == kind) return (from + k) % tokens.size();
    return from;
  }
  std::string name() {
    const Token& t = tokens[some(Kind::name)];
    return t.kind == Kind::name && !r.one_in(8) ? t.text : std::string(r.one_of(names));
  }
  std::string number() { return std::string(r.one_of(numbers)); }

  std::string filled(std::string_view pattern) {
    std::string text;
    const std::string x = name(), y = name(), z = name();
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const auto word = [&](std::size_t at) { return at < pattern.size() && (std::isalnum(static_cast<unsigned char>(pattern[at])) || pattern[at] == '_'); };
      const bool alone = (k == 0 || !word(k - 1)) && !word(k + 1);
      const char c = pattern[k];
      text += !alone ? std::string(1, c) : c == 'X' ? x : c == 'Y' ? y : c == 'Z' ? z : c == 'N' ? number() : std::string(1, c);
    }
    return text;
  }

  void replace(Span span, const Tokens& by) {
    const auto first = tokens.begin() + std::ptrdiff_t(span.first);
    tokens.insert(tokens.erase(first, first + std::ptrdiff_t(span.size())), by.begin(), by.end());
  }
  void replace(Span span, const std::string& by) {
    Tokens made = tokens_of(by);
    if (!made.empty()) made.front().blank = " ";
    replace(span, made);
  }
  Tokens part(Span span) const {
    return {tokens.begin() + std::ptrdiff_t(span.first), tokens.begin() + std::ptrdiff_t(span.last)};
  }

  Span span_in(const Tokens& list, std::size_t at) {
    switch (r.below(6)) {
      case 0: return {at, std::min(at + 1, list.size())};
      case 1: return {at, std::min(at + 1 + r.below(6), list.size())};
      case 2: return group_at(list, at);
      case 3:
      case 4: return line_at(list, at);
      default: return block_at(list, at);
    }
  }
  Span some_span() { return span_in(tokens, anywhere()); }

  // An operand: a name with its dots and brackets, or a number, or a bracketed group.
  Span operand() {
    std::size_t at = r.one_in(3) ? some(Kind::number) : some(Kind::name);
    Span span{at, at + 1};
    while (span.last < tokens.size()) {
      if (tokens[span.last].text == "." && span.last + 1 < tokens.size()) span.last += 2;
      else if (tokens[span.last].text == "[" || tokens[span.last].text == "(") span.last = group_at(tokens, span.last).last;
      else break;
      if (span.size() > 60) break;
    }
    span.last = std::min(span.last, tokens.size());
    return span;
  }

  // Where a line may begin.
  std::size_t line_start() { return line_at(tokens, anywhere()).first; }

  void change_number() {
    const std::size_t at = some(Kind::number);
    if (tokens[at].kind == Kind::number) replace({at, at + 1}, number());
  }
  void change_name() {
    const std::size_t at = some(Kind::name);
    replace({at, at + 1}, name());
  }
  void rename_all() {
    const std::string from = name(), to = name();
    for (Token& t : tokens)
      if (t.kind == Kind::name && t.text == from) t.text = to;
  }
  void change_operator() {
    const std::size_t at = some(Kind::sign);
    const std::string& text = tokens[at].text;
    const auto is_in = [&](const auto& list) { return std::find(std::begin(list), std::end(list), text) != std::end(list); };
    if (is_in(operators)) tokens[at].text = r.one_of(operators);
    else if (is_in(relations)) tokens[at].text = r.one_of(relations);
    else if (r.one_in(4)) tokens[at].text = r.one_of(signs);
  }
  void change_keyword() {
    const std::size_t at = some(Kind::keyword), other = some(Kind::keyword);
    tokens[at].text = r.one_in(3) ? std::string(r.one_of(prefixes)) : tokens[other].text;
  }
  void drop() { replace(some_span(), Tokens{}); }
  void double_it() {
    const Span span = some_span();
    const Tokens copy = part(span);
    std::size_t times = r.one_in(12) ? 2 + r.below(40) : 1;
    while (times-- > 0 && tokens.size() < longest) replace({span.last, span.last}, copy);
  }
  void move_it() {
    const Span span = some_span();
    const Tokens copy = part(span);
    if (!r.one_in(3)) replace(span, Tokens{});
    const std::size_t at = r.one_in(2) ? anywhere() : (tokens.empty() ? 0 : line_start());
    replace({at, at}, copy);
  }
  void swap_tokens() {
    const std::size_t at = anywhere();
    if (at + 1 < tokens.size()) std::swap(tokens[at].text, tokens[at + 1].text);
  }
  void take_from_another() {
    const Seed& other = r.one_of(corpus);
    const Span span = span_in(other.tokens, r.below(other.tokens.size()));
    const Tokens copy(other.tokens.begin() + std::ptrdiff_t(span.first), other.tokens.begin() + std::ptrdiff_t(span.last));
    if (r.one_in(3)) {
      replace(some_span(), copy);
    } else {
      const std::size_t at = line_start();
      replace({at, at}, copy);
    }
  }
  void change_expression() { replace(operand(), filled(r.one_of(expressions))); }
  // X stands for the operand itself.
  void wrap() {
    const Span span = operand();
    const std::string inner = text_of(part(span));
    const std::string pattern(r.one_of(expressions));
    std::string text;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const auto word = [&](std::size_t at) { return at < pattern.size() && std::isalnum(static_cast<unsigned char>(pattern[at])); };
      const bool alone = (k == 0 || !word(k - 1)) && !word(k + 1);
      if (alone && pattern[k] == 'X') text += inner;
      else text += pattern[k];
    }
    replace(span, filled(text));
  }
  void nest() {
    const Span span = operand();
    std::string text = text_of(part(span));
    static constexpr std::string_view pairs[][2] = {{"(", ")"}, {"sin(", ")"}, {"{", "}"}, {"-(", ")"}, {"abs(", ")"}, {"x[", "]"}, {"(1+", ")"}, {"if true then ", " else 0"}};
    const auto& pair = r.one_of(pairs);
    for (std::size_t k = 1 + r.below(r.one_in(10) ? 150 : 8); k > 0; --k) text = std::string(pair[0]) + text + std::string(pair[1]);
    replace(span, text);
  }
  void enclose() {
    const Span span = r.one_in(3) ? block_at(tokens, anywhere()) : line_at(tokens, anywhere());
    static constexpr std::string_view around[][2] = {
        {"if X > N then", "end if;"}, {"if X then", "else X = Y; end if;"}, {"for i in 1:N loop", "end for;"}, {"for X in 1:2 loop", "end for;"}, {"when X > N then", "end when;"},
        {"when sample(0, N) then", "end when;"}, {"when Clock(N) then", "end when;"}, {"while X < N loop", "end while;"}, {"model A", "end A; A a;"}, {"initial equation", "equation"}, {"algorithm", "equation"}};
    const auto& pair = r.one_of(around);
    replace({span.last, span.last}, filled(pair[1]));
    replace({span.first, span.first}, filled(pair[0]));
  }
  void add_line() {
    const std::size_t at = line_start();
    replace({at, at}, filled(r.one_in(2) ? r.one_of(equations) : r.one_of(declarations)));
  }
  void add_prefix() {
    const std::size_t at = r.one_in(3) ? anywhere() : line_start();
    replace({at, at}, std::string(r.one_of(prefixes)));
  }
  void add_modification() {
    const std::size_t at = some(Kind::name);
    replace({at + 1, at + 1}, filled(r.one_in(3) ? "(X(Y = N))" : r.one_in(2) ? "(redeclare Real X = N)" : "(X = N, Y = Z)"));
  }
  void add_sign() {
    const std::size_t at = anywhere();
    replace({at, at}, std::string(r.one_of(signs)));
  }

  void apply() {
    switch (r.below(40)) {
      case 0: case 1: case 2: case 3: return change_number();
      case 4: case 5: case 6: return change_name();
      case 7: return rename_all();
      case 8: case 9: return change_operator();
      case 10: return change_keyword();
      case 11: case 12: return drop();
      case 13: case 14: return double_it();
      case 15: case 16: return move_it();
      case 17: return swap_tokens();
      case 18: case 19: case 20: return take_from_another();
      case 21: case 22: case 23: case 24: case 25: case 26: return change_expression();
      case 27: case 28: case 29: return wrap();
      case 30: return nest();
      case 31: case 32: return enclose();
      case 33: case 34: case 35: case 36: return add_line();
      case 37: return add_prefix();
      case 38: return add_modification();
      default: return add_sign();
    }
  }
};

}  // namespace

std::string make_input(const std::vector<Seed>& corpus, Random& random, const std::function<Worth(const std::string&)>& worth) {
  Mutation m{corpus, random, random.one_of(corpus).tokens};
  Worth before = worth(text_of(m.tokens));
  if (before == Worth::broken && !random.one_in(8)) {
    m.tokens = random.one_of(corpus).tokens;
    before = worth(text_of(m.tokens));
  }
  std::size_t count = 1;
  while (count < 16 && !random.one_in(4)) ++count;
  for (; count > 0 && !m.tokens.empty() && m.tokens.size() < longest; --count) {
    Tokens kept = m.tokens;
    m.apply();
    const Worth after = worth(text_of(m.tokens));
    if (after < before && !random.one_in(after == Worth::broken ? 60 : 6)) m.tokens = std::move(kept);
    else before = after;
  }
  return text_of(m.tokens);
}

}  // namespace mosim::fuzz
