#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/state/fields.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/laws.hpp>
#include <conesweep/state/node.hpp>
#include <conesweep/state/status.hpp>

namespace conesweep::state {

/// What one contact did in a step (in a model without contacts: one resistance). Observers read this and know no law.
template <class Real>
struct BlockRecord {
  MaskOf<Real> active;  // it pushed
  MaskOf<Real> stick;   // and its sliding velocity is 0 afterwards
  Real u_n_before;      // normal velocity before the step, v_{i-1}·n, relative to the wall
  Real force_n;         // what the step's force adds to it, h f·n
  Real r_n;             // normal impulse
  // of its impulse relative to the wall, r·(v̄ - c), v̄ = (v_{i-1} + v_i)/2, c the wall's velocity; where `dissipated` is
  // observed
  Real work;
  Real drive;  // and what the wall does with it, r·c

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.active...);
    visit(some.stick...);
    visit(some.u_n_before...);
    visit(some.force_n...);
    visit(some.r_n...);
    visit(some.work...);
    visit(some.drive...);
  }
};

/// What a step leaves beside the records of its contacts, where it is a coupled one or may have several parts; over all
/// of them.
template <class Real>
struct JointRecord {
  Real other_work;   // of firm rows and resistances, λ·(A v̄ - c)
  Real other_drive;  // and what their drives do, λ·c
  Real force_work;   // h f·v̄
  Real change;       // |v_i - v_{i-1}|_M; of a step that meets walls see (O7)
  Real painleve;     // the least 1 - μ|W_nt|/W_nn of active contacts; infinite without any
  Real hyperstatic;  // 1: rows of active contacts with friction were dependent
  Real crowded;      // 1: it met more walls than are located (I4)
  Real residual;     // the worst
  Real search;  // rows times sweeps and Newton steps: how long solving took, for those who say who steps beside whom

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.other_work...);
    visit(some.other_drive...);
    visit(some.force_work...);
    visit(some.change...);
    visit(some.painleve...);
    visit(some.hyperstatic...);
    visit(some.crowded...);
    visit(some.residual...);
    visit(some.search...);
  }
};

/// What the pieces of a step of second order leave (A14); over all of them.
template <class Real>
struct PieceRecord {
  Real stick, slip;  // for how long everything closed stuck, something slipped; in steps
  Real impacts;      // atoms that are impacts (O3), contact by contact
  Real first;        // when something was in contact first; infinite: nothing was

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.stick...);
    visit(some.slip...);
    visit(some.impacts...);
    visit(some.first...);
  }
};

struct Joint;

/// Is there a JointRecord? Then records add up.
template <class Model>
CS_HD constexpr bool adds_up() {
  return is_joint<Model>() || is_located<Model>();
}

/// What all of them did.
template <class Real, class Model, bool Checked>
struct StepRecord : KeptArray<Joint, JointRecord<Real>, adds_up<Model>() ? 1 : 0>,
                    Kept<is_second<Model>(), PieceRecord<Real>> {
  using KeptJoint = KeptArray<Joint, JointRecord<Real>, adds_up<Model>() ? 1 : 0>;
  using KeptPieces = Kept<is_second<Model>(), PieceRecord<Real>>;
  static constexpr int watched = count_watched<Model>();
  BlockRecord<Real> contact[at_least_one(watched)];
  bool outside;                // some lane is outside some wall
  Real penetration;            // g / |∇g|, the largest of those above 0; else whatever is not
  Kept<Checked, Real> reason;  // why a contact made the velocity NaN, the number of a Status; 0: it did not

  CS_INLINE JointRecord<Real>& joint() { return KeptArray<Joint, JointRecord<Real>, 1>::entries[0]; }
  CS_INLINE const JointRecord<Real>& joint() const { return KeptArray<Joint, JointRecord<Real>, 1>::entries[0]; }

  CS_INLINE PieceRecord<Real>& pieces() { return Kept<true, PieceRecord<Real>>::value; }
  CS_INLINE const PieceRecord<Real>& pieces() const { return Kept<true, PieceRecord<Real>>::value; }

  CS_INLINE void start() {
    const MaskOf<Real> never = Real(0) != Real(0);
    unroll<watched>([&](auto p) CS_LAMBDA {
      contact[p].active = contact[p].stick = never;
      // the numbers of the only one are read where it wrote them, and nowhere else: as zeros they would take registers
      if constexpr (adds_up<Model>())
        contact[p].u_n_before = contact[p].force_n = contact[p].r_n = contact[p].work = contact[p].drive = Real(0);
    });
    outside = false;
    penetration = Real(0);
    if constexpr (Checked) reason.value = Real(0);
    if constexpr (adds_up<Model>()) {
      joint() = {Real(0), Real(0), Real(0), Real(0), Real(infinity<ScalarOf<Real>>()),
                 Real(0), Real(0), Real(0), Real(0)};
    }
    if constexpr (is_second<Model>()) pieces() = {Real(0), Real(0), Real(0), Real(infinity<ScalarOf<Real>>())};
  }

  /// Something is in contact.
  CS_INLINE MaskOf<Real> is_active() const {
    MaskOf<Real> some = Real(0) != Real(0);
    unroll<watched>([&](auto p) CS_LAMBDA { some = p == 0 ? contact[p].active : some || contact[p].active; });
    return some;
  }

  /// Everything in contact sticks.
  CS_INLINE MaskOf<Real> is_stick() const {
    if constexpr (watched == 1) {
      return contact[0].stick;
    } else {
      MaskOf<Real> slides = Real(0) != Real(0);
      unroll<watched>([&](auto p) CS_LAMBDA { slides = slides || (contact[p].active && !contact[p].stick); });
      return is_active() && !slides;
    }
  }

  /// (O5) the member's mode at this node.
  CS_INLINE Real mode() const {
    using Scalar = ScalarOf<Real>;
    return select(is_active(), select(is_stick(), Real(Scalar(Mode::stick)), Real(Scalar(Mode::slip))),
                  Real(Scalar(Mode::flight)));
  }

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(part<typename Some::KeptJoint>(some)...);
    visit(part<typename Some::KeptPieces>(some)...);
    visit(some.contact...);
    visit(some.outside...);
    visit(some.penetration...);
    visit(some.reason...);
  }
};

