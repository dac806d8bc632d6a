#include "tell/sensitivity_json.hpp"

#include <algorithm>

#include "tell/json_values.hpp"
#include "tell/outcome_json.hpp"

namespace conesweep::tell {

using nlohmann::ordered_json;
using sensitivity::Index;

namespace {

ordered_json interval_json(const Index& index) { return {index.lower, index.upper}; }

void get_index(const ordered_json& json, const std::string& key, Index& index) {
  get(json, key.c_str(), index.value);
  std::vector<double> ends;
  get(json, (key + "_interval").c_str(), ends);
  if (ends.size() == 2) index.lower = ends[0], index.upper = ends[1];
}

ordered_json to_json(const sensitivity::SobolIndices& indices, const std::vector<std::string>& parameters) {
  ordered_json json = ordered_json::object();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ordered_json one = {{"first", indices.first[i].value},
                        {"first_interval", interval_json(indices.first[i])},
                        {"total", indices.total[i].value},
                        {"total_interval", interval_json(indices.total[i])},
                        {"first_jansen", indices.first_jansen[i].value},
                        {"first_jansen_interval", interval_json(indices.first_jansen[i])}};
    for (std::size_t j = 0; j < parameters.size() && !indices.second.empty(); ++j) {
      if (j == i) continue;
      const Index& pair = indices.second[sensitivity::pair_number(std::min(i, j), std::max(i, j), parameters.size())];
      one["second"][parameters[j]] = pair.value;
      one["second_interval"][parameters[j]] = interval_json(pair);
    }
    json[parameters[i]] = std::move(one);
  }
  return json;
}

sensitivity::SobolIndices to_sobol(const ordered_json& json, const std::vector<std::string>& parameters) {
  const std::size_t count = parameters.size();
  sensitivity::SobolIndices indices;
  indices.first.resize(count), indices.total.resize(count), indices.first_jansen.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ordered_json& one = part(json, parameters[i].c_str());
    get_index(one, "first", indices.first[i]);
    get_index(one, "total", indices.total[i]);
    get_index(one, "first_jansen", indices.first_jansen[i]);
    if (!one.contains("second")) continue;
    indices.second.resize(count * (count - 1) / 2);
    for (std::size_t j = i + 1; j < count; ++j) {
      Index& pair = indices.second[sensitivity::pair_number(i, j, count)];
      get(one["second"], parameters[j].c_str(), pair.value);
      std::vector<double> ends;
      get(part(one, "second_interval"), parameters[j].c_str(), ends);
      if (ends.size() == 2) pair.lower = ends[0], pair.upper = ends[1];
    }
  }
  return indices;
}

ordered_json to_json(const sensitivity::MorrisEffects& found, const std::vector<std::string>& parameters) {
  ordered_json json;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const sensitivity::Effect& effect = found.effects[i];
    json[parameters[i]] = {{"mu", effect.mu},
                           {"mu_star", effect.mu_star.value},
                           {"mu_star_interval", interval_json(effect.mu_star)},
                           {"sigma", effect.sigma},
                           {"count", effect.count}};
  }
  return json;
}

sensitivity::MorrisEffects to_morris(const ordered_json& json, const std::vector<std::string>& parameters) {
  sensitivity::MorrisEffects found;
  for (const auto& name : parameters) {
    const ordered_json& one = part(json, name.c_str());
    sensitivity::Effect& effect = found.effects.emplace_back();
    get(one, "mu", effect.mu);
    get_index(one, "mu_star", effect.mu_star);
    get(one, "sigma", effect.sigma);
    get(one, "count", effect.count);
  }
  return found;
}

ordered_json design_json(const Summary& summary) {
  const Design& design = summary.design;
  const std::int64_t groups = summary.members / design.members_a_group;
  if (design.method == "morris")
    return {{"method", design.method}, {"points", design.points}, {"trajectories", groups}, {"levels", design.levels}};
  ordered_json warnings = ordered_json::object(), too_few = ordered_json::object();
  for (std::size_t o = 0; o < summary.sobol.size(); ++o) {
    const auto& [seen, of, needed] = summary.sobol[o].too_few;
    if (!summary.sobol[o].warnings.empty()) warnings[summary.rows[o]] = summary.sobol[o].warnings;
    if (of > 0)
      too_few[summary.rows[o]] = {
          {"seen", seen}, {"of", of}, {"needed_members", needed > 0 ? ordered_json(needed) : ordered_json()}};
  }
  return {{"method", design.method},
          {"points", design.points},
          {"bases", groups},
          {"members_a_base", design.members_a_group},
          {"too_few", std::move(too_few)},
          {"warnings", std::move(warnings)}};
}

}  // namespace

void put_sensitivity(const Summary& summary, ordered_json& json) {
  if (summary.design.method.empty()) return;
  ordered_json table;
  for (std::size_t o = 0; o < summary.rows.size(); ++o)
    table[summary.rows[o]] = summary.sobol.empty() ? to_json(summary.morris[o], summary.parameters)
                                                   : to_json(summary.sobol[o], summary.parameters);
  json["sensitivity"] = std::move(table);
  if (!summary.stopped_where.empty()) json["stopped_where"] = to_json(summary.stopped_where);
  json["design"] = design_json(summary);
}

void get_sensitivity(const ordered_json& json, Summary& summary) {
  if (!json.contains("sensitivity") || !json.contains("design")) return;
  const ordered_json& stated = json["design"];
  Design& design = summary.design;
  get(stated, "method", design.method);
  get(stated, "points", design.points);
  get(stated, "levels", design.levels);
  get(stated, "members_a_base", design.members_a_group);
  std::int64_t trajectories = 0;
  get(stated, "trajectories", trajectories);
  if (trajectories > 0) design.members_a_group = summary.members / trajectories;
  summary.stopped_where = to_stopped(part(json, "stopped_where"));
  for (const auto& observable : json["sensitivity"].items()) {
    if (summary.parameters.empty())
      for (const auto& parameter : observable.value().items()) summary.parameters.push_back(parameter.key());
    summary.rows.push_back(observable.key());
    if (design.method == "morris") {
      summary.morris.push_back(to_morris(observable.value(), summary.parameters));
    } else {
      summary.sobol.push_back(to_sobol(observable.value(), summary.parameters));
      get(part(stated, "warnings"), observable.key().c_str(), summary.sobol.back().warnings);
      const ordered_json& few = part(part(stated, "too_few"), observable.key().c_str());
      get(few, "seen", summary.sobol.back().too_few.seen);
      get(few, "of", summary.sobol.back().too_few.of);
      if (part(few, "needed_members").is_number())
        get(few, "needed_members", summary.sobol.back().too_few.needed_members);
    }
  }
}

}  // namespace conesweep::tell
