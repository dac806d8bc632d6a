#include <algorithm>
#include <cmath>

#include "report/charts.hpp"
#include "report/influence.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "support/text.hpp"

// How observables depend on parameters: indices, clouds and maps; where members stop.

namespace conesweep::report {
namespace {

using plot::Chart;

constexpr std::size_t most_observables = 3, most_parameters = 4, most_dots = 1500, most_bars = 20;
constexpr int most_across = 32;  // squares

Choices choose_sensitivities(const RunView& run, const Choice& wanted) {
  if (run.parameters().empty() || !(is_design(run) || is_sample(run))) return {};
  return each(&Choice::y, wanted, worth_showing(run, is_design(run) ? 12 : 6));
}

Chart chart_sensitivity(View runs, const Choice& choice) {
  Influence influence = influence_of(runs[0], choice.y);
  if (influence.parameters.size() > most_bars) influence.parameters.resize(most_bars);
  Chart chart = bar_chart(influence.kind, influence.parameters, influence.series);
  chart.about.title = "What drives " + pretty(choice.y);
  chart.about.note = "Lines: 95 % intervals.";
  if (influence.kind != rank_correlation) return chart;
  chart.x.range = {-1, 1};  // one axis for all
  const std::size_t every = std::max<std::size_t>(1, runs[0].drawn() / most_ranked);
  chart.about.note +=
      " Spearman’s rank correlation over " + (every == 1 ? "all members." : "every " + counted(static_cast<std::int64_t>(every)) + "th member drawn.");
  return chart;
}

plot::Axis axis_of(const RunView& run, const std::string& name, const std::vector<double>& column, double margin) {
  plot::Range range;
  range.add(column);
  return plot::make_axis(label_of(run, name), range, margin, wants_logarithm(run, name) && range.least > 0);
}

Choices choose_clouds(const RunView& run, const Choice& wanted) {
  Choices choices;
  if (wanted.x.empty() && wanted.y.empty() && !is_sample(run)) return choices;
  for (const Choice& some : each(&Choice::y, wanted, worth_showing(run, most_observables)))
    for (const Choice& one : each(&Choice::x, some, by_influence(run, some.y, most_parameters))) choices.push_back(one);
  return choices;
}

// Members as dots, or where they are many as squares.
Chart chart_cloud(View runs, const Choice& choice) {
  const RunView& run = runs[0];
  const bool few = run.drawn() <= most_dots, coloured = !choice.colour.empty();
  const Cloud cloud{run.column(choice.x), run.column(choice.y), coloured ? &run.column(choice.colour) : nullptr};
  const std::string label = coloured ? label_of(run, choice.colour) : "members";
  Chart chart(axis_of(run, choice.x, cloud.x, few ? 0.03 : 0), axis_of(run, choice.y, cloud.y, few ? 0.04 : 0));
  chart.about.title = pretty(choice.y) + " over " + pretty(choice.x);
  chart.about.numbers.head = {choice.x, choice.y};
  if (!few || coloured) chart.about.numbers.head.push_back(!coloured ? "members" : few ? choice.colour : "mean of " + choice.colour);
  if (few)
    add_dots(chart, cloud, label);
  else
    add_field(chart, fill_cells(cloud, even_steps(chart.x, most_across), even_steps(chart.y, most_across * 3 / 4)), label);
  chart.about.note = few        ? "Each dot is a member."
                     : coloured ? "Mean over the members of each square. " + run.stride_note()
                                : "Members in each square, logarithmically coloured. " + run.stride_note();
  return chart;
}

// A grid or a sweep over its own axes, else over the two parameters that matter most.
Choices choose_maps(const RunView& run, const Choice& wanted) {
  constexpr std::size_t fewest = 30;
  Choices choices;
  const bool chosen = !wanted.x.empty() || !wanted.y.empty() || !wanted.colour.empty();
  const auto& axes = run.summary.sweep.axes;
  if (run.parameters().size() < 2 || run.drawn() < fewest || (axes.size() == 1 && !chosen)) return choices;
  for (Choice one : each(&Choice::colour, wanted, worth_showing(run, most_observables))) {
    auto names = is_sample(run) ? by_influence(run, one.colour, 2) : run.parameters();
    if (axes.size() > 1) names = {axes[0].first, axes[1].first};
    if (one.x.empty()) one.x = names[names[0] == one.y ? 1 : 0];
    if (one.y.empty()) one.y = names[names[1] == one.x ? 0 : 1];
    choices.push_back(one);
  }
  return choices;
}

// Means of an observable over two parameters: at the points of a grid, else in squares.
Chart chart_map(View runs, const Choice& choice) {
  const RunView& run = runs[0];
  const Cloud cloud{run.column(choice.x), run.column(choice.y), &run.column(choice.colour)};
  Chart chart(axis_of(run, choice.x, cloud.x, 0), axis_of(run, choice.y, cloud.y, 0));
  chart.height = 290;
  chart.about.title = pretty(choice.colour) + " over " + pretty(choice.x) + " and " + pretty(choice.y);
  chart.about.numbers.head = {choice.x, choice.y, "mean of " + choice.colour};
  const auto levels_x = levels_of(cloud.x), levels_y = levels_of(cloud.y);
  const bool grid = !levels_x.empty() && !levels_y.empty();
  // some ten members in a square, as far as there are so many
  const int wide = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(run.drawn()) / 7.5)), 5, most_across);
  const Cells cells = grid ? fill_cells(cloud, steps_around(levels_x, chart.x.logarithmic), steps_around(levels_y, chart.y.logarithmic))
                           : fill_cells(cloud, even_steps(chart.x, wide), even_steps(chart.y, std::max(4, wide * 3 / 4)));
  add_field(chart, cells, label_of(run, choice.colour));
  chart.about.note = (grid ? "Each cell is a point of the grid" : "Mean over the members of each square") +
                     std::string(grid && run.parameters().size() > 2 ? ", the mean over all else. " : ". ") + run.stride_note();
  return chart;
}

