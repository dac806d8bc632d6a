#pragma once

#include <vector>

#include "executor/reference/member.hpp"

namespace conesweep::oracle {

/// Every node of one member, kept for a test to look at.
struct KeptNodes {
  std::vector<executor::reference::NodeRecord> nodes;  // 0 … N, or up to where it stopped
  executor::reference::MemberEnd end;
};

inline KeptNodes keep_nodes(const scenario::Scenario& scenario, const std::vector<double>& parameters) {
  KeptNodes kept;
  kept.end = executor::reference::run_member(scenario, parameters, [&](const auto& node, const auto&) { kept.nodes.push_back(node); });
  return kept;
}

inline KeptNodes keep_nodes(const scenario::Scenario& scenario) { return keep_nodes(scenario, scenario.defaults); }

}  // namespace conesweep::oracle
