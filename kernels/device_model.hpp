#pragma once

#include <string>

#include "driver.hpp"

namespace conesweep::kernels {

inline constexpr long least_in_flight = 32;  // members: a warp; below, a device is no help

/// A context on a device with the model's kernels in it.
class DeviceModel {
 public:
  DeviceModel(const Device& device, const std::string& ptx);
  ~DeviceModel() { close(); }
  DeviceModel(const DeviceModel&) = delete;
  DeviceModel& operator=(const DeviceModel&) = delete;

  void make_current() const;
  const Device& device() const { return device_; }

  /// Bytes free on the device now.
  std::size_t count_free() const;

  CUfunction measure = nullptr, advance = nullptr, diagnose = nullptr, sum_tracks = nullptr;
  long state_bytes = 0;  // of a member between two launches
  int may_regroup = 0;   // may members change threads between launches?
  int block = 128;       // threads
  long full = 0;         // members that fill the device

 private:
  void load(const std::string& ptx);
  template <class T>
  void read(const char* name, T& value) const;
  void close();

  Device device_;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

}  // namespace conesweep::kernels
