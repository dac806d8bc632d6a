#include "model/compiler.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.hpp"

extern char** environ;

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_cache = 256u << 20;  // bytes; a compiled model has about 50 kB

// No contraction, no errno; IEEE otherwise. Lanes and FMA as this CPU has them: the bits do not depend on it.
const std::vector<std::string> compiler_flags = {"-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC", "-w"};

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

// What -march=native means here.
std::string cpu_features() {
  std::ifstream in("/proc/cpuinfo");
  std::string features;
  for (std::string line; std::getline(in, line) && !line.empty();)
    if (line.starts_with("model") || line.starts_with("flags") || line.starts_with("vendor")) features += line;
  return features;
}

// Changes whenever the compiler is another one.
std::string compiler_identity(const std::string& program) {
  std::error_code ignored;
  const fs::path real = fs::canonical(program, ignored);
  const auto time = fs::last_write_time(real, ignored).time_since_epoch().count();
  return real.string() + " " + std::to_string(time) + " " + std::to_string(fs::file_size(real, ignored));
}

// Runs a program with its output in `log`; returns its exit code, or -1 if it could not be started.
int run_program(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string unique_suffix() {
  static std::atomic<int> count = 0;
  return ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

}  // namespace

fs::path cache_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const auto own = variable("CONESWEEP_CACHE"); !own.empty()) return own;
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "conesweep";
  if (const auto home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "conesweep";
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / ("conesweep-" + std::to_string(getuid()));
}

std::string cache_key(const std::string& text) {
  char key[40];
  std::snprintf(key, sizeof key, "%016llx%016llx", static_cast<unsigned long long>(fnv1a(text, 0xcbf29ce484222325ull)),
                static_cast<unsigned long long>(fnv1a(text, 0x84222325cbf29ce4ull)));
  return key;
}

void trim_cache(const fs::path& folder) {
  struct File {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t size;
  };
  std::vector<File> files;
  std::uintmax_t total = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;
    const File file{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
    if (gone) continue;  // another process was faster
    files.push_back(file);
    total += file.size;
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.time < b.time; });
  for (const File& file : files) {
    if (total <= largest_cache) return;
    fs::remove(file.path, error);
    total -= file.size;
  }
}

void publish(const fs::path& file, const std::string& content) {
  fs::path temporary = file;
  temporary += unique_suffix();
  std::ofstream out(temporary, std::ios::binary);
  out << content;
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, file, error);
  if (!out || error) {
    fs::remove(temporary, error);
    throw SystemError("cannot write " + file.string() + "; set CONESWEEP_CACHE to a folder with room");
  }
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) return candidate.string();
  }
  return {};
}

std::string find_host_compiler() {
  for (const char* variable : {"CONESWEEP_CXX", "CXX"})
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return find_program(name);
  for (const char* name : {"g++", "clang++", "c++"})
    if (auto found = find_program(name); !found.empty()) return found;
  return {};
}

CompiledUnit::CompiledUnit(const std::string& text) {
  const std::string compiler = find_host_compiler();
  if (compiler.empty()) throw SystemError("no C++ compiler was found for the cpu executor; install g++, or use --backend reference");
  std::string identity = text + compiler_identity(compiler) + cpu_features();
  for (const auto& flag : compiler_flags) identity += " " + flag;
  const std::string key = cache_key(identity);
  const fs::path folder = cache_folder();
  const fs::path object = folder / (key + ".so");

  std::error_code error;
  if (!fs::exists(object, error)) {
    const auto start = std::chrono::steady_clock::now();
    fs::create_directories(folder, error);
    const fs::path source = folder / (key + ".cpp");
    publish(source, text);
    const std::string suffix = unique_suffix();
    const fs::path made = object.string() + suffix, log = folder / (key + ".log" + suffix);
    std::vector<std::string> command = {compiler};
    command.insert(command.end(), compiler_flags.begin(), compiler_flags.end());
    command.insert(command.end(), {"-o", made.string(), source.string()});
    const int code = run_program(command, log);
    if (code != 0) {
      std::ifstream in(log);
      std::string first((std::istreambuf_iterator<char>(in)), {});
      fs::remove(made, error), fs::remove(log, error);
      if (code < 0) throw SystemError("cannot run the compiler " + compiler + "; use --backend reference");
      throw SystemError("internal error: " + compiler + " refuses generated code (kept in " + source.string() + "); please report it. It said:\n" + first.substr(0, 2000));
    }
    fs::rename(made, object, error);
    fs::remove(log, error), fs::remove(source, error);
    trim_cache(folder);
    compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } else {
    fs::last_write_time(object, fs::file_time_type::clock::now(), error);  // used: keep it
  }
  handle_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw SystemError("cannot load " + object.string() + ": " + dlerror() + "; remove it and try again");
}

CompiledUnit::~CompiledUnit() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* CompiledUnit::find_symbol(const char* name) const {
  void* symbol = dlsym(handle_, name);
  if (symbol == nullptr) throw SystemError(std::string("internal error: the compiled model has no ") + name);
  return symbol;
}

}  // namespace conesweep::model
