#include <algorithm>
#include <limits>

#include "sampling/sobol.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

class EnsembleSection : private Section {
 public:
  using Section::Section;

  void read_ensemble(const toml::table& file) {
    const toml::table* table = find_table(file, "ensemble");
    static const toml::table empty;
    if (table == nullptr) table = &empty;
    check_keys(*table, {"members", "seed", "sampler", "levels", "keep"}, "in [ensemble]");
    Ensemble& ensemble = scenario_.ensemble;
    read_sampler(*table);
    read_keep(*table);
    if (overrides_.seed)
      ensemble.seed = *overrides_.seed;
    else if (const toml::node* node = table->get("seed"))
      ensemble.seed = static_cast<std::uint64_t>(
          whole_number(*node, "seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(1));

    std::optional<std::int64_t> asked;
    if (const toml::node* node = table->get("members")) asked = whole_number(*node, "members", 1, most_members);
    if (overrides_.members) asked = overrides_.members;
    if (overrides_.members && (*asked < 1 || *asked > most_members))
      report_setting(setting::members, "members must be a whole number between 1 and " + std::to_string(most_members));
    if (ensemble.sampler == Sampler::grid) return read_levels(*table, asked);
    if (const toml::node* levels = table->get("levels")) report(*levels, "levels belong to sampler = \"grid\"");
    ensemble.members = asked.value_or(1);
    for (const Variation& variation : scenario_.vary) {
      const Distribution& d = variation.distribution;
      if (d.kind == DistributionKind::table && static_cast<std::int64_t>(d.values.size()) < ensemble.members)
        report(variation.place, static_cast<int>(parameter_name(variation).size()),
               "the table " + d.table + " has " + std::to_string(d.values.size()) + " rows for " +
                   std::to_string(ensemble.members) +
                   " members; a row is a member, so ask for fewer members or add rows");
    }
  }

 private:
  void read_sampler(const toml::table& table) {
    const toml::node* node = table.get("sampler");
    if (node == nullptr) return;
    const auto text = node->value_exact<std::string>();
    if (!text) return report(*node, "sampler must be a text in quotes: " + join_words(samplers.names(), "or"));
    const auto found = choose(samplers, *text, "sampler", *node);
    if (!found) return;
    scenario_.ensemble.sampler = *found;
    if (scenario_.ensemble.sampler == Sampler::sobol && scenario_.vary.size() > sampling::SobolSequence::most_axes)
      report(*node, "sobol points have at most " + std::to_string(sampling::SobolSequence::most_axes) + " axes, and " +
                        std::to_string(scenario_.vary.size()) + " parameters vary; use \"latin\" or \"random\"");
  }

  void read_keep(const toml::table& table) {
    if (const toml::node* node = table.get("keep")) {
      const auto text = node->value_exact<std::string>();
      if (!text) return report(*node, "keep must be a text in quotes: " + join_words(keeps.names(), "or"));
      if (const auto found = choose(keeps, *text, "keep", *node)) scenario_.ensemble.keep = *found;
    }
    if (overrides_.keep) scenario_.ensemble.keep = *overrides_.keep;
  }

  void read_levels(const toml::table& ensemble, std::optional<std::int64_t> asked) {
    const toml::table* levels = find_table(ensemble, "levels", "levels = { alpha = 20, tau = 10 }");
    static const toml::table empty;
    if (levels == nullptr) levels = &empty;
    std::vector<std::string> varied;
    for (const Variation& variation : scenario_.vary) varied.push_back(parameter_name(variation));
    for (const Entry& entry : entries_of(*levels))
      if (std::find(varied.begin(), varied.end(), entry.key) == varied.end() && !fixed_.contains(entry.key))
        report(entry, "levels names '" + entry.key + "', which does not vary" + hint(entry.key, varied));

    double product = 1;
    const std::size_t before = problems_.size();
    for (Variation& variation : scenario_.vary) {
      const std::string& name = parameter_name(variation);
      const Distribution& d = variation.distribution;
      if (d.kind == DistributionKind::table)
        report(variation.place, static_cast<int>(name.size()),
               "a table has one row a member and cannot be part of a grid; list its values as a choice");
      if (const toml::node* node = levels->get(name))
        variation.levels = whole_number(*node, "levels of '" + name + "'", 1, most_members).value_or(1);
      else if (d.kind == DistributionKind::choice)
        variation.levels = static_cast<std::int64_t>(d.values.size());
      else
        report(variation.place, static_cast<int>(name.size()),
               "the grid needs levels for '" + name + "', for example levels = { " + name + " = 20 } in [ensemble]");
      product *= static_cast<double>(std::max<std::int64_t>(1, variation.levels));
    }
    if (problems_.size() > before) return;  // levels that are not known have no product
    if (product > static_cast<double>(most_members))
      return report_missing("the grid has " + format_short(product) + " members; take fewer levels");
    scenario_.ensemble.members = static_cast<std::int64_t>(product);
    // a --set takes an axis out of the grid, and the file's number with it
    const bool smaller = !overrides_.members && std::any_of(fixed_.begin(), fixed_.end(), [&](const std::string& name) {
      return levels->contains(name);
    });
    if (asked && *asked != scenario_.ensemble.members && !smaller) {
      const std::string message = "the grid has " + std::to_string(scenario_.ensemble.members) +
                                  (scenario_.ensemble.members == 1 ? " member" : " members") +
                                  " (the product of its levels), not " + std::to_string(*asked) +
                                  "; leave members out or change levels";
      overrides_.members ? report_setting(setting::members, message) : report(*ensemble.get("members"), message);
    }
  }
};

}  // namespace

void read_ensemble(const toml::table& file, Reading& reading) { EnsembleSection(reading).read_ensemble(file); }

}  // namespace conesweep::scenario
