#pragma once

#include <conesweep/law/ball.hpp>
#include <conesweep/law/cohesive.hpp>
#include <conesweep/law/guide.hpp>
#include <conesweep/law/interval.hpp>
#include <conesweep/law/persistent.hpp>

// The one list of laws: nothing else tells them apart.

namespace conesweep::law {

/// Which law ties a block's impulse to its velocities.
enum class Kind : int { interval, ball, coulomb, guide, persistent, cohesive };

/// What law.hpp says a law is.
template <class Law>
concept IsLaw = requires(const double (&w)[1][1], const double (&b)[1], const Limits<double>& limits, double (&r)[1],
                         const double (&x)[3], Nearest<double>& to) {
  Law::template solve<double, 1>(w, b, limits, r);
  Law::project(limits, 1, x, to);
  requires !(Law::is_contact && Law::binds) && (Law::has_normal || !Law::is_contact);
};

template <int K>
struct LawNumber;
template <>
struct LawNumber<0> {
  using Type = Interval;
};
template <>
struct LawNumber<1> {
  using Type = Ball;
};
template <>
struct LawNumber<2> {
  using Type = Coulomb;
};
template <>
struct LawNumber<3> {
  using Type = Guide;
};
template <>
struct LawNumber<4> {
  using Type = Persistent;
};
template <>
struct LawNumber<5> {
  using Type = Cohesive;
};

/// The kinds of law that a unit solves, as bits: a model's unit names those it has, and a compiler leaves out all
/// others. And the rows of the largest block.
#if !defined(CONESWEEP_LAW_KINDS)
#define CONESWEEP_LAW_KINDS 63
#endif
#if !defined(CONESWEEP_LARGEST_BLOCK)
#define CONESWEEP_LARGEST_BLOCK 3
#endif
inline constexpr int kinds = CONESWEEP_LAW_KINDS, largest_block = CONESWEEP_LARGEST_BLOCK;
static_assert(kinds > 0 && kinds < 64 && largest_block >= 1 && largest_block <= 3);

/// Asks the law of that kind, which is number K of those that the unit has or a later one.
template <int K, class Question>
CS_INLINE auto ask_from(Kind kind, const Question& question) {
  static_assert(IsLaw<typename LawNumber<K>::Type>);
  if constexpr (kinds >> K == 1) {
    return question(typename LawNumber<K>::Type{});
  } else if constexpr ((kinds >> K & 1) == 0) {
    return ask_from<K + 1>(kind, question);
  } else {
    if (kind == static_cast<Kind>(K)) return question(typename LawNumber<K>::Type{});
    return ask_from<K + 1>(kind, question);
  }
}

/// Asks the law of that kind.
template <class Question>
CS_INLINE auto ask(Kind kind, const Question& question) {
  return ask_from<0>(kind, question);
}

/// What a law is, as constants of its struct.
CS_INLINE bool has_normal(Kind kind) {
  return ask(kind, [](auto law) CS_LAMBDA { return decltype(law)::has_normal; });
}
CS_INLINE bool is_contact(Kind kind) {
  return ask(kind, [](auto law) CS_LAMBDA { return decltype(law)::is_contact; });
}
CS_INLINE bool binds(Kind kind) {
  return ask(kind, [](auto law) CS_LAMBDA { return decltype(law)::binds; });
}
CS_INLINE bool persists(Kind kind) {
  return ask(kind, [](auto law) CS_LAMBDA { return decltype(law)::persists; });
}
CS_INLINE bool opens(Kind kind) {
  return ask(kind, [](auto law) CS_LAMBDA { return decltype(law)::opens; });
}

}  // namespace conesweep::law
