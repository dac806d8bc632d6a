// Modules, kernels and libraries as they lie in memory.
#pragma once
#include <atomic>
#include <map>

#include "ptxrun.hpp"

typedef void (*KernelCode)(Ctx&);  // one thread

struct ModuleVariable {
  u8* p;
  size_t size;
  bool own;  // false: a managed variable of the module that was loaded first
};
struct Kernel {
  Module* m;
  std::string name;
  std::atomic<KernelCode> fn{nullptr};  // null: not compiled yet
  const KMeta* meta = nullptr;
  const BlockFact* blocks = nullptr;  // where they are counted
  u32 block_count = 0;
  void* so = nullptr;     // from dlopen
  std::vector<u8*> vars;  // addresses of the module variables it uses
  int max_dyn = -1;       // dynamic shared memory it asked for, bytes; -1: the usual limit
};
struct Module {
  int dev;
  std::string dir, file, target;  // folder in the cache, its PTX, "sm_75"
  std::map<std::string, ModuleVariable> vars;
  std::map<std::string, Kernel*> k;
  std::vector<std::string> entries;
};
struct Function {
  Library* lib;
  std::string name;
};
struct Library {
  std::function<std::string()> text;  // its PTX
  bool program;                       // the program's own device code
  std::vector<Module*> mod;           // by device, loaded when first used there
  std::map<std::string, Function*> f;
};
