#pragma once

#include <conesweep/chunk/job.hpp>

namespace conesweep::kernels {

/// A piece of a member's state, as large as its numbers.
template <class Scalar>
struct WordOf;
template <>
struct WordOf<double> {
  using Type = unsigned long long;
};
template <>
struct WordOf<float> {
  using Type = unsigned;
};

/// Threads that load and store together. What a thread keeps in memory lies beside that of its warp, number by number:
/// [warp][number][lane]. A warp's access to a number is one stretch of memory, and how far two numbers of a thread lie
/// apart is known when the kernel is compiled.
inline constexpr long warp = 32;

/// Rounded up to whole warps.
CS_HD constexpr long count_lanes(long threads) { return (threads + warp - 1) / warp * warp; }

/// Where the first of a thread's `numbers` numbers lies; the next one lies `warp` further.
CS_HD constexpr long place_in_warps(long thread, long numbers) {
  return thread / warp * warp * numbers + thread % warp;
}

/// Members in flight on a device: a part of a chunk. Thread k runs the member at place order[k].
///
/// What the host fills is what kernels read. The host does not know the model; how large a member's state is the
/// compiled model says.
template <class Scalar>
struct Wave {
  using Word = typename WordOf<Scalar>::Type;

  chunk::Job<Scalar> job;  // pointers of the device; job.count members
  const int* order;        // [thread]: neighbours have similar delays, so that their loads fall together
  Word* state;             // [warp][word][lane], between two launches
  Scalar* ring;            // [warp][slot][column][lane]
  long slots;
  const int* turn;  // [thread]: whose state and order it takes; null: its own
  float* work;      // [state's place]: how much the last launch had to do; null: nobody asks
};

}  // namespace conesweep::kernels
