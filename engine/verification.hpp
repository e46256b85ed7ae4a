#pragma once
// Options::verify: a second witness of a run.

#include "compiler/analyse/dae.hpp"
#include "compiler/lower/lower.hpp"
#include "mosim/session.hpp"
#include "verify/verify.hpp"

namespace mosim::engine {

/// What a model was made from, and where its program holds that.
struct Equations {
  compiler::dae::System system;
  compiler::Layout layout;
};

/// Looks at the points of one run. The sources must outlive it.
class Witness {
public:
  Witness(const Equations& equations, const parser::Sources& sources) : system_(equations.system), verifier_(system_, equations.layout, sources) {}
  Witness(const Witness&) = delete;
  void look(const runtime::Machine& machine, verify::Moment moment) { verifier_.look(machine, moment); }
  /// After the last point.
  Verification report();

private:
  compiler::dae::System system_;   // gets expressions of the verifier's own
  verify::Verifier verifier_;
};

}  // namespace mosim::engine
