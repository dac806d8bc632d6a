// What the programs of ptxrun's tests share: failed checks are counted and printed, arrays on the device, random
// numbers.
#pragma once
#include <cfenv>
#include <cstdio>
#include <vector>

static int fails = 0;
#define CK(c, ...)                                       \
  do {                                                   \
    if (!(c)) {                                          \
      ++fails;                                           \
      printf("FAIL %s:%d %s  ", __FILE__, __LINE__, #c); \
      printf(" " __VA_ARGS__);                           \
      printf("\n");                                      \
    }                                                    \
  } while (0)

template <class T>
struct Dev {
  T* p;
  size_t n;
  Dev(size_t n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
  Dev(const std::vector<T>& v) : Dev(v.size()) { cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> get() {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
  ~Dev() { cudaFree(p); }
};

typedef unsigned long long ull;

// xorshift64: the same numbers in every run
inline double rnd() {
  static ull s = 88172645463325252ull;
  s ^= s << 13;
  s ^= s >> 7;
  s ^= s << 17;
  return (double)(s >> 11) / 9007199254740992.0;
}

// f in another rounding mode
template <class F>
auto withr(int m, F f) {
  int o = fegetround();
  fesetround(m);
  auto r = f();
  fesetround(o);
  return r;
}
