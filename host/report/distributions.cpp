#include <algorithm>
#include <cmath>

#include "report/charts.hpp"
#include "report/facts.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// How observables are distributed: histograms and shares, from the summary's numbers.

namespace conesweep::report {
namespace {

using plot::Chart;
using plot::Join;

constexpr std::size_t most_histograms = 12, most_boxed = 3;  // observables; runs whose quantiles are drawn

// Points of a grid and of a sweep are no sample.
std::string over_points(const RunView& run) {
  return !run.scenario.sweep.empty() ? "Over all points of the sweep. "
         : run.is_sample()           ? ""
         : run.is_design()           ? "Over the design. "
                                     : "Over the grid. ";
}

// None where a run has not this observable; of the first run it is asked for.
const statistics::Summary* with_bins(View runs, const RunView& run, const std::string& name) {
  const statistics::Summary* s = run.statistics_of(name);
  if (s != nullptr && !s->histogram.edges.empty()) return s;
  if (&run != &runs[0]) return nullptr;
  if (s == nullptr) run.column(name);  // says what is wrong with the name
  throw InputError("'" + name + "' has no histogram: it is no observable, or no member has a value");
}

// Quantiles and mean, at a height.
void mark_quantiles(Chart& chart, const statistics::Summary& s, const std::string& colour, double at) {
  const auto q = [&](double level) { return quantile_of(s, level); };
  chart.mark(Join::line, "s" + colour, {{q(0.05), q(0.95)}, {at, at}}, 1.5);
  chart.mark(Join::line, "s" + colour, {{q(0.25), q(0.75)}, {at, at}}, 6);
  for (const auto& [style, place, size] : {std::tuple("hole", q(0.5), 8.0),
                                           {"ink", q(0.5), 6.5},
                                           {"hole", q(0.5), 3.5},
                                           {"hole", s.mean, 8.0},
                                           {"ink", s.mean, 6.0}})
    chart.mark(Join::dots, style, {{place}, {at}}, size);
}

// All runs over one axis: bars of one, outlines of several as densities, since bins differ; quantiles and mean above.
Chart chart_histogram(View runs, const Choice& choice) {
  const bool alone = runs.size() == 1;
  const std::string title =
      choice.x + (alone ? "" : " of " + counted(static_cast<std::int64_t>(runs.size())) + " runs");
  Chart chart({title}, {label_of(runs[0], choice.x)}, {alone ? "share of members" : "density"},
              {"run", "from", "to", "share"});
  std::vector<std::pair<const statistics::Summary*, std::string>> boxed;  // with the colour
  double highest = 0;
  for (const RunView& run : runs) {
    const statistics::Summary* s = with_bins(runs, run, choice.x);
    if (s == nullptr) continue;
    const std::string colour = boxed.emplace_back(s, chart.series(alone ? "" : run.label)).second;
    const auto& [edges, counts] = s->histogram;
    // bins that are joined to one box: few members would leave gaps between single ones
    const std::size_t join = s->count < 400 ? 4 : s->count < 4000 ? 2 : 1;
    plot::Points boxes, outline{{edges[0]}, {0}};
    for (std::size_t k = 0; k + join <= counts.size(); k += join) {
      double share = 0;
      for (std::size_t j = k; j < k + join; ++j)
        share += static_cast<double>(counts[j]) / static_cast<double>(s->count);
      const double left = edges[k], right = edges[k + join],
                   height = alone || right == left ? share : share / (right - left);
      boxes.add(left, 0), boxes.add(right, height);
      outline.add(left, height), outline.add(right, height);
      highest = std::max(highest, height);
      chart.about.numbers.add({run.label}, {left, right, share});
    }
    outline.add(edges.back(), 0);
    const bool bars = alone && s->max > s->min;
    chart.mark(bars ? Join::boxes : Join::line, bars ? "k0 o7 bars" : "line s" + colour, bars ? boxes : outline);
    chart.about.note += (chart.about.note.empty() ? "" : "\n") + (alone ? over_points(run) : run.label + ": ") +
                        describe(run, choice.x);
  }
  double at = 1.06 * highest;
  for (std::size_t k = 0; k < boxed.size() && runs.size() <= most_boxed; ++k, at += 0.08 * highest)
    mark_quantiles(chart, *boxed[k].first, boxed[k].second, at);
  chart.y.range = {0, at};
  if (runs.size() <= most_boxed) chart.name("", "● mean  ○ median  ▬ 25–75 %  — 5–95 %");
  return chart;
}

Chart chart_classes(View runs, const Choice&) {
  std::vector<std::string> labels;
  std::vector<BarRow> rows;
  for (const RunView& run : runs) {
    for (const auto& one : run.summary.classes) {
      auto row = std::find_if(rows.begin(), rows.end(), [&](const BarRow& known) { return known.name == one.name; });
      if (row == rows.end()) row = rows.insert(row, {one.name, std::vector<sensitivity::Index>(runs.size())});
      auto& bar = row->bars[labels.size()];
      bar.value = 100 * one.share;
      if (one.has_interval) bar.lower = 100 * one.interval.lower, bar.upper = 100 * one.interval.upper;
    }
    labels.push_back(run.label);
  }
  const bool known = runs[0].summary.classes.front().has_interval;
  double step = 0;  // the largest error of a share that the step may have
  for (const RunView& run : runs)
    for (const auto& error : run.summary.steps.classes)
      step = std::max(step, std::isnan(error.at_most) ? error.step_error : error.at_most);
  const std::string of_step = step > 0
                                  ? " The step may cost up to " + format_short(100 * step, 2) + " % of the members."
                                  : " The step’s error is not known.";
  return bar_chart(
      {"How members ended", over_points(runs[0]) + (known ? "Lines: 95 % intervals (Wilson)." : "") + of_step},
      "share of members (%)", labels, rows);
}

}  // namespace

std::vector<Panel> distribution_panels() {
  const auto choose_histograms = [](const RunView& run, const Choice& wanted) {
    return each(&Choice::x, wanted, worth_showing(run, most_histograms));
  };
  const auto choose_classes = [](const RunView& run, const Choice&) {
    return Choices(run.summary.classes.empty() ? 0 : 1);
  };
  return {{"histogram", "Observables", "distribution of an observable (" + setting::x + ")",
           "an observable that varies", true, choose_histograms, chart_histogram},
          {"classes", "Classes", "shares of the classes", "[classes]", true, choose_classes, chart_classes}};
}

}  // namespace conesweep::report
