#include "selftest/selftest.hpp"

#include <unistd.h>
#include <cstdio>
#include <iostream>
#include <mutex>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/safe_output.hpp"
#include "app/spelling.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "executor/cuda/cuda_executor.hpp"
#include "io/version.hpp"
#include "model/compiler.hpp"
#include "selftest/outcome_hash.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

struct SelftestOptions {
  ExecutionFlags execution;
  bool hashes = false;
  TalkFlags talk;
};

using nlohmann::ordered_json;
using selftest::Finding;
using selftest::Report;
using selftest::TestResult;

constexpr std::size_t shown_wrong = 10;

/// What is being done, on the terminal's last line; nothing elsewhere: the parts come one by one on standard output.
class Doing {
 public:
  explicit Doing(bool shown) : shown_(shown && isatty(STDERR_FILENO) == 1) {}
  ~Doing() { clear(); }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

  void show(const std::string& what) {
    const std::lock_guard guard(lock_);
    if (!shown_) return;
    wipe_line();
    std::cerr << what << " …" << std::flush;
  }
  void clear() {
    const std::lock_guard guard(lock_);
    if (shown_) wipe_line();
  }

 private:
  bool shown_;
  std::mutex lock_;
};

/// What makes the models here: as far as results can depend on it.
struct Machine {
  executor::cuda::Foundation cuda = executor::cuda::find_foundation();
  std::string compiler;  // of the cpu executor's models; empty: there is none
};

Machine look_at_machine() {
  Machine machine;
  if (const auto compiler = model::find_host_compiler(); !compiler.empty()) {
    const std::string said = model::ask_version(compiler);
    machine.compiler = said.empty() ? model::join(compiler) : said.substr(0, said.find('\n'));
  }
  return machine;
}

std::string describe(const Finding& part) {
  if (!part.skipped.empty()) return "skipped: " + part.skipped;
  if (!part.failure.empty()) return "FAILED: " + in_flags(part.failure);
  const std::string all = counted(part.checked) + " " + part.unit;
  if (part.wrong.empty()) return all;
  return all + ", WRONG in " + counted(static_cast<std::int64_t>(part.wrong.size()), "place");
}

void print(const Finding& part) {
  if (part.title == "throughput" && part.skipped.empty() && part.failure.empty()) return;  // said with its numbers
  constexpr std::size_t width = 18;
  std::cout << "  " << part.title << std::string(width - part.title.size(), ' ') << part.on << ": " << describe(part)
            << "\n";
  for (std::size_t k = 0; k < std::min(part.wrong.size(), shown_wrong); ++k)
    std::cout << "    " << part.wrong[k] << "\n";
  if (part.wrong.size() > shown_wrong)
    std::cout << "    … and " << counted(static_cast<std::int64_t>(part.wrong.size() - shown_wrong)) << " more\n";
  std::cout << std::flush;
}

void print(const selftest::Throughput& throughput) {
  std::cout << "  throughput        cuda: " << format_short(throughput.measured / 1e6, 4)
            << " million member·steps/s of the slider, " << counted(throughput.members, "member");
  if (throughput.model.rate > 0)
    std::cout << "; " << format_short(100 * throughput.measured / throughput.model.rate, 3) << " % of the model's "
              << format_short(throughput.model.rate / 1e6, 4) << " (limit: " << throughput.model.limit << ")";
  else
    std::cout << "; the driver does not tell what the model needs";
  std::cout << "\n";
}

// one line that tells everything: what a user sends us
std::string verdict_line(const Report& report, const Machine& machine) {
  std::int64_t passed = 0, wrong = 0, failed = 0, skipped = 0;
  for (const Finding& part : report.parts)
    ++(!part.failure.empty() ? failed : !part.skipped.empty() ? skipped : !part.wrong.empty() ? wrong : passed);
  std::string line = "selftest " + std::string(to_name(report.verdict())) + ": conesweep " + io::version() +
                     " (" CONESWEEP_COMPILER ", " CONESWEEP_BUILD_TYPE "), " + join_words(report.executors) + " on " +
                     (report.device.empty() ? "no device" : report.device) + ", double; ";
  line += machine.cuda.driver.empty() ? "no CUDA driver" : "driver for CUDA " + machine.cuda.driver;
  line += machine.cuda.nvrtc.empty() ? ", no NVRTC" : ", NVRTC " + machine.cuda.nvrtc;
  line += "; models by " + (machine.compiler.empty() ? "no compiler" : machine.compiler);
  line += "; " + counted(passed) + " parts passed";
  for (const auto& [count, what] : {std::pair(wrong, "wrong"), {failed, "failed"}, {skipped, "skipped"}})
    if (count > 0) line += ", " + counted(count) + " " + what;
  if (!report.notices.empty()) line += ", drawn parameters differ";
  return line + "; hash " + (report.hash == 0 ? "none" : to_hex(report.hash));
}

