#pragma once

#include <conesweep/contact/boxes.hpp>

// (B2) for islands of boxes (boxes.hpp), of members that stay in packs: contacts without friction, and resistances with
// one row.

namespace conesweep::contact {

/// Is island I of a model one of boxes?
template <class Model, int I>
CS_HD constexpr bool is_boxed_island() {
  for (int law = 0; law < state::count_laws<Model>(); ++law)
    if (is_of_island<Model, I>(law)) return Model::Laws::is_boxed(law);
  return false;
}

/// An island of boxes in a step: its contacts first, then its resistances.
template <class Real, int Contacts, int Resistances, int D>
struct BoxedStep {
  static constexpr int contacts = Contacts, resistances = Resistances, count = Contacts + Resistances, dimension = D;

  Boxes<Real, count, D> boxes;
  Real e[count];
  MaskOf<Real> touching[count];  // a resistance always
  Real r[count];                 // impulses
  Real u_without[count];         // velocities that resistances alone leave
  Real speed;                    // what velocities of the step are sums of
  MaskOf<Real> acts;             // a contact does
  MaskOf<Real> solved;
};
template <class Real, class Of>
using BoxedStepOf = BoxedStep<Real, int(Of::contacts), int(Of::resistances), int(Of::dimension)>;

/// A row with its drive and velocities.
template <class Of, class Real, class Model, bool Checked>
CS_INLINE void enter_row(const Passage<Real, Model, Checked>& s, int k, const Real (&row)[Model::dimension], Real drive,
                         BoxedStepOf<Real, Of>& island) {
  auto& boxes = island.boxes;
  take_coordinates<Of>(row, boxes.row[k]);
  boxes.drive[k] = drive;
  Real free = -drive, before = -drive;
  unroll<Of::dimension>([&](auto j) CS_LAMBDA {
    free = free + boxes.row[k][j] * s.w[Of::coordinate(j)];
    before = before + boxes.row[k][j] * s.node.v[Of::coordinate(j)];
  });
  boxes.free[k] = free;
  boxes.before[k] = before;
}

/// Which contacts touch, and how deep lanes lie beyond walls. Returns true if one touches in some lane.
template <class Of, class Real, class Model, bool Checked>
CS_INLINE bool find_touching(Passage<Real, Model, Checked>& s, BoxedStepOf<Real, Of>& island) {
  const auto& node = s.node;
  bool some = false;
  for_each_contact<Of>([&](auto p) CS_LAMBDA {
    {
      constexpr int k = Of::contact_place(p);
      const Real g = Model::template constraint<p>(node.q, node.c, node.t);
      const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
      island.touching[k] = touches<p, Real, Model>(node.q, s.first, g, steepness);
      if (!any(island.touching[k])) return;
      some = true;
      s.record.outside = true;
      if constexpr (Model::Standard::penetration)
        s.record.penetration =
            max(s.record.penetration, depth(g > Real(0), g, Model::template depth_scale<p>(node.q, node.c, node.t)));
      // what is nowhere, or has no direction, is for the search to tell
      island.solved = island.solved && !(island.touching[k] && (is_nan(g) || is_singular(steepness)));
    }
  });
  return some;
}

/// All rows of the island, what they may do, and W.
template <class Of, class Real, class Model, bool Checked, class Metric>
CS_APART void enter_boxes(Passage<Real, Model, Checked>& s, const Metric& metric, BoxedStepOf<Real, Of>& island) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Of::dimension, N = BoxedStepOf<Real, Of>::count;
  const auto& node = s.node;
  auto& boxes = island.boxes;
  for_each_contact<Of>([&](auto p) CS_LAMBDA {
    {
      constexpr int k = Of::contact_place(p);
      Real row[Model::dimension];
      put_normal_row<p, Model>(node.q, node.c, node.t, row);
      enter_row<Of>(s, k, row, Model::template wall_speed<p>(node.q, node.c, node.t, s.t_next, s.h), island);
      island.e[k] = Model::rebounds[p] ? Model::template restitution<p>(node) : Real(0);
      boxes.low[k] = Real(0);
      boxes.high[k] = Real(infinity<Scalar>());
      island.solved = island.solved && !(island.touching[k] && is_nan(island.e[k]));
    }
  });
  for_each_resistance<Of>([&](auto r) CS_LAMBDA {
    {
      constexpr int k = int(Of::contacts) + Of::resistance_place(r);
      Real row[1][Model::dimension], drive;
      put_resistance_rows<r, Model>(node, s.t_next, row, &drive);
      enter_row<Of>(s, k, row[0], drive, island);
      Real low, high;
      Model::template limit<r>(node, low, high);
      island.solved = island.solved && low <= Real(0) && high >= Real(0);
      island.touching[k] = Real(0) == Real(0);
      island.e[k] = Real(0);
      boxes.low[k] = s.h * low;
      boxes.high[k] = s.h * high;
    }
  });
  Real before[D], push[D], square = Real(0), pushed = Real(0);
  unroll<D>([&](auto j) CS_LAMBDA {
    before[j] = node.v[Of::coordinate(j)];
    push[j] = s.w[Of::coordinate(j)] - before[j];
  });
  metric.weigh(before);
  metric.weigh(push);
  for (int j = 0; j < D; ++j) square = square + before[j] * before[j], pushed = pushed + push[j] * push[j];
  island.speed = sqrt(square) + sqrt(pushed);
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < D; ++j) boxes.over[k][j] = boxes.row[k][j];
    metric.whiten(boxes.over[k]);
    metric.unwhiten(boxes.over[k]);
    for (int i = 0; i <= k; ++i) {
      Real sum = Real(0);
      for (int j = 0; j < D; ++j) sum = sum + boxes.row[i][j] * boxes.over[k][j];
      boxes.w[i][k] = boxes.w[k][i] = sum;
    }
    boxes.small[k] = Real(Tolerance<Scalar>::aim) * (island.speed * sqrt(boxes.w[k][k]));
  }
}

