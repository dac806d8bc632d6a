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

// ---- which parameters matter ----

Choices choose_sensitivities(const RunView& run, const Choice& wanted) {
  if (run.parameters().empty() || !(run.is_design() || run.is_sample())) return {};
  return each(&Choice::y, wanted, worth_showing(run, run.is_design() ? 12 : 6));
}

Chart chart_sensitivity(View runs, const Choice& choice) {
  Influence influence = influence_of(runs[0], choice.y);
  if (influence.rows.size() > most_bars) influence.rows.resize(most_bars);
  const bool ranks = influence.ranked_every > 0;
  const std::string over =
      influence.ranked_every == 1 ? "all members." : "every " + counted(influence.ranked_every) + "th member drawn.";
  const std::string note = "Lines: 95 % intervals." + (ranks ? " Spearman’s rank correlation over " + over : "");
  Chart chart = bar_chart({"What drives " + pretty(choice.y), influence.why_none.empty() ? note : influence.why_none},
                          influence.kind, influence.series, influence.rows);
  if (!influence.why_none.empty()) chart.x.range = {0, 1};
  if (ranks) chart.x.range = {-1, 1};  // one axis for all
  return chart;
}

// ---- clouds and maps ----

plot::Axis axis_of(const RunView& run, const std::string& name, double margin) {
  return axis_over(label_of(run, name), run.column(name), margin, wants_logarithm(run, name));
}

// Members over two quantities: few as dots, many in cells.
Chart chart_plane(const RunView& run, const Choice& choice, bool dots, const std::string& title) {
  const bool coloured = !choice.colour.empty();
  const Cloud cloud{run.column(choice.x), run.column(choice.y), coloured ? &run.column(choice.colour) : nullptr};
  const std::string label = coloured ? label_of(run, choice.colour) : "members";
  Chart chart({title}, axis_of(run, choice.x, dots ? 0.04 : 0), axis_of(run, choice.y, dots ? 0.04 : 0));
  const bool grid = !chart.x.levels.empty() && !chart.y.levels.empty();
  chart.about.numbers.head = {choice.x, choice.y};
  if (!dots || coloured)
    chart.about.numbers.head.push_back(!coloured ? "members" : dots ? choice.colour : "mean of " + choice.colour);
  chart.about.note = dots        ? "Each dot is a member."
                     : !coloured ? "Members in each square, logarithmically coloured."
                     : !grid     ? "Mean over the members of each square."
                                 : "Each cell is a point of the grid" +
                                   std::string(run.parameters().size() > 2 ? ", the mean over all else." : ".");
  if (!run.stride_note().empty()) chart.about.note += " " + run.stride_note();
  // some ten members in a square that has a mean, half as many in one that counts, as far as there are so many
  const int across =
      std::clamp(static_cast<int>(std::sqrt(static_cast<double>(run.drawn()) / (coloured ? 7.5 : 4))), 6, 32);
  if (dots)
    add_dots(chart, cloud, label);
  else
    add_cells(chart, cloud, label, across);
  return chart;
}

Choices choose_clouds(const RunView& run, const Choice& wanted) {
  Choices choices;
  if (wanted.x.empty() && wanted.y.empty() && !run.is_sample()) return choices;
  for (const Choice& some : each(&Choice::y, wanted, worth_showing(run, most_observables)))
    for (const Choice& one : each(&Choice::x, some, by_influence(run, some.y, most_parameters))) choices.push_back(one);
  return choices;
}

bool is_by_class(const RunView& run, const std::string& colour) {
  return colour == "class" && !run.scenario.classes.empty() && !run.is_parameter(colour) &&
         run.statistics_of(colour) == nullptr;
}

// Members of one kind as dots, of many every so many. Those without a value are in no row.
Series dots_of(const std::string& name, const std::vector<std::size_t>& members, const Cloud& cloud,
               std::string& note) {
  const std::size_t every = members.size() / most_dots + 1;
  Series series{name + " " + counted(static_cast<std::int64_t>(members.size()))};
  for (std::size_t k = 0; k < members.size(); k += every)
    if (const double x = cloud.x[members[k]], y = cloud.y[members[k]]; std::isfinite(x) && std::isfinite(y))
      series.rows.push_back({x, y});
  if (every > 1) note += " Of " + name + " every " + counted(static_cast<std::int64_t>(every)) + "th is drawn.";
  return series;
}

