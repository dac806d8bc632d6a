#pragma once

#include <string>

#include "model/compile_watch.hpp"

namespace conesweep::kernels {

struct CompiledPtx {
  std::string ptx;
  double seconds = 0;  // 0 if it was in the cache
  std::string notice;  // something the user should know; mostly nothing
};

/// PTX of a unit for a compute capability, compiled now or taken from the cache. Errors of the compiler are ours, never
/// the user's. Throws Interrupted if `watch` asks to stop. $CONESWEEP_NVRTCFLAGS is appended to NVRTC's options, for
/// tests.
CompiledPtx compile_ptx(const std::string& text, int major, int minor, const model::CompileWatch& watch);

}  // namespace conesweep::kernels
