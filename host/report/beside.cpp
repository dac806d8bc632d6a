#include "report/beside.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "run/json_values.hpp"
#include "run/study_file.hpp"
#include "support/error.hpp"

namespace conesweep::report {
namespace {

using nlohmann::ordered_json;

// Nothing where it is not there.
ordered_json read_beside(const RunView& run, const char* name) {
  const auto study = runs::find_study(run.folder, name, run.scenario);
  if (study.json.empty()) return {};
  auto json = ordered_json::parse(study.json);
  if (!runs::part(json, "levels").is_array() || json["levels"].empty()) throw InputError((run.folder / name).string() + " has no levels; move it away");
  return json;
}

// A number of each level over its step.
Curve over_levels(const ordered_json& json, const std::string& name, const std::string& key) {
  Curve curve{name, {}, {}};
  for (const auto& level : json["levels"]) {
    curve.x.push_back(runs::to_double(runs::part(level, "step")));
    curve.y.push_back(std::fabs(runs::to_double(runs::part(level, key.c_str()))));
  }
  return curve;
}

}  // namespace

std::vector<Curve> read_convergence(const RunView& run, const std::string& observable) {
  std::vector<Curve> curves;
  const ordered_json json = read_beside(run, runs::converge_name);
  for (const auto& item : runs::part(json, "observables").items()) {
    Curve curve = over_levels(json, item.key(), "step");
    runs::get(runs::part(item.value(), "mean"), "differences", curve.y);
    curve.x.resize(std::min(curve.x.size(), curve.y.size())), curve.y.resize(curve.x.size());
    for (double& difference : curve.y) difference = std::fabs(difference);
    const bool changes = std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; });
    if (changes && (observable.empty() || observable == item.key())) curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Curve> read_levels(const RunView& run, const std::vector<std::string>& keys) {
  std::vector<Curve> curves;
  const ordered_json json = read_beside(run, runs::mlmc_name);
  if (json.is_null()) return curves;
  for (const auto& key : keys) curves.push_back(over_levels(json, keys.size() > 1 ? key : "", key));
  return curves;
}

}  // namespace conesweep::report
