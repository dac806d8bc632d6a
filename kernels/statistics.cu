// The statistics of columns on a GPU: include/conesweep/statistics/thrust_columns.hpp compiled by nvcc with its own Thrust, as a plugin that libconesweep loads when
// asked for. Nothing but plain functions crosses the border.

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/system/system_error.h>

#include <conesweep/statistics/plugin.hpp>
#include <conesweep/statistics/thrust_columns.hpp>

static_assert(CUDART_VERSION < 12000 || THRUST_MAJOR_VERSION >= 2, "the toolkit's own Thrust must come first, not one of the system");

namespace conesweep::statistics {
namespace {

const auto on_device = thrust::cuda::par;

template <class T>
T* raw(thrust::device_vector<T>& column) { return thrust::raw_pointer_cast(column.data()); }

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// Runs body on the device; what goes wrong becomes a text. A device without errors is left behind where that is possible.
template <class Body>
int guard(int device, PluginError* error, const Body& body) {
  std::string text;
  try {
    check(cudaSetDevice(device));
    body();
    return 0;
  } catch (const std::bad_alloc&) {
    text = "out of memory";
  } catch (const std::exception& failure) {
    text = failure.what();
  } catch (...) {
    text = "unknown error";
  }
  cudaGetLastError();
  std::snprintf(error->text, sizeof error->text, "%s", text.c_str());
  return 1;
}

/// Segments of equal length: by value, then by segment, which keeps the order of the values. Segments are counted in double, so that both sorts are one
/// instance: they are what nvcc spends its time on.
struct SortSegments {
  void operator()(double* values, long length, long segments) const {
    const long count = length * segments;
    thrust::device_vector<double> segment(count);
    for_each_index(on_device, count, Number{raw(segment), length});
    thrust::stable_sort_by_key(on_device, values, values + count, raw(segment));
    thrust::stable_sort_by_key(on_device, raw(segment), raw(segment) + count, values);
  }

  struct Number {
    double* segment;
    long length;
    CS_HD void operator()(long i) const { segment[i] = static_cast<double>(i / length); }
  };
};

int open(int device, PluginError* error) {
  return guard(device, error, [&] { check(cudaFree(nullptr)); });
}

int sort(int device, const double* values, long count, double* sorted, PluginError* error) {
  return guard(device, error, [&] {
    thrust::device_vector<double> column(values, values + count);
    sort_column(on_device, raw(column), count);
    thrust::copy(column.begin(), column.end(), sorted);
  });
}

int sum_blocks(int device, const double* values, const unsigned char* status, long count, double factor, Moments* blocks, PluginError* error) {
  return guard(device, error, [&] {
    const thrust::device_vector<double> column(values, values + count);
    const thrust::device_vector<unsigned char> ok(status, status + count);
    thrust::device_vector<Moments> sums(count_pieces(count, block_members));
    sum_blocks(on_device, SumBlock{thrust::raw_pointer_cast(column.data()), thrust::raw_pointer_cast(ok.data()), count, factor, raw(sums)});
    thrust::copy(sums.begin(), sums.end(), blocks);
  });
}

int sum_tracks(int device, const double* values, long members, const long* rows, long count, long times, double* mean, double* squares, PluginError* error) {
  return guard(device, error, [&] {
    const thrust::device_vector<double> tracks(values, values + members * times);
    const thrust::device_vector<long> chosen(rows, rows + count);
    thrust::device_vector<double> means(times), sums(times);
    sum_tracks(on_device, SumTracks<1>{{thrust::raw_pointer_cast(tracks.data()), thrust::raw_pointer_cast(chosen.data()), count, times}, raw(means), raw(sums)});
    thrust::copy(means.begin(), means.end(), mean);
    thrust::copy(sums.begin(), sums.end(), squares);
  });
}

int track_quantiles(int device, const double* values, long members, const long* rows, long count, long times, const double* levels, long level_count, double* quantiles,
                    PluginError* error) {
  return guard(device, error, [&] {
    const thrust::device_vector<double> tracks(values, values + members * times);
    const thrust::device_vector<long> chosen(rows, rows + count);
    const thrust::device_vector<double> at(levels, levels + level_count);
    thrust::device_vector<double> work(times * count), curves(level_count * times);
    read_track_quantiles<1>(on_device, SortSegments{}, Tracks{thrust::raw_pointer_cast(tracks.data()), thrust::raw_pointer_cast(chosen.data()), count, times}, raw(work),
                            thrust::raw_pointer_cast(at.data()), level_count, raw(curves));
    thrust::copy(curves.begin(), curves.end(), quantiles);
  });
}

const Plugin plugin = {plugin_version, open, sort, sum_blocks, sum_tracks, track_quantiles};

}  // namespace
}  // namespace conesweep::statistics

extern "C" __attribute__((visibility("default"))) const conesweep::statistics::Plugin* conesweep_statistics_plugin() { return &conesweep::statistics::plugin; }
