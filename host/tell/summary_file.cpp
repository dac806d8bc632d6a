#include "tell/summary_file.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "io/json_text.hpp"
#include "keep/ownership.hpp"
#include "keep/summary_pieces.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/coherence.hpp"
#include "tell/json_values.hpp"
#include "tell/outcome_json.hpp"

namespace conesweep::tell {
namespace {

using executor::Status;
using nlohmann::ordered_json;
using sensitivity::Index;

// ---- statistics: each part of the file, out and in -----------------------------------------------------------------

ordered_json to_json(const statistics::Summary& summary) {
  ordered_json quantiles = ordered_json::object();
  for (std::size_t q = 0; q < summary.quantiles.size(); ++q)
    quantiles[format_number(statistics::quantile_levels[q])] = summary.quantiles[q];
  ordered_json json = {{"count", summary.count},
                       {"mean", summary.mean},
                       {"standard_deviation", summary.standard_deviation},
                       {"standard_error", summary.standard_error},
                       {"skewness", summary.skewness},
                       {"trimmed_mean", summary.trimmed_mean},
                       {"min", summary.min},
                       {"max", summary.max},
                       {"quantiles", std::move(quantiles)}};
  if (summary.quantile_error > 0) json["quantile_error"] = summary.quantile_error;
  json["histogram"] = {{"edges", summary.histogram.edges}, {"counts", summary.histogram.counts}};
  return json;
}

statistics::Summary to_statistics(const ordered_json& json) {
  statistics::Summary summary;
  get(json, "count", summary.count);
  get(json, "mean", summary.mean);
  get(json, "standard_deviation", summary.standard_deviation);
  get(json, "standard_error", summary.standard_error);
  get(json, "skewness", summary.skewness);
  get(json, "trimmed_mean", summary.trimmed_mean);
  get(json, "min", summary.min);
  get(json, "max", summary.max);
  for (const auto& quantile : part(json, "quantiles")) summary.quantiles.push_back(to_double(quantile));
  get(json, "quantile_error", summary.quantile_error);
  get(part(json, "histogram"), "edges", summary.histogram.edges);
  get(part(json, "histogram"), "counts", summary.histogram.counts);
  return summary;
}

ordered_json to_json(const TrackSummary& track, std::size_t times) {
  ordered_json quantiles = ordered_json::object();
  for (std::size_t level = 0; level * times < track.quantiles.size(); ++level) {
    const auto first = track.quantiles.begin() + static_cast<std::ptrdiff_t>(level * times);
    quantiles[format_number(statistics::quantile_levels[level])] =
        std::vector<double>(first, first + static_cast<std::ptrdiff_t>(times));
  }
  return {{"count", track.count},
          {"mean", track.mean},
          {"standard_deviation", track.standard_deviation},
          {"quantiles", std::move(quantiles)}};
}

TrackSummary to_track(const std::string& name, const ordered_json& json) {
  TrackSummary track;
  track.name = name;
  get(json, "count", track.count);
  get(json, "mean", track.mean);
  get(json, "standard_deviation", track.standard_deviation);
  for (const auto& curve : part(json, "quantiles"))
    for (const auto& value : curve) track.quantiles.push_back(to_double(value));
  return track;
}

ordered_json tracks_json(const Summary& summary) {
  // bands over the first block of members only
  ordered_json json = {{"quantile_members", std::min<std::int64_t>(summary.members, statistics::block_members)},
                       {"time", summary.times}};
  for (const auto& track : summary.tracks) json[track.name] = to_json(track, summary.times.size());
  return json;
}

void get_tracks(const ordered_json& json, Summary& summary) {
  get(json, "time", summary.times);
  for (const auto& item : json.items())
    if (item.key() != "quantile_members" && item.key() != "time")
      summary.tracks.push_back(to_track(item.key(), item.value()));
}

// ---- step check ----------------------------------------------------------------------------------------------------

ordered_json to_json(const StepError& error) {
  return {{"compared", error.compared},     {"changed", error.changed},
          {"difference", error.difference}, {"difference_error", error.difference_error},
          {"step_error", error.step_error}, {"step_error_at_most", error.at_most},
          {"is_large", error.is_large}};
}

StepError to_step_error(const std::string& name, const ordered_json& json) {
  StepError error;
  error.name = name;
  error.at_most = std::numeric_limits<double>::quiet_NaN();
  get(json, "compared", error.compared);
  get(json, "changed", error.changed);
  get(json, "difference", error.difference);
  get(json, "difference_error", error.difference_error);
  get(json, "step_error", error.step_error);
  get(json, "step_error_at_most", error.at_most);
  get(json, "is_large", error.is_large);
  return error;
}

ordered_json to_json(const StepCheck& check) {
  ordered_json json = {{"members", check.members}, {"step", check.step}, {"advised_step", check.advised_step}};
  for (const auto& o : check.observables) json["observables"][o.name] = to_json(o);
  for (const auto& one : check.classes) json["classes"][one.name] = to_json(one);
  return json;
}

StepCheck to_step_check(const ordered_json& json) {
  StepCheck check;
  get(json, "members", check.members);
  get(json, "step", check.step);
  get(json, "advised_step", check.advised_step);
  for (const auto& item : part(json, "observables").items())
    check.observables.push_back(to_step_error(item.key(), item.value()));
  for (const auto& item : part(json, "classes").items())
    check.classes.push_back(to_step_error(item.key(), item.value()));
  return check;
}

// ---- sensitivities -------------------------------------------------------------------------------------------------

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

// ---- run and timing ------------------------------------------------------------------------------------------------

// Of all that a summary says but `timing`, which differs from run to run.
std::string checksum_of(ordered_json json, const LongText& points, const Sink& pass_on = {}) {
  json.erase("timing");
  json["run"].erase("checksum");
  return keep::checksum_with_points(io::format_json(json), points, pass_on);
}

void put_run(const RunFacts& run, ordered_json& json) {
  json["run"] = {{"version", run.version},     {"backend", run.backend}, {"device", run.device},
                 {"precision", run.precision}, {"seed", run.seed},       {"step", run.step},
                 {"steps", run.steps},         {"ranks", run.ranks},     {"threads", run.threads}};
  if (run.identity.empty()) return;
  json["run"]["identity"] = run.identity;
  for (const auto& [name, checksum] : run.tables) json["run"]["tables"][name] = checksum;
}

RunFacts to_facts(const ordered_json& json) {
  RunFacts run;
  get(json, "version", run.version);
  get(json, "backend", run.backend);
  get(json, "device", run.device);
  get(json, "precision", run.precision);
  get(json, "seed", run.seed);
  get(json, "step", run.step);
  get(json, "steps", run.steps);
  get(json, "ranks", run.ranks);
  get(json, "threads", run.threads);
  get(json, "identity", run.identity);
  run.tables = keep::to_tables(json);
  return run;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

std::vector<StatusCount> to_statuses(const ordered_json& json) {
  std::vector<StatusCount> counts(1);  // ok
  for (int code = 0; code < executor::status_count; ++code) {
    const std::string name(to_name(static_cast<Status>(code)));
    if (!json.contains(name)) continue;
    if (code > 0) counts.emplace_back();
    counts.back().status = static_cast<Status>(code);
    get(json, name.c_str(), counts.back().members);
  }
  return counts;
}

Summary to_summary(const ordered_json& json) {
  Summary summary;
  get(json, "title", summary.title);
  get(json, "members", summary.members);
  summary.status = to_statuses(part(json, "status"));
  for (const auto& row : scenario::flags) {
    if (!json.contains("flags")) break;
    summary.flags.push_back({row.value, 0});
    if (part(json, "flags").contains(std::string(row.name)))
      get(part(json, "flags"), std::string(row.name).c_str(), summary.flags.back().members);
  }
  for (const auto& item : part(json, "observables").items())
    summary.observables.emplace_back(item.key(), to_statistics(item.value()));
  summary.classes = to_classes(part(json, "classes"));
  summary.sweep = to_sweep(part(json, "sweep"));
  // of a text that was made anew
  for (const auto& point : part(part(json, "sweep"), "points")) summary.sweep.add(to_point(point));
  get_tracks(part(json, "trajectories"), summary);
  if (json.contains("step_check")) summary.steps = to_step_check(json["step_check"]);
  for (StepError& error : summary.steps.observables)
    for (const auto& [name, statistics] : summary.observables)
      if (name == error.name) error.sampling_error = statistics.standard_error;
  for (StepError& error : summary.steps.classes)
    for (const keep::ClassCount& one : summary.classes)
      if (one.name == error.name)
        error.sampling_error =
            one.has_interval ? one.interval.half_width() / 2 : std::numeric_limits<double>::quiet_NaN();
  get_sensitivity(json, summary);
  summary.run = to_facts(json["run"]);
  const ordered_json& timing = part(json, "timing");
  get(timing, "wall_seconds", summary.timing.wall_seconds);
  get(timing, "compile_seconds", summary.timing.compile_seconds);
  get(timing, "solve_seconds", summary.timing.solve_seconds);
  return summary;
}

}  // namespace

void write_json(const Summary& summary, const Sink& sink) {
  ordered_json status = ordered_json::object();
  for (const auto& count : summary.status) status[std::string(to_name(count.status))] = count.members;
  ordered_json flags = ordered_json::object();
  for (std::size_t k = 0; k < summary.flags.size(); ++k)
    flags[std::string(scenario::flags[k].name)] = summary.flags[k].members;
  ordered_json observables = ordered_json::object();
  for (const auto& [name, observable] : summary.observables) observables[name] = to_json(observable);

  ordered_json json;
  json["title"] = summary.title;
  json["members"] = summary.members;
  json["status"] = std::move(status);
  if (!summary.flags.empty()) json["flags"] = std::move(flags);
  json["observables"] = std::move(observables);
  if (!summary.classes.empty()) json["classes"] = to_json(summary.classes);
  if (!summary.sweep.axes.empty()) json["sweep"] = to_json(summary.sweep);
  if (!summary.tracks.empty()) json["trajectories"] = tracks_json(summary);
  if (!summary.steps.observables.empty()) json["step_check"] = to_json(summary.steps);
  put_sensitivity(summary, json);
  put_run(summary.run, json);
  const double member_steps = static_cast<double>(summary.members) * static_cast<double>(summary.run.steps);
  json["timing"] = {{"wall_seconds", summary.timing.wall_seconds},
                    {"compile_seconds", summary.timing.compile_seconds},
                    {"solve_seconds", summary.timing.solve_seconds},
                    {"member_steps_per_second", member_steps / summary.timing.solve_seconds}};
  // of a sweep the checksum is there when its points are written
  const LongText points = points_text(summary.sweep);
  const bool is_long = summary.sweep.points() > 0, is_sealed = !summary.run.identity.empty();
  if (is_sealed) json["run"]["checksum"] = checksum_of(json, points, is_long ? sink : Sink());
  const auto [before, after] = keep::cut_at_points(io::format_json(json));
  if (!is_long || !is_sealed) sink(before);
  if (is_long && !is_sealed) points(sink);
  sink(after);
}

std::string to_json_text(const Summary& summary) {
  std::string text;
  write_json(summary, [&](std::string_view piece) { text += piece; });
  return text;
}

Summary read_summary(const std::filesystem::path& file, Points points) {
  const Sentence again = "; start over with " + setting::force + ", or choose another folder with " + setting::out;
  const keep::SummaryPieces pieces(file);
  const auto json = ordered_json::parse(pieces.text(), nullptr, false);
  const auto no_summary = [&] { return InputError(file.string() + " is no summary of a run" + again); };
  if (!json.is_object() || !json.contains("run") || !json["run"].is_object()) throw no_summary();
  if (json["run"].value("checksum", ordered_json()) != checksum_of(json, pieces.points()))
    throw InputError(file.string() + " is not as it was written: its checksum does not fit" + again);
  try {
    Summary summary = to_summary(json);
    if (!summary.sweep.axes.empty() && points != Points::skip) {
      pieces.for_each_point([&](const std::string& point) { summary.sweep.add(to_point(ordered_json::parse(point))); });
      if (!summary.sweep.is_whole()) throw no_summary();
    }
    if (!is_coherent(summary)) throw no_summary();
    return summary;
  } catch (const ordered_json::exception&) {  // words that mean something else in another version
    throw no_summary();
  } catch (const std::domain_error&) {
    throw no_summary();
  }
}

}  // namespace conesweep::tell
