#include "report/charts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "report/names.hpp"

namespace conesweep::report {

using plot::Chart;
using plot::Join;
using plot::NumberRange;
using plot::Points;

Chart bar_chart(const plot::Words& words, const std::string& label, const std::vector<std::string>& series,
                const std::vector<BarRow>& rows) {
  constexpr double share = 0.7;  // of the height of a row
  const double height = share / static_cast<double>(series.size()), count = static_cast<double>(rows.size());
  Chart chart(words, {label}, {}, {"name", "series", label, "lower", "upper"});
  chart.height = 66 + 28 * std::max(2.0, count);
  NumberRange range = {0, 0};
  for (const auto& row : rows) chart.y.names.push_back(pretty(row.name));
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::string colour = chart.series(series.size() > 1 ? series[s] : "");
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto& [value, lower, upper] = rows[k].bars[s];
      const double top = static_cast<double>(k) - share / 2 + height * static_cast<double>(s),
                   middle = top + height / 2;
      chart.mark(Join::boxes, "k" + colour + " o7", {{0, value}, {top, top + height}});
      chart.mark(Join::line, "ink", {{lower, upper}, {middle, middle}}, 1.4);
      chart.about.numbers.add({rows[k].name, series[s]}, {value, lower, upper});
      range.add({value, lower, upper});
    }
  }
  chart.mark(Join::line, "axis", {{0, 0}, {-0.5, count - 0.5}});
  chart.x.range = {1.04 * range.least, 1.04 * range.most};
  return chart;
}

Chart line_chart(const plot::Words& words, plot::Axis x, plot::Axis y, const Lines& how,
                 const std::vector<Series>& series) {
  Chart chart(words, std::move(x), std::move(y), how.head);
  chart.about.numbers.head.insert(chart.about.numbers.head.begin(), "series");
  for (const auto& [name, rows] : series) {
    const std::string colour = chart.series(series.size() > 1 ? name : "");
    const auto column = [&rows = rows](std::size_t c) {
      std::vector<double> values;
      for (const auto& row : rows) values.push_back(row[c]);
      return values;
    };
    Points points{column(how.across), column(how.line)};
    for (double& value : points.y)
      if (chart.y.logarithmic && !(value > 0)) value = NAN;
    for (std::size_t b = 0; b < how.bands.size(); ++b)  // those inside are darker
      chart.band("k" + colour + (b == 0 ? " o2" : " o3"), points.x, column(how.bands[b].first),
                 column(how.bands[b].second));
    if (!how.style.empty()) chart.mark(Join::line, how.style + " s" + colour, points);
    if (how.dotted) chart.mark(Join::dots, "s" + colour, points, 4.5);
    for (std::size_t k = 0; k < rows.size(); k += how.every)
      if (!std::isnan(rows[k][0])) chart.about.numbers.add({name}, rows[k]);
  }
  return chart;
}

plot::Axis axis_over(const std::string& label, const std::vector<double>& column, double margin, bool logarithmic) {
  constexpr std::size_t most_levels = 64;
  plot::Axis axis{label, {}, margin, logarithmic};
  NumberRange range;
  std::set<double> levels;
  range.add(column);
  for (std::size_t k = 0; k < column.size() && levels.size() <= most_levels; ++k)
    if (std::isfinite(column[k])) levels.insert(column[k]);
  if (levels.size() <= most_levels && 2 * levels.size() <= column.size())
    axis.levels.assign(levels.begin(), levels.end());
  axis.end_at(range);
  return axis;
}

namespace {

// Cells along an axis.
struct Steps {
  std::vector<double> places, edges;  // one more edge
};

// Edges lie half-way between the places, as far beyond the ends.
Steps steps_along(const plot::Axis& axis, int count) {
  Steps steps{axis.levels, {}};
  for (int k = 0; k < count && axis.levels.empty(); ++k) steps.places.push_back(axis.at((k + 0.5) / count));
  const auto& at = steps.places;
  const double first = axis(at[0]), half = at.size() > 1 ? (axis(at[1]) - first) / 2 : 0.5;
  steps.edges.push_back(axis.at(first - half));
  for (std::size_t k = 1; k < at.size(); ++k) steps.edges.push_back(axis.at((axis(at[k - 1]) + axis(at[k])) / 2));
  steps.edges.push_back(axis.at(2 * axis(at.back()) - axis(steps.edges.back())));
  return steps;
}

// What lies at an end is in the last cell. Most edges are equally far apart: the search begins where the value would
// lie then.
std::size_t cell_among(const std::vector<double>& edges, double value) {
  const std::size_t last = edges.size() - 2;
  const double share = NumberRange{edges.front(), edges.back()}.share_of(value) * static_cast<double>(last + 1);
  auto cell = static_cast<std::size_t>(std::clamp(share, 0.0, static_cast<double>(last)));
  while (cell > 0 && value < edges[cell]) --cell;
  while (cell < last && value >= edges[cell + 1]) ++cell;
  return cell;
}

}  // namespace

void add_dots(Chart& chart, const Cloud& cloud, const std::string& label) {
  Points points;
  std::vector<double> values;
  for (std::size_t m = 0; m < cloud.x.size(); ++m) {
    std::vector<double> numbers = {cloud.x[m], cloud.y[m]};
    if (cloud.colour != nullptr) numbers.push_back((*cloud.colour)[m]);
    if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); })) continue;
    points.add(cloud.x[m], cloud.y[m]), values.push_back(numbers.back());
    chart.about.numbers.add({}, numbers);
  }
  const double size = cloud.x.size() < 200 ? 4 : cloud.x.size() < 600 ? 3.2 : 2.6;
  if (cloud.colour == nullptr)
    chart.mark(Join::dots, "s0 o7", std::move(points), size);
  else
    chart.mark_field(Join::dots, points, values, {label}, size);
}

void add_cells(Chart& chart, const Cloud& cloud, const std::string& label, int across, NumberRange range) {
  const Steps x = steps_along(chart.x, across), y = steps_along(chart.y, across * 3 / 4);
  const bool counts = cloud.colour == nullptr;
  constexpr double summed = 1 << 21;  // more members than are drawn: of these no sum is infinite
  std::vector<double> sums(x.places.size() * y.places.size(), 0), members(sums.size(), 0), values;
  for (std::size_t m = 0; m < cloud.x.size(); ++m) {
    const double value = counts ? 0 : (*cloud.colour)[m];
    if (!std::isfinite(cloud.x[m]) || !std::isfinite(cloud.y[m]) || !std::isfinite(value)) continue;
    const std::size_t cell = cell_among(y.edges, cloud.y[m]) * x.places.size() + cell_among(x.edges, cloud.x[m]);
    ++members[cell], sums[cell] += value / summed;
  }
  Points corners;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::size_t i = k % x.places.size(), j = k / x.places.size();
    if (members[k] == 0) continue;
    values.push_back(counts ? members[k] : summed * (sums[k] / members[k]));
    corners.add(x.edges[i], y.edges[j]), corners.add(x.edges[i + 1], y.edges[j + 1]);
    chart.about.numbers.add({}, {x.places[i], y.places[j], values.back()});
  }
  if (counts) range = {1, 2};
  chart.mark_field(Join::boxes, corners, values, {label, range, 0, counts});
  chart.x.range = {x.edges.front(), x.edges.back()}, chart.y.range = {y.edges.front(), y.edges.back()};
  if (!counts && values.size() < sums.size()) chart.about.note += " Empty: no member has a value there.";
}

}  // namespace conesweep::report
