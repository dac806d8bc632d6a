// (B10) What the coupled step keeps, seen from outside: thousands of random systems as members of a few scenarios, on
// every executor. The impulses of a step are found again from its velocities, since rows are independent; laws,
// projections and energies are written out here and share nothing with any executor.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/differences.hpp"
#include "oracle/law_check.hpp"
#include "oracle/nonnegative.hpp"
#include "step/drawn_system.hpp"
#include "support/dense.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

using executor::Status;
using oracle::Differences;

class CoupledProperties : public OnExecutor {
 protected:
  int systems() const { return std::getenv("CONESWEEP_ALL") != nullptr ? 5000 : backend() == "cuda" ? 60 : 400; }

  std::vector<SeenMember> see(const SystemFamily& family, const std::vector<DrawnSystem>& systems) const {
    std::vector<std::vector<double>> rows;
    for (const DrawnSystem& system : systems) rows.push_back(family.row(system));
    return see_members(parse_scenario(family.text()), backend(), rows);
  }

  /// All systems of a shape, and each of their steps to `look(system, step, where)`.
  template <class Look>
  std::vector<SeenMember> for_each_step(const SystemShape& shape, int steps, const Look& look) const;
};
ON_EVERY_EXECUTOR(CoupledProperties);

/// A step as it was seen, with what its laws say: velocities and impulses of the blocks that take part.
struct SeenStep {
  double t = 0;
  Vector q, before, w, v;
  std::vector<int> touching;           // contacts
  std::vector<Vector> r, u, u_before;  // of these, then of all resistances
  std::vector<Matrix> delassus;        // a block's own part of W, firm rows eliminated
  bool clear = true;                   // no contact within rounding of touching or not
  double missed = 0;                   // of M(v - w) no impulse explains
  double miss_firm = 0;                // of the firm rows
};

SeenStep make_step(const DrawnSystem& s, const SeenNode& node, const Vector& before) {
  SeenStep step;
  step.t = node.t, step.q = node.q, step.before = before, step.v = node.v;
  step.w = before + SystemFamily::h * test::solve(s.mass, s.force);
  std::vector<const DrawnSystem::Block*> blocks;
  for (std::size_t p = 0; p < s.contacts.size(); ++p) {
    const auto& contact = s.contacts[p];
    const double gap = (contact.rows.row(0).dot(node.q) - contact.drive[0] * node.t) / contact.rows.row(0).norm(),
                 tolerance = 1e-12 * (1 + node.q.norm());
    if (std::fabs(std::fabs(gap) - tolerance) < 0.9 * tolerance && node.i > 0) step.clear = false;
    if (gap > tolerance) continue;
    step.touching.push_back(static_cast<int>(p));
    blocks.push_back(&contact);
  }
  for (const auto& resistance : s.resistances) blocks.push_back(&resistance);
  Eigen::Index count = s.firm.rows(), at = count;
  for (const auto* block : blocks) count += block->rows.rows();
  Matrix rows(count, node.q.size());
  rows.topRows(at) = s.firm;
  for (const auto* block : blocks) rows.middleRows(at, block->rows.rows()) = block->rows, at += block->rows.rows();
  const Vector change = s.mass * (node.v - step.w);
  const Vector lambda = count == 0 ? Vector(0) : test::solve_least_squares(rows.transpose(), change);
  step.missed = (change - rows.transpose() * lambda).norm();
  step.miss_firm = s.firm.rows() == 0
                       ? 0
                       : (s.firm * node.v - s.firm_drive * (1 + node.t + SystemFamily::h)).lpNorm<Eigen::Infinity>();
  Matrix inverse = test::inverse(s.mass);
  if (s.firm.rows() > 0) {
    const Matrix b = s.firm * inverse;
    inverse -= b.transpose() * test::solve(s.firm * b.transpose(), b);
  }
  at = s.firm.rows();
  for (const auto* block : blocks) {
    step.r.push_back(lambda.segment(at, block->rows.rows()));
    step.u.push_back(block->rows * node.v - block->drive);
    step.u_before.push_back(block->rows * before - block->drive);
    step.delassus.push_back(block->rows * inverse * block->rows.transpose());
    at += block->rows.rows();
  }
  return step;
}

