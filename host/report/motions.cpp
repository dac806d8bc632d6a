#include <algorithm>
#include <cmath>

#include "expression/states.hpp"
#include "report/charts.hpp"
#include "report/influence.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "scenario/depth.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// Recorded members over time: bands, phase portraits, paths, modes.

namespace conesweep::report {
namespace {

using plot::Chart;
using plot::Join;
using plot::Points;

constexpr std::size_t most_curves = 20, most_in_band = 8;  // of a drawing
constexpr std::size_t most_points = 400;                   // of a table
constexpr std::size_t most_drawings = 6;                   // of a kind in a page

std::string some_members(const RunView& run, std::size_t most) {
  return counted(static_cast<std::int64_t>(run.members_drawn(most).size()), "member") + " of " +
         counted(run.summary.members) + " drawn";
}

// Coordinates that move; none of a run that was not recorded.
std::vector<std::string> moving(const RunView& run) {
  std::vector<std::string> names;
  if (run.recorded().members == 0) return names;
  for (const auto& name : run.scenario.names.coordinates) {
    plot::NumberRange range;
    range.add(run.recorded(name));
    if (names.size() < most_drawings && range.length() > 1e-9 * std::max(std::fabs(range.least), std::fabs(range.most)))
      names.push_back(name);
  }
  return names;
}

// One member after another at the times drawn, as rows of member, time and some quantities; a row of NaN between them.
Series tracks_of(const RunView& run, std::size_t most, const std::vector<std::string>& names) {
  Series tracks{run.label};
  for (const std::size_t m : run.members_drawn(most)) {
    for (const std::size_t k : run.times_drawn()) {
      auto& row = tracks.rows.emplace_back(std::vector<double>{static_cast<double>(m), run.recorded().time[k]});
      for (const auto& name : names) row.push_back(run.recorded(name)[m * run.recorded().time.size() + k]);
    }
    tracks.rows.emplace_back(2 + names.size(), NAN);
  }
  return tracks;
}

// ---- quantities over time ----

Choices choose_bands(const RunView& run, const Choice& wanted) {
  return run.summary.tracks.empty() ? Choices() : each(&Choice::y, wanted, moving(run));
}

Chart chart_band(View runs, const Choice& choice) {
  const bool alone = runs.size() == 1;
  std::vector<Series> series;
  for (const RunView& run : runs)
    for (const auto& track : run.summary.tracks) {
      if (track.name != choice.y || run.recorded().members == 0) continue;
      auto& rows = series.emplace_back(Series{run.label}).rows;
      for (const std::size_t k : run.times_drawn()) {
        auto& row = rows.emplace_back(std::vector<double>{run.recorded().time[k]});
        for (std::size_t q = 2; q < 7; ++q) row.push_back(track.quantiles[q * run.recorded().time.size() + k]);
        row.push_back(track.mean[k]);
      }
    }
  static_assert(statistics::quantile_levels[2] == 0.05 && statistics::quantile_levels[6] == 0.95);
  if (series.empty())
    throw InputError("'" + choice.y +
                     "' has no band; coordinates have one: " + join_words(summed_states(runs[0].scenario)));
  Lines lines{{"t", "q05", "q25", "median", "q75", "q95", "mean"}, 0, 3, {{1, 5}}, "line", false};
  if (alone) lines.bands.emplace_back(2, 4);
  const std::int64_t banded = std::min<std::int64_t>(runs[0].summary.members, statistics::block_members);
  Chart chart = line_chart({pretty(choice.y) + " over time",
                            "Line: median; band: 5 to 95 % of the first " + counted(banded, "member") + "."},
                           {label_of(runs[0], "t"), {}, 0}, {label_of(runs[0], choice.y)}, lines, series);
  if (!alone) return chart;
  Points thin;
  for (const auto& row : tracks_of(runs[0], most_in_band, {choice.y}).rows) thin.add(row[1], row[2]);
  chart.mark(Join::line, "thin ink o5", std::move(thin));
  chart.about.note += " Darker: 25 to 75 %; thin: some members.";
  return chart;
}

// ---- two quantities against each other ----

Chart chart_pair(View runs, const Choice& choice, const std::string& title) {
  std::vector<Series> series;
  Points starts;
  const std::size_t most = std::max<std::size_t>(1, most_curves / runs.size());
  for (const RunView& run : runs) {
    if (run.recorded().members == 0) continue;
    const auto& rows = series.emplace_back(tracks_of(run, most, {choice.x, choice.y})).rows;
    for (std::size_t k = 0; k < rows.size(); k += run.times_drawn().size() + 1) starts.add(rows[k][2], rows[k][3]);
  }
  const std::size_t every = 1 + (series.empty() ? 0 : series.size() * series[0].rows.size() / most_points);
  const Lines lines{{"member", "t", choice.x, choice.y}, 2, 3, {}, "thin o7", false, every};
  Chart chart =
      line_chart({title, some_members(runs[0], most) + "; dots: the start. The table has some of the points."},
                 {label_of(runs[0], choice.x), {}, 0.06}, {label_of(runs[0], choice.y), {}, 0.08}, lines, series);
  chart.mark(Join::dots, "ink", starts, 4);
  return chart;
}

Choices choose_phases(const RunView& run, const Choice& wanted) {
  if (run.recorded().members == 0) return {};
  Choices choices = each(&Choice::x, wanted, moving(run));
  for (Choice& choice : choices) choice.y = expression::velocity_of(choice.x);
  return choices;
}

Chart chart_phase(View runs, const Choice& choice) {
  return chart_pair(runs, choice, "Phase portrait of " + pretty(choice.x));
}

// Each coordinate over those before; of more than three only what is asked for.
Choices choose_paths(const RunView& run, const Choice& wanted) {
  Choices choices;
  const bool chosen = !wanted.x.empty() || !wanted.y.empty();
  if (run.recorded().members == 0 || (!chosen && run.scenario.names.coordinates.size() > 3)) return choices;
  const auto names = moving(run);
  for (const Choice& some : each(&Choice::x, wanted, names))
    for (const Choice& one : each(&Choice::y, some, names)) {
      const bool before = std::find(names.begin(), names.end(), one.x) < std::find(names.begin(), names.end(), one.y);
      if (before || (chosen && one.x != one.y)) choices.push_back(one);
    }
  return choices;
}

Chart chart_path(View runs, const Choice& choice) {
  Chart chart = chart_pair(runs, choice, "Paths, " + pretty(choice.y) + " over " + pretty(choice.x));
  chart.same_scale = true;
  chart.settle();
  Points strips;
  const auto& [x, y] = std::tie(chart.x.range, chart.y.range);
  for (const auto& [left, low, right, high] :
       scenario::Depth(runs[0].scenario, choice.x, choice.y).outside({x.least, y.least, x.most, y.most}))
    strips.add(left, low), strips.add(right, high);
  if (!strips.x.empty()) chart.about.note += " Grey: outside of the contacts, at the defaults and t = 0.";
  chart.mark(Join::boxes, "shade o5", std::move(strips));
  return chart;
}

// ---- modes ----

// Recorded members are the first ones of the run: where all are drawn they have their columns, and can be sorted. What
// never changes is no drawing.
Choices choose_modes(const RunView& run, const Choice& wanted) {
  const auto& modes = run.recorded().mode;
  if (wanted.y.empty() && std::equal(modes.begin() + !modes.empty(), modes.end(), modes.begin())) return {};
  if (modes.empty() || (run.scenario.contacts.empty() && run.scenario.resistances.empty())) return {};
  if (run.parameters().empty() || run.stride() > 1 || run.is_design()) return {{}};
  const auto* times = run.statistics_of("stick_time");
  const bool sticks = times != nullptr && varies(*times);
  return {each(&Choice::y, wanted, sticks ? by_influence(run, "stick_time", 1) : run.parameters()).front()};
}

// A row of strips a member: of equal modes one after another one. After a stop there is none.
Chart chart_modes(View runs, const Choice& choice) {
  static const std::pair<const char*, const char*> looks[] = {{"shade", "flight"}, {"k1", "slip"}, {"k0", "stick"}};
  const RunView& run = runs[0];
  const auto& recorded = run.recorded();
  const auto& time = recorded.time;
  auto order = run.members_drawn(most_recorded);
  if (!choice.y.empty())
    std::stable_sort(order.begin(), order.end(),
                     [&by = run.column(choice.y)](std::size_t a, std::size_t b) { return by[a] < by[b]; });
  const std::string sorted = choice.y.empty() ? "" : ", lowest " + pretty(choice.y) + " at the bottom";
  Chart chart(
      {"Stick, slip and flight", some_members(run, most_recorded) + sorted + ". The table has shares of the time."},
      {label_of(run, "t"), {}, 0}, {choice.y.empty() ? "members" : "members, by " + label_of(run, choice.y), {}, 0},
      {"member", "flight", "slip", "stick"});
  std::vector<Points> strips(std::size(looks));
  const auto kept = run.times_drawn();
  for (std::size_t row = 0; row < order.size(); ++row) {
    const std::size_t first = order[row] * time.size();
    const auto mode_at = [&](std::size_t k) {
      return std::isfinite(recorded.columns[0][first + k]) ? std::min<std::size_t>(2, recorded.mode[first + k]) : 3;
    };
    for (std::size_t k = 0, begin = 0; k + 1 < kept.size() && mode_at(kept[k]) < 3; ++k) {
      if (k + 2 < kept.size() && mode_at(kept[k + 1]) == mode_at(kept[k])) continue;
      auto& strip = strips[mode_at(kept[k])];
      strip.add(time[kept[begin]], static_cast<double>(row)),
          strip.add(time[kept[k + 1]], static_cast<double>(row + 1));
      begin = k + 1;
    }
    std::vector<double> shares(5, 0);  // of all times; the last after a stop
    for (std::size_t k = 0; k + 1 < time.size(); ++k)
      shares[1 + mode_at(k)] += (time[k + 1] - time[k]) / (time.back() - time.front());
    chart.about.numbers.add({}, {static_cast<double>(order[row]), shares[1], shares[2], shares[3]});
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
  return {
      {"band", "Motion", "a coordinate over time: quantiles and some members (" + setting::y + ")", recorded, true,
       choose_bands, chart_band},
      {"phase", "Motion", "velocity over position (" + setting::x + ")", recorded, true, choose_phases, chart_phase},
      {"path", "Motion", "paths in the plane of two coordinates (" + setting::x + " " + setting::y + ")",
       "two coordinates that move, and " + recorded, true, choose_paths, chart_path},
      {"modes", "Motion", "stick, slip and flight of members over time (" + setting::y + ": sorted by)",
       "a contact or a resistance whose mode changes, and " + recorded, false, choose_modes, chart_modes}};
}

}  // namespace conesweep::report
