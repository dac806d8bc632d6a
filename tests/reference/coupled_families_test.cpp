#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "contact/families.hpp"
#include "contact/missed_law.hpp"
#include "contact/solved.hpp"
#include "executor/reference/coupled_laws.hpp"
#include "oracle/contact_modes.hpp"
#include "oracle/differences.hpp"
#include "support/dense.hpp"

// The reference's way to solve coupled laws, on the random problems of the fast one: every answer obeys the laws
// written out, the velocities agree where they are unique, and what is not found is counted.
namespace conesweep::families {
namespace {

namespace coupled = executor::reference::coupled;

int problems_of(const Family& family) {
  const bool all = std::getenv("CONESWEEP_ALL") != nullptr;
  return family.share * (all ? 100 : 10);  // shares are percent: 10000 or 1000 problems
}

coupled::Laws laws_of(const Sample& s) {
  coupled::Laws laws{s.delassus, s.b, {}};
  for (const Block& block : s.blocks) {
    const coupled::Law law = block.kind == Kind::contact ? coupled::Law::contact
                             : block.kind == Kind::ball  ? coupled::Law::ball
                                                         : coupled::Law::interval;
    laws.parts.push_back({law, block.first, block.size, block.low, block.high});
  }
  return laws;
}

bool has_solution(const Sample& s) {
  std::vector<double> mu;
  for (const Block& block : s.blocks) mu.push_back(block.high);
  return !s.plane || mu.size() > 4 ||
         oracle::find_among_modes(s.delassus, s.b, mu, 1e-9, [](const oracle::ModeSolution&) { return true; });
}

double distance(const Sample& s, const Vector& r, const Vector& other) {
  const Vector units = row_units(s), speeds = s.b.cwiseQuotient(units);
  return (s.delassus * (r - other)).cwiseQuotient(units).lpNorm<Eigen::Infinity>() / speeds.lpNorm<Eigen::Infinity>();
}

TEST(CoupledLaws, AnswersAreSolutionsAndFewAreMissed) {
  oracle::Differences laws("laws written out");
  int all_solved = 0, all_missed = 0;
  for (const Family& family : all_families) {
    int problems = 0, missed = 0, without = 0, fast_missed = 0, other = 0, above = 0;
    for (int number = 0; number < problems_of(family); ++number) {
      Random random(static_cast<std::uint64_t>(number) + 7000003);
      const Sample s = family.draw(random);
      const coupled::Reactions found = coupled::find_reactions(laws_of(s));
      const Solved fast = solve<double>(s);
      const std::string where = std::string(family.name) + ", problem " + std::to_string(number);
      if (!(found.residual <= 1e-10)) {
        has_solution(s) ? ++missed : ++without;
        continue;
      }
      ++problems;
      laws.require(has_solution(s), where + ", solved though all modes are impossible");
      above += found.residual > 1e-12;
      laws.at_most(missed_law(s, found.r), 0, found.residual <= 1e-12 ? 1e-11 : 1e-9, where);
      for (const Block& block : s.blocks) {
        if (block.kind == Kind::contact)
          laws.require(found.r[block.first] > 0 || found.r.segment(block.first, block.size).isZero(0),
                       where + ", open exactly");
      }
      if (fast.residual <= 1e-10)
        other += distance(s, found.r, fast.r) > 1e-7;
      else
        ++fast_missed;
    }
    std::printf(
        "%-26s %5d solved (%3d above 1e-12)  %3d missed  %3d without solution  %3d that the fast solver misses  %4d "
        "other solutions\n",
        family.name, problems, above, missed, without, fast_missed, other);
    EXPECT_LE(missed, (problems + missed) / 50) << family.name;
    all_solved += problems;
    all_missed += missed;
  }
  std::printf("%d solved, %d missed\n", all_solved, all_missed);
  EXPECT_GT(all_solved, 900);
  EXPECT_LE(all_missed, all_solved / 200);
  EXPECT_TRUE(laws.none());
}

TEST(CoupledLaws, EightContactsAreSolved) {
  const Family families[] = {{"dense, plane, 8", 30, [](Random& r) { return dense(r, 8, 2, false, 1); }},
                             {"dense, plane, 8, W singular", 30, [](Random& r) { return dense(r, 8, 2, true, 0); }},
                             {"dense, space, 8", 20, [](Random& r) { return dense(r, 8, 3, false, 1); }},
                             {"stack of 8, mass ratio 1e6", 30, [](Random& r) { return stack(r, 8, 1e6); }}};
  oracle::Differences laws("laws written out");
  for (const Family& family : families) {
    int missed = 0;
    for (int number = 0; number < family.share; ++number) {
      Random random(static_cast<std::uint64_t>(number) + 4000037);
      const Sample s = family.draw(random);
      const coupled::Reactions found = coupled::find_reactions(laws_of(s));
      missed += !(found.residual <= 1e-10);
      if (found.residual <= 1e-10)
        laws.at_most(missed_law(s, found.r), 0, found.residual <= 1e-12 ? 1e-11 : 1e-9, family.name);
    }
    std::printf("%-28s %d of %d missed\n", family.name, missed, family.share);
    EXPECT_LE(missed, 1) << family.name;
  }
  EXPECT_TRUE(laws.none());
}

/// Friction so small that the velocities are unique: two solutions differ by r', u' = W r' with r'·u' <= Σ μ
/// |r'_n||u'_t|, so that μ below the smallest over the largest eigenvalue of W leaves r' = 0. Rows in units of their
/// own. False where W is singular.
bool make_unique(Random& random, Sample& s) {
  const Vector units = row_units(s);
  const Matrix w = units.cwiseInverse().asDiagonal() * s.delassus * units.cwiseInverse().asDiagonal();
  const Vector eigenvalues = test::eigenvalues(w);
  const double ratio = eigenvalues.minCoeff() / eigenvalues.maxCoeff();
  for (Block& block : s.blocks) {
    if (block.kind == Kind::contact && block.size > 1)
      block.high = 0.99 * ratio * random.uniform(0, 1) * units[block.first] / units[block.first + 1];
  }
  return ratio > 1e-7;
}

TEST(CoupledLaws, UniqueVelocitiesAreThoseOfTheFastSolver) {
  oracle::Differences off("velocities");
  int with_friction = 0, without = 0;
  for (const Family& family : all_families) {
    for (int number = 0; number < problems_of(family); ++number) {
      Random random(static_cast<std::uint64_t>(number) + 8000009);
      Sample s = family.draw(random);
      const std::string where = std::string(family.name) + ", problem " + std::to_string(number);
      const auto compare = [&](const std::string& how) {
        const coupled::Reactions found = coupled::find_reactions(laws_of(s));
        const Solved fast = solve<double>(s);
        // restitution on dependent rows may ask for too much
        if (how == ", no friction" && fast.residual > 1e-10 && found.residual > 1e-10) return;
        off.at_most(found.residual, 1e-10, 0, where + how + ", residual");
        off.at_most(distance(s, found.r, fast.r), 0, 1e-9, where + how);
        how == ", no friction" ? ++without : ++with_friction;
      };
      if (make_unique(random, s)) compare(", little friction");
      for (Block& block : s.blocks) {
        if (block.kind == Kind::contact) block.high = 0;
      }
      compare(", no friction");
    }
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(with_friction, 300);
  EXPECT_GT(without, 900);
  std::printf("%d problems with friction, %d without; worst difference %.1e\n", with_friction, without,
              1e-9 * off.worst_share());
}

}  // namespace
}  // namespace conesweep::families
