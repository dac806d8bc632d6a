#include "run/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
  for (auto& count : found)
    if (count.status == Status::not_converged) count.residual = value_of(run.residual(), count);
  for (std::size_t v = 0; v < varying_parameters(run.scenario).size(); ++v) {
    const auto column = run.parameter(v);
    for (auto& count : found)
      if (count.first >= 0) count.varied.push_back(value_of(column, count));
  }
  return found;
}

std::vector<FlagCount> count_flags(const std::vector<std::uint8_t>& all) {
  std::vector<FlagCount> counts;
  for (const auto& row : scenario::flags) {
    const auto has = [&](std::uint8_t bits) { return (bits & static_cast<unsigned>(row.value)) != 0; };
    counts.push_back({row.value, std::count_if(all.begin(), all.end(), has)});
  }
  return counts;
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
  for (const int parameter : varying_parameters(scenario)) names.push_back(scenario.names.parameters[static_cast<std::size_t>(parameter)]);
  return names;
}

Draws ensemble_draws(const scenario::Scenario& scenario) { return {{}, {1, scenario.ensemble.sampler == scenario::Sampler::grid ? 1 : 0}}; }

Summary summarise(const io::RunData& run, const Draws& draws, statistics::Engine& engine) {
  const std::vector<Status> all = run.status();
  Summary summary;
  summary.title = run.scenario.title;
  summary.members = static_cast<std::int64_t>(all.size());
  summary.status = count_statuses(run, all);
  if (has_flags(run.scenario)) summary.flags = count_flags(run.flags());
  summary.parameters = varied_names(run.scenario);
  summary.run = facts_of(run);

  const auto names = observable_names(run.scenario);
  const auto select = [&](auto column) {
    if (!draws.counts) return column;
    std::size_t kept = 0;
    for (std::size_t m = 0; m < column.size(); ++m)
      if (draws.counts(static_cast<std::int64_t>(m))) column[kept++] = column[m];
    column.resize(kept);
    return column;
  };
  const std::vector<Status> drawn = select(all);
  for (std::size_t o = 0; o < names.size(); ++o) {
    auto column = select(run.observable(o));
    const double error = draws.parts.are_members() ? 0 : statistics::error_by_parts(column, drawn, draws.parts);
    auto& [name, found] = summary.observables.emplace_back(names[o], statistics::summarise_and_discard(std::move(column), drawn, engine));
    if (!draws.parts.are_members()) found.standard_error = error;
  }
  return summary;
}

void summarise_classes(const io::RunData& run, Summary& summary, const std::function<bool(std::int64_t)>& counts, bool sampled) {
  const auto& scenario = run.scenario;
  if (scenario.classes.empty()) return;
  std::vector<std::uint8_t> codes;
  for (std::size_t m = 0; m < run.classes.size(); ++m)
    if (!counts || counts(static_cast<std::int64_t>(m))) codes.push_back(run.classes[m]);
  summary.classes = count_classes(scenario, codes, sampled && scenario.sweep.empty() && scenario.ensemble.sampler != scenario::Sampler::grid);
}

void summarise_tracks(const StoredRun& run, statistics::Engine& engine, Summary& summary) {
  for (std::int64_t k = 0; k < run.recorded_times(); ++k) summary.times.push_back(run.scenario.time(k * run.scenario.record.every));
  for (std::size_t c = 0; c < run.scenario.names.coordinates.size(); ++c) {
    const statistics::TrackMoments moments = run.track_moments(c);
    if (moments.mean.empty()) continue;
    // curves of all members end where the first of them does
    std::vector<double> bands = run.track_bands(c, engine);
    for (std::size_t k = 0; k < bands.size(); ++k)
      if (std::isnan(moments.mean[k % moments.mean.size()])) bands[k] = std::numeric_limits<double>::quiet_NaN();
    summary.tracks.push_back({run.scenario.names.coordinates[c], moments.count, moments.mean, standard_deviations(moments), std::move(bands)});
  }
}

}  // namespace conesweep::runs
