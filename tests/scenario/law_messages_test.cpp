// Every message about the laws of a model: its text, its place and its caret. Each case is the wheel with one or two
// replacements.
#include <gtest/gtest.h>

#include "law_scenario.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

void expect_problems(const Replacements& replacements, const std::string& expected) {
  std::string got;
  for (const auto& problem : find_problems(wheel_with(replacements))) got += "\n" + problem.to_text();
  EXPECT_EQ(got, expected) << "with " << replacements.front().second;
}

TEST(LawMessages, AreNoneForTheWheel) { expect_problems({{"", ""}}, ""); }

TEST(LawMessages, AreNoneForDelaysTogetherWithPercussions) {
  expect_problems({{"force = [\"0\",", "force = [\"delay(x, 1) + window_max(y, 0.1)\","}}, "");
}

TEST(LawMessages, SayWhatAMassMustLookLike) {
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = \"m\""}}, R"~(
test.toml:4:8: mass must be a list of 3 expressions, one a coordinate, or a matrix with a list a row: ["m", …] or [["m", …], …]
    mass = "m"
           ^^^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"J\"]"}}, R"~(
test.toml:4:8: mass must be a list of 3 expressions, one a coordinate, or a matrix with a list a row: ["m", …] or [["m", …], …]
    mass = ["m", "J"]
           ^^^^^^^^^^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [[\"m\", 0, 0], [0, \"m\"], [0, 0, \"J\"]]"}}, R"~(
test.toml:4:8: mass must be a list of 3 expressions, one a coordinate, or a matrix with a list a row: ["m", …] or [["m", …], …]
    mass = [["m", 0, 0], [0, "m"], [0, 0, "J"]]
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"m\", \"vx\"]"}}, R"~(
test.toml:4:20: 'vx' cannot be used in mass: only coordinates and parameters can
    mass = ["m", "m", "vx"]
                       ^^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"t\", \"delay(x, 1)\"]"}}, R"~(
test.toml:4:15: 't' cannot be used in mass: only coordinates and parameters can
    mass = ["m", "t", "delay(x, 1)"]
                  ^
test.toml:4:20: delay cannot be used in mass: only coordinates and parameters can
    mass = ["m", "t", "delay(x, 1)"]
                       ^^^^^^^^^^^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [[\"m\", 0, 0], [0, \"m\", 0.1], [0, \"0.2\", \"J\"]]"}},
                  R"~(
test.toml:4:41: mass must be symmetric: row 3, column 2 is 0.2, but row 2, column 3 is 0.1
    mass = [["m", 0, 0], [0, "m", 0.1], [0, "0.2", "J"]]
                                            ^^^^^)~");
  expect_problems(
      {{"mass = [\"m\", \"m\", \"J\"]", "mass = [[\"m\", \"R*x\", 0], [\"R * phi\", \"m\", 0], [0, 0, \"J\"]]"}}, R"~(
test.toml:4:27: mass must be symmetric: row 2, column 1 is R * phi, but row 1, column 2 is R*x
    mass = [["m", "R*x", 0], ["R * phi", "m", 0], [0, 0, "J"]]
                              ^^^^^^^^^)~");
}

TEST(LawMessages, NameTheLawsOfRestitution) {
  expect_problems({{"force =", "restitution_law = \"poisson\"\nforce ="}}, R"~(
test.toml:5:19: unknown restitution_law 'poisson'; known: newton and moreau
    restitution_law = "poisson"
                      ^^^^^^^^^)~");
  expect_problems({{"force =", "restitution_law = 1\nforce ="}}, R"~(
test.toml:5:19: restitution_law must be a text in quotes: newton or moreau
    restitution_law = 1
                      ^)~");
}

TEST(LawMessages, SayHowLawsAreWritten) {
  expect_problems({{"[[model.resistance]]", "[model.resistance]"}}, R"~(
test.toml:33:1: resistances are written as [[model.resistance]], one for each
    [model.resistance]
    ^^^^^^^^^^^^^^^^^^)~");
  expect_problems(
      {{"[[model.bilateral]]\nname = \"rail\"\nholds = \"y = R\"\n[[model.bilateral]]\nname = \"roll\"\nvelocity",
        "[model.bilateral]\nname = \"rail\"\nvelocity"}},
      R"~(
test.toml:27:1: bilateral constraints are written as [[model.bilateral]], one for each
    [model.bilateral]
    ^^^^^^^^^^^^^^^^^
test.toml:34:24: unknown law 'rail' in limit; did you mean 'rim'?
    limit = "mu*abs(normal(rail))"
                           ^^^^)~");
  expect_problems({{"name = \"table\"", "name = 3"}}, R"~(
test.toml:34:8: a resistance's name must be a text in quotes, and not empty
    name = 3
           ^)~");
  expect_problems({{"name = \"table\"", "nmae = \"table\""}}, R"~(
test.toml:34:1: unknown key 'nmae' in [[model.resistance]]; did you mean 'name'?
    nmae = "table"
    ^^^^)~");
  expect_problems({{"holds = \"y = R\"", "hold = \"y = R\""}}, R"~(
test.toml:27:1: bilateral constraint 'rail' needs holds, for example holds = "y = 0", or velocity, for example velocity = "vx - R*vphi = 0"
    [[model.bilateral]]
    ^^^^^^^^^^^^^^^^^^^
test.toml:29:1: unknown key 'hold' in [[model.bilateral]]; did you mean 'holds'?
    hold = "y = R"
    ^^^^)~");
  expect_problems({{"drive =", "driver ="}}, R"~(
test.toml:36:1: unknown key 'driver' in [[model.resistance]]; did you mean 'drive'?
    driver = ["sin(t)"]
    ^^^^^^)~");
}

