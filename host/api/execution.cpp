#include "api/execution.hpp"

#include <algorithm>

#include "run/step_ranges.hpp"
#include "support/error.hpp"

namespace conesweep::api {
namespace {

constexpr int most_threads = 4096;

}  // namespace

executor::Precision to_precision(const std::string& name) {
  if (name != "double" && name != "single")
    throw InputError(about(setting::precision) + "'" + name + "' is not known; double and single are");
  return name == "single" ? executor::Precision::single : executor::Precision::double_;
}

executor::Options to_options(const Execution& execution) {
  executor::Options options;
  options.precision = to_precision(execution.precision);
  if (execution.threads < 0 || execution.threads > most_threads)
    throw InputError(about(setting::threads) + "from 1 to " + std::to_string(most_threads) +
                     ", or 0 for all cores; got " + std::to_string(execution.threads));
  options.threads = execution.threads;
  options.devices = execution.devices;
  options.compiling.stop = execution.cancel;
  return options;
}

std::int64_t to_chunk(std::int64_t asked, std::int64_t by_default) {
  if (asked == 0) return by_default;
  runs::check_chunk(asked);
  return asked;
}

void Teller::begin(std::int64_t members, std::int64_t done, int level) {
  const std::lock_guard guard(lock_);
  progress_.members = members, progress_.done = done, progress_.level = level;
  if (execution_.progress) execution_.progress(progress_);
}

void Teller::finish(std::int64_t more) {
  const std::lock_guard guard(lock_);
  progress_.done += more;
  if (execution_.progress) execution_.progress(progress_);
}

void Teller::tell(Progress progress) {
  const std::lock_guard guard(lock_);
  progress.done = std::max(progress.done, progress_.done);
  progress_ = progress;
  if (execution_.progress) execution_.progress(progress_);
}

void Teller::say(const Sentence& sentence) {
  const std::lock_guard guard(lock_);
  if (execution_.message && !sentence.empty()) execution_.message(sentence.text());
}

executor::Watch Teller::watch() {
  return {[this](std::int64_t members) { finish(members); }, execution_.cancel};
}

}  // namespace conesweep::api
