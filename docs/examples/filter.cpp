// A filter, compiled once: other parameters, an input that follows a function, and a run that is saved and gone on with twice.
#include <cmath>
#include <cstdio>
#include <iostream>

#include "mosim/session.hpp"

double wave_at(double time) { return std::sin(time); }

int main() {
  mosim::Session session;
  session.read_text("Filter.mo", R"(
    model Filter
      input Real u;
      parameter Real T(unit = "s") = 1;
      Real y(start = 0, fixed = true);
      Integer peaks(start = 0, fixed = true);
    equation
      T*der(y) = u - y;
      when y > 0.2 then
        peaks = pre(peaks) + 1;
      end when;
    end Filter;
  )");
  const auto model = session.compile("Filter");
  for (const mosim::Diagnostic& d : session.diagnostics()) std::cerr << d.text;
  if (!model) return 1;

  const mosim::Input wave{.variable = "u", .function = wave_at};
  for (const double T : {0.5, 2.0, 8.0}) {
    const mosim::Result result = model->simulate({.stop = 20, .set = {{"T", T}}, .inputs = {wave}});
    std::printf("T = %g: y = %.4f, above 0.2 %g times\n", T, result.column("y").back(), result.column("peaks").back());
  }
  std::cout << model->refusal("T", 0) << '\n';

  // A step at 1 s, and from 2 s on either as it was or with another input.
  mosim::Run run = model->start({.stop = 4});
  run.advance_to(1);
  run.set("u", 1);
  run.advance_to(2);
  const std::string saved = run.save();
  for (const double u : {1.0, -1.0}) {
    mosim::Run branch = model->restore(saved);
    branch.set("u", u);
    branch.advance_to(4);
    std::printf("u = %g from %g s on: y = %.4f\n", u, 2.0, branch.get("y"));
  }
}