TEST(LawMessages, KeepTheNamesOfLawsApart) {
  expect_problems({{"name = \"wall\"", "name = \"rim\""}}, R"~(
test.toml:22:1: two contacts are called 'rim'
    [[model.contact]]
    ^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"name = \"roll\"", "name = \"rail\""}}, R"~(
test.toml:30:1: two bilateral constraints are called 'rail'
    [[model.bilateral]]
    ^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"name = \"table\"", "name = \"rim\""}}, R"~(
test.toml:33:1: two laws are called 'rim'; contacts, bilateral constraints and resistances share their names
    [[model.resistance]]
    ^^^^^^^^^^^^^^^^^^^^)~");
}

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

TEST(LawMessages, SayWhatFrictionOfABilateralConstraintNeeds) {
  const auto with = [](const std::string& more) {
    return Replacements{{"holds = \"y = R\"", "holds = \"y = R\"\n" + more}};
  };
  expect_problems(with("friction = \"mu\"\nslip = [\"vx - R*vphi\", \"vphi\"]"), "");
  expect_problems(with("friction = \"mu\""), R"~(
test.toml:30:12: bilateral constraint 'rail' has friction, which must know what slides: write slip = ["vx"], the sliding velocities
    friction = "mu"
               ^^^^)~");
  expect_problems(with("slip = [\"vx\"]"), R"~(
test.toml:30:8: bilateral constraint 'rail' has slip, but no friction: nothing would resist it; add friction = "mu", or leave slip out
    slip = ["vx"]
           ^^^^^^)~");
  expect_problems(with("friction = \"mu\"\nslip = [\"2*vy\"]"), R"~(
test.toml:31:8: slip of bilateral constraint 'rail' is the velocity that it holds: nothing slides that way; give a velocity along it
    slip = ["2*vy"]
           ^^^^^^^^)~");
  expect_problems(with("friction = \"-mu\"\nslip = [\"vx\"]"), R"~(
test.toml:30:13: friction is -0.3; allowed: friction >= 0
    friction = "-mu"
                ^^^)~");
  expect_problems(
      {{"velocity = \"vx + R*vphi = 0\"", "velocity = \"vx + R*vphi = 0\"\nfriction = \"mu\"\nslip = [\"vy\"]"}}, R"~(
test.toml:33:12: bilateral constraint 'roll' binds a velocity: friction is for what is held at a place, holds = "… = …"; what resists a velocity is a [[model.resistance]]
    friction = "mu"
               ^^^^)~");
}

TEST(LawMessages, PointIntoEquations) {
  expect_problems({{"holds = \"y = R\"", ""}}, R"~(
test.toml:27:1: bilateral constraint 'rail' needs holds, for example holds = "y = 0", or velocity, for example velocity = "vx - R*vphi = 0"
    [[model.bilateral]]
    ^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = R\"\nvelocity = \"vy = 0\""}}, R"~(
test.toml:30:12: bilateral constraint 'rail' has holds and velocity; give one of them
    velocity = "vy = 0"
               ^^^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = 1"}}, R"~(
test.toml:29:9: holds needs an equation, two sides with = between them
    holds = 1
            ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y - R\""}}, R"~(
test.toml:29:10: holds needs an equation, two sides with = between them
    holds = "y - R"
             ^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y == R\""}}, R"~(
test.toml:29:10: an equation is written with one =, not with ==
    holds = "y == R"
             ^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y >= R\""}}, R"~(
test.toml:29:10: holds needs an equation, two sides with = between them
    holds = "y >= R"
             ^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = R = 1\""}}, R"~(
test.toml:29:16: an equation has only one = sign
    holds = "y = R = 1"
                   ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"= R\""}}, R"~(
test.toml:29:10: the left side of = is missing
    holds = "= R"
             ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y =\""}}, R"~(
test.toml:29:12: the right side of = is missing
    holds = "y ="
               ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = (R\""}}, R"~(
test.toml:29:14: this parenthesis is not closed
    holds = "y = (R"
                 ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y) = R\""}}, R"~(
test.toml:29:11: this parenthesis closes nothing
    holds = "y) = R"
              ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = Q + z\""}}, R"~(
test.toml:29:14: unknown name 'Q' in holds
    holds = "y = Q + z"
                 ^
test.toml:29:18: unknown name 'z' in holds
    holds = "y = Q + z"
                     ^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = (x > 1)\""}}, R"~(
test.toml:29:15: '=' needs a number, got a condition; write if(condition, 1, 0)
    holds = "y = (x > 1)"
                  ^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = vx\""}}, R"~(
test.toml:29:14: 'vx' cannot be used in holds: only t, coordinates and parameters can
    holds = "y = vx"
                 ^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"R = R\""}}, R"~(
