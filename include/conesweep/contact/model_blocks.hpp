#pragma once

#include <conesweep/contact/coupled_step.hpp>
#include <conesweep/contact/frame.hpp>
#include <conesweep/metric/cholesky.hpp>
#include <conesweep/state/laws.hpp>
#include <conesweep/state/node.hpp>

// A model's laws at a node, as the blocks of a coupled step (B8).

namespace conesweep::contact {

using state::ContactKind;
using state::MassKind;
using state::Node;

/// So many contacts may touch at once.
inline constexpr int most_touching = 8;

/// How large a coupled step of a model can be.
template <class Model>
struct Sizes {
  using Laws = typename Model::Laws;
  enum Count : int {
    touching = Model::contacts < most_touching ? Model::contacts : most_touching,
    firm = int(Laws::firm) - int(Laws::guides),
    blocks = int(touching) + int(Laws::guides) + int(Laws::resistances),
    rows = int(touching) * int(Laws::contact_rows) + int(Laws::guide_rows) + int(Laws::resistance_rows),
  };
};

template <class Real, class Model>
using SystemOf = System<Real, Model::dimension, Sizes<Model>::firm, Sizes<Model>::blocks, Sizes<Model>::rows>;
template <class Real, class Model>
using SolutionOf = Solution<Real, Model::dimension, Sizes<Model>::firm, Sizes<Model>::blocks, Sizes<Model>::rows>;
template <class Real, class Model>
using WorkspaceOf = Workspace<Real, Model::dimension, Sizes<Model>::firm, Sizes<Model>::blocks, Sizes<Model>::rows>;

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
  Real speed = Real(0);  // what the step's velocities are sums of (System)
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

/// (H) What contact P holds with over the stretch; at an atom nothing.
template <int P, class Real, class Model>
CS_INLINE void enter_cohesion([[maybe_unused]] const Node<Real, Model>& node,
                              [[maybe_unused]] const StretchOf<Real, Model>& stretch,
                              [[maybe_unused]] SystemOf<Real, Model>& system, [[maybe_unused]] int block) {
  if constexpr (state::coheres<Model>()) {
    if (!(stretch.h > Real(0))) return;
    const Real impulse = stretch.h * Model::template cohesion<P>(node);
    if (impulse != Real(0)) system.make_cohesive(block, impulse);
  }
}

/// Contact P with its rows, drives, friction, restitution and cohesion. Returns the block's number.
template <int P, class Real, class Model>
CS_HD int enter_contact(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch,
                        SystemOf<Real, Model>& system) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension, size = Laws::contact_size(P), K = Laws::space(P), tangents = at_least_one(K - 1);
  constexpr ContactKind kind = Laws::contact_kind(P);
  const Real e = Model::rebounds[P] ? Model::template restitution<P>(node) : Real(0);
  const int block = system.add_contact(size, Model::template friction<P>(node), e);
  enter_cohesion<P>(node, stretch, system, block);
  const int first = system.first[block];
  system.drive[first] = Model::template wall_speed<P>(node.q, node.c, node.t, stretch.t_next, stretch.h);
  Real n[K];
  Model::template inward<P>(node.q, node.c, node.t, n);
  if constexpr (kind == ContactKind::point) {
    Real jacobian[K][D];
    Model::template jacobian<P>(node.q, node.c, node.t, &jacobian[0][0]);
    put_row(n, jacobian, system.row[first]);
    Real tangent[tangents][K], belt[K];
    find_tangents(n, tangent);
    Model::template belt<P>(node.q, node.c, stretch.t_next, belt);
    for (int k = 1; k < size; ++k) {
      put_row(tangent[k - 1], jacobian, system.row[first + k]);
      system.drive[first + k] = dot(tangent[k - 1], belt);
    }
  } else {
    for (int j = 0; j < D; ++j) system.row[first][j] = n[j];
    if constexpr (kind == ContactKind::slip) {
      Model::template slip_rows<P>(node.q, node.c, node.t, &system.row[first + 1][0]);
      Model::template belt<P>(node.q, node.c, stretch.t_next, &system.drive[first + 1]);
    } else if constexpr (size > 1) {
      Real tangent[tangents][K], belt[K];
      find_tangents(n, tangent);
      Model::template belt<P>(node.q, node.c, stretch.t_next, belt);
      for (int k = 1; k < size; ++k) {
        for (int j = 0; j < D; ++j) system.row[first + k][j] = tangent[k - 1][j];
        system.drive[first + k] = dot(tangent[k - 1], belt);
      }
    }
  }
  return block;
}

/// The firm rows without friction: φ(q, t) = 0 by its gradient, α·v = c as it is.
template <class Real, class Model>
CS_HD void enter_firm_rows(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch,
                           SystemOf<Real, Model>& system) {
  if constexpr (Model::Laws::firm > 0) {
    unroll<Model::Laws::firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::guide_size(f) == 0) {
        constexpr int row = f - state::guides_before<typename Model::Laws>(f);
        Model::template firm_row<f>(node.q, node.c, node.t, system.firm_row[row]);
        system.firm_drive[row] = Model::template firm_drive<f>(node.q, node.c, node.t, stretch.t_next, stretch.h);
      }
    });
  }
}

/// Those with friction (G), as blocks: the row of the constraint, then what slides.
template <class Real, class Model>
CS_HD void enter_guides(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch,
                        SystemOf<Real, Model>& system) {
  if constexpr (Model::Laws::guides > 0) {
    unroll<Model::Laws::firm>([&](auto f) CS_LAMBDA {
      if constexpr (Model::Laws::guide_size(f) > 0) {
        const int block = system.add_guide(Model::Laws::guide_size(f), Model::template guide_friction<f>(node));
        const int first = system.first[block];
        Model::template firm_row<f>(node.q, node.c, node.t, system.row[first]);
        system.drive[first] = Model::template firm_drive<f>(node.q, node.c, node.t, stretch.t_next, stretch.h);
        Model::template guide_rows<f>(node.q, node.c, node.t, &system.row[first + 1][0]);
        Model::template guide_drive<f>(node.q, node.c, stretch.t_next, &system.drive[first + 1]);
      }
    });
  }
}

/// All resistances; their sets come with the passes.
template <class Real, class Model>
CS_HD void enter_resistances(const Node<Real, Model>& node, const StretchOf<Real, Model>& stretch,
                             SystemOf<Real, Model>& system) {
  if constexpr (Model::Laws::resistances > 0) {
    unroll<Model::Laws::resistances>([&](auto r) CS_LAMBDA {
      constexpr int size = Model::Laws::resistance_size(r);
      const int block = size == 1 ? system.add_interval() : system.add_ball(size);
      const int first = system.first[block];
      Model::template resistance_rows<r>(node.q, node.c, node.t, &system.row[first][0]);
      Model::template resistance_drive<r>(node.q, node.c, stretch.t_next, &system.drive[first]);
    });
  }
}

}  // namespace conesweep::contact
