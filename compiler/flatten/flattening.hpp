#pragma once
// Inside flattening: what its files share.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

/// The equations of one branch, or of a whole section.
struct Collected {
  std::vector<flat::Equation> equations;
  std::vector<flat::When> whens;
  std::vector<flat::Assertion> assertions;
  std::vector<flat::Termination> terminations;
};

/// What the sections of one object have made, in the lists of the flat model.
struct OfObject {
  struct Range {
    std::size_t from = 0, to = 0;
  };
  const Class* object;
  Range equations, whens, assertions, called_assertions, terminations, algorithms;
};

// equations.cpp
void flatten_equations(Instances& in, parser::List<parser::Equation> equations, const Environment& env, bool initial,
                       Collected& out);
/// What stands on the right of (a, , b) = f(x): at least as many values as there are places on the left.
std::optional<std::vector<Value>> results_for(Instances& in, const parser::Equation& e, const parser::Tuple& targets,
                                              const parser::Expression& right, const Environment& env);

/// Left and right of one kind and shape, as scalar equations. False after an error.
bool match_sides(Instances& in, Value& left, Value& right, Place place, std::string remedy = {});
/// A variable that changes at events alone cannot equal something that varies between them. In an equation of parts, of records or of several
/// results of a call (MLS 3.8.4), libraries in wide use have it nevertheless, like the phase of a medium's state, or the interval that a
/// table look-up found: there it follows, between events as well.
bool check_discrete(Instances& in, VariableId v, Expr value, Place place, bool of_parts = false);
/// Nor can it be set under a condition that does. For a condition that varies.
bool check_condition(Instances& in, VariableId v, Place condition, Place place);
/// Constants and parameters cannot be set by equations or statements.
bool check_not_parameter(Instances& in, VariableId v, Place place);
/// The part of a record that is a constant or parameter, where the record as a whole is set (MLS 8.3.1, 11.2.1): not set, but both must have the
/// same value.
void compare_fixed_part(Instances& in, VariableId v, Expr value, Place place);

// when_equations.cpp
void flatten_when(Instances& in, const parser::Equation& e, const parser::WhenEquation& w, const Environment& env, bool initial,
                  Collected& out);
/// The elements of a when-condition. `clocked` tells a Clock from Booleans. Empty after an error.
std::vector<Expr> when_conditions(Instances& in, const parser::Expression& condition, const Environment& env,
                                  bool& clocked, bool& good);

// statements.cpp
flat::Statements flatten_statements(Instances& in, parser::List<parser::Statement> statements, const Environment& env);
/// A whole algorithm section: with the elements of arrays that it does not assign, but initialises (MLS 11.1.2).
flat::Algorithm flatten_algorithm(Instances& in, const parser::AlgorithmSection& section, const Environment& env);
/// check_discrete and check_condition, for all algorithms.
void check_discrete_targets(Instances& in);

// discrete.cpp
/// Discrete variables of a model's components belong to these (MLS 4.5.3); `discrete` needs a when (there too).
void check_discrete_variables(Instances& in);
/// What equals a variable that follows between events, though it is not Real, follows as well.
void follow_between_events(Instances& in);

// purity.cpp
/// Impure functions are called where it is said when (MLS 12.3).
void check_purity(Instances& in);

// domains.cpp
/// Operations on constants that have no value, like a division by zero, where nothing keeps them from being carried out.
void check_domains(Instances& in);

}  // namespace mosim::compiler
