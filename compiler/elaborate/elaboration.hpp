#pragma once
// What elaboration keeps from one expression of a compilation to the next.

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/value.hpp"
#include "foreign/process.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
class KnownConnections;
class KnownStateMachines;
struct FunctionCodes;

struct Elaboration {
  bool native_code = false;                                    // C of the model's own may be called
  std::shared_ptr<foreign::Process> foreign;                   // for what is carried out while compiling; made when first needed
  std::map<const parser::ExternalClause*, std::string> foreign_problems;   // why its function cannot be called; empty: it can
  std::map<const parser::ExternalClause*, foreign::Code> linked_codes;     // of those that were tried: with what they need of others
  std::vector<flat::Assertion>* called_assertions = nullptr;   // where functions leave what they assert; null: the model's
  KnownConnections* connections = nullptr;                     // while equations are made: what inStream asks
  KnownStateMachines* machines = nullptr;                      // while equations are made: what activeState asks
  std::shared_ptr<FunctionCodes> function_codes;               // functions that became code; made when first needed
  bool streams_unknown = false;                                // inStream was asked before, and its argument stood in for the value
  bool asked_unknown = false;                                  // set where something must be known that the run alone knows: code may do
  double most_known_work = std::numeric_limits<double>::infinity();   // Instances::work at which a call with known arguments becomes code
  bool without_value = false;                                  // set where a variable of a function is used before it has a value
  bool passed_over = false;                                    // set by what has no value for that reason, see Environment::untaken
  std::unordered_map<std::uint32_t, VariableId> first_derivatives;   // variables for der(v) where that is differentiated in its turn, by v
  std::unordered_map<const parser::ClassDefinition*, std::size_t> calls;   // of functions, being carried out
  std::map<std::pair<const parser::Expression*, Class*>, std::optional<Value>> whole_bindings;   // bound_value's memory
  std::unordered_map<const Class*, std::vector<std::size_t>> record_orders;   // in which a record's elements get their values; empty: it depends
};

/// Where functions leave what they assert now.
inline std::vector<flat::Assertion>& asserted_by_calls(Instances& in) { return in.elaboration.called_assertions ? *in.elaboration.called_assertions : in.model.assertions; }

/// Within its life, functions leave what they assert there.
class AssertionsTo {
public:
  AssertionsTo(Instances& in, std::vector<flat::Assertion>* to) : in_(in), before_(in.elaboration.called_assertions) {
    in.elaboration.called_assertions = to;
  }
  ~AssertionsTo() { in_.elaboration.called_assertions = before_; }
  AssertionsTo(const AssertionsTo&) = delete;

private:
  Instances& in_;
  std::vector<flat::Assertion>* before_;
};

}  // namespace mosim::compiler
