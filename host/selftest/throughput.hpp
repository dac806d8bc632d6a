#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "executor/cuda/cuda_facts.hpp"
#include "executor/executor.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::selftest {

/// What a step of the sample slider costs on an architecture, double precision, as tools/gpu_rate.py reads it off the
/// machine code: step_costs.inc.
struct StepCost {
  int architecture;  // 10 major + minor; a newer device takes the nearest older one
  int instructions;  // of the step loop, of all kinds
  int arithmetic;    // of them in double precision
  int bytes;         // of the history: one number of 8 bytes written and one read
};
std::span<const StepCost> step_costs();

/// Member·steps a second that a device should come near to, and what limits them. 0 if the driver does not tell enough.
///
///   (1)  rate = min( M c 128 / instructions,     four schedulers issue a warp of 32 a clock
///                    M c D / arithmetic,         D double-precision units a multiprocessor
///                    bandwidth / bytes )         the history, as if no cache held any of it
///
/// M multiprocessors, c clock: (1) of tools/gpu_rate.py. A bound for a full device that waits for nothing; branches not
/// taken are counted, so it may be passed by a little.
struct RateModel {
  double rate = 0;
  std::string limit;
};
RateModel model_rate(const executor::cuda::DeviceFacts& device);

/// The slider on one device, all of it filled, nothing recorded: the best of three runs.
struct Throughput {
  double measured = 0;  // member·steps a second
  RateModel model;
  std::int64_t members = 0;
};
Throughput measure_throughput(const scenario::Scenario& slider, const executor::cuda::DeviceFacts& device,
                              const executor::Options& options, const executor::Watch& watch);

}  // namespace conesweep::selftest
