#pragma once

#include <conesweep/contact/model_limits.hpp>
#include <conesweep/contact/parts.hpp>
#include <conesweep/contact/persistence.hpp>

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

/// |sliding velocity| of contact P at the velocity v. Uses up `system`.
template <int P, class Real, class Model>
CS_HD Real find_sliding_speed(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch, const Real* v,
                              SystemOf<Real, Model>& system) {
  constexpr int size = Model::Laws::contact_size(P), D = Model::dimension;
  Real sum = Real(0);
  system.clear();
  enter_contact<P>(node, stretch, system);
  if constexpr (size > 1) {
    for (int k = 1; k < size; ++k) {
      Real u = -system.drive[k];
      for (int j = 0; j < D; ++j) u = u + system.row[k][j] * v[j];
      sum = sum + u * u;
    }
  } else if constexpr (D > 1) {
    // without friction: what of v lies along the wall
    Real square = Real(0), along = Real(0);
    for (int j = 0; j < D; ++j)
      square = square + system.row[0][j] * system.row[0][j], along = along + system.row[0][j] * v[j];
    for (int j = 0; j < D; ++j) {
      const Real u = v[j] - along / square * system.row[0][j];
      sum = sum + u * u;
    }
  }
  return sqrt(sum);
}

/// Does contact P, of which the normal row alone is known, rest at the velocity v: is what of v lies along the wall
/// rounding of velocities as large as `speed`, in the kinetic metric?
template <int P, class Real, class Model, class Metric>
CS_HD bool rests_along_wall([[maybe_unused]] const Node<Real, Model>& node, [[maybe_unused]] const Metric& metric,
                            [[maybe_unused]] const Real* v, [[maybe_unused]] Real speed) {
  constexpr int D = Model::dimension;
  if constexpr (D == 1) {
    return true;
  } else {
    Real row[D], along_wall[D];
    put_normal_row<P, Model>(node.q, node.c, node.t, row);
    Real along = Real(0);
    for (int j = 0; j < D; ++j) along = along + row[j] * v[j];
    const Real square = dot(row, row);
    for (int j = 0; j < D; ++j) along_wall[j] = v[j] - along / square * row[j];
    metric.weigh(along_wall);
    return sqrt(dot(along_wall, along_wall)) <= Tolerance<Real>::accept * speed;
  }
}

/// |slip - drive| of resistance R at the velocity v. Uses up `system`.
template <int R, class Real, class Model>
CS_HD Real find_resistance_speed(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch, const Real* v,
                                 SystemOf<Real, Model>& system) {
  constexpr int size = Model::Laws::resistance_size(R), D = Model::dimension;
  Model::template resistance_rows<R>(node.q, node.c, node.t, &system.row[0][0]);
  Model::template resistance_drive<R>(node.q, node.c, stretch.t_next, &system.drive[0]);
  Real sum = Real(0);
  for (int k = 0; k < size; ++k) {
    Real u = -system.drive[k];
    for (int j = 0; j < D; ++j) u = u + system.row[k][j] * v[j];
    sum = sum + u * u;
  }
  return sqrt(sum);
}

/// |slip| of guide F at the velocity v. Uses up `system`.
template <int F, class Real, class Model>
CS_HD Real find_guide_speed(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch, const Real* v,
                            SystemOf<Real, Model>& system) {
  constexpr int slips = Model::Laws::guide_size(F) - 1, D = Model::dimension;
  Model::template guide_rows<F>(node.q, node.c, node.t, &system.row[0][0]);
  Model::template guide_drive<F>(node.q, node.c, stretch.t_next, &system.drive[0]);
  Real sum = Real(0);
  for (int k = 0; k < slips; ++k) {
    Real u = -system.drive[k];
    for (int j = 0; j < D; ++j) u = u + system.row[k][j] * v[j];
    sum = sum + u * u;
  }
  return sqrt(sum);
}

