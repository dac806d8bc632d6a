#include "app/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>

#include <CLI/CLI.hpp>

#include "app/compile_progress.hpp"
#include "run/identity.hpp"
#include "run/step_ranges.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

// Digits without the marks that group them: 1_000_000, or 1,000,000 where the commas stand before every three digits. Nothing if a mark stands
// elsewhere: 1,5e3 is no number here, whatever it means where it was written.
std::optional<std::string> ungroup(const std::string& text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const std::size_t digits = std::min(text.find_first_not_of("0123456789_,"), text.size());
  const bool commas = text.find(',') != std::string::npos;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool mark = text[at] == '_' || text[at] == ',';
    if (mark && (at == 0 || at >= digits || !digit(at - 1) || !digit(at + 1))) return std::nullopt;
    if (mark && commas && (text[at] == '_' || digits != text.size() || (digits - at) % 4 != 0)) return std::nullopt;
    if (!mark) plain += text[at];
  }
  if (commas && (digits - text.find(',')) % 4 != 0) return std::nullopt;
  if (commas && (text.find(',') > 3 || static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) != (digits - text.find(',')) / 4))
    return std::nullopt;
  return plain;
}

}  // namespace

double to_number(const std::string& flag, const std::string& text) {
  double value = 0;
  const bool sign = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* first = text.data() + (sign ? 1 : 0);
  const auto result = std::from_chars(first, text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !std::isfinite(value))
    throw InputError(flag + ": '" + text + "' is not a finite number");
  return value;
}

void add_scenario(CLI::App& command, Options& options) {
  command.add_option("scenario", options.scenario, "scenario file (TOML)")->required()->type_name("FILE");
  command.add_option("--members", options.members, "number of members (1000000, 1_000_000 and 1e6 are the same)")->type_name("N");
  command.add_option("--seed", options.seed, "seed of the random numbers")->type_name("N");
  command.add_option("--step", options.step, "time step h")->type_name("H");
  command.add_option("--end", options.end, "time at which members end")->type_name("T");
  command.add_option("--set", options.set, "parameter for all members; fixes one that varies; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--vary", options.vary, "distribution of a parameter, as in A=uniform:1:2 or A=choice:1:2:5; may be repeated")
      ->type_name("NAME=DISTRIBUTION")
      ->allow_extra_args(false);
}

void add_keep(CLI::App& command, Options& options) {
  one_of(options,
         command
             .add_option("--keep", options.keep, "members, or statistics: nothing is kept of single members, and memory and disk do not depend on their number")
             ->type_name("WHAT"),
         scenario::keeps.names());
}

CLI::Option* add_whole_by(CLI::App& command, const std::string& flag, const std::function<void(std::int64_t)>& keep, Range range, const std::string& what) {
  const auto read = [flag, range, keep](const std::string& text) { keep(to_count(flag, text, range.least, range.most)); };
  return command.add_option_function<std::string>(flag, read, what)->type_name("N");
}

CLI::Option* add_real(CLI::App& command, const std::string& flag, double& value, const std::string& what) {
  return command.add_option_function<std::string>(
      flag, [flag, &value](const std::string& text) { value = to_number(flag, text); }, what);
}

void add_threads(CLI::App& command, Options& options) { add_whole(command, "--threads", options.threads, {1, 4096}, "CPU threads (default: all cores)"); }

CLI::Option* offer(Options& options, CLI::Option* option, const std::vector<std::string>& words) {
  options.offers[option] = words;
  return option;
}

CLI::Option* one_of(Options& options, CLI::Option* option, const std::vector<std::string>& words) {
  return offer(options, option->check(CLI::IsMember(words)), words);
}

void add_backend(CLI::App& command, Options& options, const std::string& what, const std::vector<std::string>& more) {
  std::vector<std::string> names = {"auto", "cuda", "cpu", "reference"};
  names.insert(names.end(), more.begin(), more.end());
  offer(options, command.add_option("--backend", options.backend, what)->type_name("NAME")->capture_default_str(), names);
}

void add_precision(CLI::App& command, Options& options, const std::string& what) {
  one_of(options, command.add_option("--precision", options.precision, what)->type_name("NAME")->capture_default_str(), {"double", "single"});
}

void add_execution(CLI::App& command, Options& options) {
  add_backend(command, options, "executor: auto, cuda, cpu, reference");
  add_threads(command, options);
  add_precision(command, options);
  command
      .add_option("--devices", options.devices,
                  "GPUs: all, auto (of several ranks on a machine each has its own), or numbers such as 0,1 (default: the first; of several ranks: auto)")
      ->type_name("LIST");
  command.add_option("--chunk", options.chunk, "members in a chunk: what is committed to disk at once; a multiple of 4096; results do not depend on it")
      ->type_name("N");
}

void add_watch(CLI::App& command, Options& options) {
  command
      .add_option("--watch", options.watch,
                  "show the mean of an observable, or the share of a class, over the members that are there; with --json as lines of JSON on standard error")
      ->type_name("NAME");
}

