#include <algorithm>

#include "sampling/distribution.hpp"
#include "scenario/reading/section.hpp"
#include "scenario/reading/table.hpp"
#include "support/error.hpp"

namespace conesweep::scenario {
namespace {

class VarySection : private Section {
 public:
  using Section::Section;

  void read_vary(const toml::table& file) {
    const toml::table* table = find_table(file, "vary");
    if (table == nullptr) return;
    for (const Entry& entry : entries_of(*table)) {
      const auto& names = scenario_.names.parameters;
      const auto found = std::find(names.begin(), names.end(), entry.key);
      if (scenario_.names.find_definition(entry.key) != nullptr) {
        report(entry, "'" + entry.key + "' is a definition; only parameters can vary");
        continue;
      }
      if (found == names.end()) {
        report(entry, "[vary] names an unknown parameter '" + entry.key + "'" +
                          (hint(entry.key, names).empty() ? "; give it a default in [model.parameters] first" : hint(entry.key, names)));
        continue;
      }
      auto distribution = read_distribution(entry);
      if (fixed_.contains(entry.key)) continue;
      if (!distribution) {
        scenario_.defaults[static_cast<std::size_t>(found - names.begin())] = unknown;
        continue;
      }
      scenario_.vary.push_back({static_cast<int>(found - names.begin()), std::move(*distribution), 0, entry.place});
    }
  }

 private:
  std::optional<Distribution> read_distribution(const Entry& entry) {
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1) {
      report(*entry.node, "the variation of '" + entry.key + "' must be one distribution, for example { uniform = [0.1, 0.6] }");
      return std::nullopt;
    }
    const Entry kind = entries_of(*table).front();
    const auto found = choose(distributions, kind.key, "distribution", kind);
    if (!found) return std::nullopt;
    Distribution distribution;
    distribution.kind = *found;
    const bool good = distribution.kind == DistributionKind::table ? read_table(*kind.node, distribution) : read_numbers(kind, distribution);
    return good ? std::optional(std::move(distribution)) : std::nullopt;
  }

  bool read_numbers(const Entry& kind, Distribution& distribution) {
    const DistributionRow& form = distributions[distribution.kind];
    const toml::array* array = kind.node->as_array();
    const bool fits = array != nullptr && (form.count == 0 ? !array->empty() : array->size() == form.count);
    if (!fits) {
      report(*kind.node, kind.key + " takes " + std::string(form.takes));
      return false;
    }
    for (const toml::node& item : *array) {
      const auto value = number(item, "a number of " + kind.key);
      if (!value) return false;
      distribution.values.push_back(*value);
    }
    const std::string wrong = sampling::find_fault(distribution);
    if (!wrong.empty()) report(*kind.node, kind.key + ": " + wrong);
    return wrong.empty();
  }

  // "file.csv:column", the file beside the scenario
  bool read_table(const toml::node& node, Distribution& distribution) {
    const auto text = node.value_exact<std::string>();
    const std::size_t colon = text ? text->rfind(':') : std::string::npos;
    if (colon == std::string::npos || colon == 0 || colon + 1 == text->size()) {
      report(node, "table takes " + std::string(distributions[DistributionKind::table].takes));
      return false;
    }
    distribution.table = *text;
    const std::filesystem::path file = std::filesystem::path(source_.name).parent_path() / text->substr(0, colon);
    distribution.table_path = file.string();
    try {
      auto table = std::find_if(tables_.begin(), tables_.end(), [&](const Table& read) { return read.file == file; });
      if (table == tables_.end()) table = tables_.insert(table, load_table(file));
      distribution.table_bytes = table->bytes;
      distribution.values = read_column(*table, text->substr(colon + 1));
    } catch (const InputError& error) {
      report(node, error.what());
      return false;
    }
    return true;
  }

  std::vector<Table> tables_;  // each file read once
};

}  // namespace

void read_vary(const toml::table& file, Reading& reading) { VarySection(reading).read_vary(file); }

}  // namespace conesweep::scenario
