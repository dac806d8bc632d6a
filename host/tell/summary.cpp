#include "tell/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "io/version.hpp"
#include "keep/run_folder.hpp"
#include "sampling/sampler.hpp"
#include "statistics/hypercube_error.hpp"
#include "statistics/part_error.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace conesweep::tell {

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
  const auto value_of = [](const std::vector<double>& column, const StatusCount& count) {
    return column[static_cast<std::size_t>(count.first)];
  };
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
  RunFacts facts{io::version(),          run.backend,   run.device,    run.precision,
                 scenario.ensemble.seed, scenario.step, scenario.steps};
  facts.identity = run.identity;
  for (const auto& table : keep::list_tables(scenario))
    facts.tables.emplace_back(table.name, keep::text_checksum(*table.bytes));
  return facts;
}

}  // namespace

// Where members of a hypercube stand on its axes; a table has no axis. As they are drawn, before they are correlated.
std::shared_ptr<const statistics::HypercubeError> make_hypercube_error(const scenario::Scenario& scenario) {
  const std::int64_t members = members_of_point(scenario), stride = statistics::HypercubeError::stride(members);
  std::vector<std::size_t> axes;
  for (std::size_t v = 0; v < scenario.vary.size(); ++v)
    if (scenario.vary[v].distribution.kind != scenario::DistributionKind::table) axes.push_back(v);
  if (!statistics::HypercubeError::can_fit(members, axes.size())) return {};
  const auto points = sampling::make_points(scenario);
  std::vector<std::vector<float>> places(axes.size());
  share_work(static_cast<std::int64_t>(axes.size()), count_threads(0), [&](std::int64_t axis) {
    const auto at = static_cast<std::size_t>(axis);
    for (std::int64_t m = 0; m < members; m += stride)
      places[at].push_back(static_cast<float>(points->coordinate(m, axes[at])));
  });
  return std::make_shared<const statistics::HypercubeError>(members, std::move(places));
}

std::vector<std::string> varied_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  for (const int parameter : varying_parameters(scenario))
    names.push_back(scenario.names.parameters[static_cast<std::size_t>(parameter)]);
  return names;
}

Draws ensemble_draws(const scenario::Scenario& scenario) {
  switch (scenario.ensemble.sampler) {
    case scenario::Sampler::random: return {};
    case scenario::Sampler::latin:
      if (auto fit = make_hypercube_error(scenario))
        return {{}, [fit](auto values, auto status) { return (*fit)(values, status); }, true};
      return {};
    case scenario::Sampler::sobol: return {{}, statistics::error_by_runs, true};
    case scenario::Sampler::grid:
      return {{}, [](auto, auto) { return std::numeric_limits<double>::quiet_NaN(); }, false};
  }
  throw InternalError("every sampler has its errors", __FILE__, __LINE__);
}

Summary describe(const io::RunData& run) {
  Summary summary;
  summary.title = run.scenario.title;
  summary.members = run.scenario.ensemble.members;
  summary.parameters = varied_names(run.scenario);
  summary.run = facts_of(run);
  return summary;
}

std::int64_t columns_at_once(std::int64_t members, std::int64_t columns, int threads) {
  constexpr std::int64_t room = 64 << 20;
  return std::clamp<std::int64_t>(room / (24 * std::max<std::int64_t>(1, members)), 1,
                                  std::max<std::int64_t>(1, std::min<std::int64_t>(columns, threads)));
}

Summary summarise(const io::RunData& run, const Draws& draws, statistics::Engine& engine) {
  const std::vector<Status> all = run.status();
  Summary summary = describe(run);
  summary.members = static_cast<std::int64_t>(all.size());
  summary.status = count_statuses(run, all);
  if (has_flags(run.scenario)) summary.flags = count_flags(run.flags());

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
  const std::int64_t at_once = columns_at_once(summary.members, std::ssize(names), engine.threads());
  summary.observables.resize(names.size());
  share_work(static_cast<std::int64_t>(names.size()), static_cast<int>(at_once), [&](std::int64_t k) {
    const auto o = static_cast<std::size_t>(k);
    auto column = select(run.observable(o));
    const double error = draws.error ? draws.error(column, drawn) : 0;
    auto& [name, found] = summary.observables[o];
    name = names[o];
    found = statistics::summarise_and_discard(std::move(column), drawn, engine);
    if (draws.error) found.standard_error = error;
  });
  return summary;
}

void summarise_classes(const io::RunData& run, const Draws& draws, Summary& summary) {
  const auto& scenario = run.scenario;
  if (scenario.classes.empty()) return;
  std::vector<std::uint8_t> codes;
  for (std::size_t m = 0; m < run.classes.size(); ++m)
    if (!draws.counts || draws.counts(static_cast<std::int64_t>(m))) codes.push_back(run.classes[m]);
  summary.classes = keep::count_classes(scenario, codes, {draws.sampled && scenario.sweep.empty(), draws.error});
}

std::string growth_warning(const Summary& summary) {
  std::vector<std::string> names;
  const statistics::Summary* first = nullptr;
  for (const auto& [name, s] : summary.observables) {
    if (!is_mean_of_few(s)) continue;
    if (first == nullptr) first = &s;
    names.push_back(name);
  }
  if (first == nullptr) return {};
  const std::string others = names.size() > 1 ? "; also " + join_few({names.begin() + 1, names.end()}) : "";
  return "the mean of " + names.front() + " is no result: a few members are far beyond all others (median " +
         format_short(quantile_of(*first, 0.5), 3) + ", mean without the outer 5 % on each side " +
         format_short(first->trimmed_mean, 3) + ", largest " +
         format_short(std::max(std::fabs(first->min), std::fabs(first->max)), 3) + ")" + others +
         "; [time] stop ends members that grow, for example stop = \"abs(x) > 1e3\", and a class counts them";
}

void summarise_tracks(const keep::StoredRun& run, statistics::Engine& engine, Summary& summary) {
  for (std::int64_t k = 0; k < run.recorded_times(); ++k)
    summary.times.push_back(run.scenario.time(k * run.scenario.record.every));
  const auto summed = summed_states(run.scenario);
  for (std::size_t c = 0; c < summed.size(); ++c) {
    const statistics::TrackMoments moments = run.track_moments(c);
    if (moments.mean.empty()) continue;
    // curves of all members end where the first of them does
    std::vector<double> bands = run.track_bands(c, engine);
    for (std::size_t k = 0; k < bands.size(); ++k)
      if (std::isnan(moments.mean[k % moments.mean.size()])) bands[k] = std::numeric_limits<double>::quiet_NaN();
    summary.tracks.push_back({summed[c], moments.count, moments.mean, standard_deviations(moments), std::move(bands)});
  }
}

}  // namespace conesweep::tell
