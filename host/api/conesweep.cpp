#include "conesweep/conesweep.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "api/scenario_parts.hpp"
#include "io/files.hpp"
#include "io/results_reader.hpp"
#include "io/version.hpp"
#include "keep/run_folder.hpp"
#include "run/ensemble_run.hpp"
#include "run/run.hpp"
#include "scenario/reading/examine.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep {
namespace {

constexpr int most_threads = 4096;

double finite(const std::string& name, double value) {
  if (!std::isfinite(value)) throw InputError(name + ": " + format_number(value) + " is not a finite number");
  return value;
}

scenario::Overrides to_overrides(const RunOptions& options) {
  if (options.step) finite("step", *options.step);
  if (options.end) finite("end", *options.end);
  for (const auto& [name, value] : options.set) finite("set " + name, value);
  return {options.members,
          options.seed,
          options.step,
          options.end,
          {options.set.begin(), options.set.end()},
          {options.vary.begin(), options.vary.end()}};
}

executor::Options to_execution(const RunOptions& options) {
  if (options.precision != "double" && options.precision != "single")
    throw InputError("precision: '" + options.precision + "' is not known; double and single are");
  if (options.threads < 0 || options.threads > most_threads)
    throw InputError("threads: from 1 to " + std::to_string(most_threads) + ", or 0 for all cores; got " +
                     std::to_string(options.threads));
  executor::Options execution;
  execution.threads = options.threads;
  execution.devices = options.devices;
  execution.precision = options.precision == "single" ? executor::Precision::single : executor::Precision::double_;
  execution.compiling.stop = options.cancel;
  return execution;
}

runs::Request to_request(const RunOptions& options, const scenario::Scenario& scenario) {
  runs::Request request;
  request.folder = options.out;
  request.force = options.force;
  request.resume = options.resume;
  request.backend = options.backend;
  request.execution = to_execution(options);
  request.chunk = options.chunk;
  for (const auto& [name, share] : options.until) request.goals.push_back(runs::make_goal(name, share, scenario));
  request.most = options.most;
  if (!options.watch.empty()) request.watched = runs::find_quantity(setting::watch, options.watch, scenario);
  request.step_check = options.step_check;
  return request;
}

bool changes_scenario(const RunOptions& options) {
  return options.members || options.seed || options.step || options.end || !options.set.empty() ||
         !options.vary.empty();
}

/// The scenario as the options change it.
Scenario change(const Scenario& scenario, const RunOptions& options) {
  return changes_scenario(options) ? api::Access::examine(api::Access::parts(scenario).source, to_overrides(options))
                                   : scenario;
}

/// Columns by their names, from a run under way or from a finished folder.
void take_columns(const io::RunData& run, Ensemble& ensemble) {
  const auto parameters = tell::varied_names(run.scenario), observables = observable_names(run.scenario);
  for (std::size_t k = 0; k < parameters.size(); ++k) ensemble.parameters[parameters[k]] = run.parameter(k);
  for (std::size_t k = 0; k < observables.size(); ++k) ensemble.observables[observables[k]] = run.observable(k);
  for (const executor::Status status : run.status()) ensemble.status.emplace_back(to_name(status));
  const auto names = class_names(run.scenario);
  for (const std::uint8_t code : run.classes) ensemble.class_of.push_back(names[code]);
}

void take_columns(const io::ResultsReader& results, Ensemble& ensemble) {
  for (const auto& name : results.parameters()) ensemble.parameters[name] = results.parameter(name);
  for (const auto& name : results.observables()) ensemble.observables[name] = results.observable(name);
  for (const executor::Status status : results.status()) ensemble.status.emplace_back(to_name(status));
  const auto [codes, names] = results.classes();
  for (const std::uint8_t code : codes) ensemble.class_of.push_back(names[code]);
}

/// Passes on to the user's functions what a run tells.
class Reporter final : public runs::Listener {
 public:
  Reporter(const RunOptions& options, Ensemble& ensemble) : options_(options), ensemble_(ensemble) {
    stop = options.cancel;
  }

  void introduce(const runs::Run& run) override { run_ = &run; }

  void begin_stepping(std::int64_t members, std::int64_t) override {
    const std::lock_guard guard(lock_);
    progress_.members = run_->data().scenario.ensemble.members;
    progress_.done = progress_.members - members;
    if (options_.progress) options_.progress(progress_);
  }

  void finish_members(std::int64_t more) override {
    const std::lock_guard guard(lock_);
    progress_.done += more;
    if (options_.progress) options_.progress(progress_);
  }

  void estimate(const runs::Estimate& estimate) override {
    const std::lock_guard guard(lock_);
    progress_.members = estimate.of;
    progress_.done = std::max(progress_.done, estimate.members);  // those that were there before the first step
    progress_.count = estimate.count;
    progress_.mean = estimate.mean;
    progress_.standard_error = estimate.error;
    if (options_.progress) options_.progress(progress_);
  }

  void complete(const keep::StoredRun& run) override {
    ensemble_.scenario = run.scenario_text;
    if (options_.columns && keeps_members(run.scenario)) take_columns(run, ensemble_);
  }

  void note(const Sentence& sentence) override {
    const std::lock_guard guard(lock_);
    if (options_.message) options_.message(sentence.text());
  }

 private:
  const RunOptions& options_;
  Ensemble& ensemble_;
  const runs::Run* run_ = nullptr;
  std::mutex lock_;
  Progress progress_;
};

}  // namespace

namespace {

Ensemble run_read(const Scenario& read, const RunOptions& options) {
  const scenario::Scenario& scenario = *api::Access::parts(read).scenario;
  if (options.message)
    for (const auto& problem : api::Access::parts(read).problems) options.message(problem.to_text());
  const runs::Request request = to_request(options, scenario);
  Ensemble ensemble;
  Reporter reporter(options, ensemble);
  const runs::Ended ended = runs::run_ensemble(scenario, request, reporter);
  ensemble.title = ended.summary.title;
  ensemble.summary = ended.json();
  ensemble.members = ended.summary.members;
  ensemble.stopped = ended.summary.stopped();
  for (const auto& one : ended.summary.classes) ensemble.classes[one.name] = one.members;
  ensemble.reached = ended.reached;
  if (!ended.was_there) {
    for (const Sentence& warning : {Sentence(growth_warning(ended.summary)), step_warning(ended.summary.steps)})
      if (!warning.empty()) reporter.note(warning);
  } else {
    ensemble.scenario = io::read_bytes(request.folder / keep::scenario_name);
    if (options.columns) take_columns(io::ResultsReader(request.folder / keep::results_name), ensemble);
  }
  return ensemble;
}

}  // namespace

Ensemble run(const std::string& scenario_file, const RunOptions& options) {
  return api::tell_plainly([&] {
    return run_read(api::Access::examine(scenario::load_source(scenario_file), to_overrides(options)), options);
  });
}

Ensemble run(const Scenario& scenario, const RunOptions& options) {
  return api::tell_plainly([&] { return run_read(change(scenario, options), options); });
}

std::string version() { return io::version(); }

}  // namespace conesweep
