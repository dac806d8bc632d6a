#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace conesweep {

/// How far a run is.
struct Progress {
  std::int64_t done = 0;     // members that are there …
  std::int64_t members = 0;  // … of so many; with `until` there may be more to come
  int level = 0;             // of converge and mlmc: members are counted anew on each

  // of what `watch` names, over the members whose numbers are there; behind `done`, for they come in pieces
  std::int64_t count = 0;  // with a value
  double mean = std::numeric_limits<double>::quiet_NaN();
  // as of independent members; NaN: of less than two, or they are no sample
  double standard_error = std::numeric_limits<double>::quiet_NaN();
};

/// Who runs members: results depend on none of this but the precision (and the reference executor has bits of its own).
/// And whom it tells.
struct Execution {
  std::string backend = "auto";      // auto, cuda, cpu, reference
  int threads = 0;                   // 0: all cores
  std::string devices;               // GPUs: "all", "0,1"; empty: the first
  std::string precision = "double";  // or single
  std::int64_t chunk = 0;            // members committed at once, a multiple of 4096; 0: what is done in seconds

  // meanwhile; both are called by one thread at a time, but by any. What they throw ends the work and comes back from
  // it
  std::function<void(const Progress&)> progress;
  std::function<void(const std::string&)> message;  // what a user should know: a sentence, now and then
  const std::atomic<bool>* cancel = nullptr;        // once it is true, the work ends with Cancelled
};

}  // namespace conesweep
