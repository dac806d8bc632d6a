#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <utility>

#include "app/run_terminal.hpp"
#include "app/table.hpp"
#include "run/design_run.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/correlated_run.hpp"

namespace conesweep::app {
namespace {

struct SensitivityOptions : EnsembleFlags {
  std::string method = "sobol";
  bool second_order = false;
  int levels = 4;                        // of morris
  std::vector<std::string> observables;  // to show; all if empty
};

using sensitivity::Index;

std::string number(double x, int digits = 3) { return cell(x, digits); }
std::string interval(const Index& index) {
  return index.lower == index.lower ? number(index.lower) + " … " + number(index.upper) : "–";
}

/// Which of the observables are to be shown; InputError for a name that is none.
std::vector<bool> choose(const SensitivityOptions& options, const std::vector<std::string>& names) {
  std::vector<bool> chosen(names.size(), options.observables.empty());
  for (const auto& name : options.observables) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError("--observable: nothing observed is called '" + name + "'" + suggest(name, names));
    chosen[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return chosen;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const auto& warning : warnings) std::cout << "  note: " << warning << "\n";
}

// Observables that are the same for all members have nothing to tell.
void print_constant(const std::vector<std::string>& names) {
  if (!names.empty()) std::cout << "\nthe same for all members: " << join_words(names) << "\n";
}

/// All that sensitivities can be of: observables, classes, stopping itself. Members that stopped leave the last row;
/// without one it is not there.
std::vector<std::string> possible_rows(const scenario::Scenario& scenario) {
  auto rows = observable_names(scenario);
  for (const auto& one : scenario.classes) rows.push_back(scenario::class_row(one.name));
  rows.emplace_back(tell::stopped_row);
  return rows;
}

// How many members stopped, and between which values of each parameter.
void print_stopped(std::int64_t stopped, std::int64_t members, const std::vector<tell::StoppedReach>& where) {
  if (where.empty()) return;
  std::cout << "\n"
            << counted(stopped) << " of " << counted(members, "member")
            << " stopped, and have no observables; where they lie:\n";
  std::vector<std::vector<std::string>> rows = {{"  parameter", "min", "median", "max", "all: min", "median", "max"}};
  for (const auto& one : where)
    rows.push_back({"  " + one.parameter, number(one.stopped.lower, 4), number(one.stopped.median, 4),
                    number(one.stopped.upper, 4), number(one.all.lower, 4), number(one.all.median, 4),
                    number(one.all.upper, 4)});
  std::cout << align_columns(rows);
}

/// What a design found of each observable: is it the same for all members, its table, and how to read the tables.
struct Findings {
  std::function<bool(std::size_t observable)> is_flat;
  std::function<void(std::size_t observable)> print;
  std::string legend;
};

/// What was asked for of a run that ended.
int print_design(const SensitivityOptions& options, const scenario::Scenario& scenario, const runs::Ended& ended,
                 const Findings& findings) {
  const int code = ended.is_fine() ? fine : some_stopped;
  if (print_finished(options, ended)) return code;
  if (options.talk.json) ended.write_json([](std::string_view piece) { std::cout << piece; });
  if (!options.talk.talks()) return code;
  const auto& names = ended.summary.rows;
  const auto chosen = choose(options, possible_rows(scenario));
  std::cout << "\n";
  print_status(scenario, ended.summary);
  print_stopped(ended.summary.stopped(), ended.summary.members, ended.summary.stopped_where);
  std::vector<std::string> constant, unseen;
  const auto is_empty = [&](const std::string& row) {  // a class of which no member is
    return std::any_of(ended.summary.classes.begin(), ended.summary.classes.end(), [&](const keep::ClassCount& one) {
      return scenario::class_row(one.name) == row && one.members == 0;
    });
  };
  for (std::size_t o = 0; o < names.size(); ++o) {
    if (!chosen[o]) continue;
    if (findings.is_flat(o) && options.observables.empty())
      (is_empty(names[o]) ? unseen : constant).push_back(names[o]);
    else
      findings.print(o);
  }
  print_constant(constant);
  if (!unseen.empty()) std::cout << "\nno member was seen of: " << join_words(unseen) << "\n";
  std::cout << "\n" << findings.legend << " Results in " << out_folder(options).string() << "\n";
  return code;
}

/// "7,000 members (1,000 bases of 7)"
RunTerminal::Words words_of(const std::string& groups) {
  RunTerminal::Words words;
  words.members = [groups](const runs::Run& run) {
    const std::int64_t members = run.data().scenario.ensemble.members, group = run.design().members_a_group;
    return counted(members, "member") + " (" + counted(members / group) + " " + groups + " of " +
           std::to_string(group) + ")";
  };
  words.goal = [](const runs::Growth& growth, std::size_t k) {
    return growth.goals[k].name + " ± " + number(growth.errors[k]) + " of ± " + number(growth.goals[k].share);
  };
  words.error = "widest interval";
  words.asked = "the interval asked for";
  return words;
}

// ---- Sobol indices ----

void print_indices(const std::string& name, const sensitivity::SobolIndices& indices,
                   const std::vector<std::string>& parameters) {
  std::cout << "\n"
            << name << ": mean " << number(indices.mean, 5) << ", standard deviation "
            << number(std::sqrt(indices.variance), 5);
  if (indices.left_out > 0)
    std::cout << "; " << counted(indices.left_out) << " members left out (stopped, or the event never came)";
  std::cout << "\n";
  if (indices.too_few.of > 0) return print_warnings(indices.warnings);  // there is no index to show
  std::vector<std::vector<std::string>> rows = {{"  parameter", "first", "95 %", "total", "95 %"}};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    rows.push_back({"  " + parameters[i], number(indices.first[i].value), interval(indices.first[i]),
                    number(indices.total[i].value), interval(indices.total[i])});
  std::cout << align_columns(rows);
  if (!indices.second.empty()) {
    rows = {{"  pair", "second", "95 %"}};
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (std::size_t j = i + 1; j < parameters.size(); ++j) {
        const Index& pair = indices.second[sensitivity::pair_number(i, j, parameters.size())];
        rows.push_back({"  " + parameters[i] + ", " + parameters[j], number(pair.value), interval(pair)});
      }
    std::cout << align_columns(rows);
  }
  print_warnings(indices.warnings);
}

int run_sobol(const SensitivityOptions& options, const scenario::Scenario& scenario, team::Team* team) {
  RunTerminal terminal(options, words_of("bases"));
  const runs::Ended ended =
      runs::run_sobol(scenario, to_request(options, scenario, team), terminal, options.second_order);
  if (follows(team)) return fine;
  const tell::Summary& summary = ended.summary;
  return print_design(
      options, scenario, ended,
      {[&](std::size_t o) { return summary.sobol[o].constant; },
       [&](std::size_t o) { print_indices(summary.rows[o], summary.sobol[o], summary.parameters); },
       "first: share of the variance that a parameter explains alone; total: with all it takes part in."});
}

// ---- screening ----

void print_effects(const std::string& name, const sensitivity::MorrisEffects& found,
                   const std::vector<std::string>& parameters) {
  std::cout << "\n" << name << "\n";
  std::vector<std::vector<std::string>> rows = {{"  parameter", "mu*", "95 %", "mu", "sigma"}};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const sensitivity::Effect& effect = found.effects[i];
    rows.push_back({"  " + parameters[i], number(effect.mu_star.value), interval(effect.mu_star), number(effect.mu),
                    number(effect.sigma)});
  }
  std::cout << align_columns(rows);
  print_warnings(found.warnings);
}

int run_morris(const SensitivityOptions& options, const scenario::Scenario& scenario, team::Team* team) {
  const runs::Request request = to_request(options, scenario, team);
  runs::check_morris(request, options.second_order);
  RunTerminal terminal(options, words_of("trajectories"));
  const runs::Ended ended = runs::run_morris(scenario, request, terminal, options.levels);
  if (follows(team)) return fine;
  const tell::Summary& summary = ended.summary;
  return print_design(options, scenario, ended,
                      {[&](std::size_t o) {
                         const auto& effects = summary.morris[o].effects;
                         return std::all_of(effects.begin(), effects.end(),
                                            [](const sensitivity::Effect& e) { return e.mu_star.value == 0; });
                       },
                       [&](std::size_t o) { print_effects(summary.rows[o], summary.morris[o], summary.parameters); },
                       "mu*: mean size of the change of the observable, per way through the whole distribution of a "
                       "parameter; sigma: its spread (nonlinear, or with "
                       "others)."});
}

// ---- any run ----

void print_correlations(const std::string& name, const sensitivity::Correlations& correlations,
                        const std::vector<std::string>& parameters) {
  std::cout << name << ": " << counted(correlations.count, "member");
  if (correlations.left_out > 0) std::cout << ", " << counted(correlations.left_out) << " left out";
  std::cout << "; R² " << number(correlations.r_squared) << " linear, " << number(correlations.rank_r_squared)
            << " in ranks\n";
  std::vector<std::vector<std::string>> rows = {{"  parameter", "Spearman", "95 %", "PRCC", "95 %", "SRC", "95 %"}};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    rows.push_back({"  " + parameters[i], number(correlations.spearman[i].value), interval(correlations.spearman[i]),
                    number(correlations.partial_rank[i].value), interval(correlations.partial_rank[i]),
                    number(correlations.regression[i].value), interval(correlations.regression[i])});
  std::cout << align_columns(rows);
  print_warnings(correlations.warnings);
}

int correlate_run(const SensitivityOptions& options) {
  const std::filesystem::path folder = options.scenario.file;
  const ScenarioFlags& changes = options.scenario;
  if (!changes.members.empty() || !changes.seed.empty() || !changes.set.empty() || !changes.vary.empty() ||
      !options.growth.until.empty() || !options.growth.watch.empty() || options.second_order)
    throw InputError(folder.string() +
                     " is a folder: its run is correlated as it is; --members, --seed, --set, --vary, --until, --watch "
                     "and --second-order need a scenario file");
  const tell::CorrelatedRun run(folder);
  const auto& names = run.rows();
  const auto chosen = choose(options, names);
  const bool talk = options.talk.talks();
  std::vector<std::pair<std::string, sensitivity::Correlations>> table;
  std::vector<std::string> constant, without;
  bool first = true;
  for (std::size_t o = 0; o < names.size(); ++o) {
    if (!chosen[o]) continue;
    const auto found = run.correlate(o);
    table.emplace_back(names[o], found.correlations);
    if (!talk) continue;
    if (!found.varies && options.observables.empty()) {
      (found.has_values ? constant : without).push_back(names[o]);
      continue;
    }
    std::cout << (std::exchange(first, false) ? "" : "\n");
    print_correlations(names[o], found.correlations, run.parameters());
  }
  if (talk) {
    print_stopped(run.stopped(), run.members(), run.stopped_where());
    print_constant(constant);
    if (!without.empty()) std::cout << "\nno member has a value: " << join_words(without) << "\n";
  }
  if (options.talk.json) std::cout << tell::to_json(table, run.parameters());
  return fine;
}

int sensitivity(const SensitivityOptions& options, team::Team* team) {
  std::error_code error;  // what is no folder is read as a scenario, which says what is wrong with it
  if (std::filesystem::is_directory(options.scenario.file, error)) return follows(team) ? fine : correlate_run(options);
  const auto [source, scenario] = load(options.scenario, options.execution, options.talk, team);
  runs::check_design(scenario);
  choose(options, possible_rows(scenario));  // a wrong name is said before anything runs
  return options.method == "morris" ? run_morris(options, scenario, team) : run_sobol(options, scenario, team);
}

void declare(Flags& flags, SensitivityOptions& options) {
  add_scenario(flags, options.scenario, "scenario file (TOML), or the folder of a finished run");
  flags.add("--method", options.method, "sobol (Saltelli's design), or morris (screening)", "NAME")
      .shows_default()
      .takes_only({"sobol", "morris"});
  flags.add("--second-order", options.second_order, "indices of pairs, too");
  flags.add("--levels", options.levels, {0, 1'000'000}, "levels of each parameter for morris; an even number [4]");
  flags.add_repeated("--observable", options.observables, "print only these; may be repeated", "NAME");
  add_growth(flags, options.growth,
             "go on in blocks until no interval of an index of NAME reaches further than SHARE of the variance to "
             "either side: reach:2%");
  add_watch(flags, options.growth);
  add_execution(flags, options.execution);
  add_run_folder(flags, options);
}

}  // namespace

Command sensitivity_command() {
  return make_shared_command<SensitivityOptions>(
      {"sensitivity",
       "which parameter drives which observable: Sobol indices or screening of a scenario, rank correlations of a run",
       "  conesweep sensitivity slider.toml --members 1e5 --out runs/slider-sobol\n  conesweep sensitivity slider.toml "
       "--second-order --until reach:2%\n"
       "  conesweep sensitivity slider.toml --method morris --members 500 --out runs/slider-morris\n  conesweep "
       "sensitivity runs/slider\n"
       "--members counts model runs: a base of the Sobol design takes k + 2 of them for k parameters, 2 k + 2 with "
       "--second-order; a trajectory of morris "
       "takes "
       "k + 1.\n"
       "Intervals are at 95 %. Of a folder with results.h5 it prints Spearman, partial rank (PRCC) and standardised "
       "regression (SRC) coefficients."},
      declare, sensitivity);
}

}  // namespace conesweep::app
