#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "app/folder_run.hpp"
#include "app/table.hpp"
#include "ensemble/until.hpp"
#include "io/results_reader.hpp"
#include "sensitivity/correlation.hpp"
#include "sensitivity/morris.hpp"
#include "sensitivity/sobol.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

using nlohmann::ordered_json;
using sensitivity::Index;

std::vector<std::string> varied_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& variation : scenario.vary) names.push_back(scenario.names.parameters[static_cast<std::size_t>(variation.parameter)]);
  return names;
}

std::string number(double x, int digits = 3) { return cell(x, digits); }
std::string interval(const Index& index) { return index.lower == index.lower ? number(index.lower) + " … " + number(index.upper) : "–"; }
ordered_json interval_json(const Index& index) { return {index.lower, index.upper}; }

/// Which of the observables are to be shown; InputError for a name that is none.
std::vector<bool> choose(const Options& options, const std::vector<std::string>& names) {
  std::vector<bool> chosen(names.size(), options.observables.empty());
  for (const auto& name : options.observables) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw InputError("--observable: nothing observed is called '" + name + "'" + suggest(name, names));
    chosen[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return chosen;
}

/// What a design needs: parameters that vary, each by itself.
void check_design(const scenario::Scenario& scenario) {
  if (scenario.vary.empty()) throw InputError("nothing varies: [vary] is empty, so there is nothing to be sensitive to");
  if (scenario.ensemble.sampler == scenario::Sampler::grid) throw InputError("sampler 'grid': a design needs points of its own; use random, latin or sobol");
  if (!scenario.correlation.empty())
    throw InputError(
        "[correlation]: the indices of a design are those of independent parameters; take it out, or look at the rank correlations of a run (conesweep "
        "sensitivity FOLDER)");
  for (const auto& variation : scenario.vary)
    if (variation.distribution.kind == scenario::DistributionKind::table)
      throw InputError("'" + scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] +
                       "' comes from a table, whose rows cannot be mixed by a design; give it a distribution, or look at the rank correlations of a run "
                       "(conesweep sensitivity FOLDER)");
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const auto& warning : warnings) std::cout << "  note: " << warning << "\n";
}

// Observables that are the same for all members have nothing to tell.
void print_constant(const std::vector<std::string>& names) {
  if (!names.empty()) std::cout << "\nthe same for all members: " << join_words(names) << "\n";
}

/// What a design found of each observable: is it the same for all members, its table, and how to read the tables.
struct Findings {
  std::function<bool(std::size_t observable)> is_flat;
  std::function<void(std::size_t observable)> print;
  std::string legend;
};

/// The folder becomes whole, then what was asked for is printed.
void finish_design(FolderRun& run, const Options& options, const io::RunSummary& summary, const ordered_json& more, const Findings& findings) {
  const std::string json = run.finish([&](const io::Timing& timing) { return io::summary_json(run.data(), summary, timing, more); });
  if (options.json) std::cout << json;
  if (options.json || options.quiet) return;
  const auto names = observable_names(run.data().scenario);
  const auto chosen = choose(options, names);
  std::cout << "\n";
  print_status(run.data().scenario, summary);
  std::vector<std::string> constant;
  for (std::size_t o = 0; o < names.size(); ++o) {
    if (!chosen[o]) continue;
    if (findings.is_flat(o) && options.observables.empty())
      constant.push_back(names[o]);
    else
      findings.print(o);
  }
  print_constant(constant);
  std::cout << "\n" << findings.legend << " Results in " << run.path().string() << "\n";
}

// ---- Sobol indices -------------------------------------------------------------------------------------------------------

std::vector<sensitivity::SobolIndices> estimate(const FolderRun& run, const sensitivity::SaltelliLayout& layout, int parts,
                                                const std::vector<std::string>& parameters, const std::vector<std::size_t>& which) {
  std::vector<sensitivity::SobolIndices> all;
  const auto status = run.data().status();
  for (const std::size_t o : which) {
    sensitivity::SobolSums sums(layout, parts);
    sums.add(run.data().observable(o), status);
    all.push_back(sums.indices(parameters, run.data().scenario.ensemble.seed));
  }
  return all;
}

