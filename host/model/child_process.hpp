#pragma once

#include <string>
#include <vector>

#include "model/compile_watch.hpp"

namespace conesweep::model {

/// How a program ended: its exit code; 128 + n if signal n ended it; 127 if it could not be started.
///
/// It runs in the folder `folder`, which is also its TMPDIR, with its output in `log`, and in a process group of its
/// own: when we stop it, or die ourselves, however suddenly, everything it started dies too. Throws Interrupted where
/// `watch` asks to stop.
int run_program(const std::vector<std::string>& words, int folder, int log, const CompileWatch& watch);

}  // namespace conesweep::model
