#pragma once
// Functions as code (MLS 12): a function is made into statements over its own variables, once for arguments of certain sizes, and
// a call becomes a call.

#include <limits>
#include <map>
#include <set>
#include <string>

#include "compiler/elaborate/activation.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

class FunctionCode;

/// All that became code so far.
struct FunctionCodes {
  struct Known {
    FunctionId id = FunctionId::none;
    std::vector<Value> outputs;               // their scalars: locals
    bool failed = false;                      // and that was said
  };
  std::map<std::string, Known> known;         // by function, sizes and inputs that have to be known
  std::map<const Class*, std::set<Name>> structural;   // inputs whose values sizes depend on
  std::set<const Class*> not_inlined;         // their calls would become too much, or cannot be carried out
  bool called = false;                        // the call at hand is one of so many that it is not to be inlined
  double known_work = 0;                      // of calls with known arguments, in functions that are code
  std::set<const Class*> too_long, too_long_in_code;   // even where all is known: one took too much of the room that a model has
  std::map<std::vector<Expr>, LocalId> constants;      // arrays of literals, by their elements
  std::size_t calls = 0;                      // of functions of which each call counts
  Expr without_results = Expr::none;          // the last call of a function that has none
  FunctionCode* current = nullptr;            // being made, the innermost
  /// What must be known for `current` to be made: inputs and other locals.
  struct Needs {
    std::set<Name> inputs;
    std::set<std::uint32_t> locals;
    std::size_t asked = 0;
  };
  Needs* needs = nullptr;
  std::size_t most_expressions = std::size_t(-1);      // while calls are tried to be inlined
  bool inlining = false;                      // a call is being carried out symbolically
  std::size_t most_open_rounds = 500;         // of a loop whose end is known in the run alone, then
};
FunctionCodes& function_codes(Instances& in);

/// Within its life, what is made once for all has all the room that is left, whichever call asks for it first.
class AllRoom {
public:
  explicit AllRoom(Instances& in) : in_(in), most_(in.elaboration.most_known_work), work_(in.work) { in.elaboration.most_known_work = std::numeric_limits<double>::infinity(); }
  ~AllRoom() { in_.elaboration.most_known_work = most_ + (in_.work - work_); }
  AllRoom(const AllRoom&) = delete;

private:
  Instances& in_;
  double most_, work_;
};

/// Within its life, what is elaborated has nothing to do with the function that asks for it, nor counts as part of its calls.
class ByItself {
public:
  explicit ByItself(Instances& in) : in_(in), current_(codes().current), needs_(codes().needs), inlining_(codes().inlining), most_(codes().most_expressions), size_(in.model.expressions.size()), room_(in) {
    codes().current = nullptr;
    codes().needs = nullptr;
    codes().inlining = false;
    codes().most_expressions = std::size_t(-1);
  }
  ~ByItself() {
    codes().current = current_;
    codes().needs = needs_;
    codes().inlining = inlining_;
    const std::size_t more = in_.model.expressions.size() - size_;
    codes().most_expressions = most_ > std::size_t(-1) - more ? most_ : most_ + more;
  }
  ByItself(const ByItself&) = delete;

private:
  FunctionCodes& codes() { return function_codes(in_); }
  Instances& in_;
  FunctionCode* current_;
  FunctionCodes::Needs* needs_;
  bool inlining_;
  std::size_t most_, size_;
  AllRoom room_;
};

/// The values of the outputs of a call of code; empty after an error. `run_sizes`: arrays in it may have sizes that the run alone knows.
std::optional<std::vector<Value>> call_as_code(Instances& in, Class* function, const Arguments& arguments, Place place, const Environment& env, bool run_sizes);

/// While a function is made into code, something must be known that depends on its variables. True: it is noted, and made anew with
/// their values, or with the rounds of a loop written out; nothing is to be said.
bool note_need(Instances& in, Expr e);

/// An array whose elements stand in a row of locals, so that one can be taken by an index that the run alone knows: itself, constants,
/// or, in code, a copy. Empty: it cannot be.
std::optional<Value> as_row(Instances& in, const Value& v);

}  // namespace mosim::compiler
