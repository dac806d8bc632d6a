#pragma once

#include <string>
#include <utility>

#include <unistd.h>

namespace conesweep::model {

/// An open file or folder, closed at the end. -1: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// All bytes from here on; false if the system refuses on the way.
inline bool read_all(int file, std::string& bytes) {
  char buffer[1 << 16];
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) != 0;) {
    if (got < 0) return false;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
  return true;
}

inline bool write_all(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t put = write(file, bytes.data() + done, bytes.size() - done);
    if (put <= 0) return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace conesweep::model
