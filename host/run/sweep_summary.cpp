#include "run/sweep_summary.hpp"

#include <algorithm>
#include <span>

#include "run/summary.hpp"

namespace conesweep::runs {

using executor::Status;

SweepSummary summarise_sweep(const io::RunData& run, const Draws& draws, statistics::Engine& engine) {
  const auto& scenario = run.scenario;
  SweepSummary sweep;
  if (scenario.sweep.empty()) return sweep;
  for (const auto& axis : scenario.sweep) sweep.axes.emplace_back(scenario.names.parameters[static_cast<std::size_t>(axis.parameter)], axis.values);
  sweep.members = members_of_point(scenario);
  const auto members = static_cast<std::size_t>(sweep.members);
  sweep.points.resize(static_cast<std::size_t>(sweep_points(scenario)));

  // few members are summed and sorted before threads, or a device, would have begun
  constexpr std::size_t worth_sharing = 1 << 15;
  const auto single = statistics::make_cpu_engine(1);
  statistics::Engine& own = members < worth_sharing ? *single : engine;

  const std::vector<Status> status = run.status();
  const auto of_point = [&](const auto& column, std::size_t k) { return std::span(column).subspan(k * members, members); };
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    PointSummary& point = sweep.points[k];
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) point.values.push_back(sweep_value(scenario, axis, static_cast<std::int64_t>(k)));
    const auto here = of_point(status, k);
    for (const auto& row : scenario::statuses)
      if (const auto count = std::count(here.begin(), here.end(), row.value); count > 0 || row.value == Status::ok) point.status.emplace_back(row.value, count);
    if (scenario.classes.empty()) continue;
    const auto codes = of_point(run.classes, k);
    point.classes = count_classes(scenario, {codes.begin(), codes.end()}, {draws.sampled, draws.error});
  }
  const auto names = observable_names(scenario);
  for (std::size_t o = 0; o < names.size(); ++o) {
    const std::vector<double> column = run.observable(o);
    for (std::size_t k = 0; k < sweep.points.size(); ++k) {
      const auto values = of_point(column, k);
      sweep.points[k].observables.emplace_back(names[o], statistics::summarise_and_discard({values.begin(), values.end()}, of_point(status, k), own));
      statistics::Summary& found = sweep.points[k].observables.back().second;
      found.histogram = {};
      if (draws.error) found.standard_error = draws.error(values, of_point(status, k));
    }
  }
  return sweep;
}

}  // namespace conesweep::runs
