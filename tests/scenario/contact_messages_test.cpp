// Messages about contacts: points, what slides, what persists.
#include <gtest/gtest.h>

#include "law_problems.hpp"
#include "law_scenario.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

TEST(LawMessages, SayWhatAPointIs) {
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [\"rimx\"]"}}, R"~(
test.toml:19:9: point must be a list of 2 or 3 expressions, names of coordinates or definitions, got 1
    point = ["rimx"]
            ^^^^^^^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = \"rimx\""}}, R"~(
test.toml:19:9: point must be a list of 2 or 3 expressions, names of coordinates or definitions
    point = "rimx"
            ^^^^^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [\"x + 1\", \"rimy\"]"}}, R"~(
test.toml:19:10: an entry of point must be the name of a coordinate or of a definition: define 'x + 1' in [model.define] and name it here
    point = ["x + 1", "rimy"]
             ^^^^^^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [\"rimy\", \"rimy\"]"}}, R"~(
test.toml:19:10: point names 'rimy' twice
    point = ["rimy", "rimy"]
             ^^^^^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [\"rimx\", \"vy\"]"}}, R"~(
test.toml:19:19: 'vy' cannot be used in point: only coordinates and parameters can
    point = ["rimx", "vy"]
                      ^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [\"mu\", \"rimy\"]"}}, R"~(
test.toml:19:10: an entry of point must be the name of a coordinate or of a definition: define 'mu' in [model.define] and name it here
    point = ["mu", "rimy"]
             ^^^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [1, \"rimy\"]"}}, R"~(
test.toml:19:10: an entry of point must be the name of a coordinate or of a definition: define '1' in [model.define] and name it here
    point = [1, "rimy"]
             ^)~");
  expect_problems({{"rimx = \"x + R*sin(phi)\"", "rimx = \"x + R*sin(phi + t)\""}}, R"~(
test.toml:19:11: definition 'rimx': 't' cannot be used in point: only coordinates and parameters can
    point = ["rimx", "rimy"]
              ^^^^)~");
  expect_problems({{"point = [\"rimx\", \"rimy\"]", "point = [\"rimx\", \"rimy\"]\nslip = [\"vx\"]"}}, R"~(
test.toml:20:8: contact 'rim' has point and slip; give one of them (from a point the sliding velocities follow)
    slip = ["vx"]
           ^^^^^^)~");
}

TEST(LawMessages, SayWhichNamesInsideMayUseWithAPoint) {
  expect_problems({{"inside = \"rimy >= 0\"", "inside = \"rimy >= 0.1*x - height\""}}, R"~(
test.toml:20:23: 'x' is no name of the point; with a point, inside can use rimx, rimy, t, parameters and definitions made of these
    inside = "rimy >= 0.1*x - height"
                          ^)~");
  expect_problems({{"inside = \"rimy >= 0\"", "inside = \"rimy >= y + phi\""}}, R"~(
test.toml:20:19: 'y' is no name of the point; with a point, inside can use rimx, rimy, t, parameters and definitions made of these
    inside = "rimy >= y + phi"
                      ^
test.toml:20:23: 'phi' is no name of the point; with a point, inside can use rimx, rimy, t, parameters and definitions made of these
    inside = "rimy >= y + phi"
                          ^^^)~");
  expect_problems({{"inside = \"rimy >= 0\"", "inside = \"rimz >= 0\""}}, R"~(
test.toml:20:11: unknown name 'rimz' in inside; did you mean 'rimx'?
    inside = "rimz >= 0"
              ^^^^)~");
  expect_problems({{"inside = \"rimy >= 0\"", "inside = \"rimy >= vx\""}}, R"~(
test.toml:20:19: 'vx' cannot be used in inside: only t, coordinates and parameters can
    inside = "rimy >= vx"
                      ^^)~");
  expect_problems({{"height = \"2*R\"", "height = \"2*y\""}, {"inside = \"rimy >= 0\"", "inside = \"rimy >= height\""}},
                  R"~(
test.toml:20:19: 'height' is no name of the point; with a point, inside can use rimx, rimy, t, parameters and definitions made of these
    inside = "rimy >= height"
                      ^^^^^^)~");
  expect_problems(
      {{"height = \"2*R\"", "height = \"rimx + vx\""}, {"inside = \"rimy >= 0\"", "inside = \"rimy >= height\""}}, R"~(
test.toml:20:19: definition 'height': 'vx' cannot be used in inside: only t, coordinates and parameters can
    inside = "rimy >= height"
                      ^^^^^^)~");
  expect_problems(
      {{"height = \"2*R\"", "height = \"rimx + phi\""}, {"inside = \"rimy >= 0\"", "inside = \"rimy >= height\""}}, R"~(
test.toml:20:19: 'height' is no name of the point; with a point, inside can use rimx, rimy, t, parameters and definitions made of these
    inside = "rimy >= height"
                      ^^^^^^)~");
}

