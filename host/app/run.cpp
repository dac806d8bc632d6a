#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "app/folder_run.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/step_check.hpp"
#include "ensemble/until.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

void print_table(const io::RunSummary& summary, const ensemble::StepCheck& steps) {
  const bool checked = !steps.observables.empty();
  std::vector<std::vector<std::string>> rows = {{"observable", "mean", "± sampling", "± step", "deviation", "min", "5 %", "median", "95 %", "max", "count"}};
  for (std::size_t o = 0; o < summary.observables.size(); ++o) {
    const auto& [name, s] = summary.observables[o];
    rows.push_back({name, cell(s.mean, 5), cell(s.standard_error, 2), checked ? cell(steps.observables[o].step_error, 2) : "", cell(s.standard_deviation, 5),
                    cell(s.min, 5), cell(quantile_of(s, 0.05), 5), cell(quantile_of(s, 0.5), 5), cell(quantile_of(s, 0.95), 5), cell(s.max, 5),
                    counted(s.count)});
  }
  if (!checked)
    for (auto& row : rows) row.erase(row.begin() + 3);
  std::cout << align_columns(rows);
}

// The first members once more at half the step: how far are the means from those of small steps? By another executor of the same bits where a device
// refuses: all members are done, and must not be lost for this.
ensemble::StepCheck check_steps(const FolderRun& run, const scenario::Scenario& scenario, const io::RunSummary& summary, const Options& options) {
  constexpr std::int64_t most_in_float = 1 << 24;
  if (options.no_step_check || (options.precision == "single" && 2 * scenario.steps > most_in_float)) return {};
  std::vector<ensemble::MeanEstimate> means;
  for (const auto& [name, s] : summary.observables) means.push_back({s.mean, s.standard_deviation, s.standard_error});
  const std::int64_t members = std::min(scenario.ensemble.members, ensemble::step_check_members);
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  const auto check_by = [&](const std::string& backend) {
    const auto make = [&](const scenario::Scenario& finer) {
      std::string reason;
      return executor::make_executor(backend, finer, to_execution(options), reason);
    };
    const executor::Outcome at_h = make(scenario)->run({0, members, sampling::draw(scenario, 0, members)}, watch);
    return ensemble::check_step(scenario, at_h, means, make, watch);
  };
  const std::string backend = run.executor().name();
  const auto tell = [&](const std::string& what) {
    if (!options.quiet) std::cerr << "conesweep: " << what << "\n";
  };
  try {
    try {
      return check_by(backend);
    } catch (const SystemError& error) {
      if (!run.executor().traits().on_device) throw;
      tell(std::string("the step is checked on the CPU, with the same result: ") + error.what());
      return check_by("cpu");
    }
  } catch (const Interrupted&) {
    run.rethrow_interrupted();
  } catch (const std::exception& error) {
    tell(std::string("the step could not be checked: ") + error.what());
    return {};
  }
}

nlohmann::ordered_json to_json(const ensemble::StepCheck& check) {
  nlohmann::ordered_json json = {{"members", check.members}, {"step", check.step}, {"advised_step", check.advised_step}};
  for (const auto& o : check.observables)
    json["observables"][o.name] = {{"compared", o.compared},     {"changed", o.changed},
                                   {"difference", o.difference}, {"difference_error", o.difference_error},
                                   {"step_error", o.step_error}, {"is_large", o.is_large}};
  return json;
}

bool produce_all(FolderRun& run, const scenario::Scenario& scenario) {
  run.introduce(counted(scenario.ensemble.members, "member"));
  run.produce(*sampling::make_points(scenario), scenario.ensemble.members);
  return true;
}

// Goes on in blocks until the standard errors of the means are as small as asked for, or there are as many members as allowed.
bool produce_until(FolderRun& run, const scenario::Scenario& scenario, const Options& options, const Until& until) {
  const auto& [goals, most] = until;
  std::int64_t members = scenario.ensemble.members;
  run.introduce("from " + counted(members) + " to at most " + counted(most, "member"));
  const auto points = sampling::make_points(scenario);
  for (;;) {
    run.produce(*points, members);
    double worst = 0;
    std::string text;
    const auto status = run.data().status();
    for (const auto& goal : goals) {
      const auto sums = statistics::merge_blocks(run.engine().block_moments(run.data().observable(goal.observable), status, 1));
      const auto n = static_cast<double>(sums.count);
      const double share = std::sqrt(sums.squares / (n - 1) / n) / std::fabs(sums.mean);  // NaN: no values yet, or none that differ from 0
      const double excess = share / goal.share;
      worst = std::max(worst, excess == excess ? excess : std::numeric_limits<double>::infinity());
      text += (text.empty() ? "" : ", ") + goal.name + " " + (share == share ? format_short(100 * share, 3) + " %" : "unknown") + " of " +
              format_short(100 * goal.share, 3) + " %";
    }
    if (!options.quiet && !options.json) std::cout << counted(members, "member") << ": relative standard error of " << text << "\n" << std::flush;
    if (worst <= 1) return true;
    if (members == most) {
      std::cerr << "conesweep: the error asked for was not reached with " << counted(most, "member") << "; allow more with --most\n";
      return false;
    }
    members = ensemble::grow(members, worst, statistics::block_members, most);
  }
}

}  // namespace

int run(const Options& options) {
  const bool talk = !options.quiet && !options.json;
  const auto [source, scenario] = load(options);
  const Until until = read_until(options, scenario);
  if (const auto code = find_finished(options, scenario, "ensemble", until)) return *code;
  FolderRun run(options, scenario);
  const bool reached = until.goals.empty() ? produce_all(run, scenario) : produce_until(run, scenario, options, until);

  const io::RunSummary summary = io::summarise_run(run.data(), run.engine());
  const ensemble::StepCheck steps = check_steps(run, run.data().scenario, summary, options);
  nlohmann::ordered_json more = nlohmann::ordered_json::object();
  if (!steps.observables.empty()) more["step_check"] = to_json(steps);
  const std::string json = run.finish([&](const io::Timing& timing) { return io::summary_json(run.data(), summary, timing, more); });

  if (options.json) std::cout << json;
  if (talk) {
    std::cout << "\n";
    print_status(scenario, summary);
    std::cout << "\n";
    print_table(summary, steps);
    const double seconds = run.timing().solve_seconds;
    const double rate = static_cast<double>(summary.members) * static_cast<double>(scenario.steps) / std::max(seconds, 1e-9);
    std::cout << "\n"
              << format_duration(seconds) << " for the members, " << format_short(rate, 3) << " member·steps/s; results in " << run.path().string() << "\n";
  }
  if (const std::string warning = step_warning(steps); !warning.empty() && !options.quiet) std::cerr << "conesweep: warning: " << warning << "\n";
  return summary.stopped() == 0 && reached ? fine : some_stopped;
}

}  // namespace conesweep::app
