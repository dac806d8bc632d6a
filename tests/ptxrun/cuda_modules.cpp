// The CUDA driver API: modules, libraries and kernels.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "cuda_driver.hpp"

// modules (one context) and libraries (all contexts)
static bool newer_than_driver(const std::string& ptx) {  // PTX 8.4 came with CUDA 12.4, and 9.0 with 13.0
  int major = 0, minor = 0;
  size_t at = ptx.find(".version");
  return at != ptx.npos && sscanf(ptx.c_str() + at, ".version %d.%d", &major, &minor) == 2 &&
         1000 * (major + 4) + 10 * minor > driver_version();
}
static CUresult load(CUmodule* m, const void* p) {
  IN(C_LOAD);
  std::string s;
  if (int e = ptx_image(p, &s)) return E(e);
  if (newer_than_driver(s)) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  *m = (CUmodule)ptx_load(s, ptx_device());
  return *m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
static bool file(const char* f, std::string* out) {
  std::ifstream i(f, std::ios::binary);
  if (!i) return false;
  std::stringstream s;
  s << i.rdbuf();
  *out = s.str();
  return true;
}
API CUresult cuModuleLoadData(CUmodule* m, const void* p) { return load(m, p); }
API CUresult cuModuleLoadDataEx(CUmodule* m, const void* p, unsigned, CUjit_option*, void**) { return load(m, p); }
API CUresult cuModuleLoadFatBinary(CUmodule* m, const void* p) { return load(m, p); }
API CUresult cuModuleLoad(CUmodule* m, const char* f) {
  std::string s;
  return file(f, &s) ? load(m, s.c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
}
API CUresult cuModuleUnload(CUmodule m) {
  IN(C_OTHER);
  ptx_unload((Module*)m);
  return CUDA_SUCCESS;
}
API CUresult cuModuleGetFunction(CUfunction* f, CUmodule m, const char* n) {
  IN(C_OTHER);
  return found(*f = (CUfunction)ptx_kernel_of((Module*)m, n));
}
API CUresult cuModuleGetGlobal(CUdeviceptr* p, size_t* n, CUmodule m, const char* s) {
  IN(C_OTHER);
  void* q = ptx_var((Module*)m, s, n);
  if (p) *p = (CUdeviceptr)q;
  return found(q);
}
API CUresult cuLibraryLoadData(CUlibrary* l, const void* code, CUjit_option*, void**, unsigned, CUlibraryOption*,
                               void**, unsigned) {
  if (int e = ptx_ready()) return E(e);
  std::string s;
  if (int e = ptx_image(code, &s)) return E(e);
  if (newer_than_driver(s)) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  *l = (CUlibrary)ptx_library([=] { return s; });
  return CUDA_SUCCESS;
}
API CUresult cuLibraryLoadFromFile(CUlibrary* l, const char* f, CUjit_option* a, void** b, unsigned c,
                                   CUlibraryOption* d, void** e, unsigned g) {
  std::string s;
  return file(f, &s) ? cuLibraryLoadData(l, s.c_str(), a, b, c, d, e, g) : CUDA_ERROR_FILE_NOT_FOUND;
}
API CUresult cuLibraryUnload(CUlibrary l) { return E(ptx_library_unload((Library*)l)); }
API CUresult cuLibraryGetKernel(CUkernel* k, CUlibrary l, const char* n) {
  return found(*k = (CUkernel)ptx_function_of((Library*)l, n));
}
API CUresult cuLibraryGetModule(CUmodule* m, CUlibrary l) {
  IN(C_LOAD);
  *m = (CUmodule)ptx_module_of((Library*)l);
  return *m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
API CUresult cuLibraryGetGlobal(CUdeviceptr* p, size_t* n, CUlibrary l, const char* s) {
  CUmodule m;
  CUresult r = cuLibraryGetModule(&m, l);
  return r ? r : cuModuleGetGlobal(p, n, m, s);
}
API CUresult cuLibraryGetKernelCount(unsigned* n, CUlibrary l) {
  CUmodule m;
  CUresult r = cuLibraryGetModule(&m, l);
  if (!r) *n = (unsigned)ptx_entries((Module*)m).size();
  return r;
}
API CUresult cuKernelGetFunction(CUfunction* f, CUkernel k) {
  IN(C_OTHER);
  return found(*f = (CUfunction)ptx_resolve(k));
}
API CUresult cuKernelGetLibrary(CUlibrary* l, CUkernel k) { return found(*l = (CUlibrary)ptx_library_of(k)); }
// kernels: f is a CUfunction or a CUkernel
#define KERNEL(f)             \
  IN(C_OTHER);                \
  Kernel* k = ptx_resolve(f); \
  if (!k) return CUDA_ERROR_INVALID_HANDLE
API CUresult cuFuncGetAttribute(int* v, CUfunction_attribute a, CUfunction f) {
  KERNEL(f);
  *v = ptx_func_attribute(k, a);
  return CUDA_SUCCESS;
}
API CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int v) {
  KERNEL(f);
  return E(ptx_func_set(k, a, v));
}
API CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
API CUresult cuFuncGetName(const char** n, CUfunction f) {
  KERNEL(f);
  *n = ptx_name(k);
  return CUDA_SUCCESS;
}
API CUresult cuKernelGetName(const char** n, CUkernel f) {
  KERNEL(f);
  *n = ptx_name(k);
  return CUDA_SUCCESS;
}
API CUresult cuKernelGetAttribute(int* v, CUfunction_attribute a, CUkernel f, CUdevice) {
  KERNEL(f);
  *v = ptx_func_attribute(k, a);
  return CUDA_SUCCESS;
}
API CUresult cuKernelSetAttribute(CUfunction_attribute a, int v, CUkernel f, CUdevice) {
  KERNEL(f);
  return E(ptx_func_set(k, a, v));
}
API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, CUfunction f, int block, size_t dyn,
                                                                  unsigned) {
  KERNEL(f);
  *n = ptx_occupancy(k, block, dyn);
  return CUDA_SUCCESS;
}
API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* n, CUfunction f, int block, size_t dyn) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, f, block, dyn, 0);
}
API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction f, CUoccupancyB2DSize dyn_of,
                                                       size_t dyn, int limit, unsigned) {
  KERNEL(f);
  int best = 0, sms;
  ptx_attribute(&sms, cudaDevAttrMultiProcessorCount, ptx_device());
  *grid = *block = 0;
  limit = limit > 0 ? std::min(limit, 1024) : 1024;
  for (int b = (limit + 31) / 32 * 32; b > 0; b -= 32) {
    int n = std::min(b, limit), o = ptx_occupancy(k, n, dyn_of ? dyn_of(n) : dyn);
    if (o * n > best) {
      best = o * n;
      *block = n;
      *grid = o * sms;
    }
  }
  return CUDA_SUCCESS;
}
API CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction f, CUoccupancyB2DSize dyn_of,
                                              size_t dyn, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, f, dyn_of, dyn, limit, 0);
}
API CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned sh, CUstream s, void** args, void** extra) {
  IN(C_LAUNCH);
  Kernel* k = ptx_resolve(f);
  if (!k) return CUDA_ERROR_INVALID_HANDLE;
  const u32 G[3] = {gx, gy, gz}, B[3] = {bx, by, bz};
  const void* buf = nullptr;
  size_t n = 0;
  for (; !args && extra && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buf = extra[1];
    if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) n = *(size_t*)extra[1];
  }
  return E(ptx_launch(k, G, B, args, buf, n, sh, s));
}
API CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction f, void** args, void** extra) {
  return cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ,
                        c->sharedMemBytes, c->hStream, args, extra);
}
API CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void* d) {
  IN(C_OTHER);
  return E(ptx_submit(
      s, true, [=] { fn(d); }, true));
}
