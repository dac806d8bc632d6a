// The lists of fields of what a step is made of: no field is missing, and a lane that leaves its pack by them comes
// back as it was.
#include <conesweep/state/passage.hpp>
#include <conesweep/step/blank_model.hpp>

#include <cstring>
#include <string>
#include <type_traits>

#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

/// All that a step may have: two contacts that may persist and are located, delays of both kinds, a window, a number.
struct Everything : step::BlankModel {
  using Numbered = void;
  using Located = void;
  static constexpr int dimension = 3, contacts = 2;
  static constexpr int lags = 2, q_columns = 2, v_columns = 1, windows = 1;
  struct Laws : state::NoLaws {
    enum More : int { coupled = 1, uses_laws = 1, persistent = 2 };
  };
  struct Standard : BlankModel::Standard {
    static constexpr bool certificate = true;
  };
};

/// visit(x) for every number, pointer and truth value of a struct; of several beside each other, visit(x, y).
template <class Visit, class First, class... Others>
void for_each_leaf(const Visit& visit, First& first, Others&... others);
template <class Visit, class First, std::size_t N, class... Others>
void for_each_leaf_of_array(const Visit& visit, First (&first)[N], Others (&... others)[N]) {
  for (std::size_t k = 0; k < N; ++k) for_each_leaf(visit, first[k], others[k]...);
}
template <class Visit, class First, class... Others>
void for_each_leaf(const Visit& visit, First& first, Others&... others) {
  if constexpr (std::is_array_v<First>)
    for_each_leaf_of_array(visit, first, others...);
  else if constexpr (state::HasFields<First>)
    First::for_each_field([&](auto&... fields) { for_each_leaf(visit, fields...); }, first, others...);
  else
    visit(first, others...);
}

/// A number that lies anywhere in memory: structs of it have no padding between fields.
template <class Scalar>
struct Loose {
  char bytes[8];
};

}  // namespace
}  // namespace conesweep::test

namespace conesweep::math {
template <class T>
struct RealTraits<test::Loose<T>> {
  using Scalar = T;
  using Mask = bool;
  static constexpr int lanes = 1;
};
}  // namespace conesweep::math

namespace conesweep::test {
namespace {

/// Bytes of a struct that are no field of its list.
template <class Struct>
std::size_t count_unlisted() {
  Struct x;
  std::size_t listed = 0;
  for_each_leaf([&](auto& leaf) { listed += sizeof leaf; }, x);
  return sizeof x - listed;
}

/// Three contacts, so that truth values fill words of eight bytes.
struct EverythingAtNodes : step::BlankModel {
  using Numbered = void;
  static constexpr int dimension = 3, contacts = 3;
  static constexpr int lags = 2, q_columns = 2, v_columns = 1, windows = 1;
  using Laws = Everything::Laws;
  using Standard = Everything::Standard;
};
struct EverythingLocated : EverythingAtNodes {
  using Located = void;
};
struct ThreeWalls : step::BlankModel {
  static constexpr int dimension = 1, contacts = 3;
};

TEST(ListedFields, AreAllThatThereAre) {
  EXPECT_EQ((count_unlisted<state::Passage<Loose<double>, ThreeWalls, true>>()), 0u);
  EXPECT_EQ((count_unlisted<state::Passage<Loose<double>, EverythingAtNodes, true>>()), 0u);
  EXPECT_EQ((count_unlisted<state::Passage<Loose<float>, EverythingAtNodes, true>>()), 0u);
  // an int and a truth value, then three bytes of padding
  EXPECT_EQ((count_unlisted<state::Passage<Loose<double>, EverythingLocated, true>>()), 3u);
}

/// Has one more than it says.
struct Forgetful {
  bool told = false, forgotten = false;

  template <class Visit, class... Some>
  static void for_each_field(const Visit& visit, Some&... some) {
    visit(some.told...);
  }
};

TEST(ListedFields, MissThoseThatAreForgotten) { EXPECT_EQ(count_unlisted<Forgetful>(), 1u); }

template <class T>
void clear(T& x) {
  std::memset(static_cast<void*>(&x), 0, sizeof x);
}

template <class Real>
class Fields : public ::testing::Test {};
TYPED_TEST_SUITE(Fields, Reals);

TYPED_TEST(Fields, GoWithALaneAndComeBack) {
  using Scalar = ScalarOf<TypeParam>;
  constexpr int lanes = RealTraits<TypeParam>::lanes;
  using Pass = state::Passage<TypeParam, Everything, true>;
  Pass s, again;
  clear(s), clear(again);
  int count = 0;
  const auto fill = [&](auto& leaf) {
    using Leaf = std::remove_reference_t<decltype(leaf)>;
    ++count;
    if constexpr (std::is_same_v<Leaf, TypeParam>)
      for (int l = 0; l < lanes; ++l) set_lane(leaf, l, static_cast<Scalar>(1 + lanes * count + l));
    else if constexpr (std::is_same_v<Leaf, MaskOf<TypeParam>>)
      for (int l = 0; l < lanes; ++l) set_lane(leaf, l, (count + l) % 3 == 0);
  };
  for_each_leaf(fill, s);
  for (int l = 0; l < lanes; ++l) s.node.identity().number[l] = 100 + l;
  s.node.identity().seed = 42;
  s.first = true;

  for (int l = lanes - 1; l >= 0; --l) {
    state::Passage<Scalar, Everything, true> one;
    clear(one);
    state::take_lane(s, l, one);
    EXPECT_EQ(one.t_next, get_lane(s.t_next, l));
    EXPECT_EQ(one.record.contact[1].stick, get_lane(s.record.contact[1].stick, l));
    EXPECT_EQ(one.node.past_q[1][0], get_lane(s.node.past_q[1][0], l));
    EXPECT_EQ(one.node.identity().number[0], 100 + l);
    EXPECT_EQ(one.node.identity().seed, 42u);
    EXPECT_TRUE(one.first) << "what all lanes have in common, the member has too";
    EXPECT_EQ(one.node.c, nullptr) << "where pointers lead is not asked";
    state::put_lane(one, l, again);
  }
  int compared = 0;
  for_each_leaf(
      [&](auto& before, auto& after) {
        using Leaf = std::remove_reference_t<decltype(before)>;
        if constexpr (std::is_same_v<Leaf, TypeParam> || std::is_same_v<Leaf, MaskOf<TypeParam>>) {
          ++compared;
          for (int l = 0; l < lanes; ++l) EXPECT_EQ(get_lane(before, l), get_lane(after, l)) << "number " << compared;
        }
      },
      s, again);
  EXPECT_GT(compared, 50);
}

TYPED_TEST(Fields, OfPointersCanBeForgotten) {
  state::Passage<TypeParam, Everything, false> s;
  const TypeParam number = TypeParam(1);
  s.node.c = &number;
  s.node.laws() = {&number, &number};
  s.node.t = TypeParam(2);
  state::forget_pointers(s.node);
  EXPECT_EQ(s.node.c, nullptr);
  EXPECT_EQ(s.node.laws().normal, nullptr);
  EXPECT_EQ(s.node.laws().slip, nullptr);
  EXPECT_EQ(get_lane(s.node.t, 0), ScalarOf<TypeParam>(2));
}

}  // namespace
}  // namespace conesweep::test
