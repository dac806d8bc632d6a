#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "contact_minimum.hpp"

/// Random scenarios that come twice: as the text a user would write, and as plain functions that know the same answer
/// without parser, trees or automatic derivatives.
///
/// The formulas hold parameters in place of numbers, and what a problem lacks has the factor 0: 27 texts, by dimension,
/// wall and friction, serve for any number of problems, and an executor that compiles models compiles no more.
namespace conesweep::oracle {

/// A number with all its digits, as a scenario's file has it.
inline std::string plain_text(double x) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", x);
  return digits;
}

struct RandomProblem {
  std::size_t d = 1;
  std::string text;  // the scenario
  double end = 0, h = 0;
  long steps = 0;
  double tau = 0;  // the delay in the force
  double restitution = 0;
  Numbers past_velocity, start_velocity, start;  // the past is start + t past_velocity
  double sharpest = 0;                           // largest coefficient of friction anywhere

  std::function<Numbers(double t, const Numbers& q, const Numbers& v, const Numbers& q_then)> force;
  std::function<double(const Numbers& q)> g;       // admissible: g <= 0
  std::function<Numbers(const Numbers& q)> slope;  // ∇g
  double slope_lipschitz = 0;                      // |∇g(a) - ∇g(b)| <= this |a - b|
  std::function<double(const Numbers& q)> mu;

  // A field m that is defined everywhere, Lipschitz, and at a contact is a multiple of the inward normal n: for (P8)
  std::function<Numbers(const Numbers& q)> field;
  double field_lipschitz = 0;
};

class ProblemMaker {
 public:
  explicit ProblemMaker(unsigned long seed) : random_(seed) {}

  RandomProblem make() {
    RandomProblem p;
    constexpr std::size_t dimensions[] = {1, 2, 4};
    p.d = dimensions[whole(0, 2)];
    parameters_.clear();
    p.steps = whole(50, 250);
    p.end = uniform(0.5, 3);
    p.h = p.end / static_cast<double>(p.steps);
    const std::string contact = make_constraint(p);
    const std::string friction = make_friction(p);
    make_start(p);
    const std::vector<std::string> force = make_force(p);

    p.text = "[model]\ncoordinates = [" + list(p.d, [&](std::size_t c) { return "\"" + q(c) + "\""; }) + "]\n";
    p.text += "force = [" + list(p.d, [&](std::size_t c) { return "\"" + force[c] + "\""; }) + "]\n";
    p.text += "[[model.contact]]\ninside = \"" + contact + "\"\n" + friction;
    if (chance(0.3)) p.restitution = chance(0.2) ? 1 : uniform(0, 1);
    p.text += "restitution = \"" + number(p.restitution) + "\"\n";
    p.text += "[start]\n";
    for (std::size_t c = 0; c < p.d; ++c) {
      p.text += q(c) + " = \"" + number(p.start[c]) + " + " + number(p.past_velocity[c]) + "*t\"\n";
      p.text += "v" + q(c) + " = \"" + number(p.start_velocity[c]) + "\"\n";
    }
    p.text += "[model.parameters]\n";
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      p.text += "p" + std::to_string(k) + " = " + plain_text(parameters_[k]) + "\n";
    p.text += "[time]\nend = " + plain_text(p.end) + "\nstep = " + plain_text(p.h) + "\n";
    return p;
  }

 private:
  /// The number in a formula: a parameter of its own.
  std::string number(double x) {
    parameters_.push_back(x);
    return "p" + std::to_string(parameters_.size() - 1);
  }

  static std::string q(std::size_t c) { return "q" + std::to_string(c); }

