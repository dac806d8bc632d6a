#pragma once

#include <conesweep/contact/coupled_step.hpp>
#include <conesweep/metric/cholesky.hpp>

// Coupled steps drawn and solved without any library, for every compiler: one hash a step over all that it leaves, to
// the bit.
namespace conesweep::bits {

/// splitmix64
struct Draw {
  unsigned long long state;

  CS_HD unsigned long long bits() {
    unsigned long long z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  template <class Real>
  CS_HD Real uniform(Real low, Real high) {
    return low + (high - low) * (static_cast<Real>(static_cast<int>(bits() >> 40)) * Real(0x1p-24));
  }
};

template <class Real>
CS_HD void add_to_hash(unsigned long long& hash, Real x) {
  hash = (hash ^ to_bits(canonicalize(x))) * 1099511628211ULL;
  hash ^= hash >> 32;
}

template <class Real, int D, int Firm, int Blocks, int Rows, class Metric, class Limits>
CS_HD unsigned long long hash_step(const Metric& metric, contact::System<Real, D, Firm, Blocks, Rows>& system,
                                   const Limits& limits, contact::Restitution restitution, int (&stages)[4]) {
  contact::Workspace<Real, D, Firm, Blocks, Rows> work;
  contact::Solution<Real, D, Firm, Blocks, Rows> solution;
  contact::solve_step(metric, system, limits, restitution, work, solution);
  unsigned long long hash = 1469598103934665603ULL;
  add_to_hash(hash, Real(static_cast<int>(solution.verdict)));
  if (solution.verdict != contact::Verdict::solved && solution.verdict != contact::Verdict::not_converged) return hash;
  ++stages[static_cast<int>(solution.stage)];
  add_to_hash(hash, solution.residual);
  add_to_hash(hash, solution.painleve);
  add_to_hash(hash, Real(solution.sweeps));
  add_to_hash(hash, Real(solution.newton_steps));
  add_to_hash(hash, Real(solution.passes + (solution.hyperstatic ? 10 : 0) + (solution.contact_acts ? 20 : 0)));
  for (int j = 0; j < D; ++j) add_to_hash(hash, solution.v[j]);
  for (int i = 0; i < system.rows; ++i) {
    add_to_hash(hash, solution.impulse[i]);
    add_to_hash(hash, solution.u[i]);
  }
  for (int k = 0; k < system.blocks; ++k) add_to_hash(hash, Real(static_cast<int>(solution.mode[k])));
  for (int f = 0; f < Firm; ++f) {
    add_to_hash(hash, solution.firm_normal[f]);
    add_to_hash(hash, solution.firm_impulse[f]);
  }
  return hash;
}

template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void draw_velocities_and_rows(Draw& draw, contact::System<Real, D, Firm, Blocks, Rows>& system) {
  for (int j = 0; j < D; ++j) {
    system.v_before[j] = draw.uniform(Real(-1), Real(1));
    system.w[j] = system.v_before[j] + draw.uniform(Real(-0.1), Real(0.1));
  }
  for (int f = 0; f < Firm; ++f) {
    for (int j = 0; j < D; ++j) system.firm_row[f][j] = draw.uniform(Real(-1), Real(1));
    system.firm_drive[f] = draw.uniform(Real(-0.1), Real(0.1));
  }
  for (int i = 0; i < system.rows; ++i) {
    for (int j = 0; j < D; ++j) system.row[i][j] = draw.uniform(Real(-1), Real(1));
    system.drive[i] = Real(0);
  }
}

template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void draw_contact(Draw& draw, contact::System<Real, D, Firm, Blocks, Rows>& system, int size) {
  const Real mu = draw.uniform(Real(0), Real(1.5));
  const Real e = draw.uniform(Real(0), Real(1));  // apart: arguments have no order
  const int block = system.add_contact(size, mu, e);
  // every fourth holds with a cohesion
  if ((draw.bits() & 3U) == 0)
    system.set_law(block, contact::Law::cohesive, -draw.uniform(Real(0.01), Real(0.5)), system.high[block]);
}

/// Friction on firm row 0, for resistances of any kind.
template <class Real>
struct FrictionOnFirmRow {
  static constexpr bool use_normals = true;
  Real mu;
  template <class FirmNormal, class BlockNormal, class AnySystem>
  CS_HD void operator()(const FirmNormal& firm_normal, const BlockNormal&, AnySystem& system) const {
    for (int k = 0; k < system.blocks; ++k) {
      if (contact::is_contact(system.law[k])) continue;
      system.high[k] = mu * abs(firm_normal[0]);
      system.low[k] = -system.high[k];
    }
  }
};

/// Two firm rows, an interval, a ball of three rows, two contacts in space, full mass: everything at once.
template <class Real>
CS_HD unsigned long long hash_everything(Draw& draw, int (&stages)[4]) {
  constexpr int d = 8;
  contact::System<Real, d, 2, 4, 10> system;
  system.clear();
  system.add_interval();
  draw_contact(draw, system, 3);
  system.add_ball(3);
  draw_contact(draw, system, 3);
  draw_velocities_and_rows(draw, system);
  Real mass[d][d], factor[d][d];
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) factor[i][j] = draw.uniform(Real(-1), Real(1));
  }
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      mass[i][j] = Real(i == j ? 1 : 0);
      for (int k = 0; k < d; ++k) mass[i][j] = mass[i][j] + factor[i][k] * factor[j][k];
    }
  }
  metric::DenseMetric<Real, d> metric;
  if (!metric.factor(mass)) return 0;
  const bool moreau = (draw.bits() & 1U) != 0;
  return hash_step(metric, system, FrictionOnFirmRow<Real>{draw.uniform(Real(0), Real(1))},
                   moreau ? contact::Restitution::moreau : contact::Restitution::newton, stages);
}

