#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace conesweep {

/// As many threads as asked for; 0: all cores.
inline int count_threads(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Threads beside the calling one, as many as the system gives: a limit on processes or threads (EAGAIN), or on memory,
/// makes them fewer, and work goes on.
template <class Body>
std::vector<std::thread> start_threads(std::int64_t count, const Body& body) {
  std::vector<std::thread> threads;
  try {
    for (std::int64_t k = 0; k < count; ++k) threads.emplace_back(body);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {  // those that run must be waited for
  }
  return threads;
}

/// Is this thread one of several that share work?
inline bool& shares_work() {
  static thread_local bool shares = false;
  return shares;
}

/// body(k) for k = 0 … count - 1, handed out one by one to `threads` threads, or as many as there can be. The first
/// exception stops the others and comes back. Inside of the body there is one thread only: all others are busy.
template <class Body>
void share_work(std::int64_t count, int threads, const Body& body) {
  std::atomic<std::int64_t> next = 0;
  std::exception_ptr failure;
  std::mutex failure_lock;
  const bool alone = threads <= 1 || count <= 1 || shares_work();
  const auto work = [&] {
    const bool before = std::exchange(shares_work(), shares_work() || !alone);
    try {
      for (std::int64_t k = next++; k < count; k = next++) body(k);
    } catch (...) {
      next = count;
      const std::lock_guard lock(failure_lock);
      if (!failure) failure = std::current_exception();
    }
    shares_work() = before;
  };
  std::vector<std::thread> helpers;
  if (!alone) helpers = start_threads(std::min<std::int64_t>(threads, count) - 1, work);
  work();
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

/// Threads that wait for work which comes often and is short: to make new ones for it would take longer than the work.
/// They are made when they are first wanted, as many as the system gives, and end with their owner. Several threads may
/// share out work at once.
class Workers {
 public:
  Workers() = default;
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// As share_work.
  void share(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

 private:
  struct Task;
  void make_threads(std::size_t wanted);
  void help();

  std::mutex lock_;
  std::condition_variable came_, left_;  // a task to those that wait; a helper from a task
  std::deque<Task*> tasks_;              // that take another helper
  std::vector<std::thread> threads_;
  bool ending_ = false;
};

/// Those of the process: all who hold them share them, and the last one ends them.
std::shared_ptr<Workers> share_workers();

}  // namespace conesweep
