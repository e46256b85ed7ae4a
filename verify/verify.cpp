#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/flatten/flat.hpp"
#include "runtime/machine.hpp"

namespace mosim::verify {

using namespace compiler;

namespace {

constexpr std::size_t longest_text = 160;
constexpr std::size_t most_statements = 1000000;   // of an algorithm at one row
constexpr double infinite = std::numeric_limits<double>::infinity();

constexpr const char* by_delay = "delay and spatialDistribution";
constexpr const char* by_clock = "clocked";
constexpr const char* by_string = "of Strings";
constexpr const char* by_when = "when-clauses, which hold at their events alone";
constexpr const char* by_long_algorithm = "algorithms that take long";
constexpr const char* by_loop = "algorithms with loops that the run alone knows";
constexpr const char* by_start = "start values that are one too many: the run compares them itself, more loosely";
constexpr const char* by_rounding = "at a threshold, where rounding decides";
constexpr const char* by_sliding = "rows on a sliding surface, where both sides hold in the mean";

void find_targets(const flat::Statements& statements, std::vector<VariableId>& found, bool& in_when) {
  for (const flat::Statement& s : statements) {
    if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
      if (std::find(found.begin(), found.end(), a->target) == found.end()) found.push_back(a->target);
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      for (const auto& branch : i->branches) find_targets(branch.body, found, in_when);
    } else if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
      for (const auto& body : f->iterations) find_targets(body, found, in_when);
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      find_targets(w->body, found, in_when);
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      find_targets(l->body, found, in_when);
    } else if (std::holds_alternative<flat::WhenStatement>(s.node)) {
      in_when = true;
      for (const auto& branch : std::get<flat::WhenStatement>(s.node).branches) find_targets(branch.body, found, in_when);
    }
  }
}

}  // namespace

Verifier::Verifier(dae::System& system, const Layout& layout, const parser::Sources& sources)
    : s_(system), x_(system.model.expressions), sources_(sources), values_(system, layout), walk_(system, values_) {
  const auto add = [&](Expr left, Expr right, parser::Place place, bool initial, std::string text = {}) {
    if (left == Expr::none || right == Expr::none) return;
    checks_.push_back({left, right, place, std::move(text), initial, false, false, {}});
    classify(checks_.back());
  };
  const flat::Model& model = system.model;
  for (const flat::Equation& e : model.equations) add(e.left, e.right, e.place, false);
  for (const flat::Equation& e : model.initial_equations) add(e.left, e.right, e.place, true);
  for (const auto& d : system.reduction.differentiated) add(d.left, d.right, d.place, false);   // hidden constraints
  Expressions& x = system.model.expressions;
  for (std::size_t i = 0; i < system.user_variables; ++i) {
    const flat::Variable& v = model.variables[i];
    const auto id = static_cast<VariableId>(i);
    const dae::VariableKind kind = system.facts[i].kind;
    if (kind == dae::VariableKind::gone || v.type == BaseType::clock) continue;
    const Expr self = x.variable(id, v.type);
    if (v.binding != Expr::none) add(self, v.binding, v.place, true, v.name + " = its value");
    const bool is_fixed = v.fixed != Expr::none && x_.op(v.fixed) == Op::boolean && x_.payload(v.fixed) != 0;
    if (is_fixed && v.start != Expr::none && v.binding == Expr::none && kind != dae::VariableKind::parameter && kind != dae::VariableKind::constant)
      if (values_.is_continuous(id) || values_.has_pre(id)) add(values_.is_continuous(id) ? self : x.of_variable(Op::pre, id, v.type), v.start, v.place, true, v.name + " = its start value");
    const auto& loose = system.checked_starts;
    if (!checks_.empty() && is_fixed && std::find(loose.begin(), loose.end(), id) != loose.end()) checks_.back().unchecked = by_start;
  }
  assigned_.resize(model.algorithms.size());
  assignments_.resize(model.algorithms.size());
  for (std::size_t k = 0; k < model.algorithms.size(); ++k) {
    bool in_when = false;
    find_targets(model.algorithms[k].statements, assigned_[k], in_when);
    for (const VariableId v : assigned_[k]) {
      Check check{x.variable(v, model.variable(v).type), Expr::none, model.algorithms[k].place, model.variable(v).name + " as its algorithm assigns it", false, false, false, {}};
      const dae::VariableKind kind = system.fact(v).kind;
      if (kind == dae::VariableKind::clocked) check.unchecked = by_clock;
      else if (in_when) check.unchecked = by_when;
      else if (model.variable(v).type == BaseType::string) check.unchecked = by_string;
      assignments_[k].push_back(std::move(check));
    }
  }
  for (const dae::Relation& r : system.relations) relations_.push_back({r.source, Expr::none, r.place, {}, false, false, false, {}});
  guards_.resize(relations_.size(), Expr::none);
  for (const dae::Equation& e : system.event.equations)
    if (e.why == dae::Why::relation && e.number < guards_.size()) guards_[e.number] = e.guard;
}

