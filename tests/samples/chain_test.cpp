// A chain of blocks that a plate pulls, block by block with a loop of its own.
#include <array>
#include <numeric>

#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

/// The chain once more: springs, the plate, and friction that a block's speed lowers, (B1) and (Q1) with a set that has
/// no upper end.
class BlockChain {
 public:
  static constexpr std::size_t blocks = 12;

  BlockChain(const SampleRun& run, std::size_t m) : h_(run.h()) {
    for (std::size_t k = 0; k < blocks; ++k) x_[k] = run.parameter("a" + std::to_string(k + 1), m);
    nu_ = run.parameter("nu", m), stiffness_ = std::pow(run.parameter("l", m), 2);
    sigma_ = run.parameter("sigma", m), alpha_ = run.parameter("alpha", m);
    before_ = length();
    double strongest = -1;
    for (std::size_t k = 0; k < blocks; ++k) strongest = std::max(strongest, pull(k, 0));
    onset_ = (1 - strongest) / nu_;
    for (std::int64_t i = 0; i < run.scenario().steps; ++i) step(i);
    see_event();
  }

  double onset() const { return onset_; }
  double end(std::size_t k) const { return x_[k]; }
  int events = 0, felt = 0, large = 0;
  double largest = 0, first = -1, lost = 0;

 private:
  double length() const { return std::accumulate(x_.begin(), x_.end(), 0.0); }
  double pull(std::size_t k, double t) const {
    double springs = 0;
    if (k > 0) springs += x_[k - 1] - x_[k];
    if (k + 1 < blocks) springs += x_[k + 1] - x_[k];
    return stiffness_ * springs + nu_ * t - x_[k];
  }

  // at a node, before its step
  void see_event() {
    const double slipped = length() - before_;
    felt += slipped > 0.1 && seen_ <= 0.1;
    large += slipped > 6 && seen_ <= 6;
    largest = std::max(largest, slipped);
    seen_ = slipped;
  }

  void step(std::int64_t i) {
    const double t = static_cast<double>(i) * h_;
    see_event();
    if (!moves_) before_ = length();
    std::array<double, blocks> next{};
    bool moves = false;
    for (std::size_t k = 0; k < blocks; ++k) {
      const double limit = v_[k] > 0 ? (1 - sigma_) / (1 + 2 * alpha_ * v_[k] / (1 - sigma_)) : 1;
      const double pushed = v_[k] + h_ * pull(k, t);
      next[k] = std::max(0.0, pushed - h_ * limit);
      lost += (pushed - next[k]) * (v_[k] + next[k]) / 2;
      moves = moves || next[k] > 0;
    }
    if (moves && first < 0) first = t;
    events += moves && !moves_;
    moves_ = moves;
    for (std::size_t k = 0; k < blocks; ++k) v_[k] = next[k], x_[k] += h_ * v_[k];
  }

  double h_, nu_ = 0, stiffness_ = 0, sigma_ = 0, alpha_ = 0, onset_ = 0;
  std::array<double, blocks> x_{}, v_{};
  double before_ = 0, seen_ = 0;  // the sum of all places when they last rested; what has been slipped since
  bool moves_ = false;
};

class BurridgeKnopoff : public OnExecutor {};
ON_EVERY_EXECUTOR(BurridgeKnopoff);
TEST_P(BurridgeKnopoff, SlipsInTheEventsOfALoopByHand) {
  const SampleRun run("burridge_knopoff", backend(), is_reference() ? 2 : 32);
  expect_all_fine(run);
  const double h = run.h();
  std::vector<BlockChain> chains;
  for (std::size_t m = 0; m < run.members(); ++m) chains.emplace_back(run, m);
  // the first node at which the plate has come far enough
  expect_observable(run, "late", [&](std::size_t m) {
    return Expected{chains[m].first - chains[m].onset(), rounding};
  });
  for (std::size_t m = 0; m < run.members(); ++m) {
    EXPECT_GT(run.observed("late", m), 0) << "member " << m;
    EXPECT_LE(run.observed("late", m), h) << "member " << m;
    EXPECT_GE(chains[m].large, 1) << "member " << m;
  }
  expect_observable(run, "events", [&](std::size_t m) { return Expected{double(chains[m].events), 0}; });
  expect_observable(run, "felt", [&](std::size_t m) { return Expected{double(chains[m].felt), 0}; });
  expect_observable(run, "large", [&](std::size_t m) { return Expected{double(chains[m].large), 0}; });
  // what rounding makes of chaos in 20 events: 4.7e-5 of a place, and 1.8e-7 of the largest event, in the worst of
  // these
  expect_observable(run, "largest", [&](std::size_t m) { return Expected{chains[m].largest, 1e-5}; });
  for (std::size_t k = 0; k < BlockChain::blocks; ++k)
    expect_observable(run, "final.x" + std::to_string(k + 1), [&](std::size_t m) {
      return Expected{chains[m].end(k), 1e-3};
    });
  expect_observable(run, "dissipated", [&](std::size_t m) { return Expected{chains[m].lost, 1e-3}; });
  // (O6) K of all blocks and of `mark`, from rest
  for (std::size_t m = 0; m < run.members(); ++m) {
    double kinetic = std::pow(run.observed("final.vmark", m), 2) / 2;
    for (std::size_t k = 1; k <= BlockChain::blocks; ++k)
      kinetic += std::pow(run.observed("final.vx" + std::to_string(k), m), 2) / 2;
    EXPECT_NEAR(run.observed("work", m) - run.observed("dissipated", m), kinetic, 1e-8) << "member " << m;
  }
}

}  // namespace
}  // namespace conesweep::test
