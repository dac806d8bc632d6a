#include "sensitivity/sobol.hpp"

#include <algorithm>
#include <cmath>

#include <conesweep/statistics/quantile.hpp>

#include "sampling/philox.hpp"
#include "sensitivity/student.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::sensitivity {

namespace {

std::size_t pairs(const SaltelliLayout& layout) {
  return layout.second_order ? layout.parameters * (layout.parameters - 1) / 2 : 0;
}

/// Which groups a replicate takes: `groups` draws with replacement, counted. The name is no parameter's (it has
/// blanks), so these numbers are used for nothing else.
void draw_weights(std::uint64_t seed, int replicate, std::span<int> weights) {
  static const std::uint64_t name = sampling::hash_name("bootstrap over groups");
  std::fill(weights.begin(), weights.end(), 0);
  const auto groups = std::uint64_t{weights.size()};
  sampling::Words words{};
  for (std::uint64_t draw = 0; draw < groups; ++draw) {
    if (draw % 4 == 0)
      words = sampling::random_words(seed, static_cast<std::uint64_t>(replicate) << 32 | draw / 4, name);
    ++weights[std::uint64_t{words[draw % 4]} * groups >> 32];
  }
}

/// To two digits, and not below.
std::int64_t round_up(std::int64_t members) {
  std::int64_t unit = 1;
  while (members / unit >= 100) unit *= 10;
  return (members + unit - 1) / unit * unit;
}

/// An index below 0 is never passed over in silence.
void warn_negative(const std::string& kind, std::span<const Index> indices, std::span<const std::string> labels,
                   std::vector<std::string>& warnings) {
  std::vector<std::string> negative;
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i].value < 0) negative.push_back(labels[i] + " (" + format_short(indices[i].value, 3) + ")");
  if (!negative.empty())
    warnings.push_back(kind + " of " + join_words(negative) +
                       ": negative by sampling error alone, the true index is not");
}

}  // namespace

SobolSums::SobolSums(SaltelliLayout layout, int parts)
    : layout_(layout),
      parts_(static_cast<std::size_t>(parts)),
      rows_(static_cast<std::size_t>(layout.rows())),
      stride_(at_parameters + part_size * layout.parameters + pair_size * pairs(layout)) {
  CS_ASSERT(layout.parameters > 0 && parts > 0);
}

void SobolSums::add(std::span<const double> values, std::span<const executor::Status> status) {
  rows_.add(values, status, [this](std::span<const double> rows) { add_base(rows); });
}

double* SobolSums::next_group() {
  if (parts_ > 1) {
    const std::size_t part = static_cast<std::size_t>(seen_) % parts_;
    if (groups_.size() <= part * stride_) groups_.resize((part + 1) * stride_, 0.0);
    return groups_.data() + part * stride_;
  }
  if (seen_ == static_cast<std::int64_t>(most_runs) * length_) {
    for (std::size_t g = 0; g < most_runs / 2; ++g)
      for (std::size_t s = 0; s < stride_; ++s)
        groups_[g * stride_ + s] = groups_[2 * g * stride_ + s] + groups_[(2 * g + 1) * stride_ + s];
    groups_.resize(most_runs / 2 * stride_);
    length_ *= 2;
  }
  if (seen_ % length_ == 0) groups_.resize(groups_.size() + stride_, 0.0);
  return groups_.data() + groups_.size() - stride_;
}

void SobolSums::add_base(std::span<const double> rows) {
  double* sums = next_group();
  ++seen_;
  const auto there = [&](std::size_t row) { return std::isfinite(rows[row]); };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    left_out_ += there(row) ? 0 : 1;
    if (there(row)) rare_.see(rows[row], row < 2);
  }
  if (!has_shift_ && (there(0) || there(1))) {  // without either no row of the base is used
    has_shift_ = true;
    shift_ = rows[there(0) ? 0 : 1];
  }

  // sums
  const std::size_t k = layout_.parameters;
  const double a = rows[0] - shift_;
  const double b = rows[1] - shift_;
  if (there(0) && there(1)) {
    sums[at_count] += 2;
    sums[at_values] += a + b;
    sums[at_squares] += a * a + b * b;
  } else if (there(0) || there(1)) {
    const double one = there(0) ? a : b;
    sums[at_count] += 1;
    sums[at_values] += one;
    sums[at_squares] += one * one;
  }
  // AB_i: own = A, other = B
  const auto add_role = [&](std::size_t own, std::size_t other, std::size_t row, double* part) {
    if (!there(own) || !there(row)) return;
    const double step = (rows[row] - shift_) - (rows[own] - shift_);
    part[to_a] += step * step;
    part[doubles] += 1;
    if (!there(other)) return;
    const double rest = (rows[row] - shift_) - (rows[other] - shift_);
    part[difference] += step;
    part[product] += (rows[other] - shift_) * step;
    part[to_b] += rest * rest;
    part[triples] += 1;
  };
  for (std::size_t i = 0; i < k; ++i) {
    double* part = sums + at_parameters + part_size * i;
    add_role(0, 1, 2 + i, part);
    if (layout_.second_order) add_role(1, 0, 2 + k + i, part);
  }
  if (!layout_.second_order || !there(0) || !there(1)) return;
  double* pair = sums + at_parameters + part_size * k;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, pair += pair_size) {
      if (!there(2 + i) || !there(2 + j) || !there(2 + k + i) || !there(2 + k + j)) continue;
      pair[exchange] +=
          (rows[2 + k + i] - rows[1]) * (rows[2 + j] - rows[0]) + (rows[2 + k + j] - rows[1]) * (rows[2 + i] - rows[0]);
      pair[terms] += 1;
    }
}

