#include "keep/identity.hpp"

#include "io/version.hpp"
#include "keep/run_folder.hpp"
#include "scenario/writer.hpp"
#include "support/hash.hpp"

namespace conesweep::keep {

std::string resolved_text(const scenario::Scenario& scenario) {
  scenario::Scenario moved = scenario;
  for (std::size_t k = 0; k < moved.vary.size(); ++k) {
    scenario::Distribution& distribution = moved.vary[k].distribution;
    if (distribution.kind != scenario::DistributionKind::table) continue;
    distribution.table = table_name_in_folder(scenario, k) + distribution.table.substr(distribution.table.rfind(':'));
  }
  return scenario_mark + write_scenario(moved);
}

std::string describe_run(const scenario::Scenario& scenario, const std::string& backend, const std::string& precision,
                         const std::string& design) {
  const std::string scenario_text = resolved_text(scenario);
  std::string text = "version " + io::version() + "\nnumerics " + std::to_string(io::numerics_version) +
                     "\nprecision " + precision + "\narithmetic " +
                     (backend == "reference" ? "of the reference executor" : "of the cpu and cuda executors") +
                     "\ndesign " + design + "\n";
  for (const auto& variation : scenario.vary) {
    const auto& distribution = variation.distribution;
    if (distribution.kind == scenario::DistributionKind::table)
      text += "table " + distribution.table + " with checksum " +
              std::to_string(checksum(distribution.table_bytes->data(), distribution.table_bytes->size())) + "\n";
  }
  const std::string members = "members = " + std::to_string(members_of_point(scenario)) + "\n";
  const std::size_t at = scenario_text.find("\n[ensemble]\n");
  const std::size_t line = at == std::string::npos ? at : scenario_text.find(members, at);
  const bool depends_on_members =
      scenario::samplers[scenario.ensemble.sampler].depends_on_members || !scenario.sweep.empty();
  if (depends_on_members || line == std::string::npos) return text + scenario_text;
  return text + scenario_text.substr(0, line) + scenario_text.substr(line + members.size());
}

std::string identify_run(const std::string& description) { return to_hex(fnv1a(description)); }

std::string identify_problem(const scenario::Scenario& scenario) {
  scenario::Scenario bare = scenario;
  bare.title.clear();
  bare.units.clear();
  bare.record = {};
  bare.ensemble = {sweep_points(scenario), 1, scenario::Sampler::random};
  bare.steps = 1;
  bare.step = bare.end;
  std::string text = resolved_text(bare);
  for (const auto& variation : scenario.vary)
    if (variation.distribution.kind == scenario::DistributionKind::table)
      text += "table with checksum " + text_checksum(*variation.distribution.table_bytes) + "\n";
  return to_hex(fnv1a(text));
}

}  // namespace conesweep::keep
