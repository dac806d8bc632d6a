#pragma once

#include <conesweep/contact/delassus.hpp>
#include <conesweep/contact/search.hpp>

#if defined(CONESWEEP_COUNT_SEARCH)
extern "C" void conesweep_count_search(int blocks, int sweeps, int newton_steps, int stage);  // bench/count_search.cpp
#endif

namespace conesweep::contact {

enum class Verdict : int {
  solved,
  bad_mass,               // M is not positive definite; said by the metric's factor(), which the caller has
  dependent_constraints,  // firm rows, guides
  bad_limit,              // a set without 0, or not a number
  not_converged,          // residual above Tolerance::give_up
};

/// Which velocities a contact's law is about (B3): the end's in tangential direction, or u + e u⁻ in all.
enum class Restitution : int { newton, moreau };

/// What a coupled step leaves. Blocks and rows are numbered as in the System.
template <class Real, int D, int Firm, int Blocks, int Rows>
struct Solution {
  Verdict verdict;
  // how contacts with friction share their load is open: impulses are not unique, velocities need not be (B9)
  bool hyperstatic;
  bool contact_acts;
  int passes, sweeps, newton_steps;   // over all parts of the step
  Stage stage;                        // the latest that was needed
  Real residual;                      // the worst
  Real v[D];                          // velocity after the step
  Real impulse[at_least_one(Rows)];   //
  Real u_before[at_least_one(Rows)];  // A v_{i-1} - c
  Real u[at_least_one(Rows)];         // A v - c
  Real rest[at_least_one(Rows)];      // a row that is slower rests
  Real speed;                         // what velocities of the step are sums of, in the kinetic metric
  // normal velocity of a contact after firm rows, guides and resistances alone
  Real u_without_contacts[at_least_one(Blocks)];
  Mode mode[at_least_one(Blocks)];        //
  Real firm_normal[at_least_one(Firm)];   // λ_N, without what resistances take: normal(firm) is λ_N/h
  Real firm_impulse[at_least_one(Firm)];  // of all blocks: what O6 takes
  Real painleve;                          // min over active contacts of 1 - μ|W_nt|/W_nn; infinite without any
};

/// A model whose limits are numbers, entered in the System.
struct FixedLimits {
  static constexpr bool use_normals = false;
  template <class FirmNormal, class BlockNormal, class AnySystem>
  CS_INLINE void operator()(const FirmNormal&, const BlockNormal&, AnySystem&) const {}
};

/// Memory of a step that nothing outlives.
template <class Real, int D, int Firm, int Blocks, int Rows>
struct Workspace {
  Reduced<Real, D, Firm, Blocks, Rows> reduced;
  Search<Real, at_least_one(Rows)> search;
  Real r[at_least_one(Rows)];  // impulses so far
};

/// 0 is in every set, and every end is a number.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool check_limits(const System<Real, D, Firm, Blocks, Rows>& system) {
  for (int block = 0; block < system.blocks; ++block) {
    const law::Limits<Real> limits = {system.low[block], system.high[block]};
    if (!law::ask(system.law[block], [&](auto law) CS_LAMBDA { return law.are_valid(limits); })) return false;
  }
  return true;
}

/// Enters the sets into the problem. Returns whether one has changed by more than rounding.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool enter_limits(const System<Real, D, Firm, Blocks, Rows>& system,
                        Reduced<Real, D, Firm, Blocks, Rows>& reduced, bool first_time) {
  auto& p = reduced.problem;
  bool changed = first_time;
  for (int block = 0; block < p.blocks; ++block) {
    if (has_normal(p.law[block])) continue;
    const Real low = p.low[block], high = p.high[block];
    set_limits(p, block, system.low[block], system.high[block]);
    if (first_time) continue;
    const Real rounding = Tolerance<Real>::accept;
    changed = changed || (low != p.low[block] && !(abs(low - p.low[block]) <= rounding * abs(low)));
    changed = changed || (high != p.high[block] && !(abs(high - p.high[block]) <= rounding * abs(high)));
  }
  return changed;
}

