// Boost.odeint: its Euler stepper for the velocity, (P2)-(P6) by the user. Compiled and called by peer_odeint.py.
// `static`: in a shared library g++ would not put a function inline that another could replace.
// user: plane delay smooth delays ball slope
#include <array>
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <cmath>
#include <vector>

using Vec = std::array<double, 3>;
// end

// user: plane delay delays ball slope
static void slide_or_stick(Vec& w_t, double w_n, double mu) {
  const double speed = std::sqrt(w_t[0] * w_t[0] + w_t[1] * w_t[1] + w_t[2] * w_t[2]), grip = -mu * w_n;
  const double keep = speed > grip ? (speed - grip) / speed : 0;
  for (double& x : w_t) x *= keep;
}
// end

// user: plane delay delays slope
static void hit_plane(const Vec& q, Vec& w, double mu) {
  if (q[2] > 0 || w[2] >= 0) return;
  const double w_n = w[2];
  w[2] = 0;
  slide_or_stick(w, w_n, mu);
}
// end

// user: ball
static void hit_ball(const Vec& q, Vec& w, double mu, double radius) {
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  if (square < radius * radius) return;
  const double length = std::sqrt(square), w_n = -(q[0] * w[0] + q[1] * w[1] + q[2] * w[2]) / length;
  if (w_n >= 0) return;
  for (int c = 0; c < 3; ++c) w[c] += w_n * q[c] / length;
  slide_or_stick(w, w_n, mu);
}
// end

// user: plane slope
extern "C" void step_free(int members, int steps, double h, const double* mu, const double* pull, double* state) {
  boost::numeric::odeint::euler<Vec> stepper;
  for (int m = 0; m < members; ++m) {
    double* s = state + 6 * m;
    Vec q{s[0], s[1], s[2]}, v{s[3], s[4], s[5]};
    const auto force = [&](const Vec&, Vec& f, double) { f = {pull[0], pull[1], pull[2]}; };
    for (int i = 0; i < steps; ++i) {
      stepper.do_step(force, v, i * h, h);
      hit_plane(q, v, mu[m]);
      for (int c = 0; c < 3; ++c) q[c] += h * v[c];
    }
    for (int c = 0; c < 3; ++c) s[c] = q[c], s[3 + c] = v[c];
  }
}
// end

// user: delay smooth delays ball
extern "C" void step_delayed(int members, int steps, double h, const double* mu, const double* pull, double* state,
                             double k, const double* tau, int slots, int wall, double radius) {
  boost::numeric::odeint::euler<Vec> stepper;
  std::vector<Vec> ring(slots);
  for (int m = 0; m < members; ++m) {
    double* s = state + 6 * m;
    Vec q{s[0], s[1], s[2]}, v{s[3], s[4], s[5]}, older = q, newer;
    for (Vec& x : ring) x = q;
    const int lag = static_cast<int>(tau[m] / h + 1e-9);
    const double share = std::max(0.0, tau[m] / h - lag);
    const auto force = [&](const Vec&, Vec& f, double) {
      for (int c = 0; c < 3; ++c) f[c] = k * (share * older[c] + (1 - share) * newer[c] - q[c]) + pull[c];
    };
    for (int i = 0, now = 0, then = (slots - lag) % slots; i < steps; ++i) {
      ring[now] = q;
      newer = ring[then];
      stepper.do_step(force, v, i * h, h);
      older = newer;
      if (wall == 1) hit_plane(q, v, mu[m]);
      if (wall == 2) hit_ball(q, v, mu[m], radius);
      for (int c = 0; c < 3; ++c) q[c] += h * v[c];
      now = now + 1 == slots ? 0 : now + 1;
      then = then + 1 == slots ? 0 : then + 1;
    }
    for (int c = 0; c < 3; ++c) s[c] = q[c], s[3 + c] = v[c];
  }
}
// end
