#pragma once
// Clocked equations once their clocks are known.

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/analyse/clock_partitions.hpp"

namespace mosim::compiler::dae {

/// Which node of the clock partitions everything in the flat model belongs to.
struct ClockedModel {
  std::vector<std::uint32_t> variable_node, equation_node, algorithm_node;
  std::unordered_map<std::uint32_t, VariableId> converted;   // argument of a conversion -> the variable that holds it
  struct Extra {
    flat::Equation equation;
    std::uint32_t node;                                      // none: not clocked
  };
  std::vector<Extra> extra;                                  // equations made on the way
  std::vector<std::pair<flat::WhenAction, std::uint32_t>> guarded;   // assert and terminate in clocked when-clauses
};

/// Calls visit(VariableId) for every variable that statements assign.
void each_target(const flat::Statements& list, const std::function<void(VariableId)>& visit);

/// Calls visit(Expr&) for every expression in a list of statements.
template <class Visit>
void each_expression(flat::Statements& list, Visit&& visit) {
  for (flat::Statement& s : list) {
    if (auto* set = std::get_if<flat::Assignment>(&s.node)) visit(set->value);
    else if (auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      for (auto& b : i->branches) {
        if (b.condition != Expr::none) visit(b.condition);
        each_expression(b.body, visit);
      }
    } else if (auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
      for (auto& body : f->iterations) each_expression(body, visit);
    } else if (auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      visit(w->condition);
      each_expression(w->body, visit);
    } else if (auto* l = std::get_if<flat::Loop>(&s.node)) {
      visit(l->first);
      visit(l->last);
      each_expression(l->body, visit);
    } else if (auto* when = std::get_if<flat::WhenStatement>(&s.node)) {
      for (auto& b : when->branches) {
        for (Expr& c : b.conditions) visit(c);
        each_expression(b.body, visit);
      }
    } else if (auto* check = std::get_if<flat::Assertion>(&s.node)) {
      visit(check->condition);
      visit(check->message);
    } else if (auto* t = std::get_if<flat::Termination>(&s.node)) {
      visit(t->message);
    }
  }
}

/// The continuous equations of a clocked partition, with der() in them.
struct DiscretisedPartition {
  std::uint32_t clock;
  std::vector<std::pair<flat::Equation, bool>> equations;   // and whether they stand in a clocked when-clause
  std::vector<VariableId> assigned;         // by algorithms
  std::vector<VariableId> differentiated;   // outside of these equations

  /// Index reduction: variable that is no state -> the one that is its derivative.
  std::unordered_map<std::uint32_t, VariableId> dummies;
};

/// Makes explicit which ordinary differential equation the method solves (MLS 16.8.2): index reduction, where constraints tie
/// states together or stateSelect asks for other states. True if the equations have changed. The partition's variables have
/// their clock already.
bool reduce_partition(Analysis& a, DiscretisedPartition& partition);

/// Replaces the clock operators by variables, gives kinds and clocks to variables and equations, and discretises
/// partitions with a solverMethod (MLS 16.8).
void write_clocked_equations(Analysis& a, ClockPartitions& partitions, const ClockedModel& found);

}  // namespace mosim::compiler::dae
