#pragma once

#include "api/execution.hpp"
#include "run/listener.hpp"
#include "run/run.hpp"
#include "run/running_mean.hpp"

namespace conesweep::api {

/// Who runs an ensemble, how far it grows and where it goes, as options of `run` and of sensitivities say by the same
/// names.
template <class Options>
runs::Request to_request(const Options& options, const scenario::Scenario& scenario) {
  runs::Request request;
  request.folder = options.out;
  request.force = options.force;
  request.resume = options.resume;
  request.backend = options.backend;
  request.execution = to_options(options);
  request.chunk = options.chunk;
  for (const auto& [name, share] : options.until) request.goals.push_back(runs::make_goal(name, share, scenario));
  request.most = options.most;
  if (!options.watch.empty()) request.watched = runs::find_quantity(setting::watch, options.watch, scenario);
  return request;
}

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
