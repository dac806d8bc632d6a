// Memory spaces, warps, barriers, cooperative groups, atomics, calls through pointers, grids in three dimensions.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>
#include <new>

#include "check.cuh"

namespace cg = cooperative_groups;

__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void k_mem(double* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  double loc[8];
  for (int k = 0; k < 8; ++k) loc[(k * 3 + i) & 7] = k * 0.5;
  if (i < n) out[i] = poly(cst, 8, 0.01 * i) + loc[i & 7] + dev_tab[i & 3] * (i & 1) + fib(i % 12);
  atomicAdd(&dev_counter, 1);
}
__global__ void k_tree(const double* x, double* out, int n) {
  extern __shared__ double s[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void k_warp(unsigned* o) {
  int t = threadIdx.x;
  unsigned v = t * 7u + 3;
  int k = 0;
  unsigned* p = o + (blockIdx.x * blockDim.x + t) * 12;
  p[k++] = __shfl_sync(~0u, v, (t + 5) & 31);
  p[k++] = __shfl_up_sync(~0u, v, 3);
  p[k++] = __shfl_down_sync(~0u, v, 4);
  p[k++] = __shfl_xor_sync(~0u, v, 9);
  p[k++] = __shfl_down_sync(~0u, v, 2, 8);
  p[k++] = __ballot_sync(~0u, v & 4);
  p[k++] = __any_sync(~0u, t == 70);
  p[k++] = __all_sync(~0u, t < 64);
  p[k++] = __match_any_sync(~0u, t % 5);
  if (t & 1)
    p[k++] = __ballot_sync(0xAAAAAAAAu, t & 2);
  else
    p[k++] = __shfl_xor_sync(0x55555555u, v, 2);
  p[k++] = __syncthreads_count(t % 3 == 0);
  p[k++] = __syncthreads_or(t == 500);
}
__global__ void k_cg(int* o) {
  auto b = cg::this_thread_block();
  auto w = cg::tiled_partition<32>(b);
  auto t8 = cg::tiled_partition<8>(w);
  int v = b.thread_rank();
  o[v * 3] = cg::reduce(w, v, cg::plus<int>());
  o[v * 3 + 1] = cg::reduce(t8, v, cg::greater<int>());
  b.sync();
  if (v % 3 == 0) {
    auto c = cg::coalesced_threads();
    o[v * 3 + 2] = c.size();
  } else
    o[v * 3 + 2] = -1;
}
__global__ void k_atom(double* ds, int* is, ull* us, float* fs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(ds, (double)i);
  atomicAdd(is, i);
  atomicMax(is + 1, i ^ 0x55);
  atomicMin(is + 2, -i);
  atomicAdd(us, 1ull << 20);
  atomicExch(us + 1, (ull)7);
  atomicCAS(us + 2, 0ull, 99ull);
  atomicAdd(fs, 0.5f);
  atomicInc((unsigned*)is + 3, 10u);
  atomicOr(is + 4, 1 << (i & 31));
}
struct Base {
  __device__ virtual double f(double) const = 0;
};
struct S1 : Base {
  __device__ double f(double x) const override { return 2 * x; }
};
struct S2 : Base {
  __device__ double f(double x) const override { return x * x; }
};
__global__ void k_virt(double* o) {
  __shared__ alignas(8) char m[64];
  int i = threadIdx.x;
  Base* b;
  if (i == 0) new (m) S1;
  if (i == 1) new (m + 32) S2;
  __syncthreads();
  b = (Base*)(m + 32 * (i & 1));
  o[i] = b->f(i + 0.5);
}
typedef double (*FP)(double);
__device__ double fa(double x) { return x + 1; }
__device__ double fb(double x) { return x * 3; }
__global__ void k_fptr(double* o) {
  FP t[2] = {fa, fb};
  int i = threadIdx.x;
  o[i] = t[i & 1]((double)i);
}
__global__ void k_switch(int* o) {
  int i = threadIdx.x;
  int r;
  switch (i % 9) {
    case 0: r = 17; break;
    case 1: r = i * 3; break;
    case 2: r = -i; break;
    case 3: r = i ^ 77; break;
    case 4: r = fib(i % 10); break;
    case 5: r = 5; break;
    case 6: r = i << 2; break;
    case 7: r = 1000 / i; break;
    default: r = 99;
  }
  o[i] = r;
}
__global__ void k_printf(int a, double b) {
  if (threadIdx.x == 1) printf("device printf %d %5.2f %s %lld %%\n", a, b, "str", 123456789012LL);
}
__global__ void k_dim(int* o) {
  int3 q = make_int3(threadIdx.x, threadIdx.y, threadIdx.z);
  int lin = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) +
            (q.z * blockDim.y + q.y) * blockDim.x + q.x;
  o[lin] = lin;
}

// ---- PTX opcodes through inline assembly (compiler output rarely shows their corner cases)

static void check_memory() {
  double c[8] = {1, -2, 3, .5, .25, -.125, 2, 1};
  cudaMemcpyToSymbol(cst, c, sizeof c);
  int z = 0;
  cudaMemcpyToSymbol(dev_counter, &z, 4);
  int n = 200;
  Dev<double> o(n);
  k_mem<<<4, 64>>>(o.p, n);
  auto r = o.get();
  int cnt;
  cudaMemcpyFromSymbol(&cnt, dev_counter, 4);
  CK(cnt == 256, "%d", cnt);
  double dt[4] = {1.5, -2.5, 3.5, 1e300};
  auto hf = [](int n) {
    int a = 0, b = 1;
    while (n--) {
      int t = a + b;
      a = b;
      b = t;
    }
    return a;
  };
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = 7; k >= 0; --k) s = s * (0.01 * i) + c[k];
    double loc[8];
    for (int k = 0; k < 8; ++k) loc[(k * 3 + i) & 7] = k * .5;
    double e = s + loc[i & 7] + dt[i & 3] * (i & 1) + hf(i % 12);
    CK(r[i] == e, "%d %.17g %.17g", i, r[i], e);
  }
  printf("constant/device/local memory, recursion: fails so far %d\n", fails);
}

