#pragma once

#include <conesweep/state/columns.hpp>
#include <conesweep/statistics/moments.hpp>

#include "wave.hpp"

namespace conesweep::kernels {

/// Mean and sum of squares of a number of the state at a recorded time over a block of members, one thread each: member
/// after member, as on the CPU, so that the bits are the same. Neighbours are at neighbouring times, and read
/// neighbours. [block][column][time], of the columns that are summed; the wave begins with a whole block.
template <class Scalar, class Model>
__device__ __forceinline__ void sum_tracks(const Wave<Scalar>& wave, double* mean, double* squares) {
  const chunk::Job<Scalar>& job = wave.job;
  const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x, rows = k / job.times, time = k % job.times;
  constexpr int columns = state::count_summed_states<Model>();
  const long c = rows % columns, first = rows / columns * statistics::block_members;
  if (first >= job.count) return;
  const long end = first + statistics::block_members < job.count ? first + statistics::block_members : job.count;
  const Scalar* column = job.tracks + c * job.recorded * job.times + time;
  double m = 0, s = 0;
  long count = 0;
  for (long member = first; member < end; ++member) {
    if ((job.marks[member] & chunk::mark_stopped) != 0) continue;
    ++count;
    statistics::add_value(static_cast<double>(column[member * job.times]), 1 / static_cast<double>(count), m, s);
  }
  mean[k] = canonicalize(m);
  squares[k] = canonicalize(s);
}

}  // namespace conesweep::kernels
