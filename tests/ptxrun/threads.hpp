// A block of threads, and what a running thread may ask for.
#pragma once
#include "modules.hpp"

/// Runs all threads of one block. `first` has everything but the thread's own numbers. `counts`: of the kernel's basic
/// blocks, where they are counted.
void run_block(Kernel* k, const Ctx& first, std::vector<BlockCount>& counts);

extern const Rt thread_services;

// services.cpp
void rt_check(Ctx&, u64 address, u32 bytes, int kind, int line);
void rt_trap(Ctx&, int line);
void rt_builtin(Ctx&, const char* name, u8** arguments);
void forget_checked_memory();  // the checker remembers the last allocation it met; called at every launch

// threads.cpp
void rt_yield(Ctx&);
