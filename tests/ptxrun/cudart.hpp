#pragma once

// What all parts of the CUDA runtime API share: how they are seen from outside, and what they return.
#include <cuda_runtime_api.h>

#include "ptxrun.hpp"

#define API __attribute__((visibility("default")))
#define IN(call) \
  if (int e_ = ptx_enter(call, true)) return R(e_)

/// A call's error, kept for cudaGetLastError.
cudaError_t R(int e);
