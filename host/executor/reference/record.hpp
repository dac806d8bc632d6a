#pragma once

#include <limits>
#include <vector>

#include "executor/executor.hpp"
#include "executor/reference/motion.hpp"

namespace conesweep::executor::reference {

/// A contact that was active at a node. Velocities are relative to the wall.
struct ContactRecord {
  int contact = 0;  // index into scenario.contacts
  double mu = 0;
  double w_n = 0;      // normal velocity before it acted: after forces, firm rows and resistances alone
  double v_n = 0;      // normal velocity after
  double r_n = 0;      // normal impulse
  double pressed = 0;  // beyond the least that it could be: r_n and the preload (H2)
  double slip = 0;     // sliding speed after; of one contact alone exactly 0 when it sticks
  Mode mode = Mode::slip;
  double arrival = std::numeric_limits<double>::quiet_NaN();  // when it first acted, where that was between nodes (I)
  bool onset = false;                                         // this contact was not active at the node before
  // (O3) an onset faster than ten steps of the present force
  bool impact = false;
};

/// What a step adds to the sums of (O6) and (O7).
struct Balance {
  double variation = 0;                                       // |v_i - v_{i-1}|_M, impacts on the way apart
  double work = 0;                                            // h f·v̄
  double dissipated = 0;                                      // -λ·(A v̄ - c)
  double drive_work = 0;                                      // λ·c
  double gained = 0;                                          // r·(A v̄ - c) of the contacts, where it is positive
  double painleve = std::numeric_limits<double>::infinity();  // least 1 - μ|W_nt|/W_nn of active contacts
};

/// How laws were solved that acted together.
struct JointSolve {
  int passes = 0;       // over the sets of resistances (B4); 0: nothing was solved together
  double residual = 0;  // (B7)
  int pivots = 0;       // of Lemke's method
};

/// (T2) At a node at which all persistent contacts persist; else infinite.
struct Certificates {
  double exact = std::numeric_limits<double>::infinity();
  double paper = std::numeric_limits<double>::infinity();
};

/// What the pieces of a step of second order did (A14).
struct Pieces {
  double stick = 0, slip = 0;                              // for how long everything closed stuck, something slipped
  int impacts = 0;                                         // atoms that are impacts (O3), contact by contact
  double first = std::numeric_limits<double>::infinity();  // when something was in contact first
};

/// Node i and the step that starts there. At node N no step starts: v and mode are those of step N - 1, there is no
/// contact, and `last` is set.
struct NodeRecord {
  std::int64_t i = 0;
  double t = 0;
  Vector q;
  Vector v_before;                      // v_{i-1}
  Vector f;                             // force
  Vector w;                             // (P1), (B1) prospective velocity
  Vector v;                             // v_i
  std::vector<ContactRecord> contacts;  // that are active, in file order
  std::vector<ContactRecord> opened;    // those that pulled, and opened
  std::vector<Mode> guides;             // of each
  std::vector<Mode> resistances;        // of each
  JointSolve joint;                     // of all stretches of the step
  Balance balance;
  Certificates certificates;
  std::vector<double> lost;  // (T) when each contact was lost; NaN: it was not
  Mode mode = Mode::flight;
  double penetration = 0;  // (O7)
  bool last = false;
  Pieces pieces;         // at order two
  bool between = false;  // no node, but what the step from node i meets on its way: q there, v before or after it

  /// The state as the table of it has it (expression/states.hpp), with the velocities after the step.
  std::vector<double> state() const {
    std::vector<double> all(q.begin(), q.end());
    all.insert(all.end(), v.begin(), v.end());
    return all;
  }
};

}  // namespace conesweep::executor::reference
