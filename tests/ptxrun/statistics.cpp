// PTXRUN_STATS=1: what a program did and left behind.
#include <cstdio>

#include "device.hpp"

Counters& counters() {
  static Counters all{};
  return all;
}
void ptx_count_launch(u64 threads) {
  ++counters().launches;
  counters().threads += threads;
}

static struct Report {
  ~Report() {
    if (!ptx_env("PTXRUN_STATS", 0)) return;
    MemoryLock l(memory_mutex());
    fflush(stdout);
    size_t pinned = 0, pinned_bytes = 0;
    const StreamCounts left = count_streams();
    auto n = [](const std::atomic<u64>& x) { return (unsigned long)x.load(); };
    fprintf(stderr, "ptxrun: stats: launches %lu, threads %lu, bytes H2D %lu, D2H %lu, D2D %lu\n",
            n(counters().launches), n(counters().threads), n(counters().h2d), n(counters().d2h), n(counters().d2d));
    for (auto& a : allocations())
      if (a.second.kind != DEVICE && !a.second.module) {
        ++pinned;
        pinned_bytes += a.second.n;
      }
    for (int d = 0; d < ptx_devices(); ++d) {
      size_t k = 0, b = 0;
      for (auto& a : allocations())
        if (a.second.kind == DEVICE && a.second.dev == d && !a.second.module) {
          ++k;
          b += a.second.n;
        }
      fprintf(stderr, "ptxrun: stats: device %d: peak %zu bytes, leaked %zu allocations (%zu bytes)\n", d,
              device_table()[d].peak, k, b);
    }
    fprintf(stderr,
            "ptxrun: stats: leaked %zu pinned or managed allocations (%zu bytes), %zu streams, %zu events; %zu "
            "operations never ran\n",
            pinned, pinned_bytes, left.streams, left.events, left.queued);
  }
} report_at_exit;
