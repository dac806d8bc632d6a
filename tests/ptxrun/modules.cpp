// Modules and libraries: PTX text to shared objects, by the translator and the compiler, kept in a folder by content.
#include "modules.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>

#include "counting.hpp"
#include "device.hpp"
#include "tools.hpp"

static auto& handle_mutex = *new std::recursive_mutex;  // kernels, functions, libraries
static auto& build_mutex = *new std::mutex;             // runs of the tools
static auto& live_kernels = *new std::set<const void*>;
static auto& live_functions = *new std::set<const void*>;
typedef std::lock_guard<std::recursive_mutex> HandleLock;
Module* ptx_load(const std::string& ptx, int dev, const Module* first) {
  std::lock_guard<std::mutex> l(build_mutex);
  PtxOpen open(dev);
  std::unique_ptr<Module> m(new Module);
  m->dev = dev;
  m->dir = cache_folder() + "/" + to_hex(hash_text(to_hex(hash_tools()), hash_text(ptx)));
  mkdir(m->dir.c_str(), 0755);
  m->file = m->dir + "/mod.ptx";
  std::string meta = m->dir + "/meta.txt";
  if (access(meta.c_str(), R_OK)) {
    std::string pid = "." + std::to_string(getpid());  // parallel processes share the cache: write aside, then rename
    std::ofstream(m->file + pid) << ptx;
    rename((m->file + pid).c_str(), m->file.c_str());
    if (!describe_module(m->file, meta + pid)) return nullptr;
    rename((meta + pid).c_str(), meta.c_str());
  }
  std::ifstream in(meta);
  std::string line;
  std::vector<std::tuple<std::string, size_t, std::string, size_t>> rel;
  while (std::getline(in, line)) {
    std::istringstream s(line);
    std::string k;
    s >> k;
    if (k == "target")
      s >> m->target;
    else if (k == "entry") {
      std::string n;
      s >> n;
      m->entries.push_back(n);
    } else if (k == "var") {
      std::string n, sp, hex;
      size_t sz, al;
      s >> n >> sp >> sz >> al >> hex;
      if (sp == "managed" && first) {  // one for all devices
        m->vars[n] = first->vars.at(n);
        m->vars[n].own = false;
        continue;
      }
      u8* p = (u8*)ptx_malloc(sz, sp == "managed" ? MANAGED : DEVICE, dev, true);
      if (!p) ptx_die("no device memory for module variable " + n);
      memset(p, 0, sz);
      if (hex != "-")
        for (size_t i = 0; i + 1 < hex.size(); i += 2) p[i / 2] = (u8)std::stoi(hex.substr(i, 2), nullptr, 16);
      m->vars[n] = {p, sz, true};
    } else if (k == "rel") {
      std::string n, sym;
      size_t p, o;
      s >> n >> p >> sym >> o;
      rel.push_back({n, p, sym, o});
    }
  }
  for (auto& [n, p, sym, o] : rel)
    if (m->vars[n].own) {
      auto it = m->vars.find(sym);
      u64 v =
          it == m->vars.end() ? 0xDEADF00D00000000ull : (u64)it->second.p + o; /* functions: patched in by ptx_bind */
      memcpy(m->vars[n].p + p, &v, 8);
    }
  return m.release();
}
void ptx_unload(Module* m) {
  ptx_sync(m->dev);
  HandleLock l(handle_mutex);
  for (auto& k : m->k) {
    live_kernels.erase(k.second);
    if (k.second->so) dlclose(k.second->so);
    delete k.second;
  }
  for (auto& v : m->vars)
    if (v.second.own) ptx_free(v.second.p, false);
  delete m;
}
void* ptx_var(Module* m, const char* n, size_t* sz) {
  auto it = m->vars.find(n);
  if (it == m->vars.end()) return nullptr;
  if (sz) *sz = it->second.size;
  return it->second.p;
}
static u8* look(void* m, const char* n) {
  auto& v = ((Module*)m)->vars;
  auto it = v.find(n);
  if (it == v.end()) ptx_die(std::string("unresolved module variable ") + n);
  return it->second.p;
}
static void build(Kernel* k) {
  if (k->fn.load()) return;
  std::lock_guard<std::mutex> l(build_mutex);
  if (k->fn.load()) return;
  PtxOpen open(k->m->dev);
  std::string opt = "-O" + std::string(getenv("PTXRUN_OPT") ? getenv("PTXRUN_OPT") : "1") +
                    (ptx_env("PTXRUN_MEMCHECK", 0) ? " -DPTX_MEMCHECK" : "");
  const bool counted = counts_file() != nullptr;
  std::string so = k->m->dir + "/" + to_hex(hash_text(opt + (counted ? " counted" : ""), hash_text(k->name))) + ".so";
  if (access(so.c_str(), R_OK)) {
    std::string aside = so + "." + std::to_string(getpid());
    compile_kernel(k->m->file, k->name, opt, aside, counted);
    rename(aside.c_str(), so.c_str());
  }
  k->so = dlopen(so.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!k->so) ptx_die(dlerror());
  k->meta = (const KMeta*)dlsym(k->so, "ptx_meta");
  if (counted) {
    k->blocks = (const BlockFact*)dlsym(k->so, "ptx_blocks");
    k->block_count = *(const u32*)dlsym(k->so, "ptx_block_count");
  }
  k->vars.resize(k->meta->nvars + 1);
  ((void (*)(u8 * (*)(void*, const char*), void*, u8**)) dlsym(k->so, "ptx_bind"))(look, k->m, k->vars.data());
  k->fn = (KernelCode)dlsym(k->so, "ptx_kernel");
}
Kernel* ptx_kernel_of(Module* m, const char* name) {
  HandleLock l(handle_mutex);
  auto it = m->k.find(name);
  if (it != m->k.end()) return it->second;
  if (std::find(m->entries.begin(), m->entries.end(), name) == m->entries.end()) return nullptr;
  Kernel* k = new Kernel;
  k->m = m;
  k->name = name;
  m->k[name] = k;
  live_kernels.insert(k);
  return k;
}
const KMeta& ptx_kmeta(Kernel* k) {
  build(k);
  return *k->meta;
}
const char* ptx_name(Kernel* k) { return k->name.c_str(); }
std::vector<std::string> ptx_entries(Module* m) { return m->entries; }

