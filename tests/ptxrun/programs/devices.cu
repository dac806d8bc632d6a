// several devices: run with PTXRUN_DEVICES=3 PTXRUN_MEM_MB=64,32; argument "peer", "allowed" or "copy": touch another
// device's memory
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "check.cuh"

__device__ int counter;
__managed__ int shared_count;
__global__ void bump(int by) {
  atomicAdd(&counter, by);
  atomicAdd(&shared_count, 1);
}
__global__ void axpy(double a, const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
// sum over i of steps*(dev+1)*i on device dev, driven by its own host thread
static double work(int dev, int n, int steps) {
  cudaSetDevice(dev);
  cudaStream_t s;
  cudaStreamCreate(&s);
  std::vector<double> x(n), y(n, 0.0);
  for (int i = 0; i < n; ++i) x[i] = i;
  double *dx, *dy;
  cudaMalloc(&dx, n * 8);
  cudaMalloc(&dy, n * 8);
  cudaMemcpyAsync(dx, x.data(), n * 8, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(dy, y.data(), n * 8, cudaMemcpyHostToDevice, s);
  for (int k = 0; k < steps; ++k) {
    axpy<<<(n + 127) / 128, 128, 0, s>>>(dev + 1.0, dx, dy, n);
    bump<<<1, 1, 0, s>>>(dev + 1);
  }
  cudaMemcpyAsync(y.data(), dy, n * 8, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  double t = 0;
  for (double v : y) t += v;
  cudaFree(dx);
  cudaFree(dy);
  cudaStreamDestroy(s);
  return t;
}
// longer than 60 lines: one call after the other, each with what it must answer
int main(int c, char** v) {
  int n = 0, d = -1;
  CK(cudaGetDeviceCount(&n) == cudaSuccess && n == 3);
  CK(cudaSetDevice(3) == cudaErrorInvalidDevice);
  cudaGetLastError();
  int* p[3];
  for (int i = 0; i < 3; ++i) {
    CK(!cudaSetDevice(i));
    CK(!cudaMalloc(&p[i], 4096));
    CK(!cudaMemset(p[i], i, 4096));
  }
  if (c > 1) {
    cudaSetDevice(0);
    if (!strcmp(v[1], "allowed")) CK(!cudaDeviceEnablePeerAccess(1, 0));
    fflush(stdout);
    if (!strcmp(v[1], "copy"))
      cudaMemcpy(p[0], p[1], 8, cudaMemcpyDeviceToDevice);
    else
      axpy<<<1, 1>>>(1, (double*)p[1], (double*)p[0], 1);
    puts("not caught");
    return fails;
  }
  // the current device belongs to the host thread
  cudaSetDevice(2);
  std::thread([&] {
    CK(!cudaGetDevice(&d) && d == 0);
    cudaSetDevice(1);
  }).join();
  CK(!cudaGetDevice(&d) && d == 2);
  // limits and bookkeeping per device
  size_t f, t;
  void* q;
  cudaSetDevice(0);
  CK(!cudaMemGetInfo(&f, &t));
  CK(t == 64u << 20 && f < t && f > t - (1u << 20));
  CK(!cudaMalloc(&q, 40 << 20));
  CK(!cudaMemGetInfo(&f, &t) && f <= (24u << 20));
  CK(!cudaFree(q));
  CK(!cudaMalloc(&q, 60 << 20));
  CK(!cudaFree(q));
  cudaSetDevice(1);
  q = &q;
  CK(cudaMalloc(&q, 40 << 20) == cudaErrorMemoryAllocation);
  CK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  cudaDeviceProp pr;
  CK(!cudaGetDeviceProperties(&pr, 2) && pr.totalGlobalMem == 32u << 20);
  for (int i = 0; i < 3; ++i) {
    cudaPointerAttributes a;
    CK(!cudaPointerGetAttributes(&a, p[i] + 5) && a.device == i && a.type == cudaMemoryTypeDevice);
    char b[32];
    CK(!cudaDeviceGetPCIBusId(b, 32, i) && !cudaDeviceGetByPCIBusId(&d, b) && d == i);
  }
  cudaPointerAttributes a;
  void* h;
  cudaMallocHost(&h, 64);
  CK(!cudaPointerGetAttributes(&a, h) && a.type == cudaMemoryTypeHost && a.hostPointer == h);
  CK(cudaFree(h) == cudaErrorInvalidValue);
  CK(!cudaFreeHost(h));
  CK(!cudaPointerGetAttributes(&a, &n) && a.type == cudaMemoryTypeUnregistered);
  cudaGetLastError();
  // streams and events belong to a device
  cudaStream_t s;
  cudaEvent_t e;
  cudaSetDevice(1);
  cudaStreamCreate(&s);
  cudaSetDevice(0);
  cudaEventCreate(&e);
  bump<<<1, 1, 0, s>>>(1);
  CK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CK(cudaEventRecord(e, s) == cudaErrorInvalidResourceHandle);
  CK(!cudaEventRecord(e));
  CK(!cudaStreamWaitEvent(s, e));
  CK(!cudaStreamDestroy(s));
  CK(cudaStreamSynchronize(s) == cudaErrorInvalidResourceHandle);
  CK(!cudaEventDestroy(e));
  cudaGetLastError();
  // copies between devices, peer access
  int b[2];
  CK(!cudaMemcpyPeer(p[0], 0, p[2], 2, 8) && !cudaMemcpy(b, p[0], 8, cudaMemcpyDefault) && b[1] == 0x02020202);
  int can;
  CK(!cudaDeviceCanAccessPeer(&can, 0, 1) && can == 1 && !cudaDeviceCanAccessPeer(&can, 1, 1) && can == 0);
  CK(!cudaDeviceEnablePeerAccess(1, 0));
  CK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  CK(!cudaDeviceDisablePeerAccess(1));
  CK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  cudaGetLastError();
  // host threads drive devices at the same time; two of them share device 0
  int N = 20001, S = 20;
  double r[4];
  std::vector<std::thread> th;
  for (int i = 0; i < 4; ++i) th.emplace_back([&, i] { r[i] = work(i % 3, N, S); });
  for (auto& x : th) x.join();
  for (int i = 0; i < 4; ++i) CK(r[i] == S * (i % 3 + 1.0) * (N * (N - 1.0) / 2));
  for (int i = 0; i < 3; ++i) {
    int k;
    cudaSetDevice(i);
    CK(!cudaMemcpyFromSymbol(&k, counter, 4));
    CK(k == S * (i + 1) * (i == 0 ? 2 : 1));
  }
  CK(shared_count == 4 * S);
  for (int i = 0; i < 3; ++i) CK(!cudaFree(p[i]));
  CK(cudaFree(p[0]) == cudaErrorInvalidValue);
  printf("%d failed\n", fails);
  return fails;
}