ordered_json to_json(const sensitivity::SobolIndices& indices, const std::vector<std::string>& parameters) {
  ordered_json json = ordered_json::object();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ordered_json one = {{"first", indices.first[i].value},
                        {"first_interval", interval_json(indices.first[i])},
                        {"total", indices.total[i].value},
                        {"total_interval", interval_json(indices.total[i])},
                        {"first_jansen", indices.first_jansen[i].value},
                        {"first_jansen_interval", interval_json(indices.first_jansen[i])}};
    for (std::size_t j = 0; j < parameters.size() && !indices.second.empty(); ++j) {
      if (j == i) continue;
      const Index& pair = indices.second[sensitivity::pair_number(std::min(i, j), std::max(i, j), parameters.size())];
      one["second"][parameters[j]] = pair.value;
      one["second_interval"][parameters[j]] = interval_json(pair);
    }
    json[parameters[i]] = std::move(one);
  }
  return json;
}

void print_indices(const std::string& name, const sensitivity::SobolIndices& indices, const std::vector<std::string>& parameters) {
  std::cout << "\n" << name << ": mean " << number(indices.mean, 5) << ", standard deviation " << number(std::sqrt(indices.variance), 5);
  if (indices.left_out > 0) std::cout << "; " << counted(indices.left_out) << " bases left out (a member stopped, or the event never came)";
  std::cout << "\n";
  std::vector<std::vector<std::string>> rows = {{"  parameter", "first", "95 %", "total", "95 %"}};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    rows.push_back(
        {"  " + parameters[i], number(indices.first[i].value), interval(indices.first[i]), number(indices.total[i].value), interval(indices.total[i])});
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

int run_sobol(const Options& options, scenario::Scenario scenario) {
  const auto parameters = varied_names(scenario);
  const auto names = observable_names(scenario);
  choose(options, names);  // a wrong name is said before anything runs
  const sensitivity::SaltelliLayout layout{parameters.size(), options.second_order};
  const int parts = sensitivity::advised_parts(scenario.ensemble.sampler);
  const std::int64_t unit = layout.members(parts);
  const std::int64_t asked = scenario.ensemble.members;
  if (asked < 2 * unit)
    throw InputError("--members: " + counted(asked) + " model runs are too few for " + std::to_string(parameters.size()) + " parameters; at least " +
                     std::to_string(2 * unit) + " are needed, and " + std::to_string(unit / parts * 1024) + " are a good beginning");
  std::int64_t bases = asked / unit * parts;
  Until until = read_until(options, scenario);
  until.most = until.most / unit * unit;
  const auto& goals = until.goals;
  scenario.ensemble.members = layout.members(bases);

  const std::string design = options.second_order ? "saltelli, second order" : "saltelli";
  if (const auto code = find_finished(options, scenario, design, until)) return *code;
  FolderRun run(options, scenario, design);
  run.introduce(counted(scenario.ensemble.members, "member") + " (" + counted(bases) + " bases of " + std::to_string(layout.rows()) + ")");
  // points of a Latin hypercube count bases
  scenario::Scenario base_scenario = scenario;
  base_scenario.ensemble.members = bases;
  const sensitivity::SaltelliPoints points(sensitivity::make_base_points(base_scenario, parts), layout);

  bool reached = true;
  for (std::int64_t members = scenario.ensemble.members;;) {
    run.produce(points, members);
    if (goals.empty()) break;
    double worst = 0;
    std::string text;
    for (const auto& goal : goals) {
      const auto indices = estimate(run, layout, parts, parameters, {goal.observable}).front();
      double widest = 0;
      for (const auto* kind : {&indices.first, &indices.total, &indices.second})
        for (const Index& index : *kind) {
          const double reach = std::max(index.upper - index.value, index.value - index.lower);
          widest = std::max(widest, reach == reach ? reach : std::numeric_limits<double>::infinity());
        }
      const double excess = widest / goal.share;
      worst = std::max(worst, excess);
      text += (text.empty() ? "" : ", ") + goal.name + " ± " + number(widest) + " of ± " + number(goal.share);
    }
    if (!options.quiet && !options.json) std::cout << counted(members, "member") << ": widest interval of " << text << "\n" << std::flush;
    if (worst <= 1) break;
    const std::int64_t next = ensemble::grow(members, worst, unit, until.most);
    if (next <= members) {
      std::cerr << "conesweep: the interval asked for was not reached with " << counted(members, "member") << "; allow more with --most\n";
      reached = false;
      break;
    }
    members = next;
  }

  std::vector<std::size_t> all(names.size());
  for (std::size_t o = 0; o < all.size(); ++o) all[o] = o;
  const auto indices = estimate(run, layout, parts, parameters, all);
  const io::RunSummary summary = io::summarise_run(run.data(), run.engine(), [&](std::int64_t member) { return layout.is_independent(member); });
  ordered_json more, table, warnings = ordered_json::object();
  for (std::size_t o = 0; o < names.size(); ++o) {
    table[names[o]] = to_json(indices[o], parameters);
    if (!indices[o].warnings.empty()) warnings[names[o]] = indices[o].warnings;
  }
  more["sensitivity"] = std::move(table);
  more["design"] = {{"method", "saltelli"},
                    {"points", design},
                    {"bases", run.data().scenario.ensemble.members / layout.rows()},
                    {"members_a_base", layout.rows()},
                    {"warnings", std::move(warnings)}};
  finish_design(run, options, summary, more,
                {[&](std::size_t o) { return indices[o].variance == 0; }, [&](std::size_t o) { print_indices(names[o], indices[o], parameters); },
                 "first: share of the variance that a parameter explains alone; total: with all it takes part in."});
  return summary.stopped() == 0 && reached ? fine : some_stopped;
}

// ---- screening -----------------------------------------------------------------------------------------------------------

void print_effects(const std::string& name, const sensitivity::MorrisEffects& found, const std::vector<std::string>& parameters) {
  std::cout << "\n" << name << "\n";
  std::vector<std::vector<std::string>> rows = {{"  parameter", "mu*", "95 %", "mu", "sigma"}};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const sensitivity::Effect& effect = found.effects[i];
    rows.push_back({"  " + parameters[i], number(effect.mu_star.value), interval(effect.mu_star), number(effect.mu), number(effect.sigma)});
  }
  std::cout << align_columns(rows);
  print_warnings(found.warnings);
}

