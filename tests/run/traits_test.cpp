// What an executor can do is what its traits say, whatever it is called.
#include <gtest/gtest.h>

#include "run/plan.hpp"
#include "run/step_ranges.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::runs {
namespace {

constexpr std::int64_t flight_bytes = std::int64_t{1} << 40;

/// Steps nothing; it has a name and traits, and a tebibyte in flight.
class Named final : public executor::Model {
 public:
  Named(std::string name, executor::Traits traits) : name_(std::move(name)), traits_(traits) {}
  std::string name() const override { return name_; }
  std::string device() const override { return name_; }
  executor::Traits traits() const override { return traits_; }
  executor::Flight in_flight(std::int64_t) const override { return {1, flight_bytes}; }
  executor::Outcome run(const scenario::Setup&, const executor::Chunk&, const executor::Watch&) const override {
    return {};
  }

 private:
  std::string name_;
  executor::Traits traits_;
};

scenario::Scenario make_scenario() {
  return test::parse_scenario(
      "[model]\ncoordinates = [\"x\"]\nforce = [\"-x\"]\n[start]\nx = \"1\"\n[time]\nend = 1\nstep = "
      "0.1\n[ensemble]\nmembers = 100\n");
}

TEST(Traits, MembersInFlightOnADeviceTakeNoMemoryOfTheHost) {
  const auto scenario = make_scenario();
  for (const char* name : {"reference", "cpu", "cuda", "another"}) {
    EXPECT_GE(make_plan(scenario, Named(name, {.on_device = false}), 100, 0).memory_bytes, flight_bytes) << name;
    EXPECT_LT(make_plan(scenario, Named(name, {.on_device = true}), 100, 0).memory_bytes, flight_bytes) << name;
  }
}

TEST(Traits, AChunkIsTenSecondsAtTheRate) {
  auto scenario = make_scenario();
  scenario.steps = 1'000'000;
  for (const char* name : {"reference", "cpu", "cuda", "another"}) {
    EXPECT_EQ(choose_chunk(Named(name, {.rate = 2e6}), scenario), 20) << name;
    EXPECT_EQ(choose_chunk(Named(name, {.rate = 1e8}), scenario), 1000) << name;
  }
}

TEST(Traits, AChunkThatIsAskedForIsTakenWhereABlockIsQuick) {
  auto scenario = make_scenario();
  const Named quick("cpu", {.rate = 1e8});
  EXPECT_EQ(choose_chunk(quick, scenario, 8192), 8192);
  scenario.steps = 1'000'000;
  EXPECT_EQ(choose_chunk(quick, scenario, 8192), 1000);
}

TEST(Traits, OfTheExecutorsWithoutADevice) {
  const auto scenario = make_scenario();
  std::string reason;
  const auto reference = executor::make_model("reference", scenario, {}, reason),
             cpu = executor::make_model("cpu", scenario, {}, reason);
  EXPECT_FALSE(reference->traits().on_device);
  EXPECT_FALSE(cpu->traits().on_device);
  EXPECT_LT(reference->traits().rate, cpu->traits().rate);
}

}  // namespace
}  // namespace conesweep::runs
