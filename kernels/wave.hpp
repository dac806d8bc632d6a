#pragma once

#include <conesweep/chunk/job.hpp>

namespace conesweep::kernels {

/// Members in flight on a device: a part of a chunk. Thread k runs member order[k]; its ring and its state lie at k.
///
/// What the host fills is what kernels read. State is step::Member of the model there; the host does not know the model, and writes void.
template <class Scalar, class State>
struct Wave {
  chunk::Job<Scalar> job;  // pointers of the device; job.count members
  const int* order;        // [thread]: neighbours have similar delays, so that their loads fall together
  State* state;            // [thread], between two launches
  Scalar* ring;            // [slot][column][thread]
  long slots;
};

}  // namespace conesweep::kernels
