#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace conesweep::model {

/// Where compiled models are kept: $CONESWEEP_CACHE, else $XDG_CACHE_HOME/conesweep, else ~/.cache/conesweep, else a folder in the
/// system's temporary one.
std::filesystem::path cache_folder();

/// A name for compiled text: a hash of everything that matters for the result.
std::string cache_key(const std::string& text);

/// Keeps the cache below a bound: the files not used for longest go first.
inline constexpr std::uintmax_t largest_cache = 256u << 20;  // bytes; a compiled model has about 100 kB
void trim_cache(const std::filesystem::path& folder, std::uintmax_t largest = largest_cache);

/// Writes a file so that readers see it whole or not at all, also with several processes at work.
void publish(const std::filesystem::path& file, const std::string& content);

/// The program of that name on PATH, or nothing.
std::string find_program(const std::string& name);

/// The host compiler: $CONESWEEP_CXX, $CXX, g++, clang++, c++; empty if there is none.
std::string find_host_compiler();

/// " (CXX says 'name')" where a variable names a compiler that is not there, else nothing: ready to append to a message.
std::string missing_compiler();

/// A shared object made from one unit of C++, compiled now or taken from the cache.
///
/// $CONESWEEP_CXXFLAGS is appended to the compiler's flags, for tests: -mno-avx -mno-fma gives the same bits. Flags, compiler, CPU features
/// and text make the object's name. An object that was cut short or changed is compiled again. Where the cache cannot be written, a folder of the
/// user's own in the system's temporary one takes its place.
class CompiledUnit {
 public:
  /// Throws SystemError if the compiler cannot be run, InternalError-like SystemError with the saved source if it refuses our text.
  explicit CompiledUnit(const std::string& text);
  ~CompiledUnit();
  CompiledUnit(const CompiledUnit&) = delete;
  CompiledUnit& operator=(const CompiledUnit&) = delete;

  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(find_symbol(name));
  }

  double compile_seconds() const { return compile_seconds_; }  // 0 if it was in the cache
  const std::string& notice() const { return notice_; }        // something the user should know; mostly nothing

 private:
  bool load(const std::filesystem::path& object);
  void* find_symbol(const char* name) const;

  void* handle_ = nullptr;
  double compile_seconds_ = 0;
  std::string notice_;
};

}  // namespace conesweep::model
