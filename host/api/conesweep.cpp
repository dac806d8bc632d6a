#include "conesweep/conesweep.hpp"

#include <utility>

#include "api/run_teller.hpp"
#include "api/scenario_parts.hpp"
#include "io/version.hpp"
#include "run/ensemble_run.hpp"

namespace conesweep {
namespace {

// "uniform:1:2" stays as it is written: its reader judges it
Changes to_changes(const RunOptions& options) {
  Changes changes;
  if (options.members) changes.members(*options.members);
  if (options.seed) changes.seed(*options.seed);
  if (options.step) changes.step(*options.step);
  if (options.end) changes.end(*options.end);
  for (const auto& [name, value] : options.set) changes.set(name, value);
  for (const auto& [name, text] : options.vary) changes.vary(name, {text, {}});
  return changes;
}

/// Columns by their names, of a run under way.
void take_columns(const io::RunData& run, Ensemble& ensemble) {
  const auto parameters = tell::varied_names(run.scenario), observables = observable_names(run.scenario);
  for (std::size_t k = 0; k < parameters.size(); ++k) ensemble.parameters[parameters[k]] = run.parameter(k);
  for (std::size_t k = 0; k < observables.size(); ++k) ensemble.observables[observables[k]] = run.observable(k);
  ensemble.status = api::to_bytes(run.status());
  ensemble.stop_time = run.stop_time();
  ensemble.flags = run.flags();
  ensemble.class_of = run.classes;
  if (!run.scenario.classes.empty()) ensemble.class_names = class_names(run.scenario);
  Tracks& tracks = ensemble.tracks;
  tracks.members = run.recorded_members();
  if (tracks.members == 0) return;
  for (std::int64_t i = 0; i < run.recorded_times(); ++i)
    tracks.time.push_back(run.scenario.time(i * run.scenario.record.every));
  tracks.names = state_names(run.scenario);
  for (std::size_t c = 0; c < tracks.names.size(); ++c) tracks.columns.push_back(run.trajectory(c));
  tracks.mode = run.modes();
}

/// The same of a finished one.
void take_columns(const FinishedRun& run, Ensemble& ensemble) {
  for (const auto& name : run.parameters()) ensemble.parameters[name] = run.parameter(name);
  for (const auto& name : run.observables()) ensemble.observables[name] = run.observable(name);
  ensemble.status = run.status();
  ensemble.stop_time = run.stop_time();
  ensemble.flags = run.flags();
  ensemble.class_of = run.class_of();
  ensemble.class_names = run.class_names();
  ensemble.tracks = run.tracks();
}

/// Takes what is wanted in memory at the moment when it is there.
class Taker final : public api::RunTeller {
 public:
  Taker(const RunOptions& options, Ensemble& ensemble)
      : RunTeller(options), columns_(options.columns), ensemble_(ensemble) {}

  void complete(const keep::StoredRun& run) override {
    ensemble_.scenario = run.scenario_text;
    if (columns_ && keeps_members(run.scenario)) take_columns(run, ensemble_);
  }

 private:
  bool columns_;
  Ensemble& ensemble_;
};

Ensemble run_read(const Scenario& read, const RunOptions& options) {
  const scenario::Scenario& scenario = *api::Access::parts(read).scenario;
  if (options.message)
    for (const auto& problem : api::Access::parts(read).problems) options.message(problem.to_text());
  runs::Request request = api::to_request(options, scenario);
  request.step_check = options.step_check;
  Ensemble ensemble;
  Taker taker(options, ensemble);
  const runs::Ended ended = runs::run_ensemble(scenario, request, taker);
  ensemble.title = ended.summary.title;
  ensemble.summary = ended.json();
  ensemble.members = ended.summary.members;
  ensemble.stopped = ended.summary.stopped();
  for (const auto& one : ended.summary.classes) ensemble.classes[one.name] = one.members;
  ensemble.reached = ended.reached;
  if (!ended.was_there) {
    for (const Sentence& warning : {Sentence(growth_warning(ended.summary)), step_warning(ended.summary.steps)})
      if (!warning.empty()) taker.note(warning);
  } else {
    const auto finished = FinishedRun::open(request.folder.string());
    ensemble.scenario = finished.scenario();
    if (options.columns && finished.has_members()) take_columns(finished, ensemble);
  }
  return ensemble;
}

}  // namespace

Ensemble run(const std::string& scenario_file, const RunOptions& options) {
  return api::tell_plainly([&] {
    return run_read(api::Access::examine(scenario::load_source(scenario_file), to_changes(options)), options);
  });
}

Ensemble run(const Scenario& scenario, const RunOptions& options) {
  return api::tell_plainly([&] { return run_read(scenario.with(to_changes(options)), options); });
}

std::string version() { return io::version(); }

}  // namespace conesweep
