#include "executor/cuda/cuda_facts.hpp"

#include "driver.hpp"

namespace conesweep::executor::cuda {
namespace {

// numbers of CUdevice_attribute
constexpr int attribute_clock = 13, attribute_memory_clock = 36, attribute_bus_width = 37,
              attribute_single_to_double = 87;

double ask(const kernels::Driver& driver, int attribute, kernels::CUdevice device) {
  int value = 0;
  return driver.cuDeviceGetAttribute(&value, attribute, device) == 0 && value > 0 ? value : 0;
}

}  // namespace

std::vector<DeviceFacts> find_device_facts() {
  const kernels::Driver& driver = kernels::driver();
  constexpr double kilohertz = 1000, transfers = 2, bits = 8;
  std::vector<DeviceFacts> facts;
  for (const auto& device : kernels::find_devices())
    facts.push_back({device.name, device.major, device.minor, device.multiprocessors,
                     kilohertz * ask(driver, attribute_clock, device.handle),
                     transfers * kilohertz * ask(driver, attribute_memory_clock, device.handle) *
                         ask(driver, attribute_bus_width, device.handle) / bits,
                     ask(driver, attribute_single_to_double, device.handle)});
  return facts;
}

}  // namespace conesweep::executor::cuda
