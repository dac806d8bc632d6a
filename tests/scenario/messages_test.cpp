// Every message of the scenario reader: its text, its place and its caret. Each case is the valid scenario with one or
// two replacements, and the whole list of problems that follows from it. Here: how a scenario is written.
#include <gtest/gtest.h>

#include "support/scenario_text.hpp"
#include "valid_scenario.hpp"

namespace conesweep::test {
namespace {

TEST(ScenarioMessages, AreNoneForAValidScenario) { expect_problems({{"", ""}}, ""); }

TEST(ScenarioMessages, NameTheUnknownKeyAndTheClosestKnownOne) {
  expect_problems({{"title =", "titel ="}}, R"~(
test.toml:1:1: unknown key 'titel' at the top level; did you mean 'title'?
    titel = "Test"
    ^^^^^)~");
  expect_problems({{"[time]", "[tiem]"}}, R"~(
test.toml: [time] needs end, the time at which a member ends
test.toml: [time] needs step, for example step = 1e-3
test.toml:19:2: unknown key 'tiem' at the top level; did you mean 'time'?
    [tiem]
     ^^^^)~");
  expect_problems({{"[record]", "[zzz]"}}, R"~(
test.toml:30:2: unknown key 'zzz' at the top level; known here: title, model, start, time, ensemble, vary, sweep, correlation, observe, classes, record and units
    [zzz]
     ^^^)~");
  expect_problems({{"coordinates =", "coordinate ="}}, R"~(
test.toml: [model] needs coordinates, for example coordinates = ["x", "y"]
test.toml:3:1: unknown key 'coordinate' in [model]; did you mean 'coordinates'?
    coordinate = ["x", "y"]
    ^^^^^^^^^^)~");
  expect_problems({{"force =", "forces ="}}, R"~(
test.toml: [model] needs force, one expression a coordinate, for example force = ["0", "-g"]
test.toml:4:1: unknown key 'forces' in [model]; did you mean 'force'?
    forces = ["k * (1 - delay(x, tau))", "-g"]
    ^^^^^^)~");
  expect_problems({{"inside =", "inside_of ="}}, R"~(
test.toml:11:1: contact 'floor' needs inside, for example inside = "y >= 0"
    [[model.contact]]
    ^^^^^^^^^^^^^^^^^
test.toml:13:1: unknown key 'inside_of' in [[model.contact]]; did you mean 'inside'?
    inside_of = "y >= 0"
    ^^^^^^^^^)~");
  expect_problems({{"friction =", "frictoin ="}}, R"~(
test.toml:14:1: unknown key 'frictoin' in [[model.contact]]; did you mean 'friction'?
    frictoin = "mu"
    ^^^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"0.5 * t\"\nz = \"0\""}}, R"~(
test.toml:18:1: unknown key 'z' in [start]; known here: x, y, vx, vy and settle
    z = "0"
    ^)~");
  expect_problems({{"end = 1.0", "ende = 1.0"}}, R"~(
test.toml: [time] needs end, the time at which a member ends
test.toml:20:1: unknown key 'ende' in [time]; did you mean 'end'?
    ende = 1.0
    ^^^^)~");
  expect_problems({{"seed = 7", "sead = 7"}}, R"~(
test.toml:24:1: unknown key 'sead' in [ensemble]; did you mean 'seed'?
    sead = 7
    ^^^^)~");
  expect_problems({{"every = 10", "evry = 10"}}, R"~(
test.toml:32:1: unknown key 'evry' in [record]; did you mean 'every'?
    evry = 10
    ^^^^)~");
  expect_problems({{"reach = { max", "reach = { maxx"}}, R"~(
test.toml:29:11: unknown reducer 'maxx'; did you mean 'max'?
    reach = { maxx = "x" }
              ^^^^)~");
  expect_problems({{"mu = { uniform", "mu = { unifrom"}}, R"~(
test.toml:27:8: unknown distribution 'unifrom'; did you mean 'uniform'?
    mu = { unifrom = [0.1, 0.6] }
           ^^^^^^^)~");
  expect_problems({{"mu = { uniform", "nu = { uniform"}}, R"~(
test.toml:27:1: [vary] names an unknown parameter 'nu'; did you mean 'mu'?
    nu = { uniform = [0.1, 0.6] }
    ^^)~");
  expect_problems({{"mu = { uniform", "zeta = { uniform"}}, R"~(
test.toml:27:1: [vary] names an unknown parameter 'zeta'; give it a default in [model.parameters] first
    zeta = { uniform = [0.1, 0.6] }
    ^^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "standard = [\"impact\"]"}}, R"~(
test.toml:29:13: unknown standard quantity 'impact'; did you mean 'impacts'?
    standard = ["impact"]
                ^^^^^^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "standard = [\"xyz\"]"}}, R"~(
