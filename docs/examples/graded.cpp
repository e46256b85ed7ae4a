// A ball that was handed in: is it the one that was asked for?
#include <iostream>

#include "mosim/lesson.hpp"

mosim::Result run(const std::string& e) {
  mosim::Session session;
  session.read("models/DiscreteBehavior/BouncingBall/BouncingBall.mo");
  const auto model = session.compile("DiscreteBehavior.BouncingBall.BouncingBall", {"e = " + e});
  return model->simulate({.stop = 3, .intervals = 2000});   // rows at the same instants
}

int main() {
  const mosim::Result asked = run("0.8"), given = run("0.7");
  for (const mosim::Answer& a : mosim::check(given, {{"count(h < 0) == 6", "it bounces six times"}, {"min(h) > -1e-3", "it stays above the floor"}}))
    std::cout << (a.holds ? "yes: " : "no: ") << a.check.words << (a.holds ? "" : ", but " + a.found) << "\n";
  for (const mosim::Compared& v : mosim::compare(asked, given).variables)
    std::cout << v.variable << (v.agrees ? " agrees" : " differs") << "\n";
}
