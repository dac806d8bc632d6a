// Launches: what a kernel may ask for, and its blocks on host threads.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "counting.hpp"
#include "device.hpp"
#include "threads.hpp"

// limits of sm_75: 48 KB shared memory per block, 64 KB if the kernel asks for it
static int max_dyn(Kernel* k) { return k->max_dyn >= 0 ? k->max_dyn : (48 << 10) - (int)ptx_kmeta(k).sh_static; }
int ptx_func_attribute(Kernel* k, int a) {
  const KMeta& M = ptx_kmeta(k);
  switch (a) {
    case 0: return M.maxntid ? M.maxntid : 1024;
    case 1: return (int)M.sh_static;
    case 4: return 64;
    case 5:
    case 6: return atoi(k->m->target.c_str() + 3);
    case 8: return max_dyn(k);
    case 9: return -1;
    default: return 0;
  }
}
int ptx_func_set(Kernel* k, int a, int v) {
  if (a != 8) return 0;
  if (v < 0 || v > (64 << 10) - (int)ptx_kmeta(k).sh_static) return cudaErrorInvalidValue;
  k->max_dyn = v;
  return 0;
}
int ptx_occupancy(Kernel* k, int block, size_t dyn) {
  const KMeta& M = ptx_kmeta(k);
  size_t sh = M.sh_static + dyn;
  int n = (block + 31) / 32 * 32;
  if (block < 1 || block > ptx_func_attribute(k, 0) || sh > (64u << 10)) return 0;
  return std::min({1024 / n, 16, sh ? (int)((64u << 10) / sh) : 16});
}

static void run_grid(Kernel* k, const u32 g[3], const u32 b[3], u8* param, u32 dyn) {
  PtxOpen open(k->m->dev, true);
  forget_checked_memory();
  u64 total = (u64)g[0] * g[1] * g[2];
  u32 shn = k->meta->dyn_off + dyn;
  std::atomic<u64> next{0};
  std::vector<BlockCount> counts(k->block_count);
  std::mutex counts_mutex;
  auto work = [&] {
    std::vector<BlockCount> own(k->block_count);
    static thread_local std::vector<u8> shm;
    if (shm.size() < shn + 1024u) shm.resize(shn + 1024u);
    Ctx c{};
    c.shared = (u8*)(((u64)shm.data() + 255) & ~255ull);
    c.shared_size = shn;
    c.dyn_size = dyn;
    c.param = param;
    c.vars = k->vars.data();
    c.rt = &thread_services;
    c.dev = k->m->dev;
    for (int i = 0; i < 3; ++i) {
      c.ntid[i] = b[i];
      c.nctaid[i] = g[i];
    }
    const bool rev = ptx_env("PTXRUN_REVERSE", 0);
    for (u64 i; (i = next.fetch_add(1)) < total;) {
      if (rev) i = total - 1 - i;
      c.ctaid[0] = (u32)(i % g[0]);
      c.ctaid[1] = (u32)(i / g[0] % g[1]);
      c.ctaid[2] = (u32)(i / ((u64)g[0] * g[1]));
      if (shn) memset(c.shared, 0xFF, shn);
      run_block(k, c, own);
    }
    std::lock_guard<std::mutex> lock(counts_mutex);
    for (u32 i = 0; i < k->block_count; ++i) counts[i] += own[i];
  };
  int nt = std::max(1, ptx_env("PTXRUN_THREADS", 1));
  if (nt == 1 || total == 1)
    work();
  else {
    std::vector<std::thread> v;
    for (int i = 0; i < nt; ++i) v.emplace_back(work);
    for (auto& x : v) x.join();
  }
  if (k->blocks) tell_counts(*k, total * b[0] * b[1] * b[2], counts);
}
int ptx_launch(Kernel* k, const u32 g[3], const u32 b[3], void** args, const void* buf, size_t nb, size_t dyn,
               void* stream) {
  u64 n = (u64)b[0] * b[1] * b[2];
  if (n == 0 || n > 1024 || b[2] > 64 || !g[0] || !g[1] || !g[2] || g[0] > 2147483647u || g[1] > 65535 || g[2] > 65535)
    return cudaErrorInvalidConfiguration;
  int dev, prio;
  unsigned flags;
  // stream of another device
  if (ptx_stream_info(stream, &dev, &flags, &prio) || dev != k->m->dev) return cudaErrorInvalidResourceHandle;
  const KMeta& M = ptx_kmeta(k);
  if ((M.maxntid && n > (u64)M.maxntid) || dyn > (size_t)max_dyn(k)) return cudaErrorInvalidValue;
  auto par = std::make_shared<std::vector<u8>>(std::max<size_t>(M.ptotal, nb) + 64);
  u8* pp = (u8*)(((u64)par->data() + 15) & ~15ull);
  if (args)
    for (int i = 0; i < M.np; ++i) memcpy(pp + M.poff[i], args[i], M.psz[i]);
  else if (buf)
    memcpy(pp, buf, std::min<size_t>(nb, M.ptotal));
  u64 blocks = (u64)g[0] * g[1] * g[2];
  ptx_count_launch(n * blocks);
  struct {
    u32 g[3], b[3];
  } s = {{g[0], g[1], g[2]}, {b[0], b[1], b[2]}};
  return ptx_submit(stream, true, [=] {
    if (ptx_env("PTXRUN_TRACE", 0))
      fprintf(stderr, "ptxrun: launch %.120s device %d grid %u,%u,%u block %u,%u,%u smem %zu\n", k->name.c_str(), dev,
              s.g[0], s.g[1], s.g[2], s.b[0], s.b[1], s.b[2], dyn);
    run_grid(k, s.g, s.b, (u8*)(((u64)par->data() + 15) & ~15ull), (u32)dyn);
  });
}
