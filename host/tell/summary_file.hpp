#pragma once

#include <filesystem>
#include <string>

#include "tell/points_text.hpp"
#include "tell/summary.hpp"

/// summary.json: all that is known of its words stands here and in the files *_json, a writer beside its reader.
namespace conesweep::tell {

/// Everything outside `run` and `timing` is a function of (scenario, seed, precision). A run with an identity gets a
/// checksum of all but `timing`. Point by point, if it is of a sweep.
void write_json(const Summary& summary, const Sink& sink);
std::string to_json_text(const Summary& summary);

/// A summary.json as a run wrote it: its checksum fits. InputError for all others. What the file does not hold stays
/// empty; so do the points of a sweep where nobody asks for them.
enum class Points { read, skip };
Summary read_summary(const std::filesystem::path& file, Points points = Points::read);

}  // namespace conesweep::tell
