#include "executor/cuda/cuda_executor.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>

#include "compile_ptx.hpp"
#include "driver.hpp"
#include "executor/columns.hpp"
#include "model/unit.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace conesweep::kernels {
namespace {

using executor::Chunk;
using executor::Columns;
using executor::Outcome;
using executor::Watch;

constexpr double launch_seconds = 0.1;  // a launch's duration: displays freeze and watchdogs bite after two seconds
constexpr long first_launch_steps = 256;
constexpr long least_in_flight = 32;   // a warp; below, a device is no help
constexpr int slots_per_device = 2;    // waves on a device at once: one moves data while the other computes
constexpr int waves_of_occupancy = 4;  // members in flight, in devices full of threads
constexpr double share_of_free = 0.9;  // of the device's free memory: allocations are rounded up, and others live there too

/// Steps of every launch, where a test asks for them with CONESWEEP_LAUNCH_STEPS; 0: as many as take launch_seconds.
long forced_launch_steps() {
  const char* text = std::getenv("CONESWEEP_LAUNCH_STEPS");
  return text == nullptr ? 0 : std::max(0l, std::atol(text));
}

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
  void release() {
    if (data_ != nullptr) driver().cuMemFreeHost(data_);
    data_ = nullptr, size_ = 0;
  }

 private:
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

  /// Bytes free on the device now.
  std::size_t count_free() const {
    std::size_t free = 0, all = 0;
    make_current();
    driver().check(driver().cuMemGetInfo(&free, &all), "cuMemGetInfo");
    return free;
  }

  CUfunction measure = nullptr, advance = nullptr, diagnose = nullptr;
  long state_bytes = 0;
  int block = 128;  // threads
  long full = 0;    // members that fill the device

 private:
  void close() {
    const Driver& d = driver();
    if (context_ != nullptr) d.cuCtxSetCurrent(context_);  // a module is unloaded from the current context
    if (module_ != nullptr) d.cuModuleUnload(module_);
    if (context_ != nullptr) d.cuCtxSetCurrent(nullptr), d.cuDevicePrimaryCtxRelease(device_.handle);
    module_ = nullptr, context_ = nullptr;
  }

  Device device_;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

/// Members that wait for a device, in ranges, and the lanes that take them.
///
/// A lane that finds nothing waits until the others have finished: they may give back what they had no room for. A lane whose
/// device has no room for a warp leaves, as long as another one stays. So no member is left without a lane, whatever the order.
class Queue {
 public:
  Queue(std::int64_t count, int lanes) : lanes_(lanes) { ranges_.push_back({0, count}); }

  struct Range {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
  };

