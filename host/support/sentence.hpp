#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace conesweep {

struct Setting;

/// A setting as a sentence speaks of it.
struct Mention {
  std::string_view setting;
  std::string value = {};  // that it should have; empty: none is named
  bool heads = false;      // the sentence is about it
};

/// How those who speak to users spell a setting: the program as a flag.
using Spelling = std::string (*)(const Mention& mention);

/// The library's own spelling, by the names that settings have in its interface: 'force', step 0.01.
std::string spell_plainly(const Mention& mention);

/// Words for a user. The library does not know by which means settings reach it (flags, fields, arguments), so a
/// sentence keeps them as what they are, and whoever says it spells them.
class Sentence {
 public:
  Sentence() = default;
  Sentence(std::string words);
  Sentence(const char* words) : Sentence(std::string(words)) {}
  Sentence(Mention mention) : pieces_{std::move(mention)} {}

  std::string text(Spelling spelling = spell_plainly) const;
  bool empty() const { return pieces_.empty(); }
  bool mentions(const Setting& setting) const;

  Sentence& operator+=(const Sentence& more);

 private:
  std::vector<std::variant<std::string, Mention>> pieces_;
};
inline Sentence operator+(Sentence first, const Sentence& more) { return first += more; }

/// What whoever uses the library can choose, by its name there.
struct Setting {
  std::string_view name;

  Mention operator()(std::string value) const { return {name, std::move(value)}; }
  operator Sentence() const { return Mention{name}; }
};

/// The begin of a sentence about a setting: "members: ".
inline Sentence about(const Setting& setting) { return Sentence(Mention{setting.name, {}, true}) + ": "; }

/// Those that sentences mention. Each is a flag of the program by the same name, with - for _.
namespace setting {

// what changes the scenario
inline constexpr Setting members{"members"}, step{"step"}, end{"end"}, set{"set"}, vary{"vary"}, keep{"keep"};
// who runs it
inline constexpr Setting backend{"backend"}, precision{"precision"}, threads{"threads"}, devices{"devices"},
    chunk{"chunk"};
// how far, and where results go
inline constexpr Setting until{"until"}, most{"most"}, watch{"watch"}, out{"out"}, force{"force"}, resume{"resume"};
// studies
inline constexpr Setting observable{"observable"}, levels{"levels"}, levels_max{"levels_max"},
    members_max{"members_max"}, rmse{"rmse"}, method{"method"}, second_order{"second_order"}, hashes{"hashes"};
inline constexpr Setting backends{"backends"}, tolerance{"tolerance"}, grazing{"grazing"}, judge{"judge"};
inline constexpr Setting member{"member"}, every{"every"};
// figures
inline constexpr Setting x{"x"}, y{"y"}, color{"color"};

}  // namespace setting
}  // namespace conesweep
