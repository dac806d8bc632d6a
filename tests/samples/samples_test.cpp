// Every sample against its exact answer, member by member. The answers are written here once more and not taken from
// the expressions in the files; each tolerance is a stated constant times the step, with its reason beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "samples/delayed_slider.hpp"
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

namespace fs = std::filesystem;

// ---- one test suite a sample, named after its file; on every executor ----

class Slider : public OnExecutor {};
ON_EVERY_EXECUTOR(Slider);
TEST_P(Slider, FollowsTheMethodOfSteps) {
  const SampleRun run("slider", backend(), 400);
  expect_all_fine(run);
  const double h = run.h();
  std::vector<DelayedSlider> exact;
  for (std::size_t m = 0; m < run.members(); ++m)
    exact.emplace_back(
        DelayedSlider::Data{run.parameter("g", m), run.parameter("k", m), run.parameter("target", m),
                            run.parameter("tau", m), std::tan(run.parameter("alpha", m)), run.parameter("v0", m)},
        run.end());

  // Half a step of lateness, h |v| / 2, which swings that grow carry along: with k tau <= 1.6 and T = 4 the worst of
  // these members is off by 1.1 h (1 + top speed); twice that is allowed, and for the velocity sqrt(k) = 2 times as
  // much again.
  const auto slack = [&](std::size_t m) { return 2 * h * (1 + exact[m].top_speed()); };
  expect_observable(run, "reach", [&](std::size_t m) { return Expected{exact[m].reach(), slack(m)}; });
  expect_observable(run, "final.x", [&](std::size_t m) { return Expected{exact[m].position(), slack(m)}; });
  expect_observable(run, "final.vx", [&](std::size_t m) { return Expected{exact[m].velocity(), 4 * slack(m)}; });

  // A member that only just sticks or only just goes on may decide otherwise than the exact one: one in a hundred may.
  expect_observable(
      run, "settled",
      [&](std::size_t m) {
        return Expected{exact[m].last_moved(), 10 * h};
      },
      run.members() / 100);

  // friction holds what rests
  expect_observable(run, "hold", [&](std::size_t) { return Expected{0.5, 0.5 + rounding}; });
  expect_observable(run, "penetration", [&](std::size_t) { return Expected{0, 0}; });
}

class DelayedFeedback : public OnExecutor {};
ON_EVERY_EXECUTOR(DelayedFeedback);
TEST_P(DelayedFeedback, FollowsTheMethodOfSteps) {
  const SampleRun run("delayed_feedback", backend(), 200);
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  const auto place = [&](std::size_t m, double t) {
    const double k = run.parameter("k", m), tau = run.parameter("tau", m);
    double sum = 1, factorial = 1;
    for (int n = 1; t - (n - 1) * tau > 0; ++n) {
      factorial *= 2 * n * (2 * n - 1);
      sum += std::pow(-k, n) * std::pow(t - (n - 1) * tau, 2 * n) / factorial;
    }
    return sum;
  };
  // half a step ahead, h |x'| / 2, and |x'| <= 2 k T while k T^2 <= 16
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{place(m, T), run.parameter("k", m) * T * h};
  });
  expect_observable(run, "error", [&](std::size_t m) { return Expected{0, run.parameter("k", m) * T * h}; });
  expect_observable(run, "lowest", [&](std::size_t m) {
    double lowest = 1;
    for (int i = 0; i <= 2000; ++i) lowest = std::min(lowest, place(m, T * i / 2000));
    return Expected{lowest, run.parameter("k", m) * T * h};
  });
  expect_observable(run, "flight_time", [&](std::size_t) { return Expected{T, rounding}; });
}

class BouncingBall : public OnExecutor {};
ON_EVERY_EXECUTOR(BouncingBall);
TEST_P(BouncingBall, ComesToRestAfterInfinitelyManyBounces) {
  const SampleRun run("bouncing_ball", backend());
  expect_all_fine(run);
  const double h = run.h();
  const auto share = [&](std::size_t m) { return run.parameter("e", m); };
  // impacts of speed 2 e^n, each late by up to a step: 2 h sum e^n
  expect_observable(run, "path", [&](std::size_t m) {
    const double e = share(m);
    return Expected{(1 + e * e) / (1 - e * e), 2 * h / (1 - e)};
  });
  expect_observable(run, "path_error", [&](std::size_t m) {
    const double e = share(m);
    return Expected{run.observed("path", m) - (1 + e * e) / (1 - e * e), rounding};
  });
  // slower than 0.01 at most 0.01 / (1 - e) before the end; every bounce may be late by a step
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double end = 1 + 2 * share(m) / (1 - share(m));
    EXPECT_LE(run.observed("rest", m), end + 20 * h) << "member " << m;
    EXPECT_GE(run.observed("rest", m), end - 0.01 / (1 - share(m)) - 20 * h) << "member " << m;
  }
  expect_observable(run, "final.vx", [&](std::size_t) { return Expected{0, 0}; });
  // the energy f H = 2, from the place where it started to the place where it rests
  expect_observable(run, "dissipated", [&](std::size_t m) {
    return Expected{2 * (1 - run.observed("final.x", m)), rounding};
  });

  // e = 1/2: impacts at 1, 2, 2 1/2, …; the n-th may be late by n steps
  std::size_t half = run.members();
  for (std::size_t m = 0; m < run.members(); ++m)
    if (std::fabs(share(m) - 0.5) < 1e-12) half = m;
  ASSERT_LT(half, run.members());
  std::vector<double> impacts;
  bool touched = false;
  const auto ball = run.see({half});
  for (const SeenNode& node : ball.front().nodes) {
    // (O3), the force is 2
    if (node.touches() && !touched && std::fabs(node.v_before[0]) > 10 * h * 2) impacts.push_back(node.t);
    touched = node.touches();
  }
  ASSERT_GE(impacts.size(), 6U);
  for (std::size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(impacts[n], 3 - 2 * std::pow(0.5, n), h * static_cast<double>(n + 1)) << "impact " << n;
}

