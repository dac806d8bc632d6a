#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace conesweep::selftest {

/// A line of samples/hashes.txt: what the fast executors give in double precision, on every machine.
struct SampleHash {
  std::string sample;
  std::uint64_t results = 0;     // of the run of members with rounded parameters: see SampleSet
  std::uint64_t parameters = 0;  // of the parameters as drawn; their last places are the C library's
  std::int64_t members = 0;
  std::int64_t steps = 0;

  bool operator==(const SampleHash&) const = default;
};

/// The file's text, and back. A line that cannot be read is left out: its sample then has no published hash.
std::string format_hashes(const std::vector<SampleHash>& hashes);
std::vector<SampleHash> parse_hashes(const std::string& text);

/// Those this program was built with.
std::vector<SampleHash> published_hashes();

}  // namespace conesweep::selftest
