#pragma once
// Which of several methods goes on, chosen by what they cost.

#include <array>
#include <cstddef>
#include <cstdint>

namespace mosim::runtime {

/// A method in use is compared with another: from event to event with one that goes on in its place for a few intervals; where one interval
/// takes thousands of steps, with one that goes through a stretch of it once more, on the side, or through all of it, where ten times as much is to
/// come. Costs are counts, and no times, so that the same run chooses alike on every machine. A trial costs hardly more than what the method in use
/// would have cost, and trials are rare: those on the side are about a twentieth of the run at most, as it would go on. A short run has none.
class MethodChoice {
public:
  /// The first of `methods` is in use at first, and until the run has cost more than `short_run`.
  explicit MethodChoice(std::size_t methods, double short_run = 0) : methods_(methods), candidate_(methods > 1 ? 1 : 0), short_run_(short_run) {}

  std::size_t current() const { return trying_ ? candidate_ : in_use_; }
  /// From event to event.
  bool is_trying() const { return trying_; }

  /// An interval is over, has lasted so long and cost so much, all by one method, of all that the run has cost: current() may be another from
  /// here on.
  void interval_over(double duration, double cost, double run);
  /// An interval is over that several methods have shared, or whose cost is not known.
  void interrupted();
  /// Whether the interval under way, which has cost so much by now, speaks for another method before it is over: it has decided the trial that
  /// it belongs to, or the motion is no longer the one that a method other than the first was chosen for.
  bool is_hopeless(double cost) const;
  /// The method in use failed within an interval, or is hopeless there: current() is another. False: it was the first, and stays.
  bool give_up();

  enum class Stretch { goes_on, begins, is_over, is_hopeless };
  /// A step within an interval has led to `time`, where the run has cost so much. begins: a stretch does here. is_over: one is, and
  /// candidate() is to be tried over it, from its start to here, and another begins. is_hopeless: see there; call give_up().
  Stretch step_over(double time, double cost);
  std::size_t candidate() const { return candidate_; }
  /// The motion since this step can be gone through as a whole: see may_look_back().
  bool begins_motion() const { return steps_ == warm_up; }
  /// Whether the trial of a stretch that is at `time`, and has cost so much, is lost by now.
  bool is_lost(double time, double spent) const;
  /// Whether all of the motion by now is gone through with a candidate that a stretch does not speak for. `rest`: of the time from the motion's
  /// beginning to here, how often it is still to come: the cost is small beside what that will be. True: not again soon.
  bool may_look_back(double rest);
  /// As is_lost(), of that.
  bool is_lost_looking_back(double time, double spent) const;
  /// Whether what the second half of the stretch cost would make the candidate the method in use: see tried().
  bool would_win(double second_half, bool bound_by_stability) const { return second_half < (bound_by_stability ? gain_at_limit : gain) * 0.5 * budget_; }
  /// The trial came to the stretch's end with `method`, having cost so much altogether, `looking_back` of it for all of the motion, and as the method would go on, in
  /// its second half: current() may be another from here on. bound_by_stability: its steps are as long as it is stable for, and stay so however calm
  /// the motion becomes.
  void tried(std::size_t method, double spent, double looking_back, double second_half, bool bound_by_stability);
  /// It was lost, or failed.
  void tried_in_vain(double spent);
  /// Of the stretch that a trial goes through: where half of it is over, and where all of it is.
  double stretch_middle() const { return from_ - 0.5 * length_; }
  double stretch_end() const { return from_; }

private:
  static constexpr std::size_t window = 8;                   // intervals that a mean is made of
  static constexpr std::uint32_t trial = 4;                  // intervals of a trial
  static constexpr double interval_behind = 2;               // means: a trial for intervals that is so far behind is lost
  static constexpr std::uint32_t first_gap = 8, most_gap = 4096, widening = 4;   // intervals between trials
  static constexpr double gain = 0.9;                        // a new method costs less than this part
  static constexpr double gain_at_limit = 0.5;               // or than this one, if its steps are as long as it is stable for
  static constexpr double change = 2;                        // factor of the cost that makes another trial worthwhile
  static constexpr double another_motion = 8;                // of the mean: no interval of the motion that a method was chosen for
  static constexpr double chatter = 0.25;                    // of the mean: intervals so short are the method's doing
  static constexpr double events_missed = 1.5;               // of the mean: and so long ones, too
  static constexpr std::uint32_t warm_up = 100, stretch = 200;   // steps: before one is measured, and of one that is
  static constexpr std::uint32_t most_steps = 20000;         // between trials within an interval
  static constexpr double trial_part = 0.05;                 // of the cost so far: what trials may come to, beside what they are good for
  static constexpr double usual_part = 0.6;                  // of what a stretch cost: what its trial may come to
  static constexpr double behind = 0.3;                      // of what a stretch cost: a trial that is so far behind is lost
  static constexpr std::uint32_t long_motion = 10;           // stretches: it tells more than a single one
  static constexpr double longer = 4;                        // factor of the steps since the last look back that makes another one worthwhile
  static constexpr double least_rest = 10;                     // see may_look_back()
  static constexpr double back_part = 0.4, back_behind = 0.05;   // of what the motion cost: what going through it once more may come to

  struct Interval { double duration = 0, cost = 0; };

  Interval mean() const;
  void end_trial(bool won);
  void next_candidate();

  std::size_t methods_, in_use_ = 0, candidate_, other_ = 0;   // other_: the last candidate but the first method
  double short_run_;
  bool trying_ = false;                                      // for intervals
  std::array<Interval, window> intervals_{};                 // of the method in use, the last ones
  std::size_t known_ = 0, next_ = 0;
  double cost_at_trial_ = 0;                                 // mean
  double duration_before_ = 0;                               // mean, by the method before the one in use
  Interval tried_sum_;
  std::uint32_t tried_ = 0;                                  // intervals of the present trial
  std::uint32_t since_ = 0, gap_ = first_gap;

  std::uint32_t steps_ = 0;                                  // in this interval, of the method in use
  std::uint32_t wait_ = warm_up + stretch;                   // so many before a trial
  double from_ = 0, from_cost_ = 0;                          // where the present stretch began
  double length_ = 0, budget_ = 0;                           // of the one before: time, cost
  double rate_ = 0;                                          // cost/time of the method in use where it was chosen; 0: not within an interval
  double lost_ = 0;                                          // what trials have cost in vain
  double motion_from_ = 0, motion_cost_ = 0;                 // where the motion began: see begins_motion()
  std::uint32_t looked_back_at_ = 0;                         // of steps_; 0: not in this motion
};

}  // namespace mosim::runtime
