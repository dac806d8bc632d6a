#include "report/influence.hpp"

#include <algorithm>
#include <cmath>

#include "sensitivity/correlation.hpp"

namespace conesweep::report {
namespace {

constexpr std::size_t most_ranked = 20'000;  // members whose ranks are correlated

std::vector<sensitivity::Index> correlate_ranks(const RunView& run, const std::string& observable, std::size_t every) {
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

}  // namespace

Influence influence_of(const RunView& run, const std::string& observable) {
  const auto& [rows, sobol, morris] = std::tie(run.summary.rows, run.summary.sobol, run.summary.morris);
  const auto row = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), observable) - rows.begin());
  Influence found;
  std::vector<std::vector<sensitivity::Index>> series;
  if (row < sobol.size()) {
    found = {"Sobol index", {"first: alone", "total: with others"}};
    series = {sobol[row].first, sobol[row].total};
    if (sobol[row].too_few.of > 0 && !sobol[row].warnings.empty())
      found.why_none = "No index: " + sobol[row].warnings.back() + ".";
  } else if (row < morris.size()) {
    found = {"mean absolute effect μ*", {""}};
    series.emplace_back();
    for (const auto& effect : morris[row].effects) series[0].push_back(effect.mu_star);
  } else {
    const std::size_t every = std::max<std::size_t>(1, run.drawn() / most_ranked);
    found = {"rank correlation", {""}, {}, static_cast<std::int64_t>(every)};
    series = {correlate_ranks(run, observable, every)};
  }
  for (const auto& name : run.parameters()) {
    auto& bars = found.rows.emplace_back(BarRow{name, {}}).bars;
    for (const auto& indices : series) bars.push_back(indices[found.rows.size() - 1]);
  }
  const auto size = [](const BarRow& one) {
    return std::isfinite(one.bars.back().value) ? std::fabs(one.bars.back().value) : -1;
  };
  std::stable_sort(found.rows.begin(), found.rows.end(),
                   [&](const BarRow& a, const BarRow& b) { return size(a) > size(b); });
  return found;
}

std::vector<std::string> by_influence(const RunView& run, const std::string& observable, std::size_t most) {
  auto names = run.parameters();
  const auto rows = names.size() > 1 ? influence_of(run, observable).rows : std::vector<BarRow>();
  std::transform(rows.begin(), rows.end(), names.begin(), [](const BarRow& row) { return row.name; });
  if (names.size() > most) names.resize(most);
  return names;
}

}  // namespace conesweep::report
