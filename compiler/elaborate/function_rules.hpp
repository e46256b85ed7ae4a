#pragma once
// Functions that a function names as its derivatives (MLS 12.7.1).

#include <utility>
#include <vector>

#include "compiler/elaborate/environment.hpp"
#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;

/// Is the derivative that it names another one than that of its algorithm (noDerivative), and is it not to be inlined? Its calls are then kept
/// until they are differentiated. Others, of frames of multibody systems say, are as good to differentiate inlined.
bool has_own_derivative(Instances& in, const Class* function);

/// Makes the functions that `function`, code number `id`, names in its `derivative` annotations into code as well, and notes them there.
/// `inputs` are its inputs by name. What cannot be used is left out without a word: then its statements are differentiated.
void add_derivative_rules(Instances& in, Class* function, FunctionId id, const std::vector<std::pair<Name, Value>>& inputs, const Environment& env);

}  // namespace mosim::compiler