class BlowUp : public OnExecutor {};
ON_EVERY_EXECUTOR(BlowUp);
TEST_P(BlowUp, EndsWhereTheSpeedBecomesInfinite) {
  const SampleRun run("blow_up", backend());
  const double h = run.h(), T = run.end();
  std::size_t stopped = 0;
  bool met_one = false;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double v0 = run.parameter("v0", m), blow_up = 1 / v0;
    // 1/v falls by h - h^2 v a step: late by h^2 sum v = -h ln(v0 h), and by a few steps in which the speed squares
    // itself to infinity
    const double lateness = h * (10 - std::log(v0 * h));
    if (run.status(m) == executor::Status::ok) {
      EXPECT_GT(blow_up + lateness, T) << "member " << m << " should have stopped, v0 = " << v0;
      // the lateness h ln(1 / (1 - v0 T)) of 1/v, seen in q' = v
      const double left = 1 - v0 * T;
      if (left < 0.05) continue;
      const double exact = -std::log(left);
      EXPECT_NEAR(run.observed("final.q", m), exact, h * v0 * (1 + exact) / left) << "member " << m;
      EXPECT_NEAR(run.observed("error", m), run.observed("final.q", m) - exact, rounding) << "member " << m;
      continue;
    }
    ++stopped;
    EXPECT_EQ(to_name(run.status(m)), "non_finite") << "member " << m;
    EXPECT_GE(run.stop_time(m), blow_up) << "member " << m << ", v0 = " << v0;
    EXPECT_LE(run.stop_time(m), blow_up + lateness) << "member " << m << ", v0 = " << v0;
    EXPECT_TRUE(std::isnan(run.observed("final.q", m))) << "member " << m;
    if (std::fabs(v0 - 1) < 1e-12) met_one = true;
  }
  EXPECT_TRUE(met_one) << "the case of the paper, v0 = 1, is not among the members";
  EXPECT_EQ(stopped, 133U);
}

class Corridor : public OnExecutor {};
ON_EVERY_EXECUTOR(Corridor);
TEST_P(Corridor, KeepsItsLawFromWallToWall) {
  const SampleRun run("corridor", backend(), 200);
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  std::size_t checked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double W = run.parameter("W", m), s = run.parameter("s", m), e = run.parameter("e", m),
                 mu = run.parameter("mu", m);
    double along = run.parameter("u", m), across = s, t = W / 2 / s, x = along * t, y = W / 2;
    int impacts = 0;
    double previous = 0;
    while (t < T) {
      ++impacts;
      along = std::max(0.0, along - mu * (1 + e) * std::fabs(across));
      across *= -e;
      previous = t;
      t += W / std::fabs(across);
      x += along * (t - previous);
      y = -y;
    }
    // an impact that falls on the last steps may come or not
    if (t - T < 10 * h || T - previous < 10 * h) continue;
    ++checked;
    x -= along * (t - T);
    y -= across * (t - T);
    EXPECT_EQ(run.observed("impacts", m), impacts) << "member " << m;
    // no force: velocities are exact to rounding
    EXPECT_NEAR(run.observed("final.vx", m), along, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("final.vy", m), across, 1e-12) << "member " << m;
    // each impact is late by up to a step, at the speed it had
    EXPECT_NEAR(run.observed("final.x", m), x, h * impacts * run.parameter("u", m)) << "member " << m;
    EXPECT_NEAR(run.observed("final.y", m), y, h * impacts * s) << "member " << m;
  }
  EXPECT_GT(checked, run.members() * 9 / 10);
  expect_observable(run, "law", [&](std::size_t) { return Expected{0, 1e-12}; });
}

