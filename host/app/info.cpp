#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "app/options.hpp"
#include "executor/executor.hpp"
#include "io/run_folder.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

// The program of that name on PATH, or nothing.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code ignored;
    const std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (!folder.empty() && std::filesystem::is_regular_file(candidate, ignored)) return candidate.string();
  }
  return {};
}

}  // namespace

int info(const Options& options) {
  nlohmann::ordered_json facts;
  facts["version"] = io::version();
  facts["built"] = {{"compiler", CONESWEEP_COMPILER}, {"type", CONESWEEP_BUILD_TYPE}, {"cuda_toolkit", std::string(CONESWEEP_CUDA_TOOLKIT)}};
  facts["executors"] = executor::executor_names();
  facts["cpu"] = {{"name", cpu_name()}, {"threads", std::thread::hardware_concurrency()}};
  for (const char* program : {"g++", "clang++", "nvcc", "gnuplot"}) facts["programs"][program] = find_program(program);
  if (options.json) {
    std::cout << facts.dump(2) << "\n";
    return fine;
  }
  const std::string toolkit = facts["built"]["cuda_toolkit"];
  std::cout << "conesweep " << io::version() << "\n"
            << "  built with   " << CONESWEEP_COMPILER << ", " << CONESWEEP_BUILD_TYPE << ", CUDA toolkit " << (toolkit.empty() ? "none" : toolkit) << "\n"
            << "  executors    " << join_words(executor::executor_names()) << "\n"
            << "  CPU          " << cpu_name() << ", " << std::thread::hardware_concurrency() << " threads\n";
  for (const auto& [program, path] : facts["programs"].items())
    std::cout << "  " << program << std::string(13 - program.size(), ' ') << (path.get<std::string>().empty() ? "not found" : path.get<std::string>()) << "\n";
  return fine;
}

}  // namespace conesweep::app
