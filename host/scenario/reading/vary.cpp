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
    if (const toml::table* table = find_table(file, "vary")) read_section(*table);
    for (const auto& [name, text] : overrides_.vary) apply_flag(name, text);
  }

 private:
  void read_section(const toml::table& table) {
    for (const Entry& entry : entries_of(table)) {
      const auto& names = scenario_.names.parameters;
      const auto found = std::find(names.begin(), names.end(), entry.key);
      if (scenario_.names.find_definition(entry.key) != nullptr) {
        report(entry, "'" + entry.key + "' is a definition; only parameters can vary");
        continue;
      }
      if (found == names.end()) {
        report(entry, "[vary] names an unknown parameter '" + entry.key + "'" +
                          (hint(entry.key, names).empty() ? "; give it a default in [model.parameters] first"
                                                          : hint(entry.key, names)));
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

  // --vary name=uniform:1:2. What varies already keeps its place, and with it its axis of Sobol points.
  void apply_flag(const std::string& name, const std::string& text) {
    const auto& names = scenario_.names.parameters;
    const auto found = std::find(names.begin(), names.end(), name);
    if (scenario_.names.find_definition(name) != nullptr)
      return report_setting(setting::vary, "'" + name + "' is a definition of the scenario; only parameters can vary");
    if (found == names.end())
      return report_setting(setting::vary, "unknown parameter '" + name + "'" + hint(name, names));
    if (fixed_.contains(name))
      return report_setting(setting::vary, "'" + name + "' is set to a number, too; it can only do one of the two");
    auto distribution = parse_distribution(name + "=" + text, text);
    if (!distribution) return;
    const auto parameter = static_cast<int>(found - names.begin());
    const auto there = std::find_if(scenario_.vary.begin(), scenario_.vary.end(),
                                    [&](const Variation& one) { return one.parameter == parameter; });
    if (there != scenario_.vary.end())
      there->distribution = std::move(*distribution);
    else
      scenario_.vary.push_back({parameter, std::move(*distribution), 0, {}});
  }

  // kind:number:number…
  std::optional<Distribution> parse_distribution(const std::string& flag, const std::string& text) {
    const auto refuse = [&](const std::string& why) {
      report_setting(setting::vary, flag + ": " + why);
      return std::nullopt;
    };
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(':', at), text.size());
      words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    const auto kind = distributions.find(words.front());
    if (!kind)
      return refuse("unknown distribution '" + words.front() + "'" + hint_or_all(words.front(), distributions.names()) +
                    "; write it as uniform:1:2");
    if (*kind == DistributionKind::table) return refuse("a table stands in the file, in [vary]");
    Distribution distribution;
    distribution.kind = *kind;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
      const auto value = compute_number(*word);
      if (!value) return refuse("'" + *word + "' is not a finite number");
      distribution.values.push_back(*value);
    }
    const DistributionRow& form = distributions[*kind];
    if (form.count == 0 ? distribution.values.empty() : distribution.values.size() != form.count)
      return refuse(words.front() + " takes " + std::string(form.takes) + ", written " + words.front() + ":…");
    const std::string wrong = sampling::find_fault(distribution);
    if (!wrong.empty()) return refuse(words.front() + ": " + wrong);
    return distribution;
  }

  std::optional<Distribution> read_distribution(const Entry& entry) {
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1) {
      report(*entry.node,
             "the variation of '" + entry.key + "' must be one distribution, for example { uniform = [0.1, 0.6] }");
      return std::nullopt;
    }
    const Entry kind = entries_of(*table).front();
    const auto found = choose(distributions, kind.key, "distribution", kind);
    if (!found) return std::nullopt;
    Distribution distribution;
    distribution.kind = *found;
    const bool good = distribution.kind == DistributionKind::table ? read_table(*kind.node, distribution)
                                                                   : read_numbers(kind, distribution);
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
