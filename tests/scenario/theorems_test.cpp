// Which theorem covers a scenario: all samples, and small scenarios on both sides of every border.
#include "scenario/reading/theorems.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Theorem;

scenario::Coverage cover(const std::string& text) { return scenario::find_theorem(parse_scenario(text)); }

// longer than 60 lines: a sample a line
TEST(Theorems, CoverTheSamples) {
  const std::map<std::string, Theorem> table = {
      {"belt_oscillator", Theorem::none},
      {"billiard", Theorem::analytic},
      {"blow_up", Theorem::cauchy},
      {"bouncing_ball", Theorem::analytic},
      {"burridge_knopoff", Theorem::none},
      {"corridor", Theorem::none},
      {"counterexample_1", Theorem::none},
      {"counterexample_3", Theorem::cauchy},
      {"counterexample_7", Theorem::none},
      {"cradle", Theorem::analytic},
      {"delayed_feedback", Theorem::cauchy},
      {"dry_friction_oscillator", Theorem::delay},
      {"fading_bounce", Theorem::analytic},
      {"falling_slider", Theorem::delay},
      {"follower_pendulum", Theorem::cauchy},
      {"four_legged_table", Theorem::resistances},
      {"freewheel", Theorem::resistances},
      {"groove", Theorem::none},
      {"knife_edge", Theorem::cauchy},
      {"ladder", Theorem::none},
      {"moving_plane", Theorem::moving_plane},
      {"pendulum_folded", Theorem::analytic},
      {"pendulum_friction", Theorem::none},
      {"pendulum_obstacle", Theorem::analytic},
      {"persistent", Theorem::persistent},
      {"piston", Theorem::none},
      {"plane_percussions", Theorem::moving_plane},
      {"random_past", Theorem::delay},
      {"rolling_ball", Theorem::cauchy},
      {"rough_bar", Theorem::none},
      {"rough_bar_held", Theorem::resistances},
      {"rough_bar_guided", Theorem::resistances},
      {"rough_bowl", Theorem::delay},
      {"rough_surface", Theorem::resistances},
      {"sleigh", Theorem::cauchy},
      {"slider", Theorem::delay},
      {"slope", Theorem::delay},
      {"static_dynamic_friction", Theorem::none},
      {"turntable", Theorem::cauchy},
      {"variable_friction", Theorem::delay},
      {"wavy_track", Theorem::none},
      {"magnet", Theorem::none},
  };
  std::size_t met = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CONESWEEP_SAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    const auto examined = scenario::examine(scenario::load_source(entry.path()), {});
    ASSERT_TRUE(examined.scenario) << name;
    const auto found = table.find(name);
    const scenario::Coverage coverage = scenario::find_theorem(*examined.scenario);
    if (found == table.end()) {
      ADD_FAILURE() << name << " is not in the table; it is covered by " << coverage.words;
      continue;
    }
    ++met;
    EXPECT_EQ(coverage.theorem, found->second) << name << ": " << coverage.words;
  }
  EXPECT_EQ(met, table.size());
}

// a block on a rough floor with a delayed force, with changes
std::string block(const std::string& force = "1 - delay(x, 0.2)", const std::string& friction = "friction = 'mu'",
                  const std::string& more = "", const std::string& inside = "y >= 0") {
  return "[model]\ncoordinates = ['x', 'y']\nforce = ['" + force +
         "', '-g']\n[model.parameters]\nmu = 0.3\ng = 9.81\n[[model.contact]]\nname = 'floor'\ninside = '" + inside +
         "'\n" + more + "\n" + friction + "\n[start]\nx = 0\ny = 0\n[time]\nend = 1\nstep = 0.1\n";
}

std::string beyond_delay(const std::string& what) {
  return "no theorem that we know of; beyond Monteiro Marques and Dzonou on contact with friction and delay: " + what;
}

