#include "executor/cuda/cuda_executor.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "driver.hpp"
#include "executor/columns.hpp"
#include "executor/workers.hpp"
#include "model/unit.hpp"
#include "support/text.hpp"

namespace conesweep::kernels {
namespace {

using executor::Chunk;
using executor::Columns;
using executor::Outcome;
using executor::Watch;

constexpr double launch_seconds = 0.1;   // a launch's duration: displays freeze and watchdogs bite after two seconds
constexpr long first_launch_steps = 256;
constexpr long least_in_flight = 32;     // a warp; below, a device is no help
constexpr int slots_per_device = 2;      // waves on a device at once: one moves data while the other computes
constexpr int waves_of_occupancy = 4;    // members in flight, in devices full of threads

/// Device memory that grows and is given back.
class DeviceBuffer {
 public:
  ~DeviceBuffer() { release(); }
  DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  CUdeviceptr reserve(std::size_t bytes) {
    if (bytes > size_) {
      release();
      driver().check(driver().cuMemAlloc(&data_, bytes), "cuMemAlloc");
      size_ = bytes;
    }
    return data_;
  }
  CUdeviceptr get() const { return data_; }
  void release() {
    if (data_ != 0) driver().cuMemFree(data_);
    data_ = 0, size_ = 0;
  }

 private:
  CUdeviceptr data_ = 0;
  std::size_t size_ = 0;
};

/// Pinned host memory: copies run beside kernels.
class PinnedBuffer {
 public:
  ~PinnedBuffer() { release(); }
  PinnedBuffer() = default;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  template <class T>
  T* reserve(std::size_t count) {
    if (count * sizeof(T) > size_) {
      release();
      driver().check(driver().cuMemAllocHost(&data_, count * sizeof(T)), "cuMemAllocHost");
      size_ = count * sizeof(T);
    }
    return static_cast<T*>(data_);
  }

 private:
  void release() {
    if (data_ != nullptr) driver().cuMemFreeHost(data_);
    data_ = nullptr, size_ = 0;
  }
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A context on a device with the model's kernels in it.
class DeviceModel {
 public:
  DeviceModel(const Device& device, const std::string& ptx) : device_(device) {
    const Driver& d = driver();
    d.check(d.cuDevicePrimaryCtxRetain(&context_, device.handle), "cuDevicePrimaryCtxRetain");
    try {
      make_current();
      d.check(d.cuModuleLoadData(&module_, ptx.c_str()), "cuModuleLoadData");
      d.check(d.cuModuleGetFunction(&measure, module_, "measure_kernel"), "cuModuleGetFunction");
      d.check(d.cuModuleGetFunction(&advance, module_, "advance_kernel"), "cuModuleGetFunction");
      d.check(d.cuModuleGetFunction(&diagnose, module_, "diagnose_kernel"), "cuModuleGetFunction");
      CUdeviceptr place = 0;
      std::size_t bytes = 0;
      d.check(d.cuModuleGetGlobal(&place, &bytes, module_, "state_bytes"), "cuModuleGetGlobal");
      d.check(d.cuMemcpyDtoHAsync(&state_bytes, place, sizeof state_bytes, nullptr), "cuMemcpyDtoH");
      d.check(d.cuStreamSynchronize(nullptr), "cuStreamSynchronize");
      int grid = 0, active = 0;
      d.check(d.cuOccupancyMaxPotentialBlockSize(&grid, &block, advance, nullptr, 0, 256), "cuOccupancyMaxPotentialBlockSize");
      d.check(d.cuOccupancyMaxActiveBlocksPerMultiprocessor(&active, advance, block, 0), "cuOccupancyMaxActiveBlocksPerMultiprocessor");
      full = std::max<long>(least_in_flight, static_cast<long>(active) * block * std::max(1, device.multiprocessors));
    } catch (...) {
      close();
      throw;
    }
  }
  ~DeviceModel() { close(); }
  DeviceModel(const DeviceModel&) = delete;
  DeviceModel& operator=(const DeviceModel&) = delete;

  void make_current() const { driver().check(driver().cuCtxSetCurrent(context_), "cuCtxSetCurrent"); }
  const Device& device() const { return device_; }

  CUfunction measure = nullptr, advance = nullptr, diagnose = nullptr;
  long state_bytes = 0;
  int block = 128;   // threads
  long full = 0;     // members that fill the device

