#include "tell/summary_file.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "io/json_text.hpp"
#include "keep/run_folder.hpp"
#include "keep/summary_pieces.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/json_values.hpp"
#include "tell/outcome_json.hpp"
#include "tell/sensitivity_json.hpp"
#include "tell/statistics_json.hpp"

namespace conesweep::tell {
namespace {

using executor::Status;
using nlohmann::ordered_json;
using sensitivity::Index;

// ---- run and timing ------------------------------------------------------------------------------------------------

// Of all that a summary says but `timing`, which differs from run to run.
std::string checksum_of(ordered_json json, const LongText& points, const Sink& pass_on = {}) {
  json.erase("timing");
  json["run"].erase("checksum");
  return keep::checksum_with_points(io::format_json(json), points, pass_on);
}

void put_run(const RunFacts& run, ordered_json& json) {
  json["run"] = {{"version", run.version},     {"backend", run.backend}, {"device", run.device},
                 {"precision", run.precision}, {"seed", run.seed},       {"step", run.step},
                 {"steps", run.steps},         {"ranks", run.ranks},     {"threads", run.threads}};
  if (run.identity.empty()) return;
  json["run"]["identity"] = run.identity;
  for (const auto& [name, checksum] : run.tables) json["run"]["tables"][name] = checksum;
}

RunFacts to_facts(const ordered_json& json) {
  RunFacts run;
  get(json, "version", run.version);
  get(json, "backend", run.backend);
  get(json, "device", run.device);
  get(json, "precision", run.precision);
  get(json, "seed", run.seed);
  get(json, "step", run.step);
  get(json, "steps", run.steps);
  get(json, "ranks", run.ranks);
  get(json, "threads", run.threads);
  get(json, "identity", run.identity);
  run.tables = keep::to_tables(json);
  return run;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

std::vector<StatusCount> to_statuses(const ordered_json& json) {
  std::vector<StatusCount> counts(1);  // ok
  for (int code = 0; code < executor::status_count; ++code) {
    const std::string name(to_name(static_cast<Status>(code)));
    if (!json.contains(name)) continue;
    if (code > 0) counts.emplace_back();
    counts.back().status = static_cast<Status>(code);
    get(json, name.c_str(), counts.back().members);
  }
  return counts;
}

Summary to_summary(const ordered_json& json) {
  Summary summary;
  get(json, "title", summary.title);
  get(json, "members", summary.members);
  summary.status = to_statuses(part(json, "status"));
  for (const auto& row : scenario::flags) {
    if (!json.contains("flags")) break;
    summary.flags.push_back({row.value, 0});
    if (part(json, "flags").contains(std::string(row.name)))
      get(part(json, "flags"), std::string(row.name).c_str(), summary.flags.back().members);
  }
  for (const auto& item : part(json, "observables").items())
    summary.observables.emplace_back(item.key(), to_statistics(item.value()));
  summary.classes = to_classes(part(json, "classes"));
  summary.sweep = to_sweep(part(json, "sweep"));
  // of a text that was made anew
  for (const auto& point : part(part(json, "sweep"), "points")) summary.sweep.add(to_point(point));
  get_tracks(part(json, "trajectories"), summary);
  if (json.contains("step_check")) summary.steps = to_step_check(json["step_check"]);
  for (StepError& error : summary.steps.observables)
    for (const auto& [name, statistics] : summary.observables)
      if (name == error.name) error.sampling_error = statistics.standard_error;
  for (StepError& error : summary.steps.classes)
    for (const keep::ClassCount& one : summary.classes)
      if (one.name == error.name)
        error.sampling_error =
            one.has_interval ? one.interval.half_width() / 2 : std::numeric_limits<double>::quiet_NaN();
  get_sensitivity(json, summary);
  summary.run = to_facts(json["run"]);
  const ordered_json& timing = part(json, "timing");
  get(timing, "wall_seconds", summary.timing.wall_seconds);
  get(timing, "compile_seconds", summary.timing.compile_seconds);
  get(timing, "solve_seconds", summary.timing.solve_seconds);
  return summary;
}

// ---- is it whole? --------------------------------------------------------------------------------------------------

constexpr std::size_t levels = std::size(statistics::quantile_levels);

bool fits(const statistics::Summary& s) {
  const auto& [edges, counts] = s.histogram;
  return s.count >= 0 && s.quantiles.size() == levels && edges.size() == counts.size() + (counts.empty() ? 0 : 1);
}

bool fits(const TrackSummary& track, std::size_t times) {
  return track.mean.size() == times && track.standard_deviation.size() == times &&
         track.quantiles.size() == levels * times;
}

// every axis has values; whether all points are there is known to who reads them
bool fits(const SweepSummary& sweep) {
  return sweep.members >= 0 &&
         std::none_of(sweep.axes.begin(), sweep.axes.end(), [](const auto& axis) { return axis.second.empty(); });
}

bool fits(const Design& design, const Summary& summary) {
  if (design.method.empty()) return design.members_a_group == 1 && summary.rows.empty();
  return design.members_a_group >= 1 && !summary.parameters.empty();
}

// Do the parts of a summary fit each other, as those of every summary do that a run made? As many quantiles as there
// are levels, a point of a sweep for every combination of its values, … Whoever reads a summary from a file asks this
// first, and may then go by one part through another.
bool is_coherent(const Summary& summary) {
  return summary.members >= 0 &&
         std::all_of(summary.status.begin(), summary.status.end(),
                     [](const StatusCount& one) { return one.members >= 0; }) &&
         std::all_of(summary.observables.begin(), summary.observables.end(),
                     [](const auto& one) { return fits(one.second); }) &&
         fits(summary.sweep) &&
         std::all_of(summary.tracks.begin(), summary.tracks.end(),
                     [&](const TrackSummary& track) { return fits(track, summary.times.size()); }) &&
         fits(summary.design, summary);
}

}  // namespace

void write_json(const Summary& summary, const Sink& sink) {
  ordered_json status = ordered_json::object();
  for (const auto& count : summary.status) status[std::string(to_name(count.status))] = count.members;
  ordered_json flags = ordered_json::object();
  for (std::size_t k = 0; k < summary.flags.size(); ++k)
    flags[std::string(scenario::flags[k].name)] = summary.flags[k].members;
  ordered_json observables = ordered_json::object();
  for (const auto& [name, observable] : summary.observables) observables[name] = to_json(observable);

  ordered_json json;
  json["title"] = summary.title;
  json["members"] = summary.members;
  json["status"] = std::move(status);
  if (!summary.flags.empty()) json["flags"] = std::move(flags);
  json["observables"] = std::move(observables);
  if (!summary.classes.empty()) json["classes"] = to_json(summary.classes);
  if (!summary.sweep.axes.empty()) json["sweep"] = to_json(summary.sweep);
  if (!summary.tracks.empty()) json["trajectories"] = tracks_json(summary);
  if (!summary.steps.observables.empty()) json["step_check"] = to_json(summary.steps);
  put_sensitivity(summary, json);
  put_run(summary.run, json);
  const double member_steps = static_cast<double>(summary.members) * static_cast<double>(summary.run.steps);
  json["timing"] = {{"wall_seconds", summary.timing.wall_seconds},
                    {"compile_seconds", summary.timing.compile_seconds},
                    {"solve_seconds", summary.timing.solve_seconds},
                    {"member_steps_per_second", member_steps / summary.timing.solve_seconds}};
  // of a sweep the checksum is there when its points are written
  const LongText points = points_text(summary.sweep);
  const bool is_long = summary.sweep.points() > 0, is_sealed = !summary.run.identity.empty();
  if (is_sealed) json["run"]["checksum"] = checksum_of(json, points, is_long ? sink : Sink());
  const auto [before, after] = keep::cut_at_points(io::format_json(json));
  if (!is_long || !is_sealed) sink(before);
  if (is_long && !is_sealed) points(sink);
  sink(after);
}

std::string to_json_text(const Summary& summary) {
  std::string text;
  write_json(summary, [&](std::string_view piece) { text += piece; });
  return text;
}

Summary read_summary(const std::filesystem::path& file, Points points) {
  const Sentence again = "; start over with " + setting::force + ", or choose another folder with " + setting::out;
  const keep::SummaryPieces pieces(file);
  const auto json = ordered_json::parse(pieces.text(), nullptr, false);
  const auto no_summary = [&] { return InputError(file.string() + " is no summary of a run" + again); };
  if (!json.is_object() || !json.contains("run") || !json["run"].is_object()) throw no_summary();
  if (json["run"].value("checksum", ordered_json()) != checksum_of(json, pieces.points()))
    throw InputError(file.string() + " is not as it was written: its checksum does not fit" + again);
  try {
    Summary summary = to_summary(json);
    if (!summary.sweep.axes.empty() && points != Points::skip) {
      pieces.for_each_point([&](const std::string& point) { summary.sweep.add(to_point(ordered_json::parse(point))); });
      if (!summary.sweep.is_whole()) throw no_summary();
    }
    if (!is_coherent(summary)) throw no_summary();
    return summary;
  } catch (const ordered_json::exception&) {  // words that mean something else in another version
    throw no_summary();
  } catch (const std::domain_error&) {
    throw no_summary();
  }
}

}  // namespace conesweep::tell
