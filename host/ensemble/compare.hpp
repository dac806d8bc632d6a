#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ensemble/judge.hpp"
#include "executor/executor.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

/// When two outcomes count as the same.
struct CompareLimits {
  /// |a - b| <= tolerance × scale of the observable over the ensemble. 4000 steps round by about 1e-12 of the state,
  /// and the motion amplifies that some hundred times; a law that is wrong shows in the order of the step, 1e-3. 1e-9
  /// lies between the two.
  double tolerance = 1e-9;
  /// Largest share of members that may take another path and are not judged: rounding turns a step that just touches
  /// into one that just does not.
  double grazing = 0.01;
  /// All bits are to be equal instead, of observables, statuses and trajectories.
  bool bits = false;
  /// Largest share of members that rounding may part, judged step by step.
  double parted = 1;
  /// Means over all members are compared, too: what single precision does to members that part must not have a
  /// direction.
  bool means = false;
};

/// Between two precisions, or in single: thousands of steps round by 1e-6 of the state.
inline constexpr double tolerance_of_single = 1e-4;

/// How far apart two columns of numbers are, over the members that took the same path.
struct Difference {
  std::string name;           // of the observable; trajectory.x, trajectory.vx, … of the recorded members
  std::int64_t compared = 0;  // members with a number on both sides
  // what the tolerance is a share of: the largest |a|, |b|, and at least a thousandth of the state's (final, or its
  // variation)
  double scale = 0;
  struct Spread {
    double median = 0, high = 0, worst = 0;  // high: 99 %
  };
  Spread absolute;                 // |a - b|
  Spread relative;                 // |a - b| / max(|a|, |b|)
  std::int64_t worst_member = -1;  // with the largest |a - b|; -1: all are equal
  double a = 0, b = 0;             // its values
  bool within = true;
};

/// A member whose contact history is not the same on both sides.
struct Grazing {
  std::int64_t member = 0;
  std::string what;  // "impacts 3 and 4"
};

/// Values whose bits are not equal.
struct BitDifferences {
  std::int64_t values = 0;  // compared
  std::int64_t differing = 0;
  std::string first;  // "reach of member 17: 0x1.8p+0 and 0x1.8000000000001p+0"; empty: none
};

/// A member whose steps were judged one by one (judge.hpp), and what was found.
struct Parted {
  std::int64_t member = 0;
  std::string what;          // "impacts 3 and 4"
  double residual = 0;       // the largest of all steps
  std::int64_t several = 0;  // steps with several solutions; 0: rounding alone parted them
};
struct WrongStep {
  std::int64_t member = 0;
  std::string what;  // "cpu's step 17 at t = 0.17 is no solution: residual 3e-4, allowed: 1e-9"
};
struct UnjudgedSteps {
  std::int64_t member = 0;
  std::string what;  // "2 steps, the first at t = 0.17: percussions split it"
};

/// A member whose class (S9) is not the same on both sides.
struct OtherClass {
  std::int64_t member = 0;
  std::string a, b;  // the two classes
};

/// Means of an observable over all members that have it on both sides.
struct MeanDifference {
  std::string name;
  double a = 0, b = 0;
  double errors = 0;  // |a - b| in standard errors of the difference, which is that of the same members
  bool within = true;
};

struct Comparison {
  std::int64_t members = 0;
  std::int64_t stopped = 0;             // with the same status at the same node on both sides
  std::vector<Difference> differences;  // in the order of the observables; empty when bits were asked for
  std::vector<Grazing> grazing;         // by member; that nobody judged
  // every step of theirs obeys the laws, and rounding parted them; left out of the differences
  std::vector<Parted> parted;
  std::vector<Parted> several;  // the same, and where they part the laws have several solutions
  // by a step that is no solution, or observables that do not follow; left out of the differences
  std::vector<WrongStep> wrong;
  std::vector<UnjudgedSteps> unjudged;  // by steps that could not be judged; left out of the differences
  std::vector<OtherClass> classes;      // members of another class on either side, those that are left out above too
  std::vector<MeanDifference> means;    // where they were asked for
  BitDifferences bits;                  // when bits were asked for
  bool passed = true;
};

/// Compares member by member.
///
/// Nonsmooth motions that differ by a rounding error may part at a step that just touches a wall, sticks or not, or
/// crosses a threshold of the user's, and chaotic ones part anyway. Such a member is judged by itself: `judged` has
/// those of whom every step was judged. If all obey the laws it is counted, named, and left out of the differences;
/// whatever else was found makes the comparison fail. Members that differ and were not judged are grazing if their
/// contact histories differ, and else among the differences. A contact history is the status and the node it stopped
/// at, impacts, the times of the first contact, of stick, slip and flight, the user's first_time, last_time and count,
/// which values are NaN, and the modes of recorded members.
///
/// A step that one side could not solve (not_converged) and the other could is a difference.
Comparison compare(const scenario::Scenario& scenario, const executor::Outcome& a, const executor::Outcome& b,
                   const CompareLimits& limits, const std::vector<JudgedMember>& judged = {});

/// Members whose class is another one, of a scenario that has classes. They are counted and named: a threshold of the
/// user's may lie on a value, and what may differ is judged by the numbers themselves.
std::vector<OtherClass> compare_classes(const scenario::Scenario& scenario, const executor::Outcome& a,
                                        const executor::Outcome& b);

/// Members whose history differs, or whose numbers do beyond the tolerance.
std::vector<std::int64_t> find_differing(const scenario::Scenario& scenario, const executor::Outcome& a,
                                         const executor::Outcome& b, const CompareLimits& limits);

/// Runs the first `members` of the ensemble, one executor after the other on the same parameters, and compares.
struct Runner {
  const executor::Model* model;
  executor::Outcome outcome;
};
void run_members(const scenario::Scenario& scenario, std::int64_t members, Runner& a, Runner& b,
                 const executor::Watch& watch);

}  // namespace conesweep::ensemble
