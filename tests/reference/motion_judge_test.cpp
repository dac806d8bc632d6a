// Does the judge take every step of a motion that obeys the laws, and no other? Motions of the reference itself, of the
// same system with another number in it, and some by hand.
#include "executor/reference/motion_judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model.hpp"
#include "support/scenario_text.hpp"
#include "support/text.hpp"

namespace conesweep::executor::reference {
namespace {

using Eigen::Vector2d;

GivenMotion motion_of(const Course& course) {
  GivenMotion motion;
  for (const NodeRecord& node : course.nodes) motion.q.push_back(node.q), motion.v.push_back(node.v);
  return motion;
}

Model corner() {
  return Model({"x", "y"}, {"0", "-1"})
      .contact("floor", "-y", "1")
      .contact("wall", "-(cos(pi/18)*x - sin(pi/18)*y)", "1")
      .start({"0", "0"}, {"1", "0"})
      .time(1, 10);
}

TEST(JudgeMotion, TakesEitherWayOutOfACorner) {
  Model model = corner();
  const scenario::Scenario& scenario = model.scenario();
  const GivenMotion own = motion_of(run(corner()));
  const MotionJudgement same = judge_motion(scenario, scenario.defaults, own);
  EXPECT_EQ(same.wrong, -1);
  EXPECT_EQ(same.not_judged, 0);

  // h = 0.1: w = (1, -0.1), and from then on friction takes 0.1 a step: 0.9, 0.8, …; or nothing moves
  GivenMotion slides, stays;
  double x = 0;
  for (int i = 0; i <= 10; ++i) {
    const double v = std::max(0.0, 0.9 - 0.1 * std::min(i, 9));
    slides.q.push_back(Vector2d(x, 0)), slides.v.push_back(Vector2d(v, 0));
    stays.q.push_back(Vector2d(0, 0)), stays.v.push_back(Vector2d(0, 0));
    x += 0.1 * v;
  }
  const MotionJudgement sliding = judge_motion(scenario, scenario.defaults, slides),
                        staying = judge_motion(scenario, scenario.defaults, stays);
  EXPECT_EQ(sliding.wrong, -1) << sliding.residual;
  EXPECT_EQ(staying.wrong, -1) << staying.residual;
  EXPECT_EQ(staying.several, 10);
  EXPECT_NEAR(own.v[0][0], 0.9, 1e-14) << "the reference lets go";
  EXPECT_EQ(sliding.several, 0);

  // the third step goes where no law leads it
  GivenMotion wrong = slides;
  wrong.v[3][0] += 0.01;
  const MotionJudgement refused = judge_motion(scenario, scenario.defaults, wrong);
  EXPECT_EQ(refused.wrong, 3);
  EXPECT_GE(refused.residual, 1e-3);
  wrong = slides;
  wrong.q[5][0] += 1e-6;
  EXPECT_EQ(judge_motion(scenario, scenario.defaults, wrong).wrong, 4) << "step 4 leads to node 5";
}

// A blow in the middle of the first step takes 0.2 off what slides: 0.95, 0.75, 0.7, or nothing moves. The reference
// slides; who stays is right too, as its parts show, and by them alone.
TEST(JudgeMotion, JudgesThePartsOfASplitStep) {
  const auto build = [] {
    return corner().resistance("blow", {"vx"}, {"0"}).percussions("0.05", "1", "1", "0.2").time(0.1, 1);
  };
  Model model = build();
  const scenario::Scenario& scenario = model.scenario();
  const GivenMotion own = motion_of(run(build()));
  ASSERT_NEAR(own.v[0][0], 0.7, 1e-14);
  const auto parts = [](double first, double second, double third) {
    return std::vector<StepPart>{{Vector2d(first, 0)}, {Vector2d(second, 0)}, {Vector2d(third, 0)}};
  };
  const auto judged = [&](std::vector<StepPart> told, double v) {
    const double x = told.empty() ? 0 : 0.05 * (told[0].v[0] + told[2].v[0]);
    return judge_motion(
        scenario, scenario.defaults,
        {{Vector2d(0, 0), Vector2d(x, 0)}, {Vector2d(v, 0), Vector2d(v, 0)}, {}, Status::ok, std::move(told)});
  };
  const MotionJudgement unknown = judged({}, 0);
  EXPECT_EQ(unknown.not_judged, 1);
  EXPECT_EQ(unknown.why_unjudged, Judged::not_percussions);
  const MotionJudgement stays = judged(parts(0, 0, 0), 0), slides = judged(parts(0.95, 0.75, 0.7), 0.7);
  EXPECT_EQ(stays.wrong, -1) << stays.residual;
  EXPECT_EQ(stays.not_judged, 0);
  EXPECT_EQ(stays.several, 1);
  EXPECT_EQ(slides.wrong, -1) << slides.residual;
  EXPECT_EQ(slides.not_judged, 0);

  // each part by itself must be right
  EXPECT_EQ(judged(parts(0.5, 0.3, 0.25), 0.25).wrong, 0);
  EXPECT_EQ(judged(parts(0.95, 0.85, 0.8), 0.8).wrong, 0);
  EXPECT_EQ(judged(parts(0.95, 0.75, 0.75), 0.75).wrong, 0);
  EXPECT_EQ(judged(parts(0, 0.1, 0.05), 0.05).wrong, 0);
}

TEST(JudgeMotion, SeesThePastOfTheMotion) {
  // the force is the position 0.3 ago; a start of 1 stays 1 for six nodes, and what moved the motion meanwhile is of no
  // concern
  const auto build = [](const std::string& x) {
    return Model({"x", "y"}, {"-4*delay(x, 0.3)", "-1"})
        .contact("floor", "-y", "0.05")
        .contact("far", "x - 100")
        .start({x, "0"}, {"0", "0"})
        .mass({"1", "1"})
        .time(1, 20);
  };
  Model model = build("1");
  const scenario::Scenario& scenario = model.scenario();
  const GivenMotion own = motion_of(run(build("1")));
  const MotionJudgement found = judge_motion(scenario, scenario.defaults, own);
  EXPECT_EQ(found.wrong, -1) << found.residual;
  // with another past the first step is right no more
  Model elsewhere = build("1 + t");
  EXPECT_EQ(judge_motion(elsewhere.scenario(), elsewhere.scenario().defaults, own).wrong, 0);
}

TEST(JudgeMotion, SaysWhatItCannotJudge) {
  Model model({"x"}, {"1"});
  model.resistance("brake", {"vx"}, {"0.5"}).percussions("0.25*j", "0.1", "3").time(1, 10);
  const GivenMotion own = motion_of(run(model));
  const scenario::Scenario& scenario = model.scenario();
  EXPECT_EQ(judge_motion(scenario, scenario.defaults, own).wrong, -1);
  EXPECT_EQ(judge_motion(scenario, scenario.defaults, own).not_judged, 0) << "it is what the reference finds";
  GivenMotion other = own;
  other.v[2][0] += 0.01;
  const MotionJudgement unknown = judge_motion(scenario, scenario.defaults, other);
  EXPECT_EQ(unknown.not_judged, 1);
  EXPECT_EQ(unknown.first_unjudged, 2);
  EXPECT_EQ(reason_of(unknown.why_unjudged), "percussions split it");
}

// ---- other numbers in the law ----

struct System {
  std::string name, text;
  // a parameter, and what it is multiplied by where the motion is wrong
  std::vector<std::pair<std::string, double>> faults;
};

std::string file(const std::string& coordinates, const std::string& force, const std::string& parameters,
                 const std::string& laws, const std::string& start,
                 const std::string& time = "end = 1.0\nstep = 0.01\n") {
  return "title = \"judged\"\n[model]\ncoordinates = " + coordinates + "\nforce = " + force + "\n[model.parameters]\n" +
         parameters + laws + "[start]\n" + start + "[time]\n" + time;
}

const std::string plane = "[\"x\", \"y\"]", thrown = "x = \"2*t\"\ny = \"0.3\"\n";
std::string floor(const std::string& more, const std::string& inside = "y >= 0") {
  return "[[model.contact]]\nname = \"floor\"\ninside = \"" + inside + "\"\n" + more;
}

const System systems[] = {
    {"friction",
     file(plane, "[\"0\", \"-G\"]", "mu = 0.3\nG = 9.81\n", floor("friction = \"mu\"\n"), thrown),
     {{"mu", 0}, {"mu", 1.01}, {"G", 1.0001}}},
    {"restitution",
     file(plane, "[\"0\", \"-9.81\"]", "e = 0.7\n", floor("friction = \"0.1\"\nrestitution = \"e\"\n"), thrown),
     {{"e", 1.001}, {"e", 0}}},
    {"located",
     file(plane, "[\"0\", \"-9.81\"]", "e = 0.7\nmu = 0.2\n", floor("friction = \"mu\"\nrestitution = \"e\"\n"), thrown,
          "end = 1.0\nstep = 0.01\nimpacts = \"located\"\n"),
     {{"e", 1.001}, {"mu", 1.01}}},
    {"delay",
     file(plane, "[\"-9*delay(x, tau)\", \"-9.81 - delay(vx, 0.05)\"]", "tau = 0.103\nmu = 0.1\n",
          floor("friction = \"mu\"\n"), thrown),
     {{"tau", 1.01}, {"mu", 0}}},
    {"window",
     file(plane, "[\"9*sin(4*t) - 9*(x - window_mean(x, w))\", \"-9.81\"]", "w = 0.2\nstatic = 0.5\n",
          floor("friction = \"if(window_max(abs(x - now(x)), 0.05) < 1e-3, static, 0.2)\"\n"),
          "x = \"0\"\ny = \"0\"\n"),
     {{"w", 1.1}, {"static", 0.9}}},
    {"belt",
     file(plane, "[\"-4*x\", \"-9.81\"]", "u = 0.5\n", floor("friction = \"0.3\"\nbelt = [\"u\", \"0\"]\n"), thrown),
     {{"u", 1.01}}},
    {"moving_wall",
     file(plane, "[\"0\", \"-9.81\"]", "A = 0.02\ne = 0.6\n",
          floor("friction = \"0.1\"\nrestitution = \"e\"\n", "y >= A*sin(9*t)"), thrown),
     {{"A", 1.01}, {"e", 1.01}}},
    {"percussions",
     file("[\"x\"]", "[\"1\"]", "a = 0.05\n",
          "[[model.resistance]]\nname = \"brake\"\nslip = [\"vx\"]\nlimit = \"0.5\"\npercussions = { time = "
          "\"0.253*j\", size = \"a\", count = \"3\" }\n",
          "x = \"0\"\n"),
     {{"a", 1.01}}},
    {"two_walls",
     file(plane, "[\"3\", \"-9.81\"]", "mu = 0.3\n",
          floor("friction = \"mu\"\n") +
              "[[model.contact]]\nname = \"wall\"\ninside = \"x <= 0.5\"\nfriction = \"mu\"\nrestitution = \"0.5\"\n",
          thrown),
     {{"mu", 1.01}}},
};

class Faults : public ::testing::TestWithParam<System> {
 protected:
  scenario::Scenario scenario_ = test::parse_scenario(GetParam().text);

