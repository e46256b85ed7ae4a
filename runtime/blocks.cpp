#include "runtime/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/block_system.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/newton.hpp"
#include "runtime/residuals.hpp"
#include "runtime/solution_key.hpp"

namespace mosim::runtime {

namespace {

constexpr double satisfied = 1e-10;   // residual / size of its terms in a solution
constexpr int many_iterations = 8;
constexpr double another_branch = 0.1;  // of the size of an unknown
constexpr int most_undetermined = 30;   // iterations
constexpr double converged = 1e-10;   // of the last correction, by the size of the unknowns
constexpr double rounding = 1e-14;    // of an unknown: a correction that is not worth it
constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr double consistent = 1e-9;   // of the largest unknown: what a singular system may leave over

// Its matrix can be factorised with complete pivoting.
bool is_small(const BlockState& state) { return !state.sparse && state.unknowns.size() <= largest_dense; }

// Equations that do not contradict each other but leave an unknown open, as at a flow of 0 what it would bring along:
// that unknown keeps its value. At initialisation that is its start value, once nothing else has led to a solution.
bool solve_undetermined(Machine& m, Index index, const std::vector<double>& before) {
  m.leaves_open = true;
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  const bool initial = m.memory[slot_initial] != 0;
  if (!is_small(state)) return false;
  if (initial && m.may_keep_start.empty()) {
    m.wants_start = true;
    return false;
  }
  load(m, block, before.data());
  if (!evaluate_jacobian(m, index).ok()) return false;
  std::vector<std::size_t> columns;
  const std::size_t rank = factorise_completely(state.jacobian, columns);
  for (std::size_t k = rank; initial && k < before.size(); ++k)
    if (!m.may_keep_start[block.unknowns[columns[k]]]) return false;
  state.unknowns = before;
  set_scale(state, block);
  const double size = *std::max_element(state.scale.begin(), state.scale.end());
  for (std::size_t k = 0; k < before.size(); ++k) state.step[k] = -state.residual[k];
  if (!(solve_completely(state.jacobian, rank, columns, state.step.data()) <= consistent * size)) return false;
  for (std::size_t k = 0; k < before.size(); ++k) state.unknowns[k] += state.step[k];
  load(m, block, state.unknowns.data());
  if (!evaluate_residual(m, index, state.unknowns.data(), state.residual.data()).ok()) return false;
  m.left_open += rank < before.size();
  const auto same = [&](const Machine::Undetermined& u) { return u.block == index && u.initial == initial; };
  if (rank < before.size() && std::none_of(m.undetermined.begin(), m.undetermined.end(), same))
    m.undetermined.push_back({index, columns[rank], m.memory[slot_time], initial});
  return true;
}

// The same for equations that are not linear: Newton's steps among the unknowns that they do determine.
bool newton_undetermined(Machine& m, Index index) {
  m.leaves_open = true;
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  const std::size_t n = block.unknowns.size();
  if (!is_small(state) || m.memory[slot_initial] != 0) return false;
  save(m, block, state.unknowns.data());
  std::vector<std::size_t> columns;
  for (int iteration = 0; iteration < most_undetermined; ++iteration) {
    load(m, block, state.unknowns.data());
    if (!evaluate_jacobian(m, index).ok()) return false;
    const std::size_t rank = factorise_completely(state.jacobian, columns);
    set_scale(state, block);
    const double size = *std::max_element(state.scale.begin(), state.scale.end());
    for (std::size_t k = 0; k < n; ++k) state.step[k] = -state.residual[k];
    if (!(solve_completely(state.jacobian, rank, columns, state.step.data()) <= consistent * size)) return false;
    for (std::size_t k = 0; k < n; ++k) state.unknowns[k] += state.step[k];
    const double step = scaled_size(state.step, state.scale);
    if (!std::isfinite(step)) return false;
    if (step > converged) continue;
    m.left_open += rank < n;
    const auto same = [&](const Machine::Undetermined& u) { return u.block == index; };
    if (rank < n && std::none_of(m.undetermined.begin(), m.undetermined.end(), same)) m.undetermined.push_back({index, columns[rank], m.memory[slot_time], m.memory[slot_initial] != 0});
    return evaluate_residual(m, index, state.unknowns.data(), state.residual.data()).ok();
  }
  return false;
}

bool is_rounding(const BlockState& state) {
  for (std::size_t k = 0; k < state.step.size(); ++k)
    if (!(std::abs(state.step[k]) <= rounding * std::abs(state.unknowns[k]))) return false;
  return true;
}

// Residuals of linear equations that cannot be larger, beside their terms, than this.
bool fits(const BlockState& state, double part) {
  for (std::size_t row = 0; row < state.least_sizes.size(); ++row)
    if (!(std::abs(state.residual[row]) <= part * state.least_sizes[row])) return false;
  return !state.least_sizes.empty();
}

Outcome solve_linear(Machine& m, Index index, Entry at) {
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  const std::size_t n = block.unknowns.size();
  std::vector<double>& before = state.trial;
  save(m, block, before.data());
  // From 0, so that the solution is a function of the inputs alone, but for its last digits.
  std::fill(state.unknowns.begin(), state.unknowns.end(), 0.0);
  load(m, block, state.unknowns.data());
  std::size_t column = n;
  Outcome outcome = evaluate_and_factorise(m, index, column);
  if (!outcome.ok()) return outcome;
  if (column != n) return solve_undetermined(m, index, before) ? Outcome{} : singular(m, index, at, column);
  for (int pass = 0; pass < 2; ++pass) {
    if (pass > 0 && fits(state, unit)) break;   // beside the terms of these equations nothing is left to correct
    for (std::size_t k = 0; k < n; ++k) state.step[k] = -state.residual[k];
    solve_jacobian(state, state.step.data());
    if (pass > 0 && is_rounding(state)) break;
    for (std::size_t k = 0; k < n; ++k) state.unknowns[k] += state.step[k];
    outcome = evaluate_residual(m, index, state.unknowns.data(), state.residual.data());
    if (!outcome.ok()) return outcome;
  }
  for (const double value : state.unknowns)
    if (!std::isfinite(value)) return singular(m, index, at, n);
  return {};
}

// A solution was checked; where more by these factors are likely, they may need less.
void note_check(Machine& m, Index index) {
  BlockState& state = m.blocks[index];
  if (state.coefficients && ++state.checked == 2) state.least_sizes = least_sizes(m, index);
}

bool is_satisfied(Machine& m, Index solved, Index index) { return fits_plainly(m, solved, index, satisfied) || find_misfit(m, index).part <= satisfied; }

// One way to solve a block, with the residuals of its equations, nothing torn out, as the judge.
Outcome attempt(Machine& m, Index torn, Index index, Entry at, bool from_elsewhere) {
  const bool linear = m.program->blocks[index].linear;
  forget_invariants(m, index);
  const Outcome outcome = linear ? solve_linear(m, index, at) : from_elsewhere ? newton_from_elsewhere(m, index, at, [&] { return is_satisfied(m, index, torn); }) : newton(m, index, at);
  if (!outcome.ok()) return outcome;
  if (linear && fits(m.blocks[index], satisfied)) return {};   // as find_misfit() would say
  if (is_satisfied(m, index, torn)) {
    if (linear) note_check(m, index);
    return {};
  }
  const Misfit misfit = find_misfit(m, torn);
  const Index judged = m.program->blocks[torn].untorn != none ? m.program->blocks[torn].untorn : torn;
  const std::vector<Index>& origins = m.program->blocks[judged].residual_origins;
  return fail(m, torn, Fault::block_unsatisfied, at,
              fmt::format("at {} the sides of {} differ by {:.3g}, where their terms are of the size {:.3g}",
                          values_of(m, m.program->blocks[torn]),
                          misfit.row < origins.size() ? text_of(*m.program, origins[misfit.row]) : "one of them", misfit.residual, misfit.size));
}

// A solution that had to be looked for, and lies elsewhere than the one that the guess continues: that one has come to its end.
void note_branch(Machine& m, Index index, const std::vector<double>& guess, bool from_elsewhere) {
  const Block& block = m.program->blocks[index];
  if (block.linear || m.memory[slot_initial] != 0 || m.solutions_jump) return;   // initialisation and events may jump
  if (!from_elsewhere && m.blocks[index].iterations < many_iterations) return;
  if (std::any_of(m.lost_branches.begin(), m.lost_branches.end(), [&](const Machine::LostBranch& b) { return b.block == index; })) return;
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t k = 0; k < guess.size(); ++k) {
    const double scale = std::max({std::abs(guess[k]), k < block.nominal.size() ? block.nominal[k] : 1.0});
    if (const double part = std::abs(m.memory[block.unknowns[k]] - guess[k]) / scale; part > most) most = part, worst = k;
  }
  if (most > another_branch) m.lost_branches.push_back({index, worst, m.memory[slot_time], guess[worst], m.memory[block.unknowns[worst]]});
}

// Operations for the matrix of a block, and to factorise it, where the motion is.
double cost(Machine& m, Index index) {
  forget_invariants(m, index);
  if (!evaluate_jacobian(m, index).ok() || factorise_jacobian(m, index) != m.program->blocks[index].unknowns.size())
    return std::numeric_limits<double>::infinity();
  const BlockState& state = state_of(m, index);
  const std::size_t n = state.unknowns.size();
  const double directions = double(state.sparse ? state.sparse->colouring.colours : n);
  return directions * double(length_of(*m.program, m.program->blocks[index].body)) + (state.sparse ? factorisation_cost(*state.sparse) : factorisation_cost(n));
}

// Tearing fills a large matrix: where the whole system is sparse, its matrix may cost a fraction.
void choose_form(Machine& m, Index index, const std::vector<double>& guess) {
  BlockState& state = state_of(m, index);
  if (state.has_preference) return;
  state.has_preference = true;
  const Index untorn = m.program->blocks[index].untorn;
  if (!m.program->blocks[index].linear || state.unknowns.size() <= largest_dense) return;
  const double torn = cost(m, index);
  load(m, m.program->blocks[untorn], guess.data());
  state.prefers_untorn = cost(m, untorn) < torn;
  load(m, m.program->blocks[untorn], guess.data());
}

// The torn equations are the smaller system; following their chain may magnify rounding, or divide by what vanishes. Then
// all equations together are solved, from the same guess, and from there on first.
Outcome solve(Machine& m, Index index, Entry at) {
  const Index untorn = m.program->blocks[index].untorn;
  BlockState& state = state_of(m, index);
  if (untorn == none) {
    const Block& block = m.program->blocks[index];
    std::vector<double>& guess = state.guess;
    save(m, block, guess.data());
    const Outcome first = attempt(m, index, index, at, false);
    if (first.ok()) note_branch(m, index, guess, false);
    if (first.ok() || block.linear) return first;
    const std::string detail = m.block_detail;
    load(m, block, guess.data());
    if (first.fault == Fault::block_singular && newton_undetermined(m, index) && is_satisfied(m, index, index)) return {};
    load(m, block, guess.data());
    if (attempt(m, index, index, at, true).ok()) {
      note_branch(m, index, guess, true);
      return {};
    }
    load(m, block, guess.data());
    m.failed_block = index;
    m.block_detail = detail;
    return first;
  }
  const Block& whole = m.program->blocks[untorn];
  std::vector<double>& guess = state_of(m, untorn).guess;
  save(m, whole, guess.data());
  choose_form(m, index, guess);
  Outcome first;
  std::string detail;
  bool singular_here = false;   // at the guess, whatever happens elsewhere
  for (const bool from_elsewhere : {false, true}) {
    for (const bool torn : {!state.prefers_untorn, state.prefers_untorn}) {
      load(m, whole, guess.data());
      const Outcome outcome = attempt(m, index, torn ? index : untorn, at, from_elsewhere);
      if (outcome.ok()) {
        state.prefers_untorn = !torn;
        note_branch(m, untorn, guess, from_elsewhere);
        return {};
      }
      if (first.ok() || torn) first = outcome, detail = m.block_detail;
      singular_here = singular_here || (torn && !from_elsewhere && outcome.fault == Fault::block_singular);
    }
    if (whole.linear) break;
    load(m, whole, guess.data());
    // What is merely open here is no reason to look for another solution.
    if (!from_elsewhere && singular_here && newton_undetermined(m, index) && is_satisfied(m, index, index)) {
      state.prefers_untorn = false;
      return {};
    }
  }
  load(m, whole, guess.data());
  m.failed_block = index;
  m.block_detail = detail;
  return first;
}

// The tangents of the solution: J dz = -dr, then everything that follows from the unknowns.
Outcome differentiate(Machine& m, Index index, unsigned width, double* tangent, Entry at) {
  if (m.program->blocks[index].untorn != none && state_of(m, index).prefers_untorn) index = m.program->blocks[index].untorn;
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  const std::size_t n = block.unknowns.size();
  Outcome outcome;
  std::size_t column = n;
  if (!(state.has_slopes && state.has_factors) && !factors_stand(m, index)) {
    outcome = evaluate_jacobian(m, index);
    if (!outcome.ok()) return outcome;
    column = factorise_jacobian(m, index);
    state.has_slopes = state.has_factors;
  }
  std::vector<std::size_t> columns;
  std::size_t rank = n;
  if (column != n) {
    // Solved all the same: what is open stays as it is.
    if (!is_small(state) || (m.memory[slot_initial] != 0 && m.may_keep_start.empty())) return singular(m, index, at, column);
    outcome = evaluate_jacobian(m, index);
    if (!outcome.ok()) return outcome;
    rank = factorise_completely(state.jacobian, columns);
  }
  for (const Slot slot : block.unknowns) std::fill_n(tangent + std::size_t(slot) * width, width, 0.0);
  outcome = run_dual(m, block.code, width, tangent);
  const bool refines = m.refines_tangents && block.linear && columns.empty();
  for (int pass = 0; outcome.ok() && pass < (refines ? 2 : 1); ++pass) {
    for (unsigned k = 0; k < width; ++k) {
      for (std::size_t row = 0; row < n; ++row) state.step[row] = -tangent[std::size_t(block.residuals[row]) * width + k];
      if (columns.empty())
        solve_jacobian(state, state.step.data());
      else
        (void)solve_completely(state.jacobian, rank, columns, state.step.data());
      for (std::size_t row = 0; row < n; ++row) tangent[std::size_t(block.unknowns[row]) * width + k] += state.step[row];
    }
    outcome = run_dual(m, block.body, width, tangent);
  }
  return outcome;
}

}  // namespace

Outcome solve_block(Machine& m, Index index, unsigned width, double* tangent, Entry at) {
  if (!is_solved(m, index)) {
    const Index untorn = m.program->blocks[index].untorn;
    state_of(m, index).solved.stands = state_of(m, index).has_slopes = false;
    if (untorn != none) state_of(m, untorn).has_slopes = false;
    m.leaves_open = false;
    const Outcome outcome = solve(m, index, at);
    if (!outcome.ok()) return outcome;
    if (!m.leaves_open) note_solved(m, index);
  }
  if (width == 0) return {};
  return differentiate(m, index, width, tangent, at);
}

}  // namespace mosim::runtime
