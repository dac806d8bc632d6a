#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "contact/families.hpp"
#include "contact/one_step.hpp"
#include "executor/reference/coupled_step.hpp"
#include "oracle/differences.hpp"

// (B2) … (B4) by two solvers that share no text: the same velocities where they are unique.
namespace conesweep {
namespace {

namespace coupled = executor::reference::coupled;
using contact::Matrix;
using contact::Vector;
using families::Random;

constexpr int d = 9, firm = 2;
using Fast = contact::OneStep<d, firm>;

/// The same step for both.
struct Both {
  Fast fast;
  coupled::Step step;

  Both(Random& random, const Vector& v_before, const Vector& w) : fast(v_before, w) {
    fast.mass = families::random_mass(random, d, 5);
    step = {
        fast.mass, w, v_before, random.normals(firm, d), 0.3 * random.normals(firm), {}, coupled::Restitution::newton,
        {}};
    for (int f = 0; f < firm; ++f) fast.set_firm(f, step.firm_rows.row(f).transpose(), step.firm_drive[f]);
  }
  void add(const coupled::Block& block) {
    std::vector<Vector> rows;
    for (Eigen::Index i = 0; i < block.rows.rows(); ++i) rows.push_back(block.rows.row(i).transpose());
    const std::vector<double> drives(block.drive.begin(), block.drive.end());
    if (block.law == coupled::Law::contact) fast.add_contact(rows, block.mu, block.e, drives);
    if (block.law == coupled::Law::ball) fast.add_ball(rows, block.high, drives);
    if (block.law == coupled::Law::guide) fast.add_guide(rows, block.mu, drives);
    if (block.law == coupled::Law::interval) fast.add_interval(rows[0], block.low, block.high, drives[0]);
    step.blocks.push_back(block);
  }
};

/// Firm rows, an interval, a ball, one or two contacts of 1 to 3 rows with restitution, drives everywhere. Friction is
/// small: the velocities are unique unless W is nearly singular.
Both draw(Random& random, int guides = 0) {
  const Vector v_before = random.normals(d), w = v_before + random.choose({0.1, 1.0}) * random.normals(d);
  Both both(random, v_before, w);
  const auto rows = [&](int count) { return random.normals(count, d); };
  const auto drive = [&](int count) { return Vector(0.3 * random.normals(count)); };
  const double e = random.choose({0.0, 0.5, 1.0}),
               high = random.toss(0.3) ? std::numeric_limits<double>::infinity() : random.exponential();
  both.add({coupled::Law::interval, rows(1), drive(1), -random.exponential(), high, 0, 0});
  for (int k = random.integer(1, 2); k > 0; --k) {
    const int size = random.integer(1, 3);
    both.add({coupled::Law::contact, rows(size), drive(size), 0, 0, random.uniform(0, 0.02), e});
  }
  for (int k = guides; k > 0; --k) {
    const int size = random.integer(2, 3);
    both.add({coupled::Law::guide, rows(size), drive(size), 0, 0, random.uniform(0, 0.1), 0});
  }
  const int size = random.integer(1, 2);
  both.add({coupled::Law::ball, rows(size), drive(size), 0, random.exponential(), 0, 0});
  return both;
}

void expect_same_steps(int numbers, std::uint64_t seed, int guides) {
  oracle::Differences off("reference and fast");
  int acting = 0, second = 0, compared = 0;
  for (int number = 0; number < numbers; ++number) {
    Random random(static_cast<std::uint64_t>(number) + seed);
    Both both = draw(random, guides);
    const bool moreau = random.toss(0.5);
    both.step.restitution = moreau ? coupled::Restitution::moreau : coupled::Restitution::newton;
    const auto& fast = both.fast.solve(moreau ? contact::Restitution::moreau : contact::Restitution::newton);
    const coupled::StepAnswer answer = coupled::solve_step(both.step);
    const std::string where = "number " + std::to_string(number);
    off.require((fast.verdict == contact::Verdict::solved) == (answer.verdict == coupled::Verdict::solved),
                where + ", verdict");
    if (fast.verdict != contact::Verdict::solved || answer.verdict != coupled::Verdict::solved) continue;
    if (answer.hyperstatic && fast.hyperstatic) continue;
    ++compared;
    const double size = 1 + both.fast.impulse().norm();
    off.compare((answer.v - both.fast.v()).norm(), 0, 1e-9 * size, where + ", v");
    off.require(answer.contact_acts == fast.contact_acts && answer.hyperstatic == fast.hyperstatic, where + ", flags");
    for (int f = 0; f < firm; ++f) {
      off.compare(answer.firm_normal[f], fast.firm_normal[f], 1e-9 * size, where + ", firm normal");
      off.compare(answer.firm_impulse[f], fast.firm_impulse[f], 1e-9 * size, where + ", firm impulse");
    }
    for (int k = 0; k < both.fast.system.blocks; ++k) {
      const auto block = static_cast<std::size_t>(k);
      const int first = both.fast.system.first[k], rows = both.fast.system.size[k];
      off.require(answer.mode[block] == fast.mode[k], where + ", mode of block " + std::to_string(k));
      for (int i = 0; i < rows; ++i) {
        off.compare(answer.impulse[block][i], fast.impulse[first + i], 1e-8 * size, where + ", impulse");
        off.compare(answer.u[block][i], fast.u[first + i], 1e-9 * size, where + ", u");
        off.compare(answer.u_before[block][i], fast.u_before[first + i], 1e-12 * size, where + ", u before");
      }
      if (answer.impulse[block][0] > 0 && both.step.blocks[block].law == coupled::Law::contact) {
        second += both.step.blocks[block].e * answer.u_before[block][0] > 0 && answer.u[block][0] < 1e-9;
        off.compare(answer.u_without_contacts[k], fast.u_without_contacts[k], 1e-9 * size,
                    where + ", u without contacts");
      }
    }
    acting += answer.contact_acts;
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(compared, numbers * 29 / 30);
  EXPECT_GT(acting, numbers / 2);
  EXPECT_GT(second, numbers / 30);  // part (ii)
}

TEST(ReferenceStep, IsTheStepOfTheFastSolver) { expect_same_steps(3000, 300000, 0); }
TEST(ReferenceStep, WithGuidesIsTheStepOfTheFastSolver) { expect_same_steps(1000, 400000, 1); }

}  // namespace
}  // namespace conesweep
