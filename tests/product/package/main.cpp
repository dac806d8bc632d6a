// A user's program. The bouncing ball with e = 1/2 has a path 5/3 long; it is run in memory, into a folder, cancelled,
// gone on with, and wrong; then compiled, and called with other values of e: the path is (1 + e²)/(1 - e²) long.
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

void call_model(const std::string& file) {
  using namespace conesweep;
  const Scenario scenario = Scenario::read(file).with(Changes().step(1e-4));
  CompileOptions options;
  options.backend = "reference";  // needs no compiler
  options.columns = {"e"};
  const Model model = compile(scenario, options);
  const std::vector<double> e = {0.2, 0.4, 0.5};
  std::vector<double> observables(model.observables().size() * e.size());
  std::vector<std::uint8_t> status(e.size(), 1);
  Call call;
  call.count = static_cast<std::int64_t>(e.size());
  call.parameters = e;
  call.observables = observables;
  call.status = status;
  model.run(call);
  std::size_t path = 0;
  while (model.observables()[path] != "path") ++path;
  for (std::size_t m = 0; m < e.size(); ++m) {
    const double expected = (1 + e[m] * e[m]) / (1 - e[m] * e[m]);
    std::printf("e = %.1f: path %.4f, %s\n", e[m], observables[path * e.size() + m], status_names()[status[m]].c_str());
    expect(std::fabs(observables[path * e.size() + m] - expected) < 0.01 && status[m] == 0, "the path is as long");
  }
}

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
  expect(ensemble.status == std::vector<std::uint8_t>{0} && ensemble.members == 1 && ensemble.stopped == 0,
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
  call_model(scenario);
  return failures == 0 ? 0 : 1;
}
