#include "report/facts.hpp"

#include <algorithm>
#include <cmath>

#include "expression/still_world.hpp"
#include "plot/scale.hpp"
#include "report/html.hpp"
#include "report/names.hpp"
#include "report/warnings.hpp"
#include "sampling/distribution.hpp"
#include "scenario/quantities.hpp"
#include "support/text.hpp"

namespace conesweep::report {
namespace {

using scenario::Distribution;
using scenario::DistributionKind;

// ---- distributions ----

// A small drawing, 120 by 26: bars of equal values, or the density between quantiles.
class Thumbnail {
 public:
  std::string of(const Distribution& distribution) {
    if (distribution.kind == DistributionKind::choice)
      bars_of(distribution.values);
    else if (distribution.kind == DistributionKind::table)
      histogram_of(distribution.values);
    else
      density_of(distribution);
    return "<svg class=\"thumb\" viewBox=\"0 0 120 26\" aria-hidden=\"true\"><path class=\"grid\" d=\"M2 24.5H118\"/>" +
           body_ + "</svg>";
  }

 private:
  static constexpr double left = 4, right = 116, floor = 24, ceiling = 3;

  void bars_of(const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const plot::Axis x{.range = {*least, *most > *least ? *most : *least + 1}, .from = left + 2, .to = right - 2};
    for (const double value : values)
      body_ += "<path class=\"k0\" d=\"M" + plot::px(x(value) - 1.5) + " 24V5h3V24z\"/>";
  }

  void histogram_of(const std::vector<double>& values) {
    constexpr int bins = 28;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    std::vector<double> counts(bins, 0);
    const plot::NumberRange range =
        *most > *least ? plot::NumberRange{*least, *most} : plot::NumberRange{*least, *most}.widened(0);
    for (const double value : values)
      ++counts[static_cast<std::size_t>(std::clamp(range.share_of(value) * bins, 0.0, bins - 1.0))];
    const double highest = *std::max_element(counts.begin(), counts.end());
    for (int k = 0; k < bins; ++k)
      body_ += "<path class=\"k0\" d=\"M" + plot::px(left + 4.0 * k) + " 24v" +
               plot::px(-(floor - ceiling) * counts[static_cast<std::size_t>(k)] / highest) + "h3.4V24z\"/>";
  }

  // (u_{k+1} - u_k) over the distance of their quantiles, which all distributions have
  void density_of(const Distribution& distribution) {
    constexpr int pieces = 80;
    constexpr double end = 0.002;  // a tail may have no end
    std::vector<double> places, heights;
    const double lower = sampling::quantile(distribution, end), upper = sampling::quantile(distribution, 1 - end);
    for (int k = 0; k < pieces; ++k) {
      const double u = end + (1 - 2 * end) * k / pieces, w = end + (1 - 2 * end) * (k + 1) / pieces;
      const double a = sampling::quantile(distribution, u), b = sampling::quantile(distribution, w);
      places.push_back((a + b) / 2), heights.push_back((w - u) / (b - a));
    }
    const double highest = *std::max_element(heights.begin(), heights.end());
    const plot::Axis x{.range = {lower, upper}, .from = left, .to = right};
    // an even density fills the area to its top
    std::string top = "M" + plot::px(left) + " 24L" + plot::px(left) + " " +
                      plot::px(floor - (floor - ceiling) * heights.front() / highest);
    for (int k = 0; k < pieces; ++k) {
      const auto i = static_cast<std::size_t>(k);
      top += "L" + plot::px(x(places[i])) + " " + plot::px(floor - (floor - ceiling) * heights[i] / highest);
    }
    top += "L" + plot::px(right) + " " + plot::px(floor - (floor - ceiling) * heights.back() / highest) + "V24z";
    body_ += "<path class=\"k0 o5\" d=\"" + top + "\"/>";
  }

