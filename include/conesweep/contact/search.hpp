#pragma once

#include <conesweep/contact/newton.hpp>
#include <conesweep/contact/sweep.hpp>

namespace conesweep::contact {

/// Bounds on the residual of natural_map.hpp.
template <class Real>
struct Tolerance {
  static constexpr Real aim = Real(is_double<Real> ? 1e-14 : 1e-6);      // below, nothing is left to gain
  static constexpr Real accept = Real(is_double<Real> ? 1e-12 : 2e-5);   // good
  static constexpr Real give_up = Real(is_double<Real> ? 1e-10 : 2e-4);  // above: not converged
};

/// How the answer was found. A later stage is entered only where those before did not reach `accept`.
enum class Stage : int { sweeps, in_turn, backwards, modes };

/// The best impulses found so far, and memory for the search; some 3 KB for 4 contacts in space.
template <class Real, int MaxRows>
struct Search {
  Real best[MaxRows];  // impulses in the problem's units
  Real residual;       // of `best`; NaN where the problem has no number
  int sweeps, newton_steps;
  Stage stage;
  Real size;        // of the velocities that enter
  Real r[MaxRows];  // where the search is
  Real u[MaxRows];  // velocities there, once it was looked at
  Real kept[MaxRows];
  Equations<Real, MaxRows> equations;

  CS_INLINE bool good() const { return residual <= Tolerance<Real>::accept; }
  CS_INLINE bool done() const { return residual <= Tolerance<Real>::aim; }
};

template <class Real, int MaxRows>
CS_INLINE void copy(Real (&to)[MaxRows], const Real (&from)[MaxRows], int rows) {
  for (int i = 0; i < rows; ++i) to[i] = from[i];
}

/// Looks at s.r. Returns its residual.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD Real keep_if_better(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  const Real residual = residual_of(p, s.r, s.size, s.u);
  if (residual < s.residual) {
    s.residual = residual;
    copy(s.best, s.r, p.rows);
  }
  return residual;
}

/// s.u of an s.r that nobody has looked at.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART void find_velocities(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  for (int i = 0; i < p.rows; ++i) s.u[i] = velocity_of_row(p, s.r, i);
}

/// Up to `steps` Newton steps from s.r, whose velocities are known; where the answer is good already, as long as they
/// improve it.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART void try_newton(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s, int steps) {
  for (int step = 0; step < steps; ++step) {
    const bool was_good = s.good();
    newton_step(p, s.r, s.u, s.equations);
    ++s.newton_steps;
    const Real residual = keep_if_better(p, s);
    if (!is_finite(residual) || s.done() || (was_good && residual > s.residual)) return;
  }
}

/// A few more Newton steps from a good answer that is not the best possible; on the border between modes the residual
/// may rise before it falls.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void polish(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  copy(s.r, s.best, p.rows);
  find_velocities(p, s);
  for (int step = 0; step < 4 && !s.done(); ++step) {
    newton_step(p, s.r, s.u, s.equations);
    ++s.newton_steps;
    if (!is_finite(keep_if_better(p, s))) return;
  }
}

/// Gauss-Seidel from r = 0, Newton after sweeps 2, 4, 8, 16. The sweeps go on from what Newton found where it is
/// better, else from where they were. Where several laws meet the first sweep is no answer, and not looked at.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void sweep_with_newton(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  int attempt = 2;
  for (int n = 1; n <= 24 && !s.done(); ++n) {
    sweep(p, s.r, false, Real(1));
    ++s.sweeps;
    if (n == 1) continue;
    keep_if_better(p, s);
    if (n < attempt || s.done()) continue;
    attempt *= 2;
    const Real before = s.residual;
    copy(s.kept, s.r, p.rows);
    try_newton(p, s, 6);
    if (s.good()) break;
    copy(s.r, s.residual < before ? s.best : s.kept, p.rows);
  }
}

/// One sweep and one Newton step in turn, from r = 0: the sweep brings the modes back that the step has overshot.
/// Solves what heavy bodies on light ones leave.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void sweep_and_newton_in_turn(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  s.stage = Stage::in_turn;
  for (int i = 0; i < p.rows; ++i) s.r[i] = Real(0);
  for (int n = 0; n < 40 && !s.good(); ++n) {
    sweep(p, s.r, false, Real(1));
    ++s.sweeps;
    keep_if_better(p, s);
    try_newton(p, s, 1);
  }
}

/// Half-relaxed sweeps in the reverse order, from r = 0, Newton after every eighth: another way into problems on which
/// the sweeps turn in a circle.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void sweep_backwards(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  s.stage = Stage::backwards;
  for (int i = 0; i < p.rows; ++i) s.r[i] = Real(0);
  for (int n = 1; n <= 32 && !s.good(); ++n) {
    sweep(p, s.r, true, Real(0.5));
    ++s.sweeps;
    if (n % 8 != 0) continue;
    copy(s.kept, s.r, p.rows);
    find_velocities(p, s);
    try_newton(p, s, 6);
    copy(s.r, s.kept, p.rows);
  }
}

