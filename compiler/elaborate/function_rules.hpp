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

/// Does a function name a derivative that is another one than that of its algorithm (noDerivative), or an inverse?
enum class Named {
  nothing,             // or it is inlined at once
  kept,                // its calls stand until they are differentiated or solved for an argument
  kept_unless_of_signals,   // the same, but where it says that one signal is the derivative of another
  derivative_of_inlined,   // it may be inlined once it is differentiated
};
/// `of_time`: it is called with an argument that varies with time alone.
Named what_it_names(Instances& in, const Class* function, bool of_time);

/// `inlined` are the results of a call written out, `code` what the same call is as code. Where the function says that one signal is
/// the derivative of another - its rule hands over the derivative of time alone, which its algorithm makes nothing of, as
/// Modelica.Mechanics.Rotational.Sources.Move does - this is kept with the result. Others, of frames of multibody systems say, are as good
/// to differentiate as they are written out. False: there were others.
bool varies_with_time_alone(Instances& in, const Value& argument);
bool keep_derivatives(Instances& in, std::vector<Value>& inlined, const std::vector<Value>& code);
/// Do its relations make events where it is called in a place that makes events (MLS 12.9: GenerateEvents = true)?
bool generates_events(Instances& in, const Class* function);

/// Notes what `function`, code number `id`, with one scalar output, gives in its `inverse` annotations (MLS 12.8). What is wrong in one is
/// said, in a library it is left out.
void add_inverses(Instances& in, Class* function, FunctionId id, const std::vector<std::pair<Name, Value>>& inputs, Name output, const Value& value,
                  const Environment& env);

/// Makes the functions that `function`, code number `id`, names in its `derivative` annotations into code as well, and notes them there.
/// `inputs` are its inputs by name. What cannot be used is left out without a word: then its statements are differentiated.
void add_derivative_rules(Instances& in, Class* function, FunctionId id, const std::vector<std::pair<Name, Value>>& inputs, const Environment& env);

}  // namespace mosim::compiler
