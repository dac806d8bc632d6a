#pragma once

#include <conesweep/step/coupled.hpp>

// (B5) at the start: where [start] asks for it, a member that misses walls and constraints by little is put on them.

namespace conesweep::step {

/// A start is moved by so much at most of a wall's own length: distance <= settling_distance (1 + |q|), and so of
/// velocities.
inline constexpr double settling_distance = 1e-4;

/// Rows that change together at most: those of bilateral constraints, of persistent contacts, and of as many walls as
/// may touch at once.
inline constexpr int most_settled = 24;

/// Bound on Gauss-Newton steps: two reach rounding, more are for walls that are met on the way.
inline constexpr int most_settling_steps = 8;

/// Rows that a member misses, as conditions on a change y of its whitened position or velocity:
///
///   (1)  least |y|  with  height + g·y = 0 of equations, height + g·y >= 0 of walls
///
/// y = Σ g push, and walls only push. Solved from below by [GoldfarbIdnani1983]: equations first, then the wall that is
/// deepest, and so on. Row p enters with
///
///   (2)  y ← y + τ z,   push ← push - τ r,   push_p ← push_p + τ,     g_p = Σ r g + z,  z across the rows held,
///
/// until it is 0, or until a wall that is held would come to pull: that one is let go. |y| only grows, so no set of
/// rows is met twice.
template <class Real, int Rows, int D>
struct Missed {
  Real g[Rows][D];      // L⁻¹b
  Real height[Rows];    // above the wall; of an equation its value
  Real rounding[Rows];  // a height as small as this is 0
  bool equation[Rows];
  int law[Rows];  // a contact's number; -1: none
  int count = 0;
  bool some = false;   // is a row missed by more than rounding?
  bool little = true;  // and all by little?
  int held[Rows];      // rows that the change makes 0
  Real push[Rows];     // of these
  int held_count = 0;

  /// A row, which may be missed by `reach`. Walls that are not missed need none
  /// (more than 5 parameters: what a row is).
  CS_HD void enter(const Real (&row)[D], Real value, Real zero, Real reach, bool is_equation, int contact) {
    const bool off = is_equation ? !(abs(value) <= zero) : !(value >= -zero);
    if (!off && !is_equation) return;
    some = some || off;
    little = little && (!off || abs(value) <= reach);
    if (count == Rows) return;
    for (int j = 0; j < D; ++j) g[count][j] = row[j];
    height[count] = value, rounding[count] = zero, equation[count] = is_equation, law[count] = contact;
    ++count;
  }

  /// (1), in the coordinates of `metric`.
  template <class Metric>
  CS_HD void find_change(const Metric& metric, Real (&y)[D]) {
    for (int k = 0; k < count; ++k) metric.whiten(g[k]);
    bool refused[Rows];
    for (int k = 0; k < count; ++k) refused[k] = false;
    for (int j = 0; j < D; ++j) y[j] = Real(0);
    for (int round = 0; round < 4 * count; ++round) {
      const int next = choose_next(y, refused);
      if (next < 0) break;
      refused[next] = !hold(next, y);
    }
    metric.unwhiten(y);
  }

 private:
  /// The first equation, or the deepest wall, of those that are not held; -1: none is missed.
  CS_HD int choose_next(const Real (&y)[D], const bool (&refused)[Rows]) const {
    int next = -1;
    Real deepest = Real(0);
    for (int k = 0; k < count; ++k) {
      bool out = refused[k];
      for (int i = 0; i < held_count; ++i) out = out || held[i] == k;
      if (out) continue;
      if (equation[k]) return k;
      const Real stays = height[k] + contact::dot(g[k], y), depth = stays / sqrt(contact::dot(g[k], g[k]));
      if (stays < -rounding[k] && depth < deepest) next = k, deepest = depth;
    }
    return next;
  }

