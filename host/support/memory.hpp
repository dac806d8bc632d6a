#pragma once

#include <cstdint>
#include <string>

namespace conesweep {

/// Bytes of memory that a program can still have here: of the machine, or of the container it is in. -1: the system does not say.
std::int64_t available_memory();

/// "1.2 GB", "340 MB"
std::string format_bytes(double bytes);

}  // namespace conesweep
