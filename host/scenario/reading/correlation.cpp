#include <algorithm>
#include <cmath>
#include <map>

#include "sampling/copula.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

class CorrelationSection : private Section {
 public:
  using Section::Section;

  // name = { other = correlation, … }
  void read_correlation(const toml::table& file) {
    const toml::table* table = find_table(file, "correlation");
    if (table == nullptr || table->empty()) return;
    const auto sections = entries_of(file);
    const Entry& section =
        *std::find_if(sections.begin(), sections.end(), [](const Entry& entry) { return entry.key == "correlation"; });
    if (scenario_.ensemble.sampler == Sampler::grid)
      return report(section,
                    "a grid is all combinations of its levels and cannot be correlated; use sampler = \"random\", "
                    "\"latin\" or \"sobol\"");

    const std::size_t before = problems_.size();
    const toml::node* varied = file.get("vary");
    std::map<std::pair<std::string, std::string>, FilePlace> given;  // a pair in alphabetical order
    for (const Entry& entry : entries_of(*table)) {
      const bool known = may_be_correlated(entry, varied);
      const toml::table* others = entry.node->as_table();
      if (others == nullptr) {
        report(*entry.node, "the correlations of '" + entry.key + "' must be a table, for example { other = 0.5 }");
        continue;
      }
      for (const Entry& other : entries_of(*others)) {
        if (other.key == entry.key) {
          report(other, "the correlation of '" + entry.key + "' with itself is 1; leave it out");
          continue;
        }
        const auto [earlier, fresh] = given.try_emplace(std::minmax(entry.key, other.key), other.place);
        if (!fresh)
          report(other, "the correlation of '" + entry.key + "' and '" + other.key + "' stands in line " +
                            std::to_string(earlier->second.line) + " already; give each pair once");
        const bool both_known = may_be_correlated(other, varied) && known;
        const auto value = number(*other.node, "a correlation");
        if (value && !(std::fabs(*value) < 1))
          report(*other.node, "the correlation of '" + entry.key + "' and '" + other.key +
                                  "' must lie between -1 and 1, both excluded, got " + format_number(*value));
        // --set takes a parameter out of the ensemble, and its correlations with it
        const auto first = find_variation(entry.key), second = find_variation(other.key);
        if (both_known && value && first != scenario_.vary.end() && second != scenario_.vary.end())
          scenario_.correlation.push_back({first->parameter, second->parameter, *value});
      }
    }
    if (problems_.size() == before) check_correlation(section);
  }

 private:
  // A parameter that [vary] names, and not by a table.
  bool may_be_correlated(const Entry& entry, const toml::node* varied) {
    const auto& names = scenario_.names.parameters;
    const toml::table* variations = varied == nullptr ? nullptr : varied->as_table();
    if (variations == nullptr || !variations->contains(entry.key)) {
      std::vector<std::string> varying;
      if (variations != nullptr && !is_full())
        for (const Entry& variation : entries_of(*variations)) varying.push_back(variation.key);
      if (std::find(names.begin(), names.end(), entry.key) == names.end())
        report(entry, "[correlation] names an unknown parameter '" + entry.key + "'" +
                          (hint(entry.key, varying).empty() ? "; parameters that vary are in [vary]"
                                                            : hint(entry.key, varying)));
      else
        report(entry, "[correlation] names '" + entry.key +
                          "', which does not vary; give it a distribution in [vary] or leave it out");
      return false;
    }
    const auto variation = find_variation(entry.key);
    const bool table = variation != scenario_.vary.end() && variation->distribution.kind == DistributionKind::table;
    if (table)
      report(entry,
             "'" + entry.key +
                 "' comes from a table, whose rows are taken as they are; correlate it there and leave it out here");
    return !table;
  }

  void check_correlation(const Entry& section) {
    const auto matrix = sampling::gather_correlations(scenario_).matrix;
    const double eigenvalue = sampling::smallest_eigenvalue(matrix);
    if (eigenvalue >= sampling::least_eigenvalue) return;
    const bool singular = std::fabs(eigenvalue) < sampling::least_eigenvalue;
    // the eigenvalues of 1 + s (R - 1) are 1 + s (those of R - 1)
    const double enough = std::floor(100 / (1 - eigenvalue) - 1e-9) / 100;
    report(section, "these correlations cannot hold together: the smallest eigenvalue of their matrix is " +
                        format_short(singular ? 0 : eigenvalue, 3) +
                        " and must be greater than 0; take all of them times " + format_short(enough) +
                        " or less, or give pairs that were left out (they count as 0)");
  }
};

}  // namespace

void read_correlation(const toml::table& file, Reading& reading) { CorrelationSection(reading).read_correlation(file); }

}  // namespace conesweep::scenario
