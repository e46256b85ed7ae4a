// The work of the compiler grows with the size of the model, not with its square: counted in instructions of the processor, which are
// the same whatever else the machine does. Where it does not count them (some virtual machines), nothing is tested.

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "tests/compiler/rules_support.hpp"

using namespace rules;

namespace {

std::string number(int k) { return std::to_string(k); }

template <class Line>
std::string lines(int first, int last, Line line, const char* separator = "\n") {
  std::string text;
  for (int k = first; k <= last; ++k) text += line(k) + separator;
  return text;
}

/// Instructions of this process, threads that it starts included; 0: they cannot be counted.
class Counter {
public:
  Counter() {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    attributes.inherit = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  }
  ~Counter() {
    if (file_ >= 0) close(file_);
  }
  Counter(const Counter&) = delete;
  double count() const {
    std::uint64_t value = 0;
    return file_ >= 0 && read(file_, &value, sizeof value) == sizeof value ? double(value) : 0;
  }

private:
  int file_ = -1;
};

double work_of(const std::string& text, bool valid) {
  const Counter counter;
  Flattened flattened(text);
  (void)flattened.compilation->program();
  const std::string said = flattened.messages();
  BOOST_TEST(parser::has_errors(flattened.diagnostics) != valid, text.substr(0, 200) << "\n" << said.substr(0, 400));
  return counter.count();
}

/// text(n) for n and eight times as many: the work grows by a power of n below 1.3.
template <class Text>
void check_growth(const char* what, Text text, bool valid = true, int n = 500) {
  const double small = work_of(text(n), valid), large = work_of(text(8 * n), valid);
  if (small == 0) {
    BOOST_TEST_MESSAGE(what << ": not measured, this machine does not count instructions");
    return;
  }
  const double exponent = std::log(large / small) / std::log(8.0);
  BOOST_TEST(exponent < 1.3, what << ": the work grows with n to the power " << exponent);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(growth)

BOOST_AUTO_TEST_CASE(of_classes) {
  check_growth("extends in one class", [](int n) {
    return lines(1, n, [](int k) { return "model A" + number(k) + " Real x" + number(k) + " = time; end A" + number(k) + ";"; }) + "model M\n" +
           lines(1, n, [](int k) { return "extends A" + number(k) + ";"; }) + "end M;";
  });
  check_growth("a chain of extends", [](int n) {
    return "model M0 Real x = time; end M0;\n" +
           lines(1, n, [](int k) { return "model M" + number(k) + " extends M" + number(k - 1) + "; end M" + number(k) + ";"; }) + "model M extends M" + number(n) +
           "; end M;";
  });
  check_growth("a chain of redeclarations", [](int n) {
    return "model A Real x = time; end A;\nmodel B0 replaceable model T = A; T t; end B0;\n" +
           lines(1, n, [](int k) {
             return "model B" + number(k) + " extends B" + number(k - 1) + "(redeclare replaceable model T = A); end B" + number(k) + ";";
           }) +
           "model M extends B" + number(n) + "; end M;";
  });
  check_growth("conditions in a chain", [](int n) {
    return "model A Real x = time; end A;\nmodel M\nparameter Boolean b0 = true;\n" +
           lines(1, n, [](int k) { return "parameter Boolean b" + number(k) + " = not b" + number(k - 1) + "; A a" + number(k) + " if b" + number(k) + ";"; }) + "end M;";
  });
  check_growth("literals of an enumeration", [](int n) {
    return "type E = enumeration(" + lines(1, n - 1, [](int k) { return "l" + number(k); }, ",\n") + "l" + number(n) + ");\nmodel M\n" +
           lines(1, n, [](int k) { return "parameter Boolean b" + number(k) + " = E.l" + number(k) + " == E.l1;"; }) + "end M;";
  });
  check_growth("a record of many elements", [](int n) {
    return "record R\n" + lines(1, n, [](int k) { return "Real x" + number(k) + ";"; }) + "end R;\nmodel M R r(" +
           lines(1, n - 1, [](int k) { return "x" + number(k) + " = time"; }, ",\n") + "x" + number(n) + " = time); R q = r; end M;";
  });
}

BOOST_AUTO_TEST_CASE(of_modifications) {
  const auto with_parameters = [](int n) { return "model A\n" + lines(1, n, [](int k) { return "parameter Real p" + number(k) + " = 0;"; }) + "end A;\nmodel M "; };
  const auto values = [](int n) { return "A(" + lines(1, n - 1, [](int k) { return "p" + number(k) + " = " + number(k); }, ",\n") + "p" + number(n) + " = 0)"; };
  check_growth("of one base class", [&](int n) { return with_parameters(n) + "extends " + values(n) + "; Real x = time; end M;"; }, true, 2000);
  check_growth("of one component", [&](int n) {
    std::string text = values(n);
    return with_parameters(n) + "A a" + text.substr(1) + "; Real x = time; end M;";
  }, true, 2000);
}

BOOST_AUTO_TEST_CASE(of_errors) {
  check_growth("unknown names", [](int n) { return "model M\n" + lines(1, n, [](int k) { return "Real x" + number(k) + " = y" + number(k) + ";"; }) + "end M;"; },
               false, 2000);
  check_growth("unknown names on one line",
               [](int n) { return "model M " + lines(1, n, [](int k) { return "Real x" + number(k) + " = y" + number(k) + ";"; }, " ") + "end M;"; }, false, 2000);
  check_growth("values of another type", [](int n) { return "model M\n" + lines(1, n, [](int k) { return "Real x" + number(k) + " = true;"; }) + "end M;"; }, false);
}

BOOST_AUTO_TEST_CASE(of_equations) {
  check_growth("operators on constants, one in the other", [](int n) {
    return "function f input Integer x; output Integer s; algorithm s := x;\n" + lines(1, n, [](int k) { return "s := max(s, " + number(k) + ") + 1;"; }) +
           "annotation(Inline = true); end f;\nmodel M constant Integer c = 2; Integer y = f(c) + integer(time); end M;";
  }, true, 1000);
  check_growth("a sum of what has equations of its own", [](int n) {
    return "model M Integer k[" + number(n) + "](each start = 1, each fixed = true), s; equation for i in 1:" + number(n) +
           " loop k[i] = if time > i then pre(k[i]) + 1 else pre(k[i]); end for; s = sum(pre(k[i]) for i in 1:" + number(n) + "); end M;";
  }, true, 2000);
  check_growth("reinits", [](int n) {
    return "model M Real x(start = 0, fixed = true); equation der(x) = 1; when time > 1 then reinit(x, 0);\n" +
           lines(2, n, [](int k) { return "elsewhen time > " + number(k) + " then reinit(x, " + number(k) + ");"; }) + "end when; end M;";
  }, true, 2000);
  for (const char* kind : {"parameter", "constant"})
    check_growth("partial sums of Integers", [&](int n) { return "model M " + std::string(kind) + " Integer v[:] = 1:" + number(n) + "; Real y = sum(v)*time; end M;"; }, true, 2000);
  // Numbers that differ in their last bits alone, as times in milliseconds and small disturbances do.
  check_growth("numbers beside each other", [](int n) { return "model M Real x[" + number(n) + "]; equation for i in 1:" + number(n) + " loop x[i] = time*(293.15 + i*1e-12); end for; end M;"; }, true, 2000);
  check_growth("products of all pairs", [](int n) {
    const std::string k = number(int(std::sqrt(n)));
    return "model M Real x[" + k + "], z[" + k + ", " + k + "]; equation for i in 1:" + k + " loop x[i] = i*time; for j in 1:" + k + " loop z[i, j] = x[i]*x[j]; end for; end for; end M;";
  }, true, 1000);
  check_growth("all on one line", [](int n) { return "model M " + lines(1, n, [](int k) { return "Real x" + number(k) + " = time*" + number(k) + ";"; }, " ") + "end M;"; });
  check_growth("elsewhen", [](int n) {
    return "model M Integer k(start = 0, fixed = true); equation when time > 0.5 then k = 1;\n" +
           lines(1, n, [](int k) { return "elsewhen time > " + number(k) + " then k = " + number(k) + ";"; }) + "end when; end M;";
  });
  check_growth("when-clauses", [](int n) {
    return "model M\n" + lines(1, n, [](int k) { return "Integer k" + number(k) + "(start = 0, fixed = true);"; }) + "equation\n" +
           lines(1, n, [](int k) { return "when sample(0, " + number(k) + ") then k" + number(k) + " = pre(k" + number(k) + ") + 1; end when;"; }) + "end M;";
  });
  check_growth("clocks", [](int n) {
    return "model M\n" + lines(1, n, [](int k) { return "Real k" + number(k) + "(start = 0);"; }) + "equation\n" +
           lines(1, n, [](int k) { return "when Clock(" + number(k) + ", 1) then k" + number(k) + " = previous(k" + number(k) + ") + 1; end when;"; }) + "end M;";
  });
  check_growth("inStream in one large set", [](int n) {
    return "connector P Real p; flow Real m; stream Real h; end P;\nmodel R P p; Real h; equation p.m = p.p - 1; p.h = 2; h = inStream(p.h); end R;\n"
           "model B P p; equation p.p = 2 + time; p.h = 3; end B;\nmodel M R r[" + number(n) + "]; B b; equation for k in 1:" + number(n) + " loop connect(r[k].p, b.p); end for; end M;";
  });
  check_growth("variables of one enumeration", [](int n) {
    return "type E = enumeration(" + lines(1, n - 1, [](int k) { return "l" + number(k); }, ",\n") + "l" + number(n) + ");\nmodel M\n" +
           lines(1, n, [](int k) { return "E x" + number(k) + " = E.l" + number(k) + ";"; }) + "end M;";
  });
  check_growth("what parameters give, against the order of the text", [](int n) {
    return "model M parameter Real p = 2; Real x(start = 1, fixed = true), y, u; Real v[" + number(n) + "]; equation der(x) = u; der(y) = time - u; x = v[1]*y;\n"
           "for i in 1:" + number(n - 1) + " loop v[i] = v[i + 1]*p; end for; v[" + number(n) + "] = p; end M;";
  });
  check_growth("a product", [](int n) { return "model M Real x[" + number(n) + "] = {time + i for i in 1:" + number(n) + "}; Real y = product(x); end M;"; });
  check_growth("assignments", [](int n) { return "model M Real y; algorithm y := time;\n" + lines(1, n, [](int) { return std::string("y := y + 1;"); }) + "end M;"; });
}

// Room is counted in what is made and looked at, copies too: each round makes a longer array, and a sum that is not folded is longer
// in each.
BOOST_AUTO_TEST_CASE(of_loops_without_an_end) {
  std::string sum = "2";
  for (int k = 0; k < 140; ++k) sum = "(1 + " + sum + ")";
  for (const std::string& step : {std::string("2"), sum}) {
    Flattened flattened("function f output Integer k[:]; protected Integer i = 1; algorithm k := fill(0, 0); while sin(i) <= 2 loop k := cat(1, k, {i}); i := i + " + step +
                        "; end while; end f; model M parameter Integer k[:] = f(); Real x[size(k, 1)] = k*time; end M;");
    const std::string said = flattened.messages();
    BOOST_TEST(said.find("f takes too many steps here to be carried out before the run") != std::string::npos, said);
  }
}

// What stands twice in a divisor is evaluated once there, too.
BOOST_AUTO_TEST_CASE(of_divisors) {
  const auto size = [](int n) {
    Flattened flattened("function f input Real x; output Real y; protected Real e; algorithm e := exp(x);" + lines(1, n, [](int) { return std::string(" e := e + e;"); }, "") +
                        " y := 2/(1 + e); end f; model M Real y = f(time); end M;");
    return flattened.compilation->program()->code.size();
  };
  const std::size_t small = size(10), large = size(40);
  BOOST_TEST(large - small <= 30u*4, large << " " << small);   // sections that have it
}

// A size that asks for the sizes before it is answered from an array that would have them.
BOOST_AUTO_TEST_CASE(of_sizes_that_ask_for_each_other) {
  for (const std::string size : {"2147483648", "3000000000, 3000000000, 3000000000"}) {
    Flattened flattened("model M parameter Real E[" + size + ", size(E, 1) + 1] = [1, 2, 3; 4, 5, 6]; end M;");
    BOOST_TEST(!flattened.model);
    BOOST_TEST(flattened.messages().find("the model becomes too large here") != std::string::npos, flattened.messages());
  }
}

BOOST_AUTO_TEST_SUITE_END()
