#pragma once

#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace conesweep::oracle {

/// Slope of the least-squares line through (log x, log y): the p of y = C x^p.
inline double fit_power(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double a = std::log(x[k]), b = std::log(y[k]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Numbers of steps that grow by √2, so that an event falls at ever other places inside a step.
inline std::vector<long> step_ladder(long coarsest, int count = 9) {
  std::vector<long> ladder;
  for (int k = 0; k < count; ++k) ladder.push_back(std::lround(static_cast<double>(coarsest) * std::pow(2.0, k / 2.0)));
  return ladder;
}

/// A number in [0, 1[ for the j-th jitter of the k-th datum: the fractional part of j times an irrational, which fills
/// evenly.
inline double jitter(int j, int k = 0) {
  static const double irrational[] = {0.6180339887498949, 0.4142135623730951, 0.7320508075688772, 0.2360679774997898};
  const double x = (j + 1) * irrational[k];
  return x - std::floor(x);
}

/// The observed order of one quantity: |error| averaged over jittered data at each step size, then fitted.
struct ObservedOrder {
  std::string quantity;
  std::vector<double> h, mean_error;
  double order = 0;
};

/// `errors(N)` gives the errors with N steps on [0, end]: [jittered data][quantity]. Prints a line a quantity.
template <class Errors>
std::vector<ObservedOrder> observe_order(const std::string& title, const std::vector<std::string>& quantities,
                                         double end, const std::vector<long>& ladder, const Errors& errors) {
  std::vector<ObservedOrder> observed;
  for (const std::string& quantity : quantities) observed.push_back({quantity, {}, {}, 0});
  for (const long steps : ladder) {
    std::vector<double> sum(quantities.size(), 0.0);
    const std::vector<std::vector<double>> all = errors(steps);
    for (const std::vector<double>& e : all)
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += std::fabs(e[k]);
    for (std::size_t k = 0; k < sum.size(); ++k) {
      observed[k].h.push_back(end / static_cast<double>(steps));
      observed[k].mean_error.push_back(sum[k] / static_cast<double>(all.size()));
    }
  }
  for (ObservedOrder& o : observed) {
    o.order = fit_power(o.h, o.mean_error);
    std::cout << title << ", " << o.quantity << ": order " << std::fixed << std::setprecision(3) << o.order
              << std::scientific << std::setprecision(1) << "  (mean error " << o.mean_error.front()
              << " at h = " << o.h.front() << " to " << o.mean_error.back() << " at h = " << o.h.back() << ")\n"
              << std::defaultfloat << std::setprecision(6);
  }
  return observed;
}

}  // namespace conesweep::oracle
