#pragma once

namespace mosim::compiler::dae {

struct Analysis;

/// Warns of derivatives of what changes at events alone, and of second derivatives of what is just continuous (MLS 3.7.4):
/// they leave out the jumps. Looks at the flat equations, once the clocks are known.
void warn_of_jumping_derivatives(Analysis& a);

}  // namespace mosim::compiler::dae
