#include "io/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "io/files.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::io {

namespace fs = std::filesystem;

namespace {

constexpr char results_name[] = "results.h5";
constexpr char scenario_name[] = "scenario.toml";
constexpr char summary_name[] = "summary.json";
constexpr char report_name[] = "report.html";

/// One file under two names, or two files?
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

struct Table {
  fs::path source;
  std::string name;  // in the folder
};

/// The files that a scenario's tables are read from, each once, in the order of the scenario.
std::vector<Table> list_tables(const scenario::Scenario& scenario) {
  std::vector<Table> tables;
  const auto is_taken = [&](const std::string& name) {
    for (const char* ours : {results_name, scenario_name, summary_name, report_name})
      if (name == ours) return true;
    return std::any_of(tables.begin(), tables.end(), [&](const Table& table) { return table.name == name; });
  };
  for (const auto& variation : scenario.vary) {
    if (variation.distribution.kind != scenario::DistributionKind::table) continue;
    const fs::path source = variation.distribution.table_path;
    if (std::any_of(tables.begin(), tables.end(), [&](const Table& table) { return same_file(table.source, source); })) continue;
    std::string name = source.filename().string();
    for (int number = 2; is_taken(name); ++number) name = source.stem().string() + "-" + std::to_string(number) + source.extension().string();
    tables.push_back({source, name});
  }
  return tables;
}

}  // namespace

std::string table_name_in_folder(const scenario::Scenario& scenario, std::size_t variation) {
  const auto& distribution = scenario.vary[variation].distribution;
  if (distribution.kind != scenario::DistributionKind::table) return {};
  for (const auto& table : list_tables(scenario))
    if (same_file(table.source, distribution.table_path)) return table.name;
  throw InternalError("every table is listed", __FILE__, __LINE__);
}

RunFolder::RunFolder(fs::path path, bool force, const scenario::Scenario& scenario) : path_(std::move(path)), force_(force) {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw SystemError("cannot write into " + path_.string() + ": it is a file; choose another folder with --out");

  // tables as they are now: they may change while the run goes on
  const auto tables = list_tables(scenario);
  for (const auto& table : tables) tables_.emplace_back(table.name, read_bytes(table.source));

  // nothing of a user's is overwritten unasked
  if (!force_) {
    if (is_there(path_ / summary_name))
      throw InputError(path_.string() + " holds a finished run; replace it with --force, or choose another folder with --out");
    std::vector<std::string> foreign;
    for (const char* name : {results_name, scenario_name})
      if (is_there(path_ / name)) foreign.emplace_back(name);
    for (const auto& table : tables)
      if (is_there(path_ / table.name) && !same_file(path_ / table.name, table.source)) foreign.push_back(table.name);
    if (!foreign.empty())
      throw InputError("the run would overwrite " + join_words(foreign) + " in " + path_.string() +
                       "; allow it with --force, or choose another folder with --out");
  }

  try {
    make_folders();
    try_writing(results_bytes(scenario));
  } catch (...) {
    clean_up();
    throw;
  }
}

RunFolder::~RunFolder() { clean_up(); }

void RunFolder::make_folders() {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path folder = fs::absolute(path_); !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) {
    if (error) refuse("make", path_, error);
    if (folder.has_filename()) missing.push_back(folder);
  }
  for (; !missing.empty(); missing.pop_back()) {
    if (fs::create_directory(missing.back(), error)) made_.push_back(missing.back());
    if (error) refuse("make", path_, error);
  }
}

void RunFolder::try_writing(std::int64_t bytes) {
  demand_room(path_, bytes);

  // and leave to write
  const fs::path trial = temporary("trial");
  write_bytes(trial, std::string(4096, ' '));
  remove_file(trial);
}

fs::path RunFolder::temporary(const std::string& name) { return temporary_.emplace_back(path_ / (name + ".tmp-" + std::to_string(::getpid()))); }

void RunFolder::remove_leftovers() {
  std::vector<std::string> ours = {results_name, scenario_name, summary_name, "trial"};
  for (const auto& [name, bytes] : tables_) ours.push_back(name);
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    const std::size_t mark = name.rfind(".tmp-");
    if (mark != name.npos && mark + 5 < name.size() && name.find_first_not_of("0123456789", mark + 5) == name.npos &&
        std::find(ours.begin(), ours.end(), name.substr(0, mark)) != ours.end())
      left.push_back(entry.path());
  }
  for (const auto& path : left) remove_file(path);
}

void RunFolder::clean_up() noexcept {
  std::error_code error;
  for (const auto& file : temporary_) fs::remove(file, error);
  temporary_.clear();
  for (; !made_.empty(); made_.pop_back()) {
    if (!fs::is_empty(made_.back(), error) || error) break;
    fs::remove(made_.back(), error);
  }
}

void RunFolder::finish(const RunData& run, const std::string& summary_json) {
  // all files complete under temporary names: what can fail for want of room fails here
  std::vector<std::pair<fs::path, fs::path>> names;  // temporary, final
  const auto stage = [&](const std::string& name) { return names.emplace_back(temporary(name), path_ / name).first; };
  const fs::path results_file = stage(results_name);
  write_results(results_file, run);
  Descriptor(results_file, O_RDONLY).sync();
  write_bytes(stage(scenario_name), run.scenario_text);
  for (const auto& [name, bytes] : tables_) write_bytes(stage(name), bytes);
  const fs::path summary_file = temporary(summary_name);
  write_bytes(summary_file, summary_json);

  // one at a time; the lock goes with the descriptor
  Descriptor folder(path_, O_RDONLY | O_DIRECTORY);
  ::flock(folder, LOCK_EX);
  if (is_there(path_ / summary_name)) {
    if (!force_) throw SystemError("another run has finished in " + path_.string() + " meanwhile; its files are left as they are");
    remove_file(path_ / report_name);
    remove_file(path_ / summary_name);
    folder.sync();
  }
  for (const auto& [from, to] : names) rename_file(from, to);
  folder.sync();
  rename_file(summary_file, path_ / summary_name);
  folder.sync();
  temporary_.clear();
  made_.clear();
}

}  // namespace conesweep::io
