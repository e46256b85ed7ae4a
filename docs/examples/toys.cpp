// A package in memory, whose classes are asked for by name; a run that is verified, with rows that go to a file; and the model as bytes.
#include <cstdio>
#include <iostream>
#include <map>

#include "mosim/result_file.hpp"

const std::map<std::string, std::string> texts{
    {"Toys", "package Toys end Toys;"},
    {"Toys.Balls", "within Toys; package Balls constant Real g = 9.81; end Balls;"},
    {"Toys.Balls.Ball", R"(within Toys.Balls;
      model Ball
        Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      equation
        der(h) = v;
        der(v) = -g;
        when h < 0 then
          reinit(v, -0.8*pre(v));
        end when;
      end Ball;)"}};

std::optional<mosim::SourceText> text_of(const std::string& name) {
  const auto it = texts.find(name);
  if (it == texts.end()) return {};
  return mosim::SourceText{name + ".mo", it->second};
}

int main() {
  mosim::Session session({.source = text_of});
  const auto model = session.compile("Toys.Balls.Ball");
  for (const mosim::Diagnostic& d : session.diagnostics()) std::cerr << d.text;
  if (!model) return 1;
  std::cout << session.show("Toys.Balls.Ball", mosim::Stage::flat);

  mosim::ResultFile file(model, "ball.csv", {.results = {{"h"}}, .hybrid_time = true});
  const mosim::Result result = model->simulate({.stop = 1, .intervals = 4, .verify = true, .file = &file});
  if (file.error() != 0) std::cerr << file.problem() << '\n';
  std::printf("%zu rows, %zu equations looked at, %zu do not hold\n", std::size_t(result.row_count), result.verification->equations,
              result.verification->violated.size());

  // From these bytes another process has it, on another day.
  const auto again = mosim::Session().load("ball.mosim", model->write());
  if (again) std::printf("loaded: %s, %zu variables\n", again->name().c_str(), again->variables().size());
}
