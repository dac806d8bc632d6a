// Floating point: rounding modes and conversions to the bit, functions of the device library against glibc in ulp.
#pragma once
#include <cmath>
#include <cstring>

#include "check.cuh"

struct FRes {
  double d[16];
  float f[16];
  long long l[12];
  int i[12];
};
__global__ void k_flt(const double* x, const double* y, FRes* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = y[i];
  float fa = (float)a, fb = (float)b;
  FRes q;
  memset(&q, 0, sizeof q);
  q.d[0] = __dadd_rd(a, b);
  q.d[1] = __dadd_ru(a, b);
  q.d[2] = __dadd_rz(a, b);
  q.d[3] = __dmul_rd(a, b);
  q.d[4] = __ddiv_ru(a, b);
  q.d[5] = __fma_rz(a, b, a);
  q.d[6] = __dsqrt_rd(fabs(a));
  q.d[7] = a / b;
  q.d[8] = sqrt(fabs(a));
  q.d[9] = fma(a, b, -a);
  q.d[10] = fmin(a, b);
  q.d[11] = fmax(a, b);
  q.d[12] = rint(a);
  q.d[13] = floor(a);
  q.d[14] = copysign(a, b);
  q.d[15] = __drcp_rn(b);
  q.f[0] = __fadd_rd(fa, fb);
  q.f[1] = __fmul_ru(fa, fb);
  q.f[2] = __fdiv_rn(fa, fb);
  q.f[3] = __fsqrt_rn(fabsf(fa));
  q.f[4] = fmaf(fa, fb, fa);
  q.f[5] = __double2float_rd(a);
  q.f[6] = __double2float_ru(a);
  q.f[7] = __int2float_rz((int)(fa * 1e6f));
  q.f[8] = ceilf(fa);
  q.f[9] = truncf(fa);
  q.f[10] = fa - fb;
  q.f[11] = fminf(fa, fb);
  q.f[12] = roundf(fa);
  q.f[13] = fmodf(fa, 3.25f);
  q.l[0] = __double2ll_rn(a);
  q.l[1] = __double2ll_rd(a);
  q.l[2] = (long long)__double2ull_rz(fabs(a));
  q.l[3] = __double_as_longlong(a);
  q.l[4] = (a < b) | ((a <= b) << 1) | ((a > b) << 2) | ((a >= b) << 3) | ((a == b) << 4) | ((a != b) << 5) |
           (!(a < b) << 6) | ((long long)isnan(a) << 7) | ((long long)isinf(a) << 8) | ((long long)signbit(a) << 9);
  q.i[0] = __double2int_rn(a);
  q.i[1] = __double2int_ru(a);
  q.i[2] = (int)__double2uint_rz(fabs(a));
  q.i[3] = (int)a;
  q.i[4] = __double2hiint(a);
  q.i[5] = __double2loint(a);
  q.i[6] = __float2int_rd(fa);
  q.i[7] = __float_as_int(fa);
  q.i[8] = ilogb(a);
  r[i] = q;
}
// ---- math library
#define MATH(X) \
  X(sin)        \
  X(cos)        \
  X(tan)        \
  X(exp)        \
  X(log)        \
  X(log1p)      \
  X(expm1)      \
  X(sinh)       \
  X(cosh) X(tanh) X(asin) X(acos) X(atan) X(cbrt) X(erf) X(exp2) X(log2) X(log10) X(rsqrt_) X(asinh) X(lgam_) X(tgamma)
// zeros of lgamma at x<0 have no ulp bound
__host__ __device__ inline double lgam_(double x) { return lgamma(fabs(x) + 0.01); }
__host__ __device__ inline double rsqrt_(double x) {
#ifdef __CUDA_ARCH__
  return rsqrt(x);
#else
  return 1 / sqrt(x);
#endif
}
enum {
#define X(f) M_##f,
  MATH(X)
#undef X
      M_N
};
__global__ void k_math(const double* x, double* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i];
#define X(f) r[M_##f * n + i] = f(a);
  MATH(X)
#undef X
}
__global__ void k_math2(const double* x, const double* y, double* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  r[i] = pow(fabs(x[i]), y[i] * 0.1);
  r[n + i] = atan2(x[i], y[i]);
  r[2 * n + i] = hypot(x[i], y[i]);
  r[3 * n + i] = fmod(x[i], y[i]);
  r[4 * n + i] = remainder(x[i], y[i]);
  double s, c;
  sincos(x[i] * 1e6, &s, &c);
  r[5 * n + i] = s;
  r[6 * n + i] = c;
  r[7 * n + i] = ldexp(x[i], (int)(y[i]));
}
// ---- memory spaces, shared memory, barriers, warp ops, atomics
__constant__ double cst[8];
__device__ int dev_counter;
__device__ double dev_tab[4] = {1.5, -2.5, 3.5, 1e300};
__device__ __noinline__ double poly(const double* c, int n, double x) {
  double s = 0;
  for (int i = n - 1; i >= 0; --i) s = s * x + c[i];
  return s;
}

