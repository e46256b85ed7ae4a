#include "runtime/mixed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {

constexpr std::size_t plain_rounds = 20;
constexpr std::size_t orders = 20;               // tried, beside the natural one
constexpr std::size_t most_enumerated = 10;      // quantities whose combinations are all tried
constexpr double default_epsilon = 1e-10;
constexpr double slacks[] = {0, 10, 1e2, 1e3, 1e4, 1e5};   // half the band where rounding decides, in epsilons

class Trial {
public:
  Trial(Machine& m, const Mixed& mixed, Mode mode) : m_(m), mixed_(mixed), mode_(mode) {
    for (const Mixed::Held& h : mixed.held) {
      if (h.is_relation) relations_.push_back(m.relations[h.number]);
      else functions_.push_back(m.event_functions[h.number]);
    }
    flips_ = m.flips.size();
    function_changes_ = m.event_function_changes.size();
    changes_ = m.changes;
    undetermined_ = m.undetermined.size();
    base_.resize(mixed.held.size());
    wanted_.resize(base_.size());
    find_unknowns();
    for (std::size_t k = 0; k < base_.size(); ++k) base_[k] = value(k);
    held_ = base_;
  }

  Outcome run() {
    for (const double slack : slacks) {
      slack_ = slack;
      // First choices with which everything is determined: of two parts that could both be held, one is.
      takes_open_ = passed_open_ = false;
      bool found = plain() || in_order(natural());
      takes_open_ = true;
      found = found || (passed_open_ && (plain() || in_order(natural()))) || in_other_orders() || all();
      if (!found) continue;
      finish();
      return {};
    }
    const Outcome failure = failure_;
    if (mode_ == Mode::live && failure.ok() && go_on()) return {Fault::no_agreement, none};
    held_ = base_;
    restore();
    m_.flips.resize(flips_);
    m_.event_function_changes.resize(function_changes_);
    return failure.ok() ? Outcome{Fault::no_agreement, none} : failure;
  }

  std::size_t tried() const { return tried_; }
  /// No choice agrees, but memory and states are those of one with a solution, to go on with.
  bool goes_on() const { return goes_on_; }

private:
  using Values = std::vector<double>;

  double value(std::size_t k) const {
    const Mixed::Held& h = mixed_.held[k];
    return h.is_relation ? double(m_.relations[h.number].value) : m_.event_functions[h.number].value;
  }

