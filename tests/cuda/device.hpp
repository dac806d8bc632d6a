#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/executors.hpp"

namespace conesweep::test {

/// A test that needs a CUDA device.
class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override { require_device(); }
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
