#include "model/compiler.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.hpp"
#include "support/hash.hpp"

extern char** environ;

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

// No contraction, no errno; IEEE otherwise. Lanes and FMA as this CPU has them: the bits do not depend on it.
const std::vector<std::string> compiler_flags = {"-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-shared",
                                                 "-fPIC",      "-w"};

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

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

// A shared object ends with a seal, which the loader does not see: loading one that was cut short or changed would end the program.
std::string seal_of(std::string_view content) {
  char seal[40];
  std::snprintf(seal, sizeof seal, "conesweep:%016llx", static_cast<unsigned long long>(fnv1a(content)));
  return seal;
}

bool is_whole(const fs::path& object) {
  const std::string content = read_file(object);
  const std::size_t length = seal_of("").size();
  return content.size() > length && content.substr(content.size() - length) == seal_of(std::string_view(content).substr(0, content.size() - length));
}

bool can_write(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path trial = folder / ("trial" + unique_suffix());
  const bool written = static_cast<bool>(std::ofstream(trial) << "x" << std::flush);
  fs::remove(trial, error);
  return written;
}

// In the system's temporary folder, and nobody else's: what lies there is loaded and run.
fs::path own_temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error) / ("conesweep-" + std::to_string(getuid()));
  mkdir(folder.c_str(), 0700);
  struct stat facts {};
  const bool own = lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == getuid() && (facts.st_mode & 0022) == 0;
  return own && can_write(folder) ? folder : fs::path();
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Compiles `text` and puts the object, sealed, in its place, where readers see it whole or not at all.
void compile(const std::string& compiler, const std::vector<std::string>& flags, const std::string& text, const fs::path& object) {
  const std::string suffix = unique_suffix();
  const fs::path source = object.string() + suffix + ".cpp", made = object.string() + suffix, log = object.string() + suffix + ".log";
  publish(source, text);
  std::vector<std::string> command = {compiler};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-o", made.string(), source.string()});
  const int code = run_program(command, log);
  const std::string said = read_file(log);
  std::error_code error;
  fs::remove(log, error);
  if (code == 0) {
    const std::string content = read_file(made);
    fs::remove(made, error), fs::remove(source, error);
    publish(object, content + seal_of(content));
    return;
  }
  fs::remove(made, error);
  const bool full = said.find("No space left on device") != std::string::npos;
  if (code < 0 || code > 128 || full) fs::remove(source, error);
  if (code == 128 + SIGINT || code == 128 + SIGTERM) throw Interrupted();
  if (full) throw SystemError("no room left while compiling in " + object.parent_path().string() + "; set CONESWEEP_CACHE and TMPDIR to folders with room");
  if (code < 0) throw SystemError("cannot run the compiler " + compiler + "; use --backend reference");
  if (code > 128) throw SystemError("the compiler " + compiler + " was ended by signal " + std::to_string(code - 128) + " (memory?); use --backend reference");
  throw SystemError("internal error: " + compiler + " refuses generated code (kept in " + source.string() + "); please report it. It said:\n" +
                    said.substr(0, 2000));
}

}  // namespace

fs::path cache_folder() {
  if (const auto own = variable("CONESWEEP_CACHE"); !own.empty()) return own;
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "conesweep";
  if (const auto home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "conesweep";
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / ("conesweep-" + std::to_string(getuid()));
}

std::string cache_key(const std::string& text) {
  char key[40];
  std::snprintf(key, sizeof key, "%016llx%016llx", static_cast<unsigned long long>(fnv1a(text)),
                static_cast<unsigned long long>(fnv1a(text, 0x84222325cbf29ce4ull)));
  return key;
}

void trim_cache(const fs::path& folder, std::uintmax_t largest) {
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
    if (total <= largest) return;
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
  for (const char* name : {"CONESWEEP_CXX", "CXX"})
    if (const std::string program = variable(name); !program.empty()) return find_program(program);
  for (const char* name : {"g++", "clang++", "c++"})
    if (auto found = find_program(name); !found.empty()) return found;
  return {};
}

std::string missing_compiler() {
  for (const char* name : {"CONESWEEP_CXX", "CXX"})
    if (const std::string program = variable(name); !program.empty() && find_program(program).empty())
      return std::string(" (") + name + " says '" + program + "')";
  return {};
}

CompiledUnit::CompiledUnit(const std::string& text) {
  const std::string compiler = find_host_compiler();
  if (compiler.empty()) throw SystemError("no C++ compiler was found for the cpu executor" + missing_compiler() + "; install g++, or use --backend reference");
  std::vector<std::string> flags = compiler_flags;
  for (const std::string& flag : split_words(variable("CONESWEEP_CXXFLAGS"))) flags.push_back(flag);
  std::string identity = text + compiler_identity(compiler) + cpu_features();
  for (const auto& flag : flags) identity += " " + flag;
  const std::string name = cache_key(identity) + ".so";

  fs::path folder = cache_folder();
  if (load(folder / name)) return;
  if (!can_write(folder)) {
    const fs::path other = own_temporary_folder();
    if (other.empty())
      throw SystemError("cannot write " + folder.string() +
                        ", nor a folder of one's own in the system's temporary one; set CONESWEEP_CACHE to a folder with room");
    notice_ = "compiled models are kept in " + other.string() + ": " + folder.string() + " cannot be written";
    folder = other;
    if (load(folder / name)) return;
  }

  const auto start = std::chrono::steady_clock::now();
  compile(compiler, flags, text, folder / name);
  trim_cache(folder);
  compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (load(folder / name)) return;
  const char* why = dlerror();
  throw SystemError("cannot load " + (folder / name).string() + ": " + (why == nullptr ? "it is not what was written" : why));
}

// False if it is not there, or not whole.
bool CompiledUnit::load(const fs::path& object) {
  std::error_code error;
  if (!fs::exists(object, error) || !is_whole(object)) return false;
  fs::last_write_time(object, fs::file_time_type::clock::now(), error);  // used: keep it
  handle_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle_ != nullptr;
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
