#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace conesweep::app {

/// Set by Ctrl-C (SIGINT) and SIGTERM. Work that looks at it ends by itself; what does not is ended within a second. A second signal ends the
/// program at once.
const std::atomic<bool>& watch_interrupts();

/// How far a run is: a bar with rate and remaining time on a terminal, a plain line now and then elsewhere. On standard
/// error, so that standard output stays clean.
class Progress {
 public:
  Progress(std::int64_t members, std::int64_t steps, bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::int64_t members);  // from any thread

 private:
  void show(double elapsed);

  std::int64_t members_;
  std::int64_t steps_;
  bool shown_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::mutex lock_;
  std::int64_t done_ = 0;
  double next_ = 0;       // seconds after the start at which to show again
  bool on_line_ = false;  // a bar stands on the terminal's last line
};

}  // namespace conesweep::app
