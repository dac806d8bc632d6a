// What check says of laws that are right: on which velocities friction acts, and what percussions add up to.
#include "scenario/reading/notes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "law_scenario.hpp"
#include "scenario/reading/percussion_tail.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

std::string notes_of(const std::string& text) {
  std::string all;
  for (const auto& note : scenario::describe_laws(parse_scenario(text)))
    all += std::to_string(note.place.line) + ":" + std::to_string(note.place.column) + " " + note.message + "\n";
  return all;
}

std::string particle(const std::string& coordinates, const std::string& force, const std::string& inside) {
  std::string text = "[model]\ncoordinates = " + coordinates + "\nforce = " + force +
                     "\n[[model.contact]]\nname = 'floor'\ninside = '" + inside +
                     "'\nfriction = 0.5\n[time]\nend = 1\nstep = 0.1\n[start]\n";
  for (const char name : {'x', 'y', 'z'})
    if (coordinates.find(name) != std::string::npos) text += std::string(1, name) + " = 0\n";
  return text;
}

TEST(LawNotes, SayOnWhichVelocitiesFrictionActs) {
  EXPECT_EQ(notes_of(wheel),
            "21:12 friction of 'rim' acts on the velocity of the point (rimx, rimy) along the wall\n"
            "26:12 friction of 'wall' acts on vy + R*vphi\n"
            "37:9 the limit of 'table' uses normal(rail) as it is without this friction, which does not act back; for "
            "Coulomb's law, where it does, give "
            "'rail' friction and slip\n"
            "38:45 percussions of 'table': 20 atoms, sizes sum to 0.999999; the last has size 9.53674e-07; were they "
            "to go on like this, what is left out adds "
            "up to at "
            "most 9.53674e-07\n");
  EXPECT_EQ(notes_of(wheel_with({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy\", \"R*vphi\"]"},
                                 {"friction = \"mu\"", ""},
                                 {"percussions =", "# "},
                                 {"normal(rail)", "g"}})),
            "26:12 friction of 'wall' acts on vy and R*vphi\n");
}

TEST(LawNotes, SayWhereFrictionActsBack) {
  EXPECT_EQ(
      notes_of(wheel_with(
          {{"holds = \"y = R\"", "holds = \"y = R\"\nfriction = \"mu\"\nslip = [\"vx\"]"}, {"percussions =", "# "}})),
      "21:12 friction of 'rim' acts on the velocity of the point (rimx, rimy) along the wall\n"
      "26:12 friction of 'wall' acts on vy + R*vphi\n"
      "30:12 friction of 'rail' acts on vx, with the force that holds it, and changes that force\n"
      "39:9 the limit of 'table' uses normal(rail) as it is in an earlier round of solving; at most four are made\n");
}

TEST(LawNotes, SayWhatBelongsToOneParticle) {
  EXPECT_EQ(notes_of(particle("['x', 'y']", "['-y', 0]", "y >= 0")),
            "7:12 friction of 'floor' acts on the part of (vx, vy) along the wall, as on one particle\n");
  EXPECT_EQ(notes_of(particle("['x', 'y', 'z']", "[1, '-vz', 0]", "y >= 0")),
            "7:12 friction of 'floor' acts on the part of (vx, vy, vz) along the wall, as on one particle; no force "
            "joins x to the others: if it belongs to "
            "another body, write slip or point\n");
  EXPECT_EQ(notes_of(particle("['x', 'y']", "['-x', 0]", "x^2 + y^2 <= 1")),
            "7:12 friction of 'floor' acts on the part of (vx, vy) along the wall, as on one particle\n");
  EXPECT_EQ(notes_of(particle("['x']", "[0]", "x >= 0")),
            "7:12 friction of 'floor' acts on nothing: in one coordinate there is no motion along the wall\n");
}

std::string struck(const std::string& law) {
  return "[model]\ncoordinates = ['x']\nmass = [2]\nforce = [0]\n[[model.resistance]]\nname = 'plane'\nslip = "
         "['vx']\n" +
         law + "\n[time]\nend = 1\nstep = 0.1\n[start]\nx = 0\n";
}

