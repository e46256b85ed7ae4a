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

/// Is the derivative that a function names another one than that of its algorithm (noDerivative)?
enum class OwnDerivative {
  none,         // no, or it is inlined at once
  of_code,      // its calls are kept until they are differentiated
  of_inlined,   // it may be inlined once it is differentiated
};
OwnDerivative own_derivative(Instances& in, const Class* function);

/// `inlined` are the results of a call written out, `code` what the same call is as code. Where the function says that one signal is
/// the derivative of another - its rule hands over the derivative of time alone, which its algorithm makes nothing of, as
/// Modelica.Mechanics.Rotational.Sources.Move does - this is kept with the result. Others, of frames of multibody systems say, are as good
/// to differentiate as they are written out.
bool varies_with_time_alone(Instances& in, const Value& argument);
void keep_derivatives(Instances& in, std::vector<Value>& inlined, const std::vector<Value>& code);

/// Makes the functions that `function`, code number `id`, names in its `derivative` annotations into code as well, and notes them there.
/// `inputs` are its inputs by name. What cannot be used is left out without a word: then its statements are differentiated.
void add_derivative_rules(Instances& in, Class* function, FunctionId id, const std::vector<std::pair<Name, Value>>& inputs, const Environment& env);

}  // namespace mosim::compiler
