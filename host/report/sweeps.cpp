#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "plot/frame.hpp"
#include "plot/palette.hpp"
#include "report/field.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "run/json_values.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// Points of a sweep; steps of a convergence study and levels of multilevel Monte Carlo, where their numbers lie in the run's folder.

namespace conesweep::report {
namespace {

using nlohmann::ordered_json;
using plot::Figure;
using plot::Frame;

constexpr std::size_t most_observables = 6;

// ---- sweeps --------------------------------------------------------------------------------------------------------------

const statistics::Summary* at_point(const runs::PointSummary& point, const std::string& observable) {
  for (const auto& [name, statistics] : point.observables)
    if (name == observable) return &statistics;
  return nullptr;
}

// One axis: mean and quantiles over it, of all runs that have it.
Figure draw_along(const Runs& runs, const std::string& observable) {
  const auto& [axis, values] = runs[0].summary.sweep.axes[0];
  double least = INFINITY, most = -INFINITY, from = INFINITY, to = -INFINITY;
  for (const RunView& run : runs)
    for (const auto& point : run.summary.sweep.points) {
      const statistics::Summary* s = at_point(point, observable);
      if (s == nullptr || s->count == 0) continue;
      from = std::min(from, point.values[0]), to = std::max(to, point.values[0]);
      least = std::min({least, s->mean, quantile_of(*s, 0.05)}), most = std::max({most, s->mean, quantile_of(*s, 0.95)});
    }
  const auto [lower, upper] = plot::make_range(least, most);
  const auto [left, right] = plot::make_range(from, to, 0.03);
  Frame frame({label_of(runs[0], axis), left, right}, {label_of(runs[0], observable), lower, upper});
  Figure about;
  about.id = figure_id("sweep", observable);
  about.title = pretty(observable) + " over " + pretty(axis);
  about.numbers.head = {"run", axis, "mean", "standard_error", "q05", "median", "q95"};
  std::vector<Frame::Entry> entries;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::vector<double> x, mean, q05, q95;
    auto points = runs[r].summary.sweep.points;
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.values[0] < b.values[0]; });
    for (const auto& point : points) {
      const statistics::Summary* s = at_point(point, observable);
      if (s == nullptr || point.values.size() != 1) continue;
      x.push_back(point.values[0]), mean.push_back(s->mean), q05.push_back(quantile_of(*s, 0.05)), q95.push_back(quantile_of(*s, 0.95));
      about.numbers.add(runs[r].label, {point.values[0], s->mean, s->standard_error, quantile_of(*s, 0.05), quantile_of(*s, 0.5), quantile_of(*s, 0.95)});
    }
    const std::string colour = std::to_string(r % plot::category_count);
    frame.band("k" + colour + " o2", x, q05, q95);
    frame.line("line s" + colour, x, mean);
    frame.dots("s" + colour, 4.5, x, mean);
    entries.push_back({"k" + colour, runs[r].label});
  }
  if (runs.size() > 1) frame.legend(entries);
  about.note = "Line: mean; band: 5 to 95 % of the members of each point.";
  about.description = about.title + ". " + about.note;
  return frame.finish(about);
}

// Two axes or more: a map of the means over the first two.
Figure draw_over(const Runs& runs, std::size_t which, const std::string& observable) {
  const RunView& run = runs[which];
  const auto& axes = run.summary.sweep.axes;
  std::vector<double> x, y, z;
  for (const auto& point : run.summary.sweep.points) {
    const statistics::Summary* s = at_point(point, observable);
    x.push_back(point.values[0]), y.push_back(point.values[1]), z.push_back(s == nullptr ? NAN : s->mean);
  }
  auto levels_x = axes[0].second, levels_y = axes[1].second;
  std::sort(levels_x.begin(), levels_x.end()), std::sort(levels_y.begin(), levels_y.end());
  plot::Axis across{label_of(run, axes[0].first)}, up{label_of(run, axes[1].first)};
  widen_to_cells(across, levels_x), widen_to_cells(up, levels_y);
  Frame frame(across, up, {400, 290, true});
  Figure about;
  about.id = figure_id("sweep", observable, which);
  about.title = "Mean of " + pretty(observable) + " over the sweep" + of_run(runs, run);
  about.numbers.head = {axes[0].first, axes[1].first, "mean of " + observable};
  draw_bins(frame, mean_cells(frame, levels_x, levels_y, x, y, z), label_of(run, observable), about.numbers);
  about.note = axes.size() > 2 ? "Mean over the other axes." : "";
  about.description = about.title + ". " + about.note;
  return frame.finish(about);
}

