// How many sweeps and Newton steps the fast solver of coupled laws (B7) takes along the motions of a scenario;
// bench/islands.py loads it before the program, and has models compiled with CONESWEEP_COUNT_SEARCH. One thread. At the
// end it writes a line a number of blocks:
//
//   blocks searches sweeps: mean median 99% largest, newton steps: mean median 99% largest, how many needed a later
//   stage
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace {

struct Count {
  std::vector<int> sweeps, newton_steps;
  int rescued = 0;
};

int quantile(std::vector<int>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double mean(const std::vector<int>& values) {
  double sum = 0;
  for (const int value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

struct Counts {
  std::map<int, Count> by_blocks;
  ~Counts() {
    const char* path = std::getenv("CONESWEEP_COUNT_FILE");
    std::FILE* file = path != nullptr && !by_blocks.empty() ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    for (auto& [blocks, count] : by_blocks)
      std::fprintf(file, "%d %zu %.2f %d %d %d %.2f %d %d %d %d\n", blocks, count.sweeps.size(), mean(count.sweeps),
                   quantile(count.sweeps, 0.5), quantile(count.sweeps, 0.99), quantile(count.sweeps, 1),
                   mean(count.newton_steps), quantile(count.newton_steps, 0.5), quantile(count.newton_steps, 0.99),
                   quantile(count.newton_steps, 1), count.rescued);
    std::fclose(file);
  }
} counts;

}  // namespace

extern "C" void conesweep_count_search(int blocks, int sweeps, int newton_steps, int stage) {
  Count& count = counts.by_blocks[blocks];
  count.sweeps.push_back(sweeps);
  count.newton_steps.push_back(newton_steps);
  count.rescued += stage > 0;
}
