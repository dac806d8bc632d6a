#include "sensitivity/correlation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <conesweep/math/elementary.hpp>
#include <utility>

#include "sensitivity/student.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::sensitivity {

namespace {

using Members = std::vector<std::uint32_t>;  // numbers of those that are used

// eigenvalue of a correlation matrix below which columns are dependent; rounding leaves 1e-13
constexpr double collinear = 1e-10;
// members whose columns are in the cache at once; sums are made block by block
constexpr std::size_t block_size = 4096;

/// Twice the rank of every used member, less n + 1: whole numbers around 0, ties at their mean.
std::vector<std::int32_t> centred_ranks(std::span<const double> column, const Members& members) {
  const std::size_t n = members.size();
  std::vector<std::pair<double, std::uint32_t>> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = {column[members[i]], static_cast<std::uint32_t>(i)};
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> ranks(n);
  for (std::size_t from = 0, to = 0; from < n; from = to) {
    while (to < n && sorted[to].first == sorted[from].first) ++to;
    // places from + 1 … to
    const auto rank = static_cast<std::int64_t>(from + to + 1) - static_cast<std::int64_t>(n + 1);
    for (std::size_t i = from; i < to; ++i) ranks[sorted[i].second] = static_cast<std::int32_t>(rank);
  }
  return ranks;
}

/// A column as numbers of size 1 at most around 0: ((x - first) - offset) / largest deviation, in this order, so that a
/// large mean costs nothing. Scale 0: the column is constant.
struct Scaling {
  double first = 0;
  double offset = 0;  // the mean is first + offset
  double scale = 0;

  double operator()(double x) const { return ((x - first) - offset) / scale; }
};
Scaling scale_of(std::span<const double> column, const Members& members) {
  Scaling scaling;
  scaling.first = column[members[0]];
  double sum = 0;
  bool varies = false;
  for (const std::uint32_t m : members) {
    sum += column[m] - scaling.first;
    varies = varies || column[m] != scaling.first;
  }
  if (!varies) return scaling;
  scaling.offset = sum / static_cast<double>(members.size());
  for (const std::uint32_t m : members)
    scaling.scale = std::max(scaling.scale, std::abs((column[m] - scaling.first) - scaling.offset));
  return scaling;
}

/// Blocks of all columns, one after another. fill(column, first, count, out) writes numbers around 0; use(block,
/// count): [column][member].
template <class Fill, class Use>
void for_blocks(std::size_t columns, std::size_t n, const Fill& fill, const Use& use) {
  std::vector<double> block(columns * block_size);
  for (std::size_t first = 0; first < n; first += block_size) {
    const std::size_t count = std::min(block_size, n - first);
    for (std::size_t c = 0; c < columns; ++c) fill(c, first, count, block.data() + c * block_size);
    use(block.data(), count);
  }
}

/// <x_a x_b>, columns around 0.
template <class Fill>
Eigen::MatrixXd second_moments(std::size_t columns, std::size_t n, const Fill& fill) {
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns), static_cast<Eigen::Index>(columns));
  for_blocks(columns, n, fill, [&](const double* block, std::size_t count) {
    for (std::size_t a = 0; a < columns; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += block[a * block_size + i] * block[b * block_size + i];
        sums(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) += sum;
      }
  });
  return Eigen::MatrixXd(sums.selfadjointView<Eigen::Lower>()) / static_cast<double>(n);
}

/// The root of the product, not the product of roots: 1 exactly for columns that are equal.
Eigen::MatrixXd correlations_of(const Eigen::MatrixXd& moments) {
  const Eigen::VectorXd squares = moments.diagonal();
  return moments.cwiseQuotient((squares * squares.transpose()).cwiseSqrt());
}

