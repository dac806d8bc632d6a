#include "tell/digest_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics/part_error.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::tell {

using executor::Status;
using scenario::Sampler;
using statistics::PartMean;

namespace {

statistics::Summary summarise_column(const keep::Group& group, const keep::ScaledMoments& total,
                                     std::size_t observable) {
  const statistics::Sketch& sketch = group.sketches[observable];
  statistics::Summary summary;
  fill_moments(summary, total.sums, total.factor);
  CS_ASSERT(sketch.count() == summary.count);
  const double min = summary.count == 0 ? nan : total.min, max = summary.count == 0 ? nan : total.max;
  for (const double level : statistics::quantile_levels) summary.quantiles.push_back(sketch.quantile(level, min, max));
  summary.quantile_error = sketch.error();
  summary.trimmed_mean = sketch.trimmed_mean(min, max);
  summary.histogram = sketch.histogram(min, max);
  fill_ends(summary, min, max);
  return summary;
}

std::vector<StatusCount> list_statuses(const keep::Digest& digest) {
  std::vector<StatusCount> found;
  for (std::size_t code = 0; code < digest.all().status.size(); ++code) {
    const auto status = static_cast<Status>(code);
    const std::int64_t members = digest.all().status[code];
    if (status != Status::ok && members == 0) continue;
    const keep::Digest::First& first = digest.first()[code];
    found.push_back({status, members, first.member, first.stop_time,
                     status == Status::not_converged ? first.residual : 0, first.varied});
  }
  return found;
}

std::vector<std::pair<std::string, statistics::Summary>> summarise_group(const keep::Group& group,
                                                                         const keep::BlockSums& total,
                                                                         const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, statistics::Summary>> all;
  for (std::size_t o = 0; o < names.size(); ++o)
    all.emplace_back(names[o], summarise_column(group, total.columns[o], o));
  return all;
}

std::vector<keep::ClassCount> list_classes(const scenario::Scenario& scenario, const keep::Group& group,
                                           const keep::GroupShape& shape, const keep::BlockSums& total,
                                           const DigestErrors& errors) {
  if (scenario.classes.empty()) return {};
  std::function<double(std::size_t)> error;
  if (!errors.plain()) error = [&](std::size_t code) { return errors.of_share(group, shape, code); };
  return keep::count_classes(scenario, total.codes, errors.sampled(), error);
}

SweepSummary list_points(const scenario::Scenario& scenario, const keep::Digest& digest, const DigestErrors& errors,
                         const std::vector<std::string>& names) {
  SweepSummary sweep = begin_sweep(scenario);
  for (const auto& [number, group] : digest.points()) {
    PointSummary point;
    for (const auto& row : scenario::statuses)
      if (const auto count = group.status[static_cast<std::size_t>(row.value)]; count > 0 || row.value == Status::ok)
        point.status.emplace_back(row.value, count);
    const keep::BlockSums total = group.tree.total();
    for (std::size_t o = 0; o < names.size(); ++o) {
      PointStatistics& found =
          point.observables.emplace_back(names[o], statistics_of_point(summarise_column(group, total.columns[o], o)))
              .second;
      if (!errors.plain()) found.standard_error = errors.of_mean(group, digest.point_shape(), o);
    }
    point.classes = list_classes(scenario, group, digest.point_shape(), total, errors);
    sweep.add(point);
  }
  return sweep;
}

}  // namespace

DigestErrors::DigestErrors(const scenario::Scenario& scenario) : sampler_(scenario.ensemble.sampler) {
  if (sampler_ == Sampler::latin) hypercube_ = make_hypercube_error(scenario);
}

// The shortest runs of Sobol points: nodes of the tree, or less than a block.
template <class Mean>
double DigestErrors::of_runs(const keep::Group& group, const keep::GroupShape& shape, const Mean& mean) const {
  std::vector<PartMean> runs;
  if (shape.short_runs > 0)
    for (const auto& [run, sums] : group.short_runs) runs.push_back(mean(sums));
  else
    for (const keep::BlockSums& sums : group.tree.runs(shape.level)) runs.push_back(mean(sums));
  return statistics::error_of_runs(std::move(runs));
}

double DigestErrors::of_mean(const keep::Group& group, const keep::GroupShape& shape, std::size_t observable) const {
  if (!sampled()) return nan;
  const keep::BlockSums total = group.tree.total();
  const keep::ScaledMoments& column = total.columns[observable];
  const double largest = std::max(std::fabs(column.min), std::fabs(column.max));
  if (column.sums.count < 2 || !std::isfinite(largest)) return nan;
  if (sampler_ == Sampler::sobol)
    return of_runs(
               group, shape,
               [&](const keep::BlockSums& sums) {
                 const keep::ScaledMoments& part = sums.columns[observable];
                 return PartMean{static_cast<double>(part.sums.count), part.sums.mean * (column.factor / part.factor)};
               }) /
           column.factor;
  // in the order of the members that are fitted
  std::vector<double> fitted(group.sampled.size());
  for (std::size_t k = 0; k < fitted.size(); ++k)
    fitted[static_cast<std::size_t>(group.sampled[k])] = group.values[observable][k];
  return (*hypercube_)(fitted, column.sums.count, column.sums.mean / column.factor, largest);
}

double DigestErrors::of_share(const keep::Group& group, const keep::GroupShape& shape, std::size_t code) const {
  if (!sampled()) return nan;
  if (sampler_ == Sampler::sobol)
    return of_runs(group, shape, [&](const keep::BlockSums& sums) {
      return PartMean{static_cast<double>(sums.members), sums.share(code)};
    });
  std::vector<double> fitted(group.sampled.size());
  for (std::size_t k = 0; k < fitted.size(); ++k)
    fitted[static_cast<std::size_t>(group.sampled[k])] = group.codes[k] == code ? 1 : 0;
  const keep::BlockSums total = group.tree.total();
  return (*hypercube_)(fitted, total.members, total.share(code), 1);
}

Summary summarise(const io::RunData& run, const keep::Digest& digest) {
  const auto& scenario = run.scenario;
  const auto names = observable_names(scenario);
  const DigestErrors errors(scenario);
  Summary summary = describe(run);
  CS_ASSERT(digest.members() == summary.members);
  summary.status = list_statuses(digest);
  for (std::size_t f = 0; f < digest.flags().size() && has_flags(scenario); ++f)
    summary.flags.push_back({scenario::flags[f].value, digest.flags()[f]});
  const keep::Group& all = digest.all();
  const keep::BlockSums total = all.tree.total();
  summary.observables = summarise_group(all, total, names);
  const bool swept = !scenario.sweep.empty();
  for (std::size_t o = 0; o < names.size() && !swept && !errors.plain(); ++o)
    summary.observables[o].second.standard_error = errors.of_mean(all, digest.shape(), o);
  if (swept) {
    // the rows of a sweep are no sample
    summary.classes = scenario.classes.empty() ? std::vector<keep::ClassCount>()
                                               : keep::count_classes(scenario, total.codes, false, {});
    summary.sweep = list_points(scenario, digest, errors, names);
  } else {
    summary.classes = list_classes(scenario, all, digest.shape(), total, errors);
  }
  return summary;
}

}  // namespace conesweep::tell
