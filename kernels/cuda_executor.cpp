#include "executor/cuda/cuda_executor.hpp"

#include <algorithm>
#include <mutex>

#include "choose_devices.hpp"
#include "compile_ptx.hpp"
#include "model/unit.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"
#include "wave_runner.hpp"

namespace conesweep::kernels {
namespace {

using executor::Chunk;
using executor::Columns;
using executor::Outcome;
using executor::Watch;

constexpr int runners_per_device = 2;  // waves on a device at once: one moves data while the other computes
constexpr int waves_of_occupancy = 4;  // members in flight, in devices full of threads
// of the device's free memory: allocations are rounded up, and others live there too
constexpr double share_of_free = 0.9;

// Bytes of a device that a runner keeps from call to call: small chunks find their memory there, and nobody else misses
// it.
std::size_t most_kept(std::size_t room) { return std::min<std::size_t>(room / 64, 64 << 20); }

/// A chunk while its runners work on it.
template <class Scalar>
struct Work {
  Work(Columns<Scalar>& all, int runners, const Watch& watching)
      : columns(all), diagnoses(static_cast<std::size_t>(all.count)), queue(all.count, runners), watch(watching) {}

  Columns<Scalar>& columns;
  std::vector<chunk::Diagnosis> diagnoses;  // [member]
  Queue queue;
  const Watch& watch;
  std::vector<executor::TrackSums>* sums = nullptr;  // of tracks, by block: then members are taken in whole blocks
  long summed_times = 0;
};

/// The tracks of a block have no room on a device.
struct NoRoomForTracks {};

class CudaExecutor final : public executor::Model, public executor::SumsTracks {
 public:
  CudaExecutor(const scenario::Problem& problem, const std::vector<int>& columns, const executor::Options& options)
      : shape_(problem), precision_(options.precision) {
    const model::CudaUnit unit = model::make_cuda_unit(problem, columns, precision_ == executor::Precision::single);
    sizes_ = {columns.size(), shape_.observables, shape_.tracks, shape_.summed, unit.ring_columns};
    for (const Device& device : choose_devices(options)) {
      const CompiledPtx compiled = compile_ptx(unit.text, device.major, device.minor, options.compiling);
      compile_seconds_ += compiled.seconds;
      notice_ = compiled.notice;
      models_.push_back(std::make_unique<DeviceModel>(device, compiled.ptx));
    }
  }

  ~CudaExecutor() override {
    const auto end_all = [&](auto& runners) {
      for (std::size_t k = 0; k < runners.size(); ++k) {
        try {
          if (runners[k] != nullptr) models_[k % models_.size()]->make_current();  // its memory is of that context
        } catch (const DeviceError&) {
          // what fails here has failed before
        }
        runners[k].reset();
      }
    };
    end_all(double_), end_all(single_);
  }

  std::string name() const override { return "cuda"; }
  executor::Traits traits() const override { return {.on_device = true}; }
  executor::Precision precision() const override { return precision_; }
  std::string device() const override {
    std::vector<std::string> names;
    for (const auto& model : models_) names.push_back(model->device().name);
    return join_words(names);
  }
  executor::Flight in_flight(std::int64_t nodes) const override {
    const std::int64_t scalar = precision_ == executor::Precision::single ? 4 : 8;
    const auto columns = static_cast<std::int64_t>(sizes_.varied + sizes_.observables);
    executor::Flight flight;
    for (const auto& model : models_) {
      const std::int64_t each = model->state_bytes + nodes * sizes_.ring * scalar + columns * scalar + 32;
      const auto room = static_cast<std::int64_t>(share_of_free * static_cast<double>(model->count_free())) / each;
      const std::int64_t members = std::min<std::int64_t>(model->full * waves_of_occupancy * runners_per_device, room);
      flight.members += members;
      flight.bytes += members * each;
    }
    return flight;
  }
  std::int64_t busy_members() const override {
    std::int64_t members = 0;
    for (const auto& model : models_) members += model->full * waves_of_occupancy * runners_per_device;
    return std::clamp<std::int64_t>(members, 1 << 16, 1 << 20);
  }
  double compile_seconds() const override { return compile_seconds_; }
  std::string notice() const override { return notice_; }

  Outcome run(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch) const override {
    return in_precision([&]<class Scalar>(Scalar) { return run_in<Scalar>(setup, chunk, watch); });
  }

  void run_in_place(const scenario::Setup& setup, const executor::Given& given, const executor::Places& places,
                    const Watch& watch) const override {
    in_precision([&]<class Scalar>(Scalar) {
      Columns<Scalar> columns(shape_, setup, given, places, watch);
      const auto why = step_all(columns, setup, watch);
      columns.give(setup, places, [&](std::int64_t m) { return why[static_cast<std::size_t>(m)]; });
    });
  }

  Outcome run_and_sum(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch,
                      std::vector<executor::TrackSums>& sums) const override {
    try {
      sums.assign(static_cast<std::size_t>((chunk.count() + block - 1) / block), {});
      return in_precision([&]<class Scalar>(Scalar) { return run_in<Scalar>(setup, chunk, watch, &sums); });
    } catch (const NoRoomForTracks&) {
      sums.clear();
      Chunk tracked = chunk;
      tracked.track_all = true;
      return run(setup, tracked, watch);
    }
  }

 private:
  static constexpr std::int64_t block = statistics::block_members;

  template <class Work>
  auto in_precision(const Work& work) const -> decltype(work(double())) {
    return precision_ == executor::Precision::single ? work(float()) : work(double());
  }

