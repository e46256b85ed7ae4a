// A heater that a program switches: inputs are set, and variables read, while the run goes on.
#include <cstdio>
#include <iostream>

#include "mosim/session.hpp"

int main() {
  mosim::Session session;
  session.read_text("Room.mo", R"(
    model Room
      input Boolean on(start = false);
      Real T(start = 15, fixed = true) "degC";
      Integer switched(start = 0, fixed = true);
    equation
      der(T) = (if on then 1.2 else 0) - 0.05*(T - 10);
      when on then
        switched = pre(switched) + 1;
      end when;
    end Room;
  )");
  const auto model = session.compile("Room");
  for (const mosim::Diagnostic& d : session.diagnostics()) std::cerr << d.text;
  if (!model) return 1;

  mosim::Run run = model->start({.stop = 60});
  for (int minute = 0; run.goes_on(); ++minute) {
    const double temperature = run.get("T");
    if (temperature < 20) run.set("on", true);
    if (temperature > 22) run.set("on", false);
    run.advance_to(minute + 1);
  }
  std::printf("T = %.4f, switched on %g times\n", run.get("T"), run.get("switched"));
  std::printf("%zu events\n", run.finish().events.size());
}
