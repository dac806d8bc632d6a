#include <algorithm>
#include <cmath>

#include "plot/frame.hpp"
#include "plot/palette.hpp"
#include "report/names.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

// How observables are distributed: histograms and shares, from the summary's numbers.

namespace conesweep::report {
namespace {

using plot::Figure;
using plot::Frame;

constexpr std::size_t most_histograms = 12;

std::string short_number(double value) {
  std::string text = format_short(value, 4);
  if (text.starts_with("-")) text.replace(0, 1, "−");
  return text;
}

struct Bars {
  std::vector<double> edges;   // bins + 1
  std::vector<double> shares;  // of all members with a value
};

// As the summary has it; two bins become one where few members leave gaps between.
Bars bars_of(const statistics::Summary& s) {
  Bars bars;
  const auto& counts = s.histogram.counts;
  const std::size_t join = s.count < 400 ? 4 : s.count < 4000 ? 2 : 1;
  for (std::size_t k = 0; k + join <= counts.size(); k += join) {
    double sum = 0;
    for (std::size_t j = 0; j < join; ++j) sum += static_cast<double>(counts[k + j]);
    bars.edges.push_back(s.histogram.edges[k]);
    bars.shares.push_back(sum / static_cast<double>(s.count));
  }
  bars.edges.push_back(s.histogram.edges.back());
  return bars;
}

std::string in_words(const RunView& run, const std::string& name, const statistics::Summary& s) {
  const runs::StepError* step = run.step_error_of(name);
  std::string text = "Mean " + short_number(s.mean);
  if (!std::isnan(s.standard_error)) text += " ± " + format_short(s.standard_error, 2) + " (sampling)";
  if (step != nullptr && !std::isnan(step->step_error))
    text += std::isnan(step->at_most) ? " ± " + format_short(step->step_error, 2) + " (step)" : ", step error below " + format_short(step->at_most, 2);
  return text + ", median " + short_number(quantile_of(s, 0.5)) + ", 90 % within " + short_number(quantile_of(s, 0.05)) + " … " +
         short_number(quantile_of(s, 0.95)) + ", n = " + counted(s.count);
}

// All runs over one axis: bars of one, outlines of several; a bar of quantiles with the mean below.
Figure draw_histogram(const Runs& runs, const std::string& name) {
  double least = INFINITY, most = -INFINITY, highest = 0;
  std::vector<const statistics::Summary*> shown;
  for (const RunView& run : runs) {
    const statistics::Summary* s = run.statistics_of(name);
    shown.push_back(s != nullptr && s->count > 0 && !s->histogram.edges.empty() ? s : nullptr);
    if (shown.back() == nullptr) continue;
    least = std::min(least, s->min), most = std::max(most, s->max);
  }
  std::vector<Bars> bars(runs.size());
  // densities, so that runs with other bins compare; shares of the highest for the axis
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (shown[r] == nullptr) continue;
    bars[r] = bars_of(*shown[r]);
    const double width = bars[r].edges[1] - bars[r].edges[0];
    if (runs.size() > 1 && width > 0)
      for (double& share : bars[r].shares) share /= width;
    highest = std::max(highest, *std::max_element(bars[r].shares.begin(), bars[r].shares.end()));
  }
  const auto [lower, upper] = plot::make_range(least, most, 0.03);
  const double rows = 0.07 * highest;  // below the axis: quantiles of each run
  Frame frame({label_of(runs[0], name), lower, upper}, {runs.size() > 1 ? "density" : "share of members", 0, 1.16 * highest});
  Figure about;
  about.id = figure_id("histogram", name);
  about.title = name + (runs.size() > 1 ? " of " + counted(static_cast<std::int64_t>(runs.size())) + " runs" : "");
  about.numbers.head = {"run", "from", "to", "share"};
  std::vector<Frame::Entry> entries;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (shown[r] == nullptr) continue;
    const statistics::Summary& s = *shown[r];
    const std::string colour = std::to_string(r % plot::category_count);
    const auto& edges = bars[r].edges;
    // one path for all bars
    std::string body, outline = "M" + plot::px(frame.x(edges[0])) + " " + plot::px(frame.y(0));
    for (std::size_t k = 0; k < bars[r].shares.size(); ++k) {
      const double left = frame.x(edges[k]), right = frame.x(edges[k + 1]), top = frame.y(bars[r].shares[k]);
      const double wide = std::max(right - left, 2.0), gap = wide > 3 ? 0.6 : 0;
      if (bars[r].shares[k] > 0)
        body +=
            "M" + plot::px(left + gap / 2) + " " + plot::px(frame.y(0)) + "V" + plot::px(top) + "h" + plot::px(wide - gap) + "V" + plot::px(frame.y(0)) + "z";
      outline += "V" + plot::px(top) + "H" + plot::px(left + wide);
      about.numbers.add(runs[r].label, {edges[k], edges[k + 1], runs.size() > 1 ? bars[r].shares[k] * (edges[1] - edges[0]) : bars[r].shares[k]});
    }
    if (runs.size() == 1)
      frame.path("k0 o7", body);
    else
      frame.path("line s" + colour, outline + "V" + plot::px(frame.y(0)));
    // 5 to 95 %, 25 to 75 %, median and mean above all bars
    const double at = frame.y(1.16 * highest - (static_cast<double>(r) + 0.6) * rows);
    const auto q = [&](double level) { return frame.x(quantile_of(s, level)); };
    if (runs.size() <= 3) {
      frame.path("s" + colour, "M" + plot::px(q(0.05)) + " " + plot::px(at) + "H" + plot::px(q(0.95)), " stroke-width=\"1.5\"");
      frame.path("s" + colour, "M" + plot::px(q(0.25)) + " " + plot::px(at) + "H" + plot::px(q(0.75)), " stroke-width=\"5\"");
      frame.path("back", "M" + plot::px(q(0.5) - 1) + " " + plot::px(at - 4) + "h2v8h-2z");
      frame.path("inkfill", "M" + plot::px(frame.x(s.mean)) + " " + plot::px(at - 4.5) + "l4 4.5-4 4.5-4-4.5z");
    }
    entries.push_back({"k" + colour, runs[r].label});
    about.note += (about.note.empty() ? "" : " ") + (runs.size() > 1 ? runs[r].label + ": " : std::string()) + in_words(runs[r], name, s) + ".";
  }
  if (runs.size() > 1)
    frame.legend(entries);
  else
    frame.text("note", frame.left() + 2, 15, "◆ mean   ▬ 25–75 %   — 5–95 %");
  about.description = "Histogram of " + name + ": " + about.note;
  return frame.finish(about);
}

}  // namespace

