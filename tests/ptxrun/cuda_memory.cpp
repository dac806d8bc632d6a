// The CUDA driver API: memory.
#include "cuda_driver.hpp"

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
