#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/node.hpp>
#include <conesweep/state/status.hpp>

namespace conesweep::state {

/// What one contact did in a step. Observers read this and know no law.
template <class Real>
struct BlockRecord {
  MaskOf<Real> active;  // it pushed
  MaskOf<Real> stick;   // and its sliding velocity is 0 afterwards
  Real u_n_before;      // normal velocity before the step, v_{i-1}·n
  Real force_n;         // what the step's force adds to it, h f·n
  Real r_n;             // normal impulse
  Real work;            // of its impulse, r·v̄ with v̄ = (v_{i-1} + v_i)/2; where `dissipated` is observed
};

/// What all of them did.
template <class Real, class Model, bool Checked>
struct StepRecord {
  BlockRecord<Real> contact[at_least_one(Model::contacts)];
  bool outside;                // some lane is outside some wall
  Real penetration;            // max(0, g) / |∇g|, the largest
  Kept<Checked, Real> reason;  // why a contact made the velocity NaN, the number of a Status; 0: it did not

  CS_INLINE void start() {
    const MaskOf<Real> never = Real(0) != Real(0);
    unroll<Model::contacts>([&](auto p) {
      contact[p].active = contact[p].stick = never;
      // the numbers of the only one are read where it wrote them, and nowhere else: as zeros they would take registers
      if constexpr (Model::contacts > 1) contact[p].u_n_before = contact[p].force_n = contact[p].r_n = contact[p].work = Real(0);
    });
    outside = false;
    penetration = Real(0);
    if constexpr (Checked) reason.value = Real(0);
  }

  /// Something is in contact.
  CS_INLINE MaskOf<Real> is_active() const {
    MaskOf<Real> some = Real(0) != Real(0);
    unroll<Model::contacts>([&](auto p) { some = p == 0 ? contact[p].active : some || contact[p].active; });
    return some;
  }

  /// Everything in contact sticks.
  CS_INLINE MaskOf<Real> is_stick() const {
    if constexpr (Model::contacts == 1) {
      return contact[0].stick;
    } else {
      MaskOf<Real> slides = Real(0) != Real(0);
      unroll<Model::contacts>([&](auto p) { slides = slides || (contact[p].active && !contact[p].stick); });
      return is_active() && !slides;
    }
  }

  /// (O5) the member's mode at this node.
  CS_INLINE Real mode() const {
    using Scalar = ScalarOf<Real>;
    return select(is_active(), select(is_stick(), Real(Scalar(Mode::stick)), Real(Scalar(Mode::slip))), Real(Scalar(Mode::flight)));
  }
};

/// Keeps the first reason.
template <class Real>
CS_INLINE void note_reason(Real& reason, MaskOf<Real> where, Status why) {
  reason = select(where && (reason == Real(0)), Real(ScalarOf<Real>(why)), reason);
}

/// One step on its way from node i to node i + 1.
template <class Real, class Model, bool Checked>
struct Passage {
  Node<Real, Model> node;                   // t_i, q_i, the past, v_{i-1}
  Real h;                                   // the step's length
  Real f[Model::dimension];                 // force
  Real w[Model::dimension];                 // (P1) prospective velocity
  math::Sums<Real, Model::dimension> v;     // v_i: w, until a contact changes it
  StepRecord<Real, Model, Checked> record;  // what contact did
};

}  // namespace conesweep::state
