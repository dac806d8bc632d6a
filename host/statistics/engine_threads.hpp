#pragma once

#include "statistics/engine.hpp"

namespace conesweep::statistics {

/// So many threads of the host an engine has to itself: one, where the work is a device's.
int count_threads_of(const Engine& engine);

}  // namespace conesweep::statistics
