#include "app/terminal.hpp"

#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/safe_output.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

std::atomic<bool> interrupt_seen = false;
std::atomic<bool> is_silent = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

constexpr long patience = 900'000;  // microseconds in which the program ends by itself

// What cannot stop at once (a sort, a write, a library) is left as it is: what lies in a run's folder is whole at every
// moment, as after a kill.
extern "C" void on_patience_over(int) {
  constexpr char text[] = "\nconesweep: interrupted; finished chunks of a run are kept for --resume\n";
  if (is_silent) _exit(130);
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

// 0: the terminal does not tell
std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup asked not to hear of it
  return interrupt_seen;
}

void silence_interrupts() { is_silent = true; }

std::string to_text(const runs::Estimate& estimate) {
  std::string text = visible(estimate.name);
  if (estimate.mean == estimate.mean) text += " " + format_short(estimate.mean, 5);
  if (estimate.error == estimate.error) text += " ± " + format_short(estimate.error, 2);
  return text;
}

std::string first_fitting(const std::vector<std::string>& lines, std::size_t columns) {
  for (const std::string& line : lines)
    if (columns == 0 || display_width(line) < columns) return line;
  return {};
}

Progress::Progress(std::int64_t members, std::int64_t steps, Style style)
    : members_(members),
      steps_(steps),
      style_(style),
      terminal_(style == Style::people && isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {
  next_ = terminal_ ? bar_interval : line_interval;
}

// A script hears how it ended.
Progress::~Progress() {
  if (on_line_) wipe_line();
  if (style_ == Style::json && is_new_) show_json(elapsed());
}

double Progress::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Progress::Pace Progress::pace(double elapsed) const {
  const double share = static_cast<double>(done_) / static_cast<double>(members_);
  return {static_cast<double>(done_) * static_cast<double>(steps_) / elapsed, elapsed * (1 - share) / share};
}

void Progress::add(std::int64_t members) {
  const std::lock_guard guard(lock_);
  done_ += members;
  is_new_ = true;
  const double now = elapsed();
  if (style_ == Style::hidden || now < next_) return;
  next_ = now + (terminal_ ? bar_interval : line_interval);
  show(now);
}

void Progress::tell(const runs::Estimate& estimate) {
  const std::lock_guard guard(lock_);
  estimate_ = estimate;
  is_new_ = true;
  const double now = elapsed();
  if (style_ != Style::json || now < next_told_) return;
  next_told_ = now + bar_interval;
  show(now);
}

void Progress::show(double elapsed) {
  if (style_ == Style::json)
    show_json(elapsed);
  else if (terminal_)
    show_bar(elapsed);
  else
    show_line(elapsed);
}

// how far; the mean that is watched, if there is one; the pace
std::vector<std::string> Progress::words(double elapsed) const {
  const std::string percent =
      std::to_string(std::lround(100 * static_cast<double>(done_) / static_cast<double>(members_)));
  const std::string far = std::string(3 - std::min<std::size_t>(3, percent.size()), ' ') + percent + " %  " +
                          counted(done_) + " of " + counted(members_) + " members";
  const auto [rate, left] = pace(elapsed);
  return {far, estimate_ ? ", " + to_text(*estimate_) : "", ", " + format_short(rate, 3) + " member·steps/s",
          ", " + format_duration(left) + " left"};
}

void Progress::show_line(double elapsed) const {
  for (const std::string& part : words(elapsed)) std::cerr << part;
  std::cerr << std::endl;
}

void Progress::show_bar(double elapsed) {
  constexpr int width = 24;
  const double share = static_cast<double>(done_) / static_cast<double>(members_);
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < share * width ? "█" : "·";
  bar += " ";
  const auto all = words(elapsed);
  const std::string &far = all[0], &mean = all[1], &rate = all[2], &left = all[3];
  const std::vector<std::string> lines = {
      bar + far + mean + rate + left, bar + far + mean + left, far + mean + left, far + mean, far,
      far.substr(0, far.find(" of "))};
  wipe_line();
  std::cerr << first_fitting(lines, terminal_columns()) << std::flush;
  on_line_ = true;
}

void Progress::show_json(double elapsed) {
  const auto [rate, left] = pace(elapsed);
  const runs::Estimate now = estimate_.value_or(runs::Estimate{});
  // members that were there before are done, too
  const std::int64_t of = std::max(now.of, members_);
  const nlohmann::ordered_json json = {{"done", of - members_ + done_},  {"of", of},           {"watched", now.name},
                                       {"members", now.members},         {"count", now.count}, {"mean", now.mean},
                                       {"standard_error", now.error},    {"seconds", elapsed}, {"seconds_left", left},
                                       {"member_steps_per_second", rate}};
  std::cerr << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  is_new_ = false;
}

}  // namespace conesweep::app
