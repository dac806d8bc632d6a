#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "ensemble/run_ensemble.hpp"
#include "scenario/reading/reader.hpp"
#include "support/error.hpp"

// --precision single, sample by sample: what float loses stays below what the step size loses, or is a few units in the
// last place.

namespace conesweep {
namespace {

io::Results run_sample(const std::string& file, const scenario::Overrides& overrides, executor::Precision precision) {
  scenario::Faults problems;
  const scenario::Source source = scenario::load_source(file);
  const auto scenario = scenario::read_scenario(source, overrides, problems);
  if (!scenario) throw std::runtime_error("the sample " + file + " cannot be read");
  std::string reason;
  const auto executor = executor::make_model("cpu", *scenario, {.precision = precision}, reason);
  double seconds = 0;
  return ensemble::run_ensemble(*scenario, *executor, ensemble::default_chunk, {}, seconds);
}

class SinglePrecision : public testing::TestWithParam<std::string> {};

TEST_P(SinglePrecision, LosesLessThanTheStepSize) {
  const std::string file = CONESWEEP_SAMPLES "/" + GetParam() + ".toml";
  scenario::Overrides overrides;
  // its block rests while it has moved by less than eps = 1e-9, which float cannot see at x = 1 (one unit is 6e-8
  // there)
  if (GetParam() == "static_dynamic_friction") overrides.set.emplace_back("eps", 1e-6);
  const io::Results exact = run_sample(file, overrides, executor::Precision::double_);
  const io::Results single = run_sample(file, overrides, executor::Precision::single);
  overrides.step = exact.scenario.step / 2;
  const io::Results halved = run_sample(file, overrides, executor::Precision::double_);

  EXPECT_EQ(exact.outcome.status, single.outcome.status);
  const auto names = observable_names(exact.scenario);
  // sizes that quantities of this sample have: a difference of two of them has their rounding
  double size = 1;
  for (std::size_t k = names.size() - 2 * static_cast<std::size_t>(exact.scenario.dimension()); k < names.size(); ++k)
    for (const double x : exact.outcome.observables[k])
      if (std::isfinite(x)) size = std::max(size, std::fabs(x));
  // measured: at most 1.4 units (impulse in slope), wherever float loses more than the step
  constexpr double unit = 0x1p-24, few = 4;

  for (std::size_t k = 0; k < names.size(); ++k) {
    double float_error = 0, step_error = 0, scale = size;
    int members = 0;
    for (std::size_t m = 0; m < exact.outcome.status.size(); ++m) {
      const double a = exact.outcome.observables[k][m], b = single.outcome.observables[k][m],
                   c = halved.outcome.observables[k][m];
      if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) continue;
      float_error += std::fabs(a - b);
      step_error += std::fabs(a - c);
      scale = std::max(scale, std::fabs(a));
      ++members;
    }
    if (members == 0) continue;
    EXPECT_LE(float_error / members, std::max(step_error / members, few * unit * scale))
        << names[k] << ": float is off by " << float_error / members << ", halving the step changes it by "
        << step_error / members;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, SinglePrecision,
                         testing::Values("blow_up", "bouncing_ball", "corridor", "delayed_feedback",
                                         "dry_friction_oscillator", "falling_slider", "random_past", "rough_bowl",
                                         "slider", "slope", "static_dynamic_friction", "variable_friction"),
                         [](const auto& sample) { return sample.param; });

TEST(SinglePrecisionLimits, CountsStepsOneByOne) {
  scenario::Faults problems;
  const auto scenario =
      scenario::read_scenario(scenario::load_source(CONESWEEP_SAMPLES "/slope.toml"),
                              {.members = {}, .seed = {}, .step = 1e-8, .end = 1.0, .set = {}}, problems);
  ASSERT_TRUE(scenario.has_value());
  std::string reason;
  EXPECT_THROW(executor::make_model("cpu", *scenario, {.precision = executor::Precision::single}, reason), InputError);
  EXPECT_THROW(executor::make_model("reference", *scenario, {.precision = executor::Precision::single}, reason),
               InputError);
}

}  // namespace
}  // namespace conesweep
