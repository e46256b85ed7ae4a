#pragma once
// The equations of states (MLS 17.3.2, 17.3.3, 17.3.5): as written they hold while the state is active.

#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/expression/walk.hpp"
#include "compiler/flatten/state_machines.hpp"

namespace mosim::compiler {

class StateEquations {
public:
  StateEquations(Instances& in, StateMachines& machines, const std::vector<OfObject>& objects);
  /// Changes the equations of the flat model, and adds one for each variable that states set for others.
  void write();
  /// An expression that stands in a state, or in none: previous() with its reset, variables under the names that they have there.
  Expr located(Expr e, std::size_t state);
  /// The Boolean that tells whether a state is entered with reset.
  VariableId reset(std::size_t state);
  VariableId reset_if_asked(std::size_t state) const { return resets_[state]; }
  /// Does its value at a tick depend on which state of a machine is active?
  bool given_by(VariableId v, std::size_t machine) const;

private:
  static constexpr std::size_t none = StateMachines::none;
  struct Outer {
    VariableId variable;                 // what it stands for
    std::string name;
  };
  struct Setter {
    std::size_t state;
    Place place;
  };
  VariableId root(VariableId v) const;
  void own(const Class* object, std::size_t state);
  void same(const Component* inner, const Component* outer);
  void find_outers(std::size_t state);
  void outer_leaves(const Component* c, const std::string& name, std::size_t prefix, std::size_t state);
  void locate();
  void name_slopes();
  void match(std::size_t state);
  void set_outer(std::size_t state, VariableId v, Place place);
  void rewrite_equations(), rewrite_algorithms(), rewrite_whens(), merge();
  void rewrite_statements(flat::Statements& list, std::size_t state);
  void guard(flat::Equation& e, std::size_t state, VariableId target);
  VariableId here(VariableId v, std::size_t state) const;
  Expr held(VariableId v, std::size_t state);
  Expr start(VariableId v);
  std::size_t owner(VariableId v) const { return index(v) < owners_.size() ? owners_[index(v)] : none; }

  Instances& in_;
  StateMachines& sm_;
  flat::Model& m_;
  Expressions& ex_;
  const std::vector<OfObject>& objects_;
  std::vector<std::size_t> owners_;                        // by variable: the innermost state that it is declared in
  std::unordered_map<VariableId, VariableId> same_;        // the inner part of an `inner outer` in a state -> what the outer one means
  std::vector<std::vector<Outer>> outers_;                 // by state: `outer output`
  std::vector<std::size_t> equation_states_, algorithm_states_, when_states_;
  std::vector<VariableId> targets_;                        // by equation of a state: what it determines
  std::map<VariableId, std::vector<Setter>> setters_;
  std::map<std::pair<std::size_t, VariableId>, VariableId> locals_;   // a state and an outer variable: its value there
  std::unordered_map<VariableId, VariableId> slopes_;      // x -> what holds der(x)
  std::vector<VariableId> resets_;                         // by state
  std::size_t state_ = none;                               // that the expression being rewritten stands in
  Rewriter rewrite_;
};

}  // namespace mosim::compiler
