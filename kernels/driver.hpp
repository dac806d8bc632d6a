#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/error.hpp"

// The CUDA driver API and NVRTC, loaded at run time: one program works with and without a driver, and is built without
// a toolkit. Types and names are those of the CUDA documentation; only what we call is declared.

namespace conesweep::kernels {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using nvrtcProgram = struct _nvrtcProgram*;

inline constexpr CUresult out_of_memory = 2, no_device = 100, unsupported_ptx = 222;
inline constexpr int attribute_multiprocessors = 16, attribute_major = 75, attribute_minor = 76;
inline constexpr unsigned stream_non_blocking = 1;

/// A CUDA call that failed. Exit code 3.
class DeviceError : public SystemError {
 public:
  DeviceError(Sentence sentence, CUresult result) : SystemError(std::move(sentence)), code(result) {}
  CUresult code;
};

struct Driver {
  CUresult (*cuInit)(unsigned);
  CUresult (*cuDriverGetVersion)(int*);
  CUresult (*cuDeviceGetCount)(int*);
  CUresult (*cuDeviceGet)(CUdevice*, int);
  CUresult (*cuDeviceGetName)(char*, int, CUdevice);
  CUresult (*cuDeviceGetAttribute)(int*, int, CUdevice);
  CUresult (*cuDevicePrimaryCtxRetain)(CUcontext*, CUdevice);
  CUresult (*cuDevicePrimaryCtxRelease)(CUdevice);
  CUresult (*cuCtxSetCurrent)(CUcontext);
  CUresult (*cuMemGetInfo)(std::size_t*, std::size_t*);
  CUresult (*cuMemAlloc)(CUdeviceptr*, std::size_t);
  CUresult (*cuMemFree)(CUdeviceptr);
  CUresult (*cuMemAllocHost)(void**, std::size_t);
  CUresult (*cuMemFreeHost)(void*);
  CUresult (*cuMemcpyHtoDAsync)(CUdeviceptr, const void*, std::size_t, CUstream);
  CUresult (*cuMemcpyDtoHAsync)(void*, CUdeviceptr, std::size_t, CUstream);
  CUresult (*cuMemsetD8Async)(CUdeviceptr, unsigned char, std::size_t, CUstream);
  CUresult (*cuStreamCreate)(CUstream*, unsigned);
  CUresult (*cuStreamDestroy)(CUstream);
  CUresult (*cuStreamSynchronize)(CUstream);
  CUresult (*cuModuleLoadData)(CUmodule*, const void*);
  CUresult (*cuModuleUnload)(CUmodule);
  CUresult (*cuModuleGetFunction)(CUfunction*, CUmodule, const char*);
  CUresult (*cuModuleGetGlobal)(CUdeviceptr*, std::size_t*, CUmodule, const char*);
  CUresult (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                             void**, void**);
  CUresult (*cuOccupancyMaxPotentialBlockSize)(int*, int*, CUfunction, std::size_t (*)(int), std::size_t, int);
  CUresult (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int*, CUfunction, int, std::size_t);
  CUresult (*cuGetErrorName)(CUresult, const char**);
  CUresult (*cuGetErrorString)(CUresult, const char**);

  /// CUDA's words for a result, and its name.
  std::string describe(CUresult result) const;

  /// Throws DeviceError with the call's name and CUDA's words if `result` is not success.
  void check(CUresult result, const char* call) const;
};

struct Compiler {
  int (*nvrtcVersion)(int*, int*);
  int (*nvrtcGetNumSupportedArchs)(int*);
  int (*nvrtcGetSupportedArchs)(int*);
  int (*nvrtcCreateProgram)(nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*);
  int (*nvrtcCompileProgram)(nvrtcProgram, int, const char* const*);
  int (*nvrtcGetPTXSize)(nvrtcProgram, std::size_t*);
  int (*nvrtcGetPTX)(nvrtcProgram, char*);
  int (*nvrtcGetProgramLogSize)(nvrtcProgram, std::size_t*);
  int (*nvrtcGetProgramLog)(nvrtcProgram, char*);
  int (*nvrtcDestroyProgram)(nvrtcProgram*);
  std::string version;
  std::string folder;  // where it was found
};

/// The driver, initialised. Throws SystemError with a sentence for the user if there is none, or no device.
const Driver& driver();

/// NVRTC. Throws SystemError with a sentence for the user if it is not found.
const Compiler& nvrtc();

/// A device as the user counts them.
struct Device {
  int number = 0;
  CUdevice handle = 0;
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
};
std::vector<Device> find_devices();

}  // namespace conesweep::kernels
