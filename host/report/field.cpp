#include "report/field.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "plot/palette.hpp"

namespace conesweep::report {
namespace {

using plot::Frame;

constexpr int columns = 32, rows = 24;

// From places on the drawing back to numbers.
double unscale(double place, double from, double to, double lower, double upper, bool logarithmic) {
  const double share = (place - from) / (to - from);
  return logarithmic ? lower * std::pow(upper / lower, share) : lower + share * (upper - lower);
}

Bins square_bins(const Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>* values, int across, int up) {
  const auto count = static_cast<std::size_t>(across * up);
  std::vector<double> sums(count, 0);
  std::vector<double> members(count, 0);
  const double wide = (frame.right() - frame.left()) / across, tall = (frame.bottom() - frame.top()) / up;
  for (std::size_t m = 0; m < x.size(); ++m) {
    const double left = frame.x(x[m]), top = frame.y(y[m]);
    if (!std::isfinite(left) || !std::isfinite(top) || (values != nullptr && !std::isfinite((*values)[m]))) continue;
    const int i = std::clamp(static_cast<int>((left - frame.left()) / wide), 0, across - 1),
              j = std::clamp(static_cast<int>((frame.bottom() - top) / tall), 0, up - 1);
    const auto at = static_cast<std::size_t>(j * across + i);
    ++members[at];
    if (values != nullptr) sums[at] += (*values)[m];
  }
  Bins bins;
  bins.logarithmic = values == nullptr;
  const plot::Axis &ax = frame.horizontal(), &ay = frame.vertical();
  for (int j = 0; j < up; ++j)
    for (int i = 0; i < across; ++i) {
      const auto at = static_cast<std::size_t>(j * across + i);
      if (members[at] == 0) continue;
      const auto to_x = [&](int k) { return unscale(k, 0, across, ax.lower, ax.upper, ax.logarithmic); };
      const auto to_y = [&](int k) { return unscale(k, 0, up, ay.lower, ay.upper, ay.logarithmic); };
      bins.cells.push_back({to_x(i), to_x(i + 1), to_y(j), to_y(j + 1), values == nullptr ? members[at] : sums[at] / members[at]});
    }
  return bins;
}

}  // namespace

Bins count_bins(const Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>* values) {
  return square_bins(frame, x, y, values, columns, rows);
}

Bins mean_bins(const Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& values) {
  // some ten members in a square, as far as there are so many
  const int across = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(x.size()) / 7.5)), 5, columns);
  return square_bins(frame, x, y, &values, across, std::max(4, across * 3 / 4));
}

std::vector<double> levels_of(const std::vector<double>& column) {
  constexpr std::size_t most = 64;
  std::vector<double> levels;
  for (const double value : column) {
    const auto at = std::lower_bound(levels.begin(), levels.end(), value);
    if (at != levels.end() && *at == value) continue;
    if (levels.size() == most || !std::isfinite(value)) return {};
    levels.insert(at, value);
  }
  return levels.size() * 4 <= column.size() ? levels : std::vector<double>();
}

namespace {

// Edges between levels; half a distance beyond the ends.
std::vector<double> edges_of(const std::vector<double>& levels, bool logarithmic) {
  std::vector<double> at = levels, edges;
  if (logarithmic)
    for (double& level : at) level = std::log(level);
  const double alone = at.size() == 1 ? std::max(0.5, 0.5 * std::fabs(at[0])) : 0;
  for (std::size_t k = 0; k <= at.size(); ++k) {
    const double before = k > 0 ? at[k - 1] : at.size() > 1 ? 2 * at[0] - at[1] : at[0] - 2 * alone;
    const double after = k < at.size() ? at[k] : at.size() > 1 ? 2 * at[at.size() - 1] - at[at.size() - 2] : at[0] + 2 * alone;
    edges.push_back((before + after) / 2);
  }
  if (logarithmic)
    for (double& edge : edges) edge = std::exp(edge);
  return edges;
}

}  // namespace

void widen_to_cells(plot::Axis& axis, const std::vector<double>& levels) {
  const auto edges = edges_of(levels, axis.logarithmic);
  axis.lower = edges.front(), axis.upper = edges.back();
}

