// The equations of the model in one list: equations, when-clauses, algorithms.

#include <fmt/format.h>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

void give_kinds(Analysis& a) {
  std::vector<char> bound(a.system.user_variables, 0);
  for (const auto& e : a.model().equations)
    if (e.binding_of != VariableId::none && index(e.binding_of) < bound.size()) bound[index(e.binding_of)] = 1;
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i) {
    const flat::Variable& v = a.model().variables[i];
    VariableFacts& facts = a.system.facts[i];
    if (v.variability <= flat::Variability::parameter || facts.kind == VariableKind::gone) continue;
    if (v.type == BaseType::clock) facts.kind = VariableKind::gone;
    else if (v.causality == flat::Causality::input && !bound[i]) facts.kind = VariableKind::input;   // clocked ones too
    else if (facts.kind == VariableKind::clocked) continue;
    else facts.kind = v.variability == flat::Variability::discrete ? VariableKind::discrete : VariableKind::algebraic;
  }
}

}  // namespace

void collect_equations(Analysis& a) {
  give_kinds(a);
  if (a.failed) return;
  Normaliser normalise(a);
  a.equations.reserve(a.model().equations.size());
  for (std::size_t i = 0; i < a.model().equations.size(); ++i) {
    const flat::Equation source = a.model().equations[i];
    Equation e;
    e.clock = i < a.equation_clocks.size() ? a.equation_clocks[i] : none;
    const bool clocked = e.clock != none;
    const Expr left = a.x().worked_out(source.left), right = a.x().worked_out(source.right);
    e.left = clocked ? normalise.clocked(left) : normalise(left);
    e.right = clocked ? normalise.clocked(right) : normalise(right);
    e.place = source.place;
    e.source_left = source.left;
    e.source_right = source.right;
    // Not Real, and varying between events all the same: nothing else can be solved for it.
    if (a.x().op(source.left) == Op::variable && a.x().op(source.right) != Op::variable && a.x().type(source.left) != BaseType::real &&
        a.fact(a.x().variable(source.left)).kind == VariableKind::algebraic)
      e.target = quantity(a.x().variable(source.left));
    a.equations.push_back(e);
  }
  collect_whens(a, normalise);
  collect_algorithms(a, normalise);

  for (Sampled& sampled : a.system.sampled) sampled.value = normalise(sampled.value);
  for (const auto& source : a.model().initial_equations) {
    Equation e;
    e.left = normalise.quiet(a.x().worked_out(source.left));
    e.right = normalise.quiet(a.x().worked_out(source.right));
    e.place = source.place;
    e.why = Why::initial_equation;
    e.source_left = source.left;
    e.source_right = source.right;
    a.initial_equations.push_back(e);
  }
  for (flat::Assertion check : a.model().assertions) {
    check.condition = normalise(check.condition);
    check.message = normalise.quiet(check.message);
    a.system.assertions.push_back(check);
  }
  for (flat::Assertion check : a.model().initial_assertions) {
    check.condition = normalise.quiet(check.condition);
    check.message = normalise.quiet(check.message);
    a.system.initial_assertions.push_back(check);
  }
  for (flat::Termination t : a.model().terminations) {
    t.message = normalise.quiet(t.message);
    a.system.terminations.push_back(t);
  }
}

}  // namespace mosim::compiler::dae