/// slip(name) of all laws at the velocity v (O8); of a firm row without friction 0.
template <class Real, class Model>
CS_HD void find_slips(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch, const Real* v,
                      SystemOf<Real, Model>& system, Real* slip) {
  constexpr int first_firm = Model::contacts, first_resistance = Model::contacts + Model::Laws::firm;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA { slip[p] = find_sliding_speed<p>(node, stretch, v, system); });
  for (int f = 0; f < Model::Laws::firm; ++f) slip[first_firm + f] = Real(0);
  if constexpr (Model::Laws::guides > 0) {
    unroll<Model::Laws::firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::guide_size(f) > 0)
        slip[first_firm + f] = find_guide_speed<f>(node, stretch, v, system);
    });
  }
  if constexpr (Model::Laws::resistances > 0) {
    unroll<Model::Laws::resistances>(
        [&](auto r) CS_LAMBDA { slip[first_resistance + r] = find_resistance_speed<r>(node, stretch, v, system); });
  }
}

/// What contacts did: adds to their records, which may be those of several stretches of one step.
template <class Real, class Model, bool Checked>
CS_HD void note_contacts(Passage<Real, Model, Checked>& s, const SystemOf<Real, Model>& system,
                         const SolutionOf<Real, Model>& solution, const int* block_of) {
  for (int p = 0; p < Model::contacts; ++p) {
    auto& record = s.record.contact[p];
    const int block = block_of[p];
    if (block < 0) {
      record.stick = record.stick && is_arrival(s);
      continue;
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
}

/// And what firm rows, guides and resistances did.
template <class Real, class Model, bool Checked>
CS_HD void note_others(Passage<Real, Model, Checked>& s, const SystemOf<Real, Model>& system,
                       const SolutionOf<Real, Model>& solution, int first_guide) {
  auto& joint = s.record.joint();
  for (int f = 0; f < Sizes<Model>::firm; ++f) {
    Real both = Real(-2) * system.firm_drive[f];
    for (int j = 0; j < Model::dimension; ++j)
      both = both + system.firm_row[f][j] * (system.v_before[j] + solution.v[j]);
    joint.other_work = joint.other_work + solution.firm_impulse[f] * (Real(0.5) * both);
    joint.other_drive = joint.other_drive + solution.firm_impulse[f] * system.firm_drive[f];
  }
  for (int block = first_guide; block < system.blocks; ++block) {
    const int first = system.first[block], slips = has_normal(system.law[block]) ? first + 1 : first;
    bool still = true;
    for (int i = first; i < first + system.size[block]; ++i) {
      joint.other_work = joint.other_work + solution.impulse[i] * (Real(0.5) * (solution.u_before[i] + solution.u[i]));
      joint.other_drive = joint.other_drive + solution.impulse[i] * system.drive[i];
      still = still && (i < slips || abs(solution.u[i]) <= solution.rest[i]);
    }
    if constexpr (Model::contacts == 0) {
      s.record.contact[block].active = true;
      s.record.contact[block].stick = still || solution.mode[block] == Mode::stick;
    }
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
template <int P, class Real, class Model, bool Checked>
CS_HD void rest_slow_arrival([[maybe_unused]] const Passage<Real, Model, Checked>& s,
                             [[maybe_unused]] SystemOf<Real, Model>& system, [[maybe_unused]] int block) {
  if constexpr (state::is_located<Model>()) {
    const int first = system.first[block];
    Real u_n = -system.drive[first];
    for (int j = 0; j < Model::dimension; ++j) u_n = u_n + system.row[first][j] * s.node.v[j];
    if (!state::is_impact(u_n, s.arrival().push_n[P])) system.e[block] = Real(0);
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

/// Firm rows, and as blocks the contacts that touch (B2), guides and resistances. A contact that persists touches.
template <class Real, class Model, bool Checked>
CS_HD Status enter_laws(const Passage<Real, Model, Checked>& s, const StretchOf<Real, Model>& stretch,
                        SystemOf<Real, Model>& system, BlockNumbers<Model>& numbers) {
  using Laws = typename Model::Laws;
  const auto& node = s.node;
  system.clear();
  system.speed = stretch.speed;
  if constexpr (may_fall_apart<Model>()) system.motion = stretch.motion;
  for (int j = 0; j < Model::dimension; ++j) system.w[j] = s.w[j], system.v_before[j] = node.v[j];
  enter_firm_rows(node, stretch, system);
  Status trouble = Status::ok;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    numbers.of[p] = -1;
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
    const Real tolerance = touching_tolerance<p, Real, Model>(node.q, s.first);
    if ((g < -tolerance * steepness && !persists<p>(s) && !has_arrived<p>(s)) || trouble != Status::ok) return;
    if (is_nan(g)) {
      trouble = Status::non_finite;
    } else if (is_singular(steepness)) {
      trouble = Status::singular_gradient;
    } else if (system.blocks == Sizes<Model>::touching || (Laws::contact_size(p) == 0 && Model::contacts > 1)) {
      trouble = Status::several_contacts;
    } else if constexpr (Laws::contact_size(p) > 0) {
      const int block = numbers.of[p] = enter_contact<p>(node, stretch, system);
      if (persists<p>(s)) system.make_persistent(block);
      if (is_arrival(s)) rest_slow_arrival<p>(s, system, block);
    }
  });
  numbers.first_guide = system.blocks;
  enter_guides(node, stretch, system);
  // where all of them have a place, how they rub and rebound
  for (int block = 0; block < system.blocks && trouble == Status::ok; ++block) {
    if (is_nan(system.high[block])) trouble = Status::bad_angle;
    if (is_nan(system.e[block])) trouble = Status::bad_restitution;
  }
  numbers.first_resistance = system.blocks;
  enter_resistances(node, stretch, system);
  return trouble;
}

/// All laws of `system`, those together that meet.
template <class Model, class Real, class Metric>
CS_HD void solve_islands(const Metric& metric, const ModelLimits<Real, Model>& limits, Restitution restitution,
                         SystemOf<Real, Model>& system, WorkspaceOf<Real, Model>& work,
                         SolutionOf<Real, Model>& solution) {
  if constexpr (may_fall_apart<Model>()) {
    Parts<Sizes<Model>::blocks> parts;
    find_parts<Model>(limits.block_of, system.blocks, parts);
    if (parts.count > 1) return solve_step_in_parts(metric, system, parts, limits, restitution, work, solution);
  }
  solve_step(metric, system, limits, restitution, work, solution);
}

/// The laws that act in a stretch, solved together (B1) … (B4): v of w. True if a contact pushes, or in a model without
/// contacts something resists.
template <class Real, class Model, bool Checked, class Metric>
CS_APART bool solve_together(Passage<Real, Model, Checked>& s, const Metric& metric,
                             const StretchOf<Real, Model>& stretch, const Scales<Real, Model>& scales) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension, laws = state::count_laws<Model>();
  const auto& node = s.node;
  SystemOf<Real, Model> system;
  SolutionOf<Real, Model> solution;
  [[maybe_unused]] Real slip[at_least_one(laws)];
  if constexpr (Laws::uses_laws && Laws::resistances > 0) find_slips(node, stretch, node.v, system, slip);
  if (is_arrival(s)) find_pushes(s);

  BlockNumbers<Model> numbers;
  const int* block_of = numbers.of;
  WorkspaceOf<Real, Model> work;
  for (bool again = true; again;) {
    const Status trouble = enter_laws(s, stretch, system, numbers);
    if (trouble != Status::ok) {
      fail(s, trouble);
      return true;
    }
    if (system.blocks == 0 && Laws::firm == 0) return false;
    const ModelLimits<Real, Model> limits = {
        node, scales, block_of, slip, numbers.first_guide, numbers.first_resistance};
    solve_islands<Model>(metric, limits, Laws::moreau ? Restitution::moreau : Restitution::newton, system, work,
                         solution);
    again = release_contacts(s, scales.atom, block_of, work, solution);
  }
  if (solution.verdict != Verdict::solved) {
    if constexpr (Checked) s.record.joint().residual = solution.residual;
    fail(s, status_of(solution.verdict));
    return true;
  }
  for (int j = 0; j < D; ++j) s.v.value[j] = solution.v[j];
  s.v.forget_low();

  auto& joint = s.record.joint();
  joint.painleve = min(joint.painleve, solution.painleve);
  joint.residual = max(joint.residual, solution.residual);
  if (solution.hyperstatic) joint.hyperstatic = Real(1);
  note_others(s, system, solution, numbers.first_guide);
  note_contacts(s, system, solution, block_of);
  if constexpr (Laws::uses_laws) {
    for (int p = 0; p < Model::contacts; ++p)
      s.impulses()[p] = s.impulses()[p] + (block_of[p] >= 0 ? solution.impulse[system.first[block_of[p]]] : Real(0));
    Real guide_normal[at_least_one(Laws::guides)];
    for (int g = 0; g < Laws::guides; ++g) guide_normal[g] = solution.impulse[system.first[numbers.first_guide + g]];
    for (int f = 0; f < Laws::firm; ++f)
      s.impulses()[Model::contacts + f] =
          s.impulses()[Model::contacts + f] + find_firm_normal<Model, Real>(f, solution.firm_normal, guide_normal);
  }
  bool acts[at_least_one(Model::contacts)];
  for (int p = 0; p < Model::contacts; ++p) acts[p] = block_of[p] >= 0 && pushes(system, solution, block_of[p]);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if constexpr (Laws::contact_size(p) == 1) {
      if (!acts[p]) return;
      s.record.contact[p].stick = rests_along_wall<p>(node, metric, solution.v, solution.speed);
    }
  });
  return Model::contacts == 0 ? Laws::guides + Laws::resistances > 0 : solution.contact_acts;
}

/// The velocity that a stretch would end with if no contact pushed: after forces, firm rows, guides and resistances
/// alone.
template <class Real, class Model, bool Checked, class Metric>
CS_APART void find_free_velocity(const Passage<Real, Model, Checked>& s, [[maybe_unused]] const Metric& metric,
                                 [[maybe_unused]] const StretchOf<Real, Model>& stretch,
                                 [[maybe_unused]] const Scales<Real, Model>& scales, Real* v) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension, laws = state::count_laws<Model>();
  for (int j = 0; j < D; ++j) v[j] = s.w[j];
  if constexpr (Laws::firm > 0 || Laws::resistances > 0) {
    SystemOf<Real, Model> system;
    SolutionOf<Real, Model> solution;
    WorkspaceOf<Real, Model> work;
    [[maybe_unused]] Real slip[at_least_one(laws)];
    if constexpr (Laws::uses_laws && Laws::resistances > 0) find_slips(s.node, stretch, s.node.v, system, slip);
    int block_of[at_least_one(Model::contacts)];
    for (int p = 0; p < Model::contacts; ++p) block_of[p] = -1;
    system.clear();
    system.speed = stretch.speed;
    if constexpr (may_fall_apart<Model>()) system.motion = stretch.motion;
    for (int j = 0; j < D; ++j) system.w[j] = s.w[j], system.v_before[j] = s.node.v[j];
    enter_firm_rows(s.node, stretch, system);
    enter_guides(s.node, stretch, system);
    const int guides = system.blocks;
    enter_resistances(s.node, stretch, system);
    const ModelLimits<Real, Model> limits = {s.node, scales, block_of, slip, 0, guides};
    solve_islands<Model>(metric, limits, Restitution::newton, system, work, solution);
    if (solution.verdict == Verdict::solved)
      for (int j = 0; j < D; ++j) v[j] = solution.v[j];
  }
}

}  // namespace conesweep::contact