/// What can be looked at between events and after them.
void Verifier::classify(Check& check) {
  Walker walker(x_);
  const auto look = [&](Expr e) {
    if (x_.type(e) == BaseType::string || x_.op(e) == Op::string_of) check.unchecked = by_string;
    if (x_.op(e) == Op::pre || x_.op(e) == Op::edge || x_.op(e) == Op::change || x_.op(e) == Op::initial) check.has_pre = true;
    if (looks_back(x_.op(e))) check.unchecked = by_delay;
    if (x_.type(e) == BaseType::clock || (x_.op(e) >= Op::clock_inferred && x_.op(e) <= Op::first_tick)) check.unchecked = by_clock;
    const dae::Quantity q = dae::quantity_of(x_, e);
    if (q != dae::Quantity::none && index(dae::variable(q)) < s_.facts.size()) {
      const dae::VariableFacts& facts = s_.fact(dae::variable(q));
      const dae::VariableKind kind = facts.kind == dae::VariableKind::alias ? s_.fact(facts.alias_of).kind : facts.kind;
      if (kind == dae::VariableKind::clocked || kind == dae::VariableKind::gone || x_.op(e) == Op::previous) check.unchecked = by_clock;
    }
    return true;
  };
  walker.each(check.left, look);
  walker.more(check.right, look);
}

void Verifier::compare(Check& check, Number left, Number right, bool real) {
  const double residual = std::abs(left.value - right.value);
  const double size = std::max(left.size, 0.0) + std::max(right.size, 0.0);
  if (!std::isnan(residual) && !std::isfinite(size) && real) {
    check.undecided = true;   // a quotient whose divisor is almost nothing: any rounding is as large as all of it
    return;
  }
  const bool same = residual == 0 || (real && residual < std::numeric_limits<double>::min());   // underflow has no relative precision
  double part = same ? 0 : real ? residual / size : infinite;
  if (std::isnan(part)) part = infinite;
  if (!(part > check.part)) return;
  check.part = part;
  check.residual = residual;
  check.size = size;
  check.time = m_->memory[runtime::slot_time];
}

