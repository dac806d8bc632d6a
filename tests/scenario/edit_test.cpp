// Values written into a scenario's text: where they go, and what stays as it is.
#include "scenario/reading/edit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"

namespace conesweep::scenario {
namespace {

using testing::ElementsAre;

std::string write(const std::string& text, const std::string& key, const std::string& value) {
  return write_value(text, split_key(key), value);
}
std::string erase(const std::string& text, const std::string& key) { return erase_value(text, split_key(key)); }

const std::string model = R"(# a block
title = "Block"   # short

[model]
force = ["-k * x",   # a spring
         "0"]
[model.parameters]
k = 4.0  # stiffness
m = 1

[[model.contact]]
inside = "x >= 0"
[[model.contact]]
inside = "x <= 1"

[vary]
k = { uniform = [1, 2] }
)";

// the text with one piece in place of another
std::string replaced(const std::string& before, const std::string& after) {
  std::string text = model;
  EXPECT_NE(text.find(before), std::string::npos) << before;
  return text.replace(text.find(before), before.size(), after);
}

TEST(Edit, WritesAValueWhereTheOldOneStands) {
  EXPECT_EQ(write(model, "model.parameters.k", "5"), replaced("4.0", "5"));
  EXPECT_EQ(write(model, "title", "\"Ünten\""), replaced("\"Block\"", "\"Ünten\""));
  EXPECT_EQ(write(model, "model.force", "[\"0\", \"0\"]"),
            replaced("[\"-k * x\",   # a spring\n         \"0\"]", "[\"0\", \"0\"]"));
  EXPECT_EQ(write(model, "model.force.1", "\"g\""), replaced("\"0\"", "\"g\""));
  EXPECT_EQ(write(model, "vary.k", "{ normal = [1, 2] }"), replaced("{ uniform = [1, 2] }", "{ normal = [1, 2] }"));
  EXPECT_EQ(write(model, "vary.k.uniform.1", "3.5"), replaced("2] }", "3.5] }"));
  EXPECT_EQ(write(model, "model.contact.1.inside", "\"x <= 2\""), replaced("x <= 1", "x <= 2"));
}

TEST(Edit, WritesBehindCharactersOfSeveralBytes) {
  EXPECT_EQ(write("title = \"Ä ü\" # é\nx = { \"ö\" = 1, b = 2 }", "x.b", "3"),
            "title = \"Ä ü\" # é\nx = { \"ö\" = 1, b = 3 }");
}

TEST(Edit, AddsALineBehindTheLastOfItsSection) {
  EXPECT_EQ(write(model, "model.parameters.tau", "0.2"), replaced("m = 1\n", "m = 1\ntau = 0.2\n"));
  EXPECT_EQ(write(model, "model.mass", "[]"), replaced("         \"0\"]\n", "         \"0\"]\nmass = []\n"));
  EXPECT_EQ(write(model, "model.contact.0.friction", "0.3"),
            replaced("inside = \"x >= 0\"\n", "inside = \"x >= 0\"\nfriction = 0.3\n"));
  EXPECT_EQ(write(model, "vary.m", "{ choice = [1] }"), model + "m = { choice = [1] }\n");
  EXPECT_EQ(write("[a]\n# empty", "a.b", "1"), "[a]\nb = 1\n# empty");
  EXPECT_EQ(write("[a]", "a.b", "1"), "[a]\nb = 1\n");
  EXPECT_EQ(write("[a]\n[b]\n", "c", "1"), "c = 1\n[a]\n[b]\n");
}

TEST(Edit, AddsASectionWhereThereIsNone) {
  EXPECT_EQ(write(model, "time.end", "4.0"), model + "\n[time]\nend = 4.0\n");
  EXPECT_EQ(write("", "model.parameters.k", "1"), "[model.parameters]\nk = 1\n");
  EXPECT_EQ(write("[model.parameters]\nk = 1\n", "model.force", "[]"),
            "[model.parameters]\nk = 1\n\n[model]\nforce = []\n");
  EXPECT_EQ(write(model, "model.contact.2.inside", "\"x\""), model + "\n[[model.contact]]\ninside = \"x\"\n");
  EXPECT_EQ(write("", "model.contact.0.inside", "\"x\""), "[[model.contact]]\ninside = \"x\"\n");
}

TEST(Edit, AddsToTablesAndListsInOneLine) {
  EXPECT_EQ(write("a = { b = 1 }\n", "a.c", "2"), "a = { b = 1, c = 2 }\n");
  EXPECT_EQ(write("a = {}\n", "a.c.d", "2"), "a = { c = { d = 2 } }\n");
  EXPECT_EQ(write("a = [1]\n", "a.1", "2"), "a = [1, 2]\n");
  EXPECT_EQ(write("a = [1, 2,\n]\n", "a.2", "3"), "a = [1, 2, 3]\n");
}

TEST(Edit, GoesOnWithDottedKeys) {
  EXPECT_EQ(write("model.a = 1\n[time]\n", "model.b", "2"), "model.a = 1\nmodel.b = 2\n[time]\n");
  EXPECT_EQ(write("[model]\nparameters.a = 1\n", "model.parameters.b", "2"),
            "[model]\nparameters.a = 1\nparameters.b = 2\n");
}

TEST(Edit, ErasesAKeyWithAllThatItHas) {
  EXPECT_EQ(erase(model, "model.parameters.k"), replaced("k = 4.0  # stiffness\n", ""));
  EXPECT_EQ(erase(model, "model.force"), replaced("force = [\"-k * x\",   # a spring\n         \"0\"]\n", ""));
  EXPECT_EQ(erase(model, "vary"), replaced("[vary]\nk = { uniform = [1, 2] }\n", ""));
  EXPECT_EQ(erase(model, "model.contact"),
            replaced("[[model.contact]]\ninside = \"x >= 0\"\n[[model.contact]]\ninside = \"x <= 1\"\n", ""));
  EXPECT_EQ(erase(model, "model.contact.0"), replaced("[[model.contact]]\ninside = \"x >= 0\"\n", ""));
  EXPECT_EQ(erase("a = { b = 1, c = 2 }", "a.b"), "a = { c = 2 }");
  EXPECT_EQ(erase("a = { b = 1, c = 2 }", "a.c"), "a = { b = 1 }");
  EXPECT_EQ(erase("a = [1, 2, 3]", "a.2"), "a = [1, 2]");
  EXPECT_EQ(erase(model, "model.nothing"), model);
}

TEST(Edit, KnowsSections) {
  for (const char* key : {"model", "model.parameters", "model.contact", "model.contact.0", "vary"})
    EXPECT_TRUE(is_section(model, split_key(key))) << key;
  for (const char* key : {"title", "model.force", "vary.k", "vary.k.uniform", "time"})
    EXPECT_FALSE(is_section(model, split_key(key))) << key;
}

TEST(Edit, RefusesWhatCannotBeThere) {
  EXPECT_THROW(write(model, "title.b", "1"), InputError);
  EXPECT_THROW(write(model, "model.contact.3.inside", "1"), InputError);
  EXPECT_THROW(write(model, "model.force.x", "1"), InputError);
  EXPECT_THROW(split_key("a..b"), InputError);
  EXPECT_THROW(split_key(""), InputError);
  EXPECT_EQ(write("a = = 1", "b", "2"), "a = = 1") << "its reader says why";
}

TEST(Edit, WritesKeysAndTexts) {
  EXPECT_THAT(split_key("a.\"b.c\".0"), ElementsAre("a", "b.c", "0"));
  EXPECT_EQ(write_key("b.c"), "\"b.c\"");
  EXPECT_EQ(write_key("tau_1"), "tau_1");
  EXPECT_EQ(write_string("a\"b\\\n\x01"), "\"a\\\"b\\\\\\n\\u0001\"");
}

}  // namespace
}  // namespace conesweep::scenario
