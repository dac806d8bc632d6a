#include "keep/run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "io/files.hpp"
#include "io/new_file.hpp"
#include "io/results_file.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/text.hpp"

namespace conesweep::keep {

using io::Descriptor;
using io::is_there;

namespace fs = std::filesystem;

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
