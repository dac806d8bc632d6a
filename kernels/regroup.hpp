#pragma once

#include <chrono>

namespace conesweep::kernels {

/// Who steps beside whom between two launches. A warp goes on when the last of its members has finished a step, and how
/// long a step takes is mostly a matter of parameters: whoever had much to do has so in the next launch. So members
/// with as much to do go together, and those that ended early go where nobody waits for anything.
///
/// turn[thread]: the place of the member that it takes; those with the most work first, for they end last; the same
/// work: in order.
void sort_by_work(const float* work, int count, int* turn);

/// When that is done: after a launch, as long as it takes at most a twentieth of the time.
class RegroupClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit RegroupClock(Time now) : last_(now) {}
  bool is_due(Time now) const { return now - last_ >= 20 * cost_; }
  void note(Time begin, Time end) { cost_ = end - begin, last_ = end; }

 private:
  Time last_;
  std::chrono::steady_clock::duration cost_{};
};

}  // namespace conesweep::kernels
