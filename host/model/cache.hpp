#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "model/work_folder.hpp"

namespace conesweep::model {

/// Where compiled models are kept: the folder `conesweep-models` in $CONESWEEP_CACHE, else in $XDG_CACHE_HOME, else in
/// ~/.cache. Nothing if none of the three is set. The cache touches nothing outside of it.
std::filesystem::path cache_folder();

/// A name for compiled text: a hash of everything that matters for the result.
std::string cache_key(const std::string& text);

/// Keeps the cache below a bound: entries that were not used for longest go first. Only regular files with names of the
/// cache's own count.
inline constexpr std::uintmax_t largest_cache = 256u << 20;  // bytes; a compiled model has about 100 kB
void trim_cache(const std::filesystem::path& folder, std::uintmax_t largest = largest_cache);

/// A folder for the life of the program that no other user can enter, in $TMPDIR or /tmp; without one (see operator
/// bool) if the system refuses.
std::shared_ptr<const WorkFolder> private_folder();

/// Compiled models. What lies there is run, so it is taken only from a folder that belongs to us and that no other user
/// can write, inside folders where no other user can put another in its place. Where there is no such folder, a private
/// one takes its place until the program ends.
class Cache {
 public:
  Cache();

  std::optional<std::string> read(const std::string& name) const;

  /// A fresh folder to compile in. Throws SystemError if there is none to be had.
  std::unique_ptr<WorkFolder> make_work_folder();

  /// Keeps an entry made in `work`; a full disk costs time later, not the run now.
  void write(const WorkFolder& work, const std::string& name, const std::string& content) const;

  /// Keeps a text that a compiler refused, for a report; says where. `ending`: cpp, cu.
  std::string keep_refused(const std::string& text, const std::string& ending) const;

  const std::string& notice() const { return notice_; }  // why compiled models are not kept; mostly nothing

 private:
  void take_private(const std::string& why);

  std::filesystem::path path_;
  Descriptor folder_;
  std::string notice_;
};

}  // namespace conesweep::model
