#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "io/run_data.hpp"
#include "statistics/block_tree.hpp"
#include "statistics/sketch.hpp"
#include "support/bytes.hpp"

namespace conesweep::keep {

using io::ChunkResults;
using io::MemberRange;

/// Up to so many members a run keeps their columns on its way, and its statistics are exact, whatever it keeps in the
/// end.
inline constexpr std::int64_t exact_members = std::int64_t{1} << 20;

/// Whole ones, for the bits.
inline constexpr std::int64_t digest_block = statistics::block_members;

/// Does a run become statistics as its members come, so that no column is ever whole?
bool is_digested(const scenario::Scenario& scenario);

/// InputError where that cannot be: points of a sweep that are no whole blocks.
void check_digested(const scenario::Scenario& scenario);

/// Moments of factor x. Two merge at the factor of those that need the smaller one, at which the least x may vanish:
/// the ends are here as they are.
struct ScaledMoments {
  statistics::Moments sums;
  double factor = 1;        // a power of two (statistics/scale.hpp)
  double min = 0, max = 0;  // of x itself; of no values 0
};

/// Sums over consecutive members.
struct BlockSums {
  std::int64_t members = 0;
  std::vector<ScaledMoments> columns;            // [observable]
  std::vector<std::int64_t> codes;               // [class] members
  std::vector<statistics::TrackMoments> tracks;  // [coordinate]

  double share(std::size_t code) const { return static_cast<double>(codes[code]) / static_cast<double>(members); }
};
BlockSums merge(BlockSums a, BlockSums b);

/// How much is kept of a group of members: it follows from the scenario.
struct GroupShape {
  std::int64_t members = 0;
  std::size_t room = statistics::Sketch::most_room;
  int level = 62;           // nodes of the tree do not grow beyond
  std::int64_t stride = 0;  // every so many members is kept, for the error of a hypercube; 0: none
  // sums of runs of so many members, less than a block, for the error of Sobol points; 0: none
  std::int64_t short_runs = 0;
};

/// The statistics of an ensemble, or of one point of a sweep, as far as its members are there.
struct Group {
  statistics::BlockTree<BlockSums> tree;
  std::vector<statistics::Sketch> sketches;      // [observable]
  std::vector<std::int64_t> status;              // [status] members
  std::map<std::int64_t, BlockSums> short_runs;  // [run]
  // of every so many members
  std::vector<std::int64_t> sampled;        // member / stride, in any order
  std::vector<std::vector<double>> values;  // [observable][sampled]; NaN: left out
  std::vector<std::uint8_t> codes;          // [sampled]
};

/// What is left of members of whom nothing is kept one by one. Digests of different members add up, in any order, to
/// the bits of all at once.
class Digest {
 public:
  explicit Digest(const scenario::Scenario& scenario);

  /// From now on it is about an ensemble of so many members.
  void fit(const scenario::Scenario& scenario);

  /// Members at … at + count - 1 of a part, whole blocks but for the ensemble's last one; `classes`: of the part's
  /// members, empty where there are none.
  void add(const ChunkResults& part, std::int64_t at, std::int64_t count, const std::vector<std::uint8_t>& classes,
           int threads);
  void add(Digest other);

  std::int64_t members() const { return members_; }
  std::vector<MemberRange> missing(std::int64_t members) const;  // of the whole blocks of so many

  struct First {
    std::int64_t member = -1;
    double stop_time = 0, residual = 0;
    std::vector<double> varied;
  };
  struct Recorded {
    std::vector<std::vector<double>> columns;
    std::vector<std::uint8_t> mode;
  };
  const Group& all() const { return all_; }
  const std::map<std::int64_t, Group>& points() const { return points_; }         // of a sweep
  const std::vector<First>& first() const { return first_; }                      // [status]
  const std::vector<std::int64_t>& flags() const { return flags_; }               // [flag] members
  const std::map<std::int64_t, Recorded>& recorded() const { return recorded_; }  // by the first member
  // [coordinate][level * times + time]; empty: not asked for
  const std::vector<std::vector<double>>& bands() const { return bands_; }
  const GroupShape& shape() const { return all_shape_; }
  const GroupShape& point_shape() const { return point_shape_; }

  double seconds = 0;  // members were being stepped

  std::string pack() const;
  static Digest unpack(const scenario::Scenario& scenario, const std::string& bytes);

 private:
  struct Slice;
  Group make_group(const GroupShape& shape) const;
  void add_group(Group& group, const GroupShape& shape, std::int64_t first, const Slice& slice, int threads) const;
  void count_ends(const Slice& slice);

  std::size_t observables_, classes_, parameters_;
  std::int64_t point_members_ = 0;  // 0: no sweep
  bool joint_ = false;              // members have flags and residuals
  GroupShape all_shape_, point_shape_;
  std::int64_t members_ = 0;
  Group all_;
  std::map<std::int64_t, Group> points_;
  std::vector<First> first_;
  std::vector<std::int64_t> flags_;
  std::map<std::int64_t, Recorded> recorded_;
  std::vector<std::vector<double>> bands_;
};

/// How many different values of an observable so many members are expected to have.
using ExpectedValues = std::function<double(std::size_t observable, double members)>;

/// About how many bytes the digest of a run takes.
double digest_bytes(const scenario::Scenario& scenario, const ExpectedValues& expected);

}  // namespace conesweep::keep