 private:
  void close() {
    if (module_ != nullptr) driver().cuModuleUnload(module_);
    if (context_ != nullptr) driver().cuDevicePrimaryCtxRelease(device_.handle);
    module_ = nullptr, context_ = nullptr;
  }

  Device device_;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

/// Members that wait for a device, in ranges; what a wave could not hold comes back.
class Queue {
 public:
  explicit Queue(std::int64_t count) { ranges_.push_back({0, count}); }

  struct Range {
    std::int64_t begin, end;
  };
  std::optional<Range> take(std::int64_t most) {
    const std::lock_guard guard(lock_);
    if (ranges_.empty()) return std::nullopt;
    Range& front = ranges_.front();
    const Range taken = {front.begin, std::min(front.end, front.begin + most)};
    front.begin = taken.end;
    if (front.begin == front.end) ranges_.pop_front();
    return taken;
  }
  void give_back(Range range) {
    const std::lock_guard guard(lock_);
    if (range.begin < range.end) ranges_.push_front(range);
  }

 private:
  std::mutex lock_;
  std::deque<Range> ranges_;
};

/// As kernels/advance.cuh has it; a pointer's type does not change its size.
template <class Scalar>
struct Wave {
  ensemble::Job<Scalar> job;
  const int* order;
  void* state;
  Scalar* ring;
  long slots;
};

template <class T>
T* as_pointer(CUdeviceptr place) { return reinterpret_cast<T*>(place); }

/// Where one wave of members runs: a stream with its memory, on host and device.
template <class Scalar>
class WaveSlot {
 public:
  WaveSlot(const DeviceModel& model, const scenario::Scenario& scenario, long columns) : model_(model), scenario_(scenario), ring_columns_(columns) {
    driver().check(driver().cuStreamCreate(&stream_, stream_non_blocking), "cuStreamCreate");
  }
  ~WaveSlot() {
    if (stream_ != nullptr) driver().cuStreamDestroy(stream_);
  }
  WaveSlot(const WaveSlot&) = delete;
  WaveSlot& operator=(const WaveSlot&) = delete;

  /// Runs members range.begin … range.end - 1 of the chunk's columns; returns how many it had room for, from the front.
  std::int64_t run(Columns<Scalar>& columns, std::vector<ensemble::Diagnosis>& diagnoses, Queue::Range range, const Watch& watch) {
    upload(columns, range);
    measure();
    // the ring is known now: does it fit?
    const std::int64_t fitting = make_room(range.end - range.begin);
    if (fitting < range.end - range.begin) {
      range.end = range.begin + fitting;
      upload(columns, range);
      measure();
      make_room(fitting);
    }
    advance(watch);
    download(columns, range);
    find_causes(columns, diagnoses, range);
    return range.end - range.begin;
  }

 private:
  const Driver& d_ = driver();

  void wait() { d_.check(d_.cuStreamSynchronize(stream_), "cuStreamSynchronize"); }

  void launch(CUfunction kernel, long threads, std::vector<void*> arguments, const char* what) {
    const auto blocks = static_cast<unsigned>((threads + model_.block - 1) / model_.block);
    d_.check(d_.cuLaunchKernel(kernel, blocks, 1, 1, static_cast<unsigned>(model_.block), 1, 1, 0, stream_, arguments.data(), nullptr), what);
  }

  template <class T>
  void to_device(CUdeviceptr to, const T* from, std::size_t count) {
    if (count > 0) d_.check(d_.cuMemcpyHtoDAsync(to, from, count * sizeof(T), stream_), "cuMemcpyHtoDAsync");
  }
  template <class T>
  void to_host(T* to, CUdeviceptr from, std::size_t count) {
    if (count > 0) d_.check(d_.cuMemcpyDtoHAsync(to, from, count * sizeof(T), stream_), "cuMemcpyDtoHAsync");
  }

