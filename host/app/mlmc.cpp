#include <cmath>
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/failure.hpp"
#include "app/options.hpp"
#include "app/study.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/mlmc.hpp"
#include "run/identity.hpp"
#include "run/study_file.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

using ensemble::MlmcLevel;
using ensemble::MlmcResult;
using nlohmann::ordered_json;

constexpr std::int64_t most_steps_in_single = 1 << 24;  // float counts steps one by one up to there

void print_table(const MlmcResult& result) {
  std::vector<std::vector<std::string>> rows = {{"level", "step", "members", "mean of Y", "variance of Y", "kurtosis", "member·steps", "share", "time"}};
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const MlmcLevel& level = result.levels[l];
    const double cost = static_cast<double>(level.members) * static_cast<double>(level.cost);
    rows.push_back({std::to_string(l), format_short(level.step), counted(level.members), format_short(level.correction.mean, 5),
                    format_short(level.correction.variance(), 3), format_short(level.correction.kurtosis(), 2), format_short(cost, 3),
                    format_short(100 * cost / result.cost, 2) + " %", format_duration(level.seconds)});
  }
  std::cout << align_columns(rows);
}

ordered_json to_json(const scenario::Scenario& scenario, const ensemble::MlmcRequest& request, const MlmcResult& result) {
  ordered_json json = {{"study", "mlmc"},
                       {"problem", runs::identify_problem(scenario)},
                       {"title", scenario.title},
                       {"observable", request.observable},
                       {"rmse", request.rmse},
                       {"seed", scenario.ensemble.seed},
                       {"reached", result.reached},
                       {"estimate", result.estimate},
                       {"error",
                        {{"bias", result.bias},
                         {"bias_is_bound", result.bias_is_bound},
                         {"standard_error", result.standard_error},
                         {"standard_error_is_bound", result.error_is_bound},
                         {"rmse", std::hypot(result.bias, result.standard_error)}}},
                       {"alpha", result.alpha},
                       {"beta", result.beta}};
  ordered_json seconds = ordered_json::array();
  json["levels"] = ordered_json::array();
  for (const MlmcLevel& level : result.levels) {
    json["levels"].push_back({{"step", level.step},
                              {"steps", level.steps},
                              {"members", level.members},
                              {"count", level.correction.count},
                              {"stopped", level.stopped},
                              {"without_value", level.without},
                              {"changed", level.changed},
                              {"mean", level.correction.mean},
                              {"variance", level.correction.variance()},
                              {"kurtosis", level.correction.kurtosis()},
                              {"member_steps", static_cast<double>(level.members) * static_cast<double>(level.cost)}});
    seconds.push_back(level.seconds);
  }
  json["member_steps"] = result.cost;
  json["plain"] = {{"members", result.plain_members}, {"member_steps", result.plain_cost}, {"saving", result.plain_cost / result.cost}};
  json["notes"] = result.notes;
  json["timing"] = {{"solve_seconds", seconds}};
  return json;
}

}  // namespace

int mlmc(const Options& options) {
  const bool talk = !options.quiet && !options.json;
  ensemble::MlmcRequest request;
  request.observable = options.observables.front();
  request.rmse = options.rmse;
  request.levels_max = options.levels_max;
  request.members_max = options.members_max;
  request.chunk = to_chunk(options, ensemble::default_chunk);
  request.threads = to_execution(options).threads;
  request.team = options.team;
  if (options.precision == "single") request.steps_max = most_steps_in_single;
  const auto [source, scenario] = load(options);
  ensemble::find_observable(scenario, request.observable);

  const auto file = open_study(options, runs::mlmc_name);
  std::string reason;
  bool said = false;
  const ensemble::MakeExecutor make = [&, &scenario = scenario](const scenario::Scenario& level) {  // named: clang before 16 captures no structured binding
    auto executor = executor::make_executor(options.backend, level, to_execution(options), reason);
    if (talk && !said)
      std::cout << visible(scenario.title) << "\n"
                << "mean of " << request.observable << " by multilevel Monte Carlo, rmse " << format_short(request.rmse) << ", coarsest step "
                << format_short(scenario.h()) << ", seed " << scenario.ensemble.seed << "\nevery level draws members of its own at random"
                << (scenario.ensemble.sampler == scenario::Sampler::random
                        ? ""
                        : "; sampler " + std::string(to_name(scenario.ensemble.sampler)) + " of the scenario is not used")
                << "\nexecutor: " << executor->name() << " (" << reason << "), " << executor->device() << "\n"
                << std::flush;
    said = true;
    return executor;
  };
  std::unique_ptr<Progress> progress;
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  watch.finished = [&](std::int64_t members) { progress->add(members); };
  const auto begins = [&](int, std::int64_t runs, double steps) {
    progress.reset();
    progress = std::make_unique<Progress>(runs, static_cast<std::int64_t>(steps), for_people(options.quiet));
  };
  const MlmcResult result = ensemble::run_mlmc(scenario, request, make, watch, begins);
  progress.reset();
  if (follows(options)) return fine;

  keep_study(options, file.get(), to_json(scenario, request, result));
  if (talk) {
    std::cout << "\n";
    print_table(result);
    std::cout << "\nmean of " << request.observable << " = " << format_short(result.estimate, 8) << " ± "
              << format_short(std::hypot(result.bias, result.standard_error), 2) << "  (bias " << (result.bias_is_bound ? "< " : "")
              << format_short(result.bias, 2) << ", standard error " << (result.error_is_bound ? "< " : "") << format_short(result.standard_error, 2) << ")\n"
              << "rates: bias falls like h^" << format_short(result.alpha, 2) << ", variance like h^" << format_short(result.beta, 2) << "\n"
              << "cost " << format_short(result.cost, 3) << " member·steps; plain Monte Carlo at step " << format_short(result.levels.back().step)
              << " would take " << format_short(result.plain_members, 3) << " members, " << format_short(result.plain_cost, 3) << " member·steps: "
              << (result.plain_cost > result.cost ? format_short(result.plain_cost / result.cost, 2) + " times as much"
                                                  : "no more, so levels do not pay at this rmse")
              << "\n";
    for (const std::string& note : result.notes) std::cout << "note: " << note << "\n";
    tell_study(options, file.get());
  }
  if (!talk && !result.reached) say("the error asked for was not reached: " + result.notes.front());
  return result.reached && result.stopped() == 0 ? fine : some_stopped;
}

}  // namespace conesweep::app
