#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "executor/executor.hpp"
#include "executor/reference/contact_law.hpp"

namespace conesweep::executor::reference {

/// A contact that was active at a node.
struct ContactRecord {
  int contact = 0;  // index into scenario.contacts
  Vector n;         // inward normal
  double mu = 0;
  Impulse impulse;
  bool onset = false;   // this contact was not active at the node before
  bool impact = false;  // (O3) an onset faster than ten steps of the present force
};

/// Node i and the step that starts there. At node N no step starts: v and mode are those of step N - 1, there is no contact, and
/// `last` is set.
struct NodeRecord {
  std::int64_t i = 0;
  double t = 0;
  Vector q;
  Vector v_before;  // v_{i-1}
  Vector f;         // force
  Vector w;         // (P1) prospective velocity
  Vector v;         // v_i
  std::optional<ContactRecord> contact;
  Mode mode = Mode::flight;
  double penetration = 0;  // max over contacts of max(0, g) / |grad g|
  bool last = false;
};

/// Lets an observer evaluate a formula of the scenario at the node it is shown.
class NodeExpressions {
 public:
  virtual ~NodeExpressions() = default;
  virtual double value(const expression::Expr& expr) const = 0;
  virtual bool holds(const expression::Expr& expr) const = 0;
};

using NodeVisitor = std::function<void(const NodeRecord&, const NodeExpressions&)>;

struct MemberEnd {
  Status status = Status::ok;
  double time = 0;  // at which it stopped
};

/// Steps one member from its past to the end by Moreau's scheme, (P1) … (P5), and shows every node to `visit`.
/// Throws Interrupted soon after `stop` becomes true.
MemberEnd run_member(const scenario::Scenario& scenario, const std::vector<double>& parameters, const NodeVisitor& visit,
                     const std::atomic<bool>* stop = nullptr);

}  // namespace conesweep::executor::reference
