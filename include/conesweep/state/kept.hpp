#pragma once

#include <conesweep/math/unroll.hpp>

// Fields that some models need and others do not. Where one is not needed it takes no room, and text that touches it
// does not compile.
//
// A member's state is stored and loaded as a whole, so a compiler cannot see by itself that a field is never used. All
// of these are made to be inherited from: an empty base takes no room, while an empty field takes bytes, which are
// copied with the state and cost registers.

namespace conesweep::state {

/// One field, or none.
template <bool Needed, class T>
struct Kept {
  T value;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.value...);
  }
};
template <class T>
struct Kept<false, T> {
  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit&, Some&...) {}
};

/// N fields, or none. `Owner` says whose they are: a struct cannot inherit from the same type twice.
template <class Owner, class T, int N>
struct KeptArray {
  T entries[N];

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.entries...);
  }
};
template <class Owner, class T>
struct KeptArray<Owner, T, 0> {
  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit&, Some&...) {}
};

/// How many of the entries 0 … end - 1 are needed. `Needs` has `count`, how many there could be, and `entry(k)`, is
/// entry k needed?
template <class Needs>
CS_HD constexpr int count_needed(int end = Needs::count) {
  int needed = 0;
  for (int k = 0; k < end; ++k) needed += Needs::entry(k) ? 1 : 0;
  return needed;
}

/// Fields by number, of which only the needed ones are kept.
template <class Needs, class T, int Count = count_needed<Needs>()>
struct KeptEntries : KeptArray<Needs, T, Count> {};

/// Entry K.
template <int K, class Needs, class T, int Count>
CS_INLINE T& get(KeptEntries<Needs, T, Count>& fields) {
  static_assert(Needs::entry(K), "this field is not kept");
  return fields.entries[count_needed<Needs>(K)];
}
template <int K, class Needs, class T, int Count>
CS_INLINE const T& get(const KeptEntries<Needs, T, Count>& fields) {
  static_assert(Needs::entry(K), "this field is not kept");
  return fields.entries[count_needed<Needs>(K)];
}

/// Entry K, or what stands for it where it is not kept.
template <int K, class Needs, class T, int Count>
CS_INLINE T get_or(const KeptEntries<Needs, T, Count>& fields, [[maybe_unused]] T otherwise) {
  if constexpr (Needs::entry(K))
    return get<K>(fields);
  else
    return otherwise;
}

}  // namespace conesweep::state