  /// (2) for row p. False where the rows held leave it no way.
  CS_HD bool hold(int p, Real (&y)[D]) {
    Real own = Real(0);
    for (int round = 0; round <= Rows; ++round) {
      Real r[Rows], z[D];
      split(p, r, z);
      int leaves = -1;
      Real until = Real(0);
      for (int i = 0; i < held_count; ++i) {
        if (equation[held[i]] || !(r[i] > Real(0))) continue;
        const Real here = max(push[i], Real(0)) / r[i];
        if (leaves < 0 || here < until) leaves = i, until = here;
      }
      const Real across = contact::dot(z, z), all = contact::dot(g[p], g[p]);
      const bool free = across > Real(is_double<Real> ? 1e-12 : 1e-6) * all;  // (B9)
      if (!free && leaves < 0) return false;
      const Real whole = free ? -(height[p] + contact::dot(g[p], y)) / across : Real(0);
      const bool enters = free && (leaves < 0 || whole <= until);
      const Real tau = enters ? whole : until;
      if (free)
        for (int j = 0; j < D; ++j) y[j] = y[j] + tau * z[j];
      for (int i = 0; i < held_count; ++i) push[i] = push[i] - tau * r[i];
      own = own + tau;
      if (enters) {
        held[held_count] = p;
        push[held_count] = own;
        ++held_count;
        return true;
      }
      --held_count;
      for (int i = leaves; i < held_count; ++i) held[i] = held[i + 1], push[i] = push[i + 1];
    }
    return false;
  }

  /// g_p = Σ r g + z, by the Cholesky factor of the rows held.
  CS_HD void split(int p, Real (&r)[Rows], Real (&z)[D]) const {
    Real root[Rows][Rows];
    for (int i = 0; i < held_count; ++i) {
      for (int j = 0; j <= i; ++j) {
        Real sum = contact::dot(g[held[i]], g[held[j]]);
        for (int k = 0; k < j; ++k) sum = sum - root[i][k] * root[j][k];
        root[i][j] = i == j ? sqrt(sum) : sum / root[j][j];
      }
      r[i] = contact::dot(g[held[i]], g[p]);
      for (int k = 0; k < i; ++k) r[i] = r[i] - root[i][k] * r[k];
      r[i] = r[i] / root[i][i];
    }
    for (int i = held_count - 1; i >= 0; --i) {
      for (int k = i + 1; k < held_count; ++k) r[i] = r[i] - root[k][i] * r[k];
      r[i] = r[i] / root[i][i];
    }
    for (int j = 0; j < D; ++j) {
      z[j] = g[p][j];
      for (int i = 0; i < held_count; ++i) z[j] = z[j] - r[i] * g[held[i]][j];
    }
  }
};

/// Gauss-Newton in the metric of the start, for t = 0: holonomic rows and walls of persistent contacts are equations,
/// other walls only push a member that lies beyond them, and hold it from then on. A member that misses something by
/// more than the settling distance stays where it is.
template <class Model, class Metric, class Real>
CS_APART void settle_position(const Metric& metric, const Real* constants, Real* q) {
  constexpr int D = Model::dimension, all = count_holonomic<Model>() + Model::contacts;
  constexpr Real zero = Real(4) * (is_double<Real> ? Real(2.3e-16) : Real(1.2e-7));
  const Real reach = Real(settling_distance) * (Real(1) + sqrt(metric::squared_length<D>(q)));
  Real written[D];
  for (int j = 0; j < D; ++j) written[j] = q[j];
  bool on[at_least_one(Model::contacts)];
  for (int p = 0; p < Model::contacts; ++p) on[p] = Model::Laws::is_persistent(p);
  for (int step = 0; step < most_settling_steps; ++step) {
    Missed<Real, (all < most_settled ? all : most_settled), D> missed;
    if constexpr (Model::Laws::firm > 0) {
      unroll<Model::Laws::firm>([&](auto f) CS_LAMBDA {
        if constexpr (Model::Laws::is_holonomic(f)) {
          Real row[D];
          Model::template firm_row<f>(q, constants, Real(0), row);
          missed.enter(row, Model::template firm_value<f>(q, constants, Real(0)),
                       zero * Model::template firm_terms<f>(q, constants, Real(0)),
                       reach * sqrt(metric::squared_length<D>(row)), true, -1);
        }
      });
    }
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      Real row[D];
      const Real scale = Model::template depth_scale<p>(q, constants, Real(0));
      contact::put_normal_row<p, Model>(q, constants, Real(0), row);
      missed.enter(row, -Model::template constraint<p>(q, constants, Real(0)) / scale,
                   zero * (Model::template gap_terms<p>(q, constants, Real(0)) / scale), reach, on[p], p);
    });
    if (!missed.some) return;
    if (!missed.little) {
      for (int j = 0; j < D; ++j) q[j] = written[j];
      return;
    }
    Real change[D];
    missed.find_change(metric, change);
    for (int i = 0; i < missed.held_count; ++i)
      if (missed.law[missed.held[i]] >= 0) on[missed.law[missed.held[i]]] = true;
    for (int j = 0; j < D; ++j) q[j] = q[j] + change[j];
  }
}

