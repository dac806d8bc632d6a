#pragma once

#include <conesweep/contact/model_blocks.hpp>

// Factors of what is constant, made once a member: of a full M, and of an island's firm rows. They stand behind the
// member's other constants.

namespace conesweep::contact {

template <class Model>
CS_HD constexpr int count_kept_mass() {
  if constexpr (Model::Laws::constant_mass)
    return metric::DenseMetric<double, Model::dimension>::count_kept();
  else
    return 0;
}

/// Of the firm rows of islands First … Last - 1.
template <class Model, int Last, int First = 0>
CS_HD constexpr int count_kept_firm_rows() {
  if constexpr (Model::Laws::constant_firm == 0 || First >= Last) {
    return 0;
  } else {
    using Of = Island<Model, First>;
    return count_kept_firm<int(Of::dimension), int(Of::firm)>() + count_kept_firm_rows<Model, Last, First + 1>();
  }
}

/// Constants of a member, with what is kept behind them.
template <class Model>
CS_HD constexpr int count_constants() {
  return Model::constants + count_kept_mass<Model>() + count_kept_firm_rows<Model, int(Model::Laws::islands)>();
}

/// Where the factor of island I's firm rows begins.
template <class Model, int I>
CS_HD constexpr int find_kept_firm() {
  return Model::constants + count_kept_mass<Model>() + count_kept_firm_rows<Model, I>();
}

/// M(q), factored. False where it is not positive definite.
template <class Real, class Model>
CS_INLINE MaskOf<Real> factor_mass([[maybe_unused]] const Real* q, [[maybe_unused]] const Real* constants,
                                   [[maybe_unused]] MetricOf<Real, Model>& metric) {
  if constexpr (Model::Laws::mass() == MassKind::diagonal) {
    Model::mass_roots(q, constants, metric.root, metric.inverse);
    return metric.is_definite();
  } else if constexpr (Model::Laws::mass() == MassKind::dense) {
    Real mass[Model::dimension][Model::dimension];
    Model::mass(q, constants, &mass[0][0]);
    return metric.factor(mass);
  } else {
    return Real(0) == Real(0);
  }
}

/// The same; a constant one is found where it is kept.
template <class Real, class Model>
CS_INLINE MaskOf<Real> make_metric(const Real* q, const Real* constants, MetricOf<Real, Model>& metric) {
  if constexpr (Model::Laws::constant_mass)
    return metric.restore(constants + Model::constants);
  else
    return factor_mass<Real, Model>(q, constants, metric);
}

/// At the start of a member, whose own constants are there.
template <class Model, class Real>
CS_INLINE void keep_factors([[maybe_unused]] const Real* q, [[maybe_unused]] Real* constants) {
  if constexpr (Model::Laws::constant_mass || Model::Laws::constant_firm) {
    MetricOf<Real, Model> metric;
    [[maybe_unused]] const MaskOf<Real> good = factor_mass<Real, Model>(q, constants, metric);
    if constexpr (Model::Laws::constant_mass) metric.keep(constants + Model::constants, good);
    if constexpr (Model::Laws::constant_firm) {
      Node<Real, Model> node;
      node.c = constants;
      node.t = Real(0);
      for (int c = 0; c < Model::dimension; ++c) node.q[c] = q[c];
      unroll<int(Model::Laws::islands)>([&](auto i) CS_LAMBDA {
        using Of = Island<Model, i>;
        if constexpr (Of::firm > 0) {
          SystemOf<Real, Of> system;
          Reduced<Real, Of::dimension, Of::firm, Of::blocks, Of::rows> reduced;
          system.clear();
          enter_firm_rows<Of>(node, StretchOf<Real, Model>{Real(0), Real(0)}, system);
          const MaskOf<Real> independent = factor_firm_rows(take_metric<Of>(metric), system, reduced);
          keep_firm_rows(reduced, good && independent, constants + find_kept_firm<Model, i>());
        }
      });
    }
  }
}

}  // namespace conesweep::contact
