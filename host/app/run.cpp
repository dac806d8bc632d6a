#include <algorithm>
#include <cmath>
#include <iostream>

#include "app/folder_run.hpp"
#include "ensemble/until.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

std::string counted(std::int64_t n) { return format_count(static_cast<unsigned long long>(n)); }

void print_table(const io::RunSummary& summary) {
  const std::vector<std::string> titles = {"observable", "mean", "± error", "deviation", "min", "5 %", "median", "95 %", "max", "count"};
  std::vector<std::vector<std::string>> rows = {titles};
  for (const auto& [name, s] : summary.observables) {
    if (s.count == 0) {
      rows.push_back({name, "–", "–", "–", "–", "–", "–", "–", "–", "0"});
      continue;
    }
    const auto text = [](double x) { return x != x ? std::string("–") : format_short(x, 5); };
    rows.push_back({name, text(s.mean), s.standard_error != s.standard_error ? "–" : format_short(s.standard_error, 2), text(s.standard_deviation), text(s.min), text(quantile_of(s, 0.05)),
                    text(quantile_of(s, 0.5)), text(quantile_of(s, 0.95)), text(s.max), counted(s.count)});
  }
  print_rows(rows);
}

bool produce_all(FolderRun& run, const scenario::Scenario& scenario) {
  run.introduce(count_members(scenario.ensemble.members));
  run.produce(*sampling::make_points(scenario), scenario.ensemble.members);
  return true;
}

// Goes on in blocks until the standard errors of the means are as small as asked for, or there are as many members as allowed.
bool produce_until(FolderRun& run, const scenario::Scenario& scenario, const Options& options, const Until& until) {
  const auto& [goals, most] = until;
  std::int64_t members = scenario.ensemble.members;
  run.introduce("from " + counted(members) + " to at most " + count_members(most));
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
      worst = excess <= worst ? worst : excess;
      text += (text.empty() ? "" : ", ") + goal.name + " " + (share == share ? format_short(100 * share, 3) + " %" : "unknown") + " of " + format_short(100 * goal.share, 3) + " %";
    }
    if (!options.quiet && !options.json) std::cout << count_members(members) << ": relative standard error of " << text << "\n" << std::flush;
    if (worst <= 1) return true;
    if (members == most) {
      std::cerr << "conesweep: the error asked for was not reached with " << count_members(most) << "; allow more with --most\n";
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
  const std::string json = run.finish([&](const io::Timing& timing) { return io::summary_json(run.data(), summary, timing); });

  if (options.json) std::cout << json;
  if (talk) {
    std::cout << "\n";
    print_status(scenario, summary);
    std::cout << "\n";
    print_table(summary);
    const double seconds = run.timing().solve_seconds;
    const double rate = static_cast<double>(summary.members) * static_cast<double>(scenario.steps) / std::max(seconds, 1e-9);
    std::cout << "\n" << format_duration(seconds) << " for the members, " << format_short(rate, 3) << " member·steps/s; results in " << run.path().string() << "\n";
  }
  return summary.stopped() == 0 && reached ? fine : some_stopped;
}

}  // namespace conesweep::app