int run_morris(const Options& options, scenario::Scenario scenario) {
  if (!options.until.empty() || !options.most.empty() || options.second_order) throw InputError("--until, --most and --second-order belong to --method sobol");
  const auto parameters = varied_names(scenario);
  const auto names = observable_names(scenario);
  choose(options, names);  // a wrong name is said before anything runs
  const sensitivity::MorrisPoints points(scenario.ensemble.seed, sensitivity::bounded_axes(scenario), options.screening_levels);
  const std::int64_t trajectories = scenario.ensemble.members / points.rows();
  if (trajectories < 2)
    throw InputError("--members: at least " + std::to_string(points.members(2)) + " model runs are needed for " + std::to_string(parameters.size()) +
                     " parameters; " + std::to_string(points.members(20)) + " are a good beginning");
  scenario.ensemble.members = points.members(trajectories);

  const std::string design = "morris, " + std::to_string(options.screening_levels) + " levels";
  if (const auto code = find_finished(options, scenario, design)) return *code;
  FolderRun run(options, scenario, design);
  run.introduce(counted(scenario.ensemble.members, "member") + " (" + counted(trajectories) + " trajectories of " + std::to_string(points.rows()) + ")");
  run.produce(points, scenario.ensemble.members);

  const auto status = run.data().status();
  std::vector<sensitivity::MorrisEffects> effects;
  for (std::size_t o = 0; o < names.size(); ++o) {
    sensitivity::MorrisSums sums(points);
    sums.add(run.data().observable(o), status);
    effects.push_back(sums.effects(parameters));
  }
  const io::RunSummary summary = io::summarise_run(run.data(), run.engine());
  ordered_json more, table;
  for (std::size_t o = 0; o < names.size(); ++o)
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const sensitivity::Effect& effect = effects[o].effects[i];
      table[names[o]][parameters[i]] = {{"mu", effect.mu},
                                        {"mu_star", effect.mu_star.value},
                                        {"mu_star_interval", interval_json(effect.mu_star)},
                                        {"sigma", effect.sigma},
                                        {"count", effect.count}};
    }
  more["sensitivity"] = std::move(table);
  more["design"] = {{"method", "morris"}, {"points", design}, {"trajectories", trajectories}, {"levels", options.screening_levels}};
  finish_design(run, options, summary, more,
                {[&](std::size_t o) {
                   return std::all_of(effects[o].effects.begin(), effects[o].effects.end(), [](const sensitivity::Effect& e) { return e.mu_star.value == 0; });
                 },
                 [&](std::size_t o) { print_effects(names[o], effects[o], parameters); },
                 "mu*: mean size of the change of the observable, per way through the whole distribution of a parameter; sigma: its spread (nonlinear, or with "
                 "others)."});
  return summary.stopped() == 0 ? fine : some_stopped;
}

// ---- any run -------------------------------------------------------------------------------------------------------------

