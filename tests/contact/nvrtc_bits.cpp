// The coupled step as a model's text reaches a device: compiled by NVRTC with no include path but ours, loaded by the
// driver. Compares with the host, hash by hash.
//
//     nvrtc_bits INCLUDE FOLDER_OF_bits_problems
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bits_problems.hpp"

namespace {

constexpr int problems = 192;  // of each kind

constexpr const char* text = R"(
#include "bits_problems.hpp"
extern "C" __global__ void solve(int kind, int problems, unsigned long long* hashes) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int stages[4] = {0, 0, 0, 0};
  if (i < problems) hashes[i] = conesweep::bits::hash_problem<double>(kind, i, stages);
}
)";

int fail(const char* what, int code) {
  std::printf("%s: %d\n", what, code);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return fail("wanted: INCLUDE FOLDER", count);
  nvrtcProgram program = nullptr;
  nvrtcCreateProgram(&program, text, "coupled.cu", 0, nullptr, nullptr);
  const std::string include = std::string("-I") + arguments[1], folder = std::string("-I") + arguments[2];
  const char* options[] = {"-arch=compute_75", "-fmad=false",   "-std=c++20",
                           "-default-device",  include.c_str(), folder.c_str()};
  const int compiled = nvrtcCompileProgram(program, static_cast<int>(std::size(options)), options);
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::printf("%s", log.c_str());
  if (compiled != 0) return fail("NVRTC", compiled);
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, '\0');
  nvrtcGetPTX(program, ptx.data());
  nvrtcDestroyProgram(&program);

  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  if (const int code = cuInit(0)) return fail("cuInit", code);
  if (const int code = cuDevicePrimaryCtxRetain(&context, 0)) return fail("context", code);
  cuCtxSetCurrent(context);
  if (const int code = cuModuleLoadData(&module, ptx.c_str())) return fail("module", code);
  if (const int code = cuModuleGetFunction(&kernel, module, "solve")) return fail("kernel", code);
  CUdeviceptr on_device = 0;
  if (const int code = cuMemAlloc(&on_device, sizeof(unsigned long long) * problems)) return fail("memory", code);
  int different = 0;
  for (int kind = 0; kind < conesweep::bits::kinds; ++kind) {
    int number = problems;
    void* parameters[] = {&kind, &number, &on_device};
    if (const int code = cuLaunchKernel(kernel, problems / 64, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr))
      return fail("launch", code);
    std::vector<unsigned long long> hashes(problems);
    if (const int code = cuMemcpyDtoH(hashes.data(), on_device, sizeof(unsigned long long) * problems))
      return fail("copy", code);
    int stages[4] = {0, 0, 0, 0};
    for (int i = 0; i < problems; ++i)
      different += hashes[static_cast<std::size_t>(i)] != conesweep::bits::hash_problem<double>(kind, i, stages);
  }
  cuMemFree(on_device);
  std::printf("%d of %d steps differ\n", different, problems * conesweep::bits::kinds);
  return different == 0 ? 0 : 1;
}
