#include "driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

#include "support/place.hpp"

namespace conesweep::kernels {
namespace {

void* open_library(const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw SystemError(std::string("the CUDA library is too old: it has no ") + name +
                      "; update the NVIDIA driver, or use " + setting::backend("cpu"));
}

void* open_driver() { return open_library({"libcuda.so.1", "libcuda.so"}); }

Driver load_driver() {
  void* library = open_driver();
  if (library == nullptr)
    throw SystemError("no CUDA driver on this machine: libcuda.so.1 was not found; install the NVIDIA driver, or use " +
                      setting::backend("cpu"));
  Driver d{};
  find(library, "cuGetErrorName", d.cuGetErrorName);
  find(library, "cuGetErrorString", d.cuGetErrorString);
  find(library, "cuInit", d.cuInit);
  find(library, "cuDriverGetVersion", d.cuDriverGetVersion);
  find(library, "cuDeviceGetCount", d.cuDeviceGetCount);
  find(library, "cuDeviceGet", d.cuDeviceGet);
  find(library, "cuDeviceGetName", d.cuDeviceGetName);
  find(library, "cuDeviceGetAttribute", d.cuDeviceGetAttribute);
  find(library, "cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain);
  find(library, "cuDevicePrimaryCtxRelease_v2", d.cuDevicePrimaryCtxRelease);
  find(library, "cuCtxSetCurrent", d.cuCtxSetCurrent);
  find(library, "cuMemGetInfo_v2", d.cuMemGetInfo);
  find(library, "cuMemAlloc_v2", d.cuMemAlloc);
  find(library, "cuMemFree_v2", d.cuMemFree);
  find(library, "cuMemAllocHost_v2", d.cuMemAllocHost);
  find(library, "cuMemFreeHost", d.cuMemFreeHost);
  find(library, "cuMemcpyHtoDAsync_v2", d.cuMemcpyHtoDAsync);
  find(library, "cuMemcpyDtoHAsync_v2", d.cuMemcpyDtoHAsync);
  find(library, "cuMemsetD8Async", d.cuMemsetD8Async);
  find(library, "cuStreamCreate", d.cuStreamCreate);
  find(library, "cuStreamDestroy_v2", d.cuStreamDestroy);
  find(library, "cuStreamSynchronize", d.cuStreamSynchronize);
  find(library, "cuModuleLoadData", d.cuModuleLoadData);
  find(library, "cuModuleUnload", d.cuModuleUnload);
  find(library, "cuModuleGetFunction", d.cuModuleGetFunction);
  find(library, "cuModuleGetGlobal_v2", d.cuModuleGetGlobal);
  find(library, "cuLaunchKernel", d.cuLaunchKernel);
  find(library, "cuOccupancyMaxPotentialBlockSize", d.cuOccupancyMaxPotentialBlockSize);
  find(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", d.cuOccupancyMaxActiveBlocksPerMultiprocessor);
  const CUresult started = d.cuInit(0);
  if (started == no_device) throw SystemError("no CUDA device on this machine; use " + setting::backend("cpu"));
  if (started != 0)
    throw SystemError("the CUDA driver does not start: " + d.describe(started) + "; update the NVIDIA driver, or use " +
                      setting::backend("cpu"));
  int count = 0;
  d.check(d.cuDeviceGetCount(&count), "cuDeviceGetCount");
  if (count == 0) throw SystemError("no CUDA device on this machine; use " + setting::backend("cpu"));
  return d;
}

// Where NVRTC is looked for, in this order: where the user says, where the system's loader looks, a toolkit in its
// usual place, Python's packages, and what run.sh or test.sh brought beside the build.
std::vector<std::string> nvrtc_names() {
  const std::vector<std::string> files = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  std::vector<std::string> names;
  const auto look_in = [&](const std::filesystem::path& folder) {
    for (const auto& file : files) names.push_back((folder / file).string());
  };
  for (const char* variable : {"CONESWEEP_NVRTC", "CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      look_in(std::filesystem::path(folder) / "lib64"), look_in(folder);
  names.insert(names.end(), files.begin(), files.end());
  look_in("/usr/local/cuda/lib64");
  std::error_code ignored;
  for (const std::filesystem::path& packages : python_folders())
    for (const auto& package : std::filesystem::directory_iterator(packages / "nvidia", ignored))
      look_in(package.path() / "lib");
  look_in(own_folder() / ".." / "cuda" / "nvrtc");
  return names;
}

// The CUDA version that the driver understands, 1000 major + 10 minor; 0 where there is no driver to ask.
int find_driver_version() {
  void* library = open_driver();
  auto ask = library != nullptr ? reinterpret_cast<CUresult (*)(int*)>(dlsym(library, "cuDriverGetVersion")) : nullptr;
  int version = 0;
  return ask != nullptr && ask(&version) == 0 ? version : 0;
}

// The first NVRTC whose code this driver takes; where all are newer than the driver, the first of all: the driver then
// says what it refuses.
void* open_nvrtc() {
  const int newest = find_driver_version();
  void* first = nullptr;
  for (const auto& name : nvrtc_names()) {
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    int (*ask)(int*, int*) = nullptr;
    find(library, "nvrtcVersion", ask);
    int major = 0, minor = 0;
    ask(&major, &minor);
    if (newest == 0 || 1000 * major + 10 * minor <= newest) return library;
    if (first == nullptr) first = library;
  }
  return first;
}

Compiler load_nvrtc() {
  void* library = open_nvrtc();
  if (library == nullptr)
    throw SystemError(
        "NVRTC was not found (libnvrtc.so); install the CUDA toolkit or the Python package nvidia-cuda-nvrtc, set "
        "CONESWEEP_NVRTC to its folder, or use " +
        setting::backend("cpu"));
  Compiler c{};
  find(library, "nvrtcVersion", c.nvrtcVersion);
  find(library, "nvrtcGetNumSupportedArchs", c.nvrtcGetNumSupportedArchs);
  find(library, "nvrtcGetSupportedArchs", c.nvrtcGetSupportedArchs);
  find(library, "nvrtcCreateProgram", c.nvrtcCreateProgram);
  find(library, "nvrtcCompileProgram", c.nvrtcCompileProgram);
  find(library, "nvrtcGetPTXSize", c.nvrtcGetPTXSize);
  find(library, "nvrtcGetPTX", c.nvrtcGetPTX);
  find(library, "nvrtcGetProgramLogSize", c.nvrtcGetProgramLogSize);
  find(library, "nvrtcGetProgramLog", c.nvrtcGetProgramLog);
  find(library, "nvrtcDestroyProgram", c.nvrtcDestroyProgram);
  int major = 0, minor = 0;
  c.nvrtcVersion(&major, &minor);
  c.version = std::to_string(major) + "." + std::to_string(minor);
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::canonical(file_of(reinterpret_cast<const void*>(c.nvrtcVersion)), ignored).parent_path();
  c.folder = folder.string();
  // NVRTC opens its other half by name alone, where the system's loader looks: found here first, the one beside it
  // serves
  open_library({(folder / ("libnvrtc-builtins.so." + c.version)).string()});
  return c;
}

}  // namespace

std::string Driver::describe(CUresult result) const {
  const char *name = nullptr, *words = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &words);
  return std::string(words != nullptr ? words : "unknown error") + " (" +
         (name != nullptr ? name : std::to_string(result)) + ")";
}

void Driver::check(CUresult result, const char* call) const {
  if (result == 0) return;
  Sentence advice = "if it happens again, use " + setting::backend("cpu");
  if (result == out_of_memory) advice = "free memory on the device, record fewer trajectories or shorten the delays";
  if (result == unsupported_ptx)
    advice =
        "NVRTC " + nvrtc().version +
        " is newer than the driver: update the NVIDIA driver, or set CONESWEEP_NVRTC to the folder of an older NVRTC";
  throw DeviceError(std::string("the GPU refused ") + call + ": " + describe(result) + "; " + advice, result);
}

const Driver& driver() {
  static const Driver loaded = load_driver();
  return loaded;
}

const Compiler& nvrtc() {
  static const Compiler loaded = load_nvrtc();
  return loaded;
}

std::vector<Device> find_devices() {
  const Driver& d = driver();
  int count = 0;
  d.check(d.cuDeviceGetCount(&count), "cuDeviceGetCount");
  std::vector<Device> devices;
  for (int k = 0; k < count; ++k) {
    Device device;
    device.number = k;
    d.check(d.cuDeviceGet(&device.handle, k), "cuDeviceGet");
    char name[256] = "";
    d.check(d.cuDeviceGetName(name, sizeof name, device.handle), "cuDeviceGetName");
    device.name = name;
    d.check(d.cuDeviceGetAttribute(&device.major, attribute_major, device.handle), "cuDeviceGetAttribute");
    d.check(d.cuDeviceGetAttribute(&device.minor, attribute_minor, device.handle), "cuDeviceGetAttribute");
    d.check(d.cuDeviceGetAttribute(&device.multiprocessors, attribute_multiprocessors, device.handle),
            "cuDeviceGetAttribute");
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace conesweep::kernels
