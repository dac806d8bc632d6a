// An ensemble of particles with delay, contact and friction: the kernel beside the same text on the host. var 0: + - *
// / sqrt only; var 1: sin, cos, exp too.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "particle.cuh"
void host_ref(int var, const Params& P, const double* mu, double* x, double* y, double* vx, double* vy, double* ring);
template <int V>
__global__ void kern(Params P, const double* mu, double* x, double* y, double* vx, double* vy, double* ring) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m < P.M) run_member<V>(P, m, mu, x, y, vx, vy, ring);
}
int main(int argc, char** argv) {
  int M = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 2000;
  for (int var = 0; var < 2; ++var) {
    Params P{1e-3, 9.81, 4.0, 1.5, 0.5, steps, 40, M, 48};
    std::vector<double> mu(M), x(M), y(M), vx(M), vy(M), ring((size_t)P.nslot * 2 * M, 0.0);
    for (int m = 0; m < M; ++m) {
      mu[m] = 0.05 + 0.013 * (m % 64);
      x[m] = 0.1 * (m % 7);
      y[m] = 0.01 + 0.02 * (m % 5);
      vx[m] = -2.0 + 0.061 * (m % 64);
      vy[m] = 1.0 - 0.03 * (m % 64);
    }
    double* d[6];
    size_t nb[6] = {M * 8ul, M * 8ul, M * 8ul, M * 8ul, M * 8ul, ring.size() * 8};
    double* h[6] = {mu.data(), x.data(), y.data(), vx.data(), vy.data(), ring.data()};
    for (int i = 0; i < 6; ++i) {
      cudaMalloc(&d[i], nb[i]);
      cudaMemcpy(d[i], h[i], nb[i], cudaMemcpyHostToDevice);
    }
    Params Q = P;
    Q.steps = 0;
    int B = 32, G = (M + B - 1) / B;
    // warm-up (translation + compilation), no effect on the state with steps=0
    if (var == 0)
      kern<0><<<G, B>>>(Q, d[0], d[1], d[2], d[3], d[4], d[5]);
    else
      kern<1><<<G, B>>>(Q, d[0], d[1], d[2], d[3], d[4], d[5]);
    auto t0 = std::chrono::steady_clock::now();
    if (var == 0)
      kern<0><<<G, B>>>(P, d[0], d[1], d[2], d[3], d[4], d[5]);
    else
      kern<1><<<G, B>>>(P, d[0], d[1], d[2], d[3], d[4], d[5]);
    cudaError_t e = cudaDeviceSynchronize();
    double dt = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    std::vector<double> g[6];
    for (int i = 0; i < 6; ++i) {
      g[i].resize(nb[i] / 8);
      cudaMemcpy(g[i].data(), d[i], nb[i], cudaMemcpyDeviceToHost);
    }
    host_ref(var, P, h[0], h[1], h[2], h[3], h[4], h[5]);
    double mx = 0;
    long neq = 0, n = 0;
    for (int i = 1; i < 6; ++i)
      for (size_t k = 0; k < g[i].size(); ++k) {
        ++n;
        if (memcmp(&g[i][k], &h[i][k], 8)) ++neq;
        double q = fabs(g[i][k] - h[i][k]);
        if (!(q <= mx)) mx = q;
      }
    printf(
        "var %d: err=%d %d members x %d steps, %.4f s = %.3g thread-steps/s; values %ld, bitwise different %ld, max "
        "abs diff %.3g; x[3]=%.17g y[3]=%.17g\n",
        var, (int)e, M, steps, dt, (double)M * steps / dt, n, neq, mx, g[1][3], g[2][3]);
  }
}
