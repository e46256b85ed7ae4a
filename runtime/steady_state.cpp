#include "runtime/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "runtime/dense.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/slopes.hpp"

namespace mosim::runtime {

namespace {

constexpr int most_steps = 400;
constexpr double wanted_change = 0.2;     // of a state in a step, by its size
constexpr double largest_change = 1;      // a step beyond is taken back
constexpr double at_rest = 1e-7;          // a step that changes no state by more
constexpr int steps_at_rest = 15;         // in a row, each several times as long as the one before
constexpr double least_left = 0.5;        // of the diagonal of I - length J
constexpr double most_growth = 6, least_growth = 0.2;

class PseudoTransient {
public:
  explicit PseudoTransient(Machine& m) : m_(m), p_(*m.program), n_(p_.states.size()), slopes_(make_slopes(m)), step_(n_) {
    if (is_sparse(slopes_.pattern)) sparse_ = std::make_unique<SparseSystem>(slopes_.pattern);
    else dense_ = make_dense(n_);
  }

  bool run() {
    if (!evaluate()) return false;
    double length = first_length();
    int resting = 0;
    std::vector<double> good = m_.memory;
    for (int k = 0; k < most_steps && std::isfinite(length) && length > 1e-30; ++k) {
      if (m_.work > m_.work_bound) return false;
      const bool solved = linearise(length);
      const double change = solved ? size_of_step() : std::numeric_limits<double>::infinity();
      m_.memory = good;
      bool taken = change <= largest_change;
      if (taken) {
        for (std::size_t i = 0; i < n_; ++i) m_.memory[p_.first_state + i] += step_[i];
        taken = evaluate();
      }
      if (!taken) {
        m_.memory = good;
        length /= 4;
        resting = 0;
        continue;
      }
      good = m_.memory;
      resting = change <= at_rest ? resting + 1 : 0;
      if (resting == steps_at_rest) return true;
      length *= std::clamp(wanted_change / std::max(change, 1e-300), least_growth, most_growth);
    }
    return false;
  }

private:
  double scale(std::size_t i) const { return std::max(std::abs(m_.memory[p_.first_state + i]), p_.states[i].nominal); }

  /// All variables from the states, with the relations and discrete ones that belong to them.
  bool evaluate() {
    for (const CallOnce& call : p_.calls_once) m_.memory[call.done] = 1;   // none counts here (E14)
    for (int round = 0; round < 2; ++round) {
      const std::uint64_t changes = m_.changes;
      const Outcome outcome = runtime::run(m_, p_.event, Mode::literal);
      m_.pending_reinits.clear();
      m_.termination = none;
      if (!outcome.ok()) return false;
      if (m_.changes == changes) break;
    }
    if (!runtime::run(m_, p_.derivatives, Mode::frozen).ok()) return false;
    const auto first = m_.memory.begin() + p_.first_derivative;
    return std::all_of(first, first + std::ptrdiff_t(n_), [](double d) { return std::isfinite(d); });
  }

  double first_length() const {
    double fastest = 1e-12;
    for (std::size_t i = 0; i < n_; ++i) fastest = std::max(fastest, std::abs(m_.memory[p_.first_derivative + i]) / scale(i));
    return wanted_change / fastest;
  }

  /// step_: of (I - length J) step = length f. Where a state drives itself away a long step would lead back: it is shortened.
  bool linearise(double& length) {
    if (sparse_) std::fill(sparse_->values.begin(), sparse_->values.end(), 0.0);
    else std::fill(dense_.values.begin(), dense_.values.end(), 0.0);
    double away = 0;
    bool finite = true;
    const Outcome outcome = differentiate_derivatives(m_, slopes_, [&](std::size_t k, std::size_t row, std::size_t column, double slope) {
      finite = finite && std::isfinite(slope);
      if (row == column) away = std::max(away, slope);
      (sparse_ ? sparse_->values[k] : dense_.at(row, column)) = slope;
    });
    if (!outcome.ok() || !finite) return false;
    if (length * away > least_left) length = least_left / away;
    for (double& entry : sparse_ ? sparse_->values : dense_.values) entry *= -length;
    for (std::size_t column = 0; column < n_; ++column) {
      if (!sparse_) dense_.at(column, column) += 1;
      else ++sparse_->values[diagonal(column)];
    }
    for (std::size_t i = 0; i < n_; ++i) step_[i] = length * m_.memory[p_.first_derivative + i];
    if (sparse_) {
      if (factorise(*sparse_) == Factorised::singular) return false;
      solve(*sparse_, step_.data());
    } else {
      if (factorise(dense_) != n_) return false;
      solve(dense_, step_.data());
    }
    return true;
  }

  /// The place of an entry of the diagonal, which a sparse pattern always has.
  std::size_t diagonal(std::size_t column) const {
    const Pattern& pattern = slopes_.pattern;
    const auto begin = pattern.rows.begin() + pattern.starts[column], end = pattern.rows.begin() + pattern.starts[column + 1];
    return std::size_t(std::lower_bound(begin, end, std::int32_t(column)) - pattern.rows.begin());
  }

  double size_of_step() const {
    double size = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double part = std::abs(step_[i]) / scale(i);
      if (!(part <= size)) size = part;   // NaN must not get lost
    }
    return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
  }

  Machine& m_;
  const Program& p_;
  std::size_t n_;
  Slopes slopes_;
  std::unique_ptr<SparseSystem> sparse_;
  DenseMatrix dense_;
  std::vector<double> step_;
};

}  // namespace

bool approach_steady_state(Machine& m) {
  const Program& p = *m.program;
  if (p.states.empty() || !p.state_sets.empty()) return false;
  const std::vector<double> before = m.memory;
  const auto relations = m.relations;
  const auto event_functions = m.event_functions;
  const std::size_t lost_branches = m.lost_branches.size();
  m.memory[slot_initial] = 0;
  const bool found = PseudoTransient(m).run();
  m.lost_branches.resize(lost_branches);   // on the way a solution may end where it likes
  const std::vector<double> there = std::exchange(m.memory, before);
  if (!found) {
    m.relations = relations;
    m.event_functions = event_functions;
    return false;
  }
  const auto take = [&](Slot slot) { m.memory[slot] = there[slot]; };
  for (const Variable& v : p.variables)
    if (v.type == Type::real && (v.kind == Kind::state || v.kind == Kind::derivative || v.kind == Kind::algebraic)) take(v.slot);
  for (std::size_t k = 0; k < p.states.size(); ++k) take(p.first_state + static_cast<Slot>(k)), take(p.first_derivative + static_cast<Slot>(k));
  for (const Block& block : p.blocks)
    for (const Slot slot : block.unknowns) take(slot);
  return true;
}

}  // namespace mosim::runtime
