#include "listening.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <exception>
#include <thread>

#include "conesweep/problem.hpp"

namespace conesweep::python {
namespace {

constexpr std::chrono::milliseconds between_looks(100);

}  // namespace

void Listening::tell(const Progress& progress) {
  const std::lock_guard guard(mutex_);
  latest_ = progress;
}

void Listening::say(const std::string& sentence) {
  const std::lock_guard guard(mutex_);
  sentences_.push_back(sentence);
}

void Listening::run(const std::function<void()>& work) {
  std::exception_ptr failure, refusal;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard guard(mutex_);
    ended_ = true;
    changed_.notify_one();
  });
  for (bool ended = false; !ended;) {
    {
      const nb::gil_scoped_release others_run;
      std::unique_lock lock(mutex_);
      ended = changed_.wait_for(lock, between_looks, [&] { return ended_; });
      if (ended) {
        lock.unlock();
        worker.join();
      }
    }
    if (refusal) continue;
    try {
      hand_on();
    } catch (...) {
      refusal = std::current_exception();
      cancel_ = true;
    }
  }
  if (refusal) {
    // the work says what is kept of it
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const Cancelled& cancelled) {
      if (!message_.is_none()) message_(cancelled.what());
    } catch (...) {
    }
    std::rethrow_exception(refusal);
  }
  if (failure) std::rethrow_exception(failure);
}

void Listening::hand_on() {
  std::optional<Progress> latest;
  std::vector<std::string> sentences;
  {
    const std::lock_guard guard(mutex_);
    std::swap(latest, latest_);
    std::swap(sentences, sentences_);
  }
  if (!message_.is_none())
    for (const auto& sentence : sentences) message_(sentence);
  if (latest && !progress_.is_none())
    progress_(latest->done, latest->members, latest->level, latest->count, latest->mean, latest->standard_error);
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace conesweep::python
