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

/// Normal impulses of the island's bilateral constraints, in the model's numbers: λ_N of a firm row, rₙ of a guide.
template <class Of, class Model, class Real>
CS_INLINE void put_firm_normals(const Real* firm_normal, const Real* guide_normal, Real* normal) {
  for_each_constraint<Of>([&](auto f) CS_LAMBDA {
    {
      if constexpr (Model::Laws::guide_size(f) > 0)
        normal[f] = guide_normal[Of::guide_place(f)];
      else
        normal[f] = firm_normal[Of::firm_place(f)];
    }
  });
}

/// Enters the sets of an island's resistances, pass by pass (B4): a limit may use normal(…) of firm rows, and of
/// contacts and guides in the pass before. What it uses is of its own island.
template <class Real, class Model, class Of>
struct ModelLimits {
  static constexpr bool use_normals = Model::Laws::limits_use_normals != 0;
  const Node<Real, Model>& node;
  const Scales<Real, Model>& scales;
  const int* block_of;  // of each contact; -1: it does not touch
  const Real* slip;     // of each law, at v_{i-1}
  int first_guide, first_resistance;

  template <class FirmNormal, class BlockNormal, class AnySystem>
  CS_HD void operator()([[maybe_unused]] const FirmNormal& firm_normal,
                        [[maybe_unused]] const BlockNormal& block_normal, [[maybe_unused]] AnySystem& system) const {
    if constexpr (Of::resistances > 0) {
      for_each_resistance<Of>([&](auto r) CS_LAMBDA {
        {
          // impulses over the stretch's length are densities, an atom's over its size
          const Real scale = scales.of[r];
          Real low = Real(0), high = Real(0);
          if (scale != Real(0)) {
            Node<Real, Model> here = node;
            [[maybe_unused]] Real normal[at_least_one(state::count_laws<Model>())];
            if constexpr (Model::Laws::uses_laws) {
              for (Real& impulse : normal) impulse = Real(0);
              for_each_contact<Of>([&](auto p) CS_LAMBDA {
                if (block_of[p] >= 0) normal[p] = block_normal[block_of[p]];
              });
              put_firm_normals<Of, Model>(&firm_normal[0], &block_normal[first_guide], &normal[Model::contacts]);
              for (Real& impulse : normal) impulse = impulse / scale;
              here.laws() = {normal, slip};
            }
            find_limit<r>(here, scales.atom, low, high);
          }
          const int block = first_resistance + Of::resistance_place(r);
          system.low[block] = scale != Real(0) ? low * scale : Real(0);
          system.high[block] = scale != Real(0) ? high * scale : Real(0);
        }
      });
    }
  }
};

}  // namespace conesweep::contact
