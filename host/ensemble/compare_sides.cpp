#include "ensemble/compare_sides.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::ensemble {
namespace {

using nlohmann::ordered_json;

// the reference executor steps some hundred thousand nodes a second
constexpr std::int64_t members_with_reference = 1000;

Side read_side(const std::string& name, executor::Options options) {
  const std::size_t colon = name.find(':');
  Side side{name, name.substr(0, colon), std::move(options)};
  if (side.backend == "auto")
    throw InputError(about(setting::backends) +
                     "name the executors themselves: " + join_words(executor::executor_names()));
  if (colon == std::string::npos) return side;
  const std::string precision = name.substr(colon + 1);
  if (precision != "single" && precision != "double")
    throw InputError(about(setting::backends) + "unknown precision '" + precision + "' of '" + name +
                     "'; known: double and single, like " + side.backend + ":single");
  side.options.precision = precision == "single" ? executor::Precision::single : executor::Precision::double_;
  return side;
}

std::vector<Side> read_sides(const std::string& text, const executor::Options& settings) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 == text.size() ||
      text.find(',', comma + 1) != std::string::npos)
    throw InputError(about(setting::backends) + "'" + text +
                     "' should name two executors, like cpu,reference or cpu:single,cpu");
  std::vector<Side> both = {read_side(text.substr(0, comma), settings), read_side(text.substr(comma + 1), settings)};
  if (both[0].backend == both[1].backend && both[0].is_single() == both[1].is_single())
    throw InputError(about(setting::backends) + "'" + both[0].name +
                     "' is named twice; compare two different executors, or two precisions (" + both[0].backend +
                     ":single," + both[0].backend + ":double)");
  return both;
}

CompareLimits choose_limits(const CompareRequest& request, const std::vector<Side>& sides) {
  const bool single = sides[0].is_single() || sides[1].is_single();
  CompareLimits limits;
  if (!std::isnan(request.tolerance))
    limits.tolerance = request.tolerance;
  else if (single)
    limits.tolerance = tolerance_of_single;
  limits.grazing = 0;  // all are judged
  limits.parted = request.grazing;
  limits.bits = request.bits;
  limits.means = sides[0].is_single() != sides[1].is_single();
  if (!(limits.tolerance >= 0))
    throw InputError(about(setting::tolerance) + "must be at least 0, got " + format_short(limits.tolerance));
  if (!(limits.parted >= 0 && limits.parted <= 1))
    throw InputError(about(setting::grazing) + "is a share of the members, 0 <= share <= 1, got " +
                     format_short(limits.parted));
  return limits;
}

/// Members that differ, or every so many of them, one side after the other; the reference needs no judge.
Judgement judge(const scenario::Scenario& scenario, const Compared& compared, const std::vector<const Runner*>& runners,
                std::int64_t most, const CompareHooks& hooks) {
  const std::vector<Side>& sides = compared.sides;
  const CompareLimits& limits = compared.limits;
  Judgement judgement;
  const std::vector<std::int64_t> differing =
      find_differing(scenario, runners[0]->outcome, runners[1]->outcome, limits);
  judgement.differing = static_cast<std::int64_t>(differing.size());
  if (differing.empty() || most == 0) return judgement;
  judgement.stride = (judgement.differing + most - 1) / most;
  std::vector<std::int64_t> members;
  for (std::size_t k = 0; k < differing.size(); k += static_cast<std::size_t>(judgement.stride))
    members.push_back(differing[k]);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (sides[s].is_reference()) continue;
    const Accused accused{sides[s].name, runners[s]->model, members, &runners[s]->outcome, limits.tolerance};
    hooks.begins(static_cast<std::int64_t>(members.size()));
    const auto found = judge_members(scenario, accused, hooks.watch);
    hooks.ends();
    judgement.members.insert(judgement.members.end(), found.begin(), found.end());
  }
  return judgement;
}

}  // namespace

