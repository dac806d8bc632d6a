// A program with a comma in its numbers and points in its thousands: the library writes and computes the same.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>

#include "keep/identity.hpp"
#include "model/unit.hpp"
#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"
#include "support/text.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

const char* const slider = R"toml(title = "slider"
[model]
coordinates = ["x", "y"]
force = ["1.5 * (1 - delay(x, tau)) + 0.1", "-9.81"]
[model.parameters]
tau = 0.25
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "0.3"
[start]
x = "0.5 * t"
y = "0"
[time]
end = 1.0
step = 0.0125
[ensemble]
members = 1200
[vary]
tau = { uniform = [0.05, 0.4] }
[observe]
reach = { max = "x" }
)toml";

// German numbers, in C and in C++, for as long as it lives.
class CommaLocale {
 public:
  CommaLocale() {
    char name[] = "/tmp/conesweep-locale-test-XXXXXX";
    top_ = mkdtemp(name);
    const std::string make = "localedef -i de_DE -f UTF-8 " + (top_ / "de_DE.UTF-8").string() + " > /dev/null 2>&1";
    made_ = std::system(make.c_str()) == 0;
    setenv("LOCPATH", top_.c_str(), 1);
    made_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr && std::string(std::localeconv()->decimal_point) == ",";
    if (made_) before_ = std::locale::global(std::locale("de_DE.UTF-8"));
  }
  ~CommaLocale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    fs::remove_all(top_);
  }
  bool made() const { return made_; }

 private:
  fs::path top_;
  bool made_ = false;
  std::locale before_;
};

struct Everything {
  std::string unit, resolved, numbers;
  std::vector<double> reach;
};

Everything do_everything() {
  const auto scenario = test::parse_scenario(slider);
  Everything all;
  all.unit = make_cpu_unit(scenario, varying_parameters(scenario), false);
  all.resolved = keep::resolved_text(scenario);
  for (const double x : {0.1, 1234567.5, 1e-7, 3e20})
    all.numbers += format_number(x) + " " + format_short(x, 3) + " " + format_bits(x) + " " + format_duration(x) + " " +
                   format_count(1234567) + "\n";
  all.reach = test::column(test::run_scenario(scenario, "cpu"), "reach");
  return all;
}

TEST(Locale, ChangesNothing) {
  const Everything before = do_everything();
  const CommaLocale locale;
  if (!locale.made()) GTEST_SKIP() << "localedef cannot make a German locale here";
  const Everything after = do_everything();
  EXPECT_EQ(before.unit, after.unit);
  EXPECT_EQ(before.resolved, after.resolved);
  EXPECT_EQ(before.numbers, after.numbers);
  EXPECT_EQ(before.reach, after.reach);
}

TEST(Locale, NumbersReadAsBefore) {
  EXPECT_EQ(format_short(0.1, 3), "0.1");
  EXPECT_EQ(format_short(1234567.0, 3), "1.23e+06");
  EXPECT_EQ(format_short(1e-7), "1e-07");
  EXPECT_EQ(format_bits(3), "0x1.8p+1");
  EXPECT_EQ(format_bits(-0.0), "-0x0p+0");
  EXPECT_EQ(format_bits(4.9406564584124654e-324), "0x0.0000000000001p-1022");
}

}  // namespace
}  // namespace conesweep::model
