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

/// Asks the law of that kind.
template <class Question>
CS_INLINE auto ask(Kind kind, const Question& question) {
  static_assert(IsLaw<Interval> && IsLaw<Ball> && IsLaw<Coulomb> && IsLaw<Guide> && IsLaw<Persistent> &&
                IsLaw<Cohesive>);
  switch (kind) {
    case Kind::interval: return question(Interval{});
    case Kind::ball: return question(Ball{});
    case Kind::guide: return question(Guide{});
    case Kind::persistent: return question(Persistent{});
    case Kind::cohesive: return question(Cohesive{});
    default: return question(Coulomb{});
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

}  // namespace conesweep::law
