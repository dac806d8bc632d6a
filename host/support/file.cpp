#include "support/file.hpp"

#include <algorithm>
#include <fstream>

#include "support/error.hpp"

namespace conesweep {

std::optional<std::string> read_at_most(const std::filesystem::path& path, std::size_t most, const std::string& what) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError("cannot read " + what + path.string() + (what.empty() ? "; is the path right?" : ""));
  constexpr std::size_t block = 1 << 16;
  std::string text;
  while (text.size() <= most && in) {
    const std::size_t before = text.size();
    text.resize(before + std::min(block, most + 1 - before));  // one byte more tells that it goes on
    in.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw InputError("cannot read " + what + path.string());
  if (text.size() > most) return std::nullopt;
  return text;
}

}  // namespace conesweep
