// Two problems that conesweep was not tuned for, written by hand for AVX2 and for AVX-512, as the limit to measure
// against: `curved` and `sine` of `conesweep bench`. 3D particle, a delay for each member, force k (q(t-tau) - q) - G
// e_z, friction, final state kept; one core, best of several runs.
//   curved   inside the ball |q| <= 2
//   sine     plane z >= 0, and sin(3 t + x) added to the force along x (glibc's vector sine)
// Prints million member·steps a second of one core's time and x of the first and last member.
// build: g++ -O3 -march=native -std=c++20 wall_and_sine_by_hand.cpp -o wall_and_sine_by_hand -lmvec -lm
#include "lanes.hpp"
#include "measure.hpp"

namespace {

constexpr int longest = 150, slots = longest + 1, side_by_side = 2;
constexpr double radius = 2;

// members on their way, a register of each number
template <class Lanes>
struct Way {
  Lanes q[3], v[3], older[3], mu, share, rest;
  long lag[Lanes::count];
};

template <class Lanes>
void start(Way<Lanes>& way, const Input& in, int first) {
  double share[Lanes::count];
  for (int l = 0; l < Lanes::count; ++l) {
    const double delay = in.tau[first + l] / h;
    way.lag[l] = static_cast<long>(delay);
    share[l] = delay - static_cast<double>(way.lag[l]);
  }
  way.share = Lanes::load(share);
  way.rest = Lanes::all(1) - way.share;
  way.mu = Lanes::load(&in.mu[first]);
  const Lanes at[3] = {Lanes::all(0), Lanes::all(0), Lanes::all(1)},
              speed[3] = {Lanes::load(&in.v0[first]), Lanes::all(0), Lanes::all(0)};
  for (int c = 0; c < 3; ++c) way.q[c] = way.older[c] = at[c], way.v[c] = speed[c];
}

// w in contact with the wall whose inward normal is n: only what slides is kept
template <class Lanes>
void rub(Lanes w[3], const Lanes n[3], Lanes mu, typename Lanes::Mask active) {
  const Lanes w_n = fma(w[0], n[0], fma(w[1], n[1], w[2] * n[2]));
  Lanes slip[3], square = Lanes::all(0);
  for (int c = 0; c < 3; ++c) slip[c] = fnma(w_n, n[c], w[c]), square = fma(slip[c], slip[c], square);
  const Lanes speed = sqrt(square), grip = mu * (Lanes::all(0) - w_n);
  const Lanes keep = or_zero(less(grip, speed), Lanes::all(1) - grip / speed);
  for (int c = 0; c < 3; ++c) w[c] = choose(active, slip[c] * keep, w[c]);
}

// One step of these members from node i, which goes into slot `now` of their ring.
template <class Lanes, bool curved>
__attribute__((always_inline)) inline void step(Way<Lanes>& m, double* ring, long now, long i) {
  constexpr long lanes = Lanes::count, width = lanes * side_by_side;
  for (int c = 0; c < 3; ++c) m.q[c].store(ring + (now * 3 + c) * width);
  const double* from[lanes];
#pragma GCC unroll 8
  for (int l = 0; l < lanes; ++l) {
    const long slot = now - m.lag[l];
    from[l] = ring + (slot < 0 ? slot + slots : slot) * 3 * width + l;
  }
  Lanes w[3];
  for (int c = 0; c < 3; ++c) {
    const Lanes newer = Lanes::gather(from, c * width);
    const Lanes past = fma(m.share, m.older[c], m.rest * newer);
    m.older[c] = newer;
    Lanes f = Lanes::all(stiffness) * (past - m.q[c]);
    if (c == 2) f = f - Lanes::all(gravity);
    if (!curved && c == 0) f = f + sin(Lanes::all(3 * (static_cast<double>(i) * h)) + m.q[0]);
    w[c] = fma(Lanes::all(h), f, m.v[c]);
  }
  if constexpr (curved) {
    const Lanes square = fma(m.q[0], m.q[0], fma(m.q[1], m.q[1], m.q[2] * m.q[2]));
    const auto outside = less_or_equal(Lanes::all(radius * radius), square);
    if (Lanes::any(outside)) {
      const Lanes along = fma(m.q[0], w[0], fma(m.q[1], w[1], m.q[2] * w[2]));
      const auto active = Lanes::both(outside, less(Lanes::all(0), along));
      if (Lanes::any(active)) {
        const Lanes inverse = Lanes::all(-1) / sqrt(square);
        const Lanes n[3] = {m.q[0] * inverse, m.q[1] * inverse, m.q[2] * inverse};
        rub(w, n, m.mu, active);
      }
    }
  } else {
    const auto active = Lanes::both(less_or_equal(m.q[2], Lanes::all(0)), less(w[2], Lanes::all(0)));
    if (Lanes::any(active)) {
      const Lanes speed = sqrt(fma(w[0], w[0], w[1] * w[1])), grip = m.mu * (Lanes::all(0) - w[2]);
      const Lanes keep = or_zero(less(grip, speed), Lanes::all(1) - grip / speed);
      for (int c = 0; c < 2; ++c) w[c] = choose(active, w[c] * keep, w[c]);
      w[2] = choose(active, Lanes::all(0), w[2]);
    }
  }
  for (int c = 0; c < 3; ++c) m.v[c] = w[c], m.q[c] = fma(Lanes::all(h), w[c], m.q[c]);
}

template <class Lanes, bool curved>
void run(const Input& in, double* x_out, double* ring) {
  constexpr long lanes = Lanes::count, width = lanes * side_by_side;
  for (int first = 0; first < members; first += static_cast<int>(width)) {
    Way<Lanes> ways[side_by_side];
    for (int p = 0; p < side_by_side; ++p) start(ways[p], in, first + static_cast<int>(lanes) * p);
    for (long slot = 0; slot < slots; ++slot)
      for (int p = 0; p < side_by_side; ++p)
        for (int c = 0; c < 3; ++c) ways[p].q[c].store(ring + (slot * 3 + c) * width + lanes * p);
    long now = 0;
    for (long i = 0; i < steps; ++i) {
      // what is called for the sine keeps no register: its members wait in memory, and a loop is faster
      if constexpr (curved) {
#pragma GCC unroll 2
        for (int p = 0; p < side_by_side; ++p) step<Lanes, curved>(ways[p], ring + lanes * p, now, i);
      } else {
        for (int p = 0; p < side_by_side; ++p) step<Lanes, curved>(ways[p], ring + lanes * p, now, i);
      }
      now = now + 1 == slots ? 0 : now + 1;
    }
    for (int p = 0; p < side_by_side; ++p) ways[p].q[0].store(x_out + first + lanes * p);
  }
}

template <class Lanes>
void measure_all(const Input& in) {
  measure<Lanes>("curved", 1, slots, [&](double* out, double* ring) { run<Lanes, true>(in, out, ring); });
  measure<Lanes>("sine", 1, slots, [&](double* out, double* ring) { run<Lanes, false>(in, out, ring); });
}

}  // namespace

int main() {
  const Input in = make_input();
  measure_all<Four>(in);
#if defined(__AVX512F__)
  measure_all<Eight>(in);
#endif
}
