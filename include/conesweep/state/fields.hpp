#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

// A struct of numbers lists its fields once:
//
//   template <class Visit, class... Some>
//   static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
//     visit(some.t...);
//     visit(some.q...);
//   }
//
// `some` is one such struct, or several beside each other: one of a pack and one of a single member, say. visit is
// called with the same field of all. Whoever goes through the fields of a step walks this list: a lane that leaves its
// pack and comes back, a copy without pointers, the test that fills them. A field that no list has fails
// tests/step/fields_test.

namespace conesweep::state {

/// Sees fields and does nothing.
struct LookAway {
  template <class... Fields>
  CS_INLINE void operator()(Fields&...) const {}
};

template <class T>
concept HasFields = requires(T& x) {
  T::for_each_field(LookAway{}, x);
};

/// What a struct inherits from Base, as a field.
template <class Base>
CS_INLINE Base& part(Base& whole) {
  return whole;
}
template <class Base>
CS_INLINE const Base& part(const Base& whole) {
  return whole;
}

// ---- a lane of a pack as a member of its own

/// Fields that all lanes share have the same type in both. (NVRTC has no __is_same.)
template <class Many, class One>
inline constexpr bool is_shared = false;
template <class Field>
inline constexpr bool is_shared<Field, Field> = true;

template <class Many, class One>
CS_INLINE void take_lane(const Many& from, int lane, One& to);
template <class Many, class One>
CS_INLINE void take_lane(const Many* const& from, int lane, const One*& to);
template <class Many, int N, class One, int M>
CS_INLINE void take_lane(const Many (&from)[N], int lane, One (&to)[M]);
template <class One, class Many>
CS_INLINE void put_lane(const One& from, int lane, Many& to);
template <class One, class Many>
CS_INLINE void put_lane(const One* const& from, int lane, const Many*& to);
template <class One, int M, class Many, int N>
CS_INLINE void put_lane(const One (&from)[M], int lane, Many (&to)[N]);

/// Where the lanes have something in common (whether this is the first step), the member has it too. What a pointer
/// leads to is not the struct's: whoever takes the lane knows where the member's lies.
template <class Many, class One>
CS_INLINE void take_lane(const Many* const&, int, const One*&) {}

template <class Many, class One>
CS_INLINE void take_lane(const Many& from, int lane, One& to) {
  if constexpr (is_shared<Many, One>)
    to = from;
  else if constexpr (HasFields<Many>)
    Many::for_each_field([lane](const auto& many, auto& one) CS_LAMBDA { take_lane(many, lane, one); }, from, to);
  else
    to = get_lane(from, lane);
}

/// Numbers side by side; or one for each lane, of which a member has its own.
template <class Many, int N, class One, int M>
CS_INLINE void take_lane(const Many (&from)[N], int lane, One (&to)[M]) {
  if constexpr (N == M)
    for (int k = 0; k < N; ++k) take_lane(from[k], lane, to[k]);
  else
    to[0] = from[lane];
}

/// The same back; what lanes have in common stays. Where a member is by itself already, both are copies.
template <class One, class Many>
CS_INLINE void put_lane(const One& from, int lane, Many& to) {
  if constexpr (is_shared<Many, One>) {
    if constexpr (HasFields<Many>) to = from;
  } else if constexpr (HasFields<Many>) {
    Many::for_each_field([lane](const auto& one, auto& many) CS_LAMBDA { put_lane(one, lane, many); }, from, to);
  } else {
    set_lane(to, lane, from);
  }
}
template <class One, class Many>
CS_INLINE void put_lane(const One* const&, int, const Many*&) {}
template <class One, int M, class Many, int N>
CS_INLINE void put_lane(const One (&from)[M], int lane, Many (&to)[N]) {
  if constexpr (N == M)
    for (int k = 0; k < N; ++k) put_lane(from[k], lane, to[k]);
  else
    to[lane] = from[0];
}

/// The same of so many numbers that a pointer leads to.
template <int N, class Many, class One>
CS_INLINE void take_lane_of(const Many* from, int lane, One* to) {
  for (int k = 0; k < N; ++k) to[k] = get_lane(from[k], lane);
}

// ---- pointers

/// Leads nowhere afterwards.
template <class T>
CS_INLINE void forget_pointers(const T*& pointer) {
  pointer = nullptr;
}
template <class T>
CS_INLINE void forget_pointers(T& x);
template <class T, int N>
CS_INLINE void forget_pointers(T (&x)[N]) {
  for (int k = 0; k < N; ++k) forget_pointers(x[k]);
}
template <class T>
CS_INLINE void forget_pointers([[maybe_unused]] T& x) {
  if constexpr (HasFields<T>) T::for_each_field([](auto& field) CS_LAMBDA { forget_pointers(field); }, x);
}

}  // namespace conesweep::state
