#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/metric/unit.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/passage.hpp>

namespace conesweep::observe {

enum BalanceSum {
  dissipated_energy,
  normal_impulse,
  velocity_variation,
  force_work,
  wall_work,
  gained_energy,
  first_of_laws,  // impulse of the first law of which it is observed, and so on
};

template <class Model>
struct NeedsBalance {
  using Standard = typename Model::Standard;
  static constexpr int count = first_of_laws + int(Model::Laws::law_impulses);
  static constexpr bool acts = Model::contacts > 0 || Model::Laws::coupled != 0;  // can anything but the force act?
  CS_HD static constexpr bool entry(int k) {
    if (k == velocity_variation) return Standard::variation;
    if (k == force_work) return Standard::work;
    if (k == dissipated_energy) return acts && Standard::dissipated;
    if (k == wall_work) return acts && Standard::drive_work;
    return Model::contacts > 0 && (k == gained_energy    ? Standard::gained
                                   : k == normal_impulse ? Standard::impulse
                                                         : true);
  }
};

/// The one entry: the largest penetration so far.
template <class Model>
struct NeedsPenetration {
  static constexpr int count = 1;
  CS_HD static constexpr bool entry(int) { return Model::contacts > 0 && Model::Standard::penetration; }
};

/// Where several laws act at once: the least 1 - μ|W_nt|/W_nn of active contacts, and was the answer ever the solver's
/// selection? Where impacts at several walls are located: were there ever too many for a step?
enum JointNumber { least_painleve, hyperstatic, crowded };

template <class Model>
struct NeedsJoint {
  static constexpr int count = 3;
  CS_HD static constexpr bool entry(int k) {
    if (k == least_painleve) return Model::contacts > 0 && Model::Standard::painleve;
    return k == hyperstatic ? state::meets<Model>()
                            : state::is_second<Model>() || (state::is_located<Model>() && Model::contacts > 1);
  }
};

/// In packs the root of |v_i - v_{i-1}|² is added a step later: by then the square is known long since, while here it
/// would be waited for behind the square root and the division of friction. The order of the sum is the same.
template <class Real, class Model>
inline constexpr bool adds_roots_late = RealTraits<Real>::lanes > 1 && NeedsBalance<Model>::entry(velocity_variation) &&
                                        !Model::Laws::coupled && !state::is_located<Model>();
template <class Real>
struct LateRoot {
  Real square;
};

/// Sums and extremes over the steps (O6, O7): energy lost in contact, normal impulse, variation of the velocity, work
/// of the forces and of moving walls, penetration.
///
///   K_N - K_0 = work - dissipated + drive_work, to rounding: every step takes v_{i-1} to v_i by h f and r, and each
///   works along
///   v̄ = (v_{i-1} + v_i)/2
template <class Real, class Model>
struct Balance : state::KeptEntries<NeedsBalance<Model>, math::Sum<Real>>,
                 state::KeptEntries<NeedsPenetration<Model>, Real>,
                 state::KeptEntries<NeedsJoint<Model>, Real>,
                 state::Kept<adds_roots_late<Real, Model>, LateRoot<Real>> {
  using Needs = NeedsBalance<Model>;
  using Joint = NeedsJoint<Model>;

  template <int K>
  CS_INLINE math::Sum<Real>& sum() {
    return state::get<K, Needs>(*this);
  }

  CS_INLINE void start() {
    unroll<Needs::count>([&](auto k) CS_LAMBDA {
      if constexpr (Needs::entry(k)) sum<k>().start(Real(0));
    });
    if constexpr (NeedsPenetration<Model>::entry(0)) state::get<0, NeedsPenetration<Model>>(*this) = Real(0);
    if constexpr (adds_roots_late<Real, Model>) late_square() = Real(0);
    if constexpr (Joint::entry(least_painleve)) state::get<least_painleve, Joint>(*this) = Real(infinity<Real>());
    if constexpr (Joint::entry(hyperstatic)) state::get<hyperstatic, Joint>(*this) = Real(0);
    if constexpr (Joint::entry(crowded)) state::get<crowded, Joint>(*this) = Real(0);
  }

  /// variation = Σ |v_i - v_{i-1}|, work = Σ h f·v̄; of firm rows and resistances, which always act, also dissipated =
  /// -Σ λ·(A v̄ - c) and drive_work = Σ λ·c
  template <bool Checked>
  CS_INLINE void see_velocity([[maybe_unused]] const state::Passage<Real, Model, Checked>& s) {
    if constexpr (Model::Laws::coupled || state::is_located<Model>()) {
      const auto& joint = s.record.joint();
      if constexpr (Needs::entry(velocity_variation)) sum<velocity_variation>().add(joint.change);
      if constexpr (Needs::entry(force_work)) sum<force_work>().add(joint.force_work);
      if constexpr (Needs::entry(dissipated_energy) && Model::Laws::coupled)
        sum<dissipated_energy>().add(-joint.other_work);
      if constexpr (Needs::entry(wall_work) && Model::Laws::coupled) sum<wall_work>().add(joint.other_drive);
    } else {
      if constexpr (adds_roots_late<Real, Model>)
        late_square() = metric::squared_distance<Model::dimension>(s.node.v, s.v.value);
      else if constexpr (Needs::entry(velocity_variation))
        sum<velocity_variation>().add(metric::distance<Model::dimension>(s.node.v, s.v.value));
      if constexpr (Needs::entry(force_work))
        sum<force_work>().add_product(s.h, metric::along_mean<Model::dimension>(s.f, s.node.v, s.v.value));
    }
  }

  CS_INLINE void see_penetration([[maybe_unused]] Real depth) {
    if constexpr (NeedsPenetration<Model>::entry(0)) {
      Real& deepest = state::get<0, NeedsPenetration<Model>>(*this);
      deepest = max(deepest, depth);
    }
  }

  /// Contact somewhere in this pack. dissipated = -Σ r·(v̄ - c), drive_work = Σ r·c, impulse = Σ rₙ, gained = Σ max(0, Σ
  /// r·(v̄ - c)).
  template <bool Checked>
  CS_INLINE void see_contacts([[maybe_unused]] const state::StepRecord<Real, Model, Checked>& record) {
    if constexpr (Needs::entry(normal_impulse))
      add_active(sum<normal_impulse>(), record, [](const auto& contact) CS_LAMBDA { return contact.r_n; });
    if constexpr (Needs::entry(dissipated_energy))
      add_active(sum<dissipated_energy>(), record, [](const auto& contact) CS_LAMBDA { return -contact.work; });
    if constexpr (Needs::entry(wall_work))
      add_active(sum<wall_work>(), record, [](const auto& contact) CS_LAMBDA { return contact.drive; });
    if constexpr (Needs::entry(gained_energy))
      sum<gained_energy>().add(
          max(add_up(record, [](const auto& contact) CS_LAMBDA { return contact.work; }), Real(0)));
    unroll<int(Model::Laws::law_impulses)>([&](auto k) CS_LAMBDA {
      const auto& contact = record.contact[Model::Laws::law_of_impulse(k)];
      sum<first_of_laws + k>().add_where(counts(contact), contact.r_n);
    });
    if constexpr (Joint::entry(least_painleve)) {
      // alone in the unit metric a contact's rows are orthogonal: 1
      Real& least = state::get<least_painleve, Joint>(*this);
      Real here = select(record.is_active(), Real(1), Real(infinity<Real>()));
      if constexpr (state::is_joint<Model>())
        here = Model::Laws::coupled ? record.joint().painleve : min(here, record.joint().painleve);
      least = min(least, here);
    }
    if constexpr (Joint::entry(hyperstatic)) {
      Real& ever = state::get<hyperstatic, Joint>(*this);
      ever = max(ever, record.joint().hyperstatic);
    }
    if constexpr (Joint::entry(crowded)) {
      Real& ever = state::get<crowded, Joint>(*this);
      ever = max(ever, record.joint().crowded);
    }
  }

  /// Of the last step, once, before the next one and before the results.
  CS_INLINE void add_late_root() {
    if constexpr (adds_roots_late<Real, Model>) sum<velocity_variation>().add(sqrt(late_square()));
  }

  /// At the end.
  template <int K>
  CS_INLINE Real result() {
    if constexpr (Needs::entry(K))
      return sum<K>().value;
    else
      return Real(0);
  }
  CS_INLINE Real painleve() const {
    const Real least = state::get_or<least_painleve, Joint>(*this, Real(infinity<Real>()));
    return select(least < Real(infinity<Real>()), least, Real(canonical_nan<Real>()));
  }
  CS_INLINE Real was_hyperstatic() const { return state::get_or<hyperstatic, Joint>(*this, Real(0)); }
  CS_INLINE Real was_crowded() const { return state::get_or<crowded, Joint>(*this, Real(0)); }
  CS_INLINE Real penetration() const { return state::get_or<0, NeedsPenetration<Model>>(*this, Real(0)); }

 private:
  CS_INLINE Real& late_square() { return state::Kept<true, LateRoot<Real>>::value.square; }

  // whose impulse counts: a contact's that pushed, and by a law of its own what it pulled with until it opened
  static CS_INLINE MaskOf<Real> counts(const state::BlockRecord<Real>& contact) {
    if constexpr (state::has_own_laws<Model>())
      return contact.active || contact.r_n != Real(0);
    else
      return contact.active;
  }

  // the sum of a quantity over the contacts that count
  template <bool Checked, class Quantity>
  static CS_INLINE Real add_up(const state::StepRecord<Real, Model, Checked>& record, const Quantity& quantity) {
    Real sum = Real(0);
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      const Real part = select(counts(record.contact[p]), quantity(record.contact[p]), Real(0));
      sum = p == 0 ? part : sum + part;
    });
    return sum;
  }

  template <bool Checked, class Quantity>
  static CS_INLINE void add_active(math::Sum<Real>& sum, const state::StepRecord<Real, Model, Checked>& record,
                                   const Quantity& quantity) {
    if constexpr (Model::contacts == 1)
      sum.add_where(counts(record.contact[0]), quantity(record.contact[0]));
    else
      sum.add(add_up(record, quantity));
  }
};

}  // namespace conesweep::observe
