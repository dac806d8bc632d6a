// (O3) … (O7) from records of contact made by chance, without a law behind them: against the definitions, written out
// once more over whole sequences.
#include <conesweep/observe/observers.hpp>
#include <conesweep/step/blank_model.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

template <int Contacts>
struct Watched : step::BlankModel {
  static constexpr int dimension = 2, contacts = Contacts;
  struct Standard : BlankModel::Standard {
    static constexpr bool impacts = true, first_contact = true, stick_time = true, slip_time = true, flight_time = true,
                          dissipated = true, impulse = true, variation = true, penetration = true, work = true;
  };
};

/// What one contact does at one node.
struct Touch {
  bool active = false, stick = false, impact = false;
  double r_n = 0, work = 0;
};

/// One lane: [node][contact], and the velocities between the nodes. All numbers are small multiples of 1/8, so that
/// every sum is exact, in float too.
struct Story {
  std::vector<std::vector<Touch>> nodes;
  std::vector<std::vector<double>> v, f;  // v_{-1}, v_0, …
  std::vector<double> depth;
};

Story tell(std::mt19937_64& random, int contacts, int steps) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto number = [&] { return (below(33) - 16) / 8.0; };
  Story story;
  story.v.push_back({number(), number()});
  bool on[3] = {false, false, false};
  for (int i = 0; i < steps; ++i) {
    story.nodes.emplace_back();
    for (int p = 0; p < contacts; ++p) {
      if (below(4) == 0) on[p] = !on[p];  // contacts last for a while
      Touch touch;
      touch.active = on[p];
      touch.stick = on[p] && below(2) == 0;
      touch.impact = below(3) == 0;
      touch.r_n = below(16) / 8.0;
      touch.work = number();
      story.nodes.back().push_back(touch);
    }
    // only one component changes, so that |v_i - v_{i-1}| is exact
    story.v.push_back(story.v.back());
    story.v.back()[static_cast<std::size_t>(below(2))] = number();
    story.f.push_back({number(), number()});
    story.depth.push_back(below(8) / 8.0);
  }
  return story;
}

/// The observables in the order of the results, by their definitions.
std::vector<double> define(const Story& story, double h) {
  const auto steps = story.nodes.size(), contacts = story.nodes[0].size();
  const auto touches = [&](std::size_t i) {
    for (const Touch& touch : story.nodes[i])
      if (touch.active) return true;
    return false;
  };
  // (O3) contact by contact; the ending onsets of a gap are those of the node where it ends
  std::vector<bool> impact(steps, false);
  double impacts = 0, first = std::numeric_limits<double>::quiet_NaN(), stick = 0, slip = 0, flight = 0, dissipated = 0,
         impulse = 0, variation = 0, deepest = 0, work = 0;
  for (std::size_t i = 0; i < steps; ++i)
    for (std::size_t p = 0; p < contacts; ++p) {
      const bool onset = story.nodes[i][p].active && (i == 0 || !story.nodes[i - 1][p].active);
      if (onset && story.nodes[i][p].impact) impacts += 1, impact[i] = true;
    }
  for (std::size_t i = 0; i < steps; ++i) {
    if (touches(i)) {
      if (first != first) first = h * static_cast<double>(i);
      bool all_stick = true;
      for (const Touch& touch : story.nodes[i]) all_stick = all_stick && (!touch.active || touch.stick);
      (all_stick ? stick : slip) += h;
    } else {
      // (O5) a gap between contacts is slip unless an impact ends it
      std::size_t next = i;
      while (next < steps && !touches(next)) ++next;
      bool before = false;
      for (std::size_t j = 0; j < i; ++j) before = before || touches(j);
      (before && next < steps && !impact[next] ? slip : flight) += h;
    }
    for (const Touch& touch : story.nodes[i])
      if (touch.active) impulse += touch.r_n, dissipated -= touch.work;
    const auto &a = story.v[i], &b = story.v[i + 1];
    variation += std::hypot(b[0] - a[0], b[1] - a[1]);
    work += h * (story.f[i][0] * (a[0] + b[0]) + story.f[i][1] * (a[1] + b[1])) / 2;
    deepest = std::max(deepest, story.depth[i]);
  }
  return {impacts, first, stick, slip, flight, dissipated, impulse, variation, deepest, work};
}

