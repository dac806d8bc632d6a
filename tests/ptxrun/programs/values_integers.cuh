// Integers, comparisons and single opcodes by inline assembly, against the same written in C++ on the host.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>

#include "check.cuh"

struct IRes {
  unsigned a[24];
  ull b[12];
};
__host__ __device__ inline unsigned hclz(unsigned x) {
#ifdef __CUDA_ARCH__
  return __clz(x);
#else
  return x ? __builtin_clz(x) : 32;
#endif
}
__global__ void k_int(const unsigned* x, const unsigned* y, const ull* X, const ull* Y, IRes* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = x[i], b = y[i];
  ull A = X[i], B = Y[i];
  IRes q;
  memset(&q, 0, sizeof q);
  q.a[0] = __umulhi(a, b);
  q.a[1] = __mulhi((int)a, (int)b);
  q.a[2] = __clz(a);
  q.a[3] = __popc(a);
  q.a[4] = __brev(a);
  q.a[5] = __ffs(a);
  q.a[6] = __byte_perm(a, b, 0x5140 + (b & 7));
  q.a[7] = __funnelshift_l(a, b, b & 63);
  q.a[8] = __funnelshift_r(a, b, a & 31);
  q.a[9] = __sad((int)a, (int)b, 7u);
  q.a[10] = b ? a / b : 0;
  q.a[11] = b ? a % b : 0;
  q.a[12] = b ? (unsigned)((int)(a | 1) / (int)(b | 2)) : 0;
  q.a[13] = b ? (unsigned)((int)(a | 1) % (int)(b | 2)) : 0;
  q.a[14] = (int)a >> (b & 31);
  q.a[15] = a << (b & 31);
  q.a[16] = min((int)a, (int)b);
  q.a[17] = max(a, b);
  q.a[18] = abs((int)a);
  q.a[19] = (unsigned)(short)a;
  q.a[20] = (unsigned)(signed char)b;
  q.a[21] = __dp4a((int)a, (int)b, (int)3);
  q.a[22] = (a & b) ^ (~a | (b >> 3));
  q.a[23] = (unsigned)((unsigned short)a * (unsigned short)b);
  q.b[0] = __umul64hi(A, B);
  q.b[1] = __mul64hi((long long)A, (long long)B);
  q.b[2] = __clzll(A);
  q.b[3] = __popcll(A);
  q.b[4] = __brevll(A);
  q.b[5] = B ? A / B : 0;
  q.b[6] = B ? A % B : 0;
  q.b[7] = (ull)((long long)(A | 1) / (long long)(B | 2));
  q.b[8] = A * B;
  q.b[9] = (ull)((long long)A >> (b & 63));
  q.b[10] = A << (b & 63);
  q.b[11] = (ull)llabs((long long)A);
  r[i] = q;
}
// ---- conversions and rounding modes

