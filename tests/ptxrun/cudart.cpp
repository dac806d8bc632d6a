// The replacement of libcudart.so: the subset of the CUDA runtime API that a plain compute program (and Thrust/CUB)
// uses, run on the CPU. Graphs, textures, IPC do not exist.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include "ptxrun.hpp"
struct Wrapper {
  int magic, version;
  const void* data;
  void* extra;
};
struct Symbol {
  Library* lib;
  std::string name;
};
static auto& registry_mutex = *new std::mutex;
static auto& kernel_stubs = *new std::map<const void*, Function*>;
static auto& symbols = *new std::map<const void*, Symbol>;
static thread_local cudaError_t last_error = cudaSuccess;
static cudaError_t R(int e) {
  if (e && e != cudaErrorNotReady) last_error = (cudaError_t)e;
  return (cudaError_t)e;
}
static std::string program_ptx(const Wrapper* w) {
  auto text = [](const void* fatbin) {
    std::string s = ptx_from_fatbin(fatbin);
    if (s.empty()) ptx_die("the program cannot run without PTX");
    return s;
  };
  if (w->version != 2 || !w->extra) return text(w->data);
  std::string s;
  // -rdc: prelinked objects
  for (void** p = (void**)w->extra; *p; ++p) s += (s.empty() ? "" : "\n//@@module\n") + text(*p);
  return s;
}
static const void* handle(const void* f) {
  std::lock_guard<std::mutex> l(registry_mutex);
  auto it = kernel_stubs.find(f);
  return it == kernel_stubs.end() ? f : it->second;
}  // host stub -> Function
static cudaError_t launch(const void* f, dim3 g, dim3 b, void** args, size_t sh, cudaStream_t s) {
  if (int e = ptx_enter(C_LAUNCH, true)) return R(e);
  Kernel* k = ptx_resolve(handle(f));
  if (!k) return R(cudaErrorInvalidDeviceFunction);
  u32 G[3] = {g.x, g.y, g.z}, B[3] = {b.x, b.y, b.z};
  return R(ptx_launch(k, G, B, args, nullptr, 0, sh, s));
}
static int symbol(const void* s, char** p, size_t* n) {
  Symbol v;
  {
    std::lock_guard<std::mutex> l(registry_mutex);
    auto it = symbols.find(s);
    if (it == symbols.end()) return cudaErrorInvalidSymbol;
    v = it->second;
  }
  *p = (char*)ptx_var(ptx_module_of(v.lib), v.name.c_str(), n);
  return *p ? 0 : cudaErrorInvalidSymbol;
}
static int symbol_copy(const void* s, void* other, size_t n, size_t off, int kind, bool to, cudaStream_t st,
                       bool async) {
  char* p;
  size_t z;
  if (int e = ptx_enter(C_MEMCPY, true)) return e;
  if (int e = symbol(s, &p, &z)) return e;
  if (off + n > z) return cudaErrorInvalidValue;
  return to ? ptx_copy(p + off, 0, other, 0, n, 1, kind, st, async)
            : ptx_copy(other, 0, p + off, 0, n, 1, kind, st, async);
}
static cudaError_t alloc(void** p, size_t n, Kind k) {
  if (int e = ptx_enter(C_MALLOC, true)) return R(e);
  if (!p) return R(cudaErrorInvalidValue);
  *p = n ? ptx_malloc(n, k) : nullptr;
  return *p || !n ? cudaSuccess : R(cudaErrorMemoryAllocation);
}
static cudaError_t copy(void* d, size_t dp, const void* s, size_t sp, size_t w, size_t h, int k, cudaStream_t st,
                        bool async) {
  if (int e = ptx_enter(C_MEMCPY, true)) return R(e);
  return R(ptx_copy(d, dp, s, sp, w, h, k, st, async));
}
static cudaError_t fill(void* d, size_t p, int v, size_t w, size_t h, cudaStream_t s, bool async) {
  if (int e = ptx_enter(C_MEMSET, true)) return R(e);
  return R(ptx_fill(d, p, (u32)v, 1, w, h, s, async));
}
struct Configuration {
  dim3 g, b;
  size_t sh;
  cudaStream_t s;
};
static thread_local std::vector<Configuration> configurations;
#define API __attribute__((visibility("default")))
#define IN(call) \
  if (int e_ = ptx_enter(call, true)) return R(e_)
