#include "regroup.hpp"

#include <algorithm>
#include <numeric>

namespace conesweep::kernels {

void sort_by_work(const float* work, int count, int* turn) {
  std::iota(turn, turn + count, 0);
  std::sort(turn, turn + count, [&](int a, int b) { return work[a] != work[b] ? work[a] > work[b] : a < b; });
}

}  // namespace conesweep::kernels
