#pragma once

#include <map>
#include <string>

// Text inside the library; the file is made by cmake/EmbedSamples.cmake.

namespace conesweep::selftest {

/// samples/*.toml: name without ending -> text.
const std::map<std::string, std::string>& embedded_samples();

/// samples/hashes.txt
const std::string& embedded_hashes();

}  // namespace conesweep::selftest