// Shares of classes over one axis.
Figure draw_shares(const RunView& run) {
  const auto& [axis, values] = run.summary.sweep.axes[0];
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto [left, right] = plot::make_range(*least, *most, 0.03);
  Frame frame({label_of(run, axis), left, right}, {"share of members (%)", 0, 100});
  Figure about;
  about.id = figure_id("sweep", "classes");
  about.title = "Classes over " + pretty(axis);
  about.numbers.head = {"class", axis, "share"};
  auto points = run.summary.sweep.points;
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.values[0] < b.values[0]; });
  std::vector<Frame::Entry> entries;
  for (std::size_t c = 0; c < run.scenario.classes.size() && c < plot::category_count; ++c) {
    std::vector<double> x, share;
    for (const auto& point : points) {
      x.push_back(point.values[0]), share.push_back(100 * point.classes[c].share);
      about.numbers.add(point.classes[c].name, {point.values[0], point.classes[c].share});
    }
    frame.line("line s" + std::to_string(c), x, share);
    frame.dots("s" + std::to_string(c), 4.5, x, share);
    entries.push_back({"k" + std::to_string(c), run.scenario.classes[c].name});
  }
  frame.legend(entries);
  about.description = about.title;
  return frame.finish(about);
}

// ---- steps and levels ----------------------------------------------------------------------------------------------------

// What `converge --json` and `mlmc --json` printed about the same scenario; nothing where it is not there.
ordered_json read_beside(const RunView& run, const char* name) {
  const auto path = run.folder / name;
  if (!io::is_there(path)) return {};
  auto json = ordered_json::parse(io::read_bytes(path), nullptr, false);
  const bool ours = json.is_object() && json.contains("levels") && json["levels"].is_array() && !json["levels"].empty() && json.contains("title") &&
                    json["title"] == run.summary.title;
  if (!ours)
    throw InputError(path.string() + " is not of this scenario: it should hold what conesweep " + (name[0] == 'c' ? "converge" : "mlmc") +
                     " --json prints; move it away");
  return json;
}

struct Curve {
  std::string name;
  std::vector<double> x, y;
};

// Curves over steps on two logarithmic axes.
Figure draw_logarithmic(Figure about, const std::string& x_label, const std::string& y_label, const std::vector<Curve>& curves) {
  double left = INFINITY, right = 0, low = INFINITY, high = 0;
  for (const Curve& curve : curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      if (curve.y[k] > 0)
        left = std::min(left, curve.x[k]), right = std::max(right, curve.x[k]), low = std::min(low, curve.y[k]), high = std::max(high, curve.y[k]);
  if (!(low <= high)) left = low = 0.1, right = high = 1;
  Frame frame({x_label, left / 1.3, right * 1.3, true}, {y_label, low / 2, high * 2, true});
  std::vector<Frame::Entry> entries;
  about.numbers.head = {"", x_label, y_label};
  for (std::size_t c = 0; c < curves.size() && c < plot::category_count; ++c) {
    std::vector<double> y;
    for (const double value : curves[c].y) y.push_back(value > 0 ? value : NAN);
    frame.line("line s" + std::to_string(c), curves[c].x, y);
    frame.dots("s" + std::to_string(c), 4.5, curves[c].x, y);
    entries.push_back({"k" + std::to_string(c), curves[c].name});
    for (std::size_t k = 0; k < y.size(); ++k) about.numbers.add(curves[c].name, {curves[c].x[k], curves[c].y[k]});
  }
  frame.legend(entries);
  about.description = about.title + ". " + about.note;
  return frame.finish(about);
}

}  // namespace

