#pragma once

#include <conesweep/state/kept.hpp>
#include <conesweep/state/passage.hpp>

namespace conesweep::observe {

/// (T) The first loss over all persistent contacts, the least certificates, and then the loss of each contact of which
/// it is observed.
enum PersistenceNumber { first_loss, least_exact, least_paper, first_of_losses };

template <class Model>
struct NeedsPersistence {
  using Standard = typename Model::Standard;
  static constexpr int count = first_of_losses + int(Model::Laws::law_losses);
  CS_HD static constexpr bool entry(int k) {
    if (k >= first_of_losses) return true;
    return Model::Laws::persistent > 0 && (k == first_loss    ? Standard::lost
                                           : k == least_exact ? Standard::certificate
                                                              : Standard::certificate_paper);
  }
};

/// What is observed of persistent contacts: `lost`, `lost.<name>`, `certificate`, `certificate_paper`.
template <class Real, class Model>
struct Persistence : state::KeptEntries<NeedsPersistence<Model>, Real> {
  using Needs = NeedsPersistence<Model>;

  CS_INLINE void start() {
    unroll<Needs::count>([&](auto k) CS_LAMBDA {
      if constexpr (Needs::entry(k)) state::get<k, Needs>(*this) = infinity<Real>();
    });
  }

  template <bool Checked>
  CS_INLINE void see([[maybe_unused]] const state::Passage<Real, Model, Checked>& s) {
    if constexpr (Needs::entry(first_loss))
      for (int p = 0; p < Model::contacts; ++p) take_less<first_loss>(s.lost()[p]);
    if constexpr (Needs::entry(least_exact)) take_less<least_exact>(s.certificates().exact);
    if constexpr (Needs::entry(least_paper)) take_less<least_paper>(s.certificates().paper);
    unroll<int(Model::Laws::law_losses)>(
        [&](auto k) CS_LAMBDA { take_less<first_of_losses + k>(s.lost()[Model::Laws::law_of_loss(k)]); });
  }

  /// At the end. A contact that was never lost has no time.
  template <int K>
  CS_INLINE Real loss() const {
    const Real time = state::get_or<K, Needs>(*this, infinity<Real>());
    return select(time < infinity<Real>(), time, Real(canonical_nan<Real>()));
  }
  template <int K>
  CS_INLINE Real certificate() const {
    return state::get_or<K, Needs>(*this, infinity<Real>());
  }

 private:
  template <int K>
  CS_INLINE void take_less(Real value) {
    Real& least = state::get<K, Needs>(*this);
    least = min(least, value);
  }
};

}  // namespace conesweep::observe
