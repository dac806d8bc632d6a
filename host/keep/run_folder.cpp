#include "keep/run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "io/files.hpp"
#include "io/new_file.hpp"
#include "io/results_file.hpp"
#include "io/seal.hpp"
#include "keep/summary_pieces.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace conesweep::keep {

namespace fs = std::filesystem;

using io::Descriptor;
using io::is_there;

namespace {

constexpr char report_mark[] = "<meta name=\"generator\" content=\"conesweep";

/// One file under two names, or two files?
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

std::string bytes_of(const fs::path& path) {
  std::error_code error;
  return read_file(path, error);
}

// Without the points of a sweep; empty where nothing can be read.
std::string summary_text(const fs::path& path) {
  try {
    return SummaryPieces(path).text();
  } catch (const SystemError&) {
    return {};
  }
}

bool is_noted_table(const fs::path& folder, const std::string& name) {
  const auto tables = find_noted_tables(summary_text(folder / summary_name));
  return std::any_of(tables.begin(), tables.end(), [&](const auto& table) {
    return table.first == name && table.second == text_checksum(bytes_of(folder / name));
  });
}

bool is_study(const fs::path& path) {
  const auto json = nlohmann::json::parse(bytes_of(path), nullptr, false);
  return json.is_object() && json.contains("study") && json["study"] == path.stem().string() &&
         json.contains("problem") && json["problem"].is_string();
}

}  // namespace

std::vector<TableFile> list_tables(const scenario::Scenario& scenario) {
  std::vector<TableFile> tables;
  const auto is_taken = [&](const std::string& name) {
    for (const char* ours :
         {results_name, scenario_name, summary_name, report_name, converge_name, mlmc_name, chunks_name})
      if (name == ours) return true;
    if (io::is_own_name(name)) return true;
    return std::any_of(tables.begin(), tables.end(), [&](const TableFile& table) { return table.name == name; });
  };
  for (const auto& variation : scenario.vary) {
    const auto& distribution = variation.distribution;
    if (distribution.kind != scenario::DistributionKind::table) continue;
    CS_ASSERT(distribution.table_bytes != nullptr);
    const fs::path source = distribution.table_path;
    const auto is_listed = [&](const TableFile& table) {
      return same_file(table.source, source) && *table.bytes == *distribution.table_bytes;
    };
    if (std::any_of(tables.begin(), tables.end(), is_listed)) continue;
    std::string name = source.filename().string();
    for (int number = 2; is_taken(name); ++number)
      name = source.stem().string() + "-" + std::to_string(number) + source.extension().string();
    tables.push_back({source, name, distribution.table_bytes});
  }
  return tables;
}

std::string table_name_in_folder(const scenario::Scenario& scenario, std::size_t variation) {
  const auto& distribution = scenario.vary[variation].distribution;
  if (distribution.kind != scenario::DistributionKind::table) return {};
  for (const auto& table : list_tables(scenario))
    if (same_file(table.source, distribution.table_path) && *table.bytes == *distribution.table_bytes)
      return table.name;
  throw InternalError("every table is listed", __FILE__, __LINE__);
}

std::string text_checksum(const std::string& bytes) { return to_hex(checksum(bytes.data(), bytes.size())); }

bool is_page_of_ours(const fs::path& file) {
  return bytes_of(file).substr(0, 4096).find(report_mark) != std::string::npos;
}

bool is_of_a_run(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / name;
  if (name == results_name) return io::has_seal(path);
  if (name == summary_name) return looks_like_summary(summary_text(path));
  if (name == report_name) return is_page_of_ours(path);
  if (name == converge_name || name == mlmc_name) return is_study(path);
  if (name != scenario_name) return is_noted_table(folder, name);
  return bytes_of(path).starts_with(scenario_mark);
}

void NewFolders::make(const fs::path& path) {
  std::error_code error;
  std::vector<fs::path> missing;
  fs::path folder = fs::absolute(path, error);
  if (error) io::refuse("make", path, error);
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) {
    if (error) io::refuse("make", path, error);
    if (folder.has_filename()) missing.push_back(folder);
  }
  for (; !missing.empty(); missing.pop_back()) {
    if (fs::create_directory(missing.back(), error)) made_.push_back(missing.back());
    if (error) io::refuse("make", path, error);
  }
}

void NewFolders::remove_empty() noexcept {
  std::error_code error;
  for (; !made_.empty(); made_.pop_back()) {
    if (!fs::is_empty(made_.back(), error) || error) break;
    fs::remove(made_.back(), error);
  }
}

