#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sampling/sampler.hpp"

namespace conesweep::sensitivity {

/// The order of members in a Saltelli design of k parameters [Saltelli2010].
///
/// Base j has two independent points A and B of the cube, and its members are consecutive: m = j rows + r with
///
///   r = 0       A
///   r = 1       B
///   r = 2 + i   A with coordinate i of B (AB_i), i = 0 … k - 1
///   r = 2+k+i   B with coordinate i of A (BA_i), for second order only
///
/// So more bases are more members at the end, and a design can be extended.
struct SaltelliLayout {
  std::size_t parameters = 0;
  bool second_order = false;

  std::int64_t rows() const { return static_cast<std::int64_t>((second_order ? 2 : 1) * parameters + 2); }
  std::int64_t members(std::int64_t bases) const { return bases * rows(); }
  std::int64_t base(std::int64_t member) const { return member / rows(); }
  std::int64_t row(std::int64_t member) const { return member % rows(); }

  /// A and B are independent draws; statistics of the ensemble (mean, quantiles) are made of these members alone.
  bool is_independent(std::int64_t member) const { return row(member) < 2; }
};

/// Into how many randomisations the base points of a design are split: 32 for sobol, 1 for others. 32 parts of 2^m
/// points are a good number of bases.
///
/// 8 parts were tried: they are longer, and errors of smooth functions are a half to a quarter (4096 bases, largest
/// root mean square error of an index: linear 0.0016 to 0.0008, g 0.0082 to 0.0038, Ishigami's the same), but intervals
/// cover less often (92.1 instead of 93.3 %), and those of rough observables became wider, up to 2.5 times
/// (samples/random_past.toml, `final.x`).
int advised_parts(scenario::Sampler sampler);

/// Base points for SaltelliPoints: the scenario's sampler with two copies of its axes, in so many parts with seeds of
/// their own.
///
/// Of Sobol points A takes the even axes and B the odd ones: both of a parameter are as early in the sequence as it is
/// in the file, and neighbours fill their plane well. With A on the first k axes and B on the others some parameters
/// meet axes that do not: the total index of a phase (samples/random_past.toml, `push`) had a scatter of 0.083 in each
/// of 512, 1024 and 2048 points, where random points have 0.083, 0.057, 0.040, and pairs 0.036, 0.013, 0.009.
std::unique_ptr<sampling::UnitPoints> make_base_points(const scenario::Scenario& scenario, int parts);

/// The points of a Saltelli design by member number. Base j is point j of `base`, which has two copies of the axes
/// (sampling::make_points with copies = 2): A on the first k, B on the others. Samplers whose points depend on their
/// number (latin) count bases, not members.
class SaltelliPoints final : public sampling::UnitPoints {
 public:
  SaltelliPoints(std::unique_ptr<sampling::UnitPoints> base, SaltelliLayout layout);
  double coordinate(std::int64_t member, std::size_t axis) const override;
  const SaltelliLayout& layout() const { return layout_; }

 private:
  std::unique_ptr<sampling::UnitPoints> base_;
  SaltelliLayout layout_;
};

}  // namespace conesweep::sensitivity
