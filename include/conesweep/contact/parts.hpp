#pragma once

#include <conesweep/contact/coupled_step.hpp>
#include <conesweep/contact/island.hpp>
#include <conesweep/contact/model_blocks.hpp>

// Parts of an island in a step (B11): laws that take part and meet are solved together, and nothing else. Firm rows are
// eliminated for all of them at once, which is the same: rows on different coordinates are orthogonal. Coordinates are
// numbered as in the island, laws as in the model.

namespace conesweep::contact {

/// Which blocks are solved together: part_of[block], 0 … count - 1 in the order of their first blocks.
template <int Blocks>
struct Parts {
  int count;
  int part_of[at_least_one(Blocks)];
  CoordinateSet coordinates[at_least_one(Blocks)];
};

/// Might the laws of an island ever fall apart? Else none of this is compiled.
template <class Model, int I>
CS_HD constexpr bool may_fall_apart() {
  constexpr int laws = state::count_laws<Model>();
  for (int a = 0; a < laws; ++a)
    for (int b = 0; b < a; ++b)
      if (is_of_island<Model, I>(a) && is_of_island<Model, I>(b) &&
          (Model::Laws::coordinates(a) & Model::Laws::coordinates(b)) == 0)
        return true;
  return false;
}

/// Finds the parts, block by block: each joins all it shares a coordinate with.
template <class Model, int I>
struct PartFinder {
  using Laws = typename Model::Laws;
  using Of = Island<Model, I>;
  static constexpr int most = int(Of::blocks) + int(Of::firm);

  // groups of blocks and firm rows; a group that was joined to another has no coordinates
  CoordinateSet sets[at_least_one(most)];
  int law[at_least_one(most)];
  int group[at_least_one(most)];
  int count = 0;

  CS_HD void join(int a, int b) {
    const int first = group[a] < group[b] ? group[a] : group[b], other = group[a] < group[b] ? group[b] : group[a];
    if (first == other) return;
    sets[first] |= sets[other];
    sets[other] = 0;
    for (int k = 0; k < count; ++k)
      if (group[k] == other) group[k] = first;
  }
  CS_HD void add(int of_law, CoordinateSet set) {
    const int k = count++;
    law[k] = of_law;
    group[k] = k;
    sets[k] = set;
    for (int j = 0; j < k; ++j)
      if ((sets[group[j]] & set) != 0) join(j, k);
  }
  /// Number `Law` of the model's laws, which belongs to the island.
  template <int Law>
  CS_HD void add_law() {
    constexpr CoordinateSet set = Of::own_set(Laws::coordinates(Law));
    add(Law, set);
  }
  // a limit that uses normal() of a law that takes part
  CS_HD void join_by_normals() {
    for (int k = 0; k < count; ++k) {
      if (law[k] < Of::first_resistance) continue;
      const unsigned long long normals = Laws::normals_of(law[k] - Of::first_resistance);
      for (int j = 0; j < count; ++j)
        if (normals != 0 && (law[j] >= 64 || (normals >> law[j] & 1) != 0)) join(j, k);
    }
  }
};

/// `block_of` of each contact, -1 where it takes no part; `blocks` in all: contacts, guides, resistances.
template <class Model, int I>
CS_APART void find_parts(const int* block_of, int blocks, Parts<Island<Model, I>::blocks>& parts) {
  using Laws = typename Model::Laws;
  using Of = Island<Model, I>;
  PartFinder<Model, I> finder;
  for_each_contact<Of>([&](auto p) CS_LAMBDA {
    if (block_of[p] >= 0) finder.template add_law<p>();
  });
  for_each_constraint<Of>([&](auto f) CS_LAMBDA {
    if constexpr (Laws::guide_size(f) > 0) finder.template add_law<int(Of::first_firm) + f>();
  });
  for_each_resistance<Of>([&](auto r) CS_LAMBDA { finder.template add_law<int(Of::first_resistance) + r>(); });
  for_each_constraint<Of>([&](auto f) CS_LAMBDA {
    if constexpr (Laws::guide_size(f) == 0) finder.template add_law<int(Of::first_firm) + f>();
  });
  if constexpr (Laws::limits_use_normals) finder.join_by_normals();
  parts.count = 0;
  for (int block = 0; block < blocks; ++block) {
    const int group = finder.group[block];
    int part = -1;
    for (int before = 0; before < block; ++before)
      if (finder.group[before] == group) part = parts.part_of[before];
    if (part < 0) {
      part = parts.count++;
      parts.coordinates[part] = finder.sets[group];
    }
    parts.part_of[block] = part;
  }
}

/// What velocities of one part are sums of (System::speed): its own share of a stretch's, drives included.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD Real speed_of_part(const System<Real, D, Firm, Blocks, Rows>& system,
                         const Reduced<Real, D, Firm, Blocks, Rows>& reduced, CoordinateSet coordinates) {
  Real before = Real(0), push = Real(0);
  for (int c = 0; c < D; ++c) {
    if ((coordinates >> c & 1) == 0) continue;
    before = before + system.motion.before[c] * system.motion.before[c];
    push = push + system.motion.push[c] * system.motion.push[c];
  }
  Real speed = sqrt(before);
  if (is_finite(push)) speed = speed + sqrt(push);
  for (int f = 0; f < Firm; ++f) {
    bool here = false;
    for (int c = 0; c < D; ++c) here = here || ((coordinates >> c & 1) != 0 && system.firm_row[f][c] != Real(0));
    if (here) speed = max(speed, reduced.firm_speed[f]);
  }
  return speed;
}

