#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace conesweep {

/// What may be opened: a file alone, or a pipe and a device too, which are waited for and may have no end. A folder
/// never.
enum class FileKind { regular, any };

/// Opens for reading. -1: `error` says why not.
int open_file(const std::filesystem::path& path, std::error_code& error, FileKind kind = FileKind::regular);

/// All bytes, read once. Empty with `error` set where that does not work, or where they are more than `most`
/// (file_too_large): not read on.
std::string read_file(const std::filesystem::path& path, std::error_code& error,
                      std::size_t most = std::string().max_size(), FileKind kind = FileKind::regular);

/// What a user names to be read, a pipe or a device too: its bytes, or nothing if they are more than `most`. InputError
/// if it cannot be read.
std::optional<std::string> read_at_most(const std::filesystem::path& path, std::size_t most);

}  // namespace conesweep
