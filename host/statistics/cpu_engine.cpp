#include <omp.h>

#include <thrust/system/omp/execution_policy.h>
#include <conesweep/statistics/thrust_columns.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include "statistics/engine_input.hpp"
#include "support/workers.hpp"

namespace conesweep::statistics {
namespace {

using executor::Status;

// Times that one thread takes at once, at most. Wider: fewer page walks, measured 1.2 ns an entry for 128 beside 1.35;
// narrower: work for more threads.
constexpr int tile = 64;

const auto on_cores = thrust::omp::par;

// What is worth another thread: some 0.1 ms of work, several times what waking it costs.
constexpr std::size_t entries_a_thread = 1 << 15;

/// So many threads as the system gives now, at most `wanted`: OpenMP ends the program where it cannot make one, so they
/// are tried before. Some 20 µs a thread, a fifth of what it is woken for at least.
int count_possible(int wanted) {
  if (wanted == 1) return 1;
  std::atomic<bool> over = false;
  std::vector<std::thread> tried = start_threads(wanted - 1, [&over] { over.wait(false); });
  over = true;
  over.notify_all();
  for (auto& thread : tried) thread.join();
  return 1 + static_cast<int>(tried.size());
}

/// Throws std::bad_alloc where memory is so short that OpenMP would not get what it keeps of its threads, some
/// kilobytes: it ends the program then, as if members had stopped (code 1).
void demand_room_for_threads() {
  constexpr std::size_t ample = 1 << 20;
  ::operator delete(::operator new(ample));
}

/// OpenMP's number of threads, for the calling thread and as long as it lives.
class Threads {
 public:
  Threads(int threads, std::size_t entries) : before_(omp_get_max_threads()) {
    demand_room_for_threads();
    if (shares_work()) threads = 1;
    omp_set_num_threads(count_possible(
        static_cast<int>(std::clamp<std::size_t>(entries / entries_a_thread, 1, static_cast<std::size_t>(threads)))));
  }
  // OpenMP's threads would turn for a millisecond and wait for more to do, beside those that step: they end instead.
  ~Threads() {
    if (count() > 1) omp_pause_resource(omp_pause_soft, omp_get_initial_device());
    omp_set_num_threads(before_);
  }
  int count() const { return omp_get_max_threads(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

constexpr long few = 256;  // values: Thrust sorts by digits, whose tables cost more than that many comparisons

/// One thread a segment.
struct SortSegment {
  double* values;
  long length;
  void operator()(long segment) const {
    double* const first = values + segment * length;
    if (length < few)
      std::sort(first, first + length);
    else
      sort_column(thrust::seq, first, length);
  }
};

class CpuEngine : public Engine {
 public:
  explicit CpuEngine(int threads) : threads_(count_threads(threads)) {}

  std::string name() const override { return "cpu"; }
  int threads() const override { return threads_; }

  void sort(std::span<double> values) override {
    const Threads limit(threads_, values.size());
    try {
      // Thrust takes room for a copy inside its threads, where a failure would end the program: ask here first
      std::vector<double>().reserve(values.size());
    } catch (const std::bad_alloc&) {
      std::sort(values.begin(), values.end());
      return;
    }
    sort_column(on_cores, values.data(), static_cast<long>(values.size()));
  }

  std::vector<Moments> block_moments(std::span<const double> values, std::span<const Status> status,
                                     double factor) override {
    CS_ASSERT(values.size() == status.size());
    const Threads limit(threads_, values.size());
    const auto count = static_cast<long>(values.size());
    std::vector<Moments> blocks(static_cast<std::size_t>(count_pieces(count, block_members)));
    sum_blocks(on_cores, SumBlock{values.data(), plain(status), count, factor, blocks.data()});
    return blocks;
  }

  TrackMoments block_track_moments(std::span<const double> track, std::span<const Status> status, std::int64_t times,
                                   TrackMoments moments) override {
    const auto rows = ok_rows(track, status, times);
    const Threads limit(threads_, track.size());
    const auto before = static_cast<long>(moments.count), count = static_cast<long>(rows.size());
    moments.count += count;
    moments.mean.resize(static_cast<std::size_t>(times));
    moments.squares.resize(static_cast<std::size_t>(times));
    sum_tracks(on_cores,
               SumTracks<tile>{{track.data(), rows.data(), count, times, count_tiles<tile>(times, limit.count())},
                               before,
                               moments.mean.data(),
                               moments.squares.data()});
    return moments;
  }

  std::vector<double> track_quantiles(std::span<const double> track, std::span<const Status> status,
                                      std::int64_t times) override {
    const auto rows = ok_rows(track, status, times);
    const Threads limit(threads_, track.size());
    std::vector<double> quantiles(std::size(quantile_levels) * static_cast<std::size_t>(times),
                                  std::numeric_limits<double>::quiet_NaN());
    if (rows.empty()) return quantiles;
    std::vector<double> work(rows.size() * static_cast<std::size_t>(times));
    const auto sort_segments = [](double* values, long length, long segments) {
      for_each_index(on_cores, segments, SortSegment{values, length});
    };
    const Tracks tracks = {track.data(), rows.data(), static_cast<long>(rows.size()), times,
                           count_tiles<tile>(times, limit.count())};
    read_track_quantiles(on_cores, sort_segments, tracks, work.data(), quantile_levels, std::size(quantile_levels),
                         quantiles.data());
    return quantiles;
  }

 private:
  int threads_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(int threads) { return std::make_unique<CpuEngine>(threads); }

Engine& cpu_engine() {
  static CpuEngine engine(0);
  return engine;
}

}  // namespace conesweep::statistics
