// One mistake a run, chosen by the argument: see the switch. Each must be found, or show in what is printed.
#undef NDEBUG  // the assertion is one of them
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void oob(double* p, int n) {
  int i = threadIdx.x;
  if (i <= n) p[i] = 1;
}
__global__ void mis(char* p) { *(double*)(p + 4) = 1.0; }
__global__ void divbar(int* p) {
  if (threadIdx.x < 16)
    __syncthreads();
  else {
    while (atomicAdd(p, 0) == 0) __nanosleep(10);
  }
}
__global__ void divwarp(int* p) {
  if (threadIdx.x < 16)
    p[threadIdx.x] = __shfl_sync(~0u, 1, 0);
  else
    __syncthreads();
}
__global__ void uninit(const double* p, double* q) { q[0] = p[0] + 1; }
__global__ void race(int* q) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; /* missing barrier */
  q[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void asrt(int n) { assert(n == 3); }
__global__ void lost(int* p) { *p = *p + 1; }
int main(int c, char** v) {
  int t = atoi(v[1]);
  double* p;
  cudaMalloc(&p, 64 * 8);
  double* q;
  cudaMalloc(&q, 64 * 8);
  int h[64];
  double d;
  switch (t) {
    case 0: oob<<<1, 128>>>(p, 64); break;
    case 1: mis<<<1, 1>>>((char*)p); break;
    case 2:
      cudaMemset(p, 0, 8);
      divbar<<<1, 32>>>((int*)p);
      break;
    case 3: divwarp<<<1, 32>>>((int*)p); break;
    case 4:
      uninit<<<1, 1>>>(p, q);
      cudaMemcpy(&d, q, 8, cudaMemcpyDeviceToHost);
      printf("uninit read gives %g\n", d);
      break;
    case 5:
      race<<<1, 64>>>((int*)p);
      cudaMemcpy(h, p, 256, cudaMemcpyDeviceToHost);
      {
        int bad = 0;
        for (int i = 0; i < 64; ++i) bad += h[i] != 63 - i;
        printf("race: %d of 64 wrong\n", bad);
      }
      break;
    case 6: asrt<<<2, 2>>>(4); break;
    case 7:
      cudaMemset(p, 0, 8);
      lost<<<4, 32>>>((int*)p);
      cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost);
      printf("lost update count %d of 128\n", h[0]);
  }
  puts("end");
}
