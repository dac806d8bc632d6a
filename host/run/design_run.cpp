#include "run/design_run.hpp"

#include <string>
#include <vector>

#include "keep/classes.hpp"
#include "run/run.hpp"
#include "statistics/part_error.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/stopped.hpp"

namespace conesweep::runs {
namespace {

// What sensitivities are of. An observable has no value for members that stopped; which class a member is of, and
// whether it stopped, all have.
class RowColumns {
 public:
  explicit RowColumns(const Run& run)
      : run_(run),
        status_(run.data().status()),
        all_ok_(status_.size(), executor::Status::ok),
        observables_(observable_names(run.data().scenario).size()) {
    for (const auto& name : observable_names(run.data().scenario)) names_.push_back(name);
    for (const auto& one : run.data().scenario.classes) names_.push_back(scenario::class_row(one.name));
    if (status_ != all_ok_) names_.emplace_back(tell::stopped_row);
  }

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<executor::Status>& status() const { return status_; }
  std::size_t row_of(const Goal& goal) const {
    return goal.of_class ? observables_ + goal.observable : goal.observable;
  }

  /// Hands values and statuses of a row to `sums`.
  template <class Sums>
  void add(std::size_t row, Sums& sums) const {
    if (row < observables_)
      sums.add(run_.data().observable(row), status_);
    else if (row < observables_ + run_.data().scenario.classes.size())
      sums.add(keep::mark_class(run_.data().classes, row - observables_), all_ok_);
    else
      sums.add(tell::mark_stopped(status_), all_ok_);
  }

 private:
  const Run& run_;
  std::vector<executor::Status> status_, all_ok_;
  std::size_t observables_;
  std::vector<std::string> names_;
};

// All but the sensitivities: statistics, the names of the rows, and where members stopped.
RowColumns sum_up_design(const Run& run, const tell::Draws& draws, tell::Summary& summary) {
  summary = tell::summarise(run.data(), draws, run.engine());
  tell::summarise_classes(run.data(), draws, summary);
  RowColumns rows(run);
  summary.rows = rows.names();
  summary.stopped_where =
      tell::locate_stopped(summary.parameters, rows.status(), [&](std::size_t v) { return run.data().parameter(v); });
  return rows;
}

sensitivity::SobolIndices estimate(const Run& run, const sensitivity::SaltelliLayout& layout, int parts,
                                   std::size_t row, const RowColumns& rows) {
  sensitivity::SobolSums sums(layout, parts);
  rows.add(row, sums);
  return sums.indices(tell::varied_names(run.data().scenario), run.data().scenario.ensemble.seed);
}

// Goes on in whole units until no interval reaches further than asked for, or there are as many members as allowed.
// Without goals: all at once.
bool produce_bases(Run& run, const sensitivity::SaltelliPoints& points, int parts, std::int64_t most) {
  const std::int64_t unit = points.layout().members(parts);
  Growth growth{run.data().scenario.ensemble.members, run.request().goals, {}, false, false};
  for (;;) {
    run.produce(points, growth.members);
    if (growth.goals.empty()) return true;
    const RowColumns rows(run);
    growth.errors.clear();
    for (const Goal& goal : growth.goals)
      growth.errors.push_back(widest_interval(estimate(run, points.layout(), parts, rows.row_of(goal), rows)));
    growth.reached = growth.excess() <= 1;
    const std::int64_t next = grow(growth.members, growth.excess(), unit, most);
    growth.ended = growth.reached || next <= growth.members;
    run.listener().grow(growth);
    if (growth.ended) return growth.reached;
    growth.members = next;
  }
}

// The independent members of a Saltelli design. Both points of a base are drawn together where the sampler has parts. A
// hypercube of bases is taken as independent members, which makes its errors too large.
tell::Draws saltelli_draws(const sensitivity::SaltelliLayout& layout, int parts) {
  tell::Draws draws{[layout](std::int64_t member) { return layout.is_independent(member); }, {}, true};
  if (parts > 1)
    draws.error = [parts](auto values, auto status) { return statistics::error_by_parts(values, status, {2, parts}); };
  return draws;
}

// All members of a screening design, which is no sample; those of a trajectory depend on each other.
tell::Draws morris_draws(std::int64_t members_a_trajectory) {
  return {{},
          [together = members_a_trajectory](auto values, auto status) {
            return statistics::error_by_parts(values, status, {together, 0});
          },
          false};
}

}  // namespace

void check_design(const scenario::Scenario& scenario) {
  if (!keeps_members(scenario))
    throw InputError(
        "[ensemble] keep = \"statistics\": the indices of a design are made of its members, one by one; take it out, "
        "or say keep = \"members\"");
  if (!scenario.sweep.empty())
    throw InputError(
        "[sweep]: a design is about one ensemble; take one point with " +
        setting::set(scenario.names.parameters[static_cast<std::size_t>(scenario.sweep.front().parameter)] + "=…") +
        ", or move the parameter to [vary]");
  if (scenario.vary.empty())
    throw InputError("nothing varies: [vary] is empty, so there is nothing to be sensitive to");
  if (scenario.ensemble.sampler == scenario::Sampler::grid)
    throw InputError("sampler 'grid': a design needs points of its own; use random, latin or sobol");
  if (!scenario.correlation.empty())
    throw InputError(
        "[correlation]: the indices of a design are those of independent parameters; take it out, or look at the rank "
        "correlations of a run (conesweep "
        "sensitivity FOLDER)");
  for (const auto& variation : scenario.vary)
    if (variation.distribution.kind == scenario::DistributionKind::table)
      throw InputError("'" + scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] +
                       "' comes from a table, whose rows cannot be mixed by a design; give it a distribution, or look "
                       "at the rank correlations of a run "
                       "(conesweep sensitivity FOLDER)");
}

