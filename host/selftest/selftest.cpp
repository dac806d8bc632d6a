#include "selftest/selftest.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <new>

#include "ensemble/compare.hpp"
#include "executor/cuda/cuda_executor.hpp"
#include "model/compiler.hpp"
#include "selftest/known_statistics.hpp"
#include "selftest/outcome_hash.hpp"
#include "selftest/sample_set.hpp"
#include "statistics/engine.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace conesweep::selftest {
namespace {

using executor::Outcome;

constexpr std::int64_t members_of_reference = 16;  // it steps some hundred thousand nodes a second

/// An executor's answers to all samples.
struct Answers {
  Executors executors;
  std::vector<Outcome> outcomes;
};

class Battery {
 public:
  Battery(const Request& request, const executor::Watch& watch, const Listener& listener)
      : request_(request), watch_(watch), listener_(listener) {}

  Report run() {
    listener_.doing("looking for executors");
    try {
      choose_executors();
    } catch (const SystemError&) {  // a GPU that is there and does not start
      add_part("executor", request_.backend, "", [](Finding&) { throw; });
    }
    check_drawn_parameters();
    for (const std::string& name : report_.executors) {
      check_exact_answers(name);
      if (name != "reference") check_published(name);
    }
    compare_cuda_with_cpu();
    compare_cpu_with_reference();
    check_statistics();
    measure_cuda();
    return report_;
  }

  std::vector<SampleHash> hash() {
    choose_executors();
    CS_ASSERT(report_.executors.size() == 1);
    if (report_.executors[0] == "reference")
      throw InputError(about(setting::hashes) + "the reference executor has bits of its own; use " +
                       setting::backend("cpu") + " or cuda" + model::missing_compiler());
    return hash_samples(samples_, answers_of(report_.executors[0]).outcomes);
  }

 private:
  // the names, without asking a device for more than whether it is there
  void choose_executors() {
    if (request_.backend == "all") {
      report_.reason = "every executor that is here";
      for (const std::string& name : executor::executor_names())
        if (is_here(name)) report_.executors.push_back(name);
    } else if (request_.backend == "auto") {
      // as for a run that is large enough for a GPU
      scenario::Scenario large = samples_.front()->scenario;
      large.ensemble.members = std::int64_t{1} << 40;
      report_.executors = {executor::make_model("auto", large, request_.execution, report_.reason)->name()};
    } else {
      const auto known = executor::executor_names();
      if (std::find(known.begin(), known.end(), request_.backend) == known.end())
        throw InputError("unknown backend '" + request_.backend + "'; known: auto, all, " + join_words(known));
      report_.executors = {request_.backend};
      report_.reason = "asked for";
    }
  }

  bool is_here(const std::string& name) const {
    std::string reason;
    if (name == "cuda") return executor::cuda::is_available(reason);
    return name == "reference" || !model::find_host_compiler().empty();
  }

  bool is_tested(const std::string& name) const {
    return std::find(report_.executors.begin(), report_.executors.end(), name) != report_.executors.end();
  }

  // made when first asked for; an executor that has refused is not asked again
  const Answers& answers_of(const std::string& name) {
    if (const auto refused = refused_.find(name); refused != refused_.end()) throw SystemError(refused->second);
    if (const auto known = answers_.find(name); known != answers_.end()) return known->second;
    try {
      std::atomic<std::size_t> made = 0;
      Answers answers;
      listener_.doing(name + ": compiling models");
      answers.executors = make_executors(samples_, name, request_.execution, watch_, [&] {
        listener_.doing(name + ": compiling models, " + std::to_string(++made) + " of " +
                        std::to_string(samples_.size()));
      });
      listener_.doing(name + ": running all samples");
      answers.outcomes = run_samples(samples_, answers.executors, watch_);
      return answers_.emplace(name, std::move(answers)).first->second;
    } catch (const SystemError& error) {
      refused_[name] = error.sentence();
      throw;
    }
  }

  // a part whose body fills it in; what a device or the system refuses is its failure
  template <class Body>
  void add_part(const std::string& title, const std::string& on, const std::string& unit, const Body& body) {
    Finding part;
    part.title = title, part.on = on, part.unit = unit;
    try {
      body(part);
    } catch (const SystemError& error) {
      part.failure = error.sentence();
    } catch (const InternalError& error) {
      part.failure = error.what();
    } catch (const std::bad_alloc&) {
      part.failure = "out of memory";
    }
    if (!part.failure.empty()) part.wrong.clear();
    if (watch_.stopped()) throw Interrupted();
    report_.parts.push_back(part);
    listener_.finished(part);
  }