  void upload(const Columns<Scalar>& columns, Queue::Range range) {
    count_ = range.end - range.begin;
    const auto members = static_cast<std::size_t>(count_);
    const std::size_t variations = scenario_.vary.size(), observables = observable_names(scenario_).size();
    recorded_ = std::clamp<std::int64_t>(columns.recorded - range.begin, 0, count_);
    const std::size_t cells = static_cast<std::size_t>(recorded_ * columns.times);

    ensemble::Job<Scalar>& job = wave_.job;
    job.count = job.stride = static_cast<long>(count_);
    job.fixed = as_pointer<Scalar>(fixed_.reserve(std::max<std::size_t>(1, columns.fixed.size()) * sizeof(Scalar)));
    job.varied = as_pointer<Scalar>(varied_.reserve(std::max<std::size_t>(1, variations * members) * sizeof(Scalar)));
    job.clock = columns.clock;
    job.observables = as_pointer<Scalar>(observables_.reserve(observables * members * sizeof(Scalar)));
    job.bad = as_pointer<unsigned char>(bad_.reserve(members));
    job.recorded = static_cast<long>(recorded_);
    job.every = static_cast<long>(scenario_.record.every);
    job.times = static_cast<long>(columns.times);
    job.tracks = as_pointer<Scalar>(tracks_.reserve(std::max<std::size_t>(1, 2 * static_cast<std::size_t>(scenario_.dimension()) * cells) * sizeof(Scalar)));
    job.modes = as_pointer<unsigned char>(modes_.reserve(std::max<std::size_t>(1, cells)));
    wave_.order = as_pointer<int>(order_.reserve(members * sizeof(int)));
    longest_.reserve(members * sizeof(long));
    wave_.state = as_pointer<void>(state_.reserve(members * static_cast<std::size_t>(model_.state_bytes)));
    wave_.ring = nullptr;
    wave_.slots = 1;

    // one pinned block in: fixed, then the varied columns of this range
    Scalar* in = in_.template reserve<Scalar>(columns.fixed.size() + variations * members);
    std::copy(columns.fixed.begin(), columns.fixed.end(), in);
    for (std::size_t k = 0; k < variations; ++k)
      std::copy_n(columns.varied.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(columns.count)) + range.begin, members, in + columns.fixed.size() + k * members);
    to_device(fixed_.get(), in, columns.fixed.size());
    to_device(varied_.get(), in + columns.fixed.size(), variations * members);
    d_.check(d_.cuMemsetD8Async(bad_.get(), 2, members, stream_), "cuMemsetD8Async");
    if (cells > 0) {
      d_.check(d_.cuMemsetD8Async(tracks_.get(), 0xff, 2 * static_cast<std::size_t>(scenario_.dimension()) * cells * sizeof(Scalar), stream_), "cuMemsetD8Async");
      d_.check(d_.cuMemsetD8Async(modes_.get(), 0, cells, stream_), "cuMemsetD8Async");
    }
  }

  // the ring's slots, and an order in which neighbours have similar delays
  void measure() {
    const auto members = static_cast<std::size_t>(count_);
    int* order = order_in_.template reserve<int>(members);
    std::iota(order, order + members, 0);
    if (ring_columns_ > 0) {
      CUdeviceptr longest = longest_.get();
      launch(model_.measure, static_cast<long>(count_), {&wave_, &longest}, "cuLaunchKernel (measure)");
      long* lags = lags_.template reserve<long>(members);
      to_host(lags, longest, members);
      wait();
      wave_.slots = std::max<long>(1, *std::max_element(lags, lags + members));
      std::stable_sort(order, order + members, [&](int a, int b) { return lags[a] < lags[b]; });
    }
    to_device(order_.get(), order, members);
    wait();  // the pinned blocks are free again
  }

  // memory for the ring of `wanted` members; as many as fit
  std::int64_t make_room(std::int64_t wanted) {
    if (ring_columns_ == 0) return wanted;
    const auto bytes = [&](std::int64_t members) {
      return static_cast<std::size_t>(wave_.slots) * static_cast<std::size_t>(ring_columns_) * static_cast<std::size_t>(members) * sizeof(Scalar);
    };
    for (std::int64_t members = wanted;; members = members / 2) {
      if (members < std::min<std::int64_t>(least_in_flight, wanted))
        throw DeviceError("the history of " + std::to_string(least_in_flight) + " members (" + format_count(bytes(least_in_flight) >> 20) +
                              " MiB) does not fit on the GPU; shorten the longest delay, take a larger step, or use --backend cpu", out_of_memory);
      try {
        wave_.ring = as_pointer<Scalar>(ring_.reserve(bytes(members)));
        return members;
      } catch (const DeviceError& error) {
        if (error.code != out_of_memory) throw;
      }
    }
  }