/// (B2): resistances alone; where a contact closes then, (i) and where needed (ii).
template <class Real, int Contacts, int Resistances, int D>
CS_APART void solve_boxed(BoxedStep<Real, Contacts, Resistances, D>& island) {
  using Boxed = BoxedStep<Real, Contacts, Resistances, D>;
  using Mask = MaskOf<Real>;
  constexpr int N = Boxed::count, C = Boxed::contacts;
  const auto& boxes = island.boxes;
  Mask part[N];
  Real b[N];
  for (int k = 0; k < N; ++k) {
    part[k] = k < C ? Real(0) != Real(0) : Real(0) == Real(0);
    island.r[k] = Real(0);
  }
  if constexpr (Boxed::resistances > 0)
    island.solved = solve_boxes<C>(boxes, boxes.free, part, island.r) && island.solved;
  island.acts = Real(0) != Real(0);
  for (int k = 0; k < C; ++k) {
    Real u = boxes.free[k];
    for (int j = C; j < N; ++j) u = u + boxes.w[k][j] * island.r[j];
    island.u_without[k] = u;
    island.acts = island.acts || (island.touching[k] && u < Real(0));
  }
  if (C == 0 || !any(island.acts)) return;

  // (i) all of them, contacts for u + e u⁻
  Real r[N];
  for (int k = 0; k < N; ++k) {
    part[k] = island.acts && island.touching[k];
    b[k] = k < C ? boxes.free[k] + island.e[k] * boxes.before[k] : boxes.free[k];
  }
  Mask good = solve_boxes<0>(boxes, b, part, r);
  // (ii) once more from there, without restitution
  Mask again = Real(0) != Real(0);
  for (int k = 0; k < C; ++k) {
    b[k] = boxes.free[k];
    for (int j = 0; j < N; ++j) b[k] = b[k] + boxes.w[k][j] * r[j];
    again = again ||
            (part[k] && island.e[k] * boxes.before[k] > Real(0) && b[k] < -Real(ScalarOf<Real>(100)) * boxes.small[k]);
  }
  if (any(again)) {
    Real more[N];
    for (int k = 0; k < N; ++k) {
      part[k] = part[k] && again;
      b[k] = boxes.free[k];
      for (int j = 0; j < C; ++j) b[k] = b[k] + boxes.w[k][j] * r[j];
    }
    good = good && (!again || solve_boxes<0>(boxes, b, part, more));
    for (int k = 0; k < N; ++k) r[k] = select(again, k < C ? r[k] + more[k] : more[k], r[k]);
  }
  island.solved = island.solved && (!island.acts || good);
  for (int k = 0; k < N; ++k) island.r[k] = select(island.acts, r[k], island.r[k]);
  // a contact that rounding holds closed is open
  for (int k = 0; k < C; ++k) island.r[k] = select(boxes.w[k][k] * island.r[k] <= boxes.small[k], Real(0), island.r[k]);
}

