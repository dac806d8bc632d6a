#include "run/ensemble_run.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "run/run.hpp"
#include "run/spread_run.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace conesweep::runs {
namespace {

// Goes on in blocks until the standard errors of the means are as small as asked for, or there are as many members as
// allowed. Without goals: all at once.
bool produce_members(Run& run, const Task& task, const tell::Draws& draws) {
  // of statistics that are there already nothing can be taken away
  Growth growth{std::max(task.scenario.ensemble.members, run.begun_members()), run.request().goals, {}, false, false};
  for (;;) {
    run.produce(task.points, growth.members);
    if (growth.goals.empty()) return true;
    growth.errors = run.kept().errors(growth.goals, draws, run.engine());
    growth.reached = growth.excess() <= 1;
    growth.ended = growth.reached || growth.members == task.most;
    run.listener().grow(growth);
    if (growth.ended) return growth.reached;
    growth.members = grow(growth.members, growth.excess(), statistics::block_members, task.most);
  }
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
    return check_step(scenario, run.kept().spread(model, run.watch()), {means, summary.classes}, model, run.watch());
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
  summary = run.kept().sum_up(draws, run.engine());
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
  const auto points = sampling::make_points(scenario);
  const Task task{scenario, *points, {}, most_members(request, scenario)};
  return carry_out(task, request, listener, [&](Run& run, Ended& ended) {
    const tell::Draws draws = tell::ensemble_draws(scenario);
    run.follow(draws);
    ended.reached = produce_members(run, task, draws);
    sum_up(run, draws, ended.summary);
  });
}

}  // namespace conesweep::runs
