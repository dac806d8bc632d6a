// Device memory: one arena a device, so that PTXRUN_PROTECT=1 can make it inaccessible to host code outside launches
// and copies.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

#include "device.hpp"

// never freed: static destructors of programs still free memory
std::map<u64, Allocation>& allocations() {
  static auto& all = *new std::map<u64, Allocation>;
  return all;
}
std::recursive_mutex& memory_mutex() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

// 256 bytes at least between two allocations, so that an overrun meets nobody's memory
static size_t padded(size_t n) { return (n + 255) / 256 * 256 + 256; }
static void open_devices(u64 mask, int step) {
  MemoryLock l(memory_mutex());
  for (int i = 0; i < ptx_devices(); ++i)
    if (mask >> i & 1) {
      Device& D = device_table()[i];
      int was = D.open;
      D.open += step;
      if (D.end && (!was || !D.open)) mprotect(D.arena, D.end, D.open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
}
PtxOpen::PtxOpen(int dev, bool peers)
    : mask(dev < 0 ? ~0ull : 1ull << dev | (peers ? device_table()[dev].peers.load() : 0)) {
  if (settings().protect) open_devices(mask, 1);
}
PtxOpen::~PtxOpen() {
  if (settings().protect) open_devices(mask, -1);
}

void* ptx_malloc(size_t n, Kind kind, int dev, bool module) {
  if (n == 0) n = 1;
  if (dev < 0) dev = ptx_device();
  Device& D = device_table()[dev];
  MemoryLock l(memory_mutex());
  PtxOpen open(dev);
  size_t need = padded(n);
  u8* p = nullptr;
  if (kind != DEVICE) {
    if (n > SIZE_MAX / 2 || posix_memalign((void**)&p, 256, need)) return nullptr;
  } else {
    if (n > D.limit || D.used + (need - 256) > D.limit) return nullptr;
    if (!D.arena) {
      D.arena = (u8*)mmap(nullptr, D.span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (D.arena == (u8*)MAP_FAILED) ptx_die("cannot reserve the device memory arena: set PTXRUN_MEM_GB");
    }
    for (auto it = D.hole.begin(); it != D.hole.end(); ++it)
      if (it->second >= need) {
        p = (u8*)it->first;
        size_t rest = it->second - need;
        D.hole.erase(it);
        if (rest) D.hole[(u64)p + need] = rest;
        break;
      }
    if (!p) {
      size_t end = (D.end + need + 4095) / 4096 * 4096;
      if (end > D.span) return nullptr;
      p = D.arena + D.end;
      if (end > D.end + need) D.hole[(u64)p + need] = end - D.end - need;
      if (settings().protect) mprotect(p, end - D.end, PROT_READ | PROT_WRITE);
      D.end = end;
    }
    D.used += need - 256;
    D.peak = std::max(D.peak, D.used);
  }
  memset(p, settings().poison, n);  // 0xFF.. is a NaN: reads of uninitialised doubles show up
  allocations()[(u64)p] = {n, kind, dev, module};
  return p;
}

bool ptx_free(void* p, bool wait) {
  if (!p) return true;
  if (wait) {
    Place w = ptx_where(p, 1);
    if (w.on_device()) drain_device(w.dev);
  }
  MemoryLock l(memory_mutex());
  auto it = allocations().find((u64)p);
  if (it == allocations().end()) return false;
  Allocation a = it->second;
  allocations().erase(it);
  if (a.kind == REGISTERED) return true;
  Device& D = device_table()[a.dev];
  PtxOpen open(a.dev);
  memset(p, settings().poison, a.n);
  if (a.kind != DEVICE) {
    free(p);
    return true;
  }
  u64 at = (u64)p;
  size_t n = padded(a.n);
  D.used -= n - 256;
  auto nx = D.hole.lower_bound(at);
  if (nx != D.hole.end() && nx->first == at + n) {
    n += nx->second;
    nx = D.hole.erase(nx);
  }
  if (nx != D.hole.begin() && (--nx)->first + nx->second == at)
    nx->second += n;
  else
    D.hole[at] = n;
  return true;
}
bool ptx_register(void* p, size_t n) {
  MemoryLock l(memory_mutex());
  return allocations().insert({(u64)p, {n, REGISTERED, ptx_device(), true}}).second;
}
Place ptx_where(const void* p, size_t n) {
  MemoryLock l(memory_mutex());
  u64 a = (u64)p;
  auto it = allocations().upper_bound(a);
  if (it != allocations().begin()) {
    --it;
    Allocation& x = it->second;
    u64 o = a - it->first;
    if (o < x.n + (n == 0)) return {o + n <= x.n ? x.kind : BAD, x.dev, it->first, x.n};
  }
  for (int d = 0; d < ptx_devices(); ++d)
    if (device_table()[d].arena && a - (u64)device_table()[d].arena < device_table()[d].span) return {BAD, d, 0, 0};
  return {PAGEABLE, 0, 0, 0};
}
void ptx_memory(int dev, size_t* f, size_t* t) {
  MemoryLock l(memory_mutex());
  Device& D = device_table()[dev];
  *t = D.limit;
  *f = D.limit - D.used;
}
