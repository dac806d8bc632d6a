#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "contact/families.hpp"
#include "one_step.hpp"
#include "oracle/differences.hpp"
#include "oracle/law_check.hpp"
#include "support/dense.hpp"

namespace conesweep::contact {
namespace {

using families::Random;
constexpr double inf = std::numeric_limits<double>::infinity();

double kinetic_norm(const Matrix& mass, const Vector& v) { return std::sqrt(v.dot(mass * v)); }

std::vector<Vector> draw_rows(Random& random, int count, int d) {
  std::vector<Vector> rows;
  for (int k = 0; k < count; ++k) rows.push_back(random.normals(d));
  return rows;
}

TEST(CoupledStep, FirmRowsAreTheSaddlePoint) {
  constexpr int d = 7, firm = 4;
  oracle::Differences off("firm rows");
  for (int number = 0; number < 500; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 1);
    const Vector w = random.normals(d);
    OneStep<d, firm> step(random.normals(d), w);
    step.mass = families::random_mass(random, d, 1e3);
    Vector drive = random.normals(firm);
    for (int f = 0; f < firm; ++f) step.set_firm(f, random.log_uniform(1e-3, 1e3) * random.normals(d), drive[f]);
    ASSERT_EQ(step.solve().verdict, Verdict::solved);
    // [M -Bᵀ; B 0] (v, λ) = (M w, c)
    Matrix saddle = Matrix::Zero(d + firm, d + firm);
    saddle << step.mass, -step.firm.transpose(), step.firm, Matrix::Zero(firm, firm);
    Vector right(d + firm);
    right << step.mass * w, drive;
    const Vector answer = test::solve(saddle, right);
    off.compare((step.v() - answer.head(d)).norm(), 0, 1e-10, "velocity");
    for (int f = 0; f < firm; ++f) {
      off.compare(step.solution.firm_normal[f], answer[d + f], 1e-9 * std::fabs(answer[d + f]) + 1e-11, "multiplier");
      off.compare(step.solution.firm_impulse[f], step.solution.firm_normal[f], 0, "nothing else acts");
    }
  }
  EXPECT_TRUE(off.none());
}

/// Everything at once: three firm rows, an interval, a ball, contacts with friction and restitution, drives.
constexpr int everything_d = 9, everything_firm = 3;
using Everything = OneStep<everything_d, everything_firm>;

Everything draw_everything(Random& random, double drives, double e) {
  const Vector v_before = random.normals(everything_d), w = v_before + 0.1 * random.normals(everything_d);
  Everything step(v_before, w);
  step.mass = families::random_mass(random, everything_d, 100);
  for (int f = 0; f < everything_firm; ++f) step.set_firm(f, random.normals(everything_d), drives * random.normal());
  step.add_interval(random.normals(everything_d), -random.exponential(), random.toss(0.3) ? inf : random.exponential(),
                    drives * random.normal());
  const int contacts = random.integer(0, 2);
  for (int k = 0; k < contacts; ++k) {
    const int size = random.integer(1, 3);
    std::vector<double> drive;
    for (int i = 0; i < size; ++i) drive.push_back(drives * random.normal());
    step.add_contact(draw_rows(random, size, everything_d), random.uniform(0, 1), e, drive);
  }
  step.add_ball(draw_rows(random, 2, everything_d), random.exponential(),
                {drives * random.normal(), drives * random.normal()});
  return step;
}

TEST(CoupledStep, EverythingAtOnceObeysItsLaws) {
  oracle::Differences off("laws after the step");
  int acting = 0, hard = 0;
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 20);
    Everything step = draw_everything(random, 0.3, 0);
    const auto system = step.system;
    const auto& solution = step.solve();
    if (solution.verdict != Verdict::solved) {
      ++hard;
      continue;
    }
    acting += solution.contact_acts;
    const std::string where = "number " + std::to_string(number);
    const Vector v = step.v(), r = step.impulse();
    for (int f = 0; f < everything_firm; ++f)
      off.compare(step.firm.row(f).dot(v), system.firm_drive[f], 1e-11, where + ", firm");
    // momentum: M(v - w) = Aᵀr + Bᵀλ
    const Vector w = Eigen::Map<const Vector>(system.w, everything_d),
                 lambda = Eigen::Map<const Vector>(solution.firm_impulse, everything_firm);
    off.compare((step.mass * (v - w) - step.rows.transpose() * r - step.firm.transpose() * lambda).norm(), 0,
                1e-10 * (1 + r.norm() + lambda.norm()), where + ", momentum");
    for (int k = 0; k < system.blocks; ++k) {
      const int first = system.first[k], size = system.size[k];
      Vector u = step.rows.middleRows(first, size) * v;
      for (int i = 0; i < size; ++i) {
        u[i] -= system.drive[first + i];
        off.compare(solution.u[first + i], u[i], 1e-11 * (1 + r.norm()), where + ", u");
      }
      const Vector own = r.segment(first, size);
      const Matrix w_block =
          step.rows.middleRows(first, size) * test::solve(step.mass, step.rows.middleRows(first, size).transpose());
      const double missed = system.law[k] == Law::interval
                                ? oracle::miss_interval(w_block(0, 0), own[0], u[0], system.low[k], system.high[k])
                            : system.law[k] == Law::ball ? oracle::miss_ball(w_block.trace(), own, u, system.high[k])
                                                         : oracle::miss_contact(w_block, own, u, system.high[k]);
      off.at_most(missed, 0, 1e-10 * (1 + r.norm()), where + ", block " + std::to_string(k));
    }
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(acting, 600);
  EXPECT_LE(hard, 4);
}

