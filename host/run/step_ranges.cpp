#include "run/step_ranges.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>

#include "run/in_order.hpp"
#include "run/track_reducer.hpp"
#include "support/error.hpp"
#include "support/workers.hpp"

namespace conesweep::runs {

using io::ChunkResults;

namespace {

// Members that end together.
std::int64_t members_at_once(const executor::Model& model) {
  return std::max<std::int64_t>({1, model.in_flight(0).members, model.threads()});
}

std::int64_t choose_chunk_by(const executor::Model& model, const scenario::Scenario& scenario) {
  constexpr double seconds = 10;
  constexpr std::int64_t block = statistics::block_members;
  const auto quick = static_cast<std::int64_t>(seconds * model.traits().rate / static_cast<double>(scenario.steps));
  if (quick >= block) return std::clamp(model.busy_members(), block, quick) / block * block;
  const std::int64_t at_once = std::min(members_at_once(model), block);
  return std::max<std::int64_t>(1, quick / at_once) * at_once;
}

}  // namespace

std::int64_t choose_chunk(const executor::Model& model, const scenario::Scenario& scenario, std::int64_t asked) {
  const std::int64_t chosen = choose_chunk_by(model, scenario);
  return asked == 0 || chosen < statistics::block_members ? chosen : asked;
}

std::int64_t least_chunk(const executor::Model& model, std::int64_t steps) {
  constexpr double seconds = 0.1;  // against some milliseconds for a file, a message and a start
  const auto worthwhile = static_cast<std::int64_t>(seconds * model.traits().rate / static_cast<double>(steps));
  const std::int64_t at_once = members_at_once(model);
  return std::max(at_once, worthwhile / at_once * at_once);
}

std::int64_t share_chunk(const executor::Model& model, std::int64_t chunk, const SharedWork& work) {
  constexpr std::int64_t block = statistics::block_members;
  constexpr std::int64_t chunks_a_rank = 8;  // before they become smaller
  const std::int64_t at_once = members_at_once(model), least = least_chunk(model, work.steps);
  const std::int64_t share = (work.members / (chunks_a_rank * work.ranks) + at_once - 1) / at_once * at_once;
  const std::int64_t shared = std::max(least, share);
  if (shared < block && work.whole_blocks) return std::min(chunk, block);
  return std::min(chunk, shared < block ? shared : shared / block * block);
}

void check_chunk(std::int64_t chunk) {
  constexpr std::int64_t block = statistics::block_members, most = 1'000'000'000 * block;
  if (chunk > most)
    throw InputError(about(setting::chunk) + "at most " + std::to_string(most) + " members are possible, got " +
                     std::to_string(chunk));
  if (chunk < block || chunk % block != 0)
    throw InputError(about(setting::chunk) + "must be a multiple of " + std::to_string(block) + ", got " +
                     std::to_string(chunk) +
                     "; nearest: " + std::to_string(std::max<std::int64_t>(1, (chunk + block / 2) / block) * block));
}

namespace {

// Members stepped at once where all of them leave tracks: so few that the tracks stay in a core's cache; a share of a
// block. On a device so many that it has work: several blocks.
std::int64_t tracked_members(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk) {
  constexpr std::int64_t block = statistics::block_members;
  const bool on_device = model.traits().on_device;
  const std::int64_t room = on_device ? 256 << 20 : 1 << 20, least = on_device ? block : 64;
  const std::int64_t times = scenario.recorded_times();
  const std::int64_t wanted =
      std::max(least, room / (times * static_cast<std::int64_t>(8 * count_states(scenario) + 1)));
  if (wanted >= block) return on_device ? std::min(wanted / block * block, chunk) : std::min(block, chunk);
  std::int64_t piece = block;
  while (piece / 2 >= wanted) piece /= 2;
  return piece;
}

// Members stepped at once where someone watches: several looks a chunk, but so many members that threads that wait for
// the last of them lose nothing that can be measured. What is on a device is done in no time, or must be kept busy.
std::int64_t watched_members(const executor::Model& model, std::int64_t chunk) {
  constexpr std::int64_t looks = 16, flights = 256;
  const std::int64_t flight = std::max<std::int64_t>(model.in_flight(0).members, model.threads());
  const std::int64_t piece = std::max(chunk / looks / flight, flights) * flight;
  return model.traits().on_device ? chunk : std::min(piece, chunk);
}

std::int64_t choose_piece(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk,
                          const Onlookers& onlookers) {
  if (onlookers.tracks != nullptr) return tracked_members(scenario, model, chunk);
  return onlookers.see ? watched_members(model, chunk) : chunk;
}

// Room for a whole chunk, before pieces of it come.
void reserve(executor::Outcome& outcome, std::size_t members) {
  for (auto& column : outcome.observables) column.reserve(members);
  outcome.status.reserve(members);
  outcome.stop_time.reserve(members);
  outcome.residual.reserve(members);
  outcome.flags.reserve(members);
}

// Some members of an outcome at their place, with the tracks of those that are recorded.
void write_at(executor::Outcome& all, std::int64_t at, const executor::Outcome& some) {
  const auto copy = [](const auto& from, auto& to, std::int64_t first) {
    std::copy(from.begin(), from.end(), to.begin() + first);
  };
  for (std::size_t o = 0; o < all.observables.size(); ++o) copy(some.observables[o], all.observables[o], at);
  copy(some.status, all.status, at);
  copy(some.stop_time, all.stop_time, at);
  copy(some.residual, all.residual, at);
  copy(some.flags, all.flags, at);
  const std::int64_t times = all.trajectories.times;
  if (some.trajectories.members == 0) return;
  for (std::size_t c = 0; c < all.trajectories.columns.size(); ++c)
    copy(some.trajectories.columns[c], all.trajectories.columns[c], at * times);
  copy(some.trajectories.mode, all.trajectories.mode, at * times);
}

/// Steps a chunk: all at once, or in pieces where all members leave tracks, or someone watches.
class ChunkRunner {
 public:
  ChunkRunner(const scenario::Scenario& scenario, const executor::Model& model, const executor::Watch& watch,
              std::int64_t piece, const Onlookers& onlookers)
      : scenario_(scenario), model_(model), watch_(watch), piece_(piece), onlookers_(onlookers) {}

