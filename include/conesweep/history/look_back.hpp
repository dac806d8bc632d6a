#pragma once

#include <conesweep/history/past.hpp>

namespace conesweep::history {

/// What a step knows of the past that it looks at.
enum class Look {
  early,     // nothing: some member may still look back before t = 0
  between,   // it lies between two nodes, or at one
  at_nodes,  // Past::looks_at_nodes
};

/// (P10) where every delay is a whole number of steps: node i-D. Before node i is remembered: the longest lag looks at
/// the slot that it will take.
template <class Real, class Model>
CS_INLINE void look_at_nodes(const Past<Real, Model>& past, Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  using Scalar = ScalarOf<Real>;
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    const auto& lag = past.lag(k);
    node.past_t[k] = (Real(Scalar(at.i)) - lag.steps) * Real(at.clock.h);
    const Scalar* slot =
        at.ring.data + slot_before(at.now, lag.longest(), at.ring.slots) * ring_columns<Model> * at.ring.stride;
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_q[k][column])
        node.past_q[k][column] = load_members<Real>(slot + column * at.ring.stride);
    });
  });
}

/// After steps that looked at nodes: what those that look between two of them keep of node i-D, whose weight is 1. It
/// is still in the ring.
template <class Real, class Model>
CS_INLINE void find_older(Past<Real, Model>& past, const Moment<ScalarOf<Real>>& at) {
  Node<Real, Model> node;
  look_at_nodes(past, node, at);
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_q[k][column]) past.template older<k, column>() = node.past_q[k][column];
    });
  });
}

/// (P10) what the expressions ask of the past at node i.
/// It is longer than 60 lines: apart, its parts would hand on places in the ring that stay in registers here.
template <Look How, class Real, class Model>
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
      unroll<lanes>([&](auto l) CS_LAMBDA {
        newer_node[l] = ring.data + slot_before(at.now, lag.whole[l] - 1, ring.slots) * columns * ring.stride + l;
      });
    }
    const auto load = [&](auto column) CS_LAMBDA {
      if constexpr (is_in_rows<Real, Model>())
        return row[column];
      else
        return together ? load_members<Real>(newer_node[0] + column * ring.stride)
                        : load_scattered<Real>(newer_node, column * ring.stride);
    };
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_q[k][column]) {
        Real& older = past.template older<k, column>();
        const Real newer = load(column);
        constexpr bool product = keeps_product<Real, Model>(k);
        node.past_q[k][column] = fma(lag.share, newer, product ? older : lag.rest * older);
        // as look_at_nodes finds it: 0 times something is not nothing
        if constexpr (How == Look::early && may_look_at_nodes<Model>())
          node.past_q[k][column] = select(lag.share == Real(0), older, node.past_q[k][column]);
        older = product ? lag.rest * newer : newer;
      }
    });
    unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_v[k][column]) node.past_v[k][column] = load(math::Index<Model::q_columns + column>{});
    });

    // φ0 exactly, before t = 0
    if constexpr (How == Look::early) {
      const MaskOf<Real> before = Real(Scalar(at.i)) < lag.steps;
      if (any(before)) {
        Real past_q[Model::dimension], past_v[Model::dimension];
        Model::past(node.past_t[k], node.c, past_q);
        Model::past_velocity(node.past_t[k], node.c, past_v);
        unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
          constexpr int coordinate = Model::q_column[column];
          if constexpr (Model::lag_q[k][column])
            node.past_q[k][column] = select(before, past_q[coordinate], node.past_q[k][column]);
        });
        unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
          constexpr int coordinate = Model::v_column[column];
          if constexpr (Model::lag_v[k][column])
            node.past_v[k][column] = select(before, past_v[coordinate], node.past_v[k][column]);
        });
      }
    }
  });
}

}  // namespace conesweep::history
