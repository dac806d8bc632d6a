#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/charts.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"
#include "tell/study_curves.hpp"

// Runs beside each other: points of a sweep; steps of a convergence study and levels of multilevel Monte Carlo, where
// their numbers lie in the run's folder.

namespace conesweep::report {
namespace {

using plot::Chart;

constexpr std::size_t most_observables = 6, most_lines = 5;

// ---- sweeps of one parameter; those of two are maps ----

bool is_along(const RunView& run) { return run.summary.sweep.axes.size() == 1; }

// Points in the order of the axis.
template <class Take>
void for_each_point(const RunView& run, const Take& take) {
  const auto& sweep = run.summary.sweep;
  std::vector<std::size_t> order(sweep.points());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&values = sweep.axes[0].second](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  for (const std::size_t k : order) take(sweep.point(k));
}

// How many members of a point are of a class; nothing where it is not told.
const keep::ClassCount* find_class(const tell::PointSummary& point, const std::string& name) {
  const auto found =
      std::find_if(point.classes.begin(), point.classes.end(), [&](const auto& one) { return one.name == name; });
  return found == point.classes.end() ? nullptr : &*found;
}

// Mean and quantiles, of all runs that have this sweep.
Chart chart_sweep(View runs, const Choice& choice) {
  const std::string axis = runs[0].summary.sweep.axes[0].first;
  std::vector<Series> series;
  runs[0].column(choice.y);  // says what is wrong with the name
  for (const RunView& run : runs) {
    if (!is_along(run) || run.summary.sweep.axes[0].first != axis) continue;
    auto& rows = series.emplace_back(Series{run.label}).rows;
    for_each_point(run, [&](const tell::PointSummary& point) {
      for (const auto& [name, s] : point.observables)
        if (name == choice.y)
          rows.push_back({point.values[0], s.mean, s.standard_error, quantile_of(s, 0.05), quantile_of(s, 0.5),
                          quantile_of(s, 0.95)});
    });
  }
  const Lines lines{{axis, "mean", "standard_error", "q05", "median", "q95"}, 0, 1, {{3, 5}}};
  return line_chart(
      {pretty(choice.y) + " over " + pretty(axis), "Line: mean; band: 5 to 95 % of the members of each point."},
      {label_of(runs[0], axis)}, {label_of(runs[0], choice.y)}, lines, series);
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
  for (std::size_t k = 0; k < run.summary.sweep.points(); ++k) {
    const tell::PointSummary point = run.summary.sweep.point(k);
    if (const auto* one = find_class(point, name))
      x.push_back(point.values[0]), y.push_back(point.values[1]), share.push_back(100 * one->share);
  }
  if (share.empty()) throw InputError("'" + name + "' is no class of " + run.folder.string());
  const std::string title = "Share of " + name + " over " + pretty(axes[0].first) + " and " + pretty(axes[1].first);
  Chart chart({title}, axis_over(label_of(run, axes[0].first), x, 0), axis_over(label_of(run, axes[1].first), y, 0),
              {axes[0].first, axes[1].first, "share (%)"});
  chart.x.levels = axes[0].second, chart.y.levels = axes[1].second;
  for (auto* levels : {&chart.x.levels, &chart.y.levels}) std::sort(levels->begin(), levels->end());
  add_cells(chart, {x, y, &share}, "share (%)", 0, {0, 100});
  return chart;
}

Chart chart_shares(View runs, const Choice& choice) {
  const RunView& run = runs[0];
  if (!is_along(run)) return map_shares(run, choice.colour);
  const std::string axis = run.summary.sweep.axes[0].first;
  bool known = false;
  std::vector<Series> series;
  for (const auto& one : run.scenario.classes) series.push_back({one.name});
  for_each_point(run, [&](const tell::PointSummary& point) {
    for (auto& [name, rows] : series) {
      const auto* one = find_class(point, name);
      if (one == nullptr) continue;
      known = known || one->has_interval;
      rows.push_back({point.values[0], 100 * one->share, one->has_interval ? 100 * one->interval.lower : NAN,
                      one->has_interval ? 100 * one->interval.upper : NAN});
    }
  });
  return line_chart({"Classes over " + pretty(axis), known ? "Bands: 95 % intervals (Wilson)." : ""},
                    {label_of(run, axis)}, {"share of members (%)"},
                    {{axis, "share (%)", "lower", "upper"}, 0, 1, {{2, 3}}}, series);
}

// ---- steps and levels ----

Chart step_chart(const plot::Words& words, const std::string& label, const std::vector<tell::StepCurve>& curves) {
  std::vector<Series> series;
  for (const auto& curve : curves) {
    auto& rows = series.emplace_back(Series{curve.name}).rows;
    for (std::size_t k = 0; k < curve.steps.size(); ++k) rows.push_back({curve.steps[k], curve.values[k]});
  }
  return line_chart(words, {"step h", {}, 0.04, true}, {label, {}, 0.08, true}, {{"step", label}}, series);
}

// Of all observables the first few, or one by its name.
std::vector<tell::StepCurve> find_convergence(const RunView& run, const std::string& observable) {
  auto curves = tell::read_convergence(run.folder, run.scenario);
  if (!observable.empty()) std::erase_if(curves, [&](const auto& curve) { return curve.name != observable; });
  if (curves.size() > most_lines) curves.resize(most_lines);
  return curves;
}

Chart chart_convergence(View runs, const Choice& choice) {
  const auto curves = find_convergence(runs[0], choice.y);
  return step_chart(
      {"Change of the mean" + (curves.size() > 1 ? "" : " of " + curves[0].name) + " when the step is halved",
       "From converge.json. Where the scheme is of order one, lines fall like the step."},
      "|difference of means|", curves);
}

Chart chart_levels(View runs, const Choice& choice) {
  auto curves = tell::read_levels(runs[0].folder, runs[0].scenario);
  const bool members = choice.y == "members";
  std::erase_if(curves, [&](const auto& curve) { return (curve.name == "members") != members; });
  if (members) return step_chart({"Members of each level", "From mlmc.json."}, "members", curves);
  return step_chart(
      {"Corrections by level",
       "From mlmc.json: Y is the difference of two neighbouring levels, at the coarsest step the observable itself."},
      "|mean| and variance of Y", curves);
}

}  // namespace

std::vector<Panel> study_panels() {
  const auto choose_sweeps = [](const RunView& run, const Choice& wanted) {
    return is_along(run) ? each(&Choice::y, wanted, worth_showing(run, most_observables)) : Choices();
  };
  const auto choose_convergence = [](const RunView& run, const Choice& wanted) {
    return Choices(find_convergence(run, wanted.y).empty() ? 0 : 1, wanted);
  };
  const auto choose_levels = [](const RunView& run, const Choice& wanted) {
    return tell::read_levels(run.folder, run.scenario).empty() ? Choices()
                                                               : each(&Choice::y, wanted, {"corrections", "members"});
  };
  return {{"sweep", "Sweep", "an observable (" + setting::y + ") over what was swept",
           "a sweep of one parameter; of two there are maps", true, choose_sweeps, chart_sweep},
          {"shares", "Sweep",
           "shares of the classes over what was swept (" + setting::color + ": of two parameters, of which class)",
           "a sweep, and [classes]", false, choose_shares, chart_shares},
          {"convergence", "Step", "change with the step, from converge.json", "converge.json beside its results", false,
           choose_convergence, chart_convergence},
          {"levels", "Step", "multilevel Monte Carlo, from mlmc.json", "mlmc.json beside its results", false,
           choose_levels, chart_levels}};
}

}  // namespace conesweep::report
