#pragma once

#include "driver.hpp"

namespace conesweep::kernels {

/// Device memory that grows and is given back.
class DeviceBuffer {
 public:
  ~DeviceBuffer() { release(); }
  DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  CUdeviceptr reserve(std::size_t bytes) {
    if (bytes > size_) {
      release();
      driver().check(driver().cuMemAlloc(&data_, bytes), "cuMemAlloc");
      size_ = bytes;
    }
    return data_;
  }
  CUdeviceptr get() const { return data_; }
  std::size_t size() const { return size_; }
  void release() {
    if (data_ != 0) driver().cuMemFree(data_);
    data_ = 0, size_ = 0;
  }

 private:
  CUdeviceptr data_ = 0;
  std::size_t size_ = 0;
};

}  // namespace conesweep::kernels
