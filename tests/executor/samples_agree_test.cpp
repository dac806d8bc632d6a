// Every sample: cpu and cuda against reference, through the library behind `conesweep compare`.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "executor/agreement.hpp"

namespace conesweep::test {
namespace {

namespace fs = std::filesystem;

// Rounding errors of thousands of steps, amplified by the motion, stay near 1e-12 of an observable's scale; the
// blow-up, recorded until it ends, amplifies them to 5e-11.
constexpr double tolerance = 2e-10;
constexpr std::int64_t members = 100;

class Samples : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    if (std::get<1>(GetParam()) != "cuda") return;
    require_device();
    // bits_test wants the cpu executor's bits of every sample
    if (std::getenv("CONESWEEP_ALL") == nullptr)
      GTEST_SKIP() << "the bits are those of cpu, which agrees: set CONESWEEP_ALL=1";
  }
};

TEST_P(Samples, AgreeWithTheReference) {
  const auto& [name, backend] = GetParam();
  const scenario::Source source = scenario::load_source(fs::path(CONESWEEP_SAMPLES) / (name + ".toml"));
  scenario::Faults problems;
  const auto scenario = scenario::read_scenario(source, {}, problems);
  ASSERT_TRUE(scenario);
  const std::int64_t count = std::min(members, scenario->ensemble.members);
  const auto fast = run_first(*scenario, backend, count, 2), reference = run_first(*scenario, "reference", count, 2);
  ensemble::CompareLimits limits;
  limits.tolerance = tolerance;
  limits.grazing = 0;  // who differs is judged step by step
  executor::Options options;
  options.threads = 2;
  std::string reason;
  const auto model = executor::make_model(backend, *scenario, options, reason);
  const auto judged = ensemble::judge_members(
      *scenario, {backend, model.get(), ensemble::find_differing(*scenario, fast, reference, limits), &fast}, {});
  const auto comparison = ensemble::compare(*scenario, fast, reference, limits, judged);
  EXPECT_TRUE(comparison.passed) << describe(comparison);
  double worst = 0;
  for (const auto& d : comparison.differences)
    worst = d.scale > 0 ? std::max(worst, d.absolute.worst / d.scale) : worst;
  std::cout << name << " on " << backend << ": worst difference " << format_short(worst, 2) << " of the scale, "
            << comparison.parted.size() << " of " << count << " parted by rounding, " << comparison.several.size()
            << " where there are several solutions, " << comparison.stopped << " stop alike\n";
}

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(CONESWEEP_SAMPLES))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(On, Samples,
                         ::testing::Combine(::testing::ValuesIn(sample_names()), ::testing::Values("cpu", "cuda")),
                         [](const auto& sample) {
                           return std::get<1>(sample.param) + "_" + std::get<0>(sample.param);
                         });

}  // namespace
}  // namespace conesweep::test
