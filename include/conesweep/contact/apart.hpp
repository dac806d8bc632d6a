#pragma once

#include <conesweep/contact/island.hpp>
#include <conesweep/contact/touching.hpp>
#include <conesweep/law/coulomb_cone.hpp>

// Laws that meet no other one (B11), each in closed form: an interval or a ball clamps, a contact is (P6), (P12) with
// impulses scaled by W. Rows of such a law are orthogonal in M⁻¹, so W is diagonal, and the tangential ones have one
// length there. Packs stay together.
//
// Of law number L a model has
//
//   row_velocity<L>(q, c, t, v, u)             u = A v, without drives
//   row_response<L>(q, c, t, w)                W: w[0] along the normal, or of all rows; w[1] of a contact's slip rows
//   row_change<L>(q, c, t, u, old, where, v)   v such that A v = u where it was `old`, row by row `where`

namespace conesweep::contact {

using state::Node;

/// Are the rows of contact P those of a place in space, where its normal is a direction of its own?
template <class Model>
CS_HD constexpr bool is_spatial(int p) {
  const state::ContactKind kind = Model::Laws::contact_kind(p);
  return Model::Laws::contact_size(p) > 1 &&
         (kind == state::ContactKind::point || kind == state::ContactKind::particle);
}

/// The velocity of contact P in its frame: along the normal and along the wall, relative to the wall.
template <int Size, class Real>
struct FrameVelocity {
  Real normal;
  Real along[Size];
};

/// What the wall of contact P does: its normal velocity, and the velocity of its material along it.
template <int Size, class Real>
struct WallMotion {
  Real n[Size];  // the normal, of a place in space
  Real normal;
  Real along[Size];
};

template <int P, class Real, class Model, bool Checked>
CS_INLINE WallMotion<at_least_one(Model::Laws::contact_size(P)), Real> find_wall_motion(
    const Passage<Real, Model, Checked>& s) {
  constexpr int size = Model::Laws::contact_size(P);
  const auto& node = s.node;
  WallMotion<at_least_one(size), Real> wall;
  wall.normal = Model::template wall_speed<P>(node.q, node.c, node.t, s.t_next, s.h);
  if constexpr (is_spatial<Model>(P)) {
    Model::template inward<P>(node.q, node.c, node.t, wall.n);
    Model::template belt<P>(node.q, node.c, s.t_next, wall.along);
    Real across = Real(0);
    unroll<size>([&](auto k) CS_LAMBDA { across = across + wall.n[k] * wall.along[k]; });
    unroll<size>([&](auto k) CS_LAMBDA { wall.along[k] = wall.along[k] - across * wall.n[k]; });
  } else if constexpr (size > 1) {
    Model::template belt<P>(node.q, node.c, s.t_next, wall.along);
  }
  return wall;
}

/// Velocities of rows, seen from the wall.
template <int P, class Model, int Size, class Real>
CS_INLINE FrameVelocity<Size, Real> split_rows(const Real* rows, const WallMotion<Size, Real>& wall) {
  FrameVelocity<Size, Real> u;
  if constexpr (is_spatial<Model>(P)) {
    Real along_n = Real(0);
    unroll<Size>([&](auto k) CS_LAMBDA { along_n = along_n + wall.n[k] * rows[k]; });
    u.normal = along_n - wall.normal;
    unroll<Size>([&](auto k) CS_LAMBDA { u.along[k] = (rows[k] - along_n * wall.n[k]) - wall.along[k]; });
  } else {
    u.normal = rows[0] - wall.normal;
    unroll<Size - 1>([&](auto k) CS_LAMBDA { u.along[k] = rows[k + 1] - wall.along[k]; });
  }
  return u;
}

/// And back.
template <int P, class Model, int Size, class Real>
CS_INLINE void join_rows(const FrameVelocity<Size, Real>& u, const WallMotion<Size, Real>& wall, Real* rows) {
  if constexpr (is_spatial<Model>(P)) {
    const Real normal = u.normal + wall.normal;
    unroll<Size>([&](auto k) CS_LAMBDA { rows[k] = (u.along[k] + wall.along[k]) + normal * wall.n[k]; });
  } else {
    rows[0] = Model::moves[P] || Model::rebounds[P] ? u.normal + wall.normal : u.normal;
    unroll<Size - 1>([&](auto k) CS_LAMBDA { rows[k + 1] = u.along[k] + wall.along[k]; });
  }
}

/// |u_t|
template <int P, class Model, int Size, class Real>
CS_INLINE Real find_slip_speed(const FrameVelocity<Size, Real>& u,
                               [[maybe_unused]] const WallMotion<Size, Real>& wall) {
  if constexpr (is_spatial<Model>(P) && Size == 2) {
    return abs(wall.n[0] * u.along[1] - wall.n[1] * u.along[0]);
  } else if constexpr (!is_spatial<Model>(P) && Size == 1) {
    return Real(0);
  } else if constexpr (!is_spatial<Model>(P) && Size == 2) {
    return abs(u.along[0]);
  } else {
    return sqrt(metric::squared_length < is_spatial<Model>(P) ? Size : Size - 1 > (u.along));
  }
}

/// M(q_i), diagonal, and its inverse.
template <class Real, int D>
struct Masses {
  Real of[D], inverse[D];
};
template <class Real, class Model>
CS_INLINE void find_masses(const Node<Real, Model>& node, Masses<Real, Model::dimension>& masses) {
  if constexpr (Model::Laws::mass() == state::MassKind::diagonal)
    Model::masses(node.q, node.c, masses.of, masses.inverse);
  else
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { masses.of[c] = masses.inverse[c] = Real(1); });
}