test.toml:29:9: holds depends on no coordinate, so it holds nothing
    holds = "R = R"
            ^^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = delay(y, 1)\""}}, R"~(
test.toml:29:14: delay cannot be used in holds: only t, coordinates and parameters can
    holds = "y = delay(y, 1)"
                 ^^^^^^^^^^^)~");
  expect_problems({{"velocity = \"vx + R*vphi = 0\"", "velocity = \"x + R*phi = 0\""}}, R"~(
test.toml:32:12: velocity has no velocity in it; velocities are called v + coordinate, vx for example
    velocity = "x + R*phi = 0"
               ^^^^^^^^^^^^^^^)~");
}

TEST(LawMessages, SayWhatAResistanceNeeds) {
  expect_problems({{"slip = [\"vx\"]\n", ""}}, R"~(
test.toml:33:1: resistance 'table' needs slip, the velocities that it resists, for example slip = ["vx"]
    [[model.resistance]]
    ^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"slip = [\"vx\"]", "slip = [\"vx\", \"vy\", \"vphi\", \"vx\"]"}}, R"~(
test.toml:35:8: slip must be a list of 1 to 3 expressions, sliding velocities such as "vx - R*vphi", got 4
    slip = ["vx", "vy", "vphi", "vx"]
           ^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"drive = [\"sin(t)\"]", "drive = [0, 0]"}}, R"~(
test.toml:36:9: drive must be a list of 1 expression, the velocity at which it sticks, one a row of slip, got 2
    drive = [0, 0]
            ^^^^^^)~");
  expect_problems({{"drive = [\"sin(t)\"]", "drive = [\"vx\"]"}}, R"~(
test.toml:36:11: 'vx' cannot be used in drive: only t, coordinates and parameters can
    drive = ["vx"]
              ^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"\n", ""}}, R"~(
test.toml:33:1: resistance 'table' needs limit, the largest impulse a unit of time, for example limit = "mu*N"
    [[model.resistance]]
    ^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = [1]"}}, R"~(
test.toml:37:9: limit must be a list of 2 expressions, the ends of an interval (or write one expression without brackets), got 1
    limit = [1]
            ^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = true"}}, R"~(
test.toml:37:9: limit must be an expression in quotes, or a number
    limit = true
            ^^^^)~");
  expect_problems({{"slip = [\"vx\"]\ndrive = [\"sin(t)\"]\nlimit = \"mu*abs(normal(rail))\"",
                    "slip = [\"vx\", \"vy\"]\nlimit = [0, 1]"}},
                  R"~(
test.toml:36:9: a limit with two ends is for one row of slip; with 2 rows it is one expression, the radius of a ball
    limit = [0, 1]
            ^^^^^^)~");
}

TEST(LawMessages, SayWhatPercussionsNeed) {
  expect_problems({{"percussions = {", "percussions = 3 # {"}}, R"~(
test.toml:38:15: 'percussions' must be a table: write percussions = { time = "j", size = "1", count = 3 }
    percussions = 3 # { time = "1 - 2^(-j)", size = "2^(-j)", count = "count" }
                  ^)~");
  expect_problems({{"count = \"count\" }", "count = \"count\", times = 1 }"}}, R"~(
test.toml:38:72: unknown key 'times' in percussions; did you mean 'time'?
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "count", times = 1 }
                                                                           ^^^^^)~");
  expect_problems({{"count = \"count\" }", "limit = 1 }"}}, R"~(
test.toml:38:15: percussions of 'table' need count; j is the number of a percussion, 1, 2, … count
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", limit = 1 }
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"count = \"count\" }", "count = \"j\" }"}}, R"~(
test.toml:38:64: unknown name 'j' in count of percussions
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "j" }
                                                                   ^)~");
  expect_problems({{"time = \"1 - 2^(-j)\"", "time = \"t*j\""}}, R"~(
test.toml:38:25: 't' cannot be used in time of percussions: only j and parameters can
    percussions = { time = "t*j", size = "2^(-j)", count = "count" }
                            ^)~");
  expect_problems({{"size = \"2^(-j)\"", "size = \"x*j\""}}, R"~(
test.toml:38:46: 'x' cannot be used in size of percussions: only j and parameters can
    percussions = { time = "1 - 2^(-j)", size = "x*j", count = "count" }
                                                 ^)~");
  expect_problems({{"size = \"2^(-j)\"", "size = \"inf\""}}, R"~(
test.toml:38:46: unknown name 'inf' in size of percussions
    percussions = { time = "1 - 2^(-j)", size = "inf", count = "count" }
                                                 ^^^)~");
  expect_problems({{"g = 10.0", "g = 10.0\nj = 1.0"}}, R"~(
test.toml:39:33: 'j' has a meaning of its own in time of percussions, and is a name of the scenario, too; call that one something else
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "count" }
                                    ^
test.toml:39:50: 'j' has a meaning of its own in size of percussions, and is a name of the scenario, too; call that one something else
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "count" }
                                                     ^)~");
}

