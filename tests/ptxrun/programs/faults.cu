// a program that reports every error it meets, in order; argument "leak": leaves things behind for PTXRUN_STATS
#include <cstdio>
static void say(const char* what, cudaError_t e) { printf("%s %s\n", what, cudaGetErrorName(e)); }
__global__ void k(double* p) { p[threadIdx.x] += 1; }
int main(int c, char**) {
  int n = -1;
  say("count", cudaGetDeviceCount(&n));
  printf("devices %d\n", n);
  double *p = nullptr, *q = nullptr, h[64] = {};
  say("malloc1", cudaMalloc(&p, 512));
  say("malloc2", cudaMalloc(&q, 1 << 20));
  cudaGetLastError();
  for (int i = 1; i <= 2; ++i) {
    char b[16];
    snprintf(b, 16, "memcpy%d", i);
    say(b, cudaMemcpy(p, h, 512, cudaMemcpyHostToDevice));
  }
  for (int i = 1; i <= 3; ++i) {
    k<<<2, 64>>>(p);
    char b[16];
    snprintf(b, 16, "launch%d", i);
    say(b, cudaGetLastError());
  }
  say("sync1", cudaDeviceSynchronize());
  say("memcpy3", cudaMemcpy(h, p, 512, cudaMemcpyDeviceToHost));
  say("last", cudaGetLastError());
  say("last", cudaGetLastError());
  printf("value %g\n", h[63]);
  cudaStream_t s;
  cudaEvent_t e;
  say("create1", cudaStreamCreate(&s));
  say("create2", cudaEventCreate(&e));
  if (c == 1) {
    cudaFree(p);
    cudaFree(q);
    cudaStreamDestroy(s);
    cudaEventDestroy(e);
  }
}
