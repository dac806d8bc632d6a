#include <algorithm>
#include <iostream>

#include "app/run_terminal.hpp"
#include "app/table.hpp"
#include "run/ensemble_run.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

void print_table(const runs::Summary& summary) {
  const auto& checked = summary.steps.observables;
  std::vector<std::vector<std::string>> rows = {{"observable", "mean", "± sampling", "± step", "deviation", "min", "5 %", "median", "95 %", "max", "count"}};
  for (std::size_t o = 0; o < summary.observables.size(); ++o) {
    const auto& [name, s] = summary.observables[o];
    rows.push_back({name, cell(s.mean, 5), cell(s.standard_error, 2), checked.empty() ? "" : cell(checked[o].step_error, 2), cell(s.standard_deviation, 5),
                    cell(s.min, 5), cell(quantile_of(s, 0.05), 5), cell(quantile_of(s, 0.5), 5), cell(quantile_of(s, 0.95), 5), cell(s.max, 5),
                    counted(s.count)});
  }
  if (checked.empty())
    for (auto& row : rows) row.erase(row.begin() + 3);
  std::cout << align_columns(rows);
}

RunTerminal::Words words_of(const scenario::Scenario& scenario, const runs::Request& request) {
  const std::int64_t members = scenario.ensemble.members;
  RunTerminal::Words words;
  words.members = [&scenario, &request, members](const runs::Run&) {
    return request.goals.empty() ? counted(members, "member")
                                 : "from " + counted(members) + " to at most " + counted(runs::most_members(request, scenario), "member");
  };
  words.goal = [](const runs::Growth& growth, std::size_t k) {
    const double share = growth.errors[k];
    return growth.goals[k].name + " " + (share == share ? format_short(100 * share, 3) + " %" : "unknown") + " of " +
           format_short(100 * growth.goals[k].share, 3) + " %";
  };
  words.error = "relative standard error";
  words.asked = "the error asked for";
  return words;
}

}  // namespace

int run(const Options& options) {
  const auto [source, scenario] = load(options);
  const runs::Request request = to_request(options, scenario);
  RunTerminal terminal(options, words_of(scenario, request));
  const runs::Ended ended = runs::run_ensemble(scenario, request, terminal);
  const int code = ended.is_fine() ? fine : some_stopped;
  if (print_finished(options, ended)) return code;

  const runs::Summary& summary = ended.summary;
  if (options.json) std::cout << ended.json;
  if (terminal.talks()) {
    std::cout << "\n";
    print_status(scenario, summary);
    std::cout << "\n";
    print_table(summary);
    const double seconds = summary.timing.solve_seconds;
    const double rate = static_cast<double>(summary.members) * static_cast<double>(scenario.steps) / std::max(seconds, 1e-9);
    std::cout << "\n"
              << format_duration(seconds) << " for the members, " << format_short(rate, 3) << " member·steps/s; results in " << request.folder.string() << "\n";
  }
  if (const std::string warning = step_warning(summary.steps); !warning.empty() && !options.quiet) std::cerr << "conesweep: warning: " << warning << "\n";
  return code;
}

}  // namespace conesweep::app
