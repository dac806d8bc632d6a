#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "scenario/reading/examine.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace conesweep::app {

// exit codes, as docs/scenario.md lists them
enum Exit { fine = 0, some_stopped = 1, bad_input = 2, failure = 3, interrupted = 130 };

/// What the command line says. Flags mean the same in every command that has them.
struct Options {
  std::string scenario;  // path of the file; of plot, and where sensitivity takes one, of a run's folder
  std::string members, seed, step, end;
  std::vector<std::string> set;   // name=value
  std::vector<std::string> vary;  // name=uniform:1:2
  std::string backend = "auto";
  int threads = 0;
  std::string devices;
  std::string precision = "double";
  std::string chunk;
  std::string out;
  bool force = false;
  bool resume = false;
  bool no_step_check = false;
  std::string until, most;       // run, sensitivity
  std::string method = "sobol";  // sensitivity
  bool second_order = false;
  int screening_levels = 4;
  bool quiet = false;
  bool json = false;
  std::int64_t member = 0;  // trace
  std::int64_t every = 1;
  std::vector<std::string> only;           // bench
  std::string unit;                        // model
  std::string backends = "cpu,reference";  // compare
  double tolerance = 1e-9;
  double grazing = 0.01;
  bool bits = false;
  bool hashes = false;                   // selftest
  std::vector<std::string> observables;  // converge, sensitivity: all if empty; mlmc: one
  std::vector<std::string> folders;      // report: finished runs
  bool report = false;                   // run: make a page at the end
  std::string panel, x, y, colour;       // plot
  double width = 0;                      // plot: millimetres; 0: a column of a paper
  int levels = 4;                        // converge
  double rmse = 0;                       // mlmc
  int levels_max = 12;
  std::int64_t members_max = 1'000'000'000;
};

// each adds its group of flags to a command
void add_scenario(CLI::App& command, Options& options);
void add_execution(CLI::App& command, Options& options);
void add_output(CLI::App& command, Options& options);
void add_threads(CLI::App& command, Options& options);

/// A flag with a whole number, with a number; what is none is told as for every other flag.
struct Range {
  std::int64_t least, most;
};
CLI::Option* add_whole_by(CLI::App& command, const std::string& flag, const std::function<void(std::int64_t)>& keep, Range range, const std::string& what);
template <class Whole>
CLI::Option* add_whole(CLI::App& command, const std::string& flag, Whole& value, Range range, const std::string& what) {
  return add_whole_by(
      command, flag, [&value](std::int64_t n) { value = static_cast<Whole>(n); }, range, what);
}
CLI::Option* add_real(CLI::App& command, const std::string& flag, double& value, const std::string& what);

/// The flags that override the scenario. Throws InputError on a malformed one.
scenario::Overrides to_overrides(const Options& options);

/// Threads, devices and precision.
executor::Options to_execution(const Options& options);

/// A whole number as people type it: 1000000, 1_000_000, 1,000,000, 1e6.
inline constexpr std::int64_t most_count = 9'000'000'000'000'000;
std::int64_t to_count(const std::string& flag, const std::string& text, std::int64_t least = 0, std::int64_t most = most_count);

/// A finite number.
double to_number(const std::string& flag, const std::string& text);

/// Members in a chunk: --chunk, which must be a multiple of a block.
std::int64_t to_chunk(const Options& options, std::int64_t by_default);

/// The scenario as the flags change it, read and tried; prints nothing. Throws InputError if there is no such file or a flag makes no sense.
scenario::Examined examine(const Options& options);

/// A scenario that was read, overridden and checked; warnings and errors are printed. Throws InputError after an error.
struct Loaded {
  scenario::Source source;
  scenario::Scenario scenario;
};
Loaded load(const Options& options);

// commands
int run(const Options& options);
int plan(const Options& options);
int sensitivity(const Options& options);
int check(const Options& options);
int compare(const Options& options);
int converge(const Options& options);
int mlmc(const Options& options);
int trace(const Options& options);
int info(const Options& options);
int bench(const Options& options);
int selftest(const Options& options);
int model(const Options& options);
int report(const Options& options);
int plot(const Options& options);

/// The page of some runs, in `file`, which is returned.
std::filesystem::path make_report(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& file, bool force);

}  // namespace conesweep::app