/// What contact P did, for those who observe.
template <int P, class Real, class Model, bool Checked>
CS_INLINE void note_push(Passage<Real, Model, Checked>& s, MaskOf<Real> active, Real r_n) {
  auto& record = s.record.contact[P];
  record.active = active;
  record.r_n = select(active, r_n, Real(0));
  if constexpr (Model::Laws::uses_laws) s.impulses()[P] = record.r_n;
  // rows are orthogonal: 1 - μ|W_nt|/W_nn
  auto& joint = s.record.joint();
  joint.painleve = select(active, min(joint.painleve, Real(1)), joint.painleve);
}

/// (B2) for contact P where it touches, without branches: what touches pushes, as a rule. `unknown`: its friction or
/// restitution is no number.
///
/// It is longer than 60 lines: apart, its parts would hand on a dozen values that stay in registers here. It has
/// more than 5 parameters: they are what its caller has asked the model for, in registers.
template <int P, class Real, class Model, bool Checked>
CS_INLINE bool solve_touching_apart(Passage<Real, Model, Checked>& s, MaskOf<Real> touching, Real g, Real mu, Real e,
                                    Real& reason_of_law) {
  using Mask = MaskOf<Real>;
  constexpr int size = Model::Laws::contact_size(P), tangents = is_spatial<Model>(P) ? size : size - 1;
  constexpr bool rebounds = Model::rebounds[P];
  const auto& node = s.node;
  const Mask unknown = is_nan(mu) || is_nan(e);
  const Mask singular = is_singular(Model::template steepness<P>(node.q, node.c, node.t));
  const auto wall = find_wall_motion<P>(s);
  Real old[size], old_before[size], response[2];
  Model::template row_velocity<P>(node.q, node.c, node.t, s.w, old);
  Model::template row_velocity<P>(node.q, node.c, node.t, node.v, old_before);
  Model::template row_response<P>(node.q, node.c, node.t, response);
  const auto w = split_rows<P, Model, size>(old, wall);
  const auto before = split_rows<P, Model, size>(old_before, wall);

  // where g has a value everywhere, it is no number where the position is none, and that stays
  const Mask nowhere = Model::defined_everywhere[P] ? Real(0) != Real(0) : is_nan(g);
  const Mask bad = touching && (singular || unknown || nowhere);
  const Mask active = touching && (w.normal < Real(0));
  if constexpr (Checked) {
    note_reason(s.record.reason.value, touching && is_nan(g), Status::non_finite);
    note_reason(s.record.reason.value, touching && singular, Status::singular_gradient);
    note_reason(reason_of_law, touching && is_nan(mu), Status::bad_angle);
    note_reason(reason_of_law, touching && is_nan(e), Status::bad_restitution);
  }
  Mask acts = active;

  // (P6), (P12): |u_t| shrinks by W_t μ r_n, with r_n = (v_n - w_n)/W_n
  const Real slip_speed = find_slip_speed<P, Model>(w, wall);
  const Real ratio = is_spatial<Model>(P) || size == 1 ? Real(1) : response[1] / response[0];
  const law::ContactSolution<Real> solved =
      law::solve_contact<rebounds>(w.normal, slip_speed, before.normal, e, mu * ratio);
  FrameVelocity<size, Real> u;
  u.normal = solved.v_n;
  if (any(bad)) {
    acts = acts || bad;
    u.normal = select(bad, Real(canonical_nan<ScalarOf<Real>>()), solved.v_n);
  }
  constexpr bool on_a_line = !is_spatial<Model>(P) && size == 2;
  const Mask sticks = on_a_line ? slip_speed <= solved.grip : solved.share == Real(1);
  unroll<tangents>([&](auto k) CS_LAMBDA {
    if constexpr (on_a_line)
      u.along[k] = w.along[k] - min(max(-solved.grip, w.along[k]), solved.grip);
    else
      u.along[k] = select(sticks, Real(0), w.along[k] - solved.share * w.along[k]);
  });
  Real rows[size];
  Mask where[size];
  join_rows<P, Model>(u, wall, rows);
  unroll<size>([&](auto k) CS_LAMBDA { where[k] = acts; });
  if constexpr (!is_spatial<Model>(P) && size > 1)
    unroll<size - 1>([&](auto k) CS_LAMBDA {
      where[k + 1] = Model::Laws::always_slides(P) ? acts : acts && (response[1] > Real(0));
    });
  Model::template row_change<P>(node.q, node.c, node.t, rows, old, where, s.v.value);

  note_push<P>(s, active, solved.r_n / response[0]);
  auto& record = s.record.contact[P];
  record.u_n_before = before.normal;
  record.force_n = w.normal - before.normal;
  if constexpr (size > 1) record.stick = active && ((mu > Real(0) && sticks) || slip_speed == Real(0));
  Real work = record.r_n * (Real(0.5) * (before.normal + u.normal)), drive = record.r_n * wall.normal;
  if constexpr (tangents > 0) {
    const Real per_speed = (is_spatial<Model>(P) ? response[0] : response[1]);
    unroll<tangents>([&](auto k) CS_LAMBDA {
      const Real r = select(active && (per_speed > Real(0)), (u.along[k] - w.along[k]) / per_speed, Real(0));
      work = work + r * (Real(0.5) * (before.along[k] + u.along[k]));
      drive = drive + r * wall.along[k];
    });
  }
  record.work = work;
  record.drive = drive;
  return any(acts);
}

