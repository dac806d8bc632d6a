#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "run/growth.hpp"
#include "support/sentence.hpp"

namespace conesweep::keep {
class StoredRun;
}

namespace conesweep::runs {

struct Estimate;
class Run;

/// Where a run tells what happens, and hears that it should stop. Nothing of a run writes to the terminal.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Before the first member.
  virtual void introduce(const Run&) {}

  /// So many members are about to be stepped, each so many steps; so many more are done (from any thread); the stepping
  /// ended, whatever the reason.
  virtual void begin_stepping(std::int64_t /*members*/, std::int64_t /*steps*/) {}
  virtual void finish_members(std::int64_t /*more*/) {}
  virtual void end_stepping() {}

  /// What is known of the mean that the request wants to be watched: at the begin, where members are there already, and
  /// whenever there are more.
  virtual void estimate(const Estimate&) {}

  /// How far an ensemble is that grows, after every block.
  virtual void grow(const Growth&) {}

  /// All members are there, and the statistics are done: the moment to take columns that are wanted in memory.
  virtual void complete(const keep::StoredRun&) {}

  /// A sentence the user should know of; results do not depend on it.
  virtual void note(const Sentence&) {}

  const std::atomic<bool>* stop = nullptr;  // set: the run ends with Interrupted
};

}  // namespace conesweep::runs
