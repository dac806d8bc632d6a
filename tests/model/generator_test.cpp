// A scenario as C++ text: nothing of the user's text is in it, numbers outside of formulas do not change it, and large
// formulas stay manageable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "executor/agreement.hpp"
#include "model/compiler.hpp"
#include "model/generator.hpp"
#include "model/unit.hpp"

namespace conesweep::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string scenario_text(const std::string& force, const std::string& inside, const std::string& more = "") {
  return "title = \"zebra\"\n[model]\ncoordinates = [\"giraffe\", \"y\"]\nforce = [\"" + force +
         "\", \"-9.81\"]\n[model.parameters]\nelephant = 0.1\nlion = 2.0\n"
         "[[model.contact]]\nname = \"okapi\"\ninside = \"" +
         inside +
         "\"\nfriction_angle = \"elephant\"\n[start]\ngiraffe = \"0.1 + t\"\ny = \"0.5\"\n"
         "[time]\nend = 0.1\nstep = 0.01\n[ensemble]\nmembers = 40\n[vary]\nelephant = { uniform = [0, 1] "
         "}\n[observe]\nrhino = { max = \"giraffe * lion\" "
         "}\n" +
         more;
}

std::string model_of(const scenario::Scenario& scenario) {
  return model::generate_model(scenario, varying_parameters(scenario));
}
std::string model_of(const std::string& text) { return model_of(parse_scenario(text)); }

TEST(Generator, PastesNothingOfTheUsersText) {
  const std::string model =
      model_of(scenario_text("sin(giraffe * lion) + vgiraffe - delay(y, elephant / 2)", "y >= -elephant"));
  for (const char* word : {"zebra", "giraffe", "elephant", "lion", "okapi", "rhino"})
    EXPECT_THAT(model, Not(HasSubstr(word)));
}

TEST(Generator, TextDependsOnFormulasNotOnNumbers) {
  const std::string text = scenario_text("-giraffe", "y >= 0");
  scenario::Overrides overrides;
  overrides.members = 7, overrides.seed = 12, overrides.end = 0.5, overrides.step = 0.025;
  EXPECT_EQ(model_of(text), model_of(parse_scenario(text, overrides)));
  EXPECT_NE(model_of(text), model_of(scenario_text("-2 * giraffe", "y >= 0")));
}

TEST(Generator, ComputesParametersOnceAMember) {
  // in the step only the place of a constant is left
  const std::string model =
      model_of(scenario_text("sin(elephant * lion)^3 * giraffe + exp(lion)", "y >= cosh(lion) - 10"));
  const auto body = [&](const std::string& head) {
    const std::size_t begin = model.find(head);
    return model.substr(begin, model.find("\n  }\n", begin) - begin);
  };
  for (const char* name : {"sin(", "exp(", "cosh(", "tan("}) {
    EXPECT_THAT(body("void prepare("), HasSubstr(name));
    for (const char* step : {"void force(", "Real constraint(", "auto friction("})
      EXPECT_THAT(body(step), Not(HasSubstr(name)));
  }
}

TEST(Generator, UnitsIncludeNothing) {
  // no standard library, no include path: the text is whole
  const auto scenario = parse_scenario(scenario_text("-giraffe", "y >= 0"));
  EXPECT_THAT(model::make_cpu_unit(scenario, varying_parameters(scenario), false), Not(HasSubstr("#include")));
  const std::string unit = model::make_cuda_unit(scenario, varying_parameters(scenario), false).text;
  EXPECT_THAT(unit, Not(HasSubstr("#include")));
  EXPECT_THAT(unit, HasSubstr("struct Wave {")) << "kernels/wave.hpp, which kernels/advance.cuh names as its neighbour";
}