TEST(LawMessages, KnowInfinityAsALimitOnly) {
  expect_problems({{"drive = [\"sin(t)\"]", "drive = [\"inf\"]"}}, R"~(
test.toml:36:11: unknown name 'inf' in drive
    drive = ["inf"]
              ^^^)~");
  expect_problems({{"drive = [\"sin(t)\"]", "drive = [inf]"}}, R"~(
test.toml:36:10: drive must be an expression in quotes, or a number
    drive = [inf]
             ^^^)~");
  expect_problems({{"g = 10.0", "g = 10.0\ninf = 1.0"}, {"limit = \"mu*abs(normal(rail))\"", "limit = \"inf\""}}, R"~(
test.toml:38:10: 'inf' has a meaning of its own in limit, and is a name of the scenario, too; call that one something else
    limit = "inf"
             ^^^)~");
}

TEST(LawMessages, SayWhoHasANormalASlipAndAGap) {
  expect_problems({{"normal(rail)", "normal(rial)"}}, R"~(
test.toml:37:24: unknown law 'rial' in limit; did you mean 'rail'?
    limit = "mu*abs(normal(rial))"
                           ^^^^)~");
  expect_problems({{"normal(rail)", "normal(zzz)"}}, R"~(
test.toml:37:24: unknown law 'zzz' in limit; known: rim, wall, rail, roll and table
    limit = "mu*abs(normal(zzz))"
                           ^^^)~");
  expect_problems({{"normal(rail)", "normal(table)"}}, R"~(
test.toml:37:17: 'table' is a resistance: it has no normal impulse
    limit = "mu*abs(normal(table))"
                    ^^^^^^^^^^^^^)~");
  expect_problems({{"normal(rail)", "slip(roll)"}}, R"~(
test.toml:37:17: 'roll' is a bilateral constraint without friction: nothing slides there
    limit = "mu*abs(slip(roll))"
                    ^^^^^^^^^^)~");
  expect_problems({{"normal(rail)", "gap(rail)"}}, R"~(
test.toml:37:17: 'rail' is no contact: it has no gap
    limit = "mu*abs(gap(rail))"
                    ^^^^^^^^^)~");
  expect_problems({{"normal(rail)", "normal(2)"}}, R"~(
test.toml:37:24: 'normal' takes the name of a law, a contact for example
    limit = "mu*abs(normal(2))"
                           ^)~");
  expect_problems({{"normal(rail)", "normal()"}}, R"~(
test.toml:37:24: 'normal' takes the name of a law, a contact for example
    limit = "mu*abs(normal())"
                           ^)~");
  expect_problems({{"normal(rail)", "normal(rail"}}, R"~(
test.toml:37:16: this parenthesis is not closed
    limit = "mu*abs(normal(rail)"
                   ^)~");
  expect_problems({{"normal(rail)", "normal(rail, rim)"}}, R"~(
test.toml:37:28: unexpected ','
    limit = "mu*abs(normal(rail, rim))"
                               ^)~");
  expect_problems({{"normal(rail)", "delay(normal(rail), 1)"}}, R"~(
test.toml:37:23: 'normal(rail)' cannot be used inside a delay: no step but the present one is known to it
    limit = "mu*abs(delay(normal(rail), 1))"
                          ^^^^^^^^^^^^)~");
  expect_problems({{"normal(rail)", "window_max(normal(rail), 1)"}}, R"~(
test.toml:37:28: 'normal(rail)' cannot be used inside a window: only coordinates and parameters can
    limit = "mu*abs(window_max(normal(rail), 1))"
                               ^^^^^^^^^^^^)~");
  expect_problems({{"normal(rail)", "norml(rail)"}}, R"~(
test.toml:37:17: unknown function 'norml' in limit; did you mean 'normal'?
    limit = "mu*abs(norml(rail))"
                    ^^^^^)~");
  expect_problems({{"normal(rail)", "normal"}}, R"~(
test.toml:37:17: unknown name 'normal' in limit
    limit = "mu*abs(normal)"
                    ^^^^^^)~");
  expect_problems({{"force = [\"0\"", "force = [\"normal(rim)\""}}, R"~(
test.toml:5:11: 'normal(rim)' cannot be used in force: only observables and limits can use it
    force = ["normal(rim)", "-m*g", "0"]
              ^^^^^^^^^^^)~");
  expect_problems({{"force = [\"0\"", "force = [\"gap(rim)\""}}, R"~(
test.toml:5:11: 'gap(rim)' cannot be used in force: only observables and limits can use it
    force = ["gap(rim)", "-m*g", "0"]
              ^^^^^^^^)~");
  expect_problems({{"height = \"2*R\"", "push = \"normal(rim)\""}, {"force = [\"0\"", "force = [\"push\""}}, R"~(
test.toml:5:11: definition 'push': 'normal(rim)' cannot be used in force: only observables and limits can use it
    force = ["push", "-m*g", "0"]
              ^^^^)~");
  expect_problems({{"height = \"2*R\"", "far = \"gap(rim)\""}}, R"~(
test.toml:16:8: gap(…) cannot be used in a definition; write it where it is needed
    far = "gap(rim)"
           ^^^^^^^^)~");
  expect_problems({{"max = \"normal(rim)\"", "max = \"slip(table) + normal(flor)\""}}, R"~(
test.toml:47:38: unknown law 'flor' in max; known: rim, wall, rail, roll and table
    load = { max = "slip(table) + normal(flor)" }
                                         ^^^^)~");
}