void Verifier::look(const runtime::Machine& machine, Moment moment) {
  m_ = &machine;
  settle(machine.memory[runtime::slot_time]);
  if (machine.sliding) {
    ++sliding_;
    return;
  }
  rows_ += moment != Moment::initial;
  walk_.move_to(machine, moment);
  const bool starts = moment == Moment::initial;
  for (Check& check : checks_) {
    if (!check.unchecked.empty() || check.initial != starts) continue;
    // Rounds that begin with the first row have not been yet.
    if (check.has_pre && rows_ == 1 && moment == Moment::between_events) continue;
    walk_.clear();
    const Number left = walk_(check.left), right = walk_(check.right);
    if (walk_.unknown) {
      check.unchecked = walk_.unknown;
      continue;
    }
    Check before = check;
    const bool real = x_.type(check.left) == BaseType::real || x_.type(check.right) == BaseType::real;
    compare(check, left, right, real);
    // Known expressions do not say again that they are unknown, or close to a jump: then a difference says nothing.
    if (check.part > limit && before.part <= limit) {
      walk_.move_to(machine, moment);
      walk_.clear();
      (void)walk_(check.left), (void)walk_(check.right);
      if (!walk_.unknown && !walk_.close) continue;
      check = std::move(before);
      if (walk_.unknown)
        check.unchecked = walk_.unknown;
      else
        check.undecided = true;
    }
  }
  if (starts) return;
  check_relations(moment);
  for (std::size_t k = 0; k < assigned_.size(); ++k) check_algorithm(k);
}

/// Buffered relations against what they compare (E4): farther than rounding and their band on the other side is a contradiction.
void Verifier::check_relations(Moment moment) {
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    Check& check = relations_[k];
    if (check.left == Expr::none || x_.children(check.left).size() != 2 || s_.relations[k].time_event) continue;
    walk_.clear();
    if (guards_[k] != Expr::none && (!(walk_(guards_[k]).value != 0) || walk_.unknown)) continue;   // E14: not evaluated
    const Number a = walk_(x_.child(check.left, 0)), b = walk_(x_.child(check.left, 1));
    if (walk_.unknown || std::isnan(a.value) || std::isnan(b.value)) continue;
    const double difference = a.value - b.value;
    const Op op = x_.op(check.left);
    const bool greater = op == Op::greater || op == Op::greater_equal;
    const runtime::RelationState& state = m_->relations[k];
    if (std::isnan(state.left)) continue;   // in a branch that is not taken
    const double beyond = (greater == state.value ? -difference : difference) - 4 * state.epsilon - walk_.moved(a.dot - b.dot);
    const double size = a.size + b.size;
    const double part = beyond > 0 ? beyond / size : 0;
    if (part > limit) {   // a jump within a side, sign(x) say, may lie within rounding of here
      walk_.move_to(*m_, moment);
      walk_.close = false;
      (void)walk_(x_.child(check.left, 0)), (void)walk_(x_.child(check.left, 1));
      if (walk_.close) continue;
    }
    if (part > std::max(check.part, 0.0)) contradictions_.push_back({k, part, beyond, size, m_->memory[runtime::slot_time]});
    check.part = std::max(check.part, 0.0);
  }
}

/// Left limits stand where a crossing was located, a rounding of the time after it: only rows that no event follows count.
void Verifier::settle(double time) {
  for (const Contradiction& c : contradictions_) {
    Check& check = relations_[c.relation];
    if (c.time == time || !(c.part > check.part)) continue;
    check.part = c.part;
    check.residual = c.residual;
    check.size = c.size;
    check.time = c.time;
  }
  contradictions_.clear();
}

/// Without a value of its own, the one nearest to 0 within its bounds (MLS 4.9).
Number Verifier::start_of(VariableId v) {
  const auto& variable = s_.model.variable(v);
  if (variable.start != Expr::none) return walk_(variable.start);
  const Number low = variable.min == Expr::none ? Number{} : walk_(variable.min), high = variable.max == Expr::none ? Number{} : walk_(variable.max);
  return low.value > 0 ? low : high.value < 0 ? high : Number{};
}