  void check_exact_answers(const std::string& name) {
    add_part("exact answers", name, "cases", [&](Finding& part) {
      const Answers& answers = answers_of(name);
      if (report_.device.empty()) report_.device = answers.executors.front()->device();
      std::vector<std::uint64_t> hashes;
      for (std::size_t k = 0; k < samples_.size(); ++k) {
        std::vector<const ExactCase*> cases;
        for (const ExactCase& exact : request_.cases)
          if (exact.sample == samples_[k]->name) cases.push_back(&exact);
        if (cases.empty()) continue;
        const scenario::Scenario& scenario = samples_[k]->scenario;
        const executor::Chunk chunk = make_chunk(scenario, cases);
        const Outcome outcome = answers.executors[k]->run(scenario, chunk, watch_);
        hashes.push_back(hash_run(chunk, outcome));
        for (std::size_t m = 0; m < cases.size(); ++m) {
          ++part.checked;
          const auto wrong = find_wrong(scenario, *cases[m], chunk, outcome, m);
          part.wrong.insert(part.wrong.end(), wrong.begin(), wrong.end());
        }
      }
      if (name != report_.executors.front()) return;
      for (const SampleHash& hash : hash_samples(samples_, answers.outcomes)) hashes.push_back(hash.results);
      report_.hash = hash_all(hashes);
    });
  }

  const SampleHash* find_published(const std::string& sample) const {
    for (const SampleHash& hash : request_.published)
      if (hash.sample == sample) return &hash;
    return nullptr;
  }

  // another C library may round a quantile in another way: no fault, and good to know
  void check_drawn_parameters() {
    std::vector<std::string> other;
    for (const auto& sample : samples_)
      if (const SampleHash* published = find_published(sample->name);
          published != nullptr && published->parameters != sample->parameters)
        other.push_back(sample->name);
    if (!other.empty())
      report_.notices.push_back("the drawn parameters of " + join_words(other) +
                                " differ from the published ones: this machine's C library rounds a quantile in "
                                "another way, so that runs here agree with each "
                                "other to the last bit, and with runs elsewhere to rounding");
  }

  void check_published(const std::string& name) {
    add_part("published bits", name, "samples", [&](Finding& part) {
      for (const SampleHash& got : hash_samples(samples_, answers_of(name).outcomes)) {
        ++part.checked;
        const SampleHash* published = find_published(got.sample);
        if (published == nullptr)
          part.wrong.push_back(got.sample + " has no published hash");
        else if (published->members != got.members || published->steps != got.steps)
          part.wrong.push_back(got.sample + " was published with " + std::to_string(published->members) +
                               " members and " + std::to_string(published->steps) + " steps, it has " +
                               std::to_string(got.members) + " and " + std::to_string(got.steps));
        else if (published->results != got.results)
          part.wrong.push_back(got.sample + " has results " + to_hex(got.results) +
                               ", published: " + to_hex(published->results));
      }
    });
  }

  void compare_cuda_with_cpu() {
    if (!is_tested("cuda")) return;
    add_part("same bits", "cuda and cpu", "values", [&](Finding& part) {
      if (!is_here("cpu")) {
        part.skipped = "no C++ compiler was found for the cpu executor" + model::missing_compiler() + "; " +
                       model::advise_compiler();
        return;
      }
      const Answers &cuda = answers_of("cuda"), &cpu = answers_of("cpu");
      for (std::size_t k = 0; k < samples_.size(); ++k) {
        const auto compared =
            ensemble::compare(samples_[k]->scenario, cuda.outcomes[k], cpu.outcomes[k], {.bits = true});
        part.checked += compared.bits.values;
        if (!compared.passed)
          part.wrong.push_back(samples_[k]->name + ": " + counted(compared.bits.differing) +
                               " values differ, first: " + compared.bits.first);
      }
    });
  }

