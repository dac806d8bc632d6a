#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ensemble/mlmc.hpp"
#include "ensemble/shared_pieces.hpp"
#include "sampling/sampler.hpp"

namespace conesweep::ensemble {

/// Who hears of members that are finished, and of levels that begin.
struct LevelWatch {
  const executor::Watch& members;
  const LevelBegins& begins;
};

/// The levels of a multilevel run: their setups, members and sums. What to run is decided elsewhere (mlmc.cpp); here it
/// is run and summed.
class MlmcLevels {
 public:
  /// `observable`: the one that is asked for, by its number.
  MlmcLevels(const scenario::Scenario& scenario, std::size_t observable, const MlmcRequest& request,
             const MakeModel& make, const LevelWatch& watch)
      : scenario_(scenario),
        observable_(observable),
        request_(request),
        make_(make),
        watch_(watch.members),
        begins_(watch.begins) {}

  std::size_t size() const { return levels_.size(); }
  MlmcLevel& operator[](std::size_t l) { return levels_[l]->facts; }

  /// Do members differ by what is drawn?
  bool draws() const { return !scenario_.vary.empty(); }

  void add();
  void drop_finest() { levels_.pop_back(); }

  /// Runs members of level l up to number `target`.
  void extend(std::size_t l, std::int64_t target);

  /// A follower's part: levels come as the leader asks for them.
  void follow();

  std::int64_t members() const;
  std::vector<MlmcLevel> facts() const;

 private:
  struct Level {
    scenario::Scenario scenario;
    std::unique_ptr<sampling::UnitPoints> points;
    MlmcLevel facts;
    // of blocks of 4096 members, counted from where a round began
    std::vector<statistics::CentralSums> corrections, values;
    // of the block that is not full yet: corrections and values of its members
    std::vector<double> y, p;

    // blocks do not depend on the pieces they came in
    void sum_full();
    void sum_all();

   private:
    void sum_first(std::size_t count);
  };

  /// The leader's words: members of a level, in pieces of so many.
  struct PieceJob {
    int level;
    io::MemberRange range;
    std::int64_t chunk;

    std::int64_t pieces() const { return (range.count + chunk - 1) / chunk; }
  };

  Outcomes step(const PieceJob& job, std::int64_t piece) const;
  void add_values(Level& level, const executor::Outcome& fine, const executor::Outcome& coarse, bool is_pair);

  const scenario::Scenario& scenario_;
  std::size_t observable_;
  const MlmcRequest& request_;
  const MakeModel& make_;
  const executor::Watch& watch_;
  const LevelBegins& begins_;
  std::unique_ptr<executor::Model> model_;  // of all levels, from the first one on
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace conesweep::ensemble
