#pragma once

#include <conesweep/math/elementary.hpp>
#include <conesweep/state/clock.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/laws.hpp>

// Percussions (B6): atoms j = 1 … count at times t_j with sizes a_j, expressions of a member's parameters, of any
// number of resistances.
//
// Times are counted in steps, x_j = t_j/h; within 1e-9 of a whole number they are that number. Step i owns the atoms
// with i <= x < i + 1, the last one also x = N. A family whose times rise or fall is walked along. Any other is
// searched, a few atoms at a time; a member keeps none of them.

namespace conesweep::step {

/// Where a member stands in one family.
template <class Real>
struct Family {
  Real next;      // time of the next atom, in steps; infinite: none comes
  int count;      // of its atoms
  int taken;      // so many, of a family in order
  int direction;  // 1: times rise with j, -1: they fall, 0: neither
};

inline constexpr int most_percussions = 100000;

/// Families of a member.
struct Atoms;
template <class Real, class Model>
using Families = state::KeptArray<Atoms, Family<Real>, Model::Laws::percussions>;

/// Families without atoms, until they are looked through; a member that cannot start has none.
template <class Model, class Real>
CS_INLINE void forget_atoms(Family<Real>* families) {
  for (int k = 0; k < Model::Laws::percussions; ++k) families[k] = {Real(infinity<Real>()), 0, 0, 1};
}

/// x_j of the percussions of resistance R.
template <int R, class Model, class Real>
CS_INLINE Real find_atom(const Real* constants, int j, Real h) {
  const Real x = Model::template percussion_time<R>(constants, Real(j)) / h;
  const Real nearest = round_to_nearest(x);
  return abs(x - nearest) <= Real(is_double<Real> ? 1e-9 : 1e-4) ? nearest : x;
}

/// Looks through a family once. False where a number is out of range.
template <int R, class Model, class Real>
CS_HD bool start_family(const Real* constants, const state::Clock<Real>& clock, Family<Real>& family) {
  const Real count = Model::template percussion_count<R>(constants);
  const Real whole = round_to_nearest(count);
  if (!(count >= Real(0) && count <= Real(most_percussions) && abs(count - whole) <= Real(1e-9) * max(whole, Real(1))))
    return false;
  const int number = static_cast<int>(whole);
  bool rises = true, falls = true;
  Real before = Real(0), first = Real(infinity<Real>());
  for (int j = 1; j <= number; ++j) {
    const Real x = find_atom<R, Model>(constants, j, Real(clock.h));
    const Real size = Model::template percussion_size<R>(constants, Real(j));
    if (!(x >= Real(0) && x <= Real(clock.steps) && size > Real(0) && is_finite(size))) return false;
    if (j > 1) rises = rises && x >= before, falls = falls && x <= before;
    before = x;
    first = min(first, x);
  }
  family = {first, number, 0, rises ? 1 : falls ? -1 : 0};
  return true;
}

/// Which atoms a search may find: those at x and later, or only those after it.
template <class Real>
struct From {
  Real x;
  bool itself;

  CS_INLINE bool allows(Real other) const { return itself ? other >= x : other > x; }
};

/// The next atoms of a family in no order, sorted; sizes at one time are one.
template <class Real>
struct Batch {
  static constexpr int most = 128;  // so many a pass over the family
  int count = 0, taken = 0;
  Real x[most], size[most];
};

template <int R, class Model, class Real>
CS_HD void refill(const Real* constants, const Family<Real>& family, const From<Real>& from, Real h,
                  Batch<Real>& batch) {
  constexpr int most = Batch<Real>::most;
  batch.count = batch.taken = 0;
  for (int j = 1; j <= family.count; ++j) {
    const Real x = find_atom<R, Model>(constants, j, h);
    if (!from.allows(x) || (batch.count == most && x > batch.x[most - 1])) continue;
    const Real size = Model::template percussion_size<R>(constants, Real(j));
    int place = batch.count;
    while (place > 0 && batch.x[place - 1] > x) --place;
    if (place > 0 && batch.x[place - 1] == x) {
      batch.size[place - 1] = batch.size[place - 1] + size;
      continue;
    }
    if (batch.count < most) ++batch.count;
    for (int k = batch.count - 1; k > place; --k) batch.x[k] = batch.x[k - 1], batch.size[k] = batch.size[k - 1];
    batch.x[place] = x;
    batch.size[place] = size;
  }
}

/// Takes the atoms at family.next, and finds the time after it. Returns what their sizes add up to. `batch` is that of
/// the step.
template <int R, class Model, class Real>
CS_HD Real take_atoms(const Real* constants, Family<Real>& family, Real h, Batch<Real>& batch) {
  const Real x = family.next;
  family.next = Real(infinity<Real>());
  if (family.direction != 0) {
    Real size = Real(0);
    for (; family.taken < family.count; ++family.taken) {
      const int j = family.direction > 0 ? family.taken + 1 : family.count - family.taken;
      const Real other = find_atom<R, Model>(constants, j, h);
      if (other != x) {
        family.next = other;
        break;
      }
      size = size + Model::template percussion_size<R>(constants, Real(j));
    }
    return size;
  }
  if (batch.taken == batch.count) refill<R, Model>(constants, family, {x, true}, h, batch);
  const Real size = batch.size[batch.taken++];
  if (batch.taken == batch.count && batch.count == Batch<Real>::most)
    refill<R, Model>(constants, family, {x, false}, h, batch);
  if (batch.taken < batch.count) family.next = batch.x[batch.taken];
  return size;
}

}  // namespace conesweep::step