Figures draw_sweeps(const Runs& runs, const Choice& choice) {
  Figures figures;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunView& run = runs[r];
    const auto& axes = run.summary.sweep.axes;
    if (axes.empty()) {
      if (!choice.y.empty()) throw InputError(run.folder.string() + " holds no sweep");
      continue;
    }
    const auto names = choice.y.empty() ? worth_showing(run, most_observables) : std::vector<std::string>{choice.y};
    for (const auto& name : names) {
      if (at_point(run.summary.sweep.points.front(), name) == nullptr) run.column(name);  // says what is wrong with the name
      if (axes.size() > 1)
        figures.push_back(draw_over(runs, r, name));
      else if (r == 0)
        figures.push_back(draw_along(runs, name));
    }
    if (axes.size() == 1 && !run.scenario.classes.empty() && choice.y.empty() && r == 0) figures.push_back(draw_shares(run));
  }
  return figures;
}

Figures draw_convergence(const Runs& runs, const Choice& choice) {
  const RunView& run = runs[0];
  const ordered_json json = read_beside(run, "converge.json");
  if (json.is_null()) return {};
  std::vector<Curve> curves;
  for (const auto& item : json["observables"].items()) {
    if (!choice.y.empty() && item.key() != choice.y) continue;
    Curve curve{item.key(), {}, {}};
    std::vector<double> differences;
    runs::get(runs::part(item.value(), "mean"), "differences", differences);
    for (std::size_t l = 0; l < differences.size() && l + 1 < json["levels"].size(); ++l) {
      double step = 0;
      runs::get(json["levels"][l], "step", step);
      curve.x.push_back(step), curve.y.push_back(std::fabs(differences[l]));
    }
    if (std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; }) && curves.size() < 5) curves.push_back(std::move(curve));
  }
  if (curves.empty()) return {};
  Figure about;
  about.id = figure_id("convergence", "");
  about.title = "Change of the mean when the step is halved";
  about.note = "From converge.json. Where the scheme is of order one, lines fall like the step.";
  return {draw_logarithmic(about, "step h", "|difference of means|", curves)};
}

Figures draw_levels(const Runs& runs, const Choice&) {
  const ordered_json json = read_beside(runs[0], "mlmc.json");
  if (json.is_null()) return {};
  Curve mean{"|mean of Y|", {}, {}}, variance{"variance of Y", {}, {}}, members{"members", {}, {}};
  for (const auto& level : json["levels"]) {
    double step = 0, m = 0, v = 0, n = 0;
    runs::get(level, "step", step), runs::get(level, "mean", m), runs::get(level, "variance", v), runs::get(level, "members", n);
    for (Curve* curve : {&mean, &variance, &members}) curve->x.push_back(step);
    mean.y.push_back(std::fabs(m)), variance.y.push_back(v), members.y.push_back(n);
  }
  std::string observable = "the observable";
  if (json.contains("observable") && json["observable"].is_string()) observable = json["observable"].get<std::string>();
  Figure levels, effort;
  levels.id = figure_id("levels", "");
  levels.title = "Corrections of " + observable + " by level";
  levels.note = "From mlmc.json: Y is the difference of two neighbouring levels, at the coarsest step the observable itself.";
  effort.id = figure_id("levels", "members");
  effort.title = "Members of each level";
  effort.note = "From mlmc.json.";
  return {draw_logarithmic(levels, "step h", "mean and variance of Y", {mean, variance}), draw_logarithmic(effort, "step h", "members", {members})};
}

}  // namespace conesweep::report