  template <class Scalar>
  Outcome run_in(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch,
                 std::vector<executor::TrackSums>* sums = nullptr) const {
    Columns<Scalar> columns(shape_, setup, chunk);
    const auto why = step_all(columns, setup, watch, sums);
    return columns.to_outcome(setup, chunk, [&](std::int64_t m) { return why[static_cast<std::size_t>(m)]; });
  }

  // Calls take turns on the devices: each fills them.
  template <class Scalar>
  std::vector<chunk::Diagnosis> step_all(Columns<Scalar>& columns, const scenario::Setup& setup, const Watch& watch,
                                         std::vector<executor::TrackSums>* sums = nullptr) const {
    const std::lock_guard turn(turns_);
    auto& waves = runners_in<Scalar>();
    waves.resize(models_.size() * runners_per_device);
    // every runner has work: a small chunk is split over them, and a warp needs one
    const auto runners = static_cast<int>(
        std::clamp<std::int64_t>((columns.count + least_in_flight - 1) / least_in_flight, 1, std::ssize(waves)));
    const std::int64_t share = std::max<std::int64_t>(least_in_flight, (columns.count + runners - 1) / runners);
    Work<Scalar> work(columns, runners, watch);
    if (sums != nullptr) work.sums = sums, work.summed_times = static_cast<long>(setup.recorded_times());
    std::vector<std::size_t> room;  // bytes a runner may use, by device
    for (const auto& model : models_)
      room.push_back(static_cast<std::size_t>(share_of_free * static_cast<double>(model->count_free())) /
                     runners_per_device);
    share_work(runners, runners, [&](std::int64_t number) {
      const std::size_t device = static_cast<std::size_t>(number) % models_.size();
      auto& runner = waves[static_cast<std::size_t>(number)];
      try {
        const DeviceModel& model = *models_[device];
        model.make_current();
        if (runner == nullptr) runner = std::make_unique<WaveRunner<Scalar>>(model, sizes_);
        run_waves(*runner, room[device], std::min<std::int64_t>(share, waves_of_occupancy * model.full), work);
        if (runner->bytes_held() > most_kept(room[device])) runner->release();
      } catch (...) {
        work.queue.fail(std::current_exception());
        runner.reset();
      }
    });
    work.queue.rethrow_failure();
    return std::move(work.diagnoses);
  }

  // waves of at most `most` members from the queue, one after the other
  template <class Scalar>
  void run_waves(WaveRunner<Scalar>& runner, std::size_t room, std::int64_t most, Work<Scalar>& work) const {
    Queue& queue = work.queue;
    if (work.sums != nullptr) most = std::max(block, most / block * block);
    for (int beside = queue.runners(); const auto range = queue.take(most); beside = queue.runners()) {
      try {
        runner.load(work.columns, *range, work.summed_times);
        // the ring is known now: fewer members at once if they do not fit
        if (const std::int64_t fitting = runner.count_room(room); fitting < range->size()) {
          most = work.sums == nullptr ? fitting : fitting / block * block;
          if (most == 0) throw NoRoomForTracks();
          queue.give_back(*range);
          continue;
        }
        runner.run(work.columns, work.diagnoses, [&] { return !work.watch.stopped() && !queue.failed(); });
        if (work.sums != nullptr) runner.read_sums(work.columns, work.sums->data() + range->begin / block);
        queue.finish();
        work.watch.finished(range->size());
      } catch (const DeviceError& error) {
        if (error.code != out_of_memory) throw;
        const std::size_t bytes = runner.bytes_in_flight();
        runner.release();
        if (work.sums != nullptr) throw NoRoomForTracks();
        // out of memory: fewer members in flight, then fewer runners, as long as that can help
        if (range->size() > least_in_flight) {
          most = std::max<std::int64_t>(least_in_flight, range->size() / 2);
          queue.give_back(*range);
        } else if (queue.leave(*range)) {
          return;
        } else if (beside > 1) {
          queue.give_back(*range);  // another runner has left meanwhile, and its memory is free
        } else {
          throw_no_room(range->size(), bytes);
        }
      }
    }
  }

  [[noreturn]] static void throw_no_room(std::int64_t members, std::size_t bytes) {
    throw DeviceError("the GPU has no room for " + std::to_string(members) + (members == 1 ? " member" : " members") +
                          " at once (at least " + format_short(static_cast<double>(bytes) / (1 << 20), 3) +
                          " MiB); shorten the longest delay, take a larger step, record fewer trajectories, or use " +
                          setting::backend("cpu"),
                      out_of_memory);
  }

  // what runs waves, between two calls: runner k on device k mod devices
  template <class Scalar>
  auto& runners_in() const {
    if constexpr (sizeof(Scalar) == sizeof(float))
      return single_;
    else
      return double_;
  }

  executor::OutcomeShape shape_;
  executor::Precision precision_;
  double compile_seconds_ = 0;
  std::string notice_;
  MemberSizes sizes_;
  std::vector<std::unique_ptr<DeviceModel>> models_;
  mutable std::mutex turns_;
  mutable std::vector<std::unique_ptr<WaveRunner<double>>> double_;
  mutable std::vector<std::unique_ptr<WaveRunner<float>>> single_;
};

}  // namespace
}  // namespace conesweep::kernels

namespace conesweep::executor::cuda {

int first_device(const Options& options) { return kernels::choose_devices(options).front().number; }

std::unique_ptr<Model> make_cuda_executor(const scenario::Problem& problem, const std::vector<int>& columns,
                                          const Options& options) {
  return std::make_unique<kernels::CudaExecutor>(problem, columns, options);
}

}  // namespace conesweep::executor::cuda
