#include "statistics/sketch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <conesweep/statistics/quantile.hpp>

#include "statistics/scale.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::statistics {

using executor::Status;

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::size_t piece = 65536;  // values that are counted at once in a table

// Doubles in their order as whole numbers: those of negative ones run backwards.
std::uint64_t to_key(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
double to_value(std::uint64_t key) { return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key); }

}  // namespace

Sketch::Sketch(std::size_t room) : room_(room) { CS_ASSERT(room >= least_room); }

double Sketch::error() const { return digits_ == all_digits ? 0 : std::ldexp(1.0, -(digits_ + 1)); }

void Sketch::add(std::span<const double> values, std::span<const Status> status) {
  CS_ASSERT(values.size() == status.size());
  std::vector<double> here;
  std::vector<Tally> found;
  for (std::size_t at = 0; at < values.size(); at += piece) {
    const std::size_t end = std::min(at + piece, values.size());
    here.clear();
    here.reserve(end - at);
    for (std::size_t i = at; i < end; ++i)
      if (status[i] == Status::ok && !std::isnan(values[i])) here.push_back(values[i] + 0.0);  // -0 becomes 0
    found.clear();
    if (!count_in_rows(here, found)) count_in_table(here, found);
    count_ += static_cast<std::int64_t>(here.size());
    merge(found);
  }
}

void Sketch::add(const Sketch& other) {
  CS_ASSERT(room_ == other.room_);
  count_ += other.count_;
  if (other.digits_ < digits_) cut_to(other.digits_);
  if (other.digits_ == digits_) return merge(other.places_);
  Sketch cut = other;
  cut.cut_to(digits_);
  merge(cut.places_);
}

// A counter for every number that may occur, in one row for each sign: where values do not reach over too many powers
// of two.
bool Sketch::count_in_rows(std::span<const double> values, std::vector<Tally>& found) const {
  constexpr std::uint64_t longest = 1 << 17;
  const int off = all_digits - digits_;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0, zeros = 0;
  for (const double x : values) {
    const std::uint64_t size = std::bit_cast<std::uint64_t>(x) & ~sign_bit;
    zeros += size == 0;
    least = std::min(least, size - 1);  // 0 is no number here
    most = std::max(most, size);
  }
  ++least;
  if (most == 0) {
    if (zeros > 0) found.push_back({sign_bit >> off, static_cast<std::int64_t>(zeros)});
    return true;
  }
  const std::uint64_t first = least >> off, length = (most >> off) - first + 1;
  if (length > longest) return false;
  static thread_local std::vector<std::uint32_t> counts;
  counts.assign(2 * length + 1, 0);  // |x| of negative numbers, of others; and zeros, which are not looked at
  std::uint32_t* const rows[] = {counts.data() + length, counts.data()};
  for (const double x : values) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t size = bits & ~sign_bit;
    ++*(size == 0 ? counts.data() + 2 * length : rows[bits >> 63] + ((size >> off) - first));
  }
  // -2.5 is cut to the key that all from -2.5 to the next one below share, so keys of negative numbers are taken from
  // all of their digits
  for (std::uint64_t k = length; k-- > 0;)
    if (counts[k] > 0) found.push_back({~(sign_bit | (first + k) << off) >> off, counts[k]});
  const auto add_zeros = [&] { found.push_back({sign_bit >> off, static_cast<std::int64_t>(zeros)}); };
  bool told = zeros == 0;
  for (std::uint64_t k = 0; k < length; ++k) {
    if (counts[length + k] == 0) continue;
    const std::uint64_t key = (sign_bit | (first + k) << off) >> off;
    if (!told) told = true, add_zeros();
    if (!found.empty() && found.back().key == key)
      found.back().count += counts[length + k];  // next to 0
    else
      found.push_back({key, counts[length + k]});
  }
  if (!told) add_zeros();
  return true;
}

// A place for every number that does occur.
void Sketch::count_in_table(std::span<const double> values, std::vector<Tally>& found) const {
  constexpr std::size_t length = 2 * piece;
  const int off = all_digits - digits_;
  static thread_local std::vector<Tally> table;
  table.assign(length, Tally{0, 0});
  for (const double x : values) {
    const std::uint64_t key = to_key(x) >> off;
    std::size_t at = key * 0x9E3779B97F4A7C15u >> 47;  // 17 bits [Fibonacci hashing]
    while (table[at].count > 0 && table[at].key != key) at = (at + 1) % length;
    table[at].key = key;
    ++table[at].count;
  }
  for (const Tally& place : table)
    if (place.count > 0) found.push_back(place);
  std::sort(found.begin(), found.end(), [](const Tally& a, const Tally& b) { return a.key < b.key; });
}

