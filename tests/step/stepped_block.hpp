#pragma once

#include <conesweep/step/blank_model.hpp>
#include <conesweep/step/finish.hpp>
#include <conesweep/step/is_model.hpp>
#include <conesweep/step/start.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/lanes.hpp"

namespace conesweep::test {

/// A block on a rough floor, or above it: x'' = -k x(t - τ), y'' = -G, y >= 0 with friction μ and restitution e. Past:
/// x = x0 + s t, y = H.
struct Block : step::BlankModel {
  enum Constant { gravity, mu, e, stiffness, tau, start_x, speed, height };
  static constexpr int dimension = 2, parameters = 8, constants = 8, contacts = 1;
  static constexpr int lags = 1, q_columns = 1;
  static constexpr int q_column[] = {0};
  static constexpr bool lag_q[][1] = {{true}};
  static constexpr bool rebounds[] = {true}, constant_gradient[] = {true}, defined_everywhere[] = {true};
  struct Standard : BlankModel::Standard {
    static constexpr bool impacts = true, stick_time = true, dissipated = true, impulse = true, variation = true,
                          penetration = true, work = true;
  };

  template <class Real>
  static CS_INLINE void prepare(const Real* parameter, Real* c) {
    for (int k = 0; k < constants; ++k) c[k] = parameter[k];
    c[mu] = law::check_coefficient(c[mu]);
    c[e] = law::check_restitution(c[e]);
  }
  template <class Real>
  static CS_INLINE void past(Real t, const Real* c, Real* q) {
    q[0] = c[start_x] + c[speed] * t, q[1] = c[height];
  }
  template <class Real>
  static CS_INLINE void past_velocity(Real, const Real* c, Real* v) {
    v[0] = c[speed], v[1] = Real(0);
  }
  template <class Real>
  static CS_INLINE void start_velocity(const Real* c, Real* v) {
    v[0] = c[speed], v[1] = Real(0);
  }
  template <int Lag, class Real>
  static CS_INLINE Real length(const Real* c) {
    return c[tau];
  }
  template <class Node, class Real>
  static CS_INLINE void force(const Node& node, Real* f) {
    f[0] = -(node.c[stiffness] * node.past_q[0][0]);
    f[1] = -node.c[gravity];
  }
  template <int P, class Real>
  static CS_INLINE Real constraint(const Real* q, const Real*, Real) {
    return -q[1];
  }
  template <int P, class Real>
  static CS_INLINE Real steepness(const Real*, const Real*, Real) {
    return Real(1);
  }
  template <int P, class Real>
  static CS_INLINE Real constraint_rate(const Real*, const Real*, Real, const Real* w) {
    return -w[1];
  }
  template <int P, class Real>
  static CS_INLINE Real along_normal(const Real*, const Real*, Real, const Real* w) {
    return w[1];
  }
  template <int P, class Real>
  static CS_INLINE void split(const Real*, const Real*, Real, const Real* w, Real& w_n, Real* w_t, Real& slip_speed) {
    w_n = w[1];
    w_t[0] = w[0], w_t[1] = Real(0);
    slip_speed = abs(w_t[0]);
  }
  template <int P, class Real>
  static CS_INLINE void join(const Real*, const Real*, Real, const Real* v_t, Real v_n, Real* v) {
    v[0] = v_t[0], v[1] = v_n;
  }
  template <int P, class Node>
  static CS_INLINE auto friction(const Node& node) {
    return node.c[mu];
  }
  template <int P, class Node>
  static CS_INLINE auto restitution(const Node& node) {
    return node.c[e];
  }
};

/// The same with one delay for all members, which all may know to be a whole number of steps; and with a second one,
/// three times as long.
struct SteadyBlock : Block {
  static constexpr bool lag_varies[] = {false};
};
struct TwiceSteadyBlock : Block {
  static constexpr int lags = 2;
  static constexpr bool lag_varies[] = {false, false}, lag_gathered[] = {false, false};
  static constexpr bool lag_q[][1] = {{true}, {true}}, lag_v[][1] = {{false}, {false}};

