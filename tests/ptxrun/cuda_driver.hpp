#pragma once

// What all parts of the CUDA driver API share: how they are seen from outside, and what they return.
#include <cuda.h>

#include "ptxrun.hpp"

#define API extern "C" __attribute__((visibility("default")))
#define IN(call) \
  if (int e_ = ptx_enter(call, false)) return E(e_)
#define DEV(d)                            \
  if (int e_ = ptx_ready()) return E(e_); \
  if (d < 0 || d >= ptx_devices()) return CUDA_ERROR_INVALID_DEVICE
inline CUresult E(int e) { return e == cudaErrorInvalidConfiguration ? CUDA_ERROR_INVALID_VALUE : (CUresult)e; }
inline CUresult found(const void* p) { return p ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND; }

/// The CUDA version it understands, 1000 major + 10 minor: the toolkit's, or another one by PTXRUN_DRIVER.
int driver_version();
