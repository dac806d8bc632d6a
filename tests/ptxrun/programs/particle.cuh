// One particle: a delayed spring, a floor with restitution and friction, a largest speed.
#pragma once
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
#include <math.h>
struct Params {
  double dt, g, kx, ky, rest;
  int steps, delay, M, nslot;
};
// ring layout: [slot][member][2 comps] -> buf[(slot*2+c)*M+m]
template <int VAR>
HD inline void run_member(const Params& P, int m, const double* mu, double* x, double* y, double* vx, double* vy,
                          double* ring) {
  double qx = x[m], qy = y[m], ux = vx[m], uy = vy[m], mm = mu[m];
  for (int s = 0; s < P.nslot; ++s) {
    ring[(s * 2 + 0) * P.M + m] = qx;
    ring[(s * 2 + 1) * P.M + m] = qy;
  }
  int head = 0;
  for (int k = 0; k < P.steps; ++k) {
    int s = head - P.delay;
    if (s < 0) s += P.nslot;
    double dx = ring[(s * 2 + 0) * P.M + m], dy = ring[(s * 2 + 1) * P.M + m];
    double fx = -P.kx * dx, fy = -P.ky * dy - P.g;
    if (VAR == 1) {
      fx += 0.3 * sin(3.0 * dx + k * P.dt);
      fy += 0.1 * cos(2.0 * dy) * exp(-dy * dy);
    }
    double wx = ux + P.dt * fx, wy = uy + P.dt * fy;
    double nqy = qy + P.dt * wy;
    if (-nqy > 0.0) {  // contact g(q)=-q_y<=0
      double vn = -(1.0 + P.rest) * uy;
      if (vn < -qy / P.dt) vn = -qy / P.dt;
      double wn = vn - wy;
      if (wn < 0) wn = 0;
      double at = fabs(wx);
      if (at > 0) {
        double f = 1.0 - mm * fabs(wn) / at;
        wx *= f > 0 ? f : 0.0;
      }
      wy = wy + wn;
    }
    double sp = sqrt(wx * wx + wy * wy);
    if (sp > 50.0) {
      wx = wx * 50.0 / sp;
      wy = wy * 50.0 / sp;
    }
    qx += P.dt * wx;
    qy += P.dt * wy;
    ux = wx;
    uy = wy;
    head = head + 1;
    if (head == P.nslot) head = 0;
    ring[(head * 2 + 0) * P.M + m] = qx;
    ring[(head * 2 + 1) * P.M + m] = qy;
  }
  x[m] = qx;
  y[m] = qy;
  vx[m] = ux;
  vy[m] = uy;
}