/// Why a checked step has no finite velocity.
template <class Real>
struct Stopped {
  Real reason;    // the number of a Status; 0: it has one
  Real residual;  // by how much the laws that were solved together are missed (B7); 0 where none were
};

/// Keeps the first reason.
template <class Real>
CS_INLINE void note_reason(Real& reason, MaskOf<Real> where, Status why) {
  reason = select(where && (reason == Real(0)), Real(ScalarOf<Real>(why)), reason);
}

struct Impulses;
struct Losses;

/// (T2) at the node; infinite where not all persistent contacts persist.
template <class Real>
struct Certificates {
  Real exact, paper;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.exact...);
    visit(some.paper...);
  }
};

/// (I) What a step that meets a wall on its way knows there.
template <class Real, class Model>
struct Arrival {
  int contact = -1;  // the one that arrives; -1: none does, this is a node or a percussion
  // (O3) what pushes there was met faster than ten steps of the force could make it
  bool impact = false;
  // what forces, firm rows and resistances change of the velocity in a step
  Real push[Model::dimension];
  Real push_n[at_least_one(Model::contacts)];  // and of the normal velocity of each contact; in a coupled step
  Real rests[at_least_one(Model::contacts)];   // (A5) 1: this one does not rebound

  CS_INLINE bool is_here() const { return contact >= 0; }

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.contact...);
    visit(some.impact...);
    visit(some.push...);
    visit(some.push_n...);
    visit(some.rests...);
  }
};

/// (O3) Does something arrive faster than ten steps of the present force could make it?
template <class Real>
CS_INLINE MaskOf<Real> is_impact(Real u_n_before, Real force_n) {
  return abs(u_n_before) > Real(10) * abs(force_n);
}

/// One step on its way from node i to node i + 1.
template <class Real, class Model, bool Checked>
struct Passage : KeptArray<Impulses, Real, Model::Laws::uses_laws ? count_laws<Model>() : 0>,
                 KeptArray<Losses, Real, count_losses<Model>()>,
                 Kept<is_certified<Model>(), Certificates<Real>>,
                 Kept<is_located<Model>(), Arrival<Real, Model>> {
  using KeptImpulses = KeptArray<Impulses, Real, Model::Laws::uses_laws ? count_laws<Model>() : 0>;
  using KeptLosses = KeptArray<Losses, Real, count_losses<Model>()>;
  using KeptCertificates = Kept<is_certified<Model>(), Certificates<Real>>;
  using KeptArrival = Kept<is_located<Model>(), Arrival<Real, Model>>;

  Node<Real, Model> node;                   // t_i, q_i, the past, v_{i-1}
  Real h;                                   // the step's length
  Real t_next;                              // t_{i+1}
  bool first;                               // is this step 0?
  Real f[Model::dimension];                 // force
  Real w[Model::dimension];                 // (P1) prospective velocity
  math::Sums<Real, Model::dimension> v;     // v_i: w, until a contact changes it
  StepRecord<Real, Model, Checked> record;  // what contact did

  /// Normal impulses of all laws over the whole step, where formulas use them.
  CS_INLINE Real* impulses() { return KeptArray<Impulses, Real, count_laws<Model>()>::entries; }
  /// (T) When each contact was lost; infinite: it persists still.
  CS_INLINE Real* lost() { return KeptArray<Losses, Real, count_losses<Model>()>::entries; }
  CS_INLINE const Real* lost() const { return KeptArray<Losses, Real, count_losses<Model>()>::entries; }
  CS_INLINE Certificates<Real>& certificates() { return Kept<true, Certificates<Real>>::value; }
  CS_INLINE const Certificates<Real>& certificates() const { return Kept<true, Certificates<Real>>::value; }
  CS_INLINE Arrival<Real, Model>& arrival() { return Kept<true, Arrival<Real, Model>>::value; }
  CS_INLINE const Arrival<Real, Model>& arrival() const { return Kept<true, Arrival<Real, Model>>::value; }

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(part<typename Some::KeptImpulses>(some)...);
    visit(part<typename Some::KeptLosses>(some)...);
    visit(part<typename Some::KeptCertificates>(some)...);
    visit(part<typename Some::KeptArrival>(some)...);
    visit(some.node...);
    visit(some.h...);
    visit(some.t_next...);
    visit(some.first...);
    visit(some.f...);
    visit(some.w...);
    visit(some.v...);
    visit(some.record...);
  }
};

}  // namespace conesweep::state
