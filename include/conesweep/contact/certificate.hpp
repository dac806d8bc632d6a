#pragma once

#include <conesweep/contact/persistence.hpp>

namespace conesweep::contact {

/// (T2) Does persistent contact certainly go on from here? With normal rows A_n and tangents A_t of n contacts in the
/// plane, F = f - D:
///
///   (1)  𝓜 = (A_n M⁻¹A_nᵀ)⁻¹ A_n M⁻¹A_tᵀ,   ρ = -(A_n M⁻¹A_nᵀ)⁻¹(A_n M⁻¹F + ã_n),   ã_n = (∂A_n/∂q·v)v
///   (2)  (I + 𝓜 diag(μ) D) r_n = ρ          normal forces where friction is μ r_n D, D diagonal with entries in [-1,
///        1]
///
/// det(I + 𝓜 diag(μ) D) and, by Cramer's rule, r_n times it are affine in every entry of D. So r_n > 0 for all D iff
/// both are positive at the 2ⁿ vertices, D = diag(±1): this is exact. The paper bounds the inverse instead
/// [MartinsMonteiroMarquesPetrov2004, (3.51)].
template <class Real, int N>
struct ForceBalance {
  Real m[N][N];  // 𝓜
  Real rho[N];   // ρ
  Real mu[N];
};

/// min over vertices of det and of r_n,p/ρ_p, positive iff (2) has a solution with r_n > 0 for every D. For ρ_p <= 0
/// there is none: |ρ_p| keeps the sign of r_n,p, and ρ_p = 0 gives 0.
template <class Real, int N>
CS_APART Real find_least_at_vertices(const ForceBalance<Real, N>& balance) {
  Real least = infinity<Real>();
  for (int vertex = 0; vertex < (1 << N); ++vertex) {
    Real a[N][N], x[N], det = Real(1);
    for (int i = 0; i < N; ++i) {
      x[i] = balance.rho[i];
      for (int j = 0; j < N; ++j) {
        const Real slide = (vertex >> j) % 2 == 0 ? balance.mu[j] : -balance.mu[j];
        a[i][j] = (i == j ? Real(1) : Real(0)) + balance.m[i][j] * slide;
      }
    }
    // elimination with the largest pivot of each column
    for (int k = 0; k < N; ++k) {
      int row = k;
      for (int i = k + 1; i < N; ++i) row = abs(a[i][k]) > abs(a[row][k]) ? i : row;
      if (row != k) {
        det = -det;
        for (int j = 0; j < N; ++j) {
          const Real kept = a[k][j];
          a[k][j] = a[row][j];
          a[row][j] = kept;
        }
        const Real kept = x[k];
        x[k] = x[row];
        x[row] = kept;
      }
      det = det * a[k][k];
      if (a[k][k] == Real(0)) break;
      for (int i = k + 1; i < N; ++i) {
        const Real factor = a[i][k] / a[k][k];
        for (int j = k; j < N; ++j) a[i][j] = a[i][j] - factor * a[k][j];
        x[i] = x[i] - factor * x[k];
      }
    }
    least = min(least, det);
    if (det == Real(0)) continue;
    for (int k = N - 1; k >= 0; --k) {
      for (int j = k + 1; j < N; ++j) x[k] = x[k] - a[k][j] * x[j];
      x[k] = x[k] / a[k][k];
    }
    for (int k = 0; k < N; ++k) least = min(least, balance.rho[k] == Real(0) ? Real(0) : x[k] / abs(balance.rho[k]));
  }
  return least;
}

/// (the paper's bound)/μ - 1, μ the largest: the bound is (1/(M̄ n)) min(1/n, 1/(1 + max ρ/min ρ)), M̄ = max|𝓜|. -1 where
/// some ρ <= 0; infinite without coupling or friction.
template <class Real, int N>
CS_HD Real find_margin_of_paper(const ForceBalance<Real, N>& balance) {
  Real largest = Real(0), least_rho = infinity<Real>(), most_rho = -infinity<Real>(), mu = Real(0);
  for (int i = 0; i < N; ++i) {
    mu = max(mu, balance.mu[i]);
    least_rho = min(least_rho, balance.rho[i]);
    most_rho = max(most_rho, balance.rho[i]);
    for (int j = 0; j < N; ++j) largest = max(largest, abs(balance.m[i][j]));
  }
  if (!(least_rho > Real(0))) return Real(-1);
  const Real share = min(Real(1) / Real(N), Real(1) / (Real(1) + most_rho / least_rho));
  return share / (largest * Real(N) * mu) - Real(1);
}

/// (1) at a node. False where the normal rows are dependent.
template <class Real, class Model, bool Checked, class Metric>
CS_HD bool find_force_balance(const Passage<Real, Model, Checked>& s, const Metric& metric,
                              ForceBalance<Real, Model::Laws::persistent>& balance) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension, N = Laws::persistent;
  Real force[D], normal[N][D], tangent[N][D], load[N];
  for (int j = 0; j < D; ++j) force[j] = s.f[j];
  if constexpr (Laws::mass() != MassKind::unit) {
    Model::inertia(s.node, force);
    for (int j = 0; j < D; ++j) force[j] = s.f[j] - force[j];
  }
  metric.whiten(force);
  int k = 0;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if constexpr (Laws::is_persistent(p)) {
      OneLaw<Real, Whole<Model>, Laws::contact_size(p)> system;
      system.clear();
      enter_contact<Whole<Model>, p>(s.node, StretchOf<Real, Model>{s.h, s.t_next}, system);
      balance.mu[k] = system.high[0];
      for (int j = 0; j < D; ++j) {
        normal[k][j] = system.row[0][j];
        tangent[k][j] = Real(0);
        if constexpr (Laws::contact_size(p) > 1) tangent[k][j] = system.row[1][j];
      }
      metric.whiten(normal[k]);
      metric.whiten(tangent[k]);
      Model::template turning<p>(s.node, load[k]);
      load[k] = load[k] + dot(normal[k], force);
      ++k;
    }
  });
  // S = R Rᵀ, then columns of 𝓜, and ρ
  Real root[N][N];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j <= i; ++j) {
      Real sum = dot(normal[i], normal[j]);
      for (int l = 0; l < j; ++l) sum = sum - root[i][l] * root[j][l];
      if (i == j && !(sum > Real(0))) return false;
      root[i][j] = i == j ? sqrt(sum) : sum / root[j][j];
    }
  }
  for (int column = 0; column <= N; ++column) {
    Real x[N];
    for (int i = 0; i < N; ++i) {
      Real sum = column < N ? dot(normal[i], tangent[column]) : -load[i];
      for (int l = 0; l < i; ++l) sum = sum - root[i][l] * x[l];
      x[i] = sum / root[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int l = i + 1; l < N; ++l) x[i] = x[i] - root[l][i] * x[l];
      x[i] = x[i] / root[i][i];
      if (column < N)
        balance.m[i][column] = x[i];
      else
        balance.rho[i] = x[i];
    }
  }
  return true;
}

/// (T2) at a node at which all persistent contacts persist. After predict: s.f is there.
template <class Real, class Model, bool Checked, class Metric>
CS_APART void find_certificates(Passage<Real, Model, Checked>& s, const Metric& metric) {
  bool all = true;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA { all = all && (!Model::Laws::is_persistent(p) || persists<p>(s)); });
  ForceBalance<Real, Model::Laws::persistent> balance;
  if (!all || !find_force_balance(s, metric, balance)) return;
  if constexpr (Model::Standard::certificate)
    s.certificates().exact = min(s.certificates().exact, find_least_at_vertices(balance));
  s.certificates().paper = min(s.certificates().paper, find_margin_of_paper(balance));
}

}  // namespace conesweep::contact
