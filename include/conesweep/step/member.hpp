#pragma once

#include <conesweep/history/lag.hpp>
#include <conesweep/history/ring.hpp>
#include <conesweep/history/window.hpp>
#include <conesweep/law/coulomb_cone.hpp>
#include <conesweep/math/elementary.hpp>
#include <conesweep/math/sum.hpp>
#include <conesweep/observe/observers.hpp>
#include <conesweep/step/node.hpp>

namespace conesweep::step {

using history::Lag;
using history::Ring;

/// The same for all members.
template <class Scalar>
struct Clock {
  Scalar h;    // T/N
  Scalar end;  // T
  long steps;  // N
};

/// One member (or a pack of them) between two steps: everything that must survive from node i to node i + 1.
template <class Real, class Model>
struct Member {
  Real c[at_least_one(Model::constants)];  // what depends on the parameters alone
  Real q[Model::dimension];                // q_i
  Real q_low[Model::dimension];            // what rounding took from it, in float
  Real v[Model::dimension];                // v_{i-1}
  Real v_low[Model::dimension];            // the same for it
  Lag<Real> lag[at_least_one(Model::lags)];
  Real older[at_least_one(Model::lags)][at_least_one(Model::q_columns)];  // node i-D: the newer one a step ago
  history::Window<Real> window[at_least_one(Model::gathered_windows)];
  observe::Observers<Real, Model> observers;
  Real mode;    // of the last step: 0 flight, 1 slip, 2 stick
  Real reason;  // Checked: why a contact made the velocity NaN, a Status; 0: it did not
};

/// Statuses that are found inside a step; the numbers are those of the results.
enum Reason { no_reason = 0, non_finite = 1, bad_angle = 2, bad_restitution = 3, singular_gradient = 5, several_contacts = 6 };

/// A start may lie outside contact P by 1e-9 of its own size.
template <int P, class Real, class Model>
CS_INLINE MaskOf<Real> lies_outside(const Member<Real, Model>& m) {
  using Scalar = ScalarOf<Real>;
  Real size = Real(0);
  unroll<Model::dimension>([&](auto c) { size = c == 0 ? m.q[c] * m.q[c] : fma(m.q[c], m.q[c], size); });
  const Real tolerance = Real(Scalar(is_double<Real> ? 1e-9 : 1e-6)) * (Real(1) + sqrt(size));
  const Real g = Model::template constraint<P>(m.q, m.c);
  return (g > Real(0)) && (g / Model::template steepness<P>(m.q, m.c) > tolerance);
}

/// Does a window look back over lag k?
template <class Model>
CS_HD constexpr bool has_window(int k) {
  for (int number = 0; number < Model::windows; ++number)
    if (Model::window_lag[number] == k) return true;
  return false;
}

/// The length of lag K, and whether a member can run with it.
template <int K, class Real, class Model>
CS_INLINE Real find_length(const Member<Real, Model>& m, const Clock<ScalarOf<Real>>& clock, MaskOf<Real>& valid) {
  const Real length = Model::template length<K>(m.c);
  constexpr bool windowed = has_window<Model>(K);
  valid = windowed ? history::is_valid_window(length, clock.h) : history::is_valid_length(length);
  return length;
}

/// From parameters to node 0. A member that cannot start gets NaN as its position, which no later step loses.
template <class Real, class Model>
CS_INLINE void start_member(Member<Real, Model>& m, const Real* parameters, const Clock<ScalarOf<Real>>& clock) {
  Model::prepare(parameters, m.c);
  Model::past(Real(0), m.c, m.q);
  Model::start_velocity(m.c, m.v);
  MaskOf<Real> good = Real(0) == Real(0);
  unroll<Model::lags>([&](auto k) {
    MaskOf<Real> valid;
    const Real length = find_length<k>(m, clock, valid);
    constexpr bool gathered = Model::lag_gathered[k];  // a gathered window keeps φ0 in the ring, as far as it reaches
    m.lag[k] = history::make_lag(select(valid, length, Real(0)), clock.h, gathered ? history::most_window_steps + 1 : clock.steps + 2);
    good = good && valid;
  });
  unroll<Model::contacts>([&](auto p) { good = good && !lies_outside<p>(m); });
  unroll<Model::dimension>([&](auto c) { m.q[c] = select(good, m.q[c], Real(canonical_nan<Real>())); });
  unroll<Model::lags>([&](auto k) {
    unroll<Model::q_columns>([&](auto column) {
      constexpr int coordinate = Model::q_column[column];
      m.older[k][column] = m.q[coordinate];
    });
  });
  unroll<Model::dimension>([&](auto c) { m.q_low[c] = m.v_low[c] = Real(0); });
  m.observers.start();
  m.mode = m.reason = Real(0);
}

/// Node i goes into the ring: coordinates, and the velocities that led to it.
template <class Real, class Model>
CS_INLINE void remember(const Member<Real, Model>& m, long now, const Ring<ScalarOf<Real>>& ring) {
  constexpr int columns = ring_columns<Model>;
  ScalarOf<Real>* slot = ring.data + now * columns * ring.stride;
  unroll<Model::q_columns>([&](auto k) {
    constexpr int coordinate = Model::q_column[k];
    history::store_members<Real>(slot + k * ring.stride, m.q[coordinate]);
  });
  unroll<Model::v_columns>([&](auto k) {
    constexpr int coordinate = Model::v_column[k];
    history::store_members<Real>(slot + (Model::q_columns + k) * ring.stride, m.v[coordinate]);
  });
}

/// (P10) what the expressions ask of the past at node i. `Early`: some member still looks back before t = 0.
template <bool Early, class Real, class Model>
CS_INLINE void look_back(Member<Real, Model>& m, Node<Real, Model>& node, long i, long now, const Ring<ScalarOf<Real>>& ring,
                         const Clock<ScalarOf<Real>>& clock) {
  using Scalar = ScalarOf<Real>;
  constexpr int columns = ring_columns<Model>;
  constexpr int lanes = RealTraits<Real>::lanes;
  unroll<Model::lags>([&](auto number) {
    constexpr int k = number;
    Lag<Real>& lag = m.lag[k];
    node.past_t[k] = (Real(Scalar(i)) - lag.steps) * Real(clock.h);

    // node i-D+1 of every lane
    const Scalar* at[lanes];
    const bool together = lag.shortest == lag.longest;
    if (together) {
      at[0] = ring.data + history::slot_before(now, lag.longest - 1, ring.slots) * columns * ring.stride;
    } else {
      for (int l = 0; l < lanes; ++l) at[l] = ring.data + history::slot_before(now, lag.whole[l] - 1, ring.slots) * columns * ring.stride + l;
    }
    const auto load = [&](long column) {
      return together ? history::load_members<Real>(at[0] + column * ring.stride) : history::load_scattered<Real>(at, column * ring.stride);
    };
    unroll<Model::q_columns>([&](auto column) {
      if constexpr (Model::lag_q[k][column]) {
        const Real newer = load(column);
        node.past_q[k][column] = fma(lag.share, newer, lag.rest * m.older[k][column]);
        m.older[k][column] = newer;
      }
    });
    unroll<Model::v_columns>([&](auto column) {
      if constexpr (Model::lag_v[k][column]) node.past_v[k][column] = load(Model::q_columns + column);
    });

    // φ0 exactly, before t = 0
    if constexpr (Early) {
      const MaskOf<Real> before = Real(Scalar(i)) < lag.steps;
      if (any(before)) {
        Real past_q[Model::dimension], past_v[Model::dimension];
        Model::past(node.past_t[k], m.c, past_q);
        Model::past_velocity(node.past_t[k], m.c, past_v);
        unroll<Model::q_columns>([&](auto column) {
          constexpr int coordinate = Model::q_column[column];
          if constexpr (Model::lag_q[k][column]) node.past_q[k][column] = select(before, past_q[coordinate], node.past_q[k][column]);
        });
        unroll<Model::v_columns>([&](auto column) {
          constexpr int coordinate = Model::v_column[column];
          if constexpr (Model::lag_v[k][column]) node.past_v[k][column] = select(before, past_v[coordinate], node.past_v[k][column]);
        });
      }
    }
  });
}

/// φ0 at the time j h, by column of the ring.
template <class Real, class Model>
CS_INLINE void look_before_start(const Member<Real, Model>& m, Real j, Real h, Real* q_then) {
  Real past_q[Model::dimension];
  Model::past(j * h, m.c, past_q);
  unroll<Model::q_columns>([&](auto column) {
    constexpr int coordinate = Model::q_column[column];
    q_then[column] = past_q[coordinate];
  });
}

/// (P11) a window functional that does not depend on the present: gathered, at a cost that does not depend on its length.
template <bool Early, int K, class Real, class Model>
CS_INLINE Real gather_window(Member<Real, Model>& m, const Node<Real, Model>& node, long i, long now, const Ring<ScalarOf<Real>>& ring,
                             const Clock<ScalarOf<Real>>& clock) {
  using Scalar = ScalarOf<Real>;
  constexpr int which = Model::window_lag[K], kind = Model::window_kind[K], place = Model::window_place[K];
  const Lag<Real>& lag = m.lag[which];
  const long stride = ring_columns<Model> * ring.stride;
  Scalar* column = ring.data + (Model::q_columns + Model::v_columns + place) * ring.stride;
  Real q_then[at_least_one(Model::q_columns)];
  if (Early && i == 0)
    history::start_window<kind>(m.window[place], lag, column, ring.slots, stride, [&](long j) {
      look_before_start(m, Real(Scalar(j)), Real(clock.h), q_then);
      return Model::template window_value<K>(node, q_then);
    });
  unroll<Model::q_columns>([&](auto c) {
    constexpr int coordinate = Model::q_column[c];
    q_then[c] = node.q[coordinate];
  });
  const Real value = Model::template window_value<K>(node, q_then);
  const Real gathered = history::advance_window<kind>(m.window[place], lag, column, now, ring.slots, stride, value);

  // the window's older end, which look_back has found
  const Real end = Model::template window_value<K>(node, node.past_q[which]);
  if constexpr (kind != history::window_mean) {
    return history::gather<kind>(end, gathered);
  } else {
    // and the first node inside, i-D+1, from it on
    Real first = Model::template window_value<K>(node, m.older[which]);
    if constexpr (Early) {
      const MaskOf<Real> before = Real(Scalar(i + 1)) < lag.up;
      if (any(before)) {
        look_before_start(m, Real(Scalar(i + 1)) - lag.up, Real(clock.h), q_then);
        first = select(before, Model::template window_value<K>(node, q_then), first);
      }
    }
    const Real area = fma(lag.rest, Real(Scalar(0.5)) * (end + first), gathered);
    return select(lag.steps > Real(0), area / lag.steps, value);
  }
}

/// (P11) window functionals at node i: the nodes i-D+1 … i and the window's older end, which look_back has found. What depends on
/// the present looks through all nodes; the rest is gathered.
template <bool Early, class Real, class Model>
CS_INLINE void look_through_windows(Member<Real, Model>& m, Node<Real, Model>& node, long i, long now, const Ring<ScalarOf<Real>>& ring,
                                    const Clock<ScalarOf<Real>>& clock) {
  using Scalar = ScalarOf<Real>;
  using Mask = MaskOf<Real>;
  constexpr int columns = ring_columns<Model>;
  unroll<Model::windows>([&](auto number) {
    constexpr int k = number;
    constexpr int which = Model::window_lag[k];
    constexpr int kind = Model::window_kind[k];  // max, min, mean
    if constexpr (Model::window_place[k] >= 0) {
      node.window[k] = gather_window<Early, k>(m, node, i, now, ring, clock);
    } else {
      const Lag<Real>& lag = m.lag[which];
      Real older = Model::template window_value<k>(node, node.past_q[which]);
      Real best = older, area = Real(0);
      Real width = lag.rest;  // from the older end to the first node
      for (long back = lag.furthest - 1; back >= 0; --back) {
        // node i - back, of the past where it is negative
        Real q_then[at_least_one(Model::q_columns)];
        if (Early && i < back) {
          look_before_start(m, Real(Scalar(i - back)), Real(clock.h), q_then);
        } else {
          const Scalar* slot = ring.data + history::slot_before(now, back, ring.slots) * columns * ring.stride;
          unroll<Model::q_columns>([&](auto column) { q_then[column] = history::load_members<Real>(slot + column * ring.stride); });
        }
        const Mask inside = Real(Scalar(back)) < lag.up;  // is this node inside the window of every lane?
        const Real value = Model::template window_value<k>(node, q_then);
        if constexpr (kind == 0) best = select(inside && (value > best), value, best);
        if constexpr (kind == 1) best = select(inside && (value < best), value, best);
        if constexpr (kind == 2) {
          area = select(inside, fma(width, Real(Scalar(0.5)) * (older + value), area), area);  // trapezoidal rule
          width = select(inside, Real(1), width);
        }
        older = select(inside, value, older);
      }
      node.window[k] = kind < 2 ? best : select(lag.steps > Real(0), area / lag.steps, older);
    }
  });
}

/// A gradient without a direction.
template <class Real>
CS_INLINE MaskOf<Real> is_singular(Real steepness) {
  return !((steepness > Real(0)) && is_finite(steepness));
}

/// The first reason is kept.
template <class Real>
CS_INLINE void blame(Real& reason, MaskOf<Real> where, int why) {
  reason = select(where && (reason == Real(0)), Real(ScalarOf<Real>(why)), reason);
}

/// (P2) … (P6), (P12): contact turns the prospective velocity w into v. Returns true if some member is in contact.
///
/// What cannot be solved makes v NaN, and the member is found at its end. `Checked` tells why: members run so a second time.
template <bool Checked, class Real, class Model>
CS_INLINE bool touch(const Node<Real, Model>& node, const Real* f, Real h, const Real* w, Real* v, Real* v_low, ContactRecord<Real>& record, Real& reason) {
  using Mask = MaskOf<Real>;
  const Mask never = Real(0) != Real(0);
  record.active = record.stick = never;
  record.which = Real(-1);
  record.v_n_before = record.force_n = record.r_n = record.penetration = Real(0);
  record.outside = false;
  bool touched = false;
  [[maybe_unused]] Real reason_of_law = Real(0);
  unroll<Model::dimension>([&](auto c) { v[c] = w[c]; });

  unroll<Model::contacts>([&](auto p) {
    // (P2) contact is active where the particle is outside and moving further out
    const Real g = Model::template constraint<p>(node.q, node.c);
    constexpr bool total = Model::total[p];  // a number wherever the particle is; a wall that is nowhere would let everything through
    const Mask outside = total ? g >= Real(0) : !(g < Real(0));
    if (!any(outside)) return;
    record.outside = true;
    const Real steepness = Model::template steepness<p>(node.q, node.c);
    const Mask singular = is_singular(steepness) || (total ? never : is_nan(g));
    if constexpr (Model::Standard::penetration) record.penetration = max(record.penetration, max(select(outside, g / steepness, Real(0)), Real(0)));
    const Mask active = outside && (singular || (Model::template slope<p>(node.q, node.c, w) > Real(0)));
    if (!any(active)) return;
    touched = true;

    // (P12), (P6) the law, in the frame of the contact
    Real w_t[Model::dimension], v_touched[Model::dimension], w_n, slip_speed;
    Model::template split<p>(node.q, node.c, w, w_n, w_t, slip_speed);
    const Real v_n_before = Model::template normal<p>(node.q, node.c, node.v);
    constexpr bool rebounds = Model::rebounds[p];
    const Real e = rebounds ? Model::template restitution<p>(node) : Real(0);
    const Real v_n = rebounds ? law::rebound(e, v_n_before) : Real(0);
    const Real r_n = max(rebounds ? v_n - w_n : -w_n, Real(0));  // wₙ < 0 by (P2), but rounding may turn a grazing one; friction never pushes
    const Real mu = Model::template friction<p>(node);
    const Real grip = fma(mu, r_n, r_n - r_n);  // μ rₙ, and NaN for an infinite rₙ
    const Real share = law::slide_or_stick(slip_speed, grip);
    Real v_t[Model::dimension];
    unroll<Model::dimension>([&](auto c) {
      Sum<Real> slip{w_t[c], v_low[c]};
      slip.add_product(-share, w_t[c]);
      v_t[c] = is_double<Real> ? slip.value : select(share == Real(1), Real(0), slip.value);  // in float a stick loses what was kept, too
      if constexpr (!is_double<Real>) v_low[c] = select(active, select(share == Real(1), Real(0), slip.low), v_low[c]);
    });
    Model::template join<p>(node.q, node.c, v_t, v_n, v_touched);

    // two contacts at once are not solved, and a singular gradient has no normal
    constexpr bool may_be_bad = Model::contacts > 1 || !Model::constant_gradient[p] || !total;
    const Mask bad = active && (singular || record.active);
    unroll<Model::dimension>([&](auto c) {
      v[c] = select(active, v_touched[c], v[c]);
      if constexpr (may_be_bad) v[c] = select(bad, Real(canonical_nan<Real>()), v[c]);
    });
    if constexpr (Checked) {
      blame(reason, active && is_nan(g), non_finite);
      blame(reason, active && singular, singular_gradient);
      blame(reason, active && record.active, several_contacts);
      blame(reason_of_law, active && is_nan(mu), bad_angle);
      blame(reason_of_law, active && is_nan(e), bad_restitution);
    }

    const auto keep = [&](Real& entry, Real value) { entry = Model::contacts == 1 ? value : select(active, value, entry); };
    keep(record.which, Real(ScalarOf<Real>(int(p))));
    keep(record.v_n_before, v_n_before);
    keep(record.force_n, h * Model::template normal<p>(node.q, node.c, f));
    keep(record.r_n, r_n);
    record.stick = record.stick || (active && (share == Real(1)));
    record.active = record.active || active;
  });
  if constexpr (Checked) blame(reason, reason_of_law != Real(0), int(reason_of_law));  // contacts are found first, then solved
  return touched;
}

/// One step from node i to node i + 1; `record_node(node, mode)` is called with v_i where `recording`.
template <bool Early, bool Checked, class Real, class Model, class RecordNode>
CS_INLINE void advance_step(Member<Real, Model>& m, long i, long now, const Ring<ScalarOf<Real>>& ring, const Clock<ScalarOf<Real>>& clock, bool recording,
                            const RecordNode& record_node) {
  using Scalar = ScalarOf<Real>;
  const Real h = clock.h;
  Node<Real, Model> node;
  node.t = Real(Scalar(i)) * h;
  node.c = m.c;
  unroll<Model::dimension>([&](auto c) { node.q[c] = m.q[c], node.v[c] = m.v[c]; });

  // (P1) prospective velocity: forces see the past
  if constexpr (Model::lags > 0) {
    remember(m, now, ring);
    look_back<Early>(m, node, i, now, ring, clock);
    look_through_windows<Early>(m, node, i, now, ring, clock);
  }
  Real f[Model::dimension], w[Model::dimension], v[Model::dimension];
  Model::force(node, f);
  unroll<Model::dimension>([&](auto c) {
    Sum<Real> velocity{m.v[c], m.v_low[c]};
    velocity.add_product(h, f[c]);
    w[c] = velocity.value;
    m.v_low[c] = velocity.low;
    if constexpr (Checked) blame(m.reason, !is_finite(w[c]), non_finite);
  });

  // (P2) … (P4) contact
  ContactRecord<Real> contact;
  if (touch<Checked>(node, f, h, w, v, m.v_low, contact, m.reason)) m.observers.see_contact(contact, Real(Scalar(i)), node.t, w, v);
  if (contact.outside) m.observers.see_penetration(contact.penetration);
  m.observers.see_velocity(m.v, v);

  // observables see the node with its new velocity
  unroll<Model::dimension>([&](auto c) { node.v[c] = v[c]; });
  m.observers.see(node);
  if (recording) {
    m.mode = select(contact.active, select(contact.stick, Real(2), Real(1)), Real(0));
    record_node(node, m.mode);
  }

  // (P5) move
  unroll<Model::dimension>([&](auto c) {
    Sum<Real> position{m.q[c], m.q_low[c]};
    position.add_product(h, v[c]);
    m.q[c] = position.value;
    m.q_low[c] = position.low;
    m.v[c] = v[c];
  });
}

/// Node N: no step starts here, v_N := v_{N-1}.
template <class Real, class Model>
CS_INLINE void make_last_node(Member<Real, Model>& m, Node<Real, Model>& node, long now, const Ring<ScalarOf<Real>>& ring, const Clock<ScalarOf<Real>>& clock) {
  node.t = Real(ScalarOf<Real>(clock.steps)) * Real(clock.h);
  node.c = m.c;
  unroll<Model::dimension>([&](auto c) { node.q[c] = m.q[c], node.v[c] = m.v[c]; });
  if constexpr (Model::lags > 0) {
    remember(m, now, ring);
    look_back<true>(m, node, clock.steps, now, ring, clock);
    look_through_windows<true>(m, node, clock.steps, now, ring, clock);
  }
  // how deep it lies is asked here too, and a wall without a normal has no answer: the member stops
  unroll<Model::contacts>([&](auto p) {
    const Real g = Model::template constraint<p>(node.q, node.c);
    const Real steepness = Model::template steepness<p>(node.q, node.c);
    const MaskOf<Real> beyond = g > Real(0);
    m.observers.see_penetration(select(beyond, g / steepness, Real(0)));
    m.q[0] = select(beyond && is_singular(steepness), Real(canonical_nan<Real>()), m.q[0]);
  });
  m.observers.see_last(node);
}

}  // namespace conesweep::step
