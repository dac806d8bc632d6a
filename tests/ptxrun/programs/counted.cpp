// Launches one kernel of a file of PTX, in one block: counted FILE KERNEL THREADS
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
int main(int count, char** words) {
  if (count != 4) return 2;
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr place;
  cuMemAlloc(&place, 64);
  if (cuModuleLoad(&module, words[1]) || cuModuleGetFunction(&kernel, module, words[2])) return 1;
  void* arguments[] = {&place};
  const int error = cuLaunchKernel(kernel, 1, 1, 1, (unsigned)atoi(words[3]), 1, 1, 0, nullptr, arguments, nullptr);
  printf("launch %d, finish %d\n", error, (int)cuCtxSynchronize());
}
