#include "executor/reference/parabolas.hpp"

#include <cmath>

namespace conesweep::executor::reference {

void Parabolas::begin_piece(double k, double length, const Vector& q, const Vector& v) {
  begin_ = k, length_ = length, q_begin_ = q, v_begin_ = v;
}

Vector Parabolas::position(double k) const { return k == now() ? present_position() : at(k); }

// known from the past alone: the present piece goes on with the velocity it begins with
Vector Parabolas::at(double k) const {
  if (k < 0) return past_position(k * h());
  const auto newest = static_cast<double>(this->newest());
  if (k > newest && k >= begin_) return q_begin_ + (k - begin_) * h() * v_begin_;
  const double j = std::min(std::floor(k), newest);
  const auto node = static_cast<std::int64_t>(j);
  if (k == j) return node_position(node);
  // to the next node, or to where the present piece begins
  const double length = j == newest ? begin_ - newest : 1, share = (k - j) / length;
  const Vector& next = j == newest ? q_begin_ : node_position(node + 1);
  const Vector way = length * h() * node_velocity(node);
  return node_position(node) + share * way + share * share * (next - node_position(node) - way);
}

// of the parabola
Vector Parabolas::velocity_at(double k) const {
  const auto newest = static_cast<double>(this->newest());
  if (k >= newest && k >= begin_) return v_begin_;
  const double j = std::min(std::floor(k), newest);
  const auto node = static_cast<std::int64_t>(j);
  const double length = (j == newest ? begin_ - newest : 1) * h(), share = (k - j) * h() / length;
  const Vector& next = j == newest ? q_begin_ : node_position(node + 1);
  const Vector& v = node_velocity(node);
  return v + 2 * share * ((next - node_position(node)) / length - v);
}

Vector Parabolas::delayed_velocity(double length) const {
  const double steps = to_whole(length / h());
  const double from = to_whole(begin_ - steps), to = to_whole(begin_ + length_ - steps), k = before_now(length);
  if (to <= 0) return past_velocity(k * h());
  if (length_ < 1e-6) return velocity_at(std::max(k, 0.0));
  return (at(to) - at(from)) / (length_ * h());
}

}  // namespace conesweep::executor::reference
