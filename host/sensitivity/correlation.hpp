#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "sensitivity/index.hpp"

namespace conesweep::sensitivity {

/// How one observable goes with the parameters of a run, whatever its sampler.
struct Correlations {
  std::vector<Index> spearman;      // [parameter] (C1), correlation of ranks
  std::vector<Index> partial_rank;  // [parameter] (C3), PRCC: the others held fixed, linearly in ranks
  // [parameter] (C2), SRC: standard deviations of the observable for one of the parameter
  std::vector<Index> regression;
  double r_squared = nan;       // share of the variance that the linear model of SRC explains
  double rank_r_squared = nan;  // the same for ranks: how monotone the observable is
  std::int64_t count = 0;       // members used
  std::int64_t left_out = 0;    // members that stopped or lack a finite value
  std::vector<std::string> warnings;
};

/// Ties get the mean of their ranks. With R the correlation matrix of the parameters, r their correlations with the
/// observable, n members, k parameters that vary:
///
///   (C1)  Spearman ρ_i = r_i, on ranks                                                     [Spearman1904]
///   (C2)  SRC      b = R⁻¹ r,  R² = b·r
///   (C3)  PRCC_i   = b_i / √(b_i² + (1 - R²) (R⁻¹)_ii), on ranks                           [Iman1979]
///   (C4)  interval of ρ and PRCC: tanh(artanh ρ ± 1.96 √((1 + ρ²/2) / (n - 3 - c)))        [BonettWright2000]
///         with c = k - 1 held fixed for PRCC, c = 0 for Spearman
///   (C5)  interval of b: Student's t with n - k - 1 degrees, times the error of b_i: with standardised x, y and e = y
///         - b·x,
///         √(<ψ_i²> / (n - k - 1)),  ψ_i = (R⁻¹x)_i e + b_i (x_i² - y²)/2
///
/// (C3) is the partial correlation: of what of rank i and of the observable's rank the other ranks do not explain. (C5)
/// is the delta method for a coefficient made of sample moments: the textbook's √((1 - R²)(R⁻¹)_ii / (n - k - 1)) takes
/// the standard deviations for known and constant noise for granted; for a linear model it is too wide by up to 1/√(1 -
/// R²), for others too narrow or too wide.
///
/// Constant parameters have NaN. So have parameters that are linear combinations of others (R has an eigenvalue below
/// 1e-10), in ranks for PRCC and in values for SRC; the others are unaffected. Memory: four bytes for each value and 24
/// for each member.
Correlations correlate(std::span<const std::string> names, std::span<const std::vector<double>> parameters,
                       std::span<const double> observable, std::span<const executor::Status> status);

}  // namespace conesweep::sensitivity
