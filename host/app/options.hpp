#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "scenario/reading/examine.hpp"
#include "team/team.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace conesweep::app {

// exit codes, as docs/scenario.md lists them
enum Exit { fine = 0, some_stopped = 1, bad_input = 2, failure = 3, interrupted = 130 };

/// What the command line says. Flags mean the same in every command that has them.
struct Options {
  std::string scenario;  // path of the file; of plot and export, and where sensitivity takes one, of a run's folder; the name of a new one
  std::string members, seed, step, end;
  std::string keep;               // run, plan
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
  std::string watch;             // the same: whose mean to show meanwhile
  std::string method = "sobol";  // sensitivity
  bool second_order = false;
  int screening_levels = 4;
  bool quiet = false;
  bool json = false;
  std::int64_t member = 0;  // trace
  std::int64_t every = 1;
  std::vector<std::string> only;                                // bench
  std::string unit;                                             // model
  std::string backends = "cpu,reference";                       // compare
  double tolerance = std::numeric_limits<double>::quiet_NaN();  // by precision
  double grazing = 1;
  std::int64_t judge = 4096;
  bool bits = false;
  bool hashes = false;                   // selftest
  std::vector<std::string> observables;  // converge, sensitivity: all if empty; mlmc: one
  std::vector<std::string> folders;      // report: finished runs
  bool report = false;                   // run: make a page at the end
  std::string panel, x, y, colour;       // plot
  double width = 0;                      // plot: millimetres; 0: a column of a paper
  bool csv = false;                      // export: the format
  bool trajectories = false;             // export: not the members, but the motions of those that were recorded
  int levels = 4;                        // converge
  double rmse = 0;                       // mlmc
  int levels_max = 12;
  std::int64_t members_max = 1'000'000'000;
  std::string like;            // new: a sample
  std::string shell;           // completion
  team::Team* team = nullptr;  // that a launcher started; null: this process is alone

  /// Closed lists of words that flags and arguments take: what a shell can complete.
  using Offers = std::map<const CLI::Option*, std::vector<std::string>>;
  Offers offers;
};

/// Words that a flag takes; one_of refuses others.
CLI::Option* offer(Options& options, CLI::Option* option, const std::vector<std::string>& words);
CLI::Option* one_of(Options& options, CLI::Option* option, const std::vector<std::string>& words);

inline bool follows(const Options& options) { return options.team != nullptr && !options.team->leads(); }

// each adds its group of flags to a command
void add_scenario(CLI::App& command, Options& options);
void add_keep(CLI::App& command, Options& options);
void add_execution(CLI::App& command, Options& options);
void add_output(CLI::App& command, Options& options);
void add_threads(CLI::App& command, Options& options);
void add_watch(CLI::App& command, Options& options);
void add_backend(CLI::App& command, Options& options, const std::string& what, const std::vector<std::string>& more = {});
void add_study(CLI::App& command, Options& options, const std::string& file);
void add_precision(CLI::App& command, Options& options, const std::string& what = "double, or single: float throughout");

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

/// A scenario that was read, overridden and checked; warnings and errors are printed. Throws InputError after an error. Of a team the leader reads it first,
/// and the others must see the same: SystemError.
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
int export_run(const Options& options);
int make_new(const Options& options);

/// Of the samples that the program has inside.
std::vector<std::string> sample_names();

/// The page of some runs, in `file`; returns sentences about files in the folders that are not drawn.
std::vector<std::string> make_report(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& file, bool force);

/// Tells of a page that was made, unless it is to be quiet.
void tell_report(const std::filesystem::path& file, const std::vector<std::string>& not_drawn, bool quiet);

}  // namespace conesweep::app