std::string Compared::judged_names() const {
  std::vector<std::string> names;
  for (const Side& side : sides)
    if (!side.is_reference()) names.push_back(side.name);
  return join_words(names);
}

double Compared::accepted_residual() const {
  const bool single = sides[0].is_single() || sides[1].is_single();
  return executor::reference::exactness_of(single ? executor::Precision::single : executor::Precision::double_)
      .residual;
}

Compared prepare_comparison(const CompareRequest& request) {
  Compared compared;
  compared.sides = read_sides(request.backends, request.execution);
  compared.limits = choose_limits(request, compared.sides);
  return compared;
}

Compared compare_sides(const scenario::Scenario& scenario, const CompareRequest& request, const CompareHooks& hooks) {
  Compared compared = prepare_comparison(request);
  const std::vector<Side>& sides = compared.sides;
  // the first thousand members tell as much as all, where the reference is one of the two and no more are asked for
  std::int64_t members = scenario.ensemble.members;
  const bool with_reference = sides[0].is_reference() || sides[1].is_reference();
  if (with_reference && !request.members_are_asked_for) members = std::min(members, members_with_reference);

  std::string reason;
  const auto first = executor::make_model(sides[0].backend, scenario, sides[0].options, reason);
  const auto second = executor::make_model(sides[1].backend, scenario, sides[1].options, reason);
  if (hooks.introduce) hooks.introduce(sides[0], *first, sides[1], *second, members);
  Runner a{first.get(), {}}, b{second.get(), {}};
  hooks.begins(2 * members);
  run_members(scenario, members, a, b, hooks.watch);
  hooks.ends();
  if (!compared.limits.bits) compared.judgement = judge(scenario, compared, {&a, &b}, request.judge, hooks);
  compared.comparison = compare(scenario, a.outcome, b.outcome, compared.limits, compared.judgement.members);
  return compared;
}

namespace {

constexpr std::size_t shown_members = 5;  // of a kind

}  // namespace

Sentence verdict(const Compared& compared) {
  const auto& [sides, limits, comparison, judgement] = compared;
  const std::string both = compared.both();
  if (limits.bits) {
    if (comparison.passed) return both + " agree: all bits of " + counted(comparison.bits.values) + " values are equal";
    return both + " differ: " + counted(comparison.bits.differing) + " of " + counted(comparison.bits.values) +
           " values have other bits\n  first: " + comparison.bits.first;
  }
  const std::string tolerance = format_short(limits.tolerance, 3);
  const auto count = [](const auto& items) { return static_cast<std::int64_t>(items.size()); };
  const std::int64_t parted = count(comparison.parted), several = count(comparison.several);
  if (comparison.passed) {
    if (several == comparison.members) return both + " agree: they differ only where the laws have several solutions";
    std::string text = both + " agree";
    if (parted + several < comparison.members)
      text += ": every difference is within " + tolerance + " of its observable's scale";
    const auto add = [&](const std::string& more) {
      text += (text.size() == both.size() + 6 ? ": " : ", and ") + more;
    };
    if (parted > 0)
      add(counted(parted, "member") + " parted by rounding obey" + (parted == 1 ? "s" : "") +
          " the laws in every step");
    if (several > 0)
      add(counted(several, "member") + " with several solutions obey" + (several == 1 ? "s" : "") + " the laws");
    return text;
  }
  std::string text = both + " differ:";
  const auto add_some = [&](const auto& items) {
    for (std::size_t k = 0; k < std::min(items.size(), shown_members); ++k)
      text += "\n  member " + std::to_string(items[k].member) + ": " + items[k].what;
    if (items.size() > shown_members)
      text += "\n  … and " + counted(static_cast<std::int64_t>(items.size() - shown_members)) + " more like these";
  };
  for (const Difference& d : comparison.differences)
    if (!d.within)
      text += "\n  " + d.name + " by " + format_short(d.absolute.worst, 3) + ", allowed: " + tolerance + " x " +
              format_short(d.scale, 3) + "; member " + std::to_string(d.worst_member);
  add_some(comparison.wrong);
  add_some(comparison.unjudged);
  for (const auto& mean : comparison.means)
    if (!mean.within)
      text += "\n  mean of " + mean.name + " " + format_number(mean.a) + " and " + format_number(mean.b) + ": " +
              format_short(mean.errors, 3) + " standard errors of the difference apart, allowed: 5";
  if (count(comparison.grazing) > 0)
    text += "\n  " + counted(count(comparison.grazing), "member") + " with another contact history, not judged";
  if (static_cast<double>(parted) > limits.parted * static_cast<double>(comparison.members))
    text += "\n  " + counted(parted) + " of " + counted(comparison.members, "member") +
            " parted by rounding, allowed: " + format_short(100 * limits.parted, 2) + " %";
  if (judgement.stride == 1) return text;
  return text + "\n  " + counted(judgement.differing, "member") + " differ, of which one in " +
         counted(judgement.stride) + " was judged; " + setting::judge(std::to_string(judgement.differing)) +
         " judges all";
}

