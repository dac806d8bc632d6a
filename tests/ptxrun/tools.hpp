// The programs ptxrun calls: the translator (ptx2cpp.py) and a C++ compiler; and the folder where what they made is
// kept.
#pragma once
#include <string>

#include "generated.hpp"

u64 hash_text(const std::string& text, u64 start = 1469598103934665603ull);  // FNV-1a
std::string to_hex(u64 number);                                              // 16 digits
// changes with the translator, its header and the compiler
u64 hash_tools();

std::string cache_folder();  // PTXRUN_CACHE; made if it is not there
bool describe_module(const std::string& ptx_file, const std::string& out_file);
void compile_kernel(const std::string& ptx_file, const std::string& kernel, const std::string& options,
                    const std::string& object, bool counted);
