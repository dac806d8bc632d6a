#pragma once

#include <filesystem>
#include <string>

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

/// How the run is made that is asked for.
struct Making {
  std::string backend = {};  // or auto
  std::string precision = {};
  std::string points = {};  // at which its members stand (Design::points)
};

/// InputError, which says what differs, unless the finished run in a folder is that of the scenario, made alike.
void demand_same_run(const std::filesystem::path& folder, const Summary& finished, const scenario::Scenario& scenario,
                     const Making& asked);

}  // namespace conesweep::tell
