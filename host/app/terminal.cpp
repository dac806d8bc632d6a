#include "app/terminal.hpp"

#include <sys/time.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <iostream>

#include "support/text.hpp"

namespace conesweep::app {
namespace {

std::atomic<bool> interrupt_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

constexpr long patience = 900'000;  // microseconds in which the program ends by itself

// What cannot stop at once (a sort, a write, a library) is left as it is: what lies in a run's folder is whole at every moment, as after a kill.
extern "C" void on_patience_over(int) {
  constexpr char text[] = "\nconesweep: interrupted; finished chunks of a run are kept for --resume\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(130);
  _exit(130);
}

extern "C" void on_interrupt(int signal) {
  interrupt_seen = true;
  std::signal(signal, SIG_DFL);
  std::signal(SIGALRM, on_patience_over);
  const itimerval wait = {{0, 0}, {0, patience}};
  setitimer(ITIMER_REAL, &wait, nullptr);
}

constexpr double bar_interval = 0.1;    // seconds between two bars
constexpr double line_interval = 10.0;  // seconds between two plain lines

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return interrupt_seen;
}

Progress::Progress(std::int64_t members, std::int64_t steps, bool shown)
    : members_(members), steps_(steps), shown_(shown), terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {
  next_ = terminal_ ? bar_interval : line_interval;
}

Progress::~Progress() {
  if (on_line_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::add(std::int64_t members) {
  const std::lock_guard guard(lock_);
  done_ += members;
  if (!shown_) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (elapsed < next_) return;
  next_ = elapsed + (terminal_ ? bar_interval : line_interval);
  show(elapsed);
}

void Progress::show(double elapsed) {
  const double share = static_cast<double>(done_) / static_cast<double>(members_);
  const double rate = static_cast<double>(done_) * static_cast<double>(steps_) / elapsed;
  const std::string left = format_duration(elapsed * (1 - share) / share);
  const std::string percent = std::to_string(std::lround(100 * share));
  const std::string text = std::string(3 - std::min<std::size_t>(3, percent.size()), ' ') + percent + " %  " + counted(done_) + " of " + counted(members_) +
                           " members, " + format_short(rate, 3) + " member·steps/s, " + left + " left";
  if (!terminal_) {
    std::cerr << text << std::endl;
    return;
  }
  constexpr int width = 24;
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < share * width ? "█" : "·";
  std::cerr << "\r\033[K" << bar << " " << text << std::flush;
  on_line_ = true;
}

}  // namespace conesweep::app