/// Four blocks on one another, masses over six decades.
template <class Real>
CS_HD unsigned long long hash_stack(Draw& draw, int (&stages)[4]) {
  constexpr int n = 4;
  contact::System<Real, 2 * n, 0, n, 2 * n> system;
  system.clear();
  Real mass[2 * n];
  for (int k = 0; k < n; ++k) system.add_contact(2, draw.uniform(Real(0), Real(1)), Real(0));
  for (int k = 0; k < n; ++k) {
    Real m = Real(1);
    for (int tenfold = static_cast<int>(draw.bits() % 7); tenfold > 0; --tenfold) m = m * Real(10);
    mass[2 * k] = mass[2 * k + 1] = m;
    system.v_before[2 * k] = system.v_before[2 * k + 1] = Real(0);
    system.w[2 * k] = draw.uniform(Real(-0.05), Real(0.05));
    system.w[2 * k + 1] = Real(-0.00981);
    for (int i = 2 * k; i < 2 * k + 2; ++i) {
      for (int j = 0; j < 2 * n; ++j) system.row[i][j] = Real(0);
      system.drive[i] = Real(0);
    }
    system.row[2 * k][2 * k + 1] = system.row[2 * k + 1][2 * k] = Real(1);
    if (k > 0) system.row[2 * k][2 * k - 1] = system.row[2 * k + 1][2 * k - 2] = Real(-1);
  }
  metric::DiagonalMetric<Real, 2 * n> metric;
  if (!metric.factor(mass)) return 0;
  return hash_step(metric, system, contact::FixedLimits{}, contact::Restitution::newton, stages);
}

/// Three contacts of two rows in three coordinates, with restitution: dependent rows, and now and then no solution.
template <class Real>
CS_HD unsigned long long hash_singular(Draw& draw, int (&stages)[4]) {
  contact::System<Real, 3, 0, 3, 6> system;
  system.clear();
  for (int k = 0; k < 3; ++k) draw_contact(draw, system, 2);
  draw_velocities_and_rows(draw, system);
  return hash_step(metric::UnitMetric<Real, 3>{}, system, contact::FixedLimits{}, contact::Restitution::newton, stages);
}

constexpr int kinds = 3;
inline constexpr const char* kind_names[kinds] = {"everything", "stack", "singular"};

/// The hash of one step; counts the stages of the search that were needed.
template <class Real>
CS_HD unsigned long long hash_problem(int kind, int number, int (&stages)[4]) {
  Draw draw{static_cast<unsigned long long>(number) * 1000003ULL + static_cast<unsigned long long>(kind)};
  return kind == 0   ? hash_everything<Real>(draw, stages)
         : kind == 1 ? hash_stack<Real>(draw, stages)
                     : hash_singular<Real>(draw, stages);
}

}  // namespace conesweep::bits
