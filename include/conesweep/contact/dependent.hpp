#pragma once

#include <conesweep/contact/solution.hpp>

// (B9) Rows that say the same: what they leave open.

namespace conesweep::contact {

/// Normal velocity, in the problem's units, of a contact after the impulses so far.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_APART Real velocity_after(const Workspace<Real, D, Firm, Blocks, Rows>& work, int row) {
  const auto& p = work.reduced.problem;
  Real u = work.reduced.free[row];
  for (int j = 0; j < p.rows; ++j) u = u + p.w[row][j] * work.r[j];
  return u;
}

/// Are the rows dependent whose numbers stand in search.equations.unknown? By Cholesky's pivots on their part of W. The
/// first `spare` rows may depend on each other: what depends on those before it is left out.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool find_dependent(Workspace<Real, D, Firm, Blocks, Rows>& work, int count, int spare) {
  const auto& p = work.reduced.problem;
  auto& rows = work.search.equations.unknown;
  auto& l = work.search.equations.j;
  if (count - spare > D - Firm) return true;
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const int row = rows[i];
    for (int j = 0; j <= kept; ++j) {
      Real sum = p.w[row][j < kept ? rows[j] : row];
      for (int k = 0; k < j; ++k) sum = sum - l[kept][k] * l[j][k];
      l[kept][j] = j < kept ? sum / l[j][j] : sum;
    }
    if (l[kept][kept] > dependent_ratio<Real> * p.w[row][row]) {
      l[kept][kept] = sqrt(l[kept][kept]);
      rows[kept++] = row;
    } else if (i >= spare) {
      return true;
    }
  }
  return false;
}

/// (B9) Need the velocity not be unique? The rows of active contacts with friction are dependent; or the load of a
/// contact with friction is open, since its normal row depends on those of other closed contacts, which may be smooth,
/// and of resistances that stick: where the load goes, friction goes. A contact is closed if it is pressed, or if it
/// could be: its normal velocity is what it has to be, and the search happened to give it nothing. A resistance sticks
/// if none of its rows moves, and its set is more than {0}. A guide with friction counts as a contact that is always
/// pressed; what slides of it carries no load of its own, what rests of it does.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool find_hyperstatic(const System<Real, D, Firm, Blocks, Rows>& system,
                            Workspace<Real, D, Firm, Blocks, Rows>& work) {
  const auto& p = work.reduced.problem;
  auto& rows = work.search.equations.unknown;
  Real largest = p.speed;
  for (int i = 0; i < p.rows; ++i) largest = max(largest, abs(work.reduced.free[i]));
  const Real rounding = Tolerance<Real>::accept * largest;
  const auto is_still = [&](int block, int from) {
    Real slip = Real(0);
    for (int i = p.first[block] + from; i < p.first[block] + p.size[block]; ++i)
      slip = max(slip, abs(velocity_after(work, i)));
    return slip <= rounding;
  };
  int count = 0, pressed = 0;
  for (int block = 0; block < p.blocks; ++block) {
    if (law::binds(p.law[block]) && is_rough(p, block)) {
      const int rows_that_carry = is_still(block, 1) ? p.size[block] : 1;
      for (int k = 0; k < rows_that_carry; ++k) rows[count++] = p.first[block] + k;
    }
    if (!is_contact(p.law[block])) continue;
    if (!is_rough(p, block) || !presses(p, block, work.r[p.first[block]])) continue;
    ++pressed;
    for (int k = 0; k < p.size[block]; ++k) rows[count++] = p.first[block] + k;
  }
  if (find_dependent(work, count, 0)) return true;
  if (pressed == p.blocks) return false;

  count = 0;
  for (int block = 0; block < p.blocks; ++block) {
    const bool guide = law::binds(p.law[block]);
    if (guide && !is_rough(p, block)) rows[count++] = p.first[block];
    if (is_contact(p.law[block]) || !is_rough(p, block)) continue;
    const int from = guide ? 1 : 0;
    if (!is_still(block, from)) continue;
    for (int i = p.first[block] + from; i < p.first[block] + p.size[block]; ++i) rows[count++] = i;
  }
  int others = count;
  for (int part = 0; part < 2; ++part) {  // smooth ones first
    for (int block = 0; block < p.blocks; ++block) {
      if (law::binds(p.law[block]) && part == 1 && is_rough(p, block)) rows[count++] = p.first[block];
      if (!is_contact(p.law[block]) || is_rough(p, block) != (part == 1)) continue;
      const int n = p.first[block];
      const Real u = velocity_after(work, n), rebound = system.e[block] * work.reduced.u_before[n] * p.unit[n];
      if (presses(p, block, work.r[n]) || abs(u) <= rounding || abs(u + rebound) <= rounding) rows[count++] = n;
    }
    if (part == 0) others = count;
  }
  return find_dependent(work, count, others);
}

/// (G) Is there a guide? And do guides bind the same velocity twice, one another's or a firm row's? Their normal
/// impulses, and with them friction, would be open.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_INLINE bool has_guides(const System<Real, D, Firm, Blocks, Rows>& system) {
  for (int block = 0; block < system.blocks; ++block)
    if (law::binds(system.law[block])) return true;
  return false;
}
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool find_dependent_guides(Workspace<Real, D, Firm, Blocks, Rows>& work) {
  const auto& p = work.reduced.problem;
  int count = 0;
  for (int block = 0; block < p.blocks; ++block)
    if (law::binds(p.law[block])) work.search.equations.unknown[count++] = p.first[block];
  return find_dependent(work, count, 0);
}

}  // namespace conesweep::contact
