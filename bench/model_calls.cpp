// What a call of a model costs beside its steps: 10 members and 100 steps of the slider, as a calibration asks for them
// again and again, by the public interface.
//
// Verified first: the reference finds the same members, and every call has the same bits. Steps are timed by calls that
// differ in their number alone. Wanted: less than 100 µs beyond the steps. Exit code 1: it takes longer, or something
// differs. usage: model_calls [--quick]      --quick: a few calls, and no judgement of time
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include <conesweep/model.hpp>

#include "support/text.hpp"

namespace {

using namespace conesweep;

constexpr std::int64_t members = 10, steps = 100, more_steps = 2000;
constexpr double wanted = 100e-6;  // seconds

const char* const slider = R"toml(title = "Slider"
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau))", "-9.81"]
[model.parameters]
k = 4.0
tau = 0.1
mu = 0.3
v0 = 1.0
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "v0 * t"
y = "0"
[time]
end = 0.5
step = 0.005
[ensemble]
members = 10
[vary]
mu = { uniform = [0.1, 0.6] }
tau = { uniform = [0.05, 0.15] }
[observe]
reach = { max = "x" }
)toml";

struct Taken {
  double median = 0, least = 0, processor = 0;  // seconds a call: by the clock, and of all cores
};

/// Calls of one model, with memory of their own.
class Caller {
 public:
  Caller(const Model& model, const std::vector<double>& parameters)
      : model_(model),
        observables_(model.observables().size() * static_cast<std::size_t>(members)),
        status_(static_cast<std::size_t>(members)) {
    call_.count = members;
    call_.parameters = parameters;
    call_.observables = observables_;
    call_.status = status_;
  }

  /// The same members for other times: as many steps of the same length.
  void change_end(double end) { call_.end = end; }

  const std::vector<double>& run() {
    model_.run(call_);
    return observables_;
  }

  Taken measure(int calls) {
    std::vector<double> seconds;
    for (int k = 0; k < calls / 10; ++k) run();
    const std::clock_t work = std::clock();
    for (int k = 0; k < calls; ++k) {
      const auto start = std::chrono::steady_clock::now();
      run();
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const double processor = static_cast<double>(std::clock() - work) / CLOCKS_PER_SEC / calls;
    std::sort(seconds.begin(), seconds.end());
    return {seconds[seconds.size() / 2], seconds.front(), processor};
  }

 private:
  const Model& model_;
  std::vector<double> observables_;
  std::vector<std::uint8_t> status_;
  Call call_;
};

Model compile_for(const Scenario& scenario, const std::string& backend, int threads) {
  CompileOptions options;
  options.backend = backend;
  options.threads = threads;
  return compile(scenario, options);
}

}  // namespace

int main(int count, char** arguments) {
  const bool quick = count > 1 && std::string(arguments[1]) == "--quick";
  const int calls = quick ? 20 : 2000;
  const Scenario scenario = Scenario::parse(slider, "slider.toml");
  const std::vector<double> parameters = scenario.draw(0, members);
  const Model interpreted = compile_for(scenario, "reference", 1);
  const std::vector<double> reference = Caller(interpreted, parameters).run();
  const Model alone = compile_for(scenario, "cpu", 1);
  bool good = true;
  for (const int threads : {1, 0}) {
    const Model model = compile_for(scenario, "cpu", threads);
    Caller caller(model, parameters);
    const std::vector<double> first = caller.run(), again = caller.run();
    for (std::size_t k = 0; k < first.size(); ++k)
      good = good && first[k] == again[k] && std::fabs(first[k] - reference[k]) <= 1e-9 * (1 + std::fabs(reference[k]));
    if (!good) {
      std::cout << "the answers differ\n";
      return 1;
    }
    Caller longer(alone, parameters), shorter(alone, parameters);
    longer.change_end(scenario.step() * more_steps);
    const Taken call = caller.measure(calls);
    const double stepping = (longer.measure(calls).least - shorter.measure(calls).least) / (more_steps - steps) * steps;
    const double beyond = call.median - stepping;
    std::cout << (threads == 1 ? "1 thread: " : "all threads: ") << format_short(1e6 * call.median, 3)
              << " µs a call (least " << format_short(1e6 * call.least, 3) << ", processor time "
              << format_short(1e6 * call.processor, 3) << "), " << format_short(1e6 * stepping, 3)
              << " of them the steps, " << format_short(1e6 * beyond, 3) << " beyond; wanted: less than "
              << format_short(1e6 * wanted, 3) << "\n";
    good = good && (quick || beyond < wanted);
  }
  return good ? 0 : 1;
}
