#pragma once

#include <cstdint>
#include <string>

/// Numbers as people type them behind a flag. What is none is an InputError that names the flag.
namespace conesweep::app {

/// A whole number: 1000000, 1_000_000, 1,000,000, 1e6.
inline constexpr std::int64_t most_count = 9'000'000'000'000'000;
std::int64_t to_count(const std::string& flag, const std::string& text, std::int64_t least = 0,
                      std::int64_t most = most_count);

/// A finite number.
double to_number(const std::string& flag, const std::string& text);

}  // namespace conesweep::app