Ended run_sobol(scenario::Scenario scenario, const Request& request, Listener& listener, bool second_order) {
  check_design(scenario);
  check_request(request);
  const std::size_t parameters = scenario.vary.size();
  const sensitivity::SaltelliLayout layout{parameters, second_order};
  const int parts = sensitivity::advised_parts(scenario.ensemble.sampler);
  const std::int64_t unit = layout.members(parts);
  const std::int64_t asked = scenario.ensemble.members;
  if (asked < 2 * unit)
    throw InputError(about(setting::members) + counted(asked) + " model runs are too few for " +
                     std::to_string(parameters) + " parameters; at least " + std::to_string(2 * unit) +
                     " are needed, and " + std::to_string(unit / parts * 1024) + " are a good beginning");
  const std::int64_t bases = asked / unit * parts;
  const std::int64_t most = most_members(request, scenario) / unit * unit;
  scenario.ensemble.members = layout.members(bases);

  const tell::Design design{"saltelli", second_order ? "saltelli, second order" : "saltelli", layout.rows(), 0};
  // points of a Latin hypercube count bases
  scenario::Scenario base_scenario = scenario;
  base_scenario.ensemble.members = bases;
  const sensitivity::SaltelliPoints points(sensitivity::make_base_points(base_scenario, parts), layout);
  return carry_out({scenario, points, design, most}, request, listener, [&](Run& run, Ended& ended) {
    const tell::Draws draws = saltelli_draws(layout, parts);
    run.follow(draws);
    ended.reached = produce_bases(run, points, parts, most);
    const RowColumns rows = sum_up_design(run, draws, ended.summary);
    for (std::size_t row = 0; row < rows.names().size(); ++row)
      ended.summary.sobol.push_back(estimate(run, layout, parts, row, rows));
  });
}

void check_morris(const Request& request, bool second_order) {
  if (!request.goals.empty() || request.most || second_order)
    throw InputError(setting::until + ", " + setting::most + " and " + setting::second_order + " belong to " +
                     setting::method("sobol"));
}

Ended run_morris(scenario::Scenario scenario, const Request& request, Listener& listener, int levels) {
  check_design(scenario);
  check_request(request);
  const auto parameters = tell::varied_names(scenario);
  const sensitivity::MorrisPoints points(scenario.ensemble.seed, sensitivity::bounded_axes(scenario), levels);
  const std::int64_t trajectories = scenario.ensemble.members / points.rows();
  if (trajectories < 2)
    throw InputError(about(setting::members) + "at least " + std::to_string(points.members(2)) +
                     " model runs are needed for " + std::to_string(parameters.size()) + " parameters; " +
                     std::to_string(points.members(20)) + " are a good beginning");
  scenario.ensemble.members = points.members(trajectories);

  const tell::Design design{"morris", "morris, " + std::to_string(levels) + " levels", points.rows(), levels};
  const Task task{scenario, points, design, scenario.ensemble.members};
  return carry_out(task, request, listener, [&](Run& run, Ended& ended) {
    const tell::Draws draws = morris_draws(points.rows());
    run.follow(draws);
    run.produce(points, scenario.ensemble.members);
    const RowColumns rows = sum_up_design(run, draws, ended.summary);
    for (std::size_t row = 0; row < rows.names().size(); ++row) {
      sensitivity::MorrisSums sums(points);
      rows.add(row, sums);
      ended.summary.morris.push_back(sums.effects(parameters));
    }
  });
}

}  // namespace conesweep::runs
