#include "support/workers.hpp"

#include <unistd.h>

namespace conesweep {

struct Workers::Task {
  const std::function<void(std::int64_t)>& body;
  const std::int64_t count;
  std::int64_t room;  // for helpers that have not come yet
  std::int64_t helpers = 0;
  std::atomic<std::int64_t> next = 0;
  std::mutex failing = {};
  std::exception_ptr failure = {};

  void work() {
    const bool before = std::exchange(shares_work(), true);
    try {
      for (std::int64_t k = next++; k < count; k = next++) body(k);
    } catch (...) {
      next = count;
      const std::lock_guard guard(failing);
      if (!failure) failure = std::current_exception();
    }
    shares_work() = before;
  }
};

Workers::~Workers() {
  {
    const std::lock_guard guard(lock_);
    ending_ = true;
  }
  came_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::share(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
  const std::int64_t helpers = std::min<std::int64_t>(threads, count) - 1;
  if (helpers < 1 || shares_work()) return share_work(count, 1, body);
  Task task{body, count, helpers};
  {
    const std::lock_guard guard(lock_);
    make_threads(static_cast<std::size_t>(helpers));
    tasks_.push_back(&task);
  }
  for (std::int64_t k = 0; k < helpers; ++k) came_.notify_one();
  task.work();
  {
    std::unique_lock guard(lock_);
    std::erase(tasks_, &task);
    left_.wait(guard, [&] { return task.helpers == 0; });
  }
  if (task.failure) std::rethrow_exception(task.failure);
}

void Workers::make_threads(std::size_t wanted) {
  if (threads_.size() >= wanted) return;
  try {
    threads_.reserve(wanted);
    while (threads_.size() < wanted) threads_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }  // with fewer it goes on
}

// What a thread does: a task after the other, for whoever has shared it out.
void Workers::help() {
  std::unique_lock guard(lock_);
  for (;;) {
    came_.wait(guard, [&] { return ending_ || !tasks_.empty(); });
    if (ending_) return;
    Task& task = *tasks_.front();
    ++task.helpers;
    if (--task.room == 0) tasks_.pop_front();
    guard.unlock();
    task.work();
    guard.lock();
    std::erase(tasks_, &task);  // all of it is handed out
    if (--task.helpers == 0) left_.notify_all();
  }
}

std::shared_ptr<Workers> share_workers() {
  static std::mutex lock;
  static std::weak_ptr<Workers> known;
  static pid_t maker = 0;
  const std::lock_guard guard(lock);
  auto workers = known.lock();
  // a process that was forked has none of their threads, and maybe a lock that one of them held
  if (workers == nullptr || maker != getpid()) {
    known = workers = std::make_shared<Workers>();
    maker = getpid();
  }
  return workers;
}

}  // namespace conesweep
