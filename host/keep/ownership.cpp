#include "keep/ownership.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "io/new_file.hpp"
#include "io/seal.hpp"
#include "keep/summary_pieces.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/hash.hpp"

namespace conesweep::keep {
namespace {

namespace fs = std::filesystem;
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

}  // namespace conesweep::keep
