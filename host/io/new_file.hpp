#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "io/files.hpp"

/// The one way in which a file that a user named is written: export, report, plot, trace, new, converge and mlmc.
namespace conesweep::io {

/// May a file that stands there go?
enum class Replace { no, yes };
inline Replace replace_if(bool force) { return force ? Replace::yes : Replace::no; }

/// A file that has its name when it is whole. Until then it has none (O_TMPFILE), so that whoever ends us, at whatever
/// moment, leaves nothing behind; where the file system knows no files without names it has one of ours that nobody
/// else has, made anew (O_EXCL, no link is followed), and a lock that says that we live. A pipe and a device have no
/// whole: they are written as they are, and stay what they are.
///
/// A link is not replaced: the file that it leads to is. One that leads nowhere is refused.
class NewFile {
 public:
  /// InputError where a folder stands, or a link to nothing, or with Replace::no anything but a pipe or a device;
  /// SystemError where it cannot be written.
  NewFile(const std::filesystem::path& path, Replace replace);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);

  /// What was written so far is none of it. Not of a pipe.
  void start_over();

  /// On the disk, and under its name. A file that came there meanwhile stays, if none was to be replaced: SystemError.
  void finish();

 private:
  void open_in_folder();
  void give_name();
  std::filesystem::path own_name() const;

  std::filesystem::path path_;    // what the user calls it …
  std::filesystem::path target_;  // … and where links lead
  Replace replace_;
  bool through_ = false;             // it is a pipe or a device
  std::filesystem::path temporary_;  // empty: it has no name
  std::unique_ptr<Descriptor> file_;
};

/// All of it at once.
void write_new(const std::filesystem::path& path, std::string_view bytes, Replace replace);

/// Is it a name that we give to files on their way?
bool is_own_name(const std::string& name);

/// What killed programs left in a folder under names of ours: a lock that nobody holds tells. Files of programs that
/// live stay.
void remove_leftovers(const std::filesystem::path& folder) noexcept;

}  // namespace conesweep::io