template <class Look>
std::vector<SeenMember> CoupledProperties::for_each_step(const SystemShape& shape, int steps, const Look& look) const {
  const SystemFamily family(shape, steps);
  std::vector<DrawnSystem> drawn;
  for (int number = 0; number < systems(); ++number) drawn.push_back(family.draw(number));
  auto members = see(family, drawn);
  int stopped = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    stopped += members[m].status == Status::ok ? 0 : 1;
    if (members[m].status != Status::ok) continue;
    Vector before = drawn[m].start;
    for (const SeenNode& node : members[m].nodes) {
      if (node.last) break;
      look(drawn[m], make_step(drawn[m], node, before),
           "system " + std::to_string(m) + ", step " + std::to_string(node.i));
      before = node.v;
    }
  }
  // a random system need not have a solution (Painlevé), and few are missed (B7)
  EXPECT_LE(stopped, static_cast<int>(members.size()) / 100 + 1) << "members stopped";
  return members;
}

double scale_of(const SeenStep& step) { return 1 + step.before.norm() + step.w.norm(); }

/// By how much contact k of the step misses its law for the velocity u_n + e u_n⁻, or under Moreau's law for u + e u⁻.
double miss_contact_law(const DrawnSystem& s, const SeenStep& step, std::size_t k, bool moreau) {
  const auto& contact = s.contacts[static_cast<std::size_t>(step.touching[k])];
  Vector u = step.u[k];
  for (Eigen::Index i = 0; i < (moreau ? u.size() : 1); ++i) u[i] += contact.e * step.u_before[k][i];
  return oracle::miss_contact(step.delassus[k], step.r[k], u, contact.mu);
}

/// All laws of a step. Returns how many contacts push.
int check_laws(const DrawnSystem& s, const SeenStep& step, bool moreau, Differences& off, const std::string& where) {
  const double scale = scale_of(step), allowed = 1e-9 * scale;
  off.at_most(step.missed, 0, 1e-9 * scale * s.mass.norm(), where + ": an impulse from nowhere");
  off.at_most(step.miss_firm, 0, allowed, where + ": firm rows");
  for (std::size_t r = 0; r < s.resistances.size(); ++r) {
    const std::size_t k = step.touching.size() + r;
    const auto& resistance = s.resistances[r];
    const double high = SystemFamily::h * resistance.high, low = SystemFamily::h * resistance.low;
    const double missed = step.r[k].size() == 1
                              ? oracle::miss_interval(step.delassus[k](0, 0), step.r[k][0], step.u[k][0], low, high)
                              : oracle::miss_ball(step.delassus[k].trace(), step.r[k], step.u[k], high);
    off.at_most(missed, 0, allowed, where + ": resistance " + std::to_string(r));
  }
  if (!step.clear) return 0;
  int pushing = 0;
  bool leaves = false;  // (B2) a second part is possible
  double worst = 0;
  for (std::size_t k = 0; k < step.touching.size(); ++k) {
    pushing += step.r[k][0] * step.delassus[k](0, 0) > 1e-8 * scale ? 1 : 0;
    leaves = leaves || (step.u_before[k][0] > 0 && s.contacts[static_cast<std::size_t>(step.touching[k])].e > 0);
  }
  for (std::size_t k = 0; k < step.touching.size(); ++k) {
    const auto& contact = s.contacts[static_cast<std::size_t>(step.touching[k])];
    const Vector& r = step.r[k];
    const double w_n = step.delassus[k](0, 0), w_t = r.size() > 1 ? step.delassus[k].trace() - w_n : 0;
    off.at_least(step.u[k][0], 0, allowed, where + ": V");
    off.at_least(r[0] * w_n, 0, allowed, where + ": r_n >= 0");
    if (r.size() > 1)
      off.at_most(r.tail(r.size() - 1).norm() * w_t, contact.mu * oracle::positive(r[0]) * w_t, allowed,
                  where + ": cone");
    worst = std::max(worst, miss_contact_law(s, step, k, moreau));
  }
  if (pushing > 0 && !leaves) off.at_most(worst, 0, allowed, where + ": law of the contacts");
  return pushing;
}

// ---- laws ----

const SystemShape two_contacts{6, {{2}, {1}}, 0, {}, false, true, true};
const SystemShape two_contacts_moreau{6, {{2}, {1}}, 0, {}, true, false, false};
const SystemShape everything{6, {{1}}, 1, {2, 1}, false, true, true};
const SystemShape resistances_alone{6, {}, 0, {2, 3, 1}, false, true, true};
const SystemShape smooth_contacts{5, {{0}, {0}, {0}, {0}}, 0, {}, false, true, false};

