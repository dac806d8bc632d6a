#include <fstream>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "app/options.hpp"
#include "executor/executor.hpp"
#include "io/run_folder.hpp"
#include "model/compiler.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

int info(const Options& options) {
  nlohmann::ordered_json facts;
  facts["version"] = io::version();
  facts["built"] = {{"compiler", CONESWEEP_COMPILER}, {"type", CONESWEEP_BUILD_TYPE}, {"cuda_toolkit", std::string(CONESWEEP_CUDA_TOOLKIT)}};
  facts["executors"] = executor::executor_names();
  facts["cache"] = model::cache_folder().string();
  facts["cpu"] = {{"name", cpu_name()}, {"threads", std::thread::hardware_concurrency()}};
  for (const char* program : {"g++", "clang++", "nvcc", "gnuplot"}) facts["programs"][program] = model::find_program(program);
  if (options.json) {
    std::cout << facts.dump(2) << "\n";
    return fine;
  }
  const std::string toolkit = facts["built"]["cuda_toolkit"];
  std::cout << "conesweep " << io::version() << "\n"
            << "  built with   " << CONESWEEP_COMPILER << ", " << CONESWEEP_BUILD_TYPE << ", CUDA toolkit " << (toolkit.empty() ? "none" : toolkit) << "\n"
            << "  executors    " << join_words(executor::executor_names()) << "\n"
            << "  CPU          " << cpu_name() << ", " << std::thread::hardware_concurrency() << " threads\n"
            << "  cache        " << model::cache_folder().string() << " (compiled models; CONESWEEP_CACHE moves it)\n";
  for (const auto& [program, path] : facts["programs"].items())
    std::cout << "  " << program << std::string(13 - program.size(), ' ') << (path.get<std::string>().empty() ? "not found" : path.get<std::string>()) << "\n";
  return fine;
}

}  // namespace conesweep::app
