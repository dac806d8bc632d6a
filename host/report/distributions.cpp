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

struct Bins {
  std::vector<double> edges;   // bins + 1
  std::vector<double> shares;  // of all members with a value
  double width = 1;            // of a bin
};

// As the summary has it; bins are joined where few members leave gaps between.
Bins bins_of(const statistics::Summary& s) {
  Bins bins;
  const auto& counts = s.histogram.counts;
  const std::size_t join = s.count < 400 ? 4 : s.count < 4000 ? 2 : 1;
  for (std::size_t k = 0; k + join <= counts.size(); k += join) {
    double sum = 0;
    for (std::size_t j = 0; j < join; ++j) sum += static_cast<double>(counts[k + j]);
    bins.edges.push_back(s.histogram.edges[k]);
    bins.shares.push_back(sum / static_cast<double>(s.count));
  }
  bins.edges.push_back(s.histogram.edges.back());
  if (bins.edges[1] > bins.edges[0]) bins.width = bins.edges[1] - bins.edges[0];
  return bins;
}

// None where a run has not this observable; of the first run it is asked for.
const statistics::Summary* with_bins(View runs, std::size_t r, const std::string& name) {
  const statistics::Summary* s = runs[r].statistics_of(name);
  if (s != nullptr && !s->histogram.edges.empty()) return s;
  if (r == 0 && s == nullptr) runs[0].column(name);  // says what is wrong with the name
  if (r == 0) throw InputError("'" + name + "' has no histogram: it is no observable, or no member has a value");
  return nullptr;
}

Choices choose_histograms(const RunView& run, const Choice& wanted) { return each(&Choice::x, wanted, worth_showing(run, most_histograms)); }

// All runs over one axis: bars of one, outlines of several as densities, since bins differ; quantiles and mean above.
Chart chart_histogram(View runs, const Choice& choice) {
  const bool alone = runs.size() == 1;
  Chart chart({label_of(runs[0], choice.x)}, {alone ? "share of members" : "density"});
  chart.about.title = choice.x + (alone ? "" : " of " + counted(static_cast<std::int64_t>(runs.size())) + " runs");
  chart.about.numbers.head = {"run", "from", "to", "share"};
  double highest = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const statistics::Summary* s = with_bins(runs, r, choice.x);
    if (s == nullptr) continue;
    const Bins bins = bins_of(*s);
    const std::string colour = colour_of(chart, runs, r);
    plot::Points boxes, outline{{bins.edges[0]}, {0}};
    for (std::size_t k = 0; k < bins.shares.size(); ++k) {
      const double left = bins.edges[k], right = bins.edges[k + 1], height = bins.shares[k] / (alone ? 1 : bins.width);
      boxes.add(left, 0), boxes.add(right, height);
      outline.add(left, height), outline.add(right, height);
      highest = std::max(highest, height);
      chart.about.numbers.add({runs[r].label}, {left, right, bins.shares[k]});
    }
    outline.add(bins.edges.back(), 0);
    const bool bars = alone && s->max > s->min;
    chart.mark(bars ? Join::boxes : Join::line, bars ? "k0 o7 bars" : "line s" + colour, bars ? boxes : outline);
    chart.about.note += (chart.about.note.empty() ? "" : " ") + (alone ? "" : runs[r].label + ": ") + describe(runs[r], choice.x);
  }
  double at = 1.06 * highest;
  for (std::size_t r = 0; r < runs.size() && runs.size() <= most_boxed; ++r, at += 0.08 * highest) {
    const statistics::Summary* s = with_bins(runs, r, choice.x);
    if (s == nullptr) continue;
    const auto q = [&](double level) { return quantile_of(*s, level); };
    const std::string colour = "s" + std::to_string(r);
    chart.mark(Join::line, colour, {{q(0.05), q(0.95)}, {at, at}}, 1.5);
    chart.mark(Join::line, colour, {{q(0.25), q(0.75)}, {at, at}}, 6);
    chart.mark(Join::dots, "hole", {{q(0.5)}, {at}}, 4);
    chart.mark(Join::dots, "hole", {{s->mean}, {at}}, 8);
    chart.mark(Join::dots, "ink", {{s->mean}, {at}}, 5.5);
  }
  chart.y.range = {0, at};
  if (alone) chart.name("", "● mean   ○ median   ▬ 25–75 %   — 5–95 %");
  return chart;
}

Choices choose_classes(const RunView& run, const Choice&) { return Choices(run.summary.classes.empty() ? 0 : 1); }

Chart chart_classes(View runs, const Choice&) {
  std::vector<std::string> names;
  for (const RunView& run : runs)
    for (const auto& one : run.summary.classes)
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
  std::vector<Bars> series;
  for (const RunView& run : runs) {
    auto& bars = series.emplace_back(Bars{run.label, std::vector<sensitivity::Index>(names.size())}).rows;
    for (const auto& one : run.summary.classes) {
      auto& bar = bars[static_cast<std::size_t>(std::find(names.begin(), names.end(), one.name) - names.begin())];
      bar.value = 100 * one.share;
      if (one.has_interval) bar.lower = 100 * one.interval.lower, bar.upper = 100 * one.interval.upper;
    }
  }
  Chart chart = bar_chart("share of members (%)", names, series);
  chart.about.title = "How members ended";
  chart.about.note = runs[0].summary.classes.front().has_interval ? "Lines: 95 % intervals (Wilson)." : "";
  return chart;
}

}  // namespace

std::vector<Panel> distribution_panels() {
  return {{"histogram", "Observables", "distribution of an observable (--x)", "an observable that varies", true, choose_histograms, chart_histogram},
          {"classes", "Classes", "shares of the classes", "[classes]", true, choose_classes, chart_classes}};
}

}  // namespace conesweep::report
