#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

/// Which files of a run folder a run wrote: they bear a mark, and only they are replaced.
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

}  // namespace conesweep::keep
