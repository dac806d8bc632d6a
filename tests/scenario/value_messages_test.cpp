// Messages about values: what one must look like, and between which limits.
#include <gtest/gtest.h>

#include <string>

#include "valid_scenario.hpp"

namespace conesweep::test {
namespace {

TEST(ScenarioMessages, SayWhatAValueMustLookLike) {
  expect_problems({{"title = \"Test\"", "title = 3"}}, R"~(
test.toml:1:9: title must be a text in quotes
    title = 3
            ^)~");
  expect_problems({{"[start]\nx = \"0.5 * t\"\ny = \"0\"\n", "[start]\nx = \"0.5 * t\"\n"}}, R"~(
test.toml: [start] needs the past of 'y', for example y = "0")~");
  expect_problems({{"[start]\nx = \"0.5 * t\"\ny = \"0\"\n", ""}}, R"~(
test.toml: the section [start] is missing; it gives every coordinate its past, an expression of t <= 0)~");
  expect_problems({{"coordinates = [\"x\", \"y\"]\n", ""}}, R"~(
test.toml: [model] needs coordinates, for example coordinates = ["x", "y"])~");
  expect_problems({{"force = [\"k * (1 - delay(x, tau))\", \"-g\"]\n", ""}}, R"~(
test.toml: [model] needs force, one expression a coordinate, for example force = ["0", "-g"])~");
  expect_problems({{"force = [\"k * (1 - delay(x, tau))\", \"-g\"]", "force = [\"-g\"]"}}, R"~(
test.toml:4:9: force must be a list of 2 expressions, one a coordinate, got 1
    force = ["-g"]
            ^^^^^^)~");
  expect_problems({{"force = [\"k * (1 - delay(x, tau))\", \"-g\"]", "force = \"-g\""}}, R"~(
test.toml:4:9: force must be a list of 2 expressions, one a coordinate
    force = "-g"
            ^^^^)~");
  expect_problems({{"g = 9.81", "g = true"}}, R"~(
test.toml:6:5: parameter 'g' must be a finite number
    g = true
        ^^^^)~");
  expect_problems({{"g = 9.81", "g = nan"}}, R"~(
test.toml:6:5: parameter 'g' must be a finite number
    g = nan
        ^^^)~");
  expect_problems({{"inside = \"y >= 0\"\n", ""}}, R"~(
test.toml:11:1: contact 'floor' needs inside, for example inside = "y >= 0"
    [[model.contact]]
    ^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"name = \"floor\"", "name = \"\""}}, R"~(
test.toml:12:8: a contact's name must be a text in quotes, and not empty
    name = ""
           ^^)~");
  expect_problems({{"friction = \"mu\"", "friction = \"mu\"\nfriction_angle = \"mu\""}}, R"~(
test.toml:14:12: contact 'floor' has friction_angle and friction; give one of them (friction = tan(friction_angle))
    friction = "mu"
               ^^^^)~");
  expect_problems({{"[[model.contact]]", "[model.contact]"}}, R"~(
test.toml:11:1: contacts are written as [[model.contact]], one for each
    [model.contact]
    ^^^^^^^^^^^^^^^)~");
  expect_problems({{"title = \"Test\"\n", "title = \"Test\"\ntime = 3\n"}, {"[time]\nend = 1.0\nstep = 0.01\n", ""}},
                  R"~(
test.toml:2:8: 'time' must be a table: write [time]
    time = 3
           ^)~");
  expect_problems(
      {{"title = \"Test\"\n", "title = \"Test\"\nrecord = 3\n"}, {"[record]\nmembers = 4\nevery = 10\n", ""}}, R"~(
test.toml:2:10: 'record' must be a table: write [record]
    record = 3
             ^)~");
  expect_problems({{"[time]\nend = 1.0\nstep = 0.01\n", ""}}, R"~(
test.toml: [time] needs end, the time at which a member ends
test.toml: [time] needs step, for example step = 1e-3)~");
  expect_problems({{"reach = { max = \"x\" }", "reach = \"x\""}}, R"~(
test.toml:29:9: the observable 'reach' must be one reducer with an expression, for example { max = "x" }
    reach = "x"
            ^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "reach = { max = \"x\", min = \"x\" }"}}, R"~(
