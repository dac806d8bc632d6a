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
struct LinearModel {
  Eigen::VectorXd b;
  Eigen::MatrixXd inverse;
  double r_squared = 0;
  std::vector<bool> dependent;  // [column]
};
LinearModel fit(const Eigen::MatrixXd& correlation) {
  const Eigen::Index k = correlation.rows() - 1;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation.topLeftCorner(k, k));
  LinearModel result;
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

/// One observable beside the parameters, from members to correlations: one after the other, as long as there is
/// something to correlate.
class Correlating {
 public:
  Correlating(std::span<const std::string> names, std::span<const std::vector<double>> parameters,
              std::span<const double> observable)
      : names_(names), parameters_(parameters), observable_(observable) {
    result_.spearman.resize(names.size());
    result_.partial_rank.resize(names.size());
    result_.regression.resize(names.size());
  }

  Correlations find(std::span<const executor::Status> status) {
    if (!choose_members(status) || !choose_columns()) return result_;
    const std::string more = "more members narrow it";
    const bool fits = correlate_ranks();
    if (fits) correlate_values();
    warn_near_zero("Spearman's correlation", result_.spearman, names_, more, result_.warnings);
    if (fits) {
      warn_near_zero("PRCC", result_.partial_rank, names_, more, result_.warnings);
      warn_near_zero("SRC", result_.regression, names_, more, result_.warnings);
    }
    return result_;
  }

 private:
  // Those that have every value; are there enough?
  bool choose_members(std::span<const executor::Status> status) {
    for (std::size_t m = 0; m < observable_.size(); ++m) {
      bool whole = status[m] == executor::Status::ok && std::isfinite(observable_[m]);
      for (std::size_t v = 0; v < parameters_.size() && whole; ++v) whole = std::isfinite(parameters_[v][m]);
      if (whole) members_.push_back(static_cast<std::uint32_t>(m));
    }
    n_ = members_.size();
    result_.count = static_cast<std::int64_t>(n_);
    result_.left_out = static_cast<std::int64_t>(observable_.size() - n_);
    if (result_.left_out > 0)
      result_.warnings.push_back(
          counted(result_.left_out) + " of " + format_count(observable_.size()) +
          " members are left out (they stopped or have no value): the correlations are those of the others");
    if (n_ < 3) result_.warnings.push_back("fewer than three members have a value: the correlations are undefined");
    return n_ >= 3;
  }

  // Columns that vary, the observable last; are there two?
  bool choose_columns() {
    std::vector<bool> constant(names_.size(), false);
    for (std::size_t v = 0; v < parameters_.size(); ++v) {
      const Scaling scaling = scale_of(parameters_[v], members_);
      constant[v] = scaling.scale == 0;
      if (constant[v]) continue;
      columns_.emplace_back(parameters_[v]);
      scalings_.push_back(scaling);
      used_.push_back(names_[v]);
      place_.push_back(v);
    }
    if (const auto same = pick(names_, constant); !same.empty())
      result_.warnings.push_back(join_words(same) + (same.size() == 1 ? " does" : " do") +
                                 " not vary: no correlation is defined");
    const Scaling of_observable = scale_of(observable_, members_);
    if (of_observable.scale == 0) {
      result_.warnings.push_back("all values are equal: no correlation is defined");
      return false;
    }
    if (columns_.empty()) return false;
    columns_.push_back(observable_);
    scalings_.push_back(of_observable);
    k_ = place_.size();
    degrees_ = static_cast<std::int64_t>(n_) - static_cast<std::int64_t>(k_) - 1;
    if (degrees_ < 1)
      result_.warnings.push_back(std::to_string(n_) + " members are too few for " + std::to_string(k_) +
                                 " parameters: PRCC and SRC are undefined; take more than " + std::to_string(k_ + 1));
    return true;
  }

  void warn_dependent(const std::string& kind, const std::string& how, const std::vector<bool>& dependent) {
    const auto bound = pick(used_, dependent);
    if (!bound.empty())
      result_.warnings.push_back(kind + " of " + join_words(bound) + ": undefined, each is a combination of others" +
                                 how);
  }

