#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conesweep/problem.hpp"
#include "conesweep/scenario.hpp"

/// The public C++ interface: run a scenario file, get the members' numbers.
///
///   conesweep::RunOptions options;
///   options.members = 1000;
///   const conesweep::Ensemble ensemble = conesweep::run("slider.toml", options);
///   const std::vector<double>& reach = ensemble.observables.at("reach");
namespace conesweep {

/// How far a run is.
struct Progress {
  std::int64_t done = 0;     // members that are there …
  std::int64_t members = 0;  // … of so many; with `until` there may be more to come

  // of what `watch` names, over the members whose numbers are there; behind `done`, for they come in pieces
  std::int64_t count = 0;  // with a value
  double mean = std::numeric_limits<double>::quiet_NaN();
  // as of independent members; NaN: of less than two, or they are no sample
  double standard_error = std::numeric_limits<double>::quiet_NaN();
};

/// What `conesweep run` has flags for, by the same names. What overrides the scenario file stays as the file says where
/// it is left out.
struct RunOptions {
  // the scenario
  std::optional<std::int64_t> members;
  std::optional<std::uint64_t> seed;
  std::optional<double> step;
  std::optional<double> end;
  std::map<std::string, double> set;  // parameters by name; a varied one is fixed
  // distributions by name, {"A", "uniform:1:2"}: in place of the file's, or as one more
  std::map<std::string, std::string> vary;

  // who runs it: results depend on none of these but the precision (and the reference executor has bits of its own)
  std::string backend = "auto";      // auto, cuda, cpu, reference
  int threads = 0;                   // 0: all cores
  std::string devices;               // GPUs: "all", "0,1"; empty: the first
  std::string precision = "double";  // or single
  std::int64_t chunk = 0;            // members committed at once, a multiple of 4096; 0: what is done in seconds

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
  // parameters, observables and status of the Ensemble are filled; else they are in the folder alone
  bool columns = true;

  // meanwhile; both are called by one thread at a time, but by any. What they throw ends the run and comes back from it
  std::function<void(const Progress&)> progress;
  // an observable, or a class: its mean, or share, is told with the progress
  std::string watch;
  std::function<void(const std::string&)> message;  // what a user should know: a sentence, now and then
  const std::atomic<bool>* cancel = nullptr;        // once it is true, the run ends with Cancelled
};

/// Members in order, column by column.
struct Ensemble {
  std::string title;
  std::map<std::string, std::vector<double>> parameters;   // varied parameters, one value a member
  std::map<std::string, std::vector<double>> observables;  // NaN: an event that never came, or a member that stopped
  std::vector<std::string> status;                         // "ok", or why a member stopped
  // the resolved scenario as TOML: running it again gives the same numbers
  std::string scenario;
  std::string summary;  // the statistics, as summary.json has them
  std::int64_t members = 0;
  std::int64_t stopped = 0;  // of these
  // members of each class of [classes], and of each status that occurs; empty: the scenario has no classes
  std::map<std::string, std::int64_t> classes;
  std::vector<std::string> class_of;  // of every member; empty like the above
  bool reached = true;                // what `until` asked for
};

/// Runs every member of a scenario file. Throws ScenarioError on bad input, Cancelled when asked to stop, and another
/// std::runtime_error where a file, a device or the system refuses. Several runs at a time are fine, in folders of
/// their own.
Ensemble run(const std::string& scenario_file, const RunOptions& options = {});

/// The same of a scenario that was read; options change it as they change a file.
Ensemble run(const Scenario& scenario, const RunOptions& options = {});

std::string version();

}  // namespace conesweep
