#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "executor/cuda/cuda_executor.hpp"

namespace conesweep::test {

/// Where there is no CUDA device, a real one or ptxrun's, a test that needs one skips and says why; it fails if
/// CONESWEEP_REQUIRE_GPU=1 says that there must be one.
inline void require_device() {
  std::string reason;
  if (executor::cuda::is_available(reason)) return;
  const char* required = std::getenv("CONESWEEP_REQUIRE_GPU");
  if (required != nullptr && std::string(required) == "1") FAIL() << "CONESWEEP_REQUIRE_GPU=1, but: " << reason;
  GTEST_SKIP() << reason;
}

/// Compiled models of tests stay in the build's own folder, so that a second run of the tests finds them.
inline const bool own_cache = setenv("CONESWEEP_CACHE", CONESWEEP_TEST_CACHE, 1) == 0;

/// Where laws and scheme are looked at, a model runs for less time than it takes to optimise it fully, and its bits do
/// not depend on that (RandomScenariosCompiled). The long batteries compile all as users do.
#ifdef CONESWEEP_QUICK_MODELS
inline const bool quick_models = std::getenv("CONESWEEP_ALL") == nullptr &&
                                 setenv("CONESWEEP_CXXFLAGS", "-O1", 0) == 0 &&
                                 setenv("CONESWEEP_NVRTCFLAGS", CONESWEEP_QUICK_NVRTC, 0) == 0;
#endif

/// One body for every executor: TEST_P(Suite, …) with `class Suite : public OnExecutor {}`, and
/// ON_EVERY_EXECUTOR(Suite).
class OnExecutor : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (backend() == "cuda") require_device();
  }
  const std::string& backend() const { return GetParam(); }
  bool is_reference() const { return backend() == "reference"; }
};

inline std::string name_of_executor(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

// GoogleTest's own macro makes cases from a suite's name
#define ON_EVERY_EXECUTOR(Suite)                                                     \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values("reference", "cpu", "cuda"), \
                           ::conesweep::test::name_of_executor)
#define ON_FAST_EXECUTORS(Suite) \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values("cpu", "cuda"), ::conesweep::test::name_of_executor)

}  // namespace conesweep::test
