#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace conesweep {

/// As many threads as asked for; 0: all cores.
inline int count_threads(int asked) { return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

/// Threads beside the calling one, as many as the system gives: a limit on processes or threads (EAGAIN), or on memory, makes them fewer, and work goes on.
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

/// body(k) for k = 0 … count - 1, handed out one by one to `threads` threads, or as many as there can be. The first exception stops the others
/// and comes back. Inside of the body there is one thread only: all others are busy.
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

}  // namespace conesweep