/// One part as a step of its own: which blocks of the whole it has, and their rows.
template <class Real, int D, int Firm, int Blocks, int Rows>
struct OnePart {
  System<Real, D, Firm, Blocks, Rows> system;  // without rows and velocities: they have been reduced
  Workspace<Real, D, Firm, Blocks, Rows> work;
  Solution<Real, D, Firm, Blocks, Rows> solution;
  int block[at_least_one(Blocks)], row[at_least_one(Rows)];
};

/// Takes a part out of the whole.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_APART void take_part(const System<Real, D, Firm, Blocks, Rows>& system,
                        const Workspace<Real, D, Firm, Blocks, Rows>& work, const Parts<Blocks>& parts, int part,
                        OnePart<Real, D, Firm, Blocks, Rows>& one) {
  const auto& all = work.reduced;
  auto& reduced = one.work.reduced;
  auto& p = reduced.problem;
  one.system.clear();
  for (int block = 0; block < system.blocks; ++block) {
    if (parts.part_of[block] != part) continue;
    const int k = one.system.add(system.law[block], system.size[block]);
    one.block[k] = block;
    one.system.low[k] = system.low[block];
    one.system.high[k] = system.high[block];
    one.system.e[k] = system.e[block];
    for (int i = 0; i < system.size[block]; ++i) one.row[one.system.first[k] + i] = system.first[block] + i;
  }
  p.blocks = one.system.blocks;
  p.rows = one.system.rows;
  p.speed = speed_of_part(system, all, parts.coordinates[part]);
  for (int k = 0; k < p.blocks; ++k) {
    p.law[k] = one.system.law[k];
    p.first[k] = one.system.first[k];
    p.size[k] = one.system.size[k];
    p.asleep[k] = false;
  }
  for (int i = 0; i < p.rows; ++i) {
    const int of = one.row[i];
    p.unit[i] = all.problem.unit[of];
    reduced.free[i] = all.free[of];
    reduced.u_before[i] = all.u_before[of];
    for (int f = 0; f < Firm; ++f) reduced.load[i][f] = all.load[of][f];
    for (int j = 0; j < p.rows; ++j) p.w[i][j] = all.problem.w[of][one.row[j]];
    p.speed = max(p.speed, abs(system.drive[of]) * p.unit[i]);
  }
  for (int f = 0; f < Firm; ++f) {
    reduced.firm_normal[f] = all.firm_normal[f];
    for (int g = 0; g < Firm; ++g) reduced.root[f][g] = all.root[f][g];
  }
  for (int k = 0; k < p.blocks; ++k)
    if (has_normal(p.law[k])) set_friction(p, k, one.system.low[k], one.system.high[k]);
}

/// Enters the limits of a part: those of the whole, where other parts press nothing.
template <class Real, int Firm, int Blocks, class Limits, class WholeSystem, class Part>
struct PartLimits {
  static constexpr bool use_normals = Limits::use_normals;
  const Limits& limits;
  WholeSystem& whole;
  const Part& part;