  /// At most so many members; nothing when all are done or a lane has failed. The lane ends each range with one of the next three.
  std::optional<Range> take(std::int64_t most) {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return failure_ || !ranges_.empty() || in_flight_ == 0; });
    if (failure_ || ranges_.empty()) return std::nullopt;
    Range& front = ranges_.front();
    const Range taken = {front.begin, std::min(front.end, front.begin + most)};
    front.begin = taken.end;
    if (front.begin == front.end) ranges_.pop_front();
    ++in_flight_;
    return taken;
  }
  void finish() {
    const std::lock_guard guard(lock_);
    --in_flight_;
    changed_.notify_all();
  }
  void give_back(Range range) {
    const std::lock_guard guard(lock_);
    put_back(range);
  }
  /// Gives a range back for good. False if no other lane is there: then the range is still the caller's.
  bool leave(Range range) {
    const std::lock_guard guard(lock_);
    if (lanes_ == 1) return false;
    --lanes_;
    put_back(range);
    return true;
  }

  int lanes() {
    const std::lock_guard guard(lock_);
    return lanes_;
  }

  /// The first failure ends the work of all lanes, and is what the run tells.
  void fail(std::exception_ptr failure) {
    const std::lock_guard guard(lock_);
    if (!failure_) failure_ = std::move(failure);
    changed_.notify_all();
  }
  bool failed() {
    const std::lock_guard guard(lock_);
    return failure_ != nullptr;
  }
  void rethrow_failure() {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void put_back(Range range) {
    --in_flight_;
    ranges_.push_front(range);
    changed_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Range> ranges_;
  int in_flight_ = 0;  // ranges
  int lanes_;          // that have not left
  std::exception_ptr failure_;
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
T* as_pointer(CUdeviceptr place) {
  return reinterpret_cast<T*>(place);
}

/// Where one wave of members runs: a stream with its memory, on host and device.
template <class Scalar>
class WaveSlot {
 public:
  WaveSlot(const DeviceModel& model, const scenario::Scenario& scenario, long columns) : model_(model), scenario_(scenario), ring_columns_(columns) {
    driver().check(driver().cuStreamCreate(&stream_, stream_non_blocking), "cuStreamCreate");
  }
  ~WaveSlot() {
    release();
    d_.cuStreamDestroy(stream_);
  }
  WaveSlot(const WaveSlot&) = delete;
  WaveSlot& operator=(const WaveSlot&) = delete;

  /// Members range.begin … range.end - 1 of the chunk go to the device; all but the ring is allocated.
  void load(const Columns<Scalar>& columns, Queue::Range range) {
    range_ = range;
    bytes_ = 0;
    wave_.ring = nullptr, wave_.slots = 1;
    upload(columns);
    measure();
  }

  /// How many members like the loaded ones have room in so many bytes; at least a warp, which is always worth a try.
  std::int64_t count_room(std::size_t bytes) const {
    const std::size_t each = bytes_in_flight() / static_cast<std::size_t>(range_.size()) + 1;
    return std::max<std::int64_t>(least_in_flight, static_cast<std::int64_t>(bytes / each) / least_in_flight * least_in_flight);
  }

  /// All steps of the loaded members; `go_on()` is asked between launches.
  template <class GoOn>
  void run(Columns<Scalar>& columns, std::vector<ensemble::Diagnosis>& diagnoses, const GoOn& go_on) {
    if (ring_columns_ > 0) wave_.ring = as_pointer<Scalar>(ring_.reserve(ring_bytes()));
    in_launches([&](long first, long last) {
      if (!go_on()) throw Interrupted();
      launch(model_.advance, wave_.job.count, {&wave_, &first, &last}, "cuLaunchKernel (advance)");
    });
    download(columns);
    find_causes(columns, diagnoses, go_on);
  }

  /// Bytes of the device that the loaded members need, as far as it is known.
  std::size_t bytes_in_flight() const { return bytes_ + ring_bytes(); }

  /// Gives all memory back, after what was begun has ended. What fails here has failed before.
  void release() {
    d_.cuStreamSynchronize(stream_);
    for (DeviceBuffer* buffer : {&fixed_, &varied_, &observables_, &bad_, &tracks_, &modes_, &order_, &longest_, &state_, &causes_, &ring_}) buffer->release();
    for (PinnedBuffer* buffer : {&in_, &order_in_, &lags_, &out_, &flags_}) buffer->release();
  }

 private:
  const Driver& d_ = driver();

  void wait() { d_.check(d_.cuStreamSynchronize(stream_), "cuStreamSynchronize"); }

  void launch(CUfunction kernel, long threads, std::vector<void*> arguments, const char* what) {
    const auto blocks = static_cast<unsigned>((threads + model_.block - 1) / model_.block);
    d_.check(d_.cuLaunchKernel(kernel, blocks, 1, 1, static_cast<unsigned>(model_.block), 1, 1, 0, stream_, arguments.data(), nullptr), what);
  }

  // room for `count` numbers, and for one where there are none
  template <class T>
  T* place(DeviceBuffer& buffer, std::size_t count, std::size_t size = sizeof(T)) {
    const std::size_t bytes = std::max<std::size_t>(1, count) * size;
    bytes_ += bytes;
    return as_pointer<T>(buffer.reserve(bytes));
  }

  template <class T>
  void to_device(CUdeviceptr to, const T* from, std::size_t count) {
    if (count > 0) d_.check(d_.cuMemcpyHtoDAsync(to, from, count * sizeof(T), stream_), "cuMemcpyHtoDAsync");
  }
  template <class T>
  void to_host(T* to, CUdeviceptr from, std::size_t count) {
    if (count > 0) d_.check(d_.cuMemcpyDtoHAsync(to, from, count * sizeof(T), stream_), "cuMemcpyDtoHAsync");
  }

  void upload(const Columns<Scalar>& columns) {
    const auto members = static_cast<std::size_t>(range_.size());
    const std::size_t variations = scenario_.vary.size(), observables = observable_names(scenario_).size(),
                      tracks = 2 * static_cast<std::size_t>(scenario_.dimension());
    const std::int64_t recorded = std::clamp<std::int64_t>(columns.recorded - range_.begin, 0, range_.size());
    const std::size_t cells = static_cast<std::size_t>(recorded * columns.times);

    ensemble::Job<Scalar>& job = wave_.job;
    job.count = job.stride = static_cast<long>(range_.size());
    job.fixed = place<Scalar>(fixed_, columns.fixed.size());
    job.varied = place<Scalar>(varied_, variations * members);
    job.clock = columns.clock;
    job.observables = place<Scalar>(observables_, observables * members);
    job.bad = place<unsigned char>(bad_, members);
    job.recorded = static_cast<long>(recorded);
    job.every = static_cast<long>(scenario_.record.every);
    job.times = static_cast<long>(columns.times);
    job.tracks = place<Scalar>(tracks_, tracks * cells);
    job.modes = place<unsigned char>(modes_, cells);
    wave_.order = place<int>(order_, members);
    place<long>(longest_, ring_columns_ > 0 ? members : 0);
    wave_.state = place<char>(state_, members, static_cast<std::size_t>(model_.state_bytes));

    // one pinned block in: fixed, then the varied columns of this range
    Scalar* in = in_.template reserve<Scalar>(columns.fixed.size() + variations * members);
    std::copy(columns.fixed.begin(), columns.fixed.end(), in);
    for (std::size_t k = 0; k < variations; ++k)
      std::copy_n(columns.varied.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(columns.count)) + range_.begin, members,
                  in + columns.fixed.size() + k * members);
    to_device(fixed_.get(), in, columns.fixed.size());
    to_device(varied_.get(), in + columns.fixed.size(), variations * members);
    d_.check(d_.cuMemsetD8Async(bad_.get(), 2, members, stream_), "cuMemsetD8Async");
    if (cells > 0) {
      d_.check(d_.cuMemsetD8Async(tracks_.get(), 0xff, tracks * cells * sizeof(Scalar), stream_), "cuMemsetD8Async");
      d_.check(d_.cuMemsetD8Async(modes_.get(), 0, cells, stream_), "cuMemsetD8Async");
    }
  }

  // the ring's slots, and an order in which neighbours have similar delays
  void measure() {
    const auto members = static_cast<std::size_t>(range_.size());
    int* order = order_in_.template reserve<int>(members);
    std::iota(order, order + members, 0);
    if (ring_columns_ > 0) {
      CUdeviceptr longest = longest_.get();
      launch(model_.measure, wave_.job.count, {&wave_, &longest}, "cuLaunchKernel (measure)");
      long* lags = lags_.template reserve<long>(members);
      to_host(lags, longest, members);
      wait();
      wave_.slots = std::max<long>(1, *std::max_element(lags, lags + members));
      std::stable_sort(order, order + members, [&](int a, int b) { return lags[a] < lags[b]; });
    }
    to_device(order_.get(), order, members);
    wait();  // the pinned blocks are free again
  }

  std::size_t ring_bytes() const {
    return static_cast<std::size_t>(wave_.slots) * static_cast<std::size_t>(ring_columns_) * static_cast<std::size_t>(range_.size()) * sizeof(Scalar);
  }

  // begin(first, last) for all steps, in launches of bounded duration
  template <class Begin>
  void in_launches(const Begin& begin) {
    const long steps = wave_.job.clock.steps, forced = forced_launch_steps();
    long steps_at_once = forced > 0 ? forced : first_launch_steps * 1024 / (1024 + wave_.slots) + 1;  // a step may look through a long window
    for (long first = 0; first < steps;) {
      const long last = first + std::min(steps - first, steps_at_once);
      const auto start = std::chrono::steady_clock::now();
      begin(first, last);
      wait();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const double change = std::clamp(launch_seconds / std::max(seconds, 1e-6), 0.25, 4.0);
      if (forced == 0) steps_at_once = std::max<long>(1, static_cast<long>(std::min(static_cast<double>(steps_at_once) * change, 1e9)));
      first = last;
    }
  }

  void download(Columns<Scalar>& columns) {
    const auto members = static_cast<std::size_t>(range_.size());
    const std::size_t observables = observable_names(scenario_).size(), tracks = 2 * static_cast<std::size_t>(scenario_.dimension());
    const auto cells = static_cast<std::size_t>(wave_.job.recorded * wave_.job.times);
    Scalar* out = out_.template reserve<Scalar>(observables * members + tracks * cells);
    unsigned char* flags = flags_.template reserve<unsigned char>(members + cells);
    to_host(out, observables_.get(), observables * members);
    to_host(out + observables * members, tracks_.get(), tracks * cells);
    to_host(flags, bad_.get(), members);
    to_host(flags + members, modes_.get(), cells);
    wait();
    const auto all = static_cast<std::size_t>(columns.count), first = static_cast<std::size_t>(range_.begin);
    for (std::size_t k = 0; k < observables; ++k) std::copy_n(out + k * members, members, columns.observables.data() + k * all + first);
    std::copy_n(flags, members, columns.bad.data() + first);
    if (cells == 0) return;
    const auto times = static_cast<std::size_t>(columns.times);
    for (std::size_t c = 0; c < tracks; ++c)
      std::copy_n(out + observables * members + c * cells, cells, columns.tracks.data() + (c * static_cast<std::size_t>(columns.recorded) + first) * times);
    std::copy_n(flags + members, cells, columns.modes.data() + first * times);
  }

  // members whose state did not stay finite run again, with every step checked
  template <class GoOn>
  void find_causes(const Columns<Scalar>& columns, std::vector<ensemble::Diagnosis>& diagnoses, const GoOn& go_on) {
    std::vector<int> bad;
    for (std::int64_t m = 0; m < range_.size(); ++m)
      if (columns.bad[static_cast<std::size_t>(range_.begin + m)] != 0) bad.push_back(static_cast<int>(m));
    if (bad.empty()) return;
    std::vector<ensemble::Diagnosis> found(bad.size());
    // the order is not needed any more: its place takes the list
    CUdeviceptr list = order_.get(), result = causes_.reserve(bad.size() * sizeof(ensemble::Diagnosis));
    long count = static_cast<long>(bad.size());
    to_device(list, bad.data(), bad.size());
    in_launches([&](long first, long last) {
      if (!go_on()) throw Interrupted();
      launch(model_.diagnose, count, {&wave_, &list, &count, &first, &last, &result}, "cuLaunchKernel (diagnose)");
    });
    to_host(found.data(), result, found.size());
    wait();
    for (std::size_t k = 0; k < bad.size(); ++k) diagnoses[static_cast<std::size_t>(range_.begin + bad[k])] = found[k];
  }

  const DeviceModel& model_;
  const scenario::Scenario& scenario_;
  long ring_columns_;
  CUstream stream_ = nullptr;
  Wave<Scalar> wave_{};
  Queue::Range range_{};
  std::size_t bytes_ = 0;  // of the device, without the ring
  DeviceBuffer fixed_, varied_, observables_, bad_, tracks_, modes_, order_, longest_, state_, causes_, ring_;
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
      throw InputError("--devices: '" + word + "' is not a device; this machine has " +
                       (all.size() == 1 ? "only 0" : "0 to " + std::to_string(all.size() - 1) + " (write all, or 0,1)"));
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
    for (const Device& device : choose_devices(options.devices)) {
      const CompiledPtx compiled = compile_ptx(unit.text, device.major, device.minor, options.compiling);
      compile_seconds_ += compiled.seconds;
      notice_ = compiled.notice;
      models_.push_back(std::make_unique<DeviceModel>(device, compiled.ptx));
    }
  }

  std::string name() const override { return "cuda"; }
  std::string device() const override {
    std::vector<std::string> names;
    for (const auto& model : models_) names.push_back(model->device().name);
    return join_words(names);
  }
  executor::Flight in_flight(std::int64_t nodes) const override {
    const std::int64_t scalar = precision_ == executor::Precision::single ? 4 : 8;
    const auto columns = static_cast<std::int64_t>(scenario_.vary.size() + observable_names(scenario_).size());
    executor::Flight flight;
    for (const auto& model : models_) {
      const std::int64_t each = model->state_bytes + nodes * ring_columns_ * scalar + columns * scalar + 32;
      const auto room = static_cast<std::int64_t>(share_of_free * static_cast<double>(model->count_free())) / each;
      const std::int64_t members = std::min<std::int64_t>(model->full * waves_of_occupancy * slots_per_device, room);
      flight.members += members;
      flight.bytes += members * each;
    }
    return flight;
  }
  std::int64_t busy_members() const override {
    std::int64_t members = 0;
    for (const auto& model : models_) members += model->full * waves_of_occupancy * slots_per_device;
    return std::clamp<std::int64_t>(members, 1 << 16, 1 << 20);
  }
  double compile_seconds() const override { return compile_seconds_; }
  std::string notice() const override { return notice_; }

  Outcome run(const Chunk& chunk, const Watch& watch) override {
    return precision_ == executor::Precision::single ? run_in<float>(chunk, watch) : run_in<double>(chunk, watch);
  }

 private:
  template <class Scalar>
  Outcome run_in(const Chunk& chunk, const Watch& watch) {
    Columns<Scalar> columns(scenario_, chunk);
    std::vector<ensemble::Diagnosis> diagnoses(static_cast<std::size_t>(chunk.count));
    const int lanes = static_cast<int>(models_.size()) * slots_per_device;
    Queue queue(chunk.count, lanes);
    std::vector<std::size_t> room;  // bytes a lane may use, by device
    for (const auto& model : models_) room.push_back(static_cast<std::size_t>(share_of_free * static_cast<double>(model->count_free())) / slots_per_device);
    // every lane has work: a small chunk is split over them
    const std::int64_t share = std::max<std::int64_t>(least_in_flight, (chunk.count + lanes - 1) / lanes);
    share_work(lanes, lanes, [&](std::int64_t lane) {
      const std::size_t device = static_cast<std::size_t>(lane) % models_.size();
      try {
        run_lane(*models_[device], room[device], std::min<std::int64_t>(share, waves_of_occupancy * models_[device]->full), queue, columns, diagnoses, watch);
      } catch (...) {
        queue.fail(std::current_exception());
      }
    });
    queue.rethrow_failure();
    return columns.to_outcome(scenario_, chunk, [&](std::int64_t m) { return diagnoses[static_cast<std::size_t>(m)]; });
  }

  // waves of at most `most` members from the queue, one after the other
  template <class Scalar>
  void run_lane(const DeviceModel& model, std::size_t room, std::int64_t most, Queue& queue, Columns<Scalar>& columns,
                std::vector<ensemble::Diagnosis>& diagnoses, const Watch& watch) const {
    model.make_current();
    WaveSlot<Scalar> slot(model, scenario_, ring_columns_);
    for (int beside = queue.lanes(); const auto range = queue.take(most); beside = queue.lanes()) {
      try {
        slot.load(columns, *range);
        // the ring is known now: fewer members at once if they do not fit
        if (const std::int64_t fitting = slot.count_room(room); fitting < range->size()) {
          most = fitting;
          queue.give_back(*range);
          continue;
        }
        slot.run(columns, diagnoses, [&] { return !watch.stopped() && !queue.failed(); });
        queue.finish();
        watch.finished(range->size());
      } catch (const DeviceError& error) {
        if (error.code != out_of_memory) throw;
        const std::size_t bytes = slot.bytes_in_flight();
        slot.release();
        // out of memory: fewer members in flight, then fewer lanes, as long as that can help
        if (range->size() > least_in_flight) {
          most = std::max<std::int64_t>(least_in_flight, range->size() / 2);
          queue.give_back(*range);
        } else if (queue.leave(*range)) {
          return;
        } else if (beside > 1) {
          queue.give_back(*range);  // another lane has left meanwhile, and its memory is free
        } else {
          throw DeviceError("the GPU has no room for " + std::to_string(range->size()) + (range->size() == 1 ? " member" : " members") + " at once (at least " +
                                format_short(static_cast<double>(bytes) / (1 << 20), 3) +
                                " MiB); shorten the longest delay, take a larger step, record fewer trajectories, or use --backend cpu",
                            out_of_memory);
        }
      }
    }
  }

  const scenario::Scenario& scenario_;
  executor::Precision precision_;
  double compile_seconds_ = 0;
  std::string notice_;
  long ring_columns_ = 0;
  std::vector<std::unique_ptr<DeviceModel>> models_;
};

}  // namespace
}  // namespace conesweep::kernels

namespace conesweep::executor::cuda {

std::unique_ptr<Executor> make_cuda_executor(const scenario::Scenario& scenario, const Options& options) {
  return std::make_unique<kernels::CudaExecutor>(scenario, options);
}

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

Foundation find_foundation() {
  Foundation found;
  try {
    int version = 0;
    kernels::driver().check(kernels::driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
    found.driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  } catch (const SystemError&) {
  }
  try {
    found.nvrtc = kernels::nvrtc().version, found.nvrtc_folder = kernels::nvrtc().folder;
  } catch (const SystemError&) {
  }
  return found;
}

std::vector<std::string> describe_devices() {
  std::vector<std::string> lines;
  for (const auto& device : kernels::find_devices())
    lines.push_back(std::to_string(device.number) + ": " + device.name + ", compute capability " + std::to_string(device.major) + "." +
                    std::to_string(device.minor) + ", " + std::to_string(device.multiprocessors) + " multiprocessors");
  return lines;
}

}  // namespace conesweep::executor::cuda
