#pragma once

// What programs of loops by hand have in common: members from a file, the time of all of them, and what they print.
//
//   program system steps h members.txt      a line a member: its varied parameters in the order of the scenario
//
// prints nanoseconds a member·step, the best of several rounds, and a line a member: q and v at the end, and what else
// the scenario observes.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using Numbers = std::vector<double>;

inline std::vector<Numbers> read_members(const char* path) {
  std::vector<Numbers> members;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    members.emplace_back();
    for (double x; cells >> x;) members.back().push_back(x);
  }
  return members;
}

/// Nanoseconds a member·step of `run`, which takes all members to their ends; the best of those of a tenth of a second.
template <class Run>
double time_members(std::size_t members, long steps, const Run& run) {
  double best = 1e300, spent = 0;
  while (spent < 0.1) {
    const std::clock_t start = std::clock();  // of the processor: neighbours on the machine count less
    run();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, seconds), spent += seconds;
  }
  return 1e9 * best / static_cast<double>(steps) / static_cast<double>(members);
}

inline void print_ends(double nanoseconds, const std::vector<Numbers>& ends) {
  std::printf("%.6g\n", nanoseconds);
  for (const Numbers& end : ends) {
    for (const double x : end) std::printf("%.17g ", x);
    std::printf("\n");
  }
}
