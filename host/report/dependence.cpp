#include <algorithm>
#include <cmath>
#include <numeric>

#include "plot/frame.hpp"
#include "plot/palette.hpp"
#include "report/field.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "sensitivity/correlation.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// How observables depend on parameters: indices, clouds and maps; where members stop.

namespace conesweep::report {
namespace {

using plot::Figure;
using plot::Frame;
using sensitivity::Index;

constexpr std::size_t most_observables = 3, most_parameters = 4, most_dots = 1500, most_bars = 20;
constexpr std::size_t most_ranked = 20'000;  // members whose ranks are correlated

// ---- influence -----------------------------------------------------------------------------------------------------------

struct Influence {
  std::string kind;                   // what the numbers are
  std::vector<Index> value, further;  // [parameter]; further: total indices beside first ones
};

std::size_t row_of(const RunView& run, const std::string& observable) {
  return static_cast<std::size_t>(std::find(run.summary.rows.begin(), run.summary.rows.end(), observable) - run.summary.rows.begin());
}

// Of a design its indices; of a sample rank correlations over some of its members; of a grid and a screening without row nothing.
Influence influence_of(const RunView& run, const std::string& observable) {
  const std::size_t row = row_of(run, observable);
  if (row < run.summary.sobol.size()) return {"Sobol index", run.summary.sobol[row].first, run.summary.sobol[row].total};
  if (row < run.summary.morris.size()) {
    Influence found{"μ*", {}, {}};
    for (const auto& effect : run.summary.morris[row].effects) found.value.push_back(effect.mu_star);
    return found;
  }
  const auto names = run.parameters();
  const std::size_t every = std::max<std::size_t>(1, run.drawn() / most_ranked);
  const auto some = [&](const std::vector<double>& column) {
    std::vector<double> out;
    for (std::size_t m = 0; m < column.size(); m += every) out.push_back(column[m]);
    return out;
  };
  std::vector<std::vector<double>> columns;
  for (const auto& name : names) columns.push_back(some(run.column(name)));
  const auto values = some(run.column(observable));
  const std::vector<executor::Status> ok(values.size(), executor::Status::ok);  // members that stopped have NaN
  return {"rank correlation", sensitivity::correlate(names, columns, values, ok).spearman, {}};
}

std::vector<std::string> parameters_of(const RunView& run) { return run.summary.design.method.empty() ? run.parameters() : run.summary.parameters; }

// ---- clouds --------------------------------------------------------------------------------------------------------------

plot::Axis axis_of(const RunView& run, const std::string& name, const std::vector<double>& column, double margin) {
  double least = INFINITY, most = -INFINITY;
  for (const double value : column)
    if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  const bool logarithmic = wants_logarithm(run, name) && least > 0;
  auto [lower, upper] = plot::make_range(logarithmic ? std::log(least) : least, logarithmic ? std::log(most) : most, margin);
  if (logarithmic) lower = std::exp(lower), upper = std::exp(upper);
  return {label_of(run, name), lower, upper, logarithmic};
}

Figure draw_cloud(const Runs& runs, std::size_t which, const std::string& x_name, const std::string& y_name, const std::string& colour) {
  const RunView& run = runs[which];
  const auto& x = run.column(x_name);
  const auto& y = run.column(y_name);
  Figure about;
  about.id = figure_id("scatter", y_name + "-" + x_name, which);
  about.title = pretty(y_name) + " over " + pretty(x_name) + of_run(runs, run);
  const plot::Axis across = axis_of(run, x_name, x, 0.03), up = axis_of(run, y_name, y, 0.04);
  const bool few = x.size() <= most_dots;
  Frame frame(across, up, {400, 270, !few || !colour.empty()});
  if (few) {
    about.numbers.head = {x_name, y_name};
    if (!colour.empty()) about.numbers.head.push_back(colour);
    const std::vector<double>* shade = colour.empty() ? nullptr : &run.column(colour);
    draw_dots(frame, x, y, shade, about.numbers, colour.empty() ? std::string() : label_of(run, colour));
    about.note = "Each dot is a member.";
  } else {
    about.numbers.head = {x_name, y_name, colour.empty() ? "members" : "mean of " + colour};
    const Bins bins = count_bins(frame, x, y, colour.empty() ? nullptr : &run.column(colour));
    draw_bins(frame, bins, colour.empty() ? "members" : label_of(run, colour), about.numbers);
    about.note = (colour.empty() ? "Members in each square, logarithmically coloured. " : "Mean over the members of each square. ") + run.stride_note();
  }
  about.description = y_name + " over " + x_name + ". " + about.note;
  return frame.finish(about);
}

// ---- maps ----------------------------------------------------------------------------------------------------------------

// Means of an observable over two parameters: at the points of a grid, else in squares.
Figure draw_map(const Runs& runs, std::size_t which, const std::string& x_name, const std::string& y_name, const std::string& observable) {
  const RunView& run = runs[which];
  const auto &x = run.column(x_name), &y = run.column(y_name), &z = run.column(observable);
  Figure about;
  about.id = figure_id("map", observable + "-" + x_name + "-" + y_name, which);
  about.title = pretty(observable) + " over " + pretty(x_name) + " and " + pretty(y_name) + of_run(runs, run);
  about.numbers.head = {x_name, y_name, "mean of " + observable};
  const auto levels_x = levels_of(x), levels_y = levels_of(y);
  const bool grid = !levels_x.empty() && !levels_y.empty();
  plot::Axis across = axis_of(run, x_name, x, 0), up = axis_of(run, y_name, y, 0);
  if (grid) widen_to_cells(across, levels_x), widen_to_cells(up, levels_y);
  Frame frame(across, up, {400, 290, true});
  const Bins bins = grid ? mean_cells(frame, levels_x, levels_y, x, y, z) : mean_bins(frame, x, y, z);
  draw_bins(frame, bins, label_of(run, observable), about.numbers);
  const bool others = run.parameters().size() > 2;
  about.note = std::string(grid ? "Each cell is a point of the grid" : "Mean over the members of each square") +
               (grid && others ? ", the mean over the other parameters" : "") + ". " + (grid ? std::string() : run.stride_note());
  about.description = "Map of " + observable + ". " + about.note;
  return frame.finish(about);
}

}  // namespace

std::vector<std::string> by_influence(const RunView& run, const std::string& observable) {
  auto names = parameters_of(run);
  if (names.size() < 2) return names;
  const Influence influence = influence_of(run, observable);
  const auto& values = influence.further.empty() ? influence.value : influence.further;
  const auto size = [&](std::size_t k) { return k < values.size() && std::isfinite(values[k].value) ? std::fabs(values[k].value) : -1; };
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<std::string> sorted;
  for (const std::size_t k : order) sorted.push_back(names[k]);
  return sorted;
}

Figures draw_sensitivities(const Runs& runs, const Choice& choice) {
  Figures figures;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunView& run = runs[r];
    const auto names = parameters_of(run);
    const bool sample = run.scenario.ensemble.sampler != scenario::Sampler::grid && run.scenario.sweep.empty();
    if (names.empty() || (run.summary.design.method.empty() && !sample)) {
      if (!choice.y.empty()) throw InputError(run.folder.string() + " has no sensitivities: nothing varies, or its members are no sample");
      continue;
    }
    const auto observables = choice.y.empty() ? worth_showing(run, run.summary.design.method.empty() ? 6 : 12) : std::vector<std::string>{choice.y};
    for (const auto& observable : observables) {
      const Influence influence = influence_of(run, observable);
      auto sorted = by_influence(run, observable);
      if (sorted.size() > most_bars) sorted.resize(most_bars);
      std::vector<std::string> labels;
      double least = 0, most = 0;
      const auto index = [&](const std::string& name) { return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()); };
      for (const auto& name : sorted) {
        labels.push_back(pretty(name));
        for (const auto* kind : {&influence.value, &influence.further})
          if (!kind->empty())
            for (const double end : {(*kind)[index(name)].value, (*kind)[index(name)].lower, (*kind)[index(name)].upper})
              if (std::isfinite(end)) least = std::min(least, end), most = std::max(most, end);
      }
      if (influence.kind == "rank correlation") least = -0.98, most = 0.98;  // one axis for all
      const double room = 0.04 * std::max(most - least, 1e-12);
      Frame frame({influence.kind, least < 0 ? least - room : 0, most + room}, {"", 0, 1, false, labels},
                  {400, std::max(130.0, 66 + 28.0 * static_cast<double>(sorted.size()))});
      Figure about;
      about.id = figure_id("sensitivity", observable, r);
      about.title = "What drives " + pretty(observable) + of_run(runs, run);
      about.numbers.head = {"parameter", influence.kind, "lower", "upper"};
      if (!influence.further.empty()) about.numbers.head = {"parameter", "first", "lower", "upper", "total", "lower", "upper"};
      for (std::size_t k = 0; k < sorted.size(); ++k) {
        std::vector<double> numbers;
        const std::size_t kinds = influence.further.empty() ? 1 : 2;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
          const Index& one = (kind == 0 ? influence.value : influence.further)[index(sorted[k])];
          numbers.insert(numbers.end(), {one.value, one.lower, one.upper});
          if (!std::isfinite(one.value)) continue;
          const double top = static_cast<double>(k) - 0.34 + 0.68 * static_cast<double>(kind) / static_cast<double>(kinds);
          const double bottom = top + 0.68 / static_cast<double>(kinds), middle = (top + bottom) / 2;
          frame.bar(kind == 0 ? "k0 o7" : "k4 o7", std::min(0.0, one.value), std::max(0.0, one.value), top, bottom);
          if (std::isfinite(one.lower) && std::isfinite(one.upper))
            frame.path("ink", "M" + plot::px(frame.x(one.lower)) + " " + plot::px(frame.y(middle)) + "H" + plot::px(frame.x(one.upper)),
                       " stroke-width=\"1.4\"");
        }
        about.numbers.add(sorted[k], numbers);
      }
      if (!influence.further.empty()) frame.legend({{"k0", "first: alone"}, {"k4", "total: with others"}});
      const bool all = run.drawn() <= most_ranked;
      about.note = std::string("Lines: 95 % intervals.") +
                   (influence.kind == "rank correlation"
                        ? std::string(" Spearman’s rank correlation over ") +
                              (all ? "all members." : "every " + counted(static_cast<std::int64_t>(run.drawn() / most_ranked)) + "th member drawn.")
                        : "");
      about.description = "How strongly each parameter drives " + observable + ". " + about.note;
      figures.push_back(frame.finish(about));
    }
  }
  return figures;
}

