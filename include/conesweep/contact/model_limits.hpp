#pragma once

#include <conesweep/contact/model_blocks.hpp>

namespace conesweep::contact {

/// The sets of a model's resistances over a stretch: densities times its length, or at an atom (B6) times its size.
template <class Real, class Model>
struct Scales {
  bool atom = false;
  Real of[at_least_one(Model::Laws::resistances)];

  CS_INLINE void set_all(Real scale) {
    for (int r = 0; r < Model::Laws::resistances; ++r) of[r] = scale;
  }
};

/// The ends of resistance R's set, per unit of its scale; at an atom (B6) those of its percussions. A template of its
/// own, because only models with percussions have the function for them, and NVRTC looks a name up even in the
/// discarded branch of a lambda.
template <int R, class Real, class Model>
CS_HD void find_limit(const Node<Real, Model>& node, [[maybe_unused]] bool atom, Real& low, Real& high) {
  if constexpr (Model::Laws::family_of(R) >= 0) {
    if (atom) {
      Model::template percussion_limit<R>(node, low, high);
      return;
    }
  }
  Model::template limit<R>(node, low, high);
}

/// normal(…) of bilateral constraint f as an impulse: λ_N of a firm row, rₙ of a guide.
template <class Model, class Real>
CS_INLINE Real find_firm_normal(int f, const Real* firm_normal, const Real* guide_normal) {
  const int guides = state::guides_before<typename Model::Laws>(f);
  return Model::Laws::guide_size(f) > 0 ? guide_normal[guides] : firm_normal[f - guides];
}

/// Enters the sets of all resistances, pass by pass (B4): a limit may use normal(…) of firm rows, and of contacts and
/// guides in the pass before.
template <class Real, class Model>
struct ModelLimits {
  static constexpr bool use_normals = Model::Laws::limits_use_normals != 0;
  const Node<Real, Model>& node;
  const Scales<Real, Model>& scales;
  const int* block_of;  // of each contact; -1: it does not touch
  const Real* slip;     // of each law, at v_{i-1}
  int first_guide, first_resistance;

  template <class FirmNormal, class BlockNormal, class AnySystem>
  CS_HD void operator()(const FirmNormal& firm_normal, const BlockNormal& block_normal, AnySystem& system) const {
    if constexpr (Model::Laws::resistances > 0) {
      unroll<Model::Laws::resistances>([&](auto r) CS_LAMBDA {
        // impulses over the stretch's length are densities, an atom's over its size
        const Real scale = scales.of[r];
        Real low = Real(0), high = Real(0);
        if (scale != Real(0)) {
          Node<Real, Model> here = node;
          [[maybe_unused]] Real normal[at_least_one(state::count_laws<Model>())];
          if constexpr (Model::Laws::uses_laws) {
            for (int p = 0; p < Model::contacts; ++p)
              normal[p] = block_of[p] >= 0 ? block_normal[block_of[p]] / scale : Real(0);
            for (int f = 0; f < Model::Laws::firm; ++f)
              normal[Model::contacts + f] =
                  find_firm_normal<Model, Real>(f, firm_normal, &block_normal[first_guide]) / scale;
            for (int k = 0; k < Model::Laws::resistances; ++k)
              normal[Model::contacts + Model::Laws::firm + k] = Real(0);
            here.laws() = {normal, slip};
          }
          find_limit<r>(here, scales.atom, low, high);
        }
        system.low[first_resistance + r] = scale != Real(0) ? low * scale : Real(0);
        system.high[first_resistance + r] = scale != Real(0) ? high * scale : Real(0);
      });
    }
  }
};

}  // namespace conesweep::contact