TEST(LawNotes, BoundWhatLeftOutPercussionsCanDo) {
  // κ/m Σ_{j > 10} 2^-j = 3/2 · 2^-10
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = '1 - 2^-j', size = '2^-j', count = 10 }")),
            "9:43 percussions of 'plane': 10 atoms, sizes sum to 0.999023; the last has size 0.000976562; were they to "
            "go on like this, what is left out changes "
            "the velocity by at most 0.00146484\n");
  // a limit of the atoms' own
  EXPECT_EQ(notes_of(struck("limit = 'abs(x)'\npercussions = { time = '1/j', size = '2^-j', count = 10, limit = 6 }")),
            "9:38 percussions of 'plane': 10 atoms, sizes sum to 0.999023; the last has size 0.000976562; were they to "
            "go on like this, what is left out changes "
            "the velocity by at most 0.00292969\n");
  // Σ_{j > 10} j^-2 = π²/6 - 1.549767731… = 0.0951663357; with κ/m = 3/2 that is 0.14275
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = '1/j', size = 'j^-2', count = 10 }")),
            "9:38 percussions of 'plane': 10 atoms, sizes sum to 1.54977; the last has size 0.01; were they to go on "
            "like this, what is left out changes the "
            "velocity by at most 0.14275\n");
  // the larger end of a set counts
  EXPECT_EQ(notes_of(struck("limit = [-6, 1]\npercussions = { time = '1/j', size = 'j^-2', count = 10 }")),
            "9:38 percussions of 'plane': 10 atoms, sizes sum to 1.54977; the last has size 0.01; were they to go on "
            "like this, what is left out changes the "
            "velocity by at most 0.285499\n");
  // of a limit that changes only sizes are known
  EXPECT_EQ(notes_of(struck("limit = 't'\npercussions = { time = '1 - 2^-j', size = '2^-j', count = 10 }")),
            "9:43 percussions of 'plane': 10 atoms, sizes sum to 0.999023; the last has size 0.000976562; were they to "
            "go on like this, what is left out adds "
            "up to at most 0.000976563\n");
  // a sum that does not end, and one that does, but slower than any power
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = '1/j', size = '1/j', count = 10 }")),
            "9:38 percussions of 'plane': 10 atoms, sizes sum to 2.92897; the last has size 0.1; the next one would "
            "have size 0.0909091: what is left out, if "
            "anything is, has no bound that is known\n");
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = '1/j', size = '1/((j + 1)*log(j + 1)^2)', count = 2 }")),
            "9:38 percussions of 'plane': 2 atoms, sizes sum to 1.31686; the last has size 0.276178; the next one "
            "would have size 0.130086: what is left out, "
            "if anything is, has no bound that is known\n");
  // families that end by themselves: nothing is left out
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = 0.5, size = 2, count = 1 }")),
            "9:36 percussions of 'plane': 1 atom, sizes sum to 2; the last has size 2\n");
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = 'j - 1', size = 2, count = 2 }")),
            "9:40 percussions of 'plane': 2 atoms, sizes sum to 4; the last has size 2\n");
  EXPECT_EQ(notes_of(struck("limit = 3\npercussions = { time = '1/j', size = '3 - j', count = 2 }")),
            "9:38 percussions of 'plane': 2 atoms, sizes sum to 3; the last has size 1\n");
  EXPECT_EQ(notes_of(struck("limit = 3")), "");
}

