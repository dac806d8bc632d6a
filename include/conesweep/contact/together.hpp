#pragma once

#include <conesweep/contact/apart.hpp>
#include <conesweep/contact/kept_factors.hpp>
#include <conesweep/contact/model_limits.hpp>
#include <conesweep/contact/parts.hpp>
#include <conesweep/contact/persistence.hpp>
#include <conesweep/contact/rest.hpp>
#include <conesweep/contact/slips.hpp>

namespace conesweep::contact {

/// Stops the member: its velocity is no number.
template <class Real, class Model, bool Checked>
CS_INLINE void fail(Passage<Real, Model, Checked>& s, [[maybe_unused]] Status why) {
  unroll<Model::dimension>([&](auto c) CS_LAMBDA { s.v.value[c] = canonical_nan<Real>(); });
  if constexpr (Checked) note_reason(s.record.reason.value, true, why);
}

CS_INLINE Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::bad_mass: return Status::bad_mass;
    case Verdict::dependent_constraints: return Status::dependent_constraints;
    case Verdict::bad_limit: return Status::bad_limit;
    case Verdict::not_converged: return Status::not_converged;
    default: return Status::ok;
  }
}

/// What contact P did as `block`: adds to its record, which may be that of several stretches of one step. -1: it did
/// not touch.
template <class Real, class Model, bool Checked, class AnySystem, class AnySolution>
CS_HD void note_contact(Passage<Real, Model, Checked>& s, const AnySystem& system, const AnySolution& solution, int p,
                        int block) {
  auto& record = s.record.contact[p];
  if (block < 0) {
    record.stick = record.stick && is_arrival(s);
    return;
  }
  const int first = system.first[block], size = system.size[block];
  const bool acts = pushes(system, solution, block);
  if (record.r_n == Real(0)) {
    record.u_n_before = solution.u_before[first];
    record.force_n = solution.u_without_contacts[block] - solution.u_before[first];
    if constexpr (state::is_located<Model>())
      if (is_arrival(s)) record.force_n = s.arrival().push_n[p];
  }
  if constexpr (state::is_located<Model>())
    if (is_arrival(s) && acts && state::is_impact(solution.u_before[first], s.arrival().push_n[p]))
      s.arrival().impact = true;
  record.r_n = record.r_n + solution.impulse[first];
  record.active = record.active || acts;
  // its solved branch; without friction whether it rests
  bool still = size > 1;
  for (int i = first + 1; i < first + size; ++i) still = still && abs(solution.u[i]) <= solution.rest[i];
  // where nothing pushes it, an arrival elsewhere leaves it as it was
  const bool stays = is_arrival(s) && !acts && record.stick;
  record.stick =
      stays || (acts && (system.high[block] > Real(0) && size > 1 ? solution.mode[block] == Mode::stick : still));
  for (int i = first; i < first + size; ++i) {
    record.work = record.work + solution.impulse[i] * (Real(0.5) * (solution.u_before[i] + solution.u[i]));
    record.drive = record.drive + solution.impulse[i] * system.drive[i];
  }
}

/// What firm rows did.
template <class Real, class Model, bool Checked, int D, int Firm, int Blocks, int Rows>
CS_HD void note_firm_rows([[maybe_unused]] Passage<Real, Model, Checked>& s,
                          [[maybe_unused]] const System<Real, D, Firm, Blocks, Rows>& system,
                          [[maybe_unused]] const Solution<Real, D, Firm, Blocks, Rows>& solution) {
  if constexpr (Firm > 0) {
    auto& joint = s.record.joint();
    for (int f = 0; f < Firm; ++f) {
      Real both = Real(-2) * system.firm_drive[f];
      for (int j = 0; j < D; ++j) both = both + system.firm_row[f][j] * (system.v_before[j] + solution.v[j]);
      joint.other_work = joint.other_work + solution.firm_impulse[f] * (Real(0.5) * both);
      joint.other_drive = joint.other_drive + solution.firm_impulse[f] * system.firm_drive[f];
    }
  }
}

/// What a guide or resistance did as `block`; in a model without contacts it is number `watched` of what is observed in
/// their place.
template <class Real, class Model, bool Checked, class AnySystem, class AnySolution>
CS_HD void note_other(Passage<Real, Model, Checked>& s, const AnySystem& system, const AnySolution& solution, int block,
                      [[maybe_unused]] int watched) {
  auto& joint = s.record.joint();
  const int first = system.first[block], slips = has_normal(system.law[block]) ? first + 1 : first;
  bool still = true;
  for (int i = first; i < first + system.size[block]; ++i) {
    joint.other_work = joint.other_work + solution.impulse[i] * (Real(0.5) * (solution.u_before[i] + solution.u[i]));
    joint.other_drive = joint.other_drive + solution.impulse[i] * system.drive[i];
    still = still && (i < slips || abs(solution.u[i]) <= solution.rest[i]);
  }
  if constexpr (Model::contacts == 0) {
    s.record.contact[watched].active = true;
    s.record.contact[watched].stick = still || solution.mode[block] == Mode::stick;
  }
}

