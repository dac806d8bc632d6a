#pragma once

#include <conesweep/history/past.hpp>

namespace conesweep::history {

/// (P10) what the expressions ask of the past at node i. `Early`: some member still looks back before t = 0.
template <bool Early, class Real, class Model>
CS_INLINE void look_back(Past<Real, Model>& past, Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  using Scalar = ScalarOf<Real>;
  constexpr int columns = slot_size<Real, Model>;
  constexpr int lanes = RealTraits<Real>::lanes;
  const Ring<Scalar>& ring = at.ring;
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    const auto& lag = past.lag(k);
    node.past_t[k] = (Real(Scalar(at.i)) - lag.steps) * Real(at.clock.h);

    // node i-D+1 of every lane
    [[maybe_unused]] Real row[row_length];
    const Scalar* newer_node[lanes];
    const bool together = !lag_varies<Model>(k) || lag.is_common();
    if constexpr (is_in_rows<Real, Model>()) {
      // in bytes: products with a slot's size are found once, and not in every step
      const long size = columns * ring.stride * long(sizeof(Scalar)), now = at.now * size, end = ring.slots * size;
      unroll<lanes>([&](auto l) CS_LAMBDA {
        const char* from = reinterpret_cast<const char*>(ring.data + row_of_lane(l) * row_length);
        newer_node[l] = reinterpret_cast<const Scalar*>(from + slot_before(now, (lag.whole[l] - 1) * size, end));
      });
      load_rows(newer_node, row);
    } else if (together) {
      newer_node[0] = ring.data + slot_before(at.now, lag.longest() - 1, ring.slots) * columns * ring.stride;
    } else {
      // not a loop: GCC keeps what is asked for by a variable index in memory, and with it all of the member
      unroll<lanes>([&](auto l) CS_LAMBDA { newer_node[l] = ring.data + slot_before(at.now, lag.whole[l] - 1, ring.slots) * columns * ring.stride + l; });
    }
    const auto load = [&](auto column) CS_LAMBDA {
      if constexpr (is_in_rows<Real, Model>())
        return row[column];
      else
        return together ? load_members<Real>(newer_node[0] + column * ring.stride) : load_scattered<Real>(newer_node, column * ring.stride);
    };
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_q[k][column]) {
        Real& older = past.template older<k, column>();
        const Real newer = load(column);
        node.past_q[k][column] = fma(lag.share, newer, lag.rest * older);
        older = newer;
      }
    });
    unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_v[k][column]) node.past_v[k][column] = load(math::Index<Model::q_columns + column>{});
    });

    // φ0 exactly, before t = 0
    if constexpr (Early) {
      const MaskOf<Real> before = Real(Scalar(at.i)) < lag.steps;
      if (any(before)) {
        Real past_q[Model::dimension], past_v[Model::dimension];
        Model::past(node.past_t[k], node.c, past_q);
        Model::past_velocity(node.past_t[k], node.c, past_v);
        unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
          constexpr int coordinate = Model::q_column[column];
          if constexpr (Model::lag_q[k][column]) node.past_q[k][column] = select(before, past_q[coordinate], node.past_q[k][column]);
        });
        unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
          constexpr int coordinate = Model::v_column[column];
          if constexpr (Model::lag_v[k][column]) node.past_v[k][column] = select(before, past_v[coordinate], node.past_v[k][column]);
        });
      }
    }
  });
}

}  // namespace conesweep::history
