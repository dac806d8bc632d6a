#pragma once

#include <conesweep/step/member.hpp>

#include "wave.hpp"

// A member between two launches, word by word: a warp's words lie beside each other in memory. As an array of members
// they would lie sizeof(Member) apart, and every access would be a transaction of its own.
//
// What a member consists of is not asked: it is copied as bytes. By value, because words cover padding: the member that
// steps keeps its fields apart, in registers, and only the copy is looked at in words.

namespace conesweep::kernels {

template <class Scalar, class Model>
inline constexpr int member_words = sizeof(step::Member<Scalar, Model>) / sizeof(Scalar);

/// body(w) for every word w of a member. Members too large for registers lie in memory anyway, where a loop can walk
/// them.
template <int Words, class Body>
__device__ __forceinline__ void for_each_word(const Body& body) {
  // a thread has 255 registers of 4 bytes; every Index is a variable of the module, so words are counted in rows
  constexpr int registers = 128, row = 8;
  if constexpr (Words <= registers) {
    math::unroll<(Words + row - 1) / row>([&](auto first) {
      constexpr int at = first * row, rest = Words - at;
      math::unroll<(rest < row ? rest : row)>([&](auto k) { body(at + k); });
    });
  } else {
    for (int w = 0; w < Words; ++w) body(w);
  }
}

template <class Model, class Scalar>
__device__ __forceinline__ step::Member<Scalar, Model> load_state(const Wave<Scalar>& wave, long thread) {
  constexpr int words = member_words<Scalar, Model>;
  step::Member<Scalar, Model> m;
  static_assert(__is_trivially_copyable(decltype(m)) && sizeof(m) == words * sizeof(Scalar));
  const auto* from = wave.state + place_in_warps(thread, words);
  for_each_word<words>([&](int w) {
    const auto word = from[w * warp];
    memcpy(reinterpret_cast<char*>(&m) + w * sizeof word, &word, sizeof word);
  });
  return m;
}

template <class Model, class Scalar>
__device__ __forceinline__ void store_state(const Wave<Scalar>& wave, long thread, step::Member<Scalar, Model> m) {
  constexpr int words = member_words<Scalar, Model>;
  auto* to = wave.state + place_in_warps(thread, words);
  for_each_word<words>([&](int w) {
    typename Wave<Scalar>::Word word;  // through a word: memcpy to the device's memory would go byte by byte
    memcpy(&word, reinterpret_cast<const char*>(&m) + w * sizeof word, sizeof word);
    to[w * warp] = word;
  });
}

}  // namespace conesweep::kernels