extern "C" {
// what nvcc's generated code calls
API void** __cudaRegisterFatBinary(void* w) {
  return (void**)ptx_library([=] { return program_ptx((const Wrapper*)w); }, true);
}
API void __cudaRegisterFatBinaryEnd(void**) {}
API void __cudaUnregisterFatBinary(void**) {}
API void __cudaRegisterFunction(void** h, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                                int*) {
  std::lock_guard<std::mutex> l(registry_mutex);
  kernel_stubs[host] = ptx_function_of((Library*)h, name, false);
}
API void __cudaRegisterVar(void** h, char* host, char*, const char* name, int, size_t, int, int) {
  std::lock_guard<std::mutex> l(registry_mutex);
  symbols[host] = {(Library*)h, name};
}
API void __cudaRegisterManagedVar(void** h, void** host, char*, const char* name, int, size_t, int, int) {
  std::lock_guard<std::mutex> l(registry_mutex);
  symbols[host] = {(Library*)h, name};
  *host = ptx_var(ptx_module_of((Library*)h), name, nullptr);
}
API char __cudaInitModule(void**) { return 1; }
API unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t sh, struct CUstream_st* s) {
  configurations.push_back({g, b, sh, s});
  return 0;
}
API cudaError_t __cudaPopCallConfiguration(dim3* g, dim3* b, size_t* sh, void* s) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  Configuration c = configurations.back();
  configurations.pop_back();
  *g = c.g;
  *b = c.b;
  *sh = c.sh;
  *(cudaStream_t*)s = c.s;
  return cudaSuccess;
}
API cudaError_t __cudaGetKernel(cudaKernel_t* k, const void* f) {
  *k = (cudaKernel_t)handle(f);
  return ptx_library_of(*k) ? cudaSuccess : R(cudaErrorInvalidDeviceFunction);
}
API cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 g, dim3 b, void** a, size_t sh, cudaStream_t s) {
  return launch(k, g, b, a, sh, s);
}
API cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t k, dim3 g, dim3 b, void** a, size_t sh, cudaStream_t s) {
  return launch(k, g, b, a, sh, s);
}
// kernels: f is a host stub, a cudaKernel_t or a cudaFunction_t
API cudaError_t cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** a, size_t sh, cudaStream_t s) {
  return launch(f, g, b, a, sh, s);
}
API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** a) {
  return launch(f, c->gridDim, c->blockDim, a, c->dynamicSmemBytes, c->stream);
}
// no grid-wide barrier
API cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {
  return R(cudaErrorNotSupported);
}
API cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void* d) {
  IN(C_OTHER);
  return R(ptx_submit(
      s, true, [=] { fn(d); }, true));
}
API cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn, void* d, unsigned) {
  IN(C_OTHER);
  return R(ptx_submit(
      s, true, [=] { fn(s, cudaSuccess, d); }, true));
}
API cudaError_t cudaGetKernel(cudaKernel_t* k, const void* f) { return __cudaGetKernel(k, f); }
API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* k, const void* f) {
  IN(C_OTHER);
  *k = (cudaFunction_t)ptx_resolve(handle(f));
  return *k ? cudaSuccess : R(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void* f) {
  IN(C_OTHER);
  Kernel* k = ptx_resolve(handle(f));
  if (!k) return R(cudaErrorInvalidDeviceFunction);
  memset(a, 0, sizeof *a);
  a->maxThreadsPerBlock = ptx_func_attribute(k, 0);
  a->sharedSizeBytes = ptx_func_attribute(k, 1);
  a->numRegs = ptx_func_attribute(k, 4);
  a->ptxVersion = a->binaryVersion = ptx_func_attribute(k, 5);
  a->maxDynamicSharedSizeBytes = ptx_func_attribute(k, 8);
  a->preferredShmemCarveout = -1;
  return cudaSuccess;
}
API cudaError_t cudaFuncSetAttribute(const void* f, cudaFuncAttribute a, int v) {
  IN(C_OTHER);
  Kernel* k = ptx_resolve(handle(f));
  return R(k ? ptx_func_set(k, a, v) : cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
API cudaError_t cudaFuncGetName(const char** n, const void* f) {
  IN(C_OTHER);
  Kernel* k = ptx_resolve(handle(f));
  if (!k) return R(cudaErrorInvalidDeviceFunction);
  *n = ptx_name(k);
  return cudaSuccess;
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void* f, int bs, size_t sh,
                                                                       unsigned) {
  IN(C_OTHER);
  Kernel* k = ptx_resolve(handle(f));
  if (!k) return R(cudaErrorInvalidDeviceFunction);
  *n = ptx_occupancy(k, bs, sh);
  return cudaSuccess;
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void* f, int bs, size_t s) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, f, bs, s, 0);
}
API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* n, const void* f, int blocks, int) {
  IN(C_OTHER);
  Kernel* k = ptx_resolve(handle(f));
  if (!k) return R(cudaErrorInvalidDeviceFunction);
  if (blocks < 1) return R(cudaErrorInvalidValue);
  *n = std::max(0, std::min((64 << 10) / blocks - ptx_func_attribute(k, 1), ptx_func_attribute(k, 8)));
  return cudaSuccess;
}
// code given at run time (NVRTC): a toolkit before 12.8 has the driver API for it alone
#if CUDART_VERSION >= 12080
API cudaError_t cudaLibraryLoadData(cudaLibrary_t* l, const void* code, cudaJitOption*, void**, unsigned,
                                    cudaLibraryOption*, void**, unsigned) {
  IN(C_LOAD);
  std::string s;
  if (int e = ptx_image(code, &s)) return R(e);
  Library* x = ptx_library([=] { return s; });
  if (!ptx_module_of(x)) {
    ptx_library_unload(x);
    return R(cudaErrorInvalidPtx);
  }
  *l = (cudaLibrary_t)x;
  return cudaSuccess;
}
API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* l, const char* f, cudaJitOption* a, void** b, unsigned c,
                                        cudaLibraryOption* d, void** e, unsigned g) {
  std::ifstream i(f, std::ios::binary);
  if (!i) return R(cudaErrorFileNotFound);
  std::stringstream s;
  s << i.rdbuf();
  return cudaLibraryLoadData(l, s.str().c_str(), a, b, c, d, e, g);
}
API cudaError_t cudaLibraryUnload(cudaLibrary_t l) {
  IN(C_OTHER);
  return R(ptx_library_unload((Library*)l));
}
API cudaError_t cudaLibraryGetKernel(cudaKernel_t* k, cudaLibrary_t l, const char* n) {
  IN(C_OTHER);
  *k = (cudaKernel_t)ptx_function_of((Library*)l, n);
  return *k ? cudaSuccess : R(cudaErrorSymbolNotFound);
}
API cudaError_t cudaLibraryGetGlobal(void** p, size_t* n, cudaLibrary_t l, const char* s) {
  IN(C_OTHER);
  void* q = ptx_var(ptx_module_of((Library*)l), s, n);
  if (p) *p = q;
  return q ? cudaSuccess : R(cudaErrorSymbolNotFound);
}
API cudaError_t cudaLibraryGetManaged(void** p, size_t* n, cudaLibrary_t l, const char* s) {
  return cudaLibraryGetGlobal(p, n, l, s);
}
API cudaError_t cudaLibraryGetKernelCount(unsigned* n, cudaLibrary_t l) {
  IN(C_OTHER);
  *n = (unsigned)ptx_entries(ptx_module_of((Library*)l)).size();
  return cudaSuccess;
}
API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* k, unsigned n, cudaLibrary_t l) {
  IN(C_OTHER);
  for (auto& s : ptx_entries(ptx_module_of((Library*)l))) {
    if (!n--) break;
    *k++ = (cudaKernel_t)ptx_function_of((Library*)l, s.c_str());
  }
  return cudaSuccess;
}
API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t k, cudaFuncAttribute a, int v, int d) {
  if (d != ptx_device()) return R(cudaErrorNotSupported);
  return cudaFuncSetAttribute(k, a, v);
}
#endif
// memory
API cudaError_t cudaMalloc(void** p, size_t n) { return alloc(p, n, DEVICE); }
API cudaError_t cudaMallocHost(void** p, size_t n) { return alloc(p, n, PINNED); }
API cudaError_t cudaHostAlloc(void** p, size_t n, unsigned) { return alloc(p, n, PINNED); }
API cudaError_t cudaMallocManaged(void** p, size_t n, unsigned) { return alloc(p, n, MANAGED); }
API cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t) { return alloc(p, n, DEVICE); }
API cudaError_t cudaMallocFromPoolAsync(void** p, size_t n, cudaMemPool_t, cudaStream_t) { return alloc(p, n, DEVICE); }
API cudaError_t cudaMallocPitch(void** p, size_t* pitch, size_t w, size_t h) {
  *pitch = (w + 255) / 256 * 256;
  return alloc(p, *pitch * h, DEVICE);
}
static cudaError_t release(void* p, Kind a, Kind b) {
  IN(C_OTHER);
  Kind k = p ? ptx_where(p, 1).kind : a;
  return (k == a || k == b) && ptx_free(p) ? cudaSuccess : R(cudaErrorInvalidValue);
}
API cudaError_t cudaFree(void* p) { return release(p, DEVICE, MANAGED); }
API cudaError_t cudaFreeHost(void* p) { return release(p, PINNED, PINNED); }
API cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
  IN(C_OTHER);
  if (p && ptx_where(p, 1).kind != DEVICE) return R(cudaErrorInvalidValue);
  return R(ptx_submit(s, true, [=] { ptx_free(p, false); }));
}
API cudaError_t cudaHostRegister(void* p, size_t n, unsigned) {
  IN(C_OTHER);
  return ptx_register(p, n) ? cudaSuccess : R(cudaErrorHostMemoryAlreadyRegistered);
}
API cudaError_t cudaHostUnregister(void* p) {
  IN(C_OTHER);
  return ptx_where(p, 1).kind == REGISTERED && ptx_free(p) ? cudaSuccess : R(cudaErrorHostMemoryNotRegistered);
}
API cudaError_t cudaHostGetDevicePointer(void** d, void* h, unsigned) {
  *d = h;
  return cudaSuccess;
}
API cudaError_t cudaHostGetFlags(unsigned* f, void*) {
  *f = 0;
  return cudaSuccess;
}
API cudaError_t cudaMemcpy(void* d, const void* s, size_t n, cudaMemcpyKind k) {
  return copy(d, 0, s, 0, n, 1, k, nullptr, false);
}
API cudaError_t cudaMemcpyAsync(void* d, const void* s, size_t n, cudaMemcpyKind k, cudaStream_t st) {
  return copy(d, 0, s, 0, n, 1, k, st, true);
}
API cudaError_t cudaMemcpy2D(void* d, size_t dp, const void* s, size_t sp, size_t w, size_t h, cudaMemcpyKind k) {
  return copy(d, dp, s, sp, w, h, k, nullptr, false);
}
API cudaError_t cudaMemcpy2DAsync(void* d, size_t dp, const void* s, size_t sp, size_t w, size_t h, cudaMemcpyKind k,
                                  cudaStream_t st) {
  return copy(d, dp, s, sp, w, h, k, st, true);
}
API cudaError_t cudaMemcpyPeer(void* d, int, const void* s, int, size_t n) {
  return copy(d, 0, s, 0, n, 1, cudaMemcpyDeviceToDevice | PEER, nullptr, false);
}
API cudaError_t cudaMemcpyPeerAsync(void* d, int, const void* s, int, size_t n, cudaStream_t st) {
  return copy(d, 0, s, 0, n, 1, cudaMemcpyDeviceToDevice | PEER, st, true);
}
API cudaError_t cudaMemset(void* d, int v, size_t n) { return fill(d, 0, v, n, 1, nullptr, false); }
API cudaError_t cudaMemsetAsync(void* d, int v, size_t n, cudaStream_t s) { return fill(d, 0, v, n, 1, s, true); }
API cudaError_t cudaMemset2D(void* d, size_t p, int v, size_t w, size_t h) {
  return fill(d, p, v, w, h, nullptr, false);
}
API cudaError_t cudaMemset2DAsync(void* d, size_t p, int v, size_t w, size_t h, cudaStream_t s) {
  return fill(d, p, v, w, h, s, true);
}
API cudaError_t cudaGetSymbolAddress(void** p, const void* s) {
  IN(C_OTHER);
  return R(symbol(s, (char**)p, nullptr));
}
API cudaError_t cudaGetSymbolSize(size_t* n, const void* s) {
  IN(C_OTHER);
  char* p;
  return R(symbol(s, &p, n));
}
API cudaError_t cudaMemcpyToSymbol(const void* s, const void* src, size_t n, size_t off, cudaMemcpyKind k) {
  return R(symbol_copy(s, (void*)src, n, off, k, true, nullptr, false));
}
API cudaError_t cudaMemcpyToSymbolAsync(const void* s, const void* src, size_t n, size_t off, cudaMemcpyKind k,
                                        cudaStream_t st) {
  return R(symbol_copy(s, (void*)src, n, off, k, true, st, true));
}
API cudaError_t cudaMemcpyFromSymbol(void* d, const void* s, size_t n, size_t off, cudaMemcpyKind k) {
  return R(symbol_copy(s, d, n, off, k, false, nullptr, false));
}
API cudaError_t cudaMemcpyFromSymbolAsync(void* d, const void* s, size_t n, size_t off, cudaMemcpyKind k,
                                          cudaStream_t st) {
  return R(symbol_copy(s, d, n, off, k, false, st, true));
}
API cudaError_t cudaMemGetInfo(size_t* f, size_t* t) {
  IN(C_OTHER);
  ptx_memory(ptx_device(), f, t);
  return cudaSuccess;
}
API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  IN(C_OTHER);
  memset(a, 0, sizeof *a);
  Place w = ptx_where(p, 1);
  if (w.kind == PAGEABLE || w.kind == BAD) {
    a->device = -2;
    return cudaSuccess;
  }  // cudaInvalidDeviceId
  a->type = w.kind == DEVICE ? cudaMemoryTypeDevice : w.kind == MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
  a->device = w.dev;
  a->devicePointer = (void*)p;
  if (w.on_host()) a->hostPointer = (void*)p;
  return cudaSuccess;
}
#if CUDART_VERSION >= 13000
using Location = cudaMemLocation;
API cudaError_t cudaMemPrefetchAsync(const void*, size_t, Location, unsigned, cudaStream_t) { return cudaSuccess; }
#else
using Location = int;
API cudaError_t cudaMemPrefetchAsync(const void*, size_t, Location, cudaStream_t) { return cudaSuccess; }
#endif
API cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, Location) { return cudaSuccess; }
API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* p, int d) {
  if (d < 0 || d >= ptx_devices()) return R(cudaErrorInvalidDevice);
  *p = (cudaMemPool_t)(u64)(d + 1);
  return cudaSuccess;
}
API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* p, int d) { return cudaDeviceGetDefaultMemPool(p, d); }
API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, cudaMemPoolAttr a, void* v) {
  if (a <= cudaMemPoolReuseAllowInternalDependencies) {
    *(int*)v = 1;
    return cudaSuccess;
  }
  size_t f, t;
  ptx_memory((int)(u64)p - 1, &f, &t);
  *(u64*)v = a == cudaMemPoolAttrReleaseThreshold ? 0 : t - f;
  return cudaSuccess;
}
API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
// streams, events
API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned f, int p) {
  IN(C_CREATE);
  return R(ptx_stream_create((void**)s, f, p));
}
API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned f) { return cudaStreamCreateWithPriority(s, f, 0); }
API cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithPriority(s, 0, 0); }
API cudaError_t cudaStreamDestroy(cudaStream_t s) {
  IN(C_OTHER);
  return R(ptx_stream_destroy(s));
}
API cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  IN(C_SYNC);
  return R(ptx_stream_sync(s));
}
API cudaError_t cudaStreamQuery(cudaStream_t s) {
  IN(C_OTHER);
  return R(ptx_stream_sync(s, true));
}
API cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  IN(C_OTHER);
  return R(ptx_stream_wait(s, e));
}
API cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* s) {
  *s = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
API cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* f) {
  int d, p;
  IN(C_OTHER);
  return R(ptx_stream_info(s, &d, f, &p));
}
API cudaError_t cudaStreamGetPriority(cudaStream_t s, int* p) {
  int d;
  unsigned f;
  IN(C_OTHER);
  return R(ptx_stream_info(s, &d, &f, p));
}
API cudaError_t cudaStreamGetDevice(cudaStream_t s, int* d) {
  int p;
  unsigned f;
  IN(C_OTHER);
  return R(ptx_stream_info(s, d, &f, &p));
}
API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned f) {
  IN(C_CREATE);
  return R(ptx_event_create((void**)e, f));
}
API cudaError_t cudaEventCreate(cudaEvent_t* e) { return cudaEventCreateWithFlags(e, 0); }
API cudaError_t cudaEventDestroy(cudaEvent_t e) {
  IN(C_OTHER);
  return R(ptx_event_destroy(e));
}
API cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  IN(C_OTHER);
  return R(ptx_event_record(e, s));
}
API cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) { return cudaEventRecord(e, s); }
API cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  IN(C_SYNC);
  return R(ptx_event_sync(e));
}
API cudaError_t cudaEventQuery(cudaEvent_t e) {
  IN(C_OTHER);
  return R(ptx_event_sync(e, true));
}
API cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t a, cudaEvent_t b) {
  IN(C_OTHER);
  return R(ptx_event_elapsed(ms, a, b));
}
// devices
API cudaError_t cudaGetDeviceCount(int* n) {
  int e = ptx_init(false);
  *n = e ? 0 : ptx_devices();
  return R(e);
}
API cudaError_t cudaGetDevice(int* d) {
  if (int e = ptx_init(false)) return R(e);
  *d = ptx_device();
  return cudaSuccess;
}
API cudaError_t cudaSetDevice(int d) {
  if (int e = ptx_init(false)) return R(e);
  return R(ptx_set_device(d) ? ptx_sticky() : cudaErrorInvalidDevice);
}
API cudaError_t cudaSetDeviceFlags(unsigned) { return R(ptx_init(false)); }
API cudaError_t cudaGetDeviceFlags(unsigned* f) {
  *f = 0;
  return R(ptx_init(false));
}
API cudaError_t cudaInitDevice(int d, unsigned, unsigned) {
  if (int e = ptx_init(false)) return R(e);
  return d >= 0 && d < ptx_devices() ? cudaSuccess : R(cudaErrorInvalidDevice);
}
API cudaError_t cudaDeviceSynchronize() {
  IN(C_SYNC);
  return R(ptx_sync());
}
API cudaError_t cudaDeviceReset() {
  IN(C_OTHER);
  return R(ptx_sync());
}  // keeps memory; a sticky error needs a new process
API cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) {
  IN(C_OTHER);
  return cudaSuccess;
}
API cudaError_t cudaDeviceGetLimit(size_t* v, cudaLimit) {
  IN(C_OTHER);
  *v = 1024;
  return cudaSuccess;
}
API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  IN(C_OTHER);
  return cudaSuccess;
}
API cudaError_t cudaDriverGetVersion(int* v) {
  *v = ptx_init(false) == cudaErrorInsufficientDriver ? 0 : CUDART_VERSION;
  return cudaSuccess;
}
API cudaError_t cudaRuntimeGetVersion(int* v) {
  *v = CUDART_VERSION;
  return cudaSuccess;
}
API cudaError_t cudaDeviceGetPCIBusId(char* s, int n, int d) {
  if (d < 0 || d >= ptx_devices()) return R(cudaErrorInvalidDevice);
  snprintf(s, n, "0000:%02x:00.0", d);
  return cudaSuccess;
}
API cudaError_t cudaDeviceGetByPCIBusId(int* d, const char* s) {
  unsigned x[3];
  int n = sscanf(s, "%x:%x:%x", x, x + 1, x + 2);
  unsigned b = n == 3 ? x[1] : n == 2 ? x[0] : ~0u;
  if (b >= (unsigned)ptx_devices()) return R(cudaErrorInvalidDevice);
  *d = (int)b;
  return cudaSuccess;
}
API cudaError_t cudaDeviceGetStreamPriorityRange(int* a, int* b) {
  if (a) *a = 0;
  if (b) *b = 0;
  return cudaSuccess;
}
API cudaError_t cudaDeviceCanAccessPeer(int* v, int d, int p) {
  if (d < 0 || p < 0 || d >= ptx_devices() || p >= ptx_devices()) return R(cudaErrorInvalidDevice);
  *v = ptx_can_peer(d, p);
  return cudaSuccess;
}
API cudaError_t cudaDeviceEnablePeerAccess(int p, unsigned) {
  IN(C_OTHER);
  return R(ptx_peer(ptx_device(), p, 1));
}
API cudaError_t cudaDeviceDisablePeerAccess(int p) {
  IN(C_OTHER);
  return R(ptx_peer(ptx_device(), p, 0));
}
API cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int d) {
  if (int e = ptx_init(false)) return R(e);
  return R(ptx_attribute(v, a, d));
}
API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int d) {
  if (int e = ptx_init(false)) return R(e);
  if (d < 0 || d >= ptx_devices()) return R(cudaErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "ptxrun CPU emulation (sm_75)");
  snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "ptxrun %d", d & 63);
  size_t f;
  ptx_memory(d, &f, &p->totalGlobalMem);
  auto get = [d](int a) {
    int v;
    ptx_attribute(&v, a, d);
    return v;
  };
  p->sharedMemPerBlock = 48 << 10;
  p->sharedMemPerMultiprocessor = 64 << 10;
  p->sharedMemPerBlockOptin = 64 << 10;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem = 65536;
  p->major = 7;
  p->minor = 5;
  p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
  p->maxBlocksPerMultiProcessor = 16;
  p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->canMapHostMemory = p->concurrentKernels =
      p->asyncEngineCount = p->memoryPoolsSupported = 1;
  p->memoryBusWidth = 64;
  p->l2CacheSize = 4 << 20;
  p->pciBusID = d;
  p->memPitch = 2147483647;
  p->textureAlignment = 512;
  return cudaSuccess;
}
// the driver API as seen from the runtime: our libcuda.so.1 in the folder drv beside this library
API cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** f, unsigned, unsigned long long,
                                                 cudaDriverEntryPointQueryResult* r) {
  static void* h = [] {
    Dl_info i;
    dladdr((void*)cudaGetDriverEntryPointByVersion, &i);
    std::string s = i.dli_fname;
    return dlopen((s.substr(0, s.rfind('/') + 1) + "drv/libcuda.so.1").c_str(), RTLD_NOW);
  }();
  *f = nullptr;
  for (const char* v : {"_v4", "_v3", "_v2", ""})
    if (h && !*f) *f = dlsym(h, (std::string(name) + v).c_str());
  if (r) *r = *f ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return *f || r ? cudaSuccess : R(cudaErrorSymbolNotFound);
}
#undef cudaGetDriverEntryPoint
API cudaError_t cudaGetDriverEntryPoint(const char* name, void** f, unsigned long long flags,
                                        cudaDriverEntryPointQueryResult* r) {
  return cudaGetDriverEntryPointByVersion(name, f, CUDART_VERSION, flags, r);
}
// errors
API cudaError_t cudaPeekAtLastError() {
  int s = ptx_sticky();
  return s ? (cudaError_t)s : last_error;
}
API cudaError_t cudaGetLastError() {
  cudaError_t e = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return e;
}
API const char* cudaGetErrorName(cudaError_t e) { return ptx_error(e, 0); }
API const char* cudaGetErrorString(cudaError_t e) { return ptx_error(e, 2); }
}