void add_output(CLI::App& command, Options& options) {
  command.add_option("--out", options.out, "folder for the results (default: runs/<scenario's file name>)")->type_name("FOLDER");
  command.add_flag("--force", options.force, "replace a finished run in that folder, or start an unfinished one over");
  command.add_flag("--resume", options.resume, "go on with an unfinished run in that folder; the result is that of an uninterrupted one");
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.add_flag("--json", options.json, "print the summary as JSON, and nothing else, on standard output");
}

void add_study(CLI::App& command, Options& options, const std::string& file) {
  command.add_option("--out", options.out, "leave " + file + " in this folder, best that of the scenario's run: report draws it (default: leave nothing)")
      ->type_name("FOLDER");
  command.add_flag("--force", options.force, "replace " + file + " in that folder");
}

std::int64_t to_count(const std::string& flag, const std::string& text, std::int64_t least, std::int64_t most) {
  const std::string range = std::to_string(least) + " to " + (most == most_count ? "9e15" : std::to_string(most));
  const auto fail = [&] { return InputError(flag + ": '" + text + "' is not a whole number from " + range); };
  const auto digits = ungroup(text);
  if (!digits || digits->empty()) throw fail();
  const char *first = digits->data(), *last = first + digits->size();
  std::int64_t exact = 0;
  const auto result = std::from_chars(first, last, exact);
  if (result.ec == std::errc() && result.ptr == last) {
    if (exact < least || exact > most) throw fail();
    return exact;
  }
  double value = -1;
  const auto number = std::from_chars(first, last, value);
  const bool whole = number.ec == std::errc() && number.ptr == last && value == std::floor(value);
  // a double has no whole numbers beyond 2^53 one by one
  if (!whole || value < static_cast<double>(least) || value > std::min(static_cast<double>(most), static_cast<double>(most_count))) throw fail();
  return static_cast<std::int64_t>(value);
}

std::int64_t to_chunk(const Options& options, std::int64_t by_default) {
  if (options.chunk.empty()) return by_default;
  const std::int64_t chunk = to_count("--chunk", options.chunk);
  runs::check_chunk(chunk);
  return chunk;
}

scenario::Overrides to_overrides(const Options& options) {
  scenario::Overrides overrides;
  if (!options.members.empty()) overrides.members = to_count("--members", options.members);
  if (!options.seed.empty()) overrides.seed = static_cast<std::uint64_t>(to_count("--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max()));
  if (!options.keep.empty()) overrides.keep = scenario::keeps.find(options.keep);
  if (!options.step.empty()) overrides.step = to_number("--step", options.step);
  if (!options.end.empty()) overrides.end = to_number("--end", options.end);
  for (const std::string& text : options.set) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0) throw InputError("--set: '" + text + "' should read name=value");
    const auto value = scenario::compute_number(text.substr(sign + 1));
    overrides.set.emplace_back(text.substr(0, sign), value ? *value : to_number("--set " + text.substr(0, sign), text.substr(sign + 1)));
  }
  for (const std::string& text : options.vary) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      throw InputError("--vary: '" + text + "' should read name=distribution, for example A=uniform:1:2");
    overrides.vary.emplace_back(text.substr(0, sign), text.substr(sign + 1));
  }
  return overrides;
}

executor::Options to_execution(const Options& options) {
  executor::Options execution = {options.threads, options.devices, options.precision == "single" ? executor::Precision::single : executor::Precision::double_,
                                 watch_compiling(options.quiet)};
  if (options.team == nullptr) return execution;
  const team::Place& place = options.team->place();
  if (execution.threads == 0) execution.threads = place.cores;
  if (execution.devices.empty()) execution.devices = "auto";
  execution.local_rank = place.local_rank, execution.local_size = place.local_size;
  return execution;
}

scenario::Examined examine(const Options& options) {
  scenario::Source source = scenario::load_source(options.scenario);  // a file that is not there is told before a flag that is wrong
  return scenario::examine(std::move(source), to_overrides(options));
}

namespace {

// One word for all that must be the same on every rank.
std::string identify(const Options& options, const scenario::Scenario& scenario) {
  return runs::identify_run(runs::describe_run(scenario, options.backend, options.precision, ""));
}

}  // namespace

Loaded load(const Options& options) {
  const auto words = follows(options) ? options.team->hear() : std::nullopt;
  scenario::Examined examined = examine(options);
  for (const auto& problem : examined.problems)
    if (problem.severity == scenario::Severity::error || !options.quiet) std::cerr << problem.to_text() + "\n";
  if (!examined.is_valid()) throw InputError("");  // said already
  if (words && *words != identify(options, *examined.scenario))
    throw SystemError("the scenario " + options.scenario + " or the program is not that of rank 0; all ranks must see the same files");
  if (options.team != nullptr && options.team->leads()) options.team->tell(identify(options, *examined.scenario));
  return {std::move(examined.source), std::move(*examined.scenario)};
}

}  // namespace conesweep::app
