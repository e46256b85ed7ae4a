#pragma once
// Which of several methods goes on between events, chosen by what they cost.

#include <array>
#include <cstddef>
#include <cstdint>

namespace mosim::runtime {

/// Intervals between events are the currency: a method in use is compared with another that is tried for a few of them.
/// Costs are counts, and no times, so that the same run chooses alike on every machine. A trial costs no more than what the
/// method in use would have cost, and trials become rare while nothing changes.
class MethodChoice {
public:
  /// The first of `methods` is in use at first.
  explicit MethodChoice(std::size_t methods) : methods_(methods), candidate_(methods > 1 ? 1 : 0) {}

  std::size_t current() const { return trying_ ? candidate_ : in_use_; }

  /// An interval is over, and has cost so much: current() may be another from here on.
  void interval_over(double cost);
  /// Whether the interval under way, which has cost so much by now, speaks for another method before it is over: it has decided the trial that
  /// it belongs to, or the motion is no longer the one that a method other than the first was chosen for.
  bool is_hopeless(double cost) const;
  /// Then, and where a method fails: the one in use goes on instead of one that is tried, or else the first. False: that is the current one.
  bool give_up();

private:
  static constexpr std::size_t window = 8;                   // intervals that a mean is made of
  static constexpr std::uint32_t trial = 4;                  // intervals of a trial
  static constexpr std::uint32_t first_gap = 8, most_gap = 4096, widening = 4;   // intervals between trials
  static constexpr double gain = 0.9;                        // a new method costs less than this part
  static constexpr double change = 2;                        // factor of the cost that makes another trial worthwhile
  static constexpr double another_motion = 8;                // of the mean: no interval of the motion that a method was chosen for

  double mean() const;
  void end_trial(bool won);

  std::size_t methods_, in_use_ = 0, candidate_;
  bool trying_ = false;
  std::array<double, window> costs_{};                       // of the method in use, the last ones
  std::size_t known_ = 0, next_ = 0;
  double mean_at_trial_ = 0;
  double trial_cost_ = 0;
  std::uint32_t tried_ = 0;                                  // intervals of the present trial
  std::uint32_t since_ = 0, gap_ = first_gap;
};

}  // namespace mosim::runtime
