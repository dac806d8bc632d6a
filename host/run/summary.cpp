#include "run/summary.hpp"

#include "io/version.hpp"
#include "run/ownership.hpp"
#include "statistics/tracks.hpp"

namespace conesweep::runs {

using executor::Status;

namespace {

// statuses that occur, and ok; with the first member of each
std::vector<StatusCount> count_statuses(const io::RunData& run, const std::vector<Status>& all) {
  std::vector<StatusCount> counts(executor::status_count), found;
  for (std::size_t member = 0; member < all.size(); ++member) {
    StatusCount& count = counts[static_cast<std::size_t>(all[member])];
    if (count.members++ == 0) count.first = static_cast<std::int64_t>(member);
  }
  for (std::size_t code = 0; code < counts.size(); ++code) {
    counts[code].status = static_cast<Status>(code);
    if (counts[code].status == Status::ok || counts[code].members > 0) found.push_back(counts[code]);
  }
  if (found.size() == 1) return found;  // no member stopped
  const auto value_of = [](const std::vector<double>& column, const StatusCount& count) { return column[static_cast<std::size_t>(count.first)]; };
  const auto stop_times = run.stop_time();
  for (auto& count : found)
    if (count.first >= 0) count.stop_time = value_of(stop_times, count);
  for (std::size_t v = 0; v < run.scenario.vary.size(); ++v) {
    const auto column = run.parameter(v);
    for (auto& count : found)
      if (count.first >= 0) count.varied.push_back(value_of(column, count));
  }
  return found;
}

RunFacts facts_of(const io::RunData& run) {
  const auto& scenario = run.scenario;
  RunFacts facts{io::version(), run.backend, run.device, run.precision, scenario.ensemble.seed, scenario.step, scenario.steps, run.identity, {}};
  for (const auto& table : list_tables(scenario)) facts.tables.emplace_back(table.name, text_checksum(*table.bytes));
  return facts;
}

}  // namespace

std::vector<std::string> varied_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& variation : scenario.vary) names.push_back(scenario.names.parameters[static_cast<std::size_t>(variation.parameter)]);
  return names;
}

Summary summarise(const io::RunData& run, statistics::Engine& engine, const std::function<bool(std::int64_t)>& counts) {
  const std::vector<Status> all = run.status();
  Summary summary;
  summary.title = run.scenario.title;
  summary.members = static_cast<std::int64_t>(all.size());
  summary.status = count_statuses(run, all);
  summary.parameters = varied_names(run.scenario);
  summary.run = facts_of(run);

  const auto names = observable_names(run.scenario);
  const auto select = [&](auto column) {
    if (!counts) return column;
    std::size_t kept = 0;
    for (std::size_t m = 0; m < column.size(); ++m)
      if (counts(static_cast<std::int64_t>(m))) column[kept++] = column[m];
    column.resize(kept);
    return column;
  };
  const std::vector<Status> drawn = select(all);
  for (std::size_t o = 0; o < names.size(); ++o)
    summary.observables.emplace_back(names[o], statistics::summarise_and_discard(select(run.observable(o)), drawn, engine));
  return summary;
}

void summarise_tracks(const StoredRun& run, statistics::Engine& engine, Summary& summary) {
  for (std::int64_t k = 0; k < run.recorded_times(); ++k) summary.times.push_back(run.scenario.time(k * run.scenario.record.every));
  for (std::size_t c = 0; c < run.scenario.names.coordinates.size(); ++c) {
    const statistics::TrackMoments moments = run.track_moments(c);
    if (moments.mean.empty()) continue;
    summary.tracks.push_back({run.scenario.names.coordinates[c], moments.count, moments.mean, standard_deviations(moments), run.track_bands(c, engine)});
  }
}

}  // namespace conesweep::runs
