#include "model/child_process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.hpp"

extern char** environ;

namespace conesweep::model {
namespace {

// Ours, with temporaries where we clean up, and messages that we can read.
std::vector<std::string> make_environment() {
  std::vector<std::string> all = {"TMPDIR=.", "LC_ALL=C"};
  // zig keeps what it makes in ~/.cache, and does nothing where it cannot
  const char* home = std::getenv("HOME");
  if ((home == nullptr || access(home, W_OK) != 0) && std::getenv("ZIG_GLOBAL_CACHE_DIR") == nullptr)
    all.emplace_back("ZIG_GLOBAL_CACHE_DIR=.");
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!text.starts_with("TMPDIR=") && !text.starts_with("LC_ALL=")) all.push_back(text);
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

extern "C" void end_group(int) { kill(0, SIGKILL); }

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// The child: a guard that leads the group. A compiler is several programs, and the death of its parent ends only the
// first. Between fork and exec only what is safe in a signal handler.
[[noreturn]] void guard(pid_t parent, char** argv, char** envp, int folder, int log) {
  setpgid(0, 0);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) std::signal(signal, end_group);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // it died before
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || fchdir(folder) != 0 || dup2(nothing, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0) _exit(127);
  close_range(3, ~0u, 0);  // locks and files of ours must not live on with it
  const pid_t program = fork();
  if (program == 0) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) std::signal(signal, SIG_DFL);
    execve(argv[0], argv, envp);
    _exit(127);
  }
  int status = 127 << 8;
  while (program > 0 && waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(exit_code(status));
}

// Memory of a process and all that it started.
std::int64_t resident_bytes(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  std::int64_t size = 0, pages = 0;
  std::ifstream(folder + "/statm") >> size >> pages;
  std::int64_t bytes = pages * sysconf(_SC_PAGESIZE);
  std::ifstream children(folder + "/task/" + std::to_string(process) + "/children");
  for (pid_t child = 0; children >> child;) bytes += resident_bytes(child);
  return bytes;
}

}  // namespace

int run_program(const std::vector<std::string>& words, int folder, int log, const CompileWatch& watch) {
  const std::vector<std::string> environment = make_environment();
  const std::vector<char*> argv = pointers(words), envp = pointers(environment);
  const auto start = std::chrono::steady_clock::now();
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return 127;
  if (child == 0) guard(parent, const_cast<char**>(argv.data()), const_cast<char**>(envp.data()), folder, log);
  setpgid(child, child);  // here and in the child: either may run first

  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return 127;  // another part of the program waits for all its children
    if (watch.stopped()) {
      kill(-child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      if (watch.finished) watch.finished();
      throw Interrupted();
    }
    if (watch.waiting)
      watch.waiting(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
                    resident_bytes(child));
    usleep(compile_poll * 1000 / (std::chrono::steady_clock::now() - start < std::chrono::seconds(1) ? 10 : 1));
  }
  if (watch.finished) watch.finished();
  return exit_code(status);
}

}  // namespace conesweep::model
