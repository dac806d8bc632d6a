#include <cmath>
#include <iostream>
#include <memory>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
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
#include "support/workers.hpp"

namespace conesweep::app {
namespace {

struct ConvergeOptions {
  ScenarioFlags scenario;
  ExecutionFlags execution;
  TargetFlags target;
  TalkFlags talk;
  int levels = 4;
  std::vector<std::string> observables;  // all if empty
};

using ensemble::ConvergeLine;
using ensemble::Convergence;

void print_table(const Convergence& convergence) {
  std::vector<std::vector<std::string>> rows = {{"observable", "statistic"}};
  for (std::size_t l = 0; l < convergence.levels.size(); ++l)
    rows[0].push_back(l == 0 ? "h" : "h/" + std::to_string(1LL << l));
  for (const char* title : {"order", "±", "step error", "sampling error", "dominates"}) rows[0].emplace_back(title);
  std::string before;
  for (const ConvergeLine& line : convergence.lines) {
    std::vector<std::string> row = {line.observable == before ? "" : line.observable,
                                    std::string(to_name(line.statistic))};
    for (const double value : line.values) row.push_back(cell(value, 6));
    for (const std::string& text :
         {cell(line.order, 3), cell(line.order_error, 2),
          line.at_most == line.at_most ? "< " + format_short(line.at_most, 2) : cell(line.step_error, 2),
          cell(line.sampling_error, 2),
          line.dominates == ensemble::Dominates::neither ? "–" : std::string(to_name(line.dominates))})
      row.push_back(text);
    rows.push_back(std::move(row));
    before = line.observable;
  }
  std::cout << align_columns(rows, 2);
}

// The table, who is left out, and what to do about it.
void print_convergence(const scenario::Scenario& scenario, const Convergence& convergence, std::int64_t stopped,
                       const Sentence& advice) {
  std::int64_t changed = 0;
  for (const auto& level : convergence.levels) changed += level.changed;
  print_table(convergence);
  std::cout << "\n";
  if (stopped > 0) {
    std::cout << "members that stopped, of " << counted(convergence.members) << ", and are left out:";
    for (const auto& level : convergence.levels)
      std::cout << " " << counted(level.stopped) << " at step " << format_short(level.step)
                << (&level == &convergence.levels.back() ? "" : ",");
    std::cout << (changed > 0 ? "; " + counted(changed) + " stopped at one step and not at the next" : "")
              << "; conesweep run tells why\n";
  }
  if (scenario.ensemble.sampler != scenario::Sampler::random)
    std::cout << "sampling errors are those of independent members; sampler " << to_name(scenario.ensemble.sampler)
              << " is mostly better than that\n";
  std::cout << in_flags(advice) << "\n";
}

int converge(const ConvergeOptions& options, team::Team* team) {
  ensemble::check_levels(options.levels);
  const bool talk = options.talk.talks();
  ensemble::ConvergeRequest request;
  request.levels = options.levels;
  request.observables = options.observables;
  request.chunk = to_chunk(options.execution, ensemble::default_chunk);
  request.rounding = ensemble::rounding_of(to_execution(options.execution, options.talk).precision);
  request.threads = count_threads(to_execution(options.execution, options.talk, team).threads);
  request.team = team;
  const auto [source, scenario] = load(options.scenario, options.execution, options.talk, team);
  for (const std::string& name : request.observables) ensemble::find_observable(scenario, name);

  const auto file = open_study(options.target, keep::converge_name);
  std::string reason;
  const ensemble::MakeModel make = [&](const scenario::Scenario& asked) {
    auto executor = ensemble::make_level_model(options.execution.backend, asked, request.levels,
                                               to_execution(options.execution, options.talk, team), reason);
    if (talk)
      std::cout << visible(asked.title) << "\n"
                << counted(asked.ensemble.members, "member") << " at " << request.levels
                << " steps from h = " << format_short(asked.h()) << ", sampler " << to_name(asked.ensemble.sampler)
                << ", seed " << asked.ensemble.seed << "\nexecutor: " << executor->name() << " (" << reason << "), "
                << executor->device() << "\n"
                << std::flush;
    return executor;
  };
  std::unique_ptr<Progress> progress;
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  watch.finished = [&](std::int64_t members) { progress->add(members); };
  const auto begins = [&](int, std::int64_t members, std::int64_t steps) {
    progress.reset();
    progress = std::make_unique<Progress>(members, steps, for_people(options.talk.quiet));
  };
  const Convergence convergence = ensemble::run_converge(scenario, request, make, watch, begins);
  progress.reset();
  if (follows(team)) return fine;

  std::int64_t stopped = 0;
  for (const auto& level : convergence.levels) stopped = std::max(stopped, level.stopped);
  const Sentence advice = converge_advice(scenario, convergence);
  keep_study(options.talk, file.get(), ensemble::to_json(scenario, convergence, advice));
  if (talk) {
    std::cout << "\n";
    print_convergence(scenario, convergence, stopped, advice);
    tell_study(options.target, file.get());
  }
  return stopped > 0 ? some_stopped : fine;
}

void declare(Flags& flags, ConvergeOptions& options) {
  add_scenario(flags, options.scenario);
  add_execution(flags, options.execution);
  flags.add("--levels", options.levels, {0, 1'000'000}, "number of steps, each half of the one before [4]");
  flags.add_repeated("--observable", options.observables, "this one only; may be repeated (default: all)", "NAME");
  add_study(flags, options.target, "converge.json");
  add_quiet(flags, options.talk);
  add_json(flags, options.talk);
}

}  // namespace

Command converge_command() {
  return make_shared_command<ConvergeOptions>(
      {"converge",
       "is the step small enough? all members at h, h/2, h/4, …: observed order, step-size error beside sampling error",
       "  conesweep converge slider.toml\n  conesweep converge slider.toml --levels 5 --members 1e4 --observable reach "
       "--observable settled\n"
       "Exit codes: 0 all members fine; 1 some members stopped."},
      declare, converge);
}

}  // namespace conesweep::app