Bins mean_cells(const Frame& frame, const std::vector<double>& levels_x, const std::vector<double>& levels_y, const std::vector<double>& x,
                const std::vector<double>& y, const std::vector<double>& values) {
  const auto edges_x = edges_of(levels_x, frame.horizontal().logarithmic), edges_y = edges_of(levels_y, frame.vertical().logarithmic);
  std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>> sums;  // cell: sum, members
  for (std::size_t m = 0; m < x.size(); ++m) {
    if (!std::isfinite(values[m])) continue;
    const auto i = static_cast<std::size_t>(std::lower_bound(levels_x.begin(), levels_x.end(), x[m]) - levels_x.begin());
    const auto j = static_cast<std::size_t>(std::lower_bound(levels_y.begin(), levels_y.end(), y[m]) - levels_y.begin());
    auto& [sum, members] = sums[{i, j}];
    sum += values[m], ++members;
  }
  Bins bins;
  for (const auto& [cell, sum] : sums)
    bins.cells.push_back({edges_x[cell.first], edges_x[cell.first + 1], edges_y[cell.second], edges_y[cell.second + 1], sum.first / sum.second});
  return bins;
}

void draw_bins(Frame& frame, const Bins& bins, const std::string& label, plot::Sheet& numbers) {
  double least = INFINITY, most = -INFINITY;
  for (const auto& cell : bins.cells) least = std::min(least, cell.value), most = std::max(most, cell.value);
  if (bins.cells.empty()) least = 0, most = 1;
  std::vector<std::string> paths(plot::field_steps);
  for (const auto& cell : bins.cells) {
    const int step = bins.logarithmic ? plot::field_step(std::log(cell.value), 0, std::log(std::max(most, 2.0))) : plot::field_step(cell.value, least, most);
    const double left = frame.x(cell.left), top = frame.y(cell.high);
    paths[static_cast<std::size_t>(step)] += "M" + plot::px(left) + " " + plot::px(top) + "h" + plot::px(frame.x(cell.right) - left + 0.2) + "v" +
                                             plot::px(frame.y(cell.low) - top + 0.2) + "H" + plot::px(left) + "z";
    const plot::Axis &ax = frame.horizontal(), &ay = frame.vertical();
    numbers.add({ax.logarithmic ? std::sqrt(cell.left * cell.right) : (cell.left + cell.right) / 2,
                 ay.logarithmic ? std::sqrt(cell.low * cell.high) : (cell.low + cell.high) / 2, cell.value});
  }
  for (std::size_t k = 0; k < paths.size(); ++k) frame.path("f" + std::to_string(k), paths[k]);
  frame.colour_bar(label, bins.logarithmic ? 1 : least, bins.logarithmic ? std::max(most, 2.0) : most, bins.logarithmic);
}

void draw_dots(Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>* colour, plot::Sheet& numbers,
               const std::string& label) {
  double least = INFINITY, most = -INFINITY;
  if (colour != nullptr)
    for (const double value : *colour)
      if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  const double size = x.size() < 200 ? 4 : x.size() < 600 ? 3.2 : 2.6;
  std::vector<std::vector<double>> at_x(plot::field_steps), at_y(plot::field_steps);
  for (std::size_t m = 0; m < x.size(); ++m) {
    if (!std::isfinite(x[m]) || !std::isfinite(y[m]) || (colour != nullptr && !std::isfinite((*colour)[m]))) continue;
    const auto step = static_cast<std::size_t>(colour == nullptr ? 0 : plot::field_step((*colour)[m], least, most));
    at_x[step].push_back(x[m]), at_y[step].push_back(y[m]);
    colour == nullptr ? numbers.add({x[m], y[m]}) : numbers.add({x[m], y[m], (*colour)[m]});
  }
  for (std::size_t k = 0; k < at_x.size(); ++k)
    if (!at_x[k].empty()) frame.dots(colour == nullptr ? "s0 o7" : "g" + std::to_string(k), size, at_x[k], at_y[k]);
  if (colour != nullptr) frame.colour_bar(label, least, most);
}

}  // namespace conesweep::report
