#pragma once
// What the variables of a flat model are at one point of a run, read from the machine's memory.

#include <limits>
#include <unordered_map>
#include <vector>

#include "compiler/analyse/dae.hpp"
#include "compiler/lower/lower.hpp"
#include "runtime/machine.hpp"

namespace mosim::verify {

using compiler::Expr;
using compiler::Op;
using compiler::VariableId;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A number with its size: how much can become of it by rounding in what it was made of (the sum over all operands of
/// |d value / d operand| * size of the operand, at least |value|), and its derivative by time where that was asked for.
struct Number {
  double value = 0, size = 0, dot = 0;
};

/// The quantities of a flat model by where a program holds them.
class Values {
public:
  Values(const compiler::dae::System& system, const compiler::Layout& layout);

  /// A variable's value; Boolean 0 or 1, an enumeration's ordinal. Its size is at least its nominal value, if it is not
  /// constant in the run.
  Number value(const runtime::Machine& machine, VariableId v) const;
  /// der(v), where the program has it; its own derivative is not known.
  std::optional<Number> derivative(const runtime::Machine& machine, VariableId v) const;
  /// pre(v): the slot's, or the value itself.
  double pre(const runtime::Machine& machine, VariableId v) const;
  bool has_pre(VariableId v) const;
  bool is_continuous(VariableId v) const;

private:
  struct Held {
    runtime::Slot slot = runtime::none;
    bool negated = false;
  };
  double read(const runtime::Machine& machine, Held held, bool boolean) const;
  const compiler::dae::System& s_;
  std::vector<Held> values_, derivatives_, pre_;
  std::vector<double> nominal_;
};

}  // namespace mosim::verify
