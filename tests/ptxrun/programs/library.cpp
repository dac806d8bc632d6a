// NVRTC output through cudaLibrary..., cuLibrary... and cuModule..., in one program with cudaMalloc and streams (2
// devices)
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check.cuh"

#if CUDART_VERSION < 12080  // the runtime has no libraries yet: the driver's
typedef CUlibrary cudaLibrary_t;
static cudaError_t cudaLibraryLoadData(cudaLibrary_t* l, const void* code, CUjit_option* a, void** b, unsigned c,
                                       CUlibraryOption* d, void** e, unsigned g) {
  return (cudaError_t)cuLibraryLoadData(l, code, a, b, c, d, e, g);
}
static cudaError_t cudaLibraryGetKernel(cudaKernel_t* k, cudaLibrary_t l, const char* n) {
  return (cudaError_t)cuLibraryGetKernel(k, l, n);
}
static cudaError_t cudaLibraryGetGlobal(void** p, size_t* n, cudaLibrary_t l, const char* s) {
  return (cudaError_t)cuLibraryGetGlobal((CUdeviceptr*)p, n, l, s);
}
static cudaError_t cudaLibraryUnload(cudaLibrary_t l) { return (cudaError_t)cuLibraryUnload(l); }
#endif

static std::string compile(const char* arch, bool cubin) {
  const char* src =
      "__device__ double scale=2; extern \"C\" __global__ void __launch_bounds__(256) mul(double*x,int n){ __shared__ "
      "double s[256]; int "
      "i=blockIdx.x*blockDim.x+threadIdx.x; s[threadIdx.x]=i<n?x[i]:0; __syncthreads(); if(i<n) "
      "x[i]=s[threadIdx.x]*scale; }"
      "extern \"C\" __global__ void dyn(int*p){ extern __shared__ int d[]; d[threadIdx.x*1024]=threadIdx.x; "
      "__syncthreads(); "
      "p[threadIdx.x]=d[threadIdx.x*1024]; }";
  nvrtcProgram p;
  nvrtcCreateProgram(&p, src, "a.cu", 0, nullptr, nullptr);
  std::string a = std::string("-arch=") + arch;
  const char* o[] = {a.c_str()};
  CK(!nvrtcCompileProgram(p, 1, o));
  size_t n;
  std::string t;
  if (cubin) {
    nvrtcGetCUBINSize(p, &n);
    t.resize(n);
    nvrtcGetCUBIN(p, &t[0]);
  } else {
    nvrtcGetPTXSize(p, &n);
    t.resize(n);
    nvrtcGetPTX(p, &t[0]);
  }
  nvrtcDestroyProgram(&p);
  return t;
}
static std::vector<double> get(double* d, int n) {
  std::vector<double> h(n);
  CK(!cudaMemcpy(h.data(), d, n * 8, cudaMemcpyDeviceToHost));
  return h;
}
static bool all(const std::vector<double>& h, double f) {
  for (size_t i = 0; i < h.size(); ++i)
    if (h[i] != f * i) return false;
  return true;
}
// longer than 60 lines: one call after the other, each with what it must answer
int main() {
  int n = 1000, dev;
  void* args[2];
  CUmodule m;
  CUcontext ctx;
  CK(cuDeviceGetCount(&dev) == CUDA_ERROR_NOT_INITIALIZED);
  CK(!cuInit(0) && !cuDeviceGetCount(&dev) && dev == 2);
  std::string ptx = compile("compute_75", false);
  CK(cuModuleLoadData(&m, ptx.c_str()) == CUDA_ERROR_INVALID_CONTEXT);
  std::vector<double> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  double* d;
  CK(!cudaMalloc((void**)&d, n * 8));
  CK(!cudaMemcpy(d, h.data(), n * 8, cudaMemcpyHostToDevice));
  args[0] = &d;
  args[1] = &n;
  cudaStream_t s;
  cudaStreamCreate(&s);
  // runtime: library, kernel, global, attributes, occupancy
  cudaLibrary_t L;
  cudaKernel_t K, D;
  CK(!cudaLibraryLoadData(&L, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CK(!cudaLibraryGetKernel(&K, L, "mul"));
  CK(cudaLibraryGetKernel(&D, L, "no") == cudaErrorSymbolNotFound);
  CK(cudaGetLastError() == (CUDART_VERSION < 12080 ? cudaSuccess : cudaErrorSymbolNotFound));
  CK(!cudaLaunchKernel((const void*)K, dim3((n + 255) / 256), dim3(256), args, 0, s));
  CK(!cudaStreamSynchronize(s));
  CK(all(get(d, n), 2));
  double* g;
  size_t z;
  double three = 3;
  CK(!cudaLibraryGetGlobal((void**)&g, &z, L, "scale") && z == 8);
  CK(!cudaMemcpy(g, &three, 8, cudaMemcpyHostToDevice));
  CK(!cudaLaunchKernel((const void*)K, dim3((n + 255) / 256), dim3(256), args, 0, s));
  CK(!cudaStreamSynchronize(s));
  CK(all(get(d, n), 6));
  cudaFuncAttributes a;
  CK(!cudaFuncGetAttributes(&a, (const void*)K) && a.maxThreadsPerBlock == 256 && a.sharedSizeBytes == 2048 &&
     a.ptxVersion == 75);
  CK(cudaLaunchKernel((const void*)K, dim3(1), dim3(512), args, 0, s) == cudaErrorInvalidValue);
  int b, mg, bs;
  CK(!cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, (const void*)K, 256, 0) && b == 4);
  CK(!cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, (const void*)K, 256, 30000) && b == 2);
  CK(!cudaLibraryGetKernel(&D, L, "dyn"));
  int* o;
  cudaMalloc((void**)&o, 64);
  void* da[] = {&o};
  CK(cudaLaunchKernel((const void*)D, dim3(1), dim3(14), da, 56 << 10, s) == cudaErrorInvalidValue);
  CK(!cudaFuncSetAttribute((const void*)D, cudaFuncAttributeMaxDynamicSharedMemorySize, 56 << 10));
  CK(!cudaLaunchKernel((const void*)D, dim3(1), dim3(14), da, 56 << 10, s));
  int hi[14];
  CK(!cudaMemcpy(hi, o, 56, cudaMemcpyDeviceToHost) && hi[13] == 13);
  cudaGetLastError();
  // driver: the runtime made the primary context current; the same module again has its own variables
  CUfunction F;
  CK(!cuCtxGetCurrent(&ctx) && ctx);
  CK(!cuModuleLoadData(&m, ptx.c_str()) && !cuModuleGetFunction(&F, m, "mul"));
  CK(!cuLaunchKernel(F, (n + 255) / 256, 1, 1, 256, 1, 1, 0, s, args, nullptr));
  CK(!cuStreamSynchronize(s));
  CK(all(get(d, n), 12));
  CK(!cuFuncGetAttribute(&b, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, F) && b == 2048);
  CK(!cuOccupancyMaxPotentialBlockSize(&mg, &bs, F, nullptr, 0, 0) && bs == 256 && mg == 8);
  CK(!cuOccupancyMaxActiveBlocksPerMultiprocessor(&b, F, 128, 0) && b == 8);
  CK(!cuModuleUnload(m));
  CK(cuLaunchKernel(F, 1, 1, 1, 256, 1, 1, 0, s, args, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CUlibrary l;
  CUkernel k;
  CK(!cuLibraryLoadData(&l, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) &&
     !cuLibraryGetKernel(&k, l, "mul") && !cuKernelGetFunction(&F, k));
  CK(!cuLaunchKernel((CUfunction)k, (n + 255) / 256, 1, 1, 256, 1, 1, 0, s, args, nullptr));
  CK(!cuCtxSynchronize());
  CK(all(get(d, n), 24));
  // contexts: stack, second device, a thread without one
  CUcontext c1, c;
  CUdevice u;
  CK(!cuDevicePrimaryCtxRetain(&c1, 1) && !cuCtxPushCurrent(c1) && !cuCtxGetDevice(&u) && u == 1 &&
     !cudaGetDevice(&dev) && dev == 1);
  CK(cuLaunchKernel(F, 1, 1, 1, 256, 1, 1, 0, nullptr, args, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CUdeviceptr e;
  CK(!cuMemAlloc(&e, n * 8) && !cuMemcpyHtoD(e, h.data(), n * 8));
  double* ep = (double*)e;
  void* ea[] = {&ep, &n};
  CK(!cuLaunchKernel((CUfunction)k, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, ea, nullptr));
  CK(all(get(ep, n), 2));
  CK(!cuPointerGetAttribute(&dev, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, e) && dev == 1);
  CK(!cuMemFree(e) && !cuCtxPopCurrent(&c) && c == c1 && !cuCtxGetDevice(&u) && u == 0);
  std::thread([&] {
    CUdeviceptr x;
    CK(cuMemAlloc(&x, 8) == CUDA_ERROR_INVALID_CONTEXT);
    CK(!cuCtxSetCurrent(ctx) && !cuMemAlloc(&x, 8) && !cuMemFree(x));
  }).join();
  // memory, streams, events
  void* hp;
  size_t f, t;
  CUstream cs;
  CUevent e1, e2;
  float ms;
  unsigned w[8];
  CK(!cuMemAllocHost(&hp, 64) && !cuMemFreeHost(hp) && !cuMemGetInfo(&f, &t) && f <= t);
  CK(!cuStreamCreateWithPriority(&cs, CU_STREAM_NON_BLOCKING, 0) && !cuEventCreate(&e1, 0) && !cuEventCreate(&e2, 0));
  CK(!cuMemAlloc(&e, 32) && !cuEventRecord(e1, cs) && !cuMemsetD32Async(e, 7, 8, cs) && !cuMemsetD8Async(e, 1, 4, cs) &&
     !cuEventRecord(e2, cs) && !cuStreamWaitEvent(s, e2, 0) && !cuEventSynchronize(e2) && !cuEventQuery(e2) &&
     !cuEventElapsedTime(&ms, e1, e2) && ms >= 0);
  CK(!cuMemcpyDtoH(w, e, 32) && w[0] == 0x01010101 && w[7] == 7);
  CUuuid u0, u1;
  CK(!cuDeviceGetUuid(&u0, 0) && !cuDeviceGetUuid(&u1, 1) && memcmp(&u0, &u1, sizeof u0));
  CK(!cuStreamDestroy(cs) && !cuEventDestroy(e1) && !cuEventDestroy(e2) && !cuMemFree(e));
  void* fp;
  cudaDriverEntryPointQueryResult q;
#if CUDART_VERSION < 12050
  CK(!cudaGetDriverEntryPoint("cuMemAlloc", &fp, cudaEnableDefault, &q));
#else
  CK(!cudaGetDriverEntryPointByVersion("cuMemAlloc", &fp, CUDART_VERSION, cudaEnableDefault, &q));
#endif
  CK(q == cudaDriverEntryPointSuccess && fp == (void*)cuMemAlloc);
  // images that cannot be used
  std::string cubin = compile("sm_75", true);
  cudaLibrary_t L2;
  CK(cuModuleLoadData(&m, cubin.data()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CK(cudaLibraryLoadData(&L2, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
     cudaErrorNoKernelImageForDevice);
  CK(cuModuleLoadData(&m, "nonsense") == CUDA_ERROR_INVALID_IMAGE);
  CK(cuModuleLoadData(&m, ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry x( {") ==
     CUDA_ERROR_INVALID_PTX);
  CK(!cudaLibraryUnload(L) && !cuLibraryUnload(l));
  CK(cudaLaunchKernel((const void*)K, dim3(1), dim3(1), args, 0, 0) == cudaErrorInvalidDeviceFunction);
  cudaFree(o);
  cudaFree(d);
  cudaStreamDestroy(s);
  printf("%d failed\n", fails);
  return fails;
}
