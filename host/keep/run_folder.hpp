#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/run_data.hpp"
#include "scenario/scenario.hpp"
#include "support/sentence.hpp"
#include "support/sink.hpp"

/// The folder of a run: which of its files a run wrote (they bear a mark, and only they are replaced), and how it comes
/// to show a run when that is whole.
namespace conesweep::keep {

inline constexpr char results_name[] = "results.h5";
inline constexpr char scenario_name[] = "scenario.toml";
inline constexpr char summary_name[] = "summary.json";
inline constexpr char report_name[] = "report.html";
inline constexpr char converge_name[] = "converge.json";
inline constexpr char mlmc_name[] = "mlmc.json";
inline constexpr char chunks_name[] = "chunks";  // a folder, while a run is on its way

/// The first line of the scenario that a run keeps.
inline constexpr char scenario_mark[] = "# resolved by conesweep\n";

/// A table of the scenario in a run folder: its bytes as they were read.
struct TableFile {
  std::filesystem::path source;
  std::string name;
  std::shared_ptr<const std::string> bytes;
};

/// Each file once, in the order of the scenario.
std::vector<TableFile> list_tables(const scenario::Scenario& scenario);

/// The name under which the table of `scenario.vary[variation]` stands in a run folder: its file's name, or name-2.csv,
/// name-3.csv, … where another file of that name comes before it in the scenario. Empty if that variation has no table.
std::string table_name_in_folder(const scenario::Scenario& scenario, std::size_t variation);

/// As summary.json notes it, of tables and of itself.
std::string text_checksum(const std::string& bytes);

/// Is the file that has this name in a run folder one that a run wrote, as its name says? A table is, if summary.json
/// notes its checksum; a study of the step (converge.json, mlmc.json) is, if it says `study`, and of which `problem`
/// (identity.hpp).
bool is_of_a_run(const std::filesystem::path& folder, const std::string& name);

/// Is this file a page that a report made?
bool is_page_of_ours(const std::filesystem::path& file);

/// Folders that were not there. They go again as far as they are empty, unless they are kept.
class NewFolders {
 public:
  NewFolders() = default;
  ~NewFolders() { remove_empty(); }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  /// SystemError if it cannot be made.
  void make(const std::filesystem::path& path);

  void remove_empty() noexcept;
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  // outermost first
};

/// A folder that shows a run only when it is whole: files are written under temporary names, renamed when complete, and
/// summary.json is the last. Where it stands, the run is finished.
class RunFolder {
 public:
  /// Makes the folder, and finds out what would stop the writing, before anything is computed.
  /// Throws InputError if the folder holds a finished run, or files of one that a run would overwrite, and `force` is
  /// not set, or if it holds files of those names that no run wrote (is_of_a_run); SystemError if the folder cannot
  /// be made or written, or if results.h5 will not fit.
  RunFolder(std::filesystem::path path, bool force, const scenario::Scenario& scenario);

  /// Leaves nothing half-written behind: temporary files go, and folders too that were new and are empty.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Temporary files that a killed program left go. Only while the folder is locked.
  void remove_leftovers();

  /// results.h5, scenario.toml (and the tables it reads), summary.json, in this order. A finished run that stood there
  /// stays until all files are complete on disk, then it stops looking finished before the first of them is replaced.
  void finish(const io::RunData& run, const LongText& summary_json);

  /// There is a report.html that is not ours: it stays, and may tell of another run.
  bool has_foreign_report() const;

 private:
  std::vector<std::string> list_foreign() const;
  Sentence refuse_foreign(const std::vector<std::string>& foreign) const;
  void try_writing(std::int64_t bytes);
  std::filesystem::path temporary(const std::string& name);
  void clean_up() noexcept;

  std::filesystem::path path_;
  bool force_ = false;
  NewFolders folders_;
  std::vector<std::filesystem::path> temporary_;  // files that have no final name yet
  std::vector<TableFile> tables_;                 // as they were when the run began
};

}  // namespace conesweep::keep
