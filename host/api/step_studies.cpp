#include <cmath>
#include <memory>

#include "api/execution.hpp"
#include "api/scenario_parts.hpp"
#include "conesweep/studies.hpp"
#include "ensemble/study_json.hpp"
#include "keep/study_file.hpp"
#include "support/workers.hpp"

namespace conesweep {
namespace {

// where a study leaves its numbers: found out before anything is computed
template <class Options>
std::unique_ptr<keep::StudyFile> open_file(const Options& options, const char* name) {
  return options.out.empty() ? nullptr : std::make_unique<keep::StudyFile>(options.out, name, options.force);
}

ConvergeLine to_line(const ensemble::ConvergeLine& line) {
  ConvergeLine made;
  made.observable = line.observable;
  made.statistic = to_name(line.statistic);
  made.values = line.values;
  made.order = line.order;
  made.order_error = line.order_error;
  made.step_error = line.step_error;
  made.step_error_at_most = line.at_most;
  made.limit = line.limit;
  made.sampling_error = line.sampling_error;
  made.dominates = to_name(line.dominates);
  return made;
}

Convergence run_converge(const scenario::Scenario& scenario, const ConvergeOptions& options) {
  ensemble::check_levels(options.levels);
  const executor::Options execution = api::to_options(options);
  ensemble::ConvergeRequest request;
  request.levels = options.levels;
  request.observables = options.observables;
  request.chunk = api::to_chunk(options.chunk, ensemble::default_chunk);
  request.rounding = ensemble::rounding_of(execution.precision);
  request.threads = count_threads(execution.threads);
  for (const std::string& name : request.observables) ensemble::find_observable(scenario, name);
  const auto file = open_file(options, keep::converge_name);
  const auto make = [&](const scenario::Scenario& asked) {
    std::string reason;
    return ensemble::make_level_model(options.backend, asked, request.levels, execution, reason);
  };
  api::Teller teller(options);
  const auto begins = [&](int level, std::int64_t members, std::int64_t) { teller.begin(members, 0, level); };
  const ensemble::Convergence found = ensemble::run_converge(scenario, request, make, teller.watch(), begins);
  const Sentence advice = converge_advice(scenario, found);
  Convergence made;
  made.members = found.members;
  for (const auto& level : found.levels) made.levels.push_back({level.step, level.steps, level.stopped, level.changed});
  for (const auto& line : found.lines) made.lines.push_back(to_line(line));
  made.advice = advice.text();
  made.json = ensemble::to_json(scenario, found, advice);
  if (file != nullptr) file->write(made.json);
  return made;
}

MlmcEstimate to_estimate(const ensemble::MlmcResult& found) {
  MlmcEstimate made;
  made.estimate = found.estimate;
  made.rmse = std::hypot(found.bias, found.standard_error);
  made.bias = found.bias;
  made.bias_is_bound = found.bias_is_bound;
  made.standard_error = found.standard_error;
  made.standard_error_is_bound = found.error_is_bound;
  made.alpha = found.alpha;
  made.beta = found.beta;
  made.member_steps = found.cost;
  made.plain_members = found.plain_members;
  made.plain_member_steps = found.plain_cost;
  made.reached = found.reached;
  for (const auto& level : found.levels)
    made.levels.push_back({level.step, level.steps, level.members, level.stopped, level.correction.mean,
                           level.correction.variance(), level.correction.kurtosis(),
                           static_cast<double>(level.members) * static_cast<double>(level.cost)});
  for (const Sentence& note : found.notes) made.notes.push_back(note.text());
  return made;
}

MlmcEstimate run_mlmc(const scenario::Scenario& scenario, const MlmcOptions& options) {
  const executor::Options execution = api::to_options(options);
  ensemble::MlmcRequest request;
  request.observable = options.observable;
  request.rmse = options.rmse;
  request.levels_max = options.levels_max;
  request.members_max = options.members_max;
  request.chunk = api::to_chunk(options.chunk, ensemble::default_chunk);
  request.threads = execution.threads;
  request.steps_max = executor::most_steps_in(execution.precision);
  ensemble::find_observable(scenario, request.observable);
  const auto file = open_file(options, keep::mlmc_name);
  const auto make = [&](const scenario::Scenario& asked) {
    std::string reason;
    return executor::make_model(options.backend, asked, execution, reason);
  };
  api::Teller teller(options);
  const auto begins = [&](int level, std::int64_t members, double) { teller.begin(members, 0, level); };
  const ensemble::MlmcResult found = ensemble::run_mlmc(scenario, request, make, teller.watch(), begins);
  MlmcEstimate made = to_estimate(found);
  made.json = ensemble::to_json(scenario, request, found);
  if (file != nullptr) file->write(made.json);
  return made;
}

}  // namespace

Convergence converge(const Scenario& scenario, const ConvergeOptions& options) {
  return api::tell_plainly([&] { return run_converge(*api::Access::parts(scenario).scenario, options); });
}

MlmcEstimate mlmc(const Scenario& scenario, const MlmcOptions& options) {
  return api::tell_plainly([&] { return run_mlmc(*api::Access::parts(scenario).scenario, options); });
}

}  // namespace conesweep