  void compare_cpu_with_reference() {
    if (!is_tested("cpu") && !(is_tested("cuda") && is_here("cpu"))) return;
    add_part("same to rounding", "cpu and reference", "samples", [&](Finding& part) {
      const Answers& cpu = answers_of("cpu");
      for (std::size_t k = 0; k < samples_.size(); ++k) {
        const Sample& sample = *samples_[k];
        listener_.doing("reference: " + sample.name);
        executor::Chunk chunk = sample.chunk;
        chunk.members = {sample.scenario, 0, std::min(chunk.count(), members_of_reference)};
        for (auto& column : chunk.varied) column.resize(static_cast<std::size_t>(chunk.count()));
        std::string reason;
        const auto reference = executor::make_model("reference", sample.scenario, {request_.execution.threads}, reason);
        const executor::Model& model = *cpu.executors[k];
        const executor::Outcome by_cpu = model.run(sample.scenario, chunk, watch_),
                                by_reference = reference->run(sample.scenario, chunk, watch_);
        const ensemble::CompareLimits limits = {.grazing = 0};
        ensemble::Accused accused = {"cpu", &model, find_differing(sample.scenario, by_cpu, by_reference, limits),
                                     &by_cpu};
        accused.chunk = &chunk;
        const auto judged = ensemble::judge_members(sample.scenario, accused, watch_.without_progress());
        const auto compared = ensemble::compare(sample.scenario, by_cpu, by_reference, limits, judged);
        ++part.checked;
        for (const auto& difference : compared.differences)
          if (!difference.within)
            part.wrong.push_back(sample.name + ": " + difference.name + " of member " +
                                 std::to_string(difference.worst_member) + " is " + format_number(difference.a) +
                                 " and " + format_number(difference.b));
        for (const auto& wrong : compared.wrong)
          part.wrong.push_back(sample.name + ": member " + std::to_string(wrong.member) + ": " + wrong.what);
        for (const auto& unknown : compared.unjudged)
          part.wrong.push_back(sample.name + ": member " + std::to_string(unknown.member) + ": " + unknown.what);
      }
    });
  }

  void check_statistics() {
    add_part("statistics", "cpu", "numbers",
             [&](Finding& part) { take(part, check_known_statistics(statistics::cpu_engine())); });
    if (!is_tested("cuda")) return;
    add_part("statistics", "cuda, and same bits as cpu", "numbers", [&](Finding& part) {
      std::error_code ignored;
      if (!std::filesystem::exists(statistics::cuda_plugin(), ignored)) {
        part.skipped = "this program was built without the CUDA toolkit, its statistics run on the CPU";
        return;
      }
      listener_.doing("cuda: statistics");
      const auto engine = statistics::make_cuda_engine(first_device());
      take(part, check_known_statistics(*engine));
      take(part, compare_engines(*engine, statistics::cpu_engine()));
    });
  }

  static void take(Finding& part, const Found& found) {
    part.checked += found.checked;
    part.wrong.insert(part.wrong.end(), found.wrong.begin(), found.wrong.end());
  }

  // --devices says "1,2", "all" or nothing; executors have been made, so it is right
  int first_device() const {
    const std::string& devices = request_.execution.devices;
    return devices.empty() || devices == "all" ? 0 : std::stoi(devices);
  }

  void measure_cuda() {
    if (!is_tested("cuda") || refused_.contains("cuda")) return;
    add_part("throughput", "cuda", "runs", [&](Finding& part) {
      const executor::cuda::DeviceFacts device =
          executor::cuda::find_device_facts().at(static_cast<std::size_t>(first_device()));
      if (device.emulated()) {
        part.skipped = "device code is emulated here, no throughput is measured";
        return;
      }
      listener_.doing("cuda: measuring");
      executor::Options one = request_.execution;
      one.devices = std::to_string(first_device());
      report_.throughput = measure_throughput(find_sample(samples_, "slider").scenario, device, one, watch_);
      part.checked = 1;
    });
  }

  const Request& request_;
  const executor::Watch& watch_;
  const Listener& listener_;
  SampleSet samples_ = read_samples();
  std::map<std::string, Answers> answers_;
  std::map<std::string, Sentence> refused_;  // executor -> what it said
  Report report_;
};

}  // namespace

TestResult Report::verdict() const {
  TestResult all = TestResult::passed;
  for (const Finding& part : parts) {
    if (!part.failure.empty()) return TestResult::failed;
    if (!part.wrong.empty()) all = TestResult::differs;
  }
  return all;
}

std::string_view to_name(TestResult verdict) {
  return verdict == TestResult::passed ? "passed" : verdict == TestResult::differs ? "differs" : "failed";
}

Report run_selftest(const Request& request, const executor::Watch& watch, const Listener& listener) {
  return Battery(request, watch, listener).run();
}

std::vector<SampleHash> make_hashes(const Request& request, const executor::Watch& watch, const Listener& listener) {
  if (request.backend == "all")
    throw InputError(about(setting::hashes) + "name one executor, cpu or cuda: they give the same bits");
  return Battery(request, watch, listener).hash();
}

}  // namespace conesweep::selftest
