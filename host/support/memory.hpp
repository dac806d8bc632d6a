#pragma once

#include <cstdint>
#include <string>

#include "support/sentence.hpp"

namespace conesweep {

/// Bytes of memory that a program can still have here: of the machine, or of the container it is in. -1: the system
/// does not say.
std::int64_t available_memory();

/// A number of bytes, computed in double so that no product overflows: the largest there is beyond that.
std::int64_t count_bytes(double bytes);

/// What to do where memory was refused in the midst of work.
Sentence no_memory();

/// "1.2 GB", "340 MB"
std::string format_bytes(double bytes);

}  // namespace conesweep
