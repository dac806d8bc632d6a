// Every message of the scenario reader: its text, its place and its caret. Each case is the valid scenario below with
// one or two replacements, and the whole list of problems that follows from it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

const std::string valid = R"~(title = "Test"
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau))", "-g"]
[model.parameters]
g = 9.81
k = 4.0
tau = 0.2
mu = 0.3
e = 0.5
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
restitution = "e"
[start]
x = "0.5 * t"
y = "0"
[time]
end = 1.0
step = 0.01
[ensemble]
members = 100
seed = 7
sampler = "random"
[vary]
mu = { uniform = [0.1, 0.6] }
[observe]
reach = { max = "x" }
[record]
members = 4
every = 10
)~";

using Replacements = std::vector<std::pair<std::string, std::string>>;

std::string replaced(const Replacements& replacements) {
  std::string text = valid;
  for (const auto& [from, to] : replacements) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + from);
    text.replace(at, from.size(), to);
  }
  return text;
}

void expect_problems(const Replacements& replacements, const std::string& expected) {
  std::string got;
  for (const auto& problem : find_problems(replaced(replacements))) got += "\n" + problem.to_text();
  EXPECT_EQ(got, expected) << "with " << replacements.front().second;
}

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

TEST(ScenarioMessages, CheckADistributionsNumbers) {
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, 0.1]"}}, R"~(
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.1
    mu = { uniform = [0.6, 0.1] }
                     ^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, 0.6]"}}, R"~(
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.6
    mu = { uniform = [0.6, 0.6] }
                     ^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6]"}}, R"~(
test.toml:27:18: uniform takes [lower, upper]
    mu = { uniform = [0.6] }
                     ^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = 0.6"}}, R"~(
test.toml:27:18: uniform takes [lower, upper]
    mu = { uniform = 0.6 }
                     ^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, \"x\"]"}}, R"~(
test.toml:27:24: a number of uniform must be a finite number
    mu = { uniform = [0.6, "x"] }
                           ^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, inf]"}}, R"~(
test.toml:27:24: a number of uniform must be a finite number
    mu = { uniform = [0.6, inf] }
                           ^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "normal = [0.6, 0]"}}, R"~(
test.toml:27:17: normal: the standard deviation must be greater than 0, got 0
    mu = { normal = [0.6, 0] }
                    ^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "normal = [0.6, -1, 3]"}}, R"~(
test.toml:27:17: normal takes [mean, standard deviation]
    mu = { normal = [0.6, -1, 3] }
                    ^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "lognormal = [0.6, -1]"}}, R"~(
test.toml:27:20: lognormal: the standard deviation must be greater than 0, got -1
    mu = { lognormal = [0.6, -1] }
                       ^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "loguniform = [0, 1]"}}, R"~(
test.toml:27:21: loguniform: lower must be greater than 0, got 0
    mu = { loguniform = [0, 1] }
                        ^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "loguniform = [2, 1]"}}, R"~(
test.toml:27:21: loguniform: lower must be less than upper, got 2 and 1
    mu = { loguniform = [2, 1] }
                        ^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "triangular = [0, 2, 1]"}}, R"~(
test.toml:27:21: triangular: lower <= mode <= upper must hold, got 0, 2, 1
    mu = { triangular = [0, 2, 1] }
                        ^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "triangular = [1, 1, 1]"}}, R"~(
test.toml:27:21: triangular: lower must be less than upper, got 1 and 1
    mu = { triangular = [1, 1, 1] }
                        ^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "truncated_normal = [0, 0, 0, 1]"}}, R"~(
test.toml:27:27: truncated_normal: the standard deviation must be greater than 0, got 0
    mu = { truncated_normal = [0, 0, 0, 1] }
                              ^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "truncated_normal = [0, 1, 1, 0]"}}, R"~(
test.toml:27:27: truncated_normal: lower must be less than upper, got 1 and 0
    mu = { truncated_normal = [0, 1, 1, 0] }
                              ^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "truncated_normal = [0, 1, 40, 50]"}}, R"~(
