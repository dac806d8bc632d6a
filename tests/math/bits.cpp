// Prints one hash a function, type and kind of Real over a fixed set of arguments. Whatever compiled this text, and
// with whatever flags, must print the same lines: compare_bits.py builds it in several ways and compares.
//
// As CUDA (nvcc, or -x cu) the kernel computes the results, one thread an argument; else scalars and packs do.

#include "all_functions.hpp"
#if !defined(__CUDACC__)
#include <conesweep/math/pack.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace conesweep {
namespace {

constexpr int argument_count = 16384;  // a multiple of every pack's lanes

/// Random numbers that need no library (splitmix64).
inline unsigned long long random_bits(unsigned long long& state) {
  state += 0x9e3779b97f4a7c15ULL;
  unsigned long long z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Ordinary numbers, every exponent, and special values, mixed so that packs hold all of them side by side.
template <class Scalar>
std::vector<Scalar> make_arguments(unsigned long long seed) {
  using Bits = typename Format<Scalar>::Bits;
  const Scalar inf = infinity<Scalar>();
  const Scalar special[] = {0,  -Scalar(0),  inf,          -inf,         canonical_nan<Scalar>(),
                            1,  -1,          Scalar(1e30), Scalar(0.5),  2,
                            -3, Scalar(710), Scalar(-745), Scalar(88.5), Scalar(1e-40)};
  std::vector<Scalar> result;
  for (int i = 0; i < argument_count; ++i) {
    const unsigned long long bits = random_bits(seed);
    const Scalar unit = static_cast<Scalar>(static_cast<int>(bits >> 40)) * Scalar(0x1p-24);  // [0, 1[
    switch (bits % 7) {
      case 0: result.push_back(special[(bits >> 8) % 15]); break;
      case 1: result.push_back(from_bits<Scalar>(static_cast<Bits>(random_bits(seed)))); break;
      case 2: result.push_back(2 * unit - 1); break;
      case 3: result.push_back(200000 * unit); break;
      default: result.push_back(40 * unit - 20); break;
    }
  }
  return result;
}

template <class Scalar>
unsigned long long hash_results(const std::vector<Scalar>& results) {
  unsigned long long hash = 1469598103934665603ULL;
  for (const Scalar result : results) {
    hash = (hash ^ to_bits(canonicalize(result))) * 1099511628211ULL;  // FNV-1a by words,
    hash ^= hash >> 32;                                                // so that sign bits reach the other bits
  }
  return hash;
}

#if defined(__CUDACC__)

template <class Scalar>
__global__ void evaluate_kernel(int function, const Scalar* x, const Scalar* y, Scalar* results) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < argument_count) results[i] = evaluate<Scalar>(function, x[i], y[i]);
}

inline void require(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
  std::exit(3);
}

template <class Scalar>
std::vector<Scalar> evaluate_all(int function, const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  const std::size_t bytes = sizeof(Scalar) * argument_count;
  Scalar *device_x, *device_y, *device_results;
  std::vector<Scalar> results(argument_count);
  require(cudaMalloc(&device_x, bytes));
  require(cudaMalloc(&device_y, bytes));
  require(cudaMalloc(&device_results, bytes));
  require(cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice));
  require(cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice));
  evaluate_kernel<Scalar><<<argument_count / 128, 128>>>(function, device_x, device_y, device_results);
  require(cudaGetLastError());
  require(cudaMemcpy(results.data(), device_results, bytes, cudaMemcpyDeviceToHost));
  require(cudaFree(device_x));
  require(cudaFree(device_y));
  require(cudaFree(device_results));
  return results;
}

template <class Scalar>
unsigned long long hash_function(int function, const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  return hash_results(evaluate_all(function, x, y));
}

#else

template <class Scalar>
std::vector<Scalar> evaluate_scalars(int function, const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  std::vector<Scalar> results(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) results[i] = evaluate<Scalar>(function, x[i], y[i]);
  return results;
}

template <class Scalar, int N>
std::vector<Scalar> evaluate_packs(int function, const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  using Real = Pack<Scalar, N>;
  std::vector<Scalar> results(x.size());
  for (std::size_t i = 0; i < x.size(); i += N) {
    evaluate<Real>(function, Real::load(&x[i]), Real::load(&y[i])).store(&results[i]);
  }
  return results;
}

/// One hash, if scalars and packs of every width agree.
template <class Scalar>
unsigned long long hash_function(int function, const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  constexpr int narrow = 16 / static_cast<int>(sizeof(Scalar));
  const unsigned long long hashes[] = {hash_results(evaluate_scalars(function, x, y)),
                                       hash_results(evaluate_packs<Scalar, narrow>(function, x, y)),
                                       hash_results(evaluate_packs<Scalar, 2 * narrow>(function, x, y)),
                                       hash_results(evaluate_packs<Scalar, 4 * narrow>(function, x, y))};
  for (const unsigned long long hash : hashes) {
    if (hash == hashes[0]) continue;
    std::printf("%s: scalars %016llx, packs of 16, 32, 64 bytes %016llx %016llx %016llx\n", function_names[function],
                hashes[0], hashes[1], hashes[2], hashes[3]);
    std::exit(1);
  }
  return hashes[0];
}

#endif

template <class Scalar>
void print_hashes(const char* type) {
  const std::vector<Scalar> x = make_arguments<Scalar>(1);
  const std::vector<Scalar> y = make_arguments<Scalar>(2);
  for (int function = 0; function < function_count; ++function) {
    std::printf("%-8s %-6s %016llx\n", function_names[function], type, hash_function(function, x, y));
  }
}

}  // namespace
}  // namespace conesweep

int main() {
  conesweep::print_hashes<double>("double");
  conesweep::print_hashes<float>("float");
  return 0;
}