class RandomPast : public OnExecutor {};
ON_EVERY_EXECUTOR(RandomPast);
// longer than 60 lines: a closed form of five cases, and what follows from it
TEST_P(RandomPast, IsFeltThroughTheDelayAlone) {
  const SampleRun run("random_past", backend(), 512);
  expect_all_fine(run);
  const double h = run.h();
  struct Exact {
    double landing, grip, force, push, gone, slack;
    bool flies, slides;  // through all of [0, tau]: in the air, or forward on the floor from the landing on
  };
  std::vector<Exact> exact;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const auto p = [&](const char* name) { return run.parameter(name, m); };
    const double k = p("k"), A = p("A"), w = p("w"), tau = p("tau"), u = p("u"), psi = p("phi") - w * tau;
    const double pull = p("target") - p("x0") + A * std::cos(p("phi"));
    Exact e{};
    e.landing = std::sqrt(2 * p("H") / p("g"));
    e.grip = p("g") * std::tan(p("alpha"));
    e.force = k * (std::fabs(p("target") - p("x0")) + 2 * A);  // the largest
    const auto speed_in_air = [&](double t) {
      return u + k * (pull * t - A * (std::sin(w * t + psi) - std::sin(psi)) / w);
    };
    e.push = speed_in_air(tau) - u;
    e.gone = u * tau + k * (pull * tau * tau / 2 -
                            A * ((std::cos(psi) - std::cos(w * tau + psi)) / (w * w) - tau * std::sin(psi) / w));
    e.flies = e.landing > tau + h;
    e.slides = e.landing <= tau;
    if (e.slides) e.gone -= e.grip * (tau * tau - e.landing * e.landing) / 2;
    for (int i = 0; i <= 1000; ++i)
      if (const double t = e.landing + i * (tau - e.landing) / 1000;
          t <= tau && speed_in_air(t) - e.grip * t < 3 * h * (e.force + e.grip))
        e.slides = false;
    // velocities are those of the step's end and the landing is up to a step late (speeds off by h (F + grip), for a
    // time tau); the last step is cut by tau
    e.slack = h * (2 * tau * (e.force + e.grip) + u + tau * e.force);
    exact.push_back(e);
  }
  // the floor is met at the next node: at most a step late
  expect_observable(run, "first_contact", [&](std::size_t m) {
    return Expected{exact[m].landing, h * (1 + rounding)};
  });
  // a sum over steps: off by h times the variation of the force, and a last step that tau cuts
  expect_observable(run, "push", [&](std::size_t m) {
    return Expected{exact[m].push, h * (exact[m].force + run.parameter("k", m) * run.parameter("A", m) *
                                                             run.parameter("w", m) * run.parameter("tau", m))};
  });
  // half a step ahead: at most h tau F
  expect_observable(run, "air_error", [&](std::size_t m) {
    return Expected{0, h * run.parameter("tau", m) * exact[m].force};
  });
  // the impact takes off what friction would have taken
  std::size_t flown = 0, slid = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    flown += exact[m].flies ? 1 : 0;
    slid += exact[m].slides ? 1 : 0;
    if (exact[m].flies || exact[m].slides) {
      EXPECT_NEAR(run.observed("gone", m), exact[m].gone, exact[m].slack) << "member " << m;
    }
  }
  EXPECT_GT(flown, run.members() / 50);
  EXPECT_GT(slid, run.members() / 2);
  // friction holds what rests
  expect_observable(run, "hold", [&](std::size_t) { return Expected{0.5, 0.5 + rounding}; });
}

// ---- all of them ----

// falling_slider.toml -> FallingSlider
std::string suite_of(const fs::path& file) {
  std::string name;
  bool start = true;
  for (const char c : file.stem().string()) {
    if (c != '_') name += start ? static_cast<char>(std::toupper(c)) : c;
    start = c == '_';
  }
  return name;
}

TEST(AllSamples, EachHasATestAndAnExplanation) {
  std::set<std::string> suites;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) suites.insert(tests.GetTestSuite(i)->name());
  int files = 0;
  for (const auto& entry : fs::directory_iterator(samples_folder)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    EXPECT_TRUE(suites.contains("On/" + suite_of(entry.path())))
        << entry.path().filename() << " has no test: write TEST_P(" << suite_of(entry.path()) << ", …)";
    const std::string text = scenario::load_source(entry.path()).text;
    EXPECT_TRUE(text.starts_with("# ")) << entry.path().filename()
                                        << " does not begin with a comment that says what it is";
    EXPECT_NE(text.find("# Exact"), std::string::npos) << entry.path().filename() << " does not say its exact answer";
  }
  EXPECT_GE(files, 11);
}

TEST(AllSamples, StandInTheGallery) {
  const std::string gallery = scenario::load_source(samples_folder / "README.md").text;
  for (const auto& entry : fs::directory_iterator(samples_folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string command = "conesweep run samples/" + entry.path().filename().string();
    EXPECT_NE(gallery.find(command), std::string::npos) << "samples/README.md lacks '" << command << "'";
  }
}

}  // namespace
}  // namespace conesweep::test