static void check_warps() {
  int n = 5000;
  std::vector<double> x(n);
  for (auto& v : x) v = floor(rnd() * 1000);
  Dev<double> dx(x), o(20);
  k_tree<<<20, 256, 256 * 8>>>(dx.p, o.p, n);
  auto r = o.get();
  double s = 0, e = 0;
  for (double v : r) s += v;
  for (double v : x) e += v;
  CK(s == e, "%g %g", s, e);
  Dev<unsigned> w(2 * 64 * 12);
  k_warp<<<2, 64>>>(w.p);
  auto p = w.get();
  for (int t = 0; t < 128; ++t) {
    int tt = t % 64, l = tt & 31, b = tt & ~31;
    auto V = [&](int lane) { return (unsigned)(b + lane) * 7u + 3; };
    unsigned* q = &p[t * 12];
    unsigned bal = 0, mt = 0;
    for (int k = 0; k < 32; ++k) {
      if (V(k) & 4) bal |= 1u << k;
      if ((b + k) % 5 == tt % 5) mt |= 1u << k;
    }
    CK(q[0] == V((tt + 5) & 31), "%d", t);
    CK(q[1] == V(l < 3 ? l : l - 3), "%d", t);
    CK(q[2] == V(l + 4 > 31 ? l : l + 4), "%d", t);
    CK(q[3] == V(l ^ 9), "%d", t);
    CK(q[4] == V((l & 7) + 2 > 7 ? l : l + 2), "%d", t);
    CK(q[5] == bal, "%d", t);
    CK(q[6] == 0, "%d", t);
    CK(q[7] == 1, "%d", t);
    CK(q[8] == mt, "%d %x %x", t, q[8], mt);
    CK(q[9] == ((tt & 1) ? 0x88888888u : V(l ^ 2)), "%d %x", t, q[9]);
    CK(q[10] == 22, "%d %u", t, q[10]);
    CK(q[11] == 0, "%d", t);
  }
  Dev<int> g(96 * 3);
  k_cg<<<1, 96>>>(g.p);
  auto h = g.get();
  for (int t = 0; t < 96; ++t) {
    int b = t & ~31;
    CK(h[t * 3] == 32 * b + 496, "%d", t);
    CK(h[t * 3 + 1] == (t | 7), "%d", t);
  }
  printf("shared memory, warp ops, cooperative groups: fails so far %d (coalesced size seen %d)\n", fails, h[2]);
}

static void check_atomics() {
  Dev<double> d(1);
  Dev<int> i(8);
  Dev<ull> u(4);
  Dev<float> f(1);
  cudaMemset(d.p, 0, 8);
  cudaMemset(i.p, 0, 32);
  cudaMemset(u.p, 0, 32);
  cudaMemset(f.p, 0, 4);
  k_atom<<<10, 100>>>(d.p, i.p, u.p, f.p);
  auto I = i.get();
  auto U = u.get();
  CK(d.get()[0] == 499500, "%g", d.get()[0]);
  CK(I[0] == 499500, "%d", I[0]);
  CK(I[1] == 1023 || I[1] >= 999, "%d", I[1]);
  CK(I[2] == -999, "%d", I[2]);
  CK(I[3] == 1000 % 11, "%d", I[3]);
  CK(I[4] == -1, "%d", I[4]);
  CK(U[0] == 1000ull << 20 && U[1] == 7 && U[2] == 99, "atom");
  CK(f.get()[0] == 500.f, "f");
  printf("atomics: fails so far %d\n", fails);
}

static void check_calls() {
  Dev<double> o(8);
  k_fptr<<<1, 8>>>(o.p);
  auto r = o.get();
  for (int i = 0; i < 8; ++i) CK(r[i] == ((i & 1) ? 3.0 * i : i + 1.0), "%d %g", i, r[i]);
  k_virt<<<1, 8>>>(o.p);
  r = o.get();
  for (int i = 0; i < 8; ++i) CK(r[i] == ((i & 1) ? (i + .5) * (i + .5) : 2 * i + 1.0), "%d %g", i, r[i]);
  Dev<int> s(90);
  k_switch<<<1, 90>>>(s.p);
  auto q = s.get();
  auto hf = [](int n) {
    int a = 0, b = 1;
    while (n--) {
      int t = a + b;
      a = b;
      b = t;
    }
    return a;
  };
  for (int i = 0; i < 90; ++i) {
    int e;
    switch (i % 9) {
      case 0: e = 17; break;
      case 1: e = i * 3; break;
      case 2: e = -i; break;
      case 3: e = i ^ 77; break;
      case 4: e = hf(i % 10); break;
      case 5: e = 5; break;
      case 6: e = i << 2; break;
      case 7: e = 1000 / i; break;
      default: e = 99;
    }
    CK(q[i] == e, "%d %d %d", i, q[i], e);
  }
  Dev<int> dm(2 * 3 * 2 * 4 * 3 * 2);
  k_dim<<<dim3(2, 3, 2), dim3(4, 3, 2)>>>(dm.p);
  auto v = dm.get();
  for (size_t i = 0; i < v.size(); ++i) CK(v[i] == (int)i, "%zu %d", i, v[i]);
  k_printf<<<1, 4>>>(42, 2.75);
  printf("function pointers, virtual calls, switch, 3D grids, printf: fails so far %d\n", fails);
}
