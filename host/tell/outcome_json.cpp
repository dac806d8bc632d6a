#include "tell/outcome_json.hpp"

#include "support/text.hpp"
#include "tell/json_values.hpp"

namespace conesweep::tell {

using nlohmann::ordered_json;

namespace {

ordered_json point_json(const PointStatistics& summary) {
  ordered_json quantiles = ordered_json::object();
  for (const double level : point_levels) quantiles[format_number(level)] = quantile_of(summary, level);
  ordered_json json = {{"count", summary.count},
                       {"mean", summary.mean},
                       {"standard_deviation", summary.standard_deviation},
                       {"standard_error", summary.standard_error},
                       {"trimmed_mean", summary.trimmed_mean},
                       {"min", summary.min},
                       {"max", summary.max},
                       {"quantiles", std::move(quantiles)}};
  if (summary.quantile_error > 0) json["quantile_error"] = summary.quantile_error;
  return json;
}

ordered_json to_json(const Reach& reach) {
  return {{"min", reach.lower}, {"median", reach.median}, {"max", reach.upper}};
}

Reach to_reach(const ordered_json& json) {
  Reach reach;
  get(json, "min", reach.lower);
  get(json, "median", reach.median);
  get(json, "max", reach.upper);
  return reach;
}

PointStatistics to_point_statistics(const ordered_json& json) {
  PointStatistics s;
  get(json, "count", s.count);
  get(json, "mean", s.mean);
  get(json, "standard_deviation", s.standard_deviation);
  get(json, "standard_error", s.standard_error);
  get(json, "trimmed_mean", s.trimmed_mean);
  get(json, "min", s.min);
  get(json, "max", s.max);
  for (std::size_t q = 0; q < std::size(point_levels); ++q) {
    s.quantiles[q] = std::numeric_limits<double>::quiet_NaN();
    get(part(json, "quantiles"), format_number(point_levels[q]).c_str(), s.quantiles[q]);
  }
  get(json, "quantile_error", s.quantile_error);
  return s;
}

}  // namespace

ordered_json to_json(const std::vector<keep::ClassCount>& classes) {
  ordered_json json = ordered_json::object();
  for (const keep::ClassCount& one : classes) {
    json[one.name] = {{"members", one.members}, {"share", one.share}};
    if (one.has_interval) json[one.name]["interval"] = {one.interval.lower, one.interval.upper};
  }
  return json;
}

std::vector<keep::ClassCount> to_classes(const ordered_json& json) {
  std::vector<keep::ClassCount> classes;
  for (const auto& item : json.items()) {
    keep::ClassCount& one = classes.emplace_back();
    one.name = item.key();
    get(item.value(), "members", one.members);
    get(item.value(), "share", one.share);
    std::vector<double> ends;
    get(item.value(), "interval", ends);
    one.has_interval = ends.size() == 2;
    if (one.has_interval) one.interval = {ends[0], ends[1]};
  }
  return classes;
}

ordered_json to_json(const SweepSummary& sweep) {
  ordered_json json = {{"axes", ordered_json::object()}, {"members", sweep.members}, {"points", nullptr}};
  for (const auto& [name, values] : sweep.axes) json["axes"][name] = values;
  return json;
}

ordered_json to_json(const PointSummary& point, const SweepSummary& sweep) {
  ordered_json json = {
      {"values", ordered_json::object()}, {"status", ordered_json::object()}, {"observables", ordered_json::object()}};
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    json["values"][sweep.axes[axis].first] = point.values[axis];
  for (const auto& [status, members] : point.status) json["status"][std::string(to_name(status))] = members;
  for (const auto& [name, observable] : point.observables) json["observables"][name] = point_json(observable);
  if (!point.classes.empty()) json["classes"] = to_json(point.classes);
  return json;
}

std::vector<ordered_json> list_numbers(const PointSummary& point) {
  std::vector<ordered_json> numbers(point.values.begin(), point.values.end());
  for (const auto& [status, members] : point.status) numbers.emplace_back(members);
  for (const auto& [name, s] : point.observables) {
    numbers.emplace_back(s.count);
    for (const double number : {s.mean, s.standard_deviation, s.standard_error, s.trimmed_mean, s.min, s.max})
      numbers.emplace_back(number);
    for (const double quantile : s.quantiles) numbers.emplace_back(quantile);
    if (s.quantile_error > 0) numbers.emplace_back(s.quantile_error);
  }
  for (const keep::ClassCount& one : point.classes) {
    numbers.emplace_back(one.members);
    numbers.emplace_back(one.share);
    if (one.has_interval) numbers.emplace_back(one.interval.lower), numbers.emplace_back(one.interval.upper);
  }
  return numbers;
}

SweepSummary to_sweep(const ordered_json& json) {
  SweepSummary sweep;
  get(json, "members", sweep.members);
  for (const auto& item : part(json, "axes").items()) {
    sweep.axes.emplace_back(item.key(), std::vector<double>());
    get(json["axes"], item.key().c_str(), sweep.axes.back().second);
  }
  return sweep;
}

PointSummary to_point(const ordered_json& json) {
  PointSummary point;
  for (const auto& row : scenario::statuses)
    if (part(json, "status").contains(std::string(row.name)))
      get(part(json, "status"), row.name.data(), point.status.emplace_back(row.value, 0).second);
  for (const auto& item : part(json, "observables").items())
    point.observables.emplace_back(item.key(), to_point_statistics(item.value()));
  point.classes = to_classes(part(json, "classes"));
  return point;
}

ordered_json to_json(const std::vector<StoppedReach>& stopped) {
  ordered_json json = ordered_json::object();
  for (const StoppedReach& where : stopped)
    json[where.parameter] = {{"stopped", to_json(where.stopped)}, {"all", to_json(where.all)}};
  return json;
}

std::vector<StoppedReach> to_stopped(const ordered_json& json) {
  std::vector<StoppedReach> stopped;
  for (const auto& item : json.items())
    stopped.push_back({item.key(), to_reach(part(item.value(), "stopped")), to_reach(part(item.value(), "all"))});
  return stopped;
}

}  // namespace conesweep::tell