  template <class FirmNormal, class BlockNormal, class AnySystem>
  CS_HD void operator()(const FirmNormal& firm_normal, const BlockNormal& block_normal, AnySystem& system) const {
    Real normal[at_least_one(Blocks)];
    for (int block = 0; block < whole.blocks; ++block) normal[block] = Real(0);
    for (int k = 0; k < system.blocks; ++k) normal[part.block[k]] = block_normal[k];
    limits(firm_normal, normal, whole);
    for (int k = 0; k < system.blocks; ++k) {
      if (has_normal(system.law[k])) continue;
      system.low[k] = whole.low[part.block[k]];
      system.high[k] = whole.high[part.block[k]];
    }
  }
};

/// Puts what a part has found into the whole.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_APART void put_part(const OnePart<Real, D, Firm, Blocks, Rows>& one, CoordinateSet coordinates,
                       System<Real, D, Firm, Blocks, Rows>& system, Workspace<Real, D, Firm, Blocks, Rows>& work,
                       Solution<Real, D, Firm, Blocks, Rows>& solution) {
  const auto& part = one.solution;
  if (solution.verdict == Verdict::solved) solution.verdict = part.verdict;
  solution.hyperstatic = solution.hyperstatic || part.hyperstatic;
  solution.contact_acts = solution.contact_acts || part.contact_acts;
  solution.passes = part.passes > solution.passes ? part.passes : solution.passes;
  solution.sweeps += part.sweeps;
  solution.newton_steps += part.newton_steps;
  if (static_cast<int>(part.stage) > static_cast<int>(solution.stage)) solution.stage = part.stage;
  if (!(part.residual <= solution.residual)) solution.residual = part.residual;
  solution.painleve = min(solution.painleve, part.painleve);
  solution.speed = max(solution.speed, part.speed);
  for (int k = 0; k < one.system.blocks; ++k) {
    const int block = one.block[k];
    solution.u_without_contacts[block] = part.u_without_contacts[k];
    solution.mode[block] = part.mode[k];
    if (has_normal(system.law[block])) continue;
    system.low[block] = one.system.low[k];
    system.high[block] = one.system.high[k];
  }
  for (int i = 0; i < one.system.rows; ++i) {
    const int row = one.row[i];
    work.r[row] = one.work.r[i];
    solution.impulse[row] = part.impulse[i];
    solution.u_before[row] = part.u_before[i];
    solution.u[row] = part.u[i];
    solution.rest[row] = part.rest[i];
  }
  for (int f = 0; f < Firm; ++f) {
    bool here = false;
    for (int c = 0; c < D; ++c) here = here || ((coordinates >> c & 1) != 0 && system.firm_row[f][c] != Real(0));
    if (!here) continue;
    solution.firm_normal[f] = part.firm_normal[f];
    solution.firm_impulse[f] = part.firm_impulse[f];
  }
}

/// The coupled step, part by part (more than 5 parameters: those of solve_step, and the parts).
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric, class Limits>
CS_APART void solve_step_in_parts(const Metric& metric, System<Real, D, Firm, Blocks, Rows>& system,
                                  const Parts<Blocks>& parts, const Limits& limits, Restitution restitution,
                                  Workspace<Real, D, Firm, Blocks, Rows>& work,
                                  Solution<Real, D, Firm, Blocks, Rows>& solution) {
  if (!begin_step(metric, system, work, solution)) return;
  using Part = OnePart<Real, D, Firm, Blocks, Rows>;
  Part one;
  for (int f = 0; f < Firm; ++f) solution.firm_normal[f] = solution.firm_impulse[f] = work.reduced.firm_normal[f];
  solution.painleve = infinity<Real>();
  solution.speed = Real(0);
  for (int part = 0; part < parts.count; ++part) {
    take_part(system, work, parts, part, one);
    const PartLimits<Real, Firm, Blocks, Limits, System<Real, D, Firm, Blocks, Rows>, Part> own = {limits, system, one};
    start_solution(one.solution);
    solve_passes(one.system, own, restitution, one.work, one.solution);
    put_part(one, parts.coordinates[part], system, work, solution);
  }
  if (solution.verdict == Verdict::solved || solution.verdict == Verdict::not_converged)
    apply_impulses(metric, system, work.reduced, work.r, solution.v);
}

}  // namespace conesweep::contact