test.toml:29:9: the observable 'reach' must be one reducer with an expression, for example { max = "x" }
    reach = { max = "x", min = "x" }
            ^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "standard = \"impacts\""}}, R"~(
test.toml:29:12: standard must be a list of standard quantities: impacts, first_contact, stick_time, slip_time, flight_time, dissipated, impulse, variation, penetration, work, drive_work, gained, painleve, lost, certificate and certificate_paper; [] for none
    standard = "impacts"
               ^^^^^^^^^)~");
  expect_problems({{"mu = { uniform = [0.1, 0.6] }", "mu = 3"}}, R"~(
test.toml:27:6: the variation of 'mu' must be one distribution, for example { uniform = [0.1, 0.6] }
    mu = 3
         ^)~");
  expect_problems({{"mu = { uniform = [0.1, 0.6] }", "mu = { uniform = [0.1, 0.6], normal = [1, 2] }"}}, R"~(
test.toml:27:6: the variation of 'mu' must be one distribution, for example { uniform = [0.1, 0.6] }
    mu = { uniform = [0.1, 0.6], normal = [1, 2] }
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = 3"}}, R"~(
test.toml:25:11: sampler must be a text in quotes: random, latin, sobol or grid
    sampler = 3
              ^)~");
  for (const std::string sampler : {"random", "latin", "sobol"})
    expect_problems({{"sampler = \"random\"", "sampler = \"" + sampler + "\""}}, "");
}

// longer than 60 lines: a message after the other
TEST(ScenarioMessages, SayTheAllowedRangeAndTheValueGot) {
  expect_problems({{"friction = \"mu\"", "friction_angle = \"pi / 2\""}}, R"~(
test.toml:14:19: friction_angle is 1.5707963267948966; allowed: 0 <= friction_angle < pi/2 (in radians)
    friction_angle = "pi / 2"
                      ^^^^^^)~");
  expect_problems({{"friction = \"mu\"", "friction_angle = 2.0"}}, R"~(
test.toml:14:18: friction_angle is 2; allowed: 0 <= friction_angle < pi/2 (in radians)
    friction_angle = 2.0
                     ^)~");
  expect_problems({{"friction = \"mu\"", "friction_angle = \"-0.1\""}}, R"~(
test.toml:14:19: friction_angle is -0.1; allowed: 0 <= friction_angle < pi/2 (in radians)
    friction_angle = "-0.1"
                      ^^^^)~");
  expect_problems({{"friction = \"mu\"", "friction = \"-k\""}}, R"~(
test.toml:14:13: friction is -4; allowed: friction >= 0
    friction = "-k"
                ^^)~");
  expect_problems({{"restitution = \"e\"", "restitution = \"e + 0.6\""}}, R"~(
test.toml:15:16: restitution is 1.1; allowed: 0 <= restitution <= 1
    restitution = "e + 0.6"
                   ^^^^^^^)~");
  expect_problems({{"restitution = \"e\"", "restitution = -1"}}, R"~(
test.toml:15:15: restitution is -1; allowed: 0 <= restitution <= 1
    restitution = -1
                  ^^)~");
  expect_problems({{"e = 0.5", "e = 1.5"}}, R"~(
test.toml:15:16: restitution is 1.5; allowed: 0 <= restitution <= 1
    restitution = "e"
                   ^)~");
  expect_problems({{"tau = 0.2", "tau = -0.2"}}, R"~(
test.toml:4:29: the length of delay is -0.2; allowed: a finite number >= 0
    force = ["k * (1 - delay(x, tau))", "-g"]
                                ^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "reach = { max = \"window_max(x, mu - 1)\" }"}}, R"~(
