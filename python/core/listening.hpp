#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "conesweep/execution.hpp"

namespace conesweep::python {

namespace nb = nanobind;

/// Work of the library on a thread of its own, while the thread that asked for it looks at signals, as only Python's
/// main thread may, and hands on what the work tells. The thread ends before the call does; the interpreter is free
/// meanwhile.
class Listening {
 public:
  /// Functions of Python, or None: progress(done, members, level, count, mean, standard_error), message(sentence).
  explicit Listening(nb::object progress = nb::none(), nb::object message = nb::none())
      : progress_(std::move(progress)), message_(std::move(message)) {}

  /// For the work, from any thread.
  void tell(const Progress& progress);
  void say(const std::string& sentence);
  const std::atomic<bool>* cancel() const { return &cancel_; }

  /// The same as the options of the library have it.
  template <class Options>
  void connect(Options& options) {
    options.cancel = cancel();
    options.message = [this](const std::string& sentence) { say(sentence); };
    if constexpr (std::is_base_of_v<Execution, Options>)
      options.progress = [this](const Progress& progress) { tell(progress); };
  }

  /// What work() returns. A signal's exception, or one of the two functions, cancels the work and comes out when it has
  /// ended.
  template <class Work>
  auto wait_for(const Work& work) {
    std::optional<decltype(work())> result;
    run([&] { result.emplace(work()); });
    return std::move(*result);
  }

 private:
  void run(const std::function<void()>& work);
  void hand_on();

  nb::object progress_, message_;
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool ended_ = false;
  std::optional<Progress> latest_;
  std::vector<std::string> sentences_;
};

}  // namespace conesweep::python