struct ARes {
  unsigned u[20];
  long long l[8];
  unsigned c;
};
__global__ void k_asm(const unsigned* x, const unsigned* y, const double* X, const double* Y, ARes* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = x[i], b = y[i];
  double A = X[i], B = Y[i];
  ARes q;
  memset(&q, 0, sizeof q);
  unsigned pos = b & 63, len = (b >> 6) & 63, sh = b % 80;
#define A3(op, d, p, q_) asm volatile(op " %0,%1,%2;" : "=r"(d) : "r"(p), "r"(q_))
  A3("shl.b32", q.u[0], a, sh);
  A3("shr.u32", q.u[1], a, sh);
  A3("shr.s32", q.u[2], a, sh);
  A3("add.sat.s32", q.u[3], a, b);
  A3("sub.sat.s32", q.u[4], a, b);
  A3("mul24.lo.u32", q.u[5], a, b);
  asm volatile("bfe.u32 %0,%1,%2,%3;" : "=r"(q.u[6]) : "r"(a), "r"(pos), "r"(len));
  asm volatile("bfe.s32 %0,%1,%2,%3;" : "=r"(q.u[7]) : "r"(a), "r"(pos), "r"(len));
  asm volatile("bfi.b32 %0,%1,%2,%3,%4;" : "=r"(q.u[8]) : "r"(a), "r"(b), "r"(pos), "r"(len));
  asm volatile("bfind.u32 %0,%1;" : "=r"(q.u[9]) : "r"(b));
  asm volatile("bfind.s32 %0,%1;" : "=r"(q.u[10]) : "r"(a));
  asm volatile("bfind.shiftamt.u32 %0,%1;" : "=r"(q.u[11]) : "r"(b));
  asm volatile("lop3.b32 %0,%1,%2,%3,0x6A;" : "=r"(q.u[12]) : "r"(a), "r"(b), "r"(a >> 5));
  asm volatile("shf.l.clamp.b32 %0,%1,%2,%3;" : "=r"(q.u[13]) : "r"(a), "r"(b), "r"(sh));
  asm volatile("shf.r.clamp.b32 %0,%1,%2,%3;" : "=r"(q.u[14]) : "r"(a), "r"(b), "r"(sh));
  asm volatile("slct.u32.s32 %0,%1,%2,%3;" : "=r"(q.u[15]) : "r"(a), "r"(b), "r"((int)a));
  asm volatile("set.lt.u32.s32 %0,%1,%2;" : "=r"(q.u[16]) : "r"(a), "r"(b));
  asm volatile("mad.hi.s32 %0,%1,%2,%3;" : "=r"(q.u[17]) : "r"(a), "r"(b), "r"(5));
  asm volatile("{.reg .pred p,q;\n setp.lt.and.s32 p|q,%1,%2,1;\n selp.u32 %0,1,2,q;}"
               : "=r"(q.u[18])
               : "r"(a), "r"(b));
  asm volatile("cvt.sat.s8.s32 %0,%1;" : "=r"(q.u[19]) : "r"(a >> 20));
  asm volatile("mul.wide.s32 %0,%1,%2;" : "=l"(q.l[0]) : "r"(a), "r"(b));
  asm volatile("mul.wide.u32 %0,%1,%2;" : "=l"(q.l[1]) : "r"(a), "r"(b));
  asm volatile("mad.wide.s32 %0,%1,%2,%3;" : "=l"(q.l[2]) : "r"(a), "r"(b), "l"(-7ll));
  asm volatile("{.reg .u32 l,h;\n sub.cc.u32 l,%1,%2;\n subc.u32 h,%3,%4;\n mov.b64 %0,{l,h};}"
               : "=l"(q.l[3])
               : "r"(a), "r"(b), "r"(b), "r"(a));
  asm volatile("{.reg .u32 l,h;\n mad.lo.cc.u32 l,%1,%2,%3;\n madc.hi.u32 h,%1,%2,%4;\n mov.b64 %0,{l,h};}"
               : "=l"(q.l[4])
               : "r"(a), "r"(b), "r"(a), "r"(7));
  unsigned c = 0;
  unsigned t;
#define CP(k, cmp)                                                                                             \
  asm volatile("{.reg .pred p;\n setp." cmp ".f64 p,%1,%2;\n selp.u32 %0,1,0,p;}" : "=r"(t) : "d"(A), "d"(B)); \
  c |= t << k;
  CP(0, "eq")
  CP(1, "ne")
  CP(2, "lt")
  CP(3, "le")
  CP(4, "gt")
  CP(5, "ge")
  CP(6, "equ") CP(7, "neu") CP(8, "ltu") CP(9, "leu") CP(10, "gtu") CP(11, "geu") CP(12, "num") CP(13, "nan") q.c = c;
  r[i] = q;
}

