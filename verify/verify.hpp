#pragma once
// --verify: the equations of the flat model, as they are written, at every row of a run. They are evaluated by walking over
// their expressions, before aliases, index reduction, sorting and tearing, and not by the program that made the row.

#include <map>
#include <string>
#include <vector>

#include "parser/source.hpp"
#include "verify/walk.hpp"

namespace mosim::verify {

/// The largest residual of an equation so far.
struct Finding {
  std::string text, path;
  std::uint32_t line = 0;
  double time = 0;
  double residual = 0, size = 0;   // of both sides' difference; of its terms
  double part() const { return residual == 0 ? 0 : residual / size; }   // infinite where a side has no value
};

struct Report {
  std::size_t equations = 0;       // looked at: equations, assignments of algorithms, relations, initial conditions
  std::size_t rows = 0;
  Finding worst;                   // of those that hold
  std::vector<Finding> violated;   // by more than rounding and the solution of loops explain, the worst first
  std::map<std::string, std::size_t> unchecked;   // why not: how many equations, or rows
};

/// The sides of an equation may differ by this part of the size of its terms.
inline constexpr double limit = 1e-9;

class Verifier {
public:
  /// All must outlive it. The system gets expressions of the verifier's own.
  Verifier(compiler::dae::System& system, const compiler::Layout& layout, const parser::Sources& sources);
  /// A point of the run: memory is consistent.
  void look(const runtime::Machine& machine, Moment moment);
  /// After the last point.
  Report report();

private:
  struct Check {
    Expr left, right;
    parser::Place place;
    std::string text;              // of what is no plain equation
    bool initial = false;          // holds at initialisation only
    bool undecided = false;        // somewhere
    bool has_pre = false;          // pre(v) or initial() is in it
    std::string unchecked;         // why it is not looked at
    double residual = 0, size = 0, part = -1, time = 0;
  };
  void classify(Check& check);
  void compare(Check& check, Number left, Number right, bool real);
  void check_relations(Moment moment);
  void settle(double time);
  Number start_of(VariableId v);
  void check_algorithm(std::size_t k);
  bool execute(const compiler::flat::Statements& statements, std::size_t& steps);
  std::string text_of(const Check& check) const;

  const compiler::dae::System& s_;
  const compiler::Expressions& x_;
  const parser::Sources& sources_;
  Values values_;
  Walk walk_;
  std::vector<Check> checks_;
  std::vector<std::vector<VariableId>> assigned_;   // by algorithm
  std::vector<std::vector<Check>> assignments_;     // by algorithm, in the order of assigned_; left is the variable
  std::vector<Check> relations_;
  std::vector<Expr> guards_;   // of these: Expr::none, or what must hold for one to be evaluated
  struct Contradiction { std::size_t relation; double part, residual, size, time; };
  std::vector<Contradiction> contradictions_;   // at the row before
  const runtime::Machine* m_ = nullptr;
  std::size_t rows_ = 0, sliding_ = 0;
};

}  // namespace mosim::verify
