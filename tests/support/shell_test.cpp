#include "support/shell.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace conesweep {
namespace {

// what a shell makes of a word
std::string through_shell(const std::string& word) {
  FILE* answer = popen(("printf %s " + quote_for_shell(word)).c_str(), "r");
  if (answer == nullptr) return "no shell";
  std::string text;
  for (int c = std::fgetc(answer); c != EOF; c = std::fgetc(answer)) text += static_cast<char>(c);
  pclose(answer);
  return text;
}

TEST(Shell, ReadsAQuotedWordAsItWas) {
  for (const std::string word :
       {"runs/a-1.toml", "two words", "it's", "''", "$HOME `ls` \\n", "a\nb", "*?[x]", "~", "a;b&c|d<e>f(g)", "µ"})
    EXPECT_EQ(through_shell(word), word) << quote_for_shell(word);
  EXPECT_EQ(quote_for_shell("runs/a-1.toml"), "runs/a-1.toml");
  EXPECT_EQ(quote_for_shell(""), "''");
}

}  // namespace
}  // namespace conesweep