TEST(LawMessages, RefuseToSlideAlongTheNormal) {
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vx\"]"}}, R"~(
test.toml:24:9: this row of slip is the velocity along the normal of 'wall', and nothing slides there; write velocities along the wall, for example slip = ["vx"] where inside is y >= 0, or leave slip and friction out
    slip = ["vx"]
            ^^^^)~");
  // one row of two, a multiple of it that depends on the place, and a wall that is round
  const std::string round = "inside = \"x^2 + y^2 <= 4\"",
                    refused = "this row of slip is the velocity along the normal of 'wall'";
  const auto said = [](const std::string& slip, const std::string& inside) {
    std::string messages;
    for (const auto& problem :
         find_problems(wheel_with({{"slip = [\"vy + R*vphi\"]", slip}, {"inside = \"x <= 2\"", inside}})))
      messages += problem.message;
    return messages;
  };
  EXPECT_EQ(said("slip = [\"vy + R*vphi\", \"3*vx\"]", "inside = \"x <= 2\"").find(refused), 0u);
  EXPECT_EQ(said("slip = [\"-mu*(x*vx + y*vy)\"]", round).find(refused), 0u);
  // along it at some places, or in part: the start is one of them
  EXPECT_EQ(said("slip = [\"vx + R*vphi\"]", "inside = \"x <= 2\""), "");
  EXPECT_EQ(said("slip = [\"y*vx - x*vy\"]", round), "");
  EXPECT_EQ(said("slip = [\"vy\"]", round), "");
  EXPECT_EQ(said("slip = [\"vx\"]", "inside = \"if(x > 5, y, x) <= 2\""), "");
  // nowhere that it is looked at is the wall's normal a number: nothing is known
  EXPECT_EQ(said("slip = [\"vx\"]", "inside = \"sqrt(x - 50) >= 0\"").find(refused), std::string::npos);
}

TEST(LawMessages, SayWhatSlides) {
  expect_problems({{"slip = [\"vy + R*vphi\"]\n", ""}}, R"~(
test.toml:25:12: with a mass, friction must know what slides: write slip = ["vx"], sliding velocities, or point = ["…", "…"], the place of contact, in contact 'wall'
    friction = "mu"
               ^^^^)~");
  expect_problems(
      {{"slip = [\"vy + R*vphi\"]\ninside = \"x <= 2\"\nfriction", "inside = \"x <= 2\"\nbelt = [0, 0, 0]\nfriction"}},
      R"~(
test.toml:26:12: with a mass, friction must know what slides: write slip = ["vx"], sliding velocities, or point = ["…", "…"], the place of contact, in contact 'wall'
    friction = "mu"
               ^^^^)~");
  expect_problems(
      {{"slip = [\"vy + R*vphi\"]\ninside = \"x <= 2\"\nfriction = \"mu\"", "inside = \"x <= 2\"\nbelt = [0, 0, 0]"}},
      R"~(
test.toml:25:8: with a mass, friction must know what slides: write slip = ["vx"], sliding velocities, or point = ["…", "…"], the place of contact, in contact 'wall'
    belt = [0, 0, 0]
           ^^^^^^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vx\", \"vy\", \"vphi\"]"}}, R"~(
