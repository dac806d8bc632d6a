#include "app/compile_progress.hpp"

#include <unistd.h>
#include <cmath>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>

#include "app/safe_output.hpp"
#include "app/terminal.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

constexpr double quick = 1;           // seconds; a shorter compilation is not shown
constexpr double line_interval = 10;  // seconds between two lines that stay

struct Display {
  bool terminal = isatty(STDERR_FILENO) == 1;
  double next = terminal ? quick : line_interval;
  bool on_line = false;
  std::mutex lock;
  std::set<std::string> noted;  // once each: a command may compile many models

  void show(double seconds, std::int64_t bytes) {
    if (seconds < next) return;
    next = seconds + (terminal ? quick : line_interval);
    if (terminal) wipe_line();
    std::cerr << "compiling the model … " << format_duration(std::floor(seconds))
              << (bytes > 0 ? ", " + format_bytes(static_cast<double>(bytes)) + " of memory" : "");
    if (terminal)
      std::cerr << std::flush;
    else
      std::cerr << std::endl;
    on_line = terminal;
  }

  // several threads may compile
  void note(const std::string& text) {
    const std::lock_guard guard(lock);
    if (!noted.insert(text).second) return;
    clear();
    std::cerr << "note: " << text << std::endl;
  }

  void clear() {
    if (on_line) wipe_line();
    on_line = false;
    next = terminal ? quick : line_interval;
  }
};

}  // namespace

model::CompileWatch watch_compiling(bool quiet) {
  model::CompileWatch watch;
  watch.stop = &watch_interrupts();
  if (quiet) return watch;
  const auto display = std::make_shared<Display>();
  watch.waiting = [display](double seconds, std::int64_t bytes) { display->show(seconds, bytes); };
  watch.finished = [display] { display->clear(); };
  watch.note = [display](const std::string& text) { display->note(text); };
  return watch;
}

}  // namespace conesweep::app
