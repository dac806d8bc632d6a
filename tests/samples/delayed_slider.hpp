#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace conesweep::test {

/// A slider with delayed feedback, solved by hand: the method of steps with events, no time step.
///
///   (1)  x'' = k (target - x(t - tau)) - mu g sign(x'),    x = v0 t for t <= 0
///   (2)  x' = 0: rests while |k (target - x(t - tau))| <= mu g
///
/// Between two switches (a stop, a departure, or either of them seen tau later) x is a polynomial of t. Its terms fall
/// like (k tau^2)^n / (2n)!, so that the ones beyond `most_terms` are below rounding for k tau^2 < 1.
class DelayedSlider {
 public:
  struct Data {
    double g, k, target, tau, mu, v0;
  };

  DelayedSlider(const Data& data, double end) : data_(data) {
    pieces_.push_back({0, {0, data.v0}});  // the past
    direction_ = sign(data.v0);
    v_ = data.v0;
    while (t_ < end) advance(end);
  }

  double reach() const { return reach_; }  // largest x
  double position() const { return x_; }   // at the end
  double velocity() const { return v_; }
  double last_moved() const { return moved_; }  // end of the last slide
  double top_speed() const { return top_speed_; }

 private:
  using Polynomial = std::vector<double>;
  static constexpr std::size_t most_terms = 26;

  // x(t) = sum of c[n] (t - from)^n, until the next piece begins
  struct Piece {
    double from;
    Polynomial c;
  };

  static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

  static double value(const Polynomial& c, double u) {
    double sum = 0;
    for (std::size_t n = c.size(); n-- > 0;) sum = sum * u + c[n];
    return sum;
  }

  // the same polynomial about another origin
  static Polynomial shift(Polynomial c, double by) {
    for (std::size_t i = 0; i + 1 < c.size(); ++i)
      for (std::size_t n = c.size() - 1; n-- > i;) c[n] += by * c[n + 1];
    return c;
  }

  static Polynomial integrate(const Polynomial& c, double constant) {
    Polynomial sum = {constant};
    for (std::size_t n = 0; n < std::min(c.size(), most_terms); ++n) sum.push_back(c[n] / static_cast<double>(n + 1));
    return sum;
  }

  // first u in ]0, length] at which `event` is true, or length
  static double first_time(double length, const std::function<bool(double)>& event) {
    constexpr int samples = 256;
    double before = length * 1e-9;
    for (int s = 1; s <= samples; ++s) {
      double after = length * s / samples;
      if (!event(after)) {
        before = after;
        continue;
      }
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = (before + after) / 2;
        (event(middle) ? after : before) = middle;
      }
      return after;
    }
    return length;
  }

  void advance(double end) {
    // the piece that is seen now, and when the next one will be
    std::size_t j = pieces_.size() - 1;
    while (j > 0 && pieces_[j].from > t_ - data_.tau + 1e-12) --j;
    const double seen_until = j + 1 < pieces_.size() ? pieces_[j + 1].from : t_;
    const double length = std::min(end, seen_until + data_.tau) - t_;
    Polynomial drive = shift(pieces_[j].c, t_ - data_.tau - pieces_[j].from);
    for (double& c : drive) c *= -data_.k;
    drive[0] += data_.k * data_.target;
    const double grip = data_.mu * data_.g;

    if (direction_ == 0) {
      const double u = first_time(length, [&](double s) { return std::fabs(value(drive, s)) > grip; });
      const double pull = value(drive, u);
      if (std::fabs(pull) > grip) direction_ = sign(pull);
      go_on({x_}, u);
      return;
    }
    Polynomial acceleration = drive;
    acceleration[0] -= direction_ * grip;
    const Polynomial velocity = integrate(acceleration, v_);
    const Polynomial position = integrate(velocity, x_);
    const double u = first_time(length, [&](double s) { return direction_ * value(velocity, s) < 0; });
    const bool stops = direction_ * value(velocity, u) < 0 || std::fabs(value(velocity, u)) < 1e-13;
    for (int s = 0; s <= 16; ++s) top_speed_ = std::max(top_speed_, std::fabs(value(velocity, u * s / 16)));
    go_on(position, u);
    v_ = stops ? 0 : value(velocity, u);
    moved_ = t_;
    if (!stops) return;
    const double pull = value(drive, u);
    direction_ = std::fabs(pull) > grip ? sign(pull) : 0;
  }

  void go_on(const Polynomial& position, double u) {
    pieces_.push_back({t_, position});
    t_ += u;
    x_ = value(position, u);
    reach_ = std::max(reach_, x_);
  }

  Data data_;
  std::vector<Piece> pieces_;
  double t_ = 0, x_ = 0, v_ = 0;
  double direction_ = 0;  // of sliding; 0: at rest
  double reach_ = 0, moved_ = 0, top_speed_ = 0;
};

}  // namespace conesweep::test
