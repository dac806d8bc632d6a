#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace conesweep::app {

/// The page of some runs, in `file`; returns sentences about files in the folders that are not drawn.
std::vector<std::string> make_report(const std::vector<std::filesystem::path>& folders,
                                     const std::filesystem::path& file, bool force);

/// Tells of a page that was made, unless it is to be quiet.
void tell_report(const std::filesystem::path& file, const std::vector<std::string>& not_drawn, bool quiet);

}  // namespace conesweep::app
