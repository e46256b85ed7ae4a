#pragma once
// Iterators: the values they run through, given or deduced (MLS 10.4.1, 11.2.2).

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "compiler/elaborate/elaborate.hpp"

namespace mosim::compiler {

/// What a for index without a range stands in: its range is that of the dimensions it subscribes there.
using IterationBody = std::variant<parser::List<parser::Statement>, parser::List<parser::Equation>, const parser::Expression*>;
/// The values that a for index runs through.
std::optional<Value> iteration_range(Instances& in, const parser::ForIndex& index, const Environment& env, const IterationBody& body);

/// One way through the body of a loop.
class Iteration {
public:
  Iteration(Instances& in, const Environment& outside, std::span<const double> numbers, Name name, const RangeValues& values, std::int64_t k)
      : in_(in), outside_(outside), numbers_(numbers), name_(name), values_(values), k_(k) {}
  Iteration(const Iteration&) = delete;

  /// What names mean in it. Made when it is first asked for.
  const Environment& environment() const;
  /// The values of the loop's iterators, in their order, as RangeValues::number() tells them.
  std::span<const double> numbers() const { return numbers_; }
  /// How many there are behind it, of the last iterator.
  std::size_t left() const { return static_cast<std::size_t>(values_.size() - k_ - 1); }

private:
  Instances& in_;
  const Environment& outside_;
  std::span<const double> numbers_;
  Name name_;                    // of the last iterator
  const RangeValues& values_;
  std::int64_t k_;
  mutable std::optional<Locals> locals_;
  mutable std::optional<Environment> inside_;
};

/// Every combination of a loop's iterators, the last iterator fastest.
bool for_each_iteration(Instances& in, parser::List<parser::ForIndex> indices, const Environment& env, const IterationBody& body, const std::function<bool(const Iteration&)>& visit);

}  // namespace mosim::compiler
