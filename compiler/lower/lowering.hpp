#pragma once
// What the parts of stage "lower" share: where quantities live, and the emission of code.

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/analyse/dae.hpp"
#include "compiler/labels.hpp"
#include "compiler/lower/lower.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/ordered_table.hpp"
#include "runtime/program.hpp"

namespace mosim::compiler {

class Lowering {
public:
  Lowering(dae::System& system, const parser::Sources& sources, std::size_t kernels_from);
  runtime::Program run(bool stays);
  Layout layout() const;

private:
  using Slot = runtime::Slot;
  using Entry = runtime::Entry;
  using Index = runtime::Index;
  using Opcode = runtime::Opcode;

  // ---- memory (memory.cpp) ----------------------------------------------------------------------------------------
  void lay_out();
  Slot new_slot(double value = 0);
  /// The first of so many in a row.
  Slot new_slots(std::size_t n);
  Slot constant(double value);
  /// The same for a Real, which is found by its expression: a large model has a million of them.
  Slot constant(Expr real);
  /// In Program::strings.
  double string_number(const std::string& text);
  /// A slot that is good up to the end of the section (or block) that is being emitted.
  Slot temporary();
  Slot slot_of(dae::Quantity q) const;
  Slot slot_of(VariableId v) const { return slot_of(dae::quantity(v)); }

  // ---- code (code.cpp) --------------------------------------------------------------------------------------------
  /// Emits code for e; the result is in the slot returned, which is `target` unless that is none.
  Slot emit(Expr e, Slot target = runtime::none);
  Slot leaf(Expr e);
  Slot emit_choice(Expr e, Slot target);
  Slot emit_short_circuit(Expr e, Slot target);
  Slot emit_homotopy(Expr e, Slot target);
  Slot emit_text(Expr e, Slot target);
  Slot emit_string_order(Expr e, Slot target);
  Slot emit_operation(Expr e, Slot first, Slot target);
  /// One side of a relation. A limit that is made of infinities (Modelica.Constants.inf, the largest number) may come out as more than that:
  /// it is compared all the same.
  Slot emit_side(Expr e);
  /// The sign of the infinity that it becomes where an exp in it overflows; 0: there is none, or it would be no number.
  int infinite_sign(Expr root);
  /// Code for a divisor, in which an exp may overflow: the quotient is 0 there.
  Slot emit_divisor(Expr root);
  Entry instruction(Opcode op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0, std::uint32_t d = 0,
                    Index origin = runtime::none);
  Entry jump(Opcode op, Slot condition = 0) { return instruction(op, 0, condition); }
  void land(Entry jump) { p_.code[jump].a = here(); }
  Entry here() const { return static_cast<Entry>(p_.code.size()); }
  bool can_fault(Expr e);
  bool can_fault_itself(Expr e) const;
  bool may_come_to_fault(Expr e);
  /// The number of a relation (or sign) that makes no events, where the derivatives may depend on it; none: elsewhere.
  Index quiet_relation(Expr e);
  /// The literal that an expression of constants and parameters comes to; Expr::none if it is not known.
  Expr literal(Expr e, Reliance reliance = Reliance::value);

  // Common subexpressions: what was computed in a scope is known up to its end.
  void open_scope() { scopes_.push_back(known_order_.size()); }
  void close_scope();
  void remember(Expr e, Slot slot);
  /// Begins and ends a piece of code with an entry of its own.
  Entry begin_section();
  enum class Runs { once, at_events, between_events };
  void end_section(Runs runs = Runs::at_events);

  // ---- kernels (kernels.cpp) --------------------------------------------------------------------------------------
  class KernelMaker;
  /// Makes kernels of the code from there on. `relations`: of relations as well, where which of them changes first does not count.
  void make_kernels(Entry from, bool relations);
  Slot passing(std::size_t k);
  bool is_temporary(Slot slot) const;

  // ---- functions (functions.cpp) ----------------------------------------------------------------------------------
  /// Places for all locals and functions, then their code.
  void functions();
  void function_code(FunctionId id);
  bool statements(const flat::Statements& list);
  void statement(const flat::LocalAssignment& s);
  void statement(const flat::ElementAssignment& s);
  void statement(const flat::ArrayCreation& s, Place place);
  void statement(const flat::ItemAssignment& s, Place place);
  void statement(const flat::ArrayAssignment& s);
  void forget_place(Slot place, std::size_t first);
  void statement(const flat::IfStatement& s);
  void statement(const flat::ExternalCall& s, Place place);
  void statement(const flat::Loop& s, Place place);
  void statement(const flat::WhileStatement& s, Place place);
  /// A loop whose body is emitted by `body`; what leaves it lands behind it.
  template <class Body>
  void looped(Entry head, std::vector<Entry> leaves, runtime::Index from, Body&& body);
  Slot emit_result(Expr e, Slot target);
  /// The results of a call that is made once, what says that it was made, and the jump over it.
  struct CallOnce {
    Slot first, done;
    Entry skip;
  };
  CallOnce call_once(Expr call, const std::vector<Slot>& arguments);
  Slot emit_element(Expr e, Slot target);
  Slot emit_item(Expr e, Slot target);
  Slot emit_extent(Expr e, Slot target);
  /// The values in a row: the first slot.
  Slot emit_row(std::span<const Expr> list);
  bool is_array(LocalId l) const { return model_.locals[index(l)].rank > 0; }

