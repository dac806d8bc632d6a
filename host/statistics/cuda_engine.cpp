#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>

#include <conesweep/statistics/plugin.hpp>

#include "statistics/engine_input.hpp"
#include "support/place.hpp"

namespace conesweep::statistics {
namespace {

using executor::Status;

const Plugin& load_plugin(const std::filesystem::path& file) {
  // never closed: what the CUDA runtime keeps lives as long as the program
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    throw SystemError("statistics on the GPU need the plugin " + file.string() + ", which does not load (" +
                      (why != nullptr ? why : "unknown error") +
                      "); build conesweep with the CUDA toolkit and keep its CUDA runtime library");
  }
  const auto entry = reinterpret_cast<PluginEntry>(dlsym(library, plugin_entry));
  if (entry == nullptr || entry()->version != plugin_version)
    throw SystemError("the plugin " + file.string() +
                      " belongs to another version of conesweep; install both from one build");
  return *entry();
}

class CudaEngine : public Engine {
 public:
  CudaEngine(const Plugin& plugin, int device) : plugin_(plugin), device_(device) {
    PluginError error{};
    check(plugin_.open(device_, &error), error);
  }

  std::string name() const override { return "cuda"; }

  void sort(std::span<double> values) override {
    if (values.empty()) return;
    // a device that fails on the way back must not leave half of two columns
    std::vector<double> sorted(values.size());
    PluginError error{};
    check(plugin_.sort(device_, values.data(), static_cast<long>(values.size()), sorted.data(), &error), error);
    std::copy(sorted.begin(), sorted.end(), values.begin());
  }

  std::vector<Moments> block_moments(std::span<const double> values, std::span<const Status> status,
                                     double factor) override {
    CS_ASSERT(values.size() == status.size());
    std::vector<Moments> blocks((values.size() + block_members - 1) / block_members);
    PluginError error{};
    if (!values.empty())
      check(plugin_.sum_blocks(device_, values.data(), plain(status), static_cast<long>(values.size()), factor,
                               blocks.data(), &error),
            error);
    return blocks;
  }

  TrackMoments block_track_moments(std::span<const double> track, std::span<const Status> status, std::int64_t times,
                                   TrackMoments moments) override {
    const auto rows = ok_rows(track, status, times);
    const auto before = static_cast<long>(moments.count), count = static_cast<long>(rows.size());
    moments.count += count;
    moments.mean.resize(static_cast<std::size_t>(times));
    moments.squares.resize(static_cast<std::size_t>(times));
    PluginError error{};
    if (!rows.empty() && times > 0)
      check(plugin_.sum_tracks(device_, track.data(), static_cast<long>(status.size()), rows.data(), count, times,
                               before, moments.mean.data(), moments.squares.data(), &error),
            error);
    return moments;
  }

  std::vector<double> track_quantiles(std::span<const double> track, std::span<const Status> status,
                                      std::int64_t times) override {
    const auto rows = ok_rows(track, status, times);
    std::vector<double> quantiles(std::size(quantile_levels) * static_cast<std::size_t>(times),
                                  std::numeric_limits<double>::quiet_NaN());
    PluginError error{};
    if (!rows.empty() && times > 0)
      check(plugin_.track_quantiles(device_, track.data(), static_cast<long>(status.size()), rows.data(),
                                    static_cast<long>(rows.size()), times, quantile_levels, std::size(quantile_levels),
                                    quantiles.data(), &error),
            error);
    return quantiles;
  }

 private:
  void check(int failed, const PluginError& error) const {
    if (failed != 0) throw SystemError("statistics on GPU " + std::to_string(device_) + " failed: " + error.text);
  }

  const Plugin& plugin_;
  int device_;
};

/// The first refusal ends the work with the GPU.
class CudaOrCpuEngine : public Engine {
 private:
  template <class Body>
  auto run(const Body& body) {
    if (cuda_) {
      try {
        return body(*cuda_);
      } catch (const SystemError& error) {
        give_up(error.what());
      } catch (const std::bad_alloc&) {
        give_up("there is no memory to bring a column back from the GPU");
      }
    }
    return body(*cpu_);
  }

 public:
  CudaOrCpuEngine(std::function<void(const std::string&)> report, int device, int threads)
      : report_(std::move(report)), cpu_(make_cpu_engine(threads)) {
    try {
      cuda_ = make_cuda_engine(device);
    } catch (const SystemError& error) {
      give_up(error.what());
    }
  }

  std::string name() const override { return cuda_ ? cuda_->name() : cpu_->name(); }

  void sort(std::span<double> values) override {
    run([&](Engine& engine) {
      engine.sort(values);
      return 0;
    });
  }
  std::vector<Moments> block_moments(std::span<const double> values, std::span<const Status> status,
                                     double factor) override {
    return run([&](Engine& engine) { return engine.block_moments(values, status, factor); });
  }
  TrackMoments block_track_moments(std::span<const double> track, std::span<const Status> status, std::int64_t times,
                                   TrackMoments begun) override {
    return run([&](Engine& engine) { return engine.block_track_moments(track, status, times, begun); });
  }
  std::vector<double> track_quantiles(std::span<const double> track, std::span<const Status> status,
                                      std::int64_t times) override {
    return run([&](Engine& engine) { return engine.track_quantiles(track, status, times); });
  }

 private:
  void give_up(const std::string& reason) {
    cuda_.reset();
    report_("the statistics are computed on the CPU, with the same result: " + reason);
  }

  std::function<void(const std::string&)> report_;
  std::unique_ptr<Engine> cpu_, cuda_;
};

}  // namespace

std::filesystem::path cuda_plugin() { return own_folder() / "libconesweep_statistics_cuda.so"; }

std::unique_ptr<Engine> make_cuda_engine(int device) { return make_cuda_engine(device, cuda_plugin()); }

std::unique_ptr<Engine> make_cuda_engine(int device, const std::filesystem::path& plugin) {
  return std::make_unique<CudaEngine>(load_plugin(plugin), device);
}

std::unique_ptr<Engine> make_cuda_or_cpu_engine(std::function<void(const std::string&)> report, int device,
                                                int threads) {
  return std::make_unique<CudaOrCpuEngine>(std::move(report), device, threads);
}

}  // namespace conesweep::statistics
