// Which equations must be differentiated (Pantelides 1988).

#include <fmt/format.h>

#include "compiler/analyse/index_reduction.hpp"

namespace mosim::compiler::dae {

namespace {

/// Far above any index met in practice; a guard against a structure that was misjudged.
constexpr std::uint32_t most_derivatives = 30;

/// Matches equations with unknowns by augmenting paths and tells what a search in vain has seen.
class Search {
public:
  std::vector<std::uint32_t> equations, unknowns;   // that were seen

  /// row(e): candidates; use(u): whether u may be matched; equation_of(u), match(e, u): the matching.
  template <class Rows, class Use, class EquationOf, class Match>
  bool augment(std::uint32_t root, Rows&& row, Use&& use, EquationOf&& equation_of, Match&& match) {
    equations.assign(1, root);
    unknowns.clear();
    ++epoch_;
    struct Step {
      std::uint32_t equation;
      std::size_t next = 0;
      std::uint32_t taken = none;
    };
    std::vector<Step> path{{root}};
    while (!path.empty()) {
      const std::vector<std::uint32_t>& candidates = row(path.back().equation);
      bool deeper = false;
      while (!deeper && path.back().next < candidates.size()) {
        const std::uint32_t u = candidates[path.back().next++];
        if (!use(u) || seen(u)) continue;
        unknowns.push_back(u);
        path.back().taken = u;
        const std::uint32_t other = equation_of(u);
        if (other == none) {
          for (const Step& step : path) match(step.equation, step.taken);
          return true;
        }
        equations.push_back(other);
        path.push_back({other});
        deeper = true;
      }
      if (!deeper) path.pop_back();
    }
    return false;
  }

private:
  bool seen(std::uint32_t u) {
    if (u >= seen_.size()) seen_.resize(u + u / 2 + 64, 0);
    if (seen_[u] == epoch_) return true;
    seen_[u] = epoch_;
    return false;
  }
  std::vector<std::uint32_t> seen_;
  std::uint32_t epoch_ = 0;
};

class Pantelides {
public:
  Pantelides(Analysis& a, Tower& tower) : a_(a), t_(tower) {}

  bool run() {
    if (!is_regular()) return false;
    const auto count = static_cast<std::uint32_t>(t_.equations.size());
    for (std::uint32_t e = 0; e < count; ++e)
      if (t_.equations[e].unknown == none && !place(e)) return false;
    return true;
  }

private:
  /// Whether every equation finds a variable of its own when a variable and its derivatives count as one: otherwise
  /// no differentiation helps (Pantelides, theorem 4.1).
  bool is_regular() {
    std::vector<std::uint32_t> equation_of(t_.unknowns.size(), none), root_of(t_.equations.size(), none);
    std::vector<std::uint32_t> roots;
    const auto row = [&](std::uint32_t e) -> const std::vector<std::uint32_t>& {
      roots.clear();
      for (std::uint32_t u : t_.equations[e].unknowns) roots.push_back(t_.unknowns[u].root);
      return roots;
    };
    const auto match = [&](std::uint32_t e, std::uint32_t u) {
      root_of[e] = u;
      equation_of[u] = e;
    };
    for (std::uint32_t e = 0; e < t_.equations.size(); ++e)
      if (t_.equations[e].unknown != none) match(e, t_.unknowns[t_.equations[e].unknown].root);
    for (std::uint32_t e = 0; e < t_.equations.size(); ++e)
      if (root_of[e] == none && !search_.augment(e, row, [](std::uint32_t) { return true; },
                                                 [&](std::uint32_t u) { return equation_of[u]; }, match))
        return false;
    return true;
  }

  /// Differentiates until a derivative of e has an unknown.
  bool place(std::uint32_t e) {
    const std::uint32_t first = e;
    const auto row = [&](std::uint32_t k) -> const std::vector<std::uint32_t>& { return t_.equations[k].unknowns; };
    const auto match = [&](std::uint32_t k, std::uint32_t u) {
      t_.equations[k].unknown = u;
      t_.unknowns[u].equation = k;
    };
    while (!search_.augment(e, row, [&](std::uint32_t u) { return t_.is_highest(u); },
                            [&](std::uint32_t u) { return t_.unknowns[u].equation; }, match)) {
      if (t_.equations[e].order >= most_derivatives) return false;
      for (std::uint32_t u : search_.unknowns) t_.differentiate_unknown(u);
      for (std::uint32_t k : search_.equations)
        if (t_.differentiate_equation(k) == none) return refused(first, k);
      for (std::uint32_t u : search_.unknowns) match(t_.equations[t_.unknowns[u].equation].higher, t_.unknowns[u].higher);
      e = t_.equations[e].higher;
    }
    return true;
  }

  bool refused(std::uint32_t constraint, std::uint32_t equation) {
    const Equation& e = t_.equations[constraint].equation;
    parser::Diagnostic& d = a_.diagnostics.back();
    d.cause += fmt::format("; {} must be differentiated to reduce the index", a_.text(t_.equations[equation].equation));
    if (constraint != equation) d.notes.push_back({e.place, a_.text(e) + " ties states together (higher index)"});
    return false;
  }

  Analysis& a_;
  Tower& t_;
  Search search_;
};

}  // namespace

bool differentiate_constraints(Analysis& a, Tower& tower) { return Pantelides(a, tower).run(); }

}  // namespace mosim::compiler::dae
