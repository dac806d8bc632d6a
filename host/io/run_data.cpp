#include "io/run_data.hpp"

#include <algorithm>

namespace conesweep::io {
namespace {

template <class T>
void append_to(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void append_to(std::vector<std::vector<double>>& all, const std::vector<std::vector<double>>& more) {
  all.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) append_to(all[k], more[k]);
}

}  // namespace

std::vector<std::int64_t> RunData::level_members(std::size_t variation) const {
  std::int64_t apart = members_of_point(scenario);  // members between two levels
  for (std::size_t v = 0; v <= variation; ++v) apart /= scenario.vary[v].levels;
  std::vector<std::int64_t> members;
  for (std::int64_t level = 0; level < scenario.vary[variation].levels; ++level) members.push_back(level * apart);
  return members;
}

std::vector<double> RunData::grid_levels(std::size_t variation) const {
  const std::vector<double> column = parameter(variation);
  std::vector<double> levels;
  for (const std::int64_t member : level_members(variation)) levels.push_back(column[static_cast<std::size_t>(member)]);
  return levels;
}

std::int64_t RunData::recorded_members() const { return std::min(scenario.record.members, scenario.ensemble.members); }

std::int64_t RunData::recorded_times() const {
  return recorded_members() > 0 ? scenario.steps / scenario.record.every + 1 : 0;
}

void append(executor::Outcome& all, const executor::Outcome& more) {
  append_to(all.observables, more.observables);
  append_to(all.status, more.status);
  append_to(all.stop_time, more.stop_time);
  append_to(all.residual, more.residual);
  append_to(all.flags, more.flags);
  // the recorded members are the first ones
  if (more.trajectories.members == 0) return;
  all.trajectories.members += more.trajectories.members;
  all.trajectories.times = more.trajectories.times;
  append_to(all.trajectories.columns, more.trajectories.columns);
  append_to(all.trajectories.mode, more.trajectories.mode);
}

void Results::append(const ChunkResults& part) {
  append_to(parameters, part.parameters);
  io::append(outcome, part.outcome);
}

}  // namespace conesweep::io
