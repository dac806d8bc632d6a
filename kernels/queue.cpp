#include "queue.hpp"

#include <algorithm>
#include <utility>

namespace conesweep::kernels {

Queue::Queue(std::int64_t count, int runners) : runners_(runners) { ranges_.push_back({0, count}); }

std::optional<Queue::Range> Queue::take(std::int64_t most) {
  std::unique_lock guard(lock_);
  changed_.wait(guard, [&] { return failure_ || !ranges_.empty() || in_flight_ == 0; });
  if (failure_ || ranges_.empty()) return std::nullopt;
  Range& front = ranges_.front();
  const Range taken = {front.begin, std::min(front.end, front.begin + most)};
  front.begin = taken.end;
  if (front.begin == front.end) ranges_.pop_front();
  ++in_flight_;
  return taken;
}

void Queue::finish() {
  const std::lock_guard guard(lock_);
  --in_flight_;
  changed_.notify_all();
}

void Queue::give_back(Range range) {
  const std::lock_guard guard(lock_);
  put_back(range);
}

bool Queue::leave(Range range) {
  const std::lock_guard guard(lock_);
  if (runners_ == 1) return false;
  --runners_;
  put_back(range);
  return true;
}

int Queue::runners() {
  const std::lock_guard guard(lock_);
  return runners_;
}

void Queue::fail(std::exception_ptr failure) {
  const std::lock_guard guard(lock_);
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

bool Queue::failed() {
  const std::lock_guard guard(lock_);
  return failure_ != nullptr;
}

void Queue::rethrow_failure() {
  if (failure_) std::rethrow_exception(failure_);
}

void Queue::put_back(Range range) {
  --in_flight_;
  ranges_.push_front(range);
  changed_.notify_all();
}

}  // namespace conesweep::kernels
