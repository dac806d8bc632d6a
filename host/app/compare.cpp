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
constexpr std::size_t shown_grazing = 5;

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

void print_grazing(const Comparison& comparison, const ensemble::CompareLimits& limits) {
  if (comparison.grazing.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.grazing.size());
  const double share = static_cast<double>(number) / static_cast<double>(comparison.members);
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " grazes: its" : " graze: their")
            << " contact history differs (" << format_short(100 * share, 2) << " %, allowed: " << format_short(100 * limits.grazing, 2) << " %)"
            << (limits.bits ? "" : "; left out above") << "\n";
  for (std::size_t k = 0; k < std::min(number, static_cast<std::int64_t>(shown_grazing)) + std::size_t{0}; ++k)
    std::cout << "  member " << comparison.grazing[k].member << ": " << comparison.grazing[k].what << "\n";
  if (comparison.grazing.size() > shown_grazing) std::cout << "  … and " << counted(number - static_cast<std::int64_t>(shown_grazing)) << " more\n";
}

std::string verdict(const Comparison& comparison, const ensemble::CompareLimits& limits, const std::vector<std::string>& backends) {
  const std::string both = backends[0] + " and " + backends[1];
  if (limits.bits) {
    if (comparison.passed) return both + " agree: all bits of " + counted(comparison.bits.values) + " values are equal";
    return both + " differ: " + counted(comparison.bits.differing) + " of " + counted(comparison.bits.values) +
           " values have other bits\n  first: " + comparison.bits.first;
  }
  const std::string tolerance = format_short(limits.tolerance, 3);
  if (comparison.passed) return both + " agree: every difference is within " + tolerance + " of its observable's scale";
  std::string text = both + " differ:";
  for (const Difference& d : comparison.differences)
    if (!d.within)
      text += "\n  " + d.name + " by " + format_short(d.absolute.worst, 3) + ", allowed: " + tolerance + " x " + format_short(d.scale, 3) + "; member " +
              std::to_string(d.worst_member);
  if (static_cast<double>(comparison.grazing.size()) > limits.grazing * static_cast<double>(comparison.members))
    text += "\n  " + counted(static_cast<std::int64_t>(comparison.grazing.size())) + " of " + counted(comparison.members, "member") +
            " have another contact history, allowed: " + format_short(100 * limits.grazing, 2) + " %";
  return text;
}

ordered_json to_json(const Difference::Spread& spread) { return {{"median", spread.median}, {"high", spread.high}, {"worst", spread.worst}}; }

ordered_json to_json(const Comparison& comparison, const ensemble::CompareLimits& limits, const std::vector<std::string>& backends) {
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
    Progress progress(2 * members, scenario.steps, !options.quiet);
    executor::Watch watch;
    watch.stop = &watch_interrupts();
    watch.finished = [&](std::int64_t finished) { progress.add(finished); };
    ensemble::run_members(scenario, members, a, b, watch);
  }
  const Comparison comparison = ensemble::compare(scenario, a.outcome, b.outcome, limits);

  if (options.json) std::cout << to_json(comparison, limits, backends).dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  if (talk) {
    std::cout << "\n";
    if (!limits.bits) {
      print_differences(comparison, backends);
      std::cout << "\n";
    }
    if (comparison.stopped > 0) std::cout << counted(comparison.stopped, "member") << " stopped, with the same status at the same time\n";
    print_grazing(comparison, limits);
    std::cout << verdict(comparison, limits, backends) << "\n";
  }
  return comparison.passed ? fine : some_stopped;
}

}  // namespace conesweep::app
