#include "plot/scale.hpp"

#include <algorithm>
#include <limits>

#include "support/text.hpp"

namespace conesweep::plot {
namespace {

constexpr std::size_t longest_tick = 16, longest_level = 6;
constexpr double shortest = 1e-300;  // of a range

// log(a / b), where the quotient may be no number
double log_ratio(double a, double b) {
  const double ratio = a / b;
  return std::isfinite(ratio) && ratio > 0 ? std::log(ratio) : std::log(a) - std::log(b);
}

// 1, 2 or 5 times a power of ten, as near as can be.
double round_step(double wanted) {
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  double best = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (std::fabs(std::log(factor * power / wanted)) < std::fabs(std::log(best / wanted))) best = factor * power;
  return best;
}

// Large and small numbers are divided by a power of ten.
int common_power(const NumberRange& range) {
  const int power = static_cast<int>(std::floor(std::log10(std::max(std::fabs(range.least), std::fabs(range.most)))));
  return power >= 5 || power <= -3 ? power : 0;
}

Ticks decades(const NumberRange& range, int about) {
  Ticks ticks;
  const int first = static_cast<int>(std::ceil(std::log10(range.least) - 1e-9)),
            last = static_cast<int>(std::floor(std::log10(range.most) + 1e-9));
  // axes of less than two decades have ticks at 2 and 5 times a power of ten, too
  const bool few = last - first < 2, plain = first >= -2 && last <= 3;
  if (few) ticks.power = common_power(range);
  for (int power = first - 1; power <= last; power += few ? 1 : std::max(1, (last - first + about) / about))
    for (const double factor : few ? std::vector<double>{1, 2, 5} : std::vector<double>{1}) {
      const double value = factor * std::pow(10.0, power);
      if (value < range.least * (1 - 1e-9) || value > range.most * (1 + 1e-9)) continue;
      ticks.values.push_back(value);
      ticks.labels.push_back(few || plain ? format_short(value / std::pow(10.0, ticks.power), 3) : power_of_ten(power));
    }
  return ticks;
}

// Where all of them can be written in a few characters.
Ticks at_levels(const std::vector<double>& levels) {
  Ticks ticks{levels, {}};
  for (const double level : levels) ticks.labels.push_back(written(level, 12));
  const bool long_ones = std::any_of(ticks.labels.begin(), ticks.labels.end(),
                                     [](const auto& label) { return display_width(label) > longest_level; });
  return long_ones ? Ticks() : ticks;
}

}  // namespace

void NumberRange::add(double value) {
  if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
}

void NumberRange::add(const std::vector<double>& values) {
  for (const double value : values) add(value);
}

double NumberRange::share_of(double value) const {
  if (std::isfinite(length())) return (value - least) / length();
  return (value / 4 - least / 4) / (most / 4 - least / 4);  // no difference of these is too large
}

bool NumberRange::is_point() const {
  return !(length() > std::max(1e-9 * std::max(std::fabs(least), std::fabs(most)), shortest));
}

NumberRange NumberRange::widened(double margin) const {
  constexpr double furthest = std::numeric_limits<double>::max();
  if (is_empty()) return {0, 1};
  const double size = std::max(std::fabs(least), std::fabs(most));
  const double room = !is_point() ? (margin > 0 ? margin * length() : 0)
                      : size > 0  ? std::max(0.1 * size, shortest)
                                  : 1;
  return {std::max(-furthest, least - room), std::min(furthest, most + room)};
}

double Axis::operator()(double value) const {
  const double share =
      logarithmic ? log_ratio(value, range.least) / log_ratio(range.most, range.least) : range.share_of(value);
  return from + share * (to - from);
}

double Axis::at(double place) const {
  const double share = (place - from) / (to - from);
  if (!logarithmic)
    return std::isfinite(range.length()) ? range.least + share * range.length()
                                         : (1 - share) * range.least + share * range.most;
  const double ratio = range.most / range.least;
  return std::isfinite(ratio) ? range.least * std::pow(ratio, share)
                              : std::exp(std::log(range.least) + share * log_ratio(range.most, range.least));
}

void Axis::end_at(NumberRange numbers) {
  logarithmic = logarithmic && (numbers.is_empty() || numbers.least > 0);
  range = logarithmic ? NumberRange{std::log(numbers.least), std::log(numbers.most)}.widened(margin)
                      : numbers.widened(margin);
  if (!logarithmic) return;
  constexpr double nearest = std::numeric_limits<double>::min(), furthest = std::numeric_limits<double>::max();
  range = {std::max(nearest, std::exp(range.least)), std::min(furthest, std::exp(range.most))};
}

bool Axis::fit(std::vector<double> numbers) {
  if (!names.empty()) range = {-0.5, static_cast<double>(names.size()) - 0.5};
  if (!range.is_empty()) {
    if (names.empty() && (range.is_point() || !std::isfinite(range.length()))) range = range.widened(0);
    return false;
  }
  std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
  std::sort(numbers.begin(), numbers.end());
  NumberRange all, most;
  all.add(numbers);
  for (std::size_t k = numbers.size() / 20; k < numbers.size() - numbers.size() / 20; ++k) most.add(numbers[k]);
  const bool beyond = !logarithmic && all.length() > 1000 * most.length() && most.length() > 0;
  if (beyond) most = most.widened(1), all = {std::max(all.least, most.least), std::min(all.most, most.most)};
  end_at(all);
  return beyond;
}

Ticks make_ticks(const Axis& axis, int about) {
  Ticks ticks;
  for (const auto& name : axis.names)
    ticks.values.push_back(static_cast<double>(ticks.values.size())), ticks.labels.push_back(cut(name, longest_tick));
  if (axis.names.empty() && static_cast<int>(axis.levels.size()) <= about + 3) ticks = at_levels(axis.levels);
  if (!ticks.values.empty()) return ticks;
  if (axis.logarithmic) return decades(axis.range, about);
  const double length = axis.range.length();
  const double step =
      round_step(std::isfinite(length) ? length / about : axis.range.most / about - axis.range.least / about);
  ticks.power = common_power(axis.range);
  const double unit = std::pow(10.0, ticks.power);
  // a tick has as many decimals as the step between ticks
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)));
  for (double k = std::ceil(axis.range.least / step - 1e-9); k <= axis.range.most / step + 1e-9; ++k) {
    char text[64];
    std::snprintf(text, sizeof text, "%s%.*f", k < 0 ? "−" : "", decimals, std::fabs(k * step / unit));
    ticks.values.push_back(k * step), ticks.labels.push_back(text);
  }
  return ticks;
}

}  // namespace conesweep::plot
