// The other half of two_units_a.cu.
#include <cstdio>
__device__ double tab[4] = {10, 20, 30, 40};
__device__ double ext_f(double x) { return x * x + sin(x); }
extern __device__ int counter;
__global__ void k2(double* o) {
  o[0] = counter;
  printf("r2 says %d\n", counter);
}
void other(double* d) { k2<<<1, 1>>>(d); }
