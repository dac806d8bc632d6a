#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/numbers.hpp"
#include "app/spelling.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/compare_sides.hpp"
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

using ensemble::Compared;
using ensemble::Comparison;
using ensemble::Difference;
using ensemble::Side;

constexpr std::size_t shown_members = 5;  // of a kind

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

void print_judged(const Compared& compared) {
  const Comparison& comparison = compared.comparison;
  const auto members = [](const auto& items) { return counted(static_cast<std::int64_t>(items.size()), "member"); };
  const auto residual = [&](const auto& items) {
    return "largest residual " + format_short(largest_residual(items), 2) +
           " of the largest velocity, allowed: " + format_short(compared.accepted_residual(), 2);
  };
  if (!comparison.parted.empty()) {
    std::cout << members(comparison.parted) << " parted by rounding; every step of "
              << (comparison.parted.size() == 1 ? "its" : "theirs") << " in " << compared.judged_names()
              << " obeys the laws; left out above\n  (" << residual(comparison.parted) << ")\n";
    print_some(comparison.parted, [](const auto& member) { return member.what; });
  }
  if (!comparison.several.empty()) {
    std::cout << members(comparison.several) << " met steps with several solutions; judged step by step, all that "
              << compared.judged_names() << " found obey the laws; left out above\n  (" << residual(comparison.several)
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

ensemble::CompareRequest to_request(const CompareOptions& options) {
  ensemble::CompareRequest request;
  request.backends = options.backends;
  request.execution = to_execution(options.execution, options.talk);
  request.members_are_asked_for = !options.scenario.members.empty();
  request.tolerance = options.tolerance;
  request.grazing = options.grazing;
  request.judge = options.judge;
  request.bits = options.bits;
  return request;
}

void introduce(const scenario::Scenario& scenario, std::int64_t members, const std::string& sides) {
  std::cout << visible(scenario.title) << "\n"
            << (members < scenario.ensemble.members ? "the first " + counted(members) + " of " : "")
            << counted(scenario.ensemble.members, "member") << ", " << counted(scenario.steps) << " steps of "
            << format_short(scenario.h()) << ", seed " << scenario.ensemble.seed << ": " << sides << "\n"
            << std::flush;
}

void print_compared(const scenario::Scenario& scenario, const Compared& compared) {
  const Comparison& comparison = compared.comparison;
  std::cout << "\n";
  if (!compared.limits.bits) {
    print_differences(comparison, compared.sides);
    std::cout << "\n";
  }
  if (comparison.stopped > 0)
    std::cout << counted(comparison.stopped, "member") << " stopped, with the same status at the same time\n";
  print_judged(compared);
  print_grazing(comparison, compared.limits);
  print_means(comparison);
  print_classes(scenario, comparison);
  std::cout << in_flags(verdict(compared)) << "\n";
}

int compare(const CompareOptions& options) {
  const ensemble::CompareRequest request = to_request(options);
  ensemble::prepare_comparison(request);  // what makes no sense is said before the scenario is read
  const auto [source, scenario] = load(options.scenario, options.talk);
  ensemble::CompareHooks hooks;
  if (options.talk.talks())
    hooks.introduce = [&scenario = scenario](const Side& a, const executor::Model& first, const Side& b,
                                             const executor::Model& second, std::int64_t members) {
      introduce(scenario, members,
                a.name + " (" + first.device() + ") against " + b.name + " (" + second.device() + ")");
    };
  std::unique_ptr<Progress> progress;
  hooks.begins = [&, &scenario = scenario](std::int64_t runs) {
    progress = std::make_unique<Progress>(runs, scenario.steps, for_people(options.talk.quiet));
  };
  hooks.ends = [&] { progress.reset(); };
  hooks.watch = {[&](std::int64_t finished) { progress->add(finished); }, &watch_interrupts()};
  const Compared compared = compare_sides(scenario, request, hooks);
  if (options.talk.json) std::cout << to_json(scenario, compared);
  if (options.talk.talks()) print_compared(scenario, compared);
  return compared.comparison.passed ? fine : some_stopped;
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
