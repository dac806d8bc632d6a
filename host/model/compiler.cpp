#include "model/compiler.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <fcntl.h>

#include "model/child_process.hpp"
#include "support/error.hpp"

namespace conesweep::model {
namespace {

// No contraction, no errno; IEEE otherwise. Lanes and FMA as this CPU has them: the bits do not depend on it. The second row is what a model has no use for:
// packs are vectors already, and short loops of what is solved member by member are slower with more of them (1.2 to 1.8 times on the systems of
// bench/coupled.py); functions call each other directly; nothing is thrown; ranges of integers are not worth a twentieth of the compiler's time.
const std::vector<std::string> compiler_flags = {"-std=c++20",
                                                 "-O3",
                                                 "-march=native",
                                                 "-ffp-contract=off",
                                                 "-fno-math-errno",
                                                 "-fno-trapping-math",
                                                 "-shared",
                                                 "-fPIC",
                                                 "-w",
                                                 "-pipe",
                                                 "-fno-tree-vectorize",
                                                 "-fno-tree-vrp",
                                                 "-fvisibility=hidden",
                                                 "-fno-exceptions",
                                                 "-fno-rtti",
                                                 "-fno-asynchronous-unwind-tables"};

// What -march=native means here.
std::string cpu_features() {
  std::ifstream in("/proc/cpuinfo");
  std::string features;
  for (std::string line; std::getline(in, line) && !line.empty();)
    if (line.starts_with("model") || line.starts_with("flags") || line.starts_with("vendor")) features += line;
  return features;
}

std::vector<std::string> full_command() {
  std::vector<std::string> words = find_host_compiler();
  if (words.empty()) throw SystemError("no C++ compiler was found for the cpu executor" + missing_compiler() + "; install g++, or use --backend reference");
  words.insert(words.end(), compiler_flags.begin(), compiler_flags.end());
  const char* more = std::getenv("CONESWEEP_CXXFLAGS");
  for (const std::string& flag : split_words(more == nullptr ? "" : more)) words.push_back(flag);
  return words;
}

bool contains_any(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (text.find(part) != std::string::npos) return true;
  return false;
}

// What a compiler that failed means for the user.
[[noreturn]] void explain(const std::string& compiler, int code, const std::string& said, const Cache& cache, const WorkFolder& work, const std::string& text) {
  if (code == 128 + SIGINT || code == 128 + SIGTERM) throw Interrupted();
  if (contains_any(said, {"No space left on device", "Disk quota exceeded"}))
    throw SystemError("no room left while compiling in " + work.path().parent_path().string() + "; set CONESWEEP_CACHE to a folder of your own with room");
  if (code == 127) throw SystemError("cannot run the compiler " + compiler + "; use --backend reference");
  if (code > 128) throw SystemError("the compiler " + compiler + " was ended by signal " + std::to_string(code - 128) + " (memory?); use --backend reference");
  if (contains_any(said, {"signal terminated program", "out of memory", "virtual memory exhausted", "Cannot allocate memory", "bad_alloc"}))
    throw SystemError("the compiler " + compiler + " ran out of memory with this model; give it more, make the model smaller, or use --backend reference");
  throw SystemError("internal error: " + compiler + " refuses generated code (" + cache.keep_refused(text, "cpp") + "); please report it. It said:\n" +
                    said.substr(0, 2000));
}

Descriptor make_file(const WorkFolder& work, const char* name) {
  Descriptor file(openat(work.folder(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) throw SystemError("cannot write " + (work.path() / name).string() + "; set CONESWEEP_CACHE to a folder of your own with room");
  return file;
}

// The shared object that `command` makes of `text`.
std::string compile(std::vector<std::string> command, const std::string& text, const Cache& cache, const WorkFolder& work, const CompileWatch& watch) {
  const std::string compiler = command[0];
  const std::string made = "model.so";
  if (!write_all(make_file(work, "model.cpp").number(), text))
    throw SystemError("no room left in " + work.path().string() + "; set CONESWEEP_CACHE to a folder of your own with room");
  command.insert(command.end(), {"-o", made, "model.cpp"});
  const Descriptor log = make_file(work, "log");
  const int code = run_program(command, work.folder(), log.number(), watch);
  std::string said, content;
  lseek(log.number(), 0, SEEK_SET);
  read_all(log.number(), said);
  if (code != 0) explain(compiler, code, said, cache, work, text);
  const Descriptor object(openat(work.folder(), made.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!object || !read_all(object.number(), content)) throw SystemError("cannot read what " + compiler + " made in " + work.path().string());
  return content;
}

}  // namespace

CompiledUnit::CompiledUnit(const std::string& text, const CompileWatch& watch) {
  const std::vector<std::string> command = full_command();
  std::string identity = text + identify_compiler(find_host_compiler()) + cpu_features();
  for (const auto& word : command) identity += " " + word;
  const std::string name = cache_key(identity) + ".so";

  Cache cache;
  if (const auto kept = cache.read(name)) {
    object_ = std::make_unique<SharedObject>(*kept);
  } else {
    const auto start = std::chrono::steady_clock::now();
    const auto work = cache.make_work_folder();
    const std::string content = compile(command, text, cache, *work, watch);
    cache.write(*work, name, content);
    compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    object_ = std::make_unique<SharedObject>(content);
  }
  notice_ = cache.notice();
}

void* CompiledUnit::find_symbol(const char* name) const {
  void* symbol = object_->find(name);
  if (symbol == nullptr) throw SystemError(std::string("internal error: the compiled model has no ") + name);
  return symbol;
}

}  // namespace conesweep::model
