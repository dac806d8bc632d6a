#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::test {

/// A node as every executor shows it: what its trajectory holds, with every node recorded.
struct SeenNode {
  long i = 0;
  double t = 0;
  Eigen::VectorXd q, v;                          // v_i; at node N v_{N-1}
  Eigen::VectorXd v_before;                      // v_{i-1}; of node 0 not shown: NaN
  executor::Mode mode = executor::Mode::flight;  // at node N that of step N - 1
  bool last = false;

  bool touches() const { return !last && mode != executor::Mode::flight; }
};

struct SeenMember {
  std::vector<SeenNode> nodes;  // 0 … N, or up to where it stopped
  executor::Status status = executor::Status::ok;
  double stop_time = 0;
  std::vector<std::string> names;  // of the observables
  std::vector<double> observables;

  double observed(const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::runtime_error("no observable called " + name);
    return observables[static_cast<std::size_t>(found - names.begin())];
  }
};

/// Runs a member for each row of parameters (all of them, in the order of the file) on an executor, every node
/// recorded.
inline std::vector<SeenMember> see_members(scenario::Scenario scenario, const std::string& backend,
                                           const std::vector<std::vector<double>>& rows) {
  const auto count = rows.size();
  executor::Chunk chunk{{scenario, 0, static_cast<std::int64_t>(count)}, {}, true};
  scenario.record.every = 1;
  scenario.vary.clear();
  for (std::size_t p = 0; p < scenario.names.parameters.size(); ++p) {
    scenario.vary.push_back({static_cast<int>(p), {scenario::DistributionKind::uniform, {0, 1}, {}, {}}, 0, {}});
    chunk.varied.emplace_back();
    for (const auto& row : rows) chunk.varied.back().push_back(row.at(p));
  }
  std::string reason;
  executor::Options options;
  options.threads = 1;
  const executor::Outcome outcome = executor::make_model(backend, scenario, options, reason)->run(scenario, chunk, {});

  const executor::Trajectories& tracks = outcome.trajectories;
  const auto times = static_cast<std::size_t>(tracks.times);
  const auto d = static_cast<Eigen::Index>(scenario.dimension());
  std::vector<SeenMember> members(count);
  for (std::size_t m = 0; m < count; ++m) {
    SeenMember& member = members[m];
    member.status = outcome.status[m];
    member.stop_time = outcome.stop_time[m];
    member.names = observable_names(scenario);
    for (const auto& column : outcome.observables) member.observables.push_back(column[m]);
    Eigen::VectorXd before = Eigen::VectorXd::Constant(d, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < times; ++k) {
      const std::size_t cell = m * times + k;
      if (std::isnan(tracks.columns[0][cell])) break;  // not reached
      SeenNode node;
      node.i = static_cast<long>(k);
      node.t = scenario.time(node.i);
      node.q.resize(d), node.v.resize(d);
      for (Eigen::Index c = 0; c < d; ++c)
        node.q[c] = tracks.columns[static_cast<std::size_t>(c)][cell],
        node.v[c] = tracks.columns[static_cast<std::size_t>(d + c)][cell];
      node.mode = static_cast<executor::Mode>(tracks.mode[cell]);
      node.last = k + 1 == times;
      node.v_before = before;
      before = node.v;
      member.nodes.push_back(std::move(node));
    }
  }
  return members;
}

/// The scenario's own member: parameters as they stand in the file.
inline SeenMember see_member(const scenario::Scenario& scenario, const std::string& backend) {
  return see_members(scenario, backend, {scenario.defaults}).front();
}

}  // namespace conesweep::test
