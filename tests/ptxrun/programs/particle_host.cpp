// particle.cuh compiled by the host compiler.
#include "particle.cuh"
void host_ref(int var, const Params& P, const double* mu, double* x, double* y, double* vx, double* vy, double* ring) {
  for (int m = 0; m < P.M; ++m)
    if (var == 0)
      run_member<0>(P, m, mu, x, y, vx, vy, ring);
    else
      run_member<1>(P, m, mu, x, y, vx, vy, ring);
}
