// The random problems of families.hpp, solved by Siconos too: by nonsmooth Gauss-Seidel (NSGS), in the plane where that
// has no right answer by Lemke's method. All answers are held against the laws written out; where W is regular, so that
// velocities are unique but for large friction, they are compared. Skipped (exit code 77) where Siconos is not
// installed.
#include <cstdio>

#ifndef CONESWEEP_SICONOS
int main() {
  std::puts(
      "skipped: Siconos is not installed (Debian: apt-get install siconos), or was not when the build was configured");
  return 77;
}
#else

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "missed_law.hpp"
#include "solved.hpp"
#include "support/dense.hpp"

namespace conesweep::families {
namespace {

/// Impulses by one of Siconos' solvers; false where it says that it failed.
bool solve_by_siconos(const Sample& s, int solver, Vector& r) {
  const int dimension = s.blocks.front().size, contacts = static_cast<int>(s.blocks.size());
  Matrix w = s.delassus;  // by columns
  Vector b = s.b, u = Vector::Zero(b.size()), mu(contacts);
  for (int k = 0; k < contacts; ++k) mu[k] = s.blocks[static_cast<std::size_t>(k)].high;
  r = Vector::Zero(b.size());
  NumericsMatrix matrix;
  NM_null(&matrix);
  NM_fill(&matrix, NM_DENSE, static_cast<int>(b.size()), static_cast<int>(b.size()), w.data());
  FrictionContactProblem problem = {dimension, contacts, &matrix, b.data(), mu.data()};
  SolverOptions* options = solver_options_create(solver);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
  const int failed = dimension == 3 ? fc3d_driver(&problem, r.data(), u.data(), options)
                                    : fc2d_driver(&problem, r.data(), u.data(), options);
  solver_options_delete(options);
  std::free(options);
  return failed == 0 && r.allFinite();
}

struct Tally {
  int problems = 0, ours_failed = 0, siconos_failed = 0, to_lemke = 0, both_right = 0, siconos_wrong = 0, compared = 0,
      apart = 0;
};

bool is_for_siconos(const Sample& s) {
  const int size = s.blocks.front().size;
  return size > 1 && std::all_of(s.blocks.begin(), s.blocks.end(),
                                 [&](const Block& block) { return block.kind == Kind::contact && block.size == size; });
}

/// Returns whether everything holds that has to.
/// It is longer than 60 lines: one table, from its head to its foot.
bool run() {
  const int share = std::getenv("CONESWEEP_ALL") != nullptr ? 200 : 20;
  bool good = true;
  std::printf("%-26s %8s %11s %10s %14s %14s %10s %9s\n", "family", "problems", "we missed", "to Lemke",
              "Siconos missed", "Siconos wrong", "compared", "apart");
  Tally all;
  for (const Family& family : all_families) {
    Tally tally;
    for (int number = 0; number < family.share * share; ++number) {
      Random random(static_cast<std::uint64_t>(number) + 3000017);
      const Sample s = family.draw(random);
      if (!is_for_siconos(s)) continue;
      ++tally.problems;
      const std::string where = std::string(family.name) + ", problem " + std::to_string(number);
      const Solved ours = solve<double>(s);
      const bool we_have_one = ours.residual <= 1e-10;
      tally.ours_failed += !we_have_one;
      if (we_have_one && missed_law(s, ours.r) > 1e-9)
        std::printf("%s: our answer misses a law by %g\n", where.c_str(), missed_law(s, ours.r)), good = false;
      // its tolerance is of all of b, and in impulses: 1e-6 of the largest velocity is an answer
      Vector r;
      const bool space = s.blocks.front().size == 3;
      bool they_have_one = solve_by_siconos(s, space ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_2D_NSGS, r);
      if (!space && (!they_have_one || missed_law(s, r) > 1e-6)) {
        ++tally.to_lemke;
        they_have_one = solve_by_siconos(s, SICONOS_FRICTION_2D_LEMKE, r);
      }
      tally.siconos_failed += !they_have_one;
      if (!they_have_one) continue;
      if (missed_law(s, r) > 1e-6) {
        ++tally.siconos_wrong;
        continue;
      }
      if (!we_have_one) {
        std::printf("%s: Siconos has an answer (missed by %.1e), we have none\n", where.c_str(), missed_law(s, r));
        continue;
      }
      ++tally.both_right;
      const Vector values = test::eigenvalues(s.delassus);
      if (values[0] < 1e-3 * values[s.b.size() - 1]) continue;
      ++tally.compared;
      const Vector units = row_units(s);
      const double size = s.b.cwiseQuotient(units).lpNorm<Eigen::Infinity>();
      tally.apart += (s.delassus * (r - ours.r)).cwiseQuotient(units).lpNorm<Eigen::Infinity>() > 1e-5 * size;
    }
    if (tally.problems == 0) continue;
    std::printf("%-26s %8d %11d %10d %14d %14d %10d %9d\n", family.name, tally.problems, tally.ours_failed,
                tally.to_lemke, tally.siconos_failed, tally.siconos_wrong, tally.compared, tally.apart);
    all.problems += tally.problems;
    all.ours_failed += tally.ours_failed;
    all.to_lemke += tally.to_lemke;
    all.siconos_failed += tally.siconos_failed;
    all.siconos_wrong += tally.siconos_wrong;
    all.both_right += tally.both_right;
    all.compared += tally.compared;
    all.apart += tally.apart;
  }
  std::printf("%-26s %8d %11d %10d %14d %14d %10d %9d\n", "all", all.problems, all.ours_failed, all.to_lemke,
              all.siconos_failed, all.siconos_wrong, all.compared, all.apart);
  // with friction velocities are unique for small μ only: a few may be apart, each then a solution of its own
  const bool enough = all.problems >= 200 && all.both_right >= all.problems / 3 && all.compared >= 50;
  if (!enough) std::puts("too few problems were solved by both");
  if (all.apart > all.compared / 20) std::puts("velocities differ too often");
  return good && enough && all.apart <= all.compared / 20;
}

}  // namespace
}  // namespace conesweep::families

int main() { return conesweep::families::run() ? 0 : 1; }
#endif
