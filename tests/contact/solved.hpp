#pragma once

#include <conesweep/contact/search.hpp>

#include "families.hpp"

namespace conesweep::families {

constexpr int most_blocks = 8, most_rows = 24;

template <class Real>
using Problem = contact::Problem<Real, most_blocks, most_rows>;

template <class Real>
Problem<Real> make_problem(const Sample& s) {
  Problem<Real> p{};
  p.blocks = static_cast<int>(s.blocks.size());
  p.rows = static_cast<int>(s.b.size());
  for (int k = 0; k < p.blocks; ++k) {
    const Block& block = s.blocks[static_cast<std::size_t>(k)];
    p.law[k] = block.kind == Kind::interval ? contact::Law::interval
               : block.kind == Kind::ball   ? contact::Law::ball
               : block.low != 0             ? contact::Law::cohesive
                                            : contact::Law::coulomb;
    p.first[k] = block.first;
    p.size[k] = block.size;
    p.asleep[k] = false;
  }
  for (int i = 0; i < p.rows; ++i) {
    for (int j = 0; j < p.rows; ++j) p.w[i][j] = static_cast<Real>(s.delassus(i, j));
  }
  contact::bring_to_units(p);
  for (int i = 0; i < p.rows; ++i) p.b[i] = static_cast<Real>(s.b[i]) * p.unit[i];
  for (int k = 0; k < p.blocks; ++k) {
    const Block& block = s.blocks[static_cast<std::size_t>(k)];
    if (block.kind == Kind::contact)
      contact::set_friction(p, k, static_cast<Real>(block.low), static_cast<Real>(block.high));
    else
      contact::set_limits(p, k, static_cast<Real>(block.low), static_cast<Real>(block.high));
  }
  return p;
}

struct Solved {
  Vector r;  // impulses, in the sample's units
  double residual;
  int sweeps, newton_steps;
  contact::Stage stage;
};

template <class Real>
Solved solve(const Sample& s) {
  const Problem<Real> p = make_problem<Real>(s);
  contact::Search<Real, most_rows> search{};
  contact::find_impulses(p, search);
  Solved solved{Vector(p.rows), static_cast<double>(search.residual), search.sweeps, search.newton_steps, search.stage};
  for (int i = 0; i < p.rows; ++i) solved.r[i] = static_cast<double>(search.best[i] * p.unit[i]);
  return solved;
}

}  // namespace conesweep::families