std::size_t SobolSums::estimates() const { return 3 * layout_.parameters + pairs(layout_); }

double SobolSums::mean(std::span<const double> sums) const { return sums[at_values] / sums[at_count]; }

double SobolSums::variance(std::span<const double> sums) const {
  const double around = sums[at_squares] - sums[at_values] * mean(sums);
  return std::max(around, 0.0) / (sums[at_count] - 1);
}

void SobolSums::estimate(std::span<const double> sums, std::span<double> out) const {
  const std::size_t k = layout_.parameters;
  const double v = variance(sums);
  if (!(v > 0)) {
    std::fill(out.begin(), out.end(), nan);
    return;
  }
  const double m = mean(sums);
  for (std::size_t i = 0; i < k; ++i) {
    const double* part = sums.data() + at_parameters + part_size * i;
    out[i] = (part[product] - m * part[difference]) / part[triples] / v;  // NaN without a term
    out[k + i] = 1 - part[to_b] / (2 * part[triples]) / v;
    out[2 * k + i] = part[to_a] / (2 * part[doubles]) / v;
  }
  for (std::size_t p = 0; p < pairs(layout_); ++p) {
    const double* pair = sums.data() + at_parameters + part_size * k + pair_size * p;
    out[3 * k + p] = pair[exchange] / (2 * pair[terms]) / v;
  }
}

std::vector<double> SobolSums::total_sums() const {
  std::vector<double> sums(stride_, 0.0);
  for (std::size_t at = 0; at < groups_.size(); at += stride_)
    for (std::size_t s = 0; s < stride_; ++s) sums[s] += groups_[at + s];
  return sums;
}

std::string SobolSums::why_undefined(std::span<const double> sums, SobolIndices& result) const {
  if (groups_.empty() || sums[at_count] == 0) return "no member is left: the indices are undefined";
  result.mean = shift_ + mean(sums);
  result.variance = variance(sums);
  if (seen_ == 1 || sums[at_count] < 2) return "one base is too few: the indices are undefined";
  if (!std::isfinite(sums[at_squares]) || !std::isfinite(result.variance))
    return "the values are too large: their squares overflow and the indices are undefined; observe the quantity in a "
           "larger unit";
  result.constant = rare_.is_one();
  if (!rare_.are_few()) return "";
  result.too_few = {rare_.rare(), rare_.all(), 0};
  if (rare_.rare() == 0)
    return "none of " + counted(rare_.all()) + " independent members has another value than " +
           format_short(rare_.usual()) + ": none was seen, and the indices are undefined; fewer than " +
           format_short(100 * statistics::rule_of_three / static_cast<double>(rare_.all()), 2) +
           " % of all may have one (95 %)";
  result.too_few.needed_members = round_up(layout_.members(
      static_cast<std::int64_t>(std::ceil(static_cast<double>(statistics::least_hits) / 2 *
                                          static_cast<double>(rare_.all()) / static_cast<double>(rare_.rare())))));
  return "only " + counted(rare_.rare()) + " of " + counted(rare_.all()) +
         " independent members have another value than " + format_short(rare_.usual()) +
         ", and no index is to rest on fewer than " + std::to_string(statistics::least_hits) + ": it takes about " +
         counted(result.too_few.needed_members, "member") + ", and there are " + counted(layout_.members(seen_));
}

