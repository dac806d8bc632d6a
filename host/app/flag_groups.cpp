#include "app/flag_groups.hpp"

#include <iostream>
#include <limits>

#include "app/compile_progress.hpp"
#include "app/numbers.hpp"
#include "app/spelling.hpp"
#include "keep/identity.hpp"
#include "run/step_ranges.hpp"
#include "support/error.hpp"

namespace conesweep::app {

// ---- what is added ----

void add_scenario(Flags& flags, ScenarioFlags& group, const std::string& what) {
  flags.argument("scenario", group.file, what, "FILE");
  flags.add("--members", group.members, "number of members (1000000, 1_000_000 and 1e6 are the same)", "N");
  flags.add("--seed", group.seed, "seed of the random numbers", "N");
  flags.add("--step", group.step, "time step h", "H");
  flags.add("--end", group.end, "time at which members end", "T");
  flags.add_repeated("--set", group.set, "parameter for all members; fixes one that varies; may be repeated",
                     "NAME=VALUE");
  flags.add_repeated("--vary", group.vary,
                     "distribution of a parameter, as in A=uniform:1:2 or A=choice:1:2:5; may be repeated",
                     "NAME=DISTRIBUTION");
}

void add_keep(Flags& flags, ScenarioFlags& group) {
  flags
      .add("--keep", group.keep,
           "members, or statistics: nothing is kept of single members, and memory and disk do not depend on their "
           "number",
           "WHAT")
      .takes_only(scenario::keeps.names());
}

void add_execution(Flags& flags, ExecutionFlags& group) {
  add_backend(flags, group, "executor: auto, cuda, cpu, reference");
  add_threads(flags, group);
  add_precision(flags, group);
  flags.add("--devices", group.devices,
            "GPUs: all, auto (of several ranks on a machine each has its own), or numbers such as 0,1 (default: the "
            "first; of several ranks: auto)",
            "LIST");
  flags.add("--chunk", group.chunk,
            "members in a chunk: what is committed to disk at once; a multiple of 4096; results do not depend on it",
            "N");
}

void add_backend(Flags& flags, ExecutionFlags& group, const std::string& what, const std::vector<std::string>& more) {
  std::vector<std::string> names = {"auto", "cuda", "cpu", "reference"};
  names.insert(names.end(), more.begin(), more.end());
  flags.add("--backend", group.backend, what, "NAME").shows_default().offers(names);
}

void add_threads(Flags& flags, ExecutionFlags& group) {
  flags.add("--threads", group.threads, {1, 4096}, "CPU threads (default: all cores)");
}

void add_precision(Flags& flags, ExecutionFlags& group, const std::string& what) {
  flags.add("--precision", group.precision, what, "NAME").shows_default().takes_only({"double", "single"});
}

void add_devices(Flags& flags, ExecutionFlags& group) {
  flags.add("--devices", group.devices, "GPUs: all, or numbers such as 0,1 (default: the first)", "LIST");
}

void add_quiet(Flags& flags, TalkFlags& group, const std::string& what) { flags.add("--quiet", group.quiet, what); }

void add_json(Flags& flags, TalkFlags& group, const std::string& what) { flags.add("--json", group.json, what); }

void add_target(Flags& flags, TargetFlags& group, const std::string& out, const std::string& force) {
  flags.add("--out", group.out, out, "FILE");
  flags.add("--force", group.force, force);
}

void add_study(Flags& flags, TargetFlags& group, const std::string& file) {
  flags.add(
      "--out", group.out,
      "leave " + file + " in this folder, best that of the scenario's run: report draws it (default: leave nothing)",
      "FOLDER");
  flags.add("--force", group.force, "replace " + file + " in that folder");
}

void add_growth(Flags& flags, GrowthFlags& group, const std::string& until) {
  flags.add("--until", group.until, until, "NAME:SHARE");
  flags.add("--most", group.most,
            "with --until: at most so many members (default: a thousand times those it begins with)", "N");
}

void add_watch(Flags& flags, GrowthFlags& group) {
  flags.add("--watch", group.watch,
            "show the mean of an observable, or the share of a class, over the members that are there; with --json as "
            "lines of JSON on standard error",
            "NAME");
}

void add_run_folder(Flags& flags, EnsembleFlags& group) {
  flags.add("--out", group.target.out, "folder for the results (default: runs/<scenario's file name>)", "FOLDER");
  flags.add("--force", group.target.force, "replace a finished run in that folder, or start an unfinished one over");
  flags.add("--resume", group.target.resume,
            "go on with an unfinished run in that folder; the result is that of an uninterrupted one");
  add_quiet(flags, group.talk);
  add_json(flags, group.talk, "print the summary as JSON, and nothing else, on standard output");
}

// ---- what it means ----

executor::Options to_execution(const ExecutionFlags& flags, const TalkFlags& talk, const team::Team* team) {
  executor::Options execution = {flags.threads, flags.devices,
                                 flags.is_single() ? executor::Precision::single : executor::Precision::double_,
                                 watch_compiling(talk.quiet)};
  if (team == nullptr) return execution;
  const team::Seat& place = team->place();
  if (execution.threads == 0) execution.threads = place.cores;
  if (execution.devices.empty()) execution.devices = "auto";
  execution.local_rank = place.local_rank, execution.local_size = place.local_size;
  return execution;
}

std::int64_t to_chunk(const ExecutionFlags& flags, std::int64_t by_default) {
  if (flags.chunk.empty()) return by_default;
  const std::int64_t chunk = to_count("--chunk", flags.chunk);
  runs::check_chunk(chunk);
  return chunk;
}

namespace {

scenario::Overrides to_overrides(const ScenarioFlags& flags) {
  scenario::Overrides overrides;
  if (!flags.members.empty()) overrides.members = to_count("--members", flags.members);
  if (!flags.seed.empty())
    overrides.seed =
        static_cast<std::uint64_t>(to_count("--seed", flags.seed, 0, std::numeric_limits<std::int64_t>::max()));
  if (!flags.keep.empty()) overrides.keep = scenario::keeps.find(flags.keep);
  if (!flags.step.empty()) overrides.step = to_number("--step", flags.step);
  if (!flags.end.empty()) overrides.end = to_number("--end", flags.end);
  for (const std::string& text : flags.set) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0) throw InputError("--set: '" + text + "' should read name=value");
    const auto value = scenario::compute_number(text.substr(sign + 1));
    overrides.set.emplace_back(text.substr(0, sign),
                               value ? *value : to_number("--set " + text.substr(0, sign), text.substr(sign + 1)));
  }
  for (const std::string& text : flags.vary) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      throw InputError("--vary: '" + text + "' should read name=distribution, for example A=uniform:1:2");
    overrides.vary.emplace_back(text.substr(0, sign), text.substr(sign + 1));
  }
  return overrides;
}

}  // namespace