TEST(CoupledStep, TheBalanceOfWorkCloses) {  // O6
  oracle::Differences off("K - K⁻ = work of forces + Σ λ·A v̄");
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 5000);
    Everything step = draw_everything(random, 0.3, random.choose({0.0, 0.5}));
    const Vector v_before = Eigen::Map<const Vector>(step.system.v_before, everything_d),
                 w = Eigen::Map<const Vector>(step.system.w, everything_d);
    const auto& solution = step.solve(random.toss(0.5) ? Restitution::moreau : Restitution::newton);
    const Vector mean = 0.5 * (v_before + step.v()),
                 lambda = Eigen::Map<const Vector>(solution.firm_impulse, everything_firm);
    const double gained =
        0.5 * (std::pow(kinetic_norm(step.mass, step.v()), 2) - std::pow(kinetic_norm(step.mass, v_before), 2));
    const double work =
        mean.dot(step.mass * (w - v_before)) + step.impulse().dot(step.rows * mean) + lambda.dot(step.firm * mean);
    off.compare(gained, work, 1e-10 * (1 + std::fabs(gained) + step.impulse().norm() + lambda.norm()),
                "number " + std::to_string(number));
  }
  EXPECT_TRUE(off.none());
}

TEST(CoupledStep, WithoutRestitutionAndDrivesNoEnergyIsCreated) {
  oracle::Differences off("K(v) <= K(w)");
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 6000);
    Everything step = draw_everything(random, 0, 0);
    const Vector w = Eigen::Map<const Vector>(step.system.w, everything_d);
    if (step.solve().verdict != Verdict::solved) continue;
    off.at_most(kinetic_norm(step.mass, step.v()), kinetic_norm(step.mass, w), 1e-12,
                "number " + std::to_string(number));
  }
  EXPECT_TRUE(off.none());
}

template <int D>
OneStep<D> draw_impact(Random& random, double e) {
  const Vector v = random.normals(D);
  OneStep<D> step(v, v);
  step.mass = families::random_mass(random, D, 100);
  const Vector opening = random.normals(D);
  for (int k = random.integer(1, 2); k > 0; --k) {
    std::vector<Vector> rows = draw_rows(random, 3, D);
    if (rows[0].dot(opening) < 0) rows[0] = -rows[0];
    step.add_contact(rows, random.uniform(0, 1.5), e);
  }
  return step;
}

TEST(CoupledStep, MoreausLawNeverCreatesEnergyNewtonsMay) {  // B3
  constexpr int d = 6;
  oracle::Differences off("energy after an impact");
  int created = 0;
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 40000);
    const double e = random.uniform(0, 1);
    OneStep<d> step = draw_impact<d>(random, e), other = step;
    const Vector before = Eigen::Map<const Vector>(step.system.v_before, d);
    if (step.solve(Restitution::moreau).verdict == Verdict::solved)
      off.at_most(kinetic_norm(step.mass, step.v()), kinetic_norm(step.mass, before), 1e-12,
                  "number " + std::to_string(number));
    other.solve(Restitution::newton);
    created += kinetic_norm(step.mass, other.v()) > 1.001 * kinetic_norm(step.mass, before);
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(created, 10);  // Kane's paradox is real, so the test above means something
}

