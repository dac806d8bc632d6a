#include "tools.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "ptxrun.hpp"

namespace fs = std::filesystem;

static std::string text_of(const char* variable, const std::string& otherwise) {
  const char* value = getenv(variable);
  return value && *value ? value : otherwise;
}

static fs::path home() { return text_of("PTXRUN_HOME", PTXRUN_HOME_DEFAULT); }
static std::string compiler() { return text_of("PTXRUN_CXX", PTXRUN_CXX_DEFAULT); }
static std::string python() { return text_of("PTXRUN_PYTHON", PTXRUN_PYTHON_DEFAULT); }

// one word for the shell, whatever is in it
static std::string quote(const std::string& word) {
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// the tools must not find the emulated libraries, nor a library a test was preloaded with
static bool run_tool(const std::string& command) {
  if (ptx_env("PTXRUN_VERBOSE", 0)) fprintf(stderr, "ptxrun: %s\n", command.c_str());
  return system(("unset LD_PRELOAD LD_LIBRARY_PATH; " + command).c_str()) == 0;
}
static void run_or_die(const std::string& command) {
  if (!run_tool(command)) ptx_die("failed: " + command);
}
static std::string translator() { return quote(python()) + " -B " + quote(home() / "ptx2cpp.py") + " "; }

u64 hash_text(const std::string& text, u64 start) {
  u64 h = start;
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h;
}

std::string to_hex(u64 number) {
  char b[20];
  snprintf(b, sizeof b, "%016lx", (unsigned long)number);
  return b;
}

// what -march=native may depend on
static u64 hash_processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (line.rfind("flags", 0) == 0) return hash_text(line);
  return hash_text("");
}

u64 hash_tools() {
  static const u64 all = [] {
    std::vector<fs::path> files = {home() / "generated.hpp", home() / "ptx2cpp.py"};
    for (const auto& entry : fs::directory_iterator(home() / "ptx"))
      if (entry.path().extension() == ".py") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    files.push_back(compiler().find('/') == std::string::npos ? fs::path("/usr/bin") / compiler()
                                                              : fs::path(compiler()));
    u64 h = hash_text(compiler(), hash_processor());
    for (const fs::path& file : files) {
      std::ifstream in(file, std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      h = hash_text(text.str(), h);
    }
    return h;
  }();
  return all;
}

std::string cache_folder() {
  const std::string folder =
      text_of("PTXRUN_CACHE", fs::temp_directory_path() / ("ptxrun-cache-" + std::to_string(getuid())));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    ptx_die("cannot make the folder " + folder + ": " + error.message() +
            "; set PTXRUN_CACHE to one that can be written");
  return folder;
}

bool describe_module(const std::string& ptx_file, const std::string& out_file) {
  return run_tool(translator() + quote(ptx_file) + " --meta " + quote(out_file));
}

void compile_kernel(const std::string& ptx_file, const std::string& kernel, const std::string& options,
                    const std::string& object, bool counted) {
  const std::string source = object + ".cpp";
  run_or_die(translator() + quote(ptx_file) + (counted ? " --counted " : " --kernel ") + quote(kernel) + " " +
             quote(source));
  // one IEEE operation for each of PTX: nothing contracted, nothing assumed about overflow and aliases
  run_or_die(quote(compiler()) + " -std=c++17 " + options +
             " -march=native -mno-avx512f -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno "
             "-fno-exceptions -w -fPIC -shared -I" +
             quote(home()) + " " + quote(source) + " -o " + quote(object));
  if (!ptx_env("PTXRUN_KEEP", 0)) unlink(source.c_str());
}
