#include "support/sentence.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/error.hpp"

namespace conesweep::test {
namespace {

std::string spell_as_argument(const Mention& mention) {
  return std::string(mention.setting) + "=" + (mention.value.empty() ? std::string("…") : mention.value);
}

TEST(Sentence, SpellsSettingsPlainlyUnlessAskedOtherwise) {
  const Sentence sentence =
      about(setting::until) + "too few; go on with " + setting::resume + ", or try " + setting::step("0.5") + ".";
  EXPECT_EQ(sentence.text(), "until: too few; go on with 'resume', or try step 0.5.");
  EXPECT_EQ(sentence.text(spell_as_argument), "until=…: too few; go on with resume=…, or try step=0.5.");
}

TEST(Sentence, OfWordsAloneIsTheseWords) {
  EXPECT_EQ(Sentence("all is fine").text(spell_as_argument), "all is fine");
  EXPECT_EQ((std::string("all ") + "is" + Sentence(" fine")).text(), "all is fine");
  EXPECT_TRUE(Sentence().empty());
  EXPECT_TRUE(Sentence("").empty());
  EXPECT_FALSE(Sentence(setting::force).empty());
}

TEST(Sentence, KnowsWhatItMentions) {
  const Sentence sentence = "force of habit: go on with " + setting::resume;
  EXPECT_TRUE(sentence.mentions(setting::resume));
  EXPECT_FALSE(sentence.mentions(setting::force));
}

TEST(UserError, KeepsItsSentenceWhereverItIsCaught) {
  try {
    try {
      throw SystemError("no room; take a smaller " + setting::chunk);
    } catch (const UserError& error) {
      throw InputError(error.sentence() + ", or fewer " + setting::members);
    }
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no room; take a smaller 'chunk', or fewer 'members'");
    EXPECT_EQ(error.sentence().text(spell_as_argument), "no room; take a smaller chunk=…, or fewer members=…");
  }
}

}  // namespace
}  // namespace conesweep::test
