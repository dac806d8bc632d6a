#include "device_model.hpp"

#include <algorithm>

namespace conesweep::kernels {

DeviceModel::DeviceModel(const Device& device, const std::string& ptx) : device_(device) {
  driver().check(driver().cuDevicePrimaryCtxRetain(&context_, device.handle), "cuDevicePrimaryCtxRetain");
  try {
    load(ptx);
  } catch (...) {
    close();
    throw;
  }
}

template <class T>
void DeviceModel::read(const char* name, T& value) const {
  const Driver& d = driver();
  CUdeviceptr place = 0;
  std::size_t bytes = 0;
  d.check(d.cuModuleGetGlobal(&place, &bytes, module_, name), "cuModuleGetGlobal");
  d.check(d.cuMemcpyDtoHAsync(&value, place, sizeof value, nullptr), "cuMemcpyDtoH");
  d.check(d.cuStreamSynchronize(nullptr), "cuStreamSynchronize");
}

void DeviceModel::load(const std::string& ptx) {
  const Driver& d = driver();
  make_current();
  d.check(d.cuModuleLoadData(&module_, ptx.c_str()), "cuModuleLoadData");
  d.check(d.cuModuleGetFunction(&measure, module_, "measure_kernel"), "cuModuleGetFunction");
  d.check(d.cuModuleGetFunction(&advance, module_, "advance_kernel"), "cuModuleGetFunction");
  d.check(d.cuModuleGetFunction(&diagnose, module_, "diagnose_kernel"), "cuModuleGetFunction");
  d.check(d.cuModuleGetFunction(&sum_tracks, module_, "sum_tracks_kernel"), "cuModuleGetFunction");
  read("state_bytes", state_bytes);
  read("may_regroup", may_regroup);
  int grid = 0, active = 0;
  d.check(d.cuOccupancyMaxPotentialBlockSize(&grid, &block, advance, nullptr, 0, 256),
          "cuOccupancyMaxPotentialBlockSize");
  d.check(d.cuOccupancyMaxActiveBlocksPerMultiprocessor(&active, advance, block, 0),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  full = std::max<long>(least_in_flight, static_cast<long>(active) * block * std::max(1, device_.multiprocessors));
}

void DeviceModel::make_current() const { driver().check(driver().cuCtxSetCurrent(context_), "cuCtxSetCurrent"); }

std::size_t DeviceModel::count_free() const {
  std::size_t free = 0, all = 0;
  make_current();
  driver().check(driver().cuMemGetInfo(&free, &all), "cuMemGetInfo");
  return free;
}

void DeviceModel::close() {
  const Driver& d = driver();
  if (context_ != nullptr) d.cuCtxSetCurrent(context_);  // a module is unloaded from the current context
  if (module_ != nullptr) d.cuModuleUnload(module_);
  if (context_ != nullptr) d.cuCtxSetCurrent(nullptr), d.cuDevicePrimaryCtxRelease(device_.handle);
  module_ = nullptr, context_ = nullptr;
}

}  // namespace conesweep::kernels
