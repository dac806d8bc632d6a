// The replacement of libcudart.so: the subset of the CUDA runtime API that a plain compute program (and Thrust/CUB)
// uses, run on the CPU. Graphs, textures, IPC do not exist.
// Here: streams and events, devices, errors.
#include "cudart.hpp"

#include <dlfcn.h>

#include <cstdio>

static thread_local cudaError_t last_error = cudaSuccess;
cudaError_t R(int e) {
  if (e && e != cudaErrorNotReady) last_error = (cudaError_t)e;
  return (cudaError_t)e;
}
extern "C" {
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
