#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

/// The first bytes of results.h5, before those that HDF5 reads (its "user block"): whose file it is, how long it is, and a checksum of all that follows. So
/// every bit of the file is covered, names and attributes too, and equal results are still equal files.
namespace conesweep::io {

inline constexpr std::uint64_t seal_bytes = 512;  // the smallest block that HDF5 leaves

/// Seals a file whose first seal_bytes are free. `identity` is that of the run; it may be empty.
void seal_results(const std::filesystem::path& file, const std::string& identity);

/// The identity in the seal of a file that is as it was written; SystemError for all others.
std::string check_seal(const std::filesystem::path& file);

/// The same without a look at what follows the seal.
std::string read_identity(const std::filesystem::path& file);

/// Does it begin like one of ours?
bool has_seal(const std::filesystem::path& file);

}  // namespace conesweep::io