scenario::Examined examine(const ScenarioFlags& flags) {
  // a file that is not there is told before a flag that is wrong
  scenario::Source source = scenario::load_source(flags.file);
  return scenario::examine(std::move(source), to_overrides(flags));
}

Loaded load(const ScenarioFlags& flags, const TalkFlags& talk) {
  scenario::Examined examined = examine(flags);
  for (const auto& problem : examined.problems)
    if (problem.severity == scenario::Severity::error || !talk.quiet)
      std::cerr << problem.to_text(spell_as_flag) + "\n";
  if (!examined.is_valid()) throw InputError("");  // said already
  return {std::move(examined.source), std::move(*examined.scenario)};
}

Loaded load(const ScenarioFlags& flags, const ExecutionFlags& execution, const TalkFlags& talk, team::Team* team) {
  const auto words = follows(team) ? team->hear() : std::nullopt;
  Loaded loaded = load(flags, talk);
  if (team == nullptr) return loaded;
  // one word for all that must be the same on every rank
  const std::string own =
      keep::identify_run(keep::describe_run(loaded.scenario, execution.backend, execution.precision, ""));
  if (words && *words != own)
    throw SystemError("the scenario " + flags.file +
                      " or the program is not that of rank 0; all ranks must see the same files");
  if (team->leads()) team->tell(own);
  return loaded;
}

}  // namespace conesweep::app
