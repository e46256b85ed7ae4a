#pragma once
// Where an expression stands: what its names mean there, and what is asked of its value.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/expression/expression.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

struct Class;

/// The variables that an algorithm assigns, with all elements of the arrays that it assigns a part of (MLS 11.1.2).
struct AlgorithmVariables {
  struct Owned {
    bool in_when = true;       // in when-statements alone
    Place place;               // of an assignment to its array
  };
  std::map<VariableId, Owned> owned;
  std::set<std::pair<const void*, bool>> seen;   // arrays that are noted, in a when-statement or not
};

struct Environment {
  Class* scope = nullptr;
  const Locals* locals = nullptr;
  bool literal = false;        // relations are literal: noEvent, smooth, when-bodies
  bool in_when = false;
  bool clocked = false;        // in a clocked when
  const std::vector<std::int64_t>* end_dims = nullptr;   // of the array that `end` stands in
  const std::vector<Type>* end_types = nullptr;          // what its dimensions are indexed by; null: Integers
  std::size_t end_position = 0;
  const std::vector<Expr>* end_extents = nullptr;        // of one whose sizes the run alone knows
  const Class* function = nullptr;                       // of whose body it is a part
  bool is_pure = false;        // the argument of pure(...)
  bool initial = false;        // in an initial equation or algorithm
  bool shape_only = false;     // the value's size alone is asked for: it need not be assigned yet
  bool untaken = false;        // in a branch that is not taken: functions and subscripts outside of arrays are passed over
  bool type_only = false;      // the value is never used, its type and sizes are: parts of empty arrays stand in for values
  Expr path = Expr::none;      // the condition under which the value is asked for: what functions assert holds then alone
  bool conditional = false;    // among statements or equations that may never count
  bool open_way = false;       // the run may never come here: subscripts outside of arrays are passed over
  bool called_on_the_way = false;   // the function is called, or the statement stands, where the run may not come
  int call_depth = 0;          // of calls being carried out
  AlgorithmVariables* assigned = nullptr;   // of the algorithm at hand

  /// In a function: it is for the run to see that what stands here is in order, as it may not come here.
  bool seen_to_in_run() const { return function && (called_on_the_way || path != Expr::none); }

  static Environment of(Class* scope) {
    Environment e;
    e.scope = scope;
    return e;
  }
};

}  // namespace mosim::compiler