SobolSums::Resampled SobolSums::resample(std::uint64_t seed, int resamplings) const {
  // groups that hold a base
  std::vector<const double*> groups;
  for (std::size_t at = 0; at < groups_.size(); at += stride_)
    if (groups_[at + at_count] > 0) groups.push_back(groups_.data() + at);

  // a replicate in which all values are equal says nothing and is not kept
  Resampled resampled{groups.size(), resamplings, std::vector<std::vector<double>>(estimates())};
  std::vector<int> weights(groups.size());
  std::vector<double> drawn(stride_), values(estimates());
  for (int replicate = 0; replicate < resamplings; ++replicate) {
    draw_weights(seed, replicate, weights);
    std::fill(drawn.begin(), drawn.end(), 0.0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (weights[g] == 0) continue;
      const auto weight = static_cast<double>(weights[g]);
      for (std::size_t s = 0; s < stride_; ++s) drawn[s] += weight * groups[g][s];
    }
    estimate(drawn, values);
    for (std::size_t e = 0; e < values.size(); ++e)
      if (!std::isnan(values[e])) resampled.values[e].push_back(values[e]);
  }
  return resampled;
}

bool SobolSums::Resampled::is_enough(std::size_t e) const {
  return groups > 1 && values[e].size() * 2 > static_cast<std::size_t>(resamplings);
}

bool SobolSums::Resampled::set_intervals(std::span<Index> indices) {
  bool enough = true;
  const auto g = static_cast<double>(groups);
  const double outer = groups > 1 ? normal_tail(std::sqrt(g / (g - 1)) * student_reach(g - 1)) : nan;
  for (std::size_t e = 0; e < indices.size(); ++e) {
    enough = enough && is_enough(e);
    if (!is_enough(e)) continue;
    std::sort(values[e].begin(), values[e].end());
    const auto quantile = [&](double level) {
      return statistics::sorted_quantile(values[e].data(), static_cast<long>(values[e].size()), level);
    };
    indices[e].lower = quantile(outer);
    indices[e].upper = quantile(1 - outer);
  }
  return enough;
}

void SobolSums::hand_out(std::span<const Index> all, SobolIndices& result) const {
  const std::size_t k = layout_.parameters;
  const auto part = [&](std::size_t first, std::size_t count) {
    const auto some = all.subspan(first, count);
    return std::vector<Index>(some.begin(), some.end());
  };
  result.first = part(0, k);
  result.first_jansen = part(k, k);
  result.total = part(2 * k, k);
  result.second = part(3 * k, all.size() - 3 * k);
}

void SobolSums::warn(std::span<const std::string> names, double fewest, SobolIndices& result) const {
  const std::size_t k = layout_.parameters;
  if (fewest < static_cast<double>(enough_bases))
    result.warnings.push_back("only " + format_number(fewest) + " bases" +
                              (result.left_out > 0 ? " are whole for some index" : "") +
                              ": the intervals are rough; take " + std::to_string(enough_bases) + " or more");
  const double spread = std::sqrt(result.variance);
  if (spread < 1e-12 * std::abs(result.mean))
    result.warnings.push_back("the values differ by little more than rounding (standard deviation " +
                              format_short(spread, 3) + ", mean " + format_short(result.mean, 6) +
                              "): the indices may be those of rounding errors");
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < k && layout_.second_order; ++i)
    for (std::size_t j = i + 1; j < k; ++j) labels.push_back(names[i] + " × " + names[j]);
  const auto warn_of = [&](const std::string& kind, std::span<const Index> indices, std::span<const std::string> of) {
    warn_near_zero(kind, indices, of, "more bases narrow it", result.warnings);
    warn_negative(kind, indices, of, result.warnings);
  };
  warn_of("first-order index", result.first, names);
  warn_of("total index", result.total, names);
  warn_of("second-order index", result.second, labels);
}

SobolIndices SobolSums::indices(std::span<const std::string> names, std::uint64_t seed, int resamplings) const {
  const std::size_t k = layout_.parameters;
  CS_ASSERT(names.size() == k && resamplings > 1);
  SobolIndices result;
  result.bases = seen_;
  result.left_out = left_out();
  std::vector<Index> all(estimates());
  if (result.left_out > 0)
    result.warnings.push_back(counted(result.left_out) + " of " + counted(layout_.members(seen_), "member") +
                              " are left out (stopped, or without a value): the indices speak of the others");
  const std::vector<double> sums = total_sums();
  if (const std::string why = why_undefined(sums, result); !why.empty()) {
    hand_out(all, result);
    result.warnings.push_back(why);
    return result;
  }

  // estimates and their intervals
  std::vector<double> values(estimates());
  estimate(sums, values);
  for (std::size_t e = 0; e < values.size(); ++e) all[e].value = values[e];
  Resampled resampled = resample(seed, resamplings);
  const bool enough = resampled.set_intervals(all);
  hand_out(all, result);

  // what to be careful with
  if (!enough)
    result.warnings.push_back("hardly any value differs from the others: there are no intervals; take more bases");
  double fewest = static_cast<double>(seen_);  // terms of an index
  for (std::size_t i = 0; i < k; ++i) fewest = std::min(fewest, sums[at_parameters + part_size * i + triples]);
  warn(names, fewest, result);
  return result;
}

}  // namespace conesweep::sensitivity
