// (O6) The energy balance of every sample whose mass is constant.
#include "executor/reference/member.hpp"
#include "samples/sample_run.hpp"
#include "sampling/sampler.hpp"
#include "support/constant_mass.hpp"

namespace conesweep::test {
namespace {

namespace fs = std::filesystem;

// K_N - K_0 = work - dissipated + drive_work: each sum of N terms rounds N times, by terms as large as its own total
// variation or the sum itself. K_0 is the reference's, which shows the velocity before node 0.
class EnergyBalance : public OnExecutor {};
ON_EVERY_EXECUTOR(EnergyBalance);
TEST_P(EnergyBalance, HoldsToRoundingOnEverySample) {
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(samples_folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    scenario::Overrides overrides;
    // whole steps in every sample
    overrides.end = 0.25 * scenario::examine(scenario::load_source(entry.path()), {}).scenario->end;
    const auto examined = scenario::examine(scenario::load_source(entry.path()), overrides);
    ASSERT_TRUE(examined.scenario) << name << " cannot be read with a quarter of its end";
    auto scenario = *examined.scenario;
    if (!find_constant_mass(scenario, scenario.defaults)) continue;
    // models with several laws take seconds to compile once more; their bits on devices are compared elsewhere
    const bool coupled = !scenario.mass.empty() || !scenario.bilaterals.empty() || !scenario.resistances.empty();
    if (coupled && backend() == "cuda") continue;
    scenario.standard = {scenario::Standard::dissipated, scenario::Standard::work, scenario::Standard::drive_work};
    scenario.record = {};
    const auto count = std::min<std::int64_t>(scenario.ensemble.members, coupled ? 6 : 24);
    const executor::Chunk chunk{{scenario, 0, count}, sampling::draw(scenario, 0, count)};
    std::string reason;
    const executor::Outcome outcome = executor::make_model(backend(), scenario, {}, reason)->run(scenario, chunk, {});
    const auto names = observable_names(scenario);
    const auto at = [&](const std::string& observable, std::size_t m) {
      return outcome
          .observables[static_cast<std::size_t>(std::find(names.begin(), names.end(), observable) - names.begin())][m];
    };
    for (std::size_t m = 0; m < static_cast<std::size_t>(count); ++m) {
      if (outcome.status[m] != executor::Status::ok) continue;
      auto parameters = scenario.defaults;
      for (std::size_t k = 0; k < scenario.vary.size(); ++k)
        parameters[static_cast<std::size_t>(scenario.vary[k].parameter)] = chunk.varied[k][m];
      const Eigen::MatrixXd mass = *find_constant_mass(scenario, parameters);
      const auto kinetic = [&](const Eigen::VectorXd& v) { return v.dot(mass * v) / 2; };
      double before = 0, moved = 0;  // K_0, and the sum of all changes of K
      executor::reference::run_member(scenario, parameters,
                                      [&](const executor::reference::NodeRecord& node, const auto&) {
                                        if (node.i == 0) before = kinetic(node.v_before);
                                        moved += ((node.w - node.v_before).norm() + (node.v - node.w).norm()) *
                                                 (node.v_before.norm() + node.v.norm()) * mass.norm();
                                      });
      Eigen::VectorXd last(static_cast<Eigen::Index>(scenario.dimension()));
      for (std::size_t k = 0; k < scenario.names.coordinates.size(); ++k)
        last[static_cast<Eigen::Index>(k)] = at("final.v" + scenario.names.coordinates[k], m);
      const double eps = std::numeric_limits<double>::epsilon(), after = kinetic(last);
      const double sums = std::fabs(at("work", m)) + std::fabs(at("dissipated", m)) + std::fabs(at("drive_work", m));
      // What sticks in closed form is exactly as fast as the drive, and its impulse takes the rounding of w, which is
      // the same in every step of a steady motion: moving_plane was found 4.4e-13 off after 2000 steps, half of this
      const double steady = scenario.resistances.empty() ? 0 : eps * static_cast<double>(scenario.steps) * 2 * after;
      EXPECT_NEAR(
          after - before, at("work", m) - at("dissipated", m) + at("drive_work", m),
          4 * eps * (moved + sums + after + before + 1) * std::sqrt(static_cast<double>(scenario.steps)) + steady)
          << name << ", member " << m;
      ++compared;
    }
  }
  EXPECT_GT(compared, 200u);
}

}  // namespace
}  // namespace conesweep::test
