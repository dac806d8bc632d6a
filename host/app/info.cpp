#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "executor/cuda/cuda_executor.hpp"
#include "executor/executor.hpp"
#include "io/version.hpp"
#include "model/compiler.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

struct InfoOptions {
  TalkFlags talk;
};

int info(const InfoOptions& options) {
  nlohmann::ordered_json facts;
  facts["version"] = io::version();
  facts["built"] = {{"compiler", CONESWEEP_COMPILER},
                    {"type", CONESWEEP_BUILD_TYPE},
                    {"cuda_toolkit", std::string(CONESWEEP_CUDA_TOOLKIT)}};
  facts["executors"] = executor::executor_names();
  facts["cache"] = model::cache_folder().string();
  std::string gpu;
  facts["gpu"] = nlohmann::ordered_json::array();
  if (executor::cuda::is_available(gpu))
    for (const auto& line : executor::cuda::describe_devices()) facts["gpu"].push_back(line);
  const executor::cuda::Foundation foundation = executor::cuda::find_foundation();
  facts["cuda"] = {
      {"driver", foundation.driver}, {"nvrtc", foundation.nvrtc}, {"nvrtc_folder", foundation.nvrtc_folder}};
  facts["cpu"] = {{"name", executor::cpu_name()}, {"threads", std::thread::hardware_concurrency()}};
  for (const char* program : {"g++", "clang++", "nvcc", "gnuplot"})
    facts["programs"][program] = model::find_program(program);
  if (options.talk.json) {
    std::cout << facts.dump(2) << "\n";
    return fine;
  }
  const std::string toolkit = facts["built"]["cuda_toolkit"];
  std::cout << "conesweep " << io::version() << "\n"
            << "  built with   " << CONESWEEP_COMPILER << ", " << CONESWEEP_BUILD_TYPE << ", CUDA toolkit "
            << (toolkit.empty() ? "none" : toolkit) << "\n"
            << "  executors    " << join_words(executor::executor_names()) << "\n"
            << "  CPU          " << executor::cpu_name() << ", " << std::thread::hardware_concurrency() << " threads\n"
            << "  GPU          " << (facts["gpu"].empty() ? gpu : facts["gpu"][0].get<std::string>()) << "\n";
  for (std::size_t k = 1; k < facts["gpu"].size(); ++k)
    std::cout << "               " << facts["gpu"][k].get<std::string>() << "\n";
  std::cout << "  CUDA driver  " << (foundation.driver.empty() ? "not found" : "for CUDA up to " + foundation.driver)
            << "\n"
            << "  NVRTC        "
            << (foundation.nvrtc.empty() ? "not found" : foundation.nvrtc + ", in " + foundation.nvrtc_folder) << "\n";
  std::cout << "  cache        " << model::cache_folder().string() << " (compiled models; CONESWEEP_CACHE moves it)\n";
  for (const auto& [program, path] : facts["programs"].items())
    std::cout << "  " << program << std::string(13 - program.size(), ' ')
              << (path.get<std::string>().empty() ? "not found" : path.get<std::string>()) << "\n";
  return fine;
}

void declare(Flags& flags, InfoOptions& options) { add_json(flags, options.talk); }

}  // namespace

Command info_command() {
  return make_command<InfoOptions>(
      {"info", "version, executors, devices, programs found", "  conesweep info\n  conesweep info --json"}, declare,
      info);
}

}  // namespace conesweep::app
