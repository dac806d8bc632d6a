// `fixed` and `member` of `conesweep bench` written by hand for a GPU, nothing general about them, as the limit to
// measure against: tools/gpu_rate.py compiles this beside our kernels and compares what the step loops cost. 3D
// particle, rough plane z >= 0, force k (q(t-tau) - q) - g e_z, double precision, final state kept.
//   fixed    one delay of a whole number of steps for all members
//   member   another delay for each member, linear between nodes
// One thread a member, all steps in one launch, 32-bit counters, the ring [block][slot][column][thread]: every address
// is one multiplication and constants. Compiled with -fmad=false: what is contracted is written as fma, as in the
// formulas that conesweep makes of the scenario. tests/cuda/by_hand_test.cpp compares bits.
#include "particle_by_hand.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace conesweep::by_hand {
namespace {

constexpr int block = 128, columns = 3;

struct Task {
  const double *mu, *v0, *tau;  // [member]
  double* final;                // [x, y, z, vx, vy, vz][member]
  double* ring;
  int members, steps, slots;
  double h, k, g;
};

template <bool PerMember>
__device__ __forceinline__ void advance(const Task& task) {
  const int m = static_cast<int>(blockIdx.x) * block + static_cast<int>(threadIdx.x);
  if (m >= task.members) return;
  double* const ring = task.ring + static_cast<long>(blockIdx.x) * task.slots * columns * block + threadIdx.x;
  const double h = task.h, k = task.k, g = task.g, mu = task.mu[m];
  double q[3] = {0, 0, 1}, v[3] = {task.v0[m], 0, 0}, older[3] = {0, 0, 1};

  // the older of the two nodes that t - tau lies between is D steps back, the newer one D - 1; the older was the newer
  // one a step ago
  const double delay = task.tau[m] / h, nearest = rint(delay),
               in_steps = fabs(delay - nearest) <= 1e-9 ? nearest : delay, up = fmax(ceil(in_steps), 1.0);
  const double share = up - in_steps, rest = 1 - share;
  const int back = static_cast<int>(up) - (PerMember ? 1 : 0);
  int now = 0, then = back == 0 ? 0 : task.slots - back;  // slots of node i, and of the one that is read
  for (int slot = 0; slot < task.slots; ++slot)
    for (int c = 0; c < columns; ++c) ring[(slot * columns + c) * block] = q[c];

      // a resting past: all slots hold node 0, and t < 0 needs no other way
#pragma unroll 1
  for (int i = 0; i < task.steps; ++i) {
    double* const to = ring + static_cast<long>(now) * (columns * block);
    const double* const from = ring + static_cast<long>(then) * (columns * block);
    for (int c = 0; c < columns; ++c) to[c * block] = q[c];
    double past[3], w[3];
    for (int c = 0; c < columns; ++c) {
      const double found = from[c * block];
      if constexpr (PerMember) {
        past[c] = fma(share, found, rest * older[c]);
        older[c] = found;
      } else {
        past[c] = found;
      }
    }
    for (int c = 0; c < columns; ++c) {
      const double pull = past[c] - q[c];
      w[c] = fma(h, c == 2 ? fma(k, pull, -g) : k * pull, v[c]);
    }
    if (q[2] <= 0 && w[2] < 0) {
      const double speed = sqrt(w[0] * w[0] + w[1] * w[1]), grip = mu * -w[2];
      const double lost = grip >= speed ? 1 : grip / speed;
      w[0] = fma(-w[0], lost, w[0]);
      w[1] = fma(-w[1], lost, w[1]);
      w[2] = 0;
    }
    for (int c = 0; c < columns; ++c) v[c] = w[c], q[c] = fma(h, w[c], q[c]);
    now = now + 1 == task.slots ? 0 : now + 1;
    then = then + 1 == task.slots ? 0 : then + 1;
  }
  for (int c = 0; c < columns; ++c) {
    task.final[c * task.members + m] = q[c];
    task.final[(columns + c) * task.members + m] = v[c];
  }
}

}  // namespace

extern "C" __global__ void fixed_by_hand(Task task) { advance<false>(task); }
extern "C" __global__ void member_by_hand(Task task) { advance<true>(task); }

namespace {

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(std::string("the GPU refused: ") + cudaGetErrorString(result));
}

/// Numbers on the device, given back at the end.
class OnDevice {
 public:
  explicit OnDevice(std::size_t count) { check(cudaMalloc(&data_, count * sizeof(double))); }
  explicit OnDevice(const std::vector<double>& from) : OnDevice(from.size()) {
    check(cudaMemcpy(data_, from.data(), from.size() * sizeof(double), cudaMemcpyHostToDevice));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(data_); }
  operator double*() const { return data_; }

 private:
  double* data_ = nullptr;
};

}  // namespace

std::vector<double> run_particles(Delay delay, const Particles& particles, long steps, double h) {
  const std::size_t members = particles.mu.size(), blocks = (members + block - 1) / block;
  const double longest = *std::max_element(particles.tau.begin(), particles.tau.end());
  const auto slots = static_cast<std::size_t>(std::max(1.0, std::ceil(longest / h - 1e-9))) + 1;
  const OnDevice mu(particles.mu), v0(particles.v0), tau(particles.tau), final(2 * columns * members),
      ring(blocks * slots * columns * block);
  const Task task = {mu,
                     v0,
                     tau,
                     final,
                     ring,
                     static_cast<int>(members),
                     static_cast<int>(steps),
                     static_cast<int>(slots),
                     h,
                     particles.k,
                     particles.g};
  if (delay == Delay::fixed)
    fixed_by_hand<<<static_cast<int>(blocks), block>>>(task);
  else
    member_by_hand<<<static_cast<int>(blocks), block>>>(task);
  check(cudaGetLastError());
  std::vector<double> out(2 * columns * members);
  check(cudaMemcpy(out.data(), final, out.size() * sizeof(double), cudaMemcpyDeviceToHost));
  return out;
}

}  // namespace conesweep::by_hand
