#pragma once

#include <conesweep/contact/coupled_step.hpp>
#include <conesweep/contact/frame.hpp>
#include <conesweep/contact/island.hpp>
#include <conesweep/metric/cholesky.hpp>
#include <conesweep/state/laws.hpp>
#include <conesweep/state/node.hpp>

// A model's laws at a node, as the blocks of a coupled step (B8).

namespace conesweep::contact {

using state::ContactKind;
using state::MassKind;
using state::Node;

/// A coupled step of an island, as large as it can be.
template <class Real, class Of>
using SystemOf = System<Real, Of::dimension, Of::firm, Of::blocks, Of::rows>;
template <class Real, class Of>
using SolutionOf = Solution<Real, Of::dimension, Of::firm, Of::blocks, Of::rows>;
template <class Real, class Of>
using WorkspaceOf = Workspace<Real, Of::dimension, Of::firm, Of::blocks, Of::rows>;

/// One law by itself, whose rows are asked for.
template <class Real, class Of, int Rows>
using OneLaw = System<Real, Of::dimension, 0, 1, Rows>;

template <class Real, int D, MassKind Kind>
struct ChooseMetric {
  using Type = metric::UnitMetric<Real, D>;
};
template <class Real, int D>
struct ChooseMetric<Real, D, MassKind::diagonal> {
  using Type = metric::DiagonalMetric<Real, D>;
};
template <class Real, int D>
struct ChooseMetric<Real, D, MassKind::dense> {
  using Type = metric::DenseMetric<Real, D>;
};
template <class Real, class Model>
using MetricOf = typename ChooseMetric<Real, Model::dimension, Model::Laws::mass()>::Type;

/// The time over which a coupled step goes: drives are those of its end, walls move by difference quotients. An atom
/// has no length: h = 0 (B6).
template <class Real, int D = 1>
struct Stretch {
  Real h, t_next;
  Motion<Real, D> motion;
};
template <class Real, class Model>
using StretchOf = Stretch<Real, Model::dimension>;

/// Rows `direction`·∂x/∂q of a point.
template <class Real, int K, int D>
CS_INLINE void put_row(const Real (&direction)[K], const Real (&jacobian)[K][D], Real (&row)[D]) {
  for (int j = 0; j < D; ++j) {
    Real sum = Real(0);
    for (int k = 0; k < K; ++k) sum = sum + direction[k] * jacobian[k][j];
    row[j] = sum;
  }
}

/// The normal row of contact P alone: -∇g over depth_scale, which is 1 where the row is -∇g as written.
template <int P, class Model, class Real>
CS_HD void put_normal_row(const Real* q, const Real* constants, Real t, Real (&row)[Model::dimension]) {
  constexpr int D = Model::dimension, K = Model::Laws::space(P);
  Real n[K];
  Model::template inward<P>(q, constants, t, n);
  if constexpr (Model::Laws::contact_kind(P) == ContactKind::point) {
    Real jacobian[K][D];
    Model::template jacobian<P>(q, constants, t, &jacobian[0][0]);
    put_row(n, jacobian, row);
  } else {
    for (int j = 0; j < D; ++j) row[j] = n[j];
  }
}

/// The law that the model gives contact P in place of Coulomb's, with its limits.
template <int P, class Model, class Real, class AnySystem>
CS_INLINE void enter_own_law([[maybe_unused]] const Node<Real, Model>& node, [[maybe_unused]] Real h,
                             [[maybe_unused]] AnySystem& system, [[maybe_unused]] int block) {
  if constexpr (state::has_own_laws<Model>()) {
    law::Limits<Real> limits{system.low[block], system.high[block]};
    const Law own = law::choose_own<P, Model>(node, h, limits, system.law[block]);
    system.set_law(block, own, limits.low, limits.high);
  }
}

/// The rows of contact P on all coordinates, and the drives of what slides; `row` has as many as the contact.
template <int P, class Model, class Real, int Rows>
CS_HD void put_contact_rows(const Node<Real, Model>& node, Real t_next, Real (&row)[Rows][Model::dimension],
                            Real* drive) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension, size = Laws::contact_size(P), K = Laws::space(P), tangents = at_least_one(K - 1);
  constexpr ContactKind kind = Laws::contact_kind(P);
  Real n[K];
  Model::template inward<P>(node.q, node.c, node.t, n);
  if constexpr (kind == ContactKind::point) {
    Real jacobian[K][D];
    Model::template jacobian<P>(node.q, node.c, node.t, &jacobian[0][0]);
    put_row(n, jacobian, row[0]);
    Real tangent[tangents][K], belt[K];
    find_tangents(n, tangent);
    Model::template belt<P>(node.q, node.c, t_next, belt);
    for (int k = 1; k < size; ++k) {
      put_row(tangent[k - 1], jacobian, row[k]);
      drive[k] = dot(tangent[k - 1], belt);
    }
  } else {
    for (int j = 0; j < D; ++j) row[0][j] = n[j];
    if constexpr (kind == ContactKind::slip) {
      Model::template slip_rows<P>(node.q, node.c, node.t, &row[1][0]);
      Model::template belt<P>(node.q, node.c, t_next, &drive[1]);
    } else if constexpr (size > 1) {
      Real tangent[tangents][K], belt[K];
      find_tangents(n, tangent);
      Model::template belt<P>(node.q, node.c, t_next, belt);
      for (int k = 1; k < size; ++k) {
        for (int j = 0; j < D; ++j) row[k][j] = tangent[k - 1][j];
        drive[k] = dot(tangent[k - 1], belt);
      }
    }
  }
}