  /// The states from which the code evaluates: as before, or just flipped to the value that is tried (E4).
  void restore() {
    std::size_t relation = 0, function = 0;
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const Mixed::Held& h = mixed_.held[k];
      if (h.is_relation) {
        RelationState& state = m_.relations[h.number];
        state = relations_[relation++];
        if (held_[k] == base_[k]) continue;
        state.value = held_[k] != 0;
        state.armed = state.forced = false;
        state.left = state.right = RelationState::unknown;
      } else {
        EventFunctionState& state = m_.event_functions[h.number];
        state = functions_[function++];
        if (held_[k] == base_[k]) continue;
        state.value = held_[k];
        state.low_armed = state.high_armed = state.forced = false;
        state.argument = RelationState::unknown;
      }
    }
  }

  void find_unknowns() {
    const Program& p = *m_.program;
    for (Entry at = mixed_.code; at != none && p.code[at].op != Opcode::end; ++at) {
      if (p.code[at].op != Opcode::solve) continue;
      const Block& block = p.blocks[p.code[at].d];
      const std::vector<Slot>& slots = (block.untorn == none ? block : p.blocks[block.untorn]).unknowns;
      unknowns_.insert(unknowns_.end(), slots.begin(), slots.end());
      if (block.untorn != none) unknowns_.insert(unknowns_.end(), block.unknowns.begin(), block.unknowns.end());
    }
    for (const Slot slot : unknowns_) guesses_.push_back(m_.memory[slot]);
  }
  /// True if they had others: the solution of another choice, which may lie where nothing has a value.
  bool recall_guesses() {
    bool differ = false;
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      differ = differ || m_.memory[unknowns_[k]] != guesses_[k];
      m_.memory[unknowns_[k]] = guesses_[k];
    }
    return differ;
  }

  /// Runs the code with held_. True if there is a solution with it; then wanted_ is what it asks for.
  bool evaluate() {
    if (tried_ > 0 && m_.work > m_.work_bound) return false;
    ++tried_;
    const std::uint64_t open = m_.left_open;
    Outcome outcome = run_held();
    if (!outcome.ok() && recall_guesses()) outcome = run_held();
    if (!outcome.ok()) {
      if (failure_.ok()) failure_ = outcome;
      return false;
    }
    if (m_.left_open != open && !takes_open_) {
      passed_open_ = true;
      return false;
    }
    for (std::size_t k = 0; k < held_.size(); ++k) wanted_[k] = value(k);
    return true;
  }
  Outcome run_held() {
    restore();
    m_.undetermined.resize(std::min(m_.undetermined.size(), undetermined_));
    for (std::size_t k = 0; k < held_.size(); ++k) m_.memory[mixed_.held[k].held] = held_[k];
    return runtime::run(m_, mixed_.code, mode_);
  }

  bool agrees(std::size_t k) const {
    if (wanted_[k] == held_[k]) return true;
    const Mixed::Held& h = mixed_.held[k];
    if (slack_ == 0 || !h.is_relation) return false;
    const Relation& relation = m_.program->relations[h.number];
    const double size = signed_difference(relation.comparison, held_[k] != 0, m_.relation_differences[h.number]);
    return !(size < -slack_ * unit(h));
  }

  /// The band that the model's own scales ask for.
  double unit(const Mixed::Held& h) const {
    const Slot slot = m_.program->relations[h.number].epsilon;
    const double given = slot == none ? 0 : m_.memory[slot];
    return given > 0 ? given : default_epsilon;
  }

  /// True after `evaluate`, which is then the last word, if nothing contradicts what is held.
  bool all_agree() {
    for (std::size_t k = 0; k < held_.size(); ++k)
      if (!agrees(k)) return false;
    return slack_ == 0 || is_tie();
  }

  /// Rounding decides only where the difference is next to 0 whichever of both values is held.
  bool is_tie() {
    for (std::size_t k = 0; k < held_.size(); ++k) {
      if (wanted_[k] == held_[k]) continue;
      const Mixed::Held& h = mixed_.held[k];
      const double own = held_[k];
      held_[k] = own == 0;
      const bool tie = evaluate() && std::abs(m_.relation_differences[h.number]) <= 10 * slack_ * unit(h);
      held_[k] = own;
      if (!evaluate() || !tie) return false;
    }
    return true;
  }

  /// All that disagree change at once.
  bool plain() {
    held_ = base_;
    std::set<Values> seen;
    for (std::size_t round = 0; round < plain_rounds && seen.insert(held_).second; ++round) {
      if (!evaluate()) return false;
      if (all_agree()) return true;
      for (std::size_t k = 0; k < held_.size(); ++k)
        if (!agrees(k)) held_[k] = wanted_[k];
    }
    return false;
  }

  std::vector<std::size_t> natural() const {
    std::vector<std::size_t> order(held_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  /// The first in the order that disagrees changes. Where there is no solution, the next in turn does.
  bool in_order(const std::vector<std::size_t>& order) {
    held_ = base_;
    std::set<Values> seen;
    const std::size_t bound = 8 * held_.size() + 50;
    std::size_t turn = 0;
    for (std::size_t step = 0; step < bound && seen.insert(held_).second; ++step) {
      if (!evaluate()) {
        const std::size_t k = order[turn++ % order.size()];
        if (!mixed_.held[k].is_relation) return false;
        held_[k] = held_[k] == 0;
        continue;
      }
      const auto first = std::find_if(order.begin(), order.end(), [&](std::size_t k) { return !agrees(k); });
      if (first == order.end()) return all_agree();
      held_[*first] = wanted_[*first];
    }
    return false;
  }

  bool in_other_orders() {
    if (held_.size() < 2) return false;
    std::minstd_rand random(1);
    std::vector<std::size_t> order = natural();
    std::reverse(order.begin(), order.end());
    for (std::size_t k = 0; k < orders; ++k) {
      if (in_order(order)) return true;
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    }
    return false;
  }

  bool all() {
    if (held_.size() > most_enumerated || held_.empty()) return false;
    if (std::any_of(mixed_.held.begin(), mixed_.held.end(), [](const Mixed::Held& h) { return !h.is_relation; })) return false;
    for (std::size_t code = 0; code < (std::size_t{1} << held_.size()); ++code) {
      for (std::size_t k = 0; k < held_.size(); ++k) held_[k] = double((base_[k] != 0) != bool(code >> k & 1));
      if (evaluate() && all_agree()) return true;
    }
    return false;
  }

  /// What is asked for at first becomes true although it contradicts itself then: pre() of what changes with it may make the next round agree.
  bool go_on() {
    slack_ = 0;
    held_ = base_;
    if (!evaluate()) return false;
    held_ = wanted_;
    if (!evaluate()) return false;
    wanted_ = held_;   // no band grows for it
    finish();
    return goes_on_ = true;
  }

  /// The states that hold from here on, and what has changed.
  void finish() {
    m_.flips.resize(flips_);
    m_.event_function_changes.resize(function_changes_);
    m_.changes = changes_;
    std::size_t relation = 0;
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const Mixed::Held& h = mixed_.held[k];
      m_.memory[h.value] = held_[k];
      if (h.is_relation) {
        RelationState& state = m_.relations[h.number];
        const RelationState& before = relations_[relation++];
        if (wanted_[k] != held_[k]) {
          // Rounding decides: the band becomes as wide as that asks for.
          state.epsilon = std::max(state.epsilon, slack_ * unit(h));
          state.armed = false;
        }
        state.value = held_[k] != 0;
        if (state.value != before.value) m_.flips.push_back({h.number, state.value, mode_ == Mode::live && !before.armed && !before.forced});
      } else {
        m_.event_functions[h.number].value = held_[k];
        if (held_[k] != base_[k]) m_.event_function_changes.push_back(h.number);
      }
      m_.changes += held_[k] != base_[k];
    }
  }

  Machine& m_;
  const Mixed& mixed_;
  Mode mode_;
  std::vector<RelationState> relations_;         // before, in the order of held
  std::vector<EventFunctionState> functions_;
  std::size_t flips_ = 0, function_changes_ = 0;
  std::uint64_t changes_ = 0;
  Values base_, held_, wanted_;
  std::vector<Slot> unknowns_;                   // of the systems in the code
  std::vector<double> guesses_;                  // theirs at first
  double slack_ = 0;
  bool goes_on_ = false, takes_open_ = true, passed_open_ = false;
  std::size_t tried_ = 0, undetermined_ = 0;
  Outcome failure_;
};

}  // namespace

Outcome settle(Machine& m, Index index, Mode mode) {
  const Mixed& mixed = m.program->mixed[index];
  if (mode == Mode::frozen || mode == Mode::measure) {
    for (const Mixed::Held& h : mixed.held)
      m.memory[h.held] = h.is_relation ? double(m.relations[h.number].value) : m.event_functions[h.number].value;
    return run(m, mixed.code, mode);
  }
  Trial trial(m, mixed, mode);
  const Outcome outcome = trial.run();
  if (outcome.fault != Fault::no_agreement) return outcome;
  std::string names;
  for (const Mixed::Held& h : mixed.held) {
    const std::string name = text_of(*m.program, h.is_relation ? m.program->relations[h.number].origin : m.program->event_functions[h.number].origin);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  m.failed_mixed = index;
  m.block_detail = fmt::format("no choice of {} agrees with the equations that depend on it ({} choices tried)", names, trial.tried());
  if (!trial.goes_on()) return outcome;
  m.unsettled = index;
  m.unsettled_detail = m.block_detail;
  return {};
}

}  // namespace mosim::runtime
