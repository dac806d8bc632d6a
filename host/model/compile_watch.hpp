#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace conesweep::model {

/// What may happen while a model compiles, which can take minutes: a function is told how long it takes, and may stop
/// it.
struct CompileWatch {
  // many times a second; bytes: memory of the compiler, 0 if not known
  std::function<void(double seconds, std::int64_t bytes)> waiting = {};
  std::function<void()> finished = {};
  std::function<void(const std::string&)> note = {};  // what the user should know: a compiler was passed over
  const std::atomic<bool>* stop = nullptr;            // Ctrl-C

  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

inline constexpr int compile_poll = 50;  // milliseconds between two looks

}  // namespace conesweep::model
