#pragma once

#include <array>
#include <cstdint>

namespace conesweep::test {

/// Philox4x32-10, written from its description by Salmon, Moraes, Dror and Shaw (2011).
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
    k = {k[0] + 0x9E3779B9, k[1] + 0xBB67AE85};
  }
  return c;
}

/// The same by 64-bit numbers: counter (first, second), key seed.
inline std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  return philox({low(first), low(first >> 32), low(second), low(second >> 32)}, {low(seed), low(seed >> 32)});
}

}  // namespace conesweep::test