Choices choose_stopped(const RunView& run, const Choice& wanted) {
  const auto names = run.parameters();
  if (run.summary.stopped() == 0 || names.empty()) return {};
  return {{wanted.x.empty() ? names[0] : wanted.x, wanted.y.empty() && names.size() > 1 ? names[1] : wanted.y}};
}

// Over two parameters, or over one in rows. Members that ended well lie below the others.
Chart chart_stopped(View runs, const Choice& choice) {
  const RunView& run = runs[0];
  const bool rows = choice.y.empty();
  const auto &x = run.column(choice.x), &y = run.column(rows ? choice.x : choice.y);
  Chart chart(axis_of(run, choice.x, x, 0.04), rows ? plot::Axis{""} : axis_of(run, choice.y, y, 0.05));
  if (rows) chart.height = 130;
  chart.about.title = "Members that stopped";
  chart.about.numbers.head = {"status", choice.x, choice.y};
  chart.about.note = run.stride_note();
  for (std::size_t k = 0; k < run.summary.status.size(); ++k) {
    const auto& one = run.summary.status[k];
    const std::string name(to_name(one.status));
    const std::size_t every = static_cast<std::size_t>(one.members / run.stride()) / most_dots + 1;
    plot::Points points;
    for (std::size_t m = 0, seen = 0; m < run.drawn(); ++m)
      if (run.status()[m] == one.status && seen++ % every == 0) points.add(x[m], rows ? static_cast<double>(k) : y[m]);
    for (std::size_t m = 0; m < points.x.size() && k > 0; ++m) chart.about.numbers.add({name}, {points.x[m], points.y[m]});
    if (every > 1) chart.about.note += " Of " + name + " every " + counted(static_cast<std::int64_t>(every)) + "th is drawn.";
    if (rows) chart.y.names.push_back(name);
    chart.name(k == 0 ? "shade" : "k" + std::to_string(k), name + " " + counted(one.members));
    chart.mark(plot::Join::dots, k == 0 ? "pale" : "s" + std::to_string(k), std::move(points), k == 0 ? 3 : 4);
  }
  return chart;
}

}  // namespace

std::vector<Panel> dependence_panels() {
  const std::string vary = "parameters and observables that vary";
  return {{"stopped", "Members that stopped", "where in parameter space members stopped (--x --y)", "members that stopped, and " + vary, false, choose_stopped,
           chart_stopped},
          {"sensitivity", "Dependence", "which parameter drives an observable (--y)", vary + ", in a sample or a design", false, choose_sensitivities,
           chart_sensitivity},
          {"scatter", "Dependence", "an observable over a parameter (--x --y --color)", vary, false, choose_clouds, chart_cloud},
          {"map", "Dependence", "an observable (--color) over two parameters (--x --y)", "30 members and two " + vary, false, choose_maps, chart_map}};
}

}  // namespace conesweep::report
