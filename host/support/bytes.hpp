#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "support/error.hpp"

namespace conesweep {

/// Values as bytes, for another process of the same program.
class ByteWriter {
 public:
  template <class T>
  ByteWriter& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  template <class T>
  ByteWriter& put(const std::vector<T>& values) {
    put(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return *this;
  }
  ByteWriter& put(const std::string& text) {
    put(text.size());
    bytes_ += text;
    return *this;
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The same values, in the same order.
class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : at_(bytes.data()), left_(bytes.size()) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    std::vector<T> values(count(sizeof(T)));
    copy(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string get_text() {
    std::string text(count(1), ' ');
    copy(text.data(), text.size());
    return text;
  }

 private:
  std::size_t count(std::size_t each) {
    const auto number = get<std::size_t>();
    CS_ASSERT(number <= left_ / each);
    return number;
  }
  void copy(void* to, std::size_t bytes) {
    CS_ASSERT(bytes <= left_);
    if (bytes > 0) std::memcpy(to, at_, bytes);
    at_ += bytes, left_ -= bytes;
  }

  const char* at_;
  std::size_t left_;
};

}  // namespace conesweep
