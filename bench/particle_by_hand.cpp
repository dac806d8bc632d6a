// Two problems written by hand for AVX2, nothing general about them, as the limit to measure against: `fixed` and `member` of `conesweep bench`.
// 3D particle, rough plane z >= 0, force k (q(t-tau) - q) - G e_z, double precision, final state kept.
//   fixed    one delay of 100 steps for all members
//   member   another non-integer delay for each member, 50 to 150 steps, linear between nodes
// Prints million member·steps/s on one core, the best of several runs, and x of the first and last member.
// build: g++ -O3 -march=native -std=c++20 particle_by_hand.cpp -o particle_by_hand
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int members = 4096, steps = 2000, fixed_lag = 100, longest_lag = 150;
constexpr double h = 1e-3, gravity = 9.81;
enum Column { mu, stiffness, x0, y0, z0, vx0, vy0, vz0, tau, columns };

// Two packs of four members side by side: their latencies overlap. Four packs run out of registers.
constexpr int packs = 2, width = 4 * packs;

// The ring holds as many slots as the longest delay needs and no more: it should stay in the first-level cache.
template <bool per_member>
void advance(const double* parameter, double* out, double* ring) {
  constexpr long slots = per_member ? longest_lag + 1 : fixed_lag + 1;
  const __m256d hh = _mm256_set1_pd(h), zero = _mm256_setzero_pd(), g = _mm256_set1_pd(-gravity);
  for (int m = 0; m < members; m += width) {
    __m256d friction[packs], k[packs], q[packs][3], v[packs][3], older[packs][3], share[packs], rest[packs];
    long lag[width];
    const auto load = [&](int column, int p) { return _mm256_loadu_pd(parameter + column * members + m + 4 * p); };
    for (int p = 0; p < packs; ++p) {
      friction[p] = load(mu, p);
      k[p] = load(stiffness, p);
      for (int c = 0; c < 3; ++c) q[p][c] = older[p][c] = load(x0 + c, p), v[p][c] = load(vx0 + c, p);
      double s[4];
      for (int l = 0; l < 4; ++l) {
        const double in_steps = parameter[tau * members + m + 4 * p + l] / h;
        lag[4 * p + l] = long(in_steps);
        s[l] = in_steps - double(lag[4 * p + l]);
      }
      share[p] = _mm256_loadu_pd(s);
      rest[p] = _mm256_sub_pd(_mm256_set1_pd(1), share[p]);
    }
    for (int slot = 0; slot < slots; ++slot)
      for (int p = 0; p < packs; ++p)
        for (int c = 0; c < 3; ++c) _mm256_store_pd(ring + (slot * 3 + c) * width + 4 * p, q[p][c]);

    long now = 0;  // slot of this step
    for (long i = 0; i < steps; ++i, now = now + 1 == slots ? 0 : now + 1) {
      for (int p = 0; p < packs; ++p)
        for (int c = 0; c < 3; ++c) _mm256_store_pd(ring + (now * 3 + c) * width + 4 * p, q[p][c]);
      for (int p = 0; p < packs; ++p) {
        __m256d past[3], w[3];
        if constexpr (per_member) {
          // four plain loads beat the gather instruction; a constant delay means that the older of the two nodes
          // to interpolate between was the newer one a step ago, so it is kept and not loaded again
          const double* at[4];
          for (int l = 0; l < 4; ++l) {
            const long then = now - lag[4 * p + l];
            at[l] = ring + (then < 0 ? then + slots : then) * 3 * width + 4 * p + l;
          }
          for (int c = 0; c < 3; ++c) {
            const __m128d low = _mm_loadh_pd(_mm_load_sd(at[0] + c * width), at[1] + c * width);
            const __m128d high = _mm_loadh_pd(_mm_load_sd(at[2] + c * width), at[3] + c * width);
            const __m256d newer = _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
            past[c] = _mm256_fmadd_pd(share[p], older[p][c], _mm256_mul_pd(rest[p], newer));
            older[p][c] = newer;
          }
        } else {
          const double* at = ring + (now + 1 == slots ? 0 : now + 1) * 3 * width + 4 * p;
          for (int c = 0; c < 3; ++c) past[c] = _mm256_load_pd(at + c * width);
        }
        for (int c = 0; c < 3; ++c) {
          __m256d f = _mm256_mul_pd(k[p], _mm256_sub_pd(past[c], q[p][c]));
          if (c == 2) f = _mm256_add_pd(f, g);
          w[c] = _mm256_fmadd_pd(hh, f, v[p][c]);
        }
        const __m256d active = _mm256_and_pd(_mm256_cmp_pd(q[p][2], zero, _CMP_LE_OQ), _mm256_cmp_pd(w[2], zero, _CMP_LT_OQ));
        if (_mm256_movemask_pd(active)) {
          const __m256d speed = _mm256_sqrt_pd(_mm256_fmadd_pd(w[0], w[0], _mm256_mul_pd(w[1], w[1])));
          const __m256d grip = _mm256_mul_pd(friction[p], _mm256_sub_pd(zero, w[2]));
          const __m256d keep = _mm256_and_pd(_mm256_cmp_pd(speed, grip, _CMP_GT_OQ), _mm256_div_pd(_mm256_sub_pd(speed, grip), speed));
          w[0] = _mm256_blendv_pd(w[0], _mm256_mul_pd(w[0], keep), active);
          w[1] = _mm256_blendv_pd(w[1], _mm256_mul_pd(w[1], keep), active);
          w[2] = _mm256_blendv_pd(w[2], zero, active);
        }
        for (int c = 0; c < 3; ++c) v[p][c] = w[c], q[p][c] = _mm256_fmadd_pd(hh, w[c], q[p][c]);
      }
    }
    for (int p = 0; p < packs; ++p)
      for (int c = 0; c < 3; ++c) {
        _mm256_storeu_pd(out + c * members + m + 4 * p, q[p][c]);
        _mm256_storeu_pd(out + (3 + c) * members + m + 4 * p, v[p][c]);
      }
  }
}

template <bool per_member>
void measure(const char* name, const std::vector<double>& parameter, double* ring) {
  std::vector<double> out(6 * members);
  double best = 1e9;
  for (int run = 0; run < 15; ++run) {
    const auto start = std::chrono::steady_clock::now();
    advance<per_member>(parameter.data(), out.data(), ring);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%s %.1f  (%.12g %.12g)\n", name, double(members) * steps / best / 1e6, out[0], out[members - 1]);
}

int main() {
  std::vector<double> parameter(columns * members);
  for (unsigned i = 0; i < members; ++i) {
    const double row[columns] = {0.1 + 0.5 * i / members, 5, 0, 0, 1, 1 + 2.0 * i / members, 0, 0, 0.05 + 0.1 * ((i * 2654435761u) % 1000) / 1000.0};
    for (int c = 0; c < columns; ++c) parameter[c * members + i] = row[c];
  }
  double* ring = static_cast<double*>(std::aligned_alloc(64, sizeof(double) * 256 * 3 * width));
  measure<false>("fixed", parameter, ring);
  measure<true>("member", parameter, ring);
  std::free(ring);
}
