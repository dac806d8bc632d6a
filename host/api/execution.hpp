#pragma once

#include <mutex>

#include "conesweep/execution.hpp"
#include "executor/executor.hpp"
#include "support/sentence.hpp"

/// What the options of all public functions have in common, as the rooms below take it.
namespace conesweep::api {

/// InputError for a precision or a number of threads that there is not.
executor::Options to_options(const Execution& execution);
executor::Precision to_precision(const std::string& name);

/// Members in a chunk; 0: as by default. InputError unless it is a multiple of a block.
std::int64_t to_chunk(std::int64_t asked, std::int64_t by_default);

/// Calls the user's functions, one thread at a time.
class Teller {
 public:
  explicit Teller(const Execution& execution) : execution_(execution) {}

  void begin(std::int64_t members, std::int64_t done = 0, int level = 0);
  void finish(std::int64_t more);
  void tell(Progress progress);  // the mean that is watched; members that are done are never fewer than before
  void say(const Sentence& sentence);

  executor::Watch watch();

 private:
  const Execution& execution_;
  std::mutex lock_;
  Progress progress_;
};

}  // namespace conesweep::api