  std::string body_;
};

std::string in_words(const Distribution& distribution) {
  if (distribution.kind == DistributionKind::table) return "table " + escape(distribution.table);
  std::string text(to_name(distribution.kind));
  text += " (";
  for (std::size_t k = 0; k < distribution.values.size() && k < 12; ++k)
    text += (k > 0 ? ", " : "") + cell_of(distribution.values[k], 6);
  return text + (distribution.values.size() > 12 ? ", …)" : ")");
}

std::string error_cell(const RunView& run, const std::string& name) {
  const tell::StepError* error = run.step_error_of(name);
  if (error == nullptr) return "unknown";
  return std::isnan(error->at_most) ? cell_of(error->step_error, 2) : "&lt; " + cell_of(error->at_most, 2);
}

}  // namespace

std::string html_parameters(const RunView& run, std::size_t most) {
  const auto& s = run.scenario;
  std::vector<std::vector<std::string>> rows;
  const auto unit = [&](const std::string& name) { return escape(unit_of(s, name)); };
  const auto name_of = [&](int parameter) { return s.names.parameters[static_cast<std::size_t>(parameter)]; };
  const auto shown = [&](const std::string& name) {
    const std::string letter = pretty(name);
    return escape(letter) + (letter == name ? "" : " <span class=\"soft\">" + escape(name) + "</span>");
  };
  for (const auto& variation : s.vary)
    if (rows.size() < most)
      rows.push_back({shown(name_of(variation.parameter)), escape(in_words(variation.distribution)),
                      Thumbnail().of(variation.distribution), unit(name_of(variation.parameter))});
  for (const auto& axis : s.sweep)
    rows.push_back({shown(name_of(axis.parameter)),
                    "swept: " + counted(static_cast<std::int64_t>(axis.values.size()), "value") + ", " +
                        cell_of(axis.values.front()) + " … " + cell_of(axis.values.back()),
                    "", unit(name_of(axis.parameter))});
  for (const auto& computed : s.computed)
    if (!run.is_parameter(computed.name))
      rows.push_back({shown(computed.name), escape(computed.formula.text), "computed", unit(computed.name)});
  const std::size_t before = rows.size();
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < s.names.parameters.size(); ++i) {
    const std::string& name = s.names.parameters[i];
    const bool computed =
        std::any_of(s.computed.begin(), s.computed.end(), [&](const auto& one) { return one.name == name; });
    if (run.is_parameter(name) || computed) continue;
    if (rows.size() - before < most)
      rows.push_back({shown(name), cell_of(s.defaults[i], 8), "fixed", unit(name)});
    else
      ++left_out;
  }
  std::vector<std::string> head = {"parameter", "value", "", "unit"};
  if (s.units.empty()) {
    head.pop_back();
    for (auto& row : rows) row.pop_back();
  }
  std::string out = rows.empty() ? "<p>None.</p>" : html_table(head, rows, "words");
  if (left_out > 0)
    out += "<p class=\"note\">… and " + counted(static_cast<std::int64_t>(left_out)) +
           " more fixed ones, in scenario.toml.</p>";
  for (const auto& correlation : s.correlation)
    out += "<p class=\"note\">Correlation of " + escape(pretty(name_of(correlation.first))) + " and " +
           escape(pretty(name_of(correlation.second))) + ": " + cell_of(correlation.value) + " (normal copula).</p>";
  return out;
}

std::string html_how(const Runs& runs, Spelling spelling) {
  std::vector<std::string> head = {""};
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const auto& text_of) {
    auto& row = rows.emplace_back(std::vector<std::string>{name});
    for (const RunView& run : runs) row.push_back(text_of(run));
  };
  for (const RunView& run : runs) head.push_back(escape(run.label));
  add("members", [](const RunView& run) { return counted(run.summary.members); });
  add("ended", [](const RunView& run) {
    std::string text;
    for (const auto& one : run.summary.status)
      text += (text.empty() ? "" : "<br>") + counted(one.members) + " " + std::string(to_name(one.status));
    return text;
  });
  if (std::any_of(runs.begin(), runs.end(), [](const RunView& run) { return !run.has_members(); }))
    add("kept", [](const RunView& run) {
      return run.has_members() ? "members" : "statistics alone: nothing is drawn of single members but those recorded";
    });
  add("sampler, seed", [](const RunView& run) {
    const std::string design = run.summary.design.method;
    return (design.empty() ? std::string(to_name(run.scenario.ensemble.sampler)) : escape(design)) + ", " +
           std::to_string(run.summary.run.seed);
  });
  add("time", [](const RunView& run) {
    return "0 … " + cell_of(run.scenario.end, 8) + " in " + counted(run.summary.run.steps) + " steps of " +
           cell_of(run.summary.run.step, 8);
  });
  add("executor",
      [](const RunView& run) { return escape(run.summary.run.backend + ", " + run.summary.run.precision); });
  add("device", [](const RunView& run) { return escape(run.summary.run.device); });
  add("took", [](const RunView& run) {
    const auto& timing = run.summary.timing;
    const double rate = static_cast<double>(run.summary.members) * static_cast<double>(run.summary.run.steps) /
                        std::max(timing.solve_seconds, 1e-9);
    return format_duration(timing.wall_seconds) + ", " + format_duration(timing.solve_seconds) +
           " of it for the members; " + cell_of(rate, 3) + " member·steps/s";
  });
  add("version", [](const RunView& run) { return "conesweep " + escape(run.summary.run.version); });
  add("run", [](const RunView& run) { return "<code>" + escape(run.summary.run.identity) + "</code>"; });
  add("again by", [spelling](const RunView& run) {
    const std::string& method = run.summary.design.method;
    Sentence command = "conesweep " + std::string(method.empty() ? "run" : "sensitivity") + " scenario.toml " +
                       setting::backend(run.summary.run.backend);
    if (run.summary.run.precision != "double") command += " " + setting::precision(run.summary.run.precision);
    if (method == "morris") command += " " + setting::method(method);
    return "<code>" + escape(command.text(spelling)) + "</code>, with the file in the run's folder";
  });
  if (runs.size() == 1) head.clear();
  return html_table(head, rows, "words");
}

