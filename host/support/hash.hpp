#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace conesweep {

// offset basis and prime as published by Fowler, Noll and Vo
inline constexpr std::uint64_t fnv_basis = 0xcbf29ce484222325;
inline constexpr std::uint64_t fnv_prime = 0x100000001b3;

/// FNV-1a, 64 bits: a name for a text.
inline std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv_basis) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * fnv_prime;
  return hash;
}

/// Tells whether bytes are still what they were: the same by eight bytes at a time, with the upper half folded down
/// after each product, since a product carries changes upwards only. Not against an adversary. Bytes may come in
/// pieces; how many they are is said before.
class Checksum {
 public:
  explicit Checksum(std::uint64_t bytes, std::uint64_t hash = fnv_basis) : hash_(hash) { mix(bytes); }

  void add(const void* data, std::size_t bytes) {
    const char* at = static_cast<const char*>(data);
    for (; waiting_ > 0 && bytes > 0; --bytes) wait(*at++);
    for (; bytes >= 8; bytes -= 8, at += 8) {
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      mix(word);
    }
    for (; bytes > 0; --bytes) wait(*at++);
  }

  /// When all are there.
  std::uint64_t finish() {
    mix(last_);
    return hash_;
  }

 private:
  void mix(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: odd, with bits everywhere
    hash_ ^= hash_ >> 32;
  }
  // bytes of a word that is not whole yet
  void wait(char byte) {
    std::memcpy(reinterpret_cast<char*>(&last_) + waiting_, &byte, 1);
    if (++waiting_ < 8) return;
    mix(last_);
    last_ = 0, waiting_ = 0;
  }

  std::uint64_t hash_, last_ = 0;
  int waiting_ = 0;
};

inline std::uint64_t checksum(const void* data, std::size_t bytes, std::uint64_t hash = fnv_basis) {
  Checksum sum(bytes, hash);
  sum.add(data, bytes);
  return sum.finish();
}

/// 16 hexadecimal digits.
inline std::string to_hex(std::uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace conesweep
