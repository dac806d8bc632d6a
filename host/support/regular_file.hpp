#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace conesweep {

/// Opens a file for reading and makes sure that it is one: a pipe would be waited for, a device may have no end. -1: `error` says why not.
int open_regular(const std::filesystem::path& path, std::error_code& error);

/// All bytes of a file, read once. Empty with `error` set where that does not work, or where they are more than `most`.
std::string read_regular(const std::filesystem::path& path, std::error_code& error, std::size_t most = std::string().max_size());

}  // namespace conesweep
