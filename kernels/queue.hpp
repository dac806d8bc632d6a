#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>

namespace conesweep::kernels {

/// Members that wait for a device, in ranges, and the runners that take them.
///
/// A runner that finds nothing waits until the others have finished: they may give back what they had no room for. A
/// runner whose device has no room for a warp leaves, as long as another one stays. So no member is left without a
/// runner, whatever the order.
class Queue {
 public:
  Queue(std::int64_t count, int runners);

  struct Range {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
  };

  /// At most so many members; nothing when all are done or a runner has failed. The runner ends each range with one of
  /// the next three.
  std::optional<Range> take(std::int64_t most);
  void finish();
  void give_back(Range range);
  /// Gives a range back for good. False if no other runner is there: then the range is still the caller's.
  bool leave(Range range);

  /// Runners that have not left.
  int runners();

  /// The first failure ends the work of all runners, and is what the run tells.
  void fail(std::exception_ptr failure);
  bool failed();
  void rethrow_failure();  // once all runners have ended

 private:
  void put_back(Range range);

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Range> ranges_;
  int in_flight_ = 0;  // ranges
  int runners_;        // that have not left
  std::exception_ptr failure_;
};

}  // namespace conesweep::kernels
