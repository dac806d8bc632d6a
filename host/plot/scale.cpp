#include "plot/scale.hpp"

#include <algorithm>
#include <cmath>

#include "support/text.hpp"

namespace conesweep::plot {
namespace {

// 1, 2, 2.5 or 5 times a power of ten, not below `least`.
double round_up(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

Ticks decades(const Scale& scale, int about) {
  Ticks ticks;
  const int first = static_cast<int>(std::ceil(std::log10(scale.range.least) - 1e-9)), last = static_cast<int>(std::floor(std::log10(scale.range.most) + 1e-9));
  const int every = std::max(1, (last - first + about) / about);
  // less than two decades have 2 and 5 among them
  const std::vector<double> factors = last - first < 2 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
  for (int power = first - 1; power <= last; power += last - first < 2 ? 1 : every)
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, power);
      if (value < scale.range.least * (1 - 1e-9) || value > scale.range.most * (1 + 1e-9)) continue;
      ticks.values.push_back(value);
      ticks.labels.push_back(std::abs(power) <= 2 || factors.size() > 1 ? format_short(value, 3) : power_of_ten(power));
    }
  return ticks;
}

}  // namespace

void Range::add(double value) {
  if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
}

void Range::add(const std::vector<double>& values) {
  for (const double value : values) add(value);
}

Range Range::widened(double margin) const {
  if (!(least <= most)) return {0, 1};
  const double size = std::max(std::fabs(least), std::fabs(most));
  const double room = length() > 1e-9 * size ? margin * length() : size > 0 ? 0.1 * size : 1;
  return {least - room, most + room};
}

double Scale::operator()(double value) const {
  const double share = logarithmic ? std::log(value / range.least) / std::log(range.most / range.least) : (value - range.least) / range.length();
  return from + share * (to - from);
}

Ticks make_ticks(const Scale& scale, int about) {
  if (scale.logarithmic) return decades(scale, about);
  Ticks ticks;
  const double step = round_up((scale.range.length()) / about);
  const double size = std::max(std::fabs(scale.range.least), std::fabs(scale.range.most));
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  ticks.power = exponent >= 5 || exponent <= -3 ? exponent : 0;
  const double unit = std::pow(10.0, ticks.power);
  // as many digits after the point as the step has
  int decimals = 0;
  while (decimals < 12 && std::fabs(std::round(step / unit * std::pow(10.0, decimals)) - step / unit * std::pow(10.0, decimals)) > 1e-6) ++decimals;
  for (double k = std::ceil(scale.range.least / step - 1e-9); k * step <= scale.range.most + 1e-9 * step; ++k) {
    ticks.values.push_back(k * step);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, k * step / unit + 0.0);
    ticks.labels.push_back(with_minus(text));
  }
  return ticks;
}

std::string with_minus(std::string text) {
  if (text.starts_with("-")) text.replace(0, 1, "−");
  return text;
}

std::string power_of_ten(int power) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = power < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(power))) text += raised[digit - '0'];
  return text;
}

}  // namespace conesweep::plot