TEST(LawMessages, SayHowManyAreSolvedTogether) {
  expect_problems(
      {{"coordinates = [\"x\", \"y\", \"phi\"]\nmass = [\"m\", \"m\", \"J\"]\nforce = [\"0\", \"-m*g\", \"0\"]",
        "coordinates = [\"x\", \"y\", \"phi\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"h\", \"k\", \"l\", "
        "\"n\"]\nmass = [1, 1, 1, 1, 1, 1, 1, "
        "1, 1, 1, 1, 1, 1]\nforce = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"},
       {"phi = \"0\"\n", "phi = \"0\"\na = 0\nb = 0\nc = 0\nd = 0\ne = 0\nf = 0\nh = 0\nk = 0\nl = 0\nn = 0\n"}},
      R"~(
test.toml:3:15: at most 12 coordinates are possible in a model with a mass, bilateral constraints, resistances, point, slip or persistent contacts, got 13
    coordinates = ["x", "y", "phi", "a", "b", "c", "d", "e", "f", "h", "k", "l", "n"]
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"[[model.resistance]]\n",
                    "[[model.bilateral]]\nholds = \"y = 1*x + R\"\n[[model.bilateral]]\nholds = \"y = 2*x + "
                    "R\"\n[[model.bilateral]]\nholds = \"y = 3*x + "
                    "R\"\n[[model.bilateral]]\nholds = \"y = 4*x + R\"\n[[model.bilateral]]\nholds = \"y = 5*x + "
                    "R\"\n[[model.bilateral]]\nholds = \"y = 6*x + "
                    "R\"\n[[model.bilateral]]\nholds = \"y = 7*x + R\"\n[[model.resistance]]\n"}},
                  R"~(
test.toml:27:1: at most 8 bilateral constraints are possible, got 9
    [[model.bilateral]]
    ^)~");
  expect_problems({{"[[model.resistance]]\n",
                    "[[model.resistance]]\nslip = [\"vx\"]\nlimit = 1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit = "
                    "1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit = "
                    "1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit = 1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit "
                    "= 1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit = "
                    "1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit = 1\n[[model.resistance]]\nslip = [\"vx\"]\nlimit "
                    "= 1\n[[model.resistance]]\n"}},
                  R"~(
test.toml:33:1: at most 8 resistances are possible, got 9
    [[model.resistance]]
    ^)~");
  expect_problems(
      {{"coordinates = [\"x\", \"y\", \"phi\"]\nmass = [\"m\", \"m\", \"J\"]\nforce = [\"0\", \"-m*g\", \"0\"]",
        "coordinates = [\"x\", \"y\", \"phi\", \"z\"]\nforce = [0, 0, 0, 0]"},
       {"phi = \"0\"\n", "phi = \"0\"\nz = 0\n"},
       {"slip = [\"vy + R*vphi\"]\n", ""}},
      R"~(
test.toml:21:1: contact 'wall' has friction in 4 coordinates, in a model whose laws are solved together; say what slides there: slip = ["…"], sliding velocities, or point = ["…", "…"], the place of contact
    [[model.contact]]
    ^^^^^^^^^^^^^^^^^)~");
}

TEST(LawMessages, SayWhoseImpulseIsObserved) {
  expect_problems({{"[observe]", "[observe]\nalso = [\"impulse.rmi\"]"}}, R"~(
test.toml:47:9: impulse of an unknown contact 'rmi'; did you mean 'rim'?
    also = ["impulse.rmi"]
            ^^^^^^^^^^^^^)~");
  expect_problems({{"[observe]", "[observe]\nalso = [\"impulse.qqqqqq\"]"}}, R"~(
test.toml:47:9: impulse of an unknown contact 'qqqqqq'; known: rim and wall
    also = ["impulse.qqqqqq"]
            ^^^^^^^^^^^^^^^^)~");
  expect_problems({{"[observe]", "[observe]\nalso = [\"impulse.rail\"]"}}, R"~(
test.toml:47:9: 'rail' is no contact; impulse.<name> is the normal impulse of a contact
    also = ["impulse.rail"]
            ^^^^^^^^^^^^^^)~");
  expect_problems({{"name = \"wall\"", "name = \"a wall\""}, {"[observe]", "[observe]\nalso = [\"impulse.a wall\"]"}},
                  R"~(
test.toml:47:9: the impulse of 'a wall' cannot be observed under this name; give the contact one of letters, digits and underscores
    also = ["impulse.a wall"]
            ^^^^^^^^^^^^^^^^)~");
}

TEST(LawMessages, KnowWhenALimitEnds) {
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = \"inf\""}}, R"~(
test.toml:37:9: a resistance without any limit is a bilateral constraint; write it as velocity = "… = …" in [[model.bilateral]]
    limit = "inf"
            ^^^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = [\"-inf\", \"inf\"]"}}, R"~(
test.toml:37:9: a resistance without any limit is a bilateral constraint; write it as velocity = "… = …" in [[model.bilateral]]
    limit = ["-inf", "inf"]
            ^^^^^^^^^^^^^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = [\"inf\", 0]"}}, R"~(
test.toml:37:11: the lower end of limit is inf; allowed: <= 0, so that the set contains 0
    limit = ["inf", 0]
              ^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = [\"-inf\", \"if(x > 0, inf, 1)\"]"}}, R"~(
