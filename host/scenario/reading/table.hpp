#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace conesweep::scenario {

/// A CSV file with a header line, read once: its columns, its copy in a run folder and its checksum are of the same
/// bytes, whatever happens to the file.
struct Table {
  std::filesystem::path file;
  std::shared_ptr<const std::string> bytes;
};

/// Throws InputError if there is no such file.
Table load_table(const std::filesystem::path& file);

/// One column. Throws InputError naming file, row and what is wrong: every row has as many cells as the header, and no
/// two columns have one name.
std::vector<double> read_column(const Table& table, const std::string& column);

}  // namespace conesweep::scenario
