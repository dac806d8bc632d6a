#pragma once

#include "api/execution.hpp"
#include "run/listener.hpp"
#include "run/run.hpp"
#include "run/running_mean.hpp"

namespace conesweep::api {

/// Passes on to the user's functions what a run tells.
class RunTeller : public runs::Listener {
 public:
  explicit RunTeller(const Execution& execution) : teller_(execution) { stop = execution.cancel; }

  void introduce(const runs::Run& run) override { run_ = &run; }

  void begin_stepping(std::int64_t members, std::int64_t) override {
    const std::int64_t all = run_->data().scenario.ensemble.members;
    teller_.begin(all, all - members);
  }

  void finish_members(std::int64_t more) override { teller_.finish(more); }

  void estimate(const runs::Estimate& estimate) override {
    Progress progress;
    progress.members = estimate.of;
    progress.done = estimate.members;  // those that were there before the first step
    progress.count = estimate.count;
    progress.mean = estimate.mean;
    progress.standard_error = estimate.error;
    teller_.tell(progress);
  }

  void note(const Sentence& sentence) override { teller_.say(sentence); }

 private:
  Teller teller_;
  const runs::Run* run_ = nullptr;
};

}  // namespace conesweep::api
