#pragma once

#include <vector>

namespace conesweep::by_hand {

enum class Delay { fixed, member };  // of a whole number of steps; of any length

/// One number a member, by column.
struct Particles {
  std::vector<double> mu, v0, tau;
  double k, g;
};

/// x, y, z, vx, vy, vz of all members after so many steps, [column][member], by the kernels of particle_by_hand.cu on
/// the current device. Throws std::runtime_error where CUDA refuses.
std::vector<double> run_particles(Delay delay, const Particles& particles, long steps, double h);

}  // namespace conesweep::by_hand
