#pragma once
// Measures of one run, taken while its rows come.

#include <span>
#include <string>
#include <vector>

#include "mosim/study.hpp"
#include "study/expression.hpp"

namespace mosim {

/// Measures as they are evaluated.
struct Measures::Impl {
  enum class Over : std::uint8_t { minimum, maximum, mean, rms, integral, first, last, at, count, reached, duration, ever, always, events, steps };
  /// A function over time, or of the run as a whole.
  struct Function {
    Over over;
    std::uint32_t operand = 0;   // in `formula`; of events and steps there is none
    double at = 0;               // s
    std::string text;            // as it is written
  };
  std::vector<std::string> names;
  std::vector<std::uint32_t> measures;      // in `formula`
  studies::Formula formula;
  std::vector<Function> functions;
  std::vector<std::string> variables;       // in a row
  std::vector<bool> is_real;                // of these: straight lines lead from row to row
  std::vector<std::string> parameters;
};

class Watch {
 public:
  /// constants: values of Impl::parameters.
  Watch(const Measures& measures, std::vector<double> constants);
  /// A row: time, then Impl::variables.
  void take(std::span<const double> row);
  /// After the last row, with what the run has counted.
  std::vector<double> measures(const Statistics& statistics) const;
  /// Of Impl::functions.
  std::vector<double> functions(const Statistics& statistics) const;

 private:
  using Over = Measures::Impl::Over;
  struct State {
    double value = 0;     // so far
    double last = 0;      // of the operand, at the last row
  };
  double operand(const Measures::Impl::Function& f, double time, const double* row) const;
  /// Where a condition changes on the way from the last row to this one.
  double change(const Measures::Impl::Function& f, std::span<const double> row);
  double result(std::size_t k, const Statistics& statistics) const;

  const Measures::Impl& of_;
  std::vector<double> constants_, last_, between_;
  std::vector<State> states_;
  double begin_ = 0;
  bool has_begun_ = false;
};

namespace studies {
/// A watch that has taken all rows of a result. Throws std::invalid_argument if it has not what the measures need.
Watch watched(const Measures& measures, const Result& result);
}  // namespace studies

}  // namespace mosim
