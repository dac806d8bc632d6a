#pragma once

#include "executor/executor.hpp"

namespace conesweep::executor::cuda {

/// Compiles the generated model with NVRTC and runs one thread a member, on one GPU or several from one queue. Written
/// in kernels/: this header is where host/ and kernels/ meet.
std::unique_ptr<Model> make_cuda_executor(const scenario::Problem& problem, const std::vector<int>& columns,
                                          const Options& options);

/// The number of the first device that an executor with these options takes.
int first_device(const Options& options);

/// Is there a driver, a device and NVRTC? `reason` says what is missing, or which device there is.
bool is_available(std::string& reason);

/// What the cuda executor stands on; empty where it is missing.
struct Foundation {
  std::string driver;        // the CUDA version that the driver knows
  std::string nvrtc;         // its version
  std::string nvrtc_folder;  // where it was found
};
Foundation find_foundation();

/// Lines for `info`: one a device.
std::vector<std::string> describe_devices();

}  // namespace conesweep::executor::cuda