Figures draw_scatter(const Runs& runs, const Choice& choice) {
  Figures figures;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunView& run = runs[r];
    if (!choice.x.empty() || !choice.y.empty()) {
      const std::string y = choice.y.empty() ? worth_showing(run, 1).empty() ? std::string() : worth_showing(run, 1).front() : choice.y;
      if (y.empty() || (choice.x.empty() && run.parameters().empty())) throw InputError("nothing varies in " + run.folder.string() + "; give --x and --y");
      figures.push_back(draw_cloud(runs, r, choice.x.empty() ? by_influence(run, y).front() : choice.x, y, choice.colour));
      continue;
    }
    if (run.parameters().empty() || run.scenario.ensemble.sampler == scenario::Sampler::grid || !run.scenario.sweep.empty()) continue;
    for (const auto& observable : worth_showing(run, runs.size() == 1 ? most_observables : 2)) {
      auto names = by_influence(run, observable);
      if (names.size() > (runs.size() == 1 ? most_parameters : 2)) names.resize(runs.size() == 1 ? most_parameters : 2);
      for (const auto& parameter : names) figures.push_back(draw_cloud(runs, r, parameter, observable, ""));
    }
  }
  return figures;
}

Figures draw_maps(const Runs& runs, const Choice& choice) {
  Figures figures;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunView& run = runs[r];
    const bool chosen = !choice.x.empty() || !choice.y.empty() || !choice.colour.empty();
    if (parameters_of(run).size() < 2 || run.drawn() < 30 || (!chosen && !run.scenario.sweep.empty())) {
      if (chosen) throw InputError("a map needs two varied parameters and 30 members; " + run.folder.string() + " has less");
      continue;
    }
    const auto observables = choice.colour.empty() ? worth_showing(run, most_observables) : std::vector<std::string>{choice.colour};
    for (const auto& observable : observables) {
      const bool grid = run.scenario.ensemble.sampler == scenario::Sampler::grid;
      const auto names = grid ? run.parameters() : by_influence(run, observable);
      figures.push_back(draw_map(runs, r, choice.x.empty() ? names[0] : choice.x, choice.y.empty() ? names[1] : choice.y, observable));
    }
  }
  return figures;
}