int correlate_run(const Options& options) {
  const std::filesystem::path folder = options.scenario;
  if (!options.members.empty() || !options.seed.empty() || !options.set.empty() || !options.until.empty() || options.second_order)
    throw InputError(folder.string() +
                     " is a folder: its run is correlated as it is; --members, --seed, --set, --until and --second-order need a scenario file");
  if (!io::is_there(folder / "summary.json")) throw InputError(folder.string() + " holds no finished run: summary.json is not there");
  const nlohmann::json summary = io::read_summary(folder / "summary.json");
  const io::ResultsReader results(folder / "results.h5");
  if (summary.value("/run/identity"_json_pointer, std::string()) != results.identity())
    throw InputError("results.h5 in " + folder.string() + " is of another run than summary.json; run again with --force");
  const auto& parameters = results.parameters();
  const auto& names = results.observables();
  if (parameters.empty()) throw InputError("nothing varies in " + folder.string() + ", so there is nothing to be sensitive to");
  const auto chosen = choose(options, names);
  // of a design only its independent members count
  const std::string method = summary.value("/design/method"_json_pointer, std::string());
  if (method == "morris") throw InputError(folder.string() + " holds a screening design, whose members are no sample; take the folder of a run");
  const std::size_t base = method == "saltelli" ? summary.value("/design/members_a_base"_json_pointer, std::size_t{1}) : 1;
  const auto select = [base](auto column) {
    std::size_t kept = 0;
    for (std::size_t m = 0; m < column.size(); ++m)
      if (m % base < 2) column[kept++] = column[m];
    column.resize(kept);
    return column;
  };
  const auto status = select(results.status());
  std::vector<std::vector<double>> columns;
  for (const auto& name : parameters) columns.push_back(select(results.parameter(name)));

  ordered_json table = ordered_json::object();
  std::vector<std::string> constant, without;
  for (std::size_t o = 0; o < names.size(); ++o) {
    if (!chosen[o]) continue;
    const auto values = select(results.observable(names[o]));
    const auto correlations = sensitivity::correlate(parameters, columns, values, status);
    ordered_json& entry = table[names[o]];
    for (std::size_t i = 0; i < parameters.size(); ++i)
      entry[parameters[i]] = {{"spearman", correlations.spearman[i].value}, {"spearman_interval", interval_json(correlations.spearman[i])},
                              {"prcc", correlations.partial_rank[i].value}, {"prcc_interval", interval_json(correlations.partial_rank[i])},
                              {"src", correlations.regression[i].value},    {"src_interval", interval_json(correlations.regression[i])}};
    if (options.json || options.quiet) continue;
    double first = sensitivity::nan;  // stays NaN where no member has a value
    bool varies = false;
    for (std::size_t m = 0; m < values.size() && !varies; ++m) {
      if (status[m] != executor::Status::ok || values[m] != values[m]) continue;
      varies = first == first && values[m] != first;
      first = values[m];
    }
    if (!varies && options.observables.empty()) {
      (first == first ? constant : without).push_back(names[o]);
      continue;
    }
    std::cout << (o > 0 ? "\n" : "") << names[o] << ": " << counted(correlations.count, "member");
    if (correlations.left_out > 0) std::cout << ", " << counted(correlations.left_out) << " left out";
    std::cout << "; R² " << number(correlations.r_squared) << " linear, " << number(correlations.rank_r_squared) << " in ranks\n";
    std::vector<std::vector<std::string>> rows = {{"  parameter", "Spearman", "95 %", "PRCC", "95 %", "SRC", "95 %"}};
    for (std::size_t i = 0; i < parameters.size(); ++i)
      rows.push_back({"  " + parameters[i], number(correlations.spearman[i].value), interval(correlations.spearman[i]),
                      number(correlations.partial_rank[i].value), interval(correlations.partial_rank[i]), number(correlations.regression[i].value),
                      interval(correlations.regression[i])});
    std::cout << align_columns(rows);
    print_warnings(correlations.warnings);
  }
  if (!options.json && !options.quiet) {
    print_constant(constant);
    if (!without.empty()) std::cout << "\nno member has a value: " << join_words(without) << "\n";
  }
  if (options.json) std::cout << io::format_json(table);
  return fine;
}

}  // namespace

int sensitivity(const Options& options) {
  std::error_code error;  // what is no folder is read as a scenario, which says what is wrong with it
  if (std::filesystem::is_directory(options.scenario, error)) return correlate_run(options);
  auto [source, scenario] = load(options);
  check_design(scenario);
  return options.method == "morris" ? run_morris(options, std::move(scenario)) : run_sobol(options, std::move(scenario));
}

}  // namespace conesweep::app
