// The replacement of libcuda.so.1: the part of the CUDA driver API that a compute program uses to run NVRTC / -ptx
// output. As on a GPU, a call before cuInit or without a current context fails; the runtime API makes a primary context
// current.
// Here: devices and contexts, streams and events, errors and entry points.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "cuda_driver.hpp"

// devices and contexts
API CUresult cuInit(unsigned) { return E(ptx_init(true)); }
int driver_version() {
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
