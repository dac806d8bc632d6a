#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Functions on the unit cube whose Sobol indices are known in closed form.
namespace conesweep::test {

struct KnownIndices {
  std::string name;
  std::size_t parameters = 0;
  std::function<double(std::span<const double>)> f;
  double mean = 0;
  double variance = 0;
  std::vector<double> first;
  std::vector<double> total;
  std::vector<double> second;  // pairs (0, 1), (0, 2), …
};

constexpr double pi = 3.14159265358979323846;

/// sin x1 + a sin² x2 + b x3⁴ sin x1, x uniform in ]-π, π[ [IshigamiHomma1990].
inline KnownIndices ishigami(double a = 7, double b = 0.1) {
  KnownIndices known{"Ishigami", 3, {}, 0, 0, {}, {}, {}};
  known.f = [a, b](std::span<const double> u) {
    const double x1 = (2 * u[0] - 1) * pi;
    const double x2 = (2 * u[1] - 1) * pi;
    const double x3 = (2 * u[2] - 1) * pi;
    return std::sin(x1) + a * std::sin(x2) * std::sin(x2) + b * x3 * x3 * x3 * x3 * std::sin(x1);
  };
  const double pi4 = pi * pi * pi * pi;
  const double v1 = 0.5 * (1 + b * pi4 / 5) * (1 + b * pi4 / 5);
  const double v2 = a * a / 8;
  const double v13 = 8 * b * b * pi4 * pi4 / 225;
  const double v = v1 + v2 + v13;
  known.mean = a / 2;
  known.variance = v;
  known.first = {v1 / v, v2 / v, 0};
  known.total = {(v1 + v13) / v, v2 / v, v13 / v};
  known.second = {0, v13 / v, 0};
  return known;
}

/// Π (|4u_i - 2| + a_i)/(1 + a_i): variances v_i = 1/(3(1 + a_i)²), and every set has the product of its v_i
/// [Sobol1993].
inline KnownIndices sobol_g(const std::vector<double>& a) {
  KnownIndices known{"g", a.size(), {}, 1, 0, {}, {}, {}};
  known.f = [a](std::span<const double> u) {
    double product = 1;
    for (std::size_t i = 0; i < a.size(); ++i) product *= (std::abs(4 * u[i] - 2) + a[i]) / (1 + a[i]);
    return product;
  };
  std::vector<double> v;
  double all = 1;
  for (const double x : a) {
    v.push_back(1 / (3 * (1 + x) * (1 + x)));
    all *= 1 + v.back();
  }
  known.variance = all - 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    known.first.push_back(v[i] / known.variance);
    known.total.push_back(v[i] * all / (1 + v[i]) / known.variance);
    for (std::size_t j = i + 1; j < a.size(); ++j) known.second.push_back(v[i] * v[j] / known.variance);
  }
  return known;
}

/// c·u: first and total are c_i² / |c|².
inline KnownIndices linear(const std::vector<double>& c) {
  KnownIndices known{"linear", c.size(), {}, 0, 0, {}, {}, {}};
  known.f = [c](std::span<const double> u) {
    double sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i) sum += c[i] * u[i];
    return sum;
  };
  for (const double x : c) {
    known.mean += x / 2;
    known.variance += x * x / 12;
  }
  for (const double x : c) known.first.push_back(x * x / 12 / known.variance);
  known.total = known.first;
  known.second.assign(c.size() * (c.size() - 1) / 2, 0);
  return known;
}

}  // namespace conesweep::test
