#include <algorithm>
#include <cmath>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/options.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/compare.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

using ensemble::Comparison;
using ensemble::Difference;
using nlohmann::ordered_json;

constexpr std::int64_t members_with_reference = 1000;  // the reference executor steps some hundred thousand nodes a second
constexpr std::size_t shown_members = 5;               // of a kind

std::vector<std::string> split_backends(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 == text.size() || text.find(',', comma + 1) != std::string::npos)
    throw InputError("--backends: '" + text + "' should name two executors, like cpu,reference");
  std::vector<std::string> both = {text.substr(0, comma), text.substr(comma + 1)};
  if (both[0] == both[1]) throw InputError("--backends: '" + both[0] + "' is named twice; compare two different executors");
  for (const std::string& name : both)
    if (name == "auto") throw InputError("--backends: name the executors themselves: " + join_words(executor::executor_names()));
  return both;
}

// the executor whose steps the reference judges
const std::string& judged_backend(const std::vector<std::string>& backends) { return backends[backends[0] == "reference" ? 1 : 0]; }

void print_differences(const Comparison& comparison, const std::vector<std::string>& backends) {
  std::vector<std::vector<std::string>> rows = {
      {"observable", "scale", "median", "99 %", "worst", "rel. median", "rel. 99 %", "rel. worst", "member", backends[0], backends[1], ""}};
  const auto text = [](double x) { return x == 0 ? std::string("0") : format_short(x, 2); };
  for (const Difference& d : comparison.differences) {
    if (d.compared == 0) {
      rows.push_back({d.name, "–", "–", "–", "–", "–", "–", "–", "–", "–", "–", ""});
      continue;
    }
    const bool equal = d.worst_member < 0;
    rows.push_back({d.name, format_short(d.scale, 3), text(d.absolute.median), text(d.absolute.high), text(d.absolute.worst), text(d.relative.median),
                    text(d.relative.high), text(d.relative.worst), equal ? "–" : std::to_string(d.worst_member), equal ? "–" : format_number(d.a),
                    equal ? "–" : format_number(d.b), d.within ? "" : "beyond the tolerance"});
  }
  std::cout << align_columns(rows);
}

// "  member 3: what", a few of them
template <class Item, class Text>
void print_some(const std::vector<Item>& items, const Text& text) {
  for (std::size_t k = 0; k < std::min(items.size(), shown_members); ++k) std::cout << "  member " << items[k].member << ": " << text(items[k]) << "\n";
  if (items.size() > shown_members) std::cout << "  … and " << counted(static_cast<std::int64_t>(items.size() - shown_members)) << " more\n";
}

void print_grazing(const Comparison& comparison, const ensemble::CompareLimits& limits) {
  if (comparison.grazing.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.grazing.size());
  const double share = static_cast<double>(number) / static_cast<double>(comparison.members);
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " grazes: its" : " graze: their")
            << " contact history differs (" << format_short(100 * share, 2) << " %, allowed: " << format_short(100 * limits.grazing, 2) << " %)"
            << (limits.bits ? "" : "; left out above") << "\n";
  print_some(comparison.grazing, [](const auto& member) { return member.what; });
}

void print_judged(const Comparison& comparison, const std::vector<std::string>& backends) {
  const auto members = [](const auto& items) { return counted(static_cast<std::int64_t>(items.size()), "member"); };
  if (!comparison.several.empty()) {
    std::cout << members(comparison.several) << " met steps with several solutions; judged step by step, all that " << judged_backend(backends)
              << " found obey the laws; left out above\n";
    print_some(comparison.several, [](const auto& member) {
      return counted(member.steps, "step") + " with several solutions, largest residual " + format_short(member.residual, 2);
    });
  }
  if (!comparison.unjudged.empty()) {
    std::cout << members(comparison.unjudged) << " could not be judged in all steps, and " << (comparison.unjudged.size() == 1 ? "counts" : "count")
              << " as before\n";
    print_some(comparison.unjudged, [](const auto& member) { return member.what; });
  }
}

void print_classes(const scenario::Scenario& scenario, const Comparison& comparison) {
  if (scenario.classes.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.classes.size());
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " is" : " are") << " of another class\n";
  print_some(comparison.classes, [](const auto& member) { return member.a + " and " + member.b; });
}

std::string verdict(const Comparison& comparison, const ensemble::CompareLimits& limits, const std::vector<std::string>& backends) {
  const std::string both = backends[0] + " and " + backends[1];
  if (limits.bits) {
    if (comparison.passed) return both + " agree: all bits of " + counted(comparison.bits.values) + " values are equal";
    return both + " differ: " + counted(comparison.bits.differing) + " of " + counted(comparison.bits.values) +
           " values have other bits\n  first: " + comparison.bits.first;
  }
  const std::string tolerance = format_short(limits.tolerance, 3);
  const auto several = static_cast<std::int64_t>(comparison.several.size());
  const std::string judged =
      several > 0 ? ", and " + counted(several, "member") + " with several solutions obey" + (several == 1 ? "s" : "") + " the laws" : "";
  if (comparison.passed && several == comparison.members) return both + " agree: they differ only where the laws have several solutions";
  if (comparison.passed) return both + " agree: every difference is within " + tolerance + " of its observable's scale" + judged;
  std::string text = both + " differ:";
  for (const Difference& d : comparison.differences)
    if (!d.within)
      text += "\n  " + d.name + " by " + format_short(d.absolute.worst, 3) + ", allowed: " + tolerance + " x " + format_short(d.scale, 3) + "; member " +
              std::to_string(d.worst_member);
  for (const auto& member : comparison.wrong) text += "\n  member " + std::to_string(member.member) + ": " + judged_backend(backends) + "'s " + member.what;
  if (static_cast<double>(comparison.grazing.size()) > limits.grazing * static_cast<double>(comparison.members))
    text += "\n  " + counted(static_cast<std::int64_t>(comparison.grazing.size())) + " of " + counted(comparison.members, "member") +
            " have another contact history, allowed: " + format_short(100 * limits.grazing, 2) + " %";
  return text;
}