  template <class Item>
  static std::string list(std::size_t count, const Item& item, const std::string& comma = ", ") {
    std::string text;
    for (std::size_t c = 0; c < count; ++c) text += (c == 0 ? "" : comma) + item(c);
    return text;
  }

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  long whole(long a, long b) { return std::uniform_int_distribution<long>(a, b)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  Numbers direction(std::size_t d) {
    Numbers x(d);
    for (double& entry : x) entry = std::normal_distribution<double>()(random_);
    return scale(1 / length(x), x);
  }

  // ---- g, as text and as functions; `near_` is a point of the wall, `inward_` its normal ----

  std::string make_constraint(RandomProblem& p) {
    const std::size_t d = p.d;
    const long kind = d == 1 ? 0 : whole(0, 3);
    if (kind == 0) {  // half space a·q >= b, with a of any length
      const Numbers normal = chance(0.3) ? unit(d, d - 1) : direction(d);
      const Numbers a = scale(std::pow(10, uniform(-2, 2)), normal);
      const double b = uniform(-1, 1) * length(a);
      p.g = [a, b](const Numbers& x) { return b - dot(a, x); };
      p.slope = [a](const Numbers&) { return scale(-1, a); };
      p.slope_lipschitz = 0;
      p.field = [normal](const Numbers&) { return normal; };
      p.field_lipschitz = 0;
      near_ = scale(b / length(a), normal), inward_ = normal;
      return list(
                 d, [&](std::size_t c) { return number(a[c]) + "*" + q(c); }, " + ") +
             " >= " + number(b);
    }
    if (kind <= 2) {  // ball or the outside of one
      const bool within = kind == 1;
      Numbers centre(d);
      for (double& x : centre) x = uniform(-1, 1);
      const double radius = uniform(0.5, 2), sign = within ? 1 : -1;
      p.g = [=](const Numbers& x) {
        const Numbers y = add(x, -1, centre);
        return sign * (dot(y, y) - radius * radius);
      };
      p.slope = [=](const Numbers& x) { return scale(2 * sign, add(x, -1, centre)); };
      p.slope_lipschitz = 2;
      p.field = [=](const Numbers& x) { return scale(-sign / radius, add(x, -1, centre)); };
      p.field_lipschitz = 1 / radius;
      const Numbers out = direction(d);
      near_ = add(centre, radius, out), inward_ = scale(-sign, out);
      return list(
                 d, [&](std::size_t c) { return "(" + q(c) + " - " + number(centre[c]) + ")^2"; }, " + ") +
             (within ? " <= " : " >= ") + number(radius) + "^2";
    }
    // above a graph: last >= a sin(k q0) + b q1
    const double a = uniform(-0.5, 0.5), k = uniform(0.5, 3), b = d > 2 ? uniform(-1, 1) : 0;
    p.g = [=](const Numbers& x) { return a * std::sin(k * x[0]) + (d > 2 ? b * x[1] : 0) - x[d - 1]; };
    p.slope = [=](const Numbers& x) {
      Numbers s(d, 0.0);
      s[0] = a * k * std::cos(k * x[0]), s[d - 1] = -1;
      if (d > 2) s[1] = b;
      return s;
    };
    p.slope_lipschitz = std::fabs(a) * k * k;
    const auto slope = p.slope;
    p.field = [slope](const Numbers& x) { return scale(-1 / length(slope(x)), slope(x)); };
    p.field_lipschitz = std::fabs(a) * k * k;  // the unit normal turns no faster than the slope, whose last entry is -1
    near_ = Numbers(d);
    for (double& x : near_) x = uniform(-1, 1);
    near_[d - 1] += p.g(near_);
    inward_ = p.field(near_);
    const std::string wave = number(a) + "*sin(" + number(k) + "*q0)";
    return q(d - 1) + " >= " + wave + (d > 2 ? " + " + number(b) + "*q1" : "");
  }

  static Numbers unit(std::size_t d, std::size_t axis) {
    Numbers x(d, 0.0);
    x[axis] = 1;
    return x;
  }

  std::string make_friction(RandomProblem& p) {
    const long kind = whole(0, 3);
    const double m = chance(0.1) ? uniform(3, 30) : uniform(0.02, 1.5);
    if (kind == 0) {
      p.mu = [](const Numbers&) { return 0.0; };
      return "";
    }
    if (kind == 1) {
      p.mu = [m](const Numbers&) { return m; }, p.sharpest = m;
      return "friction = \"" + number(m) + " * (1 + " + number(0) + "*sin(3*q0))\"\n";
    }
    if (kind == 2) {
      const double alpha = std::atan(m);
      p.mu = [alpha](const Numbers&) { return std::tan(alpha); }, p.sharpest = m * (1 + 1e-12);
      return "friction_angle = \"" + number(alpha) + "\"\n";
    }
    p.mu = [m](const Numbers& x) { return m * (1 + 0.5 * std::sin(3 * x[0])); }, p.sharpest = 1.5 * m;
    return "friction = \"" + number(m) + " * (1 + " + number(0.5) + "*sin(3*q0))\"\n";
  }

  void make_start(RandomProblem& p) {
    const double clearance = chance(0.2) ? 0 : uniform(0, 0.3);
    p.start = add(near_, clearance, inward_);
    p.past_velocity = scale(uniform(0, 2), direction(p.d));
    p.start_velocity = p.past_velocity;
    if (chance(0.3)) p.start_velocity = scale(uniform(0, 2), direction(p.d));
  }

  std::vector<std::string> make_force(RandomProblem& p) {
    // zero where a kind of force is absent
    const std::size_t d = p.d;
    const Numbers push =
        add(scale(chance(0.8) ? -uniform(0, 10) : 0, inward_), chance(0.5) ? uniform(0, 3) : 0, direction(d));
    const double spring = chance(0.5) ? uniform(0, 20) : 0, drag = chance(0.5) ? uniform(0, 1) : 0,
                 square_drag = chance(0.3) ? uniform(0, 0.3) : 0;
    const double shake = chance(0.3) ? uniform(0, 5) : 0, omega = uniform(1, 10),
                 turn = chance(0.2) ? uniform(-2, 2) : 0;
    const double delayed = chance(0.5) ? uniform(-4, 4) : 0;
    const double kinds[] = {0, uniform(0, 1) * p.h, p.h * static_cast<double>(whole(1, p.steps)), uniform(0, p.end),
                            uniform(1, 2) * p.end};
    p.tau = kinds[whole(0, 4)];
    const Numbers centre = add(near_, uniform(-0.5, 0.5), inward_);
    p.force = [=](double t, const Numbers& x, const Numbers& v, const Numbers& x_then) {
      Numbers f(d);
      const double speed = length(v);
      for (std::size_t c = 0; c < d; ++c)
        f[c] = push[c] - spring * (x[c] - centre[c]) - drag * v[c] - square_drag * speed * v[c] +
               shake * std::sin(omega * t + static_cast<double>(c)) + turn * v[(c + 1) % d] + delayed * x_then[c];
      return f;
    };
    std::vector<std::string> text;
    const std::string speed = "sqrt(" +
                              list(
                                  d, [](std::size_t c) { return "v" + q(c) + "^2"; }, " + ") +
                              ")";
    const std::string k = number(spring), b = number(drag), b2 = number(square_drag), a = number(shake),
                      w = number(omega), s = number(turn), later = number(delayed), tau = number(p.tau);
    for (std::size_t c = 0; c < d; ++c)
      text.push_back(number(push[c]) + " - " + k + "*(" + q(c) + " - " + number(centre[c]) + ") - " + b + "*v" + q(c) +
                     " - " + b2 + "*" + speed + "*v" + q(c) + " + " + a + "*sin(" + w + "*t + " + std::to_string(c) +
                     ") + " + s + "*v" + q((c + 1) % d) + " + delay(" + later + "*" + q(c) + ", " + tau + ")");
    return text;
  }

  std::mt19937_64 random_;
  Numbers near_, inward_;
  Numbers parameters_;  // of the problem at hand
};

}  // namespace conesweep::oracle
