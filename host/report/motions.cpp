#include <algorithm>

#include "report/charts.hpp"
#include "report/influence.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "report/tracks.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// Recorded members over time: bands, phase portraits, paths, modes.

namespace conesweep::report {
namespace {

using plot::Chart;
using plot::Join;

constexpr std::size_t most_curves = 20, most_in_band = 8;  // of a drawing
constexpr std::size_t most_drawings = 6;                   // of a kind in a page
constexpr std::size_t most_rows = 400;                     // of numbers

std::string some_members(std::size_t shown, const RunView& run) {
  return counted(static_cast<std::int64_t>(shown), "member") + " of " + counted(run.summary.members) + " drawn";
}

// ---- quantities over time ------------------------------------------------------------------------------------------------

Choices choose_bands(const RunView& run, const Choice& wanted) {
  if (run.recorded().members == 0 || run.summary.tracks.empty()) return {};
  return each(&Choice::y, wanted, Tracks(run).moving(most_drawings));
}

Chart chart_band(View runs, const Choice& choice) {
  plot::Sheet numbers{{"run", "t", "q05", "q25", "median", "q75", "q95", "mean"}};
  std::vector<Curve> curves;
  for (const RunView& run : runs) {
    const auto times = Tracks(run).times();
    const auto parts = Tracks(run).band(choice.y);
    if (parts.empty()) continue;
    curves.push_back({runs.size() > 1 ? run.label : "", times, parts[2], parts[0], parts[4], false});
    for (std::size_t k = 0; k < times.size(); k += 1 + times.size() / 121)
      numbers.add({run.label}, {times[k], parts[0][k], parts[1][k], parts[2][k], parts[3][k], parts[4][k], parts[5][k]});
  }
  if (curves.empty()) throw InputError("'" + choice.y + "' has no band; coordinates have one: " + join_words(runs[0].scenario.names.coordinates));
  Chart chart = curve_chart({label_of(runs[0], "t"), {}, 0}, {label_of(runs[0], choice.y)}, curves);
  chart.about.title = pretty(choice.y) + " over time";
  chart.about.numbers = std::move(numbers);
  const std::int64_t banded = std::min<std::int64_t>(runs[0].summary.members, statistics::block_members);
  chart.about.note = "Line: median; band: 5 to 95 % of the first " + counted(banded, "member") + ".";
  if (runs.size() > 1) return chart;
  const Tracks tracks(runs[0]);
  const auto members = tracks.members(most_in_band);
  chart.band("k0 o3", curves[0].x, tracks.band(choice.y)[1], tracks.band(choice.y)[3]);
  for (const std::size_t m : members) chart.mark(Join::line, "thin ink o5", {curves[0].x, tracks.of(choice.y, m)});
  chart.about.note += " Darker: 25 to 75 %; thin: " + counted(static_cast<std::int64_t>(members.size()), "member") + ".";
  return chart;
}

// ---- two quantities against each other -----------------------------------------------------------------------------------

Chart chart_pair(View runs, const Choice& choice) {
  Chart chart({label_of(runs[0], choice.x), {}, 0.06}, {label_of(runs[0], choice.y), {}, 0.08});
  chart.about.numbers.head = {"run", "member", "t", choice.x, choice.y};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string colour = colour_of(chart, runs, r);
    const Tracks tracks(runs[r]);
    const auto times = tracks.times();
    const auto members = tracks.members(std::max<std::size_t>(1, most_curves / runs.size()));
    plot::Points starts;
    for (const std::size_t m : members) {
      const plot::Points curve{tracks.of(choice.x, m), tracks.of(choice.y, m)};
      chart.mark(Join::line, "thin s" + colour + " o7", curve);
      starts.add(curve.x.front(), curve.y.front());
      for (std::size_t k = 0; k < times.size(); k += 1 + times.size() * members.size() / most_rows)
        chart.about.numbers.add({runs[r].label}, {static_cast<double>(m), times[k], curve.x[k], curve.y[k]});
    }
    chart.mark(Join::dots, "ink", starts, 4);
    if (r == 0) chart.about.note = some_members(members.size(), runs[r]) + "; dots: the start.";
  }
  return chart;
}

Choices choose_phases(const RunView& run, const Choice& wanted) {
  if (run.recorded().members == 0) return {};
  Choices choices = each(&Choice::x, wanted, Tracks(run).moving(most_drawings));
  for (Choice& choice : choices) choice.y = "v" + choice.x;
  return choices;
}

Chart chart_phase(View runs, const Choice& choice) {
  Chart chart = chart_pair(runs, choice);
  chart.about.title = "Phase portrait of " + pretty(choice.x);
  return chart;
}

// Each coordinate over those before; of more than three only what is asked for.
Choices choose_paths(const RunView& run, const Choice& wanted) {
  Choices choices;
  const bool chosen = !wanted.x.empty() || !wanted.y.empty();
  if (run.recorded().members == 0 || (!chosen && run.scenario.names.coordinates.size() > 3)) return choices;
  const auto names = Tracks(run).moving(most_drawings);
  for (const Choice& some : each(&Choice::x, wanted, names))
    for (const Choice& one : each(&Choice::y, some, names)) {
      const bool before = std::find(names.begin(), names.end(), one.x) < std::find(names.begin(), names.end(), one.y);
      if (before || (chosen && one.x != one.y)) choices.push_back(one);
    }
  return choices;
}

Chart chart_path(View runs, const Choice& choice) {
  Chart chart = chart_pair(runs, choice);
  chart.about.title = "Paths, " + pretty(choice.y) + " over " + pretty(choice.x);
  chart.same_scale = true;
  chart.settle();
  const plot::Points strips = outside_of(runs[0].scenario, chart, choice.x, choice.y);
  if (!strips.x.empty()) chart.about.note += " Grey: outside of the contacts, at the defaults and t = 0.";
  chart.mark(Join::boxes, "shade o5", strips);
  return chart;
}

// ---- modes ---------------------------------------------------------------------------------------------------------------

// Recorded members are the first ones of the run: where all are drawn they have their columns, and can be sorted.
Choices choose_modes(const RunView& run, const Choice& wanted) {
  if (run.recorded().members == 0 || (run.scenario.contacts.empty() && run.scenario.resistances.empty())) return {};
  if (run.parameters().empty() || run.stride() > 1 || is_design(run)) return {{}};
  const auto* times = run.statistics_of("stick_time");
  const bool sticks = times != nullptr && varies(*times);
  return {each(&Choice::y, wanted, sticks ? by_influence(run, "stick_time", 1) : run.parameters()).front()};
}

// A row of strips a member.
Chart chart_modes(View runs, const Choice& choice) {
  static const std::pair<const char*, const char*> looks[] = {{"shade", "flight"}, {"k1", "slip"}, {"k0", "stick"}};
  const RunView& run = runs[0];
  const Tracks tracks(run);
  auto order = tracks.members(most_recorded);
  if (!choice.y.empty()) std::stable_sort(order.begin(), order.end(), [&by = run.column(choice.y)](std::size_t a, std::size_t b) { return by[a] < by[b]; });
  Chart chart({label_of(run, "t"), {}, 0}, {choice.y.empty() ? "members" : "members, by " + label_of(run, choice.y), {}, 0});
  chart.about.title = "Stick, slip and flight";
  chart.about.note =
      some_members(order.size(), run) + (choice.y.empty() ? "" : ", lowest " + pretty(choice.y) + " at the bottom") + ". The table has shares of the time.";
  chart.about.numbers.head = {"member", "flight", "slip", "stick"};
  std::vector<plot::Points> strips(std::size(looks));
  for (std::size_t row = 0; row < order.size(); ++row) {
    std::vector<double> numbers = {static_cast<double>(order[row]), 0, 0, 0};
    for (const auto& [mode, from, to] : tracks.modes(order[row])) {
      strips[mode].add(from, static_cast<double>(row)), strips[mode].add(to, static_cast<double>(row + 1));
      numbers[1 + mode] += (to - from) / (run.recorded().time.back() - run.recorded().time.front());
    }
    chart.about.numbers.add({}, numbers);
  }
  for (std::size_t mode = 0; mode < strips.size(); ++mode) {
    chart.mark(Join::boxes, looks[mode].first, strips[mode]);
    chart.name(looks[mode].first, looks[mode].second);
  }
  return chart;
}

}  // namespace

std::vector<Panel> motion_panels() {
  const std::string recorded = "trajectories: [record] members tells of how many";
  return {{"band", "Motion", "a coordinate over time: quantiles and some members (--y)", recorded, true, choose_bands, chart_band},
          {"phase", "Motion", "velocity over position (--x)", recorded, true, choose_phases, chart_phase},
          {"path", "Motion", "paths in the plane of two coordinates (--x --y)", "two coordinates that move, and " + recorded, true, choose_paths, chart_path},
          {"modes", "Motion", "stick, slip and flight of members over time (--y: sorted by)", "a contact or a resistance, and " + recorded, false, choose_modes,
           chart_modes}};
}

}  // namespace conesweep::report