test.toml:37:9: inf must stand alone, as "inf" or "-inf"
    limit = ["-inf", "if(x > 0, inf, 1)"]
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = [0.1, \"inf\"]"}}, R"~(
test.toml:37:10: the lower end of limit is 0.1; allowed: <= 0, so that the set contains 0
    limit = [0.1, "inf"]
             ^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = [-1, \"-mu\"]"}}, R"~(
test.toml:37:15: the upper end of limit is -0.3; allowed: >= 0, so that the set contains 0
    limit = [-1, "-mu"]
                  ^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = \"-mu\""}}, R"~(
test.toml:37:10: limit is -0.3; allowed: limit >= 0
    limit = "-mu"
             ^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = \"mu - 1 + x\""}}, R"~(
test.toml:37:10: limit is -0.7 at the start; allowed: limit >= 0
    limit = "mu - 1 + x"
             ^^^^^^^^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = \"mu - 0.5\""},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:37:10: warning: 50 of the first 100 members: limit is -0.0770238; allowed: limit >= 0 (member 3: mu = 0.422976); such members stop with status bad_limit
    limit = "mu - 0.5"
             ^^^^^^^^)~");
  expect_problems({{"limit = \"mu*abs(normal(rail))\"", "limit = \"mu - 5\""},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:37:10: limit lies between -5 and -4; allowed: limit >= 0
    limit = "mu - 5"
             ^^^^^^)~");
  expect_problems({{"count = \"count\" }", "count = 3, limit = \"mu - 1\" }"}}, R"~(
test.toml:38:75: percussions.limit is -0.7; allowed: limit >= 0
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = 3, limit = "mu - 1" }
                                                                              ^^^^^^)~");
  expect_problems({{"count = \"count\" }", "count = 3, limit = \"inf\" }"}}, R"~(
test.toml:38:75: unknown name 'inf' in percussions.limit
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = 3, limit = "inf" }
                                                                              ^^^)~");
}

TEST(LawMessages, FindMassesThatAreNotPositive) {
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"m - 2\", \"J\"]"}}, R"~(
test.toml:4:15: a mass must be greater than 0, this one is 0 at the start
    mass = ["m", "m - 2", "J"]
                  ^^^^^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"x\", \"J\"]"}}, R"~(
test.toml:4:15: a mass must be greater than 0, this one is 0 at the start
    mass = ["m", "x", "J"]
                  ^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [[\"m\", 3, 0], [3, \"m\", 0], [0, 0, \"J\"]]"}}, R"~(
test.toml:4:11: the mass matrix that begins here is not positive definite at the start
    mass = [["m", 3, 0], [3, "m", 0], [0, 0, "J"]]
              ^)~");
  expect_problems({{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"m\", \"J - mu\"]"},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:4:20: warning: 50 of the first 100 members: a mass must be greater than 0, this one is -0.0631202 at the start (member 0: mu = 0.56312); such members stop with status bad_mass
    mass = ["m", "m", "J - mu"]
                       ^^^^^^)~");
}

TEST(LawMessages, FindRowsOfSlipThatSayTheSame) {
  expect_problems({{"slip = [\"vy + R*vphi\"]", "slip = [\"vy + R*vphi\", \"2*vy + 2*R*vphi - 1\"]"}}, R"~(
test.toml:24:24: this row of slip is the same velocity as row 1, or a multiple of it; rows are directions of one sliding velocity: leave one out
    slip = ["vy + R*vphi", "2*vy + 2*R*vphi - 1"]
                           ^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"slip = [\"vx\"]\ndrive = [\"sin(t)\"]", "slip = [\"vx\", \"vy\", \"-R*vy\"]"}}, R"~(
test.toml:35:21: this row of slip is the same velocity as row 2, or a multiple of it; rows are directions of one sliding velocity: leave one out
    slip = ["vx", "vy", "-R*vy"]
                        ^^^^^^^)~");
}

TEST(LawMessages, FindConstraintsThatSayTheSame) {
  expect_problems({{"velocity = \"vx + R*vphi = 0\"", "holds = \"2*y*R = 1\""}}, R"~(
test.toml:32:9: 'roll' binds the same velocity as 'rail': it says the same again, or contradicts it; leave one out
    holds = "2*y*R = 1"
            ^^^^^^^^^^^)~");
  expect_problems({{"velocity = \"vx + R*vphi = 0\"", "velocity = \"vy = 0\""}}, R"~(
test.toml:32:12: 'roll' binds the same velocity as 'rail': it says the same again, or contradicts it; leave one out
    velocity = "vy = 0"
               ^^^^^^^^)~");
  expect_problems({{"velocity = \"vx + R*vphi = 0\"", "holds = \"0*x = 0\""}}, R"~(
test.toml:32:9: 'roll' binds nothing: what it asks for does not depend on any coordinate
    holds = "0*x = 0"
            ^^^^^^^^^)~");
  expect_problems({{"velocity = \"vx + R*vphi = 0\"", "velocity = \"vx - vx = 0\""}}, R"~(
test.toml:32:12: 'roll' binds nothing: what it asks for does not depend on any velocity
    velocity = "vx - vx = 0"
               ^^^^^^^^^^^^^)~");
}