/// Which block a contact has become in a stretch; -1: it does not touch. And the first blocks of guides and of
/// resistances.
template <class Model>
struct BlockNumbers {
  int of[at_least_one(Model::contacts)];
  int first_guide, first_resistance;
};

/// (I3) Contact P rebounds only from what is an impact.
template <int P, class Real, class Model, bool Checked, class AnySystem>
CS_HD void rest_slow_arrival([[maybe_unused]] const Passage<Real, Model, Checked>& s,
                             [[maybe_unused]] AnySystem& system, [[maybe_unused]] int block) {
  if constexpr (state::is_located<Model>()) {
    const int first = system.first[block];
    Real u_n = -system.drive[first];
    for (int j = 0; j < AnySystem::coordinates; ++j) u_n = u_n + system.row[first][j] * system.v_before[j];
    if (stays<P>(s, u_n, s.arrival().push_n[P])) system.e[block] = Real(0);
  }
}

/// (I3) What a step's forces, firm rows and resistances change of every contact's normal velocity.
template <class Real, class Model, bool Checked>
CS_HD void find_pushes([[maybe_unused]] Passage<Real, Model, Checked>& s) {
  if constexpr (state::is_located<Model>()) {
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      Real row[Model::dimension], sum = Real(0);
      put_normal_row<p, Model>(s.node.q, s.node.c, s.node.t, row);
      for (int j = 0; j < Model::dimension; ++j) sum = sum + row[j] * s.arrival().push[j];
      s.arrival().push_n[p] = sum;
    });
  }
}

/// Velocities of the island before its laws act, and what they are sums of.
template <class Of, class Real, class Model, bool Checked>
CS_HD void enter_motion(const Passage<Real, Model, Checked>& s, const StretchOf<Real, Model>& stretch,
                        SystemOf<Real, Of>& system) {
  system.clear();
  take_coordinates<Of>(s.w, system.w);
  take_coordinates<Of>(s.node.v, system.v_before);
  take_coordinates<Of>(stretch.motion.before, system.motion.before);
  take_coordinates<Of>(stretch.motion.push, system.motion.push);
  const Real push = dot(system.motion.push, system.motion.push);
  system.speed = sqrt(dot(system.motion.before, system.motion.before));
  if (is_finite(push)) system.speed = system.speed + sqrt(push);
}

/// The island's firm rows, and as blocks the contacts that touch (B2), guides and resistances. A contact that persists
/// touches.
template <class Of, class Real, class Model, bool Checked>
CS_HD Status enter_laws(const Passage<Real, Model, Checked>& s, const StretchOf<Real, Model>& stretch,
                        SystemOf<Real, Of>& system, BlockNumbers<Model>& numbers) {
  using Laws = typename Model::Laws;
  const auto& node = s.node;
  enter_motion<Of>(s, stretch, system);
  enter_firm_rows<Of>(node, stretch, system);
  Status trouble = Status::ok;
  for_each_contact<Of>([&](auto p) CS_LAMBDA {
    numbers.of[p] = -1;
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
    const bool near = touches<p, Real, Model>(node.q, s.first, g, steepness);
    if ((!near && !persists<p>(s) && !has_arrived<p>(s)) || trouble != Status::ok) return;
    if (is_nan(g)) {
      trouble = Status::non_finite;
    } else if (is_singular(steepness)) {
      trouble = Status::singular_gradient;
    } else if (system.blocks == int(Of::touching) || (Laws::contact_size(p) == 0 && Model::contacts > 1)) {
      trouble = Status::several_contacts;
    } else if constexpr (Laws::contact_size(p) > 0) {
      const int block = numbers.of[p] = enter_contact<Of, p>(node, stretch, system);
      if (persists<p>(s)) system.make_persistent(block);
      if (is_arrival(s)) rest_slow_arrival<p>(s, system, block);
    }
  });
  numbers.first_guide = system.blocks;
  enter_guides<Of>(node, stretch, system);
  // where all of them have a place, how they rub and rebound
  for (int block = 0; block < system.blocks && trouble == Status::ok; ++block) {
    if (is_nan(system.high[block])) trouble = Status::bad_angle;
    if (is_nan(system.e[block])) trouble = Status::bad_restitution;
  }
  numbers.first_resistance = system.blocks;
  enter_resistances<Of>(node, stretch, system);
  return trouble;
}