Figures draw_stopped(const Runs& runs, const Choice& choice) {
  Figures figures;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunView& run = runs[r];
    const auto names = run.parameters();
    if (run.summary.stopped() == 0 || names.empty()) {
      if (!choice.x.empty()) throw InputError("no member of " + run.folder.string() + " stopped, or nothing varies");
      continue;
    }
    const std::string x_name = choice.x.empty() ? names[0] : choice.x, y_name = choice.y.empty() ? names[std::min<std::size_t>(1, names.size() - 1)] : choice.y;
    const auto &x = run.column(x_name), &y = run.column(y_name);
    Frame frame(axis_of(run, x_name, x, 0.04), axis_of(run, y_name, y, 0.05));
    Figure about;
    about.id = figure_id("stopped", "", r);
    about.title = "Members that stopped" + of_run(runs, run);
    about.numbers.head = {"status", x_name, y_name};
    std::vector<double> fine_x, fine_y;
    const std::size_t every = std::max<std::size_t>(1, run.drawn() / most_dots);
    for (std::size_t m = 0; m < run.drawn(); m += every)
      if (run.status()[m] == executor::Status::ok) fine_x.push_back(x[m]), fine_y.push_back(y[m]);
    frame.dots("grid", 3, fine_x, fine_y);
    std::vector<Frame::Entry> entries;
    std::size_t colour = 1;
    std::int64_t cut = 0;
    for (const auto& one : run.summary.status) {
      if (one.status == executor::Status::ok) continue;
      std::vector<double> bad_x, bad_y;
      for (std::size_t m = 0; m < run.drawn(); ++m) {
        if (run.status()[m] != one.status) continue;
        if (bad_x.size() == most_dots) {
          ++cut;
          continue;
        }
        bad_x.push_back(x[m]), bad_y.push_back(y[m]);
        about.numbers.add(std::string(to_name(one.status)), {x[m], y[m]});
      }
      const std::string number = std::to_string(colour++ % plot::category_count);
      frame.dots("s" + number, 4, bad_x, bad_y);
      entries.push_back({"k" + number, std::string(to_name(one.status))});
    }
    frame.legend(entries);
    about.note = "Grey: members that ended well" + (cut > 0 ? "; " + counted(cut) + " that stopped are not drawn" : std::string()) + ". " + run.stride_note();
    about.description = "Where in parameter space members stopped. " + about.note;
    figures.push_back(frame.finish(about));
  }
  return figures;
}

}  // namespace conesweep::report
