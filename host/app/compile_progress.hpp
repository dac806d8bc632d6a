#pragma once

#include "model/compile_watch.hpp"

namespace conesweep::app {

/// While a model compiles: time and memory on the terminal's last line, elsewhere a line every ten seconds; on standard
/// error. Ctrl-C ends it.
model::CompileWatch watch_compiling(bool quiet);

}  // namespace conesweep::app