/// All laws of `system`, those together that meet (more than 5 parameters: those of solve_step).
template <class Model, int I, class Real, class Metric>
CS_HD void solve_in_parts(const Metric& metric, const ModelLimits<Real, Model, Island<Model, I>>& limits,
                          Restitution restitution, SystemOf<Real, Island<Model, I>>& system,
                          WorkspaceOf<Real, Island<Model, I>>& work, SolutionOf<Real, Island<Model, I>>& solution) {
  if constexpr (may_fall_apart<Model, I>()) {
    Parts<Island<Model, I>::blocks> parts;
    find_parts<Model, I>(limits.block_of, system.blocks, parts);
    if (parts.count > 1) return solve_step_in_parts(metric, system, parts, limits, restitution, work, solution);
  }
  solve_step(metric, system, limits, restitution, work, solution);
}

/// What the island's laws did, for those who observe.
template <class Of, class Real, class Model, bool Checked>
CS_HD void note_island(Passage<Real, Model, Checked>& s, const SystemOf<Real, Of>& system,
                       const SolutionOf<Real, Of>& solution, const BlockNumbers<Model>& numbers) {
  using Laws = typename Model::Laws;
  auto& joint = s.record.joint();
  joint.painleve = min(joint.painleve, solution.painleve);
  joint.residual = max(joint.residual, solution.residual);
  joint.search = joint.search + Real(system.rows * (1 + solution.sweeps + solution.newton_steps));
  if (solution.hyperstatic) joint.hyperstatic = Real(1);
  note_firm_rows(s, system, solution);
  for_each_constraint<Of>([&](auto f) CS_LAMBDA {
    if constexpr (Laws::guide_size(f) > 0)
      note_other(s, system, solution, numbers.first_guide + Of::guide_place(f), state::guides_before<Laws>(f));
  });
  for_each_resistance<Of>([&](auto r) CS_LAMBDA {
    note_other(s, system, solution, numbers.first_resistance + Of::resistance_place(r), int(Laws::guides) + r);
  });
  for_each_contact<Of>([&](auto p) CS_LAMBDA { note_contact(s, system, solution, p, numbers.of[p]); });
  if constexpr (Laws::uses_laws) {
    for_each_contact<Of>([&](auto p) CS_LAMBDA {
      if (numbers.of[p] >= 0) s.impulses()[p] = s.impulses()[p] + solution.impulse[system.first[numbers.of[p]]];
    });
    for_each_constraint<Of>([&](auto f) CS_LAMBDA {
      Real& sum = s.impulses()[Model::contacts + f];
      if constexpr (Laws::guide_size(f) > 0)
        sum = sum + solution.impulse[system.first[numbers.first_guide + Of::guide_place(f)]];
      else
        sum = sum + solution.firm_normal[Of::firm_place(f)];
    });
  }
}

/// What islands share in a stretch: slip(name) of all laws at v_{i-1}, and which contacts push.
template <class Real, class Model>
struct Known {
  Real slip[at_least_one(state::count_laws<Model>())];
  bool pushes[at_least_one(Model::contacts)];
};

/// The laws of one island, solved together (B1) … (B4): v of w. True if a contact pushes, or in a model without
/// contacts something resists. `metric` is the island's.
template <int I, class Real, class Model, bool Checked, class Metric>
CS_APART bool solve_island(Passage<Real, Model, Checked>& s, const Metric& metric,
                           const StretchOf<Real, Model>& stretch, const Scales<Real, Model>& scales,
                           Known<Real, Model>& known) {
  using Laws = typename Model::Laws;
  using Of = Island<Model, I>;
  SystemOf<Real, Of> system;
  SolutionOf<Real, Of> solution;
  BlockNumbers<Model> numbers;
  WorkspaceOf<Real, Of> work;
  for (bool again = true; again;) {
    const Status trouble = enter_laws<Of>(s, stretch, system, numbers);
    if (trouble != Status::ok) {
      fail(s, trouble);
      return true;
    }
    if (system.blocks == 0 && Of::firm == 0) return false;
    if constexpr (Laws::constant_firm) system.kept_firm = s.node.c + find_kept_firm<Model, I>();
    const ModelLimits<Real, Model, Of> limits = {
        s.node, scales, numbers.of, known.slip, numbers.first_guide, numbers.first_resistance};
    solve_in_parts<Model, I>(metric, limits, Laws::moreau ? Restitution::moreau : Restitution::newton, system, work,
                             solution);
    again = release_contacts<Of>(s, scales.atom, numbers.of, work, solution);
  }
  if (solution.verdict != Verdict::solved) {
    if constexpr (Checked) s.record.joint().residual = solution.residual;
    fail(s, status_of(solution.verdict));
    return true;
  }
  put_coordinates<Of>(solution.v, s.v.value);
  note_island<Of>(s, system, solution, numbers);
  for_each_contact<Of>(
      [&](auto p) CS_LAMBDA { known.pushes[p] = numbers.of[p] >= 0 && pushes(system, solution, numbers.of[p]); });
  return Model::contacts == 0 ? Laws::guides + Laws::resistances > 0 : solution.contact_acts;
}

