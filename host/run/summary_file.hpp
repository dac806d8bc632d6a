#pragma once

#include <filesystem>
#include <string>

#include "run/summary.hpp"

/// summary.json: all that is known of its words stands in summary_file.cpp, for writing and for reading.
namespace conesweep::runs {

/// Everything outside `run` and `timing` is a function of (scenario, seed, precision). A run with an identity gets a checksum of all but `timing`.
std::string to_json_text(const Summary& summary);

/// A summary.json as a run wrote it: its checksum fits. InputError for all others. What the file does not hold stays empty.
Summary read_summary(const std::filesystem::path& file);

/// Does a text, which may be anything, look like a summary.json of ours?
bool looks_like_summary(const std::string& text);

/// The tables that such a text notes, with their checksums; none where it is something else.
TableChecksums find_noted_tables(const std::string& text);

}  // namespace conesweep::runs
