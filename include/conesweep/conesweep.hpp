#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conesweep/execution.hpp"
#include "conesweep/model.hpp"
#include "conesweep/problem.hpp"
#include "conesweep/results.hpp"
#include "conesweep/scenario.hpp"
#include "conesweep/studies.hpp"

/// The public C++ interface, which is what the program itself uses: run a scenario, get the members' numbers.
///
///   conesweep::RunOptions options;
///   options.members = 1000;
///   const conesweep::Ensemble ensemble = conesweep::run("slider.toml", options);
///   const std::vector<double>& reach = ensemble.observables.at("reach");
///
/// Scenarios are read, built and changed in scenario.hpp and changes.hpp; model.hpp has a compiled scenario as a
/// function over arrays; studies.hpp what sensitivity, converge, mlmc, compare, trace, plan, report and plot do;
/// results.hpp finished runs in their folders.
namespace conesweep {

/// What `conesweep run` has flags for, by the same names. What overrides the scenario stays as it is there where it is
/// left out.
struct RunOptions : Execution {
  // the scenario
  std::optional<std::int64_t> members;
  std::optional<std::uint64_t> seed;
  std::optional<double> step;
  std::optional<double> end;
  std::map<std::string, double> set;  // parameters by name; a varied one is fixed
  // distributions by name, {"A", "uniform:1:2"}: in place of the file's, or as one more
  std::map<std::string, std::string> vary;

  // how many members, and how well
  // go on until the standard error of a mean is below a share of it: {"reach", 0.01};
  // of a class: until half the width of its share's interval is below that share of all members
  std::map<std::string, double> until;
  // with `until`: at most so many members; left out: a thousand times those it begins with
  std::optional<std::int64_t> most;
  // step 256 members, spread over all, once more at half the step: the error of the step, in the summary
  bool step_check = true;

  // where it goes
  std::string out;      // the run's folder, as the program leaves it; empty: nothing is written
  bool resume = false;  // go on with what lies there; a finished run is only read
  bool force = false;   // replace what lies there
  // columns of the Ensemble are filled; else they are in the folder alone
  bool columns = true;

  // an observable, or a class: its mean, or share, is told with the progress
  std::string watch;
};

/// Members in order, column by column.
struct Ensemble {
  std::string title;
  std::map<std::string, std::vector<double>> parameters;   // varied parameters, one value a member
  std::map<std::string, std::vector<double>> observables;  // NaN: an event that never came, or a member that stopped
  std::vector<std::uint8_t> status;                        // 0 ok, or why a member stopped, by status_names
  std::vector<double> stop_time;                           // NaN for those that are ok
  std::vector<std::uint8_t> flags;                         // a bit for each of flag_names
  Tracks tracks;                                           // of the members that leave trajectories
  // the resolved scenario as TOML: running it again gives the same numbers
  std::string scenario;
  std::string summary;  // the statistics, as summary.json has them
  std::int64_t members = 0;
  std::int64_t stopped = 0;  // of these
  // members of each class of [classes], and of each status that occurs; empty: the scenario has no classes
  std::map<std::string, std::int64_t> classes;
  std::vector<std::uint8_t> class_of;    // of every member, by class_names; empty like the above
  std::vector<std::string> class_names;  // [code]
  bool reached = true;                   // what `until` asked for
};

/// Runs every member of a scenario file. Throws ScenarioError on bad input, Cancelled when asked to stop, and another
/// std::runtime_error where a file, a device or the system refuses. Several runs at a time are fine, in folders of
/// their own.
Ensemble run(const std::string& scenario_file, const RunOptions& options = {});

/// The same of a scenario that was read; options change it as they change a file.
Ensemble run(const Scenario& scenario, const RunOptions& options = {});

std::string version();

}  // namespace conesweep