test.toml:27:27: truncated_normal: the interval lies more than 37 standard deviations from the mean; nothing is left of the distribution
    mu = { truncated_normal = [0, 1, 40, 50] }
                              ^^^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "choice = []"}}, R"~(
test.toml:27:17: choice takes a list of values
    mu = { choice = [] }
                    ^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "table = \"a.csv\""}}, R"~(
test.toml:27:16: table takes "file.csv:column"
    mu = { table = "a.csv" }
                   ^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "table = 3"}}, R"~(
test.toml:27:16: table takes "file.csv:column"
    mu = { table = 3 }
                   ^)~");
}

TEST(ScenarioMessages, CheckTheLevelsOfAGrid) {
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\""}}, R"~(
test.toml:27:1: the grid needs levels for 'mu', for example levels = { mu = 20 } in [ensemble]
    mu = { uniform = [0.1, 0.6] }
    ^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"random\"\nlevels = { mu = 3 }"}}, R"~(
test.toml:26:10: levels belong to sampler = "grid"
    levels = { mu = 3 }
             ^^^^^^^^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = { mu = 3 }"}}, R"~(
test.toml:23:11: the grid has 3 members (the product of its levels), not 100; leave members out or change levels
    members = 100
              ^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = { mu = 100, k = 2 }"}}, R"~(
test.toml:26:22: levels names 'k', which does not vary
    levels = { mu = 100, k = 2 }
                         ^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = { mu = 0 }"}}, R"~(
test.toml:26:17: levels of 'mu' must be a whole number between 1 and 1099511627776, got 0
    levels = { mu = 0 }
                    ^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = 3"}}, R"~(
test.toml:26:10: 'levels' must be a table: write levels = { alpha = 20, tau = 10 }
    levels = 3
             ^
test.toml:28:1: the grid needs levels for 'mu', for example levels = { mu = 20 } in [ensemble]
    mu = { uniform = [0.1, 0.6] }
    ^^)~");
  expect_problems({{"members = 100\nseed = 7\nsampler = \"random\"",
                    "sampler = \"grid\"\nlevels = { mu = 1_000_000_000_000_000 }"}},
                  R"~(
test.toml:24:17: levels of 'mu' must be a whole number between 1 and 1099511627776, got 1000000000000000
    levels = { mu = 1_000_000_000_000_000 }
                    ^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"members = 100\nseed = 7\nsampler = \"random\"",
                    "sampler = \"grid\"\nlevels = { mu = 1_000_000, k = 1_000_000, g = 1_000_000 }"},
                   {"mu = { uniform = [0.1, 0.6] }",
                    "mu = { uniform = [0.1, 0.6] }\nk = { uniform = [1, 2] }\ng = { uniform = [1, 2] }"}},
                  R"~(
test.toml: the grid has 1e+18 members; take fewer levels)~");
}

// Three parameters vary, and a section of the test's own says how they go together.
Replacements correlated(const std::string& section, const std::string& sampler = "random") {
  return {{"[observe]",
           "k = { normal = [4, 0.1] }\ntau = { uniform = [0.1, 0.3] }\n[correlation]\n" + section + "\n[observe]"},
          {"sampler = \"random\"", "sampler = \"" + sampler + "\""}};
}

