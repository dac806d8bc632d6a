#pragma once

#include <functional>
#include <vector>

#include "executor/reference/present.hpp"
#include "executor/reference/record.hpp"

namespace conesweep::executor::reference {

using NodeVisitor = std::function<void(const NodeRecord&, const NodeExpressions&)>;

struct MemberEnd {
  Status status = Status::ok;
  double time = 0;         // at which it stopped
  std::uint8_t flags = 0;  // of the whole way
  double residual = 0;     // of the step at which it stopped
};

/// Steps one member from its past to the end by Moreau's scheme, (P1) … (P5), with several laws at once by (B1) … (B6),
/// and shows every node to `visit`. Throws Interrupted soon after `stop` becomes true.
MemberEnd run_member(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                     const NodeVisitor& visit, const std::atomic<bool>* stop = nullptr);

}  // namespace conesweep::executor::reference
