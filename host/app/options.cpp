#include "app/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/compile_progress.hpp"
#include "ensemble/run_ensemble.hpp"
#include "scenario/check.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

double to_number(const std::string& flag, const std::string& text) {
  double value = 0;
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto result = std::from_chars(first, text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !std::isfinite(value))
    throw InputError(flag + ": '" + text + "' is not a finite number");
  return value;
}

}  // namespace

void add_scenario(CLI::App& command, Options& options) {
  command.add_option("scenario", options.scenario, "scenario file (TOML)")->required()->type_name("FILE");
  command.add_option("--members", options.members, "number of members (1000000, 1_000_000 and 1e6 are the same)")->type_name("N");
  command.add_option("--seed", options.seed, "seed of the random numbers")->type_name("N");
  command.add_option("--step", options.step, "time step h")->type_name("H");
  command.add_option("--end", options.end, "time at which members end")->type_name("T");
  command.add_option("--set", options.set, "parameter for all members; fixes one that varies; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_execution(CLI::App& command, Options& options) {
  command.add_option("--backend", options.backend, "executor: auto, cuda, cpu, reference")->type_name("NAME")->capture_default_str();
  command.add_option("--threads", options.threads, "CPU threads (default: all cores)")->type_name("N")->check(CLI::Range(1, 4096));
  command.add_option("--precision", options.precision, "double, or single: float throughout")
      ->type_name("NAME")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  command.add_option("--devices", options.devices, "GPUs: all, or numbers such as 0,1 (default: the first)")->type_name("LIST");
  command.add_option("--chunk", options.chunk, "members in a chunk: what is committed to disk at once; a multiple of 4096; results do not depend on it")
      ->type_name("N");
}

void add_output(CLI::App& command, Options& options) {
  command.add_option("--out", options.out, "folder for the results (default: runs/<scenario's file name>)")->type_name("FOLDER");
  command.add_flag("--force", options.force, "replace a finished run in that folder, or start an unfinished one over");
  command.add_flag("--resume", options.resume, "go on with an unfinished run in that folder; the result is that of an uninterrupted one");
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.add_flag("--json", options.json, "print the summary as JSON, and nothing else, on standard output");
}

std::int64_t to_count(const std::string& flag, const std::string& text) {
  std::string digits;
  for (const char c : text)
    if (c != '_' && c != ',') digits += c;
  std::int64_t exact = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
  if (result.ec == std::errc() && result.ptr == digits.data() + digits.size() && exact >= 0) return exact;
  double value = -1;
  const auto number = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = number.ec == std::errc() && number.ptr == digits.data() + digits.size() && value >= 0 && value <= 9e15 && value == std::floor(value);
  if (!whole) throw InputError(flag + ": '" + text + "' is not a whole number from 0 to 9e15");
  return static_cast<std::int64_t>(value);
}

std::int64_t to_chunk(const Options& options, std::int64_t by_default) {
  constexpr std::int64_t block = statistics::block_members, most = 1'000'000'000 * block;
  if (options.chunk.empty()) return by_default;
  const std::int64_t chunk = to_count("--chunk", options.chunk);
  if (chunk > most) throw InputError("--chunk: at most " + std::to_string(most) + " members are possible, got " + std::to_string(chunk));
  if (chunk < block || chunk % block != 0)
    throw InputError("--chunk: must be a multiple of " + std::to_string(block) + ", got " + std::to_string(chunk) +
                     "; nearest: " + std::to_string(std::max<std::int64_t>(1, (chunk + block / 2) / block) * block));
  return chunk;
}

std::int64_t choose_chunk(const Options& options, const executor::Executor& executor, const scenario::Scenario& scenario) {
  const std::int64_t chosen = ensemble::choose_chunk(executor, scenario), asked = to_chunk(options, chosen);
  return chosen < statistics::block_members ? chosen : asked;
}

scenario::Overrides to_overrides(const Options& options) {
  scenario::Overrides overrides;
  if (!options.members.empty()) overrides.members = to_count("--members", options.members);
  if (!options.seed.empty()) overrides.seed = static_cast<std::uint64_t>(to_count("--seed", options.seed));
  if (!options.step.empty()) overrides.step = to_number("--step", options.step);
  if (!options.end.empty()) overrides.end = to_number("--end", options.end);
  for (const std::string& text : options.set) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0) throw InputError("--set: '" + text + "' should read name=value");
    overrides.set.emplace_back(text.substr(0, sign), to_number("--set " + text.substr(0, sign), text.substr(sign + 1)));
  }
  return overrides;
}

executor::Options to_execution(const Options& options) {
  return {options.threads, options.devices, options.precision == "single" ? executor::Precision::single : executor::Precision::double_,
          watch_compiling(options.quiet)};
}

Loaded load(const Options& options) {
  Loaded loaded;
  loaded.source = scenario::load_source(options.scenario);
  scenario::Problems problems;
  auto scenario = scenario::read_scenario(loaded.source, to_overrides(options), problems);
  if (scenario) scenario::try_members(*scenario, loaded.source, scenario::tried_members, problems);
  const bool wrong = !scenario || has_errors(problems);
  for (const auto& problem : problems)
    if (problem.severity == scenario::Severity::error || !options.quiet) std::cerr << problem.to_text() << "\n";
  if (wrong) throw InputError("");  // said already
  loaded.scenario = std::move(*scenario);
  return loaded;
}

}  // namespace conesweep::app
