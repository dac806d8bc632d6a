#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

/// E4: x''(t) = -k x(t - tau) with a polynomial past, two ways.
namespace conesweep::oracle {

using Polynomial = std::vector<long double>;  // coefficients of 1, s, s², …

inline long double evaluate(const Polynomial& p, long double s) {
  long double value = 0;
  for (std::size_t k = p.size(); k-- > 0;) value = value * s + p[k];
  return value;
}

inline Polynomial integrate(const Polynomial& p, long double at_zero) {
  Polynomial q = {at_zero};
  for (std::size_t k = 0; k < p.size(); ++k) q.push_back(p[k] / static_cast<long double>(k + 1));
  return q;
}

inline Polynomial differentiate(const Polynomial& p) {
  Polynomial q;
  for (std::size_t k = 1; k < p.size(); ++k) q.push_back(p[k] * static_cast<long double>(k));
  return q;
}

/// p(s - shift)
inline Polynomial shifted(const Polynomial& p, long double shift) {
  Polynomial q;
  for (std::size_t k = p.size(); k-- > 0;) {
    // q = q (s - shift) + p[k]
    Polynomial next(q.size() + 1, 0.0L);
    for (std::size_t j = 0; j < q.size(); ++j) next[j + 1] += q[j], next[j] -= shift * q[j];
    next[0] += p[k];
    q = next;
  }
  return q;
}

/// The exact solution, one polynomial for each interval [n tau, (n+1) tau] in the local time s = t - n tau:
///   x_n'' (s) = -k x_{n-1}(s),  x_n(0) = x_{n-1}(tau),  x_n'(0) = x_{n-1}'(tau),  x_{-1}(s) = past(s - tau).
class MethodOfSteps {
 public:
  MethodOfSteps(const Polynomial& past, long double start_velocity, long double k, long double tau, int intervals)
      : tau_(tau) {
    Polynomial before = shifted(past, tau);
    long double x = evaluate(past, 0), v = start_velocity;
    for (int n = 0; n < intervals; ++n) {
      Polynomial acceleration = before;
      for (long double& c : acceleration) c *= -k;
      pieces_.push_back(integrate(integrate(acceleration, v), x));
      x = evaluate(pieces_.back(), tau), v = evaluate(differentiate(pieces_.back()), tau);
      before = pieces_.back();
    }
  }

  double position(long double t) const { return static_cast<double>(evaluate(piece(t), local(t))); }
  double velocity(long double t) const { return static_cast<double>(evaluate(differentiate(piece(t)), local(t))); }
  const std::vector<Polynomial>& pieces() const { return pieces_; }

 private:
  std::size_t interval(long double t) const { return std::min(static_cast<std::size_t>(t / tau_), pieces_.size() - 1); }
  const Polynomial& piece(long double t) const { return pieces_[interval(t)]; }
  long double local(long double t) const { return t - static_cast<long double>(interval(t)) * tau_; }

  long double tau_;
  std::vector<Polynomial> pieces_;
};

/// The scheme itself, (P1), (P3), (P5), (P10), for the same problem, in extended precision with the whole motion kept.
struct DelayedSteps {
  std::vector<long double> x, v;  // x_i, i = 0 … N; v_i, i = 0 … N - 1
};
inline DelayedSteps step_with_delay(const Polynomial& past, long double start_velocity, long double k, long double tau,
                                    long double h, std::int64_t steps) {
  // within 1e-9 of a whole number of steps it is that number
  if (const long double whole = std::round(tau / h); std::fabs(tau / h - whole) <= 1e-9L) tau = whole * h;
  DelayedSteps m;
  m.x.push_back(evaluate(past, 0));
  long double v = start_velocity;
  for (std::int64_t i = 0; i < steps; ++i) {
    const long double s = static_cast<long double>(i) * h - tau;
    long double then = 0;
    if (s < 0) {
      then = evaluate(past, s);
    } else {
      const auto j = static_cast<std::size_t>(s / h);
      const long double into = s - static_cast<long double>(j) * h;
      then = j < m.v.size() ? m.x[j] + into * m.v[j] : m.x[j];  // affine with the step's own velocity
    }
    v -= h * k * then;
    m.v.push_back(v);
    m.x.push_back(m.x.back() + h * v);
  }
  return m;
}

}  // namespace conesweep::oracle