/// Solves the problem as it stands and counts what it took.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_APART void solve_part(Workspace<Real, D, Firm, Blocks, Rows>& work,
                         Solution<Real, D, Firm, Blocks, Rows>& solution) {
  const auto& p = work.reduced.problem;
  find_impulses(p, work.search);
#if defined(CONESWEEP_COUNT_SEARCH)
  if (work.search.size > Real(0))
    conesweep_count_search(p.blocks, work.search.sweeps, work.search.newton_steps, static_cast<int>(work.search.stage));
#endif
  solution.sweeps += work.search.sweeps;
  solution.newton_steps += work.search.newton_steps;
  if (static_cast<int>(work.search.stage) > static_cast<int>(solution.stage)) solution.stage = work.search.stage;
  if (!(work.search.residual <= solution.residual)) solution.residual = work.search.residual;
  for (int block = 0; block < p.blocks; ++block) {
    const Mode mode = mode_of(p, work.search, block);
    if (p.asleep[block]) continue;
    if (!is_contact(p.law[block]) || mode != Mode::flight) solution.mode[block] = mode;
  }
}

/// b of a part: free velocities, and what the contacts' impulses so far have made of them.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_APART void enter_velocities(Workspace<Real, D, Firm, Blocks, Rows>& work, bool contacts_asleep) {
  auto& p = work.reduced.problem;
  for (int i = 0; i < p.rows; ++i) p.b[i] = work.reduced.free[i];
  for (int block = 0; block < p.blocks; ++block) {
    if (!is_contact(p.law[block])) continue;
    p.asleep[block] = contacts_asleep;
    for (int j = p.first[block]; j < p.first[block] + p.size[block]; ++j) {
      if (work.r[j] == Real(0)) continue;
      for (int i = 0; i < p.rows; ++i) p.b[i] = p.b[i] + p.w[i][j] * work.r[j];
    }
  }
}

/// Adds what a part has found: contacts' impulses add up, a resistance's is that of all parts, since what an earlier
/// one left of its set, Λ - λ, is Λ for the sum; so is a guide's.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void add_impulses(Workspace<Real, D, Firm, Blocks, Rows>& work) {
  const auto& p = work.reduced.problem;
  for (int block = 0; block < p.blocks; ++block) {
    const bool contact = is_contact(p.law[block]);
    for (int i = p.first[block]; i < p.first[block] + p.size[block]; ++i) {
      work.r[i] = contact ? work.r[i] + work.search.best[i] : work.search.best[i];
    }
  }
}

/// Normal velocity, in the problem's units, of a contact after the impulses so far.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_APART Real velocity_after(const Workspace<Real, D, Firm, Blocks, Rows>& work, int row) {
  const auto& p = work.reduced.problem;
  Real u = work.reduced.free[row];
  for (int j = 0; j < p.rows; ++j) u = u + p.w[row][j] * work.r[j];
  return u;
}

/// The least normal impulses of contacts: those of their laws, or 0.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_INLINE void set_least_impulses(const System<Real, D, Firm, Blocks, Rows>& system,
                                  Problem<Real, at_least_one(Blocks), at_least_one(Rows)>& p, bool own) {
  for (int block = 0; block < p.blocks; ++block)
    if (is_contact(p.law[block])) p.low[block] = own ? system.low[block] / p.unit[p.first[block]] : Real(0);
}

