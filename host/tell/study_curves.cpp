#include "tell/study_curves.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "keep/study_file.hpp"
#include "support/error.hpp"
#include "tell/json_values.hpp"

namespace conesweep::tell {
namespace {

using nlohmann::ordered_json;

ordered_json read_study(const std::filesystem::path& folder, const char* name, const scenario::Scenario& scenario) {
  const keep::FoundStudy study = keep::find_study(folder, name, scenario);
  if (study.json.empty()) return ordered_json::object();
  ordered_json json = ordered_json::parse(study.json);
  if (!part(json, "levels").is_array() || json["levels"].empty())
    throw InputError((folder / name).string() + " has no levels; move it away");
  return json;
}

std::vector<double> read_steps(const ordered_json& json) {
  std::vector<double> steps;
  for (const auto& level : part(json, "levels")) steps.push_back(to_double(part(level, "step")));
  return steps;
}

}  // namespace

std::vector<StepCurve> read_convergence(const std::filesystem::path& folder, const scenario::Scenario& scenario) {
  std::vector<StepCurve> curves;
  const ordered_json json = read_study(folder, keep::converge_name, scenario);
  for (const auto& item : part(json, "observables").items()) {
    StepCurve curve{item.key(), read_steps(json), {}};
    get(part(item.value(), "mean"), "differences", curve.values);  // one fewer than levels
    for (double& value : curve.values) value = std::fabs(value);
    const std::size_t count = std::min(curve.values.size(), curve.steps.size());
    curve.steps.resize(count), curve.values.resize(count);
    if (std::any_of(curve.values.begin(), curve.values.end(), [](double value) { return value > 0; }))
      curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<StepCurve> read_levels(const std::filesystem::path& folder, const scenario::Scenario& scenario) {
  std::vector<StepCurve> curves;
  const ordered_json json = read_study(folder, keep::mlmc_name, scenario);
  for (const char* key : {"members", "mean", "variance"}) {
    StepCurve curve{key, read_steps(json), {}};
    for (const auto& level : part(json, "levels")) curve.values.push_back(std::fabs(to_double(part(level, key))));
    if (!curve.steps.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace conesweep::tell
