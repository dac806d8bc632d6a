// Systems of bench/islands whose laws never meet, each by hand for AVX2 and AVX-512, nothing general about them, as the
// limit to measure against: members side by side in registers, and as many registers of them as are fastest. loops.hpp
// says how it is called; the time is that of the best width and number.
// build: g++ -O3 -march=native -std=c++20 apart_by_hand.cpp -o apart_by_hand -lmvec -lm
#include <cstdlib>

#include "apart_systems.hpp"
#include "loops.hpp"

namespace {

using namespace apart;

/// All members to their ends, `packs` registers of them at a time.
template <class Lanes, template <class> class System, int packs>
void advance(const std::vector<Numbers>& members, long steps, double h, std::vector<Numbers>& ends) {
  constexpr int width = Lanes::count, parameters = System<Lanes>::parameters, results = System<Lanes>::results;
  const long all = static_cast<long>(members.size());
  for (long first = 0; first < all; first += width * packs) {
    System<Lanes> at[packs];
    const auto member = [&](int p, int lane) {
      return static_cast<std::size_t>(std::min(first + p * width + lane, all - 1));
    };
    double column[width];
    for (int p = 0; p < packs; ++p) {
      Lanes of[parameters];
      for (int c = 0; c < parameters; ++c) {
        for (int l = 0; l < width; ++l) column[l] = members[member(p, l)][static_cast<std::size_t>(c)];
        of[c] = Lanes::load(column);
      }
      at[p].start(of, Lanes::all(h));
    }
    for (long i = 0; i < steps; ++i)
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) at[p].step(Lanes::all(h), static_cast<double>(i) * h);
    for (int p = 0; p < packs; ++p) {
      Lanes out[results];
      at[p].finish(out);
      for (int c = 0; c < results; ++c) {
        out[c].store(column);
        for (int l = 0; l < width; ++l) ends[member(p, l)][static_cast<std::size_t>(c)] = column[l];
      }
    }
  }
}

template <template <class> class System>
int run(const std::vector<Numbers>& members, long steps, double h) {
  std::vector<Numbers> ends(members.size(), Numbers(System<Four>::results));
  double best = 1e300;
  const auto attempt = [&](auto advance) {
    best = std::min(best, time_members(members.size(), steps, [&] { advance(members, steps, h, ends); }));
  };
  attempt(advance<Four, System, 1>), attempt(advance<Four, System, 2>), attempt(advance<Four, System, 4>);
#if defined(__AVX512F__)
  attempt(advance<Eight, System, 1>), attempt(advance<Eight, System, 2>), attempt(advance<Eight, System, 4>);
  attempt(advance<Eight, System, 6>);
#endif
  print_ends(best, ends);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) return 2;
  const std::string name = words[1];
  const long steps = std::atol(words[2]);
  const double h = std::atof(words[3]);
  const std::vector<Numbers> members = read_members(words[4]);
  if (name == "resistance") return run<Resistance>(members, steps, h);
  if (name == "mass") return run<Mass>(members, steps, h);
  if (name == "slip") return run<Slip>(members, steps, h);
  if (name == "belt") return run<Belt>(members, steps, h);
  if (name == "chain12") return run<Chain12>(members, steps, h);
  if (name == "chain48") return run<Chain48>(members, steps, h);
  if (name == "ball") return run<Ball>(members, steps, h);
  return 2;
}
