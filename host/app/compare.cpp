#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/numbers.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/compare.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

struct CompareOptions {
  ScenarioFlags scenario;
  ExecutionFlags execution;
  TalkFlags talk;
  std::string backends = "cpu,reference";
  double tolerance = std::numeric_limits<double>::quiet_NaN();  // by precision
  double grazing = 1;
  std::int64_t judge = 4096;
  bool bits = false;
};

using ensemble::Comparison;
using ensemble::Difference;
using nlohmann::ordered_json;

// the reference executor steps some hundred thousand nodes a second
constexpr std::int64_t members_with_reference = 1000;
constexpr std::size_t shown_members = 5;  // of a kind

// One of the two that are compared: "cpu", "cpu:single".
struct Side {
  std::string name, backend;
  executor::Options options;

  bool is_reference() const { return backend == "reference"; }
  bool is_single() const { return options.precision == executor::Precision::single; }
};

Side read_side(const std::string& name, executor::Options options) {
  const std::size_t colon = name.find(':');
  Side side{name, name.substr(0, colon), std::move(options)};
  if (side.backend == "auto")
    throw InputError("--backends: name the executors themselves: " + join_words(executor::executor_names()));
  if (colon == std::string::npos) return side;
  const std::string precision = name.substr(colon + 1);
  if (precision != "single" && precision != "double")
    throw InputError("--backends: unknown precision '" + precision + "' of '" + name +
                     "'; known: double and single, like " + side.backend + ":single");
  side.options.precision = precision == "single" ? executor::Precision::single : executor::Precision::double_;
  return side;
}

std::vector<Side> read_sides(const CompareOptions& options) {
  const std::string& text = options.backends;
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 == text.size() ||
      text.find(',', comma + 1) != std::string::npos)
    throw InputError("--backends: '" + text + "' should name two executors, like cpu,reference or cpu:single,cpu");
  const executor::Options settings = to_execution(options.execution, options.talk);
  std::vector<Side> both = {read_side(text.substr(0, comma), settings), read_side(text.substr(comma + 1), settings)};
  if (both[0].backend == both[1].backend && both[0].is_single() == both[1].is_single())
    throw InputError("--backends: '" + both[0].name +
                     "' is named twice; compare two different executors, or two precisions (" + both[0].backend +
                     ":single," + both[0].backend + ":double)");
  return both;
}

// Names of those whose steps the reference judges.
std::string judged_names(const std::vector<Side>& sides) {
  std::vector<std::string> names;
  for (const Side& side : sides)
    if (!side.is_reference()) names.push_back(side.name);
  return join_words(names);
}

// All that judging told, and of how many.
struct Judgement {
  std::vector<ensemble::JudgedMember> members;
  std::int64_t differing = 0;
  std::int64_t stride = 1;
};

/// Members that differ, or every so many of them, one side after the other; the reference needs no judge.
Judgement judge(const scenario::Scenario& scenario, const std::vector<Side>& sides,
                const std::vector<const ensemble::Runner*>& runners, const ensemble::CompareLimits& limits,
                std::int64_t most, bool quiet) {
  Judgement judgement;
  const std::vector<std::int64_t> differing =
      ensemble::find_differing(scenario, runners[0]->outcome, runners[1]->outcome, limits);
  judgement.differing = static_cast<std::int64_t>(differing.size());
  if (differing.empty() || most == 0) return judgement;
  judgement.stride = (judgement.differing + most - 1) / most;
  std::vector<std::int64_t> members;
  for (std::size_t k = 0; k < differing.size(); k += static_cast<std::size_t>(judgement.stride))
    members.push_back(differing[k]);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (sides[s].is_reference()) continue;
    const ensemble::Accused accused{sides[s].name, runners[s]->model, members, &runners[s]->outcome, limits.tolerance};
    Progress progress(static_cast<std::int64_t>(members.size()), scenario.steps, for_people(quiet));
    const auto found = ensemble::judge_members(
        scenario, accused, {[&](std::int64_t finished) { progress.add(finished); }, &watch_interrupts()});
    judgement.members.insert(judgement.members.end(), found.begin(), found.end());
  }
  return judgement;
}

void print_differences(const Comparison& comparison, const std::vector<Side>& sides) {
  std::vector<std::vector<std::string>> rows = {{"observable", "scale", "median", "99 %", "worst", "rel. median",
                                                 "rel. 99 %", "rel. worst", "member", sides[0].name, sides[1].name,
                                                 ""}};
  const auto text = [](double x) { return x == 0 ? std::string("0") : format_short(x, 2); };
  for (const Difference& d : comparison.differences) {
    if (d.compared == 0) {
      rows.push_back({d.name, "–", "–", "–", "–", "–", "–", "–", "–", "–", "–", ""});
      continue;
    }
    const bool equal = d.worst_member < 0;
    rows.push_back({d.name, format_short(d.scale, 3), text(d.absolute.median), text(d.absolute.high),
                    text(d.absolute.worst), text(d.relative.median), text(d.relative.high), text(d.relative.worst),
                    equal ? "–" : std::to_string(d.worst_member), equal ? "–" : format_number(d.a),
                    equal ? "–" : format_number(d.b), d.within ? "" : "beyond the tolerance"});
  }
  std::cout << align_columns(rows);
}

