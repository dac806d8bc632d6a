#include "model/compiler.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <variant>
#include <vector>

#include <fcntl.h>

#include "model/child_process.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::model {
namespace {

// No contraction, no errno; IEEE otherwise. Lanes and FMA as this CPU has them: the bits do not depend on it. The
// second row is what a model has no use for: packs are vectors already, and short loops of what is solved member by
// member are slower with more of them (1.2 to 1.8 times on the systems of bench/islands.py; the second of the two flags
// is for clang, whose packs are 1.1 to 1.5 times faster if it makes no vectors out of their lanes); functions call each
// other directly; nothing is thrown; ranges of integers are not worth a twentieth of the compiler's time.
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
                                                 "-fno-tree-slp-vectorize",
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

Command full_command(Command words) {
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

// What it means that a compiler failed.
Refusal explain(const std::string& compiler, int code, const std::string& said, const WorkFolder& work) {
  if (code == 128 + SIGINT || code == 128 + SIGTERM) throw Interrupted();
  if (contains_any(said, {"No space left on device", "Disk quota exceeded"}))
    throw SystemError("no room left while compiling in " + work.path().parent_path().string() +
                      "; set CONESWEEP_CACHE to a folder of your own with room");
  if (code == 127) return {compiler, "cannot be run", ""};
  if (code > 128) return {compiler, "was ended by signal " + std::to_string(code - 128) + " (memory?)", ""};
  if (contains_any(said, {"signal terminated program", "out of memory", "virtual memory exhausted",
                          "Cannot allocate memory", "bad_alloc"}))
    return {compiler, "ran out of memory with this model", ""};
  return {compiler, "refuses generated code", said.empty() ? "nothing\n" : said};
}

// All compilers failed: what the user can do.
[[noreturn]] void give_up(const std::vector<Refusal>& all, const Cache& cache, const std::string& text) {
  std::string told, words;
  for (const Refusal& refusal : all) {
    told += (told.empty() ? "" : ", and ") + refusal.compiler + " " + refusal.what;
    if (!refusal.said.empty())
      words += (words.empty() ? "It said:\n" : "\n" + refusal.compiler + " said:\n") + refusal.said.substr(0, 2000);
  }
  if (words.empty())
    throw SystemError("the compiler " + told +
                      "; give it more memory, make the model smaller, name another one by CONESWEEP_CXX, or use " +
                      setting::backend("reference"));
  throw SystemError("internal error: " + told + " (" + cache.keep_refused(text, "cpp") +
                    "); please report it, and name another compiler by CONESWEEP_CXX or use " +
                    setting::backend("reference") + " meanwhile. " + words);
}

// One sentence of a compiler that was passed over: its name, and the first line of what it said that is about a fault.
std::string tell(const Refusal& refusal) {
  std::istringstream lines(refusal.said);
  std::string first, fault;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (fault.empty() && line.find("error") != std::string::npos) fault = line;
  }
  const std::string line = visible(fault.empty() ? first : fault);
  return "the compiler " + refusal.compiler + " " + refusal.what + (line.empty() ? "" : " (" + cut(line, 160) + ")");
}

Descriptor make_file(const WorkFolder& work, const char* name) {
  Descriptor file(openat(work.folder(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    throw SystemError("cannot write " + (work.path() / name).string() +
                      "; set CONESWEEP_CACHE to a folder of your own with room");
  return file;
}

// The shared object that `command` makes of `text`, or why not.
std::variant<std::string, Refusal> compile(const Command& compiler, Command command, const std::string& text,
                                           const WorkFolder& work, const CompileWatch& watch) {
  const std::string made = "model.so";
  if (!write_all(make_file(work, "model.cpp").number(), text))
    throw SystemError("no room left in " + work.path().string() +
                      "; set CONESWEEP_CACHE to a folder of your own with room");
  command.insert(command.end(), {"-o", made, "model.cpp"});
  const Descriptor log = make_file(work, "log");
  const int code = run_program(command, work.folder(), log.number(), watch);
  std::string said, content;
  lseek(log.number(), 0, SEEK_SET);
  read_all(log.number(), said);
  if (code != 0) return explain(join(compiler), code, said, work);
  const Descriptor object(openat(work.folder(), made.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!object || !read_all(object.number(), content)) return Refusal{join(compiler), "made nothing", ""};
  return content;
}

// What was passed over for `used`: the user named what is not there, or it refused.
std::string tell_passed_over(const std::vector<Command>& compilers, const Command& used) {
  std::string told = missing_compiler();
  if (!told.empty()) told = told.substr(2, told.size() - 3) + ", which is not there";
  for (const Command& compiler : compilers)
    if (const std::string refusal = find_refusal(compiler); !refusal.empty())
      told += (told.empty() ? "" : "; ") + refusal;
  return told.empty() ? "" : told + "; " + join(used) + " is used";
}

}  // namespace

CompiledUnit::CompiledUnit(const std::string& text, const CompileWatch& watch) {
  std::vector<Command> compilers = find_host_compilers();
  if (compilers.empty())
    throw SystemError("no C++ compiler was found for the cpu executor" + missing_compiler() + "; " + advise_compiler() +
                      ", or use " + setting::backend("reference"));
  Cache cache;
  std::vector<Refusal> refusals;  // of the first compilers
  while (refusals.size() < compilers.size()) {
    const auto refusal = make(text, compilers[refusals.size()], cache, watch);
    if (!refusal) break;
    refusals.push_back(*refusal);
    if (refusals.size() == compilers.size())
      for (const Command& more : find_host_compilers(true))
        if (std::find(compilers.begin(), compilers.end(), more) == compilers.end()) compilers.push_back(more);
  }
  if (!object_) give_up(refusals, cache, text);
  // they refused what another one takes: the text is not at fault
  for (std::size_t k = 0; k < refusals.size(); ++k) keep_refusal(compilers[k], tell(refusals[k]));
  if (const std::string told = tell_passed_over(compilers, compilers[refusals.size()]); !told.empty() && watch.note)
    watch.note(told);
  notice_ = cache.notice();
}

std::optional<Refusal> CompiledUnit::make(const std::string& text, const Command& compiler, Cache& cache,
                                          const CompileWatch& watch) {
  const Command command = full_command(compiler);
  const std::string name = cache_key(text + identify_compiler(compiler) + cpu_features() + " " + join(command)) + ".so";
  if (const auto kept = cache.read(name)) {
    object_ = std::make_unique<SharedObject>(*kept);
    return {};
  }
  const auto start = std::chrono::steady_clock::now();
  const auto work = cache.make_work_folder();
  const auto made = compile(compiler, command, text, *work, watch);
  if (const auto* refusal = std::get_if<Refusal>(&made)) return *refusal;
  const auto& content = std::get<std::string>(made);
  cache.write(*work, name, content);
  compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  object_ = std::make_unique<SharedObject>(content);
  return {};
}

void* CompiledUnit::find_symbol(const char* name) const {
  void* symbol = object_->find(name);
  if (symbol == nullptr) throw SystemError(std::string("internal error: the compiled model has no ") + name);
  return symbol;
}

}  // namespace conesweep::model
