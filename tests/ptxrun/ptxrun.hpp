// What the parts of ptxrun offer each other. A PTX module becomes generated C++, a shared object, and a launch on the
// CPU:
//
//   cudart*, cuda*         the two APIs, thin layers over all below; a program may mix them
//   fat_binary.cpp         where PTX is found in what a program gives us
//   modules.cpp, tools.cpp PTX to shared objects, by ptx2cpp.py and a C++ compiler
//   launch.cpp             limits, grids
//   threads.cpp            the threads of a block: calls or fibers; services.cpp: what a thread asks the host for
//   devices.cpp, memory.cpp, streams.cpp, copies.cpp
//   counting.cpp           instructions of threads and warps
//   faults.cpp             errors, injected ones too; statistics.cpp: what was done and left behind
//
// Functions that return int return a CUDA error number; those used here mean the same in the runtime and in the driver
// API.
#pragma once
#include <driver_types.h>
#include <functional>
#include <string>
#include <vector>
#include "generated.hpp"
struct Module;
struct Kernel;
struct Library;
struct Function;
[[noreturn]] void ptx_die(const std::string& message);  // "ptxrun: message", exit code 99
int ptx_env(const char* name, int otherwise);

// devices; a host thread has a stack of contexts, the top one says which device is current (none: device 0)
struct Context {
  int dev;
};
struct ContextStack {
  Context* c[64];
  int n;
  bool empty() const { return n == 0; }
  Context*& back() { return c[n - 1]; }
  bool push(Context* x) {
    if (n == 64) return false;
    c[n++] = x;
    return true;
  }
  void pop() { --n; }
};  // plain data: static destructors of programs still use it
int ptx_devices();
int ptx_device();
bool ptx_set_device(int dev);  // makes the primary context of dev current
Context* ptx_primary(int dev);
ContextStack& ptx_contexts();
int ptx_attribute(int* v, int attribute, int dev);  // cudaDevAttr... and CU_DEVICE_ATTRIBUTE_... are the same numbers
void ptx_memory(int dev, size_t* free, size_t* total);
int ptx_peer(int dev, int peer, int on);  // kernels of dev may (1) / may not (0) touch memory of peer
bool ptx_can_peer(int dev, int peer);
bool ptx_has_peer(int dev, int peer);

// every API call that needs a device passes here first: missing device or context, sticky errors, PTXRUN_FAIL
enum Call { C_MALLOC, C_LAUNCH, C_MEMCPY, C_MEMSET, C_SYNC, C_CREATE, C_LOAD, C_OTHER };
int ptx_enter(Call, bool runtime);          // runtime: creates the primary context as needed
int ptx_init(bool driver);                  // 0, or why there is no device
int ptx_ready();                            // 0 after ptx_init or a runtime call, else an error
int ptx_sticky();                           // error that the current device cannot recover from, or 0
const char* ptx_error(int code, int what);  // what: 0 runtime name, 1 driver name, 2 text

// memory
// BAD: runs over the end of an allocation, or freed
enum Kind { BAD = -1, PAGEABLE, DEVICE, PINNED, MANAGED, REGISTERED };
struct Place {
  Kind kind;
  int dev;
  u64 base;
  size_t size;
  bool on_device() const { return kind != PAGEABLE && kind != BAD; }
  bool on_host() const { return kind != DEVICE && kind != BAD; }
};
// module: a variable, not a leak at exit
void* ptx_malloc(size_t n, Kind kind = DEVICE, int dev = -1, bool module = false);
// wait: first finish what is queued on the device, as cudaFree
bool ptx_free(void* p, bool wait = true);
bool ptx_register(void* p, size_t n);
Place ptx_where(const void* p, size_t n);
struct PtxOpen {
  u64 mask;
  explicit PtxOpen(int dev = -1, bool peers = false);
  ~PtxOpen();
};  // memory of dev (-1: all) accessible while one exists (PTXRUN_PROTECT)

// streams and events; s = 0, 1, 2 are the default streams.  copy kinds are cudaMemcpyKind, + PEER if the
// call says that the devices differ; h rows of w bytes
constexpr int PEER = 8;
int ptx_submit(void* s, bool async, std::function<void()> f, bool host_function = false);
int ptx_copy(void* d, size_t dpitch, const void* s, size_t spitch, size_t w, size_t h, int kind, void* stream,
             bool async);
int ptx_fill(void* d, size_t pitch, u32 v, int bytes, size_t w, size_t h, void* stream, bool async);
int ptx_stream_create(void** s, unsigned flags, int priority);
int ptx_stream_destroy(void* s);
int ptx_stream_info(void* s, int* dev, unsigned* flags, int* priority);
int ptx_stream_sync(void* s, bool query = false);
int ptx_stream_wait(void* s, void* e);
int ptx_event_create(void** e, unsigned flags);
int ptx_event_destroy(void* e);
int ptx_event_record(void* e, void* s);
int ptx_event_sync(void* e, bool query = false);
int ptx_event_elapsed(float* ms, void* a, void* b);
int ptx_sync(int dev = -1);  // all streams of dev (-1: the current one)
void ptx_count_launch(u64 threads);

// modules belong to a device; a library is the same code on every device, loaded where it is used
int ptx_image(const void* image, std::string* ptx);                                // PTX text of PTX or of a fat binary
std::string ptx_from_fatbin(const void* fatbin);                                   // first PTX image in it, or ""
Module* ptx_load(const std::string& ptx, int dev, const Module* first = nullptr);  // first: owns the managed variables
void ptx_unload(Module*);
// device address of a __device__/__constant__ variable
void* ptx_var(Module*, const char* name, size_t* size);
Kernel* ptx_kernel_of(Module*, const char* name);  // lazily compiled
// program: its own device code, must load
Library* ptx_library(std::function<std::string()> ptx, bool program = false);
int ptx_library_unload(Library*);
Module* ptx_module_of(Library*);  // on the current device; null: bad PTX
Function* ptx_function_of(Library*, const char* name, bool check = true);
std::vector<std::string> ptx_entries(Module*);
Kernel* ptx_resolve(const void* handle);  // Kernel* or Function* -> kernel on the current device, null: no such
Library* ptx_library_of(const void* function);

const KMeta& ptx_kmeta(Kernel*);
const char* ptx_name(Kernel*);
int ptx_func_attribute(Kernel*, int attribute);  // CU_FUNC_ATTRIBUTE_... and cudaFuncAttribute numbers
int ptx_func_set(Kernel*, int attribute, int value);
int ptx_occupancy(Kernel*, int block, size_t dyn_shared);  // blocks per multiprocessor
int ptx_launch(Kernel*, const u32 grid[3], const u32 block[3], void** args, const void* buf, size_t n,
               size_t dyn_shared, void* stream);
