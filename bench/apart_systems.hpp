#pragma once

// Systems of bench/islands whose laws never meet, over members side by side: `Lanes` is a register of them (lanes.hpp),
// or one.
#include <cmath>

#include "lanes.hpp"

namespace apart {

constexpr double g = 9.81, k = 10;

/// What dry friction leaves of w: `most` less, or nothing.
template <class Lanes>
Lanes resist(Lanes w, Lanes most) {
  return w - max(min(w, most), Lanes::all(0) - most);
}

// a mass on a spring that rubs
template <class Lanes>
struct Resistance {
  static constexpr int parameters = 2, results = 2;
  Lanes x, v, most;

  void start(const Lanes* p, Lanes h) { x = p[0], v = Lanes::all(0), most = h * p[1] * Lanes::all(g); }
  void step(Lanes h, double) {
    v = resist(fnma(h * Lanes::all(k), x, v), most);
    x = fma(h, v, x);
  }
  void finish(Lanes* out) const { out[0] = x, out[1] = v; }
};

template <class Lanes>
struct Mass {
  static constexpr int parameters = 3, results = 2;
  Lanes x, v, pull, most;

  void start(const Lanes* p, Lanes h) {
    x = p[1], v = Lanes::all(0), pull = h * Lanes::all(k) / p[0], most = h * p[2] * Lanes::all(g);
  }
  void step(Lanes h, double) {
    v = resist(fnma(pull, x, v), most);
    x = fma(h, v, x);
  }
  void finish(Lanes* out) const { out[0] = x, out[1] = v; }
};

// the same on a floor, which it could leave
template <class Lanes>
struct Slip {
  static constexpr int parameters = 3, results = 4;
  Lanes x, y, vx, vy, pull, mu;

  void start(const Lanes* p, Lanes h) {
    x = p[1], y = vx = vy = Lanes::all(0), pull = h * Lanes::all(k) / p[0], mu = p[2];
  }
  void step(Lanes h, double) {
    const Lanes zero = Lanes::all(0), wx = fnma(pull, x, vx), wy = fnma(h, Lanes::all(g), vy);
    const auto active = Lanes::both(less_or_equal(y, zero), less(wy, zero));
    vx = choose(active, resist(wx, mu * (zero - wy)), wx), vy = choose(active, zero, wy);
    x = fma(h, vx, x), y = fma(h, vy, y);
  }
  void finish(Lanes* out) const { out[0] = x, out[1] = y, out[2] = vx, out[3] = vy; }
};

// two masses on a belt, a spring between them
template <class Lanes>
struct Belt {
  static constexpr int parameters = 5, results = 4;
  Lanes x1, x2, v1, v2, h1, h2, most1, most2, belt;  // h over the mass

  void start(const Lanes* p, Lanes h) {
    x1 = x2 = v1 = v2 = Lanes::all(0), h1 = h / p[0], h2 = h / p[1], belt = p[4];
    most1 = h * p[2] * Lanes::all(g), most2 = h * p[3] * Lanes::all(g);
  }
  void step(Lanes h, double) {
    const Lanes between = Lanes::all(8) * (x2 - x1);
    v1 = belt + resist(fma(h1, fnma(Lanes::all(10), x1, between), v1) - belt, most1);
    v2 = belt + resist(fnma(h2, fma(Lanes::all(15), x2, between), v2) - belt, most2);
    x1 = fma(h, v1, x1), x2 = fma(h, v2, x2);
  }
  void finish(Lanes* out) const { out[0] = x1, out[1] = x2, out[2] = v1, out[3] = v2; }
};

// Burridge-Knopoff: N blocks drawn from a plate, friction falls with speed
template <class Lanes, int N>
struct Chain {
  static constexpr int parameters = 3, results = 2 * N;
  static constexpr double kc = 10;
  Lanes x[N], v[N], a, speed;

