#pragma once

#include <conesweep/step/model_words.hpp>

namespace conesweep::step {

/// A model that has nothing but coordinates: what a model written by hand inherits, so that it says only what it has
/// (docs/user_model.md). The generator writes every entry itself. Arrays have one entry where there is nothing.
struct BlankModel {
  static constexpr int parameters = 0, varied = 0, constants = 0, contacts = 0, observables = 0;
  static constexpr int varied_parameter[] = {0}, reducers[] = {0};

  // history: lags (delays, and lengths of windows) and the columns of the ring they read
  static constexpr int lags = 0, q_columns = 0, v_columns = 0;
  static constexpr int q_column[] = {0}, v_column[] = {0};
  static constexpr bool lag_q[][1] = {{false}}, lag_v[][1] = {{false}};
  static constexpr int windows = 0, gathered_windows = 0;
  static constexpr int window_lag[] = {0}, window_kind[] = {0}, window_place[] = {-1};
  static constexpr bool lag_gathered[] = {false};

  // contacts
  static constexpr bool rebounds[] = {false}, moves[] = {false}, constant_gradient[] = {false},
                        defined_everywhere[] = {false};

  using Laws = state::NoLaws;

  struct Standard {
    static constexpr bool impacts = false, first_contact = false, stick_time = false, slip_time = false,
                          flight_time = false, dissipated = false, impulse = false, variation = false,
                          penetration = false, work = false, drive_work = false, gained = false, painleve = false,
                          lost = false, certificate = false, certificate_paper = false;
  };

  template <class Real>
  static CS_INLINE void prepare(const Real*, Real*) {}
  template <int Lag, class Real>
  static CS_INLINE Real length(const Real*) {
    return Real(0);
  }
  template <int Contact, class Node>
  static CS_INLINE auto friction(const Node&) {
    return typename Node::Number(0);
  }
  template <int Contact, class Node>
  static CS_INLINE auto restitution(const Node&) {
    return typename Node::Number(0);
  }
  template <int Number, class Node>
  static CS_INLINE auto value(const Node&) {
    return typename Node::Number(0);
  }
  template <int Number, class Node>
  static CS_INLINE auto condition(const Node&) {
    return typename Node::Number(0) != typename Node::Number(0);
  }
  template <int Window, class Node>
  static CS_INLINE auto window_value(const Node&, const typename Node::Number*) {
    return typename Node::Number(0);
  }
};

}  // namespace conesweep::step