  /// Returns the seconds that members were being stepped.
  double run(ChunkResults& part, const std::vector<statistics::TrackMoments>& begun) {
    if (onlookers_.tracks != nullptr && !model_.traits().on_device) return run_tracked(part, begun);
    double seconds = 0;
    std::optional<TrackReducer> tracks;
    if (onlookers_.tracks != nullptr) tracks.emplace(scenario_, *onlookers_.tracks, part, begun);
    for (std::int64_t at = 0, count = 0; at < part.range.count; at += count) {
      count = std::min(piece_, part.range.count - at);
      const executor::SumsTracks* const summing = tracks ? choose_summing(part.range.first + at) : nullptr;
      if (tracks && summing == nullptr && part.range.first + at < block &&
          dynamic_cast<const executor::SumsTracks*>(&model_) != nullptr)
        // the tracks of the first block are needed, of the others their sums
        count = std::min(count, block - (part.range.first + at));
      executor::Chunk piece = take(part, at, count);
      piece.track_all = tracks && summing == nullptr;
      std::vector<executor::TrackSums> sums;
      const auto start = std::chrono::steady_clock::now();
      executor::Outcome outcome = summing != nullptr ? summing->run_and_sum(scenario_, piece, watch_, sums)
                                                     : model_.run(scenario_, piece, watch_);
      const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      seconds += taken;
      if (!tracks && count == piece_ && taken < look_seconds) piece_ *= 2;  // who watches has time
      if (!sums.empty())
        tracks->add(part.range.first + at, sums, outcome);
      else if (tracks)
        tracks->add(part.range.first + at, outcome);
      if (onlookers_.see) onlookers_.see(piece, outcome);
      if (at > 0) {
        io::append(part.outcome, outcome);
        continue;
      }
      part.outcome = std::move(outcome);
      if (count < part.range.count) reserve(part.outcome, static_cast<std::size_t>(part.range.count));
    }
    return seconds;
  }

 private:
  static constexpr double look_seconds = 0.5;  // nobody looks more often
  static constexpr std::int64_t block = statistics::block_members;

  // Who steps these members and sums their tracks, where nothing but the sums is wanted; nobody otherwise.
  const executor::SumsTracks* choose_summing(std::int64_t first) {
    if (first < block || first < scenario_.record.members || first % block != 0) return nullptr;
    return dynamic_cast<const executor::SumsTracks*>(&model_);
  }

  executor::Chunk take(const ChunkResults& part, std::int64_t at, std::int64_t count) const {
    executor::Chunk piece{.members = {scenario_, part.range.first + at, count},
                          .track_all = onlookers_.tracks != nullptr};
    for (const auto& column : part.parameters)
      piece.varied.emplace_back(column.begin() + at, column.begin() + at + count);
    return piece;
  }

