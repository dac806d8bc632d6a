// Runs the bouncing ball with e = 1/2: its path is 5/3 long.
#include <cmath>
#include <conesweep/conesweep.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  conesweep::RunOptions options;
  options.set["e"] = 0.5;
  options.backend = "reference";
  const conesweep::Ensemble ensemble = conesweep::run(argv[1], options);
  const double path = ensemble.observables.at("path").at(0);
  std::printf("conesweep %s: %zu member, path %.6f\n", conesweep::version().c_str(), ensemble.status.size(), path);
  if (ensemble.status != std::vector<std::string>{"ok"} || !(std::fabs(path - 5.0 / 3) < 2e-3)) return 1;

  // and what is wrong is said
  try {
    options.set["e"] = 2;
    conesweep::run(argv[1], options);
  } catch (const conesweep::ScenarioError& error) {
    std::printf("%s\n", error.what());
    return std::string(error.what()).find("restitution is 2; allowed: 0 <= restitution <= 1") == std::string::npos ? 1 : 0;
  }
  return 1;
}
