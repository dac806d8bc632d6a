#pragma once

#include "support/workers.hpp"

namespace conesweep::executor {

using conesweep::count_threads;
using conesweep::share_work;

}  // namespace conesweep::executor