namespace {

ordered_json to_json(const Difference::Spread& spread) {
  return {{"median", spread.median}, {"high", spread.high}, {"worst", spread.worst}};
}

}  // namespace

std::string to_json(const scenario::Scenario& scenario, const Compared& compared) {
  const auto& [sides, limits, comparison, judgement] = compared;
  ordered_json json = {{"backends", {sides[0].name, sides[1].name}},
                       {"members", comparison.members},
                       {"passed", comparison.passed},
                       {"stopped_alike", comparison.stopped}};
  ordered_json grazing = ordered_json::array();
  for (const auto& member : comparison.grazing) grazing.push_back({{"member", member.member}, {"what", member.what}});
  if (limits.bits) {
    json["bits"] = {
        {"values", comparison.bits.values}, {"differing", comparison.bits.differing}, {"first", comparison.bits.first}};
  } else {
    json["tolerance"] = limits.tolerance;
    json["residual_allowed"] = compared.accepted_residual();
    json["parted_allowed"] = limits.parted;
    json["differing"] = judgement.differing;
    json["judged_every"] = judgement.stride;
    ordered_json differences = ordered_json::object();
    for (const Difference& d : comparison.differences)
      differences[d.name] = {{"compared", d.compared},
                             {"scale", d.scale},
                             {"absolute", to_json(d.absolute)},
                             {"relative", to_json(d.relative)},
                             {"worst_member", d.worst_member},
                             {"values", {d.a, d.b}},
                             {"within", d.within}};
    json["observables"] = differences;
  }
  json["grazing"] = grazing;
  if (!scenario.classes.empty()) json["other_class"] = ordered_json::array();
  for (const auto& member : comparison.classes)
    json["other_class"].push_back({{"member", member.member}, {"classes", {member.a, member.b}}});
  json["parted_by_rounding"] = ordered_json::array();
  for (const auto& member : comparison.parted)
    json["parted_by_rounding"].push_back(
        {{"member", member.member}, {"what", member.what}, {"residual", member.residual}});
  json["several_solutions"] = ordered_json::array();
  for (const auto& member : comparison.several)
    json["several_solutions"].push_back(
        {{"member", member.member}, {"steps", member.several}, {"what", member.what}, {"residual", member.residual}});
  json["wrong_steps"] = ordered_json::array();
  for (const auto& member : comparison.wrong)
    json["wrong_steps"].push_back({{"member", member.member}, {"what", member.what}});
  json["not_judged"] = ordered_json::array();
  for (const auto& member : comparison.unjudged)
    json["not_judged"].push_back({{"member", member.member}, {"what", member.what}});
  for (const auto& mean : comparison.means)
    json["means"][mean.name] = {
        {"values", {mean.a, mean.b}}, {"standard_errors_apart", mean.errors}, {"within", mean.within}};
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace conesweep::ensemble
