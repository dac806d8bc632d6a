#include "app/run_terminal.hpp"

#include <iostream>

#include "app/failure.hpp"
#include "app/numbers.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

// "alpha = 0.3, tau = 0.45" of one member
std::string varied_text(const scenario::Scenario& scenario, const std::vector<double>& values) {
  std::string text;
  const auto names = tell::varied_names(scenario);
  for (std::size_t k = 0; k < values.size(); ++k)
    text += (k > 0 ? ", " : "") + names[k] + " = " + format_short(values[k], 4);
  return text.empty() ? text : " (" + text + ")";
}

// Lines for scripts are asked for by --json and --watch together: whoever takes the summary alone sees what people see.
Progress::Style style_of(const EnsembleFlags& flags) {
  if (flags.talk.json && !flags.growth.watch.empty()) return Progress::Style::json;
  return for_people(flags.talk.quiet);
}

}  // namespace

RunTerminal::RunTerminal(const EnsembleFlags& flags, Words words)
    : quiet_(flags.talk.quiet), talks_(flags.talk.talks()), style_(style_of(flags)), words_(std::move(words)) {
  stop = &watch_interrupts();
}

void RunTerminal::introduce(const runs::Run& run) {
  if (!talks_) return;
  const auto& scenario = run.data().scenario;
  const executor::Model& executor = run.model();
  std::cout << visible(scenario.title) << "\n"
            << words_.members(run) << ", " << counted(scenario.steps) << " steps of " << format_short(scenario.h())
            << ", sampler " << to_name(scenario.ensemble.sampler) << ", seed " << scenario.ensemble.seed << "\n"
            << "executor: " << executor.name() << " (" << run.reason() << "), " << executor.device()
            << (executor.threads() > 1 ? ", " + std::to_string(executor.threads()) + " threads" : "")
            << (run.data().precision == "single" ? ", single precision" : "") << "\n";
  if (run.request().ranks() > 1) std::cout << "shared by " << run.request().ranks() << " ranks\n";
  const runs::Plan plan = run.plan();
  std::cout << counted(plan.chunks) << " " << plural(plan.chunks, "chunk")
            << (plan.chunks == 1 ? "" : " of " + counted(run.chunk())) << "; about "
            << format_bytes(static_cast<double>(plan.memory_bytes)) << " of memory, "
            << format_bytes(static_cast<double>(plan.disk_bytes)) << " of disk";
  if (const auto seconds = run.estimate()) std::cout << ", " << format_duration(*seconds) << " in all";
  std::cout << "\n";
  if (run.damaged() > 0)
    std::cout << run.damaged() << (run.damaged() == 1 ? " chunk was" : " chunks were")
              << " not as written, and will be done again\n";
  if (run.kept_members() > 0)
    std::cout << "going on: " << counted(run.kept_members(), "member") << " are there already\n";
  std::cout << std::flush;
}

void RunTerminal::begin_stepping(std::int64_t members, std::int64_t steps) {
  progress_ = std::make_unique<Progress>(members, steps, style_);
  if (latest_) progress_->tell(*latest_);
}

void RunTerminal::estimate(const runs::Estimate& estimate) {
  latest_ = estimate;
  if (progress_ != nullptr) return progress_->tell(estimate);
  if (estimate.members < estimate.of) return;
  // all members were there: nothing will be stepped, and what is known is told at once
  begin_stepping(0, 0);
  end_stepping();
}

// What was watched stays on the terminal, and in a log.
void RunTerminal::end_stepping() {
  progress_.reset();
  if (latest_ && style_ == Progress::Style::people)
    std::cerr << to_text(*latest_) << " over " << counted(latest_->members, "member")
              << (latest_->members < latest_->of ? " of " + counted(latest_->of) : "") << std::endl;
}

void RunTerminal::grow(const runs::Growth& growth) {
  std::string text;
  for (std::size_t k = 0; k < growth.goals.size(); ++k) text += (k > 0 ? ", " : "") + words_.goal(growth, k);
  if (talks_)
    std::cout << counted(growth.members, "member") << ": " << words_.error << " of " << text << "\n" << std::flush;
  if (growth.ended && !growth.reached)
    say(words_.asked + " was not reached with " + counted(growth.members, "member") + "; allow more with --most");
}

void RunTerminal::note(const Sentence& sentence) {
  if (!quiet_) say(sentence);
}

std::filesystem::path out_folder(const EnsembleFlags& flags) {
  if (!flags.target.out.empty()) return flags.target.out;
  const std::filesystem::path name = std::filesystem::path(flags.scenario.file).stem();
  if (name.empty() || name == "." || name == "..")
    throw InputError(flags.scenario.file + " gives no name for the folder of the results; choose one with --out");
  return "runs" / name;
}

runs::Request to_request(const EnsembleFlags& flags, const scenario::Scenario& scenario, team::Team* team) {
  runs::Request request;
  request.folder = out_folder(flags);
  request.force = flags.target.force;
  request.resume = flags.target.resume;
  request.backend = flags.execution.backend;
  request.execution = to_execution(flags.execution, flags.talk, team);
  request.chunk = to_chunk(flags.execution, 0);
  if (!flags.growth.until.empty()) request.goals = runs::parse_goals(flags.growth.until, scenario);
  if (!flags.growth.most.empty()) request.most = to_count("--most", flags.growth.most);
  if (!flags.growth.watch.empty()) {
    if (flags.talk.quiet && !flags.talk.json && !follows(team))
      throw InputError("--watch shows how far a run is and --quiet shows nothing; give one of them");
    request.watched = runs::find_quantity(setting::watch, flags.growth.watch, scenario);
  }
  request.team = team;
  return request;
}

bool print_finished(const EnsembleFlags& flags, const runs::Ended& ended) {
  if (!ended.was_there) return false;
  if (flags.talk.talks()) std::cout << "the run in " << out_folder(flags).string() << " is finished already\n";
  if (flags.talk.json) ended.write_json([](std::string_view piece) { std::cout << piece; });
  return true;
}

void print_status(const scenario::Scenario& scenario, const tell::Summary& summary) {
  std::cout << counted(summary.members, "member") << ", " << counted(summary.members - summary.stopped()) << " ok";
  if (summary.stopped() > 0) std::cout << ", " << counted(summary.stopped()) << " stopped";
  std::cout << "\n";
  for (const auto& entry : summary.status) {
    if (entry.status == executor::Status::ok || entry.members == 0) continue;
    std::cout << "  " << counted(entry.members) << " x " << to_name(entry.status) << ": "
              << advice(entry.status, entry.stop_time) << "\n"
              << "       first: member " << entry.first << " at t = " << format_short(entry.stop_time)
              << (entry.status == executor::Status::not_converged ? ", residual " + format_short(entry.residual, 3)
                                                                  : "")
              << varied_text(scenario, entry.varied) << "\n";
  }
  for (std::size_t k = 0; k < summary.flags.size(); ++k)
    if (summary.flags[k].members > 0)
      std::cout << "  " << counted(summary.flags[k].members) << " x " << scenario::flags[k].name << ": "
                << scenario::flags[k].meaning << "\n";
}

}  // namespace conesweep::app
