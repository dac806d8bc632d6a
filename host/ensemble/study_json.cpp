#include "ensemble/study_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "keep/identity.hpp"

namespace conesweep::ensemble {

using nlohmann::ordered_json;

namespace {

std::string write(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const scenario::Scenario& scenario, const Convergence& convergence, const Sentence& advice) {
  ordered_json json = {{"study", "converge"},
                       {"problem", keep::identify_problem(scenario)},
                       {"title", scenario.title},
                       {"members", convergence.members},
                       {"seed", scenario.ensemble.seed}};
  json["levels"] = ordered_json::array();
  ordered_json seconds = ordered_json::array();
  for (const auto& level : convergence.levels) {
    json["levels"].push_back(
        {{"step", level.step}, {"steps", level.steps}, {"stopped", level.stopped}, {"changed", level.changed}});
    seconds.push_back(level.seconds);
  }
  ordered_json& observables = json["observables"] = ordered_json::object();
  for (const ConvergeLine& line : convergence.lines)  // NaN becomes null
    observables[line.observable][std::string(to_name(line.statistic))] = {{"values", line.values},
                                                                          {"differences", line.differences},
                                                                          {"difference_errors", line.difference_errors},
                                                                          {"orders", line.orders},
                                                                          {"order_errors", line.order_errors},
                                                                          {"order", line.order},
                                                                          {"order_error", line.order_error},
                                                                          {"step_error", line.step_error},
                                                                          {"step_error_at_most", line.at_most},
                                                                          {"limit", line.limit},
                                                                          {"sampling_error", line.sampling_error},
                                                                          {"dominates", to_name(line.dominates)}};
  json["advice"] = advice.text();
  json["timing"] = {{"solve_seconds", seconds}};
  return write(json);
}

std::string to_json(const scenario::Scenario& scenario, const MlmcRequest& request, const MlmcResult& result) {
  ordered_json json = {{"study", "mlmc"},
                       {"problem", keep::identify_problem(scenario)},
                       {"title", scenario.title},
                       {"observable", request.observable},
                       {"rmse", request.rmse},
                       {"seed", scenario.ensemble.seed},
                       {"reached", result.reached},
                       {"estimate", result.estimate},
                       {"error",
                        {{"bias", result.bias},
                         {"bias_is_bound", result.bias_is_bound},
                         {"standard_error", result.standard_error},
                         {"standard_error_is_bound", result.error_is_bound},
                         {"rmse", std::hypot(result.bias, result.standard_error)}}},
                       {"alpha", result.alpha},
                       {"beta", result.beta}};
  ordered_json seconds = ordered_json::array();
  json["levels"] = ordered_json::array();
  for (const MlmcLevel& level : result.levels) {
    json["levels"].push_back({{"step", level.step},
                              {"steps", level.steps},
                              {"members", level.members},
                              {"count", level.correction.count},
                              {"stopped", level.stopped},
                              {"without_value", level.without},
                              {"changed", level.changed},
                              {"mean", level.correction.mean},
                              {"variance", level.correction.variance()},
                              {"kurtosis", level.correction.kurtosis()},
                              {"member_steps", static_cast<double>(level.members) * static_cast<double>(level.cost)}});
    seconds.push_back(level.seconds);
  }
  json["member_steps"] = result.cost;
  json["plain"] = {{"members", result.plain_members},
                   {"member_steps", result.plain_cost},
                   {"saving", result.plain_cost / result.cost}};
  json["notes"] = ordered_json::array();
  for (const Sentence& note : result.notes) json["notes"].push_back(note.text());
  json["timing"] = {{"solve_seconds", seconds}};
  return write(json);
}

}  // namespace conesweep::ensemble
