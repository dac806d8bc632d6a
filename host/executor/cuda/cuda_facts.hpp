#pragma once

#include <string>
#include <vector>

namespace conesweep::executor::cuda {

/// What the driver says about a device. A number it does not tell is 0.
struct DeviceFacts {
  std::string name;
  int major = 0, minor = 0;     // compute capability
  int multiprocessors = 0;      //
  double clock = 0;             // of the cores, Hz, the highest
  double bandwidth = 0;         // of the memory, bytes a second: two transfers a clock
  double single_to_double = 0;  // how many times faster single precision is

  /// Device code is run by a CPU here (tests do that): its speed says nothing.
  bool emulated() const { return name.find("emulation") != std::string::npos; }
};

/// In the user's numbering. Throws SystemError with a sentence for the user if there is no driver or no device.
std::vector<DeviceFacts> find_device_facts();

}  // namespace conesweep::executor::cuda
