#include "runtime/method_choice.hpp"

#include <algorithm>

namespace mosim::runtime {

MethodChoice::Interval MethodChoice::mean() const {
  Interval sum;
  for (std::size_t k = 0; k < known_; ++k) {
    sum.duration += intervals_[k].duration;
    sum.cost += intervals_[k].cost;
  }
  if (known_ == 0) return sum;
  return {sum.duration / double(known_), sum.cost / double(known_)};
}

void MethodChoice::interval_over(double duration, double cost, double run) {
  if (methods_ < 2) return;
  steps_ = 0;
  if (trying_) {
    tried_sum_.duration += duration;
    tried_sum_.cost += cost;
    if (++tried_ < trial) return;
    const Interval usual = mean();
    lost_ += std::max(0.0, tried_sum_.cost - trial * usual.cost);
    const bool chatters = tried_sum_.duration < chatter * trial * usual.duration && tried_sum_.cost * usual.duration > gain * usual.cost * tried_sum_.duration;
    const bool misses = tried_sum_.duration > events_missed * trial * usual.duration;
    end_trial(tried_sum_.cost < gain * trial * usual.cost && !chatters && !misses);
    return;
  }
  intervals_[next_] = {duration, cost};
  next_ = (next_ + 1) % window;
  known_ = std::min(known_ + 1, window);
  ++since_;
  const double now = mean().cost;
  if (in_use_ != 0 && known_ == window && mean().duration < chatter * duration_before_) {
    (void)give_up();
    return;
  }
  // Another phase of the motion: what was found in the last one says little.
  if (known_ == window && cost_at_trial_ > 0 && (now > change * cost_at_trial_ || now * change < cost_at_trial_)) gap_ = first_gap;
  if (since_ < gap_ || known_ < window || run < short_run_ || lost_ + interval_behind * now > trial_part * run) return;
  trying_ = true;
  tried_ = 0;
  tried_sum_ = {};
  cost_at_trial_ = now;
}

MethodChoice::Stretch MethodChoice::step_over(double time, double cost) {
  if (methods_ < 2 || trying_ || ++steps_ < warm_up || (steps_ - warm_up) % stretch != 0) return Stretch::goes_on;
  length_ = time - from_;
  budget_ = cost - from_cost_;
  from_ = time;
  from_cost_ = cost;
  if (steps_ == warm_up) {
    motion_from_ = time;
    motion_cost_ = cost;
    looked_back_at_ = 0;
  }
  if (steps_ == warm_up || !(length_ > 0)) return Stretch::begins;
  if (in_use_ != 0 && rate_ > 0 && budget_ > another_motion * rate_ * length_) return Stretch::is_hopeless;
  return steps_ < wait_ || cost < short_run_ || lost_ + usual_part * budget_ > trial_part * cost ? Stretch::begins : Stretch::is_over;
}

bool MethodChoice::is_lost(double time, double spent) const {
  return spent > (1 - (from_ - time) / length_ + behind) * budget_;
}

bool MethodChoice::may_look_back(double rest) {
  if (rest < least_rest || steps_ < warm_up + long_motion * stretch || double(steps_) < longer * looked_back_at_) return false;
  looked_back_at_ = steps_;
  return true;
}

bool MethodChoice::is_lost_looking_back(double time, double spent) const {
  return spent > (back_part * (time - motion_from_) / (from_ - motion_from_) + back_behind) * (from_cost_ - motion_cost_);
}

void MethodChoice::tried(std::size_t method, double spent, double looking_back, double second_half, bool bound_by_stability) {
  // Its first half is for a method that needs a past, and for steps to find their length.
  if (!would_win(second_half, bound_by_stability)) return tried_in_vain(spent);
  lost_ += spent - looking_back;   // that was worth it: other trials need not wait for it
  from_cost_ += spent;
  in_use_ = candidate_ = method;
  rate_ = second_half / (0.5 * length_);
  steps_ = 0;
  wait_ = warm_up + stretch;
  known_ = next_ = 0;
  since_ = 0;
  cost_at_trial_ = duration_before_ = 0;
  next_candidate();
}

void MethodChoice::tried_in_vain(double spent) {
  lost_ += spent;
  from_cost_ += spent;
  wait_ = std::min(2 * wait_, steps_ + most_steps);
  next_candidate();
}

void MethodChoice::interrupted() { steps_ = 0; }

bool MethodChoice::is_hopeless(double cost) const {
  if (trying_) return tried_sum_.cost + cost > (tried_ + interval_behind) * mean().cost;
  return in_use_ != 0 && known_ == window && cost > another_motion * mean().cost;
}

bool MethodChoice::give_up() {
  steps_ = 0;
  if (trying_) {
    lost_ += interval_behind * mean().cost;
    end_trial(false);
    return true;
  }
  if (in_use_ == 0) return false;
  in_use_ = 0;
  next_candidate();
  known_ = next_ = 0;
  since_ = 0;
  cost_at_trial_ = rate_ = 0;
  gap_ = std::min(gap_ * widening, most_gap);
  return true;
}

void MethodChoice::end_trial(bool won) {
  trying_ = false;
  since_ = 0;
  if (won) {
    duration_before_ = mean().duration;
    in_use_ = candidate_;
    intervals_.fill({tried_sum_.duration / trial, tried_sum_.cost / trial});
    known_ = window;
    cost_at_trial_ = rate_ = 0;
  } else {
    gap_ = std::min(gap_ * widening, most_gap);
  }
  next_candidate();
}

void MethodChoice::next_candidate() {
  // Every other one is the first, which is good for whatever the motion becomes.
  if (candidate_ != 0) other_ = candidate_;
  if (in_use_ != 0 && (candidate_ != 0 || methods_ == 2)) {
    candidate_ = 0;
    return;
  }
  do other_ = other_ % (methods_ - 1) + 1;
  while (other_ == in_use_);
  candidate_ = other_;
}

}  // namespace mosim::runtime