TEST(LawMessages, FindConstraintsThatDoNotHoldAtTheStart) {
  expect_problems({{"holds = \"y = R\"", "holds = \"2*y = R\""}}, R"~(
test.toml:29:10: 'rail' does not hold at the start: it is off by 0.25; allowed: 1e-09 (1 + |q|)
    holds = "2*y = R"
             ^^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = R + sin(t)\""}}, R"~(
test.toml:29:10: the start velocity does not satisfy 'rail': it is off by 1; allowed: 1e-09 (1 + |v|)
    holds = "y = R + sin(t)"
             ^^^^^^^^^^^^^^)~");
  expect_problems({{"x = \"0\"", "x = \"t\""}}, R"~(
test.toml:32:13: the start velocity does not satisfy 'roll': it is off by 1; allowed: 1e-09 (1 + |v|)
    velocity = "vx + R*vphi = 0"
                ^^^^^^^^^^^^^^^)~");
  expect_problems({{"holds = \"y = R\"", "holds = \"y = mu\""},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:29:10: warning: 100 of the first 100 members: 'rail' does not hold at the start: it is off by 0.0631202; allowed: 1e-09 (1 + |q|) (member 0: mu = 0.56312); such members stop with status bad_start
    holds = "y = mu"
             ^^^^^^)~");
  expect_problems({{"x = \"0\"", "x = \"0\"\nvx = \"mu\""},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { choice = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:32:13: warning: 50 of the first 100 members: the start velocity does not satisfy 'roll': it is off by 1; allowed: 1e-09 (1 + |v|) (member 0: mu = 1); such members stop with status bad_start
    velocity = "vx + R*vphi = 0"
                ^^^^^^^^^^^^^^^)~");
}

TEST(LawMessages, TellWhatSettleWouldDo) {
  expect_problems({{"y = \"R\"", "y = \"R + 2e-5\""}}, R"~(
test.toml:29:10: 'rail' does not hold at the start: it is off by 2e-05; allowed: 1e-09 (1 + |q|); [start] settle = true puts it there
    holds = "y = R"
             ^^^^^)~");
  expect_problems({{"x = \"0\"", "x = \"2e-5*t\""}}, R"~(
test.toml:32:13: the start velocity does not satisfy 'roll': it is off by 2e-05; allowed: 1e-09 (1 + |v|); [start] settle = true corrects it
    velocity = "vx + R*vphi = 0"
                ^^^^^^^^^^^^^^^)~");
  const std::pair<std::string, std::string> persistent = {"inside = \"x <= 2\"",
                                                          "inside = \"2*x <= 4\"\npersistent = true"};
  // with slip the row is 2 vx as written, and the distance 2 - x in its units
  expect_problems({persistent, {"x = \"0\"", "x = \"2 - 1e-5\""}}, R"~(
test.toml:25:11: persistent contact 'wall' does not touch at the start: its gap is 2e-05; allowed: 1e-09 (1 + |q|); [start] settle = true puts it there
    inside = "2*x <= 4"
              ^^^^^^^^)~");
  expect_problems(
      {persistent, {"x = \"0\"", "x = \"2 - 1e-5 - 1e-5*t\""}, {"phi = \"0\"", "phi = \"2e-5*t\"\nsettle = true"}}, "");
  expect_problems({{"y = \"R\"", "y = \"R + 2e-5\""}, {"phi = \"0\"", "phi = \"2e-5*t\"\nsettle = true"}}, "");
  expect_problems({{"y = \"R\"", "y = \"R + 0.01\""}, {"phi = \"0\"", "phi = \"0\"\nsettle = true"}}, R"~(
test.toml:29:10: 'rail' does not hold at the start: it is off by 0.01; allowed with settle = true: 1e-04 (1 + |q|)
    holds = "y = R"
             ^^^^^)~");
}

TEST(LawMessages, FindAFreewheelThatTurnsTheWrongWay) {
  expect_problems({{"drive = [\"sin(t)\"]\nlimit = \"mu*abs(normal(rail))\"", "drive = [\"1\"]\nlimit = [0, \"inf\"]"}},
                  R"~(
test.toml:35:10: 'table' has no limit on that side and forbids the start velocity: slip - drive is -1, allowed: >= 0
    slip = ["vx"]
             ^^)~");
  expect_problems({{"drive = [\"sin(t)\"]\nlimit = \"mu*abs(normal(rail))\"", "drive = [\"mu\"]\nlimit = [0, inf]"},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [-1, 1] }\n[observe]"},
                   {"friction = \"mu\"", "friction = 0"},
                   {"friction = \"mu\"", "friction = 0"}},
                  R"~(
test.toml:35:10: warning: 50 of the first 100 members: 'table' has no limit on that side and forbids the start velocity: slip - drive is -0.12624, allowed: >= 0 (member 0: mu = 0.12624); such members stop with status bad_start
    slip = ["vx"]
             ^^)~");
  expect_problems(
      {{"drive = [\"sin(t)\"]\nlimit = \"mu*abs(normal(rail))\"", "drive = [\"-1\"]\nlimit = [\"-inf\", 0]"}}, R"~(
test.toml:35:10: 'table' has no limit on that side and forbids the start velocity: slip - drive is 1, allowed: <= 0
    slip = ["vx"]
             ^^)~");
}

TEST(LawMessages, FindPercussionsOutOfRange) {
  expect_problems({{"count = \"count\" }", "count = 2.5 }"}}, R"~(
test.toml:38:63: count is 2.5; it must be a whole number
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = 2.5 }
                                                                  ^^^)~");
  expect_problems({{"count = \"count\" }", "count = -1 }"}}, R"~(
test.toml:38:63: count is -1; allowed: a whole number from 0 to 100,000
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = -1 }
                                                                  ^^)~");
  expect_problems({{"count = \"count\" }", "count = \"floor(1e6*(1 + mu))\" }"},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:38:64: count lies between 1e+06 and 2e+06; allowed: a whole number from 0 to 100,000
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "floor(1e6*(1 + mu))" }
                                                                   ^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"count = \"count\" }", "count = \"20*mu\" }"},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { choice = [0.5, 0.51] }\n[observe]"}},
                  R"~(