  // all steps, in launches of bounded duration
  void advance(const Watch& watch) {
    long steps_at_once = std::min<long>(first_launch_steps, wave_.job.clock.steps);
    for (long first = 0; first < wave_.job.clock.steps;) {
      if (watch.stopped()) throw Interrupted();
      long last = std::min(wave_.job.clock.steps, first + steps_at_once);
      const auto start = std::chrono::steady_clock::now();
      launch(model_.advance, static_cast<long>(count_), {&wave_, &first, &last}, "cuLaunchKernel (advance)");
      wait();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const double change = std::clamp(launch_seconds / std::max(seconds, 1e-6), 0.25, 4.0);
      steps_at_once = std::max<long>(1, static_cast<long>(std::min(static_cast<double>(steps_at_once) * change, 1e9)));
      first = last;
    }
  }

  void download(Columns<Scalar>& columns, Queue::Range range) {
    const auto members = static_cast<std::size_t>(count_);
    const std::size_t observables = observable_names(scenario_).size(), tracks = 2 * static_cast<std::size_t>(scenario_.dimension());
    const std::size_t cells = static_cast<std::size_t>(recorded_ * columns.times);
    Scalar* out = out_.template reserve<Scalar>(observables * members + tracks * cells);
    unsigned char* flags = flags_.template reserve<unsigned char>(members + cells);
    to_host(out, observables_.get(), observables * members);
    to_host(out + observables * members, tracks_.get(), tracks * cells);
    to_host(flags, bad_.get(), members);
    to_host(flags + members, modes_.get(), cells);
    wait();
    const auto all = static_cast<std::size_t>(columns.count), first = static_cast<std::size_t>(range.begin);
    for (std::size_t k = 0; k < observables; ++k) std::copy_n(out + k * members, members, columns.observables.data() + k * all + first);
    std::copy_n(flags, members, columns.bad.data() + first);
    const auto times = static_cast<std::size_t>(columns.times);
    for (std::size_t c = 0; c < tracks; ++c)
      std::copy_n(out + observables * members + c * cells, cells, columns.tracks.data() + (c * static_cast<std::size_t>(columns.recorded) + first) * times);
    if (cells > 0) std::copy_n(flags + members, cells, columns.modes.data() + first * times);
  }

  // members whose state did not stay finite run again, with every step checked
  void find_causes(const Columns<Scalar>& columns, std::vector<ensemble::Diagnosis>& diagnoses, Queue::Range range) {
    std::vector<int> bad;
    for (std::int64_t m = 0; m < count_; ++m)
      if (columns.bad[static_cast<std::size_t>(range.begin + m)] != 0) bad.push_back(static_cast<int>(m));
    if (bad.empty()) return;
    std::vector<ensemble::Diagnosis> found(bad.size());
    DeviceBuffer list, result;
    CUdeviceptr list_place = list.reserve(bad.size() * sizeof(int)), result_place = result.reserve(bad.size() * sizeof(ensemble::Diagnosis));
    if (wave_.ring == nullptr) wave_.ring = as_pointer<Scalar>(ring_.reserve(bad.size() * sizeof(Scalar)));
    long count = static_cast<long>(bad.size());
    to_device(list_place, bad.data(), bad.size());
    launch(model_.diagnose, count, {&wave_, &list_place, &count, &result_place}, "cuLaunchKernel (diagnose)");
    to_host(found.data(), result_place, found.size());
    wait();
    for (std::size_t k = 0; k < bad.size(); ++k) diagnoses[static_cast<std::size_t>(range.begin + bad[k])] = found[k];
  }