TEST(Generator, SharesEqualDelaysAndWindows) {
  const std::string model = model_of(scenario_text(
      "delay(giraffe, lion) + delay(vy, lion) + window_max(y, lion) + window_max(y, lion) * delay(y, 2 * lion)",
      "y >= 0"));
  EXPECT_THAT(model, HasSubstr("int lags = 2;"));
  EXPECT_THAT(model, HasSubstr("int windows = 1;"));
  EXPECT_THAT(model, HasSubstr("int q_columns = 2;"));
  EXPECT_THAT(model, HasSubstr("int v_columns = 1;"));
}

TEST(Generator, KnowsWhichDelaysMayDifferBetweenMembers) {
  // elephant varies; the lags are in the order of the formulas
  const auto lags_of = [](const std::string& lengths) { return model_of(scenario_text(lengths, "y >= 0")); };
  EXPECT_THAT(lags_of("delay(y, lion) + delay(y, lion / 2)"), HasSubstr("lag_varies[] = {0, 0}"));
  EXPECT_THAT(lags_of("delay(y, lion) + delay(y, lion * elephant)"), HasSubstr("lag_varies[] = {0, 1}"));
  const std::string defined =
      scenario_text("delay(y, hyena)", "y >= 0", "[model.define]\nhyena = \"lion + elephant\"\n");
  EXPECT_THAT(model_of(defined), HasSubstr("lag_varies[] = {1}")) << "through a definition";
}

TEST(Generator, TakesAPowerOfTwoOutOfAGradient) {
  const auto first_line = [](const std::string& inside) {  // of |∇g|
    const std::string model = model_of(scenario_text("0", inside));
    const std::size_t begin = model.find("= ", model.find("const auto", model.find("Real steepness(")));
    return model.substr(begin + 2, model.find(';', begin) - begin - 2);
  };
  EXPECT_EQ(first_line("giraffe^2 + y^2 <= 4"), "q[0] * q[0]") << "as in the wall itself";
  EXPECT_EQ(first_line("giraffe^2 + 2 * y^2 <= 4"), "q[0] * q[0]") << "2 and 4 have 2 in common";
  EXPECT_EQ(first_line("4 >= y^2 + giraffe^2"), "q[0] * q[0]");
  EXPECT_EQ(first_line("giraffe^2 <= y + 4"), "Real(Scalar(0x1p+1)) * q[0]") << "a part that is a number";
  EXPECT_EQ(first_line("giraffe^2 + elephant * y^2 <= 4"), "Real(Scalar(0x1p+1)) * q[0]")
      << "a part with another factor";
}

// Large formulas: a sum of hundreds of terms, products whose derivative is a large graph, deep nests.
std::string join(int count, const std::string& sign, const std::function<std::string(int)>& term) {
  std::string text;
  for (int k = 0; k < count; ++k) text += (k > 0 ? sign : "") + term(k);
  return text;
}
std::string nest(int depth, const std::function<std::string(const std::string&)>& layer) {
  std::string text = "giraffe";
  for (int k = 0; k < depth; ++k) text = layer(text);
  return text;
}

struct Large {
  std::string name, force, inside;
};

std::vector<Large> large_formulas() {
  const auto number = [](int k) { return std::to_string(k + 1); };
  return {
      {"sum", join(900, " + ", [&](int k) { return number(k) + "*y"; }), "y >= -10"},
      {"product", "0", join(500, "*", [&](int k) { return "(y+" + number(k) + ")"; }) + " >= -giraffe"},
      {"sines", "0", nest(180, [](const std::string& x) { return "sin(y + " + x + " * y)"; }) + " <= 2 + y"},
      {"squares", "0", "y + 1e-300 * " + nest(180, [](const std::string& x) { return "(" + x + "+1)^2"; }) + " >= -10"},
      {"choices", "0",
       "y - 1e-9 * " + nest(150, [](const std::string& x) { return "max(" + x + " * y, min(giraffe, 1 - y))"; }) +
           " >= -10"},
      {"quotients", nest(180, [](const std::string& x) { return "1/(2+" + x + ")"; }),
       "hypot(y, " + nest(150, [](const std::string& x) { return "atan2(y, " + x + ")"; }) + ") <= 10"},
      {"delays", join(300, " + ", [&](int k) { return "delay(y, " + number(k) + "/99)"; }), "y >= -10"}};
}

