#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace conesweep::scenario {

/// One column of a CSV file with a header line. Throws InputError naming file, row and what is wrong.
std::vector<double> read_table_column(const std::filesystem::path& file, const std::string& column);

}  // namespace conesweep::scenario
