#pragma once

#include <functional>
#include <vector>

#include <conesweep/statistics/moments.hpp>

#include "device_buffer.hpp"
#include "device_model.hpp"
#include "executor/columns.hpp"
#include "executor/track_sums.hpp"
#include "pinned_buffer.hpp"
#include "queue.hpp"
#include "regroup.hpp"
#include "wave.hpp"

namespace conesweep::kernels {

/// How many numbers a member brings and leaves.
struct MemberSizes {
  // columns of parameters, observables and trajectories; so many of the latter, the first, are summed where asked for
  std::size_t varied = 0, observables = 0, tracks = 0, summed = 0;
  long ring = 0;  // numbers that a node leaves in the ring; 0: no history
};

/// Where one wave of members runs: a stream with its memory, on host and device. Scalar is double or float.
template <class Scalar>
class WaveRunner {
 public:
  using Columns = executor::Columns<Scalar>;
  using GoOn = std::function<bool()>;  // asked between launches; false: the run throws Interrupted

  /// The model's context is the current one, here and in every call.
  WaveRunner(const DeviceModel& model, const MemberSizes& sizes);
  ~WaveRunner();
  WaveRunner(const WaveRunner&) = delete;
  WaveRunner& operator=(const WaveRunner&) = delete;

  /// Members range.begin … range.end - 1 of the chunk go to the device; all but the ring is allocated.
  /// `summed_times`: recorded nodes of all members, whose tracks are summed and do not leave the device; 0: tracks of
  /// the recorded members do.
  void load(const Columns& columns, Queue::Range range, long summed_times = 0);

  /// How many members like the loaded ones have room in so many bytes; at least a warp, which is always worth a try.
  std::int64_t count_room(std::size_t bytes) const;

  /// All steps of the loaded members.
  void run(Columns& columns, std::vector<chunk::Diagnosis>& diagnoses, const GoOn& go_on);

  /// After a run with summed tracks: those of the loaded members, in blocks from the first one on.
  void read_sums(const Columns& columns, executor::TrackSums* sums);

  /// Bytes of the device that the loaded members need, as far as it is known.
  std::size_t bytes_in_flight() const { return bytes_ + ring_bytes(); }

  /// Bytes of the device that are reserved, whether they are needed now or not.
  std::size_t bytes_held() const;

  /// Gives all memory back, after what was begun has ended. What fails here has failed before.
  void release();

 private:
  template <class T>
  T* place(DeviceBuffer& buffer, std::size_t count, std::size_t size = sizeof(T));
  template <class T>
  void to_device(CUdeviceptr to, const T* from, std::size_t count);
  template <class T>
  void to_host(T* to, CUdeviceptr from, std::size_t count);

  void place_columns(const Columns& columns);
  void upload(const Columns& columns);
  void measure();
  void regroup();
  void in_launches(const std::function<void(long first, long last)>& begin, const GoOn& go_on);
  void launch(CUfunction kernel, long threads, std::vector<void*> arguments, const char* what);
  void wait();
  void download(Columns& columns);
  void sum_tracks();
  void find_causes(const Columns& columns, std::vector<chunk::Diagnosis>& diagnoses, const GoOn& go_on);

  std::size_t count_members() const { return static_cast<std::size_t>(range_.size()); }
  // of a column of trajectories
  std::size_t count_cells() const { return static_cast<std::size_t>(wave_.job.recorded * wave_.job.times); }
  // of them, those that leave the device
  std::size_t count_leaving() const { return summed_times_ > 0 ? 0 : count_cells(); }
  std::size_t count_sums() const { return count_blocks() * summed_columns_ * static_cast<std::size_t>(summed_times_); }
  std::size_t count_blocks() const {
    return (count_members() + statistics::block_members - 1) / statistics::block_members;
  }
  // in whole warps
  std::size_t count_threads() const { return static_cast<std::size_t>(count_lanes(static_cast<long>(range_.size()))); }
  std::size_t ring_bytes() const {
    return static_cast<std::size_t>(wave_.slots) * static_cast<std::size_t>(ring_columns_) * count_threads() *
           sizeof(Scalar);
  }

  const Driver& d_ = driver();
  const DeviceModel& model_;
  // numbers a member brings and leaves
  const std::size_t varied_columns_, observable_columns_, track_columns_, summed_columns_;
  const long ring_columns_;  // numbers a node leaves in the ring
  CUstream stream_ = nullptr;
  Wave<Scalar> wave_{};
  Queue::Range range_{};
  long summed_times_ = 0;
  std::size_t bytes_ = 0;  // of the device, without the ring
  // on the device: columns of the job, then what the wave has beside them
  DeviceBuffer fixed_, varied_, observables_, marks_, tracks_, modes_, numbers_, order_, longest_, state_, causes_,
      ring_, sums_, turn_, work_;
  // on the host: what goes there and comes back
  PinnedBuffer in_, numbers_in_, order_in_, lags_, out_, flags_, sums_out_, turn_in_, work_out_;
};

}  // namespace conesweep::kernels
