// The threads of a block: plain calls one after another, or fibers that wait for each other at warp operations and
// barriers.
#include "threads.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>

#include "counting.hpp"
#include "device.hpp"

struct Fiber;
struct Block;
enum State { READY, WARPWAIT, BARWAIT, DONE };
extern "C" void ptx_switch(void** save, void* to);
asm(R"(
.text
.globl ptx_switch
.hidden ptx_switch
.type ptx_switch,@function
ptx_switch:
  pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp
  ret
.size ptx_switch,.-ptx_switch
)");
struct Fiber {
  Ctx c;
  void* sp;
  u8* stack;
  State st;
  Block* block;
  u32 idx;
  u32 kind, mask, b, cfg;
  u64 val, res;
  u32 barid;
};
struct Barrier {
  u32 arrived = 0, expect = 0;
  u32 pop = 0;
  bool all = true, any = false;
};
struct Block {
  std::vector<Fiber*> f;
  std::vector<u32> ord;
  u32 n = 0, alive = 0;
  void* main_sp = nullptr;
  KernelCode fn = nullptr;
  Barrier bar[16];
  std::vector<u32> warp_alive;
  u64 progress = 0;
  std::string kname;
  ~Block() {
    for (auto x : f) {
      munmap(x->stack, stack_size());
      delete x;
    }
  }
  static size_t stack_size() {
    static size_t s = (size_t)ptx_env("PTXRUN_STACK_KB", 256) * 1024;
    return s;
  }
};
static void to_main(Fiber* x) { ptx_switch(&x->sp, x->block->main_sp); }

