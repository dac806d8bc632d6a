// Separate compilation: functions, tables and counters of one translation unit used by the other.
#include <cstdio>
extern __device__ double ext_f(double);
extern __device__ double tab[4];
__device__ int counter;
__global__ void k(double* o) {
  int i = threadIdx.x;
  o[i] = ext_f(i) + tab[i & 3];
  atomicAdd(&counter, 1);
  if (i == 0) printf("hello from r1\n");
}
void other(double*);
int main() {
  double* d;
  cudaMalloc(&d, 64);
  k<<<1, 8>>>(d);
  double h[8];
  cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost);
  for (double x : h) printf("%g ", x);
  int c;
  cudaMemcpyFromSymbol(&c, counter, 4);
  other(d);
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  printf("c=%d o=%g err=%d\n", c, h[0], (int)cudaGetLastError());
}
