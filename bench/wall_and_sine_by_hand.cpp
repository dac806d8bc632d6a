// Two problems that conesweep was not tuned for, written by hand for AVX2, as the limit to measure against: `curved` and `sine` of `conesweep bench`.
// 3D particle, a delay for each member, force k (q(t-tau) - q) - G e_z, friction, final state kept; one core, best of several runs.
//   curved   inside the ball |q| <= 2
//   sine     plane z >= 0, and sin(3 t + x) added to the force along x (glibc's vector sine)
// Prints million member·steps/s and x of the first and last member.
// build: g++ -O3 -march=native -std=c++20 wall_and_sine_by_hand.cpp -o wall_and_sine_by_hand -lmvec -lm
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

extern "C" __m256d _ZGVdN4v_sin(__m256d);

namespace {

using Four = __m256d;
constexpr int members = 4096, steps = 2000, longest = 150, side_by_side = 2;
constexpr double h = 1e-3, gravity = 9.81, stiffness = 5, radius = 2;

Four all(double x) { return _mm256_set1_pd(x); }
Four product(Four a, Four b, Four c) { return _mm256_fmadd_pd(a, b, c); }

struct Input {
  std::vector<double> mu, v0, tau;
};

// four members on their way
struct Lane {
  Four q[3], v[3], older[3], mu, share, rest;
  long lag[4];
};

void start(Lane& lane, const Input& in, int first) {
  double share[4];
  for (int l = 0; l < 4; ++l) {
    const double delay = in.tau[first + l] / h;
    lane.lag[l] = static_cast<long>(delay);
    share[l] = delay - static_cast<double>(lane.lag[l]);
  }
  lane.share = _mm256_loadu_pd(share);
  lane.rest = _mm256_sub_pd(all(1), lane.share);
  lane.mu = _mm256_loadu_pd(in.mu.data() + first);
  const Four at[3] = {all(0), all(0), all(1)}, speed[3] = {_mm256_loadu_pd(in.v0.data() + first), all(0), all(0)};
  for (int c = 0; c < 3; ++c) lane.q[c] = lane.older[c] = at[c], lane.v[c] = speed[c];
}

// w in contact with the wall whose inward normal is n: only what slides is kept
void rub(Four w[3], const Four n[3], Four mu, Four active) {
  const Four w_n = product(w[0], n[0], product(w[1], n[1], _mm256_mul_pd(w[2], n[2])));
  Four slip[3], square = all(0);
  for (int c = 0; c < 3; ++c) slip[c] = _mm256_fnmadd_pd(w_n, n[c], w[c]), square = product(slip[c], slip[c], square);
  const Four speed = _mm256_sqrt_pd(square), grip = _mm256_mul_pd(mu, _mm256_sub_pd(all(0), w_n));
  const Four keep = _mm256_and_pd(_mm256_cmp_pd(speed, grip, _CMP_GT_OQ), _mm256_sub_pd(all(1), _mm256_div_pd(grip, speed)));
  for (int c = 0; c < 3; ++c) w[c] = _mm256_blendv_pd(w[c], _mm256_mul_pd(slip[c], keep), active);
}

template <bool curved>
void run(const Input& in, double* x_out, double* ring) {
  constexpr long slots = longest + 1, width = 4 * side_by_side;
  for (int first = 0; first < members; first += static_cast<int>(width)) {
    Lane lanes[side_by_side];
    for (int p = 0; p < side_by_side; ++p) start(lanes[p], in, first + 4 * p);
    for (long slot = 0; slot < slots; ++slot)
      for (int p = 0; p < side_by_side; ++p)
        for (int c = 0; c < 3; ++c) _mm256_store_pd(ring + (slot * 3 + c) * width + 4 * p, lanes[p].q[c]);
    long now = 0;
    for (long i = 0; i < steps; ++i) {
      for (int p = 0; p < side_by_side; ++p) {
        Lane& m = lanes[p];
        for (int c = 0; c < 3; ++c) _mm256_store_pd(ring + (now * 3 + c) * width + 4 * p, m.q[c]);
        const double* from[4];
        for (int l = 0; l < 4; ++l) {
          const long slot = now - m.lag[l];
          from[l] = ring + (slot < 0 ? slot + slots : slot) * 3 * width + 4 * p + l;
        }
        Four w[3];
        for (int c = 0; c < 3; ++c) {
          const long at = c * width;
          const Four newer = _mm256_setr_pd(from[0][at], from[1][at], from[2][at], from[3][at]);
          const Four past = product(m.share, m.older[c], _mm256_mul_pd(m.rest, newer));
          m.older[c] = newer;
          Four f = _mm256_mul_pd(all(stiffness), _mm256_sub_pd(past, m.q[c]));
          if (c == 2) f = _mm256_sub_pd(f, all(gravity));
          if (!curved && c == 0) f = _mm256_add_pd(f, _ZGVdN4v_sin(_mm256_add_pd(all(3 * (static_cast<double>(i) * h)), m.q[0])));
          w[c] = product(all(h), f, m.v[c]);
        }
        if constexpr (curved) {
          const Four square = product(m.q[0], m.q[0], product(m.q[1], m.q[1], _mm256_mul_pd(m.q[2], m.q[2])));
          const Four outside = _mm256_cmp_pd(square, all(radius * radius), _CMP_GE_OQ);
          if (_mm256_movemask_pd(outside) != 0) {
            const Four along = product(m.q[0], w[0], product(m.q[1], w[1], _mm256_mul_pd(m.q[2], w[2])));
            const Four active = _mm256_and_pd(outside, _mm256_cmp_pd(along, all(0), _CMP_GT_OQ));
            if (_mm256_movemask_pd(active) != 0) {
              const Four inverse = _mm256_div_pd(all(-1), _mm256_sqrt_pd(square));
              const Four n[3] = {_mm256_mul_pd(m.q[0], inverse), _mm256_mul_pd(m.q[1], inverse), _mm256_mul_pd(m.q[2], inverse)};
              rub(w, n, m.mu, active);
            }
          }
        } else {
          const Four active = _mm256_and_pd(_mm256_cmp_pd(m.q[2], all(0), _CMP_LE_OQ), _mm256_cmp_pd(w[2], all(0), _CMP_LT_OQ));
          if (_mm256_movemask_pd(active) != 0) {
            const Four speed = _mm256_sqrt_pd(product(w[0], w[0], _mm256_mul_pd(w[1], w[1]))), grip = _mm256_mul_pd(m.mu, _mm256_sub_pd(all(0), w[2]));
            const Four keep = _mm256_and_pd(_mm256_cmp_pd(speed, grip, _CMP_GT_OQ), _mm256_sub_pd(all(1), _mm256_div_pd(grip, speed)));
            for (int c = 0; c < 2; ++c) w[c] = _mm256_blendv_pd(w[c], _mm256_mul_pd(w[c], keep), active);
            w[2] = _mm256_blendv_pd(w[2], all(0), active);
          }
        }
        for (int c = 0; c < 3; ++c) m.v[c] = w[c], m.q[c] = product(all(h), w[c], m.q[c]);
      }
      now = now + 1 == slots ? 0 : now + 1;
    }
    for (int p = 0; p < side_by_side; ++p) _mm256_storeu_pd(x_out + first + 4 * p, lanes[p].q[0]);
  }
}

template <bool curved>
void measure(const char* name, const Input& in) {
  std::vector<double> x(members);
  double* ring = static_cast<double*>(std::aligned_alloc(64, sizeof(double) * 256 * 3 * 4 * side_by_side));
  double best = 1e9;
  for (int k = 0; k < 15; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    run<curved>(in, x.data(), ring);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::free(ring);
  std::printf("%s %.1f  (%.12g %.12g)\n", name, 1e-6 * members * steps / best, x.front(), x.back());
}

}  // namespace

int main() {
  Input in;
  for (unsigned i = 0; i < members; ++i) {
    in.mu.push_back(0.1 + 0.5 * i / members);
    in.v0.push_back(1 + 2.0 * i / members);
    in.tau.push_back(0.05 + 0.1 * ((i * 2654435761u) % 1000) / 1000.0);
  }
  measure<true>("curved", in);
  measure<false>("sine", in);
}
