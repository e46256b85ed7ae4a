#include "engine/verification.hpp"

namespace mosim::engine {

Verification Witness::report() {
  const auto residual_of = [](const verify::Finding& f) {
    Residual r;
    r.equation = f.text;
    r.place.file = f.path;
    r.place.line = f.line;
    r.time = f.time;
    r.difference = f.residual;
    r.size = f.size;
    return r;
  };
  const verify::Report found = verifier_.report();
  Verification result;
  result.equations = found.equations;
  result.rows = found.rows;
  if (!found.worst.text.empty()) result.worst = residual_of(found.worst);
  for (const verify::Finding& f : found.violated) result.violated.push_back(residual_of(f));
  result.unchecked.assign(found.unchecked.begin(), found.unchecked.end());
  return result;
}

}  // namespace mosim::engine