TEST(ScenarioMessages, CheckCorrelations) {
  for (const std::string sampler : {"random", "latin", "sobol"}) {
    expect_problems(correlated("", sampler), "");
    expect_problems(correlated("mu = { k = 0.5, tau = -0.2 }\nk.tau = 0.3", sampler), "");
  }
  expect_problems(correlated("mu = { kk = 0.5 }"), R"~(
test.toml:31:8: [correlation] names an unknown parameter 'kk'; did you mean 'k'?
    mu = { kk = 0.5 }
           ^^)~");
  expect_problems(correlated("friction = { k = 0.5 }"), R"~(
test.toml:31:1: [correlation] names an unknown parameter 'friction'; parameters that vary are in [vary]
    friction = { k = 0.5 }
    ^^^^^^^^)~");
  expect_problems(correlated("mu = { g = 0.5 }"), R"~(
test.toml:31:8: [correlation] names 'g', which does not vary; give it a distribution in [vary] or leave it out
    mu = { g = 0.5 }
           ^)~");
  expect_problems(correlated("mu = { mu = 1 }"), R"~(
test.toml:31:8: the correlation of 'mu' with itself is 1; leave it out
    mu = { mu = 1 }
           ^^)~");
  expect_problems(correlated("mu = { k = 0.5 }\nk = { tau = 0.1, mu = 0.5 }"), R"~(
test.toml:32:18: the correlation of 'k' and 'mu' stands in line 31 already; give each pair once
    k = { tau = 0.1, mu = 0.5 }
                     ^^)~");
  expect_problems(correlated("mu = { k = 1.0 }\ntau = { k = -1.5 }"), R"~(
test.toml:31:12: the correlation of 'mu' and 'k' must lie between -1 and 1, both excluded, got 1
    mu = { k = 1.0 }
               ^^^
test.toml:32:13: the correlation of 'tau' and 'k' must lie between -1 and 1, both excluded, got -1.5
    tau = { k = -1.5 }
                ^^^^)~");
  expect_problems(correlated("mu = { k = \"strong\" }\ntau = 0.5"), R"~(
test.toml:31:12: a correlation must be a finite number
    mu = { k = "strong" }
               ^^^^^^^^
test.toml:32:7: the correlations of 'tau' must be a table, for example { other = 0.5 }
    tau = 0.5
          ^^^)~");
  Replacements grid = correlated("mu = { k = 0.5 }", "grid");
  grid.push_back({"seed = 7", "seed = 7\nlevels = { mu = 2, k = 2, tau = 25 }"});
  expect_problems(grid, R"~(
test.toml:31:2: a grid is all combinations of its levels and cannot be correlated; use sampler = "random", "latin" or "sobol"
    [correlation]
     ^^^^^^^^^^^)~");
  expect_problems(
      {{"[observe]", "[observe]\nc = { max = \"x\" }"}, {"title = \"Test\"", "title = \"Test\"\ncorrelation = 0.5"}},
      R"~(
test.toml:2:15: 'correlation' must be a table: write [correlation]
    correlation = 0.5
                  ^^^)~");
}

TEST(ScenarioMessages, SayHowFarCorrelationsContradictEachOther) {
  // eigenvalues 1 - ρ, 1 - ρ and 1 + 2ρ with ρ = -0.9
  expect_problems(correlated("mu = { k = -0.9, tau = -0.9 }\nk = { tau = -0.9 }"), R"~(
test.toml:30:2: these correlations cannot hold together: the smallest eigenvalue of their matrix is -0.8 and must be greater than 0; take all of them times 0.55 or less, or give pairs that were left out (they count as 0)
    [correlation]
     ^^^^^^^^^^^)~");
  expect_problems(correlated("mu = { k = -0.495, tau = -0.495 }\nk = { tau = -0.495 }"), "");
  // 1 ± sqrt(ρ² + ρ²): two strong pairs and a third left out
  expect_problems(correlated("mu = { k = 0.8, tau = 0.8 }"), R"~(
test.toml:30:2: these correlations cannot hold together: the smallest eigenvalue of their matrix is -0.131 and must be greater than 0; take all of them times 0.88 or less, or give pairs that were left out (they count as 0)
    [correlation]
     ^^^^^^^^^^^)~");
  expect_problems(correlated("mu = { k = 0.8, tau = 0.8 }\nk.tau = 0.6"), "");
  // singular: the factor takes them away from 0
  expect_problems(correlated("mu = { k = 0.6, tau = 0.8 }"), R"~(
test.toml:30:2: these correlations cannot hold together: the smallest eigenvalue of their matrix is 0 and must be greater than 0; take all of them times 0.99 or less, or give pairs that were left out (they count as 0)
    [correlation]
     ^^^^^^^^^^^)~");
}

TEST(ScenarioMessages, SayNothingOfCorrelationsWhereADistributionIsWrong) {
  Replacements replacements = correlated("mu = { k = 0.5, tau = 0.1 }");
  replacements.push_back({"uniform = [0.1, 0.6]", "uniform = [0.6, 0.1]"});
  expect_problems(replacements, R"~(
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.1
    mu = { uniform = [0.6, 0.1] }
                     ^^^^^^^^^^)~");
}

