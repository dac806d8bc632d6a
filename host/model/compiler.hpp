#pragma once

#include <memory>
#include <string>

#include "model/cache.hpp"
#include "model/compile_watch.hpp"
#include "model/find_compiler.hpp"
#include "model/shared_object.hpp"

namespace conesweep::model {

/// A shared object made from one unit of C++, compiled now or taken from the cache.
///
/// $CONESWEEP_CXXFLAGS is appended to the compiler's flags, for tests: -mno-avx -mno-fma gives the same bits. Flags, compiler, CPU features
/// and text make the object's name in the cache. An object that was cut short or changed is compiled again.
class CompiledUnit {
 public:
  /// Throws SystemError if the compiler cannot be run, Interrupted if `watch` asks to stop, InternalError-like SystemError with the saved
  /// source if it refuses our text.
  explicit CompiledUnit(const std::string& text, const CompileWatch& watch = {});

  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(find_symbol(name));
  }

  double compile_seconds() const { return compile_seconds_; }  // 0 if it was in the cache
  const std::string& notice() const { return notice_; }        // something the user should know; mostly nothing

 private:
  void* find_symbol(const char* name) const;

  std::unique_ptr<SharedObject> object_;
  double compile_seconds_ = 0;
  std::string notice_;
};

}  // namespace conesweep::model
