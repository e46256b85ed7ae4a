// Stream connectors (MLS 15): what flows in where any number of connectors meet.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"
#include "rules_support.hpp"

using rules::contains;
using rules::Flattened;

namespace {

const std::string port = "connector Port Real p; flow Real m; stream Real h; end Port;\n"
                         "model Source Port c; parameter Real m = 0, h = 0; Real hin = inStream(c.h); equation c.m = -m; c.h = h; end Source;\n"
                         "model Sink Port c; parameter Real h = 0; Real hin = inStream(c.h); equation c.p = 0; c.h = h; end Sink;\n";

double last(const std::string& body, const std::string& name, double stop = 0.01) {
  const auto r = test::run(port + body, stop);
  BOOST_TEST((r.result.ending != mosim::runtime::Ending::failed), r.failures());
  return r.last(name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(what_flows_in_is_the_mixture_of_what_flows_out_of_the_others) {
  const std::string three = "Source a(m = 1, h = 10), b(m = 3, h = 20); Sink s(h = 5); equation connect(a.c, b.c); connect(b.c, s.c);";
  BOOST_TEST(std::abs(last(three, "s.hin") - (1 * 10 + 3 * 20) / 4.0) < 1e-12);
  // Into a flows what would come in, were it the one that takes: b alone flows out besides it.
  BOOST_TEST(std::abs(last(three, "a.hin") - 20) < 1e-12);
  const std::string reversed = "Source a(m = -1, h = 10), b(m = 3, h = 20); Sink s(h = 5); equation connect(a.c, b.c); connect(b.c, s.c);";
  BOOST_TEST(std::abs(last(reversed, "s.hin") - 20) < 1e-12);
  BOOST_TEST(std::abs(last(reversed, "a.hin") - 20) < 1e-12);
}

// Twenty sources of 1 ... 20 kg/s with 10, 20, ... J/kg: sums without the k-th term, worked out here.
BOOST_AUTO_TEST_CASE(in_a_large_set_it_is_the_same_mixture) {
  const std::string head = "parameter Real f[20]; Source a[20](m = f, h = {10*k for k in 1:20}); Sink s(h = 5); equation for k in 1:20 loop connect(a[k].c, s.c); end for;";
  const auto with = [&](const std::string& flows) { return test::run(port + std::string(head).replace(head.find("f[20]"), 5, "f[20] = " + flows), 0.01); };
  double flow = 0, carried = 0;
  for (int k = 1; k <= 20; ++k) flow += k, carried += 10.0 * k * k;
  const auto r = with("{k for k in 1:20}");
  BOOST_REQUIRE_MESSAGE(r.failures() == "", r.failures());
  BOOST_TEST(std::abs(r.last("s.hin") - carried / flow) < 1e-9);
  for (int k = 1; k <= 20; ++k)   // all others flow in; the sink takes
    BOOST_TEST(std::abs(r.last("a[" + std::to_string(k) + "].hin") - (carried - 10.0 * k * k) / (flow - k)) < 1e-9, k);
  // One of them takes: it brings nothing, and the others have all the rest.
  const auto taking = with("{if k == 7 then -3 else k for k in 1:20}");
  BOOST_TEST(std::abs(taking.last("s.hin") - (carried - 490) / (flow - 7)) < 1e-9);
  BOOST_TEST(std::abs(taking.last("a[7].hin") - (carried - 490) / (flow - 7)) < 1e-9);
  // Without any flow: the mean of the others; of nineteen sources and the sink for a source.
  const auto still = with("zeros(20)");
  BOOST_TEST(std::abs(still.last("s.hin") - 105) < 1e-9);
  BOOST_TEST(std::abs(still.last("a[1].hin") - (2100 - 10 + 5) / 20.0) < 1e-9);
}

BOOST_AUTO_TEST_CASE(without_any_flow_it_is_the_mean) {
  BOOST_TEST(std::abs(last("Source a(h = 10), b(h = 20); Sink s(h = 5); equation connect(a.c, b.c); connect(b.c, s.c);", "s.hin") - 15) < 1e-12);
}

BOOST_AUTO_TEST_CASE(between_flow_and_no_flow_it_is_continuous) {
  // The flow of a dies away linearly, that of b stays at zero: from 10 to the mean of 10 and 20.
  const auto r = test::run(port + "model Fade Port c; equation c.m = -1e-6*(1 - time); c.h = 10; end Fade; Fade a; Source b(h = 20); Sink s; equation connect(a.c, b.c); connect(b.c, s.c);", 1);
  BOOST_TEST(std::abs(r.first("s.hin") - 10) < 1e-9, r.failures());
  BOOST_TEST(std::abs(r.last("s.hin") - 15) < 1e-9);
  for (std::size_t k = 1; k < r.result.trajectory.rows(); ++k) BOOST_TEST(r.at(k, "s.hin") >= r.at(k - 1, "s.hin"));
}

BOOST_AUTO_TEST_CASE(flows_that_cannot_come_out_are_left_out) {
  const std::string one_way = "model OneWay Port c(m(min = 0)); equation c.m = 2; c.h = 99; end OneWay;";
  // Of three, one is the sink itself and one takes alone: what is left is carried as it is, without mixing.
  Flattened f(port + one_way + "model M Source a(m = 1, h = 10); OneWay o; Sink s; equation connect(a.c, o.c); connect(o.c, s.c); end M;");
  BOOST_TEST(f.value("s.hin") == 10, f.messages());
  // Where nothing can come in, it is what would flow out.
  Flattened g(port + one_way + "model M OneWay a, o; Sink s(h = 7); equation connect(a.c, o.c); connect(o.c, s.c); end M;");
  BOOST_TEST(g.value("s.hin") == 7, g.messages());
}

BOOST_AUTO_TEST_CASE(through_the_connectors_of_a_component_it_is_the_level_above) {
  const std::string wrapped = "model Two Port c; Source a(m = 1, h = 10), b(m = 3, h = 20); equation connect(a.c, c); connect(b.c, c); end Two;"
                              "model Wrap Port c; Two t; equation connect(t.c, c); end Wrap; Wrap w; ";
  BOOST_TEST(std::abs(last(wrapped + "Sink s(h = 5); equation connect(w.c, s.c);", "s.hin") - 17.5) < 1e-12);
  BOOST_TEST(std::abs(last(wrapped + "Sink s(h = 5); equation connect(w.c, s.c);", "w.c.h") - 17.5) < 1e-12);
  // Into a: b alone, for the sink takes.
  BOOST_TEST(std::abs(last(wrapped + "Sink s(h = 5); equation connect(w.c, s.c);", "w.t.a.hin") - 20) < 1e-12);
  const std::string taking = "model Two Port c; Source a(m = -1, h = 10), b(m = -3, h = 20); equation connect(a.c, c); connect(b.c, c); end Two; Two t; Sink s(h = 5); equation connect(t.c, s.c);";
  BOOST_TEST(std::abs(last(taking, "t.a.hin") - 5) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_pipe_between_two_connectors_hands_both_directions_on) {
  const std::string pipe = "model Pipe Port a, b; equation connect(a, b); end Pipe;";
  const std::string line = pipe + "Source a(m = 1, h = 10); Pipe p, q; Sink s(h = 5); equation connect(a.c, p.a); connect(p.b, q.b); connect(q.a, s.c);";
  BOOST_TEST(last(line, "s.hin") == 10);
  BOOST_TEST(last(line, "a.hin") == 5);
}

BOOST_AUTO_TEST_CASE(energy_is_kept_when_flows_reverse) {
  // Three tanks around one point: levels swing, the flows reverse, and the energy of all together stays.
  const std::string tanks =
      "model Tank Port c; parameter Real v0 = 1, h0 = 1; Real v(start = v0, fixed = true), u(start = v0*h0, fixed = true);\n"
      "equation der(v) = c.m; der(u) = c.m*actualStream(c.h); c.h = u/v; c.m = c.p - v + 2*sin(3*time + v0); end Tank;\n"
      "Tank a(v0 = 3, h0 = 10), b(v0 = 4, h0 = 20), d(v0 = 5, h0 = 30); Real total = a.u + b.u + d.u; Real volume = a.v + b.v + d.v;\n"
      "equation connect(a.c, b.c); connect(b.c, d.c);";
  const auto r = test::run(port + tanks, 5);
  BOOST_TEST((r.result.ending != mosim::runtime::Ending::failed), r.failures());
  bool in = false, out = false;
  for (std::size_t k = 0; k < r.result.trajectory.rows(); ++k) {
    BOOST_TEST(std::abs(r.at(k, "total") - (30 + 80 + 150)) < 1e-5);
    BOOST_TEST(std::abs(r.at(k, "volume") - 12) < 1e-6);
    in |= r.at(k, "b.c.m") > 0.1;
    out |= r.at(k, "b.c.m") < -0.1;
    // What is mixed lies between what is mixed.
    for (const char* h : {"a.c.h", "b.c.h", "d.c.h"}) BOOST_TEST((r.at(k, h) > 9.99 && r.at(k, h) < 30.01));
  }
  BOOST_TEST(in);
  BOOST_TEST(out);
}

BOOST_AUTO_TEST_CASE(arrays_of_stream_variables_and_of_connectors) {
  const std::string many = "connector Q Real p; flow Real m; stream Real x[2]; end Q; model S Q c; parameter Real m = 0; parameter Real x[2]; Real xin[2] = inStream(c.x); equation c.m = -m; c.x = x; end S;"
                           "model T Q c[3]; Real xin[3, 2] = inStream(c.x); equation c[1].p = 0; c[1].p = c[2].p; c[2].p = c[3].p; c.x = fill(0, 3, 2); end T;";
  const auto r = test::run(port + many + "S a(m = 1, x = {1, 2}), b(m = 1, x = {3, 4}), d(m = 5, x = {5, 6}); T t; equation connect(a.c, t.c[1]); connect(b.c, a.c); connect(d.c, t.c[2]);", 0.01);
  BOOST_TEST(r.last("t.xin[1,1]") == 2, r.failures());
  BOOST_TEST(r.last("t.xin[1,2]") == 3);
  BOOST_TEST(r.last("t.xin[2,2]") == 6);
  BOOST_TEST(r.last("t.xin[3,1]") == 0);
  BOOST_TEST(r.last("d.xin[1]") == 0);
}

BOOST_AUTO_TEST_CASE(values_of_records_and_open_arrays_may_ask_too) {
  const std::string state = "record State Real h; Real t; end State; function state input Real h; output State s; algorithm s.h := h; s.t := h/2; end state;"
                            "model A Port c; State s = state(inStream(c.h)); Real v[:] = {inStream(c.h), 1}; equation c.p = 0; c.h = 0; end A;";
  Flattened f(port + state + "model M A a; Source b(m = 1, h = 10); equation connect(a.c, b.c); end M;");
  BOOST_TEST(f.value("a.s.t") == 5, f.messages());
  BOOST_TEST(f.value("a.v[1]") == 10);
}

BOOST_AUTO_TEST_CASE(what_is_no_stream_has_none) {
  const auto with = [](const std::string& body) { return rules::messages(port + "model M Source a; Sink b; " + body + " equation connect(a.c, b.c); end M;"); };
  BOOST_TEST(contains(with("Real x = inStream(a.c.p);"), "inStream needs a stream variable, and a.c.p is a potential variable"));
  BOOST_TEST(contains(with("Real x = inStream(2*a.c.h);"), "inStream needs a stream variable, not an expression"));
  BOOST_TEST(contains(with("function f output Real y = inStream(1); end f; Real x = f();"), "inStream cannot stand in a function"));
  BOOST_TEST(contains(with("parameter Real x = inStream(a.c.h);"), "varies with time"));
}

BOOST_AUTO_TEST_SUITE_END()
