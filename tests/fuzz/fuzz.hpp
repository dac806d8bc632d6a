#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// What a fuzz target defines. It runs under our own driver (fuzz_main.cpp, any compiler) and under libFuzzer (clang).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace conesweep::fuzz {

const std::vector<std::string>& dictionary();  // words worth putting anywhere
const std::vector<std::string>& corpus();      // valid texts to begin with

/// Counted by a target that took an input as valid: tells how much of the fuzzing goes behind the door.
inline std::uint64_t accepted = 0;

/// Stops at a broken invariant; the driver keeps the input.
inline void require(bool holds, const char* invariant) {
  if (holds) return;
  std::fprintf(stderr, "broken invariant: %s\n", invariant);
  std::abort();
}

}  // namespace conesweep::fuzz
