#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/cache.hpp"
#include "model/compile_watch.hpp"
#include "model/find_compiler.hpp"
#include "model/shared_object.hpp"

namespace conesweep::model {

/// A compiler that made nothing of a text, so that the next one has its turn.
struct Refusal {
  std::string compiler, what;  // its name, and what it did
  std::string said;            // its words about the text; nothing if it did not come so far
};

/// A shared object made from one unit of C++, compiled now or taken from the cache.
///
/// $CONESWEEP_CXXFLAGS is appended to the compiler's flags, for tests: -mno-avx -mno-fma gives the same bits. Flags,
/// compiler, CPU features and text make the object's name in the cache. An object that was cut short or changed is
/// compiled again.
class CompiledUnit {
 public:
  /// A compiler that cannot be run, crashes or refuses our text is passed over for the next one, and `watch` is told.
  /// Throws SystemError if all of them do, with the saved source if that is our mistake; Interrupted if `watch` asks to
  /// stop.
  explicit CompiledUnit(const std::string& text, const CompileWatch& watch = {});

  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(find_symbol(name));
  }

  double compile_seconds() const { return compile_seconds_; }  // 0 if it was in the cache
  const std::string& notice() const { return notice_; }        // something the user should know; mostly nothing

 private:
  std::optional<Refusal> make(const std::string& text, const Command& compiler, Cache& cache,
                              const CompileWatch& watch);
  void* find_symbol(const char* name) const;

  std::unique_ptr<SharedObject> object_;
  double compile_seconds_ = 0;
  std::string notice_;
};

}  // namespace conesweep::model
