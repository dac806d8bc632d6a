#include <iostream>
#include <memory>

#include "app/command.hpp"
#include "app/failure.hpp"
#include "app/flag_groups.hpp"
#include "app/numbers.hpp"
#include "app/terminal.hpp"
#include "io/new_file.hpp"
#include "run/trace.hpp"
#include "support/error.hpp"

namespace conesweep::app {
namespace {

struct TraceOptions {
  ScenarioFlags scenario;
  std::int64_t member = 0;
  std::int64_t every = 1;
  TargetFlags target;
  TalkFlags talk;
};

int trace(const TraceOptions& options) {
  const auto [source, scenario] = load(options.scenario, options.talk);
  const runs::TraceRequest request = {options.member, options.every};
  check_trace(scenario, request);
  const std::atomic<bool>& stop = watch_interrupts();
  std::unique_ptr<io::NewFile> file;
  if (!options.target.out.empty())
    file = std::make_unique<io::NewFile>(options.target.out, io::replace_if(options.target.force));
  const auto write = [&](std::string_view rows) {
    if (file != nullptr)
      file->write(rows);
    else
      std::cout << rows;
  };
  executor::reference::MemberEnd end;
  try {
    end = runs::trace_member(scenario, request, &stop, write);
  } catch (const Interrupted&) {
    if (file == nullptr) throw Interrupted("interrupted; the rows are not all there");
    throw;
  }
  if (file != nullptr) file->finish();
  flush_output();
  return end.status == executor::Status::ok ? fine : some_stopped;
}

void declare(Flags& flags, TraceOptions& options) {
  add_scenario(flags, options.scenario);
  flags.add("--member", options.member, {0, most_count}, "number of the member, from 0 [0]");
  flags.add("--every", options.every, {1, most_count}, "steps between two lines (impacts are always shown) [1]");
  add_target(flags, options.target, "file to write (default: standard output)", "replace that file");
  add_quiet(flags, options.talk, "no warnings");
}

}  // namespace

Command trace_command() {
  return make_command<TraceOptions>({"trace", "one member, every step, with its contact mode, as CSV",
                                     "  conesweep trace slider.toml --member 311\n  conesweep trace slider.toml "
                                     "--member 311 --every 10 --out member.csv"},
                                    declare, trace);
}

}  // namespace conesweep::app
