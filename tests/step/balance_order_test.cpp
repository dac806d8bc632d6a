// (O6) The energy balance where the mass depends on the coordinates: it holds up to the step. Every sample with such a
// mass, its own members as jittered data.
#include <Eigen/Core>

#include "executor/reference/member.hpp"
#include "expression/still_world.hpp"
#include "sampling/sampler.hpp"
#include "step/stepped_answers.hpp"
#include "support/constant_mass.hpp"

namespace conesweep::test {
namespace {

namespace fs = std::filesystem;
using scenario::Scenario;

class BalanceOrder : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(BalanceOrder);

/// ½ v M(q) v
double kinetic(const Scenario& scenario, const std::vector<double>& parameters, const std::vector<double>& q,
               const Eigen::VectorXd& v) {
  const std::size_t d = q.size();
  const auto entry = [&](std::size_t at) {
    return expression::evaluate<double>(scenario.mass[at].tree, expression::StillWorld<double>{parameters, q});
  };
  double twice = 0;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      if (scenario.mass.size() == d && i != j) continue;
      twice += v[static_cast<Eigen::Index>(i)] * entry(scenario.mass.size() == d ? i : i * d + j) *
               v[static_cast<Eigen::Index>(j)];
    }
  return twice / 2;
}

/// Before the first step, from the reference, which shows the velocity before node 0.
double kinetic_before(const Scenario& scenario, const std::vector<double>& parameters) {
  Scenario free = scenario;
  free.contacts.clear(), free.bilaterals.clear(), free.resistances.clear(), free.observables.clear(),
      free.standard.clear();
  free.steps = 1;
  double before = std::nan("");
  executor::reference::run_member(free, parameters, [&](const executor::reference::NodeRecord& node, const auto&) {
    if (node.i == 0) before = kinetic(scenario, parameters, {node.q.begin(), node.q.end()}, node.v_before);
  });
  return before;
}

/// K_N - K_0 - (work - dissipated + drive_work) of every member that comes to its end, of the energies that it has to
/// do with.
std::vector<Row> find_defects(const scenario::Source& source, const std::string& backend, double end, long steps) {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  Scenario scenario = *scenario::examine(source, overrides).scenario;
  scenario.standard = {scenario::Standard::dissipated, scenario::Standard::work, scenario::Standard::drive_work};
  scenario.record = {};
  const io::Results results = run_scenario(scenario, backend);
  std::vector<Row> defects;
  for (std::size_t m = 0; m < results.outcome.status.size(); ++m) {
    if (results.outcome.status[m] != executor::Status::ok) continue;
    auto parameters = scenario.defaults;
    for (std::size_t k = 0; k < scenario.vary.size(); ++k)
      parameters[static_cast<std::size_t>(scenario.vary[k].parameter)] = results.parameters[k][m];
    std::vector<double> q;
    Eigen::VectorXd v(static_cast<Eigen::Index>(scenario.dimension()));
    for (const std::string& name : scenario.names.coordinates) {
      v[static_cast<Eigen::Index>(q.size())] = column(results, "final.v" + name)[m];
      q.push_back(column(results, "final." + name)[m]);
    }
    const double work = column(results, "work")[m], lost = column(results, "dissipated")[m],
                 driven = column(results, "drive_work")[m];
    const double before = kinetic_before(scenario, parameters), after = kinetic(scenario, parameters, q, v);
    defects.push_back({(after - before - (work - lost + driven)) /
                       (before + after + std::fabs(work) + std::fabs(lost) + std::fabs(driven))});
  }
  return defects;
}

TEST_P(BalanceOrder, IsOneWhereTheMassDependsOnThePlace) {
  std::vector<std::string> seen;
  for (const auto& file : fs::directory_iterator(samples_folder)) {
    if (file.path().extension() != ".toml") continue;
    const std::string name = file.path().stem().string();
    const scenario::Source source = scenario::load_source(file.path());
    const Scenario scenario = *scenario::examine(source, {}).scenario;
    if (find_constant_mass(scenario, scenario.defaults)) continue;
    seen.push_back(name);
    const double end = std::min(scenario.end, 2.0);
    const auto orders =
        oracle::observe_order("balance of " + name + " on " + backend(), {"defect"}, end,
                              oracle::step_ladder(backend() == "reference" ? 100 : 200), [&](long steps) {
                                const std::vector<Row> defects = find_defects(source, backend(), end, steps);
                                EXPECT_GE(defects.size(), 7u) << name;
                                return defects;
                              });
    EXPECT_GE(orders.front().order, 0.9) << name;
    EXPECT_LE(orders.front().mean_error.back(), 0.05) << name;
  }
  EXPECT_GE(seen.size(), 5u);
}

}  // namespace
}  // namespace conesweep::test