TEST(Theorems, CoverFrictionWithDelay) {
  const auto plain = cover(block());
  EXPECT_EQ(plain.theorem, Theorem::delay);
  EXPECT_EQ(plain.words,
            "Monteiro Marques and Dzonou on contact with friction and delay: as the step goes to 0 the motions have "
            "limits, and every limit is a solution; "
            "that it is "
            "the only one is not said; assumed: the gradient of inside does not vanish at the wall, the motion stays "
            "bounded");
  // still Lipschitz: abs, windows of places, friction of the place
  EXPECT_EQ(cover(block("-abs(vx) + window_max(x, 0.3)")).theorem, Theorem::delay);
  EXPECT_EQ(cover(block("0", "friction_angle = 'mu + 0.1*abs(x)'")).theorem, Theorem::delay);
  // a circle's root is taken of what stays above 0
  EXPECT_EQ(cover(block("sqrt(1 + x^2)")).theorem, Theorem::delay);
  EXPECT_EQ(cover(block("sqrt(x)")).words, beyond_delay("'sqrt(x)' in force may be steep or jump"));
  EXPECT_EQ(cover(block("sign(vx)")).words, beyond_delay("'sign(vx)' in force may be steep or jump"));
  EXPECT_EQ(cover(block("if(t > 0.5, 1, 0)")).theorem, Theorem::none);
  EXPECT_EQ(cover(block("if(mu > 0.5, 1, x)")).theorem, Theorem::delay);  // settled before the motion begins
  EXPECT_EQ(cover(block("delay(vx, 0.1)")).words, beyond_delay("delayed velocities"));
  EXPECT_EQ(cover(block("0", "friction = 'mu + window_max(x, 0.1)'")).words,
            beyond_delay("delays and windows in the friction"));
  EXPECT_EQ(cover(block("0", "friction = 'mu + 0.1*abs(vx)'")).words,
            beyond_delay("friction that depends on velocities"));
  EXPECT_EQ(cover(block("0", "friction = 'mu + 0.1*t'")).words, beyond_delay("friction that depends on t"));
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "restitution = 0.5")).words,
            beyond_delay("restitution together with friction"));
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "restitution = 0")).theorem, Theorem::delay);
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "cohesion = 0.5")).words, beyond_delay("cohesion"));
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "cohesion = 0")).theorem, Theorem::delay);
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "belt = [1, 0]")).words, beyond_delay("a belt"));
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "belt = [0, 0]", "y >= 0.1*sin(t)")).words,
            beyond_delay("a wall that moves; a belt"));
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "", "y >= -abs(x)")).words,
            beyond_delay("'abs(x)' in inside is not analytic"));
  EXPECT_EQ(cover(block("0", "friction = 'mu'", "slip = ['vx']")).words, beyond_delay("point or slip"));
  EXPECT_EQ(cover(block("0") + "impacts = 'located'\n").words, beyond_delay("located impacts"));
  // α = 0 is beyond, but without delays another theorem is there
  EXPECT_EQ(cover(block("x", "friction = 0")).theorem, Theorem::analytic);
  EXPECT_EQ(
      cover(block("delay(x, 0.2)", "friction = 0")).words,
      "no theorem that we know of; beyond Ballard on contacts without friction and analytic data: delays and windows");
}

std::string ball(const std::string& force, const std::string& laws) {
  return "[model]\ncoordinates = ['x', 'y']\nforce = ['" + force + "', '-1']\n[model.parameters]\ne = 0.5\n" + laws +
         "\n[start]\nx = 0\ny = 1\n[time]\nend = 1\nstep = 0.1\n";
}

