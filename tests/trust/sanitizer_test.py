"""Generated models under the address and undefined-behaviour sanitizers: the cpu unit with a driver of its own, as a program."""
import subprocess

import odd_test
import trust_program as trust
from trust_program import TrustTest

# members with the parameters that are asked for, some recorded; twice, so that a stop is asked for in the middle of the second
DRIVER = """
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
  constexpr long members = 37, steps = STEPS, every = 2, recorded = 3, times = steps / every + 1;
  std::vector<double> fixed = {FIXED};
  std::vector<double> varied(Model::varied * members + 1), observables(4096 * members), tracks(2 * Model::dimension * recorded * times);
  std::vector<unsigned char> bad(members, 2), modes(recorded * times);
  for (long k = 0; k < Model::varied; ++k)
    for (long m = 0; m < members; ++m) varied[k * members + m] = 0.01 + (k == 0 ? 1.3 : 0.19) * double(m) / members;
  bool stop = false;
  Job<double> job = {members, members, fixed.data(), varied.data(), {H, H * steps, steps}, observables.data(), bad.data(), recorded, every, times, tracks.data(), modes.data(), 1, 0, nullptr, &stop};
  if (!conesweep_run_members(&job, 0, members)) return 3;
  long stopped = 0;
  for (long m = 0; m < members; ++m) {
    if (bad[m] == 0) continue;
    const conesweep::chunk::Diagnosis why = conesweep::chunk::diagnose<double, Model>(job, m);
    if (why.status <= 0 || why.status > 7) return 4;
    ++stopped;
  }
  stop = true;
  if (conesweep_run_members(&job, 0, members)) return 5;
  std::printf("%ld\\n", stopped);
}
"""


class Sanitizers(TrustTest):
    def check(self, name, text):
        self.write("s.toml", text)
        unit, _ = self.run_program("model", "s.toml", "--unit", "cpu", "--quiet")
        self.write("unit.cpp", unit + DRIVER.replace("FIXED", "0.7, 1.3, 0.05").replace("STEPS", "60").replace("H *", "0.01 *").replace("{H,", "{0.01,"))
        # -O0: a unit has to be compiled, not to be fast
        build = subprocess.run(["g++", "-std=c++20", "-O0", "-g1", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                                "-Wno-psabi", "-Wno-attributes", "unit.cpp", "-o", "unit"], cwd=self.folder, capture_output=True, text=True, timeout=600)
        self.assertEqual(build.returncode, 0, build.stderr[-2000:])
        done = subprocess.run(["./unit"], cwd=self.folder, env=trust.environment(ASAN_OPTIONS="detect_leaks=1"), capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, (name, done.stderr[-3000:]))

    def test_models_run_clean(self):
        chosen = odd_test.ODD if trust.ALL else {name: odd_test.ODD[name] for name in ("windows", "curved, rebounds", "negative delay of some", "blow-up")}
        for name, text in chosen.items():
            with self.subTest(name):
                self.check(name, text)
        for seed in range(40 if trust.ALL else 0):
            with self.subTest(seed=seed):
                self.check(f"wild {seed}", odd_test.wild(seed))


if __name__ == "__main__":
    trust.main()
