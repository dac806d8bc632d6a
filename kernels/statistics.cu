// The statistics of columns on a GPU: include/conesweep/statistics/thrust_columns.hpp compiled by nvcc with its own
// Thrust, as a plugin that libconesweep loads when asked for. Nothing but plain functions crosses the border.

#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <thrust/execution_policy.h>
#include <thrust/version.h>

#include <conesweep/statistics/plugin.hpp>
#include <conesweep/statistics/thrust_columns.hpp>

static_assert(CUDART_VERSION < 12000 || THRUST_MAJOR_VERSION >= 2,
              "the toolkit's own Thrust must come first, not one of the system");

namespace conesweep::statistics {
namespace {

void check(cudaError_t result, const char* call) {
  if (result == cudaErrorMemoryAllocation) throw std::bad_alloc();
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

/// Memory of the device, for columns and for what Thrust needs on the way. Giving it back never fails: after a fault
/// every call does, and what Thrust itself throws then, out of destructors, would end the program.
struct DeviceMemory {
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    void* place = nullptr;
    check(cudaMalloc(&place, static_cast<std::size_t>(bytes)), "cudaMalloc");
    return static_cast<char*>(place);
  }
  void deallocate(char* place, std::size_t) noexcept { cudaFree(place); }
};

template <class T>
class DeviceColumn {
 public:
  explicit DeviceColumn(long count) : count_(count), place_(reinterpret_cast<T*>(DeviceMemory().allocate(bytes()))) {}
  DeviceColumn(const T* host, long count) : DeviceColumn(count) {
    check(cudaMemcpy(place_, host, static_cast<std::size_t>(bytes()), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  DeviceColumn(const DeviceColumn&) = delete;
  DeviceColumn& operator=(const DeviceColumn&) = delete;
  ~DeviceColumn() { cudaFree(place_); }

  T* data() { return place_; }
  void copy_to(T* host) const {
    check(cudaMemcpy(host, place_, static_cast<std::size_t>(bytes()), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

 private:
  long bytes() const { return count_ * static_cast<long>(sizeof(T)); }

  long count_;
  T* place_;
};

/// Segments of equal length: by value, then by segment, which keeps the order of the values. Segments are counted in
/// double, so that both sorts are one instance: they are what nvcc spends its time on.
template <class Policy>
struct SortSegments {
  Policy policy;

  void operator()(double* values, long length, long segments) const {
    const long count = length * segments;
    DeviceColumn<double> segment(count);
    for_each_index(policy, count, Number{segment.data(), length});
    thrust::stable_sort_by_key(policy, values, values + count, segment.data());
    thrust::stable_sort_by_key(policy, segment.data(), segment.data() + count, values);
  }

  struct Number {
    double* segment;
    long length;
    CS_HD void operator()(long i) const { segment[i] = static_cast<double>(i / length); }
  };
};

/// body(policy) on a device; what goes wrong becomes a text.
template <class Body>
int run_on(int device, PluginError* error, const Body& body) {
  std::string text;
  try {
    check(cudaSetDevice(device), "cudaSetDevice");
    DeviceMemory memory;
    body(thrust::cuda::par(memory));
    return 0;
  } catch (const std::bad_alloc&) {
    text = "out of memory";
  } catch (const std::exception& failure) {
    text = failure.what();
  } catch (...) {
    text = "unknown error";
  }
  cudaGetLastError();  // the next call starts clean, where the device can
  std::snprintf(error->text, sizeof error->text, "%s", text.c_str());
  return 1;
}

int open_device(int device, PluginError* error) {
  return run_on(device, error, [&](const auto&) { check(cudaFree(nullptr), "cudaFree"); });
}

int sort_values(int device, const double* values, long count, double* sorted, PluginError* error) {
  return run_on(device, error, [&](const auto& policy) {
    DeviceColumn<double> column(values, count);
    sort_column(policy, column.data(), count);
    column.copy_to(sorted);
  });
}

// (more than 5 parameters: an interface in C)
int sum_values(int device, const double* values, const unsigned char* status, long count, double factor,
               Moments* blocks, PluginError* error) {
  return run_on(device, error, [&](const auto& policy) {
    DeviceColumn<double> column(values, count);
    DeviceColumn<unsigned char> ok(status, count);
    DeviceColumn<Moments> sums(count_pieces(count, block_members));
    sum_blocks(policy, SumBlock{column.data(), ok.data(), count, factor, sums.data()});
    sums.copy_to(blocks);
  });
}

// (more than 5 parameters: an interface in C)
int sum_track_values(int device, const double* values, long members, const long* rows, long count, long times,
                     long before, double* mean, double* squares, PluginError* error) {
  return run_on(device, error, [&](const auto& policy) {
    DeviceColumn<double> tracks(values, members * times);
    DeviceColumn<long> chosen(rows, count);
    DeviceColumn<double> means(mean, times), sums(squares, times);
    sum_tracks(policy,
               SumTracks<1>{{tracks.data(), chosen.data(), count, times, times}, before, means.data(), sums.data()});
    means.copy_to(mean);
    sums.copy_to(squares);
  });
}

// (more than 5 parameters: an interface in C)
int find_track_quantiles(int device, const double* values, long members, const long* rows, long count, long times,
                         const double* levels, long level_count, double* quantiles, PluginError* error) {
  return run_on(device, error, [&](const auto& policy) {
    DeviceColumn<double> tracks(values, members * times);
    DeviceColumn<long> chosen(rows, count);
    DeviceColumn<double> at(levels, level_count), work(times * count), curves(level_count * times);
    using Policy = std::decay_t<decltype(policy)>;
    read_track_quantiles(policy, SortSegments<Policy>{policy},
                         Tracks{tracks.data(), chosen.data(), count, times, times}, work.data(), at.data(), level_count,
                         curves.data());
    curves.copy_to(quantiles);
  });
}

const Plugin plugin = {plugin_version, open_device, sort_values, sum_values, sum_track_values, find_track_quantiles};

}  // namespace
}  // namespace conesweep::statistics

extern "C" __attribute__((visibility("default"))) const conesweep::statistics::Plugin* conesweep_statistics_plugin() {
  return &conesweep::statistics::plugin;
}