TEST(Theorems, CoverContactsWithoutFriction) {
  const std::string floor = "[[model.contact]]\nname = 'floor'\ninside = 'y >= 0'\nrestitution = 'e'\n";
  const std::string wall = "[[model.contact]]\nname = 'wall'\ninside = 'x <= 1'\n";
  EXPECT_EQ(cover(ball("-x*exp(-vx^2) + sin(t)", floor)).theorem, Theorem::analytic);
  EXPECT_EQ(cover(ball("-x", floor + wall + "restitution = 'e'")).theorem, Theorem::analytic);
  // e may be any function of place and velocity
  EXPECT_EQ(
      cover(ball("-x", "[[model.contact]]\ninside = 'y >= 0'\nrestitution = 'if(abs(vy) < 1, 0, 1/(1 + abs(vy)))'\n"))
          .theorem,
      Theorem::analytic);
  // where it may be larger than 1, that it is not is an assumption
  const auto assumed = [](const std::string& e) {
    return cover(ball("-x", "[[model.contact]]\ninside = 'y >= 0'\nrestitution = '" + e + "'\n")).words;
  };
  EXPECT_NE(assumed("vy^2").find(
                "assumed: gradients of all that holds at once are independent, restitution stays between 0 and 1"),
            std::string::npos);
  EXPECT_EQ(assumed("1/(1 + vy^2)").find("restitution stays"), std::string::npos);
  const std::string beyond =
      "no theorem that we know of; beyond Ballard on contacts without friction and analytic data: ";
  EXPECT_EQ(cover(ball("-x", "[[model.contact]]\ninside = 'y >= 0'\nrestitution = 'exp(-t)'\n")).words,
            beyond + "restitution that depends on t");
  EXPECT_EQ(cover(ball("-x", "[[model.contact]]\nname = 'floor'\ninside = 'y >= 0'\ncohesion = 'e'\n")).words,
            beyond + "cohesion");
  EXPECT_EQ(cover(ball("-x", floor + wall)).words, beyond + "contacts with different restitutions");
  EXPECT_EQ(cover(ball("-abs(x)", floor)).words, beyond + "'abs(x)' in force is not analytic");
  EXPECT_EQ(cover(ball("max(x, 0)", floor)).words, beyond + "'max(x, 0)' in force is not analytic");
  EXPECT_EQ(cover(ball("abs(2 + sin(x))", floor)).theorem, Theorem::analytic);  // never 0
  EXPECT_EQ(cover(ball("x^1.5", floor)).theorem, Theorem::none);
  EXPECT_EQ(cover(ball("x^3", floor)).theorem, Theorem::analytic);
  EXPECT_EQ(cover(ball("-x", "[[model.contact]]\ninside = 'y >= 0.1*t - 1'\n")).words, beyond + "a wall that moves");
  EXPECT_EQ(cover(ball("-x", floor + "[[model.resistance]]\nslip = ['vx']\nlimit = 1\n")).words,
            beyond + "resistances beside contacts, for which the paper only announces it");
  // rows on velocities: said, but not written out
  EXPECT_NE(cover(ball("0", floor + "[[model.bilateral]]\nvelocity = 'vx = 0'\n")).words.find("carries over"),
            std::string::npos);
  EXPECT_EQ(cover(ball("0", floor + "[[model.bilateral]]\nholds = 'x = 0.1*t'\n")).theorem, Theorem::none);
}

TEST(Theorems, CoverResistances) {
  const auto law = [](const std::string& text) {
    return "[[model.bilateral]]\nname = 'rail'\nholds = 'y = 1'\n[[model.resistance]]\nname = 'rough'\n" + text;
  };
  EXPECT_EQ(cover(ball("-x", law("slip = ['vx']\nlimit = 'e*abs(normal(rail))'"))).theorem, Theorem::resistances);
  EXPECT_EQ(cover(ball("-x", law("slip = ['vx']\nlimit = '1 + abs(x) + slip(rough)'"))).theorem, Theorem::resistances);
  const std::string beyond =
      "no theorem that we know of; beyond Ballard on friction with given limits and friction on bilateral "
      "constraints: ";
  EXPECT_EQ(cover(ball("-x", law("slip = ['vx']\nlimit = 'if(x > 0, 1, 2)'"))).words,
            beyond + "'x > 0' in limit may be steep or jump");
  EXPECT_EQ(cover(ball("-x", law("slip = ['vx']\ndrive = ['sin(t)']\nlimit = 1"))).words, beyond + "drives");
  EXPECT_EQ(cover(ball("-x", law("slip = ['vx + 1']\nlimit = 1"))).words,
            beyond + "slip rows with a part without velocities");
  EXPECT_EQ(cover(ball("delay(x, 0.1)", law("slip = ['vx']\nlimit = 1"))).words, beyond + "delays and windows");
  EXPECT_EQ(cover(ball("-abs(x)", law("slip = ['vx']\nlimit = 1"))).words,
            beyond + "'abs(x)' in force is not analytic");
  EXPECT_EQ(cover(ball("0",
                       "[[model.bilateral]]\nname = 'blade'\nvelocity = 'vy = x*vx'\n[[model.resistance]]\nslip = "
                       "['vx']\nlimit = 'abs(normal(blade))'"))
                .words,
            beyond + "a limit that uses the normal force of a velocity row");
}

