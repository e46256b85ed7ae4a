#pragma once
// One function while it becomes code, for arguments of certain sizes.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/elaborate/activation.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/function_code.hpp"

namespace mosim::compiler {

/// So that the caller's environment without its path lives as long as the activation that refers to it.
struct Surroundings {
  explicit Surroundings(const Environment& caller) : plain(caller) {
    plain.called_on_the_way = caller.called_on_the_way || caller.path != Expr::none;
    plain.path = Expr::none;
    plain.untaken = plain.open_way = plain.conditional = false;
  }
  Environment plain;
};

class FunctionCode : private Surroundings, public Activation {
public:
  /// `run_sizes`: the sizes of its arrays may be known in the run alone.
  FunctionCode(Instances& in, Class* function, const Environment& caller, Place call, bool run_sizes)
      : Surroundings(caller), Activation(in, function, plain, call), codes_(function_codes(in)), run_sizes_(run_sizes) {}

  std::optional<std::vector<Value>> call(const Arguments& arguments);
  /// Inputs whose values must be known, found on the way.
  const std::set<Name>& needs() const { return needs_.inputs; }

  bool run_sizes() const { return run_sizes_; }
  /// Sizes that the run alone knows were asked for.
  bool needs_run_sizes() const { return needs_run_sizes_; }
  void note_run_sizes() {
    needs_run_sizes_ = true;
    ++needs_.asked;
  }

  bool note(Expr e);
  /// Its elements in locals of this function.
  Value hold(const Value& v, Place place);
  /// A statement before what is being elaborated.
  void emit(Place place, decltype(flat::Statement::node) node) {
    tell_asserted();
    out_->push_back({place, std::move(node)});
  }
  LocalId local(std::string name, Type type, Expr value = Expr::none, int rank = 0) {
    in_.model.locals.push_back({std::move(name), type.base, type.enumeration, id_, value, type.object, rank});
    return static_cast<LocalId>(in_.model.locals.size() - 1);
  }
  /// One that nobody has named.
  LocalId made(std::string_view name, Type type, Expr value = Expr::none, int rank = 0) {
    return local(std::string(name) + " " + std::to_string(++made_), type, value, rank);
  }
  /// Variables of this function of a value's type and size.
  Value variables_like(const Value& v, const std::string& name) { return locals(v, name); }
  /// Within its life, statements go into another list.
  class Into {
  public:
    Into(FunctionCode& code, flat::Statements& list) : code_(code), outer_(code.out_) {
      code.tell_asserted();
      code.out_ = &list;
    }
    ~Into() {
      code_.tell_asserted();
      code_.out_ = outer_;
    }
    Into(const Into&) = delete;

  private:
    FunctionCode& code_;
    flat::Statements* outer_;
  };

private:
  Value locals(const Value& shape, const std::string& name);
  std::string key(std::vector<Expr>& arguments, bool& good);
  bool is_known(Value& value, bool& good);
  bool fix_number(Value& value);
  FunctionCodes::Known* make(const std::string& key);
  bool declare_others();
  std::optional<std::vector<Value>> results(const FunctionCodes::Known& known, const std::vector<Expr>& arguments);

  bool begins(const parser::Statement& s) override;
  Flow assign(std::vector<NewValue> all, Place place) override;
  Flow if_statement(const parser::Statement& s, const parser::IfStatement& i) override { return branch(s, i, 0); }
  Flow for_statement(const parser::Statement& s, const parser::ForStatement& f, std::size_t number) override;
  Flow while_statement(const parser::Statement& s, const parser::WhileStatement& w) override;
  Environment environment() override {
    Environment env = Activation::environment();
    env.called_on_the_way = env.called_on_the_way || on_the_way_ > 0 || may_have_broken_ || may_have_returned_;
    return env;
  }
  Flow leave(Flow how, Place place) override;
  void tell(flat::Assertion a, Place place) override { emit(place, std::move(a)); }
  bool takes_size(const Variable& v, const Value& own, const Value& value);
  Flow assign_open_element(const Variable& v, const Element& open, const std::string& name, Value value, Place place);
  Flow assign_all(std::vector<flat::LocalAssignment::One>& all, const parser::ComponentReference& target, Value value, Place place);
  Flow branch(const parser::Statement& s, const parser::IfStatement& i, std::size_t number);
  Flow loop_over(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range);
  Flow round(const parser::Statement& s, const parser::ForStatement& f, std::size_t number);
  Flow first_and_others(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range);
  Flow unrolled(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range);
  void settle_constants(const flat::Statements& body, Value& v);
  bool call_external();
  void note_rules();
  void withdraw(bool again);
  /// Each output gets a value.
  bool is_good(const flat::Function& f);
  void assign(Place place, LocalId target, Expr value) { emit(place, flat::LocalAssignment{{{target, value}}}); }
  /// What functions that were carried out on the way assert, before the statement that asks for them.
  void tell_asserted() {
    for (flat::Assertion& a : asserted_) out_->push_back({a.place, a});
    asserted_.clear();
  }
  bool size(Variable& v) override;
  bool conform(const Variable& v, Value& value, Place place) override;
  bool check_inputs();
  bool make_body(FunctionCodes::Known& known, const std::string& key, FunctionCodes::Known*& entry);
  std::optional<Value> own_array(const Variable& v, const std::optional<Value>& value);
  void open_elements(Value& record, Place place);
  Flow assign_array(const Variable& v, Value& own, const Value& value, Place place);
  bool needs_loops(const parser::ComponentReference& target, const Value& value);
  Flow loop_over_run(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range);
  Flow assign_part(const parser::ComponentReference& target, const Value& value, Place place);

  FunctionCodes& codes_;
  const bool run_sizes_;
  bool needs_run_sizes_ = false;
  bool binding_ = false;                      // arguments are being handed over: sizes are looked at inside
  std::set<Name> fixed_;                      // inputs whose values are part of the code
  std::set<std::pair<Name, std::size_t>> fixed_bound_;   // likewise, what functions that are inputs were given
  std::map<Name, std::vector<std::int64_t>> dims_of_types_;
  std::map<Name, std::vector<Expr>> run_dims_;   // by variable: the sizes that the run alone knows; none: others
  int made_ = 0;                              // variables that nobody has named
  Place at_;                                  // of the statement at hand
  bool may_have_broken_ = false;              // the loop around, before the statement at hand
  bool may_have_returned_ = false;
  int on_the_way_ = 0;                        // statements around the one at hand that may not be gone through
  FunctionId id_ = FunctionId::none;
  flat::Statements* out_ = nullptr;
  std::vector<flat::Assertion> asserted_;
  FunctionCodes::Needs needs_;
  std::set<Name> assigned_;
  std::map<std::uint32_t, Name> inputs_by_local_;
  std::map<std::uint32_t, Expr> bound_;       // locals with a value that nothing changes
};

}  // namespace mosim::compiler