  void start(const Lanes* p, Lanes) {
    a = p[0], speed = p[1];
    for (int i = 0; i < N; ++i) x[i] = p[2] * Lanes::all(std::sin((i + 1) * (i + 1))), v[i] = Lanes::all(0);
  }
  void step(Lanes h, double t) {
    const Lanes plate = speed * Lanes::all(t), one = Lanes::all(1);
    Lanes left = x[0];  // the neighbour before it moved
#pragma GCC unroll 12
    for (int i = 0; i < N; ++i) {
      const Lanes here = x[i], right = i + 1 < N ? x[i + 1] : here;
      const Lanes bend = (left - here) + (right - here);
      const Lanes w = fma(h, fma(Lanes::all(kc), bend, plate - here), v[i]);
      v[i] = resist(w, h / fma(a, abs(v[i]), one));
      x[i] = fma(h, v[i], here);
      left = here;
    }
  }
  void finish(Lanes* out) const {
    for (int i = 0; i < N; ++i) out[i] = x[i], out[N + i] = v[i];
  }
};
template <class Lanes>
using Chain12 = Chain<Lanes, 12>;
template <class Lanes>
using Chain48 = Chain<Lanes, 48>;

// A ball that rolls: on the unit quaternion p the three rows are orthogonal, so each is eliminated by itself. What the
// step takes p off its sphere is taken back along p, which is where (B5) leads.
template <class Lanes>
struct Ball {
  static constexpr int parameters = 3, results = 12;
  static constexpr double m = 0.5, radius = 0.5, inertia = 8 * m * radius * radius / 5;
  Lanes x, y, p[4], vx, vy, vp[4], push_x, push_y;

  void start(const Lanes* of, Lanes h) {
    const Lanes zero = Lanes::all(0);
    x = y = vx = vy = zero;
    for (int j = 0; j < 4; ++j) p[j] = vp[j] = zero;
    p[0] = Lanes::all(1), vp[3] = of[2] * Lanes::all(0.5);
    const Lanes push = h * of[0] / Lanes::all(m);
    push_x = push * sin(of[1] + Lanes::all(M_PI / 2)), push_y = push * sin(of[1]);
  }
  void step(Lanes h, double) {
    constexpr double whole = 1 / m + 4 * radius * radius / inertia;
    const Lanes wx = vx + push_x, wy = vy + push_y, twice = Lanes::all(2 * radius);
    const Lanes zero = Lanes::all(0);
    const Lanes ex[4] = {zero - p[1], p[0], zero - p[3], p[2]}, ey[4] = {zero - p[2], p[3], p[0], zero - p[1]};
    const auto dot = [this](const Lanes* e) {
      return fma(e[0], vp[0], fma(e[1], vp[1], fma(e[2], vp[2], e[3] * vp[3])));
    };
    const Lanes along = dot(p), rx = fnma(twice, dot(ey), wx) * Lanes::all(-1 / whole),
                ry = fma(twice, dot(ex), wy) * Lanes::all(-1 / whole);
    vx = fma(rx, Lanes::all(1 / m), wx), vy = fma(ry, Lanes::all(1 / m), wy);
    const Lanes turn_x = ry * Lanes::all(2 * radius / inertia), turn_y = rx * Lanes::all(-2 * radius / inertia);
    Lanes square = zero;
    for (int j = 0; j < 4; ++j) {
      vp[j] = fma(turn_x, ex[j], fma(turn_y, ey[j], fnma(along, p[j], vp[j])));
    }
    for (int j = 0; j < 4; ++j) p[j] = fma(h, vp[j], p[j]), square = fma(p[j], p[j], square);
    const Lanes back = Lanes::all(1) / sqrt(square);
    for (int j = 0; j < 4; ++j) p[j] = p[j] * back;
    x = fma(h, vx, x), y = fma(h, vy, y);
  }
  void finish(Lanes* out) const {
    out[0] = x, out[1] = y, out[6] = vx, out[7] = vy;
    for (int j = 0; j < 4; ++j) out[2 + j] = p[j], out[8 + j] = vp[j];
  }
};

}  // namespace apart
