// Messages about bilateral constraints, resistances and percussions.
#include <gtest/gtest.h>

#include "law_problems.hpp"
#include "law_scenario.hpp"

namespace conesweep::test {
namespace {

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

}  // namespace
}  // namespace conesweep::test
