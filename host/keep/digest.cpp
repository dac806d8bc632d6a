#include "keep/digest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "statistics/hypercube_error.hpp"
#include "statistics/part_error.hpp"
#include "statistics/scale.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace conesweep::keep {

using executor::Status;
using scenario::Sampler;
using statistics::Sketch;

namespace {

ScaledMoments sum_scaled(std::span<const double> values, std::span<const Status> status) {
  // -0 becomes 0; without values min stays above max
  double min = std::numeric_limits<double>::infinity(), max = -min;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (status[i] == Status::ok && !std::isnan(values[i]))
      min = std::min(min, values[i] + 0.0), max = std::max(max, values[i] + 0.0);
  if (min > max) return {};
  const double factor = statistics::moment_factor(std::max(std::fabs(min), std::fabs(max)));
  static_assert(sizeof(Status) == 1);
  const auto sums = statistics::sum_moments(values.data(), reinterpret_cast<const unsigned char*>(status.data()),
                                            static_cast<long>(values.size()), factor);
  return {sums, factor, min, max};
}

// The sums as they are at another factor.
void rescale(ScaledMoments& moments, double factor) {
  const double ratio = factor / moments.factor;
  moments.factor = factor;
  if (ratio == 1) return;
  statistics::Moments& sums = moments.sums;
  sums.mean *= ratio;
  sums.squares = sums.squares * ratio * ratio;
  sums.cubes = sums.cubes * ratio * ratio * ratio;
  sums.min = factor * moments.min, sums.max = factor * moments.max;  // rounded once, as those of members that are kept
}

bool is_zero(const ScaledMoments& moments) { return moments.min == 0 && moments.max == 0; }

ScaledMoments merge_scaled(ScaledMoments a, ScaledMoments b) {
  if (a.sums.count == 0) return b;
  if (b.sums.count == 0) return a;
  const double factor = is_zero(a) ? b.factor : is_zero(b) ? a.factor : std::min(a.factor, b.factor);
  rescale(a, factor);
  rescale(b, factor);
  return {statistics::merge(a.sums, b.sums), factor, std::min(a.min, b.min), std::max(a.max, b.max)};
}

GroupShape shape_of_group(std::int64_t members, std::size_t room, Sampler sampler, bool has_error) {
  GroupShape shape{members, room};
  if (!has_error) return shape;
  if (sampler == Sampler::latin) shape.stride = statistics::HypercubeError::stride(members);
  if (sampler == Sampler::sobol) {
    const std::int64_t length = statistics::shortest_run(members);
    if (length < digest_block)
      shape.short_runs = length;
    else
      shape.level = std::countr_zero(static_cast<std::uint64_t>(length / digest_block));
  }
  return shape;
}

// Of a sweep so little that all points together have not more than two ensembles would.
std::size_t point_room(std::int64_t points) {
  const auto share = std::bit_floor(static_cast<std::uint64_t>((std::int64_t{1} << 20) / points));
  return std::clamp<std::size_t>(share, Sketch::least_room, Sketch::most_room);
}

template <class T>
void append_to(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void add_counts(std::vector<std::int64_t>& all, const std::vector<std::int64_t>& more) {
  for (std::size_t k = 0; k < more.size(); ++k) all[k] += more[k];
}

void add_to(Group& group, Group other) {
  group.tree.add(std::move(other.tree));
  for (std::size_t o = 0; o < group.sketches.size(); ++o) group.sketches[o].add(other.sketches[o]);
  add_counts(group.status, other.status);
  group.short_runs.merge(other.short_runs);
  append_to(group.sampled, other.sampled);
  append_to(group.codes, other.codes);
  for (std::size_t o = 0; o < group.values.size(); ++o) append_to(group.values[o], other.values[o]);
}

}  // namespace

bool is_digested(const scenario::Scenario& scenario) {
  return scenario.ensemble.keep == scenario::Keep::statistics && scenario.ensemble.members > exact_members;
}

void check_digested(const scenario::Scenario& scenario) {
  const std::int64_t members = members_of_point(scenario);
  if (!is_digested(scenario) || scenario.sweep.empty() || members % digest_block == 0) return;
  throw InputError(
      "[ensemble] keep = \"statistics\": the points of a sweep of more than " + counted(exact_members) +
      " rows need a multiple of " + std::to_string(digest_block) + " members each, got " + std::to_string(members) +
      "; nearest: " +
      std::to_string(std::max<std::int64_t>(1, (members + digest_block / 2) / digest_block) * digest_block) +
      "; or keep the members");
}

BlockSums merge(BlockSums a, BlockSums b) {
  a.members += b.members;
  for (std::size_t o = 0; o < a.columns.size(); ++o) a.columns[o] = merge_scaled(a.columns[o], b.columns[o]);
  add_counts(a.codes, b.codes);
  for (std::size_t c = 0; c < a.tracks.size(); ++c) a.tracks[c] = merge(std::move(a.tracks[c]), b.tracks[c]);
  return a;
}

/// Some members of a part.
struct Digest::Slice {
  const ChunkResults& part;
  std::int64_t at, count;
  const std::vector<std::uint8_t>& classes;