namespace {

// What is beside the largest value nothing but rounding is 0 to a reader.
std::string value_cell(const statistics::Summary& s, double value, int digits = 5) {
  const double largest = std::max(std::fabs(s.min), std::fabs(s.max));
  return cell_of(std::fabs(value) < 1e-12 * largest ? 0 : value, digits);
}

}  // namespace

std::string describe(const RunView& run, const std::string& observable) {
  const statistics::Summary& s = *run.statistics_of(observable);
  const tell::StepError* step = run.step_error_of(observable);
  std::string text = "Mean " + value_cell(s, s.mean, 4);
  if (!std::isnan(s.standard_error)) text += " ± " + cell_of(s.standard_error, 2) + " (sampling)";
  if (step != nullptr && !std::isnan(step->step_error))
    text += std::isnan(step->at_most) ? " ± " + cell_of(step->step_error, 2) + " (step)"
                                      : ", step error below " + cell_of(step->at_most, 2);
  return text + ", median " + value_cell(s, quantile_of(s, 0.5), 4) + ", 90 % within " +
         value_cell(s, quantile_of(s, 0.05), 4) + " … " + value_cell(s, quantile_of(s, 0.95), 4) +
         ", n = " + counted(s.count) + ".";
}

std::string html_statistics(const RunView& run, std::size_t most) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, s] : run.summary.observables) {
    if (rows.size() == most) break;
    const std::string unit = unit_of(run.scenario, name);
    rows.push_back({escape(name) + (unit.empty() ? "" : " <span class=\"soft\">" + escape(unit) + "</span>"),
                    value_cell(s, s.mean), value_cell(s, s.standard_error, 2), error_cell(run, name),
                    value_cell(s, s.standard_deviation), value_cell(s, s.min), value_cell(s, quantile_of(s, 0.05)),
                    value_cell(s, quantile_of(s, 0.5)), value_cell(s, quantile_of(s, 0.95)), value_cell(s, s.max),
                    counted(s.count)});
  }
  Sheet sheet;
  sheet.head = {"observable", "mean", "standard_error", "step_error", "standard_deviation", "min", "q05", "median",
                "q95",        "max",  "count"};
  for (const auto& [name, s] : run.summary.observables) {
    const tell::StepError* error = run.step_error_of(name);
    auto& row = sheet.rows.emplace_back(std::vector<std::string>{name});
    for (const double value :
         {s.mean, s.standard_error, error == nullptr ? std::nan("") : error->step_error, s.standard_deviation, s.min,
          quantile_of(s, 0.05), quantile_of(s, 0.5), quantile_of(s, 0.95), s.max})
      row.push_back(format_number(value));
    row.push_back(std::to_string(s.count));
  }
  std::string out = html_table(
      {"observable", "mean", "± sampling", "± step", "deviation", "min", "5 %", "median", "95 %", "max", "count"},
      rows);
  const std::size_t all = run.summary.observables.size();
  if (rows.size() < all)
    out += "<p class=\"note\">… and " + counted(static_cast<std::int64_t>(all - rows.size())) +
           " more, in summary.json.</p>";
  if (all <= most) out += "<p>" + csv_link(sheet.to_csv(), run.label + "-statistics.csv") + "</p>";
  return out +
         "<p class=\"note\">Over the members that ended well. ± sampling: standard error of the mean; ± step: what the "
         "step costs the mean, from members " +
         "repeated at half of it. What is less than 10⁻¹² of the largest value is shown as 0; the CSV has it.</p>";
}

std::vector<Sentence> find_warnings(const RunView& run) {
  std::vector<Sentence> found;
  const auto add = [&](const Sentence& sentence) {
    if (!sentence.empty()) found.push_back(sentence);
  };
  add(warn_of_stopped(run));
  add(warn_of_step(run));
  add(warn_of_flags(run));
  add(warn_of_gain(run));
  add(warn_of_studies(run));
  return found;
}

}  // namespace conesweep::report
