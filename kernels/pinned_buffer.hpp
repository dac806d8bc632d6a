#pragma once

#include "driver.hpp"

namespace conesweep::kernels {

/// Pinned host memory: copies run beside kernels.
class PinnedBuffer {
 public:
  ~PinnedBuffer() { release(); }
  PinnedBuffer() = default;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  template <class T>
  T* reserve(std::size_t count) {
    if (count * sizeof(T) > size_) {
      release();
      driver().check(driver().cuMemAllocHost(&data_, count * sizeof(T)), "cuMemAllocHost");
      size_ = count * sizeof(T);
    }
    return static_cast<T*>(data_);
  }
  void release() {
    if (data_ != nullptr) driver().cuMemFreeHost(data_);
    data_ = nullptr, size_ = 0;
  }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace conesweep::kernels
