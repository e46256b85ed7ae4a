#pragma once
// A run that is carried on piece by piece; simulate() is all of its pieces.

#include <memory>
#include <span>
#include <utility>

#include "runtime/simulate.hpp"

namespace mosim::runtime {

class Simulation {
public:
  /// Initialises at Options::start, events at that instant included. The program, and what the options point to, have to outlive it.
  Simulation(const Program& program, Options options);
  ~Simulation();
  Simulation(const Simulation&) = delete;

  double time() const;   // s
  /// False: it has come to its end, whichever that is; see finish().
  bool goes_on() const;
  /// One step of the integrator, not beyond `until`, and the event instant that it leads to. Returns goes_on(). Nothing happens where the
  /// run is there already.
  bool step(double until);
  /// Steps up to an instant, events there included.
  bool advance(double until);
  /// The value of a variable (in Program::variables) now. NaN where nothing gives it one, after a failed initialisation.
  double value(Index variable);
  /// Whether set() takes it: inputs that follow no signal, and states where they are not chosen during the run.
  bool can_set(Index variable) const;
  /// An event at which these variables get these values; when-clauses may fire, and the integrator starts anew. Returns goes_on().
  bool set(std::span<const std::pair<Index, double>> values);
  /// It has failed, or was interrupted.
  bool has_failed() const;
  /// The machine that runs, for those who know it: what they change is theirs to put right. Consistent as after value().
  Machine& machine();
  const Machine& machine() const;
  /// What simulate() returns, of a run that ends here. To be called once, last.
  Result finish();

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosim::runtime
