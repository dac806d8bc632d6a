#include "api/run_teller.hpp"
#include "api/scenario_parts.hpp"
#include "conesweep/studies.hpp"
#include "run/design_run.hpp"
#include "tell/correlated_run.hpp"

namespace conesweep {
namespace {

Estimate to_estimate(const sensitivity::Index& index) { return {index.value, index.lower, index.upper}; }

std::vector<Estimate> to_estimates(const std::vector<sensitivity::Index>& indices) {
  std::vector<Estimate> estimates;
  for (const auto& index : indices) estimates.push_back(to_estimate(index));
  return estimates;
}

Sensitivity of_sobol(const std::string& name, const sensitivity::SobolIndices& found) {
  Sensitivity made;
  made.name = name;
  made.first = to_estimates(found.first);
  made.total = to_estimates(found.total);
  made.second = to_estimates(found.second);
  made.mean = found.mean;
  made.variance = found.variance;
  made.left_out = found.left_out;
  made.constant = found.constant;
  made.warnings = found.warnings;
  return made;
}

Sensitivity of_morris(const std::string& name, const sensitivity::MorrisEffects& found) {
  Sensitivity made;
  made.name = name;
  made.constant = true;
  for (const auto& effect : found.effects) {
    made.mu_star.push_back(to_estimate(effect.mu_star));
    made.mu.push_back(effect.mu);
    made.sigma.push_back(effect.sigma);
    made.constant = made.constant && effect.mu_star.value == 0;
  }
  made.left_out = found.left_out;
  made.warnings = found.warnings;
  return made;
}

Sensitivities find(const scenario::Scenario& scenario, const SensitivityOptions& options) {
  const bool morris = options.method == "morris";
  if (!morris && options.method != "sobol")
    throw InputError(about(setting::method) + "'" + options.method + "' is not known; sobol and morris are");
  runs::check_design(scenario);
  const runs::Request request = api::to_request(options, scenario);
  if (morris) runs::check_morris(request, options.second_order);
  api::RunTeller teller(options);
  const runs::Ended ended = morris ? runs::run_morris(scenario, request, teller, options.levels)
                                   : runs::run_sobol(scenario, request, teller, options.second_order);
  const tell::Summary& summary = ended.summary;
  Sensitivities found;
  found.parameters = summary.parameters;
  found.members = summary.members;
  found.stopped = summary.stopped();
  found.reached = ended.reached;
  found.json = ended.json();
  for (std::size_t row = 0; row < summary.rows.size(); ++row)
    found.of.push_back(morris ? of_morris(summary.rows[row], summary.morris[row])
                              : of_sobol(summary.rows[row], summary.sobol[row]));
  return found;
}

}  // namespace

Sensitivities find_sensitivities(const Scenario& scenario, const SensitivityOptions& options) {
  return api::tell_plainly([&] { return find(*api::Access::parts(scenario).scenario, options); });
}

Correlations find_correlations(const std::string& folder) {
  return api::tell_plainly([&] {
    const tell::CorrelatedRun run(folder);
    Correlations all;
    all.parameters = run.parameters();
    std::vector<std::pair<std::string, sensitivity::Correlations>> table;
    for (std::size_t row = 0; row < run.rows().size(); ++row) {
      const sensitivity::Correlations found = run.correlate(row).correlations;
      Correlation one;
      one.name = run.rows()[row];
      one.spearman = to_estimates(found.spearman);
      one.partial_rank = to_estimates(found.partial_rank);
      one.regression = to_estimates(found.regression);
      one.r_squared = found.r_squared;
      one.rank_r_squared = found.rank_r_squared;
      one.count = found.count;
      one.left_out = found.left_out;
      one.warnings = found.warnings;
      all.of.push_back(std::move(one));
      table.emplace_back(run.rows()[row], found);
    }
    all.json = tell::to_json(table, all.parameters);
    return all;
  });
}

}  // namespace conesweep
