#pragma once

#include <conesweep/math/unroll.hpp>
#include <conesweep/metric/cholesky.hpp>
#include <conesweep/state/laws.hpp>

// Islands of a model (B11): laws that meet, directly or through others, with the coordinates they act on and those that
// M connects with these. Each is solved by itself, in arrays of its own size.

namespace conesweep::contact {

using CoordinateSet = unsigned long long;  // bit c: coordinate c

inline constexpr int all_islands = -1;  // in place of an island's number: all laws and coordinates of a model

/// Does the law belong to island I?
template <class Model, int I>
CS_HD constexpr bool is_of_island(int law) {
  return I == all_islands || int(Model::Laws::islands) == 1 || Model::Laws::island_of(law) == I;
}

template <class Model, int I>
CS_HD constexpr CoordinateSet find_coordinates() {
  constexpr CoordinateSet all = Model::dimension >= 64 ? ~CoordinateSet{0} : (CoordinateSet{1} << Model::dimension) - 1;
  if (I == all_islands) return all;
  CoordinateSet set = 0;
  for (int law = 0; law < state::count_laws<Model>(); ++law)
    if (is_of_island<Model, I>(law)) set |= Model::Laws::coordinates(law);
  return set & all;
}

CS_HD constexpr int count_coordinates(CoordinateSet set) {
  int count = 0;
  for (; set != 0; set &= set - 1) ++count;
  return count;
}

/// Number j of the coordinates in a set.
CS_HD constexpr int coordinate_of(CoordinateSet set, int j) {
  for (int c = 0; c < 64; ++c)
    if ((set >> c & 1) != 0 && j-- == 0) return c;
  return -1;
}

/// What is counted of laws of one kind, by their number: every one, guides, constraints without friction, rows.
struct One {
  CS_HD constexpr int operator()(int) const { return 1; }
};
template <class Laws>
struct OneGuide {
  CS_HD constexpr int operator()(int f) const { return Laws::guide_size(f) > 0 ? 1 : 0; }
};
template <class Laws>
struct OneFirm {
  CS_HD constexpr int operator()(int f) const { return Laws::guide_size(f) > 0 ? 0 : 1; }
};
template <class Laws>
struct GuideRows {
  CS_HD constexpr int operator()(int f) const { return Laws::guide_size(f); }
};
template <class Laws>
struct ResistanceRows {
  CS_HD constexpr int operator()(int r) const { return Laws::resistance_size(r); }
};

/// The sum over the island's laws first … last - 1, which are all of one kind.
template <class Model, int I, class Some>
CS_HD constexpr int count_in_island(int first, int last, const Some& some) {
  int count = 0;
  for (int law = first; law < last; ++law)
    if (is_of_island<Model, I>(law)) count += some(law - first);
  return count;
}

/// So many contacts may touch at once in an island; without friction anywhere twice as many.
inline constexpr int most_touching = 16;

/// The number of law `place` of the island among all of its kind, which are laws first … last - 1.
template <class Model, int I>
CS_HD constexpr int find_in_island(int first, int last, int place) {
  for (int law = first; law < last; ++law)
    if (is_of_island<Model, I>(law) && place-- == 0) return law - first;
  return -1;
}

/// Island I of a model, or all of it.
template <class Model, int I>
struct Island {
  using Laws = typename Model::Laws;

  enum Count : int {
    all_coordinates = Model::dimension,
    first_firm = Model::contacts,
    first_resistance = Model::contacts + int(Laws::firm),
    laws = state::count_laws<Model>(),
    dimension = count_coordinates(find_coordinates<Model, I>()),
    constraints = count_in_island<Model, I>(Model::contacts, Model::contacts + int(Laws::firm), One{}),
    contacts = count_in_island<Model, I>(0, Model::contacts, One{}),
    most = int(Laws::contact_rows) > 1 ? most_touching : 2 * most_touching,
    touching = int(contacts) < int(most) ? int(contacts) : int(most),
    guides = count_in_island<Model, I>(first_firm, first_resistance, OneGuide<Laws>{}),
    guide_rows = count_in_island<Model, I>(first_firm, first_resistance, GuideRows<Laws>{}),
    firm = count_in_island<Model, I>(first_firm, first_resistance, OneFirm<Laws>{}),
    resistances = count_in_island<Model, I>(first_resistance, laws, One{}),
    resistance_rows = count_in_island<Model, I>(first_resistance, laws, ResistanceRows<Laws>{}),
    blocks = int(touching) + int(guides) + int(resistances),
    rows = int(touching) * int(Laws::contact_rows) + int(guide_rows) + int(resistance_rows),
  };