test.toml:24:8: slip must be a list of 1 or 2 expressions, sliding velocities such as "vx - R*vphi", got 3
    slip = ["vx", "vy", "vphi"]
           ^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = \"vx\""}}, R"~(
test.toml:24:8: slip must be a list of 1 or 2 expressions, sliding velocities such as "vx - R*vphi"
    slip = "vx"
           ^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"R*phi\"]"}}, R"~(
test.toml:24:9: slip has no velocity in it; velocities are called v + coordinate, vx for example
    slip = ["R*phi"]
            ^^^^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy + R*vphi - vy - vphi*R\"]"}}, R"~(
test.toml:24:9: this row of slip has a factor of 0 with every velocity, so nothing slides along it
    slip = ["vy + R*vphi - vy - vphi*R"]
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"slip = [\"vx\"]", "slip = [\"if(x > 5, vx, 0)\"]"}}, "");
  expect_problems({{"slip = [\"vx\"]\ndrive = [\"sin(t)\"]", "slip = [\"vx\", \"0*vy\"]"}}, R"~(
test.toml:35:15: this row of slip has a factor of 0 with every velocity, so nothing slides along it
    slip = ["vx", "0*vy"]
                  ^^^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy + delay(vphi, 1)\"]"}}, R"~(
test.toml:24:15: delay cannot be used in slip: only coordinates, velocities and parameters can
    slip = ["vy + delay(vphi, 1)"]
                  ^^^^^^^^^^^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy - sin(t)\"]"}}, R"~(
test.toml:24:19: 't' cannot be used in slip: only coordinates, velocities and parameters can
    slip = ["vy - sin(t)"]
                      ^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy + R*vphi\"]\nbelt = [0, 0, 0]"}}, R"~(
test.toml:25:8: belt must be a list of 1 expression, the velocity of the wall's material, one a row of slip, got 3
    belt = [0, 0, 0]
           ^^^^^^^^^)~");
  expect_problems({{"inside = \"rimy >= 0\"", "inside = \"rimy >= 0\"\nbelt = [0, 0, 0]"}}, R"~(
test.toml:21:8: belt must be a list of 2 expressions, the velocity of the wall's material, one an entry of point, got 3
    belt = [0, 0, 0]
           ^^^^^^^^^)~");
}

TEST(LawMessages, PointAtWhatIsNotAffine) {
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy + R*vphi*vx\"]"}}, R"~(
test.toml:24:15: slip must be affine in the velocities, a sum of terms factor * velocity; here vphi enters in another way
    slip = ["vy + R*vphi*vx"]
                  ^^^^^^^^^)~");
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"2*vy^2 + vx\"]"}}, R"~(
test.toml:24:12: slip must be affine in the velocities, a sum of terms factor * velocity; here vy enters in another way
    slip = ["2*vy^2 + vx"]
               ^^^^)~");
  expect_problems({{"slip = [\"vx\"]", "slip = [\"x*vx + abs(vy)\"]"}}, R"~(
test.toml:35:17: slip must be affine in the velocities, a sum of terms factor * velocity; here vy enters in another way
    slip = ["x*vx + abs(vy)"]
                    ^^^^^^^)~");
  expect_problems({{"slip = [\"vx\"]", "slip = [\"vx/(1 + vy)\"]"}}, R"~(
test.toml:35:10: slip must be affine in the velocities, a sum of terms factor * velocity; here vx enters in another way
    slip = ["vx/(1 + vy)"]
             ^^^^^^^^^^^)~");
  expect_problems({{"slip = [\"vx\"]", "slip = [\"if(vx > 0, vx, 2*vx)\"]"}}, R"~(
test.toml:35:13: slip must be affine in the velocities, a sum of terms factor * velocity; here vx enters in another way
    slip = ["if(vx > 0, vx, 2*vx)"]
                ^^^^^^)~");
  expect_problems({{"height = \"2*R\"", "spin = \"vphi*vphi\""}, {"slip = [\"vx\"]", "slip = [\"vx + spin\"]"}}, R"~(
test.toml:35:15: slip must be affine in the velocities, a sum of terms factor * velocity; here vphi enters in another way
    slip = ["vx + spin"]
                  ^^^^)~");
  expect_problems({{"velocity = \"vx + R*vphi = 0\"", "velocity = \"vx*vphi = 0\""}}, R"~(
test.toml:32:13: velocity must be affine in the velocities, a sum of terms factor * velocity; here vx enters in another way
    velocity = "vx*vphi = 0"
                ^^^^^^^)~");
}

