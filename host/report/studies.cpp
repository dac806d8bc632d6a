#include <algorithm>

#include "report/beside.hpp"
#include "report/charts.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"

// Runs beside each other: points of a sweep; steps of a convergence study and levels of multilevel Monte Carlo, where their numbers lie in the run's folder.

namespace conesweep::report {
namespace {

using plot::Chart;

constexpr std::size_t most_observables = 6, most_curves = 5;

// ---- sweeps of one parameter; those of two are maps ----------------------------------------------------------------------

bool is_along(const RunView& run) { return run.summary.sweep.axes.size() == 1; }

std::vector<runs::PointSummary> points_of(const RunView& run) {
  auto points = run.summary.sweep.points;
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.values[0] < b.values[0]; });
  return points;
}

Choices choose_sweeps(const RunView& run, const Choice& wanted) {
  return is_along(run) ? each(&Choice::y, wanted, worth_showing(run, most_observables)) : Choices();
}

// Mean and quantiles, of all runs that have this sweep.
Chart chart_sweep(View runs, const Choice& choice) {
  const std::string axis = runs[0].summary.sweep.axes[0].first;
  plot::Sheet numbers{{"run", axis, "mean", "standard_error", "q05", "median", "q95"}};
  std::vector<Curve> curves;
  runs[0].column(choice.y);  // says what is wrong with the name
  for (const RunView& run : runs) {
    if (!is_along(run) || run.summary.sweep.axes[0].first != axis) continue;
    Curve& curve = curves.emplace_back(Curve{runs.size() > 1 ? run.label : "", {}, {}});
    for (const auto& point : points_of(run))
      for (const auto& [name, s] : point.observables) {
        if (name != choice.y) continue;
        const double x = point.values[0], q05 = quantile_of(s, 0.05), q95 = quantile_of(s, 0.95);
        curve.x.push_back(x), curve.y.push_back(s.mean), curve.lower.push_back(q05), curve.upper.push_back(q95);
        numbers.add({run.label}, {x, s.mean, s.standard_error, q05, quantile_of(s, 0.5), q95});
      }
  }
  Chart chart = curve_chart({label_of(runs[0], axis)}, {label_of(runs[0], choice.y)}, curves);
  chart.about.title = pretty(choice.y) + " over " + pretty(axis);
  chart.about.note = "Line: mean; band: 5 to 95 % of the members of each point.";
  chart.about.numbers = std::move(numbers);
  return chart;
}

// Over one parameter all classes together, over two or more each in a map of the first two.
Choices choose_shares(const RunView& run, const Choice& wanted) {
  std::vector<std::string> names;
  for (const auto& one : run.scenario.classes) names.push_back(one.name);
  if (names.empty() || run.summary.sweep.axes.empty()) return {};
  return is_along(run) ? Choices(1) : each(&Choice::colour, wanted, names);
}

Chart map_shares(const RunView& run, const std::string& name) {
  const auto& axes = run.summary.sweep.axes;
  std::vector<double> x, y, share;
  for (const auto& point : run.summary.sweep.points)
    for (const auto& one : point.classes)
      if (one.name == name) x.push_back(point.values[0]), y.push_back(point.values[1]), share.push_back(100 * one.share);
  if (share.empty()) throw InputError("'" + name + "' is no class of " + run.folder.string());
  Chart chart({label_of(run, axes[0].first)}, {label_of(run, axes[1].first)});
  chart.about.title = "Share of " + name + " over " + pretty(axes[0].first) + " and " + pretty(axes[1].first);
  chart.about.numbers.head = {axes[0].first, axes[1].first, "share (%)"};
  add_field(chart, fill_cells({x, y, &share}, steps_around(axes[0].second, false), steps_around(axes[1].second, false)), "share (%)", {0, 100});
  return chart;
}

Chart chart_shares(View runs, const Choice& choice) {
  if (!is_along(runs[0])) return map_shares(runs[0], choice.colour);
  const std::string axis = runs[0].summary.sweep.axes[0].first;
  std::vector<Curve> curves;
  for (const auto& one : runs[0].scenario.classes) curves.push_back({one.name, {}, {}});
  for (const auto& point : points_of(runs[0]))
    for (std::size_t c = 0; c < curves.size(); ++c) {
      const auto& one = point.classes[c];
      curves[c].x.push_back(point.values[0]), curves[c].y.push_back(100 * one.share);
      if (one.has_interval) curves[c].lower.push_back(100 * one.interval.lower), curves[c].upper.push_back(100 * one.interval.upper);
    }
  Chart chart = curve_chart({label_of(runs[0], axis)}, {"share of members (%)"}, curves);
  chart.about.title = "Classes over " + pretty(axis);
  chart.about.note = curves.front().lower.empty() ? "" : "Bands: 95 % intervals (Wilson).";
  return chart;
}

// ---- steps and levels ----------------------------------------------------------------------------------------------------

const plot::Axis steps = {"step h", {}, 0.04, true};

Choices choose_convergence(const RunView& run, const Choice& wanted) { return Choices(read_convergence(run, wanted.y).empty() ? 0 : 1, wanted); }

Chart chart_convergence(View runs, const Choice& choice) {
  auto curves = read_convergence(runs[0], choice.y);
  if (curves.size() > most_curves) curves.resize(most_curves);
  Chart chart = curve_chart(steps, {"|difference of means|", {}, 0.08, true}, curves);
  chart.about.title = "Change of the mean when the step is halved";
  chart.about.note = "From converge.json. Where the scheme is of order one, lines fall like the step.";
  return chart;
}

Choices choose_levels(const RunView& run, const Choice& wanted) {
  return read_levels(run, {"members"}).empty() ? Choices() : each(&Choice::y, wanted, {"corrections", "members"});
}

Chart chart_levels(View runs, const Choice& choice) {
  const bool members = choice.y == "members";
  const plot::Axis up = {members ? "members" : "mean and variance of Y", {}, 0.08, true};
  Chart chart = curve_chart(steps, up, read_levels(runs[0], members ? std::vector<std::string>{"members"} : std::vector<std::string>{"mean", "variance"}));
  chart.about.title = members ? "Members of each level" : "Corrections by level";
  chart.about.note =
      std::string("From mlmc.json") + (members ? "." : ": Y is the difference of two neighbouring levels, at the coarsest step the observable itself.");
  return chart;
}

}  // namespace

std::vector<Panel> study_panels() {
  return {{"sweep", "Sweep", "an observable (--y) over what was swept", "a sweep of one parameter; of two there are maps", true, choose_sweeps, chart_sweep},
          {"shares", "Sweep", "shares of the classes over what was swept (--color: of two parameters, of which class)", "a sweep, and [classes]", false,
           choose_shares, chart_shares},
          {"convergence", "Step", "change with the step, from converge.json", "converge.json beside its results", false, choose_convergence, chart_convergence},
          {"levels", "Step", "multilevel Monte Carlo, from mlmc.json", "mlmc.json beside its results", false, choose_levels, chart_levels}};
}

}  // namespace conesweep::report
