#pragma once

#include <string>
#include <vector>

#include "driver.hpp"
#include "executor/executor.hpp"

namespace conesweep::kernels {

/// The numbers of the devices that `auto` gives to a rank: all are dealt out in turn; where there are more ranks than
/// devices, they share them.
std::vector<int> deal_devices(int devices, int local_rank, int local_size);

/// "0,2", "all" or "auto" as devices of this machine; nothing: the first. Throws InputError with a sentence for the
/// user.
std::vector<Device> choose_devices(const executor::Options& options);

}  // namespace conesweep::kernels
