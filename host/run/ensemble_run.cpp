#include "run/ensemble_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "keep/classes.hpp"
#include "run/digest_goals.hpp"
#include "run/follow.hpp"
#include "run/run.hpp"
#include "run/spread_run.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace conesweep::runs {
namespace {

// The standard error of a mean as a share of it; NaN: no values yet, or none that differ from 0. Of a class: half the
// width of its interval.
double error_of(const Run& run, const tell::Draws& draws, const Goal& goal,
                const std::vector<executor::Status>& status) {
  if (goal.of_class) return keep::share_interval(run.data().classes, goal.observable, draws.error).half_width();
  const auto column = run.data().observable(goal.observable);
  const auto sums = statistics::merge_blocks(run.engine().block_moments(column, status, 1));
  const auto n = static_cast<double>(sums.count);
  const double error = draws.error ? draws.error(column, status) : std::sqrt(sums.squares / (n - 1) / n);
  return error / std::fabs(sums.mean);
}

std::vector<double> errors_of(const Run& run, const tell::Draws& draws, const std::vector<Goal>& goals) {
  std::vector<double> errors;
  if (run.is_digesting()) {
    const keep::Digest digest = run.digest();
    const tell::DigestErrors of(run.data().scenario);
    for (const Goal& goal : goals) errors.push_back(error_of(digest, of, goal));
    return errors;
  }
  const auto status = run.data().status();
  for (const Goal& goal : goals) errors.push_back(error_of(run, draws, goal, status));
  return errors;
}

// Goes on in blocks until the standard errors of the means are as small as asked for, or there are as many members as
// allowed. Without goals: all at once.
bool produce_members(Run& run, const tell::Draws& draws, std::int64_t most) {
  const auto& scenario = run.data().scenario;
  const auto points = sampling::make_points(scenario);
  // of statistics that are there already nothing can be taken away
  Growth growth{std::max(scenario.ensemble.members, run.begun_members()), run.request().goals, {}, false, false};
  for (;;) {
    run.produce(*points, growth.members);
    if (growth.goals.empty()) break;
    run.classify();
    growth.errors = errors_of(run, draws, growth.goals);
    growth.reached = growth.excess() <= 1;
    growth.ended = growth.reached || growth.members == most;
    run.listener().grow(growth);
    if (growth.ended) return growth.reached;
    growth.members = grow(growth.members, growth.excess(), statistics::block_members, most);
  }
  run.classify();
  return true;
}

// Some members, spread over all, once more at half the step: how far are the means from those of small steps? By
// another executor of the same bits where a device refuses: all members are done, and must not be lost for this.
tell::StepCheck check_steps(const Run& run, const tell::Summary& summary) {
  constexpr std::int64_t most_in_float = 1 << 24;
  const auto& scenario = run.data().scenario;
  const bool in_float = run.request().execution.precision == executor::Precision::single;
  if (!run.request().step_check || (in_float && 2 * scenario.steps > most_in_float)) return {};
  std::vector<tell::MeanEstimate> means;
  for (const auto& [name, s] : summary.observables) means.push_back({s.mean, s.standard_deviation, s.standard_error});
  const auto check_by = [&](const executor::Model& model) {
    const executor::Outcome at_h = run.data().digest() == nullptr
                                       ? run.data().some(tell::spread_members(scenario.ensemble.members))
                                       : run_spread(scenario, 0, model, run.watch());
    return check_step(scenario, at_h, means, model, run.watch(), summary.classes);
  };
  try {
    try {
      return check_by(run.model());
    } catch (const SystemError& error) {
      if (!run.model().traits().on_device) throw;
      run.listener().note("the step is checked on the CPU, with the same result: " + error.sentence());
      std::string reason;
      return check_by(*executor::make_model("cpu", scenario, run.request().execution, reason));
    }
  } catch (const Interrupted&) {
    run.rethrow_interrupted();
  } catch (const std::bad_alloc&) {
    run.listener().note("the step could not be checked: " + no_memory());
    return {};
  } catch (const UserError& error) {
    run.listener().note("the step could not be checked: " + error.sentence());
    return {};
  } catch (const std::exception& error) {
    run.listener().note(std::string("the step could not be checked: ") + error.what());
    return {};
  }
}

// What all members together say.
void sum_up(const Run& run, const tell::Draws& draws, tell::Summary& summary) {
  const scenario::Scenario& scenario = run.data().scenario;
  if (run.data().digest() != nullptr) {
    summary = tell::summarise(run.data(), *run.data().digest());
  } else {
    summary = tell::summarise(run.data(), scenario.sweep.empty() ? draws : tell::Draws{}, run.engine());
    tell::summarise_classes(run.data(), draws, summary);
    summary.sweep = tell::summarise_sweep(run.data(), draws, run.engine());
  }
  tell::summarise_tracks(run.data(), run.engine(), summary);
  summary.steps = check_steps(run, summary);
  // the points of a sweep share their draws: all rows together have no standard error
  for (auto& [name, statistics] : summary.observables)
    if (!scenario.sweep.empty()) statistics.standard_error = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Ended run_ensemble(const scenario::Scenario& scenario, const Request& request, Listener& listener) {
  check_request(request);
  keep::check_digested(scenario);
  if (request.follows()) {
    follow(scenario, request, listener, {}, *sampling::make_points(scenario));
    return {};
  }
  const std::int64_t most = most_members(request, scenario);
  if (auto finished = find_finished(request, scenario, most)) return std::move(*finished);
  Run run(scenario, request, listener);
  listener.introduce(run);
  Ended ended;
  const tell::Draws draws = tell::ensemble_draws(scenario);
  run.follow(draws);
  try {
    ended.reached = produce_members(run, draws, most);
    if (run.is_digesting()) run.settle();
    sum_up(run, draws, ended.summary);
    listener.complete(run.data());
    ended.file = run.finish(ended.summary);
  } catch (const std::bad_alloc&) {
    run.rethrow_without_memory();
  }
  return ended;
}

}  // namespace conesweep::runs
