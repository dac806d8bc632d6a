#pragma once

#include <conesweep/contact/model_blocks.hpp>

// slip(name) (O8)

namespace conesweep::contact {

/// |A v - c| over rows first … Rows - 1.
template <class Real, int Rows, int D>
CS_HD Real find_speed_along(const Real (&row)[Rows][D], const Real (&drive)[Rows], int first, const Real* v) {
  Real sum = Real(0);
  for (int k = first; k < Rows; ++k) {
    Real u = -drive[k];
    for (int j = 0; j < D; ++j) u = u + row[k][j] * v[j];
    sum = sum + u * u;
  }
  return sqrt(sum);
}

/// |sliding velocity| of contact P at the velocity v.
template <int P, class Real, class Model>
CS_HD Real find_sliding_speed(const Node<Real, Model>& node, Real t_next, const Real* v) {
  constexpr int size = Model::Laws::contact_size(P), D = Model::dimension;
  if constexpr (size > 1) {
    Real row[size][D], drive[size];
    put_contact_rows<P, Model>(node, t_next, row, drive);
    return find_speed_along(row, drive, 1, v);
  } else if constexpr (D > 1) {
    // without friction: what of v lies along the wall
    Real row[D], square = Real(0), along = Real(0), sum = Real(0);
    put_normal_row<P, Model>(node.q, node.c, node.t, row);
    for (int j = 0; j < D; ++j) square = square + row[j] * row[j], along = along + row[j] * v[j];
    for (int j = 0; j < D; ++j) {
      const Real u = v[j] - along / square * row[j];
      sum = sum + u * u;
    }
    return sqrt(sum);
  } else {
    return Real(0);
  }
}

/// slip(name) of all laws at the velocity v (O8); of a firm row without friction 0.
template <class Real, class Model>
CS_HD void find_slips(const Node<Real, Model>& node, Real t_next, const Real* v, Real* slip) {
  constexpr int D = Model::dimension, first_firm = Model::contacts,
                first_resistance = Model::contacts + Model::Laws::firm;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA { slip[p] = find_sliding_speed<p>(node, t_next, v); });
  unroll<int(Model::Laws::firm)>([&](auto f) CS_LAMBDA {
    slip[first_firm + f] = Real(0);
    if constexpr (Model::Laws::guide_size(f) > 1) {
      constexpr int slips = Model::Laws::guide_size(f) - 1;
      Real row[slips][D], drive[slips];
      put_guide_rows<f, Model>(node, t_next, row, drive);
      slip[first_firm + f] = find_speed_along(row, drive, 0, v);
    }
  });
  unroll<int(Model::Laws::resistances)>([&](auto r) CS_LAMBDA {
    constexpr int size = Model::Laws::resistance_size(r);
    Real row[size][D], drive[size];
    put_resistance_rows<r, Model>(node, t_next, row, drive);
    slip[first_resistance + r] = find_speed_along(row, drive, 0, v);
  });
}

}  // namespace conesweep::contact