TEST(Generator, LargeFormulasGiveModelsOfTheirSize) {
  for (const Large& large : large_formulas()) {
    const scenario::Scenario scenario = parse_scenario(scenario_text(large.force, large.inside));
    // milliseconds; a tree walked as often as it is shared would take years
    const std::string model = model_of(scenario);
    std::cout << large.name << ": " << model.size() / 1000 << " kB\n";
    EXPECT_LT(model.size(), 3'000'000u) << large.name;
  }
}

TEST(Generator, LargeFormulasCompileAndAgreeWithTheReference) {
  for (Large large : large_formulas()) {
    if (large.name != "sum" && large.name != "product") continue;
    if (large.name == "product")
      large.inside = join(150, "*", [](int k) { return "(y+" + std::to_string(k + 1) + ")"; }) + " >= -giraffe";
    const scenario::Scenario scenario = parse_scenario(scenario_text(large.force, large.inside));
    const auto executor = make(scenario, "cpu");
    std::cout << large.name << ": compiled in " << format_short(executor->compile_seconds(), 2) << " s\n";
    EXPECT_TRUE(agree(scenario, run_some(scenario, *executor, 0, 40), run_first(scenario, "reference", 40), 1e-11))
        << large.name;
  }
}

// Lists so long that a template that goes down them one by one would be too deep for every compiler.
std::string long_lists(int parameters, int observables) {
  std::string text = "title = \"lists\"\n[model]\ncoordinates = [\"x\"]\nforce = [\"p7 - x\"]\n[model.parameters]\n";
  for (int k = 0; k < parameters; ++k) text += "p" + std::to_string(k) + " = " + std::to_string(k) + "\n";
  text += "[start]\nx = \"0\"\n[time]\nend = 0.1\nstep = 0.01\n[ensemble]\nmembers = 21\n[vary]\n";
  for (int k = 0; k < parameters; k += 10) text += "p" + std::to_string(k) + " = { uniform = [0, 1] }\n";
  text += "[observe]\n";
  const std::vector<std::string> reducers = {"max", "min", "mean", "integral", "final"};
  for (int k = 0; k < observables; ++k)
    text += "o" + std::to_string(k) + " = { " + reducers[static_cast<std::size_t>(k) % reducers.size()] + " = \"x * p" +
            std::to_string(k * 10 % parameters) + " + vx\" }\n";
  return text;
}

TEST(Generator, LongListsCompileAndAgreeWithTheReference) {
  const scenario::Scenario scenario = parse_scenario(long_lists(2000, 150));
  const auto executor = make(scenario, "cpu");
  std::cout << "compiled in " << format_short(executor->compile_seconds(), 2) << " s\n";
  EXPECT_TRUE(agree(scenario, run_some(scenario, *executor, 0, 21), run_first(scenario, "reference", 21), 1e-11));
}

TEST(Generator, ListsThatAreTooLongAreRefusedInOneSentence) {
  EXPECT_TRUE(find_problems(long_lists(10'000, 0)).empty());
  const auto parameters = find_problems(long_lists(10'001, 0));
  ASSERT_EQ(parameters.size(), 1u);
  EXPECT_THAT(parameters[0].to_text(), HasSubstr("test.toml:5:1: at most 10,000 parameters, got 10,001"));
  EXPECT_TRUE(find_problems(long_lists(10, 2000)).empty());
  const auto observables = find_problems(long_lists(10, 2001));
  ASSERT_EQ(observables.size(), 1u);
  EXPECT_THAT(observables[0].to_text(), HasSubstr("at most 2,000 observables, got 2,001"));
}

}  // namespace
}  // namespace conesweep::test