ordered_json to_json(const Difference::Spread& spread) { return {{"median", spread.median}, {"high", spread.high}, {"worst", spread.worst}}; }

ordered_json to_json(const scenario::Scenario& scenario, const Comparison& comparison, const ensemble::CompareLimits& limits,
                     const std::vector<std::string>& backends) {
  ordered_json json = {{"backends", backends}, {"members", comparison.members}, {"passed", comparison.passed}, {"stopped_alike", comparison.stopped}};
  ordered_json grazing = ordered_json::array();
  for (const auto& member : comparison.grazing) grazing.push_back({{"member", member.member}, {"what", member.what}});
  if (limits.bits) {
    json["bits"] = {{"values", comparison.bits.values}, {"differing", comparison.bits.differing}, {"first", comparison.bits.first}};
  } else {
    json["tolerance"] = limits.tolerance;
    json["grazing_allowed"] = limits.grazing;
    ordered_json differences = ordered_json::object();
    for (const Difference& d : comparison.differences)
      differences[d.name] = {
          {"compared", d.compared}, {"scale", d.scale},  {"absolute", to_json(d.absolute)}, {"relative", to_json(d.relative)}, {"worst_member", d.worst_member},
          {"values", {d.a, d.b}},   {"within", d.within}};
    json["observables"] = differences;
  }
  json["grazing"] = grazing;
  if (!scenario.classes.empty()) json["other_class"] = ordered_json::array();
  for (const auto& member : comparison.classes) json["other_class"].push_back({{"member", member.member}, {"classes", {member.a, member.b}}});
  json["several_solutions"] = ordered_json::array();
  for (const auto& member : comparison.several)
    json["several_solutions"].push_back({{"member", member.member}, {"steps", member.steps}, {"residual", member.residual}});
  json["wrong_steps"] = ordered_json::array();
  for (const auto& member : comparison.wrong) json["wrong_steps"].push_back({{"member", member.member}, {"what", member.what}});
  json["not_judged"] = ordered_json::array();
  for (const auto& member : comparison.unjudged) json["not_judged"].push_back({{"member", member.member}, {"what", member.what}});
  return json;
}

}  // namespace

int compare(const Options& options) {
  const std::vector<std::string> backends = split_backends(options.backends);
  const ensemble::CompareLimits limits = {options.tolerance, options.grazing, options.bits};
  if (!(limits.tolerance >= 0)) throw InputError("--tolerance: must be at least 0, got " + format_short(limits.tolerance));
  if (!(limits.grazing >= 0 && limits.grazing <= 1))
    throw InputError("--grazing: is a share of the members, 0 <= share <= 1, got " + format_short(limits.grazing));
  const bool talk = !options.quiet && !options.json;
  const auto [source, scenario] = load(options);

  // the first thousand members tell as much as all, where the reference is one of the two and no more are asked for
  std::int64_t members = scenario.ensemble.members;
  const bool with_reference = std::find(backends.begin(), backends.end(), "reference") != backends.end();
  if (with_reference && options.members.empty()) members = std::min(members, members_with_reference);

  std::string reason;
  const executor::Options settings = to_execution(options);
  const auto first = executor::make_executor(backends[0], scenario, settings, reason);
  const auto second = executor::make_executor(backends[1], scenario, settings, reason);
  if (talk)
    std::cout << visible(scenario.title) << "\n"
              << (members < scenario.ensemble.members ? "the first " + counted(members) + " of " : "") << counted(scenario.ensemble.members, "member") << ", "
              << counted(scenario.steps) << " steps of " << format_short(scenario.h()) << ", seed " << scenario.ensemble.seed << ": " << first->name() << " ("
              << first->device() << ") against " << second->name() << " (" << second->device() << ")\n"
              << std::flush;

  ensemble::Runner a{first.get(), {}}, b{second.get(), {}};
  {
    Progress progress(2 * members, scenario.steps, for_people(options.quiet));
    executor::Watch watch;
    watch.stop = &watch_interrupts();
    watch.finished = [&](std::int64_t finished) { progress.add(finished); };
    ensemble::run_members(scenario, members, a, b, watch);
  }
  std::vector<ensemble::JudgedMember> judged;
  if (with_reference && !limits.bits && settings.precision == executor::Precision::double_ && ensemble::may_have_several_solutions(scenario)) {
    const ensemble::Accused accused{judged_backend(backends), settings, ensemble::find_differing(scenario, a.outcome, b.outcome, limits)};
    Progress progress(static_cast<std::int64_t>(accused.members.size()), scenario.steps, for_people(options.quiet));
    judged = ensemble::judge_members(scenario, accused, {[&](std::int64_t finished) { progress.add(finished); }, &watch_interrupts()});
  }
  const Comparison comparison = ensemble::compare(scenario, a.outcome, b.outcome, limits, judged);

  if (options.json) std::cout << to_json(scenario, comparison, limits, backends).dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  if (talk) {
    std::cout << "\n";
    if (!limits.bits) {
      print_differences(comparison, backends);
      std::cout << "\n";
    }
    if (comparison.stopped > 0) std::cout << counted(comparison.stopped, "member") << " stopped, with the same status at the same time\n";
    print_judged(comparison, backends);
    print_grazing(comparison, limits);
    print_classes(scenario, comparison);
    std::cout << verdict(comparison, limits, backends) << "\n";
  }
  return comparison.passed ? fine : some_stopped;
}

}  // namespace conesweep::app
