#pragma once
// Programs that several tests run.

#include "builder.hpp"

namespace mosim::test {

/// der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -e*pre(v)).
inline Program bouncing_ball(double e = 0.8, double h0 = 1) {
  Builder b;
  b.states({"h", "v"});
  const Slot g = b.number(-9.81), minus_e = b.number(-e), start = b.number(h0);
  const Slot pre_v = b.pre_of(b.x(1));
  Slot pre_c = 0;
  const Slot c = b.discrete("", pre_c);
  const Slot fired = b.slot();
  const Index r = b.relation(Comparison::less, "h < 0");
  b.p.reinits.push_back({1, none});
  b.p.whens.push_back({fired, {{c, pre_c, none}}, none});
  b.depends(0, 1);
  const auto flow = [&] {
    b.emit_to(b.dx(0), Opcode::move, b.x(1));
    b.emit_to(b.dx(1), Opcode::move, g);
  };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(0), Opcode::move, start);
    b.emit_to(b.x(1), Opcode::move, slot_zero);
    flow();
    b.emit_to(c, Opcode::relation, b.x(0), slot_zero, r);
  });
  b.p.derivatives = b.code(flow);
  b.p.event = b.code([&] {
    flow();
    b.emit_to(c, Opcode::relation, b.x(0), slot_zero, r);
    b.emit_to(fired, Opcode::move, b.edge(c, pre_c));
    b.when(fired, [&] { b.emit_to(0, Opcode::reinit, b.emit(Opcode::multiply, minus_e, pre_v), 0, 0); });
  });
  b.p.crossings = b.code([&] { b.emit_to(c, Opcode::relation, b.x(0), slot_zero, r); });
  return b.p;
}

/// h as above, and when {h < 0, h < -eps} then done := h < -eps; reinit(v, if done then 0 else -e*pre(v)).
/// der(v) = if done then 0 else g.
inline Program stable_ball(double e = 0.8, double eps = 1e-3) {
  Builder b;
  b.states({"h", "v"});
  const Slot g = b.number(-9.81), minus_e = b.number(-e), minus_eps = b.number(-eps), one = b.number(1);
  const Slot pre_v = b.pre_of(b.x(1));
  Slot pre_c1 = 0, pre_c2 = 0, pre_done = 0;
  const Slot c1 = b.discrete("", pre_c1), c2 = b.discrete("", pre_c2);
  const Slot done = b.discrete("done", pre_done, 0, Type::boolean);
  const Slot fired = b.slot(), value = b.slot();
  const Index r1 = b.relation(Comparison::less, "h < 0"), r2 = b.relation(Comparison::less, "h < -eps");
  b.p.reinits.push_back({1, none});
  b.p.whens.push_back({fired, {{c1, pre_c1, none}, {c2, pre_c2, none}}, none});
  b.depends(0, 1);
  const auto flow = [&] {
    b.emit_to(b.dx(0), Opcode::move, b.x(1));
    b.emit_to(b.dx(1), Opcode::move, g);
    b.when(done, [&] { b.emit_to(b.dx(1), Opcode::move, slot_zero); });
  };
  const auto conditions = [&] {
    b.emit_to(c1, Opcode::relation, b.x(0), slot_zero, r1);
    b.emit_to(c2, Opcode::relation, b.x(0), minus_eps, r2);
  };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(0), Opcode::move, one);
    b.emit_to(b.x(1), Opcode::move, slot_zero);
    flow();
    conditions();
  });
  b.p.derivatives = b.code(flow);
  b.p.event = b.code([&] {
    conditions();
    b.emit_to(fired, Opcode::move, b.emit(Opcode::or_, b.edge(c1, pre_c1), b.edge(c2, pre_c2)));
    b.emit_to(done, Opcode::move, pre_done);
    b.when(fired, [&] {
      b.emit_to(done, Opcode::move, c2);
      b.emit_to(value, Opcode::multiply, minus_e, pre_v);
      b.when(done, [&] { b.emit_to(value, Opcode::move, slot_zero); });
      b.emit_to(0, Opcode::reinit, value, 0, 0);
    });
    flow();
  });
  b.p.crossings = b.code(conditions);
  return b.p;
}

/// der(x) = if x >= 1 then -1 else 1, x(0) = 2: slides along x = 1 from time 1 on.
inline Program sliding() {
  Builder b;
  b.states({"x"});
  const Slot two = b.number(2), minus = b.number(-1), c = b.slot();
  const Index r = b.relation(Comparison::greater_equal, "x >= 1");
  const auto flow = [&] {
    b.emit_to(c, Opcode::relation, b.x(), slot_one, r);
    b.emit_to(b.dx(), Opcode::move, slot_one);
    b.when(c, [&] { b.emit_to(b.dx(), Opcode::move, minus); });
  };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(), Opcode::move, two);
    flow();
  });
  b.p.derivatives = b.p.event = b.p.crossings = b.code(flow);
  return b.p;
}

}  // namespace mosim::test