  GivenMotion motion(const std::vector<double>& parameters) const {
    GivenMotion found;
    found.status = run_member(scenario_, parameters, [&](const NodeRecord& node, const NodeExpressions&) {
                     found.q.push_back(node.q), found.v.push_back(node.v), found.mode.push_back(node.mode);
                   }).status;
    return found;
  }
  std::vector<double> changed(const std::string& name, double by) const {
    std::vector<double> parameters = scenario_.defaults;
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (scenario_.names.parameters[p] == name) parameters[p] *= by;
    return parameters;
  }
};

TEST_P(Faults, AreFoundAndNothingElse) {
  const GivenMotion right = motion(scenario_.defaults);
  const MotionJudgement own = judge_motion(scenario_, scenario_.defaults, right);
  EXPECT_EQ(own.wrong, -1) << own.residual;
  EXPECT_EQ(own.not_judged, 0);
  EXPECT_LE(own.residual, 1e-12);
  for (const auto& [name, by] : GetParam().faults) {
    const MotionJudgement found = judge_motion(scenario_, scenario_.defaults, motion(changed(name, by)));
    EXPECT_TRUE(found.wrong >= 0 || found.not_judged > 0) << name << " times " << by;
    EXPECT_TRUE(found.wrong < 0 || found.residual > accepted_residual)
        << name << " times " << by << ", residual " << found.residual;
  }
}

TEST_P(Faults, AreFoundInOneStepAlone) {
  const GivenMotion right = motion(scenario_.defaults);
  for (const std::size_t i : {std::size_t{3}, right.v.size() / 2, right.v.size() - 3}) {
    GivenMotion moved = right, pushed = right;
    moved.q[i][0] += 1e-7;
    EXPECT_EQ(judge_motion(scenario_, scenario_.defaults, moved).wrong, static_cast<std::int64_t>(i) - 1)
        << "step " << i - 1 << " leads to node " << i;
    pushed.v[i][0] += 1e-6;
    const MotionJudgement found = judge_motion(scenario_, scenario_.defaults, pushed);
    EXPECT_TRUE(found.wrong == static_cast<std::int64_t>(i) || found.not_judged > 0) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Faults, ::testing::ValuesIn(systems), [](const auto& some) { return some.param.name; });

// ---- rounding ----

/// A fall of one step to y = `height`, and what follows if it touches there, or not.
struct Touch {
  Model model;
  GivenMotion touches, flies;

  explicit Touch(double height)
      : model(Model({"y"}, {"0"})
                  .contact("floor", "-y", "", "0.5")
                  .start({format_number(height + 0.1)}, {"-1"})
                  .time(0.3, 3)) {
    const auto add = [](GivenMotion& motion, double y, double v) {
      motion.q.push_back(Vector::Constant(1, y)), motion.v.push_back(Vector::Constant(1, v));
    };
    add(touches, height + 0.1, -1), add(touches, height, 0.5), add(touches, height + 0.05, 0.5),
        add(touches, height + 0.1, 0.5);
    add(flies, height + 0.1, -1), add(flies, height, -1), add(flies, height - 0.1, 0.5), add(flies, height - 0.05, 0.5);
  }
  bool is_right(const GivenMotion& motion) {
    return judge_motion(model.scenario(), model.scenario().defaults, motion).wrong < 0;
  }
};

TEST(Rounding, MayMakeAStepTouchOrNot) {
  for (const double height : {0.0, 1e-16, -1e-16, 3e-13}) {
    Touch touch(height);
    EXPECT_TRUE(touch.is_right(touch.touches)) << height;
    EXPECT_TRUE(touch.is_right(touch.flies)) << height;
  }
  Touch above(1e-8), below(-1e-8);
  EXPECT_FALSE(above.is_right(above.touches));
  EXPECT_TRUE(above.is_right(above.flies));
  EXPECT_TRUE(below.is_right(below.touches));
  EXPECT_FALSE(below.is_right(below.flies));
}

TEST(Rounding, MayDecideAConditionOfTheUser) {
  // at t = 1 sin(pi t) is 1e-16 or -1e-16; the force is 1 or -1 there, and 1 later
  const auto model = [](const std::string& force) { return Model({"x"}, {force}).time(2, 20); };
  const GivenMotion at_once = [&] { return motion_of(run(model("if(t < 0.95, 1, -1)"))); }(),
                    later = motion_of(run(model("if(t < 1.05, 1, -1)")));
  const GivenMotion late = motion_of(run(model("if(t < 1.15, 1, -1)")));
  Model asked = model("if(sin(pi*t) > 0, 1, -1)");
  const auto judge = [&](const GivenMotion& motion) { return judge_motion(asked.scenario(), {}, motion).wrong; };
  // t = 0 is such a node, too: 0 > 0 does not hold, and both begin with 1
  EXPECT_EQ(judge(at_once), -1);
  EXPECT_EQ(judge(later), -1);
  EXPECT_EQ(judge(late), 11);
}

TEST(Rounding, OfANodeIsAllowedWhatItsStepMakesOfIt) {
  // k h = 1e9 on positions of 1: a velocity of 1 is known to 1e-7
  const auto model = [](const std::string& by) {
    return Model({"x"}, {"-1e12*(x - 1 - 1e-9*t + " + by + ")"}).start({"1"}, {"1e-9"}).time(1e-5, 10);
  };
  Model asked = model("0");
  EXPECT_EQ(judge_motion(asked.scenario(), {}, motion_of(run(model("1e-15")))).wrong, -1);
  EXPECT_EQ(judge_motion(asked.scenario(), {}, motion_of(run(model("1e-10")))).wrong, 0);
}

// ---- ends and modes ----

TEST(Ends, AreWhereTheyShouldBe) {
  const scenario::Scenario scenario =
      test::parse_scenario(file(plane, "[\"0\", \"-9.81\"]", "mu = 0.3\n", floor("friction = \"mu\"\n"), thrown,
                                "end = 1.0\nstep = 0.01\nstop = \"x > 0.305\"\n"));
  GivenMotion motion;
  run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const NodeExpressions&) {
    motion.q.push_back(node.q), motion.v.push_back(node.v);
  });
  ASSERT_LT(motion.q.size(), 20u);
  const auto judge = [&](const GivenMotion& some) { return judge_motion(scenario, scenario.defaults, some); };
  EXPECT_EQ(judge(motion).wrong, -1);
  GivenMotion early = motion;
  early.q.pop_back(), early.v.pop_back();
  EXPECT_EQ(judge(early).why_wrong, Judged::wrong_end);
  GivenMotion late = motion;
  late.q.push_back(motion.q.back() + 0.01 * motion.v.back()), late.v.push_back(motion.v.back());
  EXPECT_EQ(judge(late).why_wrong, Judged::wrong_end);
}

TEST(Ends, WithAStatusAreThoseOfTheReference) {
  // friction is none from x = 0.5 on
  const scenario::Scenario scenario =
      test::parse_scenario(file(plane, "[\"0\", \"-9.81\"]", "mu = 0.3\n",
                                floor("friction = \"0.5 - x + if(x < 0.5, mu, 0)\"\n"), "x = \"9*t\"\ny = \"0\"\n"));
  GivenMotion motion;
  const MemberEnd end = run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const NodeExpressions&) {
    motion.q.push_back(node.q), motion.v.push_back(node.v);
  });
  ASSERT_EQ(end.status, Status::bad_angle);
  motion.status = end.status;
  const auto judge = [&](const GivenMotion& some) { return judge_motion(scenario, scenario.defaults, some); };
  EXPECT_EQ(judge(motion).wrong, -1);
  GivenMotion other = motion;
  other.status = Status::non_finite;
  EXPECT_EQ(judge(other).why_wrong, Judged::wrong_end);
  other = motion;
  other.q.pop_back(), other.v.pop_back();
  EXPECT_EQ(judge(other).why_wrong, Judged::wrong_end);
}

