#include "selftest/sample_set.hpp"

#include <algorithm>

#include "sampling/sampler.hpp"
#include "scenario/reading/reader.hpp"
#include "selftest/embedded.hpp"
#include "selftest/outcome_hash.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/workers.hpp"

namespace conesweep::selftest {
namespace {

scenario::Scenario read(const std::string& name, const std::string& text) {
  scenario::Faults problems;
  auto scenario = scenario::read_scenario({name + ".toml", text}, {}, problems);
  CS_ASSERT(scenario.has_value());
  return std::move(*scenario);
}

// count members, evenly spread: number k is member k N / count
std::vector<double> spread(const std::vector<double>& column, std::int64_t count) {
  std::vector<double> chosen;
  for (std::int64_t k = 0; k < count; ++k)
    chosen.push_back(column[static_cast<std::size_t>(k) * column.size() / static_cast<std::size_t>(count)]);
  return chosen;
}

}  // namespace

SampleSet read_samples(std::int64_t members) {
  SampleSet samples;
  for (const auto& [name, text] : embedded_samples()) {
    auto sample = std::make_unique<Sample>();
    sample->name = name;
    sample->scenario = read(name, text);
    sample->chunk.members = {sample->scenario, 0, std::min(members, sample->scenario.ensemble.members)};
    for (const auto& column : sampling::draw(sample->scenario, 0, sample->scenario.ensemble.members))
      sample->chunk.varied.push_back(spread(column, sample->chunk.count()));
    sample->parameters = hash_columns(sample->chunk.varied, fnv_basis);
    for (auto& column : sample->chunk.varied)
      for (double& x : column) x = static_cast<double>(static_cast<float>(x));
    samples.push_back(std::move(sample));
  }
  return samples;
}

const Sample& find_sample(const SampleSet& samples, const std::string& name) {
  const auto found =
      std::find_if(samples.begin(), samples.end(), [&](const auto& sample) { return sample->name == name; });
  CS_ASSERT(found != samples.end());
  return **found;
}

Executors make_executors(const SampleSet& samples, const std::string& backend, const executor::Options& options,
                         const executor::Watch& watch, const std::function<void()>& made) {
  Executors executors(samples.size());
  share_work(static_cast<std::int64_t>(samples.size()), count_threads(options.threads), [&](std::int64_t k) {
    if (watch.stopped()) throw Interrupted();
    std::string reason;
    const auto at = static_cast<std::size_t>(k);
    executors[at] = executor::make_model(backend, samples[at]->scenario, options, reason);
    made();
  });
  return executors;
}

std::vector<executor::Outcome> run_samples(const SampleSet& samples, const Executors& executors,
                                           const executor::Watch& watch) {
  std::vector<executor::Outcome> outcomes;
  for (std::size_t k = 0; k < samples.size(); ++k)
    outcomes.push_back(executors[k]->run(samples[k]->scenario, samples[k]->chunk, watch));
  return outcomes;
}

std::vector<SampleHash> hash_samples(const SampleSet& samples, const std::vector<executor::Outcome>& outcomes) {
  std::vector<SampleHash> hashes;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const Sample& sample = *samples[k];
    hashes.push_back({sample.name, hash_run(sample.chunk, outcomes[k]), sample.parameters, sample.chunk.count(),
                      sample.scenario.steps});
  }
  return hashes;
}

}  // namespace conesweep::selftest