ordered_json to_json(const Report& report, const Machine& machine) {
  ordered_json parts = ordered_json::array();
  for (const Finding& part : report.parts)
    parts.push_back({{"title", part.title},
                     {"on", part.on},
                     {"checked", part.checked},
                     {"unit", part.unit},
                     {"wrong", part.wrong},
                     {"failure", in_flags(part.failure)},
                     {"skipped", part.skipped}});
  ordered_json json = {{"verdict", to_name(report.verdict())},
                       {"line", verdict_line(report, machine)},
                       {"version", io::version()},
                       {"executors", report.executors},
                       {"reason", report.reason},
                       {"device", report.device},
                       {"driver", machine.cuda.driver},
                       {"nvrtc", machine.cuda.nvrtc},
                       {"compiler", machine.compiler},
                       {"precision", "double"},
                       {"hash", report.hash == 0 ? "" : to_hex(report.hash)},
                       {"parts", parts},
                       {"notices", report.notices}};
  if (const auto& t = report.throughput)
    json["throughput"] = {{"member_steps_per_second", t->measured},
                          {"model", t->model.rate},
                          {"limit", t->model.limit},
                          {"members", t->members}};
  return json;
}

int run_selftest(const SelftestOptions& options) {
  selftest::Request request;
  request.backend = options.execution.backend;
  request.execution = to_execution(options.execution, options.talk);
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  const bool talk = options.talk.talks() && !options.hashes;
  Doing doing(!options.talk.quiet);
  selftest::Listener listener;
  listener.doing = [&](const std::string& what) { doing.show(what); };
  listener.finished = [&](const Finding& part) {
    doing.clear();
    if (talk) print(part);
  };
  if (options.hashes) {
    const auto hashes = selftest::make_hashes(request, watch, listener);
    doing.clear();
    std::cout << selftest::format_hashes(hashes);
    return fine;
  }
  if (talk) std::cout << "conesweep " << io::version() << " selftest, double precision\n" << std::flush;
  const Report report = selftest::run_selftest(request, watch, listener);
  doing.clear();
  const Machine machine = look_at_machine();
  if (options.talk.json)
    std::cout << to_json(report, machine).dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  if (talk) {
    if (report.throughput) print(*report.throughput);
    for (const std::string& notice : report.notices) std::cout << "  note: " << notice << "\n";
    std::cout << "  " << join_words(report.executors) << " " << (report.executors.size() == 1 ? "was" : "were")
              << " tested: " << report.reason << "\n"
              << verdict_line(report, machine) << "\n";
  }
  return report.verdict() == TestResult::passed    ? fine
         : report.verdict() == TestResult::differs ? some_stopped
                                                   : failure;
}

void declare(Flags& flags, SelftestOptions& options) {
  add_backend(flags, options.execution,
              "executor: auto (what a large run takes), all (every one that is here), cuda, cpu, reference", {"all"});
  add_threads(flags, options.execution);
  add_devices(flags, options.execution);
  flags.add("--hashes", options.hashes,
            "print the hashes of all samples' results, as in samples/hashes.txt, and nothing else");
  add_quiet(flags, options.talk, "print errors only: the exit code tells");
  add_json(flags, options.talk);
}

}  // namespace

Command selftest_command() {
  return make_command<SelftestOptions>(
      {"selftest", "is everything right on this machine? exact answers, published bits, cuda against cpu, statistics",
       "  conesweep selftest\n  conesweep selftest --backend all\n  conesweep selftest --hashes\n"
       "Takes less than a minute. The last line is what to send when something is wrong.\n"
       "Exit codes: 0 all is right; 1 something differs; 3 a device or the system refused."},
      declare, run_selftest);
}

}  // namespace conesweep::app
