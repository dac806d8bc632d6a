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

/// Their structs, in the order of Kind.
template <class... Laws>
struct LawList {
  static constexpr int count = int(sizeof...(Laws));
};
using AllLaws = LawList<Interval, Ball, Coulomb, Guide, Persistent, Cohesive>;

template <int K, class List>
struct FindLaw;
template <class First, class... Others>
struct FindLaw<0, LawList<First, Others...>> {
  using Type = First;
};
template <int K, class First, class... Others>
struct FindLaw<K, LawList<First, Others...>> : FindLaw<K - 1, LawList<Others...>> {};
template <int K>
using LawNumber = typename FindLaw<K, AllLaws>::Type;

CS_HD constexpr int bit_of(Kind kind) { return 1 << int(kind); }

/// The kinds of law that a unit solves, as bits: a model's unit names those it has, `bit_of(Kind::ball) | …`, and a
/// compiler leaves out all others. And the rows of the largest block.
#if !defined(CONESWEEP_LAW_KINDS)
#define CONESWEEP_LAW_KINDS (1 << AllLaws::count) - 1
#endif
#if !defined(CONESWEEP_LARGEST_BLOCK)
#define CONESWEEP_LARGEST_BLOCK 3
#endif
inline constexpr int kinds = CONESWEEP_LAW_KINDS, largest_block = CONESWEEP_LARGEST_BLOCK;
static_assert(kinds > 0 && kinds < 1 << AllLaws::count && largest_block >= 1 && largest_block <= 3);

/// Asks the law of that kind, which is number K of those that the unit has or a later one.
template <int K, class Question>
CS_INLINE auto ask_from(Kind kind, const Question& question) {
  static_assert(IsLaw<LawNumber<K>>);
  if constexpr (kinds >> K == 1) {
    return question(LawNumber<K>{});
  } else if constexpr ((kinds >> K & 1) == 0) {
    return ask_from<K + 1>(kind, question);
  } else {
    if (kind == static_cast<Kind>(K)) return question(LawNumber<K>{});
    return ask_from<K + 1>(kind, question);
  }
}

/// Asks the law of that kind.
template <class Question>
CS_INLINE auto ask(Kind kind, const Question& question) {
  return ask_from<0>(kind, question);
}

/// The law that a model gives contact P over a stretch of length h, with its limits entered; else `given`.
template <int P, class Model, int K = 0, class Node, class Real>
CS_INLINE Kind choose_own(const Node& node, Real h, Limits<Real>& limits, Kind given) {
  if constexpr (kinds >> K == 0) {
    return given;
  } else {
    if constexpr ((kinds >> K & 1) != 0)
      if (LawNumber<K>::template enter<P, Model>(node, h, limits)) return static_cast<Kind>(K);
    return choose_own<P, Model, K + 1>(node, h, limits, given);
  }
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
CS_INLINE bool rubs_by_low(Kind kind) {
  return ask(kind, [](auto law) CS_LAMBDA { return decltype(law)::rubs_by_low; });
}

}  // namespace conesweep::law