// longer than 60 lines: an operation a line or two
static void check_integers() {
  int n = 4000;
  std::vector<unsigned> x(n), y(n);
  std::vector<ull> X(n), Y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (unsigned)(rnd() * 4294967296.0);
    y[i] = (unsigned)(rnd() * 4294967296.0) >> (i % 31);
    X[i] = ((ull)x[i] << 32) | (unsigned)(rnd() * 4294967296.0);
    Y[i] = (((ull)y[i] << 32) | x[i]) >> (i % 60);
  }
  x[0] = 0;
  y[0] = 0;
  X[0] = 0;
  Y[0] = 0;
  x[1] = 0x80000000u;
  y[1] = ~0u;
  Dev<unsigned> dx(x), dy(y);
  Dev<ull> dX(X), dY(Y);
  Dev<IRes> dr(n);
  k_int<<<(n + 127) / 128, 128>>>(dx.p, dy.p, dX.p, dY.p, dr.p, n);
  auto r = dr.get();
  for (int i = 0; i < n; ++i) {
    unsigned a = x[i], b = y[i];
    ull A = X[i], B = Y[i];
    IRes& q = r[i];
    ull AB = ((ull)b << 32) | a;
    CK(q.a[0] == (unsigned)((ull)a * b >> 32), "%d", i);
    CK(q.a[1] == (unsigned)((long long)(int)a * (int)b >> 32), "%d", i);
    CK(q.a[2] == hclz(a), "%d", i);
    CK(q.a[3] == (unsigned)__builtin_popcount(a), "%d", i);
    unsigned br = 0;
    for (int k = 0; k < 32; ++k) br |= (a >> k & 1) << (31 - k);
    CK(q.a[4] == br, "%d", i);
    CK(q.a[5] == (unsigned)__builtin_ffs(a), "%d", i);
    unsigned sel = 0x5140 + (b & 7), pm = 0;
    for (int k = 0; k < 4; ++k) {
      pm |= (unsigned)(AB >> (8 * ((sel >> 4 * k) & 7)) & 255) << 8 * k;
    }
    CK(q.a[6] == pm, "%d %x %x", i, q.a[6], pm);
    unsigned s1 = b & 31;
    CK(q.a[7] == (unsigned)((AB << s1) >> 32), "%d", i);
    CK(q.a[8] == (unsigned)(AB >> (a & 31)), "%d", i);
    CK(q.a[9] == 7u + (unsigned)llabs((long long)(int)a - (int)b), "%d", i);
    CK(q.a[10] == (b ? a / b : 0), "%d", i);
    CK(q.a[11] == (b ? a % b : 0), "%d", i);
    if (b) {
      CK(q.a[12] == (unsigned)((long long)(int)(a | 1) / (int)(b | 2)), "%d", i);
      CK(q.a[13] == (unsigned)((long long)(int)(a | 1) % (int)(b | 2)), "%d", i);
    }
    CK(q.a[14] == (unsigned)((int)a >> (b & 31)), "%d", i);
    CK(q.a[15] == a << (b & 31), "%d", i);
    CK(q.a[16] == (unsigned)std::min((int)a, (int)b), "%d", i);
    CK(q.a[17] == std::max(a, b), "%d", i);
    CK(q.a[18] == ((int)a < 0 ? 0u - a : a), "%d", i);
    CK(q.a[19] == (unsigned)(short)a, "%d", i);
    CK(q.a[20] == (unsigned)(signed char)b, "%d", i);
    int dp = 3;
    for (int k = 0; k < 4; ++k) dp += (int)(signed char)(a >> 8 * k) * (int)(signed char)(b >> 8 * k);
    CK(q.a[21] == (unsigned)dp, "%d", i);
    CK(q.a[22] == ((a & b) ^ (~a | (b >> 3))), "%d", i);
    CK(q.a[23] == (unsigned)((unsigned short)a) * (unsigned short)b, "%d", i);
    CK(q.b[0] == (ull)((unsigned __int128)A * B >> 64), "%d", i);
    CK(q.b[1] == (ull)((__int128)(long long)A * (long long)B >> 64), "%d", i);
    CK(q.b[2] == (A ? (ull)__builtin_clzll(A) : 64), "%d", i);
    CK(q.b[3] == (ull)__builtin_popcountll(A), "%d", i);
    if (B) {
      CK(q.b[5] == A / B, "%d", i);
      CK(q.b[6] == A % B, "%d", i);
    }
    CK(q.b[7] == (ull)((long long)(A | 1) / (long long)(B | 2)), "%d", i);
    CK(q.b[8] == A * B, "%d", i);
    CK(q.b[9] == (ull)((long long)A >> (b & 63)), "%d", i);
    CK(q.b[10] == A << (b & 63), "%d", i);
  }
  printf("integer ops: %d inputs, fails so far %d\n", n, fails);
}