/// Contact P with its rows, drives, friction, restitution and law. Returns the block's number.
template <class Of, int P, class Real, class Model, class AnySystem>
CS_HD int enter_contact(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch, AnySystem& system) {
  constexpr int D = Model::dimension, size = Model::Laws::contact_size(P);
  const Real e = Model::rebounds[P] ? Model::template restitution<P>(node) : Real(0);
  const int block = system.add_contact(size, Model::template friction<P>(node), e);
  enter_own_law<P, Model>(node, stretch.h, system, block);
  const int first = system.first[block];
  system.drive[first] = Model::template wall_speed<P>(node.q, node.c, node.t, stretch.t_next, stretch.h);
  Real row[size][D];
  put_contact_rows<P, Model>(node, stretch.t_next, row, &system.drive[first]);
  for (int k = 0; k < size; ++k) take_coordinates<Of>(row[k], system.row[first + k]);
  return block;
}

/// The firm rows without friction: φ(q, t) = 0 by its gradient, α·v = c as it is.
template <class Of, class Real, class Model, class AnySystem>
CS_HD void enter_firm_rows(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch, AnySystem& system) {
  if constexpr (Of::firm > 0) {
    for_each_constraint<Of>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::guide_size(f) == 0) {
        constexpr int place = Of::firm_place(f);
        Real row[Model::dimension];
        Model::template firm_row<f>(node.q, node.c, node.t, row);
        take_coordinates<Of>(row, system.firm_row[place]);
        system.firm_drive[place] = Model::template firm_drive<f>(node.q, node.c, node.t, stretch.t_next, stretch.h);
      }
    });
  }
}

/// What slides of guide F, on all coordinates, and its drives.
template <int F, class Model, class Real, int Rows>
CS_INLINE void put_guide_rows(const Node<Real, Model>& node, Real t_next, Real (&row)[Rows][Model::dimension],
                              Real* drive) {
  Model::template guide_rows<F>(node.q, node.c, node.t, &row[0][0]);
  Model::template guide_drive<F>(node.q, node.c, t_next, drive);
}

/// Those with friction (G), as blocks: the row of the constraint, then what slides.
template <class Of, class Real, class Model>
CS_HD void enter_guides(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch,
                        SystemOf<Real, Of>& system) {
  if constexpr (Of::guides > 0) {
    for_each_constraint<Of>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::guide_size(f) > 0) {
        constexpr int size = Model::Laws::guide_size(f);
        const int block = system.add_guide(size, Model::template guide_friction<f>(node));
        const int first = system.first[block];
        Real normal[Model::dimension], row[size - 1][Model::dimension];
        Model::template firm_row<f>(node.q, node.c, node.t, normal);
        take_coordinates<Of>(normal, system.row[first]);
        system.drive[first] = Model::template firm_drive<f>(node.q, node.c, node.t, stretch.t_next, stretch.h);
        put_guide_rows<f, Model>(node, stretch.t_next, row, &system.drive[first + 1]);
        for (int k = 1; k < size; ++k) take_coordinates<Of>(row[k - 1], system.row[first + k]);
      }
    });
  }
}

/// The rows of resistance R on all coordinates, and its drives.
template <int R, class Model, class Real, int Rows>
CS_INLINE void put_resistance_rows(const Node<Real, Model>& node, Real t_next, Real (&row)[Rows][Model::dimension],
                                   Real* drive) {
  Model::template resistance_rows<R>(node.q, node.c, node.t, &row[0][0]);
  Model::template resistance_drive<R>(node.q, node.c, t_next, drive);
}

/// The island's resistances; their sets come with the passes.
template <class Of, class Real, class Model>
CS_HD void enter_resistances(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch,
                             SystemOf<Real, Of>& system) {
  if constexpr (Of::resistances > 0) {
    for_each_resistance<Of>([&](auto r) CS_LAMBDA {
      {
        constexpr int size = Model::Laws::resistance_size(r);
        const int block = size == 1 ? system.add_interval() : system.add_ball(size);
        const int first = system.first[block];
        Real row[size][Model::dimension];
        put_resistance_rows<r, Model>(node, stretch.t_next, row, &system.drive[first]);
        for (int k = 0; k < size; ++k) take_coordinates<Of>(row[k], system.row[first + k]);
      }
    });
  }
}

}  // namespace conesweep::contact
