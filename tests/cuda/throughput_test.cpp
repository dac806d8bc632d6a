// The measurement that selftest makes on a card. Its numbers mean nothing under an emulation: only that it runs, and
// what it runs.
#include <gtest/gtest.h>

#include "cuda/device.hpp"
#include "selftest/sample_set.hpp"
#include "selftest/throughput.hpp"
#include "support/error.hpp"

namespace conesweep::selftest {
namespace {

class Throughputs : public test::OnDevice {};

TEST_F(Throughputs, AreMeasuredOnAFullDevice) {
  const SampleSet samples = read_samples(1);
  scenario::Scenario slider = find_sample(samples, "slider").scenario;
  slider.end = 20 * slider.h(), slider.steps = 20;
  const auto devices = executor::cuda::find_device_facts();
  ASSERT_FALSE(devices.empty());
  EXPECT_GT(devices[0].multiprocessors, 0);
  const Throughput result = measure_throughput(slider, devices[0], {}, {});
  EXPECT_GE(result.members, 65536);
  EXPECT_GT(result.measured, 1e5);
  EXPECT_LT(result.measured, 1e13);
}

TEST_F(Throughputs, StopWhenAsked) {
  const SampleSet samples = read_samples(1);
  const std::atomic<bool> stop = true;
  executor::Watch watch;
  watch.stop = &stop;
  EXPECT_THROW(
      measure_throughput(find_sample(samples, "slider").scenario, executor::cuda::find_device_facts()[0], {}, watch),
      Interrupted);
}

}  // namespace
}  // namespace conesweep::selftest
