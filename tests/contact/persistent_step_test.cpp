// (T) Several persistent contacts in one step, on random systems of the plane, against every combination of modes; and
// the certificate (T2).
#include <conesweep/contact/certificate.hpp>

#include <gtest/gtest.h>

#include <limits>

#include "contact/families.hpp"
#include "contact/one_step.hpp"
#include "support/dense.hpp"

namespace conesweep::contact {
namespace {

using families::Random;

// Contacts with rows 2k (normal) and 2k + 1 (tangential): u = b + W r.
struct Problem2D {
  Matrix w;
  Vector b, mu;
  Eigen::Index contacts() const { return mu.size(); }
};

struct Found {
  Vector r;
  bool presses;  // all of them
};

// All solutions of u_n = 0, |r_t| <= mu max(0, r_n), r_t against u_t: each contact pulls (r_t = 0), sticks, or slips to
// one of two sides; then all is linear.
std::vector<Found> solve_by_modes(const Problem2D& p) {
  const Eigen::Index n = p.contacts(), rows = 2 * n;
  const double small = 1e-11 * (1 + p.b.lpNorm<Eigen::Infinity>());
  std::vector<Found> all;
  for (int code = 0; code < (1 << (2 * n)); ++code) {
    Matrix equations = Matrix::Zero(rows, rows);
    Vector right = Vector::Zero(rows);
    for (Eigen::Index k = 0; k < n; ++k) {
      const int mode = (code >> (2 * k)) % 4;  // 0 pulls, 1 sticks, 2 slips forwards, 3 backwards
      equations.row(2 * k) = p.w.row(2 * k);
      right[2 * k] = -p.b[2 * k];
      if (mode == 1) {
        equations.row(2 * k + 1) = p.w.row(2 * k + 1);
        right[2 * k + 1] = -p.b[2 * k + 1];
      } else {
        equations(2 * k + 1, 2 * k + 1) = 1;
        if (mode > 1) equations(2 * k + 1, 2 * k) = mode == 2 ? p.mu[k] : -p.mu[k];
      }
    }
    const auto solution = test::solve_unique(equations, right);
    if (!solution) continue;
    const Vector r = *solution, u = p.b + p.w * r;
    bool fits = (equations * r - right).lpNorm<Eigen::Infinity>() <= small, presses = true;
    for (Eigen::Index k = 0; k < n; ++k) {
      const int mode = (code >> (2 * k)) % 4;
      const double r_n = r[2 * k], r_t = r[2 * k + 1], u_t = u[2 * k + 1];
      presses = presses && r_n > 0;
      if (mode == 0) fits = fits && r_n <= 0;
      if (mode == 1) fits = fits && r_n >= 0 && std::fabs(r_t) <= p.mu[k] * r_n + small;
      if (mode == 2) fits = fits && r_n >= 0 && u_t >= -small;
      if (mode == 3) fits = fits && r_n >= 0 && u_t <= small;
    }
    const auto is_same = [&](const Found& other) { return (other.r - r).norm() <= 1e-7 * (1 + r.norm()); };
    if (fits && std::none_of(all.begin(), all.end(), is_same)) all.push_back({r, presses});
  }
  return all;
}

// (T2) from W and b alone: ρ = -S⁻¹b_n, 𝓜 = S⁻¹W_nt
struct Balance2D {
  Matrix m;
  Vector rho;
};
Balance2D balance_of(const Problem2D& p) {
  const Eigen::Index n = p.contacts();
  Matrix s(n, n), coupling(n, n);
  Vector b_n(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    b_n[i] = p.b[2 * i];
    for (Eigen::Index j = 0; j < n; ++j) s(i, j) = p.w(2 * i, 2 * j), coupling(i, j) = p.w(2 * i, 2 * j + 1);
  }
  return {test::solve(s, coupling), test::solve(s, -b_n)};
}

double certificate_of(const Balance2D& balance, const Vector& mu) {
  const Eigen::Index n = mu.size();
  double least = std::numeric_limits<double>::infinity();
  for (int vertex = 0; vertex < (1 << n); ++vertex) {
    Matrix a = Matrix::Identity(n, n);
    for (Eigen::Index j = 0; j < n; ++j) a.col(j) += balance.m.col(j) * ((vertex >> j) % 2 == 0 ? mu[j] : -mu[j]);
    least = std::min(least, test::determinant(a));
    const Vector r = test::solve(a, balance.rho);
    for (Eigen::Index k = 0; k < n; ++k) least = std::min(least, r[k] / std::fabs(balance.rho[k]));
  }
  return least;
}

template <int N>
double certificate_of_step(const Balance2D& balance, const Vector& mu) {
  ForceBalance<double, N> same;
  for (int i = 0; i < N; ++i) {
    same.rho[i] = balance.rho[i], same.mu[i] = mu[i];
    for (int j = 0; j < N; ++j) same.m[i][j] = balance.m(i, j);
  }
  return find_least_at_vertices(same);
}

// 7 coordinates, 1 to 3 contacts. Most are pressed, since w goes against the normals.
constexpr int coordinates = 7;
struct Drawn {
  Matrix mass, rows;
  Vector w, mu;
  Problem2D problem() const { return {rows * test::solve(mass, rows.transpose()), rows * w, mu}; }
};
Drawn draw(Random& random) {
  Drawn d;
  const int n = random.integer(1, 3);
  d.mass = families::random_mass(random, coordinates, random.log_uniform(1, 30));
  d.mass = Matrix(d.mass.selfadjointView<Eigen::Lower>());
  d.rows = random.normals(2 * n, coordinates);
  d.mu = Vector(n);
  Vector wanted(2 * n);
  for (int k = 0; k < n; ++k) {
    d.mu[k] = random.log_uniform(0.02, 1.5);
    wanted[2 * k] = random.toss(0.8) ? -random.uniform(0.1, 2) : random.uniform(-1, 1);
    wanted[2 * k + 1] = random.normal();
  }
  d.w = d.rows.transpose() * test::solve(d.rows * d.rows.transpose(), wanted);
  return d;
}

TEST(PersistentStep, IsAmongAllModesAndPressesWhereItIsCertified) {
  Random random(2004);
  int certified = 0, unique = 0, solved = 0, pulls = 0;
  constexpr int problems = 2000;
  for (int number = 0; number < problems; ++number) {
    const Drawn d = draw(random);
    const Problem2D p = d.problem();
    const std::vector<Found> all = solve_by_modes(p);
    const Balance2D balance = balance_of(p);
    const double certificate = certificate_of(balance, p.mu);
    const double of_step = p.contacts() == 1   ? certificate_of_step<1>(balance, p.mu)
                           : p.contacts() == 2 ? certificate_of_step<2>(balance, p.mu)
                                               : certificate_of_step<3>(balance, p.mu);
    EXPECT_NEAR(of_step, certificate, 1e-9 * (1 + std::fabs(certificate))) << number;

    // what is certified has a solution, and none of its solutions pulls
    if (certificate > 0) {
      ++certified;
      EXPECT_FALSE(all.empty()) << number;
      for (const Found& found : all) EXPECT_TRUE(found.presses) << number;
      unique += all.size() == 1 ? 1 : 0;
    }

    OneStep<coordinates, 0, 3, 6> step(Vector::Zero(coordinates), d.w);
    step.mass = d.mass;
    for (Eigen::Index k = 0; k < p.contacts(); ++k) {
      const int block =
          step.add_contact({d.rows.row(2 * k).transpose(), d.rows.row(2 * k + 1).transpose()}, p.mu[k], 0);
      step.system.make_persistent(block);
    }
    step.solve();
    if (all.empty()) continue;
    ++solved;
    ASSERT_EQ(step.solution.verdict, Verdict::solved) << number;
    const Vector r = step.impulse();
    const auto is_found = [&](const Found& found) { return (found.r - r).norm() <= 1e-8 * (1 + r.norm()); };
    const auto at = std::find_if(all.begin(), all.end(), is_found);
    ASSERT_NE(at, all.end()) << number << ": " << r.transpose();
    pulls += at->presses ? 0 : 1;
  }
  EXPECT_GT(certified, problems / 5);
  EXPECT_EQ(unique, certified);
  EXPECT_GT(solved, problems * 9 / 10);
  EXPECT_GT(pulls, problems / 10);
}

// Ordinary contacts that press and persistent ones are the same step, to the last bit.
TEST(PersistentStep, IsTheOrdinaryOneWhereAllPress) {
  Random random(3);
  int same = 0;
  for (int number = 0; number < 500; ++number) {
    const Drawn d = draw(random);
    Vector v[2], r[2];
    for (const bool persistent : {false, true}) {
      OneStep<coordinates, 0, 3, 6> step(Vector::Zero(coordinates), d.w);
      step.mass = d.mass;
      for (Eigen::Index k = 0; k < d.mu.size(); ++k) {
        const int block =
            step.add_contact({d.rows.row(2 * k).transpose(), d.rows.row(2 * k + 1).transpose()}, d.mu[k], 0);
        if (persistent) step.system.make_persistent(block);
      }
      ASSERT_EQ(step.solve().verdict, Verdict::solved) << number;
      v[persistent] = step.v(), r[persistent] = step.impulse();
    }
    const Problem2D p = d.problem();
    bool presses = certificate_of(balance_of(p), p.mu) > 0;
    for (Eigen::Index k = 0; k < d.mu.size(); ++k) presses = presses && r[1][2 * k] > 0 && r[0][2 * k] > 0;
    if (!presses) continue;
    ++same;
    EXPECT_LE((v[0] - v[1]).norm(), 1e-12 * (1 + v[0].norm())) << number;
    EXPECT_LE((r[0] - r[1]).norm(), 1e-10 * (1 + r[0].norm())) << number;
  }
  EXPECT_GT(same, 100);
}

// What pulls in space has no friction, and what presses obeys Coulomb's law, with other contacts beside it.
TEST(PersistentStep, PullsWithoutFrictionInSpace) {
  Random random(12);
  int pulls = 0, slips = 0;
  for (int number = 0; number < 500; ++number) {
    constexpr int d = 8;
    const Matrix rows = random.normals(6, d);
    OneStep<d, 0, 2, 6> step(Vector::Zero(d), random.normals(d));
    step.mass = families::random_mass(random, d, 10);
    for (int k = 0; k < 2; ++k) {
      const int block = step.add_contact(
          {rows.row(3 * k).transpose(), rows.row(3 * k + 1).transpose(), rows.row(3 * k + 2).transpose()}, 0.3, 0);
      step.system.make_persistent(block);
    }
    ASSERT_EQ(step.solve().verdict, Verdict::solved) << number;
    const Vector r = step.impulse(), u = rows * step.v();
    for (int k = 0; k < 2; ++k) {
      const double r_n = r[3 * k];
      const Vector r_t = r.segment(3 * k + 1, 2), u_t = u.segment(3 * k + 1, 2);
      EXPECT_NEAR(u[3 * k], 0, 1e-11) << number;
      EXPECT_LE(r_t.norm(), 0.3 * std::max(0.0, r_n) + 1e-11) << number;
      if (r_n > 0 && u_t.norm() > 1e-9) {
        ++slips;
        EXPECT_LE((r_t + 0.3 * r_n * u_t / u_t.norm()).norm(), 1e-9 * (1 + r_n)) << number;
      }
      pulls += r_n < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(pulls, 100);
  EXPECT_GT(slips, 100);
}

}  // namespace
}  // namespace conesweep::contact