// A colour a class, in the order of the scenario; then members that stopped, where they have a value.
Chart chart_classed(const RunView& run, const Choice& choice, const std::string& title) {
  const io::ResultsReader::Classes classes = run.classes();
  std::vector<std::vector<std::size_t>> members(classes.names.size());
  for (std::size_t m = 0; m < classes.codes.size(); ++m) members[classes.codes[m]].push_back(m);
  std::string note = "Each dot is a member.";
  if (!run.stride_note().empty()) note += " " + run.stride_note();
  std::vector<Series> series;
  for (std::size_t c = 0; c < members.size(); ++c)
    if (!members[c].empty())
      series.push_back(dots_of(classes.names[c], members[c], {run.column(choice.x), run.column(choice.y)}, note));
  return line_chart({title, note}, axis_of(run, choice.x, 0.04), axis_of(run, choice.y, 0.04),
                    {{choice.x, choice.y}, 0, 1, {}, ""}, series);
}

Chart chart_cloud(View runs, const Choice& choice) {
  const std::string title = pretty(choice.y) + " over " + pretty(choice.x);
  if (is_by_class(runs[0], choice.colour)) return chart_classed(runs[0], choice, title);
  return chart_plane(runs[0], choice, runs[0].drawn() <= most_dots, title);
}

// A grid or a sweep over its own axes, else over the two parameters that matter most.
Choices choose_maps(const RunView& run, const Choice& wanted) {
  constexpr std::size_t fewest = 100;  // of a sample
  Choices choices;
  const bool chosen = !wanted.x.empty() || !wanted.y.empty() || !wanted.colour.empty();
  const auto& axes = run.summary.sweep.axes;
  if (run.parameters().size() < 2 || (!chosen && (axes.size() == 1 || (run.is_sample() && run.drawn() < fewest))))
    return choices;
  for (Choice one : each(&Choice::colour, wanted, worth_showing(run, most_observables))) {
    auto names = run.is_sample() ? by_influence(run, one.colour, 2) : run.parameters();
    if (axes.size() > 1) names = {axes[0].first, axes[1].first};
    if (one.x.empty()) one.x = names[names[0] == one.y ? 1 : 0];
    if (one.y.empty()) one.y = names[names[1] == one.x ? 0 : 1];
    choices.push_back(one);
  }
  return choices;
}

Chart chart_map(View runs, const Choice& choice) {
  return chart_plane(runs[0], choice, false,
                     pretty(choice.colour) + " over " + pretty(choice.x) + " and " + pretty(choice.y));
}

// ---- members that stopped ----

Choices choose_stopped(const RunView& run, const Choice& wanted) {
  const auto names = run.parameters();
  if (run.summary.stopped() == 0 || names.empty()) return {};
  return {{wanted.x.empty() ? names[0] : wanted.x, wanted.y.empty() && names.size() > 1 ? names[1] : wanted.y}};
}

// Dots over two parameters, or over one in rows: a colour a status, those that ended well first.
Chart chart_stopped(View runs, const Choice& choice) {
  const RunView& run = runs[0];
  const bool in_rows = choice.y.empty();
  plot::Axis up = in_rows ? plot::Axis{} : axis_of(run, choice.y, 0.05);
  std::vector<Series> series;
  std::string note = run.stride_note();
  for (const auto& one : run.summary.status) {
    const std::string name(to_name(one.status));
    if (in_rows) up.names.push_back(name);
    auto& rows = series.emplace_back(Series{name + " " + counted(one.members)}).rows;
    const std::size_t every = static_cast<std::size_t>(one.members / run.stride()) / most_dots + 1;
    for (std::size_t m = 0, seen = 0; m < run.drawn(); ++m)
      if (run.status()[m] == one.status && seen++ % every == 0)
        rows.push_back(
            {run.column(choice.x)[m], in_rows ? static_cast<double>(series.size() - 1) : run.column(choice.y)[m]});
    if (every > 1) note += " Of " + name + " every " + counted(static_cast<std::int64_t>(every)) + "th is drawn.";
  }
  Chart chart = line_chart({"Where members stopped", note}, axis_of(run, choice.x, 0.04), std::move(up),
                           {{choice.x, choice.y}, 0, 1, {}, ""}, series);
  if (in_rows) chart.height = 130;
  return chart;
}

}  // namespace

std::vector<Panel> dependence_panels() {
  const std::string vary = "parameters and observables that vary";
  return {{"stopped", "Members that stopped",
           "where in parameter space members stopped (" + setting::x + " " + setting::y + ")",
           "members that stopped, and " + vary, false, choose_stopped, chart_stopped},
          {"sensitivity", "Dependence", "which parameter drives an observable (" + setting::y + ")",
           vary + ", in a sample or a design", false, choose_sensitivities, chart_sensitivity},
          {"scatter", "Dependence",
           "an observable over a parameter (" + setting::x + " " + setting::y + " " + setting::color + ")", vary, false,
           choose_clouds, chart_cloud},
          {"map", "Dependence",
           "an observable (" + setting::color + ") over two parameters (" + setting::x + " " + setting::y + ")",
           "two " + vary + " (of a sample 100 members)", false, choose_maps, chart_map}};
}

}  // namespace conesweep::report