/// The linear problem in which the mode of every block is given, slip along `along` (u's direction): where Newton
/// starts. To s.r.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART void start_from_modes(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s,
                               const Mode (&modes)[MaxBlocks], const Real (&along)[MaxRows]) {
  Equations<Real, MaxRows>& e = s.equations;
  e.count = p.rows;
  for (int i = 0; i < p.rows; ++i) {
    e.unknown[i] = i;
    e.rest[i] = Real(0);
    for (int j = 0; j < p.rows; ++j) e.j[i][j] = i == j ? Real(1) : Real(0);
  }
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) continue;
    const bool last = modes[block] == Mode::flight;
    const law::Limits<Real> limits = limits_of(p, block);
    const int first = p.first[block];
    int size = p.size[block];
    if (last) size = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.rows_in_flight(size); });
    if (size == 0) e.rest[first] = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.least(limits); });
    const Real lean = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.lean(limits, Real(last ? -1 : 1)); });
    const bool normal = has_normal(p.law[block]);
    const int from = normal ? 1 : 0;
    Real length = Real(0);
    for (int k = from; k < size; ++k) length = length + along[first + k] * along[first + k];
    length = sqrt(length);
    for (int k = 0; k < size; ++k) {
      const int i = first + k;
      if (modes[block] == Mode::stick || k < from) {
        for (int j = 0; j < p.rows; ++j) e.j[i][j] = p.w[i][j];
        e.rest[i] = -p.b[i];
        continue;
      }
      const Real h = length > Real(0) ? along[i] / length : Real(k == from ? 1 : 0);
      if (normal) e.j[i][first] = lean * h;
      e.rest[i] = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.border(limits, h); });
    }
  }
  eliminate(e);
  for (int k = 0; k < p.rows; ++k) s.r[e.unknown[k]] = e.rest[k];
}

/// Rows along which a block slips.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE int count_slips(const Problem<Real, MaxBlocks, MaxRows>& p, int block) {
  return has_normal(p.law[block]) ? p.size[block] - 1 : p.size[block];
}

/// Has a block a last mode, Mode::flight? A contact is open there; each law says what it is.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE bool has_flight(const Problem<Real, MaxBlocks, MaxRows>& p, int block) {
  return law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.has_flight(count_slips(p, block)); });
}

/// Modes of a block: it sticks, it slips, it may have a flight. Along one row slip goes forwards or backwards, which
/// are two; without any a closed contact has one mode.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE int count_modes(const Problem<Real, MaxBlocks, MaxRows>& p, int block) {
  const int slips = count_slips(p, block);
  return 1 + (slips == 1 ? 2 : slips > 1 ? 1 : 0) + (has_flight(p, block) ? 1 : 0);
}

/// Newton from every combination of modes, where there are more than 256 (four contacts in the plane) from as many
/// spread evenly. Slip along several rows goes along b, along u of the best impulses so far, and against it.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void try_modes(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  s.stage = Stage::modes;
  constexpr int most = 256, stride = 2741;  // a prime: with all 2^m 3^n combinations it has no common divisor
  int sides = 1;
  long long combinations = 1;
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) continue;
    combinations *= count_modes(p, block);
    if (count_slips(p, block) > 1) sides = 3;
  }
  Real u[MaxRows];
  for (int i = 0; i < p.rows; ++i) u[i] = velocity_of_row(p, s.best, i);
  for (int n = 0; n < (combinations < most ? combinations : most) && !s.good(); ++n) {
    for (int side = 0; side < sides && !s.good(); ++side) {
      for (int i = 0; i < p.rows; ++i) s.kept[i] = side == 0 ? p.b[i] : side == 1 ? u[i] : -u[i];
      long long code = combinations <= most ? n : static_cast<long long>(n) * stride % combinations;
      Mode modes[MaxBlocks];
      for (int block = 0; block < p.blocks; ++block) {
        if (p.asleep[block]) continue;
        const int choices = count_modes(p, block), choice = static_cast<int>(code % choices);
        const bool flies = has_flight(p, block) && choice == choices - 1;
        modes[block] = flies ? Mode::flight : choice == 0 ? Mode::stick : Mode::slip;
        if (count_slips(p, block) == 1) s.kept[p.first[block] + p.size[block] - 1] = Real(choice == 1 ? 1 : -1);
        code /= choices;
      }
      start_from_modes(p, s, modes, s.kept);
      keep_if_better(p, s);
      try_newton(p, s, 6);
    }
  }
}

/// Without friction and resistances Newton's method by itself is an active-set method, which mostly ends after a step
/// or two; from r = 0.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void try_active_sets(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  for (int block = 0; block < p.blocks; ++block)
    if (!is_contact(p.law[block]) || p.size[block] > 1) return;
  if (!is_finite(keep_if_better(p, s))) return;
  try_newton(p, s, 6);
  for (int i = 0; i < p.rows; ++i) s.r[i] = s.done() ? s.best[i] : Real(0);
}