// longer than 60 lines: an operation a line or two
static void check_floats() {
  int n = 4000;
  std::vector<double> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (rnd() - .5) * pow(10, (i % 40) - 20);
    y[i] = (rnd() - .5) * pow(10, (i % 23) - 11);
  }
  double sp[] = {0.0,      -0.0,   INFINITY,     -INFINITY,         NAN,          0.5,    1.5,     2.5,
                 -0.5,     -2.5,   2147483647.5, -2147483649.0,     4294967296.0, 9.3e18, -9.3e18, 1.9e19,
                 4.9e-324, 1e-310, 1e308,        1.0000000000000002};
  int ns = sizeof sp / 8;
  for (int i = 0; i < ns; ++i)
    for (int j = 0; j < ns; ++j) {
      x.push_back(sp[i]);
      y.push_back(sp[j]);
    }
  n = x.size();
  Dev<double> dx(x), dy(y);
  Dev<FRes> dr(n);
  k_flt<<<(n + 127) / 128, 128>>>(dx.p, dy.p, dr.p, n);
  auto r = dr.get();
  auto eq = [](double a, double b) { return (std::isnan(a) && std::isnan(b)) || memcmp(&a, &b, 8) == 0; };
  auto ef = [](float a, float b) { return (std::isnan(a) && std::isnan(b)) || memcmp(&a, &b, 4) == 0; };
  for (int i = 0; i < n; ++i) {
    volatile double a = x[i], b = y[i];
    volatile float fa = (float)a, fb = (float)b;
    FRes& q = r[i];
    CK(eq(q.d[0], withr(FE_DOWNWARD,
                        [&] {
                          volatile double t = a + b;
                          return (double)t;
                        })),
       "%g %g", a, b);
    CK(eq(q.d[1], withr(FE_UPWARD,
                        [&] {
                          volatile double t = a + b;
                          return (double)t;
                        })),
       "%g %g", a, b);
    CK(eq(q.d[2], withr(FE_TOWARDZERO,
                        [&] {
                          volatile double t = a + b;
                          return (double)t;
                        })),
       "%g %g", a, b);
    CK(eq(q.d[3], withr(FE_DOWNWARD,
                        [&] {
                          volatile double t = a * b;
                          return (double)t;
                        })),
       "%g %g", a, b);
    CK(eq(q.d[4], withr(FE_UPWARD,
                        [&] {
                          volatile double t = a / b;
                          return (double)t;
                        })),
       "%g %g", a, b);
    CK(eq(q.d[7], a / b), "%g %g", a, b);
    CK(eq(q.d[8], sqrt(fabs(a))), "%g", a);
    CK(eq(q.d[9], fma(a, b, -a)), "%g %g", a, b);
    CK(eq(q.d[10], (a == 0 && b == 0) ? (std::signbit((double)a) ? a : b) : fmin(a, b)), "%g %g %g", a, b, q.d[10]);
    CK(eq(q.d[11], (a == 0 && b == 0) ? (std::signbit((double)a) ? b : a) : fmax(a, b)), "%g %g", a, b);
    CK(eq(q.d[12], rint(a)), "%g", a);
    CK(eq(q.d[13], floor(a)), "%g", a);
    CK(eq(q.d[14], copysign(a, b)), "%g", a);
    CK(eq(q.d[15], 1.0 / b), "%g", b);
    CK(ef(q.f[0], withr(FE_DOWNWARD,
                        [&] {
                          volatile float t = fa + fb;
                          return (float)t;
                        })),
       "%g %g", fa, fb);
    CK(ef(q.f[1], withr(FE_UPWARD,
                        [&] {
                          volatile float t = fa * fb;
                          return (float)t;
                        })),
       "%g %g", fa, fb);
    CK(ef(q.f[2], fa / fb), "%g %g", fa, fb);
    CK(ef(q.f[3], sqrtf(fabsf(fa))), "%g", fa);
    CK(ef(q.f[4], fmaf(fa, fb, fa)), "%g %g", fa, fb);
    CK(ef(q.f[5], withr(FE_DOWNWARD,
                        [&] {
                          volatile float t = (float)a;
                          return (float)t;
                        })),
       "%g", a);
    CK(ef(q.f[6], withr(FE_UPWARD,
                        [&] {
                          volatile float t = (float)a;
                          return (float)t;
                        })),
       "%g", a);
    CK(ef(q.f[8], ceilf(fa)), "%g", fa);
    CK(ef(q.f[9], truncf(fa)), "%g", fa);
    CK(ef(q.f[10], fa - fb), "%g", fa);
    CK(ef(q.f[12], roundf(fa)), "%g", fa);
    if (fabsf(fa) < 1e30f) CK(ef(q.f[13], fmodf(fa, 3.25f)), "%g %g %g", fa, q.f[13], fmodf(fa, 3.25f));
    auto s64 = [](double v) {
      return std::isnan(v)                 ? (long long)0x8000000000000000ull
             : v >= 9.2233720368547758e18  ? 0x7fffffffffffffffll
             : v <= -9.2233720368547758e18 ? (long long)0x8000000000000000ull
                                           : (long long)v;
    };
    auto s32 = [](double v) {
      return std::isnan(v) ? 0 : v >= 2147483647 ? 2147483647 : v <= -2147483648.0 ? (int)0x80000000 : (int)v;
    };
    CK(q.l[0] == s64(rint(a)), "%g %lld", a, q.l[0]);
    CK(q.l[1] == s64(floor(a)), "%g", a);
    CK(q.i[0] == s32(rint(a)), "%g %d", a, q.i[0]);
    CK(q.i[1] == s32(ceil(a)), "%g", a);
    CK(q.i[3] == s32(trunc(a)), "%g", a);
    CK((unsigned)q.i[2] == (std::isnan((double)a) ? 0u : fabs(a) >= 4294967295.0 ? ~0u : (unsigned)fabs(a)), "%g", a);
    double ad = a;
    long long L;
    memcpy(&L, &ad, 8);
    CK(std::isnan(ad) || q.l[3] == L, "%g", a);
    CK(q.l[4] == ((a < b) | ((a <= b) << 1) | ((a > b) << 2) | ((a >= b) << 3) | ((a == b) << 4) | ((a != b) << 5) |
                  ((long long)!(a < b) << 6) | ((long long)std::isnan(ad) << 7) | ((long long)std::isinf(ad) << 8) |
                  ((long long)std::signbit(ad) << 9)),
       "%g %g %llx", a, b, q.l[4]);
  }
  printf("floating point/rounding/conversion: %d inputs, fails so far %d\n", n, fails);
}

