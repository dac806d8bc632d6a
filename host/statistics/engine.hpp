#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <conesweep/statistics/moments.hpp>

#include "executor/executor.hpp"

namespace conesweep::statistics {

inline constexpr double quantile_levels[] = {0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999};

/// Mean and spread of one coordinate at every recorded time, over the members that are ok.
struct TrackMoments {
  std::int64_t count = 0;
  std::vector<double> mean;     // [time]
  std::vector<double> squares;  // [time], sum of (x - mean)^2

  bool operator==(const TrackMoments&) const = default;
};

/// Who sums and sorts: the CPU's cores or a GPU. All run one text (include/conesweep/statistics) and give the same
/// bits.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;      // cpu, cuda
  virtual int threads() const { return 1; }  // of the host that it has to itself: one, where the work is a device's

  /// Ascending. There must be no NaN and no -0. Needs room for one copy.
  virtual void sort(std::span<double> values) = 0;

  /// Moments of factor x for each block of block_members, the last one maybe shorter. `factor` is a power of two.
  virtual std::vector<Moments> block_moments(std::span<const double> values, std::span<const executor::Status> status,
                                             double factor) = 0;

  /// Tracks of one block: [member * times + time] of at most block_members members. Those that stopped are left out;
  /// the others are finite. A block may come in pieces: `begun` is what its members before have given, and the bits are
  /// those of the block at once.
  virtual TrackMoments block_track_moments(std::span<const double> track, std::span<const executor::Status> status,
                                           std::int64_t times, TrackMoments begun) = 0;

  /// Quantile curves of the same: [level * times + time], type 7; NaN where no member is ok.
  virtual std::vector<double> track_quantiles(std::span<const double> track, std::span<const executor::Status> status,
                                              std::int64_t times) = 0;
};

/// The CPU, on so many threads; 0: all cores.
std::unique_ptr<Engine> make_cpu_engine(int threads = 0);

/// The one that is always there: all cores.
Engine& cpu_engine();

/// A GPU, through the plugin beside libconesweep. Throws SystemError with a sentence for the user if plugin, driver or
/// device is missing; so do its functions when the device refuses (a column does not fit, an earlier fault).
std::unique_ptr<Engine> make_cuda_engine(int device = 0);
std::unique_ptr<Engine> make_cuda_engine(int device, const std::filesystem::path& plugin);

/// Where the plugin is looked for: beside libconesweep.
std::filesystem::path cuda_plugin();

/// The GPU as long as it works, then the CPU: nothing finished is lost for a device's sake. `report` hears the reason,
/// once.
std::unique_ptr<Engine> make_cuda_or_cpu_engine(std::function<void(const std::string&)> report, int device = 0,
                                                int threads = 0);

}  // namespace conesweep::statistics
