#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "io/run_folder.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::io {

namespace {

using executor::Status;
using nlohmann::ordered_json;

/// JSON for people: a list of numbers, or an object of numbers and words, on one line.
void print(const ordered_json& json, const std::string& indent, std::string& text) {
  const auto is_short = [](const ordered_json& part) {
    return std::none_of(part.begin(), part.end(), [](const auto& value) { return value.is_structured(); });
  };
  if (!json.is_structured()) {
    text += json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);  // nan and inf become null
    return;
  }
  const bool one_line = is_short(json);
  const std::string deeper = indent + "  ";
  const char* separator = "";
  text += json.is_object() ? "{" : "[";
  for (const auto& item : json.items()) {
    text += separator;
    text += one_line ? (*separator == 0 ? "" : " ") : "\n" + deeper;
    if (json.is_object()) text += ordered_json(item.key()).dump(-1, ' ', false, ordered_json::error_handler_t::replace) + ": ";
    print(item.value(), deeper, text);
    separator = ",";
  }
  if (!one_line) text += "\n" + indent;
  text += json.is_object() ? "}" : "]";
}

ordered_json to_json(const statistics::Summary& summary) {
  ordered_json quantiles = ordered_json::object();
  for (std::size_t q = 0; q < summary.quantiles.size(); ++q) quantiles[format_number(statistics::quantile_levels[q])] = summary.quantiles[q];
  return {{"count", summary.count},
          {"mean", summary.mean},
          {"standard_deviation", summary.standard_deviation},
          {"standard_error", summary.standard_error},
          {"skewness", summary.skewness},
          {"min", summary.min},
          {"max", summary.max},
          {"quantiles", std::move(quantiles)},
          {"histogram", {{"edges", summary.histogram.edges}, {"counts", summary.histogram.counts}}}};
}

ordered_json to_json(const TrackSummary& track, std::size_t times) {
  ordered_json quantiles = ordered_json::object();
  for (std::size_t level = 0; level * times < track.quantiles.size(); ++level) {
    const auto first = track.quantiles.begin() + static_cast<std::ptrdiff_t>(level * times);
    quantiles[format_number(statistics::quantile_levels[level])] = std::vector<double>(first, first + static_cast<std::ptrdiff_t>(times));
  }
  return {{"count", track.count}, {"mean", track.mean}, {"standard_deviation", track.standard_deviation}, {"quantiles", std::move(quantiles)}};
}

/// Of all that a summary says but `timing`, which differs from run to run.
std::string summary_checksum(ordered_json json) {
  json.erase("timing");
  json["run"].erase("checksum");
  return text_checksum(format_json(json));
}

}  // namespace

RunSummary summarise_run(const RunData& run, statistics::Engine& engine, const std::function<bool(std::int64_t)>& counts_as) {
  const std::vector<Status> all = run.status();
  RunSummary summary;
  summary.members = static_cast<std::int64_t>(all.size());

  // statuses that occur, and ok
  std::vector<StatusCount> counts(executor::status_count);
  for (std::size_t member = 0; member < all.size(); ++member) {
    StatusCount& count = counts[static_cast<std::size_t>(all[member])];
    if (count.members++ == 0) count.first = static_cast<std::int64_t>(member);
  }
  for (std::size_t code = 0; code < counts.size(); ++code) {
    counts[code].status = static_cast<Status>(code);
    if (counts[code].status == Status::ok || counts[code].members > 0) summary.status.push_back(counts[code]);
  }
  if (summary.stopped() > 0) {
    const auto value_of = [](const std::vector<double>& column, const StatusCount& count) { return column[static_cast<std::size_t>(count.first)]; };
    const auto stop_times = run.stop_time();
    for (auto& count : summary.status)
      if (count.first >= 0) count.stop_time = value_of(stop_times, count);
    for (std::size_t v = 0; v < run.scenario.vary.size(); ++v) {
      const auto column = run.parameter(v);
      for (auto& count : summary.status)
        if (count.first >= 0) count.varied.push_back(value_of(column, count));
    }
  }

  const auto names = observable_names(run.scenario);
  const auto select = [&](auto column) {
    if (!counts_as) return column;
    std::size_t kept = 0;
    for (std::size_t m = 0; m < column.size(); ++m)
      if (counts_as(static_cast<std::int64_t>(m))) column[kept++] = column[m];
    column.resize(kept);
    return column;
  };
  const std::vector<Status> drawn = select(all);
  for (std::size_t o = 0; o < names.size(); ++o)
    summary.observables.emplace_back(names[o], statistics::summarise_and_discard(select(run.observable(o)), drawn, engine));

  for (std::int64_t k = 0; k < run.recorded_times(); ++k) summary.times.push_back(run.scenario.time(k * run.scenario.record.every));
  for (std::size_t c = 0; c < run.scenario.names.coordinates.size(); ++c) {
    const statistics::TrackMoments moments = run.track_moments(c);
    if (moments.mean.empty()) continue;
    summary.tracks.push_back({run.scenario.names.coordinates[c], moments.count, moments.mean, standard_deviations(moments), run.track_bands(c, engine)});
  }
  return summary;
}

