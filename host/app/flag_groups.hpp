#pragma once

#include <string>
#include <vector>

#include "app/flags.hpp"
#include "executor/executor.hpp"
#include "scenario/reading/examine.hpp"
#include "team/team.hpp"

/// Flags that mean the same wherever they are: a group is what they say and a function that adds them to a command.
namespace conesweep::app {

/// A scenario and what is to be different from the file.
struct ScenarioFlags {
  std::string file;
  std::string members, seed, step, end, keep;
  std::vector<std::string> set;   // name=value
  std::vector<std::string> vary;  // name=uniform:1:2
};
void add_scenario(Flags& flags, ScenarioFlags& group, const std::string& what = "scenario file (TOML)");
void add_keep(Flags& flags, ScenarioFlags& group);

/// Who runs members.
struct ExecutionFlags {
  std::string backend = "auto";
  int threads = 0;  // 0: all cores
  std::string precision = "double";
  std::string devices;
  std::string chunk;

  bool is_single() const { return precision == "single"; }
};
void add_execution(Flags& flags, ExecutionFlags& group);  // all of them
void add_backend(Flags& flags, ExecutionFlags& group, const std::string& what,
                 const std::vector<std::string>& more = {});
void add_threads(Flags& flags, ExecutionFlags& group);
void add_precision(Flags& flags, ExecutionFlags& group,
                   const std::string& what = "double, or single: float throughout");
void add_devices(Flags& flags, ExecutionFlags& group);

/// What is printed.
struct TalkFlags {
  bool quiet = false;
  bool json = false;

  bool talks() const { return !quiet && !json; }
};
void add_quiet(Flags& flags, TalkFlags& group, const std::string& what = "print errors only");
void add_json(Flags& flags, TalkFlags& group, const std::string& what = "print as JSON");

/// Where a command writes.
struct TargetFlags {
  std::string out;
  bool force = false;
  bool resume = false;
};
// a file; the words say what
void add_target(Flags& flags, TargetFlags& group, const std::string& out, const std::string& force);
// numbers for the folder of a run
void add_study(Flags& flags, TargetFlags& group, const std::string& file);

/// How far an ensemble grows, and what is shown meanwhile.
struct GrowthFlags {
  std::string until, most;
  std::string watch;
};
void add_growth(Flags& flags, GrowthFlags& group, const std::string& until);
void add_watch(Flags& flags, GrowthFlags& group);

/// What commands have that run an ensemble into a folder.
struct EnsembleFlags {
  ScenarioFlags scenario;
  ExecutionFlags execution;
  TargetFlags target;
  TalkFlags talk;
  GrowthFlags growth;
};
void add_run_folder(Flags& flags, EnsembleFlags& group);

/// Threads, devices and precision; of a rank of a team, those of its place.
executor::Options to_execution(const ExecutionFlags& flags, const TalkFlags& talk, const team::Team* team = nullptr);

/// Members in a chunk. InputError unless it is a multiple of a block.
std::int64_t to_chunk(const ExecutionFlags& flags, std::int64_t by_default);

/// The scenario as the flags change it, read and tried; prints nothing. Throws InputError if there is no such file or a
/// flag makes no sense.
scenario::Examined examine(const ScenarioFlags& flags);

/// A scenario that was read, overridden and checked; warnings and errors are printed. Throws InputError after an error.
struct Loaded {
  scenario::Source source;
  scenario::Scenario scenario;
};
Loaded load(const ScenarioFlags& flags, const TalkFlags& talk);

/// The same of a team, or alone: the leader reads it first, and the others must see the same: SystemError.
Loaded load(const ScenarioFlags& flags, const ExecutionFlags& execution, const TalkFlags& talk, team::Team* team);

inline bool follows(const team::Team* team) { return team != nullptr && !team->leads(); }

}  // namespace conesweep::app