void Verifier::check_algorithm(std::size_t k) {
  if (std::all_of(assignments_[k].begin(), assignments_[k].end(), [](const Check& c) { return !c.unchecked.empty(); })) return;
  walk_.clear();
  for (const VariableId v : assigned_[k]) {
    // What no statement assigns has its start value, or keeps what it had (MLS 11.1.2).
    Number first = values_.value(*m_, v);
    if (values_.is_continuous(v)) {
      first = start_of(v);
    }
    walk_.assign(v, first);
  }
  std::size_t steps = 0;
  const bool done = execute(s_.model.algorithms[k].statements, steps) || steps < most_statements;
  std::vector<Number> results;
  for (const Check& check : assignments_[k]) results.push_back(walk_(check.left));
  const bool close = walk_.close;
  if (walk_.unknown || !done)
    for (Check& check : assignments_[k])
      if (check.unchecked.empty()) check.unchecked = walk_.unknown ? walk_.unknown : by_long_algorithm;
  walk_.forget_assignments();
  for (std::size_t i = 0; i < results.size(); ++i) {
    Check& check = assignments_[k][i];
    if (!check.unchecked.empty()) continue;
    const Check before = check;
    compare(check, values_.value(*m_, assigned_[k][i]), results[i], s_.model.variable(assigned_[k][i]).type == BaseType::real);
    if (check.part > limit && close) {
      check = before;
      check.undecided = true;
    }
  }
}

/// False where a break or a return ended it.
bool Verifier::execute(const flat::Statements& statements, std::size_t& steps) {
  for (const flat::Statement& s : statements) {
    if (++steps > most_statements) {
      walk_.unknown = by_long_algorithm;
      return false;
    }
    if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
      walk_.assign(a->target, walk_(a->value));
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      for (const auto& branch : i->branches)
        if (branch.condition == Expr::none || walk_(branch.condition).value == 1) {
          if (!execute(branch.body, steps)) return false;
          break;
        }
    } else if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
      for (const auto& body : f->iterations)
        if (!execute(body, steps)) break;
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      while (walk_(w->condition).value == 1)
        if (++steps > most_statements || !execute(w->body, steps)) break;
      if (steps > most_statements) {
        walk_.unknown = by_long_algorithm;
        return false;
      }
    } else if (std::holds_alternative<flat::Loop>(s.node)) {   // code, as functions are
      walk_.unknown = by_loop;
      return false;
    } else if (std::holds_alternative<flat::BreakStatement>(s.node) || std::holds_alternative<flat::ReturnStatement>(s.node)) {
      return false;
    }
  }
  return true;
}

std::string Verifier::text_of(const Check& check) const {
  std::string text = !check.text.empty() ? check.text
                     : check.right == Expr::none ? compiler::print(s_.model, check.left)
                                                 : compiler::print(s_.model, check.left) + " = " + compiler::print(s_.model, check.right);
  if (text.size() > longest_text) text = text.substr(0, longest_text) + " ...";
  return text;
}

Report Verifier::report() {
  settle(std::numeric_limits<double>::quiet_NaN());
  Report report;
  report.rows = rows_;
  const auto finding = [&](const Check& check) {
    const parser::Location at = sources_.locate(check.place);
    return Finding{text_of(check), std::string(at.path), at.line, check.time, check.residual, check.part == infinite ? 0 : check.size};
  };
  const Check* worst = nullptr;
  const auto take = [&](const Check& check) {
    if (!check.unchecked.empty()) {
      ++report.unchecked[check.unchecked];
      return;
    }
    if (check.undecided) ++report.unchecked[by_rounding];
    if (check.part < 0) return;
    ++report.equations;
    if (check.part > limit) report.violated.push_back(finding(check));
    else if (!worst || check.part > worst->part) worst = &check;
  };
  for (const Check& check : checks_) take(check);
  for (const auto& list : assignments_)
    for (const Check& check : list) take(check);
  for (const Check& check : relations_) take(check);
  if (!s_.model.whens.empty()) report.unchecked[by_when] += s_.model.whens.size();
  if (sliding_ > 0) report.unchecked[by_sliding] = sliding_;
  if (worst) report.worst = finding(*worst);
  std::stable_sort(report.violated.begin(), report.violated.end(), [](const Finding& a, const Finding& b) { return a.part() > b.part(); });
  return report;
}

}  // namespace mosim::verify
