#include "report/charts.hpp"

#include <algorithm>
#include <cmath>

#include "plot/palette.hpp"
#include "report/names.hpp"

namespace conesweep::report {

using plot::Chart;
using plot::Join;
using plot::Points;
using plot::Range;

Chart bar_chart(const std::string& label, const std::vector<std::string>& rows, const std::vector<Bars>& series) {
  constexpr double share = 0.7;  // of the height of a row
  const double height = share / static_cast<double>(series.size());
  Chart chart({label}, {""});
  chart.height = 66 + 28 * std::max(2.0, static_cast<double>(rows.size()));
  chart.about.numbers.head = {"name", "series", label, "lower", "upper"};
  Range range = {0, 0};
  for (const auto& row : rows) chart.y.names.push_back(pretty(row));
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::string colour = "k" + std::to_string(s % plot::category_count);
    if (series.size() > 1) chart.name(colour, series[s].name);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto& [value, lower, upper] = series[s].rows[k];
      const double top = static_cast<double>(k) - share / 2 + height * static_cast<double>(s), middle = top + height / 2;
      chart.mark(Join::boxes, colour + " o7", {{0, value}, {top, top + height}});
      chart.mark(Join::line, "ink", {{lower, upper}, {middle, middle}}, 1.4);
      chart.about.numbers.add({rows[k], series[s].name}, {value, lower, upper});
      range.add({value, lower, upper});
    }
  }
  chart.x.range = {1.04 * range.least, 1.04 * range.most};
  return chart;
}

Chart curve_chart(plot::Axis x, plot::Axis y, const std::vector<Curve>& curves) {
  Chart chart(std::move(x), std::move(y));
  chart.about.numbers.head = {"", chart.x.label, chart.y.label};
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const Curve& curve = curves[c];
    const std::string colour = std::to_string(c % plot::category_count);
    Points points{curve.x, curve.y};
    for (double& value : points.y)
      if (chart.y.logarithmic && !(value > 0)) value = NAN;
    if (!curve.name.empty()) chart.name("k" + colour, curve.name);
    if (!curve.lower.empty()) chart.band("k" + colour + " o2", curve.x, curve.lower, curve.upper);
    chart.mark(Join::line, "line s" + colour, points);
    if (curve.dotted) chart.mark(Join::dots, "s" + colour, points, 4.5);
    for (std::size_t k = 0; k < curve.x.size(); ++k) chart.about.numbers.add({curve.name}, {curve.x[k], curve.y[k]});
  }
  return chart;
}

void add_dots(Chart& chart, const Cloud& cloud, const std::string& label) {
  Range range;
  if (cloud.colour != nullptr) range.add(*cloud.colour);
  std::vector<Points> points(plot::field_steps);
  for (std::size_t m = 0; m < cloud.x.size(); ++m) {
    std::vector<double> numbers = {cloud.x[m], cloud.y[m]};
    if (cloud.colour != nullptr) numbers.push_back((*cloud.colour)[m]);
    if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); })) continue;
    points[static_cast<std::size_t>(plot::field_step(numbers.back(), range))].add(cloud.x[m], cloud.y[m]);
    chart.about.numbers.add({}, numbers);
  }
  const double size = cloud.x.size() < 200 ? 4 : cloud.x.size() < 600 ? 3.2 : 2.6;
  for (std::size_t k = 0; k < points.size(); ++k) chart.mark(Join::dots, cloud.colour == nullptr ? "s0 o7" : "g" + std::to_string(k), points[k], size);
  if (cloud.colour != nullptr) chart.colour_bar(label, range);
}

void add_field(Chart& chart, const Cells& cells, const std::string& label, const Range& at_least) {
  Range range = cells.are_counts ? Range{1, 2} : at_least;
  range.add(cells.values);
  // counts are coloured by their logarithm
  const Range colours = cells.are_counts ? Range{0, std::log(range.most)} : range;
  std::vector<Points> boxes(plot::field_steps);
  const std::size_t across = cells.x.places.size();
  for (std::size_t k = 0; k < cells.values.size(); ++k) {
    const std::size_t i = k % across, j = k / across;
    if (std::isnan(cells.values[k])) continue;
    auto& box = boxes[static_cast<std::size_t>(plot::field_step(cells.are_counts ? std::log(cells.values[k]) : cells.values[k], colours))];
    box.add(cells.x.edges[i], cells.y.edges[j]), box.add(cells.x.edges[i + 1], cells.y.edges[j + 1]);
    chart.about.numbers.add({}, {cells.x.places[i], cells.y.places[j], cells.values[k]});
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) chart.mark(Join::boxes, "f" + std::to_string(k), boxes[k]);
  chart.x.range = {cells.x.edges.front(), cells.x.edges.back()}, chart.y.range = {cells.y.edges.front(), cells.y.edges.back()};
  chart.colour_bar(label, range, cells.are_counts);
}

}  // namespace conesweep::report
