// Runs a fuzz target on a fixed number of inputs, the same ones for the same seed, with any compiler.
//
//   TARGET COUNT SEED      COUNT inputs (20 times as many with CONESWEEP_ALL=1)
//   TARGET FILE            one input, to look at a failure again
//
// An input is a text of the corpus, or one that was valid before, after a few mutations: of words (taken from the
// dictionary, from other texts, doubled, dropped, swapped, nested), of lines, of bytes. What makes the target crash,
// throw, or take longer than ten seconds is left in a file.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>

#include "fuzz.hpp"

// there when a sanitizer is
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace conesweep::fuzz {
namespace {

constexpr unsigned patience = 10;              // seconds an input may take
constexpr std::size_t longest_input = 20'000;  // bytes; targets have limits below that, which must be crossed too
constexpr std::size_t pool_size = 2'000;       // inputs found valid that are kept to go on from

// ---- keeping the input that failed ----

std::string failure_path = "fuzz-failure";
const std::string* current = nullptr;  // the input being run
volatile sig_atomic_t kept = 0;

// only what a signal handler may call
void keep_input() {
  if (kept != 0 || current == nullptr) return;
  kept = 1;
  const int file = open(failure_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  if (write(file, current->data(), current->size()) < 0) return;
  close(file);
  for (const std::string_view part :
       {std::string_view("the input is in "), std::string_view(failure_path), std::string_view("\n")})
    if (write(STDERR_FILENO, part.data(), part.size()) < 0) return;
}

constexpr std::array fatal_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, fatal_signals.size()> former;

// back to whoever listened before (a sanitizer, or the system's default): the fault happens again there
void on_fatal_signal(int number) {
  keep_input();
  for (std::size_t i = 0; i < fatal_signals.size(); ++i)
    if (fatal_signals[i] == number) sigaction(number, &former[i], nullptr);
}

void on_alarm(int) {
  constexpr std::string_view text = "an input takes too long\n";
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(1);
  keep_input();
  _exit(1);
}

void listen() {
  // a stack of its own, for the fault may be that there is none left
  static std::array<char, 65536> stack;
  stack_t own = {};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_fatal_signal;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) sigaction(fatal_signals[i], &action, &former[i]);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, nullptr);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
}

// ---- making inputs ----

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : engine_(seed) {}

  std::string next() {
    std::string text = !pool_.empty() && below(3) == 0 ? any_of(pool_) : any_of(corpus());
    for (std::size_t i = below(4) + (below(10) > 0 ? 1 : 0); i > 0; --i) mutate(text);
    if (text.size() > longest_input) text.resize(longest_input);
    return text;
  }

  void keep(const std::string& text) {
    if (pool_.size() < pool_size)
      pool_.push_back(text);
    else
      pool_[below(pool_size)] = text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  const std::string& any_of(const std::vector<std::string>& list) { return list[below(list.size())]; }

  struct Piece {
    std::size_t begin, end;
  };

  // a word, a number, or a single other character
  Piece any_word(const std::string& text) {
    if (text.empty()) return {0, 0};
    const auto in_word = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text[i]);
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
             c >= 0x80;
    };
    const std::size_t at = below(text.size());
    Piece word{at, at + 1};
    if (!in_word(at)) return word;
    while (word.begin > 0 && in_word(word.begin - 1)) --word.begin;
    while (word.end < text.size() && in_word(word.end)) ++word.end;
    return word;
  }

  Piece any_line(const std::string& text) {
    if (text.empty()) return {0, 0};
    const std::size_t at = below(text.size());
    const std::size_t before = at > 0 ? text.rfind('\n', at - 1) : std::string::npos;
    const std::size_t after = text.find('\n', at);
    return {before == std::string::npos ? 0 : before + 1, after == std::string::npos ? text.size() : after + 1};
  }

  // from one word to another
  Piece any_stretch(const std::string& text) {
    const Piece a = any_word(text), b = any_word(text);
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
  }

  static std::string copy(const std::string& text, Piece piece) {
    return text.substr(piece.begin, piece.end - piece.begin);
  }
  static void replace(std::string& text, Piece piece, const std::string& by) {
    text.replace(piece.begin, piece.end - piece.begin, by);
  }

  std::string any_number() {
    constexpr std::array<const char*, 16> numbers = {
        "0",     "1",     "2",  "1e308", "1.8e308", "5e-324", "1e-400",           "0.1",
        "1e999", "1.2.3", ".5", "1e",    "00",      "1e-17",  "9007199254740993", "3."};
    return numbers[below(numbers.size())];
  }

  // names, numbers, calls, signs: what may stand in each other's place
  static int class_of(std::string_view word) {
    if (word.empty()) return 0;
    const char c = word.front();
    if (c >= '0' && c <= '9') return 1;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return 2;
    if (word.back() == '(') return 3;
    return word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
                   std::string_view::npos
               ? 4
               : 5;
  }

  // a word by one of the same class: the text often stays valid
  void replace_alike(std::string& text) {
    for (int tries = 0; tries < 8; ++tries) {
      Piece word = any_word(text);
      if (word.end < text.size() && text[word.end] == '(') ++word.end;
      const std::string by = below(2) == 0 ? any_of(dictionary()) : copy(text, any_word(text));
      if (class_of(by) != class_of(copy(text, word))) continue;
      return replace(text, word, by);
    }
  }

  void mutate(std::string& text) {
    if (below(2) == 0) return replace_alike(text);
    switch (below(15)) {
      // words
      case 0:
      case 1: replace(text, any_word(text), any_of(dictionary())); break;
      case 2: text.insert(any_word(text).begin, any_of(dictionary())); break;
      case 3: text.insert(any_word(text).end, " " + any_of(dictionary()) + " "); break;
      case 4: replace(text, any_word(text), any_number()); break;
      case 5: replace(text, any_word(text), ""); break;
      // stretches, of this text and of others
      case 6: text.insert(any_word(text).begin, copy(text, any_stretch(text))); break;
      case 7: replace(text, any_stretch(text), ""); break;
      case 8: {
        const std::string& other = any_of(corpus());
        replace(text, any_stretch(text), copy(other, any_stretch(other)));
        break;
      }
      case 9: {
        const std::string& other = pool_.empty() ? any_of(corpus()) : any_of(pool_);
        replace(text, any_word(text), "(" + copy(other, any_stretch(other)) + ")");
        break;
      }
      case 10: nest(text); break;
      // lines
      case 11: {
        const Piece from = any_line(text);
        const std::string line = copy(text, from);
        if (below(2) == 0) replace(text, from, "");
        text.insert(any_line(text).begin, line);
        break;
      }
      // bytes
      case 12:
        if (!text.empty()) text[below(text.size())] = static_cast<char>(below(256));
        break;
      case 13: text.insert(below(text.size() + 1), 1, static_cast<char>(below(256))); break;
      default:
        if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1U << below(8));
        break;
    }
  }

  // f(…f(…)…), or a long a + b + b + b …
  void nest(std::string& text) {
    const std::size_t times = below(8) > 0 ? 1 + below(8) : below(1200);
    const Piece inner = any_stretch(text);
    const std::string open = below(2) == 0 ? "(" : any_of(dictionary()), close = below(3) == 0 ? "" : ")";
    const std::string core = copy(text, inner);
    std::string before, after;
    for (std::size_t i = 0; i < times && before.size() + after.size() < longest_input; ++i) {
      before += open;
      after += close;
    }
    replace(text, inner, before + core + after);
  }

  std::mt19937_64 engine_;
  std::vector<std::string> pool_;
};