/// (B2) with the sets as they are entered: resistances alone; where a contact closes then, (i) and where needed (ii).
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void solve_pass(const System<Real, D, Firm, Blocks, Rows>& system, Restitution restitution,
                      Workspace<Real, D, Firm, Blocks, Rows>& work, Solution<Real, D, Firm, Blocks, Rows>& solution) {
  auto& reduced = work.reduced;
  auto& p = reduced.problem;
  for (int i = 0; i < p.rows; ++i) work.r[i] = Real(0);
  for (int block = 0; block < p.blocks; ++block) solution.mode[block] = Mode::flight;
  solution.contact_acts = false;

  // firm rows, guides and resistances alone
  bool others = false;
  for (int block = 0; block < p.blocks; ++block) others = others || !is_contact(p.law[block]);
  if (others) {
    enter_velocities(work, true);
    solve_part(work, solution);
    add_impulses(work);
  }
  for (int block = 0; block < p.blocks; ++block) {
    if (!is_contact(p.law[block])) continue;
    const Real u_n = others ? velocity_after(work, p.first[block]) : reduced.free[p.first[block]];
    solution.u_without_contacts[block] = u_n / p.unit[p.first[block]];
    const law::Limits<Real> limits = limits_of(p, block);
    const bool acts = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.takes_part(limits, u_n); });
    solution.contact_acts = solution.contact_acts || acts;
  }
  if (!solution.contact_acts) return;

  // (i) all of them, contacts for u_n + e u_n⁻; moreau: for u + e u⁻ in all rows
  enter_velocities(work, false);
  bool once_more = false;
  for (int block = 0; block < p.blocks; ++block) {
    if (!is_contact(p.law[block])) continue;
    const int rows = restitution == Restitution::moreau ? p.size[block] : 1;
    for (int i = p.first[block]; i < p.first[block] + rows; ++i)
      p.b[i] = p.b[i] + system.e[block] * (reduced.u_before[i] * p.unit[i]);
  }
  solve_part(work, solution);
  add_impulses(work);
  // what is small against it is rounding: a contact that rests opens and closes by 1e-18 in turn
  Real largest = p.speed;
  for (int i = 0; i < p.rows; ++i)
    largest = max(largest, max(abs(reduced.free[i]), abs(reduced.u_before[i] * p.unit[i])));
  for (int block = 0; block < p.blocks; ++block) {
    if (!is_contact(p.law[block]) || !(system.e[block] * reduced.u_before[p.first[block]] > Real(0))) continue;
    once_more = once_more || velocity_after(work, p.first[block]) < -Tolerance<Real>::accept * largest;
  }
  if (!once_more) return;

  // (ii) once more from there, without restitution; what held has done so in (i)
  set_least_impulses(system, p, false);
  enter_velocities(work, false);
  solve_part(work, solution);
  add_impulses(work);
  set_least_impulses(system, p, true);
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

/// (O7)
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD Real find_painleve(const Workspace<Real, D, Firm, Blocks, Rows>& work) {
  const auto& p = work.reduced.problem;
  Real least = infinity<Real>();
  for (int block = 0; block < p.blocks; ++block) {
    const int n = p.first[block];
    if (!is_contact(p.law[block]) || !presses(p, block, work.r[n])) continue;
    Real coupling = Real(0);
    for (int k = 1; k < p.size[block]; ++k) coupling = coupling + p.w[n][n + k] * p.w[n][n + k];
    least = min(least, Real(1) - p.high[block] * sqrt(coupling) / p.w[n][n]);
  }
  return least;
}

/// Does contact `block` push after the step?
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_INLINE bool pushes(const System<Real, D, Firm, Blocks, Rows>& system,
                      const Solution<Real, D, Firm, Blocks, Rows>& solution, int block) {
  const law::Limits<Real> limits = {system.low[block], system.high[block]};
  const Real r_n = solution.impulse[system.first[block]];
  return law::ask(system.law[block], [&](auto law) CS_LAMBDA { return law.presses(limits, r_n); });
}

template <class Real, int D, int Firm, int Blocks, int Rows>
CS_INLINE void start_solution(Solution<Real, D, Firm, Blocks, Rows>& solution) {
  solution.verdict = Verdict::solved;
  solution.hyperstatic = solution.contact_acts = false;
  solution.passes = solution.sweeps = solution.newton_steps = 0;
  solution.stage = Stage::sweeps;
  solution.residual = Real(0);
}

