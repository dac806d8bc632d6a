#pragma once

#include <filesystem>

#include "io/results_reader.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::tell {

/// The summary of the finished run in a folder: results.h5 without summary.json may be half of something. InputError if
/// there is none.
Summary read_finished(const std::filesystem::path& folder, Points points = Points::read);

/// Both files of the folder are of one run, else InputError.
void demand_one_run(const std::filesystem::path& folder, const Summary& summary, const io::ResultsReader& results);

/// InputError, which says what is not there, unless the run kept its members.
void demand_members(const std::filesystem::path& folder, const io::ResultsReader& results);

}  // namespace conesweep::tell