/// (B2) for contact P, which meets no other law: v of w where it touches. Returns true if it pushes in some lane.
template <int P, class Real, class Model, bool Checked>
CS_INLINE bool solve_contact_apart(Passage<Real, Model, Checked>& s, Real& reason_of_law) {
  using Mask = MaskOf<Real>;
  const auto& node = s.node;
  const Real g = Model::template constraint<P>(node.q, node.c, node.t);
  const Mask beyond = !(g <= Real(0));
  s.record.outside = s.record.outside || any(beyond);
  if constexpr (Model::Standard::penetration)
    s.record.penetration =
        max(s.record.penetration, depth(g > Real(0), g, Model::template depth_scale<P>(node.q, node.c, node.t)));
  const Real e = Model::rebounds[P] ? Model::template restitution<P>(node) : Real(0);
  const Real mu = Model::template friction<P>(node);
  // where all lanes are at their walls, nobody asks how near, and no mask is waited for
  if constexpr (RealTraits<Real>::lanes > 1) {
    if (all(!(g < Real(0)))) return solve_touching_apart<P>(s, Real(0) == Real(0), g, mu, e, reason_of_law);
  }
  const Mask touching =
      touches<P, Real, Model>(node.q, s.first, g, Model::template steepness<P>(node.q, node.c, node.t));
  return any(touching) && solve_touching_apart<P>(s, touching, g, mu, e, reason_of_law);
}

/// What resistance R may push with over the step, [-high, high] where the limit is one formula. What is no set becomes
/// no number: a limit that is none makes the velocity none by itself, and of those that are formulas the least is kept,
/// so that a step asks once whether one is below 0.
template <int R, class Real, class Model, bool Checked>
CS_INLINE void find_impulses_of_set(Passage<Real, Model, Checked>& s, Real& low, Real& high, Real& least) {
  if constexpr (Checked || !Model::Laws::is_symmetric(R)) {
    const Real none = Real(canonical_nan<ScalarOf<Real>>());
    Model::template limit<R>(s.node, low, high);
    MaskOf<Real> bad = !(high >= Real(0));
    if constexpr (!Model::Laws::is_symmetric(R)) bad = bad || !(low <= Real(0));
    if constexpr (Checked) note_reason(s.record.reason.value, bad, Status::bad_limit);
    high = select(bad, none, s.h * high);
    low = select(bad, none, s.h * low);
  }
  if constexpr (Model::Laws::is_symmetric(R)) {
    Real most;
    Model::template most_impulse<R>(s.node, s.h, most);
    if constexpr (Checked)
      high = select(is_nan(high), high, most);
    else
      high = most;
    low = -high;
    least = min(least, high);
  }
}