/// The balance (O6) and what `gained` counts, of all members.
void check_balance(const SystemFamily& family, const std::vector<SeenMember>& members, Differences& off) {
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m].status != Status::ok) continue;
    const DrawnSystem s = family.draw(static_cast<int>(m));
    const double work = members[m].observed("work"), lost = members[m].observed("dissipated"),
                 driven = members[m].observed("drive_work");
    const double gain = s.kinetic(members[m].nodes.back().v) - s.kinetic(s.start);
    off.compare(
        gain, work - lost + driven,
        1e-12 * (1 + s.kinetic(s.start) + std::fabs(work) + std::fabs(lost) + std::fabs(driven)) * s.mass.norm(),
        "system " + std::to_string(m));
  }
}

TEST_P(CoupledProperties, TwoRoughContactsObeyTheirLaws) {
  Differences off("laws"), energy("K(v) <= K(w)"), balance("balance");
  int pushing = 0, both = 0;
  const auto members =
      for_each_step(two_contacts, 4, [&](const DrawnSystem& s, const SeenStep& step, const std::string& where) {
        const int push = check_laws(s, step, false, off, where);
        pushing += push > 0 ? 1 : 0, both += push > 1 ? 1 : 0;
        bool quiet = true;  // e = 0, nothing moves
        for (const auto& contact : s.contacts) quiet = quiet && contact.e == 0 && contact.drive.norm() == 0;
        if (quiet) energy.at_most(s.kinetic(step.v), s.kinetic(step.w), 1e-12 * s.kinetic(step.w), where);
      });
  check_balance(SystemFamily(two_contacts, 4), members, balance);
  EXPECT_TRUE(off.none());
  EXPECT_TRUE(energy.none());
  EXPECT_TRUE(balance.none());
  EXPECT_GT(pushing, systems());
  EXPECT_GT(both, systems() / 8);
}

TEST_P(CoupledProperties, ContactsFirmRowsAndResistancesObeyTheirLawsTogether) {
  Differences off("laws"), energy("K(v) <= K(w)"), balance("balance");
  int pushing = 0;
  const auto members =
      for_each_step(everything, 4, [&](const DrawnSystem& s, const SeenStep& step, const std::string& where) {
        pushing += check_laws(s, step, false, off, where);
        if (s.contacts[0].e == 0 && s.contacts[0].drive.norm() == 0)
          energy.at_most(s.kinetic(step.v), s.kinetic(step.w), 1e-12 * s.kinetic(step.w), where);
      });
  check_balance(SystemFamily(everything, 4), members, balance);
  EXPECT_TRUE(off.none());
  EXPECT_TRUE(energy.none());
  EXPECT_TRUE(balance.none());
  EXPECT_GT(pushing, systems() / 4);
}

// Moreau's law without a force and with one e for all contacts: no step creates energy, and `gained` counts none.
TEST_P(CoupledProperties, MoreausLawNeverCreatesEnergy) {
  Differences off("laws"), energy("K(v) <= K(v⁻)");
  int pushing = 0;
  const auto members =
      for_each_step(two_contacts_moreau, 4, [&](const DrawnSystem& s, const SeenStep& step, const std::string& where) {
        pushing += check_laws(s, step, true, off, where);
        if (s.contacts[0].e != s.contacts[1].e) return;
        energy.at_most(s.kinetic(step.v), s.kinetic(step.before), 1e-11 * s.kinetic(step.before), where);
      });
  for (std::size_t m = 0; m < members.size(); ++m) {
    const DrawnSystem s = SystemFamily(two_contacts_moreau, 4).draw(static_cast<int>(m));
    if (members[m].status != Status::ok || s.contacts[0].e != s.contacts[1].e) continue;
    energy.at_most(members[m].observed("gained"), 0, 1e-11 * (1 + members[m].observed("dissipated")), "gained");
  }
  EXPECT_TRUE(off.none());
  EXPECT_TRUE(energy.none());
  EXPECT_GT(pushing, systems() / 2);
}

// ---- resistances ----

