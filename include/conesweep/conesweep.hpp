#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// The public C++ interface: run a scenario file, get the members' numbers.
///
///   conesweep::RunOptions options;
///   options.members = 1000;
///   const conesweep::Ensemble ensemble = conesweep::run("slider.toml", options);
///   const std::vector<double>& reach = ensemble.observables.at("reach");
namespace conesweep {

/// What overrides the scenario file; what is left out stays as the file says.
struct RunOptions {
  std::optional<std::int64_t> members;
  std::optional<std::uint64_t> seed;
  std::optional<double> step;
  std::optional<double> end;
  std::map<std::string, double> set;  // parameters by name; a varied one is fixed
  std::string backend = "auto";
  int threads = 0;  // 0: all cores
};

/// Members in order, column by column.
struct Ensemble {
  std::string title;
  std::map<std::string, std::vector<double>> parameters;   // varied parameters, one value a member
  std::map<std::string, std::vector<double>> observables;  // NaN: an event that never came, or a member that stopped
  std::vector<std::string> status;                         // "ok", or why a member stopped
  std::string scenario;                                    // the resolved scenario as TOML: running it again gives the same numbers
};

/// A scenario that cannot be run; what() lists every problem with its place.
class ScenarioError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs every member of a scenario file. Throws ScenarioError on bad input.
Ensemble run(const std::string& scenario_file, const RunOptions& options = {});

std::string version();

}  // namespace conesweep
