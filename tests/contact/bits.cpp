// Prints one hash a kind of problem and type over coupled steps. Whatever compiled this text, and with whatever flags,
// must print the same lines: tests/math/compare_bits.py builds it in several ways and compares.
//
// As CUDA (nvcc, or -x cu) a kernel solves, one thread a step.

#include "bits_problems.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace conesweep::bits {
namespace {

constexpr int problems = 512;  // of each kind

struct Result {
  unsigned long long hash;
  int stages[4];
};

template <class Real>
CS_HD Result solve_one(int kind, int number) {
  Result result{0, {0, 0, 0, 0}};
  result.hash = hash_problem<Real>(kind, number, result.stages);
  return result;
}

#if defined(__CUDACC__)

template <class Real>
__global__ void solve_kernel(int kind, Result* results) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < problems) results[i] = solve_one<Real>(kind, i);
}

inline void require(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
  std::exit(3);
}

template <class Real>
std::vector<Result> solve_all(int kind) {
  std::vector<Result> results(problems);
  Result* on_device = nullptr;
  require(cudaMalloc(&on_device, sizeof(Result) * problems));
  solve_kernel<Real><<<problems / 64, 64>>>(kind, on_device);
  require(cudaGetLastError());
  require(cudaMemcpy(results.data(), on_device, sizeof(Result) * problems, cudaMemcpyDeviceToHost));
  require(cudaFree(on_device));
  return results;
}

#else

template <class Real>
std::vector<Result> solve_all(int kind) {
  std::vector<Result> results;
  for (int i = 0; i < problems; ++i) results.push_back(solve_one<Real>(kind, i));
  return results;
}

#endif

/// Fails where a kind that is meant to need rescues needs none: then the text compared would not be all of it.
template <class Real>
bool print_hashes(const char* type) {
  int stages[4] = {0, 0, 0, 0};
  for (int kind = 0; kind < kinds; ++kind) {
    unsigned long long hash = 1469598103934665603ULL;
    for (const Result& result : solve_all<Real>(kind)) {
      hash = (hash ^ result.hash) * 1099511628211ULL;
      for (int k = 0; k < 4; ++k) stages[k] += result.stages[k];
    }
    std::printf("%-10s %-6s %016llx\n", kind_names[kind], type, hash);
  }
  std::printf("%s: %d steps by sweeps, %d in turn, %d backwards, %d by modes\n", type, stages[0], stages[1], stages[2],
              stages[3]);
  return stages[0] > 0 && stages[1] > 0 && stages[2] > 0 && stages[3] > 0;
}

}  // namespace
}  // namespace conesweep::bits

int main() {
  const bool doubles = conesweep::bits::print_hashes<double>("double"),
             floats = conesweep::bits::print_hashes<float>("float");
  return doubles && floats ? 0 : 1;
}
