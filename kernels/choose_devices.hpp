#pragma once

#include <string>
#include <vector>

#include "driver.hpp"

namespace conesweep::kernels {

/// "0,2" or "all" as devices of this machine; nothing: the first. Throws InputError with a sentence for the user.
std::vector<Device> choose_devices(const std::string& text);

}  // namespace conesweep::kernels
