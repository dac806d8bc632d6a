// Friction that acts on several bodies as on one particle (B8).
#include "scenario/reading/bodies.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

std::string body(const std::string& coordinates, const std::string& force, const std::string& inside = "y >= 0",
                 const std::string& more = "") {
  std::string text = "[model]\ncoordinates = " + coordinates + "\nforce = " + force +
                     "\n[[model.contact]]\nname = 'floor'\ninside = '" + inside + "'\nfriction = 0.3\n" + more +
                     "[time]\nend = 1\nstep = 0.1\n[start]\n";
  for (const char name : {'x', 'y', 'z', 'u'})
    if (coordinates.find(name) != std::string::npos) text += std::string(1, name) + " = 0\n";
  return text;
}

std::string warnings_of(const std::string& text) {
  std::string all;
  for (const auto& problem : find_problems(text)) {
    EXPECT_EQ(problem.severity, scenario::Severity::warning) << problem.to_text();
    all += problem.message + "\n";
  }
  return all;
}

TEST(Bodies, WarnOfAnOscillatorBesideABlock) {
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "[0, -1, '-z']")),
            "friction of 'floor' acts on vz too, as on one particle, but z moves by itself: nothing joins it to the "
            "other coordinates; if that is another body, say "
            "what slides here: slip = [\"vx\"], or point = [\"…\", \"…\"]\n");
  // a wheel, a damper, something that looks back
  for (const char* force : {"[0, -1, '-0.1*vz']", "[0, -1, '-delay(z, 0.1)']", "['sin(t)', -1, '-z^3']"})
    EXPECT_NE(warnings_of(body("['x', 'y', 'z']", force)), "") << force;
  // two of them
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "['-2*x', -1, '-z']")),
            "friction of 'floor' acts on vx and vz too, as on one particle, but x and z move by themselves: nothing "
            "joins them to the other coordinates; if that is "
            "another body, say what slides here: slip = [\"…\"], or point = [\"…\", \"…\"]\n");
}

TEST(Bodies, AreOneWhereSomethingJoinsThem) {
  // one particle in space: on a table, pulled, in a field that is the same in all directions, joined by a force, by a
  // wall
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "[0, -1, 0]")), "");
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "['sin(t)', -1, 2]")), "");
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "['-4*x - vx', -1, '-4*z - vz']")), "");
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "['-z', -1, '-z']")), "");
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "[0, -1, '-z*hypot(vx, vz)']")), "");
  EXPECT_EQ(
      warnings_of(body("['x', 'y', 'z']", "[0, -1, '-z']", "y >= 0", "[[model.contact]]\ninside = 'x^2 + z^2 <= 1'\n")),
      "");
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "[0, -1, '-z']", "y >= 0.1*z")), "");
  // in the plane one direction is left to slide along
  EXPECT_EQ(warnings_of(body("['x', 'y']", "['-x', -1]")), "");
  // what slides is said
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "[0, -1, '-z']", "y >= 0", "slip = ['vx']\n")), "");
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z']", "[0, -1, '-z']", "y >= 0", "point = ['x', 'y']\n")), "");
}

TEST(Bodies, OfMoreThanThreeCoordinatesAreSeveral) {
  EXPECT_EQ(warnings_of(body("['x', 'y', 'z', 'u']", "[0, -1, '-z', 0]")),
            "friction of 'floor' acts on all 4 coordinates, as on one particle; for several bodies say what slides: "
            "slip = [\"…\"], or point = [\"…\", \"…\"]\n");
}

TEST(Bodies, NoSampleIsWarnedOf) {
  for (const auto& entry : std::filesystem::directory_iterator(CONESWEEP_SAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    for (const auto& problem : scenario::examine(scenario::load_source(entry.path()), {}).problems)
      ADD_FAILURE() << problem.to_text();
  }
}

}  // namespace
}  // namespace conesweep::test
