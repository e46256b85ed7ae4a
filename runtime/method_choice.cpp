#include "runtime/method_choice.hpp"

#include <algorithm>

namespace mosim::runtime {

double MethodChoice::mean() const {
  double sum = 0;
  for (std::size_t k = 0; k < known_; ++k) sum += costs_[k];
  return known_ > 0 ? sum / double(known_) : 0;
}

void MethodChoice::interval_over(double cost) {
  if (methods_ < 2) return;
  if (trying_) {
    trial_cost_ += cost;
    if (++tried_ == trial) end_trial(trial_cost_ < gain * trial * mean());
    return;
  }
  costs_[next_] = cost;
  next_ = (next_ + 1) % window;
  known_ = std::min(known_ + 1, window);
  ++since_;
  const double now = mean();
  // Another phase of the motion: what was found in the last one says little.
  if (known_ == window && mean_at_trial_ > 0 && (now > change * mean_at_trial_ || now * change < mean_at_trial_)) gap_ = first_gap;
  if (since_ < gap_ || known_ < window) return;
  trying_ = true;
  tried_ = 0;
  trial_cost_ = 0;
  mean_at_trial_ = now;
}

bool MethodChoice::is_hopeless(double cost) const {
  if (trying_) return trial_cost_ + cost > trial * mean();
  return in_use_ != 0 && known_ == window && cost > another_motion * mean();
}

bool MethodChoice::give_up() {
  if (trying_) {
    end_trial(false);
    return true;
  }
  if (in_use_ == 0) return false;
  in_use_ = 0;
  candidate_ = 1;
  known_ = next_ = 0;
  since_ = 0;
  mean_at_trial_ = 0;
  gap_ = std::min(gap_ * widening, most_gap);
  return true;
}

void MethodChoice::end_trial(bool won) {
  trying_ = false;
  since_ = 0;
  if (won) {
    in_use_ = candidate_;
    costs_.fill(trial_cost_ / trial);
    known_ = window;
    mean_at_trial_ = 0;
  } else {
    gap_ = std::min(gap_ * widening, most_gap);
  }
  do candidate_ = (candidate_ + 1) % methods_;
  while (candidate_ == in_use_);
}

}  // namespace mosim::runtime
