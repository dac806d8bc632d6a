#include <algorithm>
#include <cmath>
#include <numeric>

#include "expression/still_world.hpp"
#include "plot/frame.hpp"
#include "plot/palette.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// Recorded members over time: bands, phase portraits, paths, modes.

namespace conesweep::report {
namespace {

using plot::Figure;
using plot::Frame;

constexpr std::size_t most_times = 240;   // of a curve
constexpr std::size_t most_curves = 20;   // of a drawing
constexpr std::size_t most_drawings = 6;  // of a kind in a page

// Equally spaced ones among n, the first and the last with them.
std::vector<std::size_t> thin(std::size_t n, std::size_t most) {
  std::vector<std::size_t> kept;
  const std::size_t count = std::min(n, most);
  for (std::size_t k = 0; k < count; ++k) kept.push_back(count < 2 ? 0 : k * (n - 1) / (count - 1));
  return kept;
}

std::vector<double> pick(const std::vector<double>& values, const std::vector<std::size_t>& kept, std::size_t offset = 0) {
  std::vector<double> out;
  for (const std::size_t k : kept) out.push_back(values[offset + k]);
  return out;
}

struct Extent {
  double least = INFINITY, most = -INFINITY;
  void add(double value) {
    if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  }
  void add(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
};

// Where a recorded quantity stands; InputError for a name that was not recorded.
std::size_t recorded_index(const RunView& run, const std::string& name) {
  const auto& names = run.recorded().names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError("'" + name + "' was not recorded in " + run.folder.string() + suggest(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

void demand_recorded(const RunView& run) {
  if (run.recorded().members == 0) throw InputError("no trajectories were recorded in " + run.folder.string() + "; [record] members tells of how many");
}

std::vector<double> curve(const RunView& run, std::size_t quantity, std::size_t member, const std::vector<std::size_t>& kept) {
  return pick(run.recorded().columns[quantity], kept, member * run.recorded().time.size());
}

std::string some_members(std::size_t shown, const RunView& run) {
  return counted(static_cast<std::int64_t>(shown), "member") + " of " + counted(run.summary.members) + " drawn";
}

// ---- quantities over time ------------------------------------------------------------------------------------------------

const runs::TrackSummary* find_track(const RunView& run, const std::string& name) {
  for (const auto& track : run.summary.tracks)
    if (track.name == name) return &track;
  return nullptr;
}

std::size_t level_index(double level) {
  for (std::size_t k = 0; k < std::size(statistics::quantile_levels); ++k)
    if (statistics::quantile_levels[k] == level) return k;
  throw InternalError("a band is of one of the levels", __FILE__, __LINE__);
}

Figure draw_band(const Runs& runs, const std::string& name) {
  Extent extent, span;
  std::vector<std::vector<std::size_t>> kept;
  for (const RunView& run : runs) {
    kept.push_back(thin(run.summary.times.size(), most_times));
    const auto* track = find_track(run, name);
    if (track == nullptr) continue;
    span.add(run.summary.times);
    for (const double level : {0.05, 0.95}) extent.add(pick(track->quantiles, kept.back(), level_index(level) * run.summary.times.size()));
  }
  const bool alone = runs.size() == 1;
  const std::size_t curves = alone ? std::min<std::size_t>(8, runs[0].recorded().members) : 0;
  if (alone)
    for (std::size_t m = 0; m < curves; ++m) extent.add(curve(runs[0], recorded_index(runs[0], name), m, thin(runs[0].recorded().time.size(), most_times)));
  const auto [lower, upper] = plot::make_range(extent.least, extent.most);
  Frame frame({label_of(runs[0], "t"), span.least, span.most}, {label_of(runs[0], name), lower, upper});
  Figure about;
  about.id = figure_id("band", name);
  about.title = pretty(name) + " over time";
  about.numbers.head = {"run", "t", "q05", "q25", "median", "q75", "q95", "mean"};
  std::vector<Frame::Entry> entries;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto* track = find_track(runs[r], name);
    if (track == nullptr) continue;
    const auto& times = runs[r].summary.times;
    const auto level = [&](double l) { return pick(track->quantiles, kept[r], level_index(l) * times.size()); };
    const auto t = pick(times, kept[r]), q05 = level(0.05), q25 = level(0.25), q50 = level(0.5), q75 = level(0.75), q95 = level(0.95);
    const std::string colour = std::to_string(r % plot::category_count);
    frame.band("k" + colour + " o2", t, q05, q95);
    if (alone) frame.band("k" + colour + " o3", t, q25, q75);
    for (std::size_t m = 0; m < curves; ++m)
      frame.line("thin ink o5", pick(runs[r].recorded().time, thin(runs[r].recorded().time.size(), most_times)),
                 curve(runs[r], recorded_index(runs[r], name), m, thin(runs[r].recorded().time.size(), most_times)));
    frame.line("line s" + colour, t, q50);
    entries.push_back({"k" + colour, runs[r].label});
    const auto mean = pick(track->mean, kept[r]);
    for (std::size_t k = 0; k < t.size(); k += std::max<std::size_t>(1, t.size() / 120))
      about.numbers.add(runs[r].label, {t[k], q05[k], q25[k], q50[k], q75[k], q95[k], mean[k]});
  }
  if (!alone) frame.legend(entries);
  const std::int64_t banded = std::min<std::int64_t>(runs[0].summary.members, statistics::block_members);
  about.note = std::string("Line: median; band: 5 to 95 %") + (alone ? ", darker 25 to 75 %" : "") + ", of the first " + counted(banded, "member") +
               (curves > 0 ? "; thin: " + counted(static_cast<std::int64_t>(curves), "member") : "") + ".";
  about.description = pretty(name) + " over time. " + about.note;
  return frame.finish(about);
}

// ---- two quantities against each other ---------------------------------------------------------------------------------------

struct Pair {
  std::string x, y;
};

// Curves of some members; `under` is drawn first.
template <class Under>
Figure draw_pair(const Runs& runs, const Pair& pair, Figure about, bool same_scale, const Under& under) {
  Extent across, up;
  const std::size_t curves = std::max<std::size_t>(1, most_curves / runs.size());
  for (const RunView& run : runs) {
    const auto kept = thin(run.recorded().time.size(), most_times);
    for (std::size_t m = 0; m < std::min(curves, run.recorded().members); ++m)
      across.add(curve(run, recorded_index(run, pair.x), m, kept)), up.add(curve(run, recorded_index(run, pair.y), m, kept));
  }
  auto [left, right] = plot::make_range(across.least, across.most, 0.06);
  auto [low, high] = plot::make_range(up.least, up.most, 0.08);
  // lengths look the same in both directions where they are of similar size
  if (same_scale) {
    const double ratio = 1.6, wide = right - left, tall = high - low;
    if (wide < ratio * tall && wide > 0.15 * tall)
      left -= (ratio * tall - wide) / 2, right = left + ratio * tall;
    else if (tall > 0.1 * wide)
      low -= (wide / ratio - tall) / 2, high = low + wide / ratio;
  }
  Frame frame({label_of(runs[0], pair.x), left, right}, {label_of(runs[0], pair.y), low, high});
  under(frame, left, right, low, high);
  about.numbers.head = {"run", "member", "t", pair.x, pair.y};
  std::vector<Frame::Entry> entries;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunView& run = runs[r];
    const std::string colour = std::to_string(r % plot::category_count);
    const auto kept = thin(run.recorded().time.size(), most_times);
    std::vector<double> ends_x, ends_y;
    const std::size_t count = std::min(curves, run.recorded().members);
    for (std::size_t m = 0; m < count; ++m) {
      const auto x = curve(run, recorded_index(run, pair.x), m, kept), y = curve(run, recorded_index(run, pair.y), m, kept);
      frame.line("thin s" + colour + " o7", x, y);
      ends_x.push_back(x.front()), ends_y.push_back(y.front());
      const std::size_t every = std::max<std::size_t>(1, kept.size() * count / 400);
      for (std::size_t k = 0; k < kept.size(); k += every) about.numbers.add(run.label, {static_cast<double>(m), run.recorded().time[kept[k]], x[k], y[k]});
    }
    frame.dots("ink", 4, ends_x, ends_y);
    entries.push_back({"k" + colour, run.label});
    if (r == 0) about.note = some_members(count, run) + "; dots: the start." + (about.note.empty() ? "" : " " + about.note);
  }
  if (runs.size() > 1) frame.legend(entries);
  about.description = about.title + ". " + about.note;
  return frame.finish(about);
}

// What of a plane no contact allows, at the defaults, t = 0, and other coordinates where they start: rows of thin strips.
class Shade {
 public:
  Shade(const RunView& run, std::size_t first, std::size_t second) : s_(run.scenario), first_(first), second_(second) {
    place_.resize(s_.names.coordinates.size());
    const expression::StillWorld<double> start{s_.defaults};
    for (std::size_t i = 0; i < place_.size(); ++i) place_[i] = expression::evaluate<double>(s_.start[i].past.tree, start);
    for (const auto& contact : s_.contacts)
      if (contact.g && expression::any_node(contact.g, [&](const expression::Node& n) {
            return n.op == expression::Op::symbol && n.symbol.kind == expression::Symbol::Kind::coordinate &&
                   (n.symbol.index == static_cast<int>(first) || n.symbol.index == static_cast<int>(second));
          }))
        walls_.push_back(contact.g);
  }

  bool is_empty() const { return walls_.empty(); }

  void draw(Frame& frame, double left, double right, double low, double high) {
    constexpr int rows = 120, columns = 120;
    std::string strips;
    for (int row = 0; row < rows; ++row) {
      const double y = low + (high - low) * (row + 0.5) / rows;
      const double top = frame.y(y + (high - low) * 0.5 / rows), height = (frame.bottom() - frame.top()) / rows + 0.3;
      double before = depth(left, y), begin = before > 0 ? left : NAN;
      for (int column = 1; column <= columns; ++column) {
        const double x0 = left + (right - left) * (column - 1) / columns, x1 = left + (right - left) * column / columns;
        const double now = depth(x1, y);
        const double edge = x0 + (x1 - x0) * before / (before - now);
        if (before <= 0 && now > 0) begin = std::isfinite(edge) ? edge : x0;
        if (before > 0 && now <= 0) add(frame, strips, begin, std::isfinite(edge) ? edge : x1, top, height), begin = NAN;
        before = now;
      }
      if (!std::isnan(begin)) add(frame, strips, begin, right, top, height);
    }
    frame.path("shade", strips);
  }

 private:
  static void add(const Frame& frame, std::string& strips, double from, double to, double top, double height) {
    strips += "M" + plot::px(frame.x(from)) + " " + plot::px(top) + "H" + plot::px(frame.x(to)) + "v" + plot::px(height) + "H" + plot::px(frame.x(from)) + "z";
  }

  // the largest g: above 0 outside
  double depth(double x, double y) {
    place_[first_] = x, place_[second_] = y;
    double deepest = -INFINITY;
    for (const auto& g : walls_) deepest = std::max(deepest, expression::evaluate<double>(g, expression::StillWorld<double>{s_.defaults, place_}));
    return deepest;
  }

  const scenario::Scenario& s_;
  std::size_t first_, second_;
  std::vector<double> place_;
  std::vector<expression::Expr> walls_;
};

// ---- modes ---------------------------------------------------------------------------------------------------------------

Figure draw_raster(const Runs& runs, std::size_t which, const std::string& sorted_by) {
  const RunView& run = runs[which];
  const auto& recorded = run.recorded();
  const std::size_t times = recorded.time.size();
  std::vector<std::size_t> order(recorded.members);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // recorded members are the first ones of the run: where all are drawn they have their columns
  const bool sorted = !sorted_by.empty() && run.stride() == 1 && run.summary.design.method.empty();
  if (sorted) {
    const auto& column = run.column(sorted_by);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
  }
  const auto kept = thin(times, most_times);
  const auto members = static_cast<double>(recorded.members);
  Frame frame({label_of(run, "t"), recorded.time.front(), recorded.time.back()}, {sorted ? "members, by " + label_of(run, sorted_by) : "members", 0, members});
  Figure about;
  about.id = figure_id("modes", "", which);
  about.title = "Stick, slip and flight" + of_run(runs, run);
  static const std::pair<const char*, const char*> looks[] = {{"shade", "flight"}, {"k1", "slip"}, {"k0", "stick"}};
  std::string strips[3];
  about.numbers.head = {"member", "flight", "slip", "stick"};
  const double height = (frame.bottom() - frame.top()) / members;
  for (std::size_t row = 0; row < order.size(); ++row) {
    const double top = frame.y(static_cast<double>(row) + 1);
    std::vector<double> share(3, 0.0);
    for (std::size_t k = 0; k + 1 < kept.size();) {
      const auto mode = std::min<std::size_t>(2, recorded.mode[order[row] * times + kept[k]]);
      // after a stop there is no mode
      const bool there = std::isfinite(recorded.columns[0][order[row] * times + kept[k]]);
      std::size_t end = k + 1;
      while (end + 1 < kept.size() && recorded.mode[order[row] * times + kept[end]] == mode &&
             std::isfinite(recorded.columns[0][order[row] * times + kept[end]]) == there)
        ++end;
      const double from = frame.x(recorded.time[kept[k]]), to = frame.x(recorded.time[kept[end]]);
      if (there) {
        strips[mode] += "M" + plot::px(from) + " " + plot::px(top) + "H" + plot::px(to) + "v" + plot::px(height + 0.2) + "H" + plot::px(from) + "z";
        share[mode] += (recorded.time[kept[end]] - recorded.time[kept[k]]) / (recorded.time.back() - recorded.time.front());
      }
      k = end;
    }
    about.numbers.add({static_cast<double>(order[row]), share[0], share[1], share[2]});
  }
  std::vector<Frame::Entry> entries;
  for (std::size_t mode = 0; mode < 3; ++mode) {
    frame.path(looks[mode].first, strips[mode]);
    entries.push_back({looks[mode].first, looks[mode].second});
  }
  frame.legend(entries);
  about.note = some_members(recorded.members, run) + (sorted ? ", lowest " + pretty(sorted_by) + " at the bottom" : "") + ". The table has shares of the time.";
  about.description = "What contacts of each member do over time. " + about.note;
  return frame.finish(about);
}

bool all_recorded(const Runs& runs) {
  return std::all_of(runs.begin(), runs.end(), [](const RunView& run) { return run.recorded().members > 0; });
}

// Does a coordinate of recorded members move at all?
bool moves(const RunView& run, std::size_t quantity) {
  Extent extent;
  extent.add(run.recorded().columns[quantity]);
  return extent.most - extent.least > 1e-9 * std::max({1e-300, std::fabs(extent.least), std::fabs(extent.most)});
}

}  // namespace

Figures draw_bands(const Runs& runs, const Choice& choice) {
  if (!choice.y.empty()) {
    demand_recorded(runs[0]);
    if (find_track(runs[0], choice.y) == nullptr)
      throw InputError("'" + choice.y + "' has no band; coordinates have one: " + join_words(runs[0].scenario.names.coordinates));
    return {draw_band(runs, choice.y)};
  }
  Figures figures;
  if (!all_recorded(runs)) return figures;
  for (const auto& name : runs[0].scenario.names.coordinates)
    if (figures.size() < most_drawings && find_track(runs[0], name) != nullptr && moves(runs[0], recorded_index(runs[0], name)))
      figures.push_back(draw_band(runs, name));
  return figures;
}

Figures draw_phases(const Runs& runs, const Choice& choice) {
  const auto draw = [&](const std::string& name) {
    Figure about;
    about.id = figure_id("phase", name);
    about.title = "Phase portrait of " + pretty(name);
    return draw_pair(runs, {name, "v" + name}, about, false, [](Frame&, double, double, double, double) {});
  };
  if (!choice.x.empty()) {
    demand_recorded(runs[0]);
    return {draw(choice.x)};
  }
  Figures figures;
  if (!all_recorded(runs)) return figures;
  for (const auto& name : runs[0].scenario.names.coordinates)
    if (figures.size() < most_drawings && moves(runs[0], recorded_index(runs[0], name))) figures.push_back(draw(name));
  return figures;
}

Figures draw_paths(const Runs& runs, const Choice& choice) {
  const auto& coordinates = runs[0].scenario.names.coordinates;
  const auto draw = [&](std::size_t first, std::size_t second) {
    Figure about;
    about.id = figure_id("path", coordinates[first] + "-" + coordinates[second]);
    about.title = "Paths, " + pretty(coordinates[second]) + " over " + pretty(coordinates[first]);
    Shade shade(runs[0], first, second);
    if (!shade.is_empty()) about.note = "Grey: outside of the contacts, at the defaults and t = 0.";
    return draw_pair(runs, {coordinates[first], coordinates[second]}, about, true, [&](Frame& frame, double left, double right, double low, double high) {
      if (!shade.is_empty()) shade.draw(frame, left, right, low, high);
    });
  };
  if (!choice.x.empty() || !choice.y.empty()) {
    demand_recorded(runs[0]);
    const auto index = [&](const std::string& name) {
      const auto found = std::find(coordinates.begin(), coordinates.end(), name);
      if (found == coordinates.end()) throw InputError("'" + name + "' is no coordinate" + suggest(name, coordinates));
      return static_cast<std::size_t>(found - coordinates.begin());
    };
    return {draw(index(choice.x.empty() ? coordinates.front() : choice.x), index(choice.y.empty() ? coordinates.back() : choice.y))};
  }
  Figures figures;
  if (!all_recorded(runs) || coordinates.size() < 2 || coordinates.size() > 3) return figures;
  for (std::size_t first = 0; first < coordinates.size(); ++first)
    for (std::size_t second = first + 1; second < coordinates.size(); ++second)
      if (moves(runs[0], first) && moves(runs[0], second)) figures.push_back(draw(first, second));
  return figures;
}

Figures draw_modes(const Runs& runs, const Choice& choice) {
  Figures figures;
  if (!choice.y.empty()) demand_recorded(runs[0]);
  if (!all_recorded(runs)) return figures;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& s = runs[r].scenario;
    if (s.contacts.empty() && s.resistances.empty()) continue;
    std::string by = choice.y;
    if (by.empty() && !runs[r].parameters().empty()) {
      const bool has_times = runs[r].statistics_of("stick_time") != nullptr && varies(*runs[r].statistics_of("stick_time"));
      by = has_times ? by_influence(runs[r], "stick_time").front() : runs[r].parameters().front();
    }
    figures.push_back(draw_raster(runs, r, by));
  }
  return figures;
}

}  // namespace conesweep::report
