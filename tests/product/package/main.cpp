// A user's program. The bouncing ball with e = 1/2 has a path 5/3 long; it is run in memory, into a folder, cancelled,
// gone on with, and wrong.
#include <atomic>
#include <cmath>
#include <conesweep/conesweep.hpp>
#include <cstdio>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("not so: %s\n", what);
  ++failures;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string scenario = argv[1], folder = argv[2];
  conesweep::RunOptions options;
  options.set["e"] = 0.5;
  options.backend = "reference";
  const conesweep::Ensemble ensemble = conesweep::run(scenario, options);
  const double path = ensemble.observables.at("path").at(0);
  std::printf("conesweep %s: %zu member, path %.6f\n", conesweep::version().c_str(), ensemble.status.size(), path);
  expect(ensemble.status == std::vector<std::string>{"ok"} && ensemble.members == 1 && ensemble.stopped == 0,
         "one member is ok");
  expect(std::fabs(path - 5.0 / 3) < 2e-3, "the path is 5/3 long");
  expect(contains(ensemble.summary, "\"path\""), "the summary tells of the path");

  // cancelled, it leaves nothing; into a folder, then read from there
  options.out = folder;
  std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  try {
    conesweep::run(scenario, options);
    expect(false, "a cancelled run throws");
  } catch (const conesweep::Cancelled& what) {
    expect(contains(what.what(), "nothing was written"), what.what());
  }
  cancel = false;
  int stepped = 0;
  options.progress = [&](const conesweep::Progress& progress) { stepped = static_cast<int>(progress.done); };
  expect(conesweep::run(scenario, options).observables == ensemble.observables && stepped == 1,
         "the folder's run is the same");
  stepped = 0;
  options.resume = true;
  expect(conesweep::run(scenario, options).observables == ensemble.observables && stepped == 0,
         "the finished run is read");

  // and what is wrong is said
  try {
    options.set["e"] = 2;
    conesweep::run(scenario, options);
    expect(false, "e = 2 is refused");
  } catch (const conesweep::ScenarioError& error) {
    std::printf("%s\n", error.what());
    expect(contains(error.what(), "restitution is 2; allowed: 0 <= restitution <= 1"),
           "the message says what is allowed");
  }
  return failures == 0 ? 0 : 1;
}
