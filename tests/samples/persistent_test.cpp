// A sledge on two persistent feet: where it is lost, where the certificate and the paper's bound hold.
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

class Persistent : public OnExecutor {};
ON_EVERY_EXECUTOR(Persistent);
TEST_P(Persistent, IsLostAndCertifiedWhereStaticsSay) {
  const SampleRun run("persistent", backend());
  expect_all_fine(run);
  std::size_t lost = 0, certified = 0, by_paper = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double b = run.parameter("b", m), c = run.parameter("c", m), H = run.parameter("H", m),
                 mu = run.parameter("mu", m), s = mu * H;
    // r_rear = m g (b - c - s)/(2 b): all the time, or not at all
    if (s >= b - c) {
      ++lost;
      EXPECT_EQ(run.observed("lost", m), 0) << "member " << m;
      EXPECT_EQ(run.observed("lost.rear", m), 0) << "member " << m;
      EXPECT_LT(run.observed("final.theta", m), 0) << "member " << m;
    } else {
      EXPECT_TRUE(std::isnan(run.observed("lost", m))) << "member " << m;
      EXPECT_NEAR(run.observed("final.vx", m), run.parameter("v0", m) - mu * run.parameter("g", m) * run.end(), 1e-11)
          << "member " << m;
      EXPECT_NEAR(run.observed("final.theta", m), 0, 1e-12) << "member " << m;
    }
    EXPECT_TRUE(std::isnan(run.observed("lost.front", m))) << "member " << m;

    // forces (r1, r2) with friction s/(2b) (d1 r1 + d2 r2) of their torque, written out: r1/rho1 = (1 + s d2/(b -
    // c))/det, r2/rho2 = (1 - s d1/(b + c))/det
    double least = std::numeric_limits<double>::infinity();
    for (const double d1 : {-1.0, 1.0}) {
      for (const double d2 : {-1.0, 1.0}) {
        const double det = 1 + s / (2 * b) * (d2 - d1);
        least = std::min({least, det, (1 + s * d2 / (b - c)) / det, (1 - s * d1 / (b + c)) / det});
      }
    }
    EXPECT_NEAR(run.observed("certificate", m), least, 1e-9 * (1 + std::fabs(least))) << "member " << m;
    EXPECT_EQ(run.observed("certificate", m) > 0, s < b - std::fabs(c)) << "member " << m;
    EXPECT_NEAR(run.observed("certificate_paper", m), (b - std::fabs(c)) / (2 * s) - 1, 1e-9) << "member " << m;
    // what is certified is not lost, what the paper promises is certified
    if (run.observed("certificate", m) > 0) {
      ++certified;
      EXPECT_TRUE(std::isnan(run.observed("lost", m))) << "member " << m;
    }
    if (run.observed("certificate_paper", m) > 0) {
      ++by_paper;
      EXPECT_GT(run.observed("certificate", m), 0) << "member " << m;
    }
  }
  EXPECT_GT(by_paper, 20U);
  EXPECT_GT(certified, by_paper + 40);
  EXPECT_GT(run.members() - lost, certified + 40);
  EXPECT_GT(lost, 40U);
}

}  // namespace
}  // namespace conesweep::test
