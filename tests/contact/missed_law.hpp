#pragma once

#include <algorithm>
#include <cmath>

#include "families.hpp"
#include "oracle/law_check.hpp"

namespace conesweep::families {

/// Rows in different units become comparable by the speed that a unit impulse gives to them.
inline Vector row_units(const Sample& s) {
  Vector units(s.b.size());
  for (const Block& block : s.blocks) {
    const int tangential = block.kind == Kind::contact ? 1 : 0;
    for (int k = 0; k < block.size; ++k) {
      const int from = k < tangential ? 0 : tangential, count = k < tangential ? 1 : block.size - tangential;
      units[block.first + k] =
          std::sqrt(std::max(1e-300, s.delassus.diagonal().segment(block.first + from, count).maxCoeff()));
    }
  }
  return units;
}

/// The worst miss of a law over all blocks, of the size of the velocities that enter (or, where single impulses make
/// far larger ones, of a hundredth of these).
inline double missed_law(const Sample& s, const Vector& r) {
  const Vector u = s.b + s.delassus * r, units = row_units(s);
  const Vector terms = s.b.cwiseAbs() + s.delassus.cwiseAbs() * r.cwiseAbs();
  const double size = std::max(s.b.cwiseQuotient(units).lpNorm<Eigen::Infinity>(),
                               terms.cwiseQuotient(units).lpNorm<Eigen::Infinity>() / 100);
  double worst = 0;
  for (const Block& block : s.blocks) {
    const Matrix w = s.delassus.block(block.first, block.first, block.size, block.size);
    const Vector r_block = r.segment(block.first, block.size), u_block = u.segment(block.first, block.size);
    double missed = 0;
    if (block.kind == Kind::interval)
      missed = oracle::miss_interval(w(0, 0), r_block[0], u_block[0], block.low, block.high);
    if (block.kind == Kind::ball) missed = oracle::miss_ball(w.diagonal().maxCoeff(), r_block, u_block, block.high);
    if (block.kind == Kind::contact) missed = oracle::miss_contact(w, r_block, u_block, block.high, -block.low);
    worst = std::max(worst, missed / units.segment(block.first, block.size).minCoeff() / size);
  }
  return worst;
}

}  // namespace conesweep::families