/// The least change in the metric that makes firm rows, and normal rows of persistent contacts, 0.
template <class Model, class Metric, class Real>
CS_APART void settle_velocity(const Metric& metric, const Real* constants, const Real* q, Real* v) {
  constexpr int D = Model::dimension;
  constexpr Real zero = Real(16) * (is_double<Real> ? Real(2.3e-16) : Real(1.2e-7));  // rows are rounded, too
  const Real reach = Real(settling_distance) * (Real(1) + sqrt(metric::squared_length<D>(v)));
  Missed<Real, int(Model::Laws::firm) + int(Model::Laws::persistent), D> missed;
  const auto enter = [&](const Real(&row)[D], Real drive) CS_LAMBDA {
    Real u = -drive, size = abs(drive);
    for (int j = 0; j < D; ++j) u = u + row[j] * v[j], size = size + abs(row[j] * v[j]);
    missed.enter(row, u, zero * size, reach, true, -1);
  };
  if constexpr (Model::Laws::firm > 0) {
    unroll<Model::Laws::firm>([&](auto f) CS_LAMBDA {
      Real row[D];
      Model::template firm_row<f>(q, constants, Real(0), row);
      enter(row, Model::template firm_drive<f>(q, constants, Real(0), Real(0), Real(0)));
    });
  }
  if constexpr (Model::Laws::persistent > 0) {
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if constexpr (Model::Laws::is_persistent(p)) {
        Real row[D];
        contact::put_normal_row<p, Model>(q, constants, Real(0), row);
        enter(row, Model::template wall_speed<p>(q, constants, Real(0), Real(0), Real(0)));
      }
    });
  }
  if (!missed.some || !missed.little) return;
  Real change[D];
  missed.find_change(metric, change);
  for (int j = 0; j < D; ++j) v[j] = v[j] + change[j];
}

/// One member: its position, then its velocity there. What remains wrong is for the checks of the start.
template <class Model, class Real>
CS_HD void settle_start(const Real* constants, Real* q, Real* v) {
  contact::MetricOf<Real, Model> metric;
  if (!contact::make_metric<Real, Model>(q, constants, metric)) return;
  if constexpr (count_holonomic<Model>() + Model::contacts > 0) settle_position<Model>(metric, constants, q);
  if constexpr (Model::Laws::firm > 0 || Model::Laws::persistent > 0)
    if (contact::make_metric<Real, Model>(q, constants, metric)) settle_velocity<Model>(metric, constants, q, v);
}

/// A member, or the lanes of a pack one by one.
template <class Real, class Model>
CS_INLINE void settle(Member<Real, Model>& m) {
  if constexpr (RealTraits<Real>::lanes == 1) {
    settle_start<Model>(m.constants(), m.q.value, m.v.value);
  } else {
    using Scalar = ScalarOf<Real>;
    for (int lane = 0; lane < RealTraits<Real>::lanes; ++lane) {
      Scalar constants[at_least_one(contact::count_constants<Model>())], q[Model::dimension], v[Model::dimension];
      state::take_lane_of<contact::count_constants<Model>()>(m.constants(), lane, constants);
      state::take_lane(m.q.value, lane, q);
      state::take_lane(m.v.value, lane, v);
      settle_start<Model>(constants, q, v);
      state::put_lane(q, lane, m.q.value);
      state::put_lane(v, lane, m.v.value);
    }
  }
}

}  // namespace conesweep::step
