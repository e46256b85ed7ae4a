#pragma once
// A model with more equations than unknowns, or fewer: which class, connector or equation is to blame.

#include <optional>
#include <string>
#include <vector>

#include "parser/diagnostic.hpp"

namespace mosim::compiler::dae {

struct Analysis;

struct Blame {
  std::string cause;                   // goes on after the count
  std::string remedy;
  std::vector<parser::Note> notes;
  bool all = false;                    // nothing else is to be said
};

/// A connector without as many flows as potentials, of which it is known what lacks the prefix.
std::optional<Blame> blame_connector(const Analysis& a);
/// For so many unknowns and equations, known to differ. None: nothing is known to be wrong but the count.
std::optional<Blame> find_blame(Analysis& a, std::size_t unknowns, std::size_t equations);

/// A connector without as many flows as potentials (MLS 9.3.1) in a model that can be simulated all the same: a warning.
void warn_of_uneven_connectors(Analysis& a);

}  // namespace mosim::compiler::dae