TEST(ScenarioMessages, CountTheMembersThatWouldStop) {
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [-0.1, 0.6]"}}, R"~(
test.toml:14:13: warning: 11 of the first 100 members: friction is -0.0643204; allowed: friction >= 0 (member 1: mu = -0.0643204); such members stop with status bad_angle
    friction = "mu"
                ^^)~");
  expect_problems({{"friction = \"mu\"", "friction_angle = \"3 * mu\""}}, R"~(
test.toml:14:19: warning: 13 of the first 100 members: friction_angle is 1.69684; allowed: 0 <= friction_angle < pi/2 (in radians) (member 4: mu = 0.565612); such members stop with status bad_angle
    friction_angle = "3 * mu"
                      ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"mu - 0.3\""}}, R"~(
test.toml:13:11: warning: 36 of the first 100 members: the start lies outside 'floor' by 0.174515; allowed: 1e-09 (1 + |q|) (member 1: mu = 0.125485); such members stop with status start_outside
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"1e-4*mu - 3e-5\""}}, R"~(
test.toml:13:11: warning: 36 of the first 100 members: the start lies outside 'floor' by 1.74515e-05; allowed: 1e-09 (1 + |q|); [start] settle = true puts it there (member 1: mu = 0.125485); such members stop with status start_outside
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"1e-4*mu - 3e-5\"\nsettle = true"}}, "");
  expect_problems({{"y = \"0\"", "y = \"mu - 0.3\"\nsettle = true"}}, R"~(
test.toml:13:11: warning: 36 of the first 100 members: the start lies outside 'floor' by 0.174515; allowed with settle = true: 1e-04 (1 + |q|) (member 1: mu = 0.125485); such members stop with status start_outside
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"tau = 0.2", "tau = 0.2"}, {"\"k * (1 - delay(x, tau))\"", "\"k * (1 - delay(x, mu - 0.2))\""}},
                  R"~(
test.toml:4:29: warning: 18 of the first 100 members: the length of delay is -0.0745146; allowed: a finite number >= 0 (member 1: mu = 0.125485); such members stop with status bad_delay
    force = ["k * (1 - delay(x, mu - 0.2))", "-g"]
                                ^^^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"log(t + mu)\""}}, R"~(
test.toml:17:6: warning: 18 of the first 100 members: the past of x is not a number at t = -0.128125; it must be defined back to the longest delay, 0.2 (member 1: mu = 0.125485); such members stop with status non_finite
    x = "log(t + mu)"
         ^^^^^^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"0\"\nvy = \"1 / max(0, mu - 0.2)\""}}, R"~(
test.toml:19:7: warning: 18 of the first 100 members: the start velocity vy is inf (member 1: mu = 0.125485); such members stop with status non_finite
    vy = "1 / max(0, mu - 0.2)"
          ^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"mu * t\"\nvy = \"0\""}}, R"~(
test.toml:13:11: warning: 100 of the first 100 members: the past leaves 'floor' at t = -0.003125 by 0.00154143; the theory wants it inside (delays still see it) (member 0: mu = 0.493258)
    inside = "y >= 0"
              ^^^^^^)~");
}

TEST(ScenarioMessages, SayWhatSettleMeans) {
  expect_problems({{"y = \"0\"", "y = \"0\"\nsettle = 1"}}, R"~(
test.toml:19:10: settle must be true or false: are starts that miss walls and constraints by little put on them?
    settle = 1
             ^)~");
  const std::string contact =
      valid.substr(valid.find("[[model.contact]]"), valid.find("[start]") - valid.find("[[model.contact]]"));
  expect_problems({{contact, ""}, {"y = \"0\"", "y = \"0\"\nsettle = true"}}, R"~(
test.toml:14:10: settle = true needs something to put starts on: add a [[model.contact]] or a [[model.bilateral]], or leave settle out
    settle = true
             ^^^^)~");
  expect_problems({{contact, ""}, {"y = \"0\"", "y = \"0\"\nsettle = false"}}, "");
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
