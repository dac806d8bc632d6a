#pragma once

#include <cstdint>
#include <filesystem>

#include "io/run_data.hpp"

namespace conesweep::io {

/// Writes HDF5 without object times, so that equal results are equal files, and seals it (seal.hpp). Throws SystemError
/// if the system refuses.
void write_results(const std::filesystem::path& file, const RunData& run);

/// Bytes that one more member takes in results.h5.
std::int64_t member_bytes(const scenario::Scenario& scenario);

/// About how large results.h5 becomes.
std::int64_t results_bytes(const scenario::Scenario& scenario);

}  // namespace conesweep::io