// longer than 60 lines: a kind of shuffle or vote after the other
static bool try_warp(Block* t, u32 w, u32 mask, u32 kind) {
  u32 mem = mask & t->warp_alive[w];
  if (!mem) return false;
  for (u32 m = mem; m; m &= m - 1) {
    Fiber* y = t->f[w * 32 + __builtin_ctz(m)];
    if (y->st != WARPWAIT || y->mask != mask || y->kind != kind) return false;
  }
  u32 ballot = 0;
  for (u32 m = mem; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (t->f[w * 32 + l]->val & 1) ballot |= 1u << l;
  }
  Fiber* f0 = t->f[w * 32 + __builtin_ctz(mem)];
  u64 red = f0->val;
  bool same = true;
  if (kind >= 16)
    for (u32 m = mem & (mem - 1); m; m &= m - 1) {
      u32 v = (u32)t->f[w * 32 + __builtin_ctz(m)]->val, r = (u32)red;
      switch (kind) {
        case 16: r += v; break;
        case 17: r = std::min(r, v); break;
        case 18: r = (u32)std::min((s32)r, (s32)v); break;
        case 19: r = std::max(r, v); break;
        case 20: r = (u32)std::max((s32)r, (s32)v); break;
        case 21: r &= v; break;
        case 22: r |= v; break;
        case 23: r ^= v; break;
      }
      red = r;
    }
  if (kind == 6)
    for (u32 m = mem; m; m &= m - 1) same &= t->f[w * 32 + __builtin_ctz(m)]->val == f0->val;
  for (u32 m = mem; m; m &= m - 1) {
    u32 l = __builtin_ctz(m);
    Fiber* y = t->f[w * 32 + l];
    switch (kind) {
      case 0: y->res = 0; break;
      case 1: y->res = ballot == mem; break;
      case 2: y->res = ballot != 0; break;
      case 3: y->res = ballot == mem || ballot == 0; break;
      case 4: y->res = ballot; break;
      case 5: {
        u32 r = 0;
        for (u32 k = mem; k; k &= k - 1) {
          u32 j = __builtin_ctz(k);
          if (t->f[w * 32 + j]->val == y->val) r |= 1u << j;
        }
        y->res = r;
        break;
      }
      case 6: y->res = same ? mem : 0; break;
      case 8:
      case 9:
      case 10:
      case 11: {
        u32 bval = y->b & 31, cval = y->cfg & 31, seg = y->cfg >> 8 & 31;
        u32 maxl = (l & seg) | (cval & ~seg), minl = l & seg;
        s32 j;
        bool p;
        if (kind == 8) {
          j = (s32)l - (s32)bval;
          p = j >= (s32)maxl;
        } else if (kind == 9) {
          j = l + bval;
          p = j <= (s32)maxl;
        } else if (kind == 10) {
          j = l ^ bval;
          p = j <= (s32)maxl;
        } else {
          j = minl | (bval & ~seg);
          p = j <= (s32)maxl;
        }
        if (!p) j = l;
        u32 v = (mem >> j & 1) ? (u32)t->f[w * 32 + j]->val : 0xDEADBEEFu;
        y->res = (u64)p << 32 | v;
        break;
      }
      default: y->res = red;
    }
    y->st = READY;
  }
  ++t->progress;
  return true;
}
static u64 rt_warp(Ctx& c, u32 kind, u32 mask, u64 val, u32 b, u32 cfg) {
  Fiber* x = (Fiber*)c.th;
  Block* t = x->block;
  if (!(mask >> c.laneid & 1))
    ptx_die("warp-synchronous op in " + t->kname + ": executing lane " + std::to_string(c.laneid) +
            " is not in the member mask");
  x->kind = kind;
  x->mask = mask;
  x->val = val;
  x->b = b;
  x->cfg = cfg;
  x->st = WARPWAIT;
  try_warp(t, x->idx / 32, mask, kind);
  while (x->st == WARPWAIT) to_main(x);
  return x->res;
}
static bool try_barrier(Block* t, u32 id) {
  Barrier& B = t->bar[id];
  if (!B.arrived) return false;
  u32 need = B.expect ? B.expect : t->alive;
  if (B.arrived < need) return false;
  for (u32 i = 0; i < t->n; ++i) {
    Fiber* y = t->f[i];
    if (y->st == BARWAIT && y->barid == id) {
      y->res = y->kind == 1 ? B.all : y->kind == 2 ? B.any : B.pop;
      y->st = READY;
    }
  }
  B = Barrier();
  ++t->progress;
  return true;
}
static u32 rt_bar(Ctx& c, u32 id, u32 count, int kind, bool pred) {
  Fiber* x = (Fiber*)c.th;
  Block* t = x->block;
  Barrier& B = t->bar[id & 15];
  B.arrived++;
  B.expect = count;
  B.all &= pred;
  B.any |= pred;
  B.pop += pred;
  if (kind == 4) {
    try_barrier(t, id & 15);
    ++t->progress;
    return 0;
  }
  x->st = BARWAIT;
  x->barid = id & 15;
  x->kind = kind;
  try_barrier(t, id & 15);
  while (x->st == BARWAIT) to_main(x);
  return (u32)x->res;
}
void rt_yield(Ctx& c) {
  if (c.th) {
    Fiber* x = (Fiber*)c.th;
    ++x->block->progress;
    to_main(x);
  } else
    sched_yield();
}
static void end_fiber(Fiber* x) {
  Block* t = x->block;
  x->st = DONE;
  --t->alive;
  u32 w = x->idx / 32;
  t->warp_alive[w] &= ~(1u << (x->idx & 31));
  ++t->progress;
  for (u32 l = 0; l < 32 && w * 32 + l < t->n; ++l) {
    Fiber* y = t->f[w * 32 + l];
    if (y->st == WARPWAIT) try_warp(t, w, y->mask, y->kind);
  }
  for (u32 i = 0; i < 16; ++i)
    if (t->bar[i].arrived && !t->bar[i].expect) try_barrier(t, i);
  for (;;) to_main(x);
}
static void rt_exit(Ctx& c) { end_fiber((Fiber*)c.th); }
static thread_local Fiber* tl_start;
extern "C" __attribute__((used)) void ptx_fiber_entry() {
  Fiber* x = tl_start;
  x->block->fn(x->c);
  end_fiber(x);
}

static void rt_go_on(Ctx& c) { to_main((Fiber*)c.th); }  // comes back when there is room

const Rt thread_services = {rt_warp, rt_bar, rt_yield, rt_exit, rt_trap, rt_check, rt_builtin, rt_go_on};

