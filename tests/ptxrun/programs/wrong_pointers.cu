// Copies in the wrong direction and over the end; argument "h": a host pointer given to a kernel, "d": device memory
// read by the host.
#include <cstdio>
__global__ void k(double* p) { p[threadIdx.x] = threadIdx.x; }
int main(int c, char** v) {
  double* d;
  cudaMalloc(&d, 64);
  double h[16] = {0};
  printf("D2H as H2D: %s\n", cudaGetErrorName(cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice)));
  printf("overrun: %s\n", cudaGetErrorName(cudaMemcpy(h, d, 72, cudaMemcpyDeviceToHost)));
  k<<<1, 8>>>(d);
  printf("ok: %s\n", cudaGetErrorName(cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost)));
  if (c > 1 && v[1][0] == 'h') {
    puts("host pointer to a kernel:");
    fflush(stdout);
    k<<<1, 8>>>(h);
    puts("not caught");
  }
  if (c > 1 && v[1][0] == 'd') {
    puts("host dereference of a device pointer:");
    fflush(stdout);
    printf("%g not caught\n", d[1]);
  }
}
