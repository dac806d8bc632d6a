// The container nvcc puts device code into, and what else may be given as code: PTX text, or a cubin, which is refused.
#include <dlfcn.h>

#include <cstdio>

#include "ptxrun.hpp"

// LZ4's block format: runs of bytes, each followed by a copy of earlier ones; empty if it is not that
static std::string unpack_lz4(const u8* q, size_t n, size_t size) {
  const u8* end = q + n;
  std::string out;
  auto length = [&](size_t l) {  // 15 goes on in bytes, the last of which is not 255
    for (u8 b = 255; l >= 15 && b == 255 && q < end;) l += b = *q++;
    return l;
  };
  while (q < end) {
    u8 token = *q++;
    size_t run = length(token >> 4);
    if (run > (size_t)(end - q) || out.size() + run > size) return "";
    out.append((const char*)q, run);
    q += run;
    if (q == end) break;  // the last run has no copy
    if (end - q < 2) return "";
    size_t back = q[0] | q[1] << 8;
    q += 2;
    size_t copied = length(token & 15) + 4;
    if (!back || back > out.size() || out.size() + copied > size) return "";
    for (; copied; --copied) out += out[out.size() - back];
  }
  return out.size() == size ? out : "";
}
static std::string unpack_zstd(const u8* q, size_t n, size_t size) {
  void* z = dlopen("libzstd.so.1", RTLD_NOW);
  if (!z) return "";
  auto dec = (size_t(*)(void*, size_t, const void*, size_t))dlsym(z, "ZSTD_decompress");
  auto bad = (unsigned (*)(size_t))dlsym(z, "ZSTD_isError");
  std::string out(size, '\0');
  size_t made = dec(&out[0], size, q, n);
  return bad(made) ? "" : out.substr(0, made);
}

std::string ptx_from_fatbin(const void* fb) {
  const u8* p = (const u8*)fb;
  auto r16 = [](const u8* q) {
    u16 v;
    memcpy(&v, q, 2);
    return v;
  };
  auto r32 = [](const u8* q) {
    u32 v;
    memcpy(&v, q, 4);
    return v;
  };
  auto r64 = [](const u8* q) {
    u64 v;
    memcpy(&v, q, 8);
    return v;
  };
  if (r32(p) != 0xBA55ED50u) return "";
  u32 hs = r16(p + 6);
  u64 total = r64(p + 8);
  const u8* q = p + hs;
  const u8* e = q + total;
  bool packed = false;
  while (q < e) {
    u16 kind = r16(q);
    u32 eh = r32(q + 4);
    u64 sz = r64(q + 8), flags = r64(q + 40);
    if (kind == 1) {
      if (flags & 0xF000) {  // nvcc 12 compresses with LZ4, nvcc 13 with zstd
        std::string s = (flags & 0x2000 ? unpack_lz4 : unpack_zstd)(q + eh, r32(q + 16), r64(q + 56));
        if (!s.empty()) return std::string(s.c_str());
        packed = true;
      } else {
        std::string s((const char*)q + eh, sz);
        return std::string(s.c_str());
      }
    }
    q += eh + sz;
  }
  fprintf(stderr, "ptxrun: %s\n",
          packed ? "the fat binary's PTX is compressed: build with nvcc --no-compress"
                 : "no PTX in the fat binary: build with -gencode arch=compute_75,code=compute_75");
  return "";
}
int ptx_image(const void* image, std::string* ptx) {
  const char* p = (const char*)image;
  if (!strncmp(p, "\xB1\x43\x62\x46", 4)) p = *(const char**)(p + 8);  // fat binary wrapper
  if (!strncmp(p, "\x50\xED\x55\xBA", 4)) {
    *ptx = ptx_from_fatbin(p);
    return ptx->empty() ? cudaErrorNoKernelImageForDevice : 0;
  }
  if (!strncmp(p,
               "\x7F"
               "ELF",
               4)) {
    fprintf(stderr, "ptxrun: got a cubin; PTX needed: compile with compute_XX (not sm_XX) and load the PTX\n");
    return cudaErrorNoKernelImageForDevice;
  }
  *ptx = p;
  return ptx->find(".version") == std::string::npos ? cudaErrorInvalidKernelImage : 0;
}