  // ---- sections (lower.cpp) ---------------------------------------------------------------------------------------
  void parameters();
  void begin_initial();
  void initial();
  void continuous();
  void event();
  bool is_event_continuous() const;
  void copy(runtime::Instruction i, Index origin, Entry from, Entry to);
  void copy_section(Entry from);
  void instants();
  void crossings();
  void state_sets_alone();
  template <class EachRoot>
  std::vector<char> needed_blocks(std::vector<char> needed, EachRoot&& each_root);
  void emit_taken(const std::vector<char>& taken, bool alone);
  bool leaves_most_out(const std::vector<char>& taken, bool with_outputs);
  void quiet_relations();
  void assertions();
  void assertions_alone(Index first);
  void emit_block(const dae::Schedule& schedule, const dae::Block& block);
  void emit_guesses(const dae::Block& block);
  void emit_blocks(const dae::Schedule& schedule);
  void emit_assignment(const dae::Schedule& schedule, const dae::Solved& solved);
  struct Choice {
    Expr value;
    Slot target;
    const dae::Equation* equation;
  };
  std::size_t end_of_choices(const dae::Schedule& schedule, std::size_t first, std::size_t last) const;
  bool is_known_before(Expr value) const;
  void emit_choices(std::span<const Choice> list, int depth);
  const runtime::Literals& literals_of(EnumerationId type);
  template <class Code>
  void emit_guarded(Expr guard, Code&& code);
  void emit_relation(const dae::Equation& equation, Slot target);
  void emit_iteration(const dae::Schedule& schedule, const dae::Iteration& iteration);
  void emit_effect(const dae::WhenEffect& effect);
  void emit_check(const flat::Assertion& assertion);
  void emit_terminate(const flat::Termination& termination);
  void emit_deferred();
  /// What is computed in a block's code, in order: a value or a residual.
  struct BlockRow {
    const dae::Equation* equation;
    Expr value;
    Slot target;
    bool buffered;     // the buffered value of the equation's relation or event function
  };
  void emit_invariants(const dae::Block& block, std::span<const BlockRow> rows);
  static bool is_buffered(const dae::Equation& equation);
  void given(Expr e, Slot slot);
  bool known_before_run(Expr e);
  Index block_number(const dae::Schedule& schedule, const dae::Block& block);
  void add_untorn(const dae::Schedule& schedule, const dae::Block& block, Index torn);
  void add_unknown(runtime::Block& block, dae::Quantity q);
  /// Relations in the condition of a when-clause that a reinit of the state in it is to turn back (turns.cpp).
  std::vector<Index> turns(std::uint32_t branch, VariableId state);
  template <class Visit>
  void each_needed(std::vector<Expr> roots, Visit visit);

  // ---- tables (tables.cpp) ----------------------------------------------------------------------------------------
  void number_variables();
  struct Said {
    runtime::Label meaning, text;   // as in runtime::Variable
  };
  /// By variable: what their table takes from expressions.
  std::map<std::size_t, Said> said_of_variables() const;
  void variables(const std::map<std::size_t, Said>& said);
  void bounds();
  // ---- values from outside (changeable.cpp) -----------------------------------------------------------------------
  void changeable(VariableId v, Expr own, Slot slot);
  void changeable_start(VariableId v, Expr own);
  bool may_change(VariableId v) const;
  Slot given_or_own(Expr own, Slot slot);
  void list_changeable();
  void state_sets();
  void events();
  void clocks();
  runtime::Text text(Expr message);
  /// Its pieces in order; `values` gets the expressions of those that are computed, and their positions.
  void add_pieces(runtime::Text& text, Expr message, std::vector<std::pair<Expr, std::size_t>>& values);
  void jacobian();
  void sort_by_state();
  double nominal(VariableId v);

  // ---- origins (origins.cpp) --------------------------------------------------------------------------------------
  Index origin(Expr e);
  Index origin(const dae::Equation& equation);
  Index origin(Place place, std::string_view text, std::initializer_list<Expr> expressions);
  /// In Program::origins.spots.
  Index spot(Place place);

  const std::size_t kernels_from_;
  dae::System& s_;
  const parser::Sources& sources_;
  flat::Model& model_;         // emission makes a few expressions of its own
  Expressions& x_;
  runtime::Program p_;
  Walker walker_;