/// (C2) from the correlations of all columns, the observable last. Where columns are dependent the inverse is that on
/// the other directions: coefficients of columns that take no part in a dependence are what they would be without the
/// dependent ones.
struct Fit {
  Eigen::VectorXd b;
  Eigen::MatrixXd inverse;
  double r_squared = 0;
  std::vector<bool> dependent;  // [column]
};
Fit fit(const Eigen::MatrixXd& correlation) {
  const Eigen::Index k = correlation.rows() - 1;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation.topLeftCorner(k, k));
  Fit result;
  result.inverse = Eigen::MatrixXd::Zero(k, k);
  result.dependent.assign(static_cast<std::size_t>(k), false);
  for (Eigen::Index e = 0; e < k; ++e) {
    const auto vector = solver.eigenvectors().col(e);
    if (solver.eigenvalues()(e) >= collinear) {
      result.inverse += vector * vector.transpose() / solver.eigenvalues()(e);
      continue;
    }
    for (Eigen::Index i = 0; i < k; ++i)
      // rounding leaves 1e-6 at most
      if (std::abs(vector(i)) > 1e-4) result.dependent[static_cast<std::size_t>(i)] = true;
  }
  const Eigen::VectorXd r = correlation.topRightCorner(k, 1);
  result.b = result.inverse * r;
  result.r_squared = std::clamp(result.b.dot(r), 0.0, 1.0);
  return result;
}

double inverse_tanh(double r) { return 0.5 * math::log((1 + r) / (1 - r)); }

/// (C4)
Index rank_index(double r, std::int64_t n, std::int64_t fixed) {
  Index index;
  index.value = std::clamp(r, -1.0, 1.0);
  const auto degrees = static_cast<double>(n - 3 - fixed);
  if (degrees <= 0) return index;
  if (std::abs(index.value) == 1) {
    index.lower = index.upper = index.value;
    return index;
  }
  const double centre = inverse_tanh(index.value);
  // normal quantile of 0.975
  const double reach = 1.959963984540054 * std::sqrt((1 + index.value * index.value / 2) / degrees);
  index.lower = math::tanh(centre - reach);
  index.upper = math::tanh(centre + reach);
  return index;
}

std::vector<std::string> pick(std::span<const std::string> names, const std::vector<bool>& which) {
  std::vector<std::string> picked;
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i]) picked.push_back(names[i]);
  return picked;
}

}  // namespace

