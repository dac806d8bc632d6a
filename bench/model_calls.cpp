// What a call of a model costs beside its steps: 10 members and 100 steps of the slider, as a calibration asks for them
// again and again.
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

#include "executor/executor.hpp"
#include "sampling/sampler.hpp"
#include "scenario/reading/examine.hpp"
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

Taken measure(const executor::Model& model, const scenario::Setup& setup, const executor::Chunk& chunk, int calls) {
  std::vector<double> seconds;
  for (int k = 0; k < calls / 10; ++k) model.run(setup, chunk, {});
  const std::clock_t work = std::clock();
  for (int k = 0; k < calls; ++k) {
    const auto start = std::chrono::steady_clock::now();
    model.run(setup, chunk, {});
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const double processor = static_cast<double>(std::clock() - work) / CLOCKS_PER_SEC / calls;
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), processor};
}

}  // namespace

int main(int count, char** arguments) {
  const bool quick = count > 1 && std::string(arguments[1]) == "--quick";
  const int calls = quick ? 20 : 2000;
  const auto examined = scenario::examine({"slider.toml", slider}, {});
  const scenario::Scenario& scenario = *examined.scenario;
  const executor::Chunk chunk{0, members, sampling::draw(scenario, 0, members)};
  std::string reason;
  bool good = true;

  const auto reference = executor::make_model("reference", scenario, {}, reason)->run(scenario, chunk, {});
  const auto alone = executor::make_model("cpu", scenario, {.threads = 1}, reason);
  for (const int threads : {1, 0}) {
    const auto model = executor::make_model("cpu", scenario, {.threads = threads}, reason);
    const auto first = model->run(scenario, chunk, {}), again = model->run(scenario, chunk, {});
    for (std::size_t k = 0; k < first.observables.size(); ++k)
      for (std::size_t m = 0; m < first.observables[k].size(); ++m) {
        const double a = first.observables[k][m], b = reference.observables[k][m];
        good = good && a == again.observables[k][m] && std::fabs(a - b) <= 1e-9 * (1 + std::fabs(b));
      }
    if (!good) {
      std::cout << "the answers differ\n";
      return 1;
    }
    scenario::Setup longer = scenario;
    longer.steps = more_steps, longer.end = scenario.h() * static_cast<double>(more_steps);
    const Taken call = measure(*model, scenario, chunk, calls);
    const double stepping =
        (measure(*alone, longer, chunk, calls).least - measure(*alone, scenario, chunk, calls).least) /
        (more_steps - steps) * steps;
    const double beyond = call.median - stepping;
    std::cout << model->threads() << (model->threads() == 1 ? " thread: " : " threads: ")
              << format_short(1e6 * call.median, 3) << " µs a call (least " << format_short(1e6 * call.least, 3)
              << ", processor time " << format_short(1e6 * call.processor, 3) << "), "
              << format_short(1e6 * stepping, 3) << " of them the steps, " << format_short(1e6 * beyond, 3)
              << " beyond; wanted: less than " << format_short(1e6 * wanted, 3) << "\n";
    good = good && (quick || beyond < wanted);
  }
  return good ? 0 : 1;
}
