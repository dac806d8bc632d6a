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
  // --vary name=uniform:1:2; in place of what [vary] or [sweep] says of it, or as one more
  std::vector<std::pair<std::string, std::string>> vary = {};
  std::optional<Keep> keep = {};
};

/// A number, or arithmetic of numbers: 3/2, 2*pi. Nothing where it is none, or not finite.
std::optional<double> compute_number(const std::string& text);

/// The file's text. Throws InputError if it cannot be read.
Source load_source(const std::filesystem::path& path);

/// Reads a scenario and checks everything that can be known without running it, all problems at once (of a file that is
/// valid TOML; a syntax error is the only one). Returns nothing if there is an error among them.
std::optional<Scenario> read_scenario(const Source& source, const Overrides& overrides, Faults& problems);

}  // namespace conesweep::scenario
