#include "selftest/throughput.hpp"

#include <algorithm>
#include <chrono>

#include "executor/cuda/cuda_executor.hpp"
#include "sampling/sampler.hpp"

namespace conesweep::selftest {
namespace {

constexpr StepCost costs[] = {
#include "selftest/step_costs.inc"
};

// single-precision units of a multiprocessor (CUDA C++ programming guide, throughput of native arithmetic instructions)
int single_units(int architecture) { return architecture <= 80 ? 64 : 128; }

}  // namespace

std::span<const StepCost> step_costs() { return costs; }

RateModel model_rate(const executor::cuda::DeviceFacts& device) {
  if (device.multiprocessors == 0 || device.clock == 0 || device.bandwidth == 0 || device.single_to_double == 0)
    return {};
  const int architecture = 10 * device.major + device.minor;
  StepCost cost = costs[0];
  for (const StepCost& known : costs)
    if (known.architecture <= architecture) cost = known;
  constexpr double issued = 128;
  const double clocks = device.multiprocessors * device.clock;
  const RateModel limits[] = {
      {clocks * issued / cost.instructions, "issue of instructions"},
      {clocks * single_units(architecture) / device.single_to_double / cost.arithmetic, "double-precision units"},
      {device.bandwidth / cost.bytes, "memory bandwidth"}};
  return *std::min_element(std::begin(limits), std::end(limits),
                           [](const RateModel& a, const RateModel& b) { return a.rate < b.rate; });
}

Throughput measure_throughput(const scenario::Scenario& slider, const executor::cuda::DeviceFacts& device,
                              const executor::Options& options, const executor::Watch& watch) {
  scenario::Scenario scenario = slider;
  scenario.record.members = 0;
  const auto executor = executor::cuda::make_cuda_executor(scenario, varying_parameters(scenario), options);
  Throughput result;
  result.model = model_rate(device);
  result.members = scenario.ensemble.members = executor->busy_members();
  const executor::Chunk chunk{{scenario, 0, result.members}, sampling::draw(scenario, 0, result.members)};
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    executor->run(scenario, chunk, watch);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.measured =
        std::max(result.measured, static_cast<double>(result.members) * static_cast<double>(scenario.steps) / seconds);
  }
  return result;
}

}  // namespace conesweep::selftest