  const DeviceModel& model_;
  const scenario::Scenario& scenario_;
  long ring_columns_;
  CUstream stream_ = nullptr;
  Wave<Scalar> wave_{};
  std::int64_t count_ = 0, recorded_ = 0;
  DeviceBuffer fixed_, varied_, observables_, bad_, tracks_, modes_, order_, longest_, state_, ring_;
  PinnedBuffer in_, order_in_, lags_, out_, flags_;
};

/// "0,2" or "all" as devices of this machine.
std::vector<Device> choose_devices(const std::string& text) {
  const std::vector<Device> all = find_devices();
  if (text.empty()) return {all.front()};
  if (text == "all") return all;
  std::vector<Device> chosen;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, comma - begin);
    const bool digits = !word.empty() && word.size() < 6 && word.find_first_not_of("0123456789") == std::string::npos;
    const int number = digits ? std::stoi(word) : -1;
    if (number < 0 || number >= static_cast<int>(all.size()))
      throw InputError("--devices: '" + word + "' is not a device; this machine has 0 to " + std::to_string(all.size() - 1) + " (write all, or 0,1)");
    for (const Device& other : chosen)
      if (other.number == number) throw InputError("--devices: device " + word + " is named twice");
    chosen.push_back(all[static_cast<std::size_t>(number)]);
    begin = comma + 1;
  }
  return chosen;
}

class CudaExecutor final : public executor::Executor {
 public:
  CudaExecutor(const scenario::Scenario& scenario, const executor::Options& options) : scenario_(scenario), precision_(options.precision) {
    const model::CudaUnit unit = model::make_cuda_unit(scenario, precision_ == executor::Precision::single);
    ring_columns_ = unit.ring_columns;
    for (const Device& device : choose_devices(options.devices))
      models_.push_back(std::make_unique<DeviceModel>(device, compile_ptx(unit.text, device.major, device.minor, compile_seconds_)));
  }

  std::string name() const override { return "cuda"; }
  std::string device() const override {
    std::vector<std::string> names;
    for (const auto& model : models_) names.push_back(model->device().name);
    return join_words(names);
  }
  double compile_seconds() const override { return compile_seconds_; }

  Outcome run(const Chunk& chunk, const Watch& watch) override {
    return precision_ == executor::Precision::single ? run_in<float>(chunk, watch) : run_in<double>(chunk, watch);
  }

 private:
  template <class Scalar>
  Outcome run_in(const Chunk& chunk, const Watch& watch) {
    Columns<Scalar> columns(scenario_, chunk);
    std::vector<ensemble::Diagnosis> diagnoses(static_cast<std::size_t>(chunk.count));
    Queue queue(chunk.count);
    const auto lanes = static_cast<std::int64_t>(models_.size()) * slots_per_device;
    // every lane has work: a small chunk is split over them
    const std::int64_t share = std::max<std::int64_t>(least_in_flight, (chunk.count + lanes - 1) / lanes);
    executor::share_work(lanes, static_cast<int>(lanes), [&](std::int64_t lane) {
      const DeviceModel& model = *models_[static_cast<std::size_t>(lane) % models_.size()];
      model.make_current();
      WaveSlot<Scalar> slot(model, scenario_, ring_columns_);
      std::int64_t most = std::min<std::int64_t>(share, waves_of_occupancy * model.full);
      while (const auto range = queue.take(most)) {
        if (watch.stopped()) throw Interrupted();
        try {
          const std::int64_t done = slot.run(columns, diagnoses, *range, watch);
          queue.give_back({range->begin + done, range->end});
          most = std::min(most, std::max(done, least_in_flight + std::int64_t{0}));
          watch.finished(done);
        } catch (const DeviceError& error) {
          // out of memory: fewer members in flight, as long as that can help
          if (error.code != out_of_memory || range->end - range->begin <= least_in_flight) throw;
          queue.give_back(*range);
          most = std::max<std::int64_t>(least_in_flight, (range->end - range->begin) / 2);
        }
      }
    });
    return columns.to_outcome(scenario_, chunk, [&](std::int64_t m) { return diagnoses[static_cast<std::size_t>(m)]; });
  }

  const scenario::Scenario& scenario_;
  executor::Precision precision_;
  double compile_seconds_ = 0;
  long ring_columns_ = 0;
  std::vector<std::unique_ptr<DeviceModel>> models_;
};

}  // namespace
}  // namespace conesweep::kernels

namespace conesweep::executor::cuda {

std::unique_ptr<Executor> make_cuda_executor(const scenario::Scenario& scenario, const Options& options) { return std::make_unique<kernels::CudaExecutor>(scenario, options); }

bool is_available(std::string& reason) {
  try {
    kernels::nvrtc();
    reason = kernels::find_devices().front().name;
    return true;
  } catch (const SystemError& error) {
    reason = error.what();
    return false;
  }
}

std::vector<std::string> describe_devices() {
  std::vector<std::string> lines;
  for (const auto& device : kernels::find_devices())
    lines.push_back(std::to_string(device.number) + ": " + device.name + ", compute capability " + std::to_string(device.major) + "." + std::to_string(device.minor) + ", " +
                    std::to_string(device.multiprocessors) + " multiprocessors");
  return lines;
}

}  // namespace conesweep::executor::cuda