RunFolder::RunFolder(fs::path path, bool force, const scenario::Scenario& scenario)
    : path_(std::move(path)), force_(force), tables_(list_tables(scenario)) {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw SystemError("cannot write into " + path_.string() + ": it is a file; choose another folder with " +
                      setting::out);

  // nothing of a user's is overwritten, and nothing of ours unasked
  if (const auto foreign = list_foreign(); !foreign.empty()) throw InputError(refuse_foreign(foreign));
  if (!force_) {
    if (is_there(path_ / summary_name))
      throw InputError(path_.string() + " holds a finished run; replace it with " + setting::force +
                       ", or choose another folder with " + setting::out);
    std::vector<std::string> there;
    for (const char* name : {results_name, scenario_name})
      if (is_there(path_ / name)) there.emplace_back(name);
    if (!there.empty())
      throw InputError("the run would overwrite " + join_words(there) + " in " + path_.string() + "; allow it with " +
                       setting::force + ", or choose another folder with " + setting::out);
  }

  try {
    folders_.make(path_);
    try_writing(io::results_bytes(scenario));
  } catch (...) {
    clean_up();
    throw;
  }
}

// Files that a run would replace, and that none has written.
std::vector<std::string> RunFolder::list_foreign() const {
  std::vector<std::string> foreign;
  for (const char* name : {results_name, scenario_name, summary_name})
    if (is_there(path_ / name) && !is_of_a_run(path_, name)) foreign.emplace_back(name);
  for (const auto& table : tables_) {
    const fs::path there = path_ / table.name;
    if (!is_there(there) || is_of_a_run(path_, table.name)) continue;
    std::error_code error;
    if (read_file(there, error) != *table.bytes || error) foreign.push_back(table.name);
  }
  return foreign;
}

Sentence RunFolder::refuse_foreign(const std::vector<std::string>& foreign) const {
  return "the run would overwrite " + join_words(foreign) + " in " + path_.string() + ", which no run wrote; move " +
         (foreign.size() == 1 ? "it" : "them") + ", or choose another folder with " + setting::out;
}

RunFolder::~RunFolder() { clean_up(); }

void RunFolder::try_writing(std::int64_t bytes) {
  io::demand_room(path_, bytes);

  // and leave to write
  const fs::path trial = temporary("trial");
  io::write_bytes(trial, std::string(4096, ' '));
  io::remove_file(trial);
}

fs::path RunFolder::temporary(const std::string& name) {
  return temporary_.emplace_back(path_ / (name + ".tmp-" + std::to_string(::getpid())));
}

void RunFolder::remove_leftovers() {
  io::remove_leftovers(path_);
  std::vector<std::string> ours = {results_name, scenario_name, summary_name, "trial"};
  for (const auto& table : tables_) ours.push_back(table.name);
  for (const auto& path : io::list_folder(path_)) {
    const std::string name = path.filename().string();
    const std::size_t mark = name.rfind(".tmp-");
    if (mark != name.npos && mark + 5 < name.size() && name.find_first_not_of("0123456789", mark + 5) == name.npos &&
        std::find(ours.begin(), ours.end(), name.substr(0, mark)) != ours.end())
      io::remove_file(path);
  }
}

void RunFolder::clean_up() noexcept {
  std::error_code error;
  for (const auto& file : temporary_) fs::remove(file, error);
  temporary_.clear();
  folders_.remove_empty();
}

void RunFolder::finish(const io::RunData& run, const LongText& summary_json) {
  // all files complete under temporary names: what can fail for want of room fails here
  std::vector<std::pair<fs::path, fs::path>> names;  // temporary, final
  const auto stage = [&](const std::string& name) { return names.emplace_back(temporary(name), path_ / name).first; };
  const fs::path results_file = stage(results_name);
  io::write_results(results_file, run);
  Descriptor(results_file, O_RDONLY).sync();
  io::write_bytes(stage(scenario_name), run.scenario_text);
  for (const auto& table : tables_) io::write_bytes(stage(table.name), *table.bytes);
  const fs::path summary_file = temporary(summary_name);
  io::write_text(summary_file, summary_json);

  // one at a time; the lock goes with the descriptor
  Descriptor folder(path_, O_RDONLY | O_DIRECTORY);
  io::lock_folder(folder, path_, true);
  if (const auto foreign = list_foreign(); !foreign.empty()) throw SystemError(refuse_foreign(foreign));
  if (is_there(path_ / summary_name)) {
    if (!force_)
      throw SystemError("another run has finished in " + path_.string() + " meanwhile; its files are left as they are");
    if (is_of_a_run(path_, report_name)) io::remove_file(path_ / report_name);  // it tells of the run before
    io::remove_file(path_ / summary_name);
    folder.sync();
  }
  for (const auto& [from, to] : names) io::rename_file(from, to);
  folder.sync();
  io::rename_file(summary_file, path_ / summary_name);
  folder.sync();
  temporary_.clear();
  folders_.keep();
}

bool RunFolder::has_foreign_report() const { return is_there(path_ / report_name) && !is_of_a_run(path_, report_name); }

}  // namespace conesweep::keep