/// Eliminates the firm rows. False where firm rows, or guides, are dependent. `system` is used up.
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric>
CS_HD bool begin_step(const Metric& metric, System<Real, D, Firm, Blocks, Rows>& system,
                      Workspace<Real, D, Firm, Blocks, Rows>& work, Solution<Real, D, Firm, Blocks, Rows>& solution) {
  start_solution(solution);
  if (!reduce(metric, system, work.reduced) || (has_guides(system) && find_dependent_guides(work))) {
    solution.verdict = Verdict::dependent_constraints;
    return false;
  }
  return true;
}

/// (B2), (B4) of blocks that are solved together, without firm rows.
///
/// limits(firm_normal, block_normal, system) enters low and high of all resistances, as impulses, into the system.
/// firm_normal is λ_N; block_normal[k] is the normal impulse of contact or guide k in the pass before. Where
/// Limits::use_normals, passes are repeated until no set changes, four at most: without active contacts λ_N does not
/// change, and one pass is all.
template <class Real, int D, int Firm, int Blocks, int Rows, class Limits>
CS_APART void solve_passes(System<Real, D, Firm, Blocks, Rows>& system, const Limits& limits, Restitution restitution,
                           Workspace<Real, D, Firm, Blocks, Rows>& work,
                           Solution<Real, D, Firm, Blocks, Rows>& solution) {
  auto& reduced = work.reduced;
  auto& p = reduced.problem;
  for (int f = 0; f < Firm; ++f) solution.firm_normal[f] = reduced.firm_normal[f];
  Real block_normal[at_least_one(Blocks)];
  for (int block = 0; block < p.blocks; ++block) block_normal[block] = Real(0);

  constexpr int most_passes = Limits::use_normals ? 4 : 1;
  for (int pass = 0; pass < most_passes; ++pass) {
    limits(solution.firm_normal, block_normal, system);
    if (!check_limits(system)) {
      solution.verdict = Verdict::bad_limit;
      return;
    }
    if (!enter_limits(system, reduced, pass == 0)) break;
    solution.residual = Real(0);
    solve_pass(system, restitution, work, solution);
    ++solution.passes;
    load_firm_rows(reduced, work.r, true, solution.firm_normal);
    for (int block = 0; block < p.blocks; ++block) {
      if (!has_normal(p.law[block])) continue;
      const int n = p.first[block];
      block_normal[block] = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.load(work.r[n]); }) * p.unit[n];
    }
  }

  for (int i = 0; i < p.rows; ++i) {
    solution.impulse[i] = work.r[i] * p.unit[i];
    solution.u_before[i] = reduced.u_before[i];
    solution.u[i] = velocity_after(work, i) / p.unit[i];
    solution.rest[i] = rest_of(p) / p.unit[i];
  }
  solution.speed = p.speed;
  load_firm_rows(reduced, work.r, false, solution.firm_impulse);
  solution.hyperstatic = (solution.contact_acts || has_guides(system)) && find_hyperstatic(system, work);
  solution.painleve = find_painleve(work);
  if (!(solution.residual <= Tolerance<Real>::give_up)) solution.verdict = Verdict::not_converged;
}

/// The coupled step (B1) … (B4): velocity and impulses of firm rows, guides, resistances and contacts together.
/// `system` is used up.
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric, class Limits>
CS_APART void solve_step(const Metric& metric, System<Real, D, Firm, Blocks, Rows>& system, const Limits& limits,
                         Restitution restitution, Workspace<Real, D, Firm, Blocks, Rows>& work,
                         Solution<Real, D, Firm, Blocks, Rows>& solution) {
  if (!begin_step(metric, system, work, solution)) return;
  solve_passes(system, limits, restitution, work, solution);
  if (solution.verdict != Verdict::bad_limit) apply_impulses(metric, system, work.reduced, work.r, solution.v);
}

}  // namespace conesweep::contact