Correlations correlate(std::span<const std::string> names, std::span<const std::vector<double>> parameters,
                       std::span<const double> observable, std::span<const executor::Status> status) {
  CS_ASSERT(names.size() == parameters.size() && observable.size() == status.size() &&
            observable.size() < std::size_t{1} << 30);
  for (const auto& column : parameters) CS_ASSERT(column.size() == observable.size());
  Correlations result;
  result.spearman.resize(names.size());
  result.partial_rank.resize(names.size());
  result.regression.resize(names.size());

  // members
  Members members;
  for (std::size_t m = 0; m < observable.size(); ++m) {
    bool whole = status[m] == executor::Status::ok && std::isfinite(observable[m]);
    for (std::size_t v = 0; v < parameters.size() && whole; ++v) whole = std::isfinite(parameters[v][m]);
    if (whole) members.push_back(static_cast<std::uint32_t>(m));
  }
  const std::size_t n = members.size();
  result.count = static_cast<std::int64_t>(n);
  result.left_out = static_cast<std::int64_t>(observable.size() - n);
  if (result.left_out > 0)
    result.warnings.push_back(
        counted(result.left_out) + " of " + format_count(observable.size()) +
        " members are left out (they stopped or have no value): the correlations are those of the others");
  if (n < 3) {
    result.warnings.push_back("fewer than three members have a value: the correlations are undefined");
    return result;
  }

  // columns that vary, the observable last
  std::vector<std::span<const double>> columns;
  std::vector<Scaling> scalings;
  std::vector<std::string> used;   // names of those columns
  std::vector<std::size_t> place;  // their parameters
  std::vector<bool> constant(names.size(), false);
  for (std::size_t v = 0; v < parameters.size(); ++v) {
    const Scaling scaling = scale_of(parameters[v], members);
    constant[v] = scaling.scale == 0;
    if (constant[v]) continue;
    columns.emplace_back(parameters[v]);
    scalings.push_back(scaling);
    used.push_back(names[v]);
    place.push_back(v);
  }
  if (const auto same = pick(names, constant); !same.empty())
    result.warnings.push_back(join_words(same) + (same.size() == 1 ? " does" : " do") +
                              " not vary: no correlation is defined");
  const Scaling of_observable = scale_of(observable, members);
  if (of_observable.scale == 0) {
    result.warnings.push_back("all values are equal: no correlation is defined");
    return result;
  }
  if (columns.empty()) return result;
  columns.push_back(observable);
  scalings.push_back(of_observable);
  const std::size_t k = place.size();
  const auto degrees = static_cast<std::int64_t>(n) - static_cast<std::int64_t>(k) - 1;
  if (degrees < 1)
    result.warnings.push_back(std::to_string(n) + " members are too few for " + std::to_string(k) +
                              " parameters: PRCC and SRC are undefined; take more than " + std::to_string(k + 1));
  const auto warn_dependent = [&](const std::string& kind, const std::string& how, const std::vector<bool>& dependent) {
    const auto bound = pick(used, dependent);
    if (!bound.empty())
      result.warnings.push_back(kind + " of " + join_words(bound) + ": undefined, each is a combination of others" +
                                how);
  };

  // ranks
  std::vector<std::vector<std::int32_t>> ranks;
  for (const auto& column : columns) ranks.push_back(centred_ranks(column, members));
  const auto by_rank = [&](std::size_t c, std::size_t first, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = ranks[c][first + i];
  };
  const Eigen::MatrixXd rank_correlation = correlations_of(second_moments(k + 1, n, by_rank));
  ranks = {};
  for (std::size_t i = 0; i < k; ++i)
    result.spearman[place[i]] =
        rank_index(rank_correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)), result.count, 0);
  const std::string more = "more members narrow it";
  if (degrees < 1) {
    warn_near_zero("Spearman's correlation", result.spearman, names, more, result.warnings);
    return result;
  }
  const Fit rank_fit = fit(rank_correlation);
  result.rank_r_squared = rank_fit.r_squared;
  warn_dependent("PRCC", " in ranks", rank_fit.dependent);
  for (std::size_t i = 0; i < k; ++i) {
    if (rank_fit.dependent[i]) continue;
    const auto e = static_cast<Eigen::Index>(i);
    const double b = rank_fit.b(e);
    // 0 only where b = 0 and R² = 1
    const double below = std::sqrt(b * b + (1 - rank_fit.r_squared) * rank_fit.inverse(e, e));
    result.partial_rank[place[i]] =
        rank_index(below > 0 ? b / below : 0, result.count, static_cast<std::int64_t>(k) - 1);
  }

  // values
  const auto by_value = [&](std::size_t c, std::size_t first, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = scalings[c](columns[c][members[first + i]]);
  };
  const Eigen::MatrixXd moments = second_moments(k + 1, n, by_value);
  const Fit line = fit(correlations_of(moments));
  result.r_squared = line.r_squared;
  warn_dependent("SRC", "", line.dependent);

  // (C5)
  const Eigen::VectorXd unit = moments.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(k));
  Eigen::VectorXd x(static_cast<Eigen::Index>(k));
  for_blocks(k + 1, n, by_value, [&](const double* block, std::size_t count) {
    for (std::size_t m = 0; m < count; ++m) {
      for (std::size_t i = 0; i < k; ++i)
        x(static_cast<Eigen::Index>(i)) = block[i * block_size + m] * unit(static_cast<Eigen::Index>(i));
      const double y = block[k * block_size + m] * unit(static_cast<Eigen::Index>(k));
      const double rest = y - line.b.dot(x);
      squares +=
          ((line.inverse * x) * rest + 0.5 * line.b.cwiseProduct((x.array().square() - y * y).matrix())).cwiseAbs2();
    }
  });
  const double quantile = student_reach(static_cast<double>(degrees));
  for (std::size_t i = 0; i < k; ++i) {
    if (line.dependent[i]) continue;
    const auto e = static_cast<Eigen::Index>(i);
    const double reach = quantile * std::sqrt(squares(e) / static_cast<double>(n) / static_cast<double>(degrees));
    result.regression[place[i]] = {line.b(e), line.b(e) - reach, line.b(e) + reach};
  }
  warn_near_zero("Spearman's correlation", result.spearman, names, more, result.warnings);
  warn_near_zero("PRCC", result.partial_rank, names, more, result.warnings);
  warn_near_zero("SRC", result.regression, names, more, result.warnings);
  return result;
}

}  // namespace conesweep::sensitivity