// longer than 60 lines: the life of a block, which its fibers share
void run_block(Kernel* k, const Ctx& proto, std::vector<BlockCount>& counts) {
  static thread_local std::unique_ptr<Block> block(new Block);
  Block& t = *block;
  u32 n = proto.ntid[0] * proto.ntid[1] * proto.ntid[2];
  std::vector<u32>& ord = t.ord;
  if (ord.size() != n) {
    ord.resize(n);
    std::iota(ord.begin(), ord.end(), 0u);
  }
  if (settings().order_seed) {
    static thread_local std::mt19937 rng((unsigned)settings().order_seed);
    std::shuffle(ord.begin(), ord.end(), rng);
  }
  if (!k->meta->fibers && !settings().preempt && !k->blocks) {
    Ctx c = proto;
    c.th = nullptr;
    u64 here = (u64)__builtin_frame_address(0);
    c.stack_lo = here - (4u << 20);
    c.stack_hi = here;
    for (u32 i : ord) {
      c.tid[0] = i % c.ntid[0];
      c.tid[1] = i / c.ntid[0] % c.ntid[1];
      c.tid[2] = i / (c.ntid[0] * c.ntid[1]);
      c.laneid = i & 31;
      c.warpid = i >> 5;
      k->fn(c);
    }
    return;
  }
  size_t SS = Block::stack_size();
  while (t.f.size() < n) {
    Fiber* x = new Fiber;
    x->stack = (u8*)mmap(nullptr, SS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (x->stack == MAP_FAILED) ptx_die("fiber stacks");
    mprotect(x->stack, 4096, PROT_NONE);
    t.f.push_back(x);
  }
  t.n = t.alive = n;
  t.fn = k->fn;
  t.kname = k->name;
  t.warp_alive.assign((n + 31) / 32, 0);
  for (auto& b : t.bar) b = Barrier();
  for (u32 i = 0; i < n; ++i) {
    Fiber* x = t.f[i];
    x->block = &t;
    x->idx = i;
    x->st = READY;
    x->c = proto;
    Ctx& c = x->c;
    c.th = x;
    c.laneid = i & 31;
    c.warpid = i >> 5;
    c.tid[0] = i % c.ntid[0];
    c.tid[1] = i / c.ntid[0] % c.ntid[1];
    c.tid[2] = i / (c.ntid[0] * c.ntid[1]);
    c.stack_lo = (u64)x->stack;
    c.stack_hi = (u64)x->stack + SS;
    t.warp_alive[i >> 5] |= 1u << (i & 31);
    void** sp = (void**)(x->stack + SS);
    *--sp = nullptr;
    *--sp = (void*)ptx_fiber_entry;
    for (int q = 0; q < 6; ++q) *--sp = nullptr;
    x->sp = sp;
  }
  std::unique_ptr<Followers> warps(k->blocks ? new Followers(*k, n, counts) : nullptr);
  bool forced = false;  // threads run on ahead of their warps, which wait for one of them that is at a barrier
  while (t.alive) {
    u64 p0 = t.progress;
    bool held = false;
    for (u32 i : ord) {
      Fiber* x = t.f[i];
      if (x->st != READY) continue;
      if (warps && !warps->make_room(i, x->c, forced)) {
        held = true;
        continue;
      }
      ++t.progress;
      tl_start = x;
      ptx_switch(&t.main_sp, x->sp);
      if (warps) warps->take(i, x->c, x->st == DONE);
    }
    if (warps && warps->follow()) ++t.progress;
    forced = held && t.progress == p0;
    if (t.progress == p0 && !forced) {
      char b[400];
      u32 nw = 0, nb = 0;
      for (u32 i = 0; i < n; ++i) {
        nw += t.f[i]->st == WARPWAIT;
        nb += t.f[i]->st == BARWAIT;
      }
      snprintf(b, sizeof b,
               "deadlock in %.200s, block (%u,%u,%u): %u threads wait at a warp-level op, %u at a block barrier, %u "
               "have exited",
               k->name.c_str(), proto.ctaid[0], proto.ctaid[1], proto.ctaid[2], nw, nb, n - t.alive);
      ptx_die(b);
    }
  }
}