// "  member 3: what", a few of them
template <class Item, class Text>
void print_some(const std::vector<Item>& items, const Text& text) {
  for (std::size_t k = 0; k < std::min(items.size(), shown_members); ++k)
    std::cout << "  member " << items[k].member << ": " << text(items[k]) << "\n";
  if (items.size() > shown_members)
    std::cout << "  … and " << counted(static_cast<std::int64_t>(items.size() - shown_members)) << " more\n";
}

void print_grazing(const Comparison& comparison, const ensemble::CompareLimits& limits) {
  if (comparison.grazing.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.grazing.size());
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " has" : " have")
            << " another contact history"
            << (limits.bits ? "" : ", and " + std::string(number == 1 ? "was" : "were") + " not judged") << "\n";
  print_some(comparison.grazing, [](const auto& member) { return member.what; });
}

double largest_residual(const std::vector<ensemble::Parted>& members) {
  double largest = 0;
  for (const auto& member : members) largest = std::max(largest, member.residual);
  return largest;
}

double accepted_residual(const std::vector<Side>& sides) {
  const bool single = sides[0].is_single() || sides[1].is_single();
  return executor::reference::exactness_of(single ? executor::Precision::single : executor::Precision::double_)
      .residual;
}

void print_judged(const Comparison& comparison, const std::vector<Side>& sides) {
  const auto members = [](const auto& items) { return counted(static_cast<std::int64_t>(items.size()), "member"); };
  const auto residual = [&](const auto& items) {
    return "largest residual " + format_short(largest_residual(items), 2) +
           " of the largest velocity, allowed: " + format_short(accepted_residual(sides), 2);
  };
  if (!comparison.parted.empty()) {
    std::cout << members(comparison.parted) << " parted by rounding; every step of "
              << (comparison.parted.size() == 1 ? "its" : "theirs") << " in " << judged_names(sides)
              << " obeys the laws; left out above\n  (" << residual(comparison.parted) << ")\n";
    print_some(comparison.parted, [](const auto& member) { return member.what; });
  }
  if (!comparison.several.empty()) {
    std::cout << members(comparison.several) << " met steps with several solutions; judged step by step, all that "
              << judged_names(sides) << " found obey the laws; left out above\n  (" << residual(comparison.several)
              << ")\n";
    print_some(comparison.several, [](const auto& member) {
      return counted(member.several, "step") + " with several solutions; " + member.what;
    });
  }
}

void print_means(const Comparison& comparison) {
  if (comparison.means.empty()) return;
  const auto most = std::max_element(comparison.means.begin(), comparison.means.end(),
                                     [](const auto& a, const auto& b) { return a.errors < b.errors; });
  if (most->errors == 0)
    std::cout << "means over all members are within the tolerance\n";
  else
    std::cout << "means over all members: furthest apart is " << most->name << ", by " << format_short(most->errors, 2)
              << " standard errors of the difference\n";
}

void print_classes(const scenario::Scenario& scenario, const Comparison& comparison) {
  if (scenario.classes.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.classes.size());
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " is" : " are")
            << " of another class\n";
  print_some(comparison.classes, [](const auto& member) { return member.a + " and " + member.b; });
}

std::string verdict(const Comparison& comparison, const ensemble::CompareLimits& limits, const std::vector<Side>& sides,
                    const Judgement& judgement) {
  const std::string both = sides[0].name + " and " + sides[1].name;
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
  if (judgement.stride > 1)
    text += "\n  " + counted(judgement.differing, "member") + " differ, of which one in " + counted(judgement.stride) +
            " was judged; --judge " + std::to_string(judgement.differing) + " judges all";
  return text;
}

ordered_json to_json(const Difference::Spread& spread) {
  return {{"median", spread.median}, {"high", spread.high}, {"worst", spread.worst}};
}

ordered_json to_json(const scenario::Scenario& scenario, const Comparison& comparison,
                     const ensemble::CompareLimits& limits, const std::vector<Side>& sides,
                     const Judgement& judgement) {
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
    json["residual_allowed"] = accepted_residual(sides);
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
  return json;
}

