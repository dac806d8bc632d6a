#pragma once

#include <conesweep/contact/model_blocks.hpp>

namespace conesweep::step {

/// Holonomic rows.
template <class Model>
CS_HD constexpr int count_holonomic() {
  int count = 0;
  for (int f = 0; f < Model::Laws::firm; ++f) count += Model::Laws::is_holonomic(f) ? 1 : 0;
  return count;
}

/// Does the position have to be held: by holonomic rows, or by contacts that persist (T)?
template <class Model>
CS_HD constexpr bool is_held() {
  return count_holonomic<Model>() > 0 || Model::Laws::persistent > 0;
}

/// (B5) brings a position back to its holonomic rows, and to the walls of the contacts that persist: two Gauss-Newton
/// steps in the metric of the step,
///
///   q ← q - M⁻¹Bᵀ(B M⁻¹Bᵀ)⁻¹ φ(q, t),   B at the current q,
///
/// skipped where all |φ| are below 4 ulp of their terms, so that nothing creeps. With rows g = L⁻¹b and S = G Gᵀ by
/// Cholesky. Dependent rows leave the position as it is: the next step finds them. `lost` is read where contacts
/// persist.
template <class Model, class Metric, class Real>
CS_APART void control_drift(const Metric& metric, const Real* constants, Real t, [[maybe_unused]] const Real* lost,
                            Real* q) {
  constexpr int D = Model::dimension, rows = count_holonomic<Model>() + int(Model::Laws::persistent);
  constexpr ScalarOf<Real> ulp = ScalarOf<Real>(is_double<Real> ? 2.3e-16 : 1.2e-7);
  for (int pass = 0; pass < 2; ++pass) {
    Real value[rows], g[rows][D], root[rows][rows];
    MaskOf<Real> off = Real(0) != Real(0);
    int row = 0;
    unroll<Model::Laws::firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::is_holonomic(f)) {
        value[row] = Model::template firm_value<f>(q, constants, t);
        off = off || !(abs(value[row]) <= Real(4) * Real(ulp) * Model::template firm_terms<f>(q, constants, t));
        Model::template firm_row<f>(q, constants, t, g[row]);
        metric.whiten(g[row]);
        ++row;
      }
    });
    if constexpr (Model::Laws::persistent > 0) {
      unroll<Model::contacts>([&](auto p) CS_LAMBDA {
        if constexpr (Model::Laws::is_persistent(p)) {
          if (lost[p] != infinity<Real>()) return;
          const Real scale = Model::template depth_scale<p>(q, constants, t);
          value[row] = -Model::template constraint<p>(q, constants, t) / scale;
          off = off || !(abs(value[row]) <= Real(4) * ulp * (Model::template gap_terms<p>(q, constants, t) / scale));
          contact::put_normal_row<p, Model>(q, constants, t, g[row]);
          metric.whiten(g[row]);
          ++row;
        }
      });
    }
    const int holonomic = Model::Laws::persistent > 0 ? row : rows;
    if (!any(off)) return;
    for (int i = 0; i < holonomic; ++i) {
      for (int j = 0; j <= i; ++j) {
        Real sum = contact::dot(g[i], g[j]);
        for (int k = 0; k < j; ++k) sum = sum - root[i][k] * root[j][k];
        if (i == j) off = off && sum > Real(0);
        root[i][j] = i == j ? sqrt(sum) : sum / root[j][j];
      }
    }
    for (int i = 0; i < holonomic; ++i) {
      for (int k = 0; k < i; ++k) value[i] = value[i] - root[i][k] * value[k];
      value[i] = value[i] / root[i][i];
    }
    for (int i = holonomic - 1; i >= 0; --i) {
      for (int k = i + 1; k < holonomic; ++k) value[i] = value[i] - root[k][i] * value[k];
      value[i] = value[i] / root[i][i];
    }
    Real change[D];
    for (int j = 0; j < D; ++j) {
      change[j] = Real(0);
      for (int i = 0; i < holonomic; ++i) change[j] = change[j] - g[i][j] * value[i];
    }
    metric.unwhiten(change);
    for (int j = 0; j < D; ++j) q[j] = select(off, q[j] + change[j], q[j]);
  }
}

/// Are all holonomic rows orthogonal in M⁻¹ as they are written, and does no contact persist?
template <class Model>
CS_HD constexpr bool holds_row_by_row() {
  for (int f = 0; f < Model::Laws::firm; ++f)
    if (Model::Laws::is_holonomic(f) && !Model::Laws::is_orthogonal(Model::contacts + f)) return false;
  return is_held<Model>() && Model::Laws::persistent == 0;
}

/// The same where they are: B M⁻¹Bᵀ is diagonal. All in one piece with the step, so that the position stays in
/// registers.
template <class Model, class Real>
CS_INLINE void control_drift_by_rows(const Real* constants, Real t, Real* q) {
  constexpr int firm = Model::Laws::firm;
  constexpr ScalarOf<Real> ulp = ScalarOf<Real>(is_double<Real> ? 2.3e-16 : 1.2e-7);
  bool some = true;
  unroll<2>([&](auto) CS_LAMBDA {
    if (!some) return;
    Real value[firm], inertia[firm];
    MaskOf<Real> off = Real(0) != Real(0);
    unroll<firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::is_holonomic(f)) {
        value[f] = Model::template firm_value<f>(q, constants, t);
        off = off || !(abs(value[f]) <= Real(4) * Real(ulp) * Model::template firm_terms<f>(q, constants, t));
      }
    });
    some = any(off);
    if (!some) return;
    unroll<firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::is_holonomic(f)) {
        Model::template row_inertia<Model::contacts + f>(q, constants, t, inertia[f]);
        off = off && is_finite(inertia[f]);
      }
    });
    Real held[Model::dimension];
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { held[c] = q[c]; });
    unroll<firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::is_holonomic(f))
        Model::template row_push<Model::contacts + f>(q, constants, t, select(off, -(inertia[f] * value[f]), Real(0)),
                                                      held);
    });
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { q[c] = held[c]; });
  });
}

}  // namespace conesweep::step
