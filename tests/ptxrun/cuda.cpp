// The replacement of libcuda.so.1: the part of the CUDA driver API that a compute program uses to run NVRTC / -ptx
// output. As on a GPU, a call before cuInit or without a current context fails; the runtime API makes a primary context
// current.
#include <cuda.h>
#include <dlfcn.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include "ptxrun.hpp"
#define API extern "C" __attribute__((visibility("default")))
#define IN(call) \
  if (int e_ = ptx_enter(call, false)) return E(e_)
#define DEV(d)                            \
  if (int e_ = ptx_ready()) return E(e_); \
  if (d < 0 || d >= ptx_devices()) return CUDA_ERROR_INVALID_DEVICE
static CUresult E(int e) { return e == cudaErrorInvalidConfiguration ? CUDA_ERROR_INVALID_VALUE : (CUresult)e; }
static CUresult found(const void* p) { return p ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND; }
// devices and contexts
API CUresult cuInit(unsigned) { return E(ptx_init(true)); }
// the CUDA version it understands, 1000 major + 10 minor: the toolkit's, or another one by PTXRUN_DRIVER
static int driver_version() {
  const char* s = getenv("PTXRUN_DRIVER");
  if (!s || !*s) return CUDA_VERSION;
  int major = 0, minor = 0;
  if (sscanf(s, "%d.%d", &major, &minor) != 2)
    ptx_die(std::string("PTXRUN_DRIVER: want a version of CUDA such as 12.4, not ") + s);
  return 1000 * major + 10 * minor;
}
API CUresult cuDriverGetVersion(int* v) {
  *v = driver_version();
  return CUDA_SUCCESS;
}
API CUresult cuDeviceGetCount(int* n) {
  if (int e = ptx_ready()) return E(e);
  *n = ptx_devices();
  return CUDA_SUCCESS;
}
API CUresult cuDeviceGet(CUdevice* d, int i) {
  DEV(i);
  *d = i;
  return CUDA_SUCCESS;
}
API CUresult cuDeviceGetName(char* s, int n, CUdevice d) {
  DEV(d);
  snprintf(s, n, "ptxrun CPU emulation (sm_75)");
  return CUDA_SUCCESS;
}
API CUresult cuDeviceGetUuid(CUuuid* u, CUdevice d) {
  DEV(d);
  memset(u, 0, sizeof *u);
  snprintf(u->bytes, sizeof u->bytes, "ptxrun %d", d & 63);
  return CUDA_SUCCESS;
}
API CUresult cuDeviceTotalMem(size_t* n, CUdevice d) {
  DEV(d);
  size_t f;
  ptx_memory(d, &f, n);
  return CUDA_SUCCESS;
}
API CUresult cuDeviceGetAttribute(int* v, CUdevice_attribute a, CUdevice d) {
  DEV(d);
  return E(ptx_attribute(v, a, d));
}
API CUresult cuDeviceGetPCIBusId(char* s, int n, CUdevice d) {
  DEV(d);
  snprintf(s, n, "0000:%02x:00.0", d);
  return CUDA_SUCCESS;
}
API CUresult cuDeviceCanAccessPeer(int* v, CUdevice d, CUdevice p) {
  DEV(d);
  DEV(p);
  *v = ptx_can_peer(d, p);
  return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxRetain(CUcontext* c, CUdevice d) {
  DEV(d);
  *c = (CUcontext)ptx_primary(d);
  return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxRelease(CUdevice d) {
  DEV(d);
  return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxReset(CUdevice d) {
  DEV(d);
  return E(ptx_sync(d));
}
API CUresult cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned) {
  DEV(d);
  return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned* f, int* active) {
  DEV(d);
  *f = 0;
  *active = 1;
  return CUDA_SUCCESS;
}
#if CUDA_VERSION >= 13000
API CUresult cuCtxCreate(CUcontext* c, CUctxCreateParams*, unsigned, CUdevice d) {
#else
API CUresult cuCtxCreate(CUcontext* c, unsigned, CUdevice d) {
#endif
  DEV(d);
  Context* x = new Context{d};
  *c = (CUcontext)x;
  return ptx_contexts().push(x) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
API CUresult cuCtxDestroy(CUcontext c) {
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  auto& s = ptx_contexts();
  if (!s.empty() && s.back() == (Context*)c) s.pop();
  return E(ptx_sync(((Context*)c)->dev));
}  // the memory of a device outlives it here
API CUresult cuCtxGetCurrent(CUcontext* c) {
  auto& s = ptx_contexts();
  *c = s.empty() ? nullptr : (CUcontext)s.back();
  return E(ptx_ready());
}
API CUresult cuCtxSetCurrent(CUcontext c) {
  if (int e = ptx_ready()) return E(e);
  auto& s = ptx_contexts();
  if (!s.empty()) s.pop();
  if (c) s.push((Context*)c);
  return CUDA_SUCCESS;
}
API CUresult cuCtxPushCurrent(CUcontext c) {
  if (int e = ptx_ready()) return E(e);
  return c && ptx_contexts().push((Context*)c) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
API CUresult cuCtxPopCurrent(CUcontext* c) {
  auto& s = ptx_contexts();
  if (s.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (c) *c = (CUcontext)s.back();
  s.pop();
  return CUDA_SUCCESS;
}
API CUresult cuCtxGetDevice(CUdevice* d) {
  IN(C_OTHER);
  *d = ptx_device();
  return CUDA_SUCCESS;
}
API CUresult cuCtxGetApiVersion(CUcontext, unsigned* v) {
  *v = CUDA_VERSION;
  return CUDA_SUCCESS;
}
API CUresult cuCtxGetFlags(unsigned* f) {
  IN(C_OTHER);
  *f = 0;
  return CUDA_SUCCESS;
}
API CUresult cuCtxSetLimit(CUlimit, size_t) {
  IN(C_OTHER);
  return CUDA_SUCCESS;
}
API CUresult cuCtxGetLimit(size_t* v, CUlimit) {
  IN(C_OTHER);
  *v = 1024;
  return CUDA_SUCCESS;
}
API CUresult cuCtxGetStreamPriorityRange(int* a, int* b) {
  IN(C_OTHER);
  if (a) *a = 0;
  if (b) *b = 0;
  return CUDA_SUCCESS;
}
API CUresult cuCtxEnablePeerAccess(CUcontext c, unsigned) {
  IN(C_OTHER);
  return c ? E(ptx_peer(ptx_device(), ((Context*)c)->dev, 1)) : CUDA_ERROR_INVALID_CONTEXT;
}
API CUresult cuCtxDisablePeerAccess(CUcontext c) {
  IN(C_OTHER);
  return c ? E(ptx_peer(ptx_device(), ((Context*)c)->dev, 0)) : CUDA_ERROR_INVALID_CONTEXT;
}
API CUresult cuCtxSynchronize() {
  IN(C_SYNC);
  return E(ptx_sync());
}
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
// memory
static CUresult alloc(void** p, size_t n, Kind kind) {
  IN(C_MALLOC);
  if (!n) return CUDA_ERROR_INVALID_VALUE;
  *p = ptx_malloc(n, kind);
  return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
static CUresult release(void* p, Kind a, Kind b) {
  IN(C_OTHER);
  Kind k = p ? ptx_where(p, 1).kind : a;
  return (k == a || k == b) && ptx_free(p) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult copy(u64 d, u64 s, size_t n, int kind, CUstream st, bool async) {
  IN(C_MEMCPY);
  return E(ptx_copy((void*)d, 0, (void*)s, 0, n, 1, kind, st, async));
}
static CUresult fill(CUdeviceptr d, unsigned v, int bytes, size_t n, CUstream s, bool async) {
  IN(C_MEMSET);
  return E(ptx_fill((void*)d, 0, v, bytes, n, 1, s, async));
}
API CUresult cuMemGetInfo(size_t* f, size_t* t) {
  IN(C_OTHER);
  ptx_memory(ptx_device(), f, t);
  return CUDA_SUCCESS;
}
API CUresult cuMemAlloc(CUdeviceptr* p, size_t n) { return alloc((void**)p, n, DEVICE); }
API CUresult cuMemAllocAsync(CUdeviceptr* p, size_t n, CUstream) { return alloc((void**)p, n, DEVICE); }
API CUresult cuMemAllocManaged(CUdeviceptr* p, size_t n, unsigned) { return alloc((void**)p, n, MANAGED); }
API CUresult cuMemAllocHost(void** p, size_t n) { return alloc(p, n, PINNED); }
API CUresult cuMemHostAlloc(void** p, size_t n, unsigned) { return alloc(p, n, PINNED); }
API CUresult cuMemFree(CUdeviceptr p) { return release((void*)p, DEVICE, MANAGED); }
API CUresult cuMemFreeHost(void* p) { return release(p, PINNED, PINNED); }
API CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) {
  IN(C_OTHER);
  if (p && ptx_where((void*)p, 1).kind != DEVICE) return CUDA_ERROR_INVALID_VALUE;
  return E(ptx_submit(s, true, [=] { ptx_free((void*)p, false); }));
}
API CUresult cuMemHostGetDevicePointer(CUdeviceptr* d, void* h, unsigned) {
  *d = (CUdeviceptr)h;
  return CUDA_SUCCESS;
}
API CUresult cuMemGetAddressRange(CUdeviceptr* b, size_t* n, CUdeviceptr p) {
  IN(C_OTHER);
  Place w = ptx_where((void*)p, 1);
  if (!w.on_device()) return CUDA_ERROR_NOT_FOUND;
  if (b) *b = w.base;
  if (n) *n = w.size;
  return CUDA_SUCCESS;
}
API CUresult cuPointerGetAttribute(void* v, CUpointer_attribute a, CUdeviceptr p) {
  IN(C_OTHER);
  Place w = ptx_where((void*)p, 1);
  if (!w.on_device()) return CUDA_ERROR_INVALID_VALUE;
  switch (a) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext*)v = (CUcontext)ptx_primary(w.dev); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(unsigned*)v = w.kind == DEVICE || w.kind == MANAGED ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr*)v = p; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (w.kind == DEVICE) return CUDA_ERROR_INVALID_VALUE;
      *(void**)v = (void*)p;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned*)v = w.kind == MANAGED; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int*)v = w.dev; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(u64*)v = w.base; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t*)v = w.size; break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}
API CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n) {
  return copy(d, s, n, cudaMemcpyDefault, nullptr, false);
}
API CUresult cuMemcpyHtoD(CUdeviceptr d, const void* s, size_t n) {
  return copy(d, (u64)s, n, cudaMemcpyHostToDevice, nullptr, false);
}
API CUresult cuMemcpyDtoH(void* d, CUdeviceptr s, size_t n) {
  return copy((u64)d, s, n, cudaMemcpyDeviceToHost, nullptr, false);
}
API CUresult cuMemcpyDtoD(CUdeviceptr d, CUdeviceptr s, size_t n) {
  return copy(d, s, n, cudaMemcpyDeviceToDevice, nullptr, false);
}
API CUresult cuMemcpyAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st) {
  return copy(d, s, n, cudaMemcpyDefault, st, true);
}
API CUresult cuMemcpyHtoDAsync(CUdeviceptr d, const void* s, size_t n, CUstream st) {
  return copy(d, (u64)s, n, cudaMemcpyHostToDevice, st, true);
}
API CUresult cuMemcpyDtoHAsync(void* d, CUdeviceptr s, size_t n, CUstream st) {
  return copy((u64)d, s, n, cudaMemcpyDeviceToHost, st, true);
}
API CUresult cuMemcpyDtoDAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st) {
  return copy(d, s, n, cudaMemcpyDeviceToDevice, st, true);
}
API CUresult cuMemcpyPeer(CUdeviceptr d, CUcontext, CUdeviceptr s, CUcontext, size_t n) {
  return copy(d, s, n, cudaMemcpyDeviceToDevice | PEER, nullptr, false);
}
API CUresult cuMemcpyPeerAsync(CUdeviceptr d, CUcontext, CUdeviceptr s, CUcontext, size_t n, CUstream st) {
  return copy(d, s, n, cudaMemcpyDeviceToDevice | PEER, st, true);
}
API CUresult cuMemsetD8(CUdeviceptr d, unsigned char v, size_t n) { return fill(d, v, 1, n, nullptr, false); }
API CUresult cuMemsetD16(CUdeviceptr d, unsigned short v, size_t n) { return fill(d, v, 2, n, nullptr, false); }
API CUresult cuMemsetD32(CUdeviceptr d, unsigned v, size_t n) { return fill(d, v, 4, n, nullptr, false); }
API CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream s) { return fill(d, v, 1, n, s, true); }
API CUresult cuMemsetD16Async(CUdeviceptr d, unsigned short v, size_t n, CUstream s) {
  return fill(d, v, 2, n, s, true);
}
API CUresult cuMemsetD32Async(CUdeviceptr d, unsigned v, size_t n, CUstream s) { return fill(d, v, 4, n, s, true); }
// streams, events
API CUresult cuStreamCreateWithPriority(CUstream* s, unsigned f, int p) {
  IN(C_CREATE);
  return E(ptx_stream_create((void**)s, f, p));
}
API CUresult cuStreamCreate(CUstream* s, unsigned f) { return cuStreamCreateWithPriority(s, f, 0); }
API CUresult cuStreamDestroy(CUstream s) {
  IN(C_OTHER);
  return E(ptx_stream_destroy(s));
}
API CUresult cuStreamSynchronize(CUstream s) {
  IN(C_SYNC);
  return E(ptx_stream_sync(s));
}
API CUresult cuStreamQuery(CUstream s) {
  IN(C_OTHER);
  return E(ptx_stream_sync(s, true));
}
API CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned) {
  IN(C_OTHER);
  return E(ptx_stream_wait(s, e));
}
API CUresult cuStreamGetFlags(CUstream s, unsigned* f) {
  int d, p;
  IN(C_OTHER);
  return E(ptx_stream_info(s, &d, f, &p));
}
API CUresult cuStreamGetPriority(CUstream s, int* p) {
  int d;
  unsigned f;
  IN(C_OTHER);
  return E(ptx_stream_info(s, &d, &f, p));
}
API CUresult cuStreamGetCtx(CUstream s, CUcontext* c) {
  int d, p;
  unsigned f;
  IN(C_OTHER);
  int e = ptx_stream_info(s, &d, &f, &p);
  if (!e) *c = (CUcontext)ptx_primary(d);
  return E(e);
}
API CUresult cuEventCreate(CUevent* e, unsigned f) {
  IN(C_CREATE);
  return E(ptx_event_create((void**)e, f));
}
API CUresult cuEventDestroy(CUevent e) {
  IN(C_OTHER);
  return E(ptx_event_destroy(e));
}
API CUresult cuEventRecord(CUevent e, CUstream s) {
  IN(C_OTHER);
  return E(ptx_event_record(e, s));
}
API CUresult cuEventSynchronize(CUevent e) {
  IN(C_SYNC);
  return E(ptx_event_sync(e));
}
API CUresult cuEventQuery(CUevent e) {
  IN(C_OTHER);
  return E(ptx_event_sync(e, true));
}
API CUresult cuEventElapsedTime(float* ms, CUevent a, CUevent b) {
  IN(C_OTHER);
  return E(ptx_event_elapsed(ms, a, b));
}
// errors, entry points
API CUresult cuGetErrorName(CUresult e, const char** s) {
  *s = ptx_error(e, 1);
  return CUDA_SUCCESS;
}
API CUresult cuGetErrorString(CUresult e, const char** s) {
  *s = ptx_error(e, 2);
  return CUDA_SUCCESS;
}
API CUresult cuGetProcAddress(const char* name, void** f, int, cuuint64_t, CUdriverProcAddressQueryResult* r) {
  static void* h = [] {
    Dl_info i;
    dladdr((void*)cuInit, &i);
    return dlopen(i.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  *f = nullptr;
  for (const char* v : {"_v4", "_v3", "_v2", ""})
    if (h && !*f) *f = dlsym(h, (std::string(name) + v).c_str());
  if (r) *r = *f ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return found(*f);
}
// NVRTC probes a loaded driver for private tables; a table that says it has no entries (size 8) makes it carry on
// without
API CUresult cuGetExportTable(const void** t, const CUuuid*) {
  static const size_t empty[16] = {8};
  *t = empty;
  return CUDA_SUCCESS;
}