test.toml:29:13: unknown standard quantity 'xyz'; known: impacts, first_contact, stick_time, slip_time, flight_time, dissipated, impulse, variation, penetration, work, drive_work, gained, painleve, lost, certificate and certificate_paper
    standard = ["xyz"]
                ^^^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"randon\""}}, R"~(
test.toml:25:11: unknown sampler 'randon'; did you mean 'random'?
    sampler = "randon"
              ^^^^^^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"xyz\""}}, R"~(
test.toml:25:11: unknown sampler 'xyz'; known: random, latin, sobol and grid
    sampler = "xyz"
              ^^^^^)~");
}

TEST(ScenarioMessages, PointIntoTheExpression) {
  expect_problems({{"\"-g\"", "\"-gg\""}}, R"~(
test.toml:4:39: unknown name 'gg' in force; did you mean 'g'?
    force = ["k * (1 - delay(x, tau))", "-gg"]
                                          ^^)~");
  expect_problems({{"\"-g\"", "\"-g +\""}}, R"~(
test.toml:4:42: the expression ends too early
    force = ["k * (1 - delay(x, tau))", "-g +"]
                                             ^)~");
  expect_problems({{"\"-g\"", "\"\""}}, R"~(
test.toml:4:38: the expression is empty
    force = ["k * (1 - delay(x, tau))", ""]
                                         ^)~");
  expect_problems({{"\"-g\"", "\"-g > 0\""}}, R"~(
test.toml:4:38: force needs a number, got a condition; write if(condition, 1, 0)
    force = ["k * (1 - delay(x, tau))", "-g > 0"]
                                         ^^^^^^)~");
  expect_problems({{"\"-g\"", "true"}}, R"~(
test.toml:4:37: force must be an expression in quotes, or a number
    force = ["k * (1 - delay(x, tau))", true]
                                        ^^^^)~");
  expect_problems({{"\"-g\"", "inf"}}, R"~(
test.toml:4:37: force must be an expression in quotes, or a number
    force = ["k * (1 - delay(x, tau))", inf]
                                        ^^^)~");
  expect_problems({{"friction = \"mu\"", "friction = \"2*muu\""}}, R"~(
test.toml:14:15: unknown name 'muu' in friction; did you mean 'mu'?
    friction = "2*muu"
                  ^^^)~");
  expect_problems({{"friction = \"mu\"", "friction = \"mu > 0\""}}, R"~(
test.toml:14:13: friction needs a number, got a condition; write if(condition, 1, 0)
    friction = "mu > 0"
                ^^^^^^)~");
  expect_problems({{"restitution = \"e\"", "restitution = \"window_max(vx, 1)\""}}, R"~(
test.toml:15:27: 'vx' cannot be used inside a window: only coordinates and parameters can
    restitution = "window_max(vx, 1)"
                              ^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"vy >= 0\""}}, R"~(
test.toml:13:11: 'vy' cannot be used in inside: only t, coordinates and parameters can
    inside = "vy >= 0"
              ^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"y >= t\""}}, R"~(
test.toml:13:11: warning: the wall 'floor' moves and has friction, but no belt: along itself its material is taken to stand still
    inside = "y >= t"
              ^^^^^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"y - x >= y - x\""}}, R"~(
test.toml:13:10: inside is the same wherever the coordinates are, so it bounds nothing
    inside = "y - x >= y - x"
             ^^^^^^^^^^^^^^^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"max(x - 5, 0) <= 1\""}}, "");
  expect_problems({{"friction = \"mu\"", "belt = [\"1\", 0]"}}, R"~(
test.toml:14:10: warning: 'floor' has a belt, but no friction: its material moves along and takes nothing with it
    belt = ["1", 0]
             ^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"y\""}}, R"~(
test.toml:13:11: inside needs a condition such as x > 0, got a number
    inside = "y"
              ^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"y == 0\""}}, R"~(
test.toml:13:10: inside must be one inequality, such as y >= 0 or x^2 + y^2 <= R^2; several walls are several [[model.contact]]
    inside = "y == 0"
             ^^^^^^^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"y >= 0 and x >= 0\""}}, R"~(
test.toml:13:10: inside must be one inequality, such as y >= 0 or x^2 + y^2 <= R^2; several walls are several [[model.contact]]
    inside = "y >= 0 and x >= 0"
             ^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"mu >= 0\""}}, R"~(
test.toml:13:10: inside depends on no coordinate, so it bounds nothing
    inside = "mu >= 0"
             ^^^^^^^^^)~");
  expect_problems({{"inside = \"y >= 0\"", "inside = \"delay(y, 1) >= 0\""}}, R"~(
test.toml:13:11: delay cannot be used in inside: only t, coordinates and parameters can
    inside = "delay(y, 1) >= 0"
              ^^^^^^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"y\""}}, R"~(
