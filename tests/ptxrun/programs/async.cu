// PTXRUN_ASYNC=1: each fault below gives a wrong number; "good" must be right for every seed
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
__global__ void add(double* p, double v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += v;
}
__global__ void sum(const double* a, const double* b, double* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i] + b[i];
}
const int N = 1000;
static double *a, *b, *o, *pin, *out;
static cudaStream_t s, t;
static cudaEvent_t e;
static void add_on(double* p, double v, cudaStream_t q) { add<<<(N + 127) / 128, 128, 0, q>>>(p, v, N); }
static int ready = 0;
static void note(void* v) { ready += *(int*)v; }
// two streams joined by events, polling, a host function, copies both ways, a stream destroyed early, the default
// stream
static double good() {
  double total = 0;
  std::vector<double> h(N, 2.0);
  for (int r = 0; r < 3; ++r) {
    for (int i = 0; i < N; ++i) pin[i] = 1;
    cudaMemcpyAsync(a, pin, N * 8, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(b, h.data(), N * 8, cudaMemcpyHostToDevice, t);
    std::fill(h.begin(), h.end(), -1e9);
    add_on(a, 10, s);
    add_on(b, 100, t);
    cudaEventRecord(e, t);
    cudaStreamWaitEvent(s, e);
    sum<<<8, 128, 0, s>>>(a, b, o, N);
    int one = 1;
    cudaLaunchHostFunc(s, note, &one);
    cudaMemcpyAsync(out, o, N * 8, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e, s);
    while (cudaEventQuery(e) == cudaErrorNotReady)
      ;
    total += out[N - 1];
    std::fill(h.begin(), h.end(), 2.0);
    cudaStreamSynchronize(t);
  }
  cudaStream_t u;
  cudaStreamCreate(&u);
  add_on(o, 5, u);
  cudaStreamDestroy(u);
  cudaDeviceSynchronize();
  cudaMemcpy(h.data(), o, N * 8, cudaMemcpyDeviceToHost);
  total += h[0];
  add_on(o, 1, s);
  add<<<8, 128>>>(o, 1, N);
  add_on(o, 1, t);
  cudaMemcpy(h.data(), o, N * 8, cudaMemcpyDeviceToHost);
  total += h[0];
  if (ready != 3) total = -1;
  double r[2];
  std::thread x([&] {
    thrust::device_vector<double> v(N, 1.0);
    r[0] = thrust::reduce(thrust::cuda::par.on(s), v.begin(), v.end());
  }),
      y([&] {
        thrust::device_vector<double> v(N, 2.0);
        r[1] = thrust::reduce(thrust::cuda::par.on(t), v.begin(), v.end());
      });
  x.join();
  y.join();
  return total + r[0] + r[1];
}  // 3*113 + 118 + 121 + 3000
int main(int c, char** v) {
  const char* m = v[1];
  cudaMalloc(&a, N * 8);
  cudaMalloc(&b, N * 8);
  cudaMalloc(&o, N * 8);
  cudaMallocHost(&pin, N * 8);
  cudaMallocHost(&out, N * 8);
  cudaStreamCreateWithFlags(&s, strcmp(m, "nonblocking") ? 0 : cudaStreamNonBlocking);
  cudaStreamCreate(&t);
  cudaEventCreate(&e);
  for (int i = 0; i < N; ++i) pin[i] = 1, out[i] = 0;
  double x = -1;
  if (!strcmp(m, "good"))
    x = good();
  else if (!strcmp(m, "early")) {
    cudaMemcpyAsync(a, pin, N * 8, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(out, a, N * 8, cudaMemcpyDeviceToHost, s);
    x = out[0];
  }  // reads the result before it is there
  else if (!strcmp(m, "reuse")) {
    cudaMemcpyAsync(a, pin, N * 8, cudaMemcpyHostToDevice, s);
    pin[0] = 7;
    cudaStreamSynchronize(s);
    cudaMemcpy(&x, a, 8, cudaMemcpyDeviceToHost);
  }  // overwrites a pinned source too early
  else if (!strcmp(m, "noevent")) {
    cudaMemcpyAsync(a, pin, N * 8, cudaMemcpyHostToDevice, t);
    cudaMemcpyAsync(out, a, N * 8, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    x = out[0];
  }  // s does not wait for t
  else if (!strcmp(m, "nonblocking")) {
    cudaMemcpyAsync(a, pin, N * 8, cudaMemcpyHostToDevice, s);
    cudaMemcpy(&x, a, 8, cudaMemcpyDeviceToHost);
  }  // the default stream does not wait for s
  printf("%s %g\n", m, x);
}
