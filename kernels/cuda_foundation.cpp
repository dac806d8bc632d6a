#include "driver.hpp"
#include "executor/cuda/cuda_executor.hpp"

namespace conesweep::executor::cuda {

bool is_available(std::string& reason) {
  try {
    kernels::nvrtc();
    reason = kernels::find_devices().front().name;
    return true;
  } catch (const SystemError& error) {
    reason = error.what();
    return false;
  }
}

Foundation find_foundation() {
  Foundation found;
  try {
    int version = 0;
    kernels::driver().check(kernels::driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
    found.driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  } catch (const SystemError&) {
  }
  try {
    found.nvrtc = kernels::nvrtc().version, found.nvrtc_folder = kernels::nvrtc().folder;
  } catch (const SystemError&) {
  }
  return found;
}

std::vector<std::string> describe_devices() {
  std::vector<std::string> lines;
  for (const auto& device : kernels::find_devices())
    lines.push_back(std::to_string(device.number) + ": " + device.name + ", compute capability " +
                    std::to_string(device.major) + "." + std::to_string(device.minor) + ", " +
                    std::to_string(device.multiprocessors) + " multiprocessors");
  return lines;
}

}  // namespace conesweep::executor::cuda
