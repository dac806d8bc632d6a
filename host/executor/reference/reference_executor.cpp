#include "executor/reference/reference_executor.hpp"

#include "executor/reference/observers.hpp"
#include "support/error.hpp"
#include "support/workers.hpp"

namespace conesweep::executor::reference {
namespace {

// One member's way from its parameters to its place in the outcome.
class MemberTask {
 public:
  MemberTask(const scenario::Scenario& scenario, const std::vector<int>& columns, const Chunk& chunk, Outcome& outcome,
             const Watch& watch)
      : scenario_(scenario), columns_(columns), chunk_(chunk), outcome_(outcome), watch_(watch) {}

  void run(std::int64_t m) const {
    const auto at = static_cast<std::size_t>(m);
    std::vector<double> varied;
    for (const auto& column : chunk_.varied) varied.push_back(column[at]);
    const std::vector<double> parameters = member_parameters(scenario_, columns_, varied);

    Observers observers(scenario_, parameters);
    const bool recorded = m < outcome_.trajectories.members;
    const auto see = [&](const NodeRecord& node, const NodeExpressions& expressions) {
      observers.see(node, expressions);
      if (recorded && !node.between && node.i % scenario_.record.every == 0) record(m, node);
    };
    const MemberEnd end = run_member(scenario_, parameters, see, watch_.stop);

    outcome_.status[at] = end.status;
    if (end.status != Status::ok) {
      outcome_.stop_time[at] = end.time;
      if (end.status == Status::not_converged) outcome_.residual[at] = end.residual;
      return;
    }
    outcome_.flags[at] = end.flags;
    const std::vector<double> values = observers.values();
    for (std::size_t k = 0; k < values.size(); ++k) outcome_.observables[k][at] = values[k];
  }

 private:
  void record(std::int64_t m, const NodeRecord& node) const {
    Trajectories& trajectories = outcome_.trajectories;
    const auto at = static_cast<std::size_t>(m * trajectories.times + node.i / scenario_.record.every);
    const std::vector<double> state = node.state();
    for (std::size_t c = 0; c < state.size(); ++c) trajectories.columns[c][at] = state[c];
    trajectories.mode[at] = static_cast<std::uint8_t>(node.mode);
  }

  const scenario::Scenario& scenario_;
  const std::vector<int>& columns_;
  const Chunk& chunk_;
  Outcome& outcome_;
  const Watch& watch_;
};

}  // namespace

ReferenceExecutor::ReferenceExecutor(const scenario::Problem& problem, const std::vector<int>& columns,
                                     const Options& options)
    : problem_(problem), columns_(columns), threads_(count_threads(options.threads)) {}

Outcome ReferenceExecutor::run(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch) const {
  CS_ASSERT(chunk.varied.size() == columns_.size());
  Outcome outcome = make_outcome(OutcomeShape(problem_), setup, chunk);
  const scenario::Scenario scenario{problem_, setup, {}};
  const MemberTask task(scenario, columns_, chunk, outcome, watch);

  // each member writes to its own place
  workers_->share(chunk.count(), threads_, [&](std::int64_t m) {
    task.run(m);
    watch.finished(1);
  });
  return outcome;
}

}  // namespace conesweep::executor::reference