std::string summary_json(const RunData& run, const RunSummary& summary, const Timing& timing) {
  return summary_json(run, summary, timing, ordered_json::object());
}

std::string format_json(const ordered_json& json) {
  std::string text;
  print(json, "", text);
  return text + "\n";
}

std::string summary_json(const RunData& run, const RunSummary& summary, const Timing& timing, const ordered_json& more) {
  const auto& scenario = run.scenario;
  ordered_json status = ordered_json::object();
  for (const auto& count : summary.status) status[std::string(to_name(count.status))] = count.members;
  ordered_json observables = ordered_json::object();
  for (const auto& [name, observable] : summary.observables) observables[name] = to_json(observable);

  const double member_steps = static_cast<double>(summary.members) * static_cast<double>(scenario.steps);
  ordered_json json;
  json["title"] = scenario.title;
  json["members"] = summary.members;
  json["status"] = std::move(status);
  json["observables"] = std::move(observables);
  if (!summary.tracks.empty()) {
    // bands over the first block of members only
    ordered_json tracks = {{"quantile_members", std::min<std::int64_t>(summary.members, statistics::block_members)}, {"time", summary.times}};
    for (const auto& track : summary.tracks) tracks[track.name] = to_json(track, summary.times.size());
    json["trajectories"] = std::move(tracks);
  }
  for (const auto& entry : more.items()) json[entry.key()] = entry.value();
  json["run"] = {{"version", version()},           {"backend", run.backend}, {"device", run.device},   {"precision", run.precision},
                 {"seed", scenario.ensemble.seed}, {"step", scenario.step},  {"steps", scenario.steps}};
  if (!run.identity.empty()) {
    json["run"]["identity"] = run.identity;
    for (const auto& table : list_tables(scenario)) json["run"]["tables"][table.name] = text_checksum(*table.bytes);
    json["run"]["checksum"] = summary_checksum(json);
  }
  json["timing"] = {{"wall_seconds", timing.wall_seconds},
                    {"compile_seconds", timing.compile_seconds},
                    {"solve_seconds", timing.solve_seconds},
                    {"member_steps_per_second", member_steps / timing.solve_seconds}};
  return format_json(json);
}

ordered_json read_summary(const std::filesystem::path& file) {
  const std::string again = "; start over with --force, or choose another folder with --out";
  auto json = ordered_json::parse(read_bytes(file), nullptr, false);
  if (!json.is_object() || !json.contains("run") || !json["run"].is_object()) throw InputError(file.string() + " is no summary of a run" + again);
  if (json["run"].value("checksum", ordered_json()) != summary_checksum(json))
    throw InputError(file.string() + " is not as it was written: its checksum does not fit" + again);
  return json;
}

std::string version() { return CONESWEEP_VERSION; }

}  // namespace conesweep::io
