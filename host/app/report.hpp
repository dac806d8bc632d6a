#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace conesweep::app {

/// Tells of a page that was made, unless it is to be quiet.
void tell_report(const std::filesystem::path& file, const std::vector<std::string>& not_drawn, bool quiet);

}  // namespace conesweep::app
