#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/options.hpp"
#include "app/terminal.hpp"
#include "ensemble/run_ensemble.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

std::string counted(std::int64_t n) { return format_count(static_cast<unsigned long long>(n)); }

std::int64_t chunk_size(const Options& options) {
  if (options.chunk.empty()) return ensemble::default_chunk;
  const std::int64_t chunk = to_count("--chunk", options.chunk);
  const std::int64_t block = statistics::block_members;
  if (chunk < block || chunk % block != 0)
    throw InputError("--chunk: must be a multiple of " + std::to_string(block) + ", got " + std::to_string(chunk) + "; nearest: " + std::to_string(std::max<std::int64_t>(1, (chunk + block / 2) / block) * block));
  return chunk;
}

// "alpha = 0.3, tau = 0.45" of one member
std::string varied_text(const io::Results& results, std::int64_t member) {
  std::string text;
  const auto& vary = results.scenario.vary;
  for (std::size_t k = 0; k < vary.size(); ++k)
    text += (k > 0 ? ", " : "") + results.scenario.names.parameters[static_cast<std::size_t>(vary[k].parameter)] + " = " +
            format_short(results.parameters[k][static_cast<std::size_t>(member)], 4);
  return text.empty() ? text : " (" + text + ")";
}

void print_status(const io::Results& results, const io::RunSummary& summary) {
  std::int64_t ok = 0;
  for (const auto& entry : summary.status)
    if (entry.status == executor::Status::ok) ok = entry.members;
  std::cout << counted(summary.members) << (summary.members == 1 ? " member, " : " members, ") << counted(ok) << " ok";
  if (ok < summary.members) std::cout << ", " << counted(summary.members - ok) << " stopped";
  std::cout << "\n";
  for (const auto& entry : summary.status) {
    if (entry.status == executor::Status::ok || entry.members == 0) continue;
    const double time = results.outcome.stop_time[static_cast<std::size_t>(entry.first)];
    std::cout << "  " << counted(entry.members) << " x " << to_name(entry.status) << ": " << advice(entry.status) << "\n"
              << "       first: member " << entry.first << " at t = " << format_short(time) << varied_text(results, entry.first) << "\n";
  }
}

void print_table(const io::RunSummary& summary) {
  const std::vector<std::string> titles = {"observable", "mean", "± error", "deviation", "min", "5 %", "median", "95 %", "max", "count"};
  std::vector<std::vector<std::string>> rows = {titles};
  for (const auto& [name, s] : summary.observables) {
    if (s.count == 0) {
      rows.push_back({name, "–", "–", "–", "–", "–", "–", "–", "–", "0"});
      continue;
    }
    const auto text = [](double x) { return x != x ? std::string("–") : format_short(x, 5); };
    rows.push_back({name, text(s.mean), s.standard_error != s.standard_error ? "–" : format_short(s.standard_error, 2), text(s.standard_deviation), text(s.min), text(quantile_of(s, 0.05)),
                    text(quantile_of(s, 0.5)), text(quantile_of(s, 0.95)), text(s.max), counted(s.count)});
  }
  const auto width_of = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> widths(titles.size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  for (const auto& row : rows) {
    std::string line = row[0] + std::string(widths[0] - width_of(row[0]), ' ');
    for (std::size_t c = 1; c < row.size(); ++c) line += "  " + std::string(widths[c] - width_of(row[c]), ' ') + row[c];
    std::cout << line << "\n";
  }
}

}  // namespace

int run(const Options& options) {
  const auto started = std::chrono::steady_clock::now();
  const bool talk = !options.quiet && !options.json;
  const auto [source, scenario] = load(options);
  const std::int64_t chunk = chunk_size(options);
  std::string reason;
  const auto executor = executor::make_executor(options.backend, scenario, to_execution(options), reason);
  const std::filesystem::path out = options.out.empty() ? std::filesystem::path("runs") / std::filesystem::path(options.scenario).stem() : std::filesystem::path(options.out);
  io::RunFolder folder(out, options.force, scenario);

  if (talk)
    std::cout << scenario.title << "\n"
              << counted(scenario.ensemble.members) << (scenario.ensemble.members == 1 ? " member, " : " members, ") << counted(scenario.steps) << " steps of " << format_short(scenario.h())
              << ", sampler " << to_name(scenario.ensemble.sampler) << ", seed " << scenario.ensemble.seed << "\n"
              << "executor: " << executor->name() << " (" << reason << "), " << executor->device() << (executor->threads() > 1 ? ", " + std::to_string(executor->threads()) + " threads" : "") << (options.precision == "single" ? ", single precision" : "") << "\n"
              << std::flush;

  io::Timing timing;
  timing.compile_seconds = executor->compile_seconds();
  io::Results results;
  {
    Progress progress(scenario.ensemble.members, scenario.steps, !options.quiet);
    executor::Watch watch;
    watch.stop = &watch_interrupts();
    watch.finished = [&](std::int64_t members) { progress.add(members); };
    results = ensemble::run_ensemble(scenario, *executor, chunk, watch, timing.solve_seconds);
    results.precision = options.precision;
  }

  const io::RunSummary summary = io::summarise_run(results);
  timing.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  const std::string json = io::summary_json(results, summary, timing);
  folder.finish(results, json);

  if (options.json) std::cout << json;
  if (talk) {
    std::cout << "\n";
    print_status(results, summary);
    std::cout << "\n";
    print_table(summary);
    const double rate = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps) / std::max(timing.solve_seconds, 1e-9);
    std::cout << "\n" << format_duration(timing.solve_seconds) << " for the members, " << format_short(rate, 3) << " member·steps/s; results in " << folder.path().string() << "\n";
  }
  const bool all_fine = std::all_of(results.outcome.status.begin(), results.outcome.status.end(), [](executor::Status s) { return s == executor::Status::ok; });
  return all_fine ? fine : some_stopped;
}

}  // namespace conesweep::app