TEST(LawMessages, SayWhatPersistsAndWhatDoesNot) {
  const std::pair<std::string, std::string> at_the_wall = {"x = \"0\"", "x = \"2\""};
  expect_problems({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = true"}, at_the_wall}, "");
  expect_problems({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = 1"}}, R"~(
test.toml:26:14: persistent must be true or false
    persistent = 1
                 ^)~");
  expect_problems({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = true\nrestitution = 0.5"}, at_the_wall},
                  R"~(
test.toml:27:15: contact 'wall' is persistent: it never opens by itself, so there is nothing to bounce; leave restitution out
    restitution = 0.5
                  ^^^)~");
  expect_problems({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = true"}}, R"~(
test.toml:25:11: persistent contact 'wall' does not touch at the start: its gap is 2; allowed: 1e-09 (1 + |q|)
    inside = "x <= 2"
              ^^^^^^)~");
  expect_problems({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = true"},
                   {"x = \"0\"", "x = \"2 - 3*t\""},
                   {"phi = \"0\"", "phi = \"6*t\""}},
                  R"~(
test.toml:25:11: persistent contact 'wall' does not rest at the start: its normal velocity is 3; allowed: 1e-09 (1 + |v|)
    inside = "x <= 2"
              ^^^^^^)~");
}

TEST(LawMessages, SayWhatACohesionMayBe) {
  const auto wall = [](const std::string& more) -> Replacements {
    return {{"inside = \"x <= 2\"", "inside = \"x <= 2\"\n" + more}};
  };
  expect_problems(wall("cohesion = \"m*(1 + sin(t)) + abs(delay(vx, 0.1))\""), "");
  expect_problems(wall("cohesion = \"mu - 0.5\""), R"~(
test.toml:26:13: cohesion is -0.2; allowed: cohesion >= 0
    cohesion = "mu - 0.5"
                ^^^^^^^^)~");
  expect_problems(wall("cohesion = \"1/(mu - 0.3)\""), R"~(
test.toml:26:13: cohesion is inf; allowed: cohesion >= 0
    cohesion = "1/(mu - 0.3)"
                ^^^^^^^^^^^^)~");
  expect_problems(wall("cohesion = \"normal(rim)\""), R"~(
test.toml:26:13: 'normal(rim)' cannot be used in cohesion: only observables and limits can use it
    cohesion = "normal(rim)"
                ^^^^^^^^^^^)~");
  expect_problems(wall("persistent = true\ncohesion = 1"), R"~(
test.toml:27:12: contact 'wall' is persistent: it is lost where it would have to pull, so it has no cohesion; leave one of the two out
    cohesion = 1
               ^)~");
  // some members only
  const auto some = find_problems(
      wheel_with({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\ncohesion = \"m - 1\""},
                  {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nm = { uniform = [0.5, 2] }\n[observe]"}}));
  ASSERT_EQ(some.size(), 1U);
  EXPECT_NE(some.front().to_text().find("warning: "), std::string::npos) << some.front().to_text();
  EXPECT_NE(some.front().to_text().find("allowed: cohesion >= 0"), std::string::npos) << some.front().to_text();
  EXPECT_NE(some.front().to_text().find("bad_limit"), std::string::npos) << some.front().to_text();
}

TEST(LawMessages, SayWhatIsObservedOfPersistentContacts) {
  expect_problems({{"[observe]", "[observe]\nalso = [\"lost\"]"}}, R"~(
test.toml:47:9: lost is about persistent contacts, and there is none; write persistent = true in a contact
    also = ["lost"]
            ^^^^^^)~");
  expect_problems({{"[observe]", "[observe]\nalso = [\"lost.wall\"]"}}, R"~(
test.toml:47:9: contact 'wall' is not persistent, so it cannot be lost; write persistent = true in it
    also = ["lost.wall"]
            ^^^^^^^^^^^)~");
  expect_problems({{"[observe]", "[observe]\nalso = [\"lost.wal\"]"}}, R"~(
test.toml:47:9: lost of an unknown contact 'wal'; did you mean 'wall'?
    also = ["lost.wal"]
            ^^^^^^^^^^)~");
  const std::pair<std::string, std::string> held = {"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = true"},
                                            at_the_wall = {"x = \"0\"", "x = \"2\""};
  expect_problems({held, at_the_wall, {"[observe]", "[observe]\nalso = [\"lost.rail\", \"certificate\"]"}}, R"~(
test.toml:48:9: 'rail' is no contact; lost.<name> is the loss of a contact
    also = ["lost.rail", "certificate"]
            ^^^^^^^^^^^
test.toml:48:22: certificate is defined where persistent contacts are the only laws, and there are bilateral constraints
    also = ["lost.rail", "certificate"]
                         ^^^^^^^^^^^^^)~");
}

// A body on one foot and whatever the case adds.
void expect_certificate_problem(const std::string& contacts, const std::string& laws, const std::string& expected) {
  const std::string text = "[model]\ncoordinates = [\"x\", \"y\", \"z\"]\nmass = [1, 1, 1]\nforce = [0, -1, 0]\n" +
                           contacts + laws +
                           "[start]\nx = \"0\"\ny = \"0\"\nz = \"0\"\n[time]\nend = 1\nstep = 0.1\n[observe]\nstandard "
                           "= [\"certificate_paper\"]\n";
  std::string got;
  for (const auto& problem : find_problems(text))
    got += problem.to_text().substr(problem.to_text().find(": ") + 2) + "\n";
  EXPECT_EQ(got.substr(0, got.find('\n')), expected);
}

TEST(LawMessages, SayWhereCertificatesAreDefined) {
  const std::string foot =
      "[[model.contact]]\nname = \"foot\"\ninside = \"y >= 0\"\nslip = [\"vx\"]\nfriction = 0.3\npersistent = true\n";
  expect_certificate_problem(foot, "", "");
  expect_certificate_problem(
      foot, "[[model.resistance]]\nslip = [\"vx\"]\nlimit = 1\n",
      "certificate_paper is defined where persistent contacts are the only laws, and there are resistances");
  expect_certificate_problem(
      foot, "[[model.contact]]\nname = \"wall\"\ninside = \"x <= 2\"\n",
      "certificate_paper is defined where persistent contacts are the only laws, and contact 'wall' is not persistent");
  expect_certificate_problem(
      "[[model.contact]]\nname = \"foot\"\ninside = \"y >= 0\"\nslip = [\"vx\", \"vz\"]\nfriction = 0.3\npersistent = "
      "true\n",
      "", "certificate_paper is exact in the plane, where friction has two directions; contact 'foot' slides in more");
  expect_certificate_problem("[[model.contact]]\nname = \"foot\"\ninside = \"y >= 0\"\npersistent = true\n", "",
                             "certificate_paper is about friction, and no persistent contact has any");
  expect_certificate_problem(
      "[[model.contact]]\nname = \"foot\"\ninside = \"y >= t^2\"\nslip = [\"vx\"]\nbelt = [0]\nfriction = "
      "0.3\npersistent = true\n",
      "", "certificate_paper is defined for walls that stand still, and t is in inside of contact 'foot'");
}

}  // namespace
}  // namespace conesweep::test
