#include "report/cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace conesweep::report {
namespace {

// What lies at an end is in the last cell. Most edges are equally far apart: the search begins where the value would lie then.
std::size_t cell_among(const std::vector<double>& edges, double value) {
  const std::size_t last = edges.size() - 2;
  const double share = (value - edges.front()) / (edges.back() - edges.front()) * static_cast<double>(last + 1);
  auto cell = static_cast<std::size_t>(std::clamp(share, 0.0, static_cast<double>(last)));
  while (cell > 0 && value < edges[cell]) --cell;
  while (cell < last && value >= edges[cell + 1]) ++cell;
  return cell;
}

}  // namespace

Cells fill_cells(const Cloud& cloud, Steps x, Steps y) {
  Cells cells{std::move(x), std::move(y), {}, cloud.colour == nullptr};
  const std::size_t across = cells.x.places.size();
  std::vector<double> sums(across * cells.y.places.size(), 0), members(sums.size(), 0);
  for (std::size_t m = 0; m < cloud.x.size(); ++m) {
    const double value = cells.are_counts ? 0 : (*cloud.colour)[m];
    if (!std::isfinite(cloud.x[m]) || !std::isfinite(cloud.y[m]) || !std::isfinite(value)) continue;
    const std::size_t cell = cell_among(cells.y.edges, cloud.y[m]) * across + cell_among(cells.x.edges, cloud.x[m]);
    ++members[cell], sums[cell] += value;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) cells.values.push_back(members[k] == 0 ? NAN : cells.are_counts ? members[k] : sums[k] / members[k]);
  return cells;
}

Steps even_steps(const plot::Axis& axis, int count) {
  const auto [least, most] = axis.range;
  const auto at = [&, least = least, most = most](double share) {
    return axis.logarithmic ? least * std::pow(most / least, share) : least + share * (most - least);
  };
  Steps steps;
  for (int k = 0; k <= count; ++k) steps.edges.push_back(at(static_cast<double>(k) / count));
  for (int k = 0; k < count; ++k) steps.places.push_back(at((k + 0.5) / count));
  return steps;
}

Steps steps_around(std::vector<double> levels, bool logarithmic) {
  std::sort(levels.begin(), levels.end());
  Steps steps{{}, levels};
  if (logarithmic)
    for (double& level : levels) level = std::log(level);
  const double first = levels.size() > 1 ? levels[1] - levels[0] : std::max(1.0, std::fabs(levels[0]));
  steps.edges.push_back(levels[0] - first / 2);
  for (std::size_t k = 1; k < levels.size(); ++k) steps.edges.push_back((levels[k - 1] + levels[k]) / 2);
  steps.edges.push_back(2 * levels.back() - steps.edges.back());
  if (logarithmic)
    for (double& edge : steps.edges) edge = std::exp(edge);
  return steps;
}

std::vector<double> levels_of(const std::vector<double>& column) {
  constexpr std::size_t most = 64;
  std::set<double> levels;
  for (std::size_t m = 0; m < column.size() && levels.size() <= most; ++m) levels.insert(column[m]);
  const bool few = levels.size() <= most && 4 * levels.size() <= column.size();
  return few ? std::vector<double>(levels.begin(), levels.end()) : std::vector<double>();
}

}  // namespace conesweep::report
