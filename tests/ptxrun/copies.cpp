// Copies and fills: a direction or extent that does not fit the pointers is an error, as on a GPU.
#include <memory>

#include "device.hpp"

static size_t extent(size_t pitch, size_t w, size_t h) { return h > 1 ? (h - 1) * pitch + w : w; }
// legal in CUDA, yet often a mistake: only with PTXRUN_MEMCHECK=2
static void check_owner(const Place& p, const char* what, bool peer) {
  if (settings().memory_check >= 2 && !peer && p.kind == DEVICE && !ptx_has_peer(ptx_device(), p.dev))
    ptx_die(std::string(what) + " touches memory of device " + std::to_string(p.dev) + " while device " +
            std::to_string(ptx_device()) + " is current, without peer access");
}
int ptx_copy(void* d, size_t dp, const void* s, size_t sp, size_t w, size_t h, int kind, void* stream, bool async) {
  const bool peer = kind & PEER;
  kind &= ~PEER;
  if (h > 1 && (dp < w || sp < w)) return cudaErrorInvalidValue;
  if (w * h == 0) return 0;
  Place D = ptx_where(d, extent(dp, w, h)), S = ptx_where(s, extent(sp, w, h));
  check_owner(D, "a copy", peer);
  check_owner(S, "a copy", peer);
  bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
       from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice, any = kind == cudaMemcpyDefault;
  if (kind < 0 || kind > 4 || D.kind == BAD || S.kind == BAD ||
      !(any || ((to ? D.on_device() : D.on_host()) && (from ? S.on_device() : S.on_host()))))
    return cudaErrorInvalidValue;
  if (D.kind == DEVICE || S.kind == DEVICE)
    (D.kind != DEVICE ? counters().d2h : S.kind != DEVICE ? counters().h2d : counters().d2d) += w * h;
  auto move = [=](const u8* from, size_t pitch) {
    PtxOpen o;
    if (h == 1)
      memmove(d, from, w);
    else
      for (size_t i = 0; i < h; ++i) memmove((u8*)d + i * dp, from + i * pitch, w);
  };
  if (!async || !settings().async || D.kind == PAGEABLE)
    return ptx_submit(stream, false, [=] { move((const u8*)s, sp); });  // the host sees the result at return
  // pageable source: read now; pinned: read when the copy runs
  if (S.kind == PAGEABLE) {
    auto staged = std::make_shared<std::vector<u8>>(w * h);
    for (size_t i = 0; i < h; ++i) memcpy(staged->data() + i * w, (const u8*)s + i * sp, w);
    return ptx_submit(stream, true, [=] { move(staged->data(), w); });
  }
  int dev = ptx_device();
  return ptx_submit(stream, true, [=] {
    if (ptx_where(d, extent(dp, w, h)).kind == BAD || ptx_where(s, extent(sp, w, h)).kind == BAD)
      device_table()[dev].error = cudaErrorIllegalAddress;
    else
      move((const u8*)s, sp);
  });
}
int ptx_fill(void* d, size_t pitch, u32 v, int bytes, size_t w, size_t h, void* stream, bool async) {  // w in elements
  if (w * h == 0) return 0;
  Place D = ptx_where(d, extent(pitch, w * bytes, h));
  check_owner(D, "a memset", false);
  if (!D.on_device() || (u64)d % bytes) return cudaErrorInvalidValue;
  return ptx_submit(stream, async, [=] {
    PtxOpen o;
    for (size_t i = 0; i < h; ++i) {
      u8* r = (u8*)d + i * pitch;
      if (bytes == 1)
        memset(r, (int)v, w);
      else
        for (size_t j = 0; j < w; ++j) memcpy(r + j * bytes, &v, bytes);
    }
  });
}