// a library's code is loaded on a device when first used there
Library* ptx_library(std::function<std::string()> text, bool program) {
  return new Library{std::move(text), program, std::vector<Module*>(ptx_devices()), {}};
}
Module* ptx_module_of(Library* lib) {
  HandleLock l(handle_mutex);
  Module*& m = lib->mod[ptx_device()];
  if (m) return m;
  const Module* first = nullptr;
  for (Module* x : lib->mod)
    if (x) {
      first = x;
      break;
    }
  m = ptx_load(lib->text(), ptx_device(), first);
  if (!m && lib->program) ptx_die("cannot translate the program's PTX");
  return m;
}
Function* ptx_function_of(Library* lib, const char* name, bool check) {
  HandleLock l(handle_mutex);
  Function*& f = lib->f[name];
  if (f) return f;
  Module* m = check ? ptx_module_of(lib) : nullptr;
  if (check && (!m || !ptx_kernel_of(m, name))) {
    lib->f.erase(name);
    return nullptr;
  }
  f = new Function{lib, name};
  live_functions.insert(f);
  return f;
}
int ptx_library_unload(Library* lib) {
  HandleLock l(handle_mutex);
  for (auto& f : lib->f) {
    live_functions.erase(f.second);
    delete f.second;
  }
  for (int i = (int)lib->mod.size(); i-- > 0;)
    if (lib->mod[i]) ptx_unload(lib->mod[i]);
  delete lib;
  return 0;
}
Kernel* ptx_resolve(const void* h) {
  HandleLock l(handle_mutex);
  if (live_kernels.count(h)) {
    Kernel* k = (Kernel*)h;
    return k->m->dev == ptx_device() ? k : nullptr;
  }
  if (!live_functions.count(h)) return nullptr;
  const Function* f = (const Function*)h;
  Module* m = ptx_module_of(f->lib);
  return m ? ptx_kernel_of(m, f->name.c_str()) : nullptr;
}
Library* ptx_library_of(const void* h) {
  HandleLock l(handle_mutex);
  return live_functions.count(h) ? ((const Function*)h)->lib : nullptr;
}
