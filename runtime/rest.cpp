#include "runtime/rest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/dense.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/sparse.hpp"

namespace mosim::runtime {

namespace {

constexpr int most_steps = 400;
constexpr double wanted_change = 0.2;     // of a state in a step, by its size
constexpr double largest_change = 1;      // a step beyond is taken back
constexpr double at_rest = 1e-7;          // a step that changes no state by more
constexpr int steps_at_rest = 15;         // in a row, each several times as long as the one before
constexpr double least_left = 0.5;        // of the diagonal of I - length J
constexpr double most_growth = 6, least_growth = 0.2;

class Descent {
public:
  explicit Descent(Machine& m) : m_(m), p_(*m.program), n_(p_.states.size()) {
    pattern_ = make_pattern(n_, p_.jacobian, true);
    colouring_ = colour(pattern_);
    if (is_sparse(pattern_)) sparse_ = std::make_unique<SparseSystem>(pattern_);
    else dense_ = make_dense(n_);
    width_ = colouring_.colours <= 1 ? 1 : colouring_.colours <= 4 ? 4 : max_width;
    tangent_.assign(m.memory.size() * width_, 0.0);
    step_.resize(n_);
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
    double away = 0;
    if (sparse_) std::fill(sparse_->values.begin(), sparse_->values.end(), 0.0);
    else std::fill(dense_.values.begin(), dense_.values.end(), 0.0);
    for (std::uint32_t first = 0; first < colouring_.colours; first += width_) {
      for (std::size_t i = 0; i < n_; ++i) {
        double* const seed = tangent_.data() + (p_.first_state + i) * width_;
        std::fill_n(seed, width_, 0.0);
        const std::uint32_t c = colouring_.colour[i];
        if (c >= first && c < first + width_) seed[c - first] = 1;
      }
      if (!run_dual(m_, p_.derivatives, width_, tangent_.data()).ok()) return false;
      for (std::size_t column = 0; column < n_; ++column) {
        const std::uint32_t c = colouring_.colour[column];
        if (c < first || c >= first + width_) continue;
        for (auto k = pattern_.starts[column]; k < pattern_.starts[column + 1]; ++k) {
          const std::size_t row = std::size_t(pattern_.rows[std::size_t(k)]);
          const double slope = tangent_[(p_.first_derivative + row) * width_ + c - first];
          if (!std::isfinite(slope)) return false;
          if (row == column) away = std::max(away, slope);
          value(std::size_t(k), row, column) = slope;
        }
      }
    }
    if (length * away > least_left) length = least_left / away;
    for (std::size_t i = 0; i < n_; ++i) step_[i] = length * m_.memory[p_.first_derivative + i];
    for (std::size_t column = 0; column < n_; ++column)
      for (auto k = pattern_.starts[column]; k < pattern_.starts[column + 1]; ++k) {
        const std::size_t row = std::size_t(pattern_.rows[std::size_t(k)]);
        double& entry = value(std::size_t(k), row, column);
        entry = (row == column ? 1 : 0) - length * entry;
      }
    if (sparse_) {
      if (factorise(*sparse_) == Factorised::singular) return false;
      solve(*sparse_, step_.data());
    } else {
      if (factorise(dense_) != n_) return false;
      solve(dense_, step_.data());
    }
    return true;
  }

  double& value(std::size_t entry, std::size_t row, std::size_t column) { return sparse_ ? sparse_->values[entry] : dense_.at(row, column); }

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
  Pattern pattern_;
  Colouring colouring_;
  std::unique_ptr<SparseSystem> sparse_;
  DenseMatrix dense_;
  unsigned width_ = 1;
  std::vector<double> tangent_, step_;
};

}  // namespace

bool come_to_rest(Machine& m) {
  const Program& p = *m.program;
  if (p.states.empty() || !p.state_sets.empty()) return false;
  const std::vector<double> before = m.memory;
  const auto relations = m.relations;
  const auto event_functions = m.event_functions;
  const std::size_t lost_branches = m.lost_branches.size();
  m.memory[slot_initial] = 0;
  const bool found = Descent(m).run();
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