TEST(LawNotes, BoundTheRestOfAFamilyFromAbove) {
  using scenario::bound_tail;
  const auto power = [](double p, double shift) { return [=](double j) { return std::pow(j + shift, -p); }; };
  // Σ_{j > n} (j + s)^-p, by a million terms and Euler's formula for the rest
  const auto exact = [](double p, double shift, double n) {
    long double sum = 0;
    const double far = n + 1e6;
    for (double j = far; j > n; --j) sum += std::pow(static_cast<long double>(j + shift), -static_cast<long double>(p));
    return static_cast<double>(sum + std::pow(far + shift + 0.5, 1 - p) / (p - 1));
  };
  for (const double p : {1.5, 2.0, 3.0})
    for (const double shift : {0.0, -0.5, 7.0})
      for (const double n : {1.0, 20.0, 1000.0}) {
        const auto bound = bound_tail(power(p, shift), n);
        ASSERT_TRUE(bound.has_value()) << p << " " << shift << " " << n;
        EXPECT_GE(*bound, exact(p, shift, n) * (1 - 1e-12)) << p << " " << shift << " " << n;
        EXPECT_LE(*bound, exact(p, shift, n) * 1.01) << p << " " << shift << " " << n;
      }
  for (const double q : {0.1, 0.5, 0.97}) {
    const auto bound = bound_tail([q](double j) { return std::pow(q, j); }, 12);
    ASSERT_TRUE(bound.has_value()) << q;
    EXPECT_NEAR(*bound / (std::pow(q, 13) / (1 - q)), 1, 1e-8) << q;
  }
  EXPECT_FALSE(bound_tail(power(1, 0), 10).has_value());
  EXPECT_FALSE(bound_tail(power(0.5, 0), 10).has_value());
  EXPECT_FALSE(bound_tail(power(0, 0), 10).has_value());
  EXPECT_FALSE(bound_tail([](double j) { return 1 / (j * std::log(j) * std::log(j)); }, 10).has_value());
  EXPECT_FALSE(bound_tail([](double j) { return j < 15 ? std::pow(j, -2) : std::sqrt(14.5 - j); }, 10).has_value());
}

std::string speed_of(const std::string& laws, const std::string& mass = "['m', 'm', 'm']") {
  std::string all;
  for (const auto& note : scenario::describe_islands(parse_scenario(
           "[model]\ncoordinates = ['x', 'y', 'z']\nforce = [0, 0, 0]\nmass = " + mass +
           "\n[model.parameters]\nm = 2.0\n" + laws + "[start]\nx = 0\ny = 0\nz = 0\n[time]\nend = 1\nstep = 0.1\n")))
    all += note.message + "\n";
  return all;
}
std::string rub(const std::string& of) {
  return "[[model.resistance]]\nname = 'rub_" + of + "'\nslip = ['v" + of + "']\nlimit = 1\n";
}

TEST(IslandNotes, SayHowLawsAreSolvedAndWhatThatCosts) {
  EXPECT_EQ(speed_of(""), "");
  EXPECT_EQ(speed_of(rub("x")), "speed: 'rub_x' acts by itself: solved in closed form, several members at a time\n");
  EXPECT_EQ(speed_of(rub("x") + rub("y") + rub("z")),
            "speed: 3 laws that act on no other one, the first 'rub_x': solved in closed form, several members at a "
            "time\n");
  EXPECT_EQ(speed_of(rub("x") + rub("y"), "[['m', 0.1, 0], [0.1, 'm', 0], [0, 0, 'm']]"),
            "speed: 'rub_x' and 'rub_y' act on each other: solved together, several members at a time\n");
  EXPECT_EQ(speed_of(rub("z") + "[[model.bilateral]]\nname = 'rail'\nholds = 'x = y'\n"),
            "speed: 'rail' acts by itself: solved directly, several members at a time\n"
            "speed: 'rub_z' acts by itself: solved in closed form, several members at a time\n");
}

TEST(IslandNotes, SayWhatWouldBeFaster) {
  EXPECT_EQ(speed_of(rub("x") + "percussions = { time = '0.5 * j', size = 1, count = 1 }\n"),
            "speed: 'rub_x' acts by itself: solved member by member by a search, which takes 50 times as long as a "
            "closed form and more; percussions leave no law of the model a closed form\n");
  EXPECT_EQ(
      speed_of("[[model.contact]]\nname = 'floor'\ninside = 'z >= 0'\nslip = ['vx + vz', 'vy']\nfriction = 0.2\n"),
      "speed: 'floor' acts by itself: solved several members at a time while no contact of these touches, else "
      "member by member by a search, which takes 50 times as long as a closed form and more\n");
}

}  // namespace
}  // namespace conesweep::test
