#include "tell/statistics_json.hpp"

#include <algorithm>
#include <limits>

#include "support/text.hpp"
#include "tell/json_values.hpp"

namespace conesweep::tell {

using nlohmann::ordered_json;

namespace {

ordered_json to_json(const TrackSummary& track, std::size_t times) {
  ordered_json quantiles = ordered_json::object();
  for (std::size_t level = 0; level * times < track.quantiles.size(); ++level) {
    const auto first = track.quantiles.begin() + static_cast<std::ptrdiff_t>(level * times);
    quantiles[format_number(statistics::quantile_levels[level])] =
        std::vector<double>(first, first + static_cast<std::ptrdiff_t>(times));
  }
  return {{"count", track.count},
          {"mean", track.mean},
          {"standard_deviation", track.standard_deviation},
          {"quantiles", std::move(quantiles)}};
}

TrackSummary to_track(const std::string& name, const ordered_json& json) {
  TrackSummary track;
  track.name = name;
  get(json, "count", track.count);
  get(json, "mean", track.mean);
  get(json, "standard_deviation", track.standard_deviation);
  for (const auto& curve : part(json, "quantiles"))
    for (const auto& value : curve) track.quantiles.push_back(to_double(value));
  return track;
}

ordered_json to_json(const StepError& error) {
  return {{"compared", error.compared},     {"changed", error.changed},
          {"difference", error.difference}, {"difference_error", error.difference_error},
          {"step_error", error.step_error}, {"step_error_at_most", error.at_most},
          {"is_large", error.is_large}};
}

StepError to_step_error(const std::string& name, const ordered_json& json) {
  StepError error;
  error.name = name;
  error.at_most = std::numeric_limits<double>::quiet_NaN();
  get(json, "compared", error.compared);
  get(json, "changed", error.changed);
  get(json, "difference", error.difference);
  get(json, "difference_error", error.difference_error);
  get(json, "step_error", error.step_error);
  get(json, "step_error_at_most", error.at_most);
  get(json, "is_large", error.is_large);
  return error;
}

}  // namespace

ordered_json to_json(const statistics::Summary& summary) {
  ordered_json quantiles = ordered_json::object();
  for (std::size_t q = 0; q < summary.quantiles.size(); ++q)
    quantiles[format_number(statistics::quantile_levels[q])] = summary.quantiles[q];
  ordered_json json = {{"count", summary.count},
                       {"mean", summary.mean},
                       {"standard_deviation", summary.standard_deviation},
                       {"standard_error", summary.standard_error},
                       {"skewness", summary.skewness},
                       {"trimmed_mean", summary.trimmed_mean},
                       {"min", summary.min},
                       {"max", summary.max},
                       {"quantiles", std::move(quantiles)}};
  if (summary.quantile_error > 0) json["quantile_error"] = summary.quantile_error;
  json["histogram"] = {{"edges", summary.histogram.edges}, {"counts", summary.histogram.counts}};
  return json;
}

statistics::Summary to_statistics(const ordered_json& json) {
  statistics::Summary summary;
  get(json, "count", summary.count);
  get(json, "mean", summary.mean);
  get(json, "standard_deviation", summary.standard_deviation);
  get(json, "standard_error", summary.standard_error);
  get(json, "skewness", summary.skewness);
  get(json, "trimmed_mean", summary.trimmed_mean);
  get(json, "min", summary.min);
  get(json, "max", summary.max);
  for (const auto& quantile : part(json, "quantiles")) summary.quantiles.push_back(to_double(quantile));
  get(json, "quantile_error", summary.quantile_error);
  get(part(json, "histogram"), "edges", summary.histogram.edges);
  get(part(json, "histogram"), "counts", summary.histogram.counts);
  return summary;
}

ordered_json tracks_json(const Summary& summary) {
  // bands over the first block of members only
  ordered_json json = {{"quantile_members", std::min<std::int64_t>(summary.members, statistics::block_members)},
                       {"time", summary.times}};
  for (const auto& track : summary.tracks) json[track.name] = to_json(track, summary.times.size());
  return json;
}

void get_tracks(const ordered_json& json, Summary& summary) {
  get(json, "time", summary.times);
  for (const auto& item : json.items())
    if (item.key() != "quantile_members" && item.key() != "time")
      summary.tracks.push_back(to_track(item.key(), item.value()));
}

ordered_json to_json(const StepCheck& check) {
  ordered_json json = {{"members", check.members}, {"step", check.step}, {"advised_step", check.advised_step}};
  for (const auto& o : check.observables) json["observables"][o.name] = to_json(o);
  for (const auto& one : check.classes) json["classes"][one.name] = to_json(one);
  return json;
}

StepCheck to_step_check(const ordered_json& json) {
  StepCheck check;
  get(json, "members", check.members);
  get(json, "step", check.step);
  get(json, "advised_step", check.advised_step);
  for (const auto& item : part(json, "observables").items())
    check.observables.push_back(to_step_error(item.key(), item.value()));
  for (const auto& item : part(json, "classes").items())
    check.classes.push_back(to_step_error(item.key(), item.value()));
  return check;
}

}  // namespace conesweep::tell
