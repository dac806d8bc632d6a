#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// What the command line says instead of the file.
struct Overrides {
  std::optional<std::int64_t> members;
  std::optional<std::uint64_t> seed;
  std::optional<double> step;
  std::optional<double> end;
  std::vector<std::pair<std::string, double>> set;  // --set name=value; on a varied parameter it fixes it
};

/// The file's text. Throws InputError if it cannot be read.
Source load_source(const std::filesystem::path& path);

/// Reads a scenario and checks everything that can be known without running it, all problems at once (of a file that is
/// valid TOML; a syntax error is the only one). Returns nothing if there is an error among them.
std::optional<Scenario> read_scenario(const Source& source, const Overrides& overrides, Problems& problems);

}  // namespace conesweep::scenario