// longer than 60 lines: random histories of many kinds, each beside its definition
template <class Real, int Contacts>
void compare_with_definitions() {
  using Scalar = ScalarOf<Real>;
  using Model = Watched<Contacts>;
  constexpr std::size_t lanes = RealTraits<Real>::lanes;
  constexpr int steps = 40;
  const double h = 0.125;
  std::mt19937_64 random(20 + Contacts);
  int impacts = 0, gaps = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<Story> stories;
    for (std::size_t l = 0; l < lanes; ++l) stories.push_back(tell(random, Contacts, steps));
    const auto lane_values = [&](const auto& value) {
      Real x{};
      for (std::size_t l = 0; l < lanes; ++l) set_lane(x, static_cast<int>(l), Scalar(value(stories[l])));
      return x;
    };
    observe::Observers<Real, Model> observers;
    observers.start(nullptr, {});
    for (std::size_t i = 0; i < steps; ++i) {
      state::Passage<Real, Model, false> s;
      s.record.start();
      s.h = Real(Scalar(h));
      s.node.t = Real(Scalar(h * static_cast<double>(i)));
      for (std::size_t c = 0; c < 2; ++c) {
        s.node.v[c] = lane_values([&](const Story& story) { return story.v[i][c]; });
        s.v.value[c] = lane_values([&](const Story& story) { return story.v[i + 1][c]; });
        s.f[c] = lane_values([&](const Story& story) { return story.f[i][c]; });
      }
      bool touched = false;
      for (std::size_t p = 0; p < Contacts; ++p) {
        const auto of = [&](const Story& story) -> const Touch& { return story.nodes[i][p]; };
        auto& contact = s.record.contact[p];
        contact.active = lane_values([&](const Story& story) { return of(story).active ? 1 : 0; }) > Real(0);
        contact.stick = lane_values([&](const Story& story) { return of(story).stick ? 1 : 0; }) > Real(0);
        // ten steps of force are no impact yet
        contact.u_n_before = lane_values([&](const Story& story) { return of(story).impact ? -11 : -10; });
        contact.force_n = Real(-1);
        contact.r_n = lane_values([&](const Story& story) { return of(story).r_n; });
        contact.work = lane_values([&](const Story& story) { return of(story).work; });
        touched = touched || any(contact.active);
      }
      s.record.outside = true;
      s.record.penetration = lane_values([&](const Story& story) { return story.depth[i]; });
      observers.end_last_step();
      const Real node = Real(Scalar(static_cast<double>(i)));
      if (touched)
        observers.see_contacts(s, node);
      else
        observers.see_no_contact(node);
      observers.see_step(s);
    }
    const state::Node<Real, Model> last{};
    std::vector<Real> results;
    observers.finish(last, {Scalar(h), Scalar(h * steps), steps}, [&](int number, Real x) {
      ASSERT_EQ(static_cast<std::size_t>(number), results.size());
      results.push_back(x);
    });
    ASSERT_EQ(results.size(), 10u + 4u);
    for (std::size_t l = 0; l < lanes; ++l) {
      const auto expected = define(stories[l], h);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const double got = get_lane(results[k], static_cast<int>(l));
        EXPECT_TRUE(got == expected[k] || (got != got && expected[k] != expected[k]))
            << "quantity " << k << ", lane " << l << ": " << got << ", not " << expected[k];
      }
      impacts += static_cast<int>(expected[0]);
      gaps += expected[4] > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(impacts, 40);
  EXPECT_GT(gaps, 20);
}

template <class Real>
class ContactObservers : public ::testing::Test {};
TYPED_TEST_SUITE(ContactObservers, Reals);

TYPED_TEST(ContactObservers, AreTheDefinitionsForOneContact) { compare_with_definitions<TypeParam, 1>(); }
TYPED_TEST(ContactObservers, AreTheDefinitionsForSeveralContactsAtOnce) { compare_with_definitions<TypeParam, 3>(); }

// ---- what a model does not use takes no room ----

struct NothingWatched : step::BlankModel {
  static constexpr int dimension = 2, contacts = 2;
};
struct NoContact : Watched<0> {};
struct NothingWatchedOfOne : step::BlankModel {
  static constexpr int dimension = 2, contacts = 1;
};
static_assert(__is_empty(observe::Observers<double, NothingWatchedOfOne>));
// where several may act: was it ever hyperstatic?
static_assert(sizeof(observe::Observers<double, NothingWatched>) == sizeof(double));
static_assert(sizeof(observe::Observers<double, NoContact>) == 2 * sizeof(double));  // variation and work
// last, stick, slip, impacts, first; four sums; penetration
static_assert(sizeof(observe::Observers<double, Watched<1>>) == 10 * sizeof(double));
// and a last contact each, and that
static_assert(sizeof(observe::Observers<double, Watched<3>>) == 14 * sizeof(double));

}  // namespace
}  // namespace conesweep::test