/// A resistance that meets no other law: u shrinks towards 0 by at most what Λ allows, and sticks there exactly.
template <int R, class Real, class Model, bool Checked>
CS_INLINE void resist_apart(Passage<Real, Model, Checked>& s, Real& least_limit) {
  using Laws = typename Model::Laws;
  constexpr int L = Model::contacts + int(Laws::firm) + R, size = Laws::resistance_size(R);
  const auto& node = s.node;
  Real low, high, old[size], before[size], drive[size], response[2];
  find_impulses_of_set<R>(s, low, high, least_limit);
  Model::template row_velocity<L>(node.q, node.c, node.t, s.w, old);
  Model::template row_velocity<L>(node.q, node.c, node.t, node.v, before);
  Model::template resistance_drive<R>(node.q, node.c, s.t_next, drive);
  Model::template row_response<L>(node.q, node.c, node.t, response);

  Real u[size], impulse[size], rows[size];
  MaskOf<Real> where[size], sticks;
  if constexpr (size == 1) {
    // u = w + W λ: what of w the set can take goes; no number stays none
    const Real w = old[0] - drive[0], most = Laws::is_symmetric(R) ? response[0] * high : -(response[0] * low),
               least = Laws::is_symmetric(R) ? -most : -(response[0] * high);
    sticks = w >= least && w <= most;
    u[0] = w - min(max(least, w), most);
    impulse[0] = select(sticks, select(response[0] > Real(0), -w / response[0], Real(0)), select(w < least, high, low));
  } else {
    unroll<size>([&](auto k) CS_LAMBDA { u[k] = old[k] - drive[k]; });
    const Real share = law::slide_or_stick(sqrt(metric::squared_length<size>(u)), response[0] * high);
    sticks = share == Real(1);
    unroll<size>([&](auto k) CS_LAMBDA {
      impulse[k] = select(response[0] > Real(0), -(share * u[k]) / response[0], Real(0));
      u[k] = select(sticks, Real(0), u[k] - share * u[k]);
    });
  }
  unroll<size>([&](auto k) CS_LAMBDA {
    rows[k] = Laws::is_driven(R) ? u[k] + drive[k] : u[k];
    where[k] = !(response[0] <= Real(0));
  });
  Model::template row_change<L>(node.q, node.c, node.t, rows, old, where, s.v.value);

  auto& joint = s.record.joint();
  unroll<size>([&](auto k) CS_LAMBDA {
    joint.other_work = joint.other_work + impulse[k] * (Real(0.5) * ((before[k] - drive[k]) + u[k]));
    joint.other_drive = joint.other_drive + impulse[k] * drive[k];
  });
  if constexpr (Model::contacts == 0) {
    auto& record = s.record.contact[int(Laws::guides) + R];
    record.active = Real(0) == Real(0);
    record.stick = sticks;
  }
}

/// A limit below 0 is no set, and leaves no velocity; whatever acts after this begins with w.
template <class Real, class Model, bool Checked>
CS_INLINE void poison_below(Passage<Real, Model, Checked>& s, Real least_limit) {
  const MaskOf<Real> below = least_limit < Real(0);
  if (any(below)) s.w[0] = s.v.value[0] = select(below, Real(canonical_nan<ScalarOf<Real>>()), s.v.value[0]);
}

/// Has island I of a model a closed form?
template <class Model, int I>
CS_HD constexpr bool is_closed_island() {
  for (int law = 0; law < state::count_laws<Model>(); ++law)
    if (is_of_island<Model, I>(law)) return Model::Laws::is_closed(law);
  return false;
}

/// Contacts that have a closed form, and resistances that have one, or have it `lone`, in a step in which they meet no
/// contact. Returns true if a contact pushes somewhere, or in a model without contacts something resists.
template <bool Lone, class Real, class Model, bool Checked>
CS_INLINE bool solve_closed(Passage<Real, Model, Checked>& s) {
  using Laws = typename Model::Laws;
  bool touched = false;
  Real reason_of_law = Real(0);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if constexpr (Laws::is_closed(p)) {
      if (solve_contact_apart<p>(s, reason_of_law)) touched = true;
    }
  });
  if constexpr (Checked) note_reason(s.record.reason.value, reason_of_law != Real(0), Status(int(reason_of_law)));
  bool resisted = false;
  Real least_limit = Real(0);
  unroll<int(Laws::resistances)>([&](auto r) CS_LAMBDA {
    constexpr int law = Model::contacts + int(Laws::firm) + r;
    if constexpr (Laws::is_closed(law) || (Lone && !Laws::is_boxed(law))) {
      resist_apart<r>(s, least_limit);
      resisted = true;
    }
  });
  poison_below(s, least_limit);
  return Model::contacts == 0 ? resisted : touched;
}

}  // namespace conesweep::contact
