#include "executor/reference/disturbance.hpp"

namespace conesweep::executor::reference {
namespace {

Disturbance none(Eigen::Index coordinates) {
  const Vector zero = Vector::Zero(coordinates);
  return {zero, zero, zero, 0};
}

}  // namespace

Disturbance disturb_all(Eigen::Index coordinates, const Roundings& by, Signs& sign) {
  Disturbance all = none(coordinates);
  for (Eigen::Index c = 0; c < coordinates; ++c)
    all.q[c] = sign() * by.q, all.past[c] = sign() * by.q, all.v[c] = sign() * by.v;
  all.t = sign() * by.t;
  return all;
}

std::vector<Disturbance> find_disturbances(Eigen::Index coordinates, const Roundings& by) {
  std::vector<Disturbance> all;
  const auto add = [&](const auto& change) {
    for (const double sign : {1.0, -1.0}) all.push_back(none(coordinates)), change(all.back(), sign);
  };
  for (Eigen::Index c = 0; c < coordinates; ++c) {
    add([&](Disturbance& one, double sign) { one.q[c] = sign * by.q; });
    add([&](Disturbance& one, double sign) { one.past[c] = sign * by.q; });
    add([&](Disturbance& one, double sign) { one.v[c] = sign * by.v; });
  }
  add([&](Disturbance& one, double sign) { one.t = sign * by.t; });
  Signs sign(1234567);
  for (int k = 0; k < mixed_disturbances; ++k) all.push_back(disturb_all(coordinates, by, sign));
  return all;
}

}  // namespace conesweep::executor::reference
