#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/comparison_text.hpp"
#include "app/flag_groups.hpp"
#include "app/numbers.hpp"
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
using nlohmann::ordered_json;

// the reference executor steps some hundred thousand nodes a second
constexpr std::int64_t members_with_reference = 1000;

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

/// Members that differ, or every so many of them, one side after the other; the reference needs no judge.
Judgements judge(const scenario::Scenario& scenario, const std::vector<Side>& sides,
                 const std::vector<const ensemble::Runner*>& runners, const ensemble::CompareLimits& limits,
                 const CompareOptions& options) {
  Judgements judgement;
  const std::vector<std::int64_t> differing =
      ensemble::find_differing(scenario, runners[0]->outcome, runners[1]->outcome, limits);
  judgement.differing = static_cast<std::int64_t>(differing.size());
  const std::int64_t most = options.judge;
  if (differing.empty() || most == 0) return judgement;
  judgement.stride = (judgement.differing + most - 1) / most;
  std::vector<std::int64_t> members;
  for (std::size_t k = 0; k < differing.size(); k += static_cast<std::size_t>(judgement.stride))
    members.push_back(differing[k]);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (sides[s].is_reference()) continue;
    const ensemble::Accused accused{sides[s].name, runners[s]->model, members, &runners[s]->outcome, limits.tolerance};
    Progress progress(static_cast<std::int64_t>(members.size()), scenario.steps, for_people(options.talk.quiet));
    const auto found = ensemble::judge_members(
        scenario, accused, {[&](std::int64_t finished) { progress.add(finished); }, &watch_interrupts()});
    judgement.members.insert(judgement.members.end(), found.begin(), found.end());
  }
  return judgement;
}

ensemble::CompareLimits read_limits(const CompareOptions& options, const std::vector<Side>& sides) {
  ensemble::CompareLimits limits;
  const bool single = sides[0].is_single() || sides[1].is_single();
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
  return limits;
}

int compare(const CompareOptions& options) {
  const std::vector<Side> sides = read_sides(options);
  const ensemble::CompareLimits limits = read_limits(options, sides);
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
  Judgements judgements;
  if (!limits.bits) judgements = judge(scenario, sides, {&a, &b}, limits, options);
  const Comparison comparison = ensemble::compare(scenario, a.outcome, b.outcome, limits, judgements.members);

  const ComparisonText text{scenario, comparison, limits, sides, judgements};
  if (options.talk.json)
    std::cout << text.to_json().dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  if (talk) text.print();
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
