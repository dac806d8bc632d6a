#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

/// The last bytes of results.h5, behind those that HDF5 reads: whose file it is, how long it is, and a checksum of all
/// before them. So every bit of the file is covered, names and attributes too, and equal results are still equal files.
/// Not the first ones, which HDF5 leaves to its users as well: many readers look for HDF5's mark in the first bytes
/// only. Files that have their seal there are read as ever.
namespace conesweep::io {

inline constexpr std::uint64_t seal_bytes = 512;

/// Puts a seal behind what the file holds. `identity` is that of the run; it may be empty.
void seal_results(const std::filesystem::path& file, const std::string& identity);

/// The identity in the seal of a file that is as it was written; SystemError for all others.
std::string check_seal(const std::filesystem::path& file);

/// Does it bear a seal of ours, whether or not it fits?
bool has_seal(const std::filesystem::path& file);

}  // namespace conesweep::io
