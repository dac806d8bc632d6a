// The CUDA runtime API: what nvcc's generated code calls, kernels and symbols, code given at run time.
#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "cudart.hpp"

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
struct Configuration {
  dim3 g, b;
  size_t sh;
  cudaStream_t s;
};
static thread_local std::vector<Configuration> configurations;
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
// symbols
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
}