static void check_functions() {
  int n = 3000;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = i < 1000 ? rnd() : i < 2000 ? rnd() * 20 - 10 : (rnd() - .5) * pow(10, (i % 13) - 6);
  Dev<double> dx(x), dr((size_t)n * M_N);
  k_math<<<(n + 63) / 64, 64>>>(dx.p, dr.p, n);
  auto r = dr.get();
  auto ulp = [](double a, double b) {
    if (std::isnan(a) && std::isnan(b)) return 0.0;
    if (a == b) return 0.0;
    if (!std::isfinite(a) || !std::isfinite(b)) return 1e9;
    double u = nextafter(fabs(b), INFINITY) - fabs(b);
    return fabs(a - b) / u;
  };
  printf("math, max ulp against glibc:");
#define X(f)                                             \
  {                                                      \
    double m = 0, at = 0;                                \
    for (int i = 0; i < n; ++i) {                        \
      double u = ulp(r[(size_t)M_##f * n + i], f(x[i])); \
      if (u > m) {                                       \
        m = u;                                           \
        at = x[i];                                       \
      }                                                  \
    }                                                    \
    printf(" %s %.1f", #f, m);                           \
    if (m > 10) printf("(x=%g)", at);                    \
    CK(m <= (M_##f == M_tgamma ? 16 : 6), #f " %g", m);  \
  }
  MATH(X)
#undef X
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = (rnd() - .5) * 100;
  Dev<double> dy(y), d2((size_t)n * 8);
  k_math2<<<(n + 63) / 64, 64>>>(dx.p, dy.p, d2.p, n);
  auto q = d2.get();
  double m[8] = {0};
  for (int i = 0; i < n; ++i) {
    double s[8] = {pow(fabs(x[i]), y[i] * 0.1), atan2(x[i], y[i]), hypot(x[i], y[i]), fmod(x[i], y[i]),
                   remainder(x[i], y[i]),       sin(x[i] * 1e6),   cos(x[i] * 1e6),   ldexp(x[i], (int)y[i])};
    for (int k = 0; k < 8; ++k) m[k] = std::max(m[k], ulp(q[(size_t)k * n + i], s[k]));
  }
  printf(" pow %.1f atan2 %.1f hypot %.1f fmod %.1f remainder %.1f sincos(big) %.1f %.1f ldexp %.1f\n", m[0], m[1],
         m[2], m[3], m[4], m[5], m[6], m[7]);
  CK(m[0] <= 6 && m[1] <= 6 && m[2] <= 6 && m[3] == 0 && m[4] == 0 && m[5] <= 6 && m[6] <= 6 && m[7] == 0, "math2");
  printf("math fails so far %d\n", fails);
}