TEST(Modes, AreThoseOfTheVelocity) {
  const System& slider = systems[0];
  const scenario::Scenario scenario = test::parse_scenario(slider.text);
  GivenMotion motion;
  run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const NodeExpressions&) {
    motion.q.push_back(node.q), motion.v.push_back(node.v), motion.mode.push_back(node.mode);
  });
  ASSERT_EQ(judge_motion(scenario, scenario.defaults, motion).wrong, -1);
  const auto slides =
      static_cast<std::size_t>(std::find(motion.mode.begin(), motion.mode.end(), Mode::slip) - motion.mode.begin());
  for (const Mode told : {Mode::stick, Mode::flight}) {
    GivenMotion other = motion;
    other.mode[slides + 1] = told;
    const MotionJudgement found = judge_motion(scenario, scenario.defaults, other);
    EXPECT_EQ(found.wrong, static_cast<std::int64_t>(slides) + 1);
    EXPECT_EQ(found.why_wrong, Judged::wrong_mode);
  }
}

// What an observer is shown of a motion is what it is shown of the member itself.
TEST(Judging, ShowsTheNodes) {
  for (const System& system : systems) {
    const scenario::Scenario scenario = test::parse_scenario(system.text);
    Observers own(scenario, scenario.defaults), shown(scenario, scenario.defaults);
    GivenMotion motion;
    run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const NodeExpressions& expressions) {
      own.see(node, expressions);
      motion.q.push_back(node.q), motion.v.push_back(node.v), motion.mode.push_back(node.mode);
    });
    judge_motion(
        scenario, scenario.defaults, motion,
        {{}, [&](const NodeRecord& node, const NodeExpressions& expressions) { shown.see(node, expressions); }});
    EXPECT_EQ(own.values().size(), shown.values().size());
    for (std::size_t k = 0; k < own.values().size(); ++k) {
      const double a = own.values()[k], b = shown.values()[k];
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)))
          << system.name << ": " << observable_names(scenario)[k] << " " << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace conesweep::executor::reference
