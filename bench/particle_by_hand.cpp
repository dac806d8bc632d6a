// Two problems written by hand for AVX2 and for AVX-512, nothing general about them, as the limit to measure against:
// `fixed` and `member` of `conesweep bench`. 3D particle, rough plane z >= 0, force k (q(t-tau) - q) - G e_z, double
// precision, final state kept.
//   fixed    one delay of 100 steps for all members
//   member   another non-integer delay for each member, 50 to 150 steps, linear between nodes
// Prints million member·steps a second of one core's time, the best of several runs, and x of the first and last
// member. build: g++ -O3 -march=native -std=c++20 particle_by_hand.cpp -o particle_by_hand -lmvec -lm
#include <algorithm>
#include <cstdlib>

#include "lanes.hpp"
#include "measure.hpp"

namespace {

constexpr int fixed_lag = 100, longest_lag = 150;

// Two registers of members side by side: their latencies overlap. Four run out of registers.
constexpr int packs = 2;

// The ring holds as many slots as the longest delay needs and no more: it should stay in the first-level cache.
// longer than 60 lines: one loop, as somebody writes it by hand
template <class Lanes, bool per_member>
void advance(const Input& in, double* out, double* ring) {
  constexpr long slots = per_member ? longest_lag + 1 : fixed_lag + 1;
  constexpr int lanes = Lanes::count, width = lanes * packs;
  const Lanes hh = Lanes::all(h), zero = Lanes::all(0), g = Lanes::all(-gravity), k = Lanes::all(stiffness);
  for (int m = 0; m < members; m += width) {
    Lanes friction[packs], q[packs][3], v[packs][3], older[packs][3], share[packs], rest[packs];
    long lag[width];
    for (int p = 0; p < packs; ++p) {
      const int first = m + lanes * p;
      friction[p] = Lanes::load(&in.mu[first]);
      q[p][0] = q[p][1] = v[p][1] = v[p][2] = zero, q[p][2] = Lanes::all(1), v[p][0] = Lanes::load(&in.v0[first]);
      for (int c = 0; c < 3; ++c) older[p][c] = q[p][c];
      double s[lanes];
      for (int l = 0; l < lanes; ++l) {
        const double in_steps = in.tau[first + l] / h;
        lag[lanes * p + l] = long(in_steps);
        s[l] = in_steps - double(lag[lanes * p + l]);
      }
      share[p] = Lanes::load(s);
      rest[p] = Lanes::all(1) - share[p];
    }
    for (int slot = 0; slot < slots; ++slot)
      for (int p = 0; p < packs; ++p)
        for (int c = 0; c < 3; ++c) q[p][c].store(ring + (slot * 3 + c) * width + lanes * p);

    long now = 0;  // slot of this step
    for (long i = 0; i < steps; ++i, now = now + 1 == slots ? 0 : now + 1) {
#pragma GCC unroll 2
      for (int p = 0; p < packs; ++p)
        for (int c = 0; c < 3; ++c) q[p][c].store(ring + (now * 3 + c) * width + lanes * p);
#pragma GCC unroll 2
      for (int p = 0; p < packs; ++p) {
        Lanes past[3], w[3];
        if constexpr (per_member) {
          // a constant delay means that the older of the two nodes to interpolate between was the newer one a step ago,
          // so it is kept and not loaded again
          const double* at[lanes];
#pragma GCC unroll 8
          for (int l = 0; l < lanes; ++l) {
            const long then = now - lag[lanes * p + l];
            at[l] = ring + (then < 0 ? then + slots : then) * 3 * width + lanes * p + l;
          }
          for (int c = 0; c < 3; ++c) {
            const Lanes newer = Lanes::gather(at, c * width);
            past[c] = fma(share[p], older[p][c], rest[p] * newer);
            older[p][c] = newer;
          }
        } else {
          const double* at = ring + (now + 1 == slots ? 0 : now + 1) * 3 * width + lanes * p;
          for (int c = 0; c < 3; ++c) past[c] = Lanes::load(at + c * width);
        }
        for (int c = 0; c < 3; ++c) {
          Lanes f = k * (past[c] - q[p][c]);
          if (c == 2) f = f + g;
          w[c] = fma(hh, f, v[p][c]);
        }
        const auto active = Lanes::both(less_or_equal(q[p][2], zero), less(w[2], zero));
        if (Lanes::any(active)) {
          const Lanes speed = sqrt(fma(w[0], w[0], w[1] * w[1]));
          const Lanes grip = friction[p] * (zero - w[2]);
          const Lanes keep = or_zero(less(grip, speed), (speed - grip) / speed);
          w[0] = choose(active, w[0] * keep, w[0]);
          w[1] = choose(active, w[1] * keep, w[1]);
          w[2] = choose(active, zero, w[2]);
        }
        for (int c = 0; c < 3; ++c) v[p][c] = w[c], q[p][c] = fma(hh, w[c], q[p][c]);
      }
    }
    for (int p = 0; p < packs; ++p)
      for (int c = 0; c < 3; ++c) {
        q[p][c].store(out + c * members + m + lanes * p);
        v[p][c].store(out + (3 + c) * members + m + lanes * p);
      }
  }
}

template <class Lanes>
void measure_all(const Input& in) {
  measure<Lanes>("fixed", 6, longest_lag + 1, [&](double* out, double* ring) { advance<Lanes, false>(in, out, ring); });
  measure<Lanes>("member", 6, longest_lag + 1, [&](double* out, double* ring) { advance<Lanes, true>(in, out, ring); });
}

}  // namespace

int main() {
  const Input in = make_input();
  measure_all<Four>(in);
#if defined(__AVX512F__)
  measure_all<Eight>(in);
#endif
}
