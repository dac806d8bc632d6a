#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "run/running_mean.hpp"

namespace conesweep::app {

/// Set by Ctrl-C (SIGINT), SIGTERM and SIGHUP. Work that looks at it ends by itself; what does not is ended within a
/// second. A second signal ends the program at once.
const std::atomic<bool>& watch_interrupts();

/// From now on an interrupt ends the program without a word: another rank talks.
void silence_interrupts();

/// "reach 1.1408 ± 0.025"; nothing behind the name: no member is there yet.
std::string to_text(const runs::Estimate& estimate);

/// The first of these lines that fits into a terminal of so many columns: one that wraps could not be wiped. Nothing
/// where none does; 0 columns: the terminal does not tell.
std::string first_fitting(const std::vector<std::string>& lines, std::size_t columns);

/// How far a run is: a bar with rate and remaining time on a terminal, a plain line now and then elsewhere, or JSON
/// objects, one a line, for scripts. On standard error, so that standard output stays clean.
class Progress {
 public:
  enum class Style { hidden, people, json };

  Progress(std::int64_t members, std::int64_t steps, Style style);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::int64_t members);  // from any thread

  /// What a run's mean is by now; a script hears of it at once.
  void tell(const runs::Estimate& estimate);

 private:
  struct Pace {
    double rate = 0;  // member·steps a second
    double left = 0;  // seconds
  };
  double elapsed() const;
  Pace pace(double elapsed) const;
  void show(double elapsed);
  void show_line(double elapsed) const;
  void show_bar(double elapsed);
  void show_json(double elapsed);
  std::vector<std::string> words(double elapsed) const;

  std::int64_t members_;
  std::int64_t steps_;
  Style style_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::mutex lock_;
  std::int64_t done_ = 0;
  std::optional<runs::Estimate> estimate_;
  double next_ = 0;       // seconds after the start at which to show again
  double next_told_ = 0;  // the same where there is a new estimate, for scripts
  bool is_new_ = true;    // a script has not heard of it
  bool on_line_ = false;  // a bar stands on the terminal's last line
};

/// What people see of progress, unless it is to be quiet.
inline Progress::Style for_people(bool quiet) { return quiet ? Progress::Style::hidden : Progress::Style::people; }

}  // namespace conesweep::app
