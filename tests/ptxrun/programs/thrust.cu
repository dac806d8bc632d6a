// Thrust and CUB: sums, maxima, scans and sorts of 100,003 numbers that add up exactly, so that every order gives the
// same.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <random>
#include <vector>
struct sq {
  __host__ __device__ double operator()(double x) const { return x * x; }
};
int main() {
  int n = 100003;
  std::vector<double> h(n);
  std::mt19937_64 r(7);
  for (auto& x : h) x = (double)((long)(r() >> 40)) - 8e6;
  double ref = std::accumulate(h.begin(), h.end(), 0.0);
  thrust::device_vector<double> d(h.begin(), h.end());
  double* out;
  cudaMalloc(&out, 16);
  size_t tb = 0;
  cub::DeviceReduce::Sum(nullptr, tb, thrust::raw_pointer_cast(d.data()), out, n);
  void* tmp;
  cudaMalloc(&tmp, tb);
  cub::DeviceReduce::Sum(tmp, tb, thrust::raw_pointer_cast(d.data()), out, n);
  double s;
  cudaError_t e = cudaMemcpy(&s, out, 8, cudaMemcpyDeviceToHost);
  printf("cub sum %.17g ref %.17g err=%d\n", s, ref, (int)e);
  double t = thrust::reduce(d.begin(), d.end(), 0.0);
  printf("thrust sum %.17g\n", t);
  double mx = thrust::reduce(d.begin(), d.end(), -1e300, thrust::maximum<double>());
  printf("thrust max %.17g ref %.17g\n", mx, *std::max_element(h.begin(), h.end()));
  double q = thrust::transform_reduce(d.begin(), d.end(), sq(), 0.0, thrust::plus<double>());
  double qr = 0;
  for (double x : h) qr += x * x;
  printf("trsq %.17g ref %.17g\n", q, qr);
  thrust::device_vector<double> sc(n);
  thrust::inclusive_scan(d.begin(), d.end(), sc.begin());
  std::vector<double> hs(n), rs(n);
  thrust::copy(sc.begin(), sc.end(), hs.begin());
  std::partial_sum(h.begin(), h.end(), rs.begin());
  printf("scan equal %d\n", (int)(hs == rs));
  thrust::sort(d.begin(), d.end());
  std::sort(h.begin(), h.end());
  thrust::copy(d.begin(), d.end(), hs.begin());
  printf("sort equal %d\n", (int)(hs == h));
}