test.toml:17:6: 'y' cannot be used in the past of x: only t and parameters can
    x = "y"
         ^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"0.5 * t\"\nvx = \"t\""}}, R"~(
test.toml:18:7: 't' cannot be used in the start velocity vx: only parameters can
    vx = "t"
          ^)~");
  expect_problems({{"\"k * (1 - delay(x, tau))\"", "\"k * (1 - delay(x, x))\""}}, R"~(
test.toml:4:29: 'x' cannot be part of a delay or window length: only parameters can
    force = ["k * (1 - delay(x, x))", "-g"]
                                ^)~");
  expect_problems({{"\"k * (1 - delay(x, tau))\"", "\"delay(delay(x, tau), tau)\""}}, R"~(
test.toml:4:17: delays and windows do not nest
    force = ["delay(delay(x, tau), tau)", "-g"]
                    ^^^^^^^^^^^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "reach = { max = \"x > 0\" }"}}, R"~(
test.toml:29:18: max needs a number, got a condition; write if(condition, 1, 0)
    reach = { max = "x > 0" }
                     ^^^^^)~");
  expect_problems({{"reach = { max = \"x\" }", "reach = { first_time = \"x\" }"}}, R"~(
test.toml:29:25: first_time needs a condition such as x > 0, got a number
    reach = { first_time = "x" }
                            ^)~");
  expect_problems({{"reach = { max = \"x\" }", "reach = { max = [\"x\"] }"}}, R"~(
test.toml:29:17: max must be an expression in quotes, or a number
    reach = { max = ["x"] }
                    ^^^^^)~");
}

TEST(ScenarioMessages, NameCharactersThatBelongInQuotes) {
  expect_problems({{"mu = 0.3", "µ = 0.3"}}, R"~(
test.toml:9:1: not valid TOML: this character can stand only in quotes and in comments
    µ = 0.3
    ^)~");
  expect_problems({{"mu = 0.3", "mu = 0.3 \x15"}},
                  "\ntest.toml:9:10: not valid TOML: this character can stand only in quotes and in comments\n    mu = "
                  "0.3  \n             ^");
  expect_problems({{"title = \"Test\"", "title = \"\"\"\nGröße \\\" \"\" µ\"\"\" # → ∞"}}, "");
}

TEST(ScenarioMessages, RefuseNamesThatClash) {
  expect_problems({{"[\"x\", \"y\"]", "[\"x\", \"x\"]"}}, R"~(
test.toml:3:21: coordinate 'x' clashes with the coordinate of the same name (velocities are called v + coordinate)
    coordinates = ["x", "x"]
                        ^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"sin\", \"y\"]"}}, R"~(
test.toml:3:16: coordinate 'sin' clashes with a word of the expression language; choose another name
    coordinates = ["sin", "y"]
                   ^^^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"t\", \"y\"]"}}, R"~(
test.toml:3:16: coordinate 't' clashes with a word of the expression language; choose another name
    coordinates = ["t", "y"]
                   ^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"time\", \"y\"]"}}, R"~(
test.toml:3:16: coordinate 'time' clashes with a column of the trajectories in results.h5; choose another name
    coordinates = ["time", "y"]
                   ^^^^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"recorded\", \"y\"]"}}, R"~(
test.toml:3:16: coordinate 'recorded' clashes with a column of the trajectories in results.h5; choose another name
    coordinates = ["recorded", "y"]
                   ^^^^^^^^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"quantile_members\", \"y\"]"}}, R"~(
test.toml:3:16: coordinate 'quantile_members' clashes with a key of the trajectories in summary.json; choose another name
    coordinates = ["quantile_members", "y"]
                   ^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"2x\", \"y\"]"}}, R"~(
