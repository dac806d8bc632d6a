#include <cmath>
#include <iostream>
#include <memory>

#include "app/command.hpp"
#include "app/failure.hpp"
#include "app/flag_groups.hpp"
#include "app/numbers.hpp"
#include "app/spelling.hpp"
#include "app/study.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/study_json.hpp"
#include "keep/identity.hpp"
#include "keep/study_file.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

struct MlmcOptions {
  ScenarioFlags scenario;
  ExecutionFlags execution;
  TargetFlags target;
  TalkFlags talk;
  std::string observable;
  double rmse = 0;
  int levels_max = 12;
  std::int64_t members_max = 1'000'000'000;
};

using ensemble::MlmcLevel;
using ensemble::MlmcResult;

void print_table(const MlmcResult& result) {
  std::vector<std::vector<std::string>> rows = {
      {"level", "step", "members", "mean of Y", "variance of Y", "kurtosis", "member·steps", "share", "time"}};
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const MlmcLevel& level = result.levels[l];
    const double cost = static_cast<double>(level.members) * static_cast<double>(level.cost);
    rows.push_back({std::to_string(l), format_short(level.step), counted(level.members),
                    format_short(level.correction.mean, 5), format_short(level.correction.variance(), 3),
                    format_short(level.correction.kurtosis(), 2), format_short(cost, 3),
                    format_short(100 * cost / result.cost, 2) + " %", format_duration(level.seconds)});
  }
  std::cout << align_columns(rows);
}

// The table, the estimate with its error, what it cost, and notes.
void print_result(const ensemble::MlmcRequest& request, const MlmcResult& result) {
  print_table(result);
  std::cout << "\nmean of " << request.observable << " = " << format_short(result.estimate, 8) << " ± "
            << format_short(std::hypot(result.bias, result.standard_error), 2) << "  (bias "
            << (result.bias_is_bound ? "< " : "") << format_short(result.bias, 2) << ", standard error "
            << (result.error_is_bound ? "< " : "") << format_short(result.standard_error, 2) << ")\n"
            << "rates: bias falls like h^" << format_short(result.alpha, 2) << ", variance like h^"
            << format_short(result.beta, 2) << "\n"
            << "cost " << format_short(result.cost, 3) << " member·steps; plain Monte Carlo at step "
            << format_short(result.levels.back().step) << " would take " << format_short(result.plain_members, 3)
            << " members, " << format_short(result.plain_cost, 3) << " member·steps: "
            << (result.plain_cost > result.cost ? format_short(result.plain_cost / result.cost, 2) + " times as much"
                                                : "no more, so levels do not pay at this rmse")
            << "\n";
  for (const Sentence& note : result.notes) std::cout << "note: " << in_flags(note) << "\n";
}

int mlmc(const MlmcOptions& options, team::Team* team) {
  const bool talk = options.talk.talks();
  ensemble::MlmcRequest request;
  request.observable = options.observable;
  request.rmse = options.rmse;
  request.levels_max = options.levels_max;
  request.members_max = options.members_max;
  request.chunk = to_chunk(options.execution, ensemble::default_chunk);
  request.threads = to_execution(options.execution, options.talk, team).threads;
  request.team = team;
  request.steps_max = executor::most_steps_in(to_execution(options.execution, options.talk).precision);
  const auto [source, scenario] = load(options.scenario, options.execution, options.talk, team);
  ensemble::find_observable(scenario, request.observable);

  const auto file = open_study(options.target, keep::mlmc_name);
  std::string reason;
  const ensemble::MakeModel make = [&](const scenario::Scenario& asked) {
    auto executor = executor::make_model(options.execution.backend, asked,
                                         to_execution(options.execution, options.talk, team), reason);
    if (talk)
      std::cout << visible(asked.title) << "\n"
                << "mean of " << request.observable << " by multilevel Monte Carlo, rmse " << format_short(request.rmse)
                << ", coarsest step " << format_short(asked.h()) << ", seed " << asked.ensemble.seed
                << "\nevery level draws members of its own at random"
                << (asked.ensemble.sampler == scenario::Sampler::random
                        ? ""
                        : "; sampler " + std::string(to_name(asked.ensemble.sampler)) + " of the scenario is not used")
                << "\nexecutor: " << executor->name() << " (" << reason << "), " << executor->device() << "\n"
                << std::flush;
    return executor;
  };
  std::unique_ptr<Progress> progress;
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  watch.finished = [&](std::int64_t members) { progress->add(members); };
  const auto begins = [&](int, std::int64_t runs, double steps) {
    progress.reset();
    progress = std::make_unique<Progress>(runs, static_cast<std::int64_t>(steps), for_people(options.talk.quiet));
  };
  const MlmcResult result = ensemble::run_mlmc(scenario, request, make, watch, begins);
  progress.reset();
  if (follows(team)) return fine;

  keep_study(options.talk, file.get(), ensemble::to_json(scenario, request, result));
  if (talk) {
    std::cout << "\n";
    print_result(request, result);
    tell_study(options.target, file.get());
  }
  if (!talk && !result.reached) say("the error asked for was not reached: " + result.notes.front());
  return result.reached && result.stopped() == 0 ? fine : some_stopped;
}

void declare(Flags& flags, MlmcOptions& options) {
  add_scenario(flags, options.scenario);
  add_execution(flags, options.execution);
  flags.add("--observable", options.observable, "whose mean", "NAME").required();
  flags
      .add("--rmse", options.rmse,
           "the error asked for, in the observable's unit: bias at most a quarter, standard error at most a half of it",
           "X")
      .required();
  flags.add("--levels-max", options.levels_max, {0, 1'000'000}, "finest level allowed, step h / 2^L [12]");
  flags.add("--members-max", options.members_max, {0, most_count}, "members allowed on all levels together")
      .shows_default("1e9");
  add_study(flags, options.target, "mlmc.json");
  add_quiet(flags, options.talk);
  add_json(flags, options.talk);
}

}  // namespace

Command mlmc_command() {
  return make_shared_command<MlmcOptions>(
      {"mlmc", "the mean of one observable by multilevel Monte Carlo, to the error asked for",
       "  conesweep mlmc slider.toml --observable reach --rmse 1e-3\n  conesweep mlmc slider.toml --observable reach "
       "--rmse 1e-4 --step 8e-3 --json\n"
       "Level l has step h / 2^l. The scenario's step is the coarsest, so a large one is wanted.\n"
       "Exit codes: 0 fine; 1 the error asked for was not reached, or some members stopped."},
      declare, mlmc);
}

}  // namespace conesweep::app