std::string plane(const std::string& force, const std::string& law) {
  return "[model]\ncoordinates = ['x']\nmass = [2]\nforce = ['" + force + "']\n[[model.resistance]]\nname = 'plane'\n" +
         law + "\n[start]\nx = 0\n[time]\nend = 1\nstep = 0.1\n";
}

TEST(Theorems, CoverTheMovingPlane) {
  const std::string struck = "percussions = { time = '1/j', size = '2^-j', count = 10 }";
  EXPECT_EQ(cover(plane("sin(t)", "slip = ['vx']\ndrive = ['abs(sin(t))']\nlimit = '1 + t'\n" + struck)).theorem,
            Theorem::moving_plane);
  const std::string beyond =
      "no theorem that we know of; beyond Laghdir and Monteiro Marques on a moving plane with percussions: ";
  EXPECT_EQ(cover(plane("-x", "slip = ['vx']\nlimit = 1\n" + struck)).words,
            beyond + "a force that depends on the motion");
  EXPECT_EQ(cover(plane("0", "slip = ['vx']\nlimit = 'abs(x)'\n" + struck)).words,
            beyond + "a limit that depends on the motion");
  EXPECT_EQ(cover(plane("0", "slip = ['vx']\nlimit = 1\ndrive = ['sign(t - 0.5)']")).words,
            beyond + "'sign(t - 0.5)' in drive may be steep or jump");
  // it stands still: the other theorem
  EXPECT_EQ(cover(plane("-x", "slip = ['vx']\nlimit = 1")).theorem, Theorem::resistances);
}

TEST(Theorems, CoverDifferentialEquations) {
  const auto words = [](const std::string& force) { return cover(ball(force, "")).words; };
  EXPECT_EQ(words("-delay(x, 0.1)"),
            "Cauchy's theorem on differential equations: there is exactly one motion, as long as it stays bounded and "
            "its formulas have values, and the scheme "
            "converges to it");
  EXPECT_EQ(words("-delay(vx, 0.1)"),
            "Cauchy's theorem on differential equations: there is exactly one motion, as long as it stays bounded and "
            "its formulas have values");
  EXPECT_EQ(words("-abs(x)*vx^2"), words("-x"));
  EXPECT_EQ(words("abs(x)^(1/3)"),
            "no theorem that we know of; beyond Cauchy's theorem on differential equations: 'abs(x)^(1/3)' in force "
            "may be steep or jump");
}

TEST(Theorems, CoverPersistentContact) {
  auto scenario = parse_scenario(block("-x"));
  scenario.contacts.front().persistent = true;
  const auto found = scenario::find_theorem(scenario);
  EXPECT_EQ(found.theorem, Theorem::persistent);
  EXPECT_EQ(found.words,
            "Martins, Monteiro Marques and Petrov on persistent contact: a motion exists until contact is lost; "
            "neither that it is the only one nor that the scheme "
            "converges is said; assumed: the friction lies below the paper's bound (observe certificate_paper: above "
            "0), the rows of the contacts are independent");
  const auto persistent = [](const std::string& text) {
    auto changed = parse_scenario(text);
    changed.contacts.front().persistent = true;
    return scenario::find_theorem(changed).words;
  };
  const std::string beyond =
      "no theorem that we know of; beyond Martins, Monteiro Marques and Petrov on persistent contact: ";
  EXPECT_EQ(persistent(block("delay(x, 0.1)")), beyond + "delays and windows");
  EXPECT_EQ(persistent(block("0", "friction = 'mu + x^2'")), beyond + "friction that is no constant");
  EXPECT_EQ(persistent(block("0", "friction = 'mu'", "belt = [1, 0]")), beyond + "a belt");
  EXPECT_EQ(
      persistent(ball(
          "0", "[[model.contact]]\nname = 'a'\ninside = 'y >= 0'\n[[model.contact]]\nname = 'b'\ninside = 'x <= 1'\n")),
      beyond + "contacts that are not persistent");
}

}  // namespace
}  // namespace conesweep::test
