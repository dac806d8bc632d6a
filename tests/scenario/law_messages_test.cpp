// Every message about the laws of a model: its text, its place and its caret. Each case is the wheel with one or two
// replacements. Here: how laws are written and called, and what speaks of all of them.
#include <gtest/gtest.h>

#include "law_problems.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

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

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 1; k <= times; ++k) {
    all += text;
    if (const std::size_t at = all.find('#'); at != std::string::npos) all.replace(at, 1, std::to_string(k));
  }
  return all;
}

TEST(LawMessages, SayHowManyAreSolvedTogether) {
  // a table that 22 more bodies slide on with x
  expect_problems(
      {{"coordinates = [\"x\", \"y\", \"phi\"]\nmass = [\"m\", \"m\", \"J\"]\nforce = [\"0\", \"-m*g\", \"0\"]",
        "coordinates = [\"x\", \"y\", \"phi\"" + repeated(", \"a#\"", 22) + "]\nmass = [1, 1, 1" + repeated(", 1", 22) +
            "]\nforce = [0, 0, 0" + repeated(", 0", 22) + "]"},
       {"slip = [\"vx\"]", "slip = [\"vx" + repeated(" + va#", 22) + "\"]"},
       {"phi = \"0\"\n", "phi = \"0\"\n" + repeated("a# = 0\n", 22)}},
      R"~(
test.toml:3:15: 25 coordinates meet in 'rim', 'wall', 'rail', 'roll' and 'table'; at most 24 are possible where laws act on the same coordinates
    coordinates = ["x", "y", "phi", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a…
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"[[model.resistance]]\n",
                    repeated("[[model.bilateral]]\nholds = \"y = #*x + R\"\n", 15) + "[[model.resistance]]\n"}},
                  R"~(
test.toml:27:1: 17 bilateral constraints meet in 'rim', 'wall', 'rail', 'roll', 'bilateral3', 'bilateral4' and 14 more; at most 16 are possible where laws act on the same coordinates
    [[model.bilateral]]
    ^)~");
  expect_problems({{"[[model.resistance]]\n",
                    repeated("[[model.resistance]]\nslip = [\"vx\"]\nlimit = 1\n", 16) + "[[model.resistance]]\n"}},
                  R"~(
test.toml:33:1: 17 resistances meet in 'rim', 'wall', 'rail', 'roll', 'resistance1', 'resistance2' and 15 more; at most 16 are possible where laws act on the same coordinates
    [[model.resistance]]
    ^)~");
  expect_problems({{"[[model.resistance]]\n",
                    repeated("[[model.resistance]]\nslip = [\"vx\"]\nlimit = 1\n", 64) + "[[model.resistance]]\n"}},
                  R"~(
test.toml:33:1: at most 64 resistances are possible, got 65
    [[model.resistance]]
    ^
test.toml:33:1: 65 resistances meet in 'rim', 'wall', 'rail', 'roll', 'resistance1', 'resistance2' and 63 more; at most 16 are possible where laws act on the same coordinates
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

}  // namespace
}  // namespace conesweep::test