// ---- running them ----

void run(const std::string& input) {
  current = &input;
  alarm(patience);
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "an exception escaped: %s\n", error.what());
    std::abort();
  }
  alarm(0);
  current = nullptr;
}

int run_many(std::uint64_t count, std::uint64_t seed) {
  if (const char* all = std::getenv("CONESWEEP_ALL"); all != nullptr && std::string_view(all) == "1") count *= 20;
  Mutator mutator(seed);
  for (const auto& text : corpus()) run(text);
  require(accepted == corpus().size(), "every text of the corpus is valid");

  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string input = mutator.next();
    const std::uint64_t before = accepted;
    run(input);
    if (accepted > before) mutator.keep(input);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto valid =
      static_cast<double>(accepted - corpus().size()) / static_cast<double>(std::max<std::uint64_t>(count, 1));
  std::printf("%llu inputs, %.0f/s, %.0f %% valid, seed %llu\n", static_cast<unsigned long long>(count),
              static_cast<double>(count) / seconds, 100 * valid, static_cast<unsigned long long>(seed));
  // all at the door, or all behind it: then it is the mutator that is broken
  if (count >= 1000 && !(valid > 0.02 && valid < 0.98)) {
    std::fprintf(stderr, "the inputs are too much alike\n");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace conesweep::fuzz

int main(int argc, char** argv) {
  using namespace conesweep::fuzz;
  const std::string_view program = argv[0];
  failure_path = std::string(program.substr(program.find_last_of('/') + 1)) + "-failure.txt";
  listen();
  if (argc == 3) {
    char* end = nullptr;
    const std::uint64_t count = std::strtoull(argv[1], &end, 10);
    if (end != argv[1] && *end == '\0') {
      failure_path = std::string(program.substr(program.find_last_of('/') + 1)) + "-failure-" + argv[2] + ".txt";
      return run_many(count, std::strtoull(argv[2], nullptr, 10));
    }
  }
  if (argc == 2) {
    std::ifstream file(argv[1], std::ios::binary);
    if (file) {
      kept = 1;  // it is a file already
      const std::string input{std::istreambuf_iterator<char>(file), {}};
      run(input);
      std::printf("%zu bytes, %s\n", input.size(), accepted > 0 ? "valid" : "refused");
      return 0;
    }
  }
  std::fprintf(stderr, "usage: %s COUNT SEED | FILE\n", argv[0]);
  return 2;
}
