#pragma once

#include <hdf5.h>

#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

/// HDF5 with exceptions and handles. Included by the units of io that read and write it, and by nothing else.
namespace conesweep::io {

/// What HDF5 says about the last call that failed: the system's words where it quotes them, else its own.
inline std::string last_reason() {
  std::string reason = "HDF5 gives no reason";
  const auto visit = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
    constexpr std::string_view quote = "error message = '";
    const std::string_view text = error->desc;
    const auto at = text.find(quote);
    const auto words =
        at == text.npos ? text : text.substr(at + quote.size(), text.find('\'', at + quote.size()) - at - quote.size());
    static_cast<std::string*>(data)->assign(words);
    return at == text.npos ? 0 : 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &reason);
  return reason;
}

/// Was it memory that the last call lacked? The outermost words do not say so.
inline bool lacks_memory() {
  bool lacking = false;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
    *static_cast<bool*>(data) |= error->maj_num == H5E_RESOURCE && error->min_num == H5E_NOSPACE;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &lacking);
  return lacking;
}

/// A call that HDF5 refused.
struct Refused {
  std::string reason;
};

template <class Result>
Result checked(Result result) {
  if (result < 0 && lacks_memory()) throw std::bad_alloc();
  if (result < 0) throw Refused{last_reason()};
  return result;
}

/// Failures come to us and are not printed. HDF5 serves one thread at a time: whoever has one of these has HDF5, as
/// long as it lives.
///
/// A file that the disk refuses stays half open inside HDF5 1.10, which then crashes or runs in circles when it cleans
/// up at the end of the program. All that needs closing is closed here, so that clean-up is told to stay away (it can
/// be told only before the first use of HDF5). Leading the file's descriptor to memory and closing it there did not
/// help.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  static std::recursive_mutex& turn() {
    static std::recursive_mutex mutex;
    return mutex;
  }

  std::lock_guard<std::recursive_mutex> guard_{turn()};
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// An HDF5 object, and the call that gives it back.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close give_back) : id_(checked(id)), close_(give_back) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }

  /// Data may reach the disk only here.
  void close() {
    checked(close_(id_));
    id_ = -1;
  }

 private:
  hid_t id_;
  Close close_;
};

}  // namespace conesweep::io
