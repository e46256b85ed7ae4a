#pragma once
// Equations that cannot repeat or contradict others, told by where their unknowns stand.

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

/// Which of `equations` (left, right) may be part of a combination whose unknowns all cancel: those that are left when each with an unknown
/// of its own is taken away, again and again. An unknown is an equation's own if it stands in no other and, in this one, once, in a
/// product that is a term. In order; linear in the size of the equations, but for the first call. A single one is left as it is.
std::vector<std::uint32_t> without_own_unknowns(Analysis& a, const std::vector<std::pair<Expr, Expr>>& equations,
                                                const std::function<bool(Expr)>& is_unknown);

}  // namespace mosim::compiler::dae
