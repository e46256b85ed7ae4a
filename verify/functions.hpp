#pragma once
// The functions of a flat model, carried out statement by statement: another path than the program's code for them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compiler/expression/walk.hpp"
#include "compiler/flatten/flat.hpp"
#include "verify/values.hpp"

namespace mosim::verify {

class Walk;

/// Values, sizes and derivatives by time of what functions return. Asserts within them are not looked at.
class Functions {
public:
  explicit Functions(const compiler::flat::Model& model) : model_(model) {}

  /// The outputs for these arguments. Where the body cannot be followed (it is not Modelica, it takes more than a million statements, it
  /// calls itself 200 deep), walk.unknown says why, and the outputs are NaN. The derivatives are NaN where an annotation
  /// names them (MLS 12.7.1): they need not be those of the body.
  std::vector<Number> call(Walk& walk, compiler::FunctionId f, std::span<const Number> arguments);
  /// Of the function that is carried out.
  Number local(compiler::LocalId l) const;
  /// Element number `at`, from 1, of the locals from `first` on; NaN outside of them.
  Number element(compiler::LocalId first, double at) const;

private:
  enum class End { ran, left, returned, lost };   // left: by a break; lost: walk.unknown
  End execute(Walk& walk, const compiler::flat::Statements& statements);
  End execute(Walk& walk, const compiler::flat::Statement& statement);
  void assign(Walk& walk, std::uint32_t local, Number value);
  const std::vector<std::uint32_t>& frame(compiler::FunctionId f);
  End lost(Walk& walk, const char* why);

  const compiler::flat::Model& model_;
  std::vector<std::vector<std::uint32_t>> frames_;   // by function: its locals
  std::vector<Number> values_;                       // of all locals
  std::vector<std::unique_ptr<compiler::Scratch<Number>>> known_;   // by depth of call: expressions of the body, until something is assigned
  std::size_t depth_ = 0, steps_ = 0;
};

}  // namespace mosim::verify
