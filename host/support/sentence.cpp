#include "support/sentence.hpp"

#include <algorithm>

namespace conesweep {

std::string spell_plainly(const Mention& mention) {
  const std::string name(mention.setting);
  if (!mention.value.empty()) return name + " " + mention.value;
  return mention.heads ? name : "'" + name + "'";
}

Sentence::Sentence(std::string words) {
  if (!words.empty()) pieces_.emplace_back(std::move(words));
}

std::string Sentence::text(Spelling spelling) const {
  std::string text;
  for (const auto& piece : pieces_) {
    const Mention* mention = std::get_if<Mention>(&piece);
    text += mention == nullptr ? std::get<std::string>(piece) : spelling(*mention);
  }
  return text;
}

bool Sentence::mentions(const Setting& setting) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const auto& piece) {
    const Mention* mention = std::get_if<Mention>(&piece);
    return mention != nullptr && mention->setting == setting.name;
  });
}

Sentence& Sentence::operator+=(const Sentence& more) {
  pieces_.insert(pieces_.end(), more.pieces_.begin(), more.pieces_.end());
  return *this;
}

}  // namespace conesweep
