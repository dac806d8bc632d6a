#include "tell/sweep_summary.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "support/error.hpp"
#include "support/special_numbers.hpp"
#include "tell/summary.hpp"

namespace conesweep::tell {

using executor::Status;

PointStatistics statistics_of_point(const statistics::Summary& summary) {
  PointStatistics point{summary.count,
                        summary.mean,
                        summary.standard_deviation,
                        summary.standard_error,
                        summary.trimmed_mean,
                        summary.min,
                        summary.max,
                        {},
                        summary.quantile_error};
  for (std::size_t q = 0; q < std::size(point_levels); ++q) point.quantiles[q] = quantile_of(summary, point_levels[q]);
  return point;
}

double quantile_of(const PointStatistics& statistics, double level) {
  const auto found = std::find(std::begin(point_levels), std::end(point_levels), level);
  CS_ASSERT(found != std::end(point_levels));
  return statistics.quantiles[found - std::begin(point_levels)];
}

bool SweepSummary::is_whole() const {
  double all = 1;
  for (const auto& [name, values] : axes) all *= static_cast<double>(values.size());
  return static_cast<double>(points_) == all;
}

PointSummary SweepSummary::point(std::size_t k) const {
  PointSummary point;
  std::size_t after = k;  // the last axis runs fastest
  for (auto axis = axes.rbegin(); axis != axes.rend(); after /= axis->second.size(), ++axis)
    point.values.insert(point.values.begin(), axis->second[after % axis->second.size()]);
  for (const auto& [status, column] : status_)
    if (column[k] > 0 || status == Status::ok) point.status.emplace_back(status, column[k]);
  for (const auto& [name, column] : observables_) point.observables.emplace_back(name, column[k]);
  for (const ClassColumn& one : classes_) {
    if (one.members[k] < 0) continue;
    keep::ClassCount& count = point.classes.emplace_back(
        keep::ClassCount{one.name, one.members[k], static_cast<double>(one.members[k]) / static_cast<double>(members)});
    count.has_interval = !one.interval.empty();
    if (count.has_interval) count.interval = one.interval[k];
  }
  return point;
}

void SweepSummary::add(const PointSummary& point) {
  // a column begins where its name is met first
  for (const auto& [status, count] : point.status) {
    auto at = std::lower_bound(status_.begin(), status_.end(), status,
                               [](const auto& column, Status wanted) { return column.first < wanted; });
    if (at == status_.end() || at->first != status)
      at = status_.emplace(at, status, std::vector<std::int64_t>(points_));
    at->second.push_back(count);
  }
  std::size_t next = 0;  // the same names in the same order as before, as a rule
  for (const auto& [name, statistics] : point.observables) {
    if (next == observables_.size() || observables_[next].first != name)
      next = static_cast<std::size_t>(std::find_if(observables_.begin(), observables_.end(),
                                                   [&](const auto& column) { return column.first == name; }) -
                                      observables_.begin());
    if (next == observables_.size()) observables_.emplace_back(name, std::vector<PointStatistics>(points_));
    observables_[next++].second.push_back(statistics);
  }
  next = 0;
  for (const keep::ClassCount& one : point.classes) {
    auto at = std::find_if(classes_.begin(), classes_.end(),
                           [&](const ClassColumn& column) { return column.name == one.name; });
    if (at == classes_.end()) {
      at = classes_.insert(classes_.begin() + static_cast<std::ptrdiff_t>(next),
                           {one.name, std::vector<std::int64_t>(points_, -1), {}});
      if (one.has_interval) at->interval.resize(points_);
    }
    at->members.push_back(one.members);
    if (!at->interval.empty() || (one.has_interval && points_ == 0)) at->interval.push_back(one.interval);
    next = static_cast<std::size_t>(at - classes_.begin()) + 1;
  }
  ++points_;
  for (auto& [status, column] : status_) column.resize(points_);
  for (auto& [name, column] : observables_) column.resize(points_);
  for (ClassColumn& one : classes_) {
    one.members.resize(points_, -1);
    if (!one.interval.empty()) one.interval.resize(points_);
  }
}

SweepSummary begin_sweep(const scenario::Scenario& scenario) {
  SweepSummary sweep;
  for (const auto& axis : scenario.sweep)
    sweep.axes.emplace_back(scenario.names.parameters[static_cast<std::size_t>(axis.parameter)], axis.values);
  sweep.members = members_of_point(scenario);
  return sweep;
}

double point_bytes(const scenario::Scenario& scenario) {
  const std::size_t status = sizeof(std::int64_t), one_class = sizeof(std::int64_t) + sizeof(statistics::ShareInterval);
  return static_cast<double>(observable_names(scenario).size() * sizeof(PointStatistics) + status +
                             scenario.classes.size() * one_class);
}

SweepSummary summarise_sweep(const io::RunData& run, const Draws& draws, statistics::Engine& engine) {
  const auto& scenario = run.scenario;
  if (scenario.sweep.empty()) return {};
  SweepSummary sweep = begin_sweep(scenario);
  const auto members = static_cast<std::size_t>(sweep.members),
             points = static_cast<std::size_t>(sweep_points(scenario));

  // few members are summed and sorted before threads, or a device, would have begun
  constexpr std::size_t worth_sharing = 1 << 15;
  const auto single = statistics::make_cpu_engine(1);
  statistics::Engine& own = members < worth_sharing ? *single : engine;

  const std::vector<Status> status = run.status();
  const auto of_point = [&](const auto& column, std::size_t k) {
    return std::span(column).subspan(k * members, members);
  };
  for (std::size_t k = 0; k < points; ++k) {
    PointSummary point;
    const auto here = of_point(status, k);
    for (const auto& row : scenario::statuses)
      if (const auto count = std::count(here.begin(), here.end(), row.value); count > 0 || row.value == Status::ok)
        point.status.emplace_back(row.value, count);
    if (!scenario.classes.empty()) {
      const auto codes = of_point(run.classes, k);
      point.classes = keep::count_classes(scenario, {codes.begin(), codes.end()}, {draws.sampled, draws.error});
    }
    sweep.add(point);
  }
  const auto names = observable_names(scenario);
  for (std::size_t o = 0; o < names.size(); ++o) {
    const std::vector<double> column = run.observable(o);
    std::vector<PointStatistics> found(points);
    for (std::size_t k = 0; k < points; ++k) {
      const auto values = of_point(column, k);
      found[k] = statistics_of_point(
          statistics::summarise_and_discard({values.begin(), values.end()}, of_point(status, k), own));
      if (draws.error) found[k].standard_error = draws.error(values, of_point(status, k));
    }
    sweep.add(names[o], std::move(found));
  }
  return sweep;
}

}  // namespace conesweep::tell
