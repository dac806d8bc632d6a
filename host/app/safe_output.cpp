#include "app/safe_output.hpp"

#include <unistd.h>

#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>

#include "support/visible.hpp"

namespace conesweep::app {

/// Takes the place of a stream's buffer, and hands over what is whole characters.
class SafeOutput::Filter : public std::streambuf {
 public:
  explicit Filter(std::ostream& stream) : stream_(stream), to_(stream.rdbuf(this)) {}
  ~Filter() override {
    hand_over(text_.size());
    to_->pubsync();
    stream_.rdbuf(to_);
  }

  std::streambuf* behind() const { return to_; }

 protected:
  int_type overflow(int_type letter) override {
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    const char c = traits_type::to_char_type(letter);
    return xsputn(&c, 1) == 1 ? letter : traits_type::eof();
  }

  std::streamsize xsputn(const char* letters, std::streamsize count) override {
    const std::lock_guard guard(turn_);
    text_.append(letters, static_cast<std::size_t>(count));
    return text_.size() < most || hand_over(whole_characters(text_)) ? count : 0;
  }

  int sync() override {
    const std::lock_guard guard(turn_);
    return hand_over(whole_characters(text_)) && to_->pubsync() == 0 ? 0 : -1;
  }

 private:
  static constexpr std::size_t most = 1 << 14;

  bool hand_over(std::size_t bytes) {
    const std::string shown = visible(std::string_view(text_).substr(0, bytes));
    text_.erase(0, bytes);
    return to_->sputn(shown.data(), static_cast<std::streamsize>(shown.size())) ==
           static_cast<std::streamsize>(shown.size());
  }

  std::ostream& stream_;
  std::streambuf* to_;
  std::mutex turn_;  // threads tell how far they are
  std::string text_;
};

namespace {

std::streambuf *plain = nullptr, *commands = nullptr;  // what stands behind the filters; none: there is no filter

}  // namespace

SafeOutput::SafeOutput() : out_(std::make_unique<Filter>(std::cout)), err_(std::make_unique<Filter>(std::cerr)) {
  plain = isatty(STDOUT_FILENO) == 1 ? nullptr : out_->behind();
  commands = err_->behind();
}

SafeOutput::~SafeOutput() { plain = commands = nullptr; }

std::ostream& plain_output() {
  static std::ostream stream(nullptr);
  std::cout.flush();
  stream.rdbuf(plain != nullptr ? plain : std::cout.rdbuf());
  return stream;
}

void wipe_line() {
  std::cerr.flush();
  std::ostream(commands != nullptr ? commands : std::cerr.rdbuf()) << "\r\033[K" << std::flush;
}

}  // namespace conesweep::app