test.toml:29:32: the length of window_max lies between -0.9 and -0.4; allowed: 0 to 100000 (10,000,000 steps)
    reach = { max = "window_max(x, mu - 1)" }
                                   ^^^^^^)~");
  expect_problems({{"mu = { uniform = [0.1, 0.6] }", "mu = { uniform = [-2, -1] }"}}, R"~(
test.toml:14:13: friction lies between -2 and -1; allowed: friction >= 0
    friction = "mu"
                ^^)~");
  expect_problems({{"step = 0.01", "step = 0"}}, R"~(
test.toml:21:8: step must be greater than 0, got 0
    step = 0
           ^)~");
  expect_problems({{"step = 0.01", "step = -0.01"}}, R"~(
test.toml:21:8: step must be greater than 0, got -0.01
    step = -0.01
           ^^^^^)~");
  expect_problems({{"step = 0.01", "step = true"}}, R"~(
test.toml:21:8: step must be a finite number
    step = true
           ^^^^)~");
  expect_problems({{"step = 0.01", "step = 0.03"}}, R"~(
test.toml:20:7: end = 1 is not a whole number of steps of 0.03; nearest: end = 0.99 or 1.02
    end = 1.0
          ^^^)~");
  expect_problems({{"step = 0.01", "step = 3"}}, R"~(
test.toml:20:7: end = 1 is not a whole number of steps of 3; nearest: end = 3
    end = 1.0
          ^^^)~");
  expect_problems({{"step = 0.01", "step = 1e-12"}}, R"~(
test.toml:20:7: end / step is 1e+12 steps; at most 2,000,000,000 are possible
    end = 1.0
          ^^^)~");
  expect_problems({{"end = 1.0", "end = inf"}}, R"~(
test.toml:20:7: end must be a finite number
    end = inf
          ^^^)~");
  expect_problems({{"end = 1.0", "end = -1"}}, R"~(
test.toml:20:7: end must be greater than 0, got -1
    end = -1
          ^^)~");
  expect_problems({{"members = 100", "members = 0"}}, R"~(
test.toml:23:11: members must be a whole number between 1 and 1099511627776, got 0
    members = 0
              ^)~");
  expect_problems({{"members = 100", "members = 2.5"}}, R"~(
test.toml:23:11: members must be a whole number between 1 and 1099511627776
    members = 2.5
              ^^^)~");
  expect_problems({{"members = 100", "members = 2_000_000_000_000"}}, R"~(
test.toml:23:11: members must be a whole number between 1 and 1099511627776, got 2000000000000
    members = 2_000_000_000_000
              ^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"seed = 7", "seed = -1"}}, R"~(
test.toml:24:8: seed must be a whole number of at least 0, got -1
    seed = -1
           ^^)~");
  expect_problems({{"every = 10", "every = 0"}}, R"~(
test.toml:32:9: every in [record] must be a whole number between 1 and 2000000000, got 0
    every = 0
            ^)~");
  expect_problems({{"members = 4\nevery", "members = -1\nevery"}}, R"~(
test.toml:31:11: members in [record] must be a whole number between 0 and 1099511627776, got -1
    members = -1
              ^^)~");
  expect_problems({{"y = \"0\"", "y = \"-0.001\""}}, R"~(
test.toml:13:11: the start lies outside 'floor' by 0.001; allowed: 1e-09 (1 + |q|)
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"mu - 1\""}}, R"~(
test.toml:13:11: every member starts outside 'floor': inside does not hold at t = 0 for any value of the varied parameters
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"log(t + 0.1)\""}}, R"~(
test.toml:17:6: the past of x is not a number at t = -0.1; it must be defined back to the longest delay, 0.2
    x = "log(t + 0.1)"
         ^^^^^^^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"sqrt(-t)\""}}, R"~(
test.toml:17:6: the start velocity vx is inf, the derivative of the past at t = 0; give vx in [start]
    x = "sqrt(-t)"
         ^^^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"0.5 * t\"\nvx = \"1 / (e - 0.5)\""}}, R"~(
test.toml:18:7: the start velocity vx is inf
    vx = "1 / (e - 0.5)"
          ^^^^^^^^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"t\"\nvy = \"0\""}}, R"~(
test.toml:13:11: warning: the past leaves 'floor' at t = -0.003125 by 0.003125; the theory wants it inside (delays still see it)
    inside = "y >= 0"
              ^^^^^^)~");
}

}  // namespace
}  // namespace conesweep::test