// Of as many digits as here.
void Sketch::merge(const std::vector<Tally>& more) {
  std::vector<Tally> all;
  all.reserve(places_.size() + more.size());
  auto a = places_.begin();
  for (const Tally& b : more) {
    while (a != places_.end() && a->key < b.key) all.push_back(*a++);
    if (a != places_.end() && a->key == b.key)
      all.push_back({b.key, a++->count + b.count});
    else
      all.push_back(b);
  }
  all.insert(all.end(), a, places_.end());
  places_ = std::move(all);
  while (places_.size() > room_) cut_to(digits_ - 1);
}

void Sketch::cut_to(int digits) {
  CS_ASSERT(digits >= 0 && digits <= digits_);
  const int off = digits_ - digits;
  std::size_t kept = 0;
  for (const Tally& place : places_) {
    const std::uint64_t key = place.key >> off;
    if (kept > 0 && places_[kept - 1].key == key)
      places_[kept - 1].count += place.count;
    else
      places_[kept++] = {key, place.count};
  }
  places_.resize(kept);
  digits_ = digits;
}

double Sketch::middle_of(std::uint64_t key) const {
  const int off = all_digits - digits_;
  const std::uint64_t lowest = key << off, highest = lowest | ((std::uint64_t{1} << off) - 1);
  const double lower = to_value(lowest), upper = to_value(highest);
  if (lower == 0) return 0;
  if (std::isinf(lower) || std::isnan(lower)) return upper;  // -inf is the last of its numbers, inf the first
  if (std::isinf(upper) || std::isnan(upper)) return lower;
  return lower + (upper - lower) / 2;
}

double Sketch::quantile(double level, double min, double max) const {
  if (count_ == 0) return nan;
  const double place = static_cast<double>(count_ - 1) * level;
  const auto below = static_cast<std::int64_t>(place), above = std::min(below + 1, count_ - 1);
  std::int64_t before = 0;
  auto at = places_.begin();
  while (before + at->count <= below) before += at++->count;
  const double lower = below == 0 ? min : below == count_ - 1 ? max : std::clamp(middle_of(at->key), min, max);
  while (before + at->count <= above) before += at++->count;
  const double upper = above == count_ - 1 ? max : std::clamp(middle_of(at->key), min, max);
  return interpolate(lower, std::max(lower, upper), place - static_cast<double>(below));
}

Histogram Sketch::histogram(double min, double max) const {
  std::vector<std::pair<double, std::int64_t>> values;
  for (const Tally& place : places_)
    if (const double x = std::clamp(middle_of(place.key), min, max); std::isfinite(x))
      values.emplace_back(x, place.count);
  if (values.empty()) return {};
  // the ends of finite values are known where there are no others
  const double lower = std::isfinite(min) ? min : values.front().first,
               upper = std::isfinite(max) ? max : values.back().first;
  Histogram histogram;
  histogram.edges.push_back(lower);
  auto at = values.begin();
  for (int bin = 1; bin <= histogram_bins; ++bin) {
    const bool upmost = bin == histogram_bins;
    histogram.edges.push_back(upmost ? upper : interpolate(lower, upper, static_cast<double>(bin) / histogram_bins));
    std::int64_t count = 0;
    for (; at != values.end() && (upmost || at->first < histogram.edges.back()); ++at) count += at->second;
    histogram.counts.push_back(count);
  }
  return histogram;
}

double Sketch::trimmed_mean(double min, double max) const {
  if (count_ == 0) return nan;
  const std::int64_t off = count_ / trimmed_one_in;
  std::vector<std::pair<double, std::int64_t>> kept;
  std::int64_t before = 0;
  for (const Tally& place : places_) {
    const std::int64_t inside = std::min(before + place.count, count_ - off) - std::max(before, off);
    if (inside > 0) kept.emplace_back(std::clamp(middle_of(place.key), min, max), inside);
    before += place.count;
  }
  const double lower = kept.front().first, upper = kept.back().first;
  if (std::isinf(lower) || std::isinf(upper)) return lower + upper;
  const double factor = moment_factor(std::max(std::abs(lower), std::abs(upper)));
  const double about = factor * kept[kept.size() / 2].first;
  double sum = 0;
  for (const auto& [x, count] : kept) sum += (factor * x - about) * static_cast<double>(count);
  return std::clamp((about + sum / static_cast<double>(count_ - 2 * off)) / factor, lower, upper);
}

std::string Sketch::pack() const { return ByteWriter().put(room_).put(digits_).put(count_).put(places_).take(); }

Sketch Sketch::unpack(const std::string& text) {
  ByteReader bytes(text);
  Sketch sketch(bytes.get<std::size_t>());
  sketch.digits_ = bytes.get<int>();
  sketch.count_ = bytes.get<std::int64_t>();
  sketch.places_ = bytes.get_all<Tally>();
  return sketch;
}

}  // namespace conesweep::statistics