// 004 Prop. 52: equal data, two velocities, and their distance never grows. It is also what every single step obeys.
TEST_P(CoupledProperties, ResistancesAloneBringMotionsTogether) {
  Differences off("laws"), balance("balance");
  const auto members =
      for_each_step(resistances_alone, 4, [&](const DrawnSystem& s, const SeenStep& step, const std::string& where) {
        check_laws(s, step, false, off, where);
      });
  const SystemFamily family(resistances_alone, 4);
  check_balance(family, members, balance);
  EXPECT_TRUE(off.none());
  EXPECT_TRUE(balance.none());

  std::vector<DrawnSystem> other;
  for (int number = 0; number < systems(); ++number) {
    DrawnSystem s = family.draw(number);
    s.start = (number % 2 == 0 ? Vector(s.start * 1.001) : family.draw(number + 1).start);
    other.push_back(s);
  }
  const auto others = see(family, other);
  Differences apart("|v¹ - v²|_M");
  int closer = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    double distance = other[m].norm(family.draw(static_cast<int>(m)).start - other[m].start);
    const double first = distance;
    for (std::size_t i = 0; i + 1 < members[m].nodes.size(); ++i) {
      const double now = other[m].norm(members[m].nodes[i].v - others[m].nodes[i].v);
      apart.at_most(now, distance, 1e-12 * (1 + members[m].nodes[i].v.norm()) * other[m].mass.norm(),
                    "system " + std::to_string(m));
      distance = now;
    }
    closer += distance < 0.9 * first ? 1 : 0;
  }
  EXPECT_TRUE(apart.none());
  EXPECT_GT(closer, systems() / 2);
}

// ---- without friction ----

/// Nearest of V = {v : A v >= 0} in the metric M, and what is taken away: Proj_N.
Vector project(const DrawnSystem& s, const Matrix& rows, const Vector& v) {
  const Matrix g = test::whiten(s.mass, rows.transpose());
  const Vector r = oracle::least_squares_nonnegative(g, -test::lower_factor(s.mass).transpose() * v);
  return v + test::solve(s.mass, rows.transpose() * r);
}

TEST_P(CoupledProperties, WithoutFrictionAStepIsTwoProjections) {
  Differences off("Proj_V[-e v⁻ + Proj_V(w + e v⁻)]"), bound("|v| <= |v⁻| + h|f|"), ballard("Proj_V v⁻ - e Proj_N v⁻");
  int acting = 0, canonical = 0;
  const auto look = [&](const DrawnSystem& s, const SeenStep& step, const std::string& where) {
    if (!step.clear || step.touching.empty()) return;
    Matrix rows(static_cast<Eigen::Index>(step.touching.size()), step.q.size());
    for (std::size_t k = 0; k < step.touching.size(); ++k)
      rows.row(static_cast<Eigen::Index>(k)) = s.contacts[static_cast<std::size_t>(step.touching[k])].rows.row(0);
    const double e = s.contacts[0].e, scale = scale_of(step) * s.mass.norm();
    const Vector expected = (rows * step.w).minCoeff() >= 0
                                ? step.w
                                : project(s, rows, project(s, rows, step.w + e * step.before) - e * step.before);
    off.compare((step.v - expected).norm(), 0, 1e-9 * scale, where);
    off.at_least((rows * step.v).minCoeff(), 0, 1e-10 * scale, where + ", V");
    bound.at_most(s.norm(step.v), s.norm(step.before) + s.norm(step.w - step.before), 1e-12 * scale, where);
    acting += (rows * step.w).minCoeff() < 0 ? 1 : 0;
    // an impact of the continuous problem: v⁻ ∈ -V, no force
    if (s.force.norm() > 0 || (rows * step.before).maxCoeff() > 0) return;
    const Vector nearest = project(s, rows, step.before);
    ballard.compare((step.v - (nearest - e * (step.before - nearest))).norm(), 0, 1e-9 * scale, where);
    ++canonical;
  };
  for_each_step(smooth_contacts, 4, look);
  EXPECT_TRUE(off.none());
  EXPECT_TRUE(bound.none());
  EXPECT_GT(acting, systems() / 2);

  // and from v⁻ ∈ -V without forces
  const SystemFamily family(smooth_contacts, 4);
  std::vector<DrawnSystem> drawn;
  for (int number = 0; number < systems(); ++number) {
    DrawnSystem s = family.draw(number);
    for (auto& contact : s.contacts)
      if (contact.rows.row(0).dot(s.start) > 0) contact.rows = -contact.rows;
    s.force.setZero();
    drawn.push_back(s);
  }
  const auto members = see(family, drawn);
  for (std::size_t m = 0; m < members.size(); ++m) {
    ASSERT_EQ(members[m].status, Status::ok);
    look(drawn[m], make_step(drawn[m], members[m].nodes[0], drawn[m].start), "impact " + std::to_string(m));
  }
  EXPECT_TRUE(ballard.none());
  EXPECT_TRUE(off.none());
  EXPECT_GE(canonical, systems());
}

}  // namespace
}  // namespace conesweep::test