int compare(const CompareOptions& options) {
  const std::vector<Side> sides = read_sides(options);
  const bool single = sides[0].is_single() || sides[1].is_single();
  ensemble::CompareLimits limits;
  limits.tolerance =
      std::isnan(options.tolerance) ? (single ? ensemble::tolerance_of_single : limits.tolerance) : options.tolerance;
  limits.grazing = 0;  // all are judged
  limits.parted = options.grazing;
  limits.bits = options.bits;
  limits.means = sides[0].is_single() != sides[1].is_single();
  if (!(limits.tolerance >= 0))
    throw InputError("--tolerance: must be at least 0, got " + format_short(limits.tolerance));
  if (!(limits.parted >= 0 && limits.parted <= 1))
    throw InputError("--grazing: is a share of the members, 0 <= share <= 1, got " + format_short(limits.parted));
  const bool talk = options.talk.talks();
  const auto [source, scenario] = load(options.scenario, options.talk);

  // the first thousand members tell as much as all, where the reference is one of the two and no more are asked for
  std::int64_t members = scenario.ensemble.members;
  const bool with_reference = sides[0].is_reference() || sides[1].is_reference();
  if (with_reference && options.scenario.members.empty()) members = std::min(members, members_with_reference);

  std::string reason;
  const auto first = executor::make_model(sides[0].backend, scenario, sides[0].options, reason);
  const auto second = executor::make_model(sides[1].backend, scenario, sides[1].options, reason);
  if (talk)
    std::cout << visible(scenario.title) << "\n"
              << (members < scenario.ensemble.members ? "the first " + counted(members) + " of " : "")
              << counted(scenario.ensemble.members, "member") << ", " << counted(scenario.steps) << " steps of "
              << format_short(scenario.h()) << ", seed " << scenario.ensemble.seed << ": " << sides[0].name << " ("
              << first->device() << ") against " << sides[1].name << " (" << second->device() << ")\n"
              << std::flush;

  ensemble::Runner a{first.get(), {}}, b{second.get(), {}};
  {
    Progress progress(2 * members, scenario.steps, for_people(options.talk.quiet));
    executor::Watch watch;
    watch.stop = &watch_interrupts();
    watch.finished = [&](std::int64_t finished) { progress.add(finished); };
    ensemble::run_members(scenario, members, a, b, watch);
  }
  Judgement judgement;
  if (!limits.bits) judgement = judge(scenario, sides, {&a, &b}, limits, options.judge, options.talk.quiet);
  const Comparison comparison = ensemble::compare(scenario, a.outcome, b.outcome, limits, judgement.members);

  if (options.talk.json)
    std::cout << to_json(scenario, comparison, limits, sides, judgement)
                     .dump(2, ' ', false, ordered_json::error_handler_t::replace)
              << "\n";
  if (talk) {
    std::cout << "\n";
    if (!limits.bits) {
      print_differences(comparison, sides);
      std::cout << "\n";
    }
    if (comparison.stopped > 0)
      std::cout << counted(comparison.stopped, "member") << " stopped, with the same status at the same time\n";
    print_judged(comparison, sides);
    print_grazing(comparison, limits);
    print_means(comparison);
    print_classes(scenario, comparison);
    std::cout << verdict(comparison, limits, sides, judgement) << "\n";
  }
  return comparison.passed ? fine : some_stopped;
}

void declare(Flags& flags, CompareOptions& options) {
  add_scenario(flags, options.scenario);
  flags
      .add("--backends", options.backends,
           "the two executors, A,B; with :single or :double in another precision than --precision", "A,B")
      .shows_default()
      .offers({"cpu,reference", "cpu,cuda", "cuda,reference", "cpu:single,cpu", "cuda:single,cuda",
               "cpu:single,reference"});
  flags.add("--tolerance", options.tolerance,
            "largest |a - b| as a share of the observable's scale over the ensemble [1e-09; in single precision 1e-04]",
            "X");
  flags.add("--grazing", options.grazing, "largest share of members that rounding may part [1]", "SHARE");
  flags.add("--judge", options.judge, {0, most_count},
            "judge at most so many of the members that differ; others count as different [4096]");
  flags.add("--bits", options.bits, "all bits must be equal, of observables, statuses and trajectories");
  add_threads(flags, options.execution);
  add_precision(flags, options.execution);
  add_devices(flags, options.execution);
  add_quiet(flags, options.talk, "print errors only: the exit code tells");
  add_json(flags, options.talk, "print the comparison as JSON");
}

}  // namespace

Command compare_command() {
  return make_command<CompareOptions>(
      {"compare", "run two executors on the same members: do they agree?",
       "  conesweep compare slider.toml --backends cpu,reference\n  conesweep compare slider.toml --backends cpu,cuda "
       "--bits\n"
       "  conesweep compare slider.toml --backends cpu:single,cpu\n"
       "  conesweep compare slider.toml --members 200 --tolerance 1e-10 --grazing 0 --json\n"
       "Members that differ are judged step by step: from every node of theirs, does the step obey the laws (residual "
       "at most 1e-9 of the\n"
       "largest velocity; in single precision 1e-5), and do their observables follow from the nodes? If all do, "
       "rounding parted them, or the\n"
       "laws have several solutions: they are counted, named and left out of the differences. Anything else is named, "
       "and fails.\n"
       "Exit codes: 0 they agree; 1 they differ."},
      declare, compare);
}

}  // namespace conesweep::app
