#pragma once

// The members of the hand-written kernels, and how their time is taken.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

constexpr int members = 4096, steps = 2000;
constexpr double h = 1e-3, gravity = 9.81, stiffness = 5;

struct Input {
  std::vector<double> mu, v0, tau;
};

// As `conesweep bench` varies them: each by itself at random. Members beside each other touch and stick at different
// times.
inline Input make_input() {
  std::mt19937_64 random(1);
  const auto between = [&](double low, double high) {
    return low + (high - low) * 0x1p-64 * static_cast<double>(random());
  };
  Input in;
  for (int i = 0; i < members; ++i) {
    in.mu.push_back(between(0.1, 0.6));
    in.v0.push_back(between(1, 3));
    in.tau.push_back(between(0.05, 0.15));
  }
  return in;
}

// Processor time: what others do on the machine does not count. `columns` numbers of each member go out; of three
// coordinates the ring has `slots` places.
template <class Lanes, class Run>
void measure(const char* name, int columns, int slots, const Run& run) {
  std::vector<double> out(static_cast<std::size_t>(columns) * members);
  double* ring =
      static_cast<double*>(std::aligned_alloc(64, sizeof(double) * static_cast<std::size_t>(slots) * 3 * 2 * 8));
  double best = 1e9;
  for (int k = 0; k < 15; ++k) {
    const std::clock_t begin = std::clock();
    run(out.data(), ring);
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  std::free(ring);
  std::printf("%s %s %.1f  (%.12g %.12g)\n", name, Lanes::name, 1e-6 * members * steps / best, out.front(),
              out[members - 1]);
}
