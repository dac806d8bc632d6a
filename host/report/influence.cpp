#include "report/influence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sensitivity/correlation.hpp"

namespace conesweep::report {
namespace {

using sensitivity::Index;

std::vector<Index> correlate_ranks(const RunView& run, const std::string& observable) {
  const std::size_t every = std::max<std::size_t>(1, run.drawn() / most_ranked);
  const auto some = [&](const std::string& name) {
    const auto& column = run.column(name);
    std::vector<double> out;
    for (std::size_t m = 0; m < column.size(); m += every) out.push_back(column[m]);
    return out;
  };
  std::vector<std::vector<double>> columns;
  for (const auto& name : run.parameters()) columns.push_back(some(name));
  const auto values = some(observable);
  const std::vector<executor::Status> ok(values.size(), executor::Status::ok);  // members that stopped have NaN
  return sensitivity::correlate(run.parameters(), columns, values, ok).spearman;
}

// As the parameters stand in the scenario.
Influence unsorted(const RunView& run, const std::string& observable) {
  const auto& rows = run.summary.rows;
  const auto row = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), observable) - rows.begin());
  const auto& names = run.summary.parameters;
  if (row < run.summary.sobol.size())
    return {"Sobol index", names, {{"first: alone", run.summary.sobol[row].first}, {"total: with others", run.summary.sobol[row].total}}};
  if (row >= run.summary.morris.size()) return {rank_correlation, run.parameters(), {{"", correlate_ranks(run, observable)}}};
  Influence found{"μ*", names, {{"", {}}}};
  for (const auto& effect : run.summary.morris[row].effects) found.series[0].rows.push_back(effect.mu_star);
  return found;
}

}  // namespace

bool is_sample(const RunView& run) { return run.scenario.ensemble.sampler != scenario::Sampler::grid && run.scenario.sweep.empty(); }
bool is_design(const RunView& run) { return !run.summary.design.method.empty(); }

Influence influence_of(const RunView& run, const std::string& observable) {
  const Influence found = unsorted(run, observable);
  const auto size = [&](std::size_t k) { return std::isfinite(found.series.back().rows[k].value) ? std::fabs(found.series.back().rows[k].value) : -1; };
  std::vector<std::size_t> order(found.parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  Influence sorted{found.kind, {}, {}};
  for (const std::size_t k : order) sorted.parameters.push_back(found.parameters[k]);
  for (const Bars& bars : found.series) {
    auto& rows = sorted.series.emplace_back(Bars{bars.name, {}}).rows;
    for (const std::size_t k : order) rows.push_back(bars.rows[k]);
  }
  return sorted;
}

std::vector<std::string> by_influence(const RunView& run, const std::string& observable, std::size_t most) {
  auto names = run.parameters();
  if (names.size() > 1) names = influence_of(run, observable).parameters;
  if (names.size() > most) names.resize(most);
  return names;
}

}  // namespace conesweep::report