TEST(CoupledStep, ASecondPartLeavesResistancesWhatIsLeftOfTheirSets) {  // B2 (ii)
  oracle::Differences off("part (ii)");
  int second = 0;
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 70000);
    constexpr int d = 5;
    const Vector v_before = random.normals(d), w = v_before + random.normals(d);
    OneStep<d> step(v_before, w);
    step.mass = families::random_mass(random, d, 10);
    const double radius = random.exponential(), e = random.uniform(0.2, 1);
    step.add_contact(draw_rows(random, 2, d), 0.3, e);
    step.add_ball(draw_rows(random, 2, d), radius);
    if (step.solve().verdict != Verdict::solved || !step.solution.contact_acts) continue;
    const Vector r = step.impulse(), u = step.rows * step.v();
    const Matrix w_ball = step.rows.bottomRows(2) * test::solve(step.mass, step.rows.bottomRows(2).transpose());
    off.at_most(oracle::miss_ball(w_ball.trace(), r.tail(2), u.tail(2), radius), 0, 1e-10,
                "the whole impulse obeys the law of the whole set");
    off.at_least(u[0], 0, 1e-11, "admissible");
    second += step.solution.u_before[0] > 0 && u[0] < 1e-9;
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(second, 100);
}

TEST(CoupledStep, ResistancesAloneContract) {  // B10, 004 Prop. 52
  constexpr int d = 6;
  oracle::Differences off("|v¹ - v²| <= |w¹ - w²|");
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 80000);
    const Matrix mass = families::random_mass(random, d, 100);
    const Vector one = random.normals(d), two = one + random.log_uniform(1e-6, 1) * random.normals(d);
    OneStep<d> first(one, one), second(two, two);
    first.mass = second.mass = mass;
    for (int k = random.integer(1, 3); k > 0; --k) {
      const std::vector<Vector> rows = draw_rows(random, random.integer(1, 3), d);
      const double radius = random.exponential(), drive = random.normal();
      const Vector row = random.normals(d);
      const double low = random.toss(0.3) ? -inf : -random.exponential(), high = random.exponential();
      for (OneStep<d>* step : {&first, &second}) {
        step->add_ball(rows, radius);
        step->add_interval(row, low, high, drive);
      }
    }
    first.solve();
    second.solve();
    off.at_most(kinetic_norm(mass, first.v() - second.v()), kinetic_norm(mass, one - two), 1e-12,
                "number " + std::to_string(number));
  }
  EXPECT_TRUE(off.none());
}

TEST(CoupledStep, ScalingRowsChangesMultipliersOnly) {  // B10
  oracle::Differences off("scaled rows");
  for (int number = 0; number < 500; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 90000);
    Everything step = draw_everything(random, 0.3, 0.4), scaled = step;
    for (int f = 0; f < everything_firm; ++f) {
      const double s = random.log_uniform(1e-3, 1e3) * random.choose({-1.0, 1.0});
      for (double& x : scaled.system.firm_row[f]) x *= s;
      scaled.system.firm_drive[f] *= s;
    }
    for (int k = 0; k < scaled.system.blocks; ++k) {
      const double s = random.log_uniform(1e-3, 1e3);
      for (int i = scaled.system.first[k]; i < scaled.system.first[k] + scaled.system.size[k]; ++i) {
        for (double& x : scaled.system.row[i]) x *= s;
        scaled.system.drive[i] *= s;
      }
      if (scaled.system.law[k] != Law::coulomb) scaled.system.low[k] /= s, scaled.system.high[k] /= s;
    }
    if (step.solve().verdict != Verdict::solved || scaled.solve().verdict != Verdict::solved) continue;
    off.compare((step.v() - scaled.v()).norm(), 0, 1e-10, "number " + std::to_string(number));
  }
  EXPECT_TRUE(off.none());
}

/// |impulse| <= μ|λ_N| of firm row 0.
struct FrictionOnFirmRow {
  static constexpr bool use_normals = true;
  double mu;
  template <class FirmNormal, class BlockNormal, class AnySystem>
  void operator()(const FirmNormal& firm_normal, const BlockNormal&, AnySystem& system) const {
    const double limit = mu * std::fabs(firm_normal[0]);
    for (int k = 0; k < system.blocks; ++k) {
      if (system.law[k] != Law::coulomb) system.low[k] = -limit, system.high[k] = limit;
    }
  }
};

