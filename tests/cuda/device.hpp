#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "executor/cuda/cuda_executor.hpp"

namespace conesweep::test {

/// A test that needs a CUDA device, a real one or ptxrun's. Where there is none it skips and says why, and fails if
/// CONESWEEP_REQUIRE_GPU=1 says that there must be one.
class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (executor::cuda::is_available(reason)) return;
    const char* required = std::getenv("CONESWEEP_REQUIRE_GPU");
    if (required != nullptr && std::string(required) == "1") FAIL() << "CONESWEEP_REQUIRE_GPU=1, but: " << reason;
    GTEST_SKIP() << reason;
  }
};

/// Every launch has so many steps while it lives.
class LaunchSteps {
 public:
  explicit LaunchSteps(long steps) { setenv("CONESWEEP_LAUNCH_STEPS", std::to_string(steps).c_str(), 1); }
  ~LaunchSteps() { unsetenv("CONESWEEP_LAUNCH_STEPS"); }
  LaunchSteps(const LaunchSteps&) = delete;
  LaunchSteps& operator=(const LaunchSteps&) = delete;
};

}  // namespace conesweep::test
