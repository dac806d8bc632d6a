// The CUDA runtime API: memory.
#include "cudart.hpp"

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
extern "C" {
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
}