  // Every thread steps pieces of its own, and sums the tracks while they are in its cache: nobody waits for others
  // before the chunk ends. Blocks take turns, so that there are as many lines as blocks.
  double run_tracked(ChunkResults& part, const std::vector<statistics::TrackMoments>& begun) {
    struct Piece {
      std::int64_t block, place, at, count;
      executor::Outcome outcome = {};
    };
    // where members are few, every thread has some
    const std::int64_t threads = model_.threads(),
                       group = std::max<std::int64_t>(1, model_.in_flight(0).members / threads);
    const std::int64_t length =
        std::min(piece_, ((part.range.count + threads - 1) / threads + group - 1) / group * group);
    const std::int64_t first_block = part.range.first / block;
    std::vector<Piece> pieces;  // in the order of members
    for (std::int64_t at = 0, count = 0; at < part.range.count; at += count) {
      const std::int64_t member = part.range.first + at, inside = member % block;
      count = std::min({length, block - inside, part.range.count - at});
      const std::int64_t of = member / block - first_block;
      pieces.push_back({of, pieces.empty() || pieces.back().block != of ? 0 : pieces.back().place + 1, at, count});
    }
    std::vector<std::size_t> turns(pieces.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    std::stable_sort(turns.begin(), turns.end(),
                     [&](std::size_t a, std::size_t b) { return pieces[a].place < pieces[b].place; });

    part.outcome = executor::make_outcome(scenario_, {{scenario_, part.range.first, part.range.count}});
    TrackReducer tracks(scenario_, *onlookers_.tracks, part, begun);
    InOrder in_order(pieces.back().block + 1, [&](std::int64_t k) {
      Piece& piece = pieces[static_cast<std::size_t>(k)];
      tracks.add(part.range.first + piece.at, piece.outcome);
      write_at(part.outcome, piece.at, piece.outcome);
      piece.outcome = {};
    });
    std::atomic<std::int64_t> nanoseconds = 0;
    share_work(static_cast<std::int64_t>(turns.size()), model_.threads(), [&](std::int64_t turn) {
      const std::size_t k = turns[static_cast<std::size_t>(turn)];
      Piece& piece = pieces[k];
      const executor::Chunk members = take(part, piece.at, piece.count);
      const auto start = std::chrono::steady_clock::now();
      piece.outcome = model_.run(scenario_, members, watch_);
      nanoseconds +=
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
      if (onlookers_.see) onlookers_.see(members, piece.outcome);
      in_order.bring(piece.block, piece.place, static_cast<std::int64_t>(k));
    });
    return static_cast<double>(nanoseconds) * 1e-9 /
           static_cast<double>(std::min<std::int64_t>(model_.threads(), std::ssize(pieces)));
  }

  const scenario::Scenario& scenario_;
  const executor::Model& model_;
  const executor::Watch& watch_;
  std::int64_t piece_;  // members stepped at once
  Onlookers onlookers_;
};

// Beside the next chunk's steps; at once where no thread can be made for it.
std::future<void> start_keeping(const Keep& keep, ChunkResults part, double seconds) {
  const auto shared = std::make_shared<ChunkResults>(std::move(part));
  try {
    return std::async(std::launch::async, [&keep, seconds, shared] { keep(std::move(*shared), seconds); });
  } catch (const std::system_error&) {
    keep(std::move(*shared), seconds);
    return {};
  }
}

// What the block that is not full yet has given: the next chunk goes on with it.
std::vector<statistics::TrackMoments> last_block(const ChunkResults& part) {
  std::vector<statistics::TrackMoments> sums;
  if (part.range.end() % statistics::block_members != 0)
    for (const auto& blocks : part.track_moments) sums.push_back(blocks.back());
  return sums;
}

}  // namespace

void step_ranges(const Stepping& members, const NextGap& next, const Keep& keep) {
  const auto& [scenario, points, model, chunk, watch, asked] = members;
  CS_ASSERT(chunk > 0);
  const Onlookers onlookers{scenario.record.members > 0 ? asked.tracks : nullptr, asked.see};
  ChunkRunner runner(scenario, model, watch, choose_piece(scenario, model, chunk, onlookers), onlookers);
  std::future<void> kept;  // the chunk before, on its way to the disk
  for (std::optional<Gap> gap = next(); gap; gap = next()) {
    std::vector<statistics::TrackMoments> begun = std::move(gap->begun);
    for (std::int64_t first = gap->range.first; first < gap->range.end(); first += chunk) {
      ChunkResults part;
      part.range = {first, std::min(chunk, gap->range.end() - first)};
      part.parameters = sampling::draw(scenario, points, part.range.first, part.range.count,
                                       model.traits().on_device ? 0 : model.threads());
      const double seconds = runner.run(part, begun);
      begun = last_block(part);
      if (kept.valid()) kept.get();
      kept = start_keeping(keep, std::move(part), seconds);
    }
  }
  if (kept.valid()) kept.get();
}

void step_ranges(const Stepping& members, const std::vector<Gap>& gaps, const Keep& keep) {
  const auto next = [at = gaps.begin(), end = gaps.end()]() mutable {
    return at == end ? std::nullopt : std::optional(*at++);
  };
  step_ranges(members, NextGap(next), keep);
}

}  // namespace conesweep::runs