Figures draw_histograms(const Runs& runs, const Choice& choice) {
  Figures figures;
  if (!choice.x.empty()) {
    const statistics::Summary* s = runs[0].statistics_of(choice.x);
    if (s == nullptr) runs[0].column(choice.x);  // says what is wrong with the name
    if (s == nullptr || s->count == 0 || s->histogram.edges.empty())
      throw InputError("'" + choice.x + "' has no histogram: it is no observable, or no member has a value");
    return {draw_histogram(runs, choice.x)};
  }
  for (const auto& name : worth_showing(runs[0], most_histograms)) figures.push_back(draw_histogram(runs, name));
  return figures;
}

Figures draw_classes(const Runs& runs, const Choice&) {
  Figures figures;
  const auto& classes = runs[0].summary.classes;
  if (classes.empty()) return {};
  std::vector<std::string> names;
  double most = 0;
  for (const RunView& run : runs)
    for (const auto& one : run.summary.classes) {
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
      most = std::max(most, 100 * (one.has_interval ? one.interval.upper : one.share));
    }
  const double height = 60 + 26.0 * static_cast<double>(names.size());
  Frame frame({"share of members (%)", 0, std::min(100.0, 1.05 * most)}, {"", 0, 1, false, names}, {400, std::max(120.0, height)});
  Figure about;
  about.id = figure_id("classes", "");
  about.title = "How members ended";
  about.numbers.head = {"run", "class", "members", "share", "lower", "upper"};
  std::vector<Frame::Entry> entries;
  const auto count = static_cast<double>(runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string colour = std::to_string(r % plot::category_count);
    for (const auto& one : runs[r].summary.classes) {
      const auto row = static_cast<double>(std::find(names.begin(), names.end(), one.name) - names.begin());
      const double top = row - 0.36 + 0.72 * static_cast<double>(r) / count, bottom = top + 0.72 / count, middle = (top + bottom) / 2;
      frame.bar("k" + colour + " o7", 0, 100 * one.share, top, bottom);
      if (one.has_interval)
        frame.path("ink",
                   "M" + plot::px(frame.x(100 * one.interval.lower)) + " " + plot::px(frame.y(middle)) + "H" + plot::px(frame.x(100 * one.interval.upper)),
                   " stroke-width=\"1.4\"");
      const double nan = std::nan("");
      about.numbers.add(
          {static_cast<double>(one.members), one.share, one.has_interval ? one.interval.lower : nan, one.has_interval ? one.interval.upper : nan});
      auto& cells = about.numbers.rows.back();
      cells.insert(cells.begin(), {runs[r].label, one.name});
    }
    entries.push_back({"k" + colour, runs[r].label});
  }
  if (runs.size() > 1) frame.legend(entries);
  about.note = classes.front().has_interval ? "Lines: 95 % intervals (Wilson)." : "";
  about.description = "Share of members in each class. " + about.note;
  figures.push_back(frame.finish(about));
  return figures;
}

}  // namespace conesweep::report