/// The one block that is awake; -1: there are several, or none.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE int find_only_block(const Problem<Real, MaxBlocks, MaxRows>& p) {
  int only = -1;
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) continue;
    if (only >= 0) return -1;
    only = block;
  }
  return only;
}

/// A law by itself (B11): it has its own answer, and nothing is searched for. False where that is none, by rounding or
/// since there is none; s.r is 0 then.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD bool solve_only_block(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  const int only = find_only_block(p);
  if (only < 0) return false;
  Real answer[3];
  solve_law(p, only, s.r, answer);
  for (int k = 0; k < p.size[only]; ++k) s.r[p.first[only] + k] = answer[k];
  s.sweeps = 1;
  s.residual = residual_of(p, s.r, s.size, s.u);
  copy(s.best, s.r, p.rows);
  if (s.good()) return true;
  for (int i = 0; i < p.rows; ++i) s.r[i] = Real(0);
  return false;
}

/// Is the problem made of numbers? Looks at r = 0, whose residual is kept if it is the best, or none.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART bool has_numbers(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  for (int i = 0; i < p.rows; ++i) s.r[i] = Real(0);
  const Real residual = keep_if_better(p, s);
  if (is_finite(residual)) return true;
  s.residual = residual;
  return false;
}

/// Several laws: stage after stage, from r = 0.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void search(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  for (int i = 0; i < p.rows; ++i) s.best[i] = Real(0);
  s.sweeps = 0;
  s.residual = infinity<Real>();
  try_active_sets(p, s);
  sweep_with_newton(p, s);
  if (!s.good() && !has_numbers(p, s)) return;
  if (!s.good()) sweep_and_newton_in_turn(p, s);
  if (!s.good()) sweep_backwards(p, s);
  if (!s.good()) try_modes(p, s);
  if (s.good() && !s.done()) polish(p, s);
}

/// (B7): impulses and their residual, in s.best and s.residual. Starts from 0, so that the answer is a function of the
/// problem alone. At most 96 sweeps and 88 Newton steps before the last stage, 4700 in all. What is open has its least
/// impulse exactly.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART void find_impulses(const Problem<Real, MaxBlocks, MaxRows>& p, Search<Real, MaxRows>& s) {
  for (int i = 0; i < p.rows; ++i) s.r[i] = s.best[i] = Real(0);
  s.sweeps = s.newton_steps = 0;
  s.stage = Stage::sweeps;
  s.size = size_of(p);
  s.residual = Real(0);
  // what has come to rest is left as it is
  if (s.size == Real(0) || is_slower(p, Tolerance<Real>::aim * s.size)) return;
  if (!solve_only_block(p, s)) search(p, s);
  // a contact that rounding holds closed is open
  const Real rounding = Tolerance<Real>::aim * p.speed;
  for (int block = 0; block < p.blocks; ++block) {
    const Real least = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.least(limits_of(p, block)); });
    if (!law::opens(p.law[block]) || s.best[p.first[block]] - least > rounding) continue;
    for (int k = 0; k < p.size[block]; ++k) s.best[p.first[block] + k] = k == 0 ? least : Real(0);
  }
}

/// What is slower, along a row in its unit, is at rest: `accept` of what the step's velocities are sums of.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE Real rest_of(const Problem<Real, MaxBlocks, MaxRows>& p) {
  return Tolerance<Real>::accept * p.speed;
}

/// Does a contact with that normal impulse push? Is a block's set, or disk, more than {0}?
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE bool presses(const Problem<Real, MaxBlocks, MaxRows>& p, int block, Real r_n) {
  return law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.presses(limits_of(p, block), r_n); });
}
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE bool is_rough(const Problem<Real, MaxBlocks, MaxRows>& p, int block) {
  return law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.is_rough(limits_of(p, block)); });
}

/// The branch of its law that a block is on. A slip at rest is none, nor one slower than what counts as solved: where
/// impulses are not unique, a block that sticks may have its impulse on the border of its set.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART Mode mode_of(const Problem<Real, MaxBlocks, MaxRows>& p, const Search<Real, MaxRows>& s, int block) {
  const int first = p.first[block];
  if (p.asleep[block] || (is_contact(p.law[block]) && !presses(p, block, s.best[first]))) return Mode::flight;
  Real u[3], speed2 = Real(0);
  for (int k = 0; k < p.size[block]; ++k) {
    u[k] = velocity_of_row(p, s.best, first + k);
    if (k > 0 || !has_normal(p.law[block])) speed2 = speed2 + u[k] * u[k];
  }
  const Mode mode = find_nearest(p, block, &s.best[first], u).mode;
  const Real still = max(Tolerance<Real>::accept * s.size, rest_of(p));
  return is_rough(p, block) && mode == Mode::slip && speed2 <= still * still ? Mode::stick : mode;
}

}  // namespace conesweep::contact