  // (C1), (C3); are there members enough for (C2), (C3)?
  bool correlate_ranks() {
    std::vector<std::vector<std::int32_t>> ranks;
    for (const auto& column : columns_) ranks.push_back(centred_ranks(column, members_));
    const auto by_rank = [&](std::size_t c, std::size_t first, std::size_t count, double* out) {
      for (std::size_t i = 0; i < count; ++i) out[i] = ranks[c][first + i];
    };
    const Eigen::MatrixXd correlation = correlations_of(second_moments(k_ + 1, n_, by_rank));
    ranks = {};
    for (std::size_t i = 0; i < k_; ++i)
      result_.spearman[place_[i]] =
          rank_index(correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k_)), result_.count, 0);
    if (degrees_ < 1) return false;

    const LinearModel rank_fit = fit(correlation);
    result_.rank_r_squared = rank_fit.r_squared;
    warn_dependent("PRCC", " in ranks", rank_fit.dependent);
    for (std::size_t i = 0; i < k_; ++i) {
      if (rank_fit.dependent[i]) continue;
      const auto e = static_cast<Eigen::Index>(i);
      const double b = rank_fit.b(e);
      // 0 only where b = 0 and R² = 1
      const double below = std::sqrt(b * b + (1 - rank_fit.r_squared) * rank_fit.inverse(e, e));
      result_.partial_rank[place_[i]] =
          rank_index(below > 0 ? b / below : 0, result_.count, static_cast<std::int64_t>(k_) - 1);
    }
    return true;
  }

  // (C2), (C5)
  void correlate_values() {
    const auto by_value = [&](std::size_t c, std::size_t first, std::size_t count, double* out) {
      for (std::size_t i = 0; i < count; ++i) out[i] = scalings_[c](columns_[c][members_[first + i]]);
    };
    const Eigen::MatrixXd moments = second_moments(k_ + 1, n_, by_value);
    const LinearModel line = fit(correlations_of(moments));
    result_.r_squared = line.r_squared;
    warn_dependent("SRC", "", line.dependent);

    // Σ ψ² of every parameter
    const Eigen::VectorXd unit = moments.diagonal().cwiseSqrt().cwiseInverse();
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(k_));
    Eigen::VectorXd x(static_cast<Eigen::Index>(k_));
    for_blocks(k_ + 1, n_, by_value, [&](const double* block, std::size_t count) {
      for (std::size_t m = 0; m < count; ++m) {
        for (std::size_t i = 0; i < k_; ++i)
          x(static_cast<Eigen::Index>(i)) = block[i * block_size + m] * unit(static_cast<Eigen::Index>(i));
        const double y = block[k_ * block_size + m] * unit(static_cast<Eigen::Index>(k_));
        const double rest = y - line.b.dot(x);
        squares +=
            ((line.inverse * x) * rest + 0.5 * line.b.cwiseProduct((x.array().square() - y * y).matrix())).cwiseAbs2();
      }
    });
    const double quantile = student_reach(static_cast<double>(degrees_));
    for (std::size_t i = 0; i < k_; ++i) {
      if (line.dependent[i]) continue;
      const auto e = static_cast<Eigen::Index>(i);
      const double reach = quantile * std::sqrt(squares(e) / static_cast<double>(n_) / static_cast<double>(degrees_));
      result_.regression[place_[i]] = {line.b(e), line.b(e) - reach, line.b(e) + reach};
    }
  }

  std::span<const std::string> names_;
  std::span<const std::vector<double>> parameters_;
  std::span<const double> observable_;
  Correlations result_;
  Members members_;
  std::size_t n_ = 0;                             // members
  std::vector<std::span<const double>> columns_;  // that vary, the observable last …
  std::vector<Scaling> scalings_;
  std::vector<std::string> used_;   // names of the parameters among them …
  std::vector<std::size_t> place_;  // and which they are
  std::size_t k_ = 0;               // how many
  std::int64_t degrees_ = 0;        // of freedom that members leave
};

}  // namespace

Correlations correlate(std::span<const std::string> names, std::span<const std::vector<double>> parameters,
                       std::span<const double> observable, std::span<const executor::Status> status) {
  CS_ASSERT(names.size() == parameters.size() && observable.size() == status.size() &&
            observable.size() < std::size_t{1} << 30);
  for (const auto& column : parameters) CS_ASSERT(column.size() == observable.size());
  return Correlating(names, parameters, observable).find(status);
}

}  // namespace conesweep::sensitivity
