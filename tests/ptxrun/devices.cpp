// Devices: how many, their memory limits, contexts, peers and attributes.
#include "device.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int ptx_env(const char* n, int d) {
  const char* s = getenv(n);
  return s && *s ? atoi(s) : d;
}
void ptx_die(const std::string& m) {
  fflush(stdout);
  fprintf(stderr, "ptxrun: %s\n", m.c_str());
  fflush(stderr);
  _exit(99);
}

const Settings& settings() {
  static const Settings s = {ptx_env("PTXRUN_PROTECT", 0) != 0, ptx_env("PTXRUN_ASYNC", 0) != 0,
                             ptx_env("PTXRUN_MEMCHECK", 0),     ptx_env("PTXRUN_SCHED", 0),
                             ptx_env("PTXRUN_PREEMPT", 0),      ptx_env("PTXRUN_POISON", 0xFF)};
  return s;
}

int ptx_devices() {
  static const int count = [] {
    int n = ptx_env("PTXRUN_DEVICES", 1);
    if (n < 1 || n > 64) ptx_die("PTXRUN_DEVICES must be 1 to 64");
    return n;
  }();
  return count;
}

// PTXRUN_PROTECT: say whose memory it was, then fault again
static void on_segv(int, siginfo_t* i, void*) {
  for (int d = 0; d < ptx_devices(); ++d) {
    const Device& device = device_table()[d];
    if (!device.arena || (size_t)((u8*)i->si_addr - device.arena) >= device.span) continue;
    char b[160];
    int n = snprintf(b, sizeof b,
                     "ptxrun: memory of device %d at %p touched by host code or by a kernel of another device\n", d,
                     i->si_addr);
    if (write(2, b, n) != n) _exit(98);
    _exit(99);
  }
}

// i-th number of a comma list; the last one holds for the rest
static double list_item(const char* s, int i) {
  for (const char* c; i > 0 && (c = strchr(s, ',')); --i) s = c + 1;
  char* e;
  double v = strtod(s, &e);
  if (e == s || v <= 0) ptx_die(std::string("PTXRUN_MEM_GB / PTXRUN_MEM_MB: not a positive number: ") + s);
  return v;
}
static Device* make_devices() {
  Device* d = new Device[ptx_devices()];
  auto text = [](const char* n) {
    const char* v = getenv(n);
    return v && *v ? v : nullptr;
  };
  const char *mb = text("PTXRUN_MEM_MB"), *gb = text("PTXRUN_MEM_GB");
  for (int i = 0; i < ptx_devices(); ++i) {
    d[i].primary.dev = i;
    d[i].limit = mb ? (size_t)(list_item(mb, i) * (1 << 20)) : (size_t)(list_item(gb ? gb : "8", i) * (1 << 30));
    // address space is cheap: fragmentation must not end a program early
    d[i].span = (4 * d[i].limit + (64u << 20)) & ~(size_t)4095;
  }
  if (settings().protect) {
    struct sigaction a = {};
    a.sa_sigaction = on_segv;
    a.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaction(SIGSEGV, &a, nullptr);
  }
  return d;
}

Device* device_table() {
  static Device* const table = make_devices();  // never freed: static destructors of programs still use it
  return table;
}

ContextStack& ptx_contexts() {
  static thread_local ContextStack s;
  return s;
}
int ptx_device() {
  auto& s = ptx_contexts();
  return s.empty() ? 0 : s.back()->dev;
}
Context* ptx_primary(int dev) { return &device_table()[dev].primary; }
bool ptx_set_device(int dev) {
  if (dev < 0 || dev >= ptx_devices()) return false;
  auto& s = ptx_contexts();
  if (s.empty()) s.push(nullptr);
  s.back() = &device_table()[dev].primary;
  return true;
}
bool ptx_can_peer(int d, int p) {
  return d != p && d >= 0 && p >= 0 && d < ptx_devices() && p < ptx_devices() && ptx_env("PTXRUN_PEER", 1);
}
bool ptx_has_peer(int d, int p) { return d == p || (device_table()[d].peers >> p & 1); }
int ptx_peer(int d, int p, int on) {
  if (p < 0 || p >= ptx_devices()) return cudaErrorInvalidDevice;
  if (!ptx_can_peer(d, p)) return on ? cudaErrorPeerAccessUnsupported : cudaErrorPeerAccessNotEnabled;
  u64 bit = 1ull << p, old = on ? device_table()[d].peers.fetch_or(bit) : device_table()[d].peers.fetch_and(~bit);
  return !(old & bit) == !!on ? 0 : on ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled;
}
int ptx_attribute(int* v, int a, int dev) {
  if (dev < 0 || dev >= ptx_devices()) return cudaErrorInvalidDevice;
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxThreadsPerMultiProcessor: *v = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *v = 64; break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxPitch: *v = 2147483647; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *v = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *v = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *v = 64 << 10; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
    case cudaDevAttrTotalConstantMemory: *v = 65536; break;
    case cudaDevAttrWarpSize: *v = 32; break;
    case cudaDevAttrMultiProcessorCount: *v = ptx_env("PTXRUN_SMS", 2); break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *v = 16; break;
    case cudaDevAttrComputeCapabilityMajor: *v = 7; break;
    case cudaDevAttrComputeCapabilityMinor: *v = 5; break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate: *v = 1000000; break;
    case cudaDevAttrGlobalMemoryBusWidth: *v = 64; break;
    case cudaDevAttrL2CacheSize: *v = 4 << 20; break;
    case cudaDevAttrTextureAlignment: *v = 512; break;
    case cudaDevAttrPciBusId: *v = dev; break;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount: *v = 1; break;
    default: *v = 0;
  }
  return 0;
}