  template <int Lag, class Real>
  static CS_INLINE Real length(const Real* c) {
    return Lag == 0 ? c[tau] : Real(3) * c[tau];
  }
  template <class Node, class Real>
  static CS_INLINE void force(const Node& node, Real* f) {
    f[0] = -(node.c[stiffness] * node.past_q[0][0]) - node.past_q[1][0];
    f[1] = -node.c[gravity];
  }
};

struct Track {
  std::vector<double> x, y, vx, vy;  // by node; velocities after it
  std::vector<double> observed;      // in the order of the results
};

/// The scheme once more in plain long double, from the numbers as the member has them.
inline Track recompute(const std::vector<double>& p, double step, long steps) {
  using Number = long double;
  const Number G = p[0], mu = p[1], e = p[2], k = p[3], tau = p[4], h = step;
  const auto past = [&](Number t) { return Number(p[5]) + Number(p[6]) * t; };
  std::vector<Number> xs = {past(0)};
  Number y = p[7], vx = p[6], vy = 0;
  Track track;
  for (long i = 0;; ++i) {
    track.x.push_back(static_cast<double>(xs.back())), track.y.push_back(static_cast<double>(y));
    if (i == steps) break;
    const Number back = static_cast<Number>(i) - tau / h;  // where it looks, in steps
    const auto node = static_cast<long>(std::floor(back));
    const Number share = back - static_cast<Number>(node);
    const Number then = back < 0     ? past(back * h)
                        : share == 0 ? xs[static_cast<std::size_t>(node)]
                                     : (1 - share) * xs[static_cast<std::size_t>(node)] +
                                           share * xs[static_cast<std::size_t>(node + 1)];
    const Number wx = vx - h * k * then, wy = vy - h * G;
    if (y <= 0 && wy < 0) {
      const Number up = std::max(-e * vy, Number(0)), r = up - wy, grip = mu * r;
      vx = std::fabs(wx) <= grip ? 0 : wx - std::copysign(grip, wx);
      vy = up;
    } else {
      vx = wx, vy = wy;
    }
    track.vx.push_back(static_cast<double>(vx)), track.vy.push_back(static_cast<double>(vy));
    xs.push_back(xs.back() + h * vx), y += h * vy;
  }
  return track;
}

/// As many members as there are lanes, side by side, stepped by the text that all executors share: the first steps and
/// every `full`th one as if some member could look back before t = 0, the others knowing what they can know.
template <class Real, class Model = Block>
std::vector<Track> step_side_by_side(const std::vector<std::vector<double>>& members, double h, long steps,
                                     long full = 1000000) {
  using Scalar = ScalarOf<Real>;
  constexpr int lanes = RealTraits<Real>::lanes;
  Real parameters[Model::parameters];
  for (int k = 0; k < Model::parameters; ++k)
    for (int l = 0; l < lanes; ++l)
      set_lane(parameters[k], l, Scalar(members[static_cast<std::size_t>(l)][static_cast<std::size_t>(k)]));
  const state::Clock<Scalar> clock = {Scalar(h), Scalar(h * static_cast<double>(steps)), steps};
  step::Member<Real, Model> m;
  step::start_member(m, parameters, clock);
  const long slots = m.count_slots();
  std::vector<Scalar> memory(static_cast<std::size_t>(slots * history::ring_columns<Model> * lanes));
  const history::Ring<Scalar> ring = {memory.data(), slots, lanes};
  step::fill_ring(m, ring);

  std::vector<Track> tracks(static_cast<std::size_t>(lanes));
  const auto keep = [&](const auto& node, bool last) {
    for (int l = 0; l < lanes; ++l) {
      Track& track = tracks[static_cast<std::size_t>(l)];
      track.x.push_back(get_lane(node.q[0], l)), track.y.push_back(get_lane(node.q[1], l));
      if (!last) track.vx.push_back(get_lane(node.v[0], l)), track.vy.push_back(get_lane(node.v[1], l));
    }
  };
  long i = 0, now = 0;
  for (; i < steps; ++i, now = now + 1 == slots ? 0 : now + 1) {
    const history::Moment<Scalar> at = {i, now, ring, clock};
    const auto record = [&](const auto& node, Real) { keep(node, false); };
    if (i < slots || i % full == 0) {
      step::advance<history::Look::early, false>(m, at, true, record);
    } else if (!m.past().looks_at_nodes()) {
      step::advance<history::Look::between, false>(m, at, true, record);
    } else if constexpr (history::may_look_at_nodes<Model>()) {
      step::advance<history::Look::at_nodes, false>(m, at, true, record);
      if ((i + 1) % full == 0 || i + 1 == steps)
        history::find_older(m.past(), {i + 1, now + 1 == slots ? 0 : now + 1, ring, clock});
    }
  }
  state::Node<Real, Model> last;
  step::make_last_node(m, last, {i, now, ring, clock});
  keep(last, true);
  m.finish(last, clock, [&](int, Real x) {
    for (int l = 0; l < lanes; ++l) tracks[static_cast<std::size_t>(l)].observed.push_back(get_lane(x, l));
  });
  return tracks;
}

}  // namespace conesweep::test