test.toml:38:64: warning: 50 of the first 100 members: count is 10.2; it must be a whole number (member 0: mu = 0.51); such members stop with status bad_percussions
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "20*mu" }
                                                                   ^^^^^)~");
  expect_problems({{"count = \"count\" }", "count = \"200*mu - 1\" }"},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { choice = [0, 0.5] }\n[observe]"}},
                  R"~(
test.toml:38:64: warning: 50 of the first 100 members: count is -1; allowed: a whole number from 0 to 100,000 (member 3: mu = 0); such members stop with status bad_percussions
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "200*mu - 1" }
                                                                   ^^^^^^^^^^)~");
  expect_problems({{"count = \"count\" }", "count = 200000 }"}}, R"~(
test.toml:38:63: count is 2e+05; allowed: a whole number from 0 to 100,000
    percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = 200000 }
                                                                  ^^^^^)~");
  expect_problems({{"time = \"1 - 2^(-j)\"", "time = \"0.1*j\""}}, R"~(
test.toml:38:25: the time of percussion 11 is 1.1; allowed: 0 to 1 (end)
    percussions = { time = "0.1*j", size = "2^(-j)", count = "count" }
                            ^^^^^)~");
  expect_problems({{"time = \"1 - 2^(-j)\"", "time = \"j - 2\""}}, R"~(
test.toml:38:25: the time of percussion 1 is -1; allowed: 0 to 1 (end)
    percussions = { time = "j - 2", size = "2^(-j)", count = "count" }
                            ^^^^^)~");
  expect_problems({{"size = \"2^(-j)\"", "size = \"3 - j\""}}, R"~(
test.toml:38:46: the size of percussion 3 is 0; allowed: finite and greater than 0
    percussions = { time = "1 - 2^(-j)", size = "3 - j", count = "count" }
                                                 ^^^^^)~");
  expect_problems({{"size = \"2^(-j)\"", "size = \"1/(3 - j)^2\""}}, R"~(
test.toml:38:46: the size of percussion 3 is inf; allowed: finite and greater than 0
    percussions = { time = "1 - 2^(-j)", size = "1/(3 - j)^2", count = "count" }
                                                 ^^^^^^^^^^^)~");
  expect_problems({{"time = \"1 - 2^(-j)\"", "time = \"mu*j/10\""},
                   {"[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { uniform = [0, 1] }\n[observe]"}},
                  R"~(
test.toml:38:25: warning: 50 of the first 100 members: the time of percussion 18 is 1.01362; allowed: 0 to 1 (end) (member 0: mu = 0.56312); such members stop with status bad_percussions
    percussions = { time = "mu*j/10", size = "2^(-j)", count = "count" }
                            ^^^^^^^)~");
}

TEST(LawMessages, WarnWhereFrictionActsOnManyCoordinates) {
  expect_problems(
      {{"coordinates = [\"x\", \"y\", \"phi\"]\nmass = [\"m\", \"m\", \"J\"]\nforce = [\"0\", \"-m*g\", \"0\"]",
        "coordinates = [\"x\", \"y\", \"phi\", \"z\"]\nforce = [0, 0, 0, 0]"},
       {"phi = \"0\"\n", "phi = \"0\"\nz = 0\n"},
       {"point = [\"rimx\", \"rimy\"]\n", ""},
       {"friction = \"mu\"\n", ""},
       {"slip = [\"vy + R*vphi\"]\n", ""},
       {"[[model.bilateral]]\nname = \"rail\"\nholds = \"y = R\"\n[[model.bilateral]]\nname = \"roll\"\nvelocity = "
        "\"vx + R*vphi = "
        "0\"\n[[model.resistance]]\nname = \"table\"\nslip = [\"vx\"]\ndrive = [\"sin(t)\"]\nlimit = "
        "\"mu*abs(normal(rail))\"\npercussions = { "
        "time = \"1 - 2^(-j)\", size = \"2^(-j)\", count = \"count\" }\n",
        ""}},
      R"~(
test.toml:22:13: warning: friction of 'wall' acts on all 4 coordinates, as on one particle; for several bodies say what slides: slip = ["…"], or point = ["…", "…"]
    friction = "mu"
                ^^)~");
}

}  // namespace
}  // namespace conesweep::test
