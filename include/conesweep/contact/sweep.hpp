#pragma once

#include <conesweep/contact/natural_map.hpp>

namespace conesweep::contact {

/// The block's law solved exactly while all other impulses stand: (1) with b ← b + Σ W r over the others. `r` is the
/// block's answer.
template <class Real, int K, int MaxBlocks, int MaxRows>
CS_HD void solve_law_of(const Problem<Real, MaxBlocks, MaxRows>& p, int block, const Real (&impulses)[MaxRows],
                        Real (&r)[3]) {
  const int first = p.first[block];
  Real w[K][K], b[K], answer[K];
  for (int i = 0; i < K; ++i) {
    b[i] = p.b[first + i];
    for (int j = 0; j < first; ++j) b[i] = b[i] + p.w[first + i][j] * impulses[j];
    for (int j = first + K; j < p.rows; ++j) b[i] = b[i] + p.w[first + i][j] * impulses[j];
    for (int j = 0; j < K; ++j) w[i][j] = p.w[first + i][first + j];
  }
  const law::Limits<Real> limits = limits_of(p, block);
  law::ask(p.law[block], [&](auto law) CS_LAMBDA { law.template solve<Real, K>(w, b, limits, answer); });
  for (int k = 0; k < K; ++k) r[k] = answer[k];
}

template <class Real, int MaxBlocks, int MaxRows>
CS_APART void solve_law(const Problem<Real, MaxBlocks, MaxRows>& p, int block, const Real (&impulses)[MaxRows],
                        Real (&r)[3]) {
  if constexpr (law::largest_block >= 3)
    if (p.size[block] == 3) return solve_law_of<Real, 3>(p, block, impulses, r);
  if constexpr (law::largest_block >= 2)
    if (p.size[block] == 2) return solve_law_of<Real, 2>(p, block, impulses, r);
  solve_law_of<Real, 1>(p, block, impulses, r);
}

/// One sweep of Gauss-Seidel: block after block, each with the newest impulses of the others. Backwards and with a part
/// of the way only (`share` < 1) in rescues.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART void sweep(const Problem<Real, MaxBlocks, MaxRows>& p, Real (&r)[MaxRows], bool backwards, Real share) {
  for (int turn = 0; turn < p.blocks; ++turn) {
    const int block = backwards ? p.blocks - 1 - turn : turn;
    if (p.asleep[block]) continue;
    Real answer[3];
    solve_law(p, block, r, answer);
    for (int k = 0; k < p.size[block]; ++k) {
      Real& own = r[p.first[block] + k];
      own = share == Real(1) ? answer[k] : own + share * (answer[k] - own);
    }
  }
}

}  // namespace conesweep::contact