test.toml:3:16: '2x' cannot be a name: a letter, then letters, digits and underscores
    coordinates = ["2x", "y"]
                   ^^^^)~");
  expect_problems({{"[\"x\", \"y\"]", "[\"x\", 3]"}}, R"~(
test.toml:3:21: a coordinate's name must be a text in quotes
    coordinates = ["x", 3]
                        ^)~");
  expect_problems({{"[\"x\", \"y\"]", "[]"}}, R"~(
test.toml:3:15: coordinates must be a list of 1 to 64 names, for example ["x", "y"]
    coordinates = []
                  ^^)~");
  expect_problems({{"[\"x\", \"y\"]", "\"x\""}}, R"~(
test.toml:3:15: coordinates must be a list of 1 to 64 names, for example ["x", "y"]
    coordinates = "x"
                  ^^^)~");
  expect_problems({{"g = 9.81", "g = 9.81\nvx = 1"}}, R"~(
test.toml:7:1: parameter 'vx' clashes with the velocity of the same name (velocities are called v + coordinate)
    vx = 1
    ^^)~");
  expect_problems({{"g = 9.81", "g = 9.81\nx = 1"}}, R"~(
test.toml:7:1: parameter 'x' clashes with the coordinate of the same name (velocities are called v + coordinate)
    x = 1
    ^)~");
  expect_problems({{"g = 9.81", "g = 9.81\nif = 1"}}, R"~(
test.toml:7:1: parameter 'if' clashes with a word of the expression language; choose another name
    if = 1
    ^^)~");
  expect_problems({{"g = 9.81", "g = 9.81\npi = 3"}}, R"~(
test.toml:7:1: parameter 'pi' clashes with a word of the expression language; choose another name
    pi = 3
    ^^)~");
  expect_problems({{"g = 9.81", "g = 9.81\n\"a b\" = 1"}}, R"~(
test.toml:7:1: 'a b' cannot be a name: a letter, then letters, digits and underscores
    "a b" = 1
    ^^^^^)~");
  expect_problems({{"g = 9.81", "g = 9.81\n\"µ\" = 1"}}, R"~(
test.toml:7:1: 'µ' cannot be a name: a letter, then letters, digits and underscores
    "µ" = 1
    ^^^)~");
  expect_problems({{"reach = {", "impacts = {"}}, R"~(
test.toml:29:1: 'impacts' is a standard quantity; choose another name
    impacts = { max = "x" }
    ^^^^^^^)~");
  expect_problems({{"reach = {", "\"a-b\" = {"}}, R"~(
test.toml:29:1: 'a-b' cannot name an observable: a letter, then letters, digits and underscores
    "a-b" = { max = "x" }
    ^^^^^)~");
  expect_problems({{"[start]", "[[model.contact]]\nname = \"floor\"\ninside = \"x >= -9\"\n[start]"}}, R"~(
test.toml:16:1: two contacts are called 'floor'
    [[model.contact]]
    ^^^^^^^^^^^^^^^^^)~");
}

TEST(ScenarioMessages, PlaceASyntaxError) {
  expect_problems({{"g = 9.81", "g = = 9.81"}}, R"~(
test.toml:6:5: not valid TOML: Error while parsing value: could not determine value type
    g = = 9.81
        ^)~");
  expect_problems({{"g = 9.81", "g = 9.81\ng = 9.82"}}, R"~(
test.toml:7:5: not valid TOML: Error while parsing key-value pair: cannot redefine existing floating-point 'g'
    g = 9.82
        ^)~");
  expect_problems({{"[time]", "[time"}}, R"~(
test.toml:19:6: not valid TOML: Error while parsing table header: expected ']', saw '\n'
    [time
         ^)~");
  expect_problems({{"title = \"Test\"", "title = \"Test"}}, R"~(
test.toml:1:14: not valid TOML: Error while parsing string: unescaped control characters other than TAB (U+0009) are explicitly prohibited
    title = "Test
                 ^)~");
}

TEST(ScenarioMessages, ComeAllAtOnceInTheOrderOfTheFile) {
  expect_problems({{"title =", "titel ="},
                   {"\"-g\"", "\"-gg\""},
                   {"friction = \"mu\"", "friction_angle = 2"},
                   {"step = 0.01", "step = 0.03"},
                   {"uniform = [0.1, 0.6]", "uniform = [0.6, 0.1]"},
                   {"max = \"x\"", "max = \"z\""},
                   {"every = 10", "every = 0"},
                   {"tau = 0.2", "tau = -1"}},
                  R"~(
test.toml:1:1: unknown key 'titel' at the top level; did you mean 'title'?
    titel = "Test"
    ^^^^^
test.toml:4:29: the length of delay is -1; allowed: a finite number >= 0
    force = ["k * (1 - delay(x, tau))", "-gg"]
                                ^^^
test.toml:4:39: unknown name 'gg' in force; did you mean 'g'?
    force = ["k * (1 - delay(x, tau))", "-gg"]
                                          ^^
test.toml:14:18: friction_angle is 2; allowed: 0 <= friction_angle < pi/2 (in radians)
    friction_angle = 2
                     ^
test.toml:20:7: end = 1 is not a whole number of steps of 0.03; nearest: end = 0.99 or 1.02
    end = 1.0
          ^^^
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.1
    mu = { uniform = [0.6, 0.1] }
                     ^^^^^^^^^^
test.toml:29:18: unknown name 'z' in max
    reach = { max = "z" }
                     ^
test.toml:32:9: every in [record] must be a whole number between 1 and 2000000000, got 0
    every = 0
            ^)~");
}

}  // namespace
}  // namespace conesweep::test