/// The laws of a model that act in a stretch (B11): those by themselves that have a closed form, all others island by
/// island. True if a contact pushes, or in a model without contacts something resists. s.v is w before.
template <class Real, class Model, bool Checked, class Metric>
CS_HD bool solve_together(Passage<Real, Model, Checked>& s, const Metric& metric, const StretchOf<Real, Model>& stretch,
                          const Scales<Real, Model>& scales) {
  using Laws = typename Model::Laws;
  [[maybe_unused]] Real normal[at_least_one(state::count_laws<Model>())];
  Known<Real, Model> known;
  for (bool& pushes : known.pushes) pushes = false;
  if constexpr (Laws::uses_laws && Laws::resistances > 0) {
    for (Real& impulse : normal) impulse = Real(0);
    find_slips(s.node, stretch.t_next, s.node.v, known.slip);
    s.node.laws() = {normal, known.slip};
  }
  if (is_arrival(s)) find_pushes(s);
  bool touched = false;
  if constexpr (Laws::coupled) {
    touched = solve_closed<false>(s);
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if constexpr (Laws::is_closed(p)) known.pushes[p] = s.record.contact[p].active;
    });
  }
  unroll<int(Laws::islands)>([&](auto i) CS_LAMBDA {
    using Of = Island<Model, i>;
    if constexpr (!is_closed_island<Model, i>()) {
      if constexpr (has_all_coordinates<Of>())
        touched = solve_island<i>(s, metric, stretch, scales, known) || touched;
      else
        touched = solve_island<i>(s, take_metric<Of>(metric), stretch, scales, known) || touched;
    }
  });
  s.v.forget_low();
  if (touched) note_rest(s, metric, known.pushes);
  return touched;
}

/// The velocity that a stretch would end with if no contact pushed: after forces, firm rows, guides and resistances
/// alone. Models that ask for it solve no law in closed form.
template <class Real, class Model, bool Checked, class Metric>
CS_APART void find_free_velocity(const Passage<Real, Model, Checked>& s, [[maybe_unused]] const Metric& metric,
                                 [[maybe_unused]] const StretchOf<Real, Model>& stretch,
                                 [[maybe_unused]] const Scales<Real, Model>& scales, Real* v) {
  using Laws = typename Model::Laws;
  for (int j = 0; j < Model::dimension; ++j) v[j] = s.w[j];
  if constexpr (Laws::firm > 0 || Laws::resistances > 0) {
    [[maybe_unused]] Real slip[at_least_one(state::count_laws<Model>())];
    if constexpr (Laws::uses_laws && Laws::resistances > 0) find_slips(s.node, stretch.t_next, s.node.v, slip);
    int block_of[at_least_one(Model::contacts)];
    for (int p = 0; p < Model::contacts; ++p) block_of[p] = -1;
    unroll<int(Laws::islands)>([&](auto i) CS_LAMBDA {
      using Of = Island<Model, i>;
      if constexpr (Of::firm + Of::guides + Of::resistances > 0) {
        SystemOf<Real, Of> system;
        SolutionOf<Real, Of> solution;
        WorkspaceOf<Real, Of> work;
        enter_motion<Of>(s, stretch, system);
        enter_firm_rows<Of>(s.node, stretch, system);
        enter_guides<Of>(s.node, stretch, system);
        const int guides = system.blocks;
        enter_resistances<Of>(s.node, stretch, system);
        const ModelLimits<Real, Model, Of> limits = {s.node, scales, block_of, slip, 0, guides};
        solve_in_parts<Model, i>(take_metric<Of>(metric), limits, Restitution::newton, system, work, solution);
        if (solution.verdict == Verdict::solved) put_coordinates<Of>(solution.v, v);
      }
    });
  }
}

}  // namespace conesweep::contact
