#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace conesweep {

/// The bytes of a file, a pipe or a device, as long as they are no more than `most`; nothing if they are: not read on. Throws InputError if it
/// cannot be read, and for a folder; `what` is its name in messages ("the table ").
std::optional<std::string> read_at_most(const std::filesystem::path& path, std::size_t most, const std::string& what = {});

}  // namespace conesweep
