// Errors: injected by PTXRUN_FAIL, sticky on a device, and their names in both APIs.
#include <algorithm>
#include <cstdlib>

#include "device.hpp"

struct Fault {
  const char* name;
  int code;
  bool sticky;
  std::vector<long> at;
  std::atomic<long> seen{0};
};
static Fault fault_table[] = {
    {"malloc", cudaErrorMemoryAllocation, false, {}},    {"launch", cudaErrorLaunchFailure, true, {}},
    {"memcpy", cudaErrorIllegalAddress, true, {}},       {"memset", cudaErrorIllegalAddress, true, {}},
    {"sync", cudaErrorIllegalAddress, true, {}},         {"create", cudaErrorMemoryAllocation, false, {}},
    {"load", cudaErrorNoKernelImageForDevice, false, {}}};
static const int missing_device = [] {  // PTXRUN_FAIL=name:n,...  0, or the error of a machine without device
  const char* e = getenv("PTXRUN_FAIL");
  std::string s = e ? e : "";
  int missing = 0;
  for (size_t i = 0; i < s.size();) {
    size_t j = std::min(s.find(',', i), s.size()), c = std::min(s.find(':', i), j);
    std::string name = s.substr(i, c - i);
    long n = c < j ? atol(s.c_str() + c + 1) : 0;
    auto f =
        std::find_if(std::begin(fault_table), std::end(fault_table), [&](const Fault& f) { return name == f.name; });
    if (name == "nodevice")
      missing = cudaErrorNoDevice;
    else if (name == "nodriver")
      missing = cudaErrorInsufficientDriver;
    else if (f == std::end(fault_table) || n < 1)
      ptx_die("PTXRUN_FAIL: want nodevice, nodriver or malloc|launch|memcpy|memset|sync|create|load:n, n = 1.., not " +
              s.substr(i, j - i));
    else
      f->at.push_back(n);
    i = j + 1;
  }
  return missing;
}();
static std::atomic<bool> initialised{false};
int ptx_init(bool driver) {
  if (!missing_device) initialised = true;
  return driver && missing_device == cudaErrorInsufficientDriver ? (int)cudaErrorSystemDriverMismatch : missing_device;
}
int ptx_ready() { return missing_device ? ptx_init(true) : initialised ? 0 : (int)cudaErrorInitializationError; }
int ptx_sticky() { return missing_device ? 0 : (int)device_table()[ptx_device()].error; }
int ptx_enter(Call c, bool runtime) {
  if (missing_device) return ptx_init(!runtime);
  if (!runtime && !initialised) return ptx_ready();
  if (ptx_contexts().empty()) {
    if (!runtime) return cudaErrorDeviceUninitialized;
    initialised = true;
    ptx_set_device(0);
  }  // 201 is CUDA_ERROR_INVALID_CONTEXT
  Device& D = device_table()[ptx_device()];
  if (D.error) return D.error;
  if (c == C_OTHER) return 0;
  Fault& f = fault_table[c];
  long n = ++f.seen;
  if (std::find(f.at.begin(), f.at.end(), n) == f.at.end()) return 0;
  if (f.sticky) D.error = f.code;
  return f.code;
}
const char* ptx_error(int code, int what) {
  static const struct {
    int code;
    const char* text[3];
  } T[] = {
      {0, {"cudaSuccess", "CUDA_SUCCESS", "no error"}},
      {1, {"cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
      {2, {"cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {3, {"cudaErrorInitializationError", "CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
      {9, {"cudaErrorInvalidConfiguration", "CUDA_ERROR_UNKNOWN", "invalid configuration argument"}},
      {13, {"cudaErrorInvalidSymbol", "CUDA_ERROR_UNKNOWN", "invalid device symbol"}},
      {35,
       {"cudaErrorInsufficientDriver", "CUDA_ERROR_UNKNOWN",
        "CUDA driver version is insufficient for CUDA runtime version"}},
      {52, {"cudaErrorMissingConfiguration", "CUDA_ERROR_UNKNOWN", "__global__ function call is not configured"}},
      {98, {"cudaErrorInvalidDeviceFunction", "CUDA_ERROR_UNKNOWN", "invalid device function"}},
      {100, {"cudaErrorNoDevice", "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
      {101, {"cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
      {200, {"cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
      {201, {"cudaErrorDeviceUninitialized", "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
      {209,
       {"cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU",
        "no kernel image is available for execution on the device"}},
      {217,
       {"cudaErrorPeerAccessUnsupported", "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
        "peer access is not supported between these two devices"}},
      {218, {"cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}},
      {222,
       {"cudaErrorUnsupportedPtxVersion", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
        "the provided PTX was compiled with an unsupported toolchain."}},
      {301, {"cudaErrorFileNotFound", "CUDA_ERROR_FILE_NOT_FOUND", "file not found"}},
      {400, {"cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
      {500, {"cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
      {600, {"cudaErrorNotReady", "CUDA_ERROR_NOT_READY", "device not ready"}},
      {700, {"cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
      {704,
       {"cudaErrorPeerAccessAlreadyEnabled", "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED",
        "peer access is already enabled"}},
      {705,
       {"cudaErrorPeerAccessNotEnabled", "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"}},
      {712,
       {"cudaErrorHostMemoryAlreadyRegistered", "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
        "part or all of the requested memory range is already mapped"}},
      {713,
       {"cudaErrorHostMemoryNotRegistered", "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
        "pointer does not correspond to a registered memory region"}},
      {719, {"cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
      {801, {"cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}},
      {803,
       {"cudaErrorSystemDriverMismatch", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        "system has unsupported display driver / cuda driver combination"}}};
  for (auto& t : T)
    if (t.code == code) return t.text[what];
  return what == 1 ? "CUDA_ERROR_UNKNOWN" : what ? "unrecognized error code" : "cudaErrorUnknown";
}