TEST(CoupledStep, FrictionOnABilateralConstraint) {  // B4
  constexpr int d = 4;
  oracle::Differences off("friction on a firm row");
  int sliding = 0;
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 110000);
    const Vector w = random.normals(d), firm = random.normals(d), slip = random.normals(d);
    const double mu = random.uniform(0, 1), drive = random.normal(), firm_drive = random.normal();
    OneStep<d, 1> step(w, w);
    step.mass = families::random_mass(random, d, 20);
    step.set_firm(0, firm, firm_drive);
    step.add_interval(slip, 0, 0, drive);
    ASSERT_EQ(step.solve(Restitution::newton, FrictionOnFirmRow{mu}).verdict, Verdict::solved);
    EXPECT_EQ(step.solution.passes, 1);  // λ_N does not change
    // one row of each, written out
    const Matrix inverse = test::inverse(step.mass);
    const double s = firm.dot(inverse * firm), normal = -(firm.dot(w) - firm_drive) / s;
    const Vector v_free = w + inverse * firm * normal, a = slip - firm * (slip.dot(inverse * firm) / s);
    const double compliance = a.dot(inverse * a), u = slip.dot(v_free) - drive, limit = mu * std::fabs(normal);
    const double friction = std::clamp(-u / compliance, -limit, limit);
    // and by looking at all impulses
    double best = 0, least = 0;
    for (int k = 0; k <= 2000; ++k) {
      const double x = limit * (k / 1000.0 - 1), cost = 0.5 * x * compliance * x + x * u;
      if (cost < least) least = cost, best = x;
    }
    const std::string where = "number " + std::to_string(number);
    off.compare(step.solution.firm_normal[0], normal, 1e-11 * (1 + std::fabs(normal)), where + ", normal");
    off.compare(step.solution.impulse[0], friction, 1e-10 * (1 + limit), where + ", friction");
    off.compare(step.solution.impulse[0], best, limit / 900, where + ", searched");
    off.compare((step.v() - v_free - inverse * a * friction).norm(), 0, 1e-10 * (1 + limit), where + ", velocity");
    off.compare(firm.dot(step.v()), firm_drive, 1e-12 * (1 + limit) * firm.norm(), where + ", still firm");
    sliding += std::fabs(friction) == limit;
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(sliding, 200);
  EXPECT_LT(sliding, 900);
}

/// A rough floor in two parts: a contact without friction, and a resistance with the limit μ normal(floor).
struct FrictionOnContact {
  static constexpr bool use_normals = true;
  double mu;
  template <class FirmNormal, class BlockNormal, class AnySystem>
  void operator()(const FirmNormal&, const BlockNormal& normal, AnySystem& system) const {
    system.low[1] = -mu * normal[0], system.high[1] = mu * normal[0];
  }
};

TEST(CoupledStep, LimitsUseTheContactsOfThePassBefore) {
  const double mu = 0.3;
  OneStep<2> step(vector_of({1, -1}), vector_of({1, -1}));
  step.add_contact({vector_of({0, 1})}, 0, 0);
  step.add_interval(vector_of({1, 0}), 0, 0);
  ASSERT_EQ(step.solve(Restitution::newton, FrictionOnContact{mu}).verdict, Verdict::solved);
  EXPECT_NEAR(step.v()[0], 1 - mu, 1e-15);  // (P6)
  EXPECT_NEAR(step.v()[1], 0, 1e-15);
  EXPECT_EQ(step.solution.passes, 2);  // limits 0, μ; then they stand
}

TEST(CoupledStep, ContactsLoadFirmRowsInAFewPasses) {
  // a cart on a rail (y = 0, with friction) is pressed against the rail by a tilted wall; coupling makes the passes
  // contract
  constexpr double mu = 0.2;
  OneStep<2, 1> step(vector_of({1, 0}), vector_of({1, 0}));
  step.set_firm(0, vector_of({0, 1}), 0);
  step.add_contact({vector_of({-0.8, 0.6})}, 0, 0);  // stops x > 0, and lifts: the rail holds it down
  step.add_interval(vector_of({1, 0}), 0, 0);
  ASSERT_EQ(step.solve(Restitution::newton, FrictionOnFirmRow{mu}).verdict, Verdict::solved);
  // the wall alone would take r_n = 1/0.8 and load the rail with -0.6 r_n; friction then takes part of it
  EXPECT_NEAR(step.v()[0], 0, 1e-15);
  EXPECT_GE(step.solution.passes, 2);
  EXPECT_LE(step.solution.passes, 4);
  EXPECT_LE(std::fabs(step.solution.impulse[1]), mu * 0.6 / 0.8 + 1e-15);
}

}  // namespace
}  // namespace conesweep::contact
