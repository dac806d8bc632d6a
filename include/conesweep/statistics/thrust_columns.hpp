#pragma once

// The statistics of columns on Thrust, one text for g++ (OpenMP) and nvcc (CUDA): who calls gives the execution policy
// and pointers of its device. Thrust hands out work and sorts. It sums nothing: thrust::reduce has no fixed order
// (docs/decisions/0010-thrust-plugin.md).

#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP
#endif
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>

#include <conesweep/math/scalar.hpp>
#include <conesweep/statistics/moments.hpp>
#include <conesweep/statistics/quantile.hpp>

namespace conesweep::statistics {

/// So many pieces of `size` cover `count`.
CS_HD constexpr long count_pieces(long count, long size) { return (count + size - 1) / size; }

/// body(k) for k = 0 … count - 1, by whoever the policy says, in any order.
template <class Policy, class Body>
void for_each_index(const Policy& policy, long count, const Body& body) {
  thrust::for_each(policy, thrust::counting_iterator<long>(0), thrust::counting_iterator<long>(count), body);
}

// ---- one column ----

/// One thread a block of members.
struct SumBlock {
  const double* values;         // [count]
  const unsigned char* status;  // [count]
  long count;
  double factor;
  Moments* blocks;  // [count_pieces(count, block_members)]

  CS_HD void operator()(long block) const {
    const long first = block * block_members;
    const long members = count - first < block_members ? count - first : block_members;
    blocks[block] = sum_moments(values + first, status + first, members, factor);
  }
};

template <class Policy>
void sum_blocks(const Policy& policy, const SumBlock& column) {
  for_each_index(policy, count_pieces(column.count, block_members), column);
}

/// Ascending. NaN and -0 must not be there: then the bits of a sorted column are unique.
template <class Policy>
void sort_column(const Policy& policy, double* values, long count) {
  thrust::sort(policy, values, values + count);
}

// ---- tracks: one coordinate of the members of a block over the recorded times ---------------------------------------

struct Tracks {
  const double* values;  // [member * times + time]
  const long* rows;      // [count], the members that count
  long count;
  long times;
  long tiles;  // how many threads share the times

  CS_HD long first_time(long tile) const { return times * tile / tiles; }
};

/// As few tiles of at most `Width` times as there can be, and as many for each of the threads as for the others.
template <int Width>
long count_tiles(long times, long threads) {
  return count_pieces(count_pieces(times, Width), threads) * threads;
}

/// Mean and sum of squares at the times of a tile, at most `Width`, member after member (add_value).
/// Times do not meet, so the bits do not depend on the tiles: on a CPU a tile fills vectors, on a GPU it is one time,
/// and neighbours read neighbours. A block may come in pieces: sums go on from those of the `before` members that came
/// before.
template <int Width>
struct SumTracks {
  Tracks tracks;
  long before;
  double* mean;     // [times], in and out
  double* squares;  // [times], in and out

  CS_HD void operator()(long tile) const {
    const long first = tracks.first_time(tile), width = tracks.first_time(tile + 1) - first;
    double m[Width], s[Width];
    for (long j = 0; j < width; ++j) m[j] = mean[first + j], s[j] = squares[first + j];
    long k = 0;
    // eight at once: sums are loaded and stored once for them
    for (; k + 8 <= tracks.count; k += 8) add_rows<8>(k, first, width, m, s);
    for (; k < tracks.count; ++k) add_rows<1>(k, first, width, m, s);
    for (long j = 0; j < width; ++j) mean[first + j] = m[j], squares[first + j] = s[j];
  }

  template <int Rows>
  CS_HD void add_rows(long k, long first, long width, double* m, double* s) const {
    const double* row[Rows];
    double share[Rows];
    for (int r = 0; r < Rows; ++r)
      row[r] = tracks.values + tracks.rows[k + r] * tracks.times + first,
      share[r] = 1 / static_cast<double>(before + k + r + 1);
    for (long j = 0; j < width; ++j) {
      double about = m[j], sum = s[j];
      for (int r = 0; r < Rows; ++r) add_value(row[r][j], share[r], about, sum);
      m[j] = about, s[j] = sum;
    }
  }
};

template <int Width, class Policy>
void sum_tracks(const Policy& policy, const SumTracks<Width>& sums) {
  for_each_index(policy, sums.tracks.tiles, sums);
}

/// The values at one time side by side: turned[time * count + k]. -0 becomes 0, and NaN, the track of a member that has
/// ended, infinite: NaN cannot be sorted.
struct TurnTracks {
  Tracks tracks;
  double* turned;

  CS_HD void operator()(long tile) const {
    const long first = tracks.first_time(tile), width = tracks.first_time(tile + 1) - first;
    for (long k = 0; k < tracks.count; ++k) {
      const double* row = tracks.values + tracks.rows[k] * tracks.times + first;
      for (long j = 0; j < width; ++j)
        turned[(first + j) * tracks.count + k] = row[j] == row[j] ? row[j] + 0.0 : infinity<double>();
    }
  }
};

/// The quantiles at one time.
struct ReadQuantiles {
  const double* sorted;  // [time * count + k]
  long count;
  long times;
  const double* levels;  // [level_count]
  long level_count;
  double* quantiles;  // [level * times + time]

  CS_HD void operator()(long time) const {
    for (long l = 0; l < level_count; ++l)
      quantiles[l * times + time] = sorted_quantile(sorted + time * count, count, levels[l]);
  }
};

/// Quantile curves. sort_segments(values, length, segments) sorts each of the segments: how is the one thing that CPU
/// and GPU do differently. `work` has room for times * count values
/// (more than 5 parameters: two columns, and who works on them).
template <class Policy, class SortSegments>
void read_track_quantiles(const Policy& policy, const SortSegments& sort_segments, const Tracks& tracks, double* work,
                          const double* levels, long level_count, double* quantiles) {
  for_each_index(policy, tracks.tiles, TurnTracks{tracks, work});
  sort_segments(work, tracks.count, tracks.times);
  for_each_index(policy, tracks.times, ReadQuantiles{work, tracks.count, tracks.times, levels, level_count, quantiles});
}

}  // namespace conesweep::statistics