/// What resistance R did, which is row k. By itself it sticks exactly.
template <int R, class Real, class Model, bool Checked, class Boxed>
CS_INLINE void note_resistance(Passage<Real, Model, Checked>& s, const Boxed& island, int k, Real u) {
  constexpr int law = Model::contacts + int(Model::Laws::firm) + R;
  const auto& boxes = island.boxes;
  if constexpr (Model::Laws::is_lone(law)) {
    Real old;
    Model::template row_velocity<law>(s.node.q, s.node.c, s.node.t, s.v.value, &old);
    const MaskOf<Real> sticks = !island.acts && island.r[k] > boxes.low[k] && island.r[k] < boxes.high[k];
    Real held[Model::dimension];
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { held[c] = s.v.value[c]; });
    Model::template row_change<law>(s.node.q, s.node.c, s.node.t, &boxes.drive[k], &old, &sticks, held);
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { s.v.value[c] = select(sticks, held[c], s.v.value[c]); });
    u = select(sticks, Real(0), u);
  }
  auto& joint = s.record.joint();
  joint.other_work = joint.other_work + island.r[k] * (Real(0.5) * (boxes.before[k] + u));
  joint.other_drive = joint.other_drive + island.r[k] * boxes.drive[k];
  if constexpr (Model::contacts == 0) {
    auto& record = s.record.contact[R];
    record.active = Real(0) == Real(0);
    record.stick = abs(u) <= Real(ScalarOf<Real>(100)) * boxes.small[k];
  }
}

/// The velocity after the island's impulses, and what they did.
template <class Of, class Real, class Model, bool Checked>
CS_APART void leave_boxes(Passage<Real, Model, Checked>& s, const BoxedStepOf<Real, Of>& island) {
  using Boxed = BoxedStepOf<Real, Of>;
  constexpr int D = Of::dimension, N = Boxed::count;
  const auto& boxes = island.boxes;
  Real v[D], u[N];
  take_coordinates<Of>(s.w, v);
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < D; ++j) v[j] = v[j] + boxes.over[k][j] * island.r[k];
    u[k] = boxes.free[k];
    for (int j = 0; j < N; ++j) u[k] = u[k] + boxes.w[k][j] * island.r[j];
  }
  unroll<D>([&](auto j) CS_LAMBDA {
    constexpr int c = Of::coordinate(j);
    // without impulses it is w to the bit
    s.v.value[c] = int(Of::resistances) > 0 ? v[j] : select(island.acts, v[j], s.w[c]);
  });
  for_each_contact<Of>([&](auto p) CS_LAMBDA {
    {
      constexpr int k = Of::contact_place(p);
      auto& record = s.record.contact[p];
      auto& joint = s.record.joint();
      record.active = island.r[k] > Real(0);
      record.r_n = island.r[k];
      if constexpr (Model::Laws::uses_laws) s.impulses()[p] = island.r[k];
      record.u_n_before = boxes.before[k];
      record.force_n = island.u_without[k] - boxes.before[k];
      record.work = island.r[k] * (Real(0.5) * (boxes.before[k] + u[k]));
      record.drive = island.r[k] * boxes.drive[k];
      joint.painleve = select(record.active, min(joint.painleve, Real(1)), joint.painleve);
    }
  });
  for_each_resistance<Of>([&](auto r) CS_LAMBDA {
    {
      constexpr int k = Boxed::contacts + Of::resistance_place(r);
      note_resistance<r>(s, island, k, u[k]);
    }
  });
}

/// All islands of boxes: s.v of s.w. Lanes that have no answer here are those of `left`. Returns true if a contact
/// pushes somewhere, or in a model without contacts something resists.
template <class Real, class Model, bool Checked, class Metric>
CS_INLINE bool solve_boxed_islands(Passage<Real, Model, Checked>& s, const Metric& metric, MaskOf<Real>& left) {
  bool touched = false;
  unroll<int(Model::Laws::islands)>([&](auto i) CS_LAMBDA {
    if constexpr (is_boxed_island<Model, i>()) {
      using Of = Island<Model, i>;
      const auto own = take_metric<Of>(metric);
      BoxedStepOf<Real, Of> island;
      island.solved = Real(0) == Real(0);
      const bool touches = find_touching<Of>(s, island);
      if (Of::resistances > 0 || touches) {
        enter_boxes<Of>(s, own, island);
        solve_boxed(island);
        leave_boxes<Of>(s, island);
        touched = touched || Model::contacts == 0 || any(island.acts);
      }
      left = left || !island.solved;
    }
  });
  return touched;
}

}  // namespace conesweep::contact