  std::int64_t first() const { return part.range.first + at; }
  std::span<const double> observable(std::size_t o, std::int64_t from, std::int64_t members) const {
    return std::span(part.outcome.observables[o])
        .subspan(static_cast<std::size_t>(at + from), static_cast<std::size_t>(members));
  }
  std::span<const Status> status(std::int64_t from, std::int64_t members) const {
    return std::span(part.outcome.status)
        .subspan(static_cast<std::size_t>(at + from), static_cast<std::size_t>(members));
  }
  Slice cut(std::int64_t from, std::int64_t members) const { return {part, at + from, members, classes}; }

  BlockSums sum(std::int64_t from, std::int64_t members, std::size_t codes) const {
    BlockSums sums;
    sums.members = members;
    for (std::size_t o = 0; o < part.outcome.observables.size(); ++o)
      sums.columns.push_back(sum_scaled(observable(o, from, members), status(from, members)));
    sums.codes.resize(codes);
    for (std::int64_t m = from; m < from + members && codes > 0; ++m)
      ++sums.codes[classes[static_cast<std::size_t>(at + m)]];
    return sums;
  }
};

Digest::Digest(const scenario::Scenario& scenario)
    : observables_(observable_names(scenario).size()),
      classes_(scenario.classes.empty() ? 0 : class_names(scenario).size()),
      parameters_(varying_parameters(scenario).size()),
      joint_(has_flags(scenario)) {
  fit(scenario);
  all_ = make_group(all_shape_);
  first_.resize(executor::status_count);
  flags_.resize(std::size(scenario::flags));
}

void Digest::fit(const scenario::Scenario& scenario) {
  const bool swept = !scenario.sweep.empty();
  const Sampler sampler = scenario.ensemble.sampler;
  all_shape_ = shape_of_group(scenario.ensemble.members, Sketch::most_room, sampler, !swept);
  point_members_ = swept ? members_of_point(scenario) : 0;
  if (swept) point_shape_ = shape_of_group(point_members_, point_room(sweep_points(scenario)), sampler, true);
  all_.tree.limit(all_shape_.level);
}

Group Digest::make_group(const GroupShape& shape) const {
  Group group;
  group.tree.limit(shape.level);
  group.sketches.assign(observables_, Sketch(shape.room));
  group.status.resize(executor::status_count);
  group.values.resize(observables_);
  return group;
}

void Digest::add_group(Group& group, const GroupShape& shape, std::int64_t first, const Slice& slice,
                       int threads) const {
  CS_ASSERT(first % digest_block == 0);
  // blocks and columns side by side
  const std::int64_t blocks = (slice.count + digest_block - 1) / digest_block;
  std::vector<BlockSums> sums(static_cast<std::size_t>(blocks));
  const auto columns = static_cast<std::int64_t>(observables_);
  share_work(columns + blocks, threads, [&](std::int64_t task) {
    if (task < columns) {
      const auto o = static_cast<std::size_t>(task);
      group.sketches[o].add(slice.observable(o, 0, slice.count), slice.status(0, slice.count));
      return;
    }
    const std::int64_t from = (task - columns) * digest_block;
    sums[static_cast<std::size_t>(task - columns)] =
        slice.sum(from, std::min(digest_block, slice.count - from), classes_);
  });
  for (std::int64_t b = 0; b < blocks; ++b) {
    BlockSums& here = sums[static_cast<std::size_t>(b)];
    // sums over time are of blocks of all members
    if (&group == &all_)
      for (const auto& tracks : slice.part.track_moments)
        here.tracks.push_back(tracks[static_cast<std::size_t>((slice.first() + b * digest_block) / digest_block -
                                                              slice.part.range.first / digest_block)]);
    group.tree.add(first / digest_block + b, {0, std::move(here)});
  }
  for (const Status status : slice.status(0, slice.count)) ++group.status[static_cast<std::size_t>(status)];
  for (std::int64_t from = 0; from < slice.count && shape.short_runs > 0; from += shape.short_runs)
    group.short_runs.emplace((first + from) / shape.short_runs,
                             slice.sum(from, std::min(shape.short_runs, slice.count - from), classes_));
  if (shape.stride == 0) return;
  for (std::int64_t m = (first + shape.stride - 1) / shape.stride * shape.stride; m < first + slice.count;
       m += shape.stride) {
    const auto at = static_cast<std::size_t>(slice.at + m - first);
    const bool ok = slice.part.outcome.status[at] == Status::ok;
    group.sampled.push_back(m / shape.stride);
    for (std::size_t o = 0; o < observables_; ++o)
      group.values[o].push_back(ok ? slice.part.outcome.observables[o][at] : std::numeric_limits<double>::quiet_NaN());
    if (classes_ > 0) group.codes.push_back(slice.classes[at]);
  }
}

// How members ended, and the first of each end.
void Digest::count_ends(const Slice& slice) {
  const executor::Outcome& outcome = slice.part.outcome;
  for (std::int64_t k = 0; k < slice.count; ++k) {
    const auto at = static_cast<std::size_t>(slice.at + k);
    First& first = first_[static_cast<std::size_t>(outcome.status[at])];
    const std::int64_t member = slice.first() + k;
    if (first.member < 0 || member < first.member) {
      first = {member, outcome.stop_time[at], joint_ ? outcome.residual[at] : 0, {}};
      for (const auto& column : slice.part.parameters) first.varied.push_back(column[at]);
    }
    if (!joint_ || outcome.flags[at] == 0) continue;
    for (std::size_t f = 0; f < flags_.size(); ++f)
      flags_[f] += (outcome.flags[at] & static_cast<unsigned>(scenario::flags[f].value)) != 0;
  }
}

void Digest::add(const ChunkResults& part, std::int64_t at, std::int64_t count,
                 const std::vector<std::uint8_t>& classes, int threads) {
  if (count == 0) return;
  const Slice slice{part, at, count, classes};
  members_ += count;
  add_group(all_, all_shape_, slice.first(), slice, threads);
  count_ends(slice);
  for (std::int64_t from = 0, length = 0; from < count && point_members_ > 0; from += length) {
    const std::int64_t point = (slice.first() + from) / point_members_, local = (slice.first() + from) % point_members_;
    length = std::min(point_members_ - local, count - from);
    auto found = points_.find(point);
    if (found == points_.end()) found = points_.emplace(point, make_group(point_shape_)).first;
    add_group(found->second, point_shape_, local, slice.cut(from, length), threads);
  }
  // the recorded members are the first ones of the part
  const executor::Trajectories& tracks = part.outcome.trajectories;
  const std::int64_t recorded = std::clamp<std::int64_t>(tracks.members - at, 0, count);
  if (recorded > 0) {
    Recorded& kept = recorded_[slice.first()];
    const auto from = at * tracks.times, to = (at + recorded) * tracks.times;
    for (const auto& column : tracks.columns) kept.columns.emplace_back(column.begin() + from, column.begin() + to);
    kept.mode.assign(tracks.mode.begin() + from, tracks.mode.begin() + to);
  }
  if (slice.first() == 0) bands_ = part.track_bands;
}

void Digest::add(Digest other) {
  members_ += other.members_;
  seconds += other.seconds;
  add_to(all_, std::move(other.all_));
  for (auto& [point, group] : other.points_) {
    const auto found = points_.find(point);
    if (found == points_.end())
      points_.emplace(point, std::move(group));
    else
      add_to(found->second, std::move(group));
  }
  for (std::size_t code = 0; code < first_.size(); ++code) {
    First& mine = first_[code];
    First& theirs = other.first_[code];
    if (theirs.member >= 0 && (mine.member < 0 || theirs.member < mine.member)) mine = std::move(theirs);
  }
  add_counts(flags_, other.flags_);
  recorded_.merge(other.recorded_);
  if (!other.bands_.empty()) bands_ = std::move(other.bands_);
}

std::vector<MemberRange> Digest::missing(std::int64_t members) const {
  std::vector<MemberRange> gaps;
  std::int64_t at = 0;  // block
  for (const auto& [first, node] : all_.tree.nodes()) {
    if (first > at) gaps.push_back({at * digest_block, (first - at) * digest_block});
    at = first + (std::int64_t{1} << node.level);
  }
  if (at < members / digest_block) gaps.push_back({at * digest_block, (members / digest_block - at) * digest_block});
  return gaps;
}

double digest_bytes(const scenario::Scenario& scenario, const ExpectedValues& expected) {
  const auto columns = static_cast<double>(observable_names(scenario).size()),
             points = static_cast<double>(sweep_points(scenario));
  const auto times = static_cast<double>(scenario.record.members > 0 ? scenario.steps / scenario.record.every + 1 : 0);
  const auto summed = static_cast<double>(summed_states(scenario).size());
  const auto room = [&](std::int64_t members, std::size_t most) {
    double values = 0;
    for (std::size_t k = 0; k < observable_names(scenario).size(); ++k)
      values += std::min(expected(k, static_cast<double>(members)), static_cast<double>(most));
    return values * 16;
  };
  double bytes = room(scenario.ensemble.members, Sketch::most_room);
  if (points > 1)
    bytes += points * (room(members_of_point(scenario), point_room(sweep_points(scenario))) + columns * 64 * 160);
  bytes += 160 * (columns * 56 + summed * times * 16);  // nodes
  if (scenario.ensemble.sampler == Sampler::latin)
    bytes += columns * 8 * static_cast<double>(statistics::HypercubeError::most_fitted) * points;
  bytes += summed * times * 8 * static_cast<double>(std::size(statistics::quantile_levels));
  return bytes + static_cast<double>(std::min(scenario.record.members, scenario.ensemble.members)) * times *
                     static_cast<double>(8 * count_states(scenario) + 1);
}

}  // namespace conesweep::keep
