// What the parts behind ptxrun.hpp share: settings from the environment, the devices, live allocations, counters.
#pragma once
#include <atomic>
#include <map>
#include <mutex>

#include "ptxrun.hpp"

/// PTXRUN_ variables that are read once; README.md says what they mean.
struct Settings {
  bool protect;      // PTXRUN_PROTECT
  bool async;        // PTXRUN_ASYNC
  int memory_check;  // PTXRUN_MEMCHECK
  int order_seed;    // PTXRUN_SCHED
  int preempt;       // PTXRUN_PREEMPT
  int poison;        // PTXRUN_POISON
};
const Settings& settings();

struct Device {
  Context primary;
  size_t limit = 0, used = 0, peak = 0;  // bytes
  u8* arena = nullptr;                   // reserved address range
  size_t span = 0, end = 0;              // its length, and the part in use
  int open = 0;                          // number of PtxOpen
  std::map<u64, size_t> hole;            // free pieces below end: address, bytes
  std::atomic<u64> peers{0};             // bit j: may touch memory of device j
  std::atomic<int> error{0};             // sticky
  std::mutex exec;                       // one operation at a time, like one default stream
};
Device* device_table();  // ptx_devices() of them

struct Allocation {
  size_t n;  // bytes
  Kind kind;
  int dev;
  bool module;  // a variable of a module, not a leak at exit
};
std::map<u64, Allocation>& allocations();  // by address; under memory_mutex()
std::recursive_mutex& memory_mutex();
typedef std::lock_guard<std::recursive_mutex> MemoryLock;

void drain_device(int dev);  // run what is queued on its streams

struct StreamCounts {
  size_t streams, events, queued;
};
StreamCounts count_streams();  // alive now, and operations that wait

/// What PTXRUN_STATS=1 prints at exit.
struct Counters {
  std::atomic<u64> launches, threads, h2d, d2h, d2d;  // the last three in bytes
};
Counters& counters();
