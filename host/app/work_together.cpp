#include "app/work_together.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <thread>

#include "app/failure.hpp"
#include "app/terminal.hpp"
#include "support/error.hpp"

namespace conesweep::app {
namespace {

volatile sig_atomic_t worker = 0;  // the child's process number
volatile sig_atomic_t passed_on = 0;

// The first signal only: mpirun sends another one as soon as one rank has ended, and a second one ends the worker
// without its last words.
extern "C" void pass_on(int signal) {
  if (passed_on == 0) kill(worker, signal);
  passed_on = 1;
}

// Waits for the worker, and ends as it did; if a signal ended it that we did not pass on, with a sentence.
[[noreturn]] void wait_for_worker(const team::Launch& launch) {
  int status = 0;
  while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  if (passed_on != 0) _exit(interrupted);
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  say("rank " + std::to_string(launch.rank) + " on " + host + " was ended by signal " +
      std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) +
      "); the job ends, and finished chunks of a run are kept for --resume");
  _exit(failure);
}

// Returns in the worker. It has a process group of its own, so that a signal to the launcher's group comes once, from
// the one who waits; and it does not outlive that one.
void start_worker(const team::Launch& launch) {
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);  // until both know who they are
  const pid_t child = fork();
  if (child < 0)
    throw SystemError("cannot start a process for rank " + std::to_string(launch.rank) + ": " + std::strerror(errno));
  if (child > 0) {
    worker = child;
    setpgid(child, child);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(signal, pass_on);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    wait_for_worker(launch);
  }
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (getppid() != parent) _exit(failure);
}

// One rank talks for all.
[[noreturn]] void end_all(team::Team& team) {
  const Failure failure = describe_failure();
  const team::Seat& place = team.place();
  const bool is_interrupt = failure.code == interrupted;
  if (failure.code == bad_input && !team.leads()) let_rank_0_speak();  // a wrong flag is wrong on all ranks
  const bool speaks = is_interrupt ? team.are_all_interrupted() : team.may_speak();
  std::cout.flush();
  if (speaks && !failure.sentence.empty())
    say((team.leads() ? "" : "rank " + std::to_string(place.rank) + " on " + place.host + ": ") + failure.sentence);
  if (!is_interrupt) team.abort(failure.code);
  _exit(interrupted);
}

}  // namespace

void let_rank_0_speak() { std::this_thread::sleep_for(std::chrono::seconds(3)); }

int work_together(const Command& command, const team::Launch& launch) {
  start_worker(launch);
  if (launch.rank > 0) silence_interrupts();
  std::unique_ptr<team::Team> team;
  try {
    team = team::join_team(launch);
  } catch (const SystemError& error) {
    if (launch.rank == 0) throw;
    let_rank_0_speak();  // mostly it fails as well
    throw SystemError("rank " + std::to_string(launch.rank) + ": " + error.sentence());
  }
  team->watch(&watch_interrupts());
  try {
    const int code = command.run(team.get());
    flush_output();
    silence_interrupts();  // all is said
    team->leave();
    return team->leads() ? code : fine;
  } catch (...) {
    end_all(*team);
  }
}

}  // namespace conesweep::app
