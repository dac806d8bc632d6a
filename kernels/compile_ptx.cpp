#include "compile_ptx.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

#include "driver.hpp"
#include "model/cache.hpp"
#include "model/find_compiler.hpp"

namespace conesweep::kernels {
namespace {

// The newest architecture that both know: PTX of an older one runs on a newer device.
std::string choose_architecture(const Compiler& c, int major, int minor) {
  int count = 0;
  c.nvrtcGetNumSupportedArchs(&count);
  std::vector<int> known(static_cast<std::size_t>(std::max(count, 1)));
  c.nvrtcGetSupportedArchs(known.data());
  int architecture = 0;
  for (const int a : known)
    if (a <= 10 * major + minor) architecture = std::max(architecture, a);
  if (architecture == 0)
    throw SystemError("this GPU (compute capability " + std::to_string(major) + "." + std::to_string(minor) +
                      ") is too old for NVRTC " + c.version + "; use " + setting::backend("cpu"));
  return "--gpu-architecture=compute_" + std::to_string(architecture);
}

struct Translation {
  bool done = false;  // false: `result` is what the compiler said
  std::string result;
};

Translation translate(const std::string& text, const std::vector<std::string>& options) {
  const Compiler& c = nvrtc();
  nvrtcProgram program = nullptr;
  if (c.nvrtcCreateProgram(&program, text.c_str(), "model.cu", 0, nullptr, nullptr) != 0)
    throw SystemError("internal error: NVRTC takes no program");
  std::vector<const char*> words;
  for (const auto& option : options) words.push_back(option.c_str());
  Translation made;
  made.done = c.nvrtcCompileProgram(program, static_cast<int>(words.size()), words.data()) == 0;
  std::size_t size = 0;
  (made.done ? c.nvrtcGetPTXSize : c.nvrtcGetProgramLogSize)(program, &size);
  made.result.resize(size);
  (made.done ? c.nvrtcGetPTX : c.nvrtcGetProgramLog)(program, made.result.data());
  c.nvrtcDestroyProgram(&program);
  return made;
}

// NVRTC cannot be stopped. Where it is still at work when the program ends, its thread must not meet a library that is
// being taken down: the program then ends without that. Registered last, this runs first.
void end_beside_nvrtc() {
  on_exit(
      [](int status, void*) {
        std::cout.flush();
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
}

// In a thread of its own, so that the user hears from it and can stop waiting.
Translation translate_watched(const std::string& text, const std::vector<std::string>& options,
                              const model::CompileWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  auto task = std::make_shared<std::packaged_task<Translation()>>([text, options] { return translate(text, options); });
  std::future<Translation> made = task->get_future();
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) {
    (*task)();  // no thread to be had
  }
  while (made.wait_for(std::chrono::milliseconds(model::compile_poll)) != std::future_status::ready) {
    if (watch.stopped()) {
      end_beside_nvrtc();
      if (watch.finished) watch.finished();
      throw Interrupted();
    }
    if (watch.waiting)
      watch.waiting(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 0);
  }
  if (watch.finished) watch.finished();
  return made.get();
}

}  // namespace

CompiledPtx compile_ptx(const std::string& text, int major, int minor, const model::CompileWatch& watch) {
  const Compiler& c = nvrtc();
  // lambdas inside our functions carry no annotation of their own: -default-device
  std::vector<std::string> options = {choose_architecture(c, major, minor),
                                      "-fmad=false",
                                      "-std=c++20",
                                      "-default-device",
                                      "--prec-div=true",
                                      "--prec-sqrt=true",
                                      "--ftz=false"};
  const char* more = std::getenv("CONESWEEP_NVRTCFLAGS");
  for (const std::string& option : model::split_words(more == nullptr ? "" : more)) options.push_back(option);
  std::string identity = text + "nvrtc " + c.version;
  for (const auto& option : options) identity += " " + option;
  const std::string name = model::cache_key(identity) + ".ptx";

  model::Cache cache;
  if (auto kept = cache.read(name)) return {std::move(*kept), 0, cache.notice()};
  const auto start = std::chrono::steady_clock::now();
  Translation made = translate_watched(text, options, watch);
  if (!made.done)
    throw SystemError("internal error: NVRTC refuses generated code (" + cache.keep_refused(text, "cu") +
                      "); please report it. It said:\n" + made.result.substr(0, 2000));
  const auto work = cache.make_work_folder();
  cache.write(*work, name, made.result);
  return {std::move(made.result), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          cache.notice()};
}

}  // namespace conesweep::kernels
