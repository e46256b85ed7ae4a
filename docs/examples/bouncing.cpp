// Simulates a ball of one's own, and tells of its impacts.
#include <cstdio>
#include <iostream>

#include "mosim/session.hpp"

int main() {
  mosim::Session session;
  session.read_text("Ball.mo", R"(
    model Ball "It loses a part of its speed at every impact"
      parameter Real e = 0.8;
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(h) = v;
      der(v) = -9.81;
      when h < 0 then
        reinit(v, -e*pre(v));
      end when;
    end Ball;
  )");
  const auto model = session.compile("Ball", {"e = 0.5"});
  for (const mosim::Diagnostic& d : session.diagnostics()) std::cerr << d.text;
  if (!model) return 1;

  const mosim::Result result = model->simulate({.stop = 1.2});
  for (const mosim::Event& event : result.events)
    for (const mosim::Fired& fired : event.fired)
      std::printf("%.6f s: when %s fires (line %u)\n", event.time, fired.text.c_str(), fired.place.line);
  std::printf("%zu values of h, the last is %.6f\n", result.column("h").size(), result.column("h").back());
}
