#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "selftest/exact_cases.hpp"
#include "selftest/published.hpp"
#include "selftest/throughput.hpp"
#include "support/sentence.hpp"

namespace conesweep::selftest {

/// What to try, and what must be true.
struct Request {
  std::string backend = "auto";  // auto: what a large run takes; all: every executor that is here
  executor::Options execution;   // threads, devices; double precision
  std::vector<ExactCase> cases = exact_cases();
  std::vector<SampleHash> published = published_hashes();
};

/// One question and its answer. Of `wrong`, `failure` and `skipped` at most one is there.
struct Finding {
  std::string title;               // "exact answers"
  std::string on;                  // executors: "cuda", "cuda and cpu"
  std::int64_t checked = 0;        //
  std::string unit;                // of what was checked: "cases", "values"
  std::vector<std::string> wrong;  // a sentence each
  Sentence failure;                // what the device or the system refused
  std::string skipped;             // why it was not tested; empty: it was
};

enum class TestResult { passed, differs, failed };

struct Report {
  std::vector<std::string> executors;  // tested
  std::string reason;                  // why these
  std::string device;                  // of the first one
  std::vector<Finding> parts;
  std::vector<std::string> notices;  // what the user should know, and is no fault
  std::uint64_t hash = 0;            // over all results of the first executor
  std::optional<Throughput> throughput;

  TestResult verdict() const;
};

/// Where a selftest tells how far it is.
struct Listener {
  std::function<void(const std::string& what)> doing = [](const std::string&) {};  // from any thread
  std::function<void(const Finding& part)> finished = [](const Finding&) {};
};

/// Exact answers and published hashes on each executor, bits between cuda and cpu, cpu against reference, statistics,
/// and the throughput of a GPU. A device that refuses fails its part and the others go on. Throws Interrupted when
/// asked to stop, InputError for an unknown executor.
Report run_selftest(const Request& request, const executor::Watch& watch, const Listener& listener);

/// The lines of samples/hashes.txt by the executor called `backend` (not the reference: its bits are its own).
std::vector<SampleHash> make_hashes(const Request& request, const executor::Watch& watch, const Listener& listener);

/// "passed", "differs", "failed"
std::string_view to_name(TestResult verdict);

}  // namespace conesweep::selftest
