#include "wave_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>

namespace conesweep::kernels {
namespace {

constexpr double launch_seconds = 0.1;  // a launch's duration: displays freeze and watchdogs bite after two seconds
constexpr long first_launch_steps = 256;

/// Steps of every launch, where a test asks for them with CONESWEEP_LAUNCH_STEPS; 0: as many as take launch_seconds.
long forced_launch_steps() {
  const char* text = std::getenv("CONESWEEP_LAUNCH_STEPS");
  return text == nullptr ? 0 : std::max(0l, std::atol(text));
}

template <class T>
T* as_pointer(CUdeviceptr place) {
  return reinterpret_cast<T*>(place);
}

}  // namespace

template <class Scalar>
WaveRunner<Scalar>::WaveRunner(const DeviceModel& model, const MemberSizes& sizes)
    : model_(model),
      varied_columns_(sizes.varied),
      observable_columns_(sizes.observables),
      track_columns_(sizes.tracks),
      summed_columns_(sizes.summed),
      ring_columns_(sizes.ring) {
  d_.check(d_.cuStreamCreate(&stream_, stream_non_blocking), "cuStreamCreate");
}

template <class Scalar>
WaveRunner<Scalar>::~WaveRunner() {
  release();
  d_.cuStreamDestroy(stream_);
}

template <class Scalar>
void WaveRunner<Scalar>::load(const Columns& columns, Queue::Range range, long summed_times) {
  range_ = range;
  summed_times_ = summed_times;
  bytes_ = 0;
  wave_.ring = nullptr, wave_.slots = 1;
  place_columns(columns);
  upload(columns);
  measure();
}

template <class Scalar>
std::int64_t WaveRunner<Scalar>::count_room(std::size_t bytes) const {
  const std::size_t each = bytes_in_flight() / count_members() + 1;
  return std::max<std::int64_t>(least_in_flight,
                                static_cast<std::int64_t>(bytes / each) / least_in_flight * least_in_flight);
}

template <class Scalar>
void WaveRunner<Scalar>::run(Columns& columns, std::vector<chunk::Diagnosis>& diagnoses, const GoOn& go_on) {
  if (ring_columns_ > 0) wave_.ring = as_pointer<Scalar>(ring_.reserve(ring_bytes()));
  RegroupClock clock(std::chrono::steady_clock::now());
  in_launches(
      [&](long first, long last) {
        const auto now = std::chrono::steady_clock::now();
        if (wave_.work != nullptr && first > 0 && (forced_launch_steps() > 0 || clock.is_due(now))) {
          regroup();
          clock.note(now, std::chrono::steady_clock::now());
        }
        launch(model_.advance, wave_.job.count, {&wave_, &first, &last}, "cuLaunchKernel (advance)");
      },
      go_on);
  sum_tracks();
  download(columns);
  find_causes(columns, diagnoses, go_on);
}

template <class Scalar>
std::size_t WaveRunner<Scalar>::bytes_held() const {
  std::size_t bytes = 0;
  for (const DeviceBuffer* buffer : {&fixed_, &varied_, &observables_, &marks_, &tracks_, &modes_, &numbers_, &order_,
                                     &longest_, &state_, &causes_, &ring_, &sums_, &turn_, &work_})
    bytes += buffer->size();
  return bytes;
}

template <class Scalar>
void WaveRunner<Scalar>::release() {
  d_.cuStreamSynchronize(stream_);
  for (DeviceBuffer* buffer : {&fixed_, &varied_, &observables_, &marks_, &tracks_, &modes_, &numbers_, &order_,
                               &longest_, &state_, &causes_, &ring_, &sums_, &turn_, &work_})
    buffer->release();
  for (PinnedBuffer* buffer :
       {&in_, &numbers_in_, &order_in_, &lags_, &out_, &flags_, &sums_out_, &turn_in_, &work_out_})
    buffer->release();
}

template <class Scalar>
void WaveRunner<Scalar>::wait() {
  d_.check(d_.cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

template <class Scalar>
void WaveRunner<Scalar>::launch(CUfunction kernel, long threads, std::vector<void*> arguments, const char* what) {
  const auto blocks = static_cast<unsigned>((threads + model_.block - 1) / model_.block);
  d_.check(d_.cuLaunchKernel(kernel, blocks, 1, 1, static_cast<unsigned>(model_.block), 1, 1, 0, stream_,
                             arguments.data(), nullptr),
           what);
}

// room for `count` numbers, and for one where there are none
template <class Scalar>
template <class T>
T* WaveRunner<Scalar>::place(DeviceBuffer& buffer, std::size_t count, std::size_t size) {
  const std::size_t bytes = std::max<std::size_t>(1, count) * size;
  bytes_ += bytes;
  return as_pointer<T>(buffer.reserve(bytes));
}

template <class Scalar>
template <class T>
void WaveRunner<Scalar>::to_device(CUdeviceptr to, const T* from, std::size_t count) {
  if (count > 0) d_.check(d_.cuMemcpyHtoDAsync(to, from, count * sizeof(T), stream_), "cuMemcpyHtoDAsync");
}

template <class Scalar>
template <class T>
void WaveRunner<Scalar>::to_host(T* to, CUdeviceptr from, std::size_t count) {
  if (count > 0) d_.check(d_.cuMemcpyDtoHAsync(to, from, count * sizeof(T), stream_), "cuMemcpyDtoHAsync");
}

// the wave's columns on the device, as long as the range is
template <class Scalar>
void WaveRunner<Scalar>::place_columns(const Columns& columns) {
  const std::size_t members = count_members();
  chunk::Job<Scalar>& job = wave_.job;
  job.count = job.stride = static_cast<long>(range_.size());
  job.clock = columns.clock;
  job.recorded = summed_times_ > 0
                     ? job.count
                     : static_cast<long>(std::clamp<std::int64_t>(columns.recorded - range_.begin, 0, range_.size()));
  job.every = static_cast<long>(columns.every);
  job.times = summed_times_ > 0 ? summed_times_ : static_cast<long>(columns.times);
  job.fixed = place<Scalar>(fixed_, columns.fixed.size());
  job.varied = place<Scalar>(varied_, varied_columns_ * members);
  job.observables = place<Scalar>(observables_, observable_columns_ * members);
  job.marks = place<unsigned char>(marks_, members);
  job.tracks = place<Scalar>(tracks_, track_columns_ * count_cells());
  job.modes = place<unsigned char>(modes_, count_cells());
  job.seed = columns.members.seed();
  job.first_number = static_cast<long>(columns.members.number(range_.begin));
  job.numbers = columns.members.numbers().empty() ? nullptr : place<long>(numbers_, members);
  wave_.order = place<int>(order_, members);
  place<long>(longest_, ring_columns_ > 0 ? members : 0);
  if (summed_times_ > 0) place<double>(sums_, 2 * count_sums());
  const bool regroups = model_.may_regroup != 0 && job.count > warp;
  wave_.turn = nullptr;
  wave_.work = regroups ? place<float>(work_, members) : nullptr;
  if (regroups) place<int>(turn_, members);
  wave_.state =
      place<typename Wave<Scalar>::Word>(state_, count_threads(), static_cast<std::size_t>(model_.state_bytes));
}

template <class Scalar>
void WaveRunner<Scalar>::upload(const Columns& columns) {
  const std::size_t members = count_members(), cells = count_cells();
  // one pinned block in: fixed, then the varied columns of this range
  Scalar* in = in_.template reserve<Scalar>(columns.fixed.size() + varied_columns_ * members);
  std::copy(columns.fixed.begin(), columns.fixed.end(), in);
  for (std::size_t k = 0; k < varied_columns_; ++k)
    std::copy_n(columns.varied.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(columns.count)) +
                    range_.begin,
                members, in + columns.fixed.size() + k * members);
  to_device(fixed_.get(), in, columns.fixed.size());
  to_device(varied_.get(), in + columns.fixed.size(), varied_columns_ * members);
  if (const auto& numbers = columns.members.numbers(); !numbers.empty()) {
    long* some = numbers_in_.template reserve<long>(members);
    std::copy_n(numbers.begin() + range_.begin, members, some);
    to_device(numbers_.get(), some, members);
  }
  d_.check(d_.cuMemsetD8Async(marks_.get(), 2, members, stream_), "cuMemsetD8Async");
  if (cells > 0) {
    d_.check(d_.cuMemsetD8Async(tracks_.get(), 0xff, track_columns_ * cells * sizeof(Scalar), stream_),
             "cuMemsetD8Async");
    d_.check(d_.cuMemsetD8Async(modes_.get(), 0, cells, stream_), "cuMemsetD8Async");
  }
}

// the ring's slots, and an order in which neighbours have similar delays
template <class Scalar>
void WaveRunner<Scalar>::measure() {
  const std::size_t members = count_members();
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

// after a launch: members with as much to do go on side by side
template <class Scalar>
void WaveRunner<Scalar>::regroup() {
  const std::size_t members = count_members();
  float* work = work_out_.template reserve<float>(members);
  int* turn = turn_in_.template reserve<int>(members);
  to_host(work, work_.get(), members);
  wait();
  sort_by_work(work, static_cast<int>(members), turn);
  to_device(turn_.get(), turn, members);
  wave_.turn = as_pointer<int>(turn_.get());
}

// begin(first, last) for all steps, in launches of bounded duration
template <class Scalar>
void WaveRunner<Scalar>::in_launches(const std::function<void(long first, long last)>& begin, const GoOn& go_on) {
  const long steps = wave_.job.clock.steps, forced = forced_launch_steps();
  // a step may look through a long window
  long steps_at_once = forced > 0 ? forced : first_launch_steps * 1024 / (1024 + wave_.slots) + 1;
  for (long first = 0; first < steps;) {
    const long last = first + std::min(steps - first, steps_at_once);
    const auto start = std::chrono::steady_clock::now();
    if (!go_on()) throw Interrupted();
    begin(first, last);
    wait();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double change = std::clamp(launch_seconds / std::max(seconds, 1e-6), 0.25, 4.0);
    if (forced == 0)
      steps_at_once = std::max<long>(1, static_cast<long>(std::min(static_cast<double>(steps_at_once) * change, 1e9)));
    first = last;
  }
}

// one thread for each block, column and time
template <class Scalar>
void WaveRunner<Scalar>::sum_tracks() {
  if (summed_times_ == 0) return;
  CUdeviceptr mean = sums_.get(), squares = mean + count_sums() * sizeof(double);
  launch(model_.sum_tracks, static_cast<long>(count_sums()), {&wave_, &mean, &squares}, "cuLaunchKernel (sum_tracks)");
  to_host(sums_out_.template reserve<double>(2 * count_sums()), mean, 2 * count_sums());
}

template <class Scalar>
void WaveRunner<Scalar>::read_sums(const Columns& columns, executor::TrackSums* sums) {
  const double *mean = sums_out_.template reserve<double>(2 * count_sums()), *squares = mean + count_sums();
  for (std::size_t b = 0; b < count_blocks(); ++b) {
    const auto begin =
        columns.marks.begin() + range_.begin + static_cast<std::ptrdiff_t>(b * statistics::block_members);
    const auto members = std::min<std::int64_t>(
        statistics::block_members, range_.size() - static_cast<std::int64_t>(b * statistics::block_members));
    sums[b].count =
        std::count_if(begin, begin + members, [](unsigned char mark) { return (mark & chunk::mark_stopped) == 0; });
    for (std::size_t c = 0; c < summed_columns_; ++c, mean += summed_times_, squares += summed_times_) {
      sums[b].mean.emplace_back(mean, mean + summed_times_);
      sums[b].squares.emplace_back(squares, squares + summed_times_);
    }
  }
}

template <class Scalar>
void WaveRunner<Scalar>::download(Columns& columns) {
  const std::size_t members = count_members(), cells = count_leaving();
  Scalar* out = out_.template reserve<Scalar>(observable_columns_ * members + track_columns_ * cells);
  unsigned char* flags = flags_.template reserve<unsigned char>(members + cells);
  to_host(out, observables_.get(), observable_columns_ * members);
  to_host(out + observable_columns_ * members, tracks_.get(), track_columns_ * cells);
  to_host(flags, marks_.get(), members);
  to_host(flags + members, modes_.get(), cells);
  wait();
  const auto all = static_cast<std::size_t>(columns.count), first = static_cast<std::size_t>(range_.begin);
  for (std::size_t k = 0; k < observable_columns_; ++k)
    std::copy_n(out + k * members, members, columns.observables.data() + k * all + first);
  std::copy_n(flags, members, columns.marks.data() + first);
  if (cells == 0) return;
  const auto times = static_cast<std::size_t>(columns.times);
  for (std::size_t c = 0; c < track_columns_; ++c)
    std::copy_n(out + observable_columns_ * members + c * cells, cells,
                columns.tracks.data() + (c * static_cast<std::size_t>(columns.recorded) + first) * times);
  std::copy_n(flags + members, cells, columns.modes.data() + first * times);
}

// members whose state did not stay finite run again, with every step checked
template <class Scalar>
void WaveRunner<Scalar>::find_causes(const Columns& columns, std::vector<chunk::Diagnosis>& diagnoses,
                                     const GoOn& go_on) {
  std::vector<int> bad;
  for (std::int64_t m = 0; m < range_.size(); ++m)
    if ((columns.marks[static_cast<std::size_t>(range_.begin + m)] & chunk::mark_stopped) != 0)
      bad.push_back(static_cast<int>(m));
  if (bad.empty()) return;
  std::vector<chunk::Diagnosis> found(bad.size());
  // the order is not needed any more: its place takes the list
  CUdeviceptr list = order_.get(), result = causes_.reserve(bad.size() * sizeof(chunk::Diagnosis));
  long count = static_cast<long>(bad.size());
  to_device(list, bad.data(), bad.size());
  in_launches(
      [&](long first, long last) {
        launch(model_.diagnose, count, {&wave_, &list, &count, &first, &last, &result}, "cuLaunchKernel (diagnose)");
      },
      go_on);
  to_host(found.data(), result, found.size());
  wait();
  for (std::size_t k = 0; k < bad.size(); ++k) diagnoses[static_cast<std::size_t>(range_.begin + bad[k])] = found[k];
}

template class WaveRunner<float>;
template class WaveRunner<double>;

}  // namespace conesweep::kernels