  std::vector<Slot> value_, derivative_, pre_, previous_;   // by variable
  std::vector<Index> variable_number_;                      // in Program::variables
  Scratch<Slot> real_slots_;                                // of numbers, by expression
  std::vector<Slot> constants_;                             // of other numbers
  PlacesByKey<std::uint64_t, std::hash<std::uint64_t>> constant_places_;   // in constants_, by their bits
  std::unordered_map<std::string, double> string_numbers_;
  // Runs of slots, each as long as all before it and four more: constants stand side by side then, as the lanes of kernels read them.
  struct Run {
    Slot first;
    std::uint32_t count;
  };
  std::vector<Run> temporaries_;
  std::vector<Slot> passing_;         // lanes_together of them each
  std::size_t run_ = 0;               // of the next temporary
  std::uint32_t next_temporary_ = 0;  // in it
  bool own_temporaries_ = false;      // in blocks: never shared with the section around
  bool in_initial_ = false;
  bool calls_once_ = false;           // in the initial section and that of events: calls that count are made once
  struct Once {
    Slot done = 0, first = 0;
    std::vector<Slot> arguments;
  };
  std::unordered_map<std::uint32_t, Once> once_;            // by call
  Slot guessed_ = runtime::none;      // 1 once the initial section has set the guesses that it finds itself
  bool in_derivatives_ = false;       // the section, or a block
  Index current_origin_ = runtime::none;
  bool may_be_infinite_ = false;   // what is emitted is only compared
  const dae::Equation* current_equation_ = nullptr;

  std::vector<Slot> local_;           // by LocalId
  std::vector<Index> array_;          // by LocalId: of those with a rank
  std::vector<std::vector<Index>> input_arrays_;            // by function and input; none: a number
  std::map<std::pair<Expr, std::uint32_t>, Index> result_arrays_;   // by call and which of its results: where it is kept
  struct Breaks {
    std::vector<Entry> jumps;
  };
  std::vector<Breaks> breaks_;        // of the loops around the statement at hand
  const flat::Function* function_ = nullptr;   // being emitted
  Entry section_ = 0;                 // the one that is being emitted
  struct Begun {
    Entry from = 0;                   // where it stood
    std::vector<runtime::Instruction> code;
    std::vector<Index> origins;
  };
  Begun begun_;                       // see begin_initial()
  Scratch<Slot> known_;               // slot + 1; 0: not known any more
  std::vector<Expr> known_order_;
  std::vector<Expr> spine_;                                 // of the expressions that emit() is in
  std::vector<std::size_t> scopes_;
  Scratch<char> fault_;               // 1: no, 2: yes
  Scratch<char> overflow_;            // infinite_sign + 2

  OrderedTable<std::uint32_t, Index> origins_;              // by expression
  OrderedTable<std::uint64_t, Index> spots_;                // by place
  Labels labels_;
  std::unordered_map<std::uint32_t, Index> quiet_;          // relations by expression
  std::vector<Expr> quiet_order_;
  struct EquationOrigin {
    std::uint32_t told = 0;   // of the equation, hashed
    Index origin = runtime::none;
  };
  // The same for all sections that an equation stands in: by the side made last, of equations that have it in common but one by what is told.
  Scratch<EquationOrigin> equation_origins_;
  OrderedTable<std::uint64_t, Index> other_origins_;
  std::string side_, other_side_;   // of an equation, as text: room for the next one
  std::map<std::vector<std::uint32_t>, Index> known_blocks_;
  struct Deferred {
    const dae::Schedule* schedule;
    const dae::Block* block;
    Index number;
    bool initial, untorn;
  };
  std::vector<Deferred> deferred_;
  std::vector<BlockRow> block_rows(const Deferred& d);
  struct DeferredMixed {
    const dae::Schedule* schedule;
    const dae::Iteration* iteration;
    Index number;
    bool initial;
  };
  std::vector<DeferredMixed> deferred_mixed_;
  std::vector<std::uint32_t> block_of_;                     // by quantity, in System::event.blocks; see turns()
  std::unordered_map<VariableId, Index> relation_of_;       // its number in System::relations, by variable; see turns()
  std::unordered_map<std::uint32_t, Index> delay_of_;       // by input variable
  std::unordered_map<std::uint32_t, Index> spatial_distribution_of_;   // by in0
  struct Message {
    Expr text;
    Index number;          // of the assertion or termination
    bool termination;
  };
  std::vector<Message> messages_;   // to be written at the end
  std::vector<std::pair<Expr, Slot>> bound_values_;         // min and max that are no literals
  std::vector<runtime::Changeable> changeable_;             // candidates
  std::vector<VariableId> changeable_of_;
  struct StartSlot {
    Slot slot = runtime::none;
    bool counts = false;   // the initial system begins there; else it is a first guess at most
  };
  std::vector<StartSlot> start_slot_;                       // by variable, of those with a start value: where it stands for the initial system
  std::unordered_map<EnumerationId, runtime::Literals> literals_;   // one for all of a type
};

template <class Code>
void Lowering::emit_guarded(Expr guard, Code&& code) {
  if (guard == Expr::none) return code();
  const Entry skip = jump(Opcode::jump_if_zero, emit(guard));
  open_scope();
  code();
  close_scope();
  land(skip);
}

}  // namespace mosim::compiler