  // its coordinates, in the model
  enum Coordinates : CoordinateSet { set = find_coordinates<Model, I>() };

  /// Its laws number k, in the model.
  static constexpr CS_HD int contact(int k) { return find_in_island<Model, I>(0, first_firm, k); }
  static constexpr CS_HD int constraint(int k) { return find_in_island<Model, I>(first_firm, first_resistance, k); }
  static constexpr CS_HD int resistance(int k) { return find_in_island<Model, I>(first_resistance, laws, k); }

  /// Its coordinate number j, in the model.
  static constexpr CS_HD int coordinate(int j) {
    return int(dimension) == int(all_coordinates) ? j : coordinate_of(CoordinateSet(set), j);
  }
  /// A set of the model's coordinates, in the island's numbers.
  static constexpr CS_HD CoordinateSet own_set(CoordinateSet all) {
    CoordinateSet own = 0;
    for (int j = 0; j < int(dimension); ++j)
      if ((all >> coordinate(j) & 1) != 0) own |= CoordinateSet{1} << j;
    return own;
  }

  /// The place of contact p among the island's; of bilateral constraint f among its firm rows, or among its guides; of
  /// resistance r.
  static constexpr CS_HD int contact_place(int p) { return count_in_island<Model, I>(0, p, One{}); }
  static constexpr CS_HD int firm_place(int f) {
    return count_in_island<Model, I>(first_firm, int(first_firm) + f, OneFirm<Laws>{});
  }
  static constexpr CS_HD int guide_place(int f) {
    return count_in_island<Model, I>(first_firm, int(first_firm) + f, OneGuide<Laws>{});
  }
  static constexpr CS_HD int resistance_place(int r) {
    return count_in_island<Model, I>(first_resistance, int(first_resistance) + r, One{});
  }
};

/// body(p) for every contact of an island, and so for its bilateral constraints and its resistances: numbers in the
/// model.
template <class Of, class Body>
CS_INLINE void for_each_contact(const Body& body) {
  unroll<int(Of::contacts)>([&](auto k) CS_LAMBDA { body(math::Index<Of::contact(k)>{}); });
}
template <class Of, class Body>
CS_INLINE void for_each_constraint(const Body& body) {
  unroll<int(Of::constraints)>([&](auto k) CS_LAMBDA { body(math::Index<Of::constraint(k)>{}); });
}
template <class Of, class Body>
CS_INLINE void for_each_resistance(const Body& body) {
  unroll<int(Of::resistances)>([&](auto k) CS_LAMBDA { body(math::Index<Of::resistance(k)>{}); });
}

/// The whole model, as an island.
template <class Model>
using Whole = Island<Model, all_islands>;

/// Does it have all coordinates of its model?
template <class Of>
CS_HD constexpr bool has_all_coordinates() {
  return int(Of::dimension) == int(Of::all_coordinates);
}

/// The island's part of a row or velocity.
template <class Of, class Real>
CS_INLINE void take_coordinates(const Real* all, Real (&own)[Of::dimension]) {
  unroll<Of::dimension>([&](auto j) CS_LAMBDA { own[j] = all[Of::coordinate(j)]; });
}
template <class Of, class Real>
CS_INLINE void put_coordinates(const Real (&own)[Of::dimension], Real* all) {
  unroll<Of::dimension>([&](auto j) CS_LAMBDA { all[Of::coordinate(j)] = own[j]; });
}

/// The island's part of a metric: M has no entries between islands, and so has L.
template <class Of, class Real, int D>
CS_INLINE metric::UnitMetric<Real, Of::dimension> take_metric(const metric::UnitMetric<Real, D>&) {
  return {};
}
template <class Of, class Real, int D>
CS_INLINE metric::DiagonalMetric<Real, Of::dimension> take_metric(const metric::DiagonalMetric<Real, D>& all) {
  metric::DiagonalMetric<Real, Of::dimension> own;
  take_coordinates<Of>(all.root, own.root);
  take_coordinates<Of>(all.inverse, own.inverse);
  return own;
}
template <class Of, class Real, int D>
CS_INLINE metric::DenseMetric<Real, Of::dimension> take_metric(const metric::DenseMetric<Real, D>& all) {
  metric::DenseMetric<Real, Of::dimension> own;
  take_coordinates<Of>(all.inverse, own.inverse);
  unroll<Of::dimension>([&](auto i) CS_LAMBDA {
    unroll<i + 1>([&](auto j) CS_LAMBDA { own.l[i][j] = all.l[Of::coordinate(i)][Of::coordinate(j)]; });
  });
  return own;
}

}  // namespace conesweep::contact
