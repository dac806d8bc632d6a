#pragma once

#include <conesweep/contact/dependent.hpp>

#if defined(CONESWEEP_COUNT_SEARCH)
extern "C" void conesweep_count_search(int blocks, int sweeps, int newton_steps, int stage);  // bench/count_search.cpp
#endif

namespace conesweep::contact {

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
/// `system` is used up (more than 5 parameters: `work` and `solution` are the caller's memory, of its own size).
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric, class Limits>
CS_APART void solve_step(const Metric& metric, System<Real, D, Firm, Blocks, Rows>& system, const Limits& limits,
                         Restitution restitution, Workspace<Real, D, Firm, Blocks, Rows>& work,
                         Solution<Real, D, Firm, Blocks, Rows>& solution) {
  if (!begin_step(metric, system, work, solution)) return;
  solve_passes(system, limits, restitution, work, solution);
  if (solution.verdict != Verdict::bad_limit) apply_impulses(metric, system, work.reduced, work.r, solution.v);
}

}  // namespace conesweep::contact