// longer than 60 lines: an operation a line or two
static void check_opcodes() {
  int n = 4000;
  std::vector<unsigned> x(n), y(n);
  std::vector<double> X(n), Y(n);
  double sp[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < n; ++i) {
    x[i] = (unsigned)(rnd() * 4294967296.0) >> (i % 3 == 0 ? i % 32 : 0);
    y[i] = (unsigned)(rnd() * 4294967296.0);
    X[i] = sp[i % 7];
    Y[i] = sp[(i / 7) % 7];
  }
  x[0] = 0;
  y[1] = 0;
  x[2] = ~0u;
  x[5] = 0x7fffffff;
  y[5] = 0x7ffffff0;
  x[6] = 0x80000000u;
  y[6] = 0x80000001u;
  Dev<unsigned> dx(x), dy(y);
  Dev<double> dX(X), dY(Y);
  Dev<ARes> dr(n);
  k_asm<<<(n + 127) / 128, 128>>>(dx.p, dy.p, dX.p, dY.p, dr.p, n);
  auto r = dr.get();
  for (int i = 0; i < n; ++i) {
    unsigned a = x[i], b = y[i];
    double A = X[i], B = Y[i];
    ARes& q = r[i];
    unsigned pos = b & 63, len = (b >> 6) & 63, sh = b % 80;
    ull AB = ((ull)b << 32) | a;
    auto sat = [](long long v) { return (unsigned)(int)std::max(-2147483648ll, std::min(2147483647ll, v)); };
    CK(q.u[0] == (sh > 31 ? 0u : a << sh), "%d", i);
    CK(q.u[1] == (sh > 31 ? 0u : a >> sh), "%d", i);
    CK(q.u[2] == (unsigned)((int)a >> (sh > 31 ? 31 : sh)), "%d", i);
    CK(q.u[3] == sat((long long)(int)a + (int)b), "%d", i);
    CK(q.u[4] == sat((long long)(int)a - (int)b), "%d", i);
    CK(q.u[5] == (unsigned)((ull)(a & 0xffffff) * (b & 0xffffff)), "%d", i);
    unsigned bu = 0;
    for (unsigned k = 0; k < 32 && k < len && pos + k < 32; ++k) bu |= (a >> (pos + k) & 1) << k;
    CK(q.u[6] == bu, "%d", i);
    unsigned bs = 0;
    bool sb = len ? (a >> std::min(pos + len - 1, 31u)) & 1 : false;
    for (unsigned k = 0; k < 32; ++k) bs |= (unsigned)((k < len && pos + k < 32) ? (a >> (pos + k) & 1) : sb) << k;
    CK(q.u[7] == bs, "%d %x %x", i, q.u[7], bs);
    unsigned bi = b;
    for (unsigned k = 0; k < len && pos + k < 32; ++k) bi = (bi & ~(1u << (pos + k))) | ((a >> k & 1) << (pos + k));
    CK(q.u[8] == bi, "%d", i);
    CK(q.u[9] == (b ? 31u - __builtin_clz(b) : ~0u), "%d", i);
    unsigned aa = (int)a < 0 ? ~a : a;
    CK(q.u[10] == (aa ? 31u - __builtin_clz(aa) : ~0u), "%d", i);
    CK(q.u[11] == (b ? (unsigned)__builtin_clz(b) : ~0u), "%d", i);
    CK(q.u[12] == ((a & b) ^ (a >> 5)), "%d %x", i, q.u[12]);
    unsigned cs = std::min(sh, 32u);
    CK(q.u[13] == (unsigned)(cs == 32 ? a : (AB << cs) >> 32), "%d", i);
    CK(q.u[14] == (unsigned)(AB >> cs), "%d", i);
    CK(q.u[15] == ((int)a >= 0 ? a : b), "%d", i);
    CK(q.u[16] == ((int)a < (int)b ? ~0u : 0u), "%d", i);
    CK(q.u[17] == (unsigned)(((long long)(int)a * (int)b) >> 32) + 5u, "%d", i);
    CK(q.u[18] == ((int)a < (int)b ? 2u : 1u), "%d", i);
    CK(q.u[19] == (unsigned)std::max(-128, std::min(127, (int)(a >> 20))), "%d %x", i, q.u[19]);
    CK(q.l[0] == (long long)(int)a * (int)b, "%d", i);
    CK((ull)q.l[1] == (ull)a * b, "%d", i);
    CK(q.l[2] == (long long)(int)a * (int)b - 7, "%d", i);
    CK((ull)q.l[3] == (((ull)b << 32 | a) - ((ull)a << 32 | b)), "%d", i);
    CK((ull)q.l[4] == (ull)a * b + ((ull)7 << 32 | a), "%d", i);
    bool un = std::isnan(A) || std::isnan(B);
    unsigned e = 0;
    bool v[14] = {!un && A == B, !un && A != B, !un && A < B, !un && A <= B, !un && A > B, !un && A >= B, un || A == B,
                  un || A != B,  un || A < B,   un || A <= B, un || A > B,   un || A >= B, !un,           un};
    for (int k = 0; k < 14; ++k) e |= (unsigned)v[k] << k;
    CK(q.c == e, "%g %g %x %x", A, B, q.c, e);
  }
  printf("PTX opcodes by inline assembly: %d inputs, fails so far %d\n", n, fails);
}
