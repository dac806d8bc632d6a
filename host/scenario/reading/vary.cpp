#include <algorithm>
#include <limits>
#include <map>

#include "scenario/reading/section.hpp"
#include "scenario/reading/table.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

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
    static const std::vector<std::string> kinds = {"uniform", "normal", "lognormal", "loguniform", "triangular", "truncated_normal", "choice", "table"};
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1) {
      report(*entry.node, "the variation of '" + entry.key + "' must be one distribution, for example { uniform = [0.1, 0.6] }");
      return std::nullopt;
    }
    const Entry kind = entries_of(*table).front();
    const auto found = std::find(kinds.begin(), kinds.end(), kind.key);
    if (found == kinds.end()) {
      report(kind, "unknown distribution '" + kind.key + "'" + (hint(kind.key, kinds).empty() ? "; known: " + join_words(kinds) : hint(kind.key, kinds)));
      return std::nullopt;
    }
    Distribution distribution;
    distribution.kind = static_cast<DistributionKind>(found - kinds.begin());
    const bool good = distribution.kind == DistributionKind::table ? read_table(*kind.node, distribution) : read_numbers(kind, distribution);
    return good ? std::optional(std::move(distribution)) : std::nullopt;
  }

  bool read_numbers(const Entry& kind, Distribution& distribution) {
    struct Form {
      std::size_t count;
      const char* numbers;
    };
    static const std::map<DistributionKind, Form> forms = {
        {DistributionKind::uniform, {2, "[lower, upper]"}},
        {DistributionKind::normal, {2, "[mean, standard deviation]"}},
        {DistributionKind::lognormal, {2, "[mean, standard deviation] of the logarithm"}},
        {DistributionKind::loguniform, {2, "[lower, upper]"}},
        {DistributionKind::triangular, {3, "[lower, mode, upper]"}},
        {DistributionKind::truncated_normal, {4, "[mean, standard deviation, lower, upper]"}},
        {DistributionKind::choice, {0, "a list of values"}},
    };
    const Form form = forms.at(distribution.kind);
    const toml::array* array = kind.node->as_array();
    const bool fits = array != nullptr && (form.count == 0 ? !array->empty() : array->size() == form.count);
    if (!fits) {
      report(*kind.node, kind.key + " takes " + form.numbers);
      return false;
    }
    for (const toml::node& item : *array) {
      const auto value = number(item, "a number of " + kind.key);
      if (!value) return false;
      distribution.values.push_back(*value);
    }
    const std::string wrong = wrong_numbers(distribution);
    if (!wrong.empty()) report(*kind.node, kind.key + ": " + wrong);
    return wrong.empty();
  }

  // What is wrong with a distribution's numbers; empty if nothing.
  static std::string wrong_numbers(const Distribution& d) {
    const auto& x = d.values;
    const auto ordered = [](double lower, double upper) {
      return lower < upper ? std::string() : "lower must be less than upper, got " + format_number(lower) + " and " + format_number(upper);
    };
    const auto positive = [](double sd) { return sd > 0 ? std::string() : "the standard deviation must be greater than 0, got " + format_number(sd); };
    switch (d.kind) {
      case DistributionKind::uniform: return ordered(x[0], x[1]);
      case DistributionKind::normal:
      case DistributionKind::lognormal: {
        if (const std::string wrong = positive(x[1]); !wrong.empty()) return wrong;
        constexpr double far = 9;  // standard deviations: a draw of 53 bits reaches 8.3
        const double largest = d.kind == DistributionKind::normal ? std::numeric_limits<double>::max() : 709;  // log(1.8e308)
        const bool fits = x[0] + far * x[1] <= largest && (d.kind == DistributionKind::lognormal || x[0] - far * x[1] >= -largest);
        return fits ? std::string() : "draws would leave the range of numbers, 1.8e308: nine standard deviations from the mean must lie inside";
      }
      case DistributionKind::loguniform: return x[0] > 0 ? ordered(x[0], x[1]) : "lower must be greater than 0, got " + format_number(x[0]);
      case DistributionKind::triangular:
        if (!(x[0] <= x[1] && x[1] <= x[2]))
          return "lower <= mode <= upper must hold, got " + format_number(x[0]) + ", " + format_number(x[1]) + ", " + format_number(x[2]);
        return ordered(x[0], x[2]);
      case DistributionKind::truncated_normal: {
        if (const std::string wrong = positive(x[1]); !wrong.empty()) return wrong;
        if (const std::string wrong = ordered(x[2], x[3]); !wrong.empty()) return wrong;
        constexpr double far = 37;  // beyond so many standard deviations a double holds no probability
        const bool empty = (x[2] - x[0]) / x[1] > far || (x[3] - x[0]) / x[1] < -far;
        return empty ? "the interval lies more than 37 standard deviations from the mean; nothing is left of the distribution" : std::string();
      }
      default: return {};
    }
  }

  // "file.csv:column", the file beside the scenario
  bool read_table(const toml::node& node, Distribution& distribution) {
    const auto text = node.value_exact<std::string>();
    const std::size_t colon = text ? text->rfind(':') : std::string::npos;
    if (colon == std::string::npos || colon == 0 || colon + 1 == text->size()) {
      report(node, "table takes \"file.csv:column\"");
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
