// Messages about values of laws: what is found by trying members.
#include <gtest/gtest.h>

#include "law_problems.hpp"

namespace conesweep::test {
namespace {

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
