#include "app/failure.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "app/command.hpp"
#include "app/spelling.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

constexpr std::size_t aside_bytes = 8 << 20;  // for messages, and for the last pages of files on their way to the disk
std::atomic<void*> aside = nullptr;

// made while there is memory
const std::string& words_without_memory() {
  static const std::string words = in_flags(no_memory());
  return words;
}

void give_back_what_is_aside() {
  void* const there = aside.exchange(nullptr);
  if (there != nullptr) ::munmap(there, aside_bytes);
  throw std::bad_alloc();
}

[[noreturn]] void end_at_once() {
  try {
    if (std::current_exception() != nullptr) throw;
  } catch (const std::bad_alloc&) {
    // nothing that takes memory
    for (const std::string_view words :
         {std::string_view("conesweep: "), std::string_view(words_without_memory()), std::string_view("\n")})
      if (::write(STDERR_FILENO, words.data(), words.size()) < 0) break;
    ::_exit(failure);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

void prepare_for_want_of_memory() {
  void* const there = ::mmap(nullptr, aside_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (there != MAP_FAILED) aside = there;
  words_without_memory();
  std::set_new_handler(give_back_what_is_aside);
  std::set_terminate(end_at_once);
}

Failure describe_failure() {
  try {
    throw;
  } catch (const InputError& error) {
    return {bad_input, visible(in_flags(error.sentence()))};
  } catch (const Interrupted& stop) {
    return {interrupted, visible(in_flags(stop.sentence()))};
  } catch (const std::bad_alloc&) {
    return {failure, words_without_memory()};
  } catch (const SystemError& error) {
    return {failure, visible(in_flags(error.sentence()))};
  } catch (const std::exception& error) {
    return {failure, visible(error.what())};
  }
}

void say(const Sentence& sentence) { std::cerr << "conesweep: " + in_flags(sentence) + "\n" << std::flush; }

void flush_output() {
  std::cout.flush();
  if (!std::cout) throw SystemError("cannot write to standard output");
}

}  // namespace conesweep::app
