#pragma once
// Stage "flatten": instance tree -> flat model.

namespace mosim::compiler {

struct Instances;

/// Fills in.model from in.root.
bool flatten_model(Instances& in);

}  // namespace mosim::compiler
