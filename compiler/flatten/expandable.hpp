#pragma once
// Expandable connectors (MLS 9.1.3): what connections add to them, or make present in them.

namespace mosim::compiler {

struct Instances;

/// Completes all expandable connectors of the model, so that they can be connected like others. Errors: elements that
/// are declared nowhere, sizes that no connection gives. Does nothing for models without such connectors.
void augment_expandable_connectors(Instances& in);

}  // namespace mosim::compiler
